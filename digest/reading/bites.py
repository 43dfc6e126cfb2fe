"""Whom a fixed fault could have bitten, and what they saw.

A symptom is a claim: it stands where the title, the description or the title of an issue that the
change closes says it. It is inferred, and marked so, of what the comments and tests of a fix say of
what was wrong before it, of a fix of nothing but what answers clients, and of a title that names
what mostly shows so. Any other fix is `broken`. What changes only tests, CI or documentation bites
nobody.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.facts import Evidence, Fact, FactChange, FactKind, Symptom
from digest.grades import ChangeObject, Purpose
from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.change import CLEARER, TURNS_OFF, bare, declared
from digest.reading.description import TITLE_READ
from digest.reading.hindsight import hindsight
from digest.reading.passages import PassageKind, passages
from digest.reading.patch import hunks
from digest.reading.paths import RUNTIME, UNREAD, role
from digest.reading.relations import closed_issues
from digest.reading.sentence import split_sentences
from digest.reading.symptoms import is_of_tests, issue_symptom, symptom_of
from digest.reading.whom import NVIDIA, VENDOR, conditions, hardware_of, whom

_FIXES = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bug ?fix|hot-?fix|bugs?|repair\w*|correct(?:s|ed|ly)?|prevent\w*|avoid"
    r"(?:s|ed|ing)?|guard|resolve[sd]?|restor\w+|recover|workaround|harden|handle)\b|修复|解决|修正",
    re.IGNORECASE,
)
_CALLED_FIX = re.compile(r"\b(?:bug ?)?fix(?:e[sd])?\b|\bbugs?\b", re.IGNORECASE)
"""What alone makes a fix of a change that its author calls a refactoring or faster."""
_TESTS = re.compile(
    r"\b(?:flaky|(?<!-)ci|unit ?tests?|tests?|pytest|mock\w*|fixtures?|nightly|benchmarks?|lint|"
    r"docs?|docstring|typos? in|readme|example)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(r"^(?:add|support|enable)\b", re.IGNORECASE)
"""A title of what was not there before."""
_CI_TAG = re.compile(r"\[CI(?:/Build)?\]", re.IGNORECASE)
"""Where a fault was seen, beside a tag that says that it is one."""
_UNSEEN = re.compile(
    r"\b(?:mypy|pylint|ruff|lint(?:er|ing|s)?|typing|type (?:hint|annotation)s?(?! is\b)|"
    r"docstrings?|typos? in (?:\w+ )?(?:comments?|docs?\w*)|"
    r"fix(?:e[sd]|ing)? (?:[\w-]+ ){0,4}comments?$)\b",
    re.IGNORECASE,
)
"""A title of what is written about code: nobody runs into that."""
_CLEARLY = re.compile(
    r"\bwith an? (?:actionable|better|clear(?:er)?|descriptive|friendl(?:y|ier)|helpful|"
    r"informative) (?:[\w-]+ )?(?:errors?|messages?)\b",
    re.IGNORECASE,
)
"""Words of a title on what was refused before, and is now in other words."""
_OFF_FOR = re.compile(r"\b(?:because of|due to)\b", re.IGNORECASE)
_ANSWERING = re.compile(
    r"(?:tool_?pars\w*|function_?call\w*|reasoning_?pars\w*|reasoning)/|"
    r"entrypoints/(?:openai|anthropic|serve)/|(?:^|[/_])harmony\w*\.py$|chat_?template",
    re.IGNORECASE,
)
"""Files that make the answers of an API."""
_OF_MAKING = re.compile(
    r"\b(?:arrival|cancel\w*|clock|error messages?|latency|log(?:s|ging)?|metrics?|routing|"
    r"tokeni[sz]ers?|TTFT|\w*warnings?)\b|\b__init__\b",
    re.IGNORECASE,
)
"""Words of a title on how an answer is made, by whom, or what is written down of it."""
_ON_DEVICE = r"\b(?:(?<!multi-)GPU|CUDA|kernel|smem|shared-memory|warp|CTA|KV)\b"
_LIKELY = (
    (
        Symptom.WRONG_OUTPUT,
        re.compile(
            rf"{_ON_DEVICE}.{{0,60}}\brac(?:e|es|ing)\b|\brac(?:e|es|ing)\b.{{0,60}}{_ON_DEVICE}|"
            r"^(?!.*\b(?:overflow|shapes?|load\w*|None|null|tests?|dtypes?|assert\w*|compil(?:ation|er)|"
            r"warnings?|memory errors?|L2)\b).*(?:"
            r"\b(?:scal(?:es?|ing)|strides?|swizzl\w+) (?:application|calculation|handling|"
            r"index\w*|mismatch|rounding|scale|selection)\b|"
            r"\b(?:correct\w*|permut\w*|proper|right|wrong) (?:[\w-]+ ){0,2}"
            r"(?:scal(?:es?|ing)|strides?)\b|\bfix\w* (?:[\w/.-]+ ){0,3}(?:strides?|swizzl\w+)\b|"
            r"\b(?:incorrect|wrong) (?:[\w-]+ ){0,2}"
            r"(?:calculation|index|indexing|offsets?|slicing)\b|"
            r"\b(?:double-transpose|attn_mask|re-?scal(?:e|es|ing)|swiglu[-_ ]limits?)\b)",
            re.IGNORECASE,
        ),
    ),
    (
        Symptom.CANNOT_START,
        re.compile(
            # What goes wrong while something loads may be anything.
            r"^(?!.*\b(?:after|during|while) (?:[\w-]{1,30} ){0,4}load).*(?:"
            r"\b(?:weights?|models?|checkpoint|processor|tokenizer)(?: \w+)? load(?:ing)?\b|"
            r"\bfix(?:e[sd])? loading\b|\bloading *$)|"
            r"\bfix\w* (?:the )?(?:[\w./-]+ ){0,4}?imports?"
            r"(?= (?:for|of|when|in|on|with)\b|[;,]|$)|"
            r"\bquant_(?:config|method)\b|"
            r"\b(?:for|with|to|updated) transformers(?: v?\d[\w.]*| updates?|$)",
            re.IGNORECASE,
        ),
    ),
    (
        Symptom.CRASH,
        re.compile(
            r"\b(?:[Gg]uard|[Hh]andle|unpack)\w*\b.{0,40}\bNone\b|"
            r"\b(?:if|when)\b.{0,40}\bis (?:not )?`?None\b|\bassert\b.{0,60}\bNone\b|"
            r"\b[Ff]ix\w* (?:[\w/.`-]+ ){0,5}(?:signatures?|positional|kwargs?|reshape)"
            r"(?= (?:bug|call|check\w*|for|in|mismatch|on|typo|validation|when|with)\b|[.,;:]| *$)|"
            r"\b(?:u?int(?:32|64)|[Ii]ndex|[Aa]ddress|[Oo]ffset|[Bb]uffer) overflow\b|"
            r"\bOOB\b(?! tokens?\b)|"
            r"\b(?:missing|unexpected) (?:[\w`']+ )?"
            r"(?:arg(?:ument)?s?|kwargs?|param(?:eter)?s?|attributes?|methods?|imports?)\b"
        ),
    ),
)
"""What a fix names as its cause, and what people mostly saw of it."""
_ASIDE = re.compile(
    r"\b(?:tests?|testing|tested|validat\w+|verif\w+|benchmark\w*|profiling|limitations?|caveats?|"
    r"alternatives?|risks?|follow-?ups?|future work|to-?dos?|out of scope|checklist|notes?|"
    r"relation(?:ship)?s? (?:to|with))\b|测试|验证",
    re.IGNORECASE,
)
"""A heading of what was tried, of what a change does not mend, or of other changes."""
_UNSURE = re.compile(
    rf"{_TESTS.pattern}|^\W*(?:notes?|caveats?|warnings?|be aware|limitations?)\b|"
    r"\b(?:known (?:limitation|issue)s?|alternatives?|follow-?ups?|out of scope|unrelated|"
    r"separate (?:PRs?|issues?|fix|change)|not (?:yet )?(?:addressed|fixed|covered|solved)|"
    r"remains? (?:open|broken|unfixed)|(?:will|to) be (?:addressed|fixed|handled|solved)|"
    r"re-?(?:applies|lands)\b|falls? ?back|only raises?|appears? to hang|"
    r"correctly (?:rejected|refused)|"
    r"(?:my|an|our) (?:first|initial|earlier|previous) (?:version|attempt|approach|try|draft))\b|"
    r"\braises?\b.{1,20}\b(?:Value|Type|NotImplemented)Error\b.{1,40}\b(?:if|unless)\b|"
    r"\b(?:actionable|clear|clean|descriptive|explicit|helpful) (?:\w+ )?(?:errors?|message)",
    re.IGNORECASE,
)
"""Words of a sentence on tests, what stays or is refused, what is done about it, or another one."""
_FAILS = re.compile(
    r"\bfail(?:s|ed)? (?:with|at)\b|\bcaus(?:es|ed|ing) .{1,60} to fail\b(?! to\b)|"
    r"\b(?:was|were) failing\b|\brejects? valid\b|\b(?:raise[sd]|throws?|threw) [`\"']|"
    r"\b(?:engine|server|worker|process|model|inference|service) (?:aborts|fails|dies|exits)\b|"
    r"\b(?:result(?:s|ing|ed)? in|caus(?:es?|ed|ing)|lead(?:s|ing)? to|led to|trigger\w*) "
    r"(?:an? |some |the )?(?!numeric|round|quanti|accura|precision|relative|build|compil|lint|typ)"
    r"(?:[\w-]+ ){0,2}?errors?\b|"
    r"(?<!\bno )\berrors? (?:is|are|was|were) (?:reported|raised|thrown)\b",
    re.IGNORECASE,
)
"""Words of a fix's description that say that something failed, and not how."""
_MISMATCH = re.compile(r"\b(?:shape|dims?|dimension|dtype|device|type) mismatch\w*\b", re.I)
"""What a title mostly names because something crashed on it: what is read so is only wrong."""
_STOPS = (Symptom.CRASH, Symptom.CANNOT_START, Symptom.BUILD_FAILS, Symptom.HANG)
_SUPPOSED = re.compile(r"\b(?:could|might|may|would)\b", re.IGNORECASE)
"""Words of what nobody saw: with them only a symptom that is named is one."""
_SQUASHED = re.compile(r"\* [^\n]+(?:\n(?!\* )[^\n]+)*(?:\n{2,3}\* [^\n]+(?:\n(?!\* )[^\n]+)*)+")
"""The titles of a branch's own commits, as GitHub lists them: what one broke, a later one mended.

https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges
"""
_TEST_OUTPUT = re.compile(r"\bpytest\b|\btest session\b|^(?:FAILED|E {2,})", re.MULTILINE)
_IGNORED = re.compile(r"\bException ignored in\b")
"""What Python prints of an error in a destructor, which nothing else sees."""
_PRINTED = re.compile(
    r"^(?![-+ \t]*(?:raise|except|#|//|assert)\b).{0,160}?(?<![\w`\"'(])"
    r"(?:\w+\.){0,4}[A-Z]\w*(?:Error|Exception): .{1,200}|^.{0,160}\(\d+\): error: .{1,200}",
    re.MULTILINE,
)
"""Lines of output that end a run: an exception with its message, an error of a compiler."""
_QUOTE = 300
_BITING = frozenset(
    {
        *(Purpose.FIX, Purpose.FEATURE, Purpose.PERFORMANCE),
        *(Purpose.OTHER, Purpose.REFACTOR, Purpose.CHORE),
    }
)
_BESIDE = (Purpose.FEATURE, Purpose.PERFORMANCE, Purpose.OTHER)
"""Purposes of changes that may mend a fault beside what they are for."""
_NO_REPORT = (Purpose.RFC, Purpose.REQUEST, Purpose.QUESTION)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A symptom that a text states, with the words that do."""

    symptom: Symptom
    evidence: Evidence
    inferred: bool = False


def bites(
    item: Item, purpose: Purpose, object_: ChangeObject, closed: Sequence[Item] = ()
) -> tuple[Fact, ...]:
    """Return the bite of one change, or nothing where it mends nothing that people run.

    In: a change with its files where they are known, its purpose, what it touches, and the issues
    among the known items that it closes. Out: at most one fact, with its symptom (`broken` where
    no text says one), whom it names, and the words that say so.
    """
    title = item.title[:TITLE_READ]
    runs = any(role(file.path) in RUNTIME for file in item.files or ())
    # `[Bugfix][CI]` may say where a fault of what runs was seen.
    in_title = symptom_of(_CI_TAG.sub("", title) if runs and purpose is Purpose.FIX else title)
    if not _is_of_users(item, purpose, object_, in_title):
        return ()
    is_fix = _mends(item, purpose, in_title)
    stated = _stated(item, purpose, in_title, closed) if is_fix else _of_items(item, purpose)
    statement = next(stated, None)
    if not is_fix and statement is None:
        return ()
    if statement is not None and _is_one_request(statement, item):
        statement = replace(statement, symptom=Symptom.BAD_ANSWER)
    evidence = Evidence("title", title) if statement is None else statement.evidence
    texts = [title, *(issue.title for issue in closed)]
    texts += [issue.title for issue in item.linked_issues]
    if evidence.source == "body":
        texts.append(evidence.quote)
    every = (_others(whom(text[:TITLE_READ]), item.repo) for text in texts)
    at, named = next(
        ((text, each) for text, each in zip(texts, every, strict=True) if each), ("", ())
    )
    named = tuple(_as_set(name, at) for name in named)
    value = changed_literal(item.files or ()) if purpose is Purpose.FIX else None
    hardware, shown = _by_paths(named, item)
    if hardware == hardware_of((f"{item.repo.name.replace('-', '_')}/",)):
        hardware, shown = (), ()  # all who use the project have that
    return (
        Fact(
            kind=FactKind.BITE,
            item=item.key,
            change=FactChange.FIXED,
            symptom=statement.symptom if statement else Symptom.BROKEN,
            before=value.before if value else None,
            after=value.after if value else None,
            who=(*hardware, *named),
            conditions=conditions(bare(title)),
            evidence=(evidence, *shown, *((value.evidence,) if value else ())),
            inferred=statement.inferred if statement else purpose is not Purpose.FIX,
        ),
    )


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal that a change gives another value, as the code writes it, and where that stands."""

    before: str
    after: str
    evidence: Evidence


