"""What a channel gets, and what it is told of that."""

from collections.abc import Callable
from typing import Generic

from digest.phrase import Example
from digest.wording.area import Area, Sentence, says


class Subscribing(Area, Generic[Sentence]):
    """What a channel gets."""

    first_follows: Sentence = says("Its first thread follows at once.")
    unless_quiet: Sentence = says("Its first thread follows at once, unless yesterday was quiet.")
    discord_only: Sentence = says("publishing and mentions of a role are for Discord alone")
    managers_only: Sentence = says(
        "only members with Manage Channels change by a button what this channel gets: ask one"
    )
    hour_and_end: Callable[[Example, Example], Sentence] = says(
        lambda hour, end: f"Another hour: {hour}. To end it: {end}."
    )
    not_had: Callable[[object], Sentence] = says(lambda why: f"One thing is missing: {why}.")
    no_repositories: Callable[[Example], Sentence] = says(
        lambda example: f"say which repositories: {example}"
    )
    twice: Callable[[object, Example], Sentence] = says(
        lambda keyword, example: f"{keyword} is said twice: {example}"
    )
    nothing_follows: Callable[[object, Example], Sentence] = says(
        lambda keyword, example: f"nothing follows {keyword}: {example}"
    )
    not_a_repository: Callable[[object, Example], Sentence] = says(
        lambda name, example: f"{name} is no repository: {example}"
    )
    from_which: Callable[[Example, Example], Sentence] = says(
        lambda one, every: f"say which: {one}, or {every}"
    )
    no_subscription: Callable[[Example], Sentence] = says(
        lambda example: f"this channel has no subscription: {example}"
    )
    nothing_yet: Callable[[Example], Sentence] = says(
        lambda example: f"This channel has no subscription yet: {example}"
    )
    which_first: Callable[[Example], Sentence] = says(
        lambda example: (
            f"Which repository should this channel hear of? Press one, or name several: {example}"
        )
    )
    paused_until: Callable[[Example], Sentence] = says(
        lambda example: f"Nothing more is posted here. To go on: {example}"
    )
    not_subscribed: Callable[[object], Sentence] = says(
        lambda repo: f"this channel does not get {repo}"
    )
    subscribed_to_others: Callable[[object, object], Sentence] = says(
        lambda repo, names: f"this channel does not get {repo}: it gets {names}"
    )
    too_many: Callable[[object, object], Sentence] = says(
        lambda count, max_repos: (
            f"{count} repositories are too many for one channel, it takes {max_repos}: unsubscribe "
            "some, or use a second channel"
        )
    )
    may_not: Sentence = says(
        "only admins and people named in INFRA_MAY_SUBSCRIBE change what this channel gets: ask one"
    )
    stranger: Sentence = says(
        "guests, people of other organisations, and who cannot be looked up now change nothing "
        "here: ask a member"
    )
    changed: Callable[[object], Sentence] = says(lambda what: f"This channel gets {what}.")
    unreached: Callable[[object, object], Sentence] = says(
        lambda what, why: f"This channel gets {what}. Nothing is posted yet, because {why}."
    )
    caught_up: Sentence = says("What was due meanwhile follows at once.")
    ended: Sentence = says("This channel gets no threads any more.")
    goes_on: Callable[[Example], Sentence] = says(lambda example: f"It goes on with {example}")
    back_by_itself: Callable[[Example], Sentence] = says(
        lambda example: f"It goes on by itself once that is mended, at once with {example}"
    )
    which_zone: Callable[[object, Example], Sentence] = says(
        lambda at, example: (
            f"In which time zone is it {at} for this channel? Choose one, or name any other: "
            f"{example}"
        )
    )
    really_all: Callable[[object], Sentence] = says(
        lambda names: (
            f"This channel would get nothing any more of {names}; its settings would be gone, too."
        )
    )
    end_all: Sentence = says("Unsubscribe from all")
    paused_since: Callable[[object], Sentence] = says(lambda date: f"since {date}")


