"""How long a page takes to read."""

import re

from digest.writing.document import Block, Bullets, Entry, Paragraph, Quote, Runs, Table
from digest.writing.phrasing import prose

# Silent reading, adults: English 238 words a minute, https://doi.org/10.1016/j.jml.2019.104047;
# Chinese about 260 characters a minute, https://iovs.arvojournals.org/article.aspx?articleid=2166061
WORDS_A_MINUTE = 238
CHARACTERS_A_MINUTE = 260
MINUTES_FIRST = 0.5
"""What is read first: the parent of a thread, the top of a page."""
MINUTES_A_PAGE = 2.0
"""What follows it, without what is opened by who wants it."""

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z][\w'-]*")


def minutes(text: str) -> float:
    """Return how long a text takes to read, in minutes."""
    words = len(_WORD.findall(text)) / WORDS_A_MINUTE
    return words + len(_HAN.findall(text)) / CHARACTERS_A_MINUTE


def block_minutes(block: Block) -> float:
    """Return how long a block takes to read, in minutes; names in code are looked at, not read."""
    match block:
        case Paragraph():
            return runs_minutes(block.runs)
        case Bullets():
            return sum(entry_minutes(entry) for entry in block.entries)
        case Table():
            cells = (cell for row in block.rows for cell in row)
            return minutes(" ".join(block.header)) + sum(runs_minutes(cell) for cell in cells)
        case Quote():
            return runs_minutes(block.speaker) + minutes(block.text)
    return 0.0


def entry_minutes(entry: Entry) -> float:
    """Return how long an entry and what stands under it take to read, in minutes."""
    return runs_minutes(entry.runs) + sum(entry_minutes(under) for under in entry.under)


def runs_minutes(runs: Runs) -> float:
    """Return how long runs take to read, in minutes."""
    return minutes(prose(runs))
