"""What a page of a digest says: names, headings, templates and counted nouns.

No field has a default, so a word that a language lacks is a type error. Phrases with a number are
functions, because each language has its own plural. Phrases around other runs (a title, a link)
are templates with `{names}`, filled by `digest.writing.phrasing.fill`.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from digest.wording.area import Area, Keyed, says

Counted: TypeAlias = Callable[[int], str]
"""Says a number with its noun."""


def many(one: str, several: str = "") -> Counted:
    """Return what says a number with an English noun; the plural is given where it has no s."""
    return lambda n: f"{n:,} {one if n == 1 else several or f'{one}s'}"


def _duration(seconds: int) -> str:
    minutes = seconds // 60
    if minutes < 1:
        return "less than a minute"
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {left} min" if left else f"{hours} h"
    return f"{left} min"


def _noun(one: str, many: str = "") -> Callable[[int], str]:
    return lambda n: one if n == 1 else many or f"{one}s"


class ObjectWords(Keyed[str]):
    """By `ChangeObject`."""

    source: str = says("source")
    kernel: str = says("kernel")
    test: str = says("tests")
    docs: str = says("docs")
    ci: str = says("CI")
    build: str = says("build")
    dependency: str = says("dependencies")
    example: str = says("examples")
    benchmark: str = says("benchmarks")
    other: str = says("other")


class Grades(Keyed[str]):
    """By `Importance`."""

    high: str = says("high")
    medium: str = says("medium")
    low: str = says("low")


class NoiseWords(Keyed[str]):
    """By `Noise`."""

    bot: str = says("bots")
    ci: str = says("CI")
    docs: str = says("docs")
    tests: str = says("tests")
    dependency: str = says("dependency bumps")
    sync: str = says("syncs")
    style: str = says("style")
    empty: str = says("commits without a change")


class Purposes(Keyed[str]):
    """By `Purpose`."""

    feature: str = says("feature")
    fix: str = says("fix")
    performance: str = says("performance")
    refactor: str = says("refactoring")
    revert: str = says("revert")
    chore: str = says("chore")
    release: str = says("release")
    bug_report: str = says("bug report")
    request: str = says("request")
    question: str = says("question")
    rfc: str = says("RFC")
    other: str = says("other")


class Kinds(Keyed[str]):
    """By `Kind`."""

    commit: str = says("commit")
    pull_request: str = says("pull request")
    issue: str = says("issue")
    release: str = says("release")


class Notices(Keyed[str]):
    """By `NoticeKind`."""

    forced_push: str = says("The default branch was force-pushed, from {before} to {after}.")
    default_branch_changed: str = says("The default branch changed from {before} to {after}.")
    renamed: str = says("The repository was renamed from {before} to {after}.")
    empty: str = says(
        "There is no commit here at all: if there should be, check the path or address, and fetch "
        "(git fetch) where it is a clone."
    )
    ends_earlier: str = says(
        "There is nothing newer here: the newest commit of {before} is of {after}."
    )
    diverged: str = says(
        "{before} was made on a branch of its own, with commits that {after} lacks: what went "
        "with these is told in part only."
    )
    backward: str = says(
        "{after} is older than {before}, so that this goes backward: exchange them for "
        "what came since."
    )


class States(Keyed[str]):
    """By `State`."""

    merged: str = says("merged")
    open: str = says("open")
    draft: str = says("draft")
    closed: str = says("closed")
    not_planned: str = says("closed, not planned")
    duplicate: str = says("closed as duplicate")
    reopened: str = says("reopened")
    published: str = says("released")
    prerelease: str = says("prerelease")
    tagged: str = says("tag")


class Nouns(Keyed[Counted]):
    """By `Subject`."""

    flag: Counted = says(_noun("flag"))
    env: Counted = says(_noun("environment variable"))
    choice: Counted = says(_noun("choice"))
    request_field: Counted = says(_noun("request field"))
    response_field: Counted = says(_noun("response field"))
    config_field: Counted = says(_noun("setting"))
    api_name: Counted = says(_noun("public name"))
    api_argument: Counted = says(_noun("argument"))
    endpoint: Counted = says(_noun("endpoint"))
    metric: Counted = says(_noun("metric"))
    protocol: Counted = says(_noun("protocol version"))
    dependency: Counted = says(_noun("dependency", "dependencies"))
    platform: Counted = says(_noun("platform"))
    model: Counted = says(_noun("model"))
    hardware: Counted = says(_noun("hardware", "hardware"))
    backend: Counted = says(_noun("backend"))
    quantization: Counted = says(_noun("quantization"))
    feature: Counted = says(_noun("feature"))
    module: Counted = says(_noun("module"))


class Symptoms(Keyed[str]):
    """By `Symptom`."""

    wrong_output: str = says("wrong output")
    crash: str = says("crash")
    hang: str = says("hang")
    memory_leak: str = says("memory leak")
    out_of_memory: str = says("out of memory")
    cannot_start: str = says("cannot start")
    bad_answer: str = says("bad API answer")
    slow: str = says("slow")
    data_loss: str = says("data loss")
    security: str = says("security")
    build_fails: str = says("build fails")
    broken: str = says("broken")


class Troubles(Keyed[str]):
    """By `Trouble`."""

    settings: str = says("the settings of {model} need mending")
    key: str = says("the server of {model} refuses the key")
    access: str = says("the key may not use {model}")
    unknown_model: str = says("the server does not know {model}")
    address: str = says("no model server at the address set for {model}")
    unreachable: str = says("the server of {model} could not be reached")
    timeout: str = says("{model} did not answer in time")
    certificate: str = says("the certificate of {model}\u2019s server is not trusted")
    quota: str = says("the account for {model} has nothing left to spend")
    busy: str = says("the server of {model} was too busy")
    broken: str = says("the server of {model} failed")
    refused: str = says("the server of {model} refused the questions")
    unreadable: str = says("the answers of {model} could not be used")
    too_long: str = says("the questions are too long for {model}")
    uncounted: str = says("the cost of {model} could not be noted")


class RemarkKinds(Keyed[str]):
    """By `RemarkKind`."""

    lead: str = says("")
    insight: str = says("Insight")
    risk: str = says("Risk")
    missing: str = says("Missing")


class AnalysisHeadings(Area):
    """The sections of an analysis that may hold the author's own sentences."""

    architecture: str = says("Architecture")
    performance: str = says("Performance")
    security: str = says("Security")
    maintainability: str = says("Maintainability")
    compatibility: str = says("Compatibility")
    test: str = says("Tests")
    benchmark: str = says("Benchmarks")
    risk: str = says("Risks")
    for_developers: str = says("For developers")
    for_users: str = says("For users")
    for_maintainers: str = says("For maintainers")
    question: str = says("Open points")


