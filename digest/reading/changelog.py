"""What a change adds to the changelog of its repository: its author's words on what it does."""

import re
from collections.abc import Iterator

from digest.models import Item

_FILE = re.compile(r"(?:^|/)(?:changelog|changes|history|news)[\w.-]*\.(?:md|rst)$", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"(?:^|/)(?:changelog\.d|changelogs|newsfragments|\.changes)/[\w.+-]+\.(?:md|rst|txt)$",
    re.IGNORECASE,
)
"""A file of one entry, as towncrier and scriv ask for: https://towncrier.readthedocs.io."""
_BULLET = re.compile(r"\s{0,4}[-*+] (\S.*)$")
_MORE = re.compile(r"\s{1,8}(\S.*)$")
MOST_ENTRIES = 3
"""More entries are the changelog of a release, not of this change."""
MOST_LINES = 4_000
LONGEST_ENTRY = 2_000
"""Characters from which an entry is read no further; a longer line is data, and left out."""


def added_entries(item: Item) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each entry that a change adds, its lines joined by a space.

    Nothing is given of a file to which more than `MOST_ENTRIES` are added.
    """
    for file in item.files or ():
        if not file.patch or not (_FILE.search(file.path) or _FRAGMENT.search(file.path)):
            continue
        entries: list[str] = []
        is_open = False
        for line in file.patch.split("\n")[:MOST_LINES]:
            is_added = line[:1] == "+" and line[:3] != "+++" and len(line) <= LONGEST_ENTRY
            text = line[1:] if is_added else ""
            if bullet := _BULLET.match(text):
                entries.append(bullet.group(1).strip())
            elif is_open and (more := _MORE.match(text)):
                entries[-1] = f"{entries[-1]} {more.group(1).strip()}"
            is_open = bool(entries) and bool(text.strip()) and len(entries[-1]) < LONGEST_ENTRY
        if len(entries) <= MOST_ENTRIES:
            yield from ((file.path, entry) for entry in entries)
