"""The type of a change: why it was made, what it touches, and whether it is told by count alone."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from digest.grades import ChangeObject, Noise, Purpose
from digest.models import FileChange, Item, Kind
from digest.reading.description import TITLE_READ, written
from digest.reading.effect import is_of_comments, is_without_effect
from digest.reading.folding import bare_title
from digest.reading.paths import CHANGELOG, RUNTIME, role

PREFIX = re.compile(r"^ {0,3}([A-Za-z]{2,12}) ?(?:\(([^)]{0,60})\)|\[([^\]]{0,60})\])? ?(!)? ?: *")
"""A conventional prefix, `feat(scope)!: `. https://www.conventionalcommits.org/en/v1.0.0/"""
TAG = re.compile(r"\[([^\[\]]{1,60})\]")
OPENING_TAGS = re.compile(r"^\s*(?:\[[^\[\]]{1,60}\]\s*){1,8}:?\s*")
REVERT = re.compile(r"^\s*(?:\[[^\]]{0,40}\]\s*){0,3}\[?revert(?:s|ed|ing)?\b", re.IGNORECASE)
RELAND = re.compile(
    r"^\s*(?:\[[^\]]{0,40}\]\s*){0,3}(?:\[?re-?land\b|\[?re-?apply\b|revert \"revert\b)",
    re.IGNORECASE,
)
RELEASE = re.compile(
    r"^(?:release|bump|prepare|update|set)(?: the| for| to)?(?: (?P<name>[\w.-]{1,40}))?"
    r"(?: package)?(?: release| version| number)*(?: from v?[\d.]\S{0,20})?(?: to| of|:)?"
    r" v?\d{1,4}(?:\.\w{1,12}){1,3}\S{0,12}(?: release)?\s{0,3}$|"
    r"^v?\d{1,4}\.\d{1,4}(?:\.\w{1,12})?(?: (?:tag )?(?:release|update)){0,2}(?: v\d)?\.?\s{0,3}$",
    re.IGNORECASE,
)
"""A version of its own; a name in it must be the repository's."""
DECLARED: Mapping[str, Purpose] = {
    word: purpose
    for purpose, words in {
        Purpose.FEATURE: "feat, feature, features, new feature, enhancement, model, models, "
        "new model",
        Purpose.FIX: "fix, fixes, bugfix, bug fix, bug, hotfix, security",
        Purpose.PERFORMANCE: "perf, performance, optimization, opt",
        Purpose.REFACTOR: "refactor, refactoring, cleanup",
        Purpose.CHORE: "chore, misc, style, mypy, typing, lint",
        Purpose.REVERT: "revert",
    }.items()
    for word in words.split(", ")
}
"""What authors write in a prefix, a bracket tag or a label, in lower case."""
DECLARED_OBJECT: Mapping[str, ChangeObject] = {
    word: object_
    for object_, words in {
        ChangeObject.DOCS: "doc, docs, documentation, doc fix, readme",
        ChangeObject.TEST: "test, tests",
        ChangeObject.CI: "ci",
        ChangeObject.BUILD: "build, docker",
        ChangeObject.DEPENDENCY: "deps, dependencies",
        ChangeObject.BENCHMARK: "bench, benchmark",
        ChangeObject.EXAMPLE: "example, examples",
    }.items()
    for word in words.split(", ")
}
_NUMBERED = re.compile(r"(?<=[a-z])[ #]?\d{1,2}$")
"""What counts the parts of one piece of work behind its tag: `[bug2]`, `[Fix 1/3]`."""
WEAK_TAGS = frozenset({"model", "models", "misc", "enhancement"})
"""Words that say where a change belongs more than why it was made: a clear verb wins."""

