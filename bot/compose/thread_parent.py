"""The parent of a repository's thread: read in half a minute, without opening the thread."""

from dataclasses import replace

from bot.compose.brief import Told, brief, brief_note, listed, title
from bot.compose.channel_digest import ChannelDigest
from bot.compose.item_part import HIGH, MEDIUM, RELEASE
from bot.compose.margin import Margin, followups_action, nudges, page_action, untold
from bot.compose.thread_replies import MOST_REVERTS, of_thread
from bot.model.digest_reference import reference
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.wording.chat_words import CHAT_WORDS
from bot.wording.dates import dates, span
from digest.grades import Importance
from digest.languages import Language
from digest.models import Kind, Reading, ReadItem
from digest.writing import entries, note_phrases
from digest.writing.digest_page import warnings
from digest.writing.document import (
    Block,
    Entry,
    Foreign,
    Paragraph,
    Runs,
    Strong,
    Tone,
    Words,
)
from digest.writing.glosses import is_brief
from digest.writing.left_out import left_out
from digest.writing.making import LeftOut, made_briefly
from digest.writing.outline import changes, of_kind
from digest.writing.phrasing import fill, joined
from digest.writing.plan import block_minutes, minutes
from digest.writing.rules import quiet
from digest.writing.sections import Context, context, revert_entry
from digest.writing.upgrading import foremost, pressing
from digest.writing.wording.catalogue import Catalogue
from digest.writing.wording.languages import CATALOGUES

MOST_PRESSING = 3
MOST_CITED = 3
MOST_ALIKE = 2
MOST_TITLES = 3
MOST_ISSUES = 2

MINUTES_A_PARENT = 0.5
"""What a channel reads without opening the thread."""


def parent(told: ChannelDigest, name: str, language: Language, margin: Margin) -> Part:
    """Give the parent of a repository's thread; `name` is what the channel calls it."""
    reading = told.reading
    about = context(reading, CATALOGUES[language], language, told.digest.claims)
    days = dates(reading.window, language)
    if quiet(reading) and not told.excluded:
        return _quiet(told, name, language, margin)
    groups = (
        _pressing(reading, about),
        _reverts(reading, about),
        _titles(reading, about.telling(()), 0.0),
        _issues(reading, about),
    )
    blocks: list[Block] = [Paragraph((Words(f"{name} · {days}"),), Tone.LEAD)]
    blocks += untold(reading.window.tz, margin, language)
    blocks += blindness(reading, about.say)
    blocks += warnings(reading, about.say)
    last = [*nudges(margin, language), Paragraph(_small(told, language, margin), Tone.SMALL)]
    others = (*blocks, *(block for group in groups for block in group.blocks), *last)
    taken = sum(block_minutes(block) for block in others)
    groups = (*groups[:2], _titles(reading, about, MINUTES_A_PARENT - taken), *groups[3:])
    keys: list[str] = []
    for group in groups:
        blocks += group.blocks
        keys += group.keys
    blocks += last
    return Part(
        PartKind.PARENT,
        tuple(blocks),
        about=tuple(dict.fromkeys(keys)),
        actions=_actions(told, language, margin),
        summary=summary(told, name, language),
    )


def _pressing(reading: Reading, about: Context) -> Told:
    told = []
    shown = 0
    for group in foremost(reading)[:MOST_PRESSING]:
        cited = about.cited(group[0].cites)[:MOST_CITED]
        brief_group = [brief_note(note) for note in group[:MOST_ALIKE]]
        told.append(Entry(note_phrases.notes(brief_group, about.say, cited), about=group[0].cites))
        shown += len(brief_group)
    more: Runs = ()
    if len(reading.upgrade_notes) > shown:
        notes = about.say.count.notes(len(reading.upgrade_notes))
        more = (Words(CHAT_WORDS[about.language].all_notes.format(notes=notes)),)
    return listed((Strong((Words(about.say.headings.before_upgrade),)),), told, more)


def _reverts(reading: Reading, about: Context) -> Told:
    told = []
    for pair in reading.reverts[:MOST_REVERTS]:
        original = None if pair.original is None else brief(pair.original)
        short = replace(pair, original=original, revert=brief(pair.revert))
        told.append(revert_entry(short, about))
    left = len(reading.reverts) - len(told)
    more: Runs = (Words(CHAT_WORDS[about.language].more_here(left)),) if left else ()
    heading = Strong((Words(f"↩ {about.say.headings.reverted}"),))
    return listed((heading,), told, more)