class AboutWords(Keyed[str]):
    """By `About`."""

    broke: str = says("what broke or was fixed")
    crash: str = says("crashes")
    hang: str = says("hangs")
    memory: str = says("memory")
    slow: str = says("slow")
    security: str = says("security")
    breaking: str = says("what an upgrade meets")
    removed: str = says("removed")
    renamed: str = says("renamed")
    deprecated: str = says("deprecated")
    default: str = says("defaults")
    added: str = says("added")
    reverted: str = says("reverted")
    released: str = says("releases")
    speed: str = says("speed")
    flag: str = says("flags")
    env: str = says("environment variables")
    api: str = says("API")
    requirement: str = says("requirements")
    model: str = says("models")
    hardware: str = says("hardware")


class Grounds(Keyed[str]):
    """By `Ground`."""

    gone: str = says("{name} is gone")
    moved: str = says("{name} moved to {after}")
    abstract: str = says("{name} has to be implemented now")
    lost_argument: str = says("{name} no longer takes {names}")
    new_argument: str = says("{name} now takes {names}")
    order: str = says("the arguments of {name} changed places")
    kind: str = says("{name} is declared otherwise now")
    returns: str = says("{name} returns something else")
    bases: str = says("{name} is declared otherwise now")
    default: str = says("a default of {name} changed")
    unset: str = says("{name} is set by a method that you have your own of")
    given: str = says("{name} now calls {call} with {names}, which yours does not take")
    sort: str = says("{name} holds another sort of value")
    reached: str = says("{name} now uses {names}")
    member: str = says("{name} changed")
    body: str = says("{name} works otherwise inside")
    new: str = says("{name} is new")
    module: str = says("{path} changed")


