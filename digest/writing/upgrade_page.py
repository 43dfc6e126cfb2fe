"""An upgrade as a page, as a maintainer writes it by hand; the changes of a bisect range as one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from digest.concern.matching import WeighedChange
from digest.concern.upgrade import (
    Checked,
    Mended,
    SettingChange,
    Suspect,
    Untold,
    Upgrade,
    breaking,
    strongest,
)
from digest.facts import Symptom
from digest.languages import Language
from digest.models import Item, Kind, Repo, Span
from digest.spans import notices_of
from digest.wording.pages import UpgradeWords
from digest.wording.saying import CATALOGUES
from digest.writing.concerned_parts import change_link, match_runs, you_runs
from digest.writing.document import (
    NOTHING,
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Paragraph,
    Run,
    Section,
    Table,
    Tone,
    Words,
)
from digest.writing.entries import DOT, notice_runs
from digest.writing.fact_phrases import fact_runs

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

MOST_MATCHES = 6
"""Lines under one change; the rest is counted."""

MOST_UNREAD = 5
"""Files that are named of those that could not be looked at."""


def upgrade_page(
    upgrade: Upgrade,
    language: Language,
    *,
    full: bool = False,
    most: int | None = None,
    lines: int = MOST_MATCHES,
) -> Document:
    """Return the page; `full` says of what is touched lightly how, and lists every name.

    `most` are the changes of one section at most, `lines` those under one change; how many more
    there are is said.
    """
    words = CATALOGUES[language].upgrade
    span = upgrade.span
    broken = [one for one in upgrade.settings if one.breaks]
    choices = [one for one in upgrade.settings if one.is_new_choice]
    other = [one for one in upgrade.settings if not (one.breaks or one.is_new_choice)]
    breaks = _with_settings(broken, upgrade.breaks, language, lines)
    if upgrade.alone:
        breaks.insert(0, _change(upgrade.alone, language, lines, (Words(words.alone),)))
    otherwise = _with_settings(other, upgrade.otherwise, language, lines)
    new = _with_settings(choices, upgrade.new, language, lines)
    names = upgrade.touched + len(upgrade.unchanged) + len(upgrade.lost)
    counts = words.counts.format(
        changes=upgrade.changes,
        breaks=len(breaks),
        mended=len(upgrade.mended),
        otherwise=len(otherwise),
        lightly=len(upgrade.lightly),
        names=names,
        touched=upgrade.touched,
        unchanged=len(upgrade.unchanged),
        lost=len(upgrade.lost),
    )
    lead: list[Block] = [Paragraph((Words(counts),), Tone.LEAD), *_notices(span, language)]
    if upgrade.gone_again:
        gone = words.gone.format(count=len(upgrade.gone_again))
        lead.append(Paragraph((Words(gone),), Tone.SMALL))
    say = CATALOGUES[language].upgrades
    if upgrade.unread:
        few = ", ".join(upgrade.unread[:MOST_UNREAD])
        more = "…" if len(upgrade.unread) > MOST_UNREAD else ""
        lead.append(Paragraph((Words(say.unread(len(upgrade.unread), few + more)),), Tone.SMALL))
    if not upgrade.is_whole:
        lead.append(Paragraph((Words(say.cut),), Tone.SMALL))
    unbroken = words.none
    if upgrade.lost:
        unbroken = words.none_followed.format(lost=len(upgrade.lost), names=names)
    sections = [
        _section((words.breaks, "breaks"), breaks, words, most, nothing=unbroken),
        *(
            [_section((words.mended, "mended"), _mended(upgrade.mended, language), words, most)]
            if upgrade.mended
            else []
        ),
        _section((words.otherwise, "otherwise"), otherwise, words, most),
        _section((words.new, "new"), new, words, most),
    ]
    if upgrade.asked:
        sections.append(Section((Words(words.asked),), "asked", (_asked_for(upgrade, words),)))
    if upgrade.lightly:
        lightly = _changes(upgrade.lightly, language, lines if full else 0)
        sections.append(_section((words.lightly, "lightly"), lightly, words, most, folded=True))
    sections.append(_unchanged(upgrade.unchanged, words, full=full))
    if upgrade.lost:
        sections.append(_lost(upgrade, words, full=full))
    title = (Words(words.title), Code(str(upgrade.repo)), Words(" "),
             Code(ends_of(span)))  # fmt: skip
    return Document(language, title, tuple(lead), tuple(sections), ())


def _notices(span: Span, language: Language) -> list[Paragraph]:
    say = CATALOGUES[language]
    return [Paragraph(notice_runs(one, say), Tone.WARNING) for one in notices_of(span)]


def ends_of(span: Span) -> str:
    """Give the ends of a span as people read them: of a whole SHA twelve digits."""
    return "..".join(end[:12] if _SHA.fullmatch(end) else end for end in (span.base, span.head))


def _section(
    named: tuple[str, str],
    entries: Sequence[Entry],
    words: UpgradeWords,
    most: int | None = None,
    *,
    folded: bool = False,
    nothing: str = "",
) -> Section:
    blocks: tuple[Block, ...] = (Paragraph((Words(nothing or words.none),)),)
    if entries:
        shown = tuple(entries[:most])
        rest = len(entries) - len(shown)
        more = (Entry((Words(words.more.format(count=rest)),)),) if rest else ()
        blocks = (Bullets((*shown, *more)),)
    heading, anchor = named
    return Section((Words(heading),), anchor, blocks, folded=folded)


def _changes(changes: Iterable[WeighedChange], language: Language, lines: int) -> list[Entry]:
    return [_change(one, language, lines) for one in changes]


def _with_settings(
    settings: Sequence[SettingChange],
    changes: Sequence[WeighedChange],
    language: Language,
    lines: int,
) -> list[Entry]:
    """Say of settings, then of changes, then of settings that nothing sets which ships."""
    near, aside = ([one for one in settings if one.is_aside is is_so] for is_so in (False, True))
    told = _changes(changes, language, lines)
    return [*_settings(near, language), *told, *_settings(aside, language)]


def _change(
    one: WeighedChange, language: Language, lines: int, named: tuple[Run, ...] = ()
) -> Entry:
    """Return a change by what it is `named`, else its link and title, with its matches under it."""
    words, matches = CATALOGUES[language].upgrade, strongest(one.matches)
    breaks = breaking(matches)
    shown = breaks or matches
    under = [Entry(match_runs(match, one.item, language)) for match in shown[:lines]]
    rest, beside = len(shown) - lines, len(matches) - len(shown)
    if lines and rest > 0:
        under.append(Entry((Words(words.more.format(count=rest)),)))
    if lines and beside:
        under.append(Entry((Words(words.beside.format(count=beside)),)))
    if named:
        return Entry(named, tuple(under))
    runs: tuple[Run, ...] = (change_link(one.item), Words(" "), Foreign(one.item.title))
    return Entry(runs, tuple(under), (_key(one.item),))


def _key(item: Item) -> str:
    """Give the key of the pull request of a commit where it is known: days tell it by that."""
    number = item.pull_request
    return f"{item.repo}:{Kind.PULL_REQUEST}:{number}" if number else item.key


def _mended(fixes: Sequence[Mended], language: Language) -> list[Entry]:
    """Say of each fix what went wrong, and where what it mends is used."""
    entries = []
    for one in fixes:
        # The title says the rest; that something was broken, every fix says.
        known = [replace(one.bite, who=(), conditions=())]
        said = fact_runs(known, language) if one.bite.symptom is not Symptom.BROKEN else []
        what = [*said[0], Words(DOT)] if said else []
        title = (change_link(one.item), Words(" "), Foreign(one.item.title), Words(DOT))
        here = (Words(" ("), Code(str(one.use.place)), Words(")")) if one.use.place.path else ()
        runs = (*what, *title, *you_runs(one.use, language), *here)
        entries.append(Entry(runs, (), (_key(one.item),)))
    return entries


def _settings(settings: Sequence[SettingChange], language: Language) -> list[Entry]:
    """Say of each setting what a day's page says of it, who did it, and where it is set."""
    words = CATALOGUES[language].upgrade
    entries = []
    for one in settings:
        (said,) = fact_runs([one.fact], language, whom=False)
        runs = [*said]
        if one.item is not None:
            runs += [Words(" "), change_link(one.item)]
        runs.append(Words(words.set))
        if one.use.place.path:
            runs += [Words(" ("), Code(str(one.use.place)), Words(")")]
        entries.append(Entry(tuple(runs), (), (_key(one.item),) if one.item else ()))
    return entries


