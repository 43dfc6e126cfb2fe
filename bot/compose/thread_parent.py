"""The parent of a repository's thread: read in half a minute, without opening the thread."""

from collections.abc import Sequence

from bot.compose.channel_digest import ChannelDigest
from bot.compose.concerned_lines import alarm, concerns_you
from bot.compose.parent_extras import ParentExtras, followups_action, nudges, page_action, untold
from bot.compose.shortening import ListedItems, brief_reading, listed, message_blocks
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.references import digest_reference
from bot.wording.dates import dates, span
from digest.concern.concerned import Concerned
from digest.grades import Importance
from digest.languages import Language, text_in
from digest.models import Reading
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import entries, sections
from digest.writing.composition import compose
from digest.writing.digest_page import opening, warnings
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Paragraph,
    Runs,
    Strong,
    Tone,
    Words,
)
from digest.writing.making import made_briefly
from digest.writing.outline import MINUTES_FIRST, Context, Outline, block_minutes, context
from digest.writing.phrasing import fill
from digest.writing.remarks import in_a_notification
from digest.writing.rules import plain, quiet
from digest.writing.sections import Room

MOST_NAMED = 12
"""Fixes named by number behind the first ones; more are opened by a button."""
MOST_FACTS = 3
"""Facts in a notification."""


def parent(
    view: ChannelDigest,
    near: Sequence[Concerned],
    name: str,
    language: Language,
    extras: ParentExtras,
) -> Part:
    """Return the parent of a repository's thread.

    `near` is what of it concerns the channel, `name` what the channel calls it.
    """
    if quiet(view.reading) and not view.excluded:
        return _quiet(view, name, language, extras)
    reading = brief_reading(view.reading)
    about = context(reading, CATALOGUES[language], language)
    outline = compose(reading, in_thread=True)
    days = dates(reading.window, language)
    blocks: list[Block] = [Paragraph((Words(f"{name} · {days}"),), Tone.LEAD)]
    blocks += untold(reading.window.tz, extras, language)
    blocks += blindness(reading, about.say)
    blocks += warnings(reading, about.say)
    blocks += concerns_you(near, len(near), language, extras.ripples)
    blocks += opening(view.digest, outline, about)
    last = [*nudges(extras, language), Paragraph(_small(view, language, extras), Tone.SMALL)]
    frame = sum(map(block_minutes, (*blocks, *last)))

    def takes(room: Room) -> float:
        news_within = _news(outline, about, room)
        lines = (block for part in news_within for block in part.blocks)
        return frame + sum(map(block_minutes, lines)) - MINUTES_FIRST

    room = sections.room(outline, sections.MOST_UPGRADING, takes)
    news = _news(outline, about, room)
    blocks += [block for part in news for block in part.blocks]
    return Part(
        PartKind.PARENT,
        (*blocks, *last),
        about=tuple(dict.fromkeys(key for part in news for key in part.keys)),
        actions=_actions(view, outline, language, extras),
        summary=summary(view, near, name, language),
    )


def _news(outline: Outline, about: Context, room: Room) -> list[ListedItems]:
    """Return what matters most, in the order in which it is read."""
    parts = (
        sections.bitten(outline, about, MOST_NAMED, room.bitten, room.further),
        sections.upgrading(outline, about, room.upgrading),
        sections.new(outline, about, room.new),
        sections.others(outline, about, room.others),
    )
    bitten, upgrading, new, others = (
        message_blocks(part) if part is not None else ListedItems() for part in parts
    )
    pieces = (
        bitten,
        upgrading,
        _reverts(outline, about, room.reverts),
        new,
        others,
        _issues(outline, about, room.issues),
    )
    return [part for part in pieces if part.blocks]


def _reverts(outline: Outline, about: Context, most: int) -> ListedItems:
    part = sections.reverted(outline, about, most)
    if part is None:
        return ListedItems()
    left = len(outline.reverts) - most
    more: Runs = ()
    if left > 0:
        more = (Words(CATALOGUES[about.language].thread.more_here(left)),)
    found = [
        entry for block in part.blocks if isinstance(block, Bullets) for entry in block.entries
    ]
    return listed((Strong(part.heading),), found, more)


def _issues(outline: Outline, about: Context, most: int) -> ListedItems:
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    found = [
        Entry(sections.issue_name(read, about), about=(read.item.key,)) for read in worth[:most]
    ]
    return listed((Strong((Words(about.say.headings.issues),)),), found)


