"""Everything decided about an activity: the one page that says in which order."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.grades import ChangeObject, Importance, Noise, Purpose
from digest.models import (
    Activity,
    Counts,
    FileAt,
    Gap,
    Item,
    Kind,
    Reading,
    ReadItem,
    Revert,
    State,
    ToldStory,
    UpgradeNote,
    Window,
)
from digest.reading.bites import bites, issue_bite
from digest.reading.change import is_release, noise, purpose, touched
from digest.reading.description import TITLE_READ
from digest.reading.features import Around, features
from digest.reading.folding import fold
from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import MOST_FILES, wanted
from digest.reading.interfaces.variables import as_searched
from digest.reading.interfaces.window import settled
from digest.reading.known_facts import fact_note
from digest.reading.learned import SHIPPED, Learned
from digest.reading.refusals import announced, refusals
from digest.reading.relations import closed_issues, relate, series
from digest.reading.releases import release_facts
from digest.reading.reverts import pair, relands, revert_facts, without_taken_back
from digest.reading.sentence import best_sentence, quote
from digest.reading.short_lived import brought
from digest.reading.stories import listed_stories
from digest.reading.story_days import follow, taken_back
from digest.reading.story_signs import Rarity
from digest.reading.story_weeks import stories_over_days
from digest.reading.support import deprecation, speed_facts, stated_default, support_facts
from digest.reading.targets import build_targets
from digest.reading.weight import (
    Weight,
    day_of,
    front_page,
    grade,
    not_quite_quiet,
    weigh,
    weigh_issue,
    weigh_release,
    within_quota,
)
from digest.reading.whom import VENDOR

MOST_DAYS_WHOLE = 7
"""Days of a window for each of which whole files are asked for."""
BUSY = 20
"""Changes of a day from which many of one author are a campaign."""
QUIET = 30
"""Changes of a day below which a reader can follow each that does something for users."""
_STATED = (FactChange.DEPRECATED, FactChange.REMOVED, FactChange.RENAMED)
"""What interfaces show of a name whose deprecation a title states: one that is gone is not told as
deprecated, too."""


@dataclass(frozen=True, slots=True)
class _Around:
    """What is known of all items before one of them is judged."""

    mine: frozenset[str]
    issues: Mapping[int, Item]
    reverts: Sequence[Revert]
    serial: Mapping[str, tuple[str, int, int]]
    fixes: Mapping[str, tuple[int, ...]]
    related: Mapping[str, tuple[str, ...]]
    released: frozenset[str]
    first_of_version: frozenset[str]
    by_author: Mapping[str, int]
    quiet: frozenset[str]
    objects: Mapping[str, ChangeObject]
    noises: Mapping[str, Noise | None]
    brought: Mapping[str, Item]


@dataclass(frozen=True, slots=True)
class Judged:
    """An item with what was decided of it, and on what: its facts and features."""

    read: ReadItem
    facts: tuple[Fact, ...]
    features: Mapping[str, float]
    weight: Weight


def read(
    activity: Activity,
    contents: Mapping[FileAt, str | None] | None = None,
    *,
    had: Mapping[str, bool] = MappingProxyType({}),
    stored: Sequence[ToldStory] = (),
    past: Rarity | None = None,
    learned: Learned = SHIPPED,
    unread: Callable[[Sequence[str]], Gap] | None = None,
) -> Reading:
    """Decide everything about an activity; the same items in any order give the same reading.

    In: what a source gathered; the whole files that `files_wanted` names, as far as the source
    could give them (None where it gives none: then interfaces are read from the hunks alone);
    variables with whether the program had them before, as far as a source could look for them;
    the stories of earlier windows that may go on, what the repository's history has of words and
    files, what was learned to weigh with, what to say of files that do not parse or are too large.
    Out: the reading; every SHA of the activity's window stands in exactly one of its items.
    """
    judged, around, notes, unreadable = _judged(activity, contents, learned, had)
    items = not_quite_quiet(within_quota([one.read for one in judged], activity.window))
    known = {one.item.number: one.item for one in items if one.item.number is not None}
    folded = [one.item for one in items]
    objects = {one.item.key: one.object for one in items}
    zone = ZoneInfo(activity.window.tz)
    found = stories_over_days(folded, zone, past, known, learned, objects)
    gone = taken_back(around.reverts, folded)
    stories = listed_stories(follow(found, folded, stored, gone, past, zone))
    return Reading(
        repo=activity.repo,
        window=activity.window,
        items=items,
        upgrade_notes=tuple(note for one in items for note in notes.get(one.item.key, ())),
        reverts=tuple(around.reverts),
        counts=count(items, activity.window),
        gaps=(*activity.gaps, unread(unreadable)) if unread and unreadable else activity.gaps,
        notices=activity.notices,
        collected_at=activity.collected_at,
        source=activity.source,
        facts=(
            *without_taken_back(
                [fact for one in judged for fact in one.facts],
                around.reverts,
                [one.item for one in items],
            ),
            *release_facts((one.item for one in items), contents),
            *revert_facts(one for one in around.reverts if one.revert.key in around.mine),
        ),
        stories=stories,
        front=front_page(items, {key: one.key for one in stories for key in one.items}),
    )


def count(items: Sequence[ReadItem], window: Window) -> Counts:
    """Count items, SHAs, the issues' events inside the window, and grades without issues."""
    changes = [one for one in items if one.item.kind is not Kind.ISSUE]
    issues = [one.item for one in items if one.item.kind is Kind.ISSUE]
    grades = Counter(one.importance for one in changes)
    events = Counter(event.name for issue in issues for event in issue.events if event.at in window)
    return Counts(
        commits=sum(len(one.item.commits) for one in changes),
        pull_requests=sum(
            one.item.kind is Kind.PULL_REQUEST and one.item.state is State.MERGED for one in changes
        ),
        issues=len(issues),
        issues_opened=events["opened"],
        issues_closed=events["closed"],
        issues_reopened=events["reopened"],
        releases=sum(one.item.kind is Kind.RELEASE for one in changes),
        high=grades[Importance.HIGH],
        medium=grades[Importance.MEDIUM],
        low=grades[Importance.LOW],
        noise=sum(one.noise is not None for one in changes),
    )