class Uses(Keyed[str]):
    """By `UseKind`."""

    module: str = says("you import {name}")
    name: str = says("you import {name}")
    subclass: str = says("you subclass {name}")
    override: str = says("you override {name}")
    patched: str = says("you patch {name}")
    constructed: str = says("you construct {name}")
    called: str = says("you call {name}")
    member: str = says("you read {name}")
    flag: str = says("you set {name}")
    variable: str = says("you set {name}")
    pin: str = says("you pin {name}")


class Counting(Area):
    """Numbers with their nouns; `duration` takes seconds."""

    changes: Counted = says(many("change"))
    commits: Counted = says(many("commit"))
    upkeep: Counted = says(lambda n: f"{n:,} of them upkeep")
    reverted: Counted = says(lambda n: f"{n:,} reverted")
    opened: Counted = says(many("issue opened", "issues opened"))
    closed: Counted = says(many("issue closed", "issues closed"))
    reopened: Counted = says(many("issue reopened", "issues reopened"))
    issues: Counted = says(many("issue"))
    releases: Counted = says(many("release"))
    prereleases: Counted = says(many("pre-release"))
    notes: Counted = says(many("upgrade note"))
    files: Counted = says(many("file"))
    comments: Counted = says(many("comment"))
    reactions: Counted = says(many("reaction"))
    lines: Counted = says(many("line of notes", "lines of notes"))
    further_lines: Counted = says(many("further line in the notes", "further lines in the notes"))
    points: Counted = says(lambda n: f"{n:+d}")
    found: Counted = says(many("item"))
    duration: Counted = says(_duration)


class Headings(Area):
    """Titles of pages, sections and columns."""

    before_upgrade: str = says("Before you upgrade")
    notes: str = says("What changed for users")
    reverted: str = says("Reverted")
    high: str = says("High")
    issues: str = says("Issues")
    releases: str = says("Releases")
    rest: str = says("The rest")
    facts: str = says("Facts")
    files: str = says("Files by subsystem")
    hunks: str = says("The change itself")
    related: str = says("Related")
    reverts: str = says("Reverts")
    between: str = says("Between repositories")
    search: str = says("Search")
    why: str = says("Why")
    asked: str = says("Asked of a model")
    file_columns: tuple[str, str, str] = says(("File", "Status", "Lines"))
    reason_columns: tuple[str, str] = says(("Reason", "Points"))


class Sentences(Area):
    """Templates and whole sentences."""

    quiet: str = says("Quiet: no commits, no issues, no releases.")
    no_changes: str = says("No commits")
    none_above: str = says("of low importance")
    could_not_look: str = says("Could not look: {why}.")
    looked_in_part: str = says("Could look only in part: {why}.")
    not_looked_at: str = says("The commits could not be looked at.")
    gap: str = says("Could not look at {what}: {why}.")
    so_many_unseen: str = says("{what} ({count})")
    notice: Notices
    quiet_repos: str = says("Quiet (no commits, no issues, no releases): {repos}.")
    repos_without_commits: str = says("No commits: {repos}.")
    failed_repo: str = says("Could not look at {repo}: {why}.")
    reverted_after: str = says("{original}, reverted by {revert} {time} after merging")
    since_then: str = says(", after this window")
    back_as: str = says(" Back as {again}.")
    reverted: str = says("{original}, reverted by {revert}")
    taken_back: str = says("reverted by {revert}")
    taken_back_after: str = says("reverted by {revert} {time} after merging")
    takes_back: str = says("takes back {original}")
    takes_back_after: str = says("takes back {original} {time} after it was merged")
    why: str = says("Why: {reasons}.")
    author: str = says("Author: {quote}")
    fixed_here: str = says("fixed here: {fact}")
    graded: str = says("{importance} importance")
    no_notes: str = says("no release notes seen")
    own_words: str = says("The notes begin:")
    changelog_begins: str = says("The changelog begins:")
    in_the_changelog: str = says("new in its changelog: “{entries}”")
    size: str = says("{lines} in {files}")
    size_lines: str = says("+{added} −{deleted}")
    files_unread: str = says("files not read")
    linked_change: str = says("linked change: {refs}")
    fixes: str = says("closes {refs}")
    duplicate_of: str = says("duplicate of {ref}")
    same_as: str = says("related: {refs}")
    now_needs: str = says("{repo} now needs {name} {version}")
    no_longer_lists: str = says("{repo} no longer lists {name}")
    released_here: str = says("released {release}")
    score: str = says("Score {score} of 100: {importance}.")
    merged_by: str = says("merged by {author}")
    milestone: str = says("milestone {name}")
    detail_missing: str = says("Not read: {what}.")
    no_patch: str = says("The lines of {files} were not read: what changes in them is not told.")
    pure_renames: str = says("Renamed, content unchanged: {files}.")
    renamed: str = says("was {path}")
    nothing_found: str = says(
        "Nothing found for {words} among what was collected from this source."
    )
    inferred: str = says(" (inferred)")
    untitled: str = says("(no visible title)")
    tokens: str = says("{read} tokens in, {written} out")
    with_others: str = says("with {count} others")
    unread: str = says("not read: {why}")
    said_nothing: str = says("said nothing of it")
    filled_in: str = says("{fact} · filled in by {model}")
    joined: str = says("Story “{name}”, {count} changes · joined by {model}")


