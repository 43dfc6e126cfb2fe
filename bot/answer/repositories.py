"""From what a person calls a repository to the repository."""

from collections.abc import Mapping

from bot.model.commands import CHANNEL_WORDS, READING_WORDS, example_of, nearest, shown
from bot.model.references import read_repo
from digest.errors import UnknownRepo
from digest.models import Repo
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY

NAMELESS_OWNER = "local"
"""The owner that `digest.sources.git` gives to a clone without remote."""


def resolve(name: str, names: Mapping[str, Repo]) -> Repo:
    """Give the repository of an alias in any case, of `OWNER/NAME`, or of its address.

    `names` are the known aliases in lower case. A full name that is known in another spelling
    takes the known one. Raises `UnknownRepo` with the nearest name.
    """
    known = names.get(name.casefold())
    if known:
        return known
    named = read_repo(name)
    if named is None:
        raise UnknownRepo(SAY.repositories.unknown(shown(name), _hint(name, names)))
    folded = str(named).casefold()
    return next((repo for repo in names.values() if str(repo).casefold() == folded), named)


def resolve_only(name: str, only: Repo, names: Mapping[str, Repo]) -> Repo:
    """Give `only`, the one repository that a local source holds, if `name` means it.

    A clone without remote has no name of its own (`local/FOLDER`) and takes any that is asked for.
    """
    named = names.get(name.casefold()) or read_repo(name)
    asked = str(named).casefold() if named else name.casefold()
    if asked in {str(only).casefold(), only.name.casefold(), "."}:
        return only
    if only.owner == NAMELESS_OWNER and named:
        return named
    raise UnknownRepo(SAY.repositories.only_this_not(only, shown(name), only.name))


def _hint(name: str, names: Mapping[str, Repo]) -> Phrase:
    words = tuple(word for word in (*READING_WORDS, *CHANNEL_WORDS) if "watch" not in word)
    is_word = name.casefold() in words
    if not is_word and (meant := nearest(name, words)):
        return SAY.commands.did_you_mean(example_of(meant))
    if not is_word and (meant := nearest(name, tuple(names))):
        return SAY.commands.did_you_mean(Example(meant))
    return SAY.repositories.write(tuple(names))
