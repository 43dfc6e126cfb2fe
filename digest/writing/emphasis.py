"""An author's description line by line: its code, bold words and headings as they were meant.

Nothing else of GitHub's Markdown is read (https://github.github.com/gfm/): a link, a list or a
picture stays the text that was written, and in a block of code every character stays.
"""

import re
from collections.abc import Iterator

from digest.writing.document import Code, Foreign, Run, Runs, Strong

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?=\S)")
_INDENTED = re.compile(r" {4}| {0,3}\t")
# Stars that stand for something else have a space within or a third star beside: `f(**a, **b)`.
_MARKED = re.compile(
    r"(?<!`)`(?=\s*[^`\s])(?P<code>[^`]+)`(?!`)"
    r"|(?<!\*)\*\*(?=\S)(?P<bold>(?:`[^`]+`|[^*`])+)(?<=\S)\*\*(?!\*)"
)


def described(text: str) -> tuple[Runs, ...]:
    """Give the lines of a description, every one of them, as runs; an empty line has none."""
    found: list[Runs] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            found.append(_kept(line))
            ends = mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip()
            fence = "" if ends else fence
        elif mark is not None:
            found.append(_kept(line))
            fence = mark[1]
        elif _INDENTED.match(line):
            found.append(_kept(line))
        else:
            found.append(_line(line))
    return tuple(found)


def emphasized(text: str) -> Runs:
    """Give a sentence or line as runs: code, bold words without their asterisks, and the rest."""
    return tuple(_runs(text))


def unmarked(text: str) -> str:
    """Give a text without asterisks that only make bold; code keeps its backticks, and all else."""
    return _MARKED.sub(lambda found: found["bold"] or found[0], text)


def _kept(line: str) -> Runs:
    return (Foreign(line),) if line else ()


def _line(line: str) -> Runs:
    heading = _HEADING.match(line)
    said = emphasized(line[heading.end() :] if heading else line)
    return (Strong(said),) if heading else said


def _runs(text: str) -> Iterator[Run]:
    end = 0
    for found in _MARKED.finditer(text):
        if before := text[end : found.start()]:
            yield Foreign(before)
        yield Code(found["code"]) if found["code"] else Strong(emphasized(found["bold"]))
        end = found.end()
    if rest := text[end:]:
        yield Foreign(rest)
