"""What in an item's words and notes speaks for or against its importance."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from digest.grades import ChangeObject, Purpose, Reason
from digest.models import Item, State, UpgradeNote
from digest.reading.change import bare, declared
from digest.reading.description import TITLE_READ, written
from digest.reading.paths import RUNTIME, UNREAD, role
from digest.reading.relations import package_repo

BREAKING_LABEL = re.compile(r"breaking|backward.?incompat|bc[- ]break", re.IGNORECASE)
BREAKING_TEXT = re.compile(
    r"^\W{0,4}BREAKING[ -]CHANGES?\b(?!.{0,12}(?:none|no\b|n/a))|^\W{0,4}breaking\W{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
"""The footer of a conventional commit. https://www.conventionalcommits.org/en/v1.0.0/#specification"""
SECURITY = re.compile(
    r"\bCVE-\d{4}-\d{3,7}\b|\bGHSA(?:-\w{4}){3}\b|\bsecurity (?:fix|hole|issue|vuln|advisor)|"
    r"\bvulnerabilit|\bpath traversal\b|\bremote code execution\b|\bRCE\b|\bSSRF\b|\bXSS\b|"
    r"\barbitrary (?:code|file)|\b(?:code|command|sql|prompt-log) injection\b|\bunsafe pickle",
    re.IGNORECASE,
)
ADVISORY = re.compile(r"\bCVE-\d{4}-\d{3,7}\b|\bGHSA(?:-\w{4}){3}\b", re.IGNORECASE)
SEVERE = re.compile(
    r"\b(?:dead-?locks?\b|hangs?\b|hanging\b|wrong (?:outputs?|results?|answers?|tokens?|sums?|"
    r"logits)|(?:outputs?|results?|answers?) (?:was|were|is|are) (?:\w+ )?(?:wrong|incorrect)|"
    r"incorrect (?:outputs?|results?|answers?|tokens?|logits)|garbage\b|nonsense\b|gibberish\b|"
    r"garbled\b|corrupt(?:s|ed|ion|ing)?\b|silent(?:ly)? (?:wrong|drop|corrupt|ignor|incorrect)|"
    r"data loss\b|(?:does not|doesn't|fails? to|cannot|can't|won't|unable to) (?:start|boot|"
    r"launch|install|import)|crash(?:es)? (?:on|at|during) (?:start|launch|import|load))|"
    r"死锁|卡死|输出错误|结果错误",
    re.IGNORECASE,
)
SEVERE_LABEL = re.compile(r"\b(?:correctness|wrong[- ]\w+|data[- ]?loss)\b", re.I)
DATA_LOSS = re.compile(
    r"\bdata[- ]?loss\b|\blos(?:es?|t|ing) (?:\w+ )?(?:data|checkpoints?|weights)\b|"
    r"\b(?:corrupt(?:s|ed|ion|ing)?)\b.{0,40}\b(?:data|checkpoints?|files?|weights)\b|数据丢失",
    re.IGNORECASE,
)
FAILURE = re.compile(
    r"\b(?:crash\w*|OOM\b|out[- ]of[- ](?:memory|bounds)\b|NaNs?\b|illegal (?:memory|instruction|"
    r"address)|IMA\b|overflow\w*|accuracy\b|race condition|leaks?\b|aliasing\b|regress(?:ion|ed|"
    r"es)\b|segfault|data race\b|assert\w* (?:fail|error))|崩溃|泄漏|精度",
    re.IGNORECASE,
)
SPEED = re.compile(r"(?<![\w.])~?\d{1,4}(?:\.\d{1,3})?\s?(?:[x×](?!\w)|%|倍)")
"""A stated speed-up, `9.5x` or `30%`; a name such as SM120 or 2x4 is none."""
INCOMPATIBLE = re.compile(
    r"\bold(?:er)? \w{2,20} (?:cannot|can ?not|can't|will not|won't|do not|no longer)\b|"
    r"\bnot backwards?[- ]compatible\b|\bbackwards?[- ]incompatible\b|\brestart both\b|"
    r"\bmust (?:all )?(?:be )?(?:restart|upgrad|rebuil|reinstall|re-?generat)\w{0,6}\b",
    re.IGNORECASE,
)
REQUIRES = re.compile(
    r"\b(?:needs?|requires?|minimum)\b[^.\n]{1,60}?\b\d[\w.]{0,10} (?:or|and) "
    r"(?:newer|later|above|higher|up)\b|"
    r"\b\d[\w.]{0,10} (?:or|and) (?:newer|later|above|higher|up) (?:is|are) (?:now )?"
    r"(?:needed|required|necessary)\b",
    re.IGNORECASE,
)
KEPT = re.compile(
    r"\bstill (?:works?|accepted|supported)\b|\bdeprecat\w*|\bbackwards?[- ]compatib|"
    r"\bkept as an? alias\b|\bas an? (?:deprecated )?alias\b",
    re.IGNORECASE,
)
UNCHANGED = re.compile(
    r"\bno (?:functional|behaviou?ral?|user[- ]facing) changes?\b|\bno change in behaviou?r\b|"
    r"\bNFC\b|\bbehaviou?r (?:is|stays|remains) (?:the same|unchanged)\b|\boff until\b|"
    r"\bnot (?:yet )?(?:enabled|switched on|used|wired)(?: yet)?\b|\bdoes not change behaviou?r\b",
    re.IGNORECASE,
)
MOVES_CLIENTS = re.compile(
    r"(?:^|[-_.])(?:port|host|address|bind|listen|endpoint|url|socket|scheme|protocol)(?:$|[-_.])",
    re.IGNORECASE,
)
SWITCHED_ON = (frozenset({"false", "0", "off", "no"}), frozenset({"true", "1", "on", "yes"}))
DEBUG = re.compile(r"\bdebug\w*|\bdump\w*|\bprofil\w*|\bnvtx\b", re.IGNORECASE)
TUNING = re.compile(r"\btun(?:ed|ing) configs?\b|\bconfigs? for\b.{0,40}\bmoe\b", re.IGNORECASE)
TUNED = re.compile(r"\b(?:auto)?tun(?:ed?|ing)\b|\bconfigs?\b.{0,20}\bfor\b|调优", re.IGNORECASE)
WORKSHOP = re.compile(
    r"\b(?:build|compile|compilation|tests?|ci|lint\w*|docker)(?: times?| duration)?\.?\s{0,3}"
    r"(?:\(#\d{1,9}\)\s{0,3})?$",
    re.IGNORECASE,
)
TABLES = (".json", ".csv", ".yaml", ".yml", ".txt", ".jsonl")
HARDWARE = re.compile(
    r"\b(?:sm_?\d{2,3}[af]?|g?[bh][1-3]00|h20|mi\d{3}x?|gfx\d+|a100|l40s?|rtx ?\d{4}|blackwell|"
    r"hopper|ascend|rocm|xpu|tpu|gaudi|npu)\b",
    re.IGNORECASE,
)
MODEL = re.compile(
    r"^(?:\[[^\]]{1,30}\] ?)*(?:add|support|implement|enable|introduce)\b.{0,40}\bmodel\b|"
    r"\[(?:new )?model\]|\bday[- ]?0 support",
    re.IGNORECASE,
)
STATUS = re.compile(r"\b(?:answer|return|respond|status)\b.{0,20}\b[2-5]\d\d\b", re.IGNORECASE)
VERSION = re.compile(r"(?<![\w.])v?\d{1,3}\.\d{1,3}\.\w{1,8}\b")
SHORT_VERSION = re.compile(rf"{VERSION.pattern}|\bv\d{{1,3}}\.\d{{1,3}}\b")
"""The same, or with two numbers where a `v` says that they are a version."""
TRIAL = re.compile(r"\d[._-]?(?:rc|alpha|beta|a|b|dev|pre)[._-]?\d*\b", re.IGNORECASE)
"""A version for trial, as PEP 440 writes it.

https://packaging.python.org/en/latest/specifications/version-specifiers/#pre-releases
"""
PLATFORM = re.compile(
    r"^(?:torch|pytorch|cuda|python|rocm|triton|.*/cuda|.*/rocm|.*/pytorch)$", re.I
)
IN_TITLE: tuple[tuple[str, int, re.Pattern[str], Purpose | None], ...] = (
    ("stated_speed", 14, SPEED, Purpose.PERFORMANCE),
    ("model_support", 10, MODEL, Purpose.FEATURE),
    ("deprecation", 12, re.compile("deprecat", re.IGNORECASE), None),
    ("client_visible", 8, STATUS, None),
    ("hardware", 2, HARDWARE, None),
    ("debugging", -14, DEBUG, None),
    ("tuning", -10, TUNING, None),
)
"""Reasons that a title's words give: name, points, sign, and the purpose that they count for."""
UNIT = re.compile(r"\((\w{1,20}s)\b")
"""The unit that a note states in brackets, `(seconds, 30)`."""
LARGE, HUGE = 400, 1500
"""Changed lines of the runtime from which a change is large, and very large."""
TINY = 3

