"""The replies of a repository's thread: the front page item by item, then everything by kind."""

from collections.abc import Sequence
from dataclasses import replace

from bot.compose.answer_parts import flag_one_here
from bot.compose.channel_digest import ChannelDigest
from bot.compose.concerned_lines import concerns_you_too
from bot.compose.item_part import item_part, release_part
from bot.compose.shortening import message_blocks
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.references import digest_reference
from bot.wording.dates import dates
from digest.concern.concerned import Concerned
from digest.grades import Importance
from digest.languages import Language
from digest.models import Reading, ReadItem
from digest.reading.releases import is_nightly
from digest.wording.saying import CATALOGUES
from digest.writing import entries, sections
from digest.writing.composition import compose
from digest.writing.document import Block, Bullets, Entry, Paragraph, Runs, Strong, Tone, Words
from digest.writing.outline import Context, Outline, context
from digest.writing.phrasing import fill
from digest.writing.rules import plain
from digest.writing.sections import PagePart

LISTS = frozenset((PartKind.STORIES, PartKind.CHANGES, PartKind.ISSUES, PartKind.REST))
"""Parts that name several items and are read one after the other."""
MOST_OWN = 3
"""Items of the front page with a message, and so buttons, of their own; others share one."""

NAMED_OF_REST = 3
"""Changes of the rest that are named beside its counts; no more than these need no button."""

MOST_RELEASES = 3
"""More releases than that share one message."""


def replies(
    view: ChannelDigest,
    near: Sequence[Concerned],
    above: Part,
    language: Language,
    *,
    is_foremost: bool = True,
) -> tuple[Part, ...]:
    """Return the replies of a thread in their order; what has nothing to tell is left out.

    `near` is what concerns the channel and `above`, the thread's parent, has no line of; what the
    parent says in full is not said again. Where the thread is not
    the `is_foremost` of its morning, what is not high has no message of its own.
    """
    reading = view.reading
    outline = compose(reading, in_thread=True)
    about = context(reading, CATALOGUES[language], language)
    own = [
        read
        for read in outline.front[:MOST_OWN]
        if is_foremost or read.importance is Importance.HIGH
    ]
    shown = _text_of(above)
    others = _left([read for read in outline.front if read not in own], outline, about, shown)
    front = [item_part(read, about, outline.taken.get(read.item.key), shown) for read in own]
    page = CATALOGUES[language].page
    also: Runs = (Words(page.also),)
    front += _part(PartKind.CHANGES, sections.for_whom(outline, about))
    heading = also if own else sections.front_heading(outline, len(others), about)
    front += _also(heading, others, outline, about, shown)
    stories = _part(PartKind.STORIES, sections.stories(outline, about, shown))
    parts = [*stories, *front] if outline.is_long else [*front, *stories]
    parts = [*concerns_you_too(near, language), *parts]
    if len(outline.upgrading) > sections.MOST_UPGRADING:
        known = {key for key, *more in _items_by_line(above) if not more}
        unnamed = tuple(read for read in outline.upgrading if read.item.key not in known)
        further = replace(outline, upgrading=unnamed)
        parts += _part(PartKind.UPGRADE_NOTES, sections.upgrading(further, about))
    parts += _releases(outline.releases, about)
    unsaid = tuple(
        pair
        for pair in outline.reverts
        if plain(sections.revert_entry(pair, about).runs) not in shown
    )
    parts += _part(PartKind.CHANGES, sections.reverted(replace(outline, reverts=unsaid), about))
    for anchor, name, listed in (
        ("fixed", page.fixed, outline.fixed),
        ("new-too", page.added, outline.added),
        ("changed", page.changed, outline.changed),
    ):
        left = replace(listed, shown=_left(listed.shown, outline, about, shown))
        part = sections.listed(anchor, name, left, outline, about, shown)
        parts += _part(PartKind.CHANGES, part)
    parts += _issues(reading, outline, about)
    parts += _trials(outline.releases, about)
    parts += _rest(reading, outline, about, shown)
    opened_above = any(each.kind is ActionKind.SHOW_ALL for each in above.actions)
    return tuple(
        replace(part, actions=(flag_one_here(language), *part.actions))
        if part.kind in LISTS and len(part.about) > 1
        else part
        for part in _packed(parts, opened_above)
    )


