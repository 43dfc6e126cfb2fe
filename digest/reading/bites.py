"""Whom a fixed fault could have bitten, and what they saw.

A symptom is a claim: it stands where the title, the description, an error that it shows, the title
of an issue that the change closes, or the author's own comment in the change says it. It is
inferred, and marked so, of a fix of nothing but what answers clients, and of something new whose
author begins with what broke. Any other fix that no text describes is `broken`. What changes only
tests, CI or documentation bites nobody.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from digest.facts import Evidence, Fact, FactChange, FactKind, Symptom
from digest.grades import ChangeObject, Purpose
from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.change import bare, touched
from digest.reading.changelog import added_entries
from digest.reading.description import TITLE_READ, written
from digest.reading.passages import PassageKind, passages
from digest.reading.paths import RUNTIME, UNREAD, role
from digest.reading.symptoms import is_of_tests, issue_symptom, sentences, symptoms
from digest.reading.whom import conditions, whom

_GRAVITY = (
    Symptom.SECURITY,
    Symptom.DATA_LOSS,
    Symptom.WRONG_OUTPUT,
    Symptom.HANG,
    Symptom.OUT_OF_MEMORY,
    Symptom.MEMORY_LEAK,
    Symptom.BUILD_FAILS,
    Symptom.CANNOT_START,
    Symptom.CRASH,
    Symptom.BAD_ANSWER,
    Symptom.SLOW,
)
"""Which one is told where a title states several: the gravest."""
_FIXES = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bug ?fix|hot-?fix|bugs?|repair\w*|correct(?:s|ed|ly)?|prevent\w*|avoid"
    r"(?:s|ed|ing)?|guard|resolve[sd]?|restor\w+|recover|workaround|harden|handle)\b|修复|解决|修正",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:caus(?:e[sd]?|ing)|lead(?:s|ing)? to|led to|result(?:s|ed|ing)? in|previously|would|"
    r"fail(?:s|ed|ing)?|bug|broke|before this|otherwise|was|were|wrongly|issue|problem|trigger\w*|"
    r"crash\w*|hang\w*|root cause|without (?:this|the) (?:fix|patch|change|PR))\b|导致|之前|原因",
    re.IGNORECASE,
)
"""Words of a sentence that tells what went wrong, not what was tested."""
_HAPPENS = re.compile(
    r"\b(?:rais(?:es?|ed|ing)|break(?:s|ing)?)\b|"
    r"\b(?:reads?|receives?|gets?|gives?|returns?|produces?|yields?) "
    r"(?:garbage|gibberish|nonsense|wrong|incorrect|corrupt\w*|NaNs?)\b",
    re.IGNORECASE,
)
"""More such words, which comments use of what code takes care of."""
_TESTS = re.compile(
    r"\b(?:flaky|ci|unit ?tests?|tests?|pytest|mock\w*|fixtures?|nightly|benchmarks?|lint|docs?|"
    r"docstring|typos? in|readme|example)\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"\btool[- _]?(?:call|pars|choice)\w*|\b\w*tool_?parser\b|\breasoning[- ]?parser\w*",
    re.IGNORECASE,
)
"""Words of a fix that is about the answers of an API."""
_ADDS = re.compile(r"^(?:add|support|enable)\b|\b(?:mypy|lint|typing|type hints?)\b", re.IGNORECASE)
"""A title of what was not there before, or that nobody sees."""
_ANSWERING = re.compile(
    r"(?:tool_?pars\w*|function_?call\w*|reasoning_?pars\w*|reasoning)/|"
    r"entrypoints/(?:openai|anthropic|serve)/|(?:^|[/_])harmony\w*\.py$|chat_?template",
    re.IGNORECASE,
)
"""Files that make the answers of an API."""
_ALSO = re.compile(
    r"(?<=\w)(?:,| and| &)+ (?:also )?(?:add|support|enable|update|bump|introduce|improve)\w*\b.*",
    re.IGNORECASE,
)
"""What else a title says that a fix does: whom that names was not hit."""
_BETTER_WORDS = re.compile(
    r"\b(?:better|clarif\w+|clear(?:er)?|descriptive|enhanc\w+|friendl\w+|helpful|improv\w+|"
    r"more \w+|reword\w*)\b.{0,30}\b(?:errors?|exceptions?|warnings?)[- ](?:messages?|texts?)\b",
    re.IGNORECASE,
)
"""A title of a failure that stays, and says more."""
_COMMENT = re.compile(r"^\s*(?:#|//|\*|\"\"\"|/\*)\s*(.{12,300})$")
_AVOIDED = frozenset({Symptom.CRASH, Symptom.BUILD_FAILS})
"""What a comment names mostly because its code takes care that it never happens."""
_COMMENTS_READ = 60
_PATCH_READ = 60_000
_QUOTE = 300


@dataclass(frozen=True, slots=True)
class _Statement:
    """A symptom that a text states, with the words that do."""

    symptom: Symptom
    evidence: Evidence
    inferred: bool = False


def bites(item: Item, purpose: Purpose, closed: Sequence[Item] = ()) -> tuple[Fact, ...]:
    """Return the bite of one change, or nothing where it mends nothing that people run.

    In: a change with its files where they are known, its purpose, and the issues among the known
    items that it closes. Out: at most one fact, with its symptom (`broken` where no text says
    one), whom it names, and the words that say so.
    """
    title = item.title[:TITLE_READ]
    in_title = symptom_of(title)
    if not _is_of_users(item, purpose, in_title):
        return ()
    if _mends(item, purpose, in_title):
        statement = next(_stated(item, purpose, in_title, closed), None)
    elif (statement := next(_of_beginning(item, purpose), None)) is None:
        return ()
    evidence = [Evidence("title", title)] if statement is None else [statement.evidence]
    texts = [_ALSO.sub("", title), *(issue.title for issue in closed)]
    texts += [issue.title for issue in item.linked_issues]
    if statement is not None and statement.evidence.source == "body":
        texts.append(statement.evidence.quote)
    named = (_others(whom(text[:TITLE_READ]), item.repo) for text in texts)
    return (
        Fact(
            kind=FactKind.BITE,
            item=item.key,
            change=FactChange.FIXED,
            symptom=statement.symptom if statement else Symptom.BROKEN,
            who=next(filter(None, named), ()),
            conditions=conditions(bare(title)),
            evidence=tuple(evidence),
            inferred=statement.inferred if statement else purpose is not Purpose.FIX,
        ),
    )


def _others(names: Sequence[str], repo: Repo) -> tuple[str, ...]:
    """Leave out the project's own name: all of its users have that."""
    own = {repo.name.lower(), repo.name.lower().replace("-", "")}
    return tuple(name for name in names if name.lower() not in own)


