"""Every sentence of an error, a gap, a refusal or an answer, as fields that each language fills.

`Phrases[str]` is a language: each field gives text, and one that it lacks is a type error. `SAY`
has the same fields and gives a `Phrase`, a code with its values, for where the sentence arises:
`raise NotFound(SAY.github.no_repo(repo))`. Codes are stored: none is ever used anew for something
else, and one that nothing says any more stays while stored records may hold it. A third language is
one more file like `phrases_en`.

A value is said as text; a `Phrase` in the language of the sentence, several values as a list, and
an `Example` as the platform has it typed.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Generic, TypeVar, get_origin

from digest.phrase import Example, Phrase
from digest.wording.pages import Area

Sentence = TypeVar("Sentence")


class Commands(Area, Generic[Sentence]):
    """How a command is read."""

    too_long: Callable[[object, object, Example], Sentence]
    did_you_mean_command: Callable[[object, Example], Sentence]
    for_command_line: Callable[[object, Example], Sentence]
    all_for_command_line: Callable[[Example], Sentence]
    no_more_words: Callable[[object, Example], Sentence]
    no_words: Callable[[Example], Sentence]
    nothing_to_search: Sentence
    no_item: Callable[[Example], Sentence]
    no_help: Callable[[object, object], Sentence]
    topics: Callable[[object], Sentence]
    did_you_mean: Callable[[str], Sentence]
    not_this_time: Callable[[object, Example], Sentence]
    neither_time_nor_change: Callable[[object, Example, Example, Example], Sentence]
    no_channel: Callable[[object], Sentence]
    nobody: Callable[[object], Sentence]


class Repositories(Area, Generic[Sentence]):
    """Names of repositories."""

    unknown: Callable[[object, object], Sentence]
    write: Callable[[object], Sentence]
    watched: Callable[[object, object], Sentence]
    not_watched: Callable[[object], Sentence]
    only_this: Callable[[object], Sentence]
    alias_taken: Callable[[object, object, object, object], Sentence]
    no_alias: Callable[[object, object], Sentence]
    only_this_not: Callable[[object, object, object], Sentence]
    not_owner_name: Callable[[object, object], Sentence]
    alias_is_word: Callable[[object, object], Sentence]
    alias_letter: Callable[[object, object], Sentence]
    which_alias: Sentence
    watch_which: Callable[[object], Sentence]


class Subscribing(Area, Generic[Sentence]):
    """What a channel gets."""

    first_follows: Sentence
    unless_quiet: Sentence
    discord_only: Sentence
    managers_only: Sentence
    hour_and_end: Callable[[Example, Example], Sentence]
    not_had: Callable[[object], Sentence]
    no_repositories: Callable[[Example], Sentence]
    twice: Callable[[object, Example], Sentence]
    nothing_follows: Callable[[object, Example], Sentence]
    not_a_repository: Callable[[object, Example], Sentence]
    from_which: Callable[[Example, Example], Sentence]
    no_subscription: Callable[[Example], Sentence]
    nothing_yet: Callable[[Example], Sentence]
    which_first: Callable[[Example], Sentence]
    paused_until: Callable[[Example], Sentence]
    not_subscribed: Callable[[object], Sentence]
    subscribed_to_others: Callable[[object, object], Sentence]
    too_many: Callable[[object, object], Sentence]
    may_not: Sentence
    stranger: Sentence
    changed: Callable[[object], Sentence]
    unreached: Callable[[object, object], Sentence]
    caught_up: Sentence
    ended: Sentence
    goes_on: Callable[[Example], Sentence]
    back_by_itself: Callable[[Example], Sentence]
    which_zone: Callable[[object, Example], Sentence]
    really_all: Callable[[object], Sentence]
    end_all: Sentence
    paused_since: Callable[[object], Sentence]


class Channels(Area, Generic[Sentence]):
    """What a channel gets, piece by piece of one sentence."""

    gets: Callable[[object, object, object, object], Sentence]
    every_day: Sentence
    on_weekdays: Sentence
    on: Callable[[object], Sentence]
    weekly_on: Callable[[object], Sentence]
    in_language: Callable[[object], Sentence]
    without: Callable[[object], Sentence]
    paths: Callable[[object], Sentence]
    topics: Callable[[object], Sentence]
    nothing_if_quiet: Sentence
    eyes_open: Sentence
    eyes_nothing: Sentence
    one_thread: Sentence
    published: Sentence
    mentioned_on: Callable[[object], Sentence]
    what_breaks: Sentence
    security: Sentence
    and_paused: Callable[[object, object], Sentence]
    and_failed: Callable[[object, object], Sentence]


class Cities(Area, Generic[Sentence]):
    """Places by which people find their time zone."""

    san_francisco: Sentence
    new_york: Sentence
    london: Sentence
    berlin: Sentence
    india: Sentence
    beijing: Sentence
    tokyo: Sentence


class Concerns(Area, Generic[Sentence]):
    """What concerns a channel."""

    not_a_list: Callable[[object, Example], Sentence]
    say_what: Callable[[object, Example], Sentence]
    too_many_words: Callable[[object, object, object], Sentence]
    not_a_word: Callable[[object, Example], Sentence]
    add_what: Callable[[Example], Sentence]
    nothing_said: Callable[[Example, Example], Sentence]
    none_called: Callable[[object, object], Sentence]
    taken: Callable[[object], Sentence]
    too_many: Callable[[object, Example], Sentence]
    one_at_a_time: Sentence
    not_read: Callable[[object, object], Sentence]
    too_much: Callable[[object, object, object], Sentence]
    too_slow: Callable[[object, object], Sentence]
    files_not_told: Callable[[object], Sentence]
    by_hand: Callable[[object, object], Sentence]
    used: Callable[[object, object, object, object, object], Sentence]
    unread: Callable[[object], Sentence]
    and_failed: Callable[[object, object], Sentence]
    not_an_address: Callable[[Example], Sentence]
    not_public: Callable[[object], Sentence]
    not_fetched: Callable[[object, object], Sentence]
    too_large: Callable[[object, object], Sentence]
    not_text: Callable[[object], Sentence]
    uses_nothing: Callable[[object], Sentence]
    too_many_hops: Sentence
    status: Callable[[object], Sentence]
    no_answer: Sentence


class Upgrades(Area, Generic[Sentence]):
    """What an upgrade means for a codebase: its steps, and why it cannot be told."""

    needs_clone: Callable[[object], Sentence]
    or_clone: Callable[[object], Sentence]
    tree_too_large: Callable[[object], Sentence]
    needs_token: Callable[[object, object], Sentence]
    spent: Sentence
    unread: Callable[[object, object], Sentence]
    cut: Sentence
    no_release: Callable[[object], Sentence]
    not_pinned: Callable[[object, object], Sentence]
    no_pin: Sentence
    following: Callable[[object], Sentence]
    listing: Callable[[object, object], Sentence]
    comparing: Callable[[object, object], Sentence]
    both_ends: Callable[[object], Sentence]
    of_what: Callable[[Example], Sentence]
    not_a_span: Callable[[object, Example], Sentence]
    being_read: Sentence
    no_surface: Callable[[object, Example], Sentence]
    one_at_a_time: Sentence
    whole: Sentence
    whole_by: Callable[[Example], Sentence]
    no_file: Callable[[object], Sentence]


class Settings(Area, Generic[Sentence]):
    """The words of one setting."""

    choose_days: Sentence
    old_form: Sentence
    not_a_time: Callable[[object, Example], Sentence]
    beyond_clock: Callable[[object, Example], Sentence]
    no_days: Callable[[Example], Sentence]
    weekly: Callable[[Example, Example], Sentence]
    days: Callable[[Example, Example, Example], Sentence]
    not_a_day: Callable[[object, object], Sentence]
    no_choice: Callable[[object, object], Sentence]
    too_many: Callable[[object, object, object, Example], Sentence]
    not_followed: Callable[[object, object, Example], Sentence]


class Windows(Area, Generic[Sentence]):
    """Days, spans and zones."""

    no_zone: Callable[[object, object], Sentence]
    zones: Sentence
    one_end: Callable[[object, object, object], Sentence]
    one_end_of_tags: Callable[[object], Sentence]
    not_a_time: Callable[[object, object], Sentence]
    forms: Callable[[object], Sentence]
    not_a_date: Callable[[object, object], Sentence]
    no_such_day: Callable[[object, object, object, object, object], Sentence]
    two_zones: Callable[[object, object, object], Sentence]
    no_days: Sentence
    backwards: Callable[[object, object], Sentence]
    to_come: Callable[[object, object, object, object], Sentence]
    too_early: Callable[[object, object], Sentence]
    too_long: Callable[[object, object, object, object], Sentence]
    just_begun: Callable[[object, object], Sentence]
    skipped: Callable[[object, object, object], Sentence]
    nothing_between: Callable[[object, object], Sentence]
    good_is_newer: Callable[[object, object], Sentence]


class Chat(Area, Generic[Sentence]):
    """The bot itself, whatever the platform."""

    failed_repos: Callable[[object, object], Sentence]
    both: Callable[[object, object], Sentence]
    own_error_with: Callable[[object], Sentence]
    not_allowed: Sentence
    asked_much: Callable[[object], Sentence]
    workspace_asked_much: Callable[[object], Sentence]
    seconds: Callable[[object], Sentence]
    minutes: Callable[[object], Sentence]
    much_said: Sentence
    mention_asks: Callable[[Example], Sentence]
    no_token: Callable[[object], Sentence]
    clock: Callable[[object], Sentence]
    own_error: Sentence
    broken: Sentence
    may_not_share: Sentence
    nothing_to_share: Sentence
    model_not_json: Callable[[object], Sentence]
    of_check_model: Callable[[object], Sentence]
    cost_not_noted: Sentence
    no_platform: Sentence
    port_taken: Callable[[object, object, object], Sentence]
    no_tokens: Callable[[object], Sentence]


class ModelServer(Area, Generic[Sentence]):
    """Why a model's server gave no answer, for who runs the program: a field for each `Trouble`
    that a server can be in, and why an answer of it cannot be used.

    The values of the former are its host, the model and the status that it answered with.
    """

    timeout: Callable[[object, object, object], Sentence]
    unreachable: Callable[[object, object, object], Sentence]
    certificate: Callable[[object, object, object], Sentence]
    address: Callable[[object, object, object], Sentence]
    key: Callable[[object, object, object], Sentence]
    access: Callable[[object, object, object], Sentence]
    unknown_model: Callable[[object, object, object], Sentence]
    quota: Callable[[object, object, object], Sentence]
    busy: Callable[[object, object, object], Sentence]
    broken: Callable[[object, object, object], Sentence]
    refused: Callable[[object, object, object], Sentence]
    too_long: Callable[[object, object, object], Sentence]
    declined: Sentence
    cut: Sentence
    empty: Sentence
    far_longer: Sentence
    without_json: Sentence


class Followups(Area, Generic[Sentence]):
    """Flags, buttons and questions."""

    no_such: Callable[[object, object], Sentence]
    which: Callable[[Example], Sentence]
    old_question: Sentence
    old_button: Sentence
    may_not: Sentence
    may_not_write: Sentence


class GitHub(Area, Generic[Sentence]):
    """GitHub, asked over the network."""

    no_repo: Callable[[object], Sentence]
    nothing_at: Callable[[object, object], Sentence]
    no_end: Callable[[object, object], Sentence]
    no_item: Callable[[object, object, Example], Sentence]
    refuses_repo: Callable[[object], Sentence]
    private: Callable[[object], Sentence]
    nothing_there: Sentence
    unknown_name: Sentence
    blocked: Sentence
    token_may_not: Sentence
    may_not: Sentence
    bad_token: Sentence
    pause: Callable[[object], Sentence]
    limit: Callable[[object], Sentence]
    limit_without_token: Callable[[object], Sentence]
    until: Callable[[object], Sentence]
    own_error: Callable[[object], Sentence]
    not_accepted: Callable[[object], Sentence]
    bad_answer: Callable[[object], Sentence]
    broke_off: Sentence
    not_reached: Sentence
    no_network: Sentence
    too_slow: Sentence
    cut_off: Sentence
    not_json: Sentence
    circle: Sentence
    unknown_packing: Sentence
    next_page_elsewhere: Sentence
    other_server: Sentence
    bad_graphql: Sentence
    graphql_unknown: Sentence
    unfinished: Sentence
    no_branch: Sentence
    no_repository_given: Sentence
    too_large: Callable[[object], Sentence]
    another_repository: Sentence
    something_else: Sentence
    moved: Sentence
    not_given: Callable[[object], Sentence]
    not_all_given: Callable[[object], Sentence]
    in_part: Sentence
    too_many_since: Sentence
    files_cut: Callable[[object, object], Sentence]
    later_reverts: Sentence
    too_many: Callable[[object], Sentence]
    too_many_since_then: Callable[[object], Sentence]
    older_without_details: Callable[[object], Sentence]
    reopened_not_read: Callable[[object, object], Sentence]
    tags_not_read: Callable[[object], Sentence]
    without_token: Callable[[object], Sentence]
    files_not_read: Callable[[object, object, object], Sentence]
    merge_too_large: Callable[[object, object], Sentence]
    merges_not_read: Callable[[object, object], Sentence]
    set_token: Sentence
    following_needs_token: Sentence


class Unread(Area, Generic[Sentence]):
    """What could not be read, and why as the last value: see `cause`."""

    reopening: Callable[[object, object], Sentence]
    rewritten: Callable[[object], Sentence]
    patches: Callable[[object, object], Sentence]
    merge: Callable[[object, object], Sentence]
    originals: Callable[[object], Sentence]
    later_reverts: Callable[[object], Sentence]
    some: Callable[[object, object], Sentence]
    commit: Callable[[object, object], Sentence]


class Git(Area, Generic[Sentence]):
    """A clone."""

    no_issues: Sentence
    no_descriptions: Sentence
    no_talk: Sentence
    shallow: Sentence
    files_not_compared: Callable[[object, object], Sentence]
    patches_too_large: Callable[[object], Sentence]
    patches_lost: Callable[[object], Sentence]
    from_before: Callable[[object], Sentence]
    being_fetched: Sentence
    needs_login: Callable[[object], Sentence]
    no_repository: Callable[[object, object], Sentence]
    no_answer: Callable[[object, object], Sentence]
    not_fetched: Callable[[object, object], Sentence]
    no_folder: Callable[[object], Sentence]
    is_a_file: Callable[[object], Sentence]
    other_owner: Callable[[object], Sentence]
    not_git: Callable[[object], Sentence]
    no_branch: Callable[[object], Sentence]
    no_item: Callable[[object, object], Sentence]
    failed: Callable[[object], Sentence]
    too_slow: Callable[[object, object], Sentence]
    bad_list: Sentence
    bad_files: Sentence
    cannot_run: Callable[[object, object], Sentence]
    one_by_one: Callable[[object, object], Sentence]
    more_between: Callable[[object, object], Sentence]
    no_revision: Callable[[object], Sentence]
    no_codebase_but_file: Callable[[object], Sentence]
    lacks_revision: Callable[[object, object], Sentence]
    no_address: Callable[[object], Sentence]
    not_clonable: Callable[[object, object], Sentence]
    fetch_disk_full: Callable[[object], Sentence]
    needs_program: Callable[[object, object], Sentence]
    not_installed: Sentence
    cannot_read: Callable[[object, object], Sentence]


class Files(Area, Generic[Sentence]):
    """Recorded and written files."""

    cannot_write: Callable[[object, object], Sentence]
    holds_alone: Callable[[object, object, object, object], Sentence]
    other_repo: Callable[[object, object, object], Sentence]
    no_item: Callable[[object, object], Sentence]
    missing: Callable[[object], Sentence]
    cannot_read: Callable[[object, object], Sentence]
    damaged: Callable[[object], Sentence]
    not_recorded: Callable[[object, object, object], Sentence]
    no_zones: Callable[[object], Sentence]
    no_versions: Sentence
    by_patches: Sentence
    no_room: Callable[[object, object], Sentence]
    no_backup: Callable[[object], Sentence]
    own_database: Callable[[object], Sentence]
    not_utf8: Callable[[object], Sentence]


class Database(Area, Generic[Sentence]):
    """The database at `place`."""

    opened: Sentence
    file: Callable[[object], Sentence]
    in_memory: Sentence
    postgresql: Callable[[object, object], Sentence]
    postgresql_here: Callable[[object], Sentence]
    disk_full: Callable[[object], Sentence]
    locked_by_program: Callable[[object], Sentence]
    not_writable: Callable[[object], Sentence]
    not_openable: Callable[[object], Sentence]
    disk_fails: Callable[[object], Sentence]
    damaged: Callable[[object], Sentence]
    not_sqlite: Callable[[object], Sentence]
    server_full: Callable[[object], Sentence]
    no_resources: Callable[[object], Sentence]
    read_only: Callable[[object], Sentence]
    locked: Callable[[object], Sentence]
    restarting: Callable[[object], Sentence]
    refuses_user: Callable[[object], Sentence]
    missing: Callable[[object], Sentence]
    other_program: Callable[[object], Sentence]
    no_rights: Callable[[object], Sentence]
    not_migrated: Callable[[object], Sentence]
    no_answer: Callable[[object], Sentence]
    unusable: Callable[[object, object], Sentence]
    deleted: Sentence
    needs_store: Sentence
    other_message: Sentence
    newer: Callable[[object], Sentence]
    no_url: Sentence
    other_kind: Callable[[object], Sentence]
    of_another: Callable[[object], Sentence]


class Discord(Area, Generic[Sentence]):
    """What Discord refuses."""

    old_command: Sentence
    not_a_repository: Callable[[object, Example, Example], Sentence]
    not_both: Callable[[Example], Sentence]
    token: Sentence
    gone: Sentence
    not_on_server: Sentence
    lacks: Callable[[object], Sentence]
    locked: Sentence
    many_threads: Sentence
    not_text: Sentence
    not_served: Sentence
    no_tags: Callable[[object], Sentence]
    tag_needed: Callable[[object], Sentence]
    not_announcement: Sentence
    no_role: Sentence
    role_silent: Callable[[object], Sentence]
    not_published: Callable[[object], Sentence]
    no_messages: Sentence
    message_gone: Sentence
    thread_archived: Sentence
    has_thread: Sentence
    not_taken: Sentence
    limited: Sentence
    unclear: Sentence
    no_name: Sentence
    half_done: Sentence
    not_reached: Sentence
    stopped: Callable[[object], Sentence]
    refuses: Callable[[object], Sentence]
    lost: Sentence
    pages: Callable[[object, object], Sentence]


class Slack(Area, Generic[Sentence]):
    """What Slack refuses."""

    token: Sentence
    gone: Sentence
    archived: Sentence
    not_in: Sentence
    may_not_post: Sentence
    scope: Sentence
    scope_named: Callable[[object], Sentence]
    refuses: Callable[[object], Sentence]
    message_gone: Sentence
    too_long: Sentence
    unclear: Sentence
    no_name: Sentence
    too_late: Sentence
    not_taken: Sentence
    limited: Sentence
    half_done: Sentence
    not_reached: Sentence
    stopped: Callable[[object], Sentence]
    working: Sentence
    settings: Sentence
    home_followups: Sentence
    home_channels: Sentence
    home_none: Sentence
    home_direct: Sentence
    home_more: Callable[[object], Sentence]
    home_set_up: Sentence
    home_set_up_how: Sentence
    home_choose: Sentence
    home_not_there: Sentence
    home_not_now: Sentence
    no_way_to_hear: Sentence
    bad_app_token: Sentence
    not_installed: Sentence


class Objects(Area, Generic[Sentence]):
    """What an answer of GitHub is about."""

    a_commit: Sentence
    a_file: Sentence
    the_default_branch: Sentence
    a_comparison: Sentence
    a_merge: Sentence
    a_pull_request: Sentence
    a_pull_requests_commits: Sentence
    a_release: Sentence
    an_issues_events: Sentence
    changed_files: Sentence
    commits: Sentence
    issues: Sentence
    later_reverts: Sentence
    pull_requests: Sentence
    releases: Sentence
    a_tree: Sentence
    tags: Sentence
    the_limits: Sentence
    the_repository: Sentence


class Permissions(Area, Generic[Sentence]):
    """Discord's permissions, as its settings name them."""

    manage_channels: Sentence
    mention_everyone: Sentence
    manage_threads: Sentence
    manage_server: Sentence
    administrator: Sentence
    view_channel: Sentence
    send_messages: Sentence
    embed_links: Sentence
    read_history: Sentence
    create_threads: Sentence
    send_in_threads: Sentence


