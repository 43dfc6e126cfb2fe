"""Text for Slack: escaped where Slack reads markup, and rich text where it reads none.

Titles stand in rich text, which Slack shows as it is: neither `*`, `_` or a backtick nor `<!here>`
mean anything there, so a stranger's text can neither ping nor mask nor lose a character. Small
print and notifications are `mrkdwn`, where exactly `&`, `<` and `>` are escaped:
https://docs.slack.dev/messaging/formatting-message-text
https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote

from bot.model.channel_commands import SETTINGS
from digest.writing.document import Code, Foreign, Link, Run, Runs, Strong, Struck, Typed, Words
from digest.writing.emphasis import described
from digest.writing.visible import inline, sound, spans, visible

Json: TypeAlias = dict[str, Any]

COMMAND = "/infra"

_WEB = ("https://", "http://")
# What may stand in an address unquoted: RFC 3986, without the marks that end a link in mrkdwn.
_IN_ADDRESS = "%/:=&?~#+!$,;'@()*[]"


def escape(text: str) -> str:
    """Escape the three characters that mean something in `mrkdwn`."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def address(url: str) -> str:
    """Return an address that can be linked to, or nothing for one that is none."""
    plain = visible(url)
    return quote(plain, safe=_IN_ADDRESS) if plain.startswith(_WEB) else ""


def rich(runs: Runs, style: Mapping[str, bool] | None = None) -> list[Json]:
    """Return runs as elements of rich text; text without anything to see is left out."""
    elements = (element for run in runs for element in _elements(run, dict(style or {})))
    return _merged(elements)


def _elements(run: Run, style: dict[str, bool]) -> Iterator[Json]:
    match run:
        case Words(text):
            yield from _text(sound(text), style)
        case Foreign(text):
            for piece, is_code in spans(text):
                yield from _text(piece, style | {"code": True} if is_code else style)
        case Typed(text):
            yield from _text(visible(typed(text)), style | {"code": True})
        case Code(text):
            yield from _text(visible(text), style | {"code": True})
        case Link(label, url):
            target, seen = address(url), visible(label)
            if target and seen:
                link = {"type": "link", "url": target, "text": seen}
                yield link | {"style": style} if style else link
            else:
                yield from _text(seen, style)
        case Strong(inner):
            yield from rich(inner, style | {"bold": True})
        case Struck(inner):
            yield from rich(inner, style | {"strike": True})


def _text(text: str, style: dict[str, bool]) -> Iterator[Json]:
    if text:
        element: Json = {"type": "text", "text": text}
        yield element | {"style": style} if style else element


def typed(command: str) -> str:
    """Return a command as it is typed on Slack; a setting alone is one of a subscription."""
    words = command.split()
    if command.startswith("/") or not words:
        return command
    is_setting = words[0].casefold() in SETTINGS
    return " ".join((COMMAND, *(("subscribe",) if is_setting else ()), *words))


def quoted(text: str) -> list[Json]:
    """Return an author's words line by line, with code, bold words and headings as they were meant.

    Lines without anything to see are left out.
    """
    runs: list[Run] = []
    for line in described(text):
        if words_alone(line).strip():
            runs += [*([Words("\n")] if runs else []), *line]
    return rich(tuple(runs))


def _merged(elements: Iterator[Json]) -> list[Json]:
    """Join neighbouring texts of one style."""
    merged: list[Json] = []
    for element in elements:
        last = merged[-1] if merged else None
        of_a_kind = last and last["type"] == element["type"] == "text"
        if last and of_a_kind and last.get("style") == element.get("style"):
            merged[-1] = last | {"text": last["text"] + element["text"]}
        else:
            merged.append(element)
    return merged


def mrkdwn(runs: Runs) -> str:
    """Return runs as `mrkdwn`, for small print; a stranger's marks are not taken for ours."""
    return "".join(_marked(run) for run in runs)


def _marked(run: Run) -> str:
    match run:
        case Words(text):
            return escape(sound(text))
        case Typed(text):
            return escape(inline(typed(text)))
        case Foreign(text) | Code(text):
            return escape(inline(text))
        case Link(label, url):
            target = address(url)
            seen = escape(visible(label)).replace("|", "¦")
            return f"<{escape(target)}|{seen}>" if target and seen else seen
        case Strong(inner):
            return f"*{mrkdwn(inner)}*"
        case Struck(inner):
            return f"~{mrkdwn(inner)}~"


def words_alone(runs: Runs) -> str:
    """Return the text of runs without any markup, on as many lines as they have."""
    return "".join(
        words_alone(run.runs)
        if isinstance(run, Strong | Struck)
        else sound(run.text)
        if isinstance(run, Words)
        else inline(typed(run.text))
        if isinstance(run, Typed)
        else inline(run.label if isinstance(run, Link) else run.text)
        for run in runs
    )


def size(value: object) -> int:
    """Return what a block counts: its texts after escaping, its addresses, and its elements."""
    if isinstance(value, Mapping):
        own = sum(
            len(escape(text)) for key in ("text", "url") if isinstance(text := value.get(key), str)
        )
        return own + sum(size(each) for each in value.values() if not isinstance(each, str))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(size(each) for each in value)
    return 0
