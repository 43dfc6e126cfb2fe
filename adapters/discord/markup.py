r"""Text for Discord: what would mean something in its Markdown is escaped, so that it does not.

Discord takes the backslash away before any punctuation, except within the label of a link, where
it escapes nothing (https://github.com/discord/discord-api-docs/issues/6185). There a label that
Markdown could mean something in stands before its link, which is an arrow then.
A mention is broken by an invisible character, because a backslash does not stop `@everyone`, and so
is an invitation to a server; an address and an emoji's name by a backslash before their colon, so
that neither becomes another.
What a stranger put between backticks is code, as on GitHub, and so are names such as `__init__`;
any other backtick becomes one that only looks like it, so that it can never begin code.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from adapters.web.addresses import address
from digest.writing.document import Code, Foreign, Link, Moment, Runs, Strong, Struck, Words
from digest.writing.visible import spans, unhidden, visible

JOINER = "\u2060"
"""Unseen, it parts what Discord would read as one: a mention, two pieces of code, a fence."""

BACKTICK = "ˋ"

BOLD, STRUCK = "**", "~~"

ARROW = "→"
"""The label of a link whose own label Discord would misread."""

LONGEST_ADDRESS = 1_000
"""A longer address is no reference to GitHub; its label stands alone then."""

LONGEST_TEXT = 500
"""Characters of a text that stays in one segment; escaped, each has two units and four bytes."""


# An underscore within a word means nothing, unless one in code further on ends what it begins:
# see `calmed`. A colon matters where an emoji's name or an address could begin, be it only with
# what comes next.
_MARKS = re.compile(r"[\\*~|<>\[]|_(?![A-Za-z0-9])|:(?=//|[^\s:]+:|[^\s:]*$)")
_ENDS_STRESS = re.compile(r"(?<!\\)_(?![A-Za-z0-9_])")
_LITERAL_OR_UNDERSCORE = re.compile(
    r"```.*?```|``.*?``|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|\\.|_", re.DOTALL
)
# Also the beginning of one at the end of a piece: what comes next may complete it.
_MENTION = re.compile(
    r"@(?=everyone|here|[!&]?(?:\d|$)|(?:e|ev|eve|ever|every|everyo|everyon|h|he|her)$)"
)
# What leads to an invitation is drawn as a card below a message, be it a link or not:
# https://github.com/Cog-Creators/Red-DiscordBot/pull/6586
_INVITATION = re.compile(r"discord(?=(?:app)?\.(?:gg|com|io|me|li)\b)", re.IGNORECASE)
_LINE = re.compile(r"^( *)(?:([-+#])|(\d+)(\.)(?=\s|$))", re.MULTILINE)
_PLAIN_LABEL = re.compile(
    r"(?![-#+]+ |\d+\. )"
    r"""(?:[\w ./#+(),&%=!?'"…，。（）、：；？！“”‘’《》-](?<!_)|_(?=[A-Za-z0-9]))+"""
)
_WORD = re.compile(r"\w+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Slash(Code):
    """A command that is pressed: `</infra-channel subscribe:ID>`, which Discord shows by its name.

    https://docs.discord.com/developers/reference#message-formatting
    """


@dataclass(frozen=True, slots=True)
class Segment:
    """Text of one style, unescaped; `url` makes it a link, `code` keeps it as it is.

    `raw` is markup of Discord's own: a command that is pressed, a moment on the reader's clock.
    """

    text: str
    bold: bool = False
    struck: bool = False
    code: bool = False
    url: str = ""
    raw: bool = False


def units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def weight(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text.encode())


def escape(text: str) -> str:
    """Escape what Discord would read as markup, at the start of a line too."""
    marked = _MENTION.sub(f"@{JOINER}", _MARKS.sub(r"\\\g<0>", text.replace("`", BACKTICK)))
    return _LINE.sub(_at_start, marked)


def _at_start(found: re.Match[str]) -> str:
    spaces, mark, number, point = found.groups()
    return f"{spaces}\\{mark}" if mark else f"{spaces}{number}\\{point}"


def is_calm(text: str) -> bool:
    """Return whether nothing in Markdown of ours ends a stress; only code can, which keeps its own.

    Discord looks for the end of a stress in code, too, and on the lines below.
    """
    return not _ENDS_STRESS.search(text)


def calmed(text: str) -> str:
    """Escape the underscores within words, too; it takes as many characters more at most."""
    return _LITERAL_OR_UNDERSCORE.sub(lambda found: r"\_" if found[0] == "_" else found[0], text)


def segments(runs: Runs) -> list[Segment]:
    """Return runs as segments, none of them long; what has nothing to see is left out."""
    found: list[Segment] = []
    for segment in _flat(runs, Segment("")):
        last = found[-1] if found else None
        if last and not last.url and replace(last, text="") == replace(segment, text=""):
            found[-1] = replace(last, text=last.text + segment.text)
        else:
            found.append(segment)
    return [part for segment in found for part in _parted(_uninviting(segment))]


def _uninviting(segment: Segment) -> Segment:
    if segment.raw or segment.url:
        return segment
    return replace(segment, text=_INVITATION.sub(rf"\g<0>{JOINER}", segment.text))


def _flat(runs: Runs, style: Segment) -> Iterator[Segment]:
    for run in runs:
        match run:
            case Strong(inner):
                yield from _flat(inner, replace(style, bold=True))
            case Struck(inner):
                yield from _flat(inner, replace(style, struck=True))
            case Foreign(text):
                yield from (part for part in _foreign(text, style) if part.text)
            case Words() | Code() | Link():
                yield from _one(run, style)


def _foreign(text: str, style: Segment) -> Iterator[Segment]:
    for part, is_code in spans(text):
        if is_code:
            yield replace(style, text=part, code=True)
            continue
        start = 0
        for found in _WORD.finditer(part):
            name = found.group()
            if ("__" in name or name.endswith("_")) and name.strip("_"):
                yield replace(style, text=part[start : found.start()])
                yield replace(style, text=name, code=True)
                start = found.end()
        yield replace(style, text=part[start:])


def _one(run: Words | Code | Link, style: Segment) -> Iterator[Segment]:
    match run:
        case Moment(at=at):
            # https://discord.com/developers/docs/reference#message-formatting-timestamp-styles
            found = replace(style, text=f"<t:{int(at.timestamp())}:f>", raw=True)
        case Words(text):
            found = replace(style, text=unhidden(text))
        case Slash(text):
            found = replace(style, text=text, raw=True)
        case Code(text):
            shown = visible(text)
            found = replace(style, text=shown, code="``" not in shown)
        case Link(label, url):
            found = replace(style, text=visible(label), url=address(url, LONGEST_ADDRESS))
    if not found.text:
        return
    if found.url and not _is_plain(found.text):
        yield replace(found, text=f"{found.text} ", url="")
        found = replace(found, text=ARROW)
    yield found


def _is_plain(label: str) -> bool:
    is_short = len(label) <= LONGEST_TEXT and not _INVITATION.search(label)
    return is_short and bool(_PLAIN_LABEL.fullmatch(label))


def _parted(segment: Segment) -> Iterator[Segment]:
    text = segment.text
    if segment.code:
        # Discord looks for the end of a style in code, too, where nothing can be escaped; what
        # follows would be read as Markdown, a stranger's link with its own label among it.
        bold, struck = segment.bold and BOLD not in text, segment.struck and STRUCK not in text
        segment = replace(segment, bold=bold, struck=struck)
    for start in range(0, len(text), LONGEST_TEXT):
        yield replace(segment, text=text[start : start + LONGEST_TEXT])


def lines(found: Iterable[Segment]) -> list[list[Segment]]:
    """Part segments at their line breaks."""
    parted: list[list[Segment]] = [[]]
    for segment in found:
        for number, text in enumerate(segment.text.split("\n")):
            if number:
                parted.append([])
            if text:
                parted[-1].append(replace(segment, text=text))
    return parted


def marked(line: Sequence[Segment]) -> str:
    """Return segments of one line as Markdown."""
    return "".join(
        _wrapped(
            BOLD if bold else "",
            (
                _wrapped(STRUCK if struck else "", _texts(group))
                for struck, group in groupby(of_bold, lambda each: each.struck)
            ),
        )
        for bold, of_bold in groupby(line, lambda each: each.bold)
    )


def _wrapped(mark: str, texts: Iterable[str]) -> str:
    text = "".join(texts)
    inner = text.strip(" ")
    if not mark or not inner:
        return text
    before, _, after = text.partition(inner)
    return f"{before}{mark}{inner}{mark}{after}"


def _texts(group: Iterable[Segment]) -> Iterator[str]:
    was_code = False
    for segment in group:
        if segment.code and was_code:
            yield JOINER
        yield _text(segment)
        was_code = segment.code


def _text(segment: Segment) -> str:
    if segment.url:
        return f"[{segment.text}]({segment.url})"
    if segment.raw:
        return segment.text
    if not segment.code:
        return escape(segment.text)
    if "`" not in segment.text:
        return f"`{segment.text}`"
    return f"`` {segment.text} ``"


def words_alone(runs: Runs) -> str:
    """Return the text of runs without any markup, on as many lines as they have."""
    return "".join(segment.text for segment in segments(runs))


def shortened(text: str, room: int) -> str:
    """Return a text that fits into so many units, with an ellipsis where it did not."""
    if units(text) <= room:
        return text
    short = text[: room - 1]
    while units(short) > room - 1:
        short = short[:-1]
    return f"{short.rstrip()}…"