_MOST_PAIRS = 12
"""Lines of a change that only gives a literal another value; more are a table."""
_TOKEN = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\d[\w.]*|\w+|\S")
_LITERAL = re.compile(r"\"[^\"]{1,40}\"|'[^']{1,40}'|\d[\w.]*|True|False|true|false")


def changed_literal(files: Sequence[FileChange]) -> Literal | None:
    """Return the one literal that a change gives another value in what runs, None if it does more.

    In: the files with their patches. Each line that goes has one in its place that differs in that
    literal alone, everywhere from the same value to the same.
    """
    run = [file for file in files if role(file.path) in RUNTIME]
    if sum(file.additions for file in run) > _MOST_PAIRS:
        return None
    found: Literal | None = None
    for file in run:
        if file.status != "modified" or not file.patch:
            return None
        for hunk in hunks(file.patch):
            went, came = ([line for line in hunk.lines if line.sign == sign] for sign in "-+")
            if len(went) != len(came):
                return None
            for old, new in zip(went, came, strict=True):
                values = _otherwise(old.text, new.text)
                if values is None or (found and values != (found.before, found.after)):
                    return None
                shown = Evidence("diff", new.text.strip()[:_QUOTE], file.path, new.new, "+")
                found = found or Literal(*values, shown)
    return found