_NO_REPORT = (Purpose.RFC, Purpose.REQUEST, Purpose.QUESTION)


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


def symptom_of(text: str) -> Symptom | None:
    """Return the gravest symptom that a text states, or None.

    What goes wrong inside is one only where the text says nothing of what was seen.
    """
    for causes in (False, True):
        stated = {symptom for symptom, _ in symptoms(text, causes=causes)}
        if stated:
            return next((symptom for symptom in _GRAVITY if symptom in stated), None)
    return None


def _is_of_users(item: Item, purpose: Purpose, in_title: Symptom | None) -> bool:
    if purpose not in (Purpose.FIX, Purpose.FEATURE, Purpose.PERFORMANCE, Purpose.OTHER,
                       Purpose.REFACTOR, Purpose.CHORE):  # fmt: skip
        return False
    if item.files and all(role(file.path) in UNREAD for file in item.files):
        return False
    if in_title is None and _BETTER_WORDS.search(item.title[:TITLE_READ]):
        return False
    return in_title is not None or touched(item) is not ChangeObject.DOCS


def _mends(item: Item, purpose: Purpose, in_title: Symptom | None) -> bool:
    title = item.title[:TITLE_READ]
    if purpose is Purpose.FIX:
        return not (_TESTS.search(bare(title)) and not _runs(item))
    stated = in_title not in (None, Symptom.BAD_ANSWER, Symptom.SLOW)
    return bool(_FIXES.search(bare(title))) or (stated and bool(_FIXES.search(title)))


