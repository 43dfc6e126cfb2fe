"""What a page of a digest says: names, headings, templates and counted nouns.

No field has a default, so a word that a language lacks is a type error. Phrases with a number are
functions, because each language has its own plural. Phrases around other runs (a title, a link)
are templates with `{names}`, filled by `digest.writing.phrasing.fill`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar, dataclass_transform

Word = TypeVar("Word")

Counted: TypeAlias = Callable[[int], str]
"""Says a number with its noun."""


@dataclass_transform(frozen_default=True)
class Area:
    """Words that belong together: each subclass is a frozen dataclass without defaults."""

    def __init_subclass__(cls) -> None:
        """Make a dataclass of it; what nobody compares or prints is not made at each start."""
        super().__init_subclass__()
        dataclass(frozen=True, repr=False, eq=False)(cls)


class Keyed(Area, Generic[Word]):
    """Words by the members of an enumeration: a field for each, by its name in lower case."""

    def __getitem__(self, key: Enum) -> Word:
        found: Word = getattr(self, key.name.lower())
        return found


class Objects(Keyed[str]):
    """By `ChangeObject`."""

    source: str
    kernel: str
    test: str
    docs: str
    ci: str
    build: str
    dependency: str
    example: str
    benchmark: str
    other: str


class Grades(Keyed[str]):
    """By `Importance`."""

    high: str
    medium: str
    low: str


class NoiseWords(Keyed[str]):
    """By `Noise`."""

    bot: str
    ci: str
    docs: str
    tests: str
    dependency: str
    sync: str
    style: str


class Purposes(Keyed[str]):
    """By `Purpose`."""

    feature: str
    fix: str
    performance: str
    refactor: str
    revert: str
    chore: str
    release: str
    bug_report: str
    request: str
    question: str
    rfc: str
    other: str


class Kinds(Keyed[str]):
    """By `Kind`."""

    commit: str
    pull_request: str
    issue: str
    release: str


class Notices(Keyed[str]):
    """By `NoticeKind`."""

    forced_push: str
    default_branch_changed: str
    renamed: str
    ends_earlier: str
    diverged: str
    backward: str


class States(Keyed[str]):
    """By `State`."""

    merged: str
    open: str
    draft: str
    closed: str
    not_planned: str
    duplicate: str
    reopened: str
    published: str
    prerelease: str
    tagged: str


class Nouns(Keyed[Counted]):
    """By `Subject`."""

    flag: Counted
    env: Counted
    choice: Counted
    request_field: Counted
    response_field: Counted
    config_field: Counted
    api_name: Counted
    api_argument: Counted
    endpoint: Counted
    metric: Counted
    dependency: Counted
    platform: Counted
    model: Counted
    hardware: Counted
    backend: Counted
    quantization: Counted
    feature: Counted
    module: Counted


class Symptoms(Keyed[str]):
    """By `Symptom`."""

    wrong_output: str
    crash: str
    hang: str
    memory_leak: str
    out_of_memory: str
    cannot_start: str
    bad_answer: str
    slow: str
    data_loss: str
    security: str
    build_fails: str
    broken: str


class Troubles(Keyed[str]):
    """By `Trouble`."""

    settings: str
    key: str
    access: str
    unknown_model: str
    address: str
    unreachable: str
    timeout: str
    certificate: str
    quota: str
    busy: str
    broken: str
    refused: str
    unreadable: str
    too_long: str
    uncounted: str


class RemarkKinds(Keyed[str]):
    """By `RemarkKind`."""

    lead: str
    insight: str
    risk: str
    missing: str


class AnalysisHeadings(Area):
    """The sections of an analysis that may hold the author's own sentences."""

    architecture: str
    performance: str
    security: str
    maintainability: str
    compatibility: str
    test: str
    benchmark: str
    risk: str
    for_developers: str
    for_users: str
    for_maintainers: str
    question: str


class AboutWords(Keyed[str]):
    """By `About`."""

    broke: str
    crash: str
    hang: str
    memory: str
    slow: str
    security: str
    breaking: str
    removed: str
    renamed: str
    deprecated: str
    default: str
    added: str
    reverted: str
    released: str
    speed: str
    flag: str
    env: str
    api: str
    requirement: str


