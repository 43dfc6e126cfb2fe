"""Follow-ups as parts: the list, the question "which one?", corrections of what was told."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from bot.compose.item_part import correction_runs, state, turned, with_state
from bot.compose.shortening import listed
from bot.model.channels import Channel
from bot.model.following import Correction, News
from bot.model.followups import FollowUp, FollowUpState, Which
from bot.model.parts import Action, ActionKind, Part, PartKind, Thread
from digest.languages import Language
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Runs,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.phrasing import fill, joined
from digest.writing.rules import plain
from digest.writing.visible import inline

MOST_PRESSED = 8
"""Follow-ups of a list that have buttons: Discord takes 25 on a message."""

LISTED = "listed "
"""Begins the value of a button below a list: who presses it is shown the list anew."""

ELSEWHERE = "at "
"""Begins the value of a button below a list that stands in no channel: the channel follows."""

PRIVATE = "me"
"""Begins the value of a choice, all of which are shown to one person alone."""


def followups_part(
    followups: Sequence[FollowUp],
    language: Language,
    which: Which = Which.ALL,
    *,
    now: datetime | None = None,
    here: Channel | None = None,
    where: Mapping[int | None, str] = MappingProxyType({}),
) -> Part:
    """List follow-ups in their order: who flagged, took and closed each, and what became of it.

    `which` are the ones that were asked for: that there are none of them is said of these alone.
    `now` gives their ages, `where` the addresses of their messages, by their numbers; those of
    `here` have buttons, and all where the list stands in no channel.
    """
    words = CATALOGUES[language].thread
    if not followups:
        none = {Which.MINE: words.none_mine, Which.DONE: words.none_done}.get(
            which, words.no_followups
        )
        return Part(PartKind.ANSWER, (Paragraph((Words(none),)),), summary=none)
    counts = (
        ("🚩", words.followups, sum(each.is_open for each in followups)),
        ("✅", words.closed, sum(not each.is_open for each in followups)),
    )
    title = " · ".join(f"{mark} {say(number)}" for mark, say, number in counts if number)
    rows = [
        Entry(
            (*_named(each), Words("\n"), *_row(each, language, now, where.get(each.id, ""))),
            about=(each.item_key,),
        )
        for each in followups
    ]
    blocks: tuple[Block, ...] = (Paragraph((Strong((Words(title),)),)), Bullets(tuple(rows)))
    keys = tuple(each.item_key for each in followups)
    own = [each for each in followups if here in (None, each.channel)][:MOST_PRESSED]
    actions = tuple(action for each in own for action in _offered(each, language, here))
    return Part(PartKind.ANSWER, blocks, about=keys, actions=actions, summary=title)


def _row(followup: FollowUp, language: Language, now: datetime | None, address: str) -> Runs:
    """Say how one stands, since when, and where people talk of it."""
    words = CATALOGUES[language].thread
    cells: list[Runs] = [state(followup, language)]
    days = (now - followup.opened_at).days if now and followup.opened_at else 0
    if days > 0:
        cells.append((Words(words.days(days)),))
    if address:
        cells.append((Link(words.thread, address),))
    return joined(cells, entries.DOT)


def _offered(followup: FollowUp, language: Language, here: Channel | None) -> tuple[Action, ...]:
    """Return the buttons of a row; each names its item, as all of them stand below the list."""
    meant = f"{LISTED if here else f'{ELSEWHERE}{followup.channel} '}{followup.item_key}"
    kinds = {
        FollowUpState.OPEN: (ActionKind.TAKE, ActionKind.DONE),
        FollowUpState.TAKEN: (ActionKind.DONE,),
        FollowUpState.DONE: (ActionKind.REOPEN,),
    }
    return tuple(
        Action(
            kind,
            meant,
            f"{CATALOGUES[language].buttons[kind]} {followup.ref}",
        )
        for kind in kinds.get(followup.state, ())
    )


def read_elsewhere(value: str) -> tuple[Channel, str] | None:
    """Read channel and item of a button below a list that stands in no channel; else None."""
    if not value.startswith(ELSEWHERE):
        return None
    place, _, item_key = value.removeprefix(ELSEWHERE).partition(" ")
    return Channel.parse(place), item_key


def choice_part(
    message: str,
    items: Sequence[FollowUp],
    language: Language,
    *,
    address: str = "",
    first_line: str = "",
    more: int = 0,
) -> Part:
    """Ask one person which item of a message is meant; `read_choice` reads the choices' values.

    `address` leads to the message, `first_line` is told before, `more` is how many questions
    follow.
    """
    words = CATALOGUES[language].thread
    question: Runs = (Words(words.which_one),)
    if address:
        question = fill(words.which_one_of, message=Link(words.this_message, address))
    blocks: list[Block] = [Paragraph((Words(first_line),))] if first_line else []
    blocks.append(Paragraph(question))
    if more:
        blocks.append(Paragraph((Words(words.which_more(more)),), Tone.SMALL))
    return Part(
        PartKind.CHOICE,
        tuple(blocks),
        actions=tuple(
            Action(
                ActionKind.CHOOSE,
                f"{PRIVATE}|{message}|{each.item_key}",
                f"{each.ref} {inline(each.title)}".strip(),
            )
            for each in items
        ),
        summary=words.which_one,
    )


def invitation_part(language: Language) -> Part:
    """Invite whoever flagged a message about several items to say which one, by one button."""
    words = CATALOGUES[language].thread
    return Part(
        PartKind.CHOICE,
        (Paragraph((Words(words.which_invited),)),),
        actions=(Action.usual(ActionKind.WHICH, PRIVATE, language),),
        summary=words.which_invited,
    )


def with_states(part: Part, followups: Sequence[FollowUp], language: Language) -> Part:
    """Return a message about several items with a line for each of its follow-ups that stands."""
    lines = [
        (Foreign(each.ref), Words(" "), *state(each, language))
        for each in followups
        if each.state is not FollowUpState.GONE
    ]
    return replace(part, state=joined(lines, "\n"))


def with_followups(part: Part, followups: Sequence[FollowUp], language: Language) -> Part:
    """Return a part of an answer with its follow-ups' state; of one item with buttons."""
    standing = (each for each in followups if each.state is not FollowUpState.GONE)
    own = [each for each in standing if each.item_key in part.about][:MOST_PRESSED]
    if len(part.about) != 1 or not own:
        return with_states(part, own, language) if own else part
    (key,) = part.about
    usual = [Action.usual(each, key, language) for each in (ActionKind.TAKE, ActionKind.DONE)]
    first, others = part.actions[:1], part.actions[1:]
    return with_state(replace(part, actions=(*first, *usual, *others)), own[0], language)