class Delivering(Area, Generic[Sentence]):
    """What a channel is told of its own delivery."""

    missing: Sentence
    refused: Callable[[object, object], Sentence]
    paused: Callable[[object, object], Sentence]
    of_channel: Callable[[object, object], Sentence]


class Absences(Area, Generic[Sentence]):
    """Why a channel cannot be told, and when it goes on."""

    archived: Sentence
    deleted: Sentence
    left: Sentence
    uninstalled: Sentence
    failing: Callable[[object, object], Sentence]


class Sources(Area, Generic[Sentence]):
    """How a source is."""

    branch: Callable[[object, object, object], Sentence]
    failing: Callable[[object, object, object], Sentence]
    silent: Callable[[object, object, object], Sentence]
    moved: Callable[[object, object], Sentence]


class Mentions(Area, Generic[Sentence]):
    """Why an item was, or was not, in what a channel was told."""

    own_message: Callable[[object], Sentence]
    with_others: Callable[[object, object], Sentence]
    in_parent: Callable[[object], Sentence]
    not_subscribed: Callable[[object], Sentence]
    left_out_by: Callable[[object], Sentence]
    to_come: Sentence
    by_count: Callable[[object], Sentence]
    before: Sentence


class Replies(Area, Generic[Sentence]):
    """Answers to flags, buttons and sharing."""

    not_mine: Sentence
    nothing_here: Sentence
    not_open: Callable[[object], Sentence]
    shared: Sentence
    flagged: Callable[[object], Sentence]
    nobody_asks: Sentence


