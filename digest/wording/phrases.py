"""Every sentence of an error, a gap, a refusal or an answer, as fields that each language fills.

`Phrases[str]` is a language: each field gives text, and one that it lacks is a type error. `SAY`
has the same fields and gives a `Phrase`, a code with its values, for where the sentence arises:
`raise NotFound(SAY.github.no_repo(repo))`. Codes are stored: none is ever used anew for something
else. A third language is one more file like `phrases_en`.

A value is said as text; a `Phrase` in the language of the sentence, several values as a list, and
an `Example` as the platform has it typed.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any, Generic, TypeVar, get_origin

from digest.phrase import Example, Phrase

Said = TypeVar("Said")


@dataclass(frozen=True, slots=True)
class Commands(Generic[Said]):
    """How a command is read."""

    too_long: Callable[[object, object, Example], Said]
    did_you_mean_command: Callable[[object, Example], Said]
    unknown: Callable[[object, Example], Said]
    for_command_line: Callable[[object, Example], Said]
    all_for_command_line: Callable[[Example], Said]
    no_more_words: Callable[[object, Example], Said]
    no_words: Callable[[Example], Said]
    nothing_to_search: Said
    no_item: Callable[[Example], Said]
    help_word: Callable[[Example], Said]
    no_help: Callable[[object, object], Said]
    topics: Callable[[object], Said]
    did_you_mean: Callable[[str], Said]
    no_language: Callable[[object, object, Example], Said]
    not_a_time: Callable[[object, Example], Said]
    not_this_time: Callable[[object, Example], Said]
    neither_time_nor_change: Callable[[object, Example, Example, Example], Said]
    other_address: Callable[[object, object, object], Said]
    no_channel: Callable[[object], Said]
    nobody: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Repositories(Generic[Said]):
    """Names of repositories."""

    unknown: Callable[[object, object], Said]
    write: Callable[[object], Said]
    watched: Callable[[object, object], Said]
    not_watched: Callable[[object], Said]
    only_this: Callable[[object], Said]
    alias_taken: Callable[[object, object, object, object], Said]
    no_alias: Callable[[object, object], Said]
    only_this_not: Callable[[object, object, object], Said]
    not_owner_name: Callable[[object, object], Said]
    alias_is_word: Callable[[object, object], Said]
    alias_letter: Callable[[object, object], Said]
    which_alias: Said
    watch_which: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Subscribing(Generic[Said]):
    """What a channel gets."""

    first_follows: Said
    unless_quiet: Said
    discord_only: Said
    managers_only: Said
    hour_and_end: Callable[[Example, Example], Said]
    not_had: Callable[[object], Said]
    no_repositories: Callable[[Example], Said]
    no_threads: Callable[[Example], Said]
    both_threads: Callable[[Example], Said]
    twice: Callable[[object, Example], Said]
    nothing_follows: Callable[[object, Example], Said]
    misplaced: Callable[[object, object, Example], Said]
    a_time: Said
    a_day: Said
    a_language: Said
    a_zone: Said
    no_repository: Said
    not_a_repository: Callable[[object, Example], Said]
    from_which: Callable[[Example, Example], Said]
    all_is_all: Callable[[Example, Example], Said]
    no_subscription: Callable[[Example], Said]
    nothing_yet: Callable[[Example], Said]
    which_first: Callable[[Example], Said]
    paused_until: Callable[[Example], Said]
    not_subscribed: Callable[[object], Said]
    subscribed_to_others: Callable[[object, object], Said]
    too_many: Callable[[object, object], Said]
    may_not: Said
    settings_words: Callable[[Example, Example], Said]
    stranger: Said
    changed: Callable[[object], Said]
    unreached: Callable[[object, object], Said]
    caught_up: Said
    ended: Said
    goes_on: Callable[[Example], Said]
    which_zone: Callable[[object, Example], Said]
    really_all: Callable[[object], Said]
    end_all: Said
    paused_since: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Channels(Generic[Said]):
    """What a channel gets, piece by piece of one sentence."""

    gets: Callable[[object, object, object, object], Said]
    every_day: Said
    on_weekdays: Said
    on: Callable[[object], Said]
    weekly_on: Callable[[object], Said]
    in_language: Callable[[object], Said]
    without: Callable[[object], Said]
    paths: Callable[[object], Said]
    topics: Callable[[object], Said]
    nothing_if_quiet: Said
    eyes_open: Said
    eyes_nothing: Said
    one_thread: Said
    published: Said
    mentioned_on: Callable[[object], Said]
    what_breaks: Said
    security: Said
    and_paused: Callable[[object, object], Said]
    and_failed: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Cities(Generic[Said]):
    """Places by which people find their time zone."""

    san_francisco: Said
    new_york: Said
    london: Said
    berlin: Said
    india: Said
    beijing: Said
    tokyo: Said


@dataclass(frozen=True, slots=True)
class Concerns(Generic[Said]):
    """What concerns a channel."""

    remove_what: Callable[[Example, Example], Said]
    not_a_list: Callable[[object, Example], Said]
    say_what: Callable[[object, Example], Said]
    no_words: Callable[[object, Example], Said]
    too_many_words: Callable[[object, object, object], Said]
    not_a_word: Callable[[object, Example], Said]
    add_what: Callable[[Example], Said]
    nothing_said: Callable[[Example, Example], Said]
    none_called: Callable[[object, object], Said]
    taken: Callable[[object], Said]
    too_many: Callable[[object, Example], Said]
    one_at_a_time: Said
    not_read: Callable[[object, object], Said]
    too_much: Callable[[object, object, object], Said]
    too_slow: Callable[[object, object], Said]
    files_not_told: Callable[[object], Said]
    by_hand: Callable[[object, object], Said]
    used: Callable[[object, object, object, object, object], Said]
    unread: Callable[[object], Said]
    and_failed: Callable[[object, object], Said]
    not_an_address: Callable[[Example], Said]
    not_public: Callable[[object], Said]
    not_fetched: Callable[[object, object], Said]
    too_large: Callable[[object, object], Said]
    not_text: Callable[[object], Said]
    uses_nothing: Callable[[object], Said]
    too_many_hops: Said
    status: Callable[[object], Said]
    no_answer: Said


@dataclass(frozen=True, slots=True)
class Upgrades(Generic[Said]):
    """What an upgrade means for a codebase: its steps, and why it cannot be told."""

    needs_clone: Callable[[object], Said]
    or_clone: Callable[[object], Said]
    tree_too_large: Callable[[object], Said]
    needs_token: Callable[[object, object], Said]
    spent: Said
    unread: Callable[[object, object], Said]
    cut: Said
    no_release: Callable[[object], Said]
    not_pinned: Callable[[object, object], Said]
    no_pin: Said
    following: Callable[[object], Said]
    listing: Callable[[object, object], Said]
    comparing: Callable[[object, object], Said]
    both_ends: Callable[[object], Said]
    of_what: Callable[[Example], Said]
    not_a_span: Callable[[object, Example], Said]
    being_read: Said
    no_surface: Callable[[object, Example], Said]
    one_at_a_time: Said
    making: Callable[[object], Said]
    whole: Said
    whole_by: Callable[[Example], Said]
    no_file: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Settings(Generic[Said]):
    """The words of one setting."""

    choose_repos: Said
    choose_time: Said
    choose_zone: Said
    choose_days: Said
    not_a_time: Callable[[object, Example], Said]
    beyond_clock: Callable[[object, Example], Said]
    no_days: Callable[[Example], Said]
    weekly: Callable[[Example, Example], Said]
    days: Callable[[Example, Example, Example], Said]
    not_a_day: Callable[[object, object], Said]
    no_language: Callable[[object, object], Said]
    leave_out_what: Callable[[Example], Said]
    not_left_out: Callable[[object, object], Said]
    quiet: Callable[[object, Example], Said]
    eyes: Callable[[object, Example, Example], Said]
    publish: Callable[[object, Example, Example], Said]
    mention: Callable[[object, Example, Example], Said]
    show: Callable[[object, Example, Example], Said]
    follow_what: Callable[[object, Example], Said]
    too_many: Callable[[object, object, object, Example], Said]
    not_followed: Callable[[object, object, Example], Said]


@dataclass(frozen=True, slots=True)
class Windows(Generic[Said]):
    """Days, spans and zones."""

    no_zone: Callable[[object, object], Said]
    zones: Said
    one_end: Callable[[object, object, object], Said]
    one_end_of_tags: Callable[[object], Said]
    not_a_time: Callable[[object, object], Said]
    forms: Callable[[object], Said]
    not_a_date: Callable[[object, object], Said]
    no_such_day: Callable[[object, object, object, object, object], Said]
    two_zones: Callable[[object, object, object], Said]
    no_days: Said
    backwards: Callable[[object, object], Said]
    to_come: Callable[[object, object, object, object], Said]
    too_early: Callable[[object, object], Said]
    too_long: Callable[[object, object, object, object], Said]
    just_begun: Callable[[object, object], Said]
    skipped: Callable[[object, object, object], Said]
    nothing_between: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Chat(Generic[Said]):
    """The bot itself, whatever the platform."""

    failed_repos: Callable[[object, object], Said]
    both: Callable[[object, object], Said]
    own_error_with: Callable[[object], Said]
    not_allowed: Said
    asked_much: Callable[[object], Said]
    workspace_asked_much: Callable[[object], Said]
    seconds: Callable[[object], Said]
    minutes: Callable[[object], Said]
    much_said: Said
    no_token: Callable[[object], Said]
    clock: Callable[[object], Said]
    own_error: Said
    broken: Said
    may_not_share: Said
    nothing_to_share: Said
    model_not_json: Callable[[object], Said]
    of_check_model: Callable[[object], Said]
    cost_not_noted: Said
    no_platform: Said
    port_taken: Callable[[object, object, object], Said]
    no_tokens: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Followups(Generic[Said]):
    """Flags, buttons and questions."""

    no_such: Callable[[object, object], Said]
    which: Callable[[Example], Said]
    old_question: Said
    old_button: Said
    may_not: Said
    may_not_write: Said


@dataclass(frozen=True, slots=True)
class GitHub(Generic[Said]):
    """GitHub, asked over the network."""

    no_repo: Callable[[object], Said]
    nothing_at: Callable[[object, object], Said]
    no_end: Callable[[object, object], Said]
    not_in_window: Callable[[object, object, object], Said]
    no_item: Callable[[object, object, Example], Said]
    refuses_repo: Callable[[object], Said]
    private: Callable[[object], Said]
    nothing_there: Said
    unknown_name: Said
    blocked: Said
    token_may_not: Said
    may_not: Said
    bad_token: Said
    pause: Callable[[object], Said]
    limit: Callable[[object], Said]
    limit_without_token: Callable[[object], Said]
    until: Callable[[object], Said]
    own_error: Callable[[object], Said]
    not_accepted: Callable[[object], Said]
    bad_answer: Callable[[object], Said]
    broke_off: Said
    not_reached: Said
    no_network: Said
    too_slow: Said
    cut_off: Said
    not_json: Said
    circle: Said
    unknown_packing: Said
    next_page_elsewhere: Said
    other_server: Said
    bad_graphql: Said
    graphql_unknown: Said
    unfinished: Said
    no_branch: Said
    no_repository_given: Said
    too_large: Callable[[object], Said]
    another_repository: Said
    something_else: Said
    moved: Said
    not_given: Callable[[object], Said]
    not_all_given: Callable[[object], Said]
    in_part: Said
    too_many_since: Said
    files_cut: Callable[[object, object], Said]
    later_reverts: Said
    too_many: Callable[[object], Said]
    too_many_since_then: Callable[[object], Said]
    older_without_details: Callable[[object], Said]
    reopened_not_read: Callable[[object, object], Said]
    tags_not_read: Callable[[object], Said]
    without_token: Callable[[object], Said]
    files_not_read: Callable[[object, object, object], Said]
    merge_too_large: Callable[[object, object], Said]
    merges_not_read: Callable[[object, object], Said]
    set_token: Said
    following_needs_token: Said
    item_moved: Said


@dataclass(frozen=True, slots=True)
class Unread(Generic[Said]):
    """What could not be read, and why as the last value: see `cause`."""

    reopening: Callable[[object, object], Said]
    rewritten: Callable[[object], Said]
    patches: Callable[[object, object], Said]
    merge: Callable[[object, object], Said]
    originals: Callable[[object], Said]
    later_reverts: Callable[[object], Said]
    some: Callable[[object, object], Said]
    commit: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Git(Generic[Said]):
    """A clone."""

    no_issues: Said
    no_descriptions: Said
    no_talk: Said
    shallow: Said
    files_not_compared: Callable[[object, object], Said]
    patches_too_large: Callable[[object], Said]
    patches_lost: Callable[[object], Said]
    from_before: Callable[[object], Said]
    being_fetched: Said
    needs_login: Callable[[object], Said]
    no_repository: Callable[[object, object], Said]
    no_answer: Callable[[object, object], Said]
    not_fetched: Callable[[object, object], Said]
    no_folder: Callable[[object], Said]
    other_owner: Callable[[object], Said]
    not_git: Callable[[object], Said]
    no_branch: Callable[[object], Said]
    no_item: Callable[[object, object], Said]
    failed: Callable[[object], Said]
    too_slow: Callable[[object, object], Said]
    bad_list: Said
    bad_files: Said
    cannot_run: Callable[[object, object], Said]
    one_by_one: Callable[[object, object], Said]
    more_between: Callable[[object, object], Said]
    no_revision: Callable[[object], Said]
    no_codebase: Callable[[object], Said]
    lacks_revision: Callable[[object, object], Said]
    no_address: Callable[[object], Said]
    not_clonable: Callable[[object, object], Said]
    fetch_disk_full: Callable[[object], Said]
    needs_program: Callable[[object, object], Said]
    not_installed: Said
    cannot_read: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Files(Generic[Said]):
    """Recorded and written files."""

    cannot_write: Callable[[object, object], Said]
    holds_alone: Callable[[object, object, object, object], Said]
    other_repo: Callable[[object, object, object], Said]
    no_item: Callable[[object, object], Said]
    missing: Callable[[object], Said]
    cannot_read: Callable[[object, object], Said]
    damaged: Callable[[object, object], Said]
    not_recorded: Callable[[object, object, object], Said]
    no_zones: Callable[[object], Said]
    no_versions: Said
    no_room: Callable[[object, object], Said]
    no_backup: Callable[[object], Said]
    own_database: Callable[[object], Said]
    not_utf8: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Database(Generic[Said]):
    """The database at `place`."""

    opened: Said
    file: Callable[[object], Said]
    in_memory: Said
    postgresql: Callable[[object, object], Said]
    postgresql_here: Callable[[object], Said]
    disk_full: Callable[[object], Said]
    locked_by_program: Callable[[object], Said]
    not_writable: Callable[[object], Said]
    not_openable: Callable[[object], Said]
    disk_fails: Callable[[object], Said]
    damaged: Callable[[object], Said]
    not_sqlite: Callable[[object], Said]
    server_full: Callable[[object], Said]
    no_resources: Callable[[object], Said]
    read_only: Callable[[object], Said]
    locked: Callable[[object], Said]
    restarting: Callable[[object], Said]
    refuses_user: Callable[[object], Said]
    missing: Callable[[object], Said]
    other_program: Callable[[object], Said]
    no_rights: Callable[[object], Said]
    not_migrated: Callable[[object], Said]
    no_answer: Callable[[object], Said]
    unusable: Callable[[object, object], Said]
    deleted: Said
    watched_needs_store: Said
    other_message: Said
    search_needs_store: Said
    question_needs_store: Said
    newer: Callable[[object], Said]
    no_url: Said
    other_kind: Callable[[object], Said]
    of_another: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Discord(Generic[Said]):
    """What Discord refuses."""

    old_command: Said
    not_a_repository: Callable[[object, Example, Example], Said]
    not_both: Callable[[Example], Said]
    token: Said
    gone: Said
    not_on_server: Said
    lacks: Callable[[object], Said]
    locked: Said
    many_threads: Said
    not_text: Said
    not_served: Said
    no_tags: Callable[[object], Said]
    tag_needed: Callable[[object], Said]
    not_announcement: Said
    no_role: Said
    role_silent: Callable[[object], Said]
    not_published: Callable[[object], Said]
    published_in_part: Callable[[int, int, Example], Said]
    no_messages: Said
    message_gone: Said
    thread_archived: Said
    has_thread: Said
    not_taken: Said
    limited: Said
    unclear: Said
    no_name: Said
    half_done: Said
    not_reached: Said
    stopped: Callable[[object], Said]
    refuses: Callable[[object], Said]
    lost: Said
    pages: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Slack(Generic[Said]):
    """What Slack refuses."""

    token: Said
    gone: Said
    archived: Said
    not_in: Said
    may_not_post: Said
    scope: Said
    scope_named: Callable[[object], Said]
    refuses: Callable[[object], Said]
    message_gone: Said
    too_long: Said
    unclear: Said
    no_name: Said
    too_late: Said
    not_taken: Said
    limited: Said
    half_done: Said
    not_reached: Said
    stopped: Callable[[object], Said]
    working: Said
    settings: Said
    home_followups: Said
    home_channels: Said
    home_none: Said
    home_more: Callable[[object], Said]
    home_set_up: Said
    home_set_up_how: Said
    home_choose: Said
    home_not_there: Said
    home_not_now: Said
    no_way_to_hear: Said
    bad_app_token: Said
    not_installed: Said


@dataclass(frozen=True, slots=True)
class Objects(Generic[Said]):
    """What an answer of GitHub is about."""

    a_commit: Said
    a_file: Said
    the_default_branch: Said
    a_comparison: Said
    a_merge: Said
    a_pull_request: Said
    a_pull_requests_commits: Said
    a_release: Said
    an_issues_events: Said
    changed_files: Said
    commits: Said
    issues: Said
    later_reverts: Said
    pull_requests: Said
    releases: Said
    a_tree: Said
    tags: Said
    the_limits: Said
    the_repository: Said


@dataclass(frozen=True, slots=True)
class Permissions(Generic[Said]):
    """Discord's permissions, as its settings name them."""

    manage_channels: Said
    mention_everyone: Said
    manage_threads: Said
    manage_server: Said
    administrator: Said
    view_channel: Said
    send_messages: Said
    embed_links: Said
    read_history: Said
    create_threads: Said
    send_in_threads: Said


