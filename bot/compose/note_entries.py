"""Upgrade notes in a chat: a line each, which wraps where a table would have to be scrolled."""

from collections.abc import Sequence
from dataclasses import replace

from digest.models import UpgradeNote
from digest.writing import note_phrases
from digest.writing.document import ARROW, Bullets, Entry, Runs, Table, Words, says
from digest.writing.entries import DOT, SPACE
from digest.writing.phrasing import joined
from digest.writing.sections import Context, notes_table
from digest.writing.upgrading import moved_together
from digest.writing.wording.catalogue import Catalogue


def note_entries(notes: Sequence[UpgradeNote], about: Context) -> Bullets:
    """Give a line for each note, about the items that it cites.

    The modules that a change moved from one package to another are one line.
    """
    return Bullets(tuple(_line(group, about) for group in moved_together(notes)))


def _line(group: Sequence[UpgradeNote], about: Context) -> Entry:
    first, *others = group
    keys = tuple(key for key in first.cites if key in about.items)
    if others:
        bare = [replace(note, path="") for note in group]
        return Entry(note_phrases.notes(bare, about.say, about.cited(first.cites)), about=keys)
    (line,) = rows_as_entries(notes_table(group, about), about.say).entries
    return replace(line, about=keys)


def rows_as_entries(table: Table, say: Catalogue) -> Bullets:
    """Give a line for each row of `sections.notes_table`; file and line are one tap away.

    A name that is itself the value before or after stands there alone.
    """
    told: list[Entry] = []
    what: Runs = ()
    for row in table.rows:
        first, name, before, after, _, source = row
        _, named, was, now, _, linked = table.said(row)
        what = first if says(first) else what
        values = [value for value, seen in ((before, was), (after, now)) if seen]
        said = joined((*((name,) if named else ()), joined(values, ARROW)), DOT)
        link = (SPACE, *source) if linked else ()
        told.append(Entry((*what, Words(say.colon), *said, *link)))
    return Bullets(tuple(told))
