"""The replies of a repository's thread: one for each high item, then the rest by kind."""

from collections.abc import Sequence
from dataclasses import replace

from bot.compose.channel_digest import ChannelDigest
from bot.compose.item_part import item_part, release_part
from bot.compose.note_entries import note_entries
from bot.model.digest_reference import reference
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.wording.chat_words import CHAT_WORDS
from bot.wording.dates import dates
from digest.claims import Claim
from digest.grades import Noise
from digest.languages import Language
from digest.models import Reading, ReadItem
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Paragraph,
    Runs,
    Strong,
    Words,
)
from digest.writing.outline import Plan
from digest.writing.phrasing import fill
from digest.writing.plan import plan
from digest.writing.rules import plain
from digest.writing.sections import (
    Context,
    context,
    issue_entries,
    line,
    revert_entry,
    theme_sentence,
    together,
)
from digest.writing.upgrading import pressing
from digest.writing.wording.languages import CATALOGUES

MOST_REVERTS = 3
"""The parent tells up to three; more have a message with all of them."""

MOST_RELEASES = 3
"""More releases than that share one message."""


def replies(told: ChannelDigest, language: Language) -> tuple[Part, ...]:
    """Give the replies of a thread in their order; what has nothing to tell is left out."""
    reading = told.reading
    claims = told.digest.claims
    told_here = of_thread(reading, claims)
    about = context(reading, CATALOGUES[language], language, claims).telling(told_here.glossed)
    parts = [item_part(read, about, told_here.taken.get(read.item.key)) for read in told_here.high]
    parts += _releases(told_here.releases, about)
    parts += _reverts(told_here, about)
    parts += _themes(told_here, about)
    parts += _notes(reading, about)
    parts += _issues(reading, told_here, about)
    parts += _rest(reading, told_here, about)
    return tuple(parts)


def of_thread(reading: Reading, claims: Sequence[Claim]) -> Plan:
    """Give what a thread tells: every change by its title, issues and glosses worth the time."""
    full, short = plan(reading, claims, full=True), plan(reading, claims)
    return replace(full, issues=short.issues, glossed=short.glossed, full=False)


def titled(name: str, count: int) -> Paragraph:
    """Give a heading with the number of what stands below it."""
    return Paragraph((Strong((Words(name),)), Words(f"{entries.DOT}{count}")))


def keys_of(told: Sequence[Entry]) -> tuple[str, ...]:
    """Give the keys that entries and those under them are about, each once."""
    keys: list[str] = []
    for entry in told:
        keys += entry.about
        keys += keys_of(entry.under)
    return tuple(dict.fromkeys(keys))


def themes(read_plan: Plan, about: Context) -> list[Block]:
    """Give medium items by theme, each by its title."""
    blocks: list[Block] = []
    groups = sorted(together(read_plan.themes), key=lambda group: group.name.endswith("other"))
    for group in groups:
        name = about.say.theme(group.name) if group.name else about.say.names.one_each
        if groups == [group] and not group.name:
            name = about.say.headings.medium
        blocks.append(titled(_capital(name), group.size))
        blocks += theme_sentence(group, about)
        reads = (*group.told, *group.more)
        told = lines(reads, about) if group.name else tuple(_themed(r, about) for r in reads)
        blocks.append(Bullets(told))
    return blocks


def lines(reads: Sequence[ReadItem], about: Context) -> tuple[Entry, ...]:
    """Give changes in one line each."""
    return tuple(Entry(line(read, about), about=(read.item.key,)) for read in reads)


def _themed(read: ReadItem, about: Context) -> Entry:
    theme = Words(about.say.theme(read.theme) + about.say.colon)
    return Entry((theme, *line(read, about)), about=(read.item.key,))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _part(kind: PartKind, blocks: Sequence[Block], actions: tuple[Action, ...] = ()) -> Part:
    told = [entry for block in blocks if isinstance(block, Bullets) for entry in block.entries]
    first = blocks[0]
    summary = plain(first.runs) if isinstance(first, Paragraph) else ""
    return Part(kind, tuple(blocks), about=keys_of(told), actions=actions, summary=summary)


def _themes(read_plan: Plan, about: Context) -> list[Part]:
    blocks = themes(read_plan, about)
    if not blocks:
        return []
    part = _part(PartKind.THEMES, blocks)
    total = sum(group.size for group in read_plan.themes)
    names = about.say.comma.join(about.say.theme(group.name) for group in read_plan.themes)
    summary = f"{about.say.headings.medium}{entries.DOT}{total}{about.say.colon}{names}"
    return [Part(part.kind, part.blocks, part.about, summary=summary)]


