from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.channels import Channel, Person, Platform
from bot.model.followups import (
    FollowUp,
    Question,
    Reaction,
    ReactionKind,
    ReactionRecord,
    Which,
    ask,
    choose,
    listing,
    missed,
    nudges,
    react,
)

FLAG, TAKE, DONE = ReactionKind.FLAG, ReactionKind.TAKE, ReactionKind.DONE
CHANNEL = Channel(Platform.SLACK, "T1", "C1")
KEY = "o/r:pull_request:1"
BLANK = FollowUp(None, CHANNEL, KEY, "Drop Volta", "#1", "https://github.com/o/r/pull/1")
START = datetime(2026, 2, 12, 9, tzinfo=UTC)


def person(name: str, *, is_bot: bool = False) -> Person:
    return Person(Platform.SLACK, "T1", name, name.title(), is_bot=is_bot)


def reaction(
    kind: ReactionKind, who: str, minute: int, *, added: bool = True, message: str = "m1"
) -> Reaction:
    at = START + timedelta(minutes=minute)
    return Reaction(kind, person(who), added, (KEY,), at, message)


def after(*reactions: Reaction) -> FollowUp:
    current = BLANK
    for each in reactions:
        current = react(current, each).followup or current
    return current


def notices(*reactions: Reaction) -> list[tuple[str, str] | None]:
    current: FollowUp | None = None
    said: list[tuple[str, str] | None] = []
    for each in reactions:
        outcome = react(current, each, blank=BLANK)
        current = outcome.followup
        said.append(outcome.notice and (outcome.notice.kind.value, outcome.notice.person))
    return said


LIVES = {
    "all who flag": ("flag ann, flag ben, flag ann", "open", "ann ben", None, None),
    "taking opens what nobody flagged": ("take ann", "taken", "", "ann", None),
    "the first who takes": ("flag ann, take ben, take cho", "taken", "ann", "ben", None),
    "the next owner": ("flag ann, take ben, take cho, -take ben", "taken", "ann", "cho", None),
    "done": ("flag ann, take ben, done ben", "done", "ann", "ben", "ben"),
    "not done": ("flag ann, take ben, done ben, -done ben", "taken", "ann", "ben", None),
    "done by two": ("flag ann, done ben, done cho", "done", "ann", None, "ben"),
    "still done": ("flag ann, done ben, done cho, -done ben", "done", "ann", None, "cho"),
    "done on what nobody flagged": ("done ann", "gone", "", None, None),
    "flagged after a stray done": ("done ann, flag ben", "open", "ben", None, None),
    "taken after a stray done": ("done ann, take ben", "taken", "", "ben", None),
    "done between two lives": ("flag ann, -flag ann, done ben, take cho", "taken", "", "cho", None),
    "owned after the flag went": ("flag ann, take ben, -flag ann", "taken", "", "ben", None),
    "flagged after it was let go": ("flag ann, take ben, -take ben", "open", "ann", None, None),
    "all taken back": ("flag ann, take ben, -flag ann, -take ben", "gone", "", None, None),
    "one flag less": ("flag ann, flag ben, -flag ann", "open", "ben", None, None),
    "one of two messages": ("flag ann, flag ann m2, -flag ann", "open", "ann", None, None),
    "both messages": ("flag ann, flag ann m2, -flag ann, -flag ann m2", "gone", "", None, None),
    "flagged after done": ("flag ann, done ben, flag cho", "open", "ann cho", None, None),
    "that flag went": ("flag ann, done ben, flag cho, -flag cho", "done", "ann", None, "ben"),
    "looking at what is done": ("flag ann, done ben, take cho", "done", "ann", "cho", "ben"),
    "a button takes all back": (
        *("flag ann, flag ann button, flag ben, -flag ann button", "open", "ben", None, None),
    ),
    "a button opens for others": (
        *("flag ann, done ben, done cho, -done dan button", "open", "ann", None, None),
    ),
}