class Channels(Area, Generic[Sentence]):
    """What a channel gets, piece by piece of one sentence."""

    gets: Callable[[object, object, object, object], Sentence] = says(
        lambda repos, days, at, tz: f"{repos} {days} at {at} {tz}"
    )
    every_day: Sentence = says("every day")
    on_weekdays: Sentence = says("on weekdays")
    on: Callable[[object], Sentence] = says(lambda days: f"on {days}")
    weekly_on: Callable[[object], Sentence] = says(lambda days: f"weekly on {days}")
    in_language: Callable[[object], Sentence] = says(lambda name: f"in {name}")
    without: Callable[[object], Sentence] = says(lambda names: f"without {names}")
    paths: Callable[[object], Sentence] = says(lambda globs: f"paths {globs}")
    topics: Callable[[object], Sentence] = says(lambda words: f"topics {words}")
    nothing_if_quiet: Sentence = says("nothing on quiet days")
    eyes_open: Sentence = says("👀 opens a follow-up")
    eyes_nothing: Sentence = says("👀 opens nothing")
    one_thread: Sentence = says("all in one thread")
    published: Sentence = says("published to who follows the channel")
    mentioned_on: Callable[[object], Sentence] = says(lambda what: f"a role mentioned on {what}")
    what_breaks: Sentence = says("what breaks")
    security: Sentence = says("security")
    and_paused: Callable[[object, object], Sentence] = says(
        lambda what, why: f"{what}; paused: {why}"
    )
    and_failed: Callable[[object, object], Sentence] = says(
        lambda what, why: f"{what}; last error: {why}"
    )


class Cities(Area, Generic[Sentence]):
    """Places by which people find their time zone."""

    san_francisco: Sentence = says("San Francisco")
    new_york: Sentence = says("New York")
    london: Sentence = says("London")
    berlin: Sentence = says("Berlin")
    india: Sentence = says("India")
    beijing: Sentence = says("Beijing")
    tokyo: Sentence = says("Tokyo")


class ConcernWords(Area, Generic[Sentence]):
    """What concerns a channel."""

    not_a_list: Callable[[object, Example], Sentence] = says(
        lambda word, example: f"concern takes lists of words, add or remove, not {word}: {example}"
    )
    say_what: Callable[[object, Example], Sentence] = says(
        lambda word, example: f"say what {word} is: {example}"
    )
    too_many_words: Callable[[object, object, object], Sentence] = says(
        lambda count, name, most: f"{count} words are too many for {name}, it takes {most}"
    )
    not_a_word: Callable[[object, Example], Sentence] = says(
        lambda word, example: f"{word} is too long, or no word: {example}"
    )
    add_what: Callable[[Example], Sentence] = says(
        lambda example: f"say which public repository uses what: {example}"
    )
    nothing_said: Callable[[Example, Example], Sentence] = says(
        lambda words, codebase: f"nothing is said to concern this channel: {words}, or {codebase}"
    )
    none_called: Callable[[object, object], Sentence] = says(
        lambda name, has: f"there is no concern called {name}: there are {has}"
    )
    taken: Callable[[object], Sentence] = says(lambda names: f"Taken away: {names}")
    too_many: Callable[[object, Example], Sentence] = says(
        lambda most, example: f"a channel takes {most} concerns: take one away with {example}"
    )
    one_at_a_time: Sentence = says(
        "add a codebase, remove something or write words: one at a time, and of with add alone"
    )
    not_read: Callable[[object, object], Sentence] = says(
        lambda repo, why: f"{repo} was not read: {why}"
    )
    too_much: Callable[[object, object, object], Sentence] = says(
        lambda repo, disk, memory: (
            f"{repo} is too large to be read here: more than {disk} MB of files or {memory} MB of "
            "memory; whoever has it runs infra surface, and gives the file"
        )
    )
    too_slow: Callable[[object, object], Sentence] = says(
        lambda repo, seconds: f"{repo} was not read within {seconds} seconds"
    )
    files_not_told: Callable[[object], Sentence] = says(
        lambda count: (
            f"files that are not told here, since others can read along by now: {count}; give them "
            "again where they may be told"
        )
    )
    by_hand: Callable[[object, object], Sentence] = says(
        lambda name, words: f"By hand ({name}): {words}"
    )
    used: Callable[[object, object, object, object, object], Sentence] = says(
        lambda name, repo, names, places, date: (
            f"{name} uses {names} names of {repo} in {places} places, read on {date}"
        )
    )
    unread: Callable[[object], Sentence] = says(
        lambda name: f"{name} is read now, and then every day"
    )
    and_failed: Callable[[object, object], Sentence] = says(
        lambda what, why: f"{what}; the last reading failed: {why}"
    )
    not_an_address: Callable[[Example], Sentence] = says(
        lambda example: f"a file of a surface is fetched from a public https address: {example}"
    )
    not_public: Callable[[object], Sentence] = says(
        lambda host: (
            f"{host} is no public address: give a file that everybody can read, or upload it"
        )
    )
    not_fetched: Callable[[object, object], Sentence] = says(
        lambda address, why: f"{address} was not fetched: {why}"
    )
    too_large: Callable[[object, object], Sentence] = says(
        lambda name, most: (
            f"{name} is larger than {most} MB: narrow it to one upstream repository with infra "
            "surface --of REPO"
        )
    )
    not_text: Callable[[object], Sentence] = says(
        lambda name: f"{name} is no text: give the file that infra surface writes"
    )
    uses_nothing: Callable[[object], Sentence] = says(
        lambda name: (
            f"{name} says of nothing that it is used: make it with infra surface PATH --of REPO"
        )
    )
    too_many_hops: Sentence = says("it leads on too often")
    status: Callable[[object], Sentence] = says(lambda number: f"the server answers {number}")
    no_answer: Sentence = says("no answer came")


