"""One item as a message of its own, with the state of its follow-up."""

from collections.abc import Sequence
from dataclasses import replace

from bot.model.following import Correction, News, turns, upstream_url
from bot.model.followups import FollowUp, FollowUpState
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.references import ItemKey, read_key
from digest.facts import FactKind
from digest.grades import Importance
from digest.languages import Language
from digest.models import Item, Kind, ReadItem, Revert, State
from digest.upstream import Standing
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Quote,
    Run,
    Runs,
    Strong,
    Tone,
    Words,
)
from digest.writing.lines import NOTHING_MENTIONED, FrontItem, Mentioned, front_item, release
from digest.writing.outline import Context
from digest.writing.phrasing import fill, joined
from digest.writing.remarks import is_translated
from digest.writing.rules import called, plain

HIGH = "▲ "
RELEASE = "◆ "
MEDIUM = "• "
"""Importance by shape, for those who don't see colours."""


def item_part(
    read: ReadItem,
    about: Context,
    pair: Revert | None = None,
    mentioned: Mentioned = NOTHING_MENTIONED,
) -> Part:
    """Return an item of the front page: its title, facts, its author's sentence, where it was made.

    `pair` is the revert that it is part of. What the parent has `mentioned` is not said again, but
    what somebody saw: whoever opens the thread has read it. Where nothing else is left to say, it
    is: the message may be read alone, when it is flagged or shared.
    """
    known = frozenset(fact for fact in mentioned.facts if fact.kind is not FactKind.BITE)
    front = front_item(read, about, pair, known)
    if not (front.head or front.facts or front.quote or front.taken):
        front = front_item(read, about, pair)
    mark = HIGH if read.importance is Importance.HIGH else MEDIUM
    title = entries.named(read.item, about.say, strong=True, struck=read.reverted_by is not None)
    blocks: list[Block] = [Paragraph((Strong((Words(mark),)), *title))]
    if front.taken:
        blocks.append(Paragraph((Words("↩ "), *front.taken)))
    seen = _seen(front, read.item)
    facts = front.facts if front.is_seen or not front.head else (front.head, *front.facts)
    if facts:
        blocks.append(Bullets(tuple(Entry(runs) for runs in facts)))
    if is_translated(read, about.language):
        blocks.append(Paragraph(front.own))
    elif front.quote:
        blocks.append(Quote((), front.quote))
    small = joined((seen, front.small, _where(read.item, about)), entries.DOT)
    blocks.append(Paragraph(small, Tone.SMALL))
    line = f"{plain(front.head)}{entries.DOT}" if front.head else ""
    part = _about_one(PartKind.ITEM, tuple(blocks), read.item, mark, about.language)
    return replace(part, summary=f"{mark}{line}{called(read.item)}")


def _seen(front: FrontItem, item: Item) -> Runs:
    """Return what somebody saw; whom it hit is left out where the title names them already."""
    if not front.is_seen:
        return ()
    symptom, *whom = front.head
    named = (plain((each,)).strip(" ·:,()、，：（）") for each in whom)
    if not all(name.casefold() in item.title.casefold() for name in named):
        return front.head
    return () if plain((symptom,)) in plain(front.small) else (symptom,)


def _where(item: Item, about: Context) -> Runs:
    """Say which file of the code a change is mostly in; nothing where no list of files is known."""
    path = entries.main_file(item)
    if not path:
        return ()
    if len(item.files or ()) == 1:
        return (Code(path),)
    return fill(CATALOGUES[about.language].thread.mostly_in, path=Code(path))


def release_part(read: ReadItem, about: Context) -> Part:
    """Return a release: its name, its state, and how its notes begin."""
    first, *others = release(read, about)
    if isinstance(first, Paragraph):
        first = replace(first, runs=(Strong((Words(RELEASE),)), *first.runs))
    return _about_one(PartKind.RELEASES, (first, *others), read.item, RELEASE, about.language)


def _about_one(
    kind: PartKind, blocks: tuple[Block, ...], item: Item, mark: str, language: Language
) -> Part:
    wanted = (ActionKind.FLAG, ActionKind.TAKE, ActionKind.DONE, ActionKind.DEEP_DIVE)
    return Part(
        kind,
        blocks,
        about=(item.key,),
        actions=tuple(Action.usual(each, item.key, language) for each in wanted),
        summary=mark + called(item),
    )


