"""Phrases made into runs: templates filled, lists joined, references in a text linked."""

import re
from collections.abc import Iterable, Mapping, Sequence

from digest.languages import Language
from digest.models import Item, Window
from digest.windows import UNTIL
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Foreign, Link, Run, Runs, Strong, Struck, Words, links
from digest.writing.emphasis import unmarked
from digest.writing.visible import visible

_SLOT = re.compile(r"\{(\w+)\}")
_MEETING = re.compile(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])")
_REFERENCE = re.compile(r"(?<![\w#/-])(?:#\d+|[0-9a-f]{7,40}|[vV]?\d[\w.+-]*)(?![\w/])")


def fill(template: str, **slots: Run | Runs | str) -> Runs:
    """Fill the `{names}` of one of our templates; a string stands for our own words."""
    runs: list[Run] = []
    for index, piece in enumerate(_SLOT.split(template)):
        if index % 2 == 0:
            _add(runs, piece)
            continue
        slot = slots[piece]
        if isinstance(slot, str):
            _add(runs, slot)
        elif isinstance(slot, tuple):
            runs.extend(slot)
        else:
            runs.append(slot)
    return tuple(runs)


def label_of(window: Window, language: Language) -> str:
    """Give the label of a window in a language: `2026-02-12 截至 09:04`."""
    day, is_partial, time = window.label.partition(UNTIL)
    until = CATALOGUES[language].dates.until
    return until.format(day=day, time=time) if is_partial else day


def _add(runs: list[Run], words: str) -> None:
    """Put words of ours behind runs, with a space where two scripts of ours meet."""
    if words:
        last = runs[-1] if runs else None
        meets = isinstance(last, Words) and _MEETING.search(last.text[-1:] + words[0])
        runs.append(Words(f" {words}" if meets else words))


def has_links(runs: Runs) -> bool:
    """Tell whether anything in runs leads somewhere."""
    return any(links(runs))


def joined(parts: Iterable[Runs], separator: str) -> Runs:
    """Put the separator between the parts that are not empty."""
    runs: list[Run] = []
    for part in parts:
        if part:
            runs.extend((Words(separator), *part) if runs else part)
    return tuple(runs)


def first_of(parts: Sequence[Runs], most: int, separator: str) -> Runs:
    """Put the first parts together, and how many more there are."""
    left = len(parts) - most
    more = (Words(f" +{left}"),) if left > 0 else ()
    return (*joined(parts[:most], separator), *more)


def prose(runs: Runs) -> str:
    """Give what of runs is read word by word: names in code are looked at."""
    parts: list[str] = []
    for run in runs:
        match run:
            case Strong() | Struck():
                parts.append(prose(run.runs))
            case Link():
                parts.append(run.label)
            case Words() | Foreign():
                parts.append(run.text)
            case Code():
                parts.append(" ")
    return "".join(parts)


def linked(text: str, urls: Mapping[str, str]) -> Runs:
    """Give a text in which every known reference is a link.

    `urls` maps references (`#35621`, `0d30896`, `v0.6.4`) to pages.
    """
    runs: list[Run] = []
    end = 0
    for match in _REFERENCE.finditer(text):
        reference = match.group().rstrip(".")
        if not urls.get(reference):
            continue
        runs.append(Foreign(text[end : match.start()]))
        runs.append(Link(reference, urls[reference]))
        end = match.start() + len(reference)
    runs.append(Foreign(text[end:]))
    return tuple(run for run in runs if not (isinstance(run, Foreign) and not run.text))


_LATIN = re.compile(r"[A-Za-z]\w*")
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_for_others(text: str, language: Language) -> bool:
    """Tell whether a sentence is for readers of another language alone: Chinese on another page.

    English stands on every page: its readers know it from the titles.
    """
    han, words = len(_HAN.findall(text)), len(_LATIN.findall(text))
    return language is not Language.ZH and han > 2 * words


def plain(text: str) -> str:
    """Give the visible part of an author's words without asterisks that only make bold."""
    return unmarked(visible(text))


def quoted(text: str, item: Item, say: Catalogue, language: Language) -> Runs:
    """Give an author's words in quotation marks, marked as the author's."""
    return fill(say.say.author, quote=verbatim(f"“{text}”", item, language))


def verbatim(text: str, item: Item, language: Language) -> Run:
    """Give a stranger's words; in another script than the page's they lead to where they stand."""
    if language is not Language.ZH and _HAN.search(text):
        return Link(text, item.url)
    return Foreign(text)