class SmallPrint(Area):
    """What stands at the foot of every page."""

    window: str = says("Window: {start} to {end}, zone {tz}.")
    partial: str = says("The window was not over when this was collected.")
    source: str = says("Source: {source}, collected {at}.")
    no_ai: str = says("No AI used.")
    no_ai_briefly: str = says("no AI used")
    no_ai_because: str = says("no AI used: {why}")
    nothing_why: str = says("nothing of {model} is told: {why}")
    with_ai: str = says(
        "By rules; {model} picked, filled in and wrote what is marked; (model): its reading"
    )
    with_ai_briefly: str = says("with {model}, marked")
    late: str = says("{model} was late")
    over_budget: str = says("no tokens left for {model}")
    failed: str = says("{model} gave nothing to work with")
    dropped: Counted = says(many("answer of it dropped", "answers of it dropped"))
    unanswered: Counted = says(many("question unanswered", "questions unanswered"))


class Names(Area):
    """Single words for what the models call by a key."""

    kinds: Kinds
    purposes: Purposes
    objects: ObjectWords
    importance: Grades
    states: States
    noise: NoiseWords
    low: str = says("further changes")
    sources: Mapping[str, str] = says(
        {"git-without-remote": "git, a clone that names no repository itself"}
    )
    gaps: Mapping[str, str] = says(
        {
            "commits": "commits",
            "pull_requests": "pull requests",
            "issues": "issues",
            "releases": "releases",
            "files": "lists of changed files",
            "patches": "patches",
            "contents": "whole files",
            "partly": "a part of this time",
            "everything": "everything",
        }
    )
    details: Mapping[str, str] = says(
        {"files": "the list of files", "patches": "patches", "body": "the description"}
    )
    statuses: Mapping[str, str] = says(
        {
            "added": "added",
            "modified": "modified",
            "removed": "removed",
            "renamed": "renamed",
            "copied": "copied",
            "changed": "changed",
        }
    )
    reasons: Mapping[str, str] = says(
        {
            "noticed": "users can notice it",
            "noticed_on_quiet_day": "users can notice it",
            "switched_by_default": "something was switched by default",
            "makes_release": "makes a release",
            "grave": "grave",
            "abstract_method": "a method that subclasses must have",
            "area_api": "server and API",
            "area_attention": "attention",
            "area_cache": "KV cache and its transfer",
            "area_config": "settings and their defaults",
            "area_gateway": "gateway beside the engine",
            "area_generation_of_images": "generation of images and video",
            "area_moe": "mixture of experts",
            "area_multimodal": "multimodal input",
            "area_plugins": "what plugins build on",
            "area_quantization": "quantization",
            "area_scheduler": "scheduler and engine",
            "area_speculative": "speculative decoding",
            "arithmetic": "wrong sizes, offsets or scales mended",
            "bad_answer": "bad API answer",
            "broken": "a fault, its symptom not said",
            "build": "build files",
            "campaign": "one of many by its author that day",
            "ci_in_title": "title is about CI",
            "default_in_title": "title names a default",
            "fault_in_numerics": "fault where numbers are computed",
            "fault_on_special_hardware": "fault on less common hardware",
            "files_that_run": "how many files that run",
            "hardware_named": "names a GPU",
            "in_release": "reported for a released version",
            "logs_only": "about logs and debugging",
            "many_additions": "many names added at once",
            "model_named": "about one model",
            "mostly_gone": "mostly removes",
            "mostly_new": "nearly all new code",
            "moved": "modules moved",
            "must_act": "hits who upgrades and does nothing",
            "new_backend": "new backend",
            "new_hardware": "new hardware",
            "new_model": "new model",
            "new_quantization": "new quantization",
            "numerics_touched": "touches computed numbers",
            "only_aside": "documentation, tests or CI alone",
            "pin": "raises or pins a version",
            "public_name_removed": "a public function or class is gone or changed",
            "race": "race or stale data",
            "requirement_changed": "requirement changed",
            "requirement_raised": "requirement raised",
            "requirement_stated": "description names a new requirement",
            "security_label": "labelled as security",
            "setting_changed": "setting changed",
            "setting_deprecated": "setting deprecated",
            "setting_gone": "setting removed or renamed",
            "setting_added": "setting added",
            "api_gone": "public name removed or renamed",
            "api_added": "public name added",
            "api_deprecated": "public name deprecated",
            "support_gone": "no longer supported",
            "size": "size",
            "special_hardware": "less common hardware",
            "special_hardware_only": "for less common hardware alone",
            "speed_stated": "speed stated by the author",
            "tested": "comes with tests",
            "tidying": "tidying",
            "unchanged": "no change in behaviour stated",
            "waits_touched": "touches waiting, locks or streams",
            "widely_used_model": "about a widely used model",
            "much_discussed": "much discussed",
            "noise_cap": "noise",
            "nothing_that_runs_cap": "nothing that runs",
            "largest_of_a_quiet_day": "the largest of a quiet day",
            "breaking": "marked as breaking",
            "security": "security",
            "incompatible": "description says something no longer works",
            "harm": "serious failure",
            "failure": "failure",
            "discussion": "much discussed",
            "asked_for": "asked for by users",
            "reverted": "taken back later",
            "default_changed": "default changed",
            "flag_added": "flag added",
            "env_added": "environment variable added",
            "moves_clients": "clients have to follow the new default",
            "platform_raised": "needs a newer platform",
            "kernel": "kernel code",
            "names_release": "names a release",
            "hardware": "names hardware",
            "reopened": "reopened",
            "duplicate": "duplicate",
            "not_planned": "not planned",
            "prerelease": "for trial",
            "no_version": "no version number",
            "told_by_its_change": "told by its own change already",
            "day_quota": "more than six high ones that day",
            "scale": "ends of the scale",
            "nothing_that_runs": "nothing that runs is touched",
            "build_alone": "build files and pins alone",
            "only_tuned": "only values tuned for a device",
            "tuned_values_cap": "only values tuned for a device",
            "taken_back": "taken back later",
            "noise": "upkeep",
            "picked": "picked by the model",
            "api_changed": "public name changed",
        }
    )
    tasks: Mapping[str, str] = says(
        {
            "pick": "front page",
            "stories": "what belongs together",
            "items": "facts, sentence, translation",
            "lead": "paragraph",
            "check": "second reading",
            "dive": "deep dive",
            "query": "what a question asks for",
            "answer": "answer to a question",
        }
    )


