"""The parts of a sentence that are names: each has to be in the source as it is written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from digest.grounding.units import MEASURED

_SPAN = re.compile(r"`([^`]{1,200})`")
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_])(?:#|--?(?=[A-Za-z]))?[A-Za-z0-9_](?:[A-Za-z0-9_.:/+@%-]|,(?=\d{3}))*(?:\(\))?",
    re.ASCII,
)
_SHA = re.compile(r"(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}")
_VERSION = re.compile(r"v?\d+\.\d+\.\d+(?:\.\d+)*|v\d+\.\d+")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?(?:-\d[\d,]*(?:\.\d+)?)?(-?[a-z%/]+)?")
_EXTENSION = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z][A-Za-z0-9]{0,5}")
_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2,}[a-z]{2,}")
_ACRONYM = re.compile(r"[A-Z]{2,}s?")
_PLAIN_DOTS = frozenset({"e.g", "i.e", "etc", "vs", "a.k.a"})


class AtomKind(StrEnum):
    """What kind of name an atom is; it decides where it has to be found."""

    CODE = "code"
    PATH = "path"
    SHA = "sha"
    NUMBER = "number"
    VERSION = "version"
    NAME = "identifier"
    ACRONYM = "acronym"
    WORD = "name"


@dataclass(frozen=True, slots=True)
class Atom:
    """One name as it is written; `marked` tells that it stood between backticks."""

    kind: AtomKind
    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence taken apart: its names, and what is left of it, in lower case."""

    atoms: tuple[Atom, ...]
    rest: str


def taken_apart(text: str, *, chinese: bool) -> Sentence:
    """Take a folded sentence apart. In Chinese every Latin word is a name or a term."""
    atoms: list[Atom] = []

    def span(found: re.Match[str]) -> str:
        atoms.append(_spanned(found[1].strip()))
        return " "

    bare = _SPAN.sub(span, text)
    begun = False

    def token(found: re.Match[str]) -> str:
        nonlocal begun
        word = found.group()
        named = list(_named(word.rstrip(".,:/+@-"), begins=not begun and not chinese))
        begun = True
        atoms.extend(named)
        if not named:
            return word
        return (
            " " + word[len(word.rstrip(".,:;")) :]
            if any(each.kind not in (AtomKind.ACRONYM, AtomKind.WORD) for each in named)
            else word
        )

    rest = _TOKEN.sub(token, bare)
    return Sentence(tuple(dict.fromkeys(atoms)), rest.lower())


def _spanned(inside: str) -> Atom:
    """Tell what stands between backticks: a path, a name, or code."""
    if re.search(r"\s", inside):
        return Atom(AtomKind.CODE, inside, marked=True)
    named = list(_named(inside, begins=False))
    if len(named) == 1 and named[0].text == inside and named[0].kind is not AtomKind.WORD:
        return replace(named[0], marked=True)
    return Atom(AtomKind.PATH if "/" in inside else AtomKind.NAME, inside, marked=True)


def _named(word: str, *, begins: bool) -> Iterator[Atom]:
    if not word or _is_figure(word) or word.lower() in _PLAIN_DOTS:
        return
    if word.lower() in MEASURED:  # a unit is looked at with its number, however it is spelled
        return
    kind = _kind(word)
    if kind is not None:
        yield Atom(kind, word)
    elif "/" in word:
        for part in word.split("/"):
            yield from _named(part, begins=begins)
    elif "-" in word.strip("-"):
        if any(_kind(part) for part in word.split("-")):
            yield Atom(AtomKind.NAME, word)
        elif word[0].isupper() and not begins:
            yield Atom(AtomKind.WORD, word)
    elif word[0].isupper() and len(word) > 1 and not begins:
        yield Atom(AtomKind.WORD, word)


def _is_figure(word: str) -> bool:
    found = _FIGURE.fullmatch(word.lower())
    if found is None or _DATE.fullmatch(word) or (word.count(".") > 1 and "-" not in word):
        return False
    suffix = (found[1] or "").lstrip("-")
    return not suffix or suffix in MEASURED or (found[1] or "").startswith("-")


def _kind(word: str) -> AtomKind | None:
    if word.startswith("#"):
        return AtomKind.NUMBER
    if word.startswith("-"):
        return AtomKind.NAME
    if _SHA.fullmatch(word):
        return AtomKind.SHA
    if _VERSION.fullmatch(word):
        return AtomKind.VERSION
    if "/" in word:
        is_path = word.count("/") > 1 or _EXTENSION.fullmatch(word.rpartition("/")[2])
        return AtomKind.PATH if is_path or "_" in word else None
    if _DATE.fullmatch(word) or "_" in word or "::" in word or word.endswith("()"):
        return AtomKind.NAME
    if "-" in word:
        return None
    letters = any(char.isalpha() for char in word)
    if letters and (any(char.isdigit() for char in word) or "." in word or ":" in word):
        return AtomKind.NAME
    if _ACRONYM.fullmatch(word):
        return AtomKind.ACRONYM
    return AtomKind.NAME if letters and _CAMEL.search(word) else None
