"""Parts of a page as blocks of a message: short lists beside their heading, titles that fit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from digest.models import Item, Reading
from digest.writing import entries
from digest.writing.document import Block, Bullets, Entry, Paragraph, Runs, Strong, Words
from digest.writing.sections import PagePart
from digest.writing.visible import visible

LONGEST_TITLE = 256
"""GitHub's own longest title of an issue or pull request. Only longer ones of commits are
shortened in a parent, which has to be one message; the thread has them whole.
https://github.com/orgs/community/discussions/50025"""


@dataclass(frozen=True, slots=True)
class ListedItems:
    """Some blocks and the items in them."""

    blocks: tuple[Block, ...] = ()
    keys: tuple[str, ...] = ()


def listed(heading: Runs, shown: Sequence[Entry], more: Runs = (), of: int = 0) -> ListedItems:
    """Return entries under a heading: one beside it, several below it.

    `more` ends them; where they are some `of` a larger number, how many are left does.
    """
    if not shown:
        return ListedItems()
    if of > len(shown):
        more = (Words(f"+{of - len(shown)}"),)
    keys = tuple(key for entry in shown for key in entry.about)
    if len(shown) == 1 and not more and not shown[0].under:
        return ListedItems((Paragraph((*heading, Words(entries.DOT), *shown[0].runs)),), keys)
    last = (Entry(more),) if more else ()
    return ListedItems((Paragraph(heading), Bullets((*shown, *last))), keys)


def message_blocks(part: PagePart) -> ListedItems:
    """Return a part of a page as blocks of a message, under its heading."""
    heading: Runs = (Strong(part.heading),)
    first, *others = part.blocks or (Bullets(()),)
    match first:
        case Bullets(lines) if not others:
            return ListedItems(listed(heading, lines).blocks, part.keys)
        case Paragraph(runs) if not others:
            return ListedItems((Paragraph((*heading, Words(entries.DOT), *runs)),), part.keys)
    return ListedItems((Paragraph(heading), *part.blocks), part.keys)


def brief_reading(reading: Reading) -> Reading:
    """Return a reading with titles that fit into a parent."""
    if all(len(read.item.title) <= LONGEST_TITLE for read in reading.items):
        return reading
    pairs = (
        replace(pair, original=pair.original and brief(pair.original), revert=brief(pair.revert))
        for pair in reading.reverts
    )
    items = (replace(read, item=brief(read.item)) for read in reading.items)
    return replace(reading, items=tuple(items), reverts=tuple(pairs))


def brief(item: Item) -> Item:
    """Return an item with a title that fits."""
    return replace(item, title=shortened(item.title, LONGEST_TITLE))


def shortened(text: str, longest: int) -> str:
    """Return a text that is too long up to an ellipsis."""
    seen = visible(text)
    return text if len(seen) <= longest else f"{seen[: longest - 1]}…"
