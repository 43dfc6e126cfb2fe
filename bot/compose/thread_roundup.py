"""The roundup: several repositories in one message, busiest first, each with its thread."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.compose.channel_digest import ChannelDigest
from bot.compose.concerned_lines import alarm, concerns_you
from bot.compose.parent_extras import ParentExtras, followups_action, nudges, untold
from bot.compose.shortening import (
    LONGEST_TITLE,
    ListedItems,
    brief_reading,
    listed,
    shortened,
)
from bot.compose.thread_gaps import Gaps, blind, caught_up
from bot.model.followups import FollowUp
from bot.model.parts import Action, Part, PartKind
from bot.wording.dates import dates, span
from digest.concern.concerned import Concerned
from digest.grades import Importance
from digest.languages import Language
from digest.models import Kind, Reading, Repo, Window
from digest.reading.outlook import MOST_POINTS, MOST_TITLES
from digest.reading.releases import is_nightly, is_prerelease
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import entries, lines, rules
from digest.writing.digest_page import notices
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Strong,
    Tone,
    Words,
)
from digest.writing.making import Made, made_briefly
from digest.writing.outline import changes, context, of_kind
from digest.writing.outlook import outlook_entries
from digest.writing.phrasing import fill, joined
from digest.writing.remarks import in_a_notification, paragraph
from digest.writing.roundup_page import needs, news
from digest.writing.rules import plain, quiet, top

MOST_NEEDS = 5
MOST_MINOR = 12
"""How many items stand in a roundup by reference alone; a repository with more has a thread."""
MOST_TINY = 2
"""Changes that a roundup can name whole; a repository with no more has no thread."""


def is_minor(view: ChannelDigest) -> bool:
    """Return whether a roundup says all of a repository: a few low changes, builds of a night."""
    reading = view.reading
    nightlies = _nightlies(reading)
    return (
        0 < len(reading.items) <= MOST_MINOR
        and top(reading) is None
        and len(changes(reading)) + len(nightlies) == len(reading.items)
        and all(fact.item in nightlies for fact in reading.facts)
        and not (reading.reverts or reading.upgrade_notes)
    )


def _nightlies(reading: Reading) -> frozenset[str]:
    return frozenset(read.item.key for read in reading.items if is_nightly(read.item))


def is_tiny(view: ChannelDigest) -> bool:
    """Return whether a repository has one or two changes or nightlies, told in a line each.

    What has to be acted on has a thread, however little it is. What could not be looked at is none
    of that: the roundup says it at its head.
    """
    reading = view.reading
    return (
        0 < len(reading.items) <= MOST_TINY
        and len(changes(reading)) + len(_nightlies(reading)) == len(reading.items)
        and not (reading.reverts or reading.upgrade_notes)
        and all(read.importance is not Importance.HIGH for read in reading.items)
    )


def is_silent(view: ChannelDigest) -> bool:
    """Return whether there is nothing to say of a repository but that."""
    return quiet(view.reading)


def is_uneventful(view: ChannelDigest) -> bool:
    """Return whether nothing happened in a repository but what is built of it each night."""
    reading = view.reading
    others = [read for read in reading.items if not is_nightly(read.item)]
    return quiet(replace(reading, items=tuple(others)))


def roundup(
    digests: Sequence[ChannelDigest],
    near: Sequence[Concerned],
    concerning: int,
    unseen: Gaps,
    window: Window,
    names: Mapping[Repo, str],
    language: Language,
    extras: ParentExtras,
    thread_urls: Mapping[str, str],
) -> Part:
    """Return the message that comes before all threads.

    `names` are of all repositories, `near` is what is told here of all that is `concerning` the
    channel, `unseen` says what could not be looked at of which.
    """
    say, words = CATALOGUES[language], CATALOGUES[language].thread
    days = dates(window, language)
    heading = f"{words.repositories(len(names))}{entries.DOT}{days}"
    blocks: list[Block] = [Paragraph((Words(heading),), Tone.LEAD)]
    blocks += untold(window.tz, extras, language)
    blocks += unseen.blocks
    blocks += caught_up(digests, window, names, language)
    for view in digests:
        blocks += notices(view.reading, say, names[view.repo])
    blocks += concerns_you(near, concerning, language, extras.ripples)
    items = {read.item.key: read.item for view in digests for read in view.reading.items}
    remarks = [each for each in extras.remarks if items.keys() >= set(each.cites)]
    blocks += paragraph(remarks, extras.model, items, language)
    silent = [view for view in digests if is_silent(view) and not view.excluded]
    loud = [view for view in digests if view not in silent and not _is_bare(view)]
    lines = tuple(_line(view, names[view.repo], language, thread_urls) for view in loud)
    if lines:
        # What was told before, or what concerns the channel, is no part of this list.
        if extras.corrections or isinstance(blocks[-1], Bullets):
            blocks.append(Paragraph((Strong((Words(say.form.repos),)),)))
        blocks.append(Bullets(lines))
    needed = _needs([view.reading for view in digests], say)
    blocks += needed.blocks
    ahead = to_watch(digests, language, extras)
    blocks += ahead.blocks
    blocks += nudges(extras, language)
    without = [view for view in digests if _is_bare(view) and not rules.blind(view.reading)]
    for phrase, its in ((say.say.quiet_repos, silent), (say.say.repos_without_commits, without)):
        repos = joined(((Foreign(names[view.repo]),) for view in its), say.comma)
        blocks += [Paragraph(fill(phrase, repos=repos), Tone.SMALL)] if its else []
    blocks += unseen.limits
    blocks.append(Paragraph(_small(digests, window, language, extras), Tone.SMALL))
    actions: tuple[Action, ...] = (followups_action(language),) if extras.open_followups else ()
    return Part(
        PartKind.ROUNDUP,
        tuple(blocks),
        about=tuple(
            dict.fromkeys(
                (*(key for line in lines for key in line.about), *needed.keys, *ahead.keys)
            )
        ),
        actions=actions,
        summary=_summary(
            loud,
            _unseen(digests, names),
            names,
            heading,
            alarm(near, language),
            in_a_notification(remarks, extras.model, language, items),
            language,
        ),
    )


def _needs(readings: Sequence[Reading], say: Catalogue) -> ListedItems:
    """Say which versions repositories need of each other."""
    found = needs(readings, say)
    heading = (Strong((Words(say.headings.between),)),)
    return listed(heading, found[:MOST_NEEDS], of=len(found))


def to_watch(
    digests: Sequence[ChannelDigest], language: Language, extras: ParentExtras
) -> ListedItems:
    """Say what to watch: what stands on items that the channel is told, and what it flagged.

    A week-old follow-up is reminded of anyway, and nothing comes of one whose repository is gone.
    """
    words = CATALOGUES[language].outlook
    known = {read.item.key for view in digests for read in view.reading.items}
    for view in digests:
        for pair in view.reading.reverts:
            known |= {item.key for item in (pair.original, pair.revert) if item is not None}
    points = [point for point in extras.outlook if known.intersection(point.cites)]
    found = list(outlook_entries(points, [view.digest for view in digests], language))
    nudged = {each.item_key for each in extras.nudged}
    flagged = [
        each
        for each in extras.flagged
        if each.item_key not in nudged
        and not (each.following and each.following.reported.is_repo_gone)
    ]
    if flagged:
        found = [*found[: MOST_POINTS - 1], _flagged(flagged, language)]
    return listed((Strong((Words(words.heading),)),), found, ())


def _flagged(followups: Sequence[FollowUp], language: Language) -> Entry:
    say = CATALOGUES[language]
    listed = followups[:MOST_TITLES]
    titles = joined(
        (
            (
                Foreign(shortened(each.title, LONGEST_TITLE)),
                Words(" "),
                Link(each.ref, each.url),
            )
            for each in listed
        ),
        say.comma,
    )
    left = len(followups) - len(listed)
    more: Runs = (Words(f"{say.comma}+{left}"),) if left else ()
    label = Words(CATALOGUES[language].outlook.flagged + say.colon)
    return Entry((label, *titles, *more), about=tuple(each.item_key for each in listed))


def _is_bare(view: ChannelDigest) -> bool:
    """Return whether all there is of a repository is what could not be looked at."""
    reading = view.reading
    return bool(reading.gaps) and not (reading.items or reading.reverts or view.excluded)


def _line(
    view: ChannelDigest, name: str, language: Language, thread_urls: Mapping[str, str]
) -> Entry:
    reading, say, words = view.reading, CATALOGUES[language], CATALOGUES[language].thread
    runs: Runs = (Strong((Foreign(name),)), Words(entries.DOT), Words(_amount(view, language)))
    under: list[Entry] = []
    if is_minor(view):
        few = lines.titles_entry(reading.items, context(reading, say, language))
        runs = (*runs, Words(say.colon), *few.runs)
        keys = few.about
    elif is_tiny(view):
        known = context(reading, say, language)
        under = [lines.line_entry(read, known) for read in reading.items]
        keys = tuple(key for entry in under for key in entry.about)
    else:
        under = news(replace(view.digest, reading=brief_reading(reading)), language)
        keys = tuple(key for entry in under for key in entry.about)
    if reverts := rules.reverts_told(reading):
        runs = (*runs, Words(entries.DOT + say.count.reverted(len(reverts))))
    if url := thread_urls.get(str(view.repo)):
        runs = (*runs, Words(entries.DOT), Link(words.thread, url))
    return Entry(runs, tuple(under), about=keys)


def _amount(view: ChannelDigest, language: Language) -> str:
    """Say how much there is in a few words; the thread says it in full."""
    reading, say = view.reading, CATALOGUES[language]
    landed, releases = len(changes(reading)), len(of_kind(reading, Kind.RELEASE))
    trials = sum(is_prerelease(read.item) for read in reading.items)
    issues = len(of_kind(reading, Kind.ISSUE))
    parts = []
    if landed:
        amount = say.count.changes(landed)
        parts.append(amount if top(reading) else f"{amount}{say.pause}{say.say.none_above}")
    if releases > trials:
        parts.append(say.count.releases(releases - trials))
    if trials:
        parts.append(say.count.prereleases(trials))
    if issues and not landed:
        parts.append(say.count.issues(issues))
    parts = parts or view.counted(language) or view.left_out(language)
    return say.comma.join(parts) or say.say.no_changes


def _small(
    digests: Sequence[ChannelDigest], window: Window, language: Language, extras: ParentExtras
) -> Runs:
    words = CATALOGUES[language].thread
    pieces = []
    if extras.open_followups:
        pieces.append(words.followups(extras.open_followups))
    if excluded := sum(view.excluded for view in digests):
        pieces.append(words.left_out(excluded))
    pieces.append(span(window, language))
    sources: list[Made] = [*(view.digest for view in digests), extras]
    made = made_briefly(sources, CATALOGUES[language], language)
    return (Words(entries.DOT.join(pieces) + entries.DOT), *made)


def _unseen(digests: Sequence[ChannelDigest], names: Mapping[Repo, str]) -> list[str]:
    """Name the repositories that could not be looked at, or not for all of the time."""
    seen = {view.repo for view in digests if blind(view) is None}
    return [name for repo, name in names.items() if repo not in seen]


def _first_fact(view: ChannelDigest, language: Language) -> str:
    """Return the first fact of a repository; how much there is where none is known."""
    digest = replace(view.digest, reading=brief_reading(view.reading))
    facts = [plain(entry.runs) for entry in news(digest, language)]
    return facts[0] if facts else _amount(view, language)


def _summary(
    loud: Sequence[ChannelDigest],
    unseen: Sequence[str],
    names: Mapping[Repo, str],
    heading: str,
    breaking: Sequence[str],
    written: Sequence[str],
    language: Language,
) -> str:
    """Return the notification: what could not be looked at is no quiet day there either."""
    say, words = CATALOGUES[language], CATALOGUES[language].thread
    sentences = [*breaking]
    if unseen:
        sentences.append(words.unseen.format(what=say.comma.join(unseen)))
    if written:
        return f"{heading}{say.colon}{say.in_a_row((*sentences, say.gap.join(written)))}"
    sentences += [
        f"{names[view.repo]}{entries.DOT}{_first_fact(view, language)}" for view in loud[:3]
    ]
    sentences += [f"{names[view.repo]} {_amount(view, language)}" for view in loud[3:5]]
    return f"{heading}{say.colon}{say.in_a_row(sentences) or say.say.no_changes}"