class FactTemplates(Area):
    """One statement of a fact. `{what}` is the noun, `{names}` are one or several names.

    A template that ends in `_now` is for a fact that knows the replacement, one in `_values` for
    a fact that knows both sides.
    """

    added: str = says("new {what} {names}")
    read_now: str = says("a file now reads {what} {names}")
    to_write: str = says("subclasses have to write {names}")
    added_before: str = says(" (before {other})")
    added_choices: str = says(" ({value})")
    choices_of: str = says("{values} of {names}")
    arguments_of: str = says("{arguments} of {functions}")
    added_default: str = says(" (default {value})")
    removed: str = says("{what} {names} removed")
    removed_now: str = says("{what} {names} removed, now {now}")
    renamed: str = says("{what} {before} is now {after}")
    renamed_each: str = says("{what} renamed: {names}")
    default: str = says("default of {name}: {before} → {after}")
    default_to: str = says("default of {name} is now {after}")
    default_changed: str = says("default of {name} changed")
    default_on: str = says("on by default now: {name}")
    default_off: str = says("off by default now: {name}")
    default_chosen: str = says("the default now: {name}")
    changed: str = says("{what} {names} changed")
    changed_to: str = says("{what} {names} is now {after}")
    changed_values: str = says("{what} {names}: {before} → {after}")
    deprecated: str = says("{what} {names} deprecated")
    deprecated_now: str = says("{what} {names} deprecated, now {now}")
    deprecated_each: str = says("{what} deprecated: {names}")
    there_again: str = says("{what} {names} works (again), deprecated, now {now}")
    moved: str = says("imports moved: {before} → {after}")
    moved_from: str = says("imports moved: {before}")
    needs: str = says("needs {name} {after}")
    new_extra: str = says("new extra {name}: {after}")
    name_and_bound: str = says("{name} {bound}")
    needs_any: str = says("needs {name}")
    needs_was: str = says("needs {name} {after}, was {before}")
    no_longer_lists: str = says("no longer lists {name}")
    asks_for_nothing: str = says("{name} is empty now")
    supported: str = says("{what} {names}")
    no_longer_supported: str = says("no longer supported: {what} {names}")
    built_for: str = says("built for {names} too ({path})")
    no_longer_built: str = says("no longer built for {names} ({path})")
    refused: str = says("refused now: {name}")
    gone: str = says("removed: {name}")
    says_now: str = says("new message: “{quote}”")
    faster: str = says("measured by the author: “{quote}”")
    whom: str = says("for {whom}")
    only: str = says(" ({conditions})")
    where: str = says(" where {conditions}")
    since: str = says("since {change}")
    keyword_only: str = says("{what} {names} only by keyword now")
    reordered: str = says("order of the arguments of {names}: {before} → {after}")
    extra: str = says("extra {name}")
    runs: str = says("{name} runs")
    some_systems: str = says("some systems")
    required: str = says("required")
    and_more: Callable[[int], str] = says(lambda n: f" and {n:,} more")
    besides: Callable[[int], str] = says(lambda n: f"; {n:,} more")
    """Of names that are not all of the module, class or function named last."""


