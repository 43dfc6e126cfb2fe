"""The morning thread: what a channel is told, in which order, before any platform draws it.

A channel of several repositories reads a roundup first, then one thread for each that has more to
say than fits there; or all in the roundup's own thread, where it chose one thread.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.compose.answer_parts import flag_one_here
from bot.compose.channel_digest import ChannelDigest, for_channel
from bot.compose.concerned_lines import concerns_you_too, nearest, strongest
from bot.compose.parent_extras import NO_EXTRAS, ParentExtras, followups_action, nudges
from bot.compose.repository_thread import (
    all_blocks,
    full_title,
    parent,
    replies,
    rest_blocks,
)
from bot.compose.thread_gaps import gaps, unseen
from bot.compose.thread_roundup import is_minor, is_silent, is_tiny, is_uneventful, roundup
from bot.model.channel_commands import Quiet
from bot.model.parts import Mark, Part, PartKind, Thread
from bot.model.slots import Slot
from bot.model.subscriptions import Subscription
from bot.wording.dates import day
from digest.concern.concerned import concerned
from digest.concern.surface import Surface
from digest.facts import FactChange, Symptom
from digest.grades import Importance
from digest.languages import Language
from digest.models import Digest, Kind, Reading, Repo, Roundup, State
from digest.phrase import Phrase
from digest.wording.saying import CATALOGUES
from digest.writing.concerned_parts import MOST_CONCERNED
from digest.writing.document import Foreign, Paragraph, Tone, Words, keys_in
from digest.writing.pages import busiest_first
from digest.writing.phrasing import fill
from digest.writing.rules import plain, quiet

_GONE = (FactChange.REMOVED, FactChange.RENAMED, FactChange.RAISED)
_SECURITY = {"security", "security_label"}
"""Reasons of a score."""


def day_marks(reading: Reading, surfaces: Sequence[Surface]) -> frozenset[Mark]:
    """Return the marks of what is told of a day.

    What breaks is what a channel uses, where it said that; elsewhere a removal, a new name or a
    higher requirement that hits who upgrades and does nothing.
    """
    found = set()
    if surfaces:
        breaks = any(one.breaks for one in concerned(reading, surfaces))
    else:
        breaks = any(fact.must_act and fact.change in _GONE for fact in reading.facts)
    if breaks:
        found.add(Mark.BREAKING)
    for read in reading.items:
        if _SECURITY & {reason.name for reason in read.reasons}:
            found.add(Mark.SECURITY)
        if read.importance is Importance.HIGH:
            found.add(Mark.IMPORTANT)
        if read.item.kind is Kind.RELEASE and read.item.state is not State.PRERELEASE:
            found.add(Mark.RELEASE)
    if any(fact.symptom is Symptom.SECURITY for fact in reading.facts):
        found.add(Mark.SECURITY)
    return frozenset(found)


def plan(
    digests: Sequence[Digest],
    failed: Sequence[tuple[Repo, Phrase]],
    subscription: Subscription,
    extras: ParentExtras = NO_EXTRAS,
    *,
    thread_urls: Mapping[str, str] | None = None,
    withheld: int = 0,
) -> tuple[Thread, ...]:
    """Return the threads of one morning, in the order in which they are posted.

    `failed` are repositories that could not be looked at, with the sentence why. A roundup comes
    first where the channel has several repositories; `thread_urls` are the addresses of the other
    threads by `OWNER/NAME`, known only once they are posted: plan again with them, render the first
    thread, and edit the posted message. `withheld` counts the channel's repositories that may not
    be told there, which are not named. No thread at all is given where nothing happened and the
    channel wants to hear nothing then.
    """
    language = subscription.language
    views = [for_channel(digest, subscription) for digest in busiest_first(digests)]
    names = short_names([*(each.repo for each in views), *(repo for repo, _ in failed)])
    uneventful = all(is_uneventful(each) for each in views) and not failed and not withheld
    if not (names or withheld) or (
        uneventful
        and subscription.quiet is Quiet.NOTHING
        and not (extras.nudged or extras.corrections)
    ):
        return ()
    if not views:
        return (_could_not_look(failed, names, language, extras, withheld),)
    if len(names) + withheld == 1:
        return _mentioning(
            (_thread(views[0], names[views[0].repo], language, extras),), subscription
        )
    window = max((each.reading.window for each in views), key=lambda window: window.start)
    own = [each for each in views if not (is_silent(each) or is_minor(each) or is_tiny(each))]
    own = [each for each in own if _has_replies(each)]
    missed = gaps(unseen(views, failed, names, {each.repo for each in own}), language, withheld)
    concerning = nearest(views, extras.surfaces)
    elsewhere = {each.repo for each in own}
    near = strongest(concerning, elsewhere)
    first = roundup(
        *(views, near, len(concerning), missed, window, names, language, extras),
        thread_urls or {},
    )
    too = [one for one in near[MOST_CONCERNED:] if one.item.repo not in elsewhere]
    below = (*missed.below, *concerns_you_too(too, language))
    marks = frozenset[Mark]().union(*(day_marks(each.reading, extras.surfaces) for each in views))
    others = ParentExtras(pages=extras.pages, surfaces=extras.surfaces)
    threads = [
        _thread(each, names[each.repo], language, others, is_foremost=number == 0)
        for number, each in enumerate(own)
    ]
    if subscription.one_thread:
        parts = (part for thread in threads for part in (thread.parent, *thread.replies))
        only = Thread(language, first, (*below, *parts), marks=marks)
        return _mentioning((only,), subscription)
    whole = Thread(language, first, below, marks=marks)
    return _mentioning((whole, *threads), subscription)


def _mentioning(threads: tuple[Thread, ...], subscription: Subscription) -> tuple[Thread, ...]:
    """Have the first message of a morning mention who wants to hear of what marks it."""
    mention, (first, *others) = subscription.mention, threads
    if not (mention.role and mention.on & first.marks):
        return threads
    return (replace(first, mention=mention.role), *others)


def _has_replies(view: ChannelDigest) -> bool:
    return bool(view.reading.items or view.reading.reverts or view.reading.upgrade_notes)


def short_names(repos: Iterable[Repo]) -> dict[Repo, str]:
    """Return the bare name of each repository; the full one where two share it."""
    known = list(dict.fromkeys(repos))
    shared = Counter(repo.name.casefold() for repo in known)
    return {repo: repo.name if shared[repo.name.casefold()] == 1 else str(repo) for repo in known}


def _thread(
    view: ChannelDigest,
    name: str,
    language: Language,
    extras: ParentExtras,
    *,
    is_foremost: bool = True,
) -> Thread:
    near = nearest((view,), extras.surfaces)
    first, mentioned = parent(view, near, name, language, extras)
    marks = day_marks(view.reading, extras.surfaces)
    further = near[MOST_CONCERNED:]
    below = replies(view, further, first, mentioned, language, is_foremost=is_foremost)
    return Thread(language, _flagged_above(first, below, language), below, str(view.repo), marks)


def _flagged_above(first: Part, below: Sequence[Part], language: Language) -> Part:
    """Return a parent with a button that flags, where some of its items have no line below."""
    elsewhere = {key for part in below for key in part.about}
    if not first.actions or all(key in elsewhere for key in first.about):
        return first
    show_all, *others = first.actions
    return replace(first, actions=(show_all, flag_one_here(language), *others))


def _could_not_look(
    failed: Sequence[tuple[Repo, Phrase]],
    names: Mapping[Repo, str],
    language: Language,
    extras: ParentExtras,
    withheld: int,
) -> Thread:
    """Return one thread for all repositories, none of which could be looked at or may be told."""
    one = len(failed) == 1 and not withheld
    named = {repo: str(repo) for repo, _ in failed} if one else names
    missed = gaps(unseen((), failed, named), language, withheld)
    blocks = list(missed.blocks)
    lines = [plain(block.runs) for block in blocks if isinstance(block, Paragraph)]
    blocks += nudges(extras, language)
    if extras.open_followups:
        counted = CATALOGUES[language].thread.followups(extras.open_followups)
        blocks.append(Paragraph((Words(counted),), Tone.SMALL))
    kind = PartKind.PARENT if one else PartKind.ROUNDUP
    actions = (followups_action(language),) if extras.open_followups else ()
    part = Part(kind, tuple(blocks), actions=actions, summary=CATALOGUES[language].in_a_row(lines))
    return Thread(language, part, missed.below, repo=str(failed[0][0]) if one else "")


def show_all(digest: Digest, language: Language, subscription: Subscription | None = None) -> Part:
    """Return every item by title (`SHOW_ALL`), after the channel's filters."""
    view = for_channel(digest, subscription)
    title = full_title(view, view.repo.name, language)
    blocks = (Paragraph((Words(title),), Tone.LEAD), *all_blocks(view, language))
    return Part(PartKind.ANSWER, blocks, keys_in(blocks), summary=title)


