"""What is refused or gone from now on: said by a title, a new error of a check, a new message."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.grades import Purpose
from digest.models import FileChange, Item
from digest.reading.change import bare
from digest.reading.description import TITLE_READ
from digest.reading.patch import MOST_READ, DiffHunk, Line, hunks
from digest.reading.paths import RUNTIME, role
from digest.reading.sentence import split_sentences
from digest.reading.support import OF_TESTS
from digest.reading.whom import SETTING

_REFUSES = re.compile(
    r"^(?:early[- ])?(?:reject|disallow|forbid|refuse|prohibit)(?:s|ed|ing)? "
    r"(?!sampl|.*\brac(?:e|ing)\b)(?P<what>.{3,120})$|"
    r"^(?:rais(?:e|es|ing)(?: (?:an? )?(?:clear |explicit |value)?(?:error|exception)s?"
    r"(?: explicitly)?)?|error out|fail fast) (?:if|for|when|on) (?P<when>.{3,120})$",
    re.IGNORECASE,
)
_RAISES = re.compile(
    r"^\+[ \t]*+(?!#|//|\*)(?:.*(?:\braise \w|\bassert\b|_CHECK(?:_\w{1,20})?\(|\bHTTPException\(|"
    r"\b\w*error_response\(|\bunsupported\.append\()|"
    r"(?:el)?if .*(?=\n(?:.*\n){0,2} .*\braise \w)).*",
    re.MULTILINE,
)
"""A line by which something is refused, or the condition under which the next ones do so."""
_VALIDATES = re.compile(
    r"^(?:validate|check|guard|enforce)\b|^add\b.*\bvalidation\b", re.IGNORECASE
)
_OF_SETTINGS = re.compile(
    r"(?:^|/)(?:configs?|arg_groups)/|(?:config|args|arg_utils|sampling_params)\.py$"
)
"""Files that hold settings, by their paths."""
_DEFINES = re.compile(r"\s*(?:async )?(?:def|class) ")
_CHECKS = re.compile(r"\bdef _{0,2}(?:check|validate|verify|post_init)\w*\(")
_ERROR = re.compile(r"\s*raise (?:Value|NotImplemented)Error\(")
_ANY_ERROR = re.compile(r"\b(?:raise|assert)\b")
_STRING = re.compile(r"""(?:(?:^|\()\s*[fr]*'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
"""A string; one in single quotes only where a message can begin: elsewhere it is a key."""
_FILLED = re.compile(r"\{[^{}]*\}|%[sdr]\b")
_IS_REFUSED = re.compile(
    r"\bnot (?:be )?(?:supported|allowed|enabled)\b|\bdo(?:es)? not support\b|\bincompatible\b|"
    r"\bcannot be\b|\bunavailable\b|\bmust be at most\b",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"\b(?:ha(?:s|ve) been removed|(?:is|are) no longer supported|was removed(?=[;.,]| in v?\d))\b"
)
_GONE = ("been removed", "no longer supported", "was removed")
"""One of these stands in every such message: looked for first, it is fast."""
_RETIRES = re.compile(r"\b(?:is|are) (?:now )?deprecated\b")
_SAYS = re.compile(
    r"\s*(?:raise \w|(?:\w+\.)*(?:logger|log|logging|warnings?)\.(?!filterwarnings\b)\w+\()"
)
"""The line on which a message begins that somebody reads; a filter keeps one from being read."""
_WENT = re.compile(r"^-(.*\".*)", re.MULTILINE)
_MESSAGE_LINES = 12
_LINES_BEFORE = 4
"""Lines before the words of a message on which it may begin."""
_MOST_OF_A_STAND_IN = 60
"""Lines of a new file that only hands on to where a thing stands now."""
MOST_ANNOUNCED = 2
"""Messages of one change that are told."""
_LONGEST = 200
"""Characters of an error that are told."""


def refusals(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what is refused from now on: who gives such a thing has to change it.

    By the title, where the patches add an error: the name is the author's words. Else, of a fix or
    a title about validation, by the first new error of a check of settings: the name is its text.
    """
    title = item.title[:TITLE_READ]
    if purpose in (Purpose.REVERT, Purpose.RELEASE) or OF_TESTS.search(title):
        return ()
    rest = bare(title).strip(" .")
    files = [file for file in item.files or () if role(file.path) in RUNTIME]
    if said := _REFUSES.search(rest):
        shown = (
            Evidence("diff", one.group()[1:].strip(), file.path, side="+")
            for file in files
            for one in _RAISES.finditer((file.patch or "")[:MOST_READ])
        )
        # An error of a check of settings says it as who gives them has to read it.
        if found := next(_errors(files), None):
            return (_refused(item, *found),)
        if raised := next(shown, None):
            name = said["what"] or said["when"]
            return (_refused(item, name, Evidence("title", title), raised),)
        return ()
    is_about_checks = purpose is Purpose.FIX or _VALIDATES.search(rest)
    found = next(_errors(files), None) if is_about_checks else None
    return (_refused(item, *found),) if found else ()


def _refused(item: Item, name: str, *evidence: Evidence) -> Fact:
    return Fact(
        kind=FactKind.INTERFACE,
        item=item.key,
        change=FactChange.REMOVED,
        subject=Subject.FEATURE,
        name=name,
        evidence=evidence,
        must_act=True,
    )


def _errors(files: Sequence[FileChange]) -> Iterator[tuple[str, Evidence]]:
    """Yield the texts of new errors of checks, with where they stand; one that moved is none."""
    patches = [(file.patch or "")[:MOST_READ] for file in files]
    went = [text for patch in patches for text in _WENT.findall(patch)]
    for file, patch in zip(files, patches, strict=True):
        for hunk in hunks(patch if "Error(" in patch and file.status != "added" else ""):
            if any(line.sign == "-" and _ANY_ERROR.search(line.text) for line in hunk.lines):
                continue
            inside = hunk.section
            for at, line in enumerate(hunk.lines):
                inside = line.text if _DEFINES.match(line.text) else inside
                if line.sign != "+" or not _ERROR.match(line.text):
                    continue
                texts = _texts(hunk.lines[at : at + _MESSAGE_LINES])
                text = _told(texts)
                is_check = _OF_SETTINGS.search(file.path) or _CHECKS.search(inside)
                is_refusal = SETTING.search(text) or _IS_REFUSED.search(text)
                has_moved = any(one in each for one in texts for each in went)
                if is_check and is_refusal and not has_moved:
                    yield text, Evidence("diff", line.text.strip(), file.path, line.new, "+")


def announced(item: Item) -> tuple[Fact, ...]:
    """Return what new messages say to have been removed, or to be deprecated; `quote` has them.

    In: a change with its patches. What is raised as deprecated is refused. A message that is only
    said otherwise or elsewhere, or that came with a whole new file that is no mere stand-in, is not
    told.
    """
    return (
        *_announced_as(item, FactChange.REMOVED, _ANNOUNCED, _GONE),
        *_announced_as(item, FactChange.DEPRECATED, _RETIRES, ("deprecated",)),
    )


def _announced_as(
    item: Item, change: FactChange, says: re.Pattern[str], words: Sequence[str]
) -> Iterator[Fact]:
    """Yield the facts of messages that match `says`; one of `words` stands in each of them."""
    found: dict[str, tuple[str, Evidence, bool]] = {}
    patches = [
        (file, (file.patch or "")[:MOST_READ])
        for file in item.files or ()
        if file.patch and any(word in file.patch for word in words) and role(file.path) in RUNTIME
    ]
    no_longer = re.compile(rf"^-.*{says.pattern}", re.MULTILINE)
    said = [one[0] for _, patch in patches for one in no_longer.finditer(patch)]
    raised = re.compile(rf"^-\s*raise \w.*(?:\n-.*){{0,3}}?{says.pattern}", re.MULTILINE)
    was_raised = any(raised.search(patch) for _, patch in patches)
    for file, patch in patches:
        is_stand_in = file.status == "added" and file.additions <= _MOST_OF_A_STAND_IN
        if (file.status == "added" and not is_stand_in) or not says.search(patch):
            continue
        for hunk in hunks(patch):
            for text, line, is_raised in _messages(hunk, says, again=bool(said)):
                # What is said of more than it was before now has a gap where a name stood.
                # What only warned before and is an error now is refused from now on.
                is_new = is_raised and not was_raised
                if said and not is_new and ("…" not in text or any(map(_FILLED.search, said))):
                    continue
                shown = Evidence("diff", line.text.strip(), file.path, line.new, "+")
                # Who says the same of one thing in two places may say what to do otherwise.
                found.setdefault(says.split(text)[0].strip(), (text, shown, is_raised))
    is_gone = change is FactChange.REMOVED
    for name, (text, shown, is_raised) in islice(found.items(), MOST_ANNOUNCED):
        is_named = bool(name) and "…" not in name and not name.startswith("_")
        if is_raised and is_named and not is_gone:
            yield _refused(item, text, shown)
        elif is_gone or (is_named and not is_raised):
            yield Fact(
                kind=FactKind.SUPPORT if is_gone else FactKind.INTERFACE,
                item=item.key,
                change=change,
                subject=Subject.FEATURE,
                name=name,
                quote=text,
                evidence=(shown,),
                must_act=is_gone,
            )


def _messages(
    hunk: DiffHunk, says: re.Pattern[str], *, again: bool
) -> Iterator[tuple[str, Line, bool]]:
    """Yield the new messages of a hunk that say something, each with the line that does.

    Last, whether it is raised as an error. With `again`, also those that take the place of another
    one in its call.
    """
    lines = [line for line in hunk.lines if line.sign != "-"]
    for at, line in enumerate(lines):
        if line.sign != "+" or not says.search(line.text):
            continue
        first = max(0, at - _LINES_BEFORE)
        begun = next((n for n in range(at, first - 1, -1) if _SAYS.match(lines[n].text)), None)
        if begun is None or (lines[begun].sign != "+" and not again):
            continue
        text = _told(_texts(lines[begun : begun + _MESSAGE_LINES]))
        if says.search(text):
            yield text, line, lines[begun].text.lstrip().startswith("raise ")


def _texts(lines: Sequence[Line]) -> list[str]:
    """Return the strings of the error that lines raise."""
    found: list[str] = []
    depth = 0
    for line in lines:
        found += map("".join, _STRING.findall(line.text))
        depth += line.text.count("(") - line.text.count(")")
        if depth <= 0:
            break
    return found


def _told(texts: Sequence[str]) -> str:
    """Return an error with `…` for what it fills in; of a long one the first sentence.

    One that is put together of parts that are not there is not told.
    """
    text = " ".join(_FILLED.sub("…", "".join(texts)).split())
    if len(text) > _LONGEST:
        text = next(iter(split_sentences(text.partition(": ")[0])), "")
    return text.rstrip(". ") if len(text) <= _LONGEST and ": ," not in text else ""