class StoryWords(Area):
    """What is said of a story beside its name."""

    mostly: str = says("Mostly")
    largest: str = says("Largest")
    stories: str = says("Stories")
    by: str = says("by {people}")
    others: Counted = says(lambda n: f"and {n} more")
    parts: str = says("part {parts} of {of}")
    complete: str = says("complete")
    began: str = says("began {day}")
    earlier: Counted = says(lambda n: f"{n:,} before")
    goes_on: str = says("goes on: {how}")
    elsewhere: str = says("also {refs}")
    joined_by: str = says("joined by {model}")
    and_related: str = says("{name} and related")
    """The name of a story which some of its changes do not bear."""


class PageWords(Area):
    """Headings and counted ends of lists on a page that stands on facts."""

    bitten: str = says("You may have been bitten")
    new: str = says("New")
    features: Mapping[str, str] = says(
        {
            "Ascend NPU": "Ascend NPU",
            "Diffusion": "Diffusion",
            "Speculative decoding": "Speculative decoding",
            "PD disaggregation": "PD disaggregation",
            "Multimodal": "Multimodal",
        }
    )
    also: str = says("Also")
    more_below: str = says("and {count} more below: {items}")
    shared: str = says(" (with {items})")
    upgrading_code: str = says("Before you upgrade code that imports it")
    fixed: str = says("Fixed")
    added: str = says("Also new")
    changed: str = says("Changed")
    more: str = says("and {count} more: {items}")
    prereleases: str = says("Pre-releases")
    counted: str = says(
        "What asks to act is named whole, of what is new the first; {full} has all."
    )