def titles(reading: Reading) -> list[tuple[str, ReadItem]]:
    """Give the few changes that matter, each with its shape; what was taken back is not one."""
    landed = [read for read in changes(reading) if read.reverted_by is None]
    told_as_revert = {pair.revert.key for pair in reading.reverts}
    landed = [read for read in landed if read.item.key not in told_as_revert]
    found = [(HIGH, read) for read in landed if read.importance is Importance.HIGH]
    found += [(RELEASE, read) for read in of_kind(reading, Kind.RELEASE)]
    if not found:
        found = [(MEDIUM, read) for read in landed if read.importance is Importance.MEDIUM]
    return found[:MOST_TITLES]


def _titles(reading: Reading, about: Context, left: float) -> Told:
    """Give the titles, each with its gloss where that is brief and there is time `left` for it."""
    told = titles(reading)
    if not told:
        return Told()
    named: list[Entry] = []
    for mark, read in told:
        gloss = about.gloss(read)
        cost = minutes(" ".join(gloss))
        if not (gloss and is_brief(gloss[0]) and cost <= left):
            gloss, cost = (), 0.0
        left -= cost
        runs = entries.beside(title(read.item, about), gloss)
        # Below upgrade notes, bullets of a list would read as more of them.
        named.append(Entry((Strong((Words(mark),)), *runs), about=(read.item.key,)))
    keys = tuple(key for entry in named for key in entry.about)
    return Told((Paragraph(joined((entry.runs for entry in named), "\n")),), keys)


def _issues(reading: Reading, about: Context) -> Told:
    worth = [r for r in of_kind(reading, Kind.ISSUE) if r.importance is not Importance.LOW]
    told = [Entry(title(read.item, about), about=(read.item.key,)) for read in worth[:MOST_ISSUES]]
    return listed((Strong((Words(about.say.headings.issues),)),), told)


def _small(told: ChannelDigest, language: Language, margin: Margin) -> Runs:
    reading, words = told.reading, CHAT_WORDS[language]
    said = told.counted(language)
    if margin.open_followups:
        said.append(words.followups(margin.open_followups))
    said += told.left_out(language)
    said.append(span(reading.window, language))
    without = _without(told, language)
    made = made_briefly((told.digest,), CATALOGUES[language], language, without)
    return (Words(entries.DOT.join(said) + entries.DOT), *made)


def _without(told: ChannelDigest, language: Language) -> LeftOut | None:
    """Count the glosses that no message of the thread tells, and name the button that does."""
    reading, claims = told.reading, told.digest.claims
    if not claims:
        return None
    label = CHAT_WORDS[language].show_all.format(count=len(reading.items))
    count = left_out(of_thread(reading, claims), reading, claims, language)
    return LeftOut(count, Words(label))


def _actions(told: ChannelDigest, language: Language, margin: Margin) -> tuple[Action, ...]:
    reading, words = told.reading, CHAT_WORDS[language]
    page = page_action(reading, language, margin)
    if not reading.items:
        return page
    if len(reading.items) == 1:
        return (followups_action(language), *page)
    label = words.show_all.format(count=len(reading.items))
    show_all = Action(ActionKind.SHOW_ALL, reference(reading), label)
    return (show_all, followups_action(language), *page)


def summary(told: ChannelDigest, name: str, language: Language) -> str:
    """Give the notification: what to do first, what was taken back, how much there is."""
    reading, say = told.reading, CATALOGUES[language]
    said = []
    if unseen := dict.fromkeys(say.names.gaps.get(gap.what, gap.what) for gap in reading.gaps):
        what = say.comma.join(unseen)
        said.append(CHAT_WORDS[language].unseen.format(what=what))
    if urgent := pressing(reading):
        said.append(f"{say.headings.before_upgrade}{say.colon}{say.count.notes(len(urgent))}")
    if reading.reverts:
        said.append(say.count.reverted(len(reading.reverts)))
    counts = told.counted(language) or told.left_out(language) or [told.digest.headline[language]]
    said += [each for each in counts if each not in said]
    return (
        f"{name}{entries.DOT}{dates(reading.window, language)}{say.colon}{say.semicolon.join(said)}"
    )


def _quiet(told: ChannelDigest, name: str, language: Language, margin: Margin) -> Part:
    reading, say = told.reading, CATALOGUES[language]
    heading = Strong((Words(f"{name} · {dates(reading.window, language)}"),))
    line = Paragraph((heading, Words(entries.DOT + say.say.quiet)))
    blocks = [line, *untold(reading.window.tz, margin, language), *nudges(margin, language)]
    said = [CHAT_WORDS[language].followups(margin.open_followups)] if margin.open_followups else []
    said.append(span(reading.window, language))
    blocks.append(Paragraph((Words(entries.DOT.join(said)),), Tone.SMALL))
    actions = (followups_action(language),) if margin.open_followups else ()
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
        Paragraph(fill(say.say.could_not_look, why=Foreign(say.cause(gap.why))), Tone.WARNING)
        for gap in blind[:1]
    ]