def judge(
    activity: Activity,
    contents: Mapping[FileAt, str | None] | None = None,
    *,
    had: Mapping[str, bool] = MappingProxyType({}),
    learned: Learned = SHIPPED,
) -> tuple[Judged, ...]:
    """Judge each item of an activity, the heaviest first and issues last, before any quota."""
    return _judged(activity, contents, learned, had)[0]


def files_wanted(activity: Activity) -> tuple[FileAt, ...]:
    """Return the whole files that a source should give before an activity is read.

    As many for each day of it, so that a week tells what its days would.
    """
    days = math.ceil((activity.window.end - activity.window.start) / timedelta(days=1))
    most = MOST_FILES * min(max(days, 1), MOST_DAYS_WHOLE)
    return wanted(fold(activity.items), activity.items, most)


def _judged(
    activity: Activity,
    contents: Mapping[FileAt, str | None] | None,
    learned: Learned,
    had: Mapping[str, bool],
) -> tuple[tuple[Judged, ...], _Around, Mapping[str, tuple[UpgradeNote, ...]], tuple[str, ...]]:
    """Judge the items, with what is known around them, their upgrade notes by key, and the paths
    of files that do not parse.
    """
    items = fold(activity.items)
    around = _around(items, fold(activity.later), fold(activity.earlier), activity.window)
    notes, shown, unread = _interfaces(items, activity.items, contents, had)
    judged = (_judge(item, shown.get(item.key, ()), around, learned) for item in items)
    return tuple(sorted(judged, key=_order)), around, notes, unread


def _interfaces(
    items: Sequence[Item],
    commits: Sequence[Item],
    contents: Mapping[FileAt, str | None] | None,
    had: Mapping[str, bool],
) -> tuple[Mapping[str, tuple[UpgradeNote, ...]], Mapping[str, tuple[Fact, ...]], tuple[str, ...]]:
    """Return upgrade notes and facts of interfaces by item, and paths of what does not parse.

    What came and went within the items is none. They are of whole files; of a file that could
    not be had whole, of its hunks.
    """
    shown: dict[str, tuple[Fact, ...]] = {}
    landed = {item.key: (item.at, item.key) for item in items}
    unread: dict[str, None] = {}
    made = interface_facts(items, contents or {}, commits, lambda path: unread.setdefault(path))
    left = settled(sorted(made, key=lambda fact: landed[fact.item]), items)
    for fact in as_searched(left, had):
        shown[fact.item] = (*shown.get(fact.item, ()), fact)
    notes = {
        key: tuple(note for fact in facts if (note := fact_note(fact)) is not None)
        for key, facts in shown.items()
    }
    return notes, shown, tuple(unread)


