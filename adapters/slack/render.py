"""Parts drawn as Slack messages: Block Kit and buttons, packed by whole entries under limits.

Blocks become pieces, which are never parted; as many as fit make a message. Limits were checked in
November 2026; lengths are counted in characters after escaping, as Slack counts what it stores.

Titles stand in rich text, which Slack shows as it is: neither `*`, `_` or a backtick nor `<!here>`
mean anything there, so a stranger's text can neither ping nor mask nor lose a character. Small
print and notifications are `mrkdwn`, where exactly `&`, `<` and `>` are escaped:
https://docs.slack.dev/messaging/formatting-message-text
https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias, assert_never

from adapters.web.addresses import address
from bot.compose.packing import MessagePiece, keys_by_message, leading, packed
from bot.model.channel_commands import SETTINGS
from bot.model.parts import (
    OF_ONE_ITEM,
    Action,
    ActionKind,
    Part,
    PartKind,
    Thread,
    menus_and_buttons,
)
from digest.languages import Language
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Struck,
    Table,
    Tone,
    Typed,
    Words,
)
from digest.writing.emphasis import described
from digest.writing.phrasing import has_links
from digest.writing.visible import inline, revealed, spans, unhidden, visible

BLOCKS = 50
"""Blocks in a message: https://docs.slack.dev/reference/block-kit/blocks"""

HEADER = 150
"""https://docs.slack.dev/reference/block-kit/blocks/header-block"""

TEXT_OBJECT = 3_000
"""A text of a section or a context: /reference/block-kit/composition-objects/text-object"""

ACTIONS_ELEMENTS = 25
"""https://docs.slack.dev/reference/block-kit/blocks/actions-block"""

BUTTON_TEXT = 75
BUTTON_VALUE = 2_000
BUTTON_URL = 3_000
"""https://docs.slack.dev/reference/block-kit/block-elements/button-element; no link is longer."""

OPTIONS = 100
OPTION_VALUE = 150
"""https://docs.slack.dev/reference/block-kit/composition-objects/option-object; its label may be as
long as a button's."""

MESSAGE = 11_000
"""What we put in a message at most, over all blocks and with addresses counted as text. No page
states a limit: `msg_blocks_too_long` was met above 13,200 characters, with many small rich-text
elements at 11,341: https://github.com/slackapi/bolt-js/issues/2509 and /2867"""

ELEMENT = 8
"""What an element of rich text is taken to add to that sum."""


Json: TypeAlias = dict[str, Any]

COMMAND = "/infra"


def escape(text: str) -> str:
    """Escape the three characters that mean something in `mrkdwn`."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def rich(runs: Runs, style: Mapping[str, bool] | None = None) -> list[Json]:
    """Return runs as elements of rich text; text without anything to see is left out."""
    elements = (element for run in runs for element in _elements(run, dict(style or {})))
    return _merged(elements)


def _elements(run: Run, style: dict[str, bool]) -> Iterator[Json]:
    match run:
        case Words(text):
            yield from _styled(unhidden(text), style)
        case Foreign(text):
            for piece, is_code in spans(text):
                yield from _styled(piece, style | {"code": True} if is_code else style)
        case Typed(text):
            yield from _styled(visible(typed(text)), style | {"code": True})
        case Code(text):
            yield from _styled(visible(text), style | {"code": True})
        case Link(label, url):
            target, seen = address(url, BUTTON_URL), visible(label)
            if target and seen:
                link = {"type": "link", "url": target, "text": seen}
                yield link | {"style": style} if style else link
            else:
                yield from _styled(seen, style)
        case Strong(inner):
            yield from rich(inner, style | {"bold": True})
        case Struck(inner):
            yield from rich(inner, style | {"strike": True})


def _styled(text: str, style: dict[str, bool]) -> Iterator[Json]:
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
    lines = [line for line in described(text) if words_alone(line).strip()]
    return rich(_joined(lines))


def _joined(lines: Sequence[Runs]) -> Runs:
    runs: list[Run] = []
    for line in lines:
        runs += [*([Words("\n")] if runs else []), *line]
    return tuple(runs)


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


# What `mrkdwn` reads as bold, code, a quote or an emoji's name.
_MARK = re.compile(r"[*~`]|_(?!\w)|(?<!\w)_|:[^\s:]+:|^>", re.MULTILINE)


def mrkdwn(runs: Runs) -> str:
    """Return runs as `mrkdwn`, for small print of which no text has `marks`."""
    return "".join(_marked(run) for run in runs)


def _marked(run: Run) -> str:
    match run:
        case Words(text):
            return escape(unhidden(text))
        case Typed(text):
            return escape(inline(typed(text)))
        case Foreign(text) | Code(text):
            return escape(inline(text))
        case Link(label, url):
            target = address(url, BUTTON_URL)
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
        else unhidden(run.text)
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


LONGEST_PIECE = MESSAGE - 1_000
"""A piece that is longer is parted after all: nothing is cut, and no message is refused."""

WARNING = "⚠️ "
EMPTY: Json = {"type": "text", "text": " "}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a block of rich text: a section, a quote, a listing, or a list item of a level."""

    kind: str
    elements: tuple[Json, ...]
    level: int = 0