NOTE_POINTS: dict[tuple[str, str], tuple[str, int]] = {
    ("flag", "removed"): ("flag_removed", 36),
    ("flag", "renamed"): ("flag_renamed", 36),
    ("env", "removed"): ("env_removed", 20),
    ("env", "renamed"): ("env_renamed", 26),
    ("config", "removed"): ("config_removed", 14),
    ("config", "renamed"): ("config_renamed", 14),
    ("module", "removed"): ("module_removed", 16),
    ("module", "renamed"): ("module_renamed", 10),
    ("python", "changed"): ("python_raised", 44),
    ("default", "changed"): ("default_changed", 12),
    ("signature", "removed"): ("signature_removed", 10),
    ("signature", "changed"): ("signature_changed", 8),
    ("flag", "added"): ("flag_added", 6),
    ("env", "added"): ("env_added", 6),
    ("dependency", "changed"): ("dependency_changed", 6),
    ("dependency", "added"): ("dependency_added", 6),
    ("dependency", "removed"): ("dependency_removed", 4),
}
"""Kind and change of an upgrade note to the reason it gives; each reason counts once."""
REMOVAL = re.compile(r"^(?:remove|drop|delete|rename)\b", re.IGNORECASE)
REMOVED = frozenset(
    {"flag_removed", "env_removed", "config_removed", "flag_renamed", "env_renamed"}
)
"""Reasons that weigh less where the old name still works, or was new and is taken back."""


