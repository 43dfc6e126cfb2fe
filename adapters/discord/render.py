"""Parts drawn as Discord messages: embeds, packed by whole entries, paged where they are long.

Embeds rather than the newer components: of those, notifications show nothing
(https://github.com/discord/discord-api-docs/issues/7854), and containers were seen to make
listing a channel fail (https://github.com/discord/discord-api-docs/issues/8611). What the bot says
of itself in a few lines stands as plain text. Embeds need the permission EMBED_LINKS.

Blocks become pieces, which are never parted; as many as fit make a message.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, assert_never

from adapters.discord.commands import in_options
from adapters.discord.markup import (
    JOINER,
    Segment,
    calmed,
    is_calm,
    lines,
    marked,
    segments,
    shortened,
    units,
    weight,
    words_alone,
)
from adapters.web.addresses import address
from bot.compose.packing import MessagePiece, keys_by_message, leading, packed
from bot.model.parts import Action, ActionKind, Mark, Part, PartKind, Thread, menus_and_buttons
from bot.model.references import read_key
from digest.github_web import web
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.emphasis import described
from digest.writing.phrasing import has_links
from digest.writing.rules import plain as words_of
from digest.writing.visible import revealed, visible

# Discord's limits, checked in November 2026. Its servers count code points
# (https://github.com/discord/discord-api-docs/issues/1315), its clients UTF-16 code units;
# `markup.units` counts the latter, which are never fewer.

CONTENT = 1_900
"""Discord's limit is 2,000: https://docs.discord.com/developers/resources/message#create-message"""

TITLE = 256
DESCRIPTION = 4_000
"""Of an embed, whose description may have 4,096; a message has one, so that both stay below the
6,000 that all may have together:
https://docs.discord.com/developers/resources/message#embed-object-embed-limits"""

ROWS = 4
BUTTONS = 5
"""Action rows in a message, one less than Discord takes, which stays free for the buttons that turn
pages; buttons in a row: https://docs.discord.com/developers/components/reference#action-row"""

LABEL = 80
URL = 512
"""https://docs.discord.com/developers/components/reference#button"""

OPTIONS = 25
OPTION = 100
"""Options of a menu, and the label and the value of each:
https://docs.discord.com/developers/components/reference#string-select"""

CUSTOM_ID = 100
"""https://docs.discord.com/developers/components/reference#custom-id"""

THREAD_NAME = 100
"""https://docs.discord.com/developers/resources/channel#start-thread-from-message"""

SUPPRESS_EMBEDS = 1 << 2
"""No link previews: https://docs.discord.com/developers/resources/message#message-object-message-flags"""

BYTES = 9_000
"""What we put in a message at most, as UTF-8 over all its texts. No page states a limit, but about
10,170 bytes were met, above which Discord answers 500; 4,000 Chinese characters have more:
https://github.com/discord/discord-api-docs/issues/8554
https://github.com/discord/discord-api-docs/issues/7628"""

SPARE = 600
"""Bytes of that which the buttons that turn pages may have."""

PREFIX = "infra:"
MARK = "~"
DIGITS = 24


def custom_id(kind: ActionKind, value: str) -> str:
    """Return the `custom_id` of a button, `infra:<kind>:<value>`.

    It has at most 100 characters, so that it lives on. A longer value is named by a short form,
    `~` and a part of its SHA-256; the message that is drawn says which (`DiscordMessage.values`),
    to be stored beside it.
    """
    head = f"{PREFIX}{kind}:"
    return head + short(value, CUSTOM_ID - len(head))


def short(value: str, room: int) -> str:
    """Return a value as it is if it fits into so many characters, else its short form."""
    if value.isascii() and value.isprintable() and len(value) <= room and value[:1] != MARK:
        return value
    return MARK + hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def is_short_form(value: str) -> bool:
    """Return whether this names a value that stands elsewhere."""
    return value.startswith(MARK)


def read_custom_id(text: str) -> tuple[ActionKind, str] | None:
    """Return kind and value (or its short form) of one of our buttons; None for anything else.

    The value of a menu is empty: the chosen option has it.
    """
    kind, colon, value = text.removeprefix(PREFIX).partition(":")
    if not text.startswith(PREFIX) or not colon or kind not in tuple(ActionKind):
        return None
    return ActionKind(kind), "" if value.startswith(f"{MARK}menu") else value


