"""Names have to be in the source as they are written: identifiers, paths, SHAs, versions, code."""

import re
from collections.abc import Iterable, Iterator

from digest.grounding.atoms import Atom, AtomKind, taken_apart
from digest.grounding.names import NAMES
from digest.grounding.plain import plain, spread, stands
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem
from digest.grounding.subjects import SUBJECTS
from digest.grounding.term import Term

_PARTS = re.compile(r"[A-Za-z0-9_]+")
_FAMILY = re.compile(r"([a-z]{2,12})[-_ ]?(\d{1,4}[a-z]{0,2})")
_FORMAT = re.compile(r"[A-Z]{1,6}\d{1,4}[A-Za-z]?\d{0,2}")
"""FP8, NVFP4, W4A8, SM120: a part of many a longer name."""

_PART = re.compile(r"[a-z]{1,4}\d[a-z0-9]{0,6}")
"""The same in small letters, of a name that is not said to be copied: e4m3 of float8_e4m3."""

_CAPABILITY = re.compile(r"sm_?(\d{1,3})(x?)")
_CAPABILITIES = re.compile(r"capabilit|\bsm\b|\bsms\b|compute arch|cuda arch")
_EXPONENT = re.compile(r"\d+(?:\.\d+)?e-?\d+")
_SHORT_PART = 3

_HEX_RUN = re.compile(r"[0-9a-f]{7,40}")
_EVERYWHERE = frozenset(
    {"api", "apis", "pr", "prs", "id", "ids", "llm", "llms", "ok", "vs", "rfc", "readme", "github"}
)
_LONGEST_CODE = 80


def unlicensed(
    atoms: Iterable[Atom], source: Source, quote: str, near: Diff | None
) -> Iterator[Atom]:
    """Give the names that the source does not have.

    A name may be from prose, facts and changed lines anywhere, from the lines around a change
    only in the hunk that is quoted (`near`). What stands between backticks is said to be copied:
    no other name for it licenses it, nor another case. Beside a quote of prose that names names, a
    name that only the diff has is one of which it puts in more or fewer: the others are not what
    it is about.
    """
    exact = "\n".join((source.prose, source.changed, near.whole if near else ""))
    words = f"{source.words}\n{source.changed_words}\n{near.words if near else ''}"
    names_names = near is None and any(
        each.kind is AtomKind.NAME for each in taken_apart(quote, chinese=False).atoms
    )
    for atom in atoms:
        there = _is_there(atom, source, exact, words) and _is_copied(atom, source)
        if not there or (names_names and _is_untouched(atom, source)):
            yield atom


def _is_copied(atom: Atom, source: Source) -> bool:
    parts = _PARTS.findall(atom.text) if atom.marked else ()
    return stands(atom.text, source.written) or all(stands(part, source.written) for part in parts)


def _is_untouched(atom: Atom, source: Source) -> bool:
    name = atom.text.lower()
    if atom.kind is not AtomKind.NAME or stands(name, source.words):
        return False
    if not stands(name, source.changed):
        return False
    return not any(
        diff.added.count(name) != diff.removed.count(name) or name in diff.path
        for diff in source.diffs
    )