def _around(
    items: Sequence[Item], later: Sequence[Item], earlier: Sequence[Item], window: Window
) -> _Around:
    mine = {item.key for item in items}
    serial = {item.key: found for item in items if (found := series(item)) is not None}
    fixes = {item.key: closed_issues(item) for item in items}
    versions = _versions(items)
    by_author, quiet = _hands(items, window)
    objects = {item.key: touched(item) for item in items}
    return _Around(
        mine=frozenset(mine),
        issues={
            item.number: item
            for item in items
            if item.kind is Kind.ISSUE and item.number is not None
        },
        reverts=pair(
            items,
            [item for item in later if item.key not in mine],
            [item for item in earlier if item.key not in mine],
        ),
        serial=serial,
        fixes=fixes,
        related=relate(items, serial, fixes, relands(items)),
        released=frozenset(versions),
        first_of_version=frozenset(versions.values()),
        by_author=by_author,
        quiet=quiet,
        objects=objects,
        noises={item.key: noise(item, objects[item.key]) for item in items},
        brought=brought(items),
    )


def _hands(items: Sequence[Item], window: Window) -> tuple[dict[str, int], frozenset[str]]:
    """Count, for each change, those of its author on its day; and return those of quiet days.

    On a day with few changes one hand may do most of them: there it is no campaign. By the day,
    so that an item weighs the same in the digest of its day and in that of its week.
    """
    changes = [item for item in items if item.kind.is_change]
    hands = {item.key: (item.author, day_of(item, window)) for item in changes}
    counted = Counter(hands.values())
    of_day = Counter(day for _, day in hands.values())
    by_author = {
        key: counted[hand] if of_day[hand[1]] >= BUSY else 1 for key, hand in hands.items()
    }
    return by_author, frozenset(key for key, hand in hands.items() if of_day[hand[1]] < QUIET)


def _versions(items: Iterable[Item]) -> dict[str, str]:
    """Return the versions that changes of the window say they make, with the first that does."""
    found: dict[str, str] = {}
    for item in items:
        if item.kind is not Kind.RELEASE and item.kind is not Kind.ISSUE and is_release(item):
            found.setdefault(item.title.rpartition(" ")[2].strip().lstrip("vV"), item.key)
    return found


def _judge(item: Item, shown: Sequence[Fact], around: _Around, learned: Learned) -> Judged:
    """Judge one item, in the light of all."""
    reason, inferred = purpose(item)
    object_, noisy = around.objects[item.key], around.noises[item.key]
    fixes = around.fixes[item.key]
    taken_back = [one for one in around.reverts if one.original and one.original.key == item.key]
    takes_back = [one for one in around.reverts if one.revert.key == item.key]
    closed = tuple(around.issues[number] for number in fixes if number in around.issues)
    facts = _facts(item, reason, object_, shown, closed)
    if origin := around.brought.get(item.key):
        facts = tuple(
            replace(fact, name=origin.ref) if fact.kind is FactKind.BITE else fact for fact in facts
        )
    if noisy is not None:
        # What bots and upkeep pin for themselves asks nobody to act; what they pinned last, and
        # another change of the window pinned too, is what the window leaves to everybody.
        facts = tuple(
            replace(fact, must_act=fact.must_act and _is_shared(fact, around.noises))
            for fact in facts
        )
    found: Mapping[str, float] = {}
    if item.kind is Kind.ISSUE:
        weight = weigh_issue(item, reason)
    elif item.kind is Kind.RELEASE:
        weight = weigh_release(item, item.ref.strip().lstrip("vV") in around.released)
    else:
        beside = Around(
            closed,
            bool(taken_back),
            around.by_author.get(item.key, 1),
            item.key in around.first_of_version,
            item.key in around.quiet,
        )
        found = features(item, reason, object_, noisy, facts, beside)
        weight = weigh(found, reason, noisy, bool(taken_back), learned)
    pairs = (*taken_back, *takes_back)
    others = {one.revert.key for one in pairs} | {one.original.key for one in pairs if one.original}
    original = takes_back[0].original if takes_back else None
    quoted = quote(item)
    related = (set(around.related.get(item.key, ())) | others) - {item.key}
    read_item = ReadItem(
        item=item,
        purpose=Purpose.REVERT if takes_back else reason,
        object=object_,
        importance=grade(weight.points),
        score=weight.points,
        reasons=weight.reasons,
        inferred=inferred,
        noise=noisy,
        related=tuple(sorted(related)),
        fixes=fixes,
        reverted_by=taken_back[-1].revert.key if taken_back else None,
        reverts=original.key if original else None,
        series=around.serial.get(item.key),
        quote=quoted,
        sentence=best_sentence(item, quoted, _seen(facts)),
    )
    return Judged(read_item, facts, found, weight)