class Welcome(Area, Generic[Sentence]):
    """What is said to who asks nothing yet, and its buttons."""

    does: Sentence
    gets_nothing: Sentence
    ask: Callable[[Example, Example], Sentence]
    digest: Sentence
    set_up: Sentence
    change: Sentence
    commands: Sentence
    which: Sentence


class State(Area, Generic[Sentence]):
    """How a channel is, in a line, and what happened to it lately."""

    last: Callable[[object], Sentence]
    never: Sentence
    next: Callable[[object], Sentence]
    wrong: Callable[[object], Sentence]
    lately: Sentence
    changed: Callable[[object, object], Sentence]
    told: Callable[[object], Sentence]
    failed: Callable[[object], Sentence]


class Pages(Area, Generic[Sentence]):
    """The pages beside the digests."""

    repos: Sentence
    days: Sentence
    empty: Sentence
    zone: Callable[[object], Sentence]
    no_page: Sentence
    not_stored: Sentence
    not_now: Sentence
    no_store: Sentence
    title: Sentence


class Demonstration(Area, Generic[Sentence]):
    """The demonstration without a network."""

    own_history: Sentence
    recorded_day: Sentence
    rest: Callable[[object], Sentence]
    title: Sentence
    intro: Sentence
    more: Sentence
    text: Sentence
    morning: Sentence
    morning_note: Sentence
    flagged: Sentence
    flagged_note: Sentence
    taken: Sentence
    taken_note: Sentence
    released: Sentence
    released_note: Sentence
    done: Sentence
    done_note: Sentence


