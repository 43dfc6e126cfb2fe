"""English."""

from collections.abc import Callable

from digest.models import ChangeObject, Importance, Kind, Noise, NoticeKind, Purpose, State
from digest.writing.wording.catalogue import Catalogue, Counting, Headings, Names, Sentences
from digest.writing.wording.catalogue import SmallPrint as Small


def _many(one: str, many: str | None = None) -> Callable[[int], str]:
    several = many or f"{one}s"
    return lambda n: f"{n:,} {one if n == 1 else several}"


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


COUNT = Counting(
    changes=_many("change"),
    commits=_many("commit"),
    importance={
        Importance.HIGH: lambda n: f"{n:,} high",
        Importance.MEDIUM: lambda n: f"{n:,} medium",
        Importance.LOW: lambda n: f"{n:,} low",
    },
    reverted=lambda n: f"{n:,} reverted",
    opened=_many("issue opened", "issues opened"),
    closed=_many("issue closed", "issues closed"),
    reopened=_many("issue reopened", "issues reopened"),
    issues=_many("issue"),
    releases=_many("release"),
    notes=_many("upgrade note"),
    files=_many("file"),
    comments=_many("comment"),
    reactions=_many("reaction"),
    further_lines=_many("further line in the notes", "further lines in the notes"),
    points=lambda n: f"{n:+d}",
    found=_many("item"),
    duration=_duration,
)

HEADINGS = Headings(
    before_upgrade="Before you upgrade",
    notes="Upgrade notes",
    reverted="Reverted",
    high="High",
    medium="Medium, by theme",
    issues="Issues",
    releases="Releases",
    rest="The rest",
    facts="Facts",
    files="Files by subsystem",
    hunks="The change itself",
    related="Related",
    reverts="Reverts",
    roundup="All repositories",
    search="Search",
    why="Why",
    note_columns=("What", "Name", "Before", "After", "Where", "From"),
    file_columns=("File", "Status", "Lines"),
    reason_columns=("Reason", "Points"),
)

SAY = Sentences(
    quiet="Quiet: no commits, no issues, no releases.",
    no_changes="No commits",
    none_above="none above the threshold",
    could_not_look="Could not look: {why}.",
    not_looked_at="The commits could not be looked at.",
    gap="Not looked at: {what}. {why}.",
    notice={
        NoticeKind.FORCED_PUSH: "The default branch was force-pushed, from {before} to {after}.",
        NoticeKind.DEFAULT_BRANCH_CHANGED: "The default branch changed from {before} to {after}.",
        NoticeKind.RENAMED: "The repository was renamed from {before} to {after}.",
    },
    quiet_repos="Quiet (no commits, no issues, no releases): {repos}.",
    failed_repo="Could not look at {repo}: {why}.",
    before_upgrade="Before you upgrade: {notes}",
    reverted_after="{original}, reverted by {revert} {time} after merging",
    reverted="{original}, reverted by {revert}",
    reverts="{revert} reverts {original}",
    reverts_after="{revert} reverts {original} {time} after merging",
    taken_back="reverted by {revert}",
    why="Why: {reasons}.",
    author="Author: {quote}",
    author_other="Author: {quote}",
    own_words="The notes begin:",
    size="{lines} in {files}",
    size_lines="+{added} −{deleted}",
    files_unread="files not read",
    linked_change="linked change: {refs}",
    no_linked_change="no linked change",
    fixes="closes {refs}",
    duplicate_of="duplicate of {ref}",
    labels="labels: {labels}",
    same_as="related: {refs}",
    more="{count} more: {refs}",
    all_notes="{notes} in all, in the table below.",
    series="part {index} of {total}",
    score="Score {score} of 100: {importance}.",
    merged_by="merged by {person}",
    milestone="milestone {name}",
    detail_missing="Not read: {what}.",
    no_patch="No hunks were read for {files}.",
    renamed="was {path}",
    nothing_found="Nothing found for {words}.",
    note_from_to="from {before} to {after}",
    note_to="{after}",
    inferred="inferred",
    untitled="(no visible title)",
    none="–",
)

SMALL = Small(
    window="Window: {label}, {start} to {end}, zone {tz}.",
    partial="The window was not over when this was collected.",
    source="Source: {source}, collected {at}.",
    collected="collected {at}",
    generated="Written {at}.",
    no_ai="No AI used.",
    with_ai="AI used, its statements checked against the source.",
)

