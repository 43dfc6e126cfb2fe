"""A page that shows messages side by side as Slack and as Discord draw them.

Payloads are read back into runs. Only what the bot's own messages hold is read: Block Kit of
`adapters.slack.render`, and content, embeds and buttons of `adapters.discord.render`. Anything else
stands there as plain text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from adapters.pages.html import template
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Link, Run, Runs, Strong, Struck, Words
from digest.writing.rules import plain

Json: TypeAlias = Mapping[str, Any]

INDENT = 2
"""Spaces of a level of Discord's lists."""

_SLACK_LINK = r"<(?P<url>https?://[^>|\s]+)\|(?P<label>[^>]*)>"
_SLACK = re.compile(rf"{_SLACK_LINK}|\*(?P<bold>[^*\n]+)\*|~(?P<struck>[^~\n]+)~")
_SLACK_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))

# The backslash first: what is escaped begins nothing.
_DISCORD = re.compile(
    r"\\(?P<escaped>[^\w\s])"
    r"|`` (?P<long>.+?) ``|`(?P<code>[^`]+)`"
    r"|\[(?P<label>[^\]]+)\]\((?P<url>https?://[^)\s]+)\)"
    r"|\*\*(?P<bold>(?:\\.|[^*\\]|\*(?!\*))+)\*\*"
    r"|~~(?P<struck>(?:\\.|[^~\\]|~(?!~))+)~~"
    r"|<t:(?P<time>\d{1,11})(?::\w)?>"
)
_DISCORD_LINE = re.compile(r"(?P<indent> *)(?P<mark>-# |#{1,3} |> |- )?(?P<text>.*)")
_KINDS = {"-# ": "small", "> ": "quote", "- ": "bullet"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a message: `text`, `title`, `small`, `bullet`, `quote`, `code` or `gap`."""

    kind: str
    runs: Runs
    level: int = 0


@dataclass(frozen=True, slots=True)
class Button:
    """What can be pressed."""

    label: str
    stands_out: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """What a message shows: `above` its frame, in it, and below; `colour` is a frame's bar."""

    above: tuple[Line, ...]
    lines: tuple[Line, ...]
    buttons: tuple[Button, ...]
    colour: str = ""


def slack_message(payload: Json) -> Message:
    """Read `{"text": …, "blocks": […]}`."""
    blocks = payload.get("blocks", ())
    return Message(
        (),
        tuple(line for block in blocks for line in _of_block(block)),
        tuple(
            _slack_button(each)
            for block in blocks
            if block["type"] == "actions"
            for each in block["elements"]
        ),
    )


def _of_block(block: Json) -> Iterator[Line]:
    match block["type"]:
        case "header":
            yield Line("title", (Words(block["text"]["text"]),))
        case "context":
            for text in block["elements"]:
                yield from _text_object(text, "small")
        case "rich_text":
            for element in block["elements"]:
                yield from _of_rich_text(element)


def _of_rich_text(element: Json) -> Iterator[Line]:
    inner = element["elements"]
    if element["type"] == "rich_text_list":
        for item in inner:
            runs = tuple(_run(each, each["text"]) for each in item["elements"])
            yield Line("bullet", runs, element.get("indent", 0))
        return
    kinds = {"rich_text_quote": "quote", "rich_text_preformatted": "code"}
    kind = kinds.get(element["type"], "text")
    line: list[Run] = []
    for each in inner:
        first, *others = each["text"].split("\n")
        line += [_run(each, first)] if first else []
        for other in others:
            yield Line(kind if line else "gap", tuple(line))
            line = [_run(each, other)] if other else []
    if line:
        yield Line(kind, tuple(line))


def _run(element: Json, text: str) -> Run:
    style = element.get("style", {})
    run: Run = Words(text)
    if element["type"] == "link":
        run = Link(text, element["url"])
    elif style.get("code"):
        run = Code(text)
    if style.get("strike"):
        run = Struck((run,))
    return Strong((run,)) if style.get("bold") else run


def _text_object(text: Json, kind: str) -> Iterator[Line]:
    plain = text["type"] == "plain_text"
    for line in text["text"].split("\n"):
        yield Line(kind, (Words(line),) if plain else mrkdwn_runs(line))


def _slack_button(element: Json) -> Button:
    if element["type"] == "button":
        return Button(element["text"]["text"], element.get("style") == "primary")
    return Button(f"{element['options'][0]['text']['text']} ▾")


def mrkdwn_runs(text: str) -> Runs:
    """Read a line of Slack's `mrkdwn`: links with a label, bold, struck, three escapes."""
    found: list[Run] = []
    start = 0
    for match in _SLACK.finditer(text):
        found += _words(_unescaped(text[start : match.start()]))
        start = match.end()
        if match["url"]:
            found.append(Link(_unescaped(match["label"]), _unescaped(match["url"])))
        elif match["bold"]:
            found.append(Strong(mrkdwn_runs(match["bold"])))
        else:
            found.append(Struck(mrkdwn_runs(match["struck"])))
    return (*found, *_words(_unescaped(text[start:])))


def _unescaped(text: str) -> str:
    for escape, char in _SLACK_ESCAPES:
        text = text.replace(escape, char)
    return text


def discord_message(payload: Json) -> Message:
    """Read the body of a Create Message request."""
    embeds = payload["embeds"]
    content_lines = tuple(_discord_lines(payload["content"]))
    buttons = tuple(_discord_button(each) for row in payload["components"] for each in _in(row))
    if not embeds:
        return Message((), content_lines, buttons)
    (embed,) = embeds
    named = markdown_runs(embed.get("title", ""))
    if "url" in embed:
        named = (Link(plain(named), embed["url"]),)
    title = [Line("title", named)] if named else []
    lines = (*title, *_discord_lines(embed.get("description", "")))
    return Message(content_lines, lines, buttons, f"#{embed.get('color', 0x4E5058):06x}")


def _in(row: Json) -> Sequence[Json]:
    components: Sequence[Json] = row["components"]
    return components


def _discord_button(component: Json) -> Button:
    if "options" in component:
        return Button(f"{component.get('placeholder', component['options'][0]['label'])} ▾")
    return Button(component["label"], component["style"] == 1)


def _discord_lines(text: str) -> Iterator[Line]:
    code = False
    for line in text.split("\n") if text else ():
        if line.startswith("```"):
            code = not code
        elif code:
            yield Line("code", (Words(line),))
        elif found := _DISCORD_LINE.fullmatch(line):
            mark = found["mark"] or ""
            kind = _KINDS.get(mark, "title" if mark else "text")
            if not found["text"].strip("\u2060 "):
                kind = "gap"
            yield Line(kind, markdown_runs(found["text"]), len(found["indent"]) // INDENT)


def markdown_runs(text: str) -> Runs:
    """Read a line of Discord's Markdown as far as the bot writes it; a time is told in UTC."""
    found: list[Run] = []
    start = 0
    for match in _DISCORD.finditer(text):
        found += _words(text[start : match.start()])
        start = match.end()
        match match.lastgroup, match[match.lastgroup or 0]:
            case "escaped", char:
                found.append(Words(char))
            case "long" | "code", name:
                found.append(Code(name))
            case "url", url:
                found.append(Link(match["label"], url))
            case "bold", inner:
                found.append(Strong(markdown_runs(inner)))
            case "struck", inner:
                found.append(Struck(markdown_runs(inner)))
            case _, seconds:
                moment = datetime.fromtimestamp(int(seconds), UTC)
                found.append(Words(f"{moment:%Y-%m-%d %H:%M} UTC"))
    return (*found, *_words(text[start:]))


def _words(text: str) -> Runs:
    return (Words(text),) if text else ()


OPEN_MESSAGES = 4
"""Messages of a scene that are seen at once; the others are unfolded."""


PICTURE_WIDTH = 640


@dataclass(frozen=True, slots=True)
class Shown:
    """A message at a time of the day."""

    message: Message
    time: str
    in_thread: bool = False
    reactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What both platforms show at one moment."""

    title: str
    note: str
    slack: Sequence[Shown]
    discord: Sequence[Shown]


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A whole page; `more` leads to the messages that are folded, `texts` are titled."""

    title: str
    intro: str
    more: str
    scenes: Sequence[Scene]
    texts: Sequence[tuple[str, str]]
    open_messages: int = OPEN_MESSAGES


def render(page: ChatPage, language: Language) -> str:
    """Return the page as one HTML file that asks for nothing from outside."""
    return template("chat.html.jinja").render(page=page, language=CATALOGUES[language].html_tag)


def picture(
    shown: Sequence[Shown], platform: str, title: str, height: int, language: Language
) -> str:
    """Return messages of a platform, in lower case, as an SVG that asks for nothing from outside.

    Nothing measures how high they are: what does not fit into `height` pixels fades out.
    """
    return template("chat.svg.jinja").render(
        shown=shown,
        platform=platform,
        title=title,
        width=PICTURE_WIDTH,
        height=height,
        language=CATALOGUES[language].html_tag,
    )