class Help(Area, Generic[Sentence]):
    """The table of commands."""

    title: Sentence
    command: Sentence
    example: Sentence
    result: Sentence
    alias: Sentence
    repository: Sentence
    times: Sentence
    and_language: Sentence


class Gives(Area, Generic[Sentence]):
    """What a command or an option gives, for the table of commands."""

    repo: Sentence
    span: Sentence
    change: Sentence
    all: Sentence
    search: Sentence
    ask: Sentence
    repos: Sentence
    watch: Sentence
    unwatch: Sentence
    why: Sentence
    help: Sentence
    subscribe: Sentence
    unsubscribe: Sentence
    pause: Sentence
    resume: Sentence
    subscriptions: Sentence
    followups: Sentence
    channel_upgrade: Sentence
    concern: Sentence
    settings: Sentence
    surface: Sentence
    upgrade: Sentence
    between: Sentence
    export: Sentence
    record: Sentence
    evaluate: Sentence
    check: Sentence
    db: Sentence
    demo: Sentence
    run: Sentence
    deliver: Sentence
    cli_subscribe: Sentence
    cli_followups: Sentence
    slack: Sentence
    cli_slack: Sentence
    discord: Sentence
    status: Sentence
    backfill: Sentence
    backup: Sentence
    restore: Sentence
    forget: Sentence
    output: Sentence
    language_and_zone: Sentence
    length: Sentence
    concerned: Sentence
    analysis: Sentence
    source: Sentence
    further: Sentence