@dataclass(frozen=True, slots=True)
class Delivering(Generic[Said]):
    """What a channel is told of its own delivery."""

    missing: Said
    refused: Callable[[object, object], Said]
    paused: Callable[[object, object], Said]
    set_back: Callable[[object, object], Said]
    of_channel: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Absences(Generic[Said]):
    """Why a channel cannot be told, and when it goes on."""

    archived: Said
    deleted: Said
    left: Said
    uninstalled: Said
    failing: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Sources(Generic[Said]):
    """How a source is."""

    branch: Callable[[object, object, object], Said]
    failing: Callable[[object, object, object], Said]
    silent: Callable[[object, object, object], Said]
    moved: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Mentions(Generic[Said]):
    """Why an item was, or was not, in what a channel was told."""

    own_message: Callable[[object], Said]
    with_others: Callable[[object, object], Said]
    in_parent: Callable[[object], Said]
    not_subscribed: Callable[[object], Said]
    left_out_by: Callable[[object], Said]
    to_come: Said
    by_count: Callable[[object], Said]
    before: Said


@dataclass(frozen=True, slots=True)
class Replies(Generic[Said]):
    """Answers to flags, buttons and sharing."""

    not_mine: Said
    nothing_here: Said
    not_open: Callable[[object], Said]
    still_open: Callable[[object], Said]
    done: Callable[[object, object], Said]
    taken: Callable[[object, object], Said]
    shared: Said
    shared_in_thread: Said
    flagged: Callable[[object], Said]
    nobody_asks: Said


