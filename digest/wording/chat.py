"""What a chat says beside pages: threads, buttons, follow-ups and the form of settings.

Templates with `{names}` are filled by `digest.writing.phrasing.fill`.
"""

from collections.abc import Callable

from digest.wording.area import Area, Keyed, says
from digest.wording.pages import many


class Dates(Area):
    """Days; `day` takes weekday, day and month, `several_days` two such days."""

    weekdays: tuple[str, ...] = says(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    weekday_names: tuple[str, ...] = says(
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    )
    months: tuple[str, ...] = says(
        ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    )
    day: str = says("{weekday} {day} {month}")
    several_days: str = says("{first} – {last}")
    until: str = says("{day} until {time}")
    whole_day: str = says("all day")


class Buttons(Keyed[str]):
    """By `ActionKind`, those that stand below items; others have a sentence for a label."""

    show_all: str = says("Show all")
    show_rest: str = says("Show them")
    followups: str = says("Follow-ups")
    flag: str = says("🚩 Flag")
    flag_one: str = says("🚩 Flag one of these")
    take: str = says("👀 Take")
    done: str = says("✅ Done")
    reopen: str = says("↩ Reopen")
    watch: str = says("🔔 Until released")
    deep_dive: str = says("Deep dive")
    choose: str = says("Choose")
    which: str = says("Choose which one")
    share: str = says("Share")
    page: str = says("Page")


class ThreadWords(Area):
    """Parents, lists of follow-ups, and who did what."""

    days: Callable[[int], str] = says(many("day", "days"))
    repositories: Callable[[int], str] = says(many("repository", "repositories"))
    followups: Callable[[int], str] = says(many("open follow-up", "open follow-ups"))
    closed: Callable[[int], str] = says(lambda number: f"{number:,} done")
    left_out: Callable[[int], str] = says(
        lambda number: f"{number:,} left out by this channel's settings"
    )
    more_here: Callable[[int], str] = says(lambda number: f"{number:,} more in the thread")
    all_here: Callable[[int], str] = says(lambda number: f"{number:,} in the thread")
    more: Callable[[int], str] = says(lambda number: f"{number:,} more")
    unseen: str = says("not looked at: {what}")
    caught_up: str = says("{repos}: {days} too, which could not be looked at before.")
    of_it: str = says(" ({what})")
    in_part: str = says("in part")
    why_in_threads: str = says("the threads say why")
    withheld: Callable[[int], str] = says(
        lambda number: (
            f"{number:,} {'repository' if number == 1 else 'repositories'} may not be told here; "
            "infra status says more to who runs the bot."
        )
    )
    thread: str = says("thread")
    show_all: str = says("Show all {count}")
    all_of: str = says("All {count} of {name}, {days}")
    mostly_in: str = says("mostly {path}")
    nothing_left: str = says("Everything is told by title already.")
    week_old: str = says("Open for a week or more")
    not_taken: str = says("nobody has taken it")
    flagged_by: str = says("🚩 flagged by {people}")
    taken_by: str = says("👀 taken by {people}")
    done_by: str = says("✅ done by {people}")
    untold: str = says(
        "Too many days to tell: those from {day} until this window are left out. "
        "Ask for them by their dates."
    )
    which_one: str = says("🚩 Which one?")
    which_one_of: str = says("🚩 Which one of {message}?")
    this_message: str = says("this message")
    which_invited: str = says(
        "🚩 A message about several changes was flagged: whoever flagged it says which one."
    )
    which_more: Callable[[int], str] = says(many("more message waits", "more messages wait"))
    which_change: str = says("Which one?")
    no_followups: str = says("No follow-ups: react with 🚩 to what needs work.")
    shared_by: str = says("{person} asked, and shares: {asked}")
    changed_by: str = says("{person} changed what this channel gets.")
    paused_by: str = says("{person} paused this channel.")
    resumed_by: str = says("{person} resumed this channel.")
    concern_by: str = says("{person} changed what concerns this channel.")
    none_mine: str = says("No open follow-up is yours.")
    none_done: str = says("No follow-up is done.")
    quiet_since: str = says("{repos}: quiet since {since}; last looked at {at}.")


class Turns(Keyed[str]):
    """By `News`; each takes `fix`, `by` and `release`, which are links, `pin` and
    `title`.
    """

    merged: str = says("merged")
    closed: str = says("closed")
    fixed: str = says("fixed by {fix}")
    not_planned: str = says("closed as not planned")
    duplicate: str = says("closed as a duplicate")
    reopened: str = says("opened again")
    linked: str = says("{fix} is to fix it")
    reverted: str = says("reverted by {by}")
    amended: str = says("taken out by force: its commit is not on the default branch any more")
    released: str = says("released in {release}")
    pinned: str = says("in what this channel pins: {pin}")
    pulled: str = says("the release was pulled")
    retitled: str = says("its title is now: {title}")
    rewritten: str = says("its notes were rewritten")
    missing: str = says(
        "not there any more: deleted, moved or private; it is not followed any further"
    )
    back: str = says("there again")


class UpstreamWords(Area):
    """What became of a followed item upstream."""

    turns: Turns
    repo_gone: str = says(
        "{repo} is not there any more: deleted or private; none of it is followed further"
    )
    corrected: str = says("Corrections to what was told before")
    became: str = says("What became of what was flagged")
    watching: str = says("You hear of {ref} until it is released. Press again to stop.")
    watching_no_more: str = says("You hear of {ref} no more.")
    over: str = says("{ref}: {became}. There is nothing more to wait for.")
    owner_left: str = says("{person} is not here any more: what they took can be taken again")


class SettingsFormWords(Area):
    """The form of a channel's settings, in the lengths that Slack allows.

    `title`, `save` and `close` have at most 24 characters:
    https://docs.slack.dev/reference/views/modal-views
    """

    title: str = says("Infra Digest")
    save: str = says("Save")
    close: str = says("Cancel")
    new: str = says("This channel gets no digest yet. Save, and yesterday's thread comes at once.")
    paused: str = says("Paused: {why}. Saving goes on with it.")
    repos: str = says("Repositories")
    repos_hint: str = says("Short names such as vllm, or OWNER/NAME.")
    repos_shown: str = says("Type a name")
    at: str = says("Time of day")
    tz: str = says("Time zone")
    tz_shown: str = says("Type a city, such as Shanghai")
    days: str = says("Days")
    language: str = says("Language")
    without: str = says("Leave out")
    paths: str = says("Only changes to these paths")
    paths_hint: str = says("Globs such as csrc/** *.cu; empty for all.")
    topics: str = says("Only these topics")
    topics_hint: str = says("Words such as attention moe; empty for all.")
    concern: str = says("What you use")
    concern_hint: str = says(
        "models Qwen3, DeepSeek-V4 hardware MI355 flags --max-num-seqs; also paths, "
        "symbols and pins."
    )
    remove: str = says("Codebases and files here: take away")
    remove_hint: str = says("What is not ticked stays.")
    add: str = says("Add a codebase, or a file by its address")
    add_hint: str = says(
        "vllm-project/vllm-ascend of vllm, or https://example.org/own.toml; public, and read "
        "every day."
    )
    file: str = says("Add files")
    file_hint: str = says(
        "What infra surface PATH --of REPO wrote, as TOML or JSON; one of the same name is "
        "replaced."
    )
    quiet: str = says("On a day without changes")
    eyes: str = says("👀 on what nobody flagged")
    eyes_hint: str = says("It opens one unless you choose.")
    threads: str = says("Several repositories")
    one_thread: str = says("All in one thread")
    own_threads: str = says("A thread for each, after a roundup")
    bots: str = says("Changes by bots")
    ci: str = says("CI and build")
    docs: str = says("Documentation")
    quiet_line: str = says("Say so in one line")
    quiet_nothing: str = says("Post nothing")
    eyes_open: str = says("Opens a follow-up")
    eyes_nothing: str = says("Does nothing")


class ChatAreas(Area):
    """All of them."""

    dates: Dates
    buttons: Buttons
    thread: ThreadWords
    upstream: UpstreamWords
    form: SettingsFormWords