class SettingWords(Area, Generic[Sentence]):
    """The words of one setting."""

    choose_days: Sentence = says("Choose at least one day.")
    old_form: Sentence = says("This form is out of date: close it and open the settings again.")
    not_a_time: Callable[[object, Example], Sentence] = says(
        lambda given, example: f"{given} is not a time of day: {example}"
    )
    beyond_clock: Callable[[object, Example], Sentence] = says(
        lambda given, example: f"{given} is not on a clock of 24 hours: {example}"
    )
    no_days: Callable[[Example], Sentence] = says(lambda example: f"say on which days: {example}")
    weekly: Callable[[Example, Example], Sentence] = says(
        lambda alone, example: f"weekly is one day of the week: {alone}, or {example}"
    )
    days: Callable[[Example, Example, Example], Sentence] = says(
        lambda first, second, third: f"{first}, {second} or {third}"
    )
    not_a_day: Callable[[object, object], Sentence] = says(
        lambda word, hint: f"{word} is not a day of the week: {hint}"
    )
    no_choice: Callable[[object, object], Sentence] = says(
        lambda word, examples: f"{word} cannot be chosen: {examples}"
    )
    too_many: Callable[[object, object, object, Example], Sentence] = says(
        lambda count, name, most, example: (
            f"{count} {name} are too many, {most} can be followed: {example}"
        )
    )
    not_followed: Callable[[object, object, Example], Sentence] = says(
        lambda word, _name, example: f"{word} cannot be followed: {example}"
    )


class Followups(Area, Generic[Sentence]):
    """Flags, buttons and questions."""

    no_such: Callable[[object, object], Sentence] = says(
        lambda word, hint: f"there are no {word} follow-ups: {hint}"
    )
    which: Callable[[Example], Sentence] = says(lambda example: f"{example}, open, done or all")
    old_question: Sentence = says("this question is out of date: flag the message again")
    old_button: Sentence = says("this button is out of date: ask again with a command")
    may_not: Sentence = says(
        "only admins and those named in INFRA_MAY_FOLLOW_UP follow up here: ask one"
    )
    may_not_write: Sentence = says("only who may write here can follow up here")


class DeliveryWords(Area, Generic[Sentence]):
    """What a channel is told of its own delivery."""

    missing: Sentence = says(
        "A message is missing here: it was refused as it is. Ask for the changes by name."
    )
    refused: Callable[[object, object], Sentence] = says(
        lambda count, day: (
            f"{count} of the messages of {day} were refused and are missing in the thread"
        )
    )
    paused: Callable[[object, object], Sentence] = says(
        lambda channel, why: f"Nothing more is posted to {channel}: {why}."
    )
    of_channel: Callable[[object, object], Sentence] = says(
        lambda channel, what: f"{channel}: {what}"
    )


class Absences(Area, Generic[Sentence]):
    """Why a channel cannot be told, and when it goes on."""

    archived: Sentence = says("the channel is archived; it goes on when the channel is unarchived")
    deleted: Sentence = says("the channel was deleted; subscribe in another one")
    left: Sentence = says(
        "the bot was removed from the channel; it goes on once it is invited again"
    )
    uninstalled: Sentence = says(
        "the bot was taken off this workspace or server; it goes on once it is back"
    )
    failing: Callable[[object, object], Sentence] = says(
        lambda since, why: f"sending has failed since {since} ({why}); it goes on once that works"
    )