NAMES = Names(
    kinds={
        Kind.COMMIT: "commit",
        Kind.PULL_REQUEST: "pull request",
        Kind.ISSUE: "issue",
        Kind.RELEASE: "release",
    },
    purposes={
        Purpose.FEATURE: "feature",
        Purpose.FIX: "fix",
        Purpose.PERFORMANCE: "performance",
        Purpose.REFACTOR: "refactoring",
        Purpose.REVERT: "revert",
        Purpose.CHORE: "chore",
        Purpose.RELEASE: "release",
        Purpose.BUG_REPORT: "bug report",
        Purpose.REQUEST: "request",
        Purpose.QUESTION: "question",
        Purpose.RFC: "RFC",
        Purpose.OTHER: "other",
    },
    objects={
        ChangeObject.SOURCE: "source",
        ChangeObject.KERNEL: "kernel",
        ChangeObject.TEST: "tests",
        ChangeObject.DOCS: "docs",
        ChangeObject.CI: "CI",
        ChangeObject.BUILD: "build",
        ChangeObject.DEPENDENCY: "dependencies",
        ChangeObject.EXAMPLE: "examples",
        ChangeObject.BENCHMARK: "benchmarks",
        ChangeObject.OTHER: "other",
    },
    importance={Importance.HIGH: "high", Importance.MEDIUM: "medium", Importance.LOW: "low"},
    states={
        State.MERGED: "merged",
        State.OPEN: "open",
        State.DRAFT: "draft",
        State.CLOSED: "closed",
        State.NOT_PLANNED: "closed, not planned",
        State.DUPLICATE: "closed as duplicate",
        State.REOPENED: "reopened",
        State.PUBLISHED: "released",
        State.PRERELEASE: "prerelease",
        State.TAGGED: "tag without release notes",
    },
    noise={
        Noise.BOT: "bots",
        Noise.CI: "CI",
        Noise.DOCS: "docs",
        Noise.TESTS: "tests",
        Noise.DEPENDENCY: "dependency bumps",
        Noise.SYNC: "syncs",
        Noise.STYLE: "style",
    },
    low="low importance",
    gaps={
        "commits": "commits",
        "pull_requests": "pull requests",
        "issues": "issues",
        "releases": "releases",
        "files": "lists of changed files",
        "patches": "patches",
        "everything": "everything",
    },
    details={"files": "the list of files", "patches": "patches", "body": "the description"},
    statuses={
        "added": "added",
        "modified": "modified",
        "removed": "removed",
        "renamed": "renamed",
        "copied": "copied",
        "changed": "changed",
    },
    note_kinds={
        "flag": "flag",
        "env": "environment variable",
        "config": "setting",
        "default": "default",
        "dependency": "dependency",
        "python": "Python version",
        "module": "module",
        "signature": "signature",
    },
    note_changes={
        "added": "added",
        "removed": "removed",
        "renamed": "renamed",
        "changed": "changed",
        "deprecated": "deprecated",
    },
    note="{kind} {change}",
    themes={
        "amd": "AMD, ROCm",
        "ascend": "Ascend NPU",
        "blackwell": "Blackwell",
        "hopper": "Hopper",
        "intel": "Intel, CPU",
        "tpu": "TPU",
        "speculative": "speculative decoding",
        "diffusion": "diffusion",
        "lora": "LoRA",
        "quantization": "quantization",
        "moe": "MoE",
        "kv_cache": "KV cache",
        "attention": "attention",
        "distributed": "distributed",
        "scheduling": "scheduling",
        "multimodal": "multimodal",
        "model_support": "models",
        "observability": "logs, metrics, profiling",
        "cli": "command line",
        "frontend": "server, API front end",
        "api": "programming interface",
        "build_ci": "build, CI",
        "docs": "docs",
        "tests": "tests",
        "other": "other",
    },
    reasons={},
)

EN = Catalogue(
    comma=", ",
    semicolon="; ",
    colon=": ",
    stop=".",
    gap=" ",
    count=COUNT,
    headings=HEADINGS,
    say=SAY,
    small=SMALL,
    names=NAMES,
)
