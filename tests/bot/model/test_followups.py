from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.channels import Channel, Person, Platform
from bot.model.followups import (
    FollowUp,
    FollowUpState,
    Reaction,
    ReactionKind,
    Which,
    listing,
    nudged,
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


def test_a_person_is_called_by_the_latest_name() -> None:
    early, late = reaction(FLAG, "ann", 0), reaction(FLAG, "ann", 1)
    late = replace(late, person=replace(late.person, name="Anna"))

    assert after(early, late).name_of("ann") == "Anna"
    assert after(late, early).name_of("ann") == "Anna"
    assert after(early).name_of("nobody") == "nobody"


def test_it_counts_from_the_flag_that_opened_it() -> None:
    assert after(*said("flag ann, flag ben, flag ann")).opened_at == START + timedelta(minutes=1)
    assert after(*said("flag ann, done ben, flag cho")).opened_at == START + timedelta(minutes=2)


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


def test_who_left_the_channel_can_still_take_back() -> None:
    gone = replace(reaction(FLAG, "ann", 1, added=False), in_channel=False)

    assert after(reaction(FLAG, "ann", 0), gone).state is FollowUpState.GONE


def test_a_reaction_is_never_applied_to_the_follow_up_of_another_item() -> None:
    other = replace(reaction(FLAG, "ann", 0), about=("o/r:issue:2",))

    with pytest.raises(ValueError, match="o/r:issue:2"):
        react(BLANK, other)
    with pytest.raises(ValueError, match="o/r:issue:2"):
        react(None, other)


def test_notices_tell_what_changed_and_stay_silent_where_nothing_did() -> None:
    words = "flag ann, take ben, take cho, -take ben, -take cho, done cho, done ann, -done cho"

    assert notices(*said(f"{words}, -done ann, -flag ann")) == [
        *(("flagged", "ann"), ("taken", "ben"), None, ("taken", "cho"), ("released", "cho")),
        *(("done", "cho"), None, ("done", "ann"), ("reopened", "ann"), ("unflagged", "ann")),
    ]
    assert notices(*said("done ann")) == [None]
    assert notices(*said("flag ann, done ben, flag cho"))[-1] == ("reopened", "cho")


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


@given(REACTIONS)
def test_a_notice_is_given_where_people_see_a_change_and_only_there(
    reactions: list[Reaction],
) -> None:
    current = BLANK
    for each in reactions:
        outcome = react(current, each)
        assert outcome.followup
        seen = [
            (one.state, one.flagged_by, one.taken_by, one.done_by)
            for one in (current, outcome.followup)
        ]
        assert (outcome.notice is not None) == (seen[0] != seen[1])
        current = outcome.followup
        assert (current.opened_at is None) == (current.state is FollowUpState.GONE)


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


def test_one_nudge_when_an_open_follow_up_is_a_week_old() -> None:
    week, older, young = opened(1, days_ago=7), opened(2, days_ago=9), opened(3, days_ago=6.99)

    assert nudges([week, young, older, BLANK], START) == (older, week)
    assert nudges([nudged(week, START)], START + timedelta(days=30)) == ()


def test_what_is_done_is_not_nudged_and_what_is_opened_again_counts_anew() -> None:
    week = nudged(opened(1, days_ago=7), START)
    about = ("o/r:issue:1",)
    closed = react(week, Reaction(DONE, person("ben"), True, about, START, "m")).followup
    assert closed
    reflag = Reaction(FLAG, person("cho"), True, about, START + timedelta(days=10), "m")
    again = react(closed, reflag).followup
    assert again

    assert nudges([closed], START + timedelta(days=30)) == ()
    assert nudges([again], START + timedelta(days=16)) == ()
    assert nudges([again], START + timedelta(days=17)) == (again,)