def said(words: str) -> list[Reaction]:
    """Read `flag ann, -take ben m2, done cho button`, a minute between two of them."""
    found = []
    for minute, each in enumerate(words.split(", ")):
        kind, who, *message = each.split()
        where = message[0].replace("button", "") if message else "m1"
        of_kind = ReactionKind(kind.removeprefix("-"))
        is_added = not kind.startswith("-")
        found.append(reaction(of_kind, who, minute, added=is_added, message=where))
    return found


@pytest.mark.parametrize(("words", "state", "flagged", "taken", "done"), LIVES.values(), ids=LIVES)
def test_a_follow_up_is_what_people_said_of_it(
    words: str, state: str, flagged: str, taken: str | None, done: str | None
) -> None:
    one = after(*said(words))

    assert (one.state, one.flagged_by) == (state, set(flagged.split()))
    assert (one.taken_by, one.done_by) == (taken, done)


@pytest.mark.parametrize(
    "ignored",
    [
        Reaction(FLAG, person("app", is_bot=True), True, (KEY,), START, "m1"),
        Reaction(FLAG, person("eve"), True, (KEY,), START, "m1", in_channel=False),
        Reaction(FLAG, person("ann"), True, (KEY, "o/r:issue:2"), START, "m1"),
        Reaction(FLAG, person("ann"), True, (), START, "m1"),
    ],
)
def test_bots_outsiders_and_messages_about_no_one_item_change_nothing(ignored: Reaction) -> None:
    open_one = after(reaction(FLAG, "ann", 0))

    assert react(None, ignored, blank=BLANK).followup is None
    outcome = react(open_one, ignored)
    assert outcome.followup is open_one
    assert outcome.notice is None


REACTIONS = st.lists(
    st.builds(
        lambda kind, who, minute, added, message: reaction(
            kind, who, minute, added=added, message=message
        ),
        st.sampled_from(ReactionKind),
        st.sampled_from(["ann", "ben", "cho"]),
        st.integers(0, 12),
        st.booleans(),
        st.sampled_from(["m1", "m2", ""]),
    ),
    max_size=14,
)


@given(REACTIONS, st.data())
def test_events_in_any_order_and_repetition_give_one_effect(
    reactions: list[Reaction], data: st.DataObject
) -> None:
    repeated = reactions + data.draw(
        st.lists(st.sampled_from(reactions)) if reactions else st.just([])
    )
    shuffled = data.draw(st.permutations(repeated))

    assert after(*shuffled) == after(*reactions)


@given(REACTIONS, st.sampled_from(ReactionKind))
def test_a_reaction_taken_back_undoes_exactly_what_it_did(
    reactions: list[Reaction], kind: ReactionKind
) -> None:
    before = after(*reactions)
    with_it = after(*reactions, reaction(kind, "dan", 20, message="m3"))
    undone = react(with_it, reaction(kind, "dan", 21, added=False, message="m3")).followup

    assert undone
    assert replace(undone, marks=()) == replace(before, marks=())


def opened(number: int, *, days_ago: float, now: datetime = START) -> FollowUp:
    key = f"o/r:issue:{number}"
    flag = Reaction(FLAG, person("ann"), True, (key,), now - timedelta(days=days_ago), "m")
    followup = react(FollowUp(None, CHANNEL, key, "t", f"#{number}", "u"), flag).followup
    assert followup
    return followup


def test_lists_hold_what_is_asked_for_the_oldest_first() -> None:
    young, old = opened(1, days_ago=1), opened(2, days_ago=3)
    ben = react(
        opened(3, days_ago=2),
        Reaction(TAKE, person("ben"), True, ("o/r:issue:3",), START, "m"),
    ).followup
    closed = react(
        opened(4, days_ago=4),
        Reaction(DONE, person("ben"), True, ("o/r:issue:4",), START, "m"),
    ).followup
    assert ben
    assert closed
    every = [young, old, ben, closed, BLANK]

    assert listing(every, Which.OPEN) == (old, ben, young)
    assert listing(every, Which.MINE, person("ben")) == (ben,)
    assert listing(every, Which.MINE, person("ann")) == (old, ben, young)
    assert listing(every, Which.MINE) == ()
    assert listing(every, Which.DONE) == (closed,)
    assert listing(every, Which.ALL) == (closed, old, ben, young)