class Grounds(Keyed[str]):
    """By `Ground`."""

    gone: str
    moved: str
    abstract: str
    lost_argument: str
    new_argument: str
    order: str
    kind: str
    returns: str
    bases: str
    default: str
    unset: str
    given: str
    sort: str
    reached: str
    member: str
    body: str
    new: str
    module: str


class Uses(Keyed[str]):
    """By `UseKind`."""

    module: str
    name: str
    subclass: str
    override: str
    patched: str
    constructed: str
    called: str
    member: str
    flag: str
    variable: str
    pin: str


class Counting(Area):
    """Numbers with their nouns; `duration` takes seconds."""

    changes: Counted
    commits: Counted
    upkeep: Counted
    reverted: Counted
    opened: Counted
    closed: Counted
    reopened: Counted
    issues: Counted
    releases: Counted
    prereleases: Counted
    notes: Counted
    files: Counted
    comments: Counted
    reactions: Counted
    lines: Counted
    further_lines: Counted
    points: Counted
    found: Counted
    duration: Counted


class Headings(Area):
    """Titles of pages, sections and columns."""

    before_upgrade: str
    notes: str
    reverted: str
    high: str
    issues: str
    releases: str
    rest: str
    facts: str
    files: str
    hunks: str
    related: str
    reverts: str
    between: str
    search: str
    why: str
    asked: str
    file_columns: tuple[str, str, str]
    reason_columns: tuple[str, str]


class Sentences(Area):
    """Templates and whole sentences."""

    quiet: str
    no_changes: str
    none_above: str
    could_not_look: str
    looked_in_part: str
    not_looked_at: str
    gap: str
    so_many_unseen: str
    notice: Notices
    quiet_repos: str
    repos_without_commits: str
    failed_repo: str
    reverted_after: str
    back_as: str
    reverted: str
    taken_back: str
    taken_back_after: str
    takes_back: str
    takes_back_after: str
    why: str
    author: str
    fixed_here: str
    graded: str
    own_words: str
    changelog_begins: str
    in_the_changelog: str
    size: str
    size_lines: str
    files_unread: str
    linked_change: str
    fixes: str
    duplicate_of: str
    same_as: str
    now_needs: str
    no_longer_needs: str
    released_here: str
    score: str
    merged_by: str
    milestone: str
    detail_missing: str
    no_patch: str
    pure_renames: str
    renamed: str
    nothing_found: str
    inferred: str
    untitled: str
    tokens: str
    with_others: str
    unread: str
    said_nothing: str
    filled_in: str
    joined: str


class SmallPrint(Area):
    """What stands at the foot of every page."""

    window: str
    partial: str
    source: str
    no_ai: str
    no_ai_briefly: str
    no_ai_because: str
    nothing_why: str
    with_ai: str
    with_ai_briefly: str
    late: str
    over_budget: str
    failed: str
    dropped: Counted
    unanswered: Counted


class Names(Area):
    """Single words for what the models call by a key."""

    kinds: Kinds
    purposes: Purposes
    objects: Objects
    importance: Grades
    states: States
    noise: NoiseWords
    low: str
    gaps: Mapping[str, str]
    details: Mapping[str, str]
    statuses: Mapping[str, str]
    reasons: Mapping[str, str]
    tasks: Mapping[str, str]


class FactTemplates(Area):
    """One statement of a fact. `{what}` is the noun, `{names}` are one or several names.

    A template that ends in `_now` is for a fact that knows the replacement, one in `_values` for
    a fact that knows both sides.
    """

    added: str
    read_now: str
    to_write: str
    added_before: str
    added_choices: str
    choices_of: str
    added_default: str
    removed: str
    removed_now: str
    renamed: str
    renamed_each: str
    default: str
    default_to: str
    default_changed: str
    default_on: str
    default_off: str
    default_chosen: str
    changed: str
    changed_to: str
    changed_values: str
    deprecated: str
    deprecated_now: str
    deprecated_each: str
    moved: str
    moved_from: str
    needs: str
    name_and_bound: str
    needs_any: str
    needs_was: str
    no_longer_needs: str
    supported: str
    no_longer_supported: str
    refused: str
    gone: str
    says_now: str
    faster: str
    whom: str
    only: str
    where: str
    keyword_only: str
    extra: str
    runs: str
    some_systems: str
    required: str
    and_more: Callable[[int], str]
    besides: Callable[[int], str]
    """Of names that are not all of the module, class or function named last."""