def _asked_for(upgrade: Upgrade, words: UpgradeWords) -> Table:
    rows = tuple(
        (
            (Code(one.name),),
            (Code(one.before or NOTHING),),
            (Code(one.after or NOTHING),),
            (Code(f"{one.path}:{one.line}"),),
        )
        for one in upgrade.asked
    )
    header = (words.name, words.before, words.after, words.where)
    return Table(header, rows, turns=1)


_FEW = 20
_FEW_OF_REASON = 8


def _unchanged(checked: Sequence[Checked], words: UpgradeWords, *, full: bool) -> Section:
    shown = checked if full else checked[:_FEW]
    rows = tuple(
        (
            (Code(one.name),),
            (Words(words.same[one.same]),),
            (Code(one.path or NOTHING),),
            (Code(", ".join(map(str, one.places)) or NOTHING),),
        )
        for one in shown
    )
    if not rows:
        return _section((words.unchanged, "unchanged"), [], words)
    header = (words.name, words.why, words.where, words.here)
    blocks: list[Block] = [Table(header, rows)]
    if len(checked) > len(shown):
        rest = words.more.format(count=len(checked) - len(shown))
        blocks.append(Paragraph((Words(rest),), Tone.SMALL))
    return Section((Words(words.unchanged),), "unchanged", tuple(blocks), folded=True)