def _otherwise(old: str, new: str) -> tuple[str, str] | None:
    """Return the literals in which two lines differ, None where they differ in more or in less."""
    one, other = _TOKEN.findall(old), _TOKEN.findall(new)
    if len(one) != len(other) or one[:1] in (["#"], ["/"], ["*"]):
        return None
    pairs = enumerate(zip(one, other, strict=True))
    differing = [(at, *pair) for at, pair in pairs if pair[0] != pair[1]]
    if len(differing) != 1 or not all(map(_LITERAL.fullmatch, differing[0][1:])):
        return None
    at, before, after = differing[0]
    if any(re.search(r"[<>=~]=", each) for each in (before, after)):
        return None  # a requirement
    if before[0] in "\"'":
        return before, after
    # A number says nothing without what is given it.
    name = one[at - 2] if at >= 2 and one[at - 1] == "=" else ""
    return (f"{name}={before}", f"{name}={after}") if name.isidentifier() else None


_SAYS_SOMETHING = 8
"""Characters of a line that stands in few places of a file."""


def is_of_within(files: Iterable[FileChange], before: Mapping[str, str | None]) -> bool:
    """Tell whether a fix mends what an old version never had: no line that it takes away is there.

    In: the files of the fix, and the texts of the old version by path, as far as they are known.
    Where a file is not known, or nothing was taken away, it is not told.
    """
    shown = False
    for file in files:
        if role(file.path) not in RUNTIME or file.status == "added":
            continue
        went = [line[1:].strip() for line in (file.patch or "").split("\n") if line[:1] == "-"]
        went = [line for line in went if len(line) >= _SAYS_SOMETHING]
        text = before.get(file.previous_path or file.path)
        if file.patch is None or (went and text is None):
            return False
        shown = shown or bool(went)
        if went and not {line.strip() for line in (text or "").split("\n")}.isdisjoint(went):
            return False
    return shown


