"""Every sentence of an error, a gap, a refusal or an answer, as text and as a code with values.

`Phrases[str]` is a language: each field gives text, and one that it lacks is a type error. `SAY`
has the same fields and gives a `Phrase`, a code with its values, for where the sentence arises:
`raise NotFound(SAY.github.no_repo(repo))`. Codes are stored: none is ever used anew for something
else, and one that nothing says any more stays while stored records may hold it.

A value is said as text; a `Phrase` in the language of the sentence, several values as a list, and
an `Example` as the platform has it typed.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, get_origin

from digest.phrase import Phrase
from digest.wording.area import Sentence, says
from digest.wording.channels import ChannelAreas
from digest.wording.commands import CommandAreas
from digest.wording.operating import OperatingAreas
from digest.wording.platforms import PlatformAreas
from digest.wording.sources import SourceAreas
from digest.wording.upgrades import UpgradeAreas


class Phrases(
    CommandAreas[Sentence],
    ChannelAreas[Sentence],
    SourceAreas[Sentence],
    UpgradeAreas[Sentence],
    PlatformAreas[Sentence],
    OperatingAreas[Sentence],
):
    """All of them, by where they arise; `unknown` is said of a code of another version."""

    comma: Sentence = says(", ")
    unknown: Callable[[object], Sentence] = says(
        lambda code: f"a reason that another version of infra knows ({code})"
    )


def _coded(area: str, kind: type[Any]) -> Any:
    """Return a set of sentences of which each gives its code, with the values it is given."""
    return kind(
        **{
            each.name: Phrase(f"{area}{each.name}")
            if each.type is Sentence
            else partial(Phrase.of, f"{area}{each.name}")
            if get_origin(each.type) is Callable
            else _coded(f"{each.name}.", get_origin(each.type) or Any)
            for each in fields(kind)
        }
    )


SAY: Phrases[Phrase] = _coded("", Phrases)

CODES = frozenset(
    f"{area.name}.{each.name}"
    for area in fields(Phrases)
    if is_dataclass(get_origin(area.type))
    for each in fields(getattr(SAY, area.name))
)
"""All codes of this version."""

COUNTED = frozenset({SAY.unread.patches(0, "").code, SAY.unread.some(0, "").code})
"""Sentences whose first value counts what could not be read."""


def cause(why: Phrase) -> Phrase:
    """Return why something could not be read, without what it was."""
    last = why.values[-1] if why.code.startswith("unread.") else None
    return last if isinstance(last, Phrase) else why
