"""Parts drawn as Discord messages: embeds, packed by whole entries under Discord's limits.

Embeds rather than the newer components: of those, notifications show nothing
(https://github.com/discord/discord-api-docs/issues/7854), and containers were seen to make
listing a channel fail (https://github.com/discord/discord-api-docs/issues/8611). What the bot says
of itself in a few lines stands as plain text. Embeds need the permission EMBED_LINKS.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.discord import limits
from adapters.discord.buttons import rows
from adapters.discord.examples import in_options
from adapters.discord.markup import address, shortened, units, words_alone
from adapters.discord.packing import Packed, pack, text
from adapters.discord.pieces import Piece, pieces
from bot.model.parts import ActionKind, Mark, Part, PartKind, Thread
from bot.model.references import read_key
from digest.languages import Language
from digest.writing.document import Foreign, Paragraph, Tone
from digest.writing.visible import visible

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
LONGEST_NOTIFICATION = 400
"""Characters of the facts above an embed; escaped they stay far below the limit of a message."""

DESCRIPTION = 4_000
CONTENT = 1_900
"""Units that are filled at most: a little below the limits."""

NO_MENTIONS: Mapping[str, Any] = {"parse": []}

NAMELESS = "Infra Digest"


@dataclass(frozen=True, slots=True)
class DiscordMessage:
    """One message: `payload` is the body of a Create Message request, to be sent as it is.

    It always has `content`, `embeds`, `components`, `flags` and `allowed_mentions`, so that an edit
    with it leaves nothing of what stood there. `about` are keys of the items in this very message.
    `thread_name` names the public thread that replies go to, or the post in a forum. `values`
    are values of buttons that are too long for a `custom_id`, by the short form that stands there:
    see `adapters.discord.custom_ids`. `marks` are those of a parent's thread, which is in a
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
    """Give the messages of a thread in the order of posting; the first alone is the parent."""
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
    told = (first, *more, *replies)
    return tuple(replace(message, thread_name=name) for message in told)


def render_parts(
    parts: Sequence[Part], language: Language, ids: Mapping[str, str] | None = None
) -> tuple[DiscordMessage, ...]:
    """Give messages that are no thread: answers, questions, notices, edits of posted messages.

    Each has room for the buttons of `adapters.discord.paging.page`. `ids` are the ids of commands
    by their names, as far as they are known.
    """
    said = (in_options(part, language, ids or {}) for part in parts)
    return tuple(message for part in said for message in _messages(part))


def _mentioning(payload: Mapping[str, Any], role: str) -> Mapping[str, Any]:
    """Give a message that notifies exactly one role, and nobody else."""
    if not role:
        return payload
    allowed = {**NO_MENTIONS, "roles": [role]}
    return {**payload, "content": f"<@&{role}> {payload['content']}", "allowed_mentions": allowed}


def thread_name(thread: Thread) -> str:
    """Give the name of a thread: what its parent's title says."""
    titles = [
        words_alone(block.runs)
        for block in thread.parent.blocks
        if isinstance(block, Paragraph) and block.tone is Tone.LEAD
    ]
    named = (visible(name) for name in (*titles[:1], thread.repo, NAMELESS))
    return shortened(next(name for name in named if name), limits.THREAD_NAME)


def _messages(part: Part, *, begins: bool = True) -> list[DiscordMessage]:
    """Draw a part; a reply does not begin a morning, also where it is a repository's first."""
    told = pieces(part.blocks, titled=part.kind in TITLED and len(part.about) == 1)
    if part.state:
        told += pieces((Paragraph(part.state),))
    buttons = rows(part.actions)
    packed = pack(told, buttons.rows, CONTENT)
    plain = len(packed) == 1 and _is_plain(part, told) and units(packed[0].text) <= CONTENT
    if not plain:
        packed = pack(told, buttons.rows, DESCRIPTION)
    about = _about(part, packed)
    return [
        DiscordMessage(
            payload=_plain(message)
            if plain
            else _framed(message, part, first=begins and number == 0),
            about=about[number],
            is_parent=False,
            kind=part.kind,
            values=buttons.values if message.rows else {},
        )
        for number, message in enumerate(packed)
    ]


def _is_plain(part: Part, told: Sequence[Piece]) -> bool:
    return part.kind in PLAIN or (part.kind is PartKind.ANSWER and len(told) == 1)


def _plain(message: Packed) -> Mapping[str, Any]:
    return _payload(message, content=message.text.strip(), flags=limits.SUPPRESS_EMBEDS)


def _framed(message: Packed, part: Part, *, first: bool) -> Mapping[str, Any]:
    """Give a message as an embed; one that has buttons alone needs none.

    Above what begins a morning stand its first facts: of an embed, a phone shows nothing before
    it is opened.
    """
    told, kind = message.pieces, part.kind
    if not told:
        return _payload(message)
    content = ""
    if first and kind in NOTIFIES and part.about:
        said = Foreign(shortened(visible(part.summary), LONGEST_NOTIFICATION))
        content = text(pieces((Paragraph((said,)),))).strip()
    embed: dict[str, Any] = {}
    if told[0].title:
        embed["title"] = told[0].title
        if url := _address(part):
            embed["url"] = url
        told = told[1:]
    if told:
        embed["description"] = text(told).strip()
    if kind in COLOURS:
        embed["color"] = COLOURS[kind]
    return _payload(message, content=content, embeds=[embed])


def _address(part: Part) -> str:
    """Give where a title leads: to the item, the day's page, or else the repository; or nowhere."""
    pages = [action.value for action in part.actions if action.kind is ActionKind.PAGE]
    if pages or not part.about:
        return "".join(pages[:1])
    key = read_key(part.about[0])
    if part.kind in TITLED and len(part.about) == 1:
        return address(key.url)
    return address(f"https://github.com/{key.repo}") if part.kind is PartKind.PARENT else ""


def _payload(
    message: Packed, *, content: str = "", embeds: Sequence[Any] = (), flags: int = 0
) -> Mapping[str, Any]:
    return {
        "content": content,
        "embeds": list(embeds),
        "components": list(message.rows),
        "flags": flags,
        "allowed_mentions": NO_MENTIONS,
    }


def _about(part: Part, packed: Sequence[Packed]) -> list[tuple[str, ...]]:
    """Give the keys of each message: of the lines in it; of a part without such, all of them.

    What a part counts and does not name belongs to its last message.
    """
    named = [
        tuple(dict.fromkeys(key for piece in message.pieces for key in piece.about))
        for message in packed
    ]
    if len(packed) == 1 or not any(named):
        return [part.about or keys for keys in named]
    left = [key for key in part.about if not any(key in keys for keys in named)]
    return [*named[:-1], (*named[-1], *left)]
