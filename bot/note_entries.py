"""Upgrade notes in a chat: a line each, which wraps where a table would have to be scrolled."""

from collections.abc import Sequence

from digest.models import UpgradeNote
from digest.writing.document import Bullets, Entry, Runs, Table, Words
from digest.writing.entries import DOT, SPACE
from digest.writing.phrasing import joined
from digest.writing.sections import Context, notes_table
from digest.writing.wording.catalogue import Catalogue

ARROW = " → "


def note_entries(notes: Sequence[UpgradeNote], about: Context) -> Bullets:
    """Give a line for each note, about the items that it cites."""
    lines = rows_as_entries(notes_table(notes, about), about.say).entries
    return Bullets(
        tuple(
            Entry(line.runs, about=tuple(key for key in note.cites if key in about.items))
            for line, note in zip(lines, notes, strict=True)
        )
    )


def rows_as_entries(table: Table, say: Catalogue) -> Bullets:
    """Give a line for each row of `sections.notes_table`; file and line are one tap away.

    A name that is itself the value before or after stands there alone.
    """
    told: list[Entry] = []
    what: Runs = ()
    for first, name, before, after, _, source in table.rows:
        what = first if _seen(first, say) else what
        values = [value for value in (before, after) if _seen(value, say)]
        names = [name] if _seen(name, say) and name not in values else []
        said = joined((*names, joined(values, ARROW)), DOT)
        link = (SPACE, *source) if _seen(source, say) else ()
        told.append(Entry((*what, Words(say.colon), *said, *link)))
    return Bullets(tuple(told))


def _seen(cell: Runs, say: Catalogue) -> bool:
    """Tell whether a cell says anything: `notes_table` fills others with a dash or nothing."""
    return cell not in ((), (Words(""),), (Words(say.say.none),))
