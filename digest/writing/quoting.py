"""An author's own words on a page: marked as such, and never another script's prose."""

import re

from digest.languages import Language
from digest.models import Item
from digest.wording.catalogue import Catalogue
from digest.writing.document import Foreign, Link, Run, Runs
from digest.writing.emphasis import unmarked
from digest.writing.phrasing import fill
from digest.writing.visible import visible

_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


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