class Slash(Area, Generic[Sentence]):
    """Discord's commands and options, at most 100 characters each."""

    quiet_line: Sentence
    quiet_nothing: Sentence
    eyes_open: Sentence
    eyes_nothing: Sentence
    on_both: Sentence
    on_nothing: Sentence
    threads_own: Sentence
    which_open: Sentence
    which_mine: Sentence
    which_done: Sentence
    which_all: Sentence
    which_everywhere: Sentence
    language: Sentence
    zone: Sentence
    time: Sentence
    days: Sentence
    paths: Sentence
    topics: Sentence
    quiet: Sentence
    eyes: Sentence
    threads: Sentence
    publish: Sentence
    mention: Sentence
    mention_on: Sentence
    show: Sentence
    infra: Sentence
    repo: Sentence
    when: Sentence
    change: Sentence
    share: Sentence
    search: Sentence
    words: Sentence
    only_repo: Sentence
    followups: Sentence
    followups_show: Sentence
    which: Sentence
    channel: Sentence
    subscribe: Sentence
    subscribe_repos: Sentence
    unsubscribe: Sentence
    unsubscribe_repos: Sentence
    pause: Sentence
    resume: Sentence
    concern: Sentence
    concern_add: Sentence
    concern_file: Sentence
    concern_of: Sentence
    concern_remove: Sentence
    subscriptions: Sentence
    settings: Sentence
    concern_models: Sentence
    concern_hardware: Sentence
    concern_flags: Sentence
    concern_paths: Sentence
    concern_symbols: Sentence
    concern_pins: Sentence
    flag: Sentence
    deep_dive: Sentence
    upgrade: Sentence
    upgrade_repo: Sentence
    upgrade_from: Sentence
    upgrade_to: Sentence
    without: Callable[[object], Sentence]