def _left(
    reads: Sequence[ReadItem], outline: Outline, about: Context, above: str
) -> tuple[ReadItem, ...]:
    """Return the items of a list that the parent, in the words `above`, does not tell whole."""
    return tuple(read for read in reads if not sections.is_told_whole(read, outline, about, above))


def _also(
    heading: Runs, reads: Sequence[ReadItem], outline: Outline, about: Context, above: str
) -> list[Part]:
    """Return items of the front page that share a message, under a heading.

    What the parent, in the words `above`, says of them is not said again.
    """
    if not reads:
        return []
    lines = tuple(sections.front_entry(read, outline, about, above=above) for read in reads)
    blocks = (Paragraph((Strong(heading),)), Bullets(lines))
    keys = tuple(read.item.key for read in reads)
    summary = f"{plain(heading)}{entries.DOT}{plain(lines[0].runs)}"
    return [Part(PartKind.CHANGES, blocks, about=keys, summary=summary)]


def _text_of(part: Part) -> str:
    """Return the words of a part, a line each."""
    lines: list[Runs] = []
    for block in part.blocks:
        if isinstance(block, Paragraph):
            lines.append(block.runs)
        elif isinstance(block, Bullets):
            lines += [entry.runs for entry in block.entries]
    return "\n".join(map(plain, lines))


def _items_by_line(part: Part) -> list[tuple[str, ...]]:
    """Return the items of each line of a part."""
    return [
        entry.about
        for block in part.blocks
        if isinstance(block, Bullets)
        for entry in block.entries
        if entry.about
    ]


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
    """Return a part of a page as a message; nothing where there is nothing to tell."""
    if part is None:
        return []
    shown = message_blocks(part)
    summary = _summary(part)
    return [Part(kind, shown.blocks, about=shown.keys, actions=actions, summary=summary)]


def _summary(part: PagePart) -> str:
    """Return a notification: the heading, and the first line below it."""
    first = next((block for block in part.blocks if isinstance(block, Bullets)), None)
    line = f"{entries.DOT}{plain(first.entries[0].runs)}" if first and first.entries else ""
    return f"{plain(part.heading)}{line}"


def _releases(releases: Sequence[ReadItem], about: Context) -> list[Part]:
    full, _ = _parted(releases)
    parts = []
    if len(full) <= MOST_RELEASES:
        parts += [release_part(read, about) for read in full]
    else:
        states = about.say.names.states
        blocks: list[Block] = [
            Paragraph(
                (
                    *entries.named(read.item, about.say, strong=True),
                    Words(entries.DOT + states[read.item.state]),
                )
            )
            for read in full
        ]
        heading = sections.heading(about.say.headings.releases, len(full))
        keys = tuple(read.item.key for read in full)
        whole = (Paragraph((Strong(heading),)), *blocks)
        parts.append(Part(PartKind.RELEASES, whole, about=keys, summary=plain(heading)))
    return parts


def _parted(releases: Sequence[ReadItem]) -> tuple[list[ReadItem], list[ReadItem]]:
    """Part releases into those with a message, and nightlies and several trials, without one."""
    full, trials = sections.parted(releases)
    nightlies = [read for read in full if is_nightly(read.item)]
    return [read for read in full if read not in nightlies], [*trials, *nightlies]


def _trials(releases: Sequence[ReadItem], about: Context) -> list[Part]:
    _, trials = _parted(releases)
    if not trials:
        return []
    runs = sections.trial_runs(trials, about)
    keys = tuple(read.item.key for read in trials)
    return [Part(PartKind.REST, (Paragraph(runs),), keys, summary=plain(runs))]


def show_them(reading: Reading, language: Language) -> tuple[Action, ...]:
    """Return the button that opens what is told by count alone."""
    return (Action.usual(ActionKind.SHOW_REST, digest_reference(reading), language),)