class MentionWords(Area, Generic[Sentence]):
    """Why an item was, or was not, in what a channel was told."""

    own_message: Callable[[object], Sentence] = says(
        lambda date: f"In this channel: told on {date} in a message of its own."
    )
    with_others: Callable[[object, object], Sentence] = says(
        lambda date, count: f"In this channel: told on {date} in one message with {count} others."
    )
    in_parent: Callable[[object], Sentence] = says(
        lambda date: f"In this channel: named on {date} in the first message of its thread."
    )
    not_subscribed: Callable[[object], Sentence] = says(
        lambda repo: f"This channel does not get {repo}."
    )
    left_out_by: Callable[[object], Sentence] = says(
        lambda setting: f"Not in this channel: left out by {setting}."
    )
    to_come: Sentence = says("Not yet in this channel: its day comes with the next thread.")
    by_count: Callable[[object], Sentence] = says(
        lambda importance: f"In this channel: counted, not named (importance: {importance})."
    )
    before: Sentence = says("Not in this channel: it is older than its first thread.")


class Replies(Area, Generic[Sentence]):
    """Answers to flags, buttons and sharing."""

    not_mine: Sentence = says(
        "This is no message of mine, and links no change of a repository watched here."
    )
    nothing_here: Sentence = says(
        "This message is about no single change: choose one in its thread."
    )
    not_open: Callable[[object], Sentence] = says(
        lambda ref: f"Nobody has flagged {ref}: 🚩 comes before ✅."
    )
    shared: Sentence = says("Shared.")
    flagged: Callable[[object], Sentence] = says(lambda ref: f"🚩 {ref} is flagged.")
    nobody_asks: Sentence = says("Nothing here waits for you: react with 🚩 to a message first.")


class WelcomeWords(Area, Generic[Sentence]):
    """What is said to who asks nothing yet, and its buttons."""

    does: Sentence = says(
        "I tell a channel every morning what happened the day before in the repositories it "
        "depends on: what breaks, what is new, what to look at."
    )
    gets_nothing: Sentence = says("This channel gets nothing yet.")
    ask: Callable[[Example, Example], Sentence] = says(
        lambda day, change: (
            f"Ask at any time, only you see the answer: {day} for a day, {change} for one change. "
            "React with 🚩 to what needs work."
        )
    )
    digest: Sentence = says("Today's digest")
    set_up: Sentence = says("Set up this channel")
    change: Sentence = says("Change its settings")
    commands: Sentence = says("All commands")
    which: Sentence = says("Of which repository?")


class StateWords(Area, Generic[Sentence]):
    """How a channel is, in a line, and what happened to it lately."""

    last: Callable[[object], Sentence] = says(lambda date: f"Last: {date}.")
    never: Sentence = says("Nothing told yet.")
    next: Callable[[object], Sentence] = says(lambda at: f"Next: {at}.")
    wrong: Callable[[object], Sentence] = says(lambda why: f"Last error: {why}.")
    lately: Sentence = says("Lately:")
    changed: Callable[[object, object], Sentence] = says(
        lambda who, what: f"{who} changed it: {what}"
    )
    told: Callable[[object], Sentence] = says(lambda date: f"told {date}")
    failed: Callable[[object], Sentence] = says(lambda why: f"not told: {why}")


class Tags(Area, Generic[Sentence]):
    """Tags of a forum's posts."""

    breaking: Sentence = says("breaking")
    security: Sentence = says("security")
    important: Sentence = says("important")
    release: Sentence = says("release")
    plain: Sentence = says("digest")


class ChannelAreas(Area, Generic[Sentence]):
    """All of them."""

    subscribing: Subscribing[Sentence]
    channels: Channels[Sentence]
    cities: Cities[Sentence]
    concerns: ConcernWords[Sentence]
    settings: SettingWords[Sentence]
    followups: Followups[Sentence]
    delivering: DeliveryWords[Sentence]
    absences: Absences[Sentence]
    mentions: MentionWords[Sentence]
    replies: Replies[Sentence]
    welcome: WelcomeWords[Sentence]
    state: StateWords[Sentence]
    tags: Tags[Sentence]