def test_what_is_done_is_not_nudged_and_what_is_opened_again_counts_anew() -> None:
    week = replace(opened(1, days_ago=7), nudged_at=START)
    about = ("o/r:issue:1",)
    closed = react(week, Reaction(DONE, person("ben"), True, about, START, "m")).followup
    assert closed
    reflag = Reaction(FLAG, person("cho"), True, about, START + timedelta(days=10), "m")
    again = react(closed, reflag).followup
    assert again

    assert nudges([closed], START + timedelta(days=30)) == ()
    assert nudges([again], START + timedelta(days=16)) == ()
    assert nudges([again], START + timedelta(days=17)) == (again,)


GUILD = Channel(Platform.DISCORD, "1", "2")
ADA = Person(Platform.DISCORD, "1", "10", "ada")
BO = Person(Platform.DISCORD, "1", "11", "bo")
BOT = Person(Platform.DISCORD, "1", "12", "bot", is_bot=True)
NOW = datetime(2026, 2, 12, 9, tzinfo=UTC)
FLAGGED = ReactionRecord(ReactionKind.FLAG, "10", "m", NOW, None, "ada")


@pytest.mark.parametrize(
    ("mark", "present", "who", "added"),
    [
        (FLAGGED, (ADA, BO, BOT), BO, True),
        (FLAGGED, (), ADA, False),
        (replace(FLAGGED, removed_at=NOW), (ADA,), ADA, True),
    ],
    ids=["came", "went, by the name that is known", "came again"],
)
def test_what_came_and_went_unheard_is_told(
    mark: ReactionRecord, present: tuple[Person, ...], who: Person, added: bool
) -> None:
    (heard,) = missed((mark,), {ReactionKind.FLAG: present}, GUILD, "m", NOW)

    assert (heard.person, heard.added, heard.message, heard.at) == (who, added, "m", NOW)


KEYS = ("o/r:pull_request:1", "o/r:pull_request:2")
NEW = Question(CHANNEL, "parent", KEYS)


def flag(who: str, minute: int, *, added: bool = True) -> Reaction:
    at = START + timedelta(minutes=minute)
    return Reaction(ReactionKind.FLAG, person(who), added, KEYS, at, "parent")


def blank(key: str = KEYS[0]) -> FollowUp:
    return FollowUp(None, CHANNEL, key, "Drop Volta", "#1", "https://github.com/o/r/pull/1")


def asked_after(*reactions: Reaction, question: Question = NEW) -> tuple[Question, list[str]]:
    """Give the question after reactions, and who was asked, in that order."""
    new_requirements = []
    for each in reactions:
        asked = ask(question, each)
        question = asked.question
        new_requirements += [each.person.id] if asked.ask else []
    return question, new_requirements


def test_taking_the_flag_back_takes_back_what_was_chosen_and_only_that() -> None:
    own = Reaction(ReactionKind.FLAG, person("ben"), True, (KEYS[0],), START, "item")
    flagged = react(blank(), own).followup
    assert flagged
    question, _ = asked_after(flag("ann", 0))
    answered, outcome = choose(question, flagged, person("ann"), START + timedelta(minutes=1))
    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann", "ben"}

    undone = ask(answered, flag("ann", 2, added=False), [outcome.followup])

    assert [each.followup and each.followup.flagged_by for each in undone.followups] == [{"ben"}]


@given(
    st.lists(
        st.builds(
            lambda who, minute, added: flag(who, minute, added=added),
            st.sampled_from(["ann", "ben"]),
            st.integers(0, 8),
            st.booleans(),
        ),
        max_size=10,
    )
)
def test_only_those_whose_flag_stands_count_as_asked(reactions: list[Reaction]) -> None:
    question, _ = asked_after(*reactions)

    assert question.asked == {who for who in ("ann", "ben") if question.flagged_at(who) is not None}