def issue_bite(issue: Item, why: Purpose) -> tuple[Fact, ...]:
    """Return what the reporter of an issue has seen, nothing where the text states no symptom.

    In: an issue with its state, and its purpose: what a request or a proposal describes at length
    is no report, there only the title is read. Out: at most one fact, of the issue's own key.
    """
    seen = issue_symptom(issue)
    if seen is None or (why in _NO_REPORT and seen[1].source != "title"):
        return ()
    title = issue.title[:TITLE_READ]
    return (
        Fact(
            kind=FactKind.BITE,
            item=issue.key,
            change=FactChange.FIXED if issue.state is State.CLOSED else FactChange.REPORTED,
            symptom=seen[0],
            who=whom(title),
            conditions=conditions(bare(title)),
            evidence=(seen[1],),
        ),
    )


def _by_paths(names: Sequence[str], item: Item) -> tuple[tuple[str, ...], tuple[Evidence, ...]]:
    """Return the hardware that all product files are for, and a file that shows it.

    Nothing where the title or the names of whom it hit say any.
    """
    said = " ".join((item.title[:TITLE_READ], *names))
    if VENDOR.search(said) or NVIDIA.search(said):
        return (), ()
    paths = [file.path for file in item.files or () if role(file.path) not in UNREAD]
    found = hardware_of(paths)
    return found, tuple(Evidence("diff", path, path=path) for path in paths[:1] if found)


