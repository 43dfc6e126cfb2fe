"""What the comments and tests that come with a fix say of what went wrong without it.

Many a fix says nowhere else what people saw: its title names a part, its description is empty, and
a comment beside the new line tells why it is there. Such a symptom is inferred, for no text says
that it was seen; it is told only where the sentence speaks of what was, would be, or is prevented.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from digest.facts import Symptom
from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.comments import Note, notes
from digest.reading.paths import RUNTIME, role
from digest.reading.symptoms import gravest, symptoms

_BEFORE = re.compile(
    r"\b(?:before|prior to|without) (?:the|this) (?:bug ?)?(?:fix|change|patch|PR|commit)\b|"
    r"\b(?:before|pre)[- ](?:bug ?)?fix\b|"
    r"(?<!is )(?<!are )(?<!be )(?<!^)\bused to (?!avoid|prevent)|"
    r"\b(?:the|original|old) (?:original )?bug (?:was|is|that)\b|\bthe original bug\b|"
    r"\bregression (?:(?:test|guard|check|coverage)s? )?(?:for|of|from)\b|"
    r"\bregression(?: test| guard)?(?: \(#\d+\))?:|\bpreviously,|"
    r"\b(?:code|path|this|it|which|that) previously\b|"
    r"(?:^|[.;:(—] ?)previously\b|\bthe symptom is\b",
    re.IGNORECASE,
)
"""Words of what was: they stand in tests as often as beside code."""
_WITHOUT = re.compile(
    r"\botherwise\b|\bwithout (?:this|it|that|these|them|the|an?)\b|\bwould\b|"
    r"\b(?:caus|inject|trigger)(?:e|es|ed|ing|s)?\b|\b(?:produc|mak)(?:e|es|ing)\b|"
    r"\blead(?:s|ing)? to\b|\bresult(?:s|ing)? in\b|\bdue to\b|\bbecause of\b|"
    r"\bcorrupts?\b|\b(?:avoid|prevent)(?:s|ing|ed)?\b|"
    r"\b(?:instead of|rather than|risk(?:s|ing)?) (?:silently |a (?:permanent )?)?"
    r"(?=\w+ing\b|hang|crash)|"
    r"\bso (?:we )?(?:reject|refuse|raise|fail|skip|disable|fall ?back)\b",
    re.IGNORECASE,
)
"""Words of what would be: beside the code of a fix they say what was."""
_SPARED = re.compile(
    r"\b(?:must|should)(?: not|n't) (?:crash|hang|deadlock|segfault)\b", re.IGNORECASE
)
"""Words of a test on what must not happen again."""
_FAILS = re.compile(
    r"\b(?:otherwise|without (?:this|it|the fix))\b.{0,120}?\b(?:overflows?\b(?! to\b)|"
    r"fails? (?:at|for|on|to|when|with)\b)|"
    r"\b(?:causing|caus(?:es|ed)|must not raise) (?:an? |the )?(?:[\w\"' -]{1,40} )?errors?\b",
    re.IGNORECASE,
)
"""Words of what fails, and not how."""
_LEAKS = re.compile(
    r"\bleak\w* (?:(?:an?|its|every|in-flight|one|the|their|those) ){0,2}(?:[\w-]+ )?"
    r"(?:blocks?|buffers?|entr(?:y|ies)|fds?|gpu|handles?|kv|memory|pages?|references?|requests?|"
    r"slots?|tensors?)\b(?! into\b)|\bmemory[ -]leak|\bleaks?(?: them)?[,;.)]*$",
    re.IGNORECASE,
)
"""A leak of what takes memory: a comment speaks of others as often."""
_WORTH = re.compile(
    r"efore|rior to|re-fix|ithout|sed to|\b[Bb]ug\b|egression|reviously|ymptom|therwise|"
    r"[Ww]ould|[Cc]aus|njec|rigger|roduc|[Mm]ak(?:e|ing)|[Ll]ead|esult|[Dd]ue to|ecause of|orrupt|"
    r"nstead of|ather than|[Rr]isk|[Ss]o (?:we )?(?:reject|refuse|raise|fail|skip|disable|fall)|"
    r"void|revent|n[o']t (?:crash|hang|deadlock|segfault)"
)
"""What a hunk has to hold to be read; a sentence may begin with it, and ignoring case is slow."""
_NO_HINDSIGHT = re.compile(
    r"\b(?:TODO|FIXME|XXX|CI)\b|^raises\b|\bdebug(?:ging)?\b|\bcircular import|"
    r"\b(?:should|must|will|expected to) (?:raise|throw)\b|[\"'`]\w+(?:Error|Exception)\(",
    re.IGNORECASE,
)
"""Words of what is still to do, of what is meant to fail, and of an error that is spoken of."""
_NOT_OURS = re.compile(
    r"\bunlike\b|\bin theory\b|"
    r"\b(?:is|are|was|were|be|been|gets?) (?:\w+ly )?(?:caught|detected)\b|"
    r"\balready (?:been )?(?:fixed|solved|handled)\b|\b(?:fixed|solved|handled) (?:\w+ )?already\b|"
    r"\b(?:otherwise|without (?:this|it|that))\b.{0,80}\b(?:instead of|rather than) (?:an? )?"
    r"(?:crash|hang|deadlock)",
    re.IGNORECASE,
)
"""Words of a failure of another program, of theory, or that is seen to, and of what it became."""
_DIES = re.compile(r"\b(?:crash|die[ds]?\b|dead|kill|segfault)", re.IGNORECASE)
"""Words of more than one request that failed."""
_CAUSE = re.compile(r"(?<=.{10})\bbecause (?!of\b)", re.IGNORECASE)
"""Words after which a sentence tells why, not what was seen."""
_ABOUT_WORDS = re.compile(
    r"\b(?:perf(?:ormance)?|speed|slow\w*|latency|throughput|messages?|multi-arg|logs?|logging|"
    r"metrics?|gauges?|typos?|spelling)\b",
    re.IGNORECASE,
)
"""A title of how fast something is, or of what is written about it."""
_SEEN = frozenset(
    {
        *(Symptom.WRONG_OUTPUT, Symptom.CRASH, Symptom.HANG, Symptom.OUT_OF_MEMORY),
        *(Symptom.MEMORY_LEAK, Symptom.CANNOT_START, Symptom.DATA_LOSS),
    }
)
_SEEN_BEFORE = _SEEN | {Symptom.BAD_ANSWER, Symptom.BUILD_FAILS}
MOST_WITH_PAST = 300
"""New lines of what runs above which even what was may be of anything that came with a fix."""
MOST_WITH_CAUSE = 60
"""The same of comments that only say what would be, or is avoided."""
LONGEST = 600
"""Characters of a sentence that says one thing."""


def hindsight(title: str, files: Sequence[FileChange]) -> tuple[Symptom, Note] | None:
    """Return what went wrong before a fix by its own new comments and tests, with the sentence.

    In: the title of a fix, and its files with their patches. Out: what most sentences on what was
    say; else what those on what would be say, where they agree; None where no sentence says so.
    """
    new = sum(file.additions for file in files if role(file.path) in RUNTIME)
    if new > MOST_WITH_PAST or _ABOUT_WORDS.search(title):
        return None
    read = [
        file
        for file in files
        if role(file.path) is ChangeObject.TEST
        or (role(file.path) in RUNTIME and file.status != "added")
    ]
    found = [
        note
        for note in notes(read, _WORTH)
        if len(note.text) <= LONGEST
        and not (_NO_HINDSIGHT.search(note.text) or _NOT_OURS.search(note.text))
    ]
    past = list(_told((note for note in found if _BEFORE.search(note.text)), _SEEN_BEFORE))
    if past:
        [(most, _)] = Counter(symptom for symptom, _ in past).most_common(1)
        return next(one for one in past if one[0] is most)
    if new > MOST_WITH_CAUSE:
        return None
    beside = (note for note in found if not note.is_test and _WITHOUT.search(note.text))
    would = list(_told(beside, _SEEN))
    if len({symptom for symptom, _ in would}) == 1:
        return would[0]
    return None if would else next(_spared(found), None)


def _told(found: Iterable[Note], seen: Collection[Symptom]) -> Iterator[tuple[Symptom, Note]]:
    for note in found:
        told = _CAUSE.split(note.text, maxsplit=1)[0]
        stated = {symptom for symptom, _ in symptoms(told)}.intersection(seen)
        if not _LEAKS.search(note.text):
            stated.discard(Symptom.MEMORY_LEAK)
        if Symptom.BAD_ANSWER in stated and not _DIES.search(told):
            stated.discard(Symptom.CRASH)  # one request ended so
        symptom = gravest(stated)
        if symptom is not None:
            yield symptom, note
        elif _FAILS.search(told):
            yield Symptom.CRASH, note


def _spared(found: Iterable[Note]) -> Iterator[tuple[Symptom, Note]]:
    for note in found:
        match = _SPARED.search(note.text) if note.is_test else None
        if match is not None:
            is_hang = match.group().lower().endswith(("hang", "deadlock"))
            yield Symptom.HANG if is_hang else Symptom.CRASH, note