def _releases(releases: Sequence[ReadItem], about: Context) -> list[Part]:
    if len(releases) <= MOST_RELEASES:
        return [release_part(read, about) for read in releases]
    say = about.say
    told = tuple(
        Entry(
            (
                *(
                    (entries.reference(read.item),)
                    if read.item.title == read.item.ref
                    else entries.named(read.item, say)
                ),
                Words(entries.DOT + say.names.states[read.item.state]),
            ),
            about=(read.item.key,),
        )
        for read in releases
    )
    blocks: list[Block] = [titled(say.headings.releases, len(told)), Bullets(told)]
    return [_part(PartKind.RELEASES, blocks)]


def _reverts(read_plan: Plan, about: Context) -> list[Part]:
    if len(read_plan.reverts) <= MOST_REVERTS:
        return []
    told = tuple(revert_entry(pair, about) for pair in read_plan.reverts)
    name = f"↩ {about.say.headings.reverted}"
    return [_part(PartKind.THEMES, [titled(name, len(told)), Bullets(told)])]


def _notes(reading: Reading, about: Context) -> list[Part]:
    if not reading.upgrade_notes:
        return []
    urgent = pressing(reading)
    notes = [*urgent, *(note for note in reading.upgrade_notes if note not in urgent)]
    heading = titled(about.say.headings.notes, len(notes))
    keys = dict.fromkeys(key for note in notes for key in note.cites if key in about.items)
    part = Part(
        PartKind.UPGRADE_NOTES,
        (heading, note_entries(notes, about)),
        about=tuple(keys),
        summary=plain(heading.runs),
    )
    return [part]


def show_them(reading: Reading, language: Language) -> tuple[Action, ...]:
    """Give the button that opens what is told by count alone."""
    label = CHAT_WORDS[language].buttons[ActionKind.SHOW_REST]
    return (Action(ActionKind.SHOW_REST, reference(reading), label),)


def _issues(reading: Reading, read_plan: Plan, about: Context) -> list[Part]:
    issues = read_plan.issues
    if not issues.size:
        return []
    keys = tuple(read.item.key for read in issues.more)
    actions = show_them(reading, about.language) if keys else ()
    heading = titled(about.say.headings.issues, issues.size)
    if not issues.told:
        summary = plain(heading.runs)
        return [Part(PartKind.ISSUES, (heading,), about=keys, actions=actions, summary=summary)]
    told = issue_entries(issues.told, about)
    if keys:
        more = CHAT_WORDS[about.language].more(len(keys))
        told.append(Entry((Words(more),), about=keys))
    return [_part(PartKind.ISSUES, [heading, Bullets(tuple(told))], actions)]


def rest_groups(read_plan: Plan, about: Context) -> list[tuple[str, tuple[ReadItem, ...]]]:
    """Give what is low, by name: merely low, then every kind of noise."""
    say = about.say
    return [
        (
            say.names.noise[Noise(group.name)] if group.name else say.names.low,
            (*group.told, *group.more),
        )
        for group in read_plan.rest
    ]


def _rest(reading: Reading, read_plan: Plan, about: Context) -> list[Part]:
    groups = rest_groups(read_plan, about)
    retold = read_plan.low_reverted
    if not groups and not retold:
        return []
    total = sum(len(reads) for _, reads in groups) + len(retold)
    counts = [f"{name} {len(reads)}" for name, reads in groups]
    runs: Runs = (
        Strong((Words(about.say.headings.rest),)),
        Words(f"{entries.DOT}{total}{about.say.colon}{entries.DOT.join(counts)}"),
    )
    if retold:
        refs = entries.counted(read.item for read in retold)
        under = fill(about.say.say.under_reverted, refs=refs)
        runs = (*runs, *((Words(entries.DOT),) if counts else ()), *under)
    keys = [read.item.key for _, reads in groups for read in reads]
    keys += [read.item.key for read in retold]
    part = Part(
        PartKind.REST,
        (Paragraph(runs),),
        about=tuple(keys),
        actions=show_them(reading, about.language) if groups else (),
        summary=plain(runs),
    )
    return [part]


def full_title(told: ChannelDigest, name: str, language: Language) -> str:
    """Name a full list: `All 20 of vllm, Thu 19 Feb`."""
    words, reading = CHAT_WORDS[language], told.reading
    days = dates(reading.window, language)
    return words.all_of.format(count=len(reading.items), name=name, days=days)