def _lost(upgrade: Upgrade, words: UpgradeWords, *, full: bool) -> Section:
    blocks: list[Block] = []
    for why in Untold:
        of_reason = [one for one in upgrade.lost if one.why is why]
        shown = of_reason if full else of_reason[:_FEW_OF_REASON]
        if not shown:
            continue
        reason = words.reason.format(count=len(of_reason), why=words.untold[why])
        rows = tuple(((Code(one.use.name),), (Code(str(one.use.place)),)) for one in shown)
        blocks += [Paragraph((Words(reason),)), Table((words.name, words.here), rows)]
        if len(of_reason) > len(shown):
            rest = words.more.format(count=len(of_reason) - len(shown))
            blocks.append(Paragraph((Words(rest),), Tone.SMALL))
    return Section((Words(words.lost),), "lost", tuple(blocks), folded=True)


MOST_SHOWN = 30
MOST_OF_SUSPECT = 3


def suspects_page(
    repo: Repo,
    span: Span,
    symptom: str,
    ranked: Sequence[Suspect],
    language: Language,
    *,
    full: bool = False,
) -> Document:
    """Return the page, of the first thirty or with `full` of all.

    Where a symptom was told and no change shares a word with it, none is called the likeliest.
    """
    words = CATALOGUES[language].suspects
    shown = ranked if full else ranked[:MOST_SHOWN]
    heading, counts = words.ranked, words.counts
    if not any(one.score for one in ranked):
        heading, counts = words.newest_first, words.unranked
    elif symptom and not any(one.words for one in ranked):
        heading, counts = words.by_use, words.untouched
    counts = counts.format(count=len(ranked), shown=len(shown))
    steps = words.steps.format(steps=max(0, (len(ranked) - 1).bit_length()))
    title = (Code(str(repo)), Words(": " + words.title), Code(span.base), Words(words.to),
             Code(span.head))  # fmt: skip
    entries = tuple(_suspect(one, language) for one in shown)
    lead = (
        Paragraph((Words(counts),), Tone.LEAD),
        *_notices(span, language),
        Paragraph((Words(steps),), Tone.SMALL),
    )
    section = Section((Words(heading),), "ranked", (Bullets(entries),))
    return Document(language, title, lead, (section,), ())


def _suspect(one: Suspect, language: Language) -> Entry:
    runs: tuple[Run, ...] = (change_link(one.item), Words(" "), Foreign(one.item.title))
    under = []
    if one.words:
        shares = CATALOGUES[language].suspects.shares
        under.append(Entry((Words(shares), Code(", ".join(one.words)))))
    if one.weighed is not None:
        matches = strongest(one.weighed.matches)
        shown = (breaking(matches) or matches)[:MOST_OF_SUSPECT]
        under += [Entry(match_runs(match, one.item, language)) for match in shown]
    return Entry(runs, tuple(under), (one.item.key,))