_HELD = r"\b(?:[Ii]f|[Ss]etting|[Uu]nder|[Uu]sing|[Ww]hen|[Ww]ith) "
"""Words before what somebody had set, not before what mends it: `export KILN_FIRE=0 to avoid …`."""


def _as_set(name: str, text: str) -> str:
    """Return a variable with the value that a text gives it: with any other nobody was hit."""
    if not re.fullmatch(r"[A-Z][A-Z0-9_]*_[A-Z0-9_]*", name):
        return name
    given = re.search(rf"{_HELD}[`'\"]?{name}=[`'\"]?([\w-]{{1,40}}(?:\.[\w-]{{1,40}})*)", text)
    return f"{name}={given[1]}" if given else name


def _others(names: Sequence[str], repo: Repo) -> tuple[str, ...]:
    """Leave out the project's own name: all of its users have that."""
    own = {repo.name.lower(), repo.name.lower().replace("-", "")}
    return tuple(name for name in names if name.lower() not in own)


def _is_of_users(
    item: Item, purpose: Purpose, object_: ChangeObject, in_title: Symptom | None
) -> bool:
    if purpose not in _BITING or (
        item.files and all(role(file.path) in UNREAD for file in item.files)
    ):
        return False
    return in_title is not None or object_ is not ChangeObject.DOCS