def _runs(item: Item) -> bool:
    return not item.files or any(role(file.path) in RUNTIME for file in item.files)


def _stated(
    item: Item, purpose: Purpose, in_title: Symptom | None, closed: Sequence[Item]
) -> Iterator[_Statement]:
    """Give what texts say of the symptom, the surest first."""
    title = item.title[:TITLE_READ]
    if in_title is not None:
        yield _Statement(in_title, Evidence("title", title))
    for issue in closed:
        text = issue.title[:TITLE_READ]
        if (symptom := symptom_of(text)) is not None:
            yield _Statement(symptom, Evidence("issue", text, item=issue.key))
        elif (seen := issue_symptom(issue)) is not None:
            yield _Statement(seen[0], seen[1])
    for path, entry in added_entries(item):
        if _FIXES.match(entry) and (symptom := symptom_of(entry)) is not None:
            yield _Statement(symptom, Evidence("changelog", entry[:_QUOTE], path=path))
    yield from _of_linked(item, closed)
    if purpose in (Purpose.FIX, Purpose.PERFORMANCE):
        if not is_of_tests(title):
            yield from _of_text(item.body)
            if purpose is Purpose.FIX:
                yield from _of_output(item.body)
    else:
        yield from _of_beginning(item, purpose)
    yield from _of_comments(item)
    if purpose is Purpose.FIX:
        yield from _of_place(item)
        yield from _of_title(title)


def _of_linked(item: Item, closed: Sequence[Item]) -> Iterator[_Statement]:
    """Give what the titles of older issues say that the change closes."""
    known = {issue.number for issue in closed}
    for linked in item.linked_issues:
        text = linked.title[:TITLE_READ]
        if linked.number in known or is_of_tests(text):
            continue
        if (symptom := symptom_of(text)) is not None:
            key = f"{item.repo}:{Kind.ISSUE}:{linked.number}"
            yield _Statement(symptom, Evidence("issue", text, item=key))


def _of_title(title: str) -> Iterator[_Statement]:
    """Tell what a title names the cause of as what such causes mostly show: inferred."""
    if is_of_tests(title):
        return
    for symptom, pattern in _LIKELY:
        if (found := pattern.search(title)) is not None:
            yield _Statement(symptom, Evidence("title", found.group()), True)


_LIKELY = (
    (
        Symptom.CANNOT_START,
        re.compile(
            r"\b(?:weights?|models?|checkpoint|processor|tokenizer)(?: \w+)? load(?:ing)?\b|"
            r"\bfix(?:e[sd])? loading\b|\bquant_(?:config|method)\b|"
            r"\b(?:for|with|to|updated) transformers(?: v?\d[\w.]*| updates?|$)",
            re.IGNORECASE,
        ),
    ),
    (
        Symptom.CRASH,
        re.compile(
            r"\bNone\b|\b(?:u?int(?:32|64)|[Ii]ndex|[Aa]ddress|[Oo]ffset) overflow\b|"
            r"\b(?:missing|unexpected) (?:[\w`']+ )?"
            r"(?:arg(?:ument)?s?|kwargs?|param(?:eter)?s?|attributes?|methods?|imports?)\b"
        ),
    ),
)
"""What a fix names as its cause, and what people mostly saw of it."""


def _of_place(item: Item) -> Iterator[_Statement]:
    """Tell a fix of what answers clients alone as a bad answer: inferred, for no text says so."""
    title = item.title[:TITLE_READ]
    if _ADDS.search(bare(title)):
        return
    found = _ANSWERS.search(title)
    run = [file.path for file in item.files or () if role(file.path) in RUNTIME]
    if found is not None:
        yield _Statement(Symptom.BAD_ANSWER, Evidence("title", found.group()), True)
    elif run and all(_ANSWERING.search(path) for path in run) and _changes_code(item):
        yield _Statement(Symptom.BAD_ANSWER, Evidence("diff", run[0], path=run[0]), True)


def _changes_code(item: Item) -> bool:
    """Tell whether a change has a line that is more than a text or a comment, as far as known."""
    patches = [file.patch for file in item.files or () if role(file.path) in RUNTIME and file.patch]
    lines = (line for patch in patches for line in patch[:_PATCH_READ].split("\n"))
    return not patches or any(
        line[:1] in ("+", "-") and not _TEXT_LINE.match(line[1:]) for line in lines
    )


