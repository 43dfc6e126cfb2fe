"""What Slack and Discord refuse, and what only they say."""

from collections.abc import Callable
from typing import Generic

from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class Discord(Area, Generic[Sentence]):
    """What Discord refuses."""

    old_command: Sentence = says("this command is an old one: type / and choose it again")
    not_a_repository: Callable[[object, Example, Example], Sentence] = says(
        lambda repo, choose, example: f"{repo} is no repository: choose {choose}, or {example}"
    )
    not_both: Callable[[Example], Sentence] = says(
        lambda example: f"say when or which change, not both: {example}"
    )
    token: Sentence = says(
        "Discord refuses the bot's token: reset it in the Developer Portal under Bot, and set "
        "DISCORD_TOKEN to the new one"
    )
    gone: Sentence = says("Discord shows the bot no such channel: subscribe in another channel")
    not_on_server: Sentence = says(
        "the bot is not on this server any more: invite it again with the link of infra "
        "discord invite"
    )
    lacks: Callable[[object], Sentence] = says(
        lambda names: (
            f"the bot lacks {names} in this channel: give it that under Edit Channel, Permissions"
        )
    )
    locked: Sentence = says("the thread is locked: a moderator unlocks it")
    many_threads: Sentence = says("this server has as many active threads as it can: close some")
    not_text: Sentence = says(
        "such a channel takes no morning threads: subscribe in a text, announcement or forum "
        "channel"
    )
    not_served: Sentence = says(
        "this bot does not serve this server: who runs it adds the server to INFRA_GUILDS"
    )
    no_tags: Callable[[object], Sentence] = says(
        lambda names: (
            f"this forum has no tags {names}: make them, or give the bot Manage Channels here"
        )
    )
    tag_needed: Callable[[object], Sentence] = says(
        lambda name: (
            f"every post of this forum needs a tag: make one called {name}, or give the bot Manage "
            "Channels here"
        )
    )
    not_announcement: Sentence = says(
        "this is no announcement channel, so nothing is published to other servers: change its "
        "kind, or switch publishing off"
    )
    no_role: Sentence = says(
        "the role that was to be mentioned is gone: choose another one, or nobody"
    )
    role_silent: Callable[[object], Sentence] = says(
        lambda name: f"nobody of {name} would be notified: allow everybody to mention that role"
    )
    not_published: Callable[[object], Sentence] = says(
        lambda why: f"the morning stands here, and was not published to others: {why}"
    )
    no_messages: Sentence = says("this person takes no direct messages from the bot")
    message_gone: Sentence = says("the message or its thread does not exist any more")
    thread_archived: Sentence = says("the thread is archived")
    has_thread: Sentence = says("the message has a thread")
    not_taken: Sentence = says("Discord does not take this message as it is drawn")
    limited: Sentence = says("Discord takes no more for a while")
    unclear: Sentence = says("Discord did not answer, or not as it should")
    no_name: Sentence = says("Discord took a message and did not say which it is")
    half_done: Sentence = says("Discord failed and does not say whether it was done")
    not_reached: Sentence = says("Discord cannot be reached")
    stopped: Callable[[object], Sentence] = says(
        lambda status: f"something before Discord refuses with status {status}"
    )
    refuses: Callable[[object], Sentence] = says(
        lambda status: f"Discord refuses with status {status}: an admin looks at the app"
    )
    lost: Sentence = says("This button is out of date: ask again.")
    pages: Callable[[object, object], Sentence] = says(
        lambda page, pages: f"Page {page} of {pages}"
    )


class Permissions(Area, Generic[Sentence]):
    """Discord's permissions, as its settings name them."""

    manage_channels: Sentence = says("Manage Channels")
    mention_everyone: Sentence = says("Mention @everyone, @here, and All Roles")
    manage_threads: Sentence = says("Manage Threads")
    manage_server: Sentence = says("Manage Server")
    administrator: Sentence = says("Administrator")
    view_channel: Sentence = says("View Channel")
    send_messages: Sentence = says("Send Messages")
    embed_links: Sentence = says("Embed Links")
    read_history: Sentence = says("Read Message History")
    create_threads: Sentence = says("Create Public Threads")
    send_in_threads: Sentence = says("Send Messages in Threads")