class AnalysisWords(Area):
    """Headings and templates of one language; `{names}` are filled by `phrasing.fill`."""

    reason: str = says("Why, as the author states it")
    described: str = says("As the author describes it")
    insight: str = says("Insight")
    kinds: AnalysisHeadings
    recommended: str = says("Whom it concerns")
    surface: str = says("Public names touched")
    surface_kinds: Mapping[str, str] = says(
        {
            "flag": "flags",
            "env": "environment variables",
            "config": "settings",
            "default": "defaults",
            "dependency": "dependencies",
            "python": "Python version",
            "module": "modules",
            "function": "public Python and C++ functions",
            "header": "public headers",
        }
    )
    not_seen: str = says("What may be missing")
    not_whole: str = says("Could not be looked at whole: {why}.")
    tests_touched: str = says("Test files touched: {files}.")
    benchmarks_touched: str = says("Benchmark files touched: {files}.")
    no_benchmark: str = says("Speed is claimed; the description shows no result of a benchmark.")
    runs: str = says("What the author ran")
    figures: str = says("Results in the description")
    breaking: str = says("{notes} above: {names}.")
    taken_back: str = says("It was taken back: {revert}.")
    imports_change: str = says("Public names changed, renamed or removed: {names}.")
    pins_change: str = says("Required versions changed: {names}.")
    not_shown: str = says("Not shown here: {hunks}, in {files}: {link}")
    hunks: Callable[[int], str] = says(lambda n: f"{n:,} {'hunk' if n == 1 else 'hunks'}")
    goes_on: str = says(
        "The patch is too long to be read to its end: what changes there is not told."
    )
    model_saw: str = says(
        "The model saw {lines} of {lines_total} changed lines and {sentences} of "
        "{sentences_total} sentences."
    )
    further_lines: Callable[[int], str] = says(many("further line"))
    further_files: Callable[[int], str] = says(
        lambda n: f"{n:,} further {'file' if n == 1 else 'files'}"
    )
    title_day: str = says("{repo} · {label} · analysis")
    contents: str = says("Contents")
    commits: str = says("Commits")
    commit_columns: tuple[str, str, str, str] = says(("Time ({tz})", "Author", "Title", "Change"))
    medium: str = says("Medium, in short")
    low: str = says("Low, one line each")


class OutlookWords(Area):
    """The heading, and a template for each kind of thing to watch."""

    heading: str = says("What to watch")
    rfc: str = says("{repo}: open RFC: {titles}")
    reverted_feature: str = says("{repo}: taken back and not landed again: {titles}")
    unreleased: str = says("{repo}: {count} not in {release} (released {day}): {titles}")
    fixes: Callable[[int], str] = says(lambda n: f"{n:,} {'fix' if n == 1 else 'fixes'}")
    flagged: str = says("Flagged in this channel")


class EditingWords(Area):
    """Templates of one language; `{model}` and `{original}` are filled by `phrasing.fill`."""

    written_by: str = says("Written by {model} from the items linked")
    translated: str = says("“{chinese}” (translated by {model}, {original})")
    translated_title: str = says("“{chinese}” (machine translation)")
    original: str = says("original")
    read_by: str = says(" (model)")
    review: str = says("How {model} reads it")
    judgement: str = says(
        "A judgement, to be checked: each sentence with the words that it rests on, but for "
        "what is missing."
    )
    kinds: RemarkKinds
    quote: str = says("on: {quote}")
    in_other: str = says(" (in the other language alone)")


class AskingWords(Area):
    """Templates of one language."""

    kinds: AboutWords
    repositories: str = says("{count} repositories")
    nothing_found: str = says(
        "Nothing in the stored days fits. Names as the code writes them are found best."
    )
    nothing_stored: str = says("Nothing could be looked at: none of these days is stored.")
    nothing_of_kind: str = says("No such fact is known of the stored days.")
    kindless: str = says("No such fact is known; these fit the words:")
    without: str = says("Nowhere found: {words}")
    more: str = says("And {count} more.")
    not_stored: str = says("Not stored, so not looked at: {repos} ({days})")
    incomplete: str = says("Stored in part: {repos} ({days})")
    stored_without: str = says("Stored without {what}: {repos} ({days})")
    read_by: str = says("Question read by {model}")
    also: str = says("Also looked for: {words}")
    day: str = says("{day} {month}")
    days: str = says("{first}–{last} {month}")


