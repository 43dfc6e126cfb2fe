"""What the upgrade notes of one changed file say."""

from datetime import UTC, datetime

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.upgrade import upgrade_notes

Told = tuple[str, str, str, str | None, str | None]
"""Kind, change, name, and the values before and after."""


def told(path: str, patch: str, *, repo: str = "rocket") -> list[Told]:
    item = Item(
        "k", Repo("acme", repo), Kind.COMMIT, "0a1b2c3", "A change", "https://x.test/c", "ada",
        datetime(2026, 1, 2, tzinfo=UTC), State.MERGED,
        files=(FileChange(path, "modified", 1, 1, patch),),
    )  # fmt: skip
    notes = upgrade_notes(item)
    return [(note.kind, note.change, note.name, note.before, note.after) for note in notes]