BUMP = re.compile(
    r"^(?:\w{1,12}(?:\([^)]{0,40}\))?: *)?(?:bump|update) (?:the )?\S{1,100}"
    r"(?: requirement)? from \S|^(?:\w{1,12}(?:\([^)]{0,40}\))?: *)?bump the \S{1,60} group|"
    r"^lock file maintenance$",
    re.IGNORECASE,
)
"""Titles as dependency bots write them.

https://docs.github.com/en/code-security/dependabot/dependabot-version-updates
"""
TURNS_OFF = re.compile(
    r"^(?:disabl(?:e[sd]?|ing)|(?:switch|turn)(?:ed|es|s)? off|"
    r"drop(?:s|ped)?(?!-in| (?:extra|redundant|unnecessary|unneeded)))\b",
    re.IGNORECASE,
)
"""How a title begins that takes something from its users: it is neither new nor faster."""
_CLEAR = r"actionable|clearer|descriptive|friendl(?:y|ier)|helpful|informative"
_ERROR = r"(?:[\w-]+ ){0,2}(?:error|exception)"
_WORDS = r"(?: messages?\b|s?\b(?! (?:check|handl|log|propag|recover|report)))"
CLEARER = re.compile(
    r"^(?:\w{1,12}: )?(?:"
    rf"(?:(?:add|emit|give|more|raise|show) ){{1,3}}(?:{_CLEAR}|better|clear|improved) "
    rf"{_ERROR}{_WORDS}|(?:{_CLEAR}) {_ERROR}{_WORDS}|"
    rf"(?:better|improved?) {_ERROR}(?: (?:messages?|report(?:s|ing)?|texts?)\b|"
    r"s?(?= (?:if|when)\b| *$))|"
    rf"clear {_ERROR} messages?(?= for\b| *$)|"
    r"(?:better|clarify|clearer|improved?) (?:[\w-]+ ){0,2}diagnostics?"
    r"(?= (?:about|for|if|in|of|on|when)\b| *$))",
    re.IGNORECASE,
)
"""A title of an error that is worded anew: who ran into it still does.

To *clear* an error is to forget it, and an error may be a number that gets better.
"""
LINTS = re.compile(
    r"^(?:add|appl(?:y|ied)|bump|enabl|fix|format|more|run|set ?-?up|sync|updat)\w*\b.{0,60}?\b"
    r"(?:mypy|pyright|ruff|flake8|pylint|isort|clang-(?:format|tidy)|pre-commit)\b",
    re.IGNORECASE,
)
"""A title of what only who works on the project runs over its code."""
_CUES: tuple[tuple[Purpose, int, re.Pattern[str]], ...] = tuple(
    (purpose, weight, re.compile(pattern, re.IGNORECASE))
    for purpose, weight, pattern in (
        (Purpose.FIX, 6, r"^(?:hot)?fix(?:e[sd]|ing)?\b|^修复|^解决|^修正"),
        (
            Purpose.FIX,
            4,
            r"\b(?:bug ?fix|(?<!for )fix(?:e[sd])?|bugs?|hotfix|(?<!remove )workaround)\b|修复",
        ),
        (
            Purpose.FIX,
            3,
            r"\b(?:crash\w*|hangs?|deadlock\w*|race|leaks?|oom|nan|illegal|wrong\w*|incorrect\w*|"
            r"broken|regression|failures?|failing|invalid|mismatch|missing|overflow|out[- ]of[- ]"
            r"(?:bounds|memory)|corrupt\w*|guard|(?<!, )errors?(?!,)|stale|segfault|"
            r"flaky)\b|错误|崩溃",
        ),
        (
            Purpose.FIX,
            4,
            r"^(?:avoid|prevent|handle|correct|ensure|make sure|restore|stop|don'?t|do not|guard|"
            r"resolve|patch|answer|respect|honou?r)\b|^return (?:an? )?(?:http )?4\d\d\b",
        ),
        # What is avoided so that code is tidier or faster was no fault.
        (
            Purpose.REFACTOR,
            6,
            r"^(?:avoid|stop|let)\b.*\b(?:coupl\w+|fields?|implicit\w*|in place|scattered|"
            r"semantics|side channel|unused)\b",
        ),
        (
            Purpose.PERFORMANCE,
            6,
            r"^(?:avoid|stop|don'?t|do not)\b.*\b(?:extra|launch overhead|needless|"
            r"re-?comp(?:il|ut)\w+|redundant\w*|repeated\w*|unnecessary|unneeded|"
            r"(?:CPU|GPU|CUDA|D2H|H2D|device|host)\b.{0,8}\bsync\w*)\b",
        ),
        (
            Purpose.PERFORMANCE,
            6,
            r"^drop(?:s|ped)? (?:extra|redundant|unnecessary|unneeded)\b.*"
            r"\b(?:cop(?:y|ies)|faster|sync\w*)\b",
        ),
        (Purpose.PERFORMANCE, 5, r"^(?:optimi[sz]e|speed ?up|accelerate|tune|fuse|reduce)\b|^优化"),
        (
            Purpose.PERFORMANCE,
            4,
            r"\b(?:optimi[sz]\w*|perf|performance|speed(?:s|ing)?[- ]?ups?|faster|latency|"
            r"throughput|overhead|tun(?:e|ed|ing)|fus(?:e|ed|ion)|accelerat\w*|autotun\w*)\b|优化|加速",
        ),
        (
            Purpose.FEATURE,
            5,
            r"^(?:add(?:s|ed|ing)?|supports?|enable|implement|introduce|allow|expose|integrate|"
            r"initial|new|upstream|port|publish|return|accept)\b|^(?:支持|新增|增加|添加|实现)",
        ),
        (
            Purpose.FEATURE,
            2,
            r"\b(?:add(?:s|ed)?|support(?:s|ed)?|enabl\w+|implement\w*|new|introduc\w+|allow\w*|"
            r"can be|integrat\w+)\b|支持",
        ),
        (
            Purpose.REFACTOR,
            5,
            r"^(?:refactor|clean\s?-?up|rename|move|simplify|remove|delete|unify|restructure|split|"
            r"extract|migrate|rewrite|consolidate|deprecate|drop(?!-in)|replace|reorgani[sz]e|tidy|inline|"
            r"rework|decouple|switch)\b|^重构|^移除|^删除",
        ),
        (Purpose.REFACTOR, 4, r"\brefactor\w*|\bclean\s?-?up\b|\bdead code\b|重构"),
        (
            Purpose.CHORE,
            5,
            r"^(?:bump|update|upgrade|pin|unpin|release|prepare|sync|format|lint|typo|nit|sort|"
            r"ignore|require|build)\b|^升级|^更新",
        ),
        (
            Purpose.CHORE,
            8,
            r"^(?:add|enable|fix|more)\b.*\btype (?:hints?|annotations?)\b",
        ),
        (
            Purpose.CHORE,
            8,
            r"^(?:add(?:s|ed|ing)?|improv(?:e[sd]?|ing)|enhanc(?:e[sd]?|ing)|more)"
            r"(?: (?:an?|some|more|extra|minor|missing|debug|info|warning|clarif\w{1,6})){0,3}"
            r" (?:logs?|logging|log(?:ging)? (?:lines?|messages?|statements?)|comments?|"
            r"docstrings?)"
            r"(?= *(?:[.,:;(#]|$)| (?:about|after|and|around|at|before|for|from|if|in|of|on|that|"
            r"to|when|where|while|with)\b)"
            r"(?!.*(?:--|\b(?:api|endpoint|file|flag|level|option|format)s?\b))",
        ),
        (Purpose.CHORE, 8, LINTS.pattern),
        (Purpose.CHORE, 8, CLEARER.pattern),
        (Purpose.CHORE, 3, r"\b(?:typos?|version|codeowners?|pre-commit|license|bump|changelog)\b"),
    )
)
_BODY_CUES: tuple[tuple[Purpose, re.Pattern[str]], ...] = (
    (
        Purpose.FIX,
        re.compile(
            r"\b(?:fix(?:es|ed)?|bug|crash\w*|regression|incorrect\w*|root cause|fails?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        Purpose.PERFORMANCE,
        re.compile(r"\b(?:speed-?up|faster|latency|throughput|tflops|overhead)\b", re.IGNORECASE),
    ),
    (Purpose.FEATURE, re.compile(r"\b(?:adds?|support(?:s|ed)?|enables?|new)\b", re.IGNORECASE)),
    (Purpose.REFACTOR, re.compile(r"\b(?:refactor\w*|no functional change|cleanup)\b", re.I)),
)
BODY_HEAD = 600
"""Characters of a description that say what a change is; further down it tells of tests."""
_ISSUE_KINDS: tuple[tuple[Purpose, re.Pattern[str]], ...] = (
    (Purpose.BUG_REPORT, re.compile(r"^(?:type:? ?)?bug\b|^regression", re.I)),
    (Purpose.RFC, re.compile(r"^rfc\b|^roadmap|^proposal", re.I)),
    (Purpose.REQUEST, re.compile(r"^(?:feature|enhancement|new model|request|feat)\b", re.I)),
    (Purpose.QUESTION, re.compile(r"^(?:question|usage|help|support|doc)", re.I)),
)
_ISSUE_WORDS: tuple[tuple[Purpose, re.Pattern[str]], ...] = (
    (Purpose.RFC, re.compile(r"\brfc\b|\broadmap\b|\bproposal\b|\btracking\b", re.I)),
    (
        Purpose.QUESTION,
        re.compile(r"\bhow (?:to|do|can)\b|\?\s*$|^question|^is (?:it|there)", re.I),
    ),
    (
        Purpose.BUG_REPORT,
        re.compile(
            r"\b(?:bug|crash\w*|error|fail\w*|hang\w*|wrong|broken|regression|oom|out of memory|"
            r"exception|incorrect|not work\w*|does not|doesn't|cannot|can't|slow\w*|leak\w*|nan|"
            r"nonsense|garbage|swaps?|illegal)\b|错误|失败|崩溃",
            re.I,
        ),
    ),
    (
        Purpose.REQUEST,
        re.compile(r"\b(?:support|add|feature|request|allow|implement)\b|希望|支持", re.I),
    ),
)


REMEMBERED = 1_024
"""Titles kept as read, at most `TITLE_READ` characters each: a dozen rules ask what one says."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What a title states by prefix or tag; `weak` where a tag may say only where it belongs."""

    purpose: Purpose | None
    weak: bool
    object: ChangeObject | None
    breaking: bool


def declared(title: str) -> Declared:
    """Read the prefix and the opening tags of a title."""
    return _declared(title[:TITLE_READ])


@lru_cache(maxsize=REMEMBERED)
def _declared(head: str) -> Declared:
    words: list[str] = []
    prefix = PREFIX.match(head)
    if prefix:
        words.append(prefix.group(1))
    opening = OPENING_TAGS.match(head)
    if opening:
        words.extend(
            part.strip() for tag in TAG.findall(opening.group()) for part in tag.split("/")
        )
        words.extend(after.group(1) for after in [PREFIX.match(head[opening.end() :])] if after)
    lowered = [_NUMBERED.sub("", word.lower()) for word in words]
    purposes = [DECLARED[word] for word in lowered if word in DECLARED and word not in WEAK_TAGS]
    weak = [DECLARED[word] for word in lowered if word in WEAK_TAGS]
    objects = [DECLARED_OBJECT[word] for word in lowered if word in DECLARED_OBJECT]
    breaking = bool(prefix and prefix.group(4)) or "breaking" in lowered
    return Declared(
        purpose=next(iter([*purposes, *weak]), None),
        weak=not purposes,
        object=next(iter(objects), None),
        breaking=breaking,
    )


_DASH = re.compile(r"^\s*[-–—:•]+\s+")
"""What parts a tag from the words of a title; a flag that begins it (`--port`) is none."""


def bare(title: str) -> str:
    """The title without prefix and opening tags, at most `TITLE_READ` characters."""
    return _bare(title[:TITLE_READ])


@lru_cache(maxsize=REMEMBERED)
def _bare(head: str) -> str:
    opening = OPENING_TAGS.match(head)
    rest = head[opening.end() :] if opening else head
    prefix = PREFIX.match(rest)
    if prefix and prefix.group(1).lower() in (DECLARED.keys() | DECLARED_OBJECT.keys()):
        rest = rest[prefix.end() :]
    return _DASH.sub("", rest).strip()


def is_release(item: Item) -> bool:
    """Tell whether a change makes a version of its own repository, by its title."""
    match = RELEASE.match(bare(item.title))
    name = (match.group("name") or "") if match else ""
    return match is not None and name.lower() in {
        "",
        "version",
        "release",
        "versions",
        item.repo.name.lower(),
    }


def purpose(item: Item) -> tuple[Purpose, bool]:
    """Tell why a change was made, or what kind an issue is, and whether that is a guess."""
    if item.kind is Kind.RELEASE:
        return Purpose.RELEASE, False
    if item.kind is Kind.ISSUE:
        return _issue_kind(item)
    title = item.title[:TITLE_READ]
    if RELAND.match(title):
        return guess(bare(title.partition(":")[2] or title), item)[0], True
    if REVERT.match(title) or item.body.lstrip()[:20].lower().startswith("this reverts commit"):
        return Purpose.REVERT, False
    if is_release(item):
        return Purpose.RELEASE, False
    stated = declared(title)
    if stated.purpose is Purpose.CHORE and _MENDS_AS_CHORE.match(title) and _runs_anew(item):
        return Purpose.FIX, True
    if stated.purpose is not None and not stated.weak:
        return stated.purpose, False
    guessed, sure = guess(bare(title), item)
    if sure and (stated.purpose or stated.object):
        return guessed, True
    if stated.purpose or stated.object:
        return stated.purpose or Purpose.CHORE, False
    labelled = [DECLARED[label.lower()] for label in item.labels if label.lower() in DECLARED]
    if labelled:
        return labelled[0], False
    return guessed, True


def guess(title: str, item: Item) -> tuple[Purpose, bool]:
    """Guess a purpose from the words of a bare title, the body's beginning, and the files.

    The flag tells whether the title's own words were clear.
    """
    points: Counter[Purpose] = Counter()
    is_less = TURNS_OFF.match(title) is not None
    for purpose_, weight, cue in _CUES:
        if is_less and purpose_ in (Purpose.FEATURE, Purpose.PERFORMANCE):
            continue
        if cue.search(title):
            points[purpose_] += weight
    sure = bool(points) and max(points.values()) >= 3
    head = written(item.body[: BODY_HEAD * 4])[:BODY_HEAD]
    said = [entry for _, entry in added_entries(item)]
    said += [line.strip() for line in head.split("\n") if line[:1].isalpha()][:1]
    for entry in said:
        for purpose_, _, cue in _CUES:
            points[purpose_] += 2 * bool(cue.match(entry))
    for purpose_, cue in _BODY_CUES:
        points[purpose_] += min(2, len(cue.findall(head)))
    if not any(points.values()):
        return Purpose.OTHER, False
    if item.files:
        _weigh_files(points, item.files)
    best = max(points.values())
    return next(one for one in ORDER if points[one] == best), sure


_MENDS_AS_CHORE = re.compile(
    r"(?:\[[^\]]{1,60}\] ?){0,3}(?:\[chore\]|chore(?:\([^)]{1,40}\))?:) *fix(?:e[sd])?\b"
    r"(?!.*\b(?:lint\w*|mypy|pre-commit|spelling|tests?|typ(?:e|es|ing|os?)|warnings?)\b)",
    re.IGNORECASE,
)
"""A title that calls a chore what it says to mend."""


def _runs_anew(item: Item) -> bool:
    """Tell whether anything that runs does something else after a change."""
    return any(
        role(file.path) in RUNTIME and not is_without_effect(file) for file in item.files or ()
    )


ORDER = (
    Purpose.FIX,
    Purpose.FEATURE,
    Purpose.PERFORMANCE,
    Purpose.REFACTOR,
    Purpose.CHORE,
)
"""Which purpose is believed where two are as likely: the commoner one."""


def _weigh_files(points: Counter[Purpose], files: Iterable[FileChange]) -> None:
    added = sum(file.additions for file in files)
    deleted = sum(file.deletions for file in files)
    runtime = [file for file in files if role(file.path) in RUNTIME]
    if any(file.status == "added" and file.additions > 30 for file in runtime):
        points[Purpose.FEATURE] += 2
    if runtime and added + deleted <= 30:
        points[Purpose.FIX] += 1
    if deleted > 2 * added + 20:
        points[Purpose.REFACTOR] += 2


def _issue_kind(item: Item) -> tuple[Purpose, bool]:
    marks = [*item.labels, *TAG.findall(item.title[:200]), item.title[:40]]
    for kind, pattern in _ISSUE_KINDS:
        if any(pattern.search(mark.strip()) for mark in marks):
            return kind, False
    for kind, pattern in _ISSUE_WORDS:
        if pattern.search(item.title[:TITLE_READ].strip()):
            return kind, True
    return Purpose.OTHER, True


CI_WORDS = re.compile(
    r"\b(?:ci|ci/cd|jenkins\w*|github actions?|workflows?|pre-commit|codeowners?|nightly|"
    r"(?<!model[ -])(?<!moe[ -])(?<!graph[ -])(?<!eager[ -])runners?)\b",
    re.IGNORECASE,
)
"""A runner is a machine of CI, save for those of inference engines: `[Model Runner V2]`."""
DOCS_WORDS = re.compile(
    r"\b(?:doc-?strings?|docs?|documentation|readme|typos? in comments?)\b|文档",
    re.IGNORECASE,
)
TYPO = re.compile(
    r"\btypos?\b|\bspelling\b|\bwording\b|\bcomments?\b|\bduplicated? words?\b|错别字|注释",
    re.IGNORECASE,
)
_DOC_STRINGS = re.compile(
    r"^(?:add|fix|improve|update)\w* (?:missing |some |the |more )?doc-?strings?\b", re.IGNORECASE
)
"""Such a change is as long as the doc strings are."""
DOCS_LINES = 400
"""Four times the most lines of the runtime that a change of its doc strings may touch."""


BESIDE_CI = 20
"""How many times the lines of the runtime a change that its title calls CI's has in all."""
_PINS = re.compile(r"(?:^|/)requirements?\b[/\w.-]*\.(?:txt|in)$")
"""Files of what pip installs."""
_TESTS_NAMED = re.compile(r"\btests?\b", re.IGNORECASE)


def touched(item: Item) -> ChangeObject:
    """Tell what a change touches: the runtime if it does at all, else what most lines are in.

    Without a list of files the title's own word decides.
    """
    if not item.kind.is_change:
        return ChangeObject.OTHER
    if not item.files:
        return _object_by_title(item)
    lines: Counter[ChangeObject] = Counter()
    for file in _effective(item.files):
        lines[role(file.path)] += file.additions + file.deletions + 1
    runtime = lines[ChangeObject.SOURCE] + lines[ChangeObject.KERNEL]
    is_small = 4 * runtime <= DOCS_LINES or bool(_DOC_STRINGS.search(bare(item.title)))
    # Who gives a module another name changes what is imported, whatever else is cleaned up.
    is_small &= not any(one.status == "renamed" and role(one.path) in RUNTIME for one in item.files)
    # A page that no file of the change is says what the code is for.
    is_aside = "readme" in item.title.lower() and not lines[ChangeObject.DOCS]
    if runtime and is_small and not is_aside and _is_of_docs(item.title):
        return ChangeObject.DOCS
    lints = LINTS.match(bare(item.title)) is not None
    is_of_ci = lints or CI_WORDS.search(item.title[:TITLE_READ]) is not None
    if runtime and not (lints or (is_of_ci and BESIDE_CI * runtime <= lines.total())):
        kernel = 2 * lines[ChangeObject.KERNEL] >= runtime
        return ChangeObject.KERNEL if kernel else ChangeObject.SOURCE
    if is_of_ci:
        return ChangeObject.CI
    # The tests of what it is built from now are beside the point, but in a change about tests;
    # what tests and CI install with it always is.
    is_of_tests = _TESTS_NAMED.search(item.title[:TITLE_READ]) is not None
    beside = sum(
        file.additions + file.deletions + 1
        for file in item.files
        if (role(file.path) is ChangeObject.TEST and not is_of_tests)
        or (role(file.path) in (ChangeObject.TEST, ChangeObject.CI) and _PINS.search(file.path))
    )
    for supply in (ChangeObject.DEPENDENCY, ChangeObject.BUILD):
        if lines[supply] and 4 * lines[supply] >= lines.total() - beside:
            return supply
    most = max(lines, key=lambda one: (lines[one], one.value))
    # What makes or checks pages is as long as they are.
    is_docs = most is ChangeObject.CI and lines[ChangeObject.DOCS] and _is_of_docs(item.title)
    return ChangeObject.DOCS if is_docs else most


def _effective(files: Sequence[FileChange]) -> Sequence[FileChange]:
    """Return the files of a change without those that run as before, all where no other is left."""
    runs = [file for file in files if role(file.path) in RUNTIME]
    if len(runs) == len(files):
        return files
    idle = {file.path for file in runs if is_without_effect(file)}
    return [file for file in files if file.path not in idle]


def _is_of_docs(title: str) -> bool:
    """Whether a title is of documentation: by its words, or by its tag where it mends words."""
    rest = bare(title)
    typo = declared(title).object is ChangeObject.DOCS and TYPO.search(rest)
    return bool(typo or DOCS_WORDS.search(rest))


def _object_by_title(item: Item) -> ChangeObject:
    stated = declared(item.title).object
    if stated is not None:
        return stated
    if BUMP.match(item.title[:TITLE_READ]):
        return ChangeObject.DEPENDENCY
    for label in item.labels:
        if label.lower() in DECLARED_OBJECT:
            return DECLARED_OBJECT[label.lower()]
    return ChangeObject.OTHER


_FRAGMENT = re.compile(
    r"(?:^|/)(?:changelog\.d|changelogs|newsfragments|\.changes)/[\w.+-]+\.(?:md|rst|txt)$",
    re.IGNORECASE,
)
"""A file of one entry, as towncrier and scriv ask for: https://towncrier.readthedocs.io."""
_BULLET = re.compile(r"\s{0,4}[-*+] (\S.*)$")
_MORE = re.compile(r"\s{1,8}(\S.*)$")
MOST_ENTRIES = 3
"""More entries are the changelog of a release, not of this change."""
MOST_CHANGELOG_LINES = 4_000
LONGEST_ENTRY = 2_000
"""Characters from which an entry is read no further; a longer line is data, and left out."""


def added_entries(item: Item) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each entry that a change adds, its lines joined by a space.

    Nothing is given of a file to which more than `MOST_ENTRIES` are added.
    """
    for file in item.files or ():
        if not file.patch or not (CHANGELOG.search(file.path) or _FRAGMENT.search(file.path)):
            continue
        entries: list[str] = []
        is_open = False
        for line in file.patch.split("\n")[:MOST_CHANGELOG_LINES]:
            is_added = line[:1] == "+" and line[:3] != "+++" and len(line) <= LONGEST_ENTRY
            text = line[1:] if is_added else ""
            if bullet := _BULLET.match(text):
                entries.append(bullet.group(1).strip())
            elif is_open and (more := _MORE.match(text)):
                entries[-1] = f"{entries[-1]} {more.group(1).strip()}"
            is_open = bool(entries) and bool(text.strip()) and len(entries[-1]) < LONGEST_ENTRY
        if len(entries) <= MOST_ENTRIES:
            yield from ((file.path, entry) for entry in entries)


SYNC = re.compile(
    r"^merge (?:remote-tracking )?branch |^merge (?:upstream|main|master)\b|^sync (?:with|from) ",
    re.IGNORECASE,
)
STYLE = re.compile(
    r"^(?:style(?:\([^)]{0,40}\))?:|\[(?:style|format|lint|typo|nits?)\]|"
    r"(?:lint|typos?|nits?)\b|(?:auto[- ]?)?format(?:ting)?(?: code| files?| all)?\s{0,3}$|"
    r"sort imports?\b|run (?:pre-commit|linter|formatter)|"
    r"fix(?:es|ed)? (?:an? |some |the |more )?(?:(?:minor|small|tiny) )?"
    r"(?:lint|typos?(?! (?!in\b|on\b|of\b|at\b|across\b|and\b)[a-z]+ )|format(?:ting)?|"
    r"pre-?commit|spelling)\b|"
    r"apply (?:pre-commit|format))|typos? in (?:a )?comments?|^\[?pre-commit",
    re.IGNORECASE,
)
_TYPED = re.compile(r"\b(?:api|env\w*|flag|import|module|option|package) names?\b", re.IGNORECASE)
"""What somebody types, and has to find spelled right."""
STYLE_LINES = 40
"""Changed lines up to which a title about style is believed."""

_BY_OBJECT = {
    ChangeObject.DOCS: Noise.DOCS,
    ChangeObject.CI: Noise.CI,
    ChangeObject.TEST: Noise.TESTS,
}


def noise(item: Item, object_: ChangeObject) -> Noise | None:
    """Tell why a change is noise, or None where it is worth its own line.

    Issues and releases never are. A change that someone chose (a submodule moved by hand) is
    not noise either, only what a bot or a bot's words brought.
    """
    if not item.kind.is_change:
        return None
    title = bare_title(item.title)[:TITLE_READ]
    if item.author_is_bot:
        return Noise.BOT
    if SYNC.match(title) or (item.kind is Kind.COMMIT and len(item.parents) > 1):
        return Noise.SYNC
    if item.files == () and not item.detail_missing and not item.additions + item.deletions:
        return Noise.EMPTY  # whatever its title says
    if BUMP.match(title) and object_ in (ChangeObject.DEPENDENCY, ChangeObject.BUILD):
        return Noise.DEPENDENCY
    if object_ in _BY_OBJECT:
        return _BY_OBJECT[object_]
    text = bare(title) if declared(title).purpose is Purpose.CHORE else title
    is_style = (STYLE.search(title) or STYLE.search(text)) and not _TYPED.search(title)
    if is_style and item.additions + item.deletions <= STYLE_LINES:
        return Noise.STYLE
    return _of_nothing_that_runs(item.files) if item.files else None


def _of_nothing_that_runs(files: Sequence[FileChange]) -> Noise | None:
    """Return what upkeep a change is of which only comments and white space are in what runs."""
    beside = [file for file in files if role(file.path) in _BY_OBJECT]
    product = [file for file in files if role(file.path) not in _BY_OBJECT]
    if not all(map(is_without_effect, product)):
        return None
    lines: Counter[Noise] = Counter()
    for file in beside:
        if role(file.path) is not ChangeObject.DOCS and not is_without_effect(file):
            lines[_BY_OBJECT[role(file.path)]] += file.additions + file.deletions
    if lines:
        return max(lines, key=lambda one: (lines[one], one.value))
    return Noise.DOCS if all(map(is_of_comments, product)) else Noise.STYLE
