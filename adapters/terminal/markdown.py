"""Draws a document as Markdown for GitHub, GitLab and plain readers.

Strangers' text is escaped so that it stays text: it opens no link, no table cell, no heading, no
HTML; what stands between two backticks is code, which does nothing, as GitHub shows it in titles;
the `@` of a mention becomes a code span, which pings nobody; `://` and `www.` are broken up so
that no address in a title becomes a link. Rules: https://spec.commonmark.org and
https://github.github.com/gfm/. What cannot be seen is dropped (`digest.writing.visible`).
"""

import re
from typing import assert_never

from adapters.web.addresses import target
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Section,
    Strong,
    Struck,
    Table,
    Tone,
    Words,
    anchors,
)
from digest.writing.emphasis import unlinked
from digest.writing.visible import inline, revealed, spans, visible

_SPECIAL = re.compile(
    r"(?P<entity>[&<>`])|(?P<slash>[\\*\[\]|~$])|(?P<under>(?<![^\W_])_+|_+(?![^\W_]))"
    r"|(?P<address>(?<=[A-Za-z]):(?=//)|(?<=www)\.|(?<=mailto):)|(?P<mention>@(?=\w))",
    re.IGNORECASE,
)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;"}
_ADDRESS = {":": "&#58;", ".": "&#46;"}
_BLOCK_START = re.compile(r"^(?:[#+=-]|\d{1,9}(?=[.)]))")
_TICKS = re.compile("`+")


def render(document: Document) -> str:
    """Return the page as Markdown that ends with a line break."""
    parts = [f"# {_runs(document.title)}"]
    parts += [_block(block) for block in document.lead]
    meant = anchors(document)
    for section in document.sections:
        parts += _section(section, is_meant=section.anchor in meant)
    if document.footer:
        parts.append("---")
        parts += [_block(paragraph) for paragraph in document.footer]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: Section, *, is_meant: bool) -> list[str]:
    heading = f"{'#' * section.level} {_runs(section.heading)}"
    # What a renderer makes of a heading differs from site to site; a named place is kept by all.
    place = [f'<a id="{section.anchor}"></a>'] if is_meant else []
    return [*place, heading, *(_block(block) for block in section.blocks)]


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            text = _start(block.runs)
            if block.tone is Tone.WARNING:
                return f"> ⚠ {text}"
            return f"<sub>{text}</sub>" if block.tone is Tone.SMALL else text
        case Bullets():
            return "\n".join(line for entry in block.entries for line in _entry(entry, ""))
        case Table():
            return _table(block)
        case Hunk():
            return f"{code(block.path)}{block.place}\n\n{_fence(block.text, 'diff')}"
        case Quote():
            speaker = _start(block.speaker)
            shown = revealed(block.text)
            fenced_text = shown if block.printed else unlinked(shown)
            fenced = _fence(fenced_text, "text")
            return f"{speaker}\n\n{fenced}" if speaker else fenced
        case _:
            assert_never(block)


def _entry(entry: Entry, indent: str) -> list[str]:
    lines = [f"{indent}- {_start(entry.runs)}"]
    for under in entry.under:
        lines += _entry(under, indent + "  ")
    return lines


def _table(table: Table) -> str:
    lines = [_row([_escape(cell) for cell in table.header]), _row(["---"] * len(table.header))]
    lines += [_row([_runs(cell, in_table=True) for cell in row]) for row in table.rows]
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fence(text: str, language: str) -> str:
    shown = revealed(text).rstrip("\n")
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def _start(runs: Runs) -> str:
    """Draw runs that begin a line, where some characters would begin a block."""
    drawn = _runs(runs)
    text = drawn.lstrip()
    indent = drawn[: len(drawn) - len(text)]
    match = _BLOCK_START.match(text)
    if match is None:
        return drawn
    sign = match.group()
    marked = f"{sign}\\{text[len(sign) :]}" if sign.isdigit() else f"\\{text}"
    return indent + marked


def _runs(runs: Runs, *, in_table: bool = False) -> str:
    return "".join(_run(run, in_table) for run in runs)


def _run(run: Run, in_table: bool) -> str:
    match run:
        case Words():
            return _escape(inline(run.text))
        case Foreign():
            return _spanned(run.text, in_table)
        case Code():
            # A lone letter or digit reads the same without a span, and pages with fewer are calmer.
            plain = len(run.text) == 1 and run.text.isalnum()
            return run.text if plain else code(run.text, in_table=in_table)
        case Link():
            label = _spanned(visible(run.label), in_table)
            return f"[{label}]({url})" if (url := target(run.url)) else label
        case Strong():
            return _wrapped(run.runs, "**", in_table)
        case Struck():
            return _wrapped(run.runs, "~~", in_table)
        case _:
            assert_never(run)


def _wrapped(runs: Runs, mark: str, in_table: bool) -> str:
    inner = _runs(runs, in_table=in_table).strip()
    return f"{mark}{inner}{mark}" if inner else ""


def _spanned(text: str, in_table: bool) -> str:
    """Escape a text in which paired backticks hold code."""
    return "".join(
        code(piece, in_table=in_table) if is_code else _escape(piece)
        for piece, is_code in spans(text)
    )


def _escape(text: str) -> str:
    return _SPECIAL.sub(_replace, text)


def _replace(match: re.Match[str]) -> str:
    found = match.group()
    match match.lastgroup:
        case "entity":
            return _ENTITIES[found]
        case "slash":
            return f"\\{found}"
        case "under":
            return "&#95;" * len(found)
        case "address":
            return _ADDRESS[found]
        case _:
            return "`@`"


def code(text: str, *, in_table: bool = False) -> str:
    """Return a code span that holds any text, backticks included."""
    shown = visible(text)
    if not shown:
        return ""
    longest = max((len(ticks) for ticks in _TICKS.findall(shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    if in_table:
        shown = shown.replace("|", "\\|")
    return f"{ticks}{pad}{shown}{pad}{ticks}"