def _issues(reading: Reading, outline: Outline, about: Context) -> list[Part]:
    issues = outline.issues
    if not issues.items:
        return []
    keys = tuple(read.item.key for read in issues.items)
    actions = show_them(reading, about.language) if issues.more else ()
    heading = Paragraph((Strong(sections.heading(about.say.headings.issues, len(keys))),))
    blocks: list[Block] = [heading]
    bullets = sections.issue_entries(issues.shown, about)
    if issues.shown and issues.more:
        more = CATALOGUES[about.language].thread.more(len(issues.more))
        about_more = tuple(read.item.key for read in issues.more)
        bullets.append(Entry((Words(more),), about=about_more))
    if bullets:
        blocks.append(Bullets(tuple(bullets)))
    summary = plain(heading.runs)
    return [Part(PartKind.ISSUES, tuple(blocks), about=keys, actions=actions, summary=summary)]


def _rest(reading: Reading, outline: Outline, about: Context, above: str) -> list[Part]:
    """Return the rest by its kinds and its largest changes, which a button opens; few by name.

    Those that the parent, in the words `above`, tells by title are counted and not named again.
    """
    part = sections.rest(outline, about)
    if part is None:
        return []
    rest = [read for group in outline.rest for read in group.reads]
    unnamed = [read for read in rest if not sections.is_titled(read.item, above)]
    named = sorted(unnamed, key=_upkeep_last)[:NAMED_OF_REST]
    among = sections.titles_entry(named, about).runs
    head: Runs = (Strong(part.heading), Words(about.say.colon))
    line: Runs = (*head, *among)
    actions: tuple[Action, ...] = ()
    if len(rest) > len(named):
        line = (*head, Words(entries.DOT.join(sections.counts_of(outline, about))))
        if named:
            template = CATALOGUES[about.language].thread.among
            line = (*line, Words(about.say.semicolon), *fill(template, items=among))
        actions = show_them(reading, about.language)
    whole = (Paragraph(line),)
    return [Part(PartKind.REST, whole, about=part.keys, actions=actions, summary=plain(line))]


def _upkeep_last(read: ReadItem) -> tuple[bool, int]:
    """Rank what is told of the rest: the largest changes first, what is mere upkeep last."""
    return read.noise is not None, -(read.item.additions + read.item.deletions)


def full_title(view: ChannelDigest, name: str, language: Language) -> str:
    """Name a full list: `All 20 of vllm, Thu 19 Feb`."""
    words, reading = CATALOGUES[language].thread, view.reading
    days = dates(reading.window, language)
    return words.all_of.format(count=len(reading.items), name=name, days=days)


def all_blocks(view: ChannelDigest, language: Language) -> list[Block]:
    """Return every item on a line of its own, in the order of a page."""
    outline, about = _whole(view, language)
    parts = [*sections.following(outline, about)]
    if part := sections.reverted(outline, about):
        parts.insert(1, part)
    blocks = [block for part in parts for block in message_blocks(part).blocks]
    if view.excluded:
        left = CATALOGUES[language].thread.left_out(view.excluded)
        blocks.append(Paragraph((Words(left),), Tone.SMALL))
    return blocks


def rest_blocks(view: ChannelDigest, language: Language) -> list[Block]:
    """Return what a thread tells by count alone: issues beyond those worth a look, and the rest."""
    _, about = _whole(view, language)
    blocks: list[Block] = []
    thread = compose(view.reading, in_thread=True)
    if more := thread.issues.more:
        heading = sections.heading(about.say.headings.issues, len(more))
        blocks += [Paragraph((Strong(heading),))]
        blocks += [Bullets(tuple(sections.issue_entries(more, about)))]
    part = sections.rest(replace(thread, full=True), about)
    return [*blocks, *(message_blocks(part).blocks if part else ())]


def bite_blocks(view: ChannelDigest, language: Language) -> list[Block]:
    """Return everything that could have hit a user, a line each."""
    outline, about = _whole(view, language)
    part = sections.bitten(outline, about, most=len(outline.bitten))
    return list(message_blocks(part).blocks) if part else []


def _whole(view: ChannelDigest, language: Language) -> tuple[Outline, Context]:
    outline = compose(view.reading, full=True)
    return outline, context(view.reading, CATALOGUES[language], language)
