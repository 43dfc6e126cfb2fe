"""Discord's Markdown read as Discord's clients read it, rule by rule, to see what a person sees.

After the rules of simple-markdown, on which they stand, in their order:
https://github.com/Khan/simple-markdown and
https://support.discord.com/hc/en-us/articles/210298617
"""

import re
from dataclasses import dataclass, field

ESCAPE = re.compile(r"\\([^0-9A-Za-z\s])")
BLOCK_OF_CODE = re.compile(r"```(?:([a-z0-9_+\-.#]+?)\n)?\n*([^\n].*?)\n*```", re.DOTALL | re.I)
CODE = re.compile(r"(`+)(.*?[^`])\1(?!`)", re.DOTALL)
LINK = re.compile(r"\[((?:\[[^\]]*\]|[^\[\]]|\](?=[^\[]*\]))*)\]\(\s*<?([^\s<>()\\]*)>?\s*\)")
AUTOMATIC = re.compile(r"<?(?:https?|steam|discord)://[^\s<]+[^<.,:;\"'\]\s]")
MENTION = re.compile(
    r"<(?:@[!&]?|#)\d+>|@everyone|@here|<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|</[^:]+:\d+>"
)
EMOJI = re.compile(r":([a-z0-9_+-]+):")
BOLD = re.compile(r"\*\*((?:\\.|[^\\])+?)\*\*(?!\*)", re.DOTALL)
UNDERLINE = re.compile(r"__((?:\\.|[^\\])+?)__(?!_)", re.DOTALL)
ITALIC = re.compile(
    r"\b_((?:__|\\.|[^\\_])+?)_\b|\*(?=\S)((?:\*\*|\s+(?:[^*\s]|\*\*)|[^\s*])+?)\*(?!\*)",
    re.DOTALL | re.ASCII,
)
STRIKE = re.compile(r"~~(.+?)~~(?!_)", re.DOTALL)
SPOILER = re.compile(r"\|\|(.+?)\|\|", re.DOTALL)
AT_START = re.compile(r" *(?:(#{1,3}) +|(-#) +|([-*+]|\d+\.) +|(>>> |> ))")


@dataclass
class Seen:
    """What is shown: the text, and whatever has a meaning beyond it, in order."""

    text: str = ""
    marks: list[tuple[str, str]] = field(default_factory=list)


def seen(markdown: str) -> Seen:
    """Read a text."""
    shown = Seen()
    _inline(markdown, shown, lines=True)
    return shown


def _inline(text: str, shown: Seen, *, lines: bool = False, in_label: bool = False) -> None:
    at = 0
    begins = lines
    while at < len(text):
        rest = text[at:]
        if begins and (found := AT_START.match(rest)):
            mark = next(group for group in found.groups() if group)
            shown.marks.append(("line", mark.strip()))
            at += found.end()
            continue
        begins = False
        if not in_label and (found := ESCAPE.match(rest)):
            shown.text += found[1]
        elif found := BLOCK_OF_CODE.match(rest):
            shown.marks.append(("block", found[2]))
            shown.text += found[2]
        elif found := CODE.match(rest):
            inner = re.sub(r"^ (?= *`)|(` *) $", r"\1", found[2])
            shown.marks.append(("code", inner))
            shown.text += inner
        elif not in_label and (found := LINK.match(rest)):
            shown.marks.append(("link", found[2]))
            _inline(found[1], shown, in_label=True)
        elif found := AUTOMATIC.match(rest):
            shown.marks.append(("address", found[0]))
            shown.text += found[0]
        elif found := MENTION.match(rest):
            shown.marks.append(("mention", found[0]))
            shown.text += found[0]
        elif found := EMOJI.match(rest):
            shown.marks.append(("emoji", found[0]))
            shown.text += found[0]
        elif (styled := _styled(rest)) is not None:
            name, inner, end = styled
            shown.marks.append((name, inner))
            _inline(inner, shown, lines=True, in_label=in_label)
            at += end
            continue
        else:
            shown.text += text[at]
            begins = lines and text[at] == "\n"
            at += 1
            continue
        at += found.end()


def _styled(rest: str) -> tuple[str, str, int] | None:
    for name, rule in (
        ("bold", BOLD),
        ("underline", UNDERLINE),
        ("italic", ITALIC),
        ("strike", STRIKE),
        ("spoiler", SPOILER),
    ):
        if found := rule.match(rest):
            return name, next(group for group in found.groups() if group), found.end()
    return None