@dataclass(frozen=True)
class RichPiece(MessagePiece):
    """Rich-text fragments that stay together, or one whole `block` of another type."""

    fragments: tuple[Fragment, ...] = ()
    block: Json | None = None

    @property
    def is_title(self) -> bool:
        """Whether it leads whatever follows."""
        return self.block is not None and self.block["type"] == "header"

    @cached_property
    def size(self) -> int:
        """What it counts towards a message's sum; packing asks for it many times."""
        if self.block is not None:
            return size(self.block)
        return sum(
            size(each.elements) + ELEMENT * (1 + len(each.elements)) for each in self.fragments
        )


def pieces(blocks: Sequence[Block]) -> list[RichPiece]:
    """Return the pieces of blocks, in their order."""
    found: list[RichPiece] = []
    for block in _joined_small(blocks):
        found += _of(block)
    return leading(found)


def _joined_small(blocks: Sequence[Block]) -> Iterator[Block]:
    """Join small paragraphs that follow one another into one, line by line."""

    def is_small(block: Block) -> bool:
        return isinstance(block, Paragraph) and block.tone is Tone.SMALL

    for small, group in groupby(blocks, is_small):
        if not small:
            yield from group
            continue
        lines = [block.runs for block in group if isinstance(block, Paragraph)]
        yield Paragraph(_joined(lines), Tone.SMALL)


def _of(block: Block) -> list[RichPiece]:
    match block:
        case Paragraph(runs, Tone.LEAD):
            return _header(runs)
        case Paragraph(runs, Tone.SMALL):
            return small(runs)
        case Paragraph(runs, Tone.WARNING):
            return _text((Words(WARNING), *runs))
        case Paragraph(runs):
            return _text(runs)
        case Bullets(entries):
            return [piece for entry in entries for piece in _entry(entry)]
        case Quote(speaker, text, printed=True):
            return _code(speaker, text)
        case Quote(speaker, text):
            heading = _text(speaker, joins=True) if speaker else []
            return [*heading, *_parted("quote", tuple(quoted(text)), joins=True)]
        case Hunk(_, text):
            return _code((Foreign(block.path + block.place),), text)
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _code(heading: Runs, text: str) -> list[RichPiece]:
    code = ({"type": "text", "text": revealed(text).rstrip("\n") or " "},)
    return [*_text((Strong(heading),)), *_parted("preformatted", code, joins=True)]


def _header(runs: Runs) -> list[RichPiece]:
    text = words_alone(runs)
    if has_links(runs) or not text or len(escape(text)) > HEADER:
        return _text((Strong(runs),))
    return [RichPiece(block={"type": "header", "text": plain_text(text)})]


def small(runs: Runs) -> list[RichPiece]:
    """Return small print: without markup where nothing has to be a link.

    `mrkdwn` has nothing that escapes its marks for bold, code and emoji: what has both a link and
    such a mark stands as rich text, which is not as small.
    """
    if has_links(runs):
        if _MARK.search(words_alone(runs)):
            return _text(runs)
        text = {"type": "mrkdwn", "text": mrkdwn(runs), "verbatim": True}
    else:
        text = plain_text(words_alone(runs))
    if not text["text"]:
        return []
    if len(escape(str(text["text"]))) > TEXT_OBJECT:
        return _text(runs)
    return [RichPiece(block={"type": "context", "elements": [text]})]


def _text(runs: Runs, *, joins: bool = False) -> list[RichPiece]:
    return _parted("section", tuple(rich(runs)), joins=joins)


def _entry(entry: Entry) -> list[RichPiece]:
    fragments = tuple(_fragments(entry, 0))
    keys = entry.keys
    whole = RichPiece(fragments, about=keys, joins=True)
    if whole.size <= LONGEST_PIECE:
        return [whole]
    return [
        RichPiece((Fragment("item", tuple(part), fragment.level),), about=keys, joins=True)
        for fragment in fragments
        for part in _parts(fragment.elements)
    ]