@dataclass(frozen=True, slots=True)
class Welcome(Generic[Said]):
    """What is said to who asks nothing yet, and its buttons."""

    does: Said
    gets_nothing: Said
    ask: Callable[[Example, Example], Said]
    digest: Said
    set_up: Said
    change: Said
    commands: Said
    which: Said


@dataclass(frozen=True, slots=True)
class State(Generic[Said]):
    """How a channel is, in a line, and what happened to it lately."""

    last: Callable[[object], Said]
    never: Said
    next: Callable[[object], Said]
    wrong: Callable[[object], Said]
    lately: Said
    changed: Callable[[object, object], Said]
    told: Callable[[object], Said]
    failed: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Pages(Generic[Said]):
    """The pages beside the digests."""

    repos: Said
    days: Said
    empty: Said
    older: Callable[[object], Said]
    zone: Callable[[object], Said]
    no_page: Said
    not_stored: Said
    not_now: Said
    no_store: Said
    past: Said
    title: Said


@dataclass(frozen=True, slots=True)
class Demonstration(Generic[Said]):
    """The demonstration without a network."""

    own_history: Said
    recorded_day: Said
    rest: Callable[[object], Said]
    title: Said
    intro: Said
    more: Said
    text: Said
    morning: Said
    morning_note: Said
    flagged: Said
    flagged_note: Said
    taken: Said
    taken_note: Said
    released: Said
    released_note: Said
    done: Said
    done_note: Said
    issue: Said
    issue_note: Said
    fixed: Said
    fixed_note: Said
    private: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Help(Generic[Said]):
    """The table of commands."""

    title: Said
    command: Said
    example: Said
    result: Said
    alias: Said
    repository: Said
    times: Said
    and_language: Said