def thread_with_followups(thread: Thread, followups: Sequence[FollowUp]) -> Thread:
    """Return a thread whose messages about one item show how that is followed up already."""
    known = {each.item_key: each for each in followups if each.state is not FollowUpState.GONE}

    def shown(part: Part) -> Part:
        own = known.get(part.about[0]) if len(part.about) == 1 else None
        return with_state(part, own, thread.language) if own else part

    replies = tuple(map(shown, thread.replies))
    return thread if replies == thread.replies else replace(thread, replies=replies)


def deep_dive_part(items: Sequence[FollowUp], language: Language) -> Part:
    """Ask one person which item of a message is to be explained at length."""
    words = CATALOGUES[language].thread
    return Part(
        PartKind.CHOICE,
        (Paragraph((Words(words.which_change),)),),
        actions=tuple(
            Action(ActionKind.DEEP_DIVE, each.item_key, f"{each.ref} {inline(each.title)}".strip())
            for each in items
        ),
        summary=words.which_change,
    )


def read_choice(value: str) -> tuple[str, str]:
    """Return message and item of a choice, also of a question that was asked of everybody once."""
    message, _, item_key = value.removeprefix(f"{PRIVATE}|").partition("|")
    return message, item_key


def notice_part(followup: FollowUp, language: Language) -> Part:
    """Tell of an item that has no message of its own how its follow-up stands."""
    summary = f"🚩 {followup.ref} {inline(followup.title)}"
    return _of_one(PartKind.NOTICE, _named(followup), summary, followup, language)