_TEXT_LINE = re.compile(
    r"^\s*(?:$|#|//|\*|[rbfuRBFU]{0,2}[\"']|(?:description|help|doc)\s*=\s*[rbfu]{0,2}[\"'])"
)
"""A line of a patch that runs nothing: blank, a comment, a piece of text."""


def _of_beginning(item: Item, purpose: Purpose) -> Iterator[_Statement]:
    """Give what the author of something else than a fix says at once that users saw break.

    Further down stand reasons, and what broke on the way to something new. All of it is inferred:
    a title that mends nothing leaves open whether the change does.
    """
    if purpose is Purpose.FIX or not _runs(item):
        return
    for sentence in sentences(_on_the_fault(written(item.body)[:_BEGINNING])):
        line = sentence.replace("\n", " ")
        if any(words.search(line) for words in (_NEVER_MET, _UNSURE)):
            continue
        for symptom, at in _mended(line):
            # A long sentence is quoted from the words that tell what was seen.
            quote = sentence if len(sentence) <= _QUOTE else sentence[at : at + _QUOTE]
            yield _Statement(symptom, Evidence("body", quote), inferred=True)


_BEGINNING = 800
"""Characters of a description that say why something is done."""
_CLAUSE = 120
_MENDED_READ = 20
"""Words of mending that are read of one sentence."""


def _mended(line: str) -> Iterator[tuple[Symptom, int]]:
    """Yield what a sentence says to be mended, and where the words for that begin."""
    for found in islice(_MENDING.finditer(line), _MENDED_READ):
        if _BY_OTHERS.search(line[max(0, found.start() - _CLAUSE) : found.start()]):
            continue
        mended = _AGAINST.split(_clause(line, found.start()))[0]
        if (symptom := symptom_of(mended)) is not None:
            yield symptom, found.start()


def _clause(line: str, start: int) -> str:
    """Return the words from a place to the next comma: what follows is about something else."""
    return line[start : start + _CLAUSE].partition(",")[0]


_HEADING = re.compile(
    r"^[ \t]{0,3}(?:(#{1,6})[ \t]+(\S.{0,120})|"
    r"(?:\*\*|__)([^*_\n]{1,80})(?:\*\*|__)[ \t]*:?)[ \t]*$",
    re.MULTILINE,
)
_BOLD = 7
"""The level of a heading in bold: below those with one to six `#`."""
_ASIDE = re.compile(
    r"\b(?:tests?|testing|tested|validat\w+|verif\w+|benchmark\w*|profiling|limitations?|caveats?|"
    r"alternatives?|risks?|follow-?ups?|future work|to-?dos?|out of scope|checklist|notes?)\b|"
    r"测试|验证",
    re.IGNORECASE,
)
"""A heading of what was tried, or of what a change does not mend."""


def _on_the_fault(text: str) -> str:
    """Leave out the sections of a description that tell of tests, limits and other ways."""
    kept: list[str] = []
    left, start = 0, 0
    for found in _HEADING.finditer(text):
        level = len(found[1] or "") or _BOLD
        if left and level > left:
            continue
        if not left:
            kept.append(text[start : found.start()])
        left = level if _ASIDE.search(found[2] or found[3]) else 0
        start = found.end()
    return "\n\n".join(kept if left else [*kept, text[start:]])