@dataclass(frozen=True, slots=True)
class Context:
    """What other items say about one: the issues that it closes, a revert, the end of a series."""

    closed: tuple[Item, ...] = ()
    reverted: bool = False
    ends_series: bool = False
    released: bool = False


REASONS: tuple[str, ...] = (
    *dict.fromkeys(name for name, _ in NOTE_POINTS.values()),
    *(name for name, *_ in IN_TITLE),
    *("removal_stated", "deprecation_noted", "moves_clients", "switched_on", "unit_changed"),
    *("platform_raised", "known_dependency", "breaking", "security", "incompatible"),
    *("requirement", "measured", "no_change_in_behaviour", "harm", "failure", "harm_described"),
    *("harm_reported", "harm_in_release", "discussion", "closes_issue", "asked_for", "reverted"),
    *("ends_series", "kernel", "large", "very_large", "tiny", "names_release", "reopened"),
    *("duplicate", "not_planned", "prerelease", "no_version", "told_by_its_change"),
    *("noise", "nothing_that_runs", "build_alone", "taken_back", "scale", "day_quota"),
)
"""Every reason that a score can have beside its base, which is named for the purpose."""


def of_words(item: Item, purpose: Purpose, context: Context) -> Iterator[Reason]:
    """Reasons that a change's title, labels and description give."""
    title = item.title[:TITLE_READ]
    body = written(item.body)
    labels = " ".join(item.labels)[:TITLE_READ]
    stated = declared(title).breaking or BREAKING_LABEL.search(labels)
    if stated or BREAKING_TEXT.search(body):
        yield Reason("breaking", 40)
    if "security" in labels.lower() or SECURITY.search(title) or ADVISORY.search(body):
        yield Reason("security", 64)
    if INCOMPATIBLE.search(body) or INCOMPATIBLE.search(title):
        yield Reason("incompatible", 24)
    if REQUIRES.search(body):
        yield Reason("requirement", 20)
    if purpose is Purpose.FIX:
        yield from _of_harm(title, body, labels, context)
    if purpose is Purpose.PERFORMANCE and (SPEED.search(body) or "|---" in body):
        yield Reason("measured", 4)
    if UNCHANGED.search(body) or UNCHANGED.search(title):
        yield Reason("no_change_in_behaviour", -14)
    for name, points, sign, only in IN_TITLE:
        if (only is None or purpose is only) and sign.search(title):
            yield Reason(name, points)