@dataclass(frozen=True, slots=True)
class Gives(Generic[Said]):
    """What a command or an option gives, for the table of commands."""

    repo: Said
    span: Said
    change: Said
    all: Said
    search: Said
    ask: Said
    repos: Said
    watch: Said
    unwatch: Said
    why: Said
    help: Said
    subscribe: Said
    unsubscribe: Said
    pause: Said
    resume: Said
    subscriptions: Said
    followups: Said
    channel_upgrade: Said
    concern: Said
    settings: Said
    surface: Said
    upgrade: Said
    between: Said
    export: Said
    record: Said
    evaluate: Said
    check: Said
    db: Said
    demo: Said
    run: Said
    deliver: Said
    cli_subscribe: Said
    cli_followups: Said
    slack: Said
    cli_slack: Said
    discord: Said
    status: Said
    backfill: Said
    backup: Said
    restore: Said
    forget: Said
    output: Said
    language_and_zone: Said
    length: Said
    concerned: Said
    analysis: Said
    source: Said
    further: Said


@dataclass(frozen=True, slots=True)
class Slash(Generic[Said]):
    """Discord's commands and options, at most 100 characters each."""

    quiet_line: Said
    quiet_nothing: Said
    eyes_open: Said
    eyes_nothing: Said
    on_both: Said
    on_nothing: Said
    threads_own: Said
    which_open: Said
    which_mine: Said
    which_done: Said
    which_all: Said
    which_everywhere: Said
    language: Said
    zone: Said
    time: Said
    days: Said
    paths: Said
    topics: Said
    quiet: Said
    eyes: Said
    threads: Said
    publish: Said
    mention: Said
    mention_on: Said
    show: Said
    infra: Said
    repo: Said
    when: Said
    change: Said
    share: Said
    search: Said
    words: Said
    only_repo: Said
    followups: Said
    followups_show: Said
    which: Said
    channel: Said
    subscribe: Said
    subscribe_repos: Said
    unsubscribe: Said
    unsubscribe_repos: Said
    pause: Said
    resume: Said
    concern: Said
    concern_add: Said
    concern_file: Said
    concern_of: Said
    concern_remove: Said
    subscriptions: Said
    settings: Said
    concern_models: Said
    concern_hardware: Said
    concern_flags: Said
    concern_paths: Said
    concern_symbols: Said
    concern_pins: Said
    flag: Said
    deep_dive: Said
    upgrade: Said
    upgrade_repo: Said
    upgrade_from: Said
    upgrade_to: Said
    without: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Tags(Generic[Said]):
    """Tags of a forum's posts."""

    breaking: Said
    security: Said
    important: Said
    release: Said
    plain: Said


