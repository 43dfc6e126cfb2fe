"""What is said short in a parent: titles and values that fit, entries beside their heading."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from digest.models import Item, UpgradeNote
from digest.writing import entries
from digest.writing.document import Block, Bullets, Entry, Paragraph, Runs, Words
from digest.writing.sections import Context
from digest.writing.visible import visible

LONGEST_TITLE = 256
"""GitHub's own longest title of an issue or pull request. Only longer ones of commits are
shortened in a parent, which has to be one message; the thread has them whole.
https://github.com/orgs/community/discussions/50025"""

LONGEST_VALUE = 120
"""A name or value of an upgrade note in a parent; the list in the thread has it whole."""


@dataclass(frozen=True, slots=True)
class Told:
    """Some blocks and the items in them."""

    blocks: tuple[Block, ...] = ()
    keys: tuple[str, ...] = ()


def listed(heading: Runs, told: Sequence[Entry], more: Runs = ()) -> Told:
    """Give entries under a heading: one beside it, several below it."""
    if not told:
        return Told()
    keys = tuple(key for entry in told for key in entry.about)
    if len(told) == 1 and not more:
        return Told((Paragraph((*heading, Words(entries.DOT), *told[0].runs)),), keys)
    last = (Entry(more),) if more else ()
    return Told((Paragraph(heading), Bullets((*told, *last))), keys)


def title(item: Item, about: Context) -> Runs:
    """Give a title of at most `LONGEST_TITLE` characters, with its reference."""
    if item.title == item.ref:
        return (entries.reference(item),)
    return entries.named(brief(replace(item, commits=())), about.say)


def brief(item: Item) -> Item:
    """Give an item with a title that fits."""
    return replace(item, title=shortened(item.title, LONGEST_TITLE))


def shortened(text: str, longest: int) -> str:
    """Give a text that is too long up to an ellipsis."""
    seen = visible(text)
    return text if len(seen) <= longest else f"{seen[: longest - 1]}…"


def brief_note(note: UpgradeNote) -> UpgradeNote:
    """Leave the place out, which the page of the change has."""
    return replace(
        note,
        path="",
        name=shortened(note.name, LONGEST_VALUE),
        before=_brief_value(note.before),
        after=_brief_value(note.after),
    )


def _brief_value(value: str | None) -> str | None:
    return None if value is None else shortened(entries.abbreviated(value), LONGEST_VALUE)