def _seen(facts: Sequence[Fact]) -> str:
    """Return the sentence of the description that says what somebody saw, if one does."""
    found = (one for fact in facts if fact.kind is FactKind.BITE for one in fact.evidence)
    words = next((" ".join(one.quote.split()) for one in found if one.source == "body"), "")
    return re.sub(r"^(?:[-*+]|\d{1,3}[.)]) ", "", words)


def _is_shared(fact: Fact, noises: Mapping[str, Noise | None]) -> bool:
    """Tell whether a requirement is what several changes left, one of them more than upkeep."""
    return fact.kind is FactKind.REQUIREMENT and any(
        one.item in noises and noises[one.item] is None for one in fact.evidence
    )


def _facts(
    item: Item,
    why: Purpose,
    object_: ChangeObject,
    shown: Sequence[Fact],
    closed: Sequence[Item],
) -> tuple[Fact, ...]:
    """Return all facts of an item; what its interfaces show is not told again from its words."""
    if item.kind is Kind.ISSUE:
        return issue_bite(item, why)
    if not item.kind.is_change:
        return ()
    stated = deprecation(item)
    shown_names = {fact.name for fact in shown if fact.change in _STATED}
    defaults = any(fact.change is FactChange.DEFAULT for fact in shown)
    supported = {(fact.subject, fact.change) for fact in shown if fact.kind is FactKind.SUPPORT}
    built = build_targets(item)
    on = {(fact.subject, fact.change) for fact in built}
    titled = (fact for fact in support_facts(item, why) if (fact.subject, fact.change) not in on)
    support = (*built, *titled)
    shown = [_of_what_is_new(fact, item, support) for fact in shown]
    refused = refusals(item, why)
    said = {(fact.change, fact.name) for fact in refused}
    return (
        *bites(item, why, object_, closed),
        *shown,
        *(fact for fact in stated if fact.name not in shown_names),
        *(() if defaults else stated_default(item, why)),
        *refused,
        *(
            fact
            for fact in announced(item)
            if not _is_told(fact, (*shown, *stated)) and (fact.change, fact.name) not in said
        ),
        *(fact for fact in support if (fact.subject, fact.change) not in supported),
        *speed_facts(item, why),
    )


def _is_told(fact: Fact, shown: Sequence[Fact]) -> bool:
    """Tell whether facts have what a message says to be gone or deprecated.

    Of what is gone, only with what takes its place, which the message may say.
    """
    if fact.change is FactChange.REMOVED:
        return any(
            each.change is FactChange.REMOVED and each.after and each.name in fact.quote
            for each in shown
        )
    names = (
        name.rpartition(".")[2].strip("()")
        for each in shown
        if each.change in _NAMES_OLD or _is_new_name(each)
        for name in (each.name, *each.names, each.before or "")
    )
    return any(name and name in fact.quote for name in names)


def _is_new_name(fact: Fact) -> bool:
    """Tell whether a public name came with the change: what it says of itself bit nobody yet."""
    return fact.change is FactChange.ADDED and fact.subject is Subject.API_NAME


_NAMES_OLD = (FactChange.DEPRECATED, FactChange.REMOVED, FactChange.RENAMED, FactChange.MOVED)
"""Changes of which a fact names what people still write."""


_VARIABLE_IS_SET = re.compile(r"[A-Z][A-Z0-9_]*=1")
"""A condition of a default that counts with another variable."""


def _of_what_is_new(fact: Fact, item: Item, support: Sequence[Fact]) -> Fact:
    """Return a fact; a default on hardware that its change begins to support hits nobody."""
    if fact.change is not FactChange.DEFAULT or not any(
        each.change is FactChange.ADDED and each.subject is Subject.HARDWARE for each in support
    ):
        return fact
    # That another variable has to be set says nothing of what a machine is.
    where = [one for one in fact.conditions if not _VARIABLE_IS_SET.fullmatch(one)]
    new, holds = (
        {name.casefold() for text in texts for name in VENDOR.findall(text.replace("_", " "))}
        for texts in ((item.title[:TITLE_READ],), where)
    )
    return fact if new.isdisjoint(holds) else replace(fact, must_act=False)


def _order(one: Judged) -> tuple[bool, int, float, str]:
    item = one.read.item
    return (item.kind is Kind.ISSUE, -one.weight.points, -one.weight.exact, item.key)