@dataclass(frozen=True, slots=True)
class CommandLine(Generic[Said]):
    """What only the command line can be told wrong."""

    no_format: Callable[[object, object, object], Said]
    analysis_of: Said
    slack_takes: Said
    not_a_value: Callable[[object, object, object], Said]
    which_channel: Callable[[object], Said]
    no_more_words: Callable[[object, object], Said]
    nobody_asked: Said
    for_when: Said
    discord_takes: Said
    preview_when: Callable[[object, object], Said]
    discord_token: Said
    sent_too_early: Callable[[object, object], Said]
    no_moment: Callable[[object], Said]
    which_codebase: Said
    upgrade_of: Callable[[object], Said]
    upgrade_for: Callable[[object], Said]
    good_and_bad: Said
    record_what: Said
    which_labels: Said
    where_clones: Said
    export_what: Said
    db_takes: Said
    no_clone: Callable[[object], Said]
    no_windows: Callable[[object], Said]
    no_editors: Callable[[object], Said]
    no_json: Callable[[object, object], Said]
    no_model: Said
    no_statements: Callable[[object], Said]
    is_a_file: Callable[[object], Said]
    index_marks: Said
    file_exists: Callable[[object], Said]
    backup_exists: Callable[[object], Said]
    not_empty: Callable[[object, object], Said]
    bot_runs: Callable[[object], Said]
    not_over: Callable[[object, object, object], Said]
    before_git: Callable[[object, object, object], Said]
    one_file: Callable[[object], Said]
    forget_takes: Callable[[object], Said]
    write: Callable[[object], Said]
    concerns_none: Callable[[object, object], Said]
    full_or_brief: Said
    analysis_or_brief: Said
    no_source: Callable[[object, object], Said]
    other_command: Callable[[object, object], Said]
    no_subscription: Callable[[object], Said]
    no_surface: Callable[[object], Said]
    between_of: Said
    backfill_what: Said
    output_failed: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Checks(Generic[Said]):
    """What `infra check` and `infra db upgrade` find."""

    configuration: Said
    clock: Said
    database: Said
    host: Said
    network: Said
    token: Said
    model: Said
    zone_and_language: Callable[[object, object], Said]
    up_to_date: Callable[[object], Said]
    upgraded: Said
    careful: Callable[[object], Said]
    fleeting: Callable[[object, object], Said]
    in_container: Said
    in_memory: Said
    ephemeral_disk: Callable[[object], Said]
    check_alone: Said
    no_model: Said
    no_model_asked: Callable[[object], Said]
    model_answers: Callable[[object, object, object], Said]
    and_also: Callable[[object, object], Said]
    tokens_spent: Callable[[object, object], Said]
    of_allowed: Callable[[object, object], Said]
    answers: Callable[[object], Said]
    not_tried: Said
    accepted: Said
    used_up: Said
    no_token: Said
    requests_left: Callable[[object, object], Said]
    slack_by_http: Callable[[object], Said]
    slack_by_socket: Callable[[object], Said]
    discord_accepted: Said