class Tags(Area, Generic[Sentence]):
    """Tags of a forum's posts."""

    breaking: Sentence
    security: Sentence
    important: Sentence
    release: Sentence
    plain: Sentence


class CommandLine(Area, Generic[Sentence]):
    """What only the command line can be told wrong."""

    no_format: Callable[[object, object, object], Sentence]
    analysis_of: Sentence
    takes: Callable[[object, object], Sentence]
    no_folder: Callable[[object], Sentence]
    not_a_value: Callable[[object, object, object], Sentence]
    which_channel: Callable[[object], Sentence]
    discord_token: Sentence
    sent_too_early: Callable[[object, object], Sentence]
    no_moment: Callable[[object], Sentence]
    no_clone: Callable[[object], Sentence]
    no_windows: Callable[[object], Sentence]
    no_json: Callable[[object, object], Sentence]
    no_model: Sentence
    no_statements: Callable[[object], Sentence]
    is_a_file: Callable[[object], Sentence]
    index_marks: Sentence
    file_exists: Callable[[object], Sentence]
    backup_exists: Callable[[object], Sentence]
    not_empty: Callable[[object, object], Sentence]
    bot_runs: Callable[[object], Sentence]
    not_over: Callable[[object, object, object], Sentence]
    before_git: Callable[[object, object, object], Sentence]
    write: Callable[[object], Sentence]
    concerns_none: Callable[[object, object], Sentence]
    not_with_brief: Callable[[object], Sentence]
    no_source: Callable[[object, object], Sentence]
    no_option: Callable[[object, object], Sentence]
    options: Callable[[object], Sentence]
    needs_value: Callable[[object, object], Sentence]
    no_value: Callable[[object], Sentence]
    takes_no_source: Callable[[object], Sentence]
    searches_source: Sentence
    other_command: Callable[[object, object], Sentence]
    no_subscription: Callable[[object], Sentence]
    no_surface: Callable[[object], Sentence]
    between_of: Sentence
    output_failed: Callable[[object], Sentence]