def _fragments(entry: Entry, level: int) -> Iterator[Fragment]:
    yield Fragment("item", tuple(rich(entry.runs)) or (EMPTY,), level)
    for under in entry.under:
        yield from _fragments(under, level + 1)


def _parted(kind: str, elements: tuple[Json, ...], *, joins: bool) -> list[RichPiece]:
    return [
        RichPiece((Fragment(kind, tuple(part)),), joins=joins or number > 0)
        for number, part in enumerate(_parts(elements))
    ]


def _parts(elements: Sequence[Json]) -> Iterator[list[Json]]:
    """Part elements so that each part fits; texts are broken where nothing else helps."""
    part: list[Json] = []
    filled = 0
    for element in _broken(elements):
        cost = size(element) + ELEMENT
        if part and filled + cost > LONGEST_PIECE:
            yield part
            part, filled = [], 0
        part.append(element)
        filled += cost
    if part:
        yield part


def _broken(elements: Sequence[Json]) -> Iterator[Json]:
    for element in elements:
        text = element["text"]
        if len(text) <= TEXT_OBJECT and size(element) <= LONGEST_PIECE:
            yield element
            continue
        step = TEXT_OBJECT // 5  # the longest escape, `&amp;`, has five characters
        if element["type"] == "link":
            yield element | {"text": text[:step]}
            element, text = {"type": "text", "text": ""}, text[step:]
        for start in range(0, len(text), step):
            yield element | {"text": text[start : start + step]}


def _table(table: Table) -> list[RichPiece]:
    """Return a table as a list below the names of its columns.

    Slack has tables, but those of long names are scrolled sideways, in a thread beside a channel
    and on a phone most of all.
    """
    head = _text((Words(table.columns),), joins=True)
    return [*head, *(piece for row in table.rows for piece in _entry(table.line(row)))]


PREFIX = "infra:"


def actions(wanted: Sequence[Action]) -> list[Json]:
    """Return the blocks of actions: buttons, and a menu for what one item of many is chosen from.

    An `action_id` is `infra:<ActionKind>`, with `:2`, `:3` … behind it where one kind comes again.
    A menu has the kind's own id, its options the actions' values.
    """
    chosen, buttons = menus_and_buttons(wanted, lambda each: len(each.value) <= OPTION_VALUE)
    seen: Counter[ActionKind] = Counter()

    def own_id(kind: ActionKind) -> str:
        seen[kind] += 1
        return f"{PREFIX}{kind}" if seen[kind] == 1 else f"{PREFIX}{kind}:{seen[kind]}"

    rows = [
        [_menu(choices[start : start + OPTIONS], own_id(kind))]
        for kind, choices in chosen.items()
        for start in range(0, len(choices), OPTIONS)
    ]
    lead = (
        each
        for each in buttons
        if each.kind is not ActionKind.PAGE or address(each.value, BUTTON_URL)
    )
    made = [_button(each, own_id(each.kind)) for each in lead]
    step = ACTIONS_ELEMENTS
    rows += [made[start : start + step] for start in range(0, len(made), step)]
    return [{"type": "actions", "elements": row} for row in rows]


def _button(action: Action, action_id: str) -> Json:
    # A title is no place for emoji by name: `:white_check_mark: Done` would look like ours.
    is_ours = action.kind not in OF_ONE_ITEM
    button: Json = {
        "type": "button",
        "action_id": action_id,
        "text": plain_text(fitting(action.label), emoji=is_ours),
    }
    if action.kind is ActionKind.PAGE:
        return button | {"url": address(action.value, BUTTON_URL)}
    if action.kind is ActionKind.FLAG:
        button["style"] = "primary"
    return button | {"value": action.value[:BUTTON_VALUE]}


def _menu(choices: Sequence[Action], action_id: str) -> Json:
    options = [option(each.value, each.label) for each in choices]
    return {"type": "static_select", "action_id": action_id, "options": options}


def option(value: str, label: str) -> Json:
    """Return what can be chosen in a menu or a form."""
    return {"text": plain_text(fitting(label)), "value": value}


def plain_text(text: str, *, emoji: bool = False) -> Json:
    """Return a text in which nothing is markup; with `emoji` their names become pictures."""
    return {"type": "plain_text", "text": text, "emoji": emoji}


def fitting(label: str) -> str:
    """Return a label that fits on a button and into a menu, after escaping."""
    seen = visible(label) or "…"
    if len(escape(seen)) <= BUTTON_TEXT:
        return seen
    seen = seen[:BUTTON_TEXT]
    while len(escape(seen)) >= BUTTON_TEXT:
        seen = seen[:-1]
    return f"{seen}…"