def _mends(item: Item, purpose: Purpose, in_title: Symptom | None) -> bool:
    title = item.title[:TITLE_READ]
    if in_title in (None, Symptom.BAD_ANSWER) and _UNSEEN.search(bare(title)):
        return False
    if in_title is None and (CLEARER.search(bare(title)) or _CLEARLY.search(title)):
        return False
    if purpose is Purpose.FIX:
        runs = not item.files or any(role(file.path) in RUNTIME for file in item.files)
        return runs or not _TESTS.search(bare(title))
    stated = in_title not in (None, Symptom.BAD_ANSWER, Symptom.SLOW)
    if stated and TURNS_OFF.match(bare(title)) and _OFF_FOR.search(title):
        return True
    if purpose in (Purpose.REFACTOR, Purpose.PERFORMANCE) and in_title is None:
        return _CALLED_FIX.search(bare(title)) is not None
    return bool(_FIXES.search(bare(title))) or (stated and bool(_FIXES.search(title)))


def _stated(
    item: Item, purpose: Purpose, in_title: Symptom | None, closed: Sequence[Item]
) -> Iterator[_Statement]:
    """Yield what texts say of the symptom, the surest first."""
    title = item.title[:TITLE_READ]
    if in_title is Symptom.CRASH and symptom_of(_MISMATCH.sub("", title)) is None:
        yield from _of_mismatch(item.body)
    if in_title is not None:
        yield _Statement(in_title, Evidence("title", title))
    for issue in closed:
        text = issue.title[:TITLE_READ]
        if (symptom := symptom_of(text)) is not None:
            yield _Statement(symptom, Evidence("issue", text, item=issue.key))
        elif (seen := issue_symptom(issue)) is not None:
            yield _Statement(*seen)
    for linked in item.linked_issues:
        text = linked.title[:TITLE_READ]
        if not is_of_tests(text) and (symptom := symptom_of(text)) is not None:
            key = f"{item.repo}:{Kind.ISSUE}:{linked.number}"
            yield _Statement(symptom, Evidence("issue", text, item=key))
    if purpose in (Purpose.FIX, Purpose.PERFORMANCE) and not is_of_tests(title):
        is_called = _is_called_fix(title) or bool(closed_issues(item))
        yield from _of_text(item.body, is_called=is_called)
    if purpose is Purpose.FIX:
        yield from _of_output(item.body)
        yield from _of_comments(item)
        yield from _of_answers(item)
        yield from _of_cause(title)


def _of_mismatch(body: str) -> Iterator[_Statement]:
    """Yield the wrong output that a description tells of, where it tells of no crash."""
    told = [*_of_text(body)]
    if not any(one.symptom in _STOPS for one in told):
        yield from (one for one in told if one.symptom is Symptom.WRONG_OUTPUT)


def _is_called_fix(title: str) -> bool:
    """Tell whether a title says that something is mended."""
    return declared(title).purpose is Purpose.FIX or bool(_FIXES.search(title))


def _of_text(body: str, *, is_called: bool = True) -> Iterator[_Statement]:
    """Yield what the description of a fix says that somebody has seen, outside its asides.

    Where it is not called one (`is_called`), only what mends something counts, or was printed.
    """
    if _SQUASHED.fullmatch(body.strip()):
        return
    sure = [
        sentence
        for passage in passages(body)
        if passage.kind in (PassageKind.PROSE, PassageKind.ITEM)
        and not _ASIDE.search(passage.heading)
        for sentence in split_sentences(passage.text)
        if not _UNSURE.search(sentence)
        and (is_called or _FIXES.search(sentence) or _PRINTED.match(sentence))
    ]
    for sentence in sure:
        if (symptom := symptom_of(sentence)) is not None:
            yield _Statement(symptom, Evidence("body", sentence[:_QUOTE]))
    for sentence in sure:
        if _FAILS.search(sentence) and not _SUPPOSED.search(sentence):
            yield _Statement(Symptom.CRASH, Evidence("body", sentence[:_QUOTE]))


_CALLED_MENDING = re.compile(
    r"\*\*[^*\n]{0,120}\bfix(?:e[sd])?\b[^*\n]{0,120}\*\*|"
    r"(?:\[[^\]]{1,60}\] ?){0,3}fix(?:e[sd])? .{1,160}\((?:issue |fixes )#\d{1,7}\)",
    re.IGNORECASE,
)
"""An item of a list that its author calls a fix in bold, or that names the issue that it mends.

Another fix in the description of what is new is mostly of what the branch itself had broken.
"""