def with_state(part: Part, followup: FollowUp | None, language: Language) -> Part:
    """Return a message about one item as it is when its follow-up stands so; None clears it.

    The part may have a state already: it is replaced. What is done has a button that opens it
    again in the place of the one that closes it; what may still be released, one to hear of it.
    """
    is_done = followup is not None and followup.state is FollowUpState.DONE
    closing = ActionKind.REOPEN if is_done else ActionKind.DONE
    watch = Action.usual(ActionKind.WATCH, part.about[0], language)
    actions = tuple(
        Action.usual(closing, each.value, language)
        if each.kind in (ActionKind.DONE, ActionKind.REOPEN)
        else each
        for each in part.actions
        if each.kind is not ActionKind.WATCH
    )
    if followup is not None and followup.state is not FollowUpState.GONE and awaits(followup):
        actions = (*actions, watch)
    above = part.summary if part.kind is PartKind.NEWS else ""
    return replace(
        part, state=state(followup, language, above) if followup else (), actions=actions
    )


def state(followup: FollowUp, language: Language, above: str = "") -> Runs:
    """Say who flagged an item, who took it, who closed it, and what became of it upstream.

    Nothing once all was taken back, and nothing twice of what the message itself has `above`.
    """
    if followup.state is FollowUpState.GONE:
        return ()
    words = CATALOGUES[language].thread
    pieces: list[Runs] = []
    if followup.flagged_by:
        pieces.append(fill(words.flagged_by, people=_people(followup, language)))
    if followup.taken_by is not None:
        pieces.append(fill(words.taken_by, people=_person(followup, followup.taken_by)))
    if followup.done_by is not None:
        pieces.append(fill(words.done_by, people=_person(followup, followup.done_by)))
    upstream = standing(followup, language)
    if upstream and plain(upstream) not in above:
        pieces.append((Words("↗ "), *upstream))
    return joined(pieces, entries.DOT)


def standing(followup: FollowUp, language: Language) -> Runs:
    """Say how an item stands upstream, as far as that is news since it was flagged."""
    following = followup.following
    if following is None or following.seen is None:
        return ()
    shown = following.reported
    if shown.state is None and following.reported_at:
        return turned(followup, (News.MISSING,), language)
    if shown.reverted_by:
        return turned(followup, (News.REVERTED,), language)
    if shown.amended:
        return turned(followup, (News.AMENDED,), language)
    if shown.release:
        fixed = (News.FIXED,) if shown.fix else ()
        pinned = (News.PINNED,) if shown.pin else ()
        return turned(followup, (*fixed, News.RELEASED, *pinned), language)
    if shown.state is State.OPEN and shown.fix:
        return turned(followup, (News.LINKED,), language)
    if following.reported_at is None:
        return ()  # it stands as it was told
    if shown.state is State.OPEN:
        return turned(followup, (News.REOPENED,), language) if following.reopened else ()
    if shown.state is State.TAGGED:
        return turned(followup, (News.PULLED,), language)
    return turned(followup, turns(Standing(State.OPEN), shown), language)


def turned(followup: FollowUp, news: Sequence[News], language: Language) -> Runs:
    """Say what became of an item; what fixed it, took it back or holds it is linked."""
    following = followup.following
    assert following is not None  # it was looked at
    return _turned(followup.item_key, following.reported, news, language)


def correction_runs(correction: Correction, language: Language) -> Runs:
    """Say what makes wrong what was told."""
    return _turned(correction.item_key, correction.standing, (correction.turn,), language)


def _turned(key: str, now: Standing, news: Sequence[News], language: Language) -> Runs:
    repo = read_key(key).repo
    links: dict[str, Run] = {
        "fix": Link(now.fix, upstream_url(repo, now.fix)),
        "by": Link(now.reverted_by, upstream_url(repo, now.reverted_by)),
        "pin": Foreign(now.pin),
        "title": Foreign(now.title),
        "release": Link(now.release, ItemKey(repo, Kind.RELEASE, now.release).url),
        "repo": Foreign(str(repo)),
    }
    words = CATALOGUES[language].upstream
    gone = {News.MISSING: words.repo_gone} if now.is_repo_gone else {}
    phrases = (gone.get(each) or words.turns[each] for each in news)
    return joined([fill(each, **links) for each in phrases], entries.DOT)


def awaits(followup: FollowUp) -> bool:
    """Return whether an item may still get into a release."""
    following = followup.following
    if read_key(followup.item_key).kind is Kind.RELEASE or following is None:
        return False
    shown = following.reported
    return not (shown.release or shown.reverted_by or shown.state is None)


def _people(followup: FollowUp, language: Language) -> Runs:
    known = sorted(followup.flagged_by, key=lambda person: (followup.name_of(person), person))
    return joined(((_person(followup, person),) for person in known), CATALOGUES[language].comma)


def _person(followup: FollowUp, person: str) -> Foreign:
    return Foreign(followup.name_of(person))