def _is_there(atom: Atom, source: Source, exact: str, words: str) -> bool:
    text = atom.text.lower()
    if atom.kind is AtomKind.NUMBER:
        return stands(text, source.prose) or any(
            key.endswith(f":{text[1:]}") for key in source.keys
        )
    if atom.kind is AtomKind.SHA:
        return any(run.startswith(text) for run in _HEX_RUN.findall(source.prose))
    if atom.kind is AtomKind.PATH:
        if _is_path(text, source) or stands(text.strip("/"), exact):
            return True
        parts = text.split("/")
        # `a/b/rc` beside each other are choices, not folders.
        return not atom.marked and all(
            0 < len(part) <= _SHORT_PART and stands(part, exact) for part in parts
        )
    if atom.kind is AtomKind.CODE:
        return len(text) <= _LONGEST_CODE and any(
            _unquoted(plain(text)) in _unquoted(place) for place in source.places.values()
        )
    if atom.kind in (AtomKind.ACRONYM, AtomKind.WORD):
        return (
            text in _EVERYWHERE
            or any(stands(each, words, part=True) for each in (text, text.removesuffix("s")))
            or stem(text) in source.stems
            or _is_told_otherwise(text, words)
        )
    short = _FORMAT.fullmatch(atom.text) or (not atom.marked and _PART.fullmatch(text))
    if short and stands(text, words, part=True):
        return True
    if (found := _CAPABILITY.fullmatch(text)) and _is_capability(found[1], found[2], source):
        return True
    return _is_name(text, source, exact) or _is_told_otherwise(text, words)


def _is_capability(number: str, more: str, source: Source) -> bool:
    """Tell whether a line about compute capabilities lists one: 90 for SM90, 121 for SM12x."""
    last = r"\d" if more else ""
    listed = re.compile(rf"(?<![\w.]){number}{last}(?![\w.])")
    return any(
        _CAPABILITIES.search(spread(line)) and listed.search(line)
        for diff in source.diffs
        for line in f"{diff.removed}\n{diff.added}".split("\n")
    )


def _unquoted(code: str) -> str:
    return code.replace('"', "").replace("'", "")


def _is_name(text: str, source: Source, exact: str) -> bool:
    if any(stands(spelling, exact) for spelling in _spellings(text)):
        return True
    if "." in text and _is_path(text, source):
        return True
    parts = _PARTS.findall(text)
    if text.startswith("-") or len(parts) < 2 or ("_" in text and len(parts) == 1):
        return False
    if "-" in text and not any(char in text for char in ".:()"):
        if stands(text.replace("-", "_"), exact):
            return True
        return all(_is_part(part, exact) for part in parts)
    blocks = (
        *source.paragraphs,
        source.title,
        *(diff.whole.partition("\n")[2] for diff in source.diffs),
    )
    return any(all(stands(part, block) for part in parts) for block in blocks)


def _is_part(part: str, exact: str) -> bool:
    if any(char.isdigit() for char in part) or "_" in part:
        return any(stands(spelling, exact) for spelling in _spellings(part))
    return stands(part, exact, part=True) or stem(part) in {"base", "specif", "onl", "bas", "sid"}


def _spellings(text: str) -> Iterator[str]:
    bare = text.removesuffix("()")
    yield bare
    yield f"__{bare}__"
    if _EXPONENT.fullmatch(bare):
        yield f"{bare}f"
    if bare[:1] == "v" and bare[1:2].isdigit():
        yield bare[1:]
    elif bare[:1].isdigit() and "." in bare:
        yield f"v{bare}"
    if bare.startswith("--"):
        yield bare.replace("-", "_").replace("__", "--", 1)
    elif bare.endswith("s") and not bare.endswith("ss"):
        yield bare[:-1]
    if family := _FAMILY.fullmatch(bare):
        yield from (f"{family[1]}{joint}{family[2]}" for joint in ("", "-", "_", " "))


def _is_path(text: str, source: Source) -> bool:
    """Tell of a path, its end, or a folder in it: whole parts, as they follow each other."""
    wanted = f"/{text.strip('/').removeprefix('./')}/"
    paths = [fact.partition(": ")[2] for fact in source.facts if fact.startswith("path: ")]
    return any(wanted in f"/{path}/" for path in (*paths, *(diff.path for diff in source.diffs)))


def _is_told_otherwise(text: str, words: str) -> bool:
    """Tell of a name that the source has by another name: Blackwell for sm100, OOM spelled out."""
    return any(_whole(term, text) and term.licence.search(words) for term in (*NAMES, *SUBJECTS))


def _whole(term: Term, text: str) -> bool:
    return term.said.fullmatch(text) is not None