class StoryWords(Area):
    """What is said of a story beside its name."""

    mostly: str
    stories: str
    by: str
    others: Counted
    parts: str
    complete: str
    began: str
    earlier: Counted
    elsewhere: str
    joined_by: str


class PageWords(Area):
    """Headings and counted ends of lists on a page that stands on facts."""

    bitten: str
    new: str
    features: Mapping[str, str]
    also: str
    upgrading_code: str
    fixed: str
    added: str
    changed: str
    more: str
    prereleases: str


class AnalysisWords(Area):
    """Headings and templates of one language; `{names}` are filled by `phrasing.fill`."""

    reason: str
    described: str
    insight: str
    kinds: AnalysisHeadings
    recommended: str
    surface: str
    surface_kinds: Mapping[str, str]
    not_seen: str
    not_whole: str
    tests_touched: str
    benchmarks_touched: str
    no_benchmark: str
    runs: str
    figures: str
    breaking: str
    taken_back: str
    imports_change: str
    pins_change: str
    not_shown: str
    hunks: Callable[[int], str]
    goes_on: str
    model_saw: str
    further_lines: Callable[[int], str]
    further_files: Callable[[int], str]
    title_day: str
    contents: str
    commits: str
    commit_columns: tuple[str, str, str, str]
    medium: str
    low: str


class OutlookWords(Area):
    """The heading, and a template for each kind of thing to watch."""

    heading: str
    rfc: str
    reverted_feature: str
    unreleased: str
    fixes: Callable[[int], str]
    flagged: str


class EditingWords(Area):
    """Templates of one language; `{model}` and `{original}` are filled by `phrasing.fill`."""

    written_by: str
    translated: str
    translated_title: str
    original: str
    read_by: str
    review: str
    judgement: str
    kinds: RemarkKinds
    quote: str
    in_other: str


class AskingWords(Area):
    """Templates of one language."""

    kinds: AboutWords
    repositories: str
    nothing_found: str
    nothing_stored: str
    kindless: str
    without: str
    more: str
    not_stored: str
    incomplete: str
    read_by: str
    also: str
    day: str
    days: str


class ConcernedWords(Area):
    """What of a day concerns a reader; `said` takes `word`, `pinned` `name` and `value`.

    `below` counts the lines after the first, `too` heads them, `nothing` is told where there is
    none, `opening` heads what a page else begins with. `released`, `taken`, `since` and `then` are
    hops of a ripple, with `repo`, `ref` and `day`; `before` takes `name` and `value`.
    `only` and `everything` lead to a page with what concerns alone, and back.
    """

    heading: str
    below: str
    too: str
    only: str
    everything: str
    nothing: str
    opening: str
    breaks: str
    said: str
    pinned: str
    released: str
    taken: str
    since: str
    then: str
    before: str


class SameWords(Keyed[str]):
    """By `Same`."""

    file: str
    definition: str
    setting: str


class UntoldWords(Keyed[str]):
    """By `Untold`."""

    not_there: str
    unknown_class: str
    pin: str
    altered: str
    not_seen: str


class UpgradeWords(Area):
    """The report of an upgrade."""

    title: str
    breaks: str
    mended: str
    otherwise: str
    new: str
    unchanged: str
    asked: str
    lightly: str
    lost: str
    none: str
    counts: str
    gone: str
    alone: str
    more: str
    set: str
    same: SameWords
    untold: UntoldWords
    reason: str
    name: str
    before: str
    after: str
    why: str
    where: str
    here: str
    beside: str


class SuspectWords(Area):
    """The changes of a bisect range."""

    title: str
    to: str
    counts: str
    unranked: str
    untouched: str
    ranked: str
    by_use: str
    newest_first: str
    shares: str
    steps: str


class PageAreas(Area):
    """All of them."""

    count: Counting
    headings: Headings
    say: Sentences
    small: SmallPrint
    names: Names
    nouns: Nouns
    symptoms: Symptoms
    facts: FactTemplates
    stories: StoryWords
    page: PageWords
    analysis: AnalysisWords
    outlook: OutlookWords
    editing: EditingWords
    asking: AskingWords
    troubles: Troubles
    grounds: Grounds
    uses: Uses
    concerned: ConcernedWords
    upgrade: UpgradeWords
    suspects: SuspectWords
