"""An author's description line by line: code, bold words, headings and links as they were meant.

Nothing else of GitHub's Markdown is read (https://github.github.com/gfm/): a list or a picture
stays the text that was written, and in a block of code every character stays. Of a link only its
words are told: an address behind words can lead elsewhere than they say.
"""

import re
from collections.abc import Iterator

from digest.writing.document import Code, Foreign, Run, Runs, Strong

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?=\S)")
_INDENTED = re.compile(r" {4}| {0,3}\t")
_LITERAL = re.compile(r"(?<!`)``(?=[^`\s])([^`]+)(?<=\S)``(?!`)")
"""Code in reStructuredText: https://docutils.sourceforge.io/docs/user/rst/quickref.html."""
# Stars that stand for something else have a space within or a third star beside: `f(**a, **b)`.
_MARKED = re.compile(
    r"(?<!`)`(?=\s*[^`\s])(?P<code>[^`]+)`(?!`)"
    r"|(?<!\*)\*\*(?=\S)(?P<bold>(?:`[^`]+`|[^*`])+)(?<=\S)\*\*(?!\*)"
    # Only what is surely an address, so that a call such as `f[i](x)` stays.
    r"|(?<![!\w\]\\])\[(?=[^\]]*[^\s\]])(?P<words>(?:`[^`]{1,200}`|[^\[\]`]){1,300})\]"
    r"\(<?(?:https?://|/|#|\.{1,2}/|mailto:)(?:[^\s()<>]|\([^\s()<>]{0,200}\)){0,2000}>?"
    r"(?:\s{1,9}(?:\"[^\"]{0,300}\"|'[^']{0,300}'))?\s{0,9}\)"
)


def described(text: str) -> tuple[Runs, ...]:
    """Give the lines of a description, every one of them, as runs; an empty line has none."""
    return tuple(_as_it_is(line) if is_code else _line(line) for line, is_code in _lines(text))


def unlinked(text: str) -> str:
    """Give a description with the words of its links in their place; code and all else stay."""
    return "\n".join(
        line if is_code else _MARKED.sub(_words, line) for line, is_code in _lines(text)
    )


def emphasized(text: str) -> Runs:
    """Give a sentence or line as runs: code, bold words without their asterisks, and the rest."""
    return tuple(_runs(text))


def unmarked(text: str) -> str:
    """Give a text without asterisks that only make bold and the addresses of links.

    Code keeps its backticks, one at each end where reStructuredText has two; all else stays.
    """
    return _MARKED.sub(
        lambda found: unmarked(found["bold"] or found["words"] or "") or found[0],
        _LITERAL.sub(r"`\1`", text),
    )


def _words(found: re.Match[str]) -> str:
    """Give what is told of a mark when only links are read."""
    if found["bold"]:
        return f"**{_MARKED.sub(_words, found['bold'])}**"
    return found["words"] or found[0]


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Give every line, and whether it belongs to a block of code."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        yield line, bool(fence or mark or _INDENTED.match(line))
        if fence:
            ends = mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip()
            fence = "" if ends else fence
        elif mark is not None:
            fence = mark[1]


def _as_it_is(line: str) -> Runs:
    return (Foreign(line),) if line else ()


def _line(line: str) -> Runs:
    heading = _HEADING.match(line)
    runs = emphasized(line[heading.end() :] if heading else line)
    return (Strong(runs),) if heading else runs


def _runs(text: str) -> Iterator[Run]:
    end = 0
    for found in _MARKED.finditer(text):
        if before := text[end : found.start()]:
            yield Foreign(before)
        if found["code"]:
            yield Code(found["code"])
        elif found["bold"]:
            yield Strong(emphasized(found["bold"]))
        else:
            yield from emphasized(found["words"])
        end = found.end()
    if rest := text[end:]:
        yield Foreign(rest)
