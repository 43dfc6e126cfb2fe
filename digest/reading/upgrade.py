"""Upgrade notes: what a change asks of the people downstream, read from its patches."""

from digest.models import Item, UpgradeNote


def upgrade_notes(item: Item, *, signatures: bool = False) -> tuple[UpgradeNote, ...]:
    """Read the upgrade notes of one item from its files; never raises on any patch.

    In: a change with its files (an item without files, or an issue, has no notes), and whether
    public signatures are wanted too. Out: notes in the order of path and line, each citing the
    item, with before and after as the diff has them.
    """
    return ()
