"""The thread of one repository: its parent, read in half a minute, and the replies below it.

The parent says what matters most; the replies have the front page item by item, then everything by
kind. What the parent says in full is not said again.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.compose.answer_parts import flag_one_here
from bot.compose.channel_digest import ChannelDigest
from bot.compose.concerned_lines import alarm, concerns_you, concerns_you_too
from bot.compose.item_part import item_part, release_part
from bot.compose.parent_extras import ParentExtras, followups_action, nudges, page_action, untold
from bot.compose.shortening import brief_reading, message_blocks
from bot.compose.thread_gaps import EVERYTHING
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.references import digest_reference
from bot.wording.dates import dates, span
from digest.concern.concerned import Concerned
from digest.grades import Importance
from digest.languages import Language, text_in
from digest.models import Reading, ReadItem
from digest.reading.releases import apart, is_nightly, is_prerelease
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import lines, sections
from digest.writing.composition import compose
from digest.writing.digest_page import limits, opening, warnings
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
from digest.writing.entries import DOT, named
from digest.writing.lines import Mentioned
from digest.writing.making import made_briefly
from digest.writing.outline import (
    MINUTES_FIRST,
    Context,
    Outline,
    block_minutes,
    context,
    is_small,
)
from digest.writing.phrasing import fill, joined
from digest.writing.remarks import in_a_notification
from digest.writing.rules import plain, quiet
from digest.writing.sections import PagePart, Room, mentioned_by

MOST_FACTS = 3
"""Facts in a notification."""
LISTS = frozenset((PartKind.STORIES, PartKind.CHANGES, PartKind.ISSUES, PartKind.REST))
"""Parts that name several items and are read one after the other."""
MOST_OWN = 3
"""Items of the front page with a message, and so buttons, of their own; others share one."""
NAMED_OF_REST = 3
"""Changes of the rest that are named; of more the numbers are, and a button opens them."""
MOST_RELEASES = 3
"""More releases than that share one message."""


def parent(
    view: ChannelDigest,
    near: Sequence[Concerned],
    name: str,
    language: Language,
    extras: ParentExtras,
) -> tuple[Part, Mentioned]:
    """Return the parent of a repository's thread, and what it tells.

    `near` is what of it concerns the channel, `name` what the channel calls it.
    """
    if quiet(view.reading) and not view.excluded:
        return _quiet(view, name, language, extras), lines.NOTHING_MENTIONED
    reading = brief_reading(view.reading)
    about = context(reading, CATALOGUES[language], language)
    outline = compose(reading, language, in_thread=True)
    days = dates(reading.window, language)
    blocks: list[Block] = [Paragraph((Words(f"{name} · {days}"),), Tone.LEAD)]
    blocks += untold(reading.window.tz, extras, language)
    blocks += blindness(reading, about.say)
    blocks += warnings(reading, about.say)
    blocks += concerns_you(near, len(near), language, extras.ripples)
    blocks += opening(view.digest, outline, about)
    last = [
        *nudges(extras, language),
        *limits(reading, about.say),
        Paragraph(_small(view, language, extras), Tone.SMALL),
    ]
    # The small print is the same every morning: it is looked at, not read.
    read_first = (block for block in (*blocks, *last) if not is_small(block))
    frame = sum(map(block_minutes, read_first))

    def takes(room: Room) -> float:
        return frame + sum(part.minutes for part in _news(outline, about, room)) - MINUTES_FIRST

    room = sections.room(takes, sections.most_bitten(outline), sections.MOST_UPGRADING)
    news = _news(outline, about, room)
    blocks += [block for part in news for block in message_blocks(part).blocks]
    return Part(
        PartKind.PARENT,
        (*blocks, *last),
        about=tuple(dict.fromkeys(key for part in news for key in part.keys)),
        actions=_actions(view, language, extras),
        summary=summary(view, near, name, language),
    ), mentioned_by(news)


def _news(outline: Outline, about: Context, room: Room) -> list[PagePart]:
    """Return what matters most, in the order in which it is read."""
    parts = (
        sections.bitten(outline, about, room.bitten),
        *sections.upgrading(outline, about, room.upgrading),
        _reverts(outline, about, room.reverts),
        _releases_above(outline, about),
        sections.new(outline, about, room.new),
        sections.others(outline, about, room.others),
        _issues_above(outline, about, room.issues),
    )
    return [part for part in parts if part is not None]


def _reverts(outline: Outline, about: Context, most: int) -> PagePart | None:
    if most and most == len(outline.reverts) - 1:
        most += 1
    alone = {read.item.key for read in outline.front}  # each has a message of its own
    part = sections.reverted(outline, about, told=alone)
    left = len(outline.reverts) - most
    if part is None or left <= 0:
        return part
    shown = sections.reverted(outline, about, most, told=alone) if most else None
    words = about.say.thread.more_here(left) if shown else about.say.thread.all_here(left)
    more = Entry((Words(words),))
    if shown is None:
        return replace(part, blocks=(Bullets((more,)),), keys=(), mentioned=lines.NOTHING_MENTIONED)
    return replace(shown, blocks=(*shown.blocks[:-1], _with(shown.blocks[-1], more)))


def _with(block: Block, more: Entry) -> Block:
    return replace(block, entries=(*block.entries, more)) if isinstance(block, Bullets) else block


def _releases_above(outline: Outline, about: Context) -> PagePart | None:
    """Return the versions that came out, in one line; those for trial stand in the thread."""
    reads = [read for read in outline.releases if not is_prerelease(read.item)]
    if not reads:
        return None
    runs = joined((named(read.item, about.say) for read in reads[:MOST_RELEASES]), DOT)
    if len(reads) > MOST_RELEASES:
        runs = (*runs, Words(about.say.facts.and_more(len(reads) - MOST_RELEASES)))
    keys = tuple(read.item.key for read in reads)
    title = (Words(about.say.headings.releases),)
    return PagePart("releases", title, (Paragraph(runs),), keys)


def _issues_above(outline: Outline, about: Context, most: int) -> PagePart | None:
    worth = [read for read in outline.issues.items if read.importance is not Importance.LOW]
    found = tuple(
        Entry(lines.issue_name(read, about), about=(read.item.key,)) for read in worth[:most]
    )
    keys = tuple(key for entry in found for key in entry.about)
    title = (Words(about.say.headings.issues),)
    return PagePart("issues", title, (Bullets(found),), keys) if found else None


def _small(view: ChannelDigest, language: Language, extras: ParentExtras) -> Runs:
    pieces = view.counted(language)
    if extras.open_followups:
        pieces.append(CATALOGUES[language].thread.followups(extras.open_followups))
    pieces += view.left_out(language)
    pieces.append(span(view.reading.window, language))
    made = made_briefly((view.digest,), CATALOGUES[language], language)
    return (Words(DOT.join(pieces) + DOT), *made)


def _actions(view: ChannelDigest, language: Language, extras: ParentExtras) -> tuple[Action, ...]:
    reading = view.reading
    page = page_action(reading, language, extras)
    if not reading.items:
        return page
    if len(reading.items) == 1:
        return (followups_action(language), *page)
    label = CATALOGUES[language].thread.show_all.format(count=len(reading.items))
    show_all = Action(ActionKind.SHOW_ALL, digest_reference(reading), label)
    return (show_all, followups_action(language), *page)


def summary(view: ChannelDigest, near: Sequence[Concerned], name: str, language: Language) -> str:
    """Return the notification: what breaks the channel, then how a model's paragraph begins.

    Without a paragraph it has the first facts of the day; where no fact is known, its counts.
    Phones and screen readers read nothing else.
    """
    reading, say = brief_reading(view.reading), CATALOGUES[language]
    sentences = alarm(near, language)
    gaps = (gap.what for gap in reading.gaps if gap.what == EVERYTHING or not gap.lasting)
    if unseen := dict.fromkeys(say.names.gaps.get(what, what) for what in gaps):
        sentences.append(say.thread.unseen.format(what=say.comma.join(unseen)))
    about = context(reading, say, language)
    if written := in_a_notification(view.digest.remarks, view.digest.model, language):
        sentences.append(say.gap.join(written))
    elif facts := sections.headlines(compose(reading, language, full=True), about):
        sentences += map(plain, facts[:MOST_FACTS])
    else:
        counts = view.counted(language) or view.left_out(language)
        sentences += counts or [text_in(view.digest.headline, language)]
    return f"{name}{DOT}{dates(reading.window, language)}{say.colon}{say.in_a_row(sentences)}"


def _quiet(view: ChannelDigest, name: str, language: Language, extras: ParentExtras) -> Part:
    reading, say = view.reading, CATALOGUES[language]
    days = dates(reading.window, language)
    line = Paragraph((Strong((Words(f"{name} · {days}"),)), Words(DOT + say.say.quiet)))
    blocks = [line, *untold(reading.window.tz, extras, language), *nudges(extras, language)]
    opened = extras.open_followups
    pieces = [say.thread.followups(opened)] if opened else []
    blocks.append(
        Paragraph((Words(DOT.join((*pieces, span(reading.window, language)))),), Tone.SMALL)
    )
    return Part(
        PartKind.PARENT,
        tuple(blocks),
        actions=(followups_action(language),) if opened else (),
        summary=f"{name}{DOT}{days}{say.colon}{say.say.quiet}",
    )


def blindness(reading: Reading, say: Catalogue) -> list[Block]:
    """Say that a repository could not be looked at, which is not to say that it is quiet."""
    blind = [gap for gap in reading.gaps if gap.what == EVERYTHING]
    return [
        Paragraph(fill(say.say.could_not_look, why=Foreign(say.localized(gap.why))), Tone.WARNING)
        for gap in blind[:1]
    ]


def replies(
    view: ChannelDigest,
    near: Sequence[Concerned],
    above: Part,
    mentioned: Mentioned,
    language: Language,
    *,
    is_foremost: bool = True,
) -> tuple[Part, ...]:
    """Return the replies of a thread in their order; what has nothing to tell is left out.

    `near` is what concerns the channel and `above`, the thread's parent, has no line of; what the
    parent has `mentioned` is not said again. Where the thread is not the `is_foremost` of its
    morning, what is not high has no message of its own.
    """
    reading = view.reading
    outline = compose(reading, language, in_thread=True)
    about = context(reading, CATALOGUES[language], language)
    page = about.say.page

    def left(reads: Sequence[ReadItem]) -> tuple[ReadItem, ...]:
        return tuple(
            read
            for read in reads
            if read not in own and lines.has_more(read, outline, about, mentioned)
        )

    own = [
        read
        for read in outline.front[:MOST_OWN]
        if is_foremost or read.importance is Importance.HIGH
    ]
    front = [item_part(read, about, outline.taken.get(read.item.key), mentioned) for read in own]
    further = sections.upgrading(outline, about, mentioned=mentioned)
    mentioned |= mentioned_by(further)
    listed = [
        (anchor, name, replace(reads, shown=left(reads.shown)))
        for anchor, name, reads in (
            (sections.FIXED, page.fixed, outline.fixed),
            ("new-too", page.added, outline.added),
            ("changed", page.changed, outline.changed),
        )
    ]
    # What has a message or a line of its own in this thread has its facts there.
    in_full = (*own, *(read for *_, reads in listed for read in reads.shown))
    by_own = Mentioned(
        frozenset(read.item.key for read in in_full),
        frozenset(fact for read in in_full for fact in about.facts_of(read)),
    )
    story_part = sections.stories(outline, about, mentioned | by_own)
    stories = _part(PartKind.STORIES, story_part)
    parts = [*stories, *front] if outline.is_long else [*front, *stories]
    parts = [*concerns_you_too(near, language), *parts]
    parts += _one_of(PartKind.UPGRADE_NOTES, further)
    full, trials = apart(outline.releases)
    parts += _releases(full, about)
    # One change may take back several, of which the parent has some.
    unsaid = tuple(
        pair
        for pair in outline.reverts
        if (pair.original or pair.revert).key not in mentioned.titles
    )
    back = replace(outline, reverts=unsaid)
    in_own = {read.item.key for read in outline.front}
    parts += _part(PartKind.CHANGES, sections.reverted(back, about, told=in_own))
    for anchor, name, reads in listed:
        part = sections.listed(anchor, name, reads, outline, about, mentioned)
        parts += _part(PartKind.CHANGES, part)
    parts += _issues(reading, outline, about)
    parts += _trials(trials, about)
    in_stories = frozenset(story_part.keys if story_part else ())
    parts += _rest(reading, outline, about, in_stories)
    opened_above = any(each.kind is ActionKind.SHOW_ALL for each in above.actions)
    return tuple(
        replace(part, actions=(flag_one_here(language), *part.actions))
        if part.kind in LISTS and len(part.about) > 1
        else part
        for part in _packed(parts, opened_above)
    )


def _packed(parts: Sequence[Part], opened_above: bool) -> tuple[Part, ...]:
    """Return the parts with lists that follow each other as one message.

    Items, releases and upgrade notes keep a message of their own, and so a reaction of their own.
    What is told by count alone has none: where nothing is before it, it is `opened_above`.
    """
    packed: list[Part] = []
    for part in parts:
        before = packed[-1] if packed else None
        alone = before is None or before.kind not in LISTS
        if alone and part.kind is PartKind.REST and opened_above:
            continue
        if before is None or alone or part.kind not in LISTS:
            packed.append(part)
            continue
        kind = before.kind if before.kind is part.kind else PartKind.CHANGES
        packed[-1] = replace(
            before,
            kind=kind,
            blocks=(*before.blocks, *part.blocks),
            about=tuple(dict.fromkeys((*before.about, *part.about))),
            actions=tuple(dict.fromkeys((*before.actions, *part.actions))),
        )
    return tuple(packed)


def _part(kind: PartKind, part: PagePart | None, actions: tuple[Action, ...] = ()) -> list[Part]:
    """Return a part of a page as a message; its notification is its heading and first line."""
    if part is None:
        return []
    shown = message_blocks(part)
    first = next((block for block in part.blocks if isinstance(block, Bullets)), None)
    line = f"{DOT}{plain(first.entries[0].runs)}" if first and first.entries else ""
    summary = f"{plain(part.heading)}{line}"
    return [Part(kind, shown.blocks, about=shown.keys, actions=actions, summary=summary)]


def _one_of(kind: PartKind, parts: Sequence[PagePart]) -> list[Part]:
    """Return parts of a page as one message."""
    shown = [part for each in parts for part in _part(kind, each)]
    if not shown:
        return []
    keys = dict.fromkeys(key for part in shown for key in part.about)
    blocks = tuple(block for part in shown for block in part.blocks)
    return [replace(shown[0], blocks=blocks, about=tuple(keys))]


def _releases(full: Sequence[ReadItem], about: Context) -> list[Part]:
    if len(full) <= MOST_RELEASES:
        return [release_part(read, about) for read in full]
    title = sections.heading(about.say.headings.releases, len(full))
    states = about.say.names.states
    blocks = [
        Paragraph((*named(read.item, about.say, strong=True), Words(DOT + states[read.item.state])))
        for read in full
    ]
    keys = tuple(read.item.key for read in full)
    whole = (Paragraph((Strong(title),)), *blocks)
    return [Part(PartKind.RELEASES, whole, about=keys, summary=plain(title))]


def _trials(trials: Sequence[ReadItem], about: Context) -> list[Part]:
    """Return pre-releases as one line; what comes each night opens no message by itself."""
    if not trials:
        return []
    runs = lines.trials_line(trials, about)
    keys = tuple(read.item.key for read in trials)
    kind = PartKind.REST if all(is_nightly(read.item) for read in trials) else PartKind.CHANGES
    return [Part(kind, (Paragraph(runs),), keys, summary=plain(runs))]


def show_them(reading: Reading, language: Language) -> tuple[Action, ...]:
    """Return the button that opens what is told by count alone."""
    return (Action.usual(ActionKind.SHOW_REST, digest_reference(reading), language),)


def _issues(reading: Reading, outline: Outline, about: Context) -> list[Part]:
    issues = outline.issues
    if not issues.items:
        return []
    keys = tuple(read.item.key for read in issues.items)
    actions = show_them(reading, about.language) if issues.more else ()
    heading = sections.heading(about.say.headings.issues, len(keys))
    bullets = lines.issue_entries(issues.shown, about)
    if issues.shown and issues.more:
        more = about.say.thread.more(len(issues.more))
        bullets.append(Entry((Words(more),), about=tuple(read.item.key for read in issues.more)))
    blocks: list[Block] = [Paragraph((Strong(heading),))]
    blocks += [Bullets(tuple(bullets))] if bullets else []
    return [
        Part(PartKind.ISSUES, tuple(blocks), about=keys, actions=actions, summary=plain(heading))
    ]


def _rest(
    reading: Reading, outline: Outline, about: Context, in_stories: Collection[str]
) -> list[Part]:
    """Return the rest: few by name, of more whom they are for, which a button opens.

    What is named `in_stories` above is left out.
    """
    groups = [
        group
        for group in outline.rest
        if not all(read.item.key in in_stories for read in group.reads)
    ]
    part = sections.rest(replace(outline, rest=tuple(groups)), about)
    if part is None:
        return []
    reads = [read for group in groups for read in group.reads]
    few = len(reads) <= NAMED_OF_REST
    counts = (Words(DOT.join(sections.counts_of(groups, about))),)
    listed = lines.titles_entry(reads, about).runs if few else counts
    line = (Strong(part.heading), Words(about.say.colon), *listed)
    actions = () if few else show_them(reading, about.language)
    return [
        Part(PartKind.REST, (Paragraph(line),), part.keys, actions=actions, summary=plain(line))
    ]


def full_title(view: ChannelDigest, name: str, language: Language) -> str:
    """Name a full list: `All 20 of vllm, Thu 19 Feb`."""
    reading = view.reading
    days = dates(reading.window, language)
    all_of = CATALOGUES[language].thread.all_of
    return all_of.format(count=len(reading.items), name=name, days=days)


def all_blocks(view: ChannelDigest, language: Language) -> list[Block]:
    """Return every item on a line of its own, in the order of a page."""
    outline, about = _whole(view, language)
    parts = sections.following(outline, about)
    if part := sections.reverted(outline, about):
        parts.insert(1, part)
    blocks = [block for part in parts for block in message_blocks(part).blocks]
    if view.excluded:
        left = about.say.thread.left_out(view.excluded)
        blocks.append(Paragraph((Words(left),), Tone.SMALL))
    return blocks


def rest_blocks(view: ChannelDigest, language: Language) -> list[Block]:
    """Return what a thread tells by count alone: issues beyond those worth a look, and the rest."""
    _, about = _whole(view, language)
    blocks: list[Block] = []
    thread = compose(view.reading, language, in_thread=True)
    if more := thread.issues.more:
        heading = sections.heading(about.say.headings.issues, len(more))
        blocks += [Paragraph((Strong(heading),))]
        blocks += [Bullets(tuple(lines.issue_entries(more, about)))]
    part = sections.rest(replace(thread, full=True), about)
    return [*blocks, *(message_blocks(part).blocks if part else ())]


def _whole(view: ChannelDigest, language: Language) -> tuple[Outline, Context]:
    outline = compose(view.reading, language, full=True)
    return outline, context(view.reading, CATALOGUES[language], language, whole=True)
