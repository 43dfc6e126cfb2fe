"""A word of both languages that may be said only where the source has something that allows it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One meaning: how a sentence says it, and what in a source licenses it.

    `strict` terms are licensed by prose (title, body, facts) alone, others by changed lines too:
    the code that a sentence is about seldom says "significantly" by accident, but often "all".
    """

    name: str
    said: re.Pattern[str]
    licence: re.Pattern[str]
    strict: bool


def term(name: str, en: str, zh: str = "", licence: str = "", *, strict: bool = False) -> Term:
    """Make a term of alternatives: English whole words, Chinese, and what else licenses it.

    What says a term licenses it as well; a licence need only begin a word.
    """
    said = "|".join(part for part in (rf"\b(?:{en})\b" if en else "", zh) if part)
    words = (rf"\b(?:{en})\b" if en else "", rf"\b(?:{licence})" if licence else "")
    licenses = "|".join(part for part in (*words, zh, *_cjk(licence)) if part)
    return Term(name, re.compile(said, re.ASCII), re.compile(licenses, re.ASCII), strict)


def said(terms: Iterable[Term], text: str) -> Iterator[tuple[Term, str]]:
    """Give the terms that a text in lower case says, with the words in which it does."""
    for each in terms:
        found = each.said.search(text)
        if found is not None:
            yield each, found.group()


def _cjk(licence: str) -> Iterator[str]:
    """Give the Chinese alternatives of a licence again: no word boundary stands before them."""
    yield from (part for part in licence.split("|") if part and not part[0].isascii())
