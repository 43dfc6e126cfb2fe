"""What is refused or gone from now on: said by a title, a new error of a check, a new message."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.grades import Purpose
from digest.models import FileChange, Item
from digest.reading.change import bare
from digest.reading.description import TITLE_READ
from digest.reading.new_errors import (
    FILLED,
    MESSAGE_LINES,
    OF_SETTINGS,
    as_told,
    message_of,
    new_errors,
)
from digest.reading.patch import MOST_READ, DiffHunk, Line, hunks
from digest.reading.paths import RUNTIME, role
from digest.reading.support import OF_TESTS

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
    r"(?:^|: )(?:(?:validate|check|guard|enforce)\b|add an? check for\b|"
    r"add\b.{0,80}\b(?:validation|(?:type|dtype|shape|size|bounds) checks?)\b)",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(?:move|replace|convert)\b.{0,60}\b(?:assert\w{0,5}|validat\w{2,4}|checks?)\b",
    re.IGNORECASE,
)
"""A check that was there before."""
_MERELY_CLEARER = re.compile(
    r"\b(?:clear(?:er)?|clean(?:er)?|helpful|explicit|actionable|descriptive) (?:\w{1,20} ){0,2}"
    r"(?:error|exception|message)s?\b",
    re.IGNORECASE,
)
"""What a title says of a failure that was one before: nobody has to act on new words."""
_ANNOUNCED = re.compile(
    r"(?<!\bfile )(?<!\bfiles )"
    r"\b(?:ha(?:s|ve) been removed|(?:is|are) no longer supported|was removed(?=[;.,]| in v?\d))\b"
)
_QUOTED = re.compile(r"['\"`]([\w.-]{2,60})['\"`]")
_GONE = ("been removed", "no longer supported", "was removed")
"""One of these stands in every such message: looked for first, it is fast."""
_RETIRES = re.compile(r"\b(?:is|are) (?:now )?deprecated\b")
_SAYS = re.compile(
    r"\s*(?:raise \w|(?:\w+\.)*(?:logger|log|logging|warnings?)\.(?!filterwarnings\b)\w+\()"
)
"""The line on which a message begins that somebody reads; a filter keeps one from being read."""
_LINES_BEFORE = 4
"""Lines before the words of a message on which it may begin."""
_PARSES = re.compile(r"\bArgumentParser\(|\bparser\.add_argument\(|\.parse_args\(")
"""What a command reads its own flags with."""
_MOST_OF_A_STAND_IN = 60
"""Lines of a new file that only hands on to where a thing stands now."""
MOST_ANNOUNCED = 2
"""Messages of one change that are told."""


def refusals(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what is refused from now on: who gives such a thing has to change it.

    By the title, where the patches add an error: the name is the author's words. Else, of a fix or
    a title about validation, by the first new error that refuses something: the name is its text.
    """
    title = item.title[:TITLE_READ]
    if purpose in (Purpose.REVERT, Purpose.RELEASE) or OF_TESTS.search(title):
        return ()
    if _MERELY_CLEARER.search(title):
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
        if found := next(new_errors(files, of_checks=False), None):
            return (_refused(item, *found),)
        if raised := next(shown, None):
            name = said["what"] or said["when"]
            return (_refused(item, name, Evidence("title", title), raised),)
        return ()
    adds_check = _VALIDATES.search(rest) is not None
    if _MOVES.search(rest) or not (adds_check or purpose is Purpose.FIX):
        return ()
    found = next(new_errors(files, of_checks=adds_check), None)
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
    found: dict[str, tuple[str, Evidence, bool, tuple[str, ...]]] = {}
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
                if said and not is_new and ("…" not in text or any(map(FILLED.search, said))):
                    continue
                shown = Evidence("diff", line.text.strip(), file.path, line.new, "+")
                # Who says the same of one thing in two places may say what to do otherwise.
                name = says.split(text)[0].strip()
                found.setdefault(name, (text, shown, is_raised, _command(file, patch, text)))
    is_gone = change is FactChange.REMOVED
    for name, (text, shown, is_raised, who) in islice(found.items(), MOST_ANNOUNCED):
        is_named = bool(name) and "…" not in name and not name.startswith("_")
        if is_raised and is_named and not is_gone:
            yield _refused(item, text, shown)
        elif is_gone or (is_named and not is_raised):
            if is_gone and not _was_known(name, item):
                continue
            yield Fact(
                kind=FactKind.SUPPORT if is_gone else FactKind.INTERFACE,
                item=item.key,
                change=change,
                subject=Subject.FEATURE,
                name=name,
                quote=text,
                who=who,
                evidence=(shown,),
                must_act=is_gone,
            )


def _was_known(name: str, item: Item) -> bool:
    """Tell whether a line that stood before names the value that a message says to be gone.

    What stood nowhere was never taken: the message came along with code from elsewhere.
    """
    quoted = _QUOTED.findall(name)
    return not quoted or any(
        value in line
        for file in item.files or ()
        for line in (file.patch or "")[:MOST_READ].split("\n")
        if line[:1] in ("-", " ")
        for value in quoted
    )


def _command(file: FileChange, patch: str, text: str) -> tuple[str, ...]:
    """Return the file of a command whose own flag a message names; other commands have it, too."""
    if "--" not in text or OF_SETTINGS.search(file.path) or not _PARSES.search(patch):
        return ()
    return (file.path.rpartition("/")[2],)


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
        text = as_told(message_of(lines[begun : begun + MESSAGE_LINES]))
        if says.search(text):
            yield text, line, lines[begun].text.lstrip().startswith("raise ")