@dataclass(frozen=True, slots=True)
class StatusLines(Generic[Said]):
    """What `infra status` says."""

    no_channel: Said
    last_and_next: Callable[[object, object], Said]
    nothing_yet: Said
    none: Said
    now: Said
    waiting: Callable[[object], Said]
    paused: Callable[[object], Said]
    last_error: Callable[[object], Said]
    claimed: Callable[[object], Said]
    planned: Callable[[object], Said]
    claimed_by: Callable[[object, object], Said]
    planned_by: Callable[[object, object], Said]
    failed: Callable[[object], Said]
    again_at: Callable[[object], Said]
    queue: Callable[[object], Said]
    queue_since: Callable[[object, object], Said]
    webhook: Callable[[object], Said]
    webhook_failing: Callable[[object, object], Said]
    no_process: Said
    process: Callable[[object, object, object, object], Said]
    everything: Said
    clock: Callable[[object], Said]
    no_clock: Said
    heard: Callable[[object], Said]
    ago: Callable[[object], Said]
    never: Said
    github: Callable[[object], Said]
    github_unknown: Said
    today: Callable[[object], Said]
    this_month: Callable[[object], Said]
    spent: Callable[[object, object, object], Said]
    channels: Callable[[object, object, object], Said]
    processes: Callable[[object, object], Said]