_MENDING = re.compile(
    r"\bfix(?:es|ing)?\b(?! for\b| in\b| by\b| is\b)|\bfixed (?=an?\b|the\b|some\b|several\b)|"
    r"\bno longer (?:silently )?(?:crash\w*|hangs?|dead-?locks?|leaks?|OOMs?|segfaults?|freezes?|"
    r"runs? out of|(?:produc|giv|return|yield|read|corrupt|caus|trigger|hit|fail)(?:e?s|e)?)\b",
    re.IGNORECASE,
)
_BY_OTHERS = re.compile(
    r"(?:\b(?:not|never|yet|an?|would|could|can|may|might|should|will|must|helps?|easier|harder|"
    r"steps?|needed|prepar\w+|groundwork|also|please|(?:have|has|need|needs) to|"
    r"(?:tools?|scripts?) (?:that|which))(?: \w+)?|n't(?: \w+)?) (?:to(?:wards?)? )?$",
    re.IGNORECASE,
)
"""Words before a word of mending: something else mends it, or nothing, or only on the way."""
_AGAINST = re.compile(r"\b(?:avoid\w*|prevent\w*|guard\w*|so that|lest)\b", re.IGNORECASE)
"""Words before what does not come to be: it is not what is fixed."""
_NEVER_MET = re.compile(
    r"\b(?:revert\w*|attempt\w*|tried|later|separate(?:ly)?|not a fix|locally|thanks|confus\w+|"
    r"(?:my|our|first|initial|earlier|original) (?:\w+ )?(?:version|try|approach|iteration|draft)|"
    r"(?:PR \w+|commit \w+|upstream|already|previously|(?:which|that)(?: \w+)?|was|were|been) "
    r"fixed)\b|#\d+\)? (?:ha[sd] |already )*fixed\b",
    re.IGNORECASE,
)
"""Words of a sentence on another change, or on another try at it."""


def _of_text(body: str) -> Iterator[_Statement]:
    """Give what the description of a fix says that somebody has seen."""
    sure = [
        sentence
        for sentence in sentences(_on_the_fault(written(body)))
        if not _UNSURE.search(sentence.replace("\n", " "))
    ]
    for sentence in sure:
        line = sentence.replace("\n", " ")
        is_seen = any(words.search(line) for words in (_CAUSE, _HAPPENS))
        is_seen = is_seen or not _MENDED.search(line)
        mended = {symptom for symptom, _ in _mended(line)} if not line.startswith("* ") else ()
        for symptom, _ in symptoms(sentence, causes=False):
            # Of a hole in security people say what could be done by it, never what was.
            if is_seen or symptom is Symptom.SECURITY or symptom in mended:
                yield _Statement(symptom, Evidence("body", sentence[:_QUOTE]))
    for sentence in sure:
        if _FAILS.search(sentence.replace("\n", " ")):
            yield _Statement(Symptom.CRASH, Evidence("body", sentence[:_QUOTE]))


def _of_output(body: str) -> Iterator[_Statement]:
    """Give the errors that stand in what a run has printed, as far as it is of no test."""
    before = ""
    for passage in passages(body):
        if passage.kind is not PassageKind.CODE:
            before = passage.text
            continue
        if _ASIDE.search(passage.heading) or _AFTER.search(f"{before}\n{passage.heading}"[-200:]):
            continue
        if _TEST_OUTPUT.search(passage.text):
            continue
        for found in _PRINTED.finditer(passage.text):
            line = found.group().strip()
            yield _Statement(symptom_of(line) or Symptom.CRASH, Evidence("body", line[:_QUOTE]))


_AFTER = re.compile(
    r"\b(?:now|instead|expected|(?:after|with) (?:this|the) (?:PR|patch|change|fix))\b",
    re.IGNORECASE,
)
"""Words before what is printed once a change is there."""
_TEST_OUTPUT = re.compile(r"\bpytest\b|\btest session\b|^(?:FAILED|E {2,})", re.MULTILINE)
_PRINTED = re.compile(
    r"^(?![-+ \t]*(?:raise|except|#|//|assert)\b).{0,160}?(?<![\w`\"'(])"
    r"(?:\w+\.){0,4}[A-Z]\w*(?:Error|Exception): .{1,200}|"
    r"^.{0,160}\bundefined (?:symbol|reference)\b.{0,200}|"
    r"^.{0,160}\(\d+\): error: .{1,200}|^\W{0,3}Segmentation fault\b.{0,100}",
    re.MULTILINE,
)
"""Lines of output that end a run: an exception with its message, the linker's, the compiler's."""