def speeds_the_workshop(item: Item) -> bool:
    """Tell whether a title is of how fast the project is built or tested, not of how it runs."""
    return WORKSHOP.search(bare(item.title)) is not None


def loses_data(item: Item) -> bool:
    """Tell whether a change or issue is about data that is lost, by its title and labels."""
    return any(DATA_LOSS.search(text[:TITLE_READ]) for text in (item.title, *item.labels[:50]))


def _of_harm(title: str, body: str, labels: str, context: Context) -> Iterator[Reason]:
    """How badly a user was hit by what a fix mends; the worst sign of each place counts."""
    if SEVERE.search(title) or SEVERE_LABEL.search(labels):
        yield Reason("harm", 26)
    elif FAILURE.search(title):
        yield Reason("failure", 10)
    elif SEVERE.search(body):
        yield Reason("harm_described", 10)
    issues = [issue.title[:TITLE_READ] for issue in context.closed]
    if any(SEVERE.search(one) for one in issues):
        yield Reason("harm_reported", 18)
    if any(VERSION.search(one) for one in issues):
        yield Reason("harm_in_release", 8)


def of_context(item: Item, context: Context) -> Iterator[Reason]:
    """Reasons that discussion and related items give."""
    weight = item.reactions * 2 + item.comments
    points = min(8, round(2 * math.log2(1 + weight / 4)))
    if points:
        yield Reason("discussion", points)
    if context.closed:
        yield Reason("closes_issue", 4)
        heard = max(issue.reactions * 2 + issue.comments for issue in context.closed)
        points = min(8, round(2 * math.log2(1 + heard / 4)))
        if points:
            yield Reason("asked_for", points)
    if context.reverted:
        yield Reason("reverted", 8)
    if context.ends_series:
        yield Reason("ends_series", 6)


def of_notes(item: Item, notes: Sequence[UpgradeNote], purpose: Purpose) -> Iterator[Reason]:
    """Reasons that the upgrade notes of what runs, builds or is pinned give, each once."""
    found: dict[str, int] = {}
    taken_back = purpose is Purpose.REVERT
    kept = KEPT.search(written(item.body)) is not None
    for note in notes:
        if role(note.path) in UNREAD:
            continue
        name, points = NOTE_POINTS.get((note.kind, note.change), ("", 0))
        if (kept or taken_back) and name in REMOVED:
            points //= 3 if taken_back else 2
        if name:
            found[name] = points
        if note.change == "deprecated":
            found["deprecation_noted"] = 8
        if not (taken_back and note.kind == "dependency"):
            found.update(_of_values(note))
    if found.keys() & REMOVED and not (kept or taken_back) and REMOVAL.match(bare(item.title)):
        found["removal_stated"] = 10
    yield from (Reason(name, points) for name, points in found.items())


