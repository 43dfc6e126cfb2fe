"""A model's own sentences on a page: always under a mark that says whose they are."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from digest.edited import ModelUse, Remark, RemarkKind
from digest.languages import Language
from digest.models import Change, Item, ReadItem
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Section,
    Strong,
    Tone,
    Words,
)
from digest.writing.making import short_name
from digest.writing.phrasing import fill, joined, plain, quoted, verbatim
from digest.writing.visible import visible

LEAST_SENTENCES = 2
"""Sentences that make a paragraph: of fewer the computed line says more."""
MOST_IN_NOTIFICATION = 2


def lead_remarks(
    remarks: Sequence[Remark], language: Language, least: int = LEAST_SENTENCES
) -> list[Remark]:
    """Give the sentences of a paragraph that there are in a language; none where too few are."""
    found = [each for each in remarks if each.kind is RemarkKind.LEAD and each.text.get(language)]
    return found if len(found) >= least else []


def paragraph(
    remarks: Sequence[Remark],
    use: ModelUse | None,
    items: Mapping[str, Item],
    language: Language,
    least: int = LEAST_SENTENCES,
) -> list[Block]:
    """Give the paragraph that a model wrote, its items linked, and under it whose it is.

    `items` are those of the page by their keys; of several repositories each is linked with the
    name of its own. Nothing where there is no paragraph.
    """
    found = lead_remarks(remarks, language, least)
    if not found or use is None:
        return []
    is_of_several = len({item.repo for item in items.values()}) > 1
    sentences = [_sentence(each, items, language, named=is_of_several) for each in found]
    gap = CATALOGUES[language].gap or " "
    mark = fill(CATALOGUES[language].editing.written_by, model=Foreign(_writers(use)))
    return [Paragraph(joined(sentences, gap)), Paragraph(mark, Tone.SMALL)]


def _writers(use: ModelUse) -> str:
    """Give the models that wrote a paragraph: who reads a sentence again may write it anew."""
    names = dict.fromkeys((use.model, use.checker or use.model))
    return ", ".join(map(short_name, names))


def _cited(remark: Remark, items: Mapping[str, Item]) -> list[Item]:
    return [items[key] for key in remark.cites if key in items]


def _sentence(
    remark: Remark, items: Mapping[str, Item], language: Language, *, named: bool
) -> Runs:
    text: Runs = (Foreign(visible(remark.text[language])),)
    links: list[Runs] = [
        (Link(f"{item.repo.name} {item.ref}" if named else item.ref, item.url),)
        for item in _cited(remark, items)
    ]
    return joined((text, *links), " ")


def in_a_notification(
    remarks: Sequence[Remark],
    use: ModelUse | None,
    language: Language,
    items: Mapping[str, Item] = MappingProxyType({}),
    least: int = LEAST_SENTENCES,
) -> list[str]:
    """Give the first sentences of a paragraph as plain words, the last one with whose they are.

    Where `items` are of several repositories, each begins with the names of those it is about.
    """
    found = lead_remarks(remarks, language, least)
    if not found or use is None:
        return []
    say = CATALOGUES[language]
    sentences = [visible(each.text[language]) for each in found[:MOST_IN_NOTIFICATION]]
    if len({item.repo for item in items.values()}) > 1:
        of = [dict.fromkeys(item.repo.name for item in _cited(each, items)) for each in found]
        sentences = [
            say.colon.join(filter(None, (say.comma.join(names), text)))
            for names, text in zip(of, sentences, strict=False)
        ]
    sentences[-1] = f"{sentences[-1]} ({_writers(use)})"
    return sentences


def is_translated(read: ReadItem, language: Language) -> bool:
    """Tell whether an author's sentence is told in a model's translation."""
    return language is Language.ZH and read.sentence is not None and bool(read.sentence.chinese)


def own_sentence(read: ReadItem, text: str, say: Catalogue, language: Language) -> Runs:
    """Give an author's sentence, marked as such: in Chinese where a model translated it.

    The original is then one tap away, and a title stands beside it.
    """
    known = read.sentence
    if known and is_translated(read, language):
        words = CATALOGUES[language].editing
        chinese = Foreign(visible(known.chinese))
        if known.is_title:
            return fill(words.translated_title, chinese=chinese)
        return fill(
            words.translated,
            chinese=chinese,
            model=Foreign(short_name(known.translator)),
            original=Link(words.original, read.item.url),
        )
    return quoted(text, read.item, say, language)


def review(change: Change, say: Catalogue, language: Language) -> list[Section]:
    """Give how a model reads a change, in a block of its own; nothing where it has nothing."""
    if not change.remarks or change.model is None:
        return []
    words = CATALOGUES[language].editing
    heading = fill(words.review, model=Foreign(short_name(change.model.model)))
    lines = [_remark(each, change, language) for each in change.remarks if _text(each, language)]
    if not lines:
        return []
    blocks = (Paragraph((Words(words.judgement),), Tone.SMALL), Bullets(tuple(lines)))
    return [Section(heading, "reading", blocks)]


def _text(remark: Remark, language: Language) -> str:
    """Return what a remark says in a language, else in English; no page tells another one."""
    return remark.text.get(language) or remark.text.get(Language.EN, "")


def _remark(remark: Remark, change: Change, language: Language) -> Entry:
    words, say = CATALOGUES[language].editing, CATALOGUES[language]
    known = language in remark.text
    text = _text(remark, language)
    kind = Strong((Words(words.kinds[remark.kind]),))
    runs: Runs = (kind, Words(say.colon), Foreign(visible(text)))
    if not known:
        runs = (*runs, Words(words.in_other))
    if not remark.quote:
        return Entry(runs)
    if remark.line is None:
        return Entry(runs, (Entry(fill(words.quote, quote=_words(remark, change, language))),))
    place = (Code(remark.path), Words(f":{remark.line} "))
    return Entry(runs, (Entry((*place, Code(remark.quote.strip()))),))


def _words(remark: Remark, change: Change, language: Language) -> Runs:
    return (verbatim(f"“{plain(remark.quote)}”", change.read.item, language),)