def show_rest(digest: Digest, language: Language, subscription: Subscription | None = None) -> Part:
    """Return what a thread tells by count alone (`SHOW_REST`), after the channel's filters."""
    blocks = rest_blocks(for_channel(digest, subscription), language)
    if not blocks:
        blocks = [Paragraph((Words(CATALOGUES[language].thread.nothing_left),))]
    first = blocks[0]
    return Part(
        PartKind.ANSWER,
        tuple(blocks),
        keys_in(blocks),
        summary=plain(first.runs) if isinstance(first, Paragraph) else "",
    )


WEEKLY = timedelta(days=7)


def nothing_happened(roundup: Roundup) -> bool:
    """Return whether everything was looked at and nothing happened."""
    return not roundup.failed and all(quiet(digest.reading) for digest in roundup.digests)


def is_weekly_line_due(subscription: Subscription, slot: Slot) -> bool:
    """Return whether a channel that hears nothing of quiet days has heard nothing for a week."""
    if subscription.quiet is not Quiet.NOTHING:
        return False
    zone = ZoneInfo(subscription.tz)
    last = subscription.said_date or subscription.created_at.astimezone(zone).date()
    return slot.local_date - last >= WEEKLY


def weekly_quiet(roundup: Roundup, subscription: Subscription, slot: Slot) -> tuple[Thread, ...]:
    """Return the thread of one line.

    So silence is never taken for quiet: the line says since when, and when it was looked at
    last.
    """
    language = subscription.language
    zone = ZoneInfo(subscription.tz)
    names = short_names(digest.reading.repo for digest in roundup.digests)
    looked: datetime = min(digest.reading.collected_at for digest in roundup.digests)
    since = subscription.quiet_since or slot.window.start
    runs = fill(
        CATALOGUES[language].thread.quiet_since,
        repos=Foreign(CATALOGUES[language].comma.join(names.values())),
        since=day(since.astimezone(zone).date(), language),
        at=f"{looked.astimezone(zone):%Y-%m-%d %H:%M}",
    )
    part = Part(PartKind.PARENT, (Paragraph(runs),), summary=plain(runs))
    return (Thread(language, part),)
