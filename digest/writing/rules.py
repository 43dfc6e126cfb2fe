"""Writing without a model: a reading in, a digest in every language out."""

from collections.abc import Sequence
from datetime import datetime

from digest.facts import Fact
from digest.grades import Importance
from digest.languages import Language
from digest.models import Digest, Item, Kind, Point, Reading, ReadItem, Revert
from digest.reading.known_facts import demands, facts_by_item
from digest.reading.paths import RUNTIME, role
from digest.reading.releases import apart, is_prerelease
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Foreign, Link, Runs, Strong, Struck, Words
from digest.writing.entries import revert as revert_runs
from digest.writing.fact_phrases import fact_runs
from digest.writing.outline import changes, of_kind
from digest.writing.shown_stories import shown_stories
from digest.writing.upkeep import CALLED, upkeep
from digest.writing.visible import visible

MOST_ISSUE_POINTS = 2
BLIND = frozenset({"commits", "partly", "everything"})


def reverts_told(reading: Reading) -> list[Revert]:
    """Return the reverts of more than CI, tests and documentation, which stand among these.

    What takes back lines that run at a user's is none of these, whatever else it takes back.
    """
    runs = {
        pair.revert.key
        for pair in reading.reverts
        if any(role(file.path) in RUNTIME for file in pair.revert.files or ())
    }
    aside = {read.item.key for read in changes(reading) if upkeep(read) in CALLED.values()} - runs
    return [
        pair
        for pair in reading.reverts
        if pair.revert.key not in aside
        if pair.original is None or pair.original.key not in aside
    ]


def write(reading: Reading, generated_at: datetime) -> Digest:
    """Write the sentences of a reading, in every language, from rules alone."""
    return Digest(
        reading=reading,
        headline={language: headline(reading, CATALOGUES[language]) for language in Language},
        points=points(reading),
        generated_at=generated_at,
    )


def blind(reading: Reading) -> bool:
    """Tell whether the commits could not be looked at, so that their number means nothing."""
    return any(gap.what in BLIND for gap in reading.gaps)


def quiet(reading: Reading) -> bool:
    """Tell whether everything was looked at and nothing happened at all."""
    return not reading.items and not reading.reverts and not reading.gaps and not reading.notices


def top(reading: Reading) -> ReadItem | None:
    """Give the item that the headline names: high ones first, then a release, medium, an issue.

    Of one importance, a revert is the last: it is told with what it takes back. What is for trial
    is counted alone.
    """
    reverts = {pair.revert.key for pair in reading.reverts}
    final = [read for read in of_kind(reading, Kind.RELEASE) if not is_prerelease(read.item)]
    landed = (*changes(reading), *final)
    for wanted in (Importance.HIGH, Importance.MEDIUM):
        for read in sorted(landed, key=lambda read: read.item.key in reverts):
            if read.importance is wanted and read.reverted_by is None:
                return read
        if wanted is Importance.HIGH and final:
            return final[0]
    issues = of_kind(reading, Kind.ISSUE)
    return issues[0] if issues and issues[0].importance is not Importance.LOW else None


def headline(reading: Reading, say: Catalogue) -> str:
    """Say in one or two sentences what kind of window it was; numbers are computed."""
    text, first = summary(reading, say), top(reading)
    return text if first is None else f"{text}{say.gap}{called(first.item)}"


def summary(reading: Reading, say: Catalogue) -> str:
    """Say in one sentence how much happened, or that it could not be looked at."""
    everything = next((gap for gap in reading.gaps if gap.what == "everything"), None)
    if everything is not None and not reading.items:
        return say.say.could_not_look.format(why=say.localized(everything.why))
    if quiet(reading):
        return say.say.quiet
    parts = tally(reading, say)
    text = say.semicolon.join(parts) + say.stop if parts else say.say.not_looked_at
    if everything is None:
        return text
    return say.say.looked_in_part.format(why=say.localized(everything.why)) + say.gap + text


def tally(reading: Reading, say: Catalogue) -> list[str]:
    """Give the computed counts: changes, reverts, releases, issues; none that is zero.

    Of changes, how many are upkeep and told in no story; where none weighs anything, that instead.
    """
    landed = changes(reading)
    parts: list[str] = []
    if landed:
        stories = {key for story in shown_stories(reading, landed) for key in story.items}
        count = sum(read.item.key not in stories and upkeep(read) is not None for read in landed)
        parts.append(say.count.changes(len(landed)))
        if all(read.importance is Importance.LOW for read in landed):
            parts[0] += say.pause + say.say.none_above
        elif count:
            parts[0] += say.pause + say.count.upkeep(count)
    elif not blind(reading):
        parts.append(say.say.no_changes)
    releases = of_kind(reading, Kind.RELEASE)
    trials = sum(is_prerelease(read.item) for read in releases)
    counts = reading.counts
    for number, phrase in (
        # As many as are told: what was taken back can be older than the window.
        (len(reverts_told(reading)), say.count.reverted),
        (len(releases) - trials, say.count.releases),
        (trials, say.count.prereleases),
        (counts.issues_opened, say.count.opened),
        (counts.issues_closed, say.count.closed),
        (counts.issues_reopened, say.count.reopened),
    ):
        if number:
            parts.append(phrase(number))
    return parts


def called(item: Item) -> str:
    """Give title and reference as one text."""
    title = visible(item.title)
    return item.ref if title == item.ref else f"{title} {item.ref}".strip()


def points(reading: Reading) -> tuple[Point, ...]:
    """Give what is worth a line of its own: upgrades, reverts, high changes, issues."""
    found: list[Point] = []
    facts = facts_by_item(reading)
    for read in reading.items:
        known = facts.get(read.item.key, ())
        if read.reverted_by is None and not read.reverts and demands(known):
            found.append(_demand_point(read.item, demands(known)))
    found += [_revert_point(pair) for pair in reverts_told(reading)]
    found += [
        _item_point(read)
        for read in changes(reading)
        if read.importance is Importance.HIGH and read.reverted_by is None
    ]
    found += [_item_point(read) for read in apart(of_kind(reading, Kind.RELEASE))[0]]
    issues = [r for r in of_kind(reading, Kind.ISSUE) if r.importance is not Importance.LOW]
    found += [_item_point(read) for read in issues[:MOST_ISSUE_POINTS]]
    return tuple(found)


def _item_point(read: ReadItem) -> Point:
    text = called(read.item)
    return Point({language: text for language in Language}, (read.item.key,))


def _demand_point(item: Item, facts: Sequence[Fact]) -> Point:
    text = {}
    for language in Language:
        say = CATALOGUES[language]
        notes = say.semicolon.join(plain(runs) for runs in fact_runs(facts, language))
        text[language] = f"{say.headings.before_upgrade}{say.colon}{notes} {item.ref}"
    return Point(text, (item.key,))


def _revert_point(pair: Revert) -> Point:
    cites = (pair.revert.key,) if pair.original is None else (pair.original.key, pair.revert.key)
    text = {language: plain(revert_runs(pair, CATALOGUES[language])) for language in Language}
    return Point(text, cites)


def plain(runs: Runs) -> str:
    """Give the words of runs alone."""
    parts = []
    for run in runs:
        match run:
            case Strong() | Struck():
                parts.append(plain(run.runs))
            case Link():
                parts.append(run.label)
            case Words() | Foreign() | Code():
                parts.append(run.text)
    return "".join(parts)
