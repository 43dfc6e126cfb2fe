"""What a phrase says in English, and phrases that say what a test wrote."""

from digest.languages import Language
from digest.models import Gap
from digest.phrase import Phrase
from digest.wording.saying import localized


def english(phrase: Phrase) -> str:
    """Say a phrase as a reader of English gets it."""
    return localized(phrase, Language.EN)


def gap(what: str, why: str, *, lasting: bool = False) -> Gap:
    """Make a gap with a reason that no source gives."""
    return Gap(what, Phrase.as_written(why), lasting)