class Checks(Area, Generic[Sentence]):
    """What `infra check` and `infra db upgrade` find."""

    configuration: Sentence
    clock: Sentence
    database: Sentence
    host: Sentence
    network: Sentence
    token: Sentence
    model: Sentence
    zone_and_language: Callable[[object, object], Sentence]
    up_to_date: Callable[[object], Sentence]
    upgraded: Sentence
    careful: Callable[[object], Sentence]
    fleeting: Callable[[object, object], Sentence]
    in_container: Sentence
    in_memory: Sentence
    ephemeral_disk: Callable[[object], Sentence]
    check_alone: Sentence
    no_model: Sentence
    no_model_asked: Callable[[object], Sentence]
    model_answers: Callable[[object, object, object], Sentence]
    tokens_spent: Callable[[object, object], Sentence]
    of_allowed: Callable[[object, object], Sentence]
    answers: Callable[[object], Sentence]
    not_tried: Sentence
    accepted: Sentence
    used_up: Sentence
    no_token: Sentence
    requests_left: Callable[[object, object], Sentence]
    slack_by_http: Callable[[object], Sentence]
    slack_by_socket: Callable[[object], Sentence]
    discord_accepted: Sentence


class StatusLines(Area, Generic[Sentence]):
    """What `infra status` says."""

    no_channel: Sentence
    last_and_next: Callable[[object, object], Sentence]
    nothing_yet: Sentence
    none: Sentence
    now: Sentence
    waiting: Callable[[object], Sentence]
    paused: Callable[[object], Sentence]
    last_error: Callable[[object], Sentence]
    claimed: Callable[[object], Sentence]
    planned: Callable[[object], Sentence]
    failed: Callable[[object], Sentence]
    again_at: Callable[[object], Sentence]
    queue: Callable[[object], Sentence]
    queue_since: Callable[[object, object], Sentence]
    webhook: Callable[[object], Sentence]
    webhook_failing: Callable[[object, object], Sentence]
    no_process: Sentence
    process: Callable[[object, object, object, object], Sentence]
    everything: Sentence
    clock: Callable[[object], Sentence]
    no_clock: Sentence
    heard: Callable[[object], Sentence]
    ago: Callable[[object], Sentence]
    github: Callable[[object], Sentence]
    github_unknown: Sentence
    today: Callable[[object], Sentence]
    this_month: Callable[[object], Sentence]
    spent: Callable[[object, object, object], Sentence]
    model_failed: Callable[[object, object], Sentence]
    model_paused: Callable[[object, object, object], Sentence]