def _of_values(note: UpgradeNote) -> Iterator[tuple[str, int]]:
    before, after = (note.before or "").strip("\"'"), (note.after or "").strip("\"'")
    if note.kind == "default" and note.change == "changed":
        if MOVES_CLIENTS.search(note.name):
            yield "moves_clients", 28
        elif before.lower() in SWITCHED_ON[0] and after.lower() in SWITCHED_ON[1]:
            yield "switched_on", 8
    if note.kind == "dependency" and note.change == "changed" and PLATFORM.match(note.name):
        yield "platform_raised", 22
    elif note.kind == "dependency" and note.change == "changed" and package_repo(note.name):
        yield "known_dependency", 14
    units = [UNIT.search(value) for value in (before, after)]
    if units[0] and units[1] and units[0].group(1) != units[1].group(1):
        yield "unit_changed", 20


def of_files(item: Item, object_: ChangeObject, purpose: Purpose, noted: bool) -> Iterator[Reason]:
    """Reasons that the touched files give; a change with upgrade notes is never tiny."""
    if object_ is ChangeObject.KERNEL:
        yield Reason("kernel", 4)
    if tunes_by_tables(item) and not TUNING.search(item.title[:TITLE_READ]):
        yield Reason("tuning", -10)
    runtime = [file for file in item.files or () if role(file.path) in RUNTIME]
    churn = sum(file.additions + file.deletions for file in runtime)
    if purpose in (Purpose.REFACTOR, Purpose.CHORE, Purpose.REVERT):
        pass
    elif churn >= HUGE:
        yield Reason("very_large", 8)
    elif churn >= LARGE:
        yield Reason("large", 6)
    small = item.files is not None and churn <= TINY
    if small and not noted and purpose in (Purpose.REFACTOR, Purpose.CHORE, Purpose.OTHER):
        yield Reason("tiny", -4)


def tunes_by_tables(item: Item) -> bool:
    """Tell whether a change holds nothing that runs but tables of tuned values."""
    read = [file.path.lower() for file in item.files or () if role(file.path) not in UNREAD]
    return (
        bool(read)
        and TUNED.search(item.title[:TITLE_READ]) is not None
        and all(path.endswith(TABLES) for path in read)
    )


def of_issue(item: Item) -> Iterator[Reason]:
    """Reasons of an issue: harm, a named release, hardware, discussion, its state."""
    title = item.title[:TITLE_READ]
    if SEVERE.search(title):
        yield Reason("harm", 16)
    elif FAILURE.search(title):
        yield Reason("failure", 10)
    if VERSION.search(title):
        yield Reason("names_release", 8)
    if HARDWARE.search(title):
        yield Reason("hardware", 2)
    weight = item.reactions * 2 + item.comments
    points = min(24, round(5 * math.log2(1 + weight / 3)))
    if points:
        yield Reason("discussion", points)
    if item.state is State.REOPENED:
        yield Reason("reopened", 10)
    if item.state is State.DUPLICATE or item.duplicate_of is not None:
        yield Reason("duplicate", -16)
    elif item.state is State.NOT_PLANNED:
        yield Reason("not_planned", -8)


def of_release(item: Item, context: Context) -> Iterator[Reason]:
    """Reasons of a release: final, for trial, or told by its own change already."""
    if item.state is State.PRERELEASE or TRIAL.search(item.title) or TRIAL.search(item.ref):
        yield Reason("prerelease", -24)
    elif not any(SHORT_VERSION.search(text[:TITLE_READ]) for text in (item.title, item.ref)):
        yield Reason("no_version", -40)
    if context.released:
        yield Reason("told_by_its_change", -6)
