"""The languages, English and each a folder beside this file, and a sentence said in one of them."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.wording.catalogue import Catalogue

CATALOGUES: Mapping[Language, Catalogue] = {
    language: Catalogue.english()
    if language is Language.EN
    else import_module(f"digest.wording.{language}.catalogue").CATALOGUE
    for language in Language
}


def localized(why: Phrase, language: Language) -> str:
    """Return it as a sentence without a full stop, commands as they are typed."""
    return CATALOGUES[language].localized(why)


def pieces(why: Phrase, language: Language) -> Iterator[str | Example]:
    """Yield a sentence piece by piece, its commands by themselves."""
    return CATALOGUES[language].pieces(why)