@dataclass(frozen=True, slots=True)
class Operating(Generic[Said]):
    """What the commands of who runs the bot say: copies, days filled in, mornings by hand."""

    operator: Said
    nothing: Said
    backed_up: Callable[[object, object, object], Said]
    restored: Callable[[object, object], Said]
    compared: Said
    deleted: Callable[[object, object], Said]
    nothing_stored: Callable[[object], Said]
    subscribed_in: Callable[[object], Said]
    backfilled: Callable[[object, object, object, object], Said]
    collected: Callable[[object, object, object], Said]
    requests: Callable[[object], Said]
    requests_and_left: Callable[[object, object], Said]
    left: Callable[[object, object], Said]
    left_of: Callable[[object, object], Said]
    run_again: Callable[[object], Said]
    about: Callable[[object, object], Said]
    nothing_due: Said
    nothing_to_send: Said
    delivered: Callable[[object, object], Said]
    taken_as_delivered: Callable[[object, object], Said]
    not_set_up: Callable[[object], Said]
    not_delivered: Said
    drawn: Callable[[object], Said]


@dataclass(frozen=True, slots=True)
class Surfaces(Generic[Said]):
    """What a codebase uses of an upstream repository, as a file."""

    no_process: Callable[[object], Said]
    too_large: Said
    too_long: Callable[[object], Said]
    uses_nothing: Said
    of_another: Callable[[object, object], Said]
    no_json: Callable[[object, object, object], Said]
    no_toml: Callable[[object], Said]
    too_deep: Said
    no_upstream: Callable[[object, object], Said]
    several_used: Callable[[object], Said]
    none_used: Said