def news_part(followup: FollowUp, news: Sequence[News], language: Language) -> Part:
    """Tell what became of an item upstream, with how its follow-up stands below."""
    turn = turned(followup, news, language)
    mark = Words("↗ ")
    runs = (mark, Strong(turn), Words(entries.DOT), *_named(followup))
    summary = f"↗ {plain(turn)}{entries.DOT}{followup.ref} {inline(followup.title)}".strip()
    return _of_one(PartKind.NEWS, runs, summary, followup, language)


def owner_left_part(followups: Sequence[FollowUp], person: str, language: Language) -> Part:
    """Say that what a person took can be taken again, as they left; one has its buttons below."""
    first, *others = followups
    left = CATALOGUES[language].upstream.owner_left
    sentence = fill(left, person=Foreign(first.name_of(person)))
    if not others:
        runs = (*sentence, Words(entries.DOT), *_named(first))
        return _of_one(PartKind.NOTICE, runs, plain(runs), first, language)
    keys = tuple(each.item_key for each in followups)
    rows = [Entry(_named(each), about=(each.item_key,)) for each in followups[:MOST_PRESSED]]
    blocks = listed(sentence, rows, of=len(followups)).blocks
    return Part(PartKind.NEWS, tuple(blocks), keys, summary=plain(sentence))


def _of_one(
    kind: PartKind, runs: Runs, summary: str, followup: FollowUp, language: Language
) -> Part:
    actions = tuple(
        Action.usual(each, followup.item_key, language)
        for each in (ActionKind.TAKE, ActionKind.DONE)
    )
    part = Part(kind, (Paragraph(runs),), (followup.item_key,), actions, summary)
    return with_state(part, followup, language)


def _named(followup: FollowUp) -> Runs:
    link = Link(followup.ref, followup.url)
    if not followup.title:
        return (link,)
    return (Foreign(followup.title), Words(" "), link)


def with_corrections(part: Part, corrections: Sequence[Correction], language: Language) -> Part:
    """Return a message with what makes it wrong: at its head where it is about one item.

    Of several it is said behind the first link to each; another link to one has the sign alone.
    """
    if not corrections:
        return part
    if len(part.about) == 1:
        warning = Paragraph(correction_runs(corrections[0], language), Tone.WARNING)
        return replace(part, blocks=(warning, *part.blocks), summary=f"⚠ {part.summary}")
    marking = _Marking({each.url: correction_runs(each, language) for each in corrections})
    return replace(part, blocks=tuple(map(marking.block, part.blocks)))


class _Marking:
    """Marks what leads to items by their addresses; `said` is what became of each."""

    def __init__(self, marks: Mapping[str, Runs]) -> None:
        self._marks = marks
        self._met: set[str] = set()

    def block(self, block: Block) -> Block:
        match block:
            case Paragraph(runs):
                return replace(block, runs=self._runs(runs))
            case Bullets(entries):
                return Bullets(tuple(map(self._entry, entries)))
            case Table():
                rows = tuple(tuple(map(self._runs, row)) for row in block.rows)
                return replace(block, rows=rows)
            case Hunk() | Quote():
                return block

    def _entry(self, entry: Entry) -> Entry:
        runs = self._runs(entry.runs)
        return replace(entry, runs=runs, under=tuple(map(self._entry, entry.under)))

    def _runs(self, runs: Runs) -> Runs:
        marked: Runs = ()
        for run in runs:
            if isinstance(run, Strong):
                run = Strong(self._runs(run.runs))
            marked += (run,)
            if isinstance(run, Link) and run.url in self._marks:
                is_known = run.url in self._met
                self._met.add(run.url)
                warning = (Words(" (⚠ "), *self._marks[run.url], Words(")"))
                marked += (Words(" ⚠"),) if is_known else warning
        return marked