Json: TypeAlias = dict[str, Any]

# https://docs.discord.com/developers/components/reference#component-object-component-types
ROW = 1
BUTTON = 2
MENU = 3

# https://docs.discord.com/developers/components/reference#button-button-styles
PRIMARY = 1
SECONDARY = 2
LINK = 5

FIRST = {ActionKind.SHOW_ALL, ActionKind.SHOW_REST, ActionKind.FLAG}
"""What most people press stands out."""

LONGEST_CHOICE = 70
"""Units of an option's label, about what Discord shows on a line."""

MANY_CHOICES = 50
SHORT_CHOICE = 36
"""So many are named shortly, each value by its short form, that a hundred fit into a message:
a question that is answered is one message to take back."""


def rows(wanted: Sequence[Action]) -> tuple[list[Json], dict[str, str]]:
    """Return the action rows of a part, and the values in them that are named by a short form.

    What is wanted twice is there once.
    """
    values: dict[str, str] = {}

    def named(value: str, each: Action) -> str:
        if is_short_form(value):
            values[value] = each.value
        return value

    chosen, buttons = menus_and_buttons(wanted)
    found: list[Json] = []
    for kind, choices in chosen.items():
        many = len(choices) > MANY_CHOICES
        options: dict[str, Json] = {}
        for each in choices:
            value = named(short(each.value, 0 if many else OPTION), each)
            label = shortened(visible(each.label), SHORT_CHOICE if many else LONGEST_CHOICE)
            options[value] = {"label": label or "…", "value": value}
        found += _menus(kind, list(options.values()))
    made: dict[str, Json] = {}
    for each in buttons:
        label = shortened(visible(each.label), LABEL) or "…"
        if each.kind is ActionKind.PAGE:
            if url := address(each.value, URL):
                made[url] = button(label, LINK) | {"url": url}
            continue
        own = custom_id(each.kind, each.value)
        named(own.removeprefix(f"{PREFIX}{each.kind}:"), each)
        style = PRIMARY if each.kind in FIRST else SECONDARY
        made[own] = button(label, style) | {"custom_id": own}
    drawn = list(made.values())
    return [
        *found,
        *(row(drawn[at : at + BUTTONS]) for at in range(0, len(drawn), BUTTONS)),
    ], values


def row(components: Sequence[Json]) -> Json:
    """Return an action row."""
    return {"type": ROW, "components": list(components)}


def button(label: str, style: int) -> Json:
    """Return a button that does nothing yet."""
    return {"type": BUTTON, "style": style, "label": label}


def _menus(kind: ActionKind, options: Sequence[Json]) -> Iterator[Json]:
    """Yield menus of all options; one of several says which of all it holds."""
    total = len(options)
    for number, start in enumerate(range(0, total, OPTIONS), 1):
        last = min(start + OPTIONS, total)
        own = f"{PREFIX}{kind}:{MARK}menu{number}"
        menu: Json = {"type": MENU, "custom_id": own, "options": list(options[start:last])}
        if total > OPTIONS:
            menu["placeholder"] = f"{start + 1}–{last} / {total}"
        yield row([menu])


LONGEST_PIECE = 3_500
"""A longer piece is parted after all: nothing is cut, no message is refused."""

ROOM = 100
"""Of that what is before a line may have."""

LONGEST_CODE = 900
"""Characters of a line of code that stay together; none needs more than four bytes."""

WARNING = "⚠️ "
SMALL = "-# "
BULLET = "- "
INDENT = "  "
QUOTED = "> "
FENCE = "```"


@dataclass(frozen=True)
class MarkdownPiece(MessagePiece):
    """Lines of Markdown that stay together; `title` is set where it could be an embed's title."""

    text: str
    title: str = ""

    @property
    def is_title(self) -> bool:
        """Whether it leads whatever follows."""
        return bool(self.title)

    @property
    def opens(self) -> bool:
        """Whether an empty line stands before it."""
        return self.text.startswith("**") and not self.joins

    @property
    def is_heading(self) -> bool:
        """Whether all of it stands out."""
        return self.opens and self.text.find("**", 2) == len(self.text) - 2