@dataclass(frozen=True, slots=True)
class Phrases(Generic[Said]):
    """All of them, by where they arise; `unknown` is said of a code of another version."""

    comma: Said
    unknown: Callable[[object], Said]
    commands: Commands[Said]
    repositories: Repositories[Said]
    subscribing: Subscribing[Said]
    channels: Channels[Said]
    cities: Cities[Said]
    concerns: Concerns[Said]
    upgrades: Upgrades[Said]
    settings: Settings[Said]
    windows: Windows[Said]
    chat: Chat[Said]
    followups: Followups[Said]
    github: GitHub[Said]
    unread: Unread[Said]
    git: Git[Said]
    files: Files[Said]
    database: Database[Said]
    discord: Discord[Said]
    slack: Slack[Said]
    objects: Objects[Said]
    permissions: Permissions[Said]
    delivering: Delivering[Said]
    absences: Absences[Said]
    sources: Sources[Said]
    mentions: Mentions[Said]
    replies: Replies[Said]
    welcome: Welcome[Said]
    state: State[Said]
    pages: Pages[Said]
    demonstration: Demonstration[Said]
    help: Help[Said]
    surfaces: Surfaces[Said]
    cli: CommandLine[Said]
    checks: Checks[Said]
    status: StatusLines[Said]
    operating: Operating[Said]
    gives: Gives[Said]
    slash: Slash[Said]
    tags: Tags[Said]


def _coded(area: str, kind: type[Any]) -> Any:
    """Return a set of sentences of which each gives its code, with the values it is given."""
    return kind(
        **{
            each.name: Phrase(f"{area}{each.name}")
            if each.type is Said
            else partial(Phrase.of, f"{area}{each.name}")
            if get_origin(each.type) is Callable
            else _coded(f"{each.name}.", get_origin(each.type) or Any)
            for each in fields(kind)
        }
    )


SAY: Phrases[Phrase] = _coded("", Phrases)

CODES = frozenset(
    f"{area.name}.{each.name}"
    for area in fields(Phrases)
    if is_dataclass(get_origin(area.type))
    for each in fields(getattr(SAY, area.name))
)
"""All codes of this version."""

COUNTED = frozenset({SAY.unread.patches(0, "").code, SAY.unread.some(0, "").code})
"""Sentences whose first value counts what could not be read."""


def cause(why: Phrase) -> Phrase:
    """Return why something could not be read, without what it was."""
    last = why.values[-1] if why.code.startswith("unread.") else None
    return last if isinstance(last, Phrase) else why