class ConcernedWords(Area):
    """What of a day concerns a reader; `said` takes `word`, `pinned` `name` and `value`.

    `below` counts the lines after the first, `too` heads them, `nothing` is told where there is
    none, `opening` heads what a page else begins with. `released`, `taken`, `since` and `then` are
    hops of a ripple, with `repo`, `ref` and `day`; `before` takes `name` and `value`.
    `only` and `everything` lead to a page with what concerns alone, and back.
    """

    heading: str = says("Concerns you")
    below: str = says("{count} more below")
    too: str = says("Concerns you too")
    only: str = says("Show only what concerns you")
    everything: str = says("Show all changes")
    nothing: str = says("nothing, by what is known of these changes")
    opening: str = says("All changes")
    breaks: str = says("breaks")
    said: str = says("{word}: you said so")
    pinned: str = says("you pin {name} {value}")
    released: str = says("{repo} {ref} released {day}")
    taken: str = says("taken by {repo} {day}, {ref}")
    since: str = says("in {repo} since {ref}, {day}")
    then: str = says("next release of {repo}: {ref}, {day}")
    before: str = says("you pin {name} {value}, before it")


class FilterWords(Area):
    """What chooses among the items of a page; `shown` takes `shown` and `count` of these."""

    words: str = says("Filter by title, number, author or name")
    kinds: str = says("What it is")
    grades: str = says("Importance")
    shown: str = says("{shown} of {count} items match")
    again: str = says("Show all")


class SameWords(Keyed[str]):
    """By `Same`."""

    file: str = says("file unchanged")
    definition: str = says("definition unchanged")
    setting: str = says("no change found")


class UntoldWords(Keyed[str]):
    """By `Untold`."""

    not_there: str = says("made while the program runs, or not there at the beginning")
    unknown_class: str = says("class of the object not known: looked for by its name alone")
    pin: str = says("a pin: where the span may begin")
    altered: str = says("it, its class or its file differs; no change of it found")
    not_seen: str = says("no change of it found; no file that was read has it")


class UpgradeWords(Area):
    """The report of an upgrade."""

    title: str = says("Upgrade of ")
    breaks: str = says("Breaks")
    mended: str = says("Fixed in what you use")
    otherwise: str = says("Behaves otherwise")
    new: str = says("New that you could use")
    unchanged: str = says("Checked, unchanged")
    asked: str = says("Asked for when installed")
    lightly: str = says("Touched lightly")
    lost: str = says("Not followed")
    none: str = says("None.")
    none_followed: str = says("None that could be followed: {lost} of {names} names could not.")
    counts: str = says(
        "Changes read: {changes}. Breaks: {breaks}, fixed in what you use: {mended}, behaves "
        "otherwise: {otherwise}, touched lightly: {lightly}. Names used: {names} (in these changes "
        "{touched}, checked and unchanged {unchanged}, not followed {lost})."
    )
    gone: str = says("Left out: changes whose break does not hold at the end: {count}.")
    alone: str = says("Both ends show it, and no change that was read makes it")
    more: str = says("and {count} more")
    set: str = says(" · you set it")
    same: SameWords
    untold: UntoldWords
    reason: str = says("{count}: {why}.")
    name: str = says("name")
    before: str = says("before")
    after: str = says("now")
    why: str = says("why")
    where: str = says("upstream")
    here: str = says("here")
    beside: str = says("and {count} more that break nothing by what is written")


class SuspectWords(Area):
    """The changes of a bisect range."""

    title: str = says("Between ")
    to: str = says(" and ")
    counts: str = says("Changes {count}, the likeliest first; shown {shown}.")
    unranked: str = says(
        "Changes {count}, the newest first, as none shares a word with what was seen; "
        "shown {shown}."
    )
    untouched: str = says(
        "Changes {count}; none shares a word with what was seen. First what touches what you "
        "use; shown {shown}."
    )
    ranked: str = says("Ranked")
    by_use: str = says("By what they touch here")
    newest_first: str = says("Newest first")
    shares: str = says("shares ")
    steps: str = says("Bisecting all of them takes {steps} steps.")


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
    filter: FilterWords
    upgrade: UpgradeWords
    suspects: SuspectWords