def _of_items(item: Item, purpose: Purpose) -> Iterator[_Statement]:
    """Yield the symptoms of faults that a change mends beside what it is for: inferred."""
    if purpose not in _BESIDE or "fix" not in item.body.lower() or is_of_tests(item.title):
        return
    for passage in passages(item.body):
        is_item = passage.kind is PassageKind.ITEM and not _ASIDE.search(passage.heading)
        if not is_item or not _CALLED_MENDING.match(passage.text):
            continue
        for sentence in split_sentences(passage.text):
            symptom = None if _UNSURE.search(sentence) else symptom_of(sentence)
            if symptom is not None:
                yield _Statement(symptom, Evidence("body", sentence[:_QUOTE]), True)


def _of_output(body: str) -> Iterator[_Statement]:
    """Yield the errors that stand in what a run has printed, as far as it is of no test."""
    for passage in passages(body):
        if passage.kind is PassageKind.CODE and not _ASIDE.search(passage.heading):
            is_aside = _TEST_OUTPUT.search(passage.text) or _IGNORED.search(passage.text)
            for found in () if is_aside else _PRINTED.finditer(passage.text):
                line = found.group().strip()
                yield _Statement(symptom_of(line) or Symptom.CRASH, Evidence("body", line[:_QUOTE]))


_ERROR = re.compile(r"\b[A-Z]\w*(?:Error|Exception)\b")
_OF_IMPORTERS = re.compile(
    r"\b(?:constructing|creating|importing|instantiating|passing) (?:an? |the )?`?"
    r"[A-Z][a-z]+[A-Z]\w+"
)
"""What only code does that imports a class: no request over the wire."""
_DIES = re.compile(r"\b(?:crash|segfault|core dump|hang|hung|abort|dies?\b|dead|kill|exit)", re.I)
"""Words of more than one request that failed."""


def _is_one_request(statement: _Statement, item: Item) -> bool:
    """Tell whether something fails where nothing but answers is made: the server goes on.

    An error that is raised there, or a value that is corrupted.
    """
    words = statement.evidence.quote
    is_error = statement.inferred or _ERROR.search(words)
    raised = statement.symptom is Symptom.CRASH and is_error
    raised = raised or (statement.symptom is Symptom.WRONG_OUTPUT and "corruption" in words.lower())
    if _OF_IMPORTERS.search(words):
        return False
    return bool(raised) and not _DIES.search(words) and bool(_only_answers(item))


def _only_answers(item: Item) -> list[str]:
    """Return the files of a change that run, where all of them make answers of an API."""
    run = [file.path for file in item.files or () if role(file.path) in RUNTIME]
    return run if all(_ANSWERING.search(path) for path in run) else []


def _of_answers(item: Item) -> Iterator[_Statement]:
    """Tell a fix of what answers clients alone as a bad answer: inferred, for no text says so."""
    run = _only_answers(item)
    title = bare(item.title[:TITLE_READ])
    if run and not (_ADDS.search(title) or _OF_MAKING.search(title)):
        yield _Statement(Symptom.BAD_ANSWER, Evidence("diff", run[0], path=run[0]), True)


def _of_comments(item: Item) -> Iterator[_Statement]:
    """Tell what the comments and tests of a fix say of what was wrong before it: inferred."""
    title = item.title[:TITLE_READ]
    if declared(title).purpose is not Purpose.FIX and is_of_tests(title):
        return
    found = hindsight(title, item.files or ())
    if found is not None:
        symptom, note = found
        shown = Evidence("diff", note.text[:_QUOTE], note.file.path, note.line, "+")
        yield _Statement(symptom, shown, True)


def _of_cause(title: str) -> Iterator[_Statement]:
    """Tell what a title names the cause of as what such causes mostly show: inferred."""
    for symptom, pattern in () if is_of_tests(title) else _LIKELY:
        if (found := pattern.search(title)) is not None:
            yield _Statement(symptom, Evidence("title", found.group()), True)