def pieces(blocks: Sequence[Block], *, titled: bool = False) -> list[MarkdownPiece]:
    """Return the pieces of blocks, in their order; `titled` if the first paragraph is a title."""
    found = [piece for block in blocks for piece in _of(block)]
    if titled and isinstance(blocks[0], Paragraph) and blocks[0].tone is Tone.PLAIN:
        found[:1] = _title(blocks[0].runs) or found[:1]
    if not all(is_calm(piece.text) for piece in found):
        found = [replace(piece, text=calmed(piece.text)) for piece in found]
    return leading(found)


def _title(runs: Runs) -> list[MarkdownPiece]:
    """Return what can be a title: one line, of which at most its one link is lost."""
    plain = tuple(_unlinked(runs))
    title = marked(segments(plain))
    title = title if is_calm(title) else calmed(title)
    if "](" not in title:  # a bracket begins nothing then, and stands at the head of most titles
        title = title.replace(r"\[", "[")
    if sum(map(has_links, ((run,) for run in runs))) > 1 or units(title) > TITLE:
        return []
    return [] if "\n" in title or not title else [MarkdownPiece(f"## {title}", title=title)]


def _unlinked(runs: Runs) -> Iterator[Run]:
    for run in runs:
        match run:
            case Strong(inner):
                yield from _unlinked(inner)
            case Link(label):
                yield Foreign(label)
            case _:
                yield run


def _of(block: Block) -> list[MarkdownPiece]:
    match block:
        case Paragraph(runs, Tone.LEAD):
            title = [] if has_links(runs) else _title(runs)
            return title or _lines((Strong(runs),), "")
        case Paragraph(runs, Tone.SMALL):
            return _lines(runs, SMALL)
        case Paragraph(runs, Tone.WARNING):
            return _lines((Words(WARNING), *runs), "")
        case Paragraph(runs):
            return _lines(runs, "")
        case Bullets(entries):
            return [piece for entry in entries for piece in _entry(entry)]
        case Quote(speaker, text, printed=True):
            return _code(speaker, text)
        case Quote(speaker, text):
            return _quote(speaker, text)
        case Hunk(_, text):
            return _code((Foreign(block.path + block.place),), text)
        case Table():
            return _table(block)
        case _:
            assert_never(block)


def _lines(runs: Runs, prefix: str, *, joins: bool = False) -> list[MarkdownPiece]:
    prefixed = [(prefix, line) for line in lines(segments(runs)) if line]
    return [
        MarkdownPiece(text, joins=joins or number > 0)
        for number, text in enumerate(_parts(prefixed, prefix))
    ]


def _parts(prefixed: Sequence[tuple[str, Sequence[Segment]]], again: str) -> Iterator[str]:
    """Join lines, each after its prefix, into texts that fit.

    `again` stands before what of a line has to go on in the next text.
    """
    text = ""
    for prefix, line in prefixed:
        for part in _fitting(prefix, line, again):
            longer = f"{text}\n{part}" if text else part
            if text and not _fits(longer):
                yield text
                longer = part
            text = longer
    if text:
        yield text


def _fitting(prefix: str, line: Sequence[Segment], again: str) -> Iterator[str]:
    """Yield a line, in several ones where it is too long for a message."""
    whole = prefix + marked(line)
    if _fits(whole):
        yield whole
        return
    part: list[Segment] = []
    taken = 0
    for segment in line:
        # Alone it has at least the marks that it has beside others, but for what parts code.
        alone = size(JOINER + marked([segment]))
        if part and taken + alone > LONGEST_PIECE - ROOM:
            yield prefix + marked(part)
            part, prefix, taken = [], again, 0
        part.append(segment)
        taken += alone
    yield prefix + marked(part)


def _fits(text: str) -> bool:
    return size(text) <= LONGEST_PIECE


