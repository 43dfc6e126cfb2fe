"""What a chat says beside pages: threads, buttons, follow-ups and the form of settings.

Templates with `{names}` are filled by `digest.writing.phrasing.fill`.
"""

from collections.abc import Callable

from digest.wording.pages import Area, Keyed


class Dates(Area):
    """Days; `day` takes weekday, day and month, `several_days` two such days."""

    weekdays: tuple[str, ...]
    weekday_names: tuple[str, ...]
    months: tuple[str, ...]
    day: str
    several_days: str
    until: str
    whole_day: str


class Buttons(Keyed[str]):
    """By `ActionKind`, those that stand below items; others have a sentence for a label."""

    show_all: str
    show_rest: str
    followups: str
    flag: str
    flag_one: str
    take: str
    done: str
    reopen: str
    watch: str
    deep_dive: str
    choose: str
    which: str
    share: str
    page: str


class ThreadWords(Area):
    """Parents, lists of follow-ups, and who did what."""

    days: Callable[[int], str]
    repositories: Callable[[int], str]
    followups: Callable[[int], str]
    closed: Callable[[int], str]
    left_out: Callable[[int], str]
    more_here: Callable[[int], str]
    all_here: Callable[[int], str]
    more: Callable[[int], str]
    unseen: str
    caught_up: str
    of_it: str
    in_part: str
    why_in_threads: str
    withheld: Callable[[int], str]
    thread: str
    show_all: str
    all_of: str
    mostly_in: str
    nothing_left: str
    week_old: str
    not_taken: str
    flagged_by: str
    taken_by: str
    done_by: str
    untold: str
    which_one: str
    which_one_of: str
    this_message: str
    which_invited: str
    which_more: Callable[[int], str]
    which_change: str
    no_followups: str
    shared_by: str
    changed_by: str
    paused_by: str
    resumed_by: str
    concern_by: str
    none_mine: str
    none_done: str
    quiet_since: str


class Turns(Keyed[str]):
    """By `News`; each takes `fix`, `by` and `release`, which are links, `pin` and
    `title`.
    """

    merged: str
    closed: str
    fixed: str
    not_planned: str
    duplicate: str
    reopened: str
    linked: str
    reverted: str
    amended: str
    released: str
    pinned: str
    pulled: str
    retitled: str
    rewritten: str
    missing: str
    back: str


class UpstreamWords(Area):
    """What became of a followed item upstream."""

    turns: Turns
    repo_gone: str
    corrected: str
    became: str
    watching: str
    watching_no_more: str
    over: str
    owner_left: str


class SettingsFormWords(Area):
    """The form of a channel's settings, in the lengths that Slack allows.

    `title`, `save` and `close` have at most 24 characters:
    https://docs.slack.dev/reference/views/modal-views
    """

    title: str
    save: str
    close: str
    new: str
    paused: str
    repos: str
    repos_hint: str
    repos_shown: str
    at: str
    tz: str
    tz_shown: str
    days: str
    language: str
    without: str
    paths: str
    paths_hint: str
    topics: str
    topics_hint: str
    concern: str
    concern_hint: str
    remove: str
    remove_hint: str
    add: str
    add_hint: str
    file: str
    file_hint: str
    quiet: str
    eyes: str
    eyes_hint: str
    threads: str
    one_thread: str
    own_threads: str
    bots: str
    ci: str
    docs: str
    quiet_line: str
    quiet_nothing: str
    eyes_open: str
    eyes_nothing: str


class ChatAreas(Area):
    """All of them."""

    dates: Dates
    buttons: Buttons
    thread: ThreadWords
    upstream: UpstreamWords
    form: SettingsFormWords