class Operating(Area, Generic[Sentence]):
    """What the commands of who runs the bot say: copies, days filled in, mornings by hand."""

    operator: Sentence
    backed_up: Callable[[object, object, object], Sentence]
    restored: Callable[[object, object], Sentence]
    restored_empty: Callable[[object], Sentence]
    posted_again: Sentence
    deleted: Callable[[object, object], Sentence]
    nothing_stored: Callable[[object], Sentence]
    subscribed_in: Callable[[object], Sentence]
    backfilled: Callable[[object, object, object, object], Sentence]
    collected: Callable[[object, object, object], Sentence]
    requests: Callable[[object], Sentence]
    requests_and_left: Callable[[object, object], Sentence]
    left: Callable[[object, object], Sentence]
    left_of: Callable[[object, object], Sentence]
    run_again: Callable[[object], Sentence]
    about: Callable[[object, object], Sentence]
    nothing_due: Sentence
    nothing_to_send: Sentence
    delivered: Callable[[object, object], Sentence]
    not_set_up: Callable[[object], Sentence]
    not_delivered: Sentence
    drawn: Callable[[object], Sentence]


class Surfaces(Area, Generic[Sentence]):
    """What a codebase uses of an upstream repository, as a file."""

    no_process: Callable[[object], Sentence]
    too_large: Sentence
    too_long: Callable[[object], Sentence]
    uses_nothing: Sentence
    of_another: Callable[[object, object], Sentence]
    no_json: Callable[[object, object, object], Sentence]
    no_toml: Callable[[object], Sentence]
    too_deep: Sentence
    no_upstream: Callable[[object, object], Sentence]
    several_used: Callable[[object], Sentence]
    none_used: Sentence


class Phrases(Area, Generic[Sentence]):
    """All of them, by where they arise; `unknown` is said of a code of another version."""

    comma: Sentence
    unknown: Callable[[object], Sentence]
    commands: Commands[Sentence]
    repositories: Repositories[Sentence]
    subscribing: Subscribing[Sentence]
    channels: Channels[Sentence]
    cities: Cities[Sentence]
    concerns: Concerns[Sentence]
    upgrades: Upgrades[Sentence]
    settings: Settings[Sentence]
    windows: Windows[Sentence]
    chat: Chat[Sentence]
    model_server: ModelServer[Sentence]
    followups: Followups[Sentence]
    github: GitHub[Sentence]
    unread: Unread[Sentence]
    git: Git[Sentence]
    files: Files[Sentence]
    database: Database[Sentence]
    discord: Discord[Sentence]
    slack: Slack[Sentence]
    objects: Objects[Sentence]
    permissions: Permissions[Sentence]
    delivering: Delivering[Sentence]
    absences: Absences[Sentence]
    sources: Sources[Sentence]
    mentions: Mentions[Sentence]
    replies: Replies[Sentence]
    welcome: Welcome[Sentence]
    state: State[Sentence]
    pages: Pages[Sentence]
    demonstration: Demonstration[Sentence]
    help: Help[Sentence]
    surfaces: Surfaces[Sentence]
    cli: CommandLine[Sentence]
    checks: Checks[Sentence]
    status: StatusLines[Sentence]
    operating: Operating[Sentence]
    gives: Gives[Sentence]
    slash: Slash[Sentence]
    tags: Tags[Sentence]


def _coded(area: str, kind: type[Any]) -> Any:
    """Return a set of sentences of which each gives its code, with the values it is given."""
    return kind(
        **{
            each.name: Phrase(f"{area}{each.name}")
            if each.type is Sentence
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