def size(text: str) -> int:
    """Return what a text takes of a message at most, should its underscores be escaped.

    That is its units, or more where its bytes would fill the message before.
    """
    return max(units(text) + text.count("_"), weight(text) * DESCRIPTION // (BYTES - SPARE) + 1)


def _entry(entry: Entry) -> list[MarkdownPiece]:
    prefixed = list(_entry_lines(entry, ""))
    keys = entry.keys
    return [MarkdownPiece(text, about=keys, joins=True) for text in _parts(prefixed, INDENT)]


def _entry_lines(entry: Entry, indent: str) -> Iterator[tuple[str, Sequence[Segment]]]:
    first, *others = lines(segments(entry.runs))
    yield f"{indent}{BULLET}", first or [Segment("…")]
    for line in others:
        yield f"{indent}{INDENT}{BULLET}", line
    for under in entry.under:
        yield from _entry_lines(under, f"{indent}{INDENT}")


def _quote(speaker: Runs, text: str) -> list[MarkdownPiece]:
    heading = _lines(speaker, "", joins=True) if speaker else []
    prefixed = [(QUOTED, segments(line)) for line in described(text) if words_alone(line).strip()]
    return [*heading, *(MarkdownPiece(part, joins=True) for part in _parts(prefixed, QUOTED))]


def _code(heading: Runs, text: str) -> list[MarkdownPiece]:
    shown = revealed(text).rstrip("\n").replace("``", f"`{JOINER}`") or " "
    rows: list[str] = []
    found = _lines((Strong(heading),), "")
    for line in shown.split("\n"):
        for start in range(0, max(1, len(line)), LONGEST_CODE):
            part = line[start : start + LONGEST_CODE]
            if rows and not _fits("\n".join((*rows, part))):
                found.append(_block(rows))
                rows = []
            rows.append(part)
    return [*found, _block(rows)]


def _block(rows: Sequence[str]) -> MarkdownPiece:
    return MarkdownPiece("\n".join((f"{FENCE}diff", *rows, FENCE)), joins=True)


def _table(table: Table) -> list[MarkdownPiece]:
    """Return a table, which Discord has none of, as a list below the names of its columns."""
    head = _lines((Words(table.columns),), SMALL, joins=True)
    return [*head, *(piece for row in table.rows for piece in _entry(table.line(row)))]


EMPTY = JOINER
"""A line of nothing to see; Discord leaves lines out that are truly empty below a list."""

COMPONENT = 12
"""Bytes that a component adds to its texts, as was measured for one of text."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One message: its pieces of text, and its action rows."""

    pieces: tuple[MarkdownPiece, ...] = ()
    rows: tuple[Json, ...] = ()

    @property
    def text(self) -> str:
        """All its text, an empty line before what opens."""
        return text(self.pieces)


def text(pieces: Sequence[MarkdownPiece]) -> str:
    """Join the lines of pieces, with an empty line before what opens, and a warning below it."""
    lines: list[str] = []
    headed, is_section = True, False
    for piece in pieces:
        opens = piece.opens or (is_section and piece.text.startswith(WARNING))
        lines.append(f"{EMPTY}\n{piece.text}" if opens and not headed else piece.text)
        headed, is_section = piece.leads or piece.is_heading, piece.opens or piece.joins
    return "\n".join(lines)


def pack(pieces: Sequence[MarkdownPiece], rows: Sequence[Json], room: int) -> list[Packed]:
    """Return messages of at most `room` units each.

    Action rows stand below the last of the text, or in messages of their own.
    """
    filled = packed(pieces, lambda filling, piece: size(text([*filling, piece])) <= room)
    return _with_rows([Packed(tuple(each)) for each in filled], rows)


def _with_rows(filled: list[Packed], rows: Sequence[Json]) -> list[Packed]:
    messages = list(filled) or [Packed()]
    for one in rows:
        last = messages[-1]
        weight_so_far = weight(last.text) + sum(_row_weight(each) for each in last.rows)
        full = weight_so_far + _row_weight(one) > BYTES - SPARE
        if len(last.rows) == ROWS or (full and (last.rows or last.pieces)):
            messages.append(Packed(rows=(one,)))
        else:
            messages[-1] = replace(last, rows=(*last.rows, one))
    return [message for message in messages if message.pieces or message.rows]


def _row_weight(row: Json) -> int:
    components = (each for part in row["components"] for each in (part, *part.get("options", ())))
    return sum(
        COMPONENT + sum(weight(text) for text in each.values() if isinstance(text, str))
        for each in components
    )


COLOURS = {
    PartKind.ROUNDUP: 0x5865F2,
    PartKind.PARENT: 0x5865F2,
    PartKind.ITEM: 0xDA5B56,
    PartKind.RELEASES: 0x3BA55D,
    PartKind.UPGRADE_NOTES: 0xFAA61A,
}
"""The bar of an embed; what it means is said in words and by shape too."""

PLAIN = {PartKind.CHOICE, PartKind.NOTICE, PartKind.NEWS}
"""What stands as plain text where it fits; what a morning tells has one look, however short."""

TITLED = {PartKind.ITEM, PartKind.RELEASES}
"""What begins with the name of the one item that it is about, which leads there."""

NOTIFIES = {PartKind.PARENT, PartKind.ROUNDUP}
LONGEST_NOTIFICATION = 200
"""Characters of the facts above an embed, about what a locked phone shows: in the channel they
stand there twice, and the embed has all of them."""

NO_MENTIONS: Mapping[str, Any] = {"parse": []}

NAMELESS = "Infra Digest"


@dataclass(frozen=True, slots=True)
class DiscordMessage:
    """One message: `payload` is the body of a Create Message request, to be sent as it is.

    It always has `content`, `embeds`, `components`, `flags` and `allowed_mentions`, so that an edit
    with it leaves nothing of what stood there. `about` are keys of the items in this very message.
    `thread_name` names the public thread that it begins, or the post in a forum. `values`
    are values of buttons that are too long for a `custom_id`, by the short form that stands there:
    see `custom_id`. `marks` are those of a parent's thread, which is in a
    `language`: tags of a forum's post.
    """

    payload: Mapping[str, Any]
    about: tuple[str, ...]
    is_parent: bool
    kind: PartKind
    thread_name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()
    language: Language = Language.EN


def render(thread: Thread) -> tuple[DiscordMessage, ...]:
    """Return the messages of a thread in the order of posting; the first alone is the parent."""
    first, *more = _messages(thread.parent)
    replies = [message for part in thread.replies for message in _messages(part, begins=False)]
    name = thread_name(thread)
    first = replace(
        first,
        is_parent=True,
        marks=tuple(mark for mark in Mark if mark in thread.marks),
        language=thread.language,
        payload=_mentioning(first.payload, thread.mention),
    )
    messages = (first, *more, *replies)
    return tuple(replace(message, thread_name=name) for message in messages)


def render_parts(
    parts: Sequence[Part], language: Language, ids: Mapping[str, str] | None = None
) -> tuple[DiscordMessage, ...]:
    """Return messages that are no thread: answers, questions, notices, edits of posted messages.

    Each has room for the buttons of `adapters.discord.render.page`. `ids` are the ids of commands
    by their names, as far as they are known.
    """
    with_options = (in_options(part, language, ids or {}) for part in parts)
    return tuple(message for part in with_options for message in _messages(part))


def _mentioning(payload: Mapping[str, Any], role: str) -> Mapping[str, Any]:
    """Return a message that notifies exactly one role, and nobody else."""
    if not role:
        return payload
    allowed = {**NO_MENTIONS, "roles": [role]}
    return {**payload, "content": f"<@&{role}> {payload['content']}", "allowed_mentions": allowed}


def thread_name(thread: Thread) -> str:
    """Return the name of a thread: what its parent's title says."""
    titles = [
        words_alone(block.runs)
        for block in thread.parent.blocks
        if isinstance(block, Paragraph) and block.tone is Tone.LEAD
    ]
    return _name(*titles[:1], thread.repo)


def _name(*texts: str) -> str:
    """Return the first text with anything to see as the name of a thread or post."""
    named = (visible(text) for text in (*texts, NAMELESS))
    return shortened(next(name for name in named if name), THREAD_NAME)


def _messages(part: Part, *, begins: bool = True) -> list[DiscordMessage]:
    """Draw a part; a reply does not begin a morning, also where it is a repository's first."""
    split = pieces(part.blocks, titled=part.kind in TITLED and len(part.about) == 1)
    if part.state:
        split += pieces((Paragraph(part.state),))
    below, values = rows(part.actions)
    packed = pack(split, below, CONTENT)
    plain = len(packed) == 1 and _is_plain(part, split) and units(packed[0].text) <= CONTENT
    if not plain:
        packed = pack(split, below, DESCRIPTION)
    about = keys_by_message(part.about, [message.pieces for message in packed])
    return [
        DiscordMessage(
            payload=_plain(message)
            if plain
            else _framed(message, part, first=begins and number == 0),
            about=about[number],
            is_parent=False,
            kind=part.kind,
            thread_name=_name(_heading(part), part.summary),
            values=values if message.rows else {},
        )
        for number, message in enumerate(packed)
    ]


def _heading(part: Part) -> str:
    """Return what an answer is called: its notification goes on with what it says."""
    match part.blocks:
        case (Paragraph(runs, Tone.LEAD), *_) if part.kind is PartKind.ANSWER:
            return words_of(runs)
    return ""


def _is_plain(part: Part, split: Sequence[MarkdownPiece]) -> bool:
    return part.kind in PLAIN or (part.kind is PartKind.ANSWER and len(split) == 1)


def _plain(message: Packed) -> Mapping[str, Any]:
    return _payload(message, content=message.text.strip())


_BETWEEN_FACTS = re.compile(r"; |；")


def first_facts(summary: str) -> str:
    """Return the facts of a notification that fit, whole; of a first one that does not a part."""
    told = visible(summary)
    if len(told) <= LONGEST_NOTIFICATION:
        return told
    ends = [found.start() for found in _BETWEEN_FACTS.finditer(told[: LONGEST_NOTIFICATION + 1])]
    return told[: ends[-1]] if ends else shortened(told, LONGEST_NOTIFICATION)


def _framed(message: Packed, part: Part, *, first: bool) -> Mapping[str, Any]:
    """Return a message as an embed; one that has buttons alone needs none.

    Above what begins a morning stand its first facts: of an embed, a phone shows nothing before
    it is opened.
    """
    split, kind = message.pieces, part.kind
    if not split:
        return _payload(message)
    content = ""
    if first and kind in NOTIFIES and part.about:
        content = text(pieces((Paragraph((Foreign(first_facts(part.summary)),)),))).strip()
    embed: dict[str, Any] = {}
    if split[0].title:
        embed["title"] = split[0].title
        if url := _address(part):
            embed["url"] = url
        split = split[1:]
    if split:
        embed["description"] = text(split).strip()
    if kind in COLOURS:
        embed["color"] = COLOURS[kind]
    return _payload(message, content=content, embeds=[embed])


def _address(part: Part) -> str:
    """Return where a title leads: the item, the day's page, else the repository; or nowhere."""
    pages = [action.value for action in part.actions if action.kind is ActionKind.PAGE]
    if pages or not part.about:
        return "".join(map(address, pages[:1]))
    key = read_key(part.about[0])
    if part.kind in TITLED and len(part.about) == 1:
        return address(key.url)
    return address(f"{web()}/{key.repo}") if part.kind is PartKind.PARENT else ""


def _payload(
    message: Packed, *, content: str = "", embeds: Sequence[Any] = ()
) -> Mapping[str, Any]:
    return {
        "content": content,
        "embeds": list(embeds),
        "components": list(message.rows),
        "flags": SUPPRESS_EMBEDS if content and not embeds else 0,
        "allowed_mentions": NO_MENTIONS,
    }


TURN = f"{PREFIX}turn:"
HERE = "here"
"""The button between the others, which only says where one is."""
_TURN = re.compile(rf"{TURN}(\d{{1,9}}):(.*)", re.ASCII)


def page(
    drawn: Sequence[DiscordMessage], answer: str, number: int, language: Language
) -> DiscordMessage:
    """Return one page (from 0) of an answer with buttons for the pages beside it.

    An answer of one page comes back as it is. A number beyond the last gives the last. The
    buttons of the last page stand on all.
    """
    last = len(drawn) - 1
    number = min(number, last)
    wanted = drawn[number]
    if not last:
        return wanted
    own = wanted.payload["components"] or drawn[-1].payload["components"]
    where = CATALOGUES[language].discord.pages(number + 1, len(drawn))
    turns = [
        _turner("◀", f"{TURN}{number - 1}:{answer}", off=number == 0),
        _turner(where, f"{TURN}{HERE}", off=True),
        _turner("▶", f"{TURN}{number + 1}:{answer}", off=number == last),
    ]
    values = {**wanted.values, **drawn[-1].values}
    payload = {**wanted.payload, "components": [*own, row(turns)]}
    return replace(wanted, payload=payload, values=values)


def read_turn(custom_id: str) -> tuple[str, int] | None:
    """Read the `custom_id` of a button that turns a page: of which answer, and to which page."""
    found = _TURN.fullmatch(custom_id)
    return (found[2], int(found[1])) if found else None


def _turner(label: str, custom_id: str, *, off: bool) -> Json:
    turner = button(label, SECONDARY) | {"custom_id": custom_id}
    return turner | {"disabled": True} if off else turner