def _takes(filling: Sequence[RichPiece], piece: RichPiece) -> bool:
    together = (*filling, piece)
    opened = sum(
        each.block is not None or before is None or before.block is not None
        for before, each in zip((None, *together), together, strict=False)
    )
    return not filling or (sum(each.size for each in together) <= MESSAGE and opened <= BLOCKS)


def blocks(pieces: Sequence[RichPiece]) -> list[Json]:
    """Return the blocks of one message; neighbouring rich text shares one."""
    found: list[Json] = []
    for has_block, group in groupby(pieces, lambda each: each.block is not None):
        if has_block:
            found += [piece.block for piece in group if piece.block is not None]
        else:
            found.append(_rich_text([each for piece in group for each in piece.fragments]))
    return found


def _rich_text(fragments: Sequence[Fragment]) -> Json:
    elements: list[Json] = []
    for (kind, level), group in groupby(fragments, lambda each: (each.kind, each.level)):
        parts = [[*each.elements] for each in group]
        if kind == "item":
            items = [{"type": "rich_text_section", "elements": each} for each in parts]
            elements.append(
                {"type": "rich_text_list", "style": "bullet", "indent": level, "elements": items}
            )
        elif kind == "section":
            text = _lines(parts, follows=bool(elements))
            elements.append({"type": "rich_text_section", "elements": text})
        else:
            elements += [{"type": f"rich_text_{kind}", "elements": each} for each in parts]
    return {"type": "rich_text", "elements": elements}


def _lines(sections: Sequence[list[Json]], *, follows: bool) -> list[Json]:
    """Join sections line by line, as Slack does not, with an empty line before what opens.

    That is a heading, or a warning below what a heading opened.
    `follows` tells that they stand below a list or a quotation, where a line has begun already.
    """
    text: list[Json] = []
    headed, is_section = False, follows
    for section in sections:
        is_apart = is_section and section[0].get("text", "").startswith(WARNING)
        opens = _is_bold(section[0]) or is_apart
        breaks = (1 if text else 0) + (1 if opens and not headed and (text or follows) else 0)
        if breaks:
            text.append({"type": "text", "text": "\n" * breaks})
        text += section
        headed, is_section = all(map(_is_bold, section)), _is_bold(section[0])
    return text


def _is_bold(element: Json) -> bool:
    return bool(element.get("style", {}).get("bold"))


LONGEST_NOTIFICATION = 600
"""Characters of a notification; escaped, they stay below the 4,000 bytes that a `text` may have
when it is edited, too: https://docs.slack.dev/reference/methods/chat.update"""


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """One message: `payload` is `{"text": …, "blocks": […]}`, to be posted as it is.

    `about` are keys of the items in this very message. Buttons have the `action_id`
    `infra:<ActionKind>` and the action's value.
    """

    payload: Mapping[str, Any]
    about: tuple[str, ...]
    is_parent: bool
    kind: PartKind


def render(thread: Thread) -> tuple[SlackMessage, ...]:
    """Return the messages of a thread in the order of posting; the first alone is the parent."""
    first, *more = _messages(thread.parent, is_parent=True)
    replies = [message for part in thread.replies for message in _messages(part)]
    return (first, *more, *replies)


def render_parts(parts: Sequence[Part], language: Language) -> tuple[SlackMessage, ...]:
    """Return messages that are no thread: answers, questions, notices, edits of posted messages."""
    return tuple(message for part in parts for message in _messages(part))


def _messages(part: Part, *, is_parent: bool = False) -> list[SlackMessage]:
    below = [*small(part.state)] if part.state else []
    below += [RichPiece(block=block, joins=True) for block in actions(part.actions)]
    messages = packed([*pieces(part.blocks), *below], _takes)
    about = keys_by_message(part.about, messages)
    return [
        SlackMessage(
            payload={"text": notification(_summary(part)), "blocks": blocks(message)},
            about=about[number],
            is_parent=is_parent and number == 0,
            kind=part.kind,
        )
        for number, message in enumerate(messages)
    ]


def _summary(part: Part) -> str:
    """Return what a notification says; a sentence with commands in it has them as typed here."""
    lines = [block.runs for block in part.blocks if isinstance(block, Paragraph)]
    has_commands = any(isinstance(run, Typed) for runs in lines for run in runs)
    if part.kind is PartKind.NOTICE and has_commands:
        return " ".join(words_alone(runs) for runs in lines)
    return part.summary


def notification(summary: str) -> str:
    """Return the text of a notification, escaped."""
    seen = visible(summary)
    short = seen if len(seen) <= LONGEST_NOTIFICATION else f"{seen[:LONGEST_NOTIFICATION]}…"
    return escape(short) or "…"
