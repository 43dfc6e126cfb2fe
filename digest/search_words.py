"""Text to words that can be searched alike in English and Chinese, on any database.

Every Chinese character is a word of its own and a query is a phrase of words, so that `数据` is
found in `数据库` without knowing where Chinese words begin. Other words are found by their start.
"""

import re
import unicodedata

from digest.models import Item

LONGEST_SEARCHED = 20_000
"""Characters of one text that are searched; no description that people write is longer."""

# Han with its extensions, kana: scripts that are written without spaces.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PARTED = re.compile(rf"(?<=[{_UNSPACED}]) (?=[{_UNSPACED}])")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")


def words(text: str) -> str:
    """Return the words of a text in lower case, each between two spaces."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_SEARCHED]).casefold()
    return f" {' '.join(_WORD.findall(plain))} "


def as_written(said: str) -> str:
    """Return words as people write them: between characters of scripts without spaces is none."""
    return _PARTED.sub("", said)


def item_words(item: Item) -> str:
    """Return every word that an item can be found by, its title excepted."""
    return words(" ".join((item.ref, item.author, *item.labels, *item.commits, item.body)))


def patterns(query: str) -> tuple[str, ...]:
    """Return one LIKE pattern for each word of a query, all of which have to fit.

    Nothing in a pattern needs escaping, as words hold letters and digits alone.
    """
    asked = (words(part).rstrip() for part in query.split())
    return tuple(dict.fromkeys(f"%{part}%" for part in asked if part))