class Slack(Area, Generic[Sentence]):
    """What Slack refuses."""

    token: Sentence = says(
        "Slack refuses the bot's token: an admin installs the app again and sets "
        "SLACK_BOT_TOKEN to the new one"
    )
    gone: Sentence = says(
        "Slack shows the bot no such channel: if it is a private one, type /invite @Infra there"
        ", else subscribe in another channel"
    )
    archived: Sentence = says(
        "the channel is archived: unarchive it, or subscribe in another channel"
    )
    not_in: Sentence = says("the bot is not in this channel: type /invite @Infra there")
    may_not_post: Sentence = says(
        "this workspace does not let the bot post here: an admin allows it in the channel's "
        "posting permissions"
    )
    scope: Sentence = says(
        "the Slack app lacks a right: an admin compares its scopes with `infra slack manifest` "
        "and installs it again"
    )
    scope_named: Callable[[object], Sentence] = says(
        lambda needed: (
            "the Slack app lacks a right: an admin compares its scopes with `infra slack manifest` "
            f"and installs it again (missing: {needed})"
        )
    )
    refuses: Callable[[object], Sentence] = says(
        lambda code: f"Slack refuses with {code}: an admin looks at the app"
    )
    message_gone: Sentence = says("the message does not exist any more")
    too_long: Sentence = says("Slack takes no message as long as this one")
    unclear: Sentence = says("Slack did not answer, or not as it should")
    no_name: Sentence = says("Slack took a message and did not say which it is")
    too_late: Sentence = says("the answer came too late for Slack: ask again")
    not_taken: Sentence = says("Slack does not take this message as it is drawn")
    limited: Sentence = says("Slack takes no more messages for a while")
    half_done: Sentence = says("Slack failed and does not say whether it was done")
    not_reached: Sentence = says("Slack cannot be reached")
    stopped: Callable[[object], Sentence] = says(
        lambda status: f"something before Slack refuses with status {status}"
    )
    working: Sentence = says("Looking; the answer comes here.")
    settings: Sentence = says("Open the settings")
    home_followups: Sentence = says("Your follow-ups")
    home_channels: Sentence = says("What your channels get")
    home_none: Sentence = says("None of your channels gets anything yet.")
    home_direct: Sentence = says("Your direct messages with the bot:")
    home_more: Callable[[object], Sentence] = says(
        lambda count: (
            f"{count} more channels of this workspace were not looked at: "
            "`/infra subscriptions` in a channel says what it gets."
        )
    )
    home_set_up: Sentence = says("Set up a channel")
    home_set_up_how: Sentence = says(
        "Invite the bot with `/invite @Infra`, then choose the channel. Everything else is asked"
        " with `/infra`, in any conversation."
    )
    home_choose: Sentence = says("Choose a channel")
    home_not_there: Sentence = says(
        "You and the bot have to be in that channel: type /invite @Infra there first."
    )
    home_not_now: Sentence = says(
        "This could not be looked up just now. Open Home again in a minute."
    )
    no_way_to_hear: Sentence = says(
        "set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP"
    )
    bad_app_token: Sentence = says(
        "Slack refuses SLACK_APP_TOKEN: make an app-level token with the scope connections:write, "
        "and switch Socket Mode on"
    )
    not_installed: Sentence = says(
        "This Infra is installed in another workspace: ask an admin to install it here."
    )


class PlatformAreas(Area, Generic[Sentence]):
    """All of them."""

    discord: Discord[Sentence]
    slack: Slack[Sentence]
    permissions: Permissions[Sentence]