_MENDED = re.compile(
    r"\b(?:fix\w*|avoid\w*|prevent\w*|guard\w*|ensur\w+|now|no longer|instead|should|must|adds?|"
    r"supports?|detect\w*|check\w*|handl\w+|if|unless|could|can|may|might)\b",
    re.IGNORECASE,
)
"""Words of a sentence that tells what is done, or what may be, not what was."""
_UNSURE = re.compile(
    rf"{_TESTS.pattern}|^\W*(?:notes?|caveats?|warnings?|be aware|limitations?)\b|"
    r"\b(?:known (?:limitation|issue)s?|an alternative|alternatives|follow-?ups?|out of scope|"
    r"unrelated|separate (?:PRs?|issues?|fix|change)|"
    r"not (?:yet )?(?:addressed|fixed|covered|solved)|remains? (?:open|broken|unfixed))\b|"
    r"\blimitations?:|\b(?:my|an|our) (?:first|initial|earlier|previous) "
    r"(?:version|attempt|approach|try|draft)\b|"
    r"\bmy (?:version|attempt|approach|try|draft)\b|\bonly raises?\b|\bappears? to hang\b|"
    r"\braises?\b.{1,20}\b(?:Value|Type|NotImplemented)Error\b.{1,40}\b(?:if|unless)\b|"
    r"\bfalls? back\b|\bfallback\b|\bwill be (?:addressed|fixed|handled)\b|"
    r"\bcorrectly (?:rejected|refused)\b|\bto be (?:solved|fixed|addressed)\b|"
    r"^\W*no\b.{1,60}\b(?:show\w*|saw|seen|observed|found|caus\w+)\b|"
    r"\b(?:actionable|clear|clean|descriptive|explicit|helpful) (?:\w+ )?(?:errors?|message)",
    re.IGNORECASE,
)
"""Words of a sentence on tests, what stays or is refused, what is done about it, or another one."""
_FAILS = re.compile(
    r"\b(?:now|then|always|requests?|and|it|which|path|kernels?|calls?) "
    r"(?:would )?fail(?:s|ed)? (?:with|at)\b|"
    r"\bcaus(?:es|ed|ing) .{1,60} to fail\b(?! to\b)|\b(?:was|were) failing\b|\brejects? valid\b|"
    r"\b(?:raise[sd]|throws?|threw) [`\"']|\bdies (?:at|with|on|when)\b|"
    r"\b(?:engine|server|worker|process|model|inference|service) (?:aborts|fails|dies|exits)\b|"
    r"\b(?:results? in|resulting in|resulted in|caus(?:es?|ed|ing)|leads? to|leading to|led to|"
    r"incur\w*|reports?|reporting|trigger\w*) (?:an? |some |the )?(?!numeric|round|quanti|accura|"
    r"precision|relative|build|compil|lint|typ)(?:[\w-]+ ){0,2}?errors?\b|"
    r"\b(?:caus(?:es?|ed|ing)|trigger(?:s|ed|ing)) (?!silent)(?:[\w`-]+ ){0,2}failures?\b|"
    r"\bfailed to run\b|"
    r"\berrors? (?:is|are|was|were) (?:reported|raised|thrown)\b|\bwill error\b",
    re.IGNORECASE,
)
"""Words of a fix's description that say that something failed, and not how."""


def _of_comments(item: Item) -> Iterator[_Statement]:
    """Give what the author wrote into the change beside its code, as inferred.

    Where the description names something else, comments are about other code.
    """
    named = {symptom for symptom, _ in symptoms(written(item.body))}
    for file, text in islice(_comments(item), _COMMENTS_READ):
        if not (_CAUSE.search(text) or _FIXES.search(text)):
            continue
        # What a comment says is avoided has not come to be.
        symptom = symptom_of(_AGAINST.split(text)[0])
        if symptom is None or symptom in _AVOIDED or (named and symptom not in named):
            continue
        yield _Statement(symptom, Evidence("diff", text[:_QUOTE], path=file.path, side="+"), True)


def _comments(item: Item) -> Iterator[tuple[FileChange, str]]:
    """Yield each new line of comment, not those that were moved."""
    for file in item.files or ():
        lines = (file.patch or "")[:_PATCH_READ].split("\n")
        stood = {line[1:].strip() for line in lines if line[:1] in ("-", " ")}
        for line in lines:
            is_new = line.startswith("+") and line[1:].strip() not in stood
            if is_new and (found := _COMMENT.match(line[1:])):
                yield file, found.group(1)