def _small(view: ChannelDigest, language: Language, extras: ParentExtras) -> Runs:
    reading, words = view.reading, CATALOGUES[language].thread
    pieces = view.counted(language)
    if extras.open_followups:
        pieces.append(words.followups(extras.open_followups))
    pieces += view.left_out(language)
    pieces.append(span(reading.window, language))
    made = made_briefly((view.digest,), CATALOGUES[language], language)
    return (Words(entries.DOT.join(pieces) + entries.DOT), *made)


def _actions(
    view: ChannelDigest, outline: Outline, language: Language, extras: ParentExtras
) -> tuple[Action, ...]:
    reading, words = view.reading, CATALOGUES[language].thread
    page = page_action(reading, language, extras)
    if not reading.items:
        return page
    if len(reading.items) == 1:
        return (followups_action(language), *page)
    where = digest_reference(reading)
    shown_here = sections.MOST_BITTEN_LONG if outline.is_long else sections.MOST_BITTEN
    fixes: tuple[Action, ...] = ()
    if len(outline.bitten) - shown_here > MOST_NAMED:
        label = CATALOGUES[language].page.show.format(count=len(outline.bitten))
        fixes = (Action(ActionKind.SHOW_BITES, where, label),)
    label = words.show_all.format(count=len(reading.items))
    show_all = Action(ActionKind.SHOW_ALL, where, label)
    return (show_all, *fixes, followups_action(language), *page)


def summary(view: ChannelDigest, near: Sequence[Concerned], name: str, language: Language) -> str:
    """Return the notification: what breaks the channel, then how a model's paragraph begins.

    Without a paragraph it has the first facts of the day; where no fact is known, its counts.
    Phones and screen readers read nothing else.
    """
    reading, say = brief_reading(view.reading), CATALOGUES[language]
    sentences = alarm(near, language)
    if unseen := dict.fromkeys(say.names.gaps.get(gap.what, gap.what) for gap in reading.gaps):
        what = say.comma.join(unseen)
        sentences.append(CATALOGUES[language].thread.unseen.format(what=what))
    about = context(reading, say, language)
    if written := in_a_notification(view.digest.remarks, view.digest.model, language):
        sentences.append(about.say.gap.join(written))
        return _notified(name, reading, sentences, language)
    facts = [plain(entry.runs) for entry in sections.headlines(compose(reading, full=True), about)]
    sentences += facts[:MOST_FACTS]
    if not facts:
        counts = view.counted(language) or view.left_out(language)
        sentences += counts or [text_in(view.digest.headline, language)]
    return _notified(name, reading, sentences, language)


def _notified(name: str, reading: Reading, sentences: Sequence[str], language: Language) -> str:
    say = CATALOGUES[language]
    days = dates(reading.window, language)
    return f"{name}{entries.DOT}{days}{say.colon}{say.in_a_row(sentences)}"


def _quiet(view: ChannelDigest, name: str, language: Language, extras: ParentExtras) -> Part:
    reading, say = view.reading, CATALOGUES[language]
    heading = Strong((Words(f"{name} · {dates(reading.window, language)}"),))
    line = Paragraph((heading, Words(entries.DOT + say.say.quiet)))
    blocks = [line, *untold(reading.window.tz, extras, language), *nudges(extras, language)]
    pieces = (
        [CATALOGUES[language].thread.followups(extras.open_followups)]
        if extras.open_followups
        else []
    )
    pieces.append(span(reading.window, language))
    blocks.append(Paragraph((Words(entries.DOT.join(pieces)),), Tone.SMALL))
    actions = (followups_action(language),) if extras.open_followups else ()
    return Part(
        PartKind.PARENT,
        tuple(blocks),
        actions=actions,
        summary=f"{name}{entries.DOT}{dates(reading.window, language)}{say.colon}{say.say.quiet}",
    )


def blindness(reading: Reading, say: Catalogue) -> list[Block]:
    """Say that a repository could not be looked at, which is not to say that it is quiet."""
    blind = [gap for gap in reading.gaps if gap.what == "everything"]
    return [
        Paragraph(fill(say.say.could_not_look, why=Foreign(say.said(gap.why))), Tone.WARNING)
        for gap in blind[:1]
    ]
