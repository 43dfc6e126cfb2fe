from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.compose.followup_parts import deep_dive_part
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import (
    FollowUp,
    Question,
    QuestionOutcome,
    Reaction,
    ReactionKind,
    ask,
    choose,
    react,
)
from digest.languages import Language

CHANNEL = Channel(Platform.SLACK, "T1", "C1")
KEYS = ("o/r:pull_request:1", "o/r:pull_request:2")
NEW = Question(CHANNEL, "parent", KEYS)
START = datetime(2026, 2, 12, 9, tzinfo=UTC)


def person(name: str, *, is_bot: bool = False) -> Person:
    return Person(Platform.SLACK, "T1", name, name.title(), is_bot=is_bot)


def flag(who: str, minute: int, *, added: bool = True) -> Reaction:
    at = START + timedelta(minutes=minute)
    return Reaction(ReactionKind.FLAG, person(who), added, KEYS, at, "parent")


def blank(key: str = KEYS[0]) -> FollowUp:
    return FollowUp(None, CHANNEL, key, "Drop Volta", "#1", "https://github.com/o/r/pull/1")


def after(*reactions: Reaction, question: Question = NEW) -> tuple[Question, list[str]]:
    """Give the question after reactions, and who was asked, in that order."""
    new_requirements = []
    for each in reactions:
        asked = ask(question, each)
        question = asked.question
        new_requirements += [each.person.id] if asked.ask else []
    return question, new_requirements


def test_whoever_flags_several_items_is_asked_once_which_one() -> None:
    flags = [flag("ann", 0), flag("ann", 0), flag("ben", 1), flag("ann", 0)]

    assert after(*flags)[1] == ["ann", "ben"]


def test_who_chooses_is_the_one_who_flags() -> None:
    question, _ = after(flag("ann", 0), flag("ben", 1))
    question = replace(question, waiting=frozenset({"ann", "ben"}))

    answered, outcome = choose(question, blank(), person("ben"), START + timedelta(minutes=2))

    assert outcome.followup
    assert outcome.followup.flagged_by == {"ben"}
    assert outcome.followup.shown_on == ("parent",)
    assert answered.waiting == {"ann"}


def test_who_chooses_without_a_flag_on_the_message_flags_the_item_all_the_same() -> None:
    question, _ = after(flag("ann", 0))

    _, outcome = choose(question, blank(), person("dee"), START + timedelta(minutes=1))

    assert outcome.followup
    assert outcome.followup.flagged_by == {"dee"}
    assert [mark.message for mark in outcome.followup.marks] == [""]


def test_taking_the_flag_back_takes_back_what_was_chosen_and_only_that() -> None:
    own = Reaction(ReactionKind.FLAG, person("ben"), True, (KEYS[0],), START, "item")
    flagged = react(blank(), own).followup
    assert flagged
    question, _ = after(flag("ann", 0))
    answered, outcome = choose(question, flagged, person("ann"), START + timedelta(minutes=1))
    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann", "ben"}

    undone = ask(answered, flag("ann", 2, added=False), [outcome.followup])

    assert [each.followup and each.followup.flagged_by for each in undone.followups] == [{"ben"}]


def test_who_takes_the_flag_back_waits_no_more_and_is_asked_again_with_the_next() -> None:
    question, _ = after(flag("ann", 0))
    waits = replace(question, waiting=frozenset({"ann"}))

    gone, _ = after(flag("ann", 1, added=False), question=waits)

    assert gone.waiting == frozenset()
    assert after(flag("ann", 2), question=gone)[1] == ["ann"]


def test_a_flag_heard_of_after_it_was_taken_back_does_not_ask() -> None:
    assert after(flag("ann", 1, added=False), flag("ann", 0))[1] == []


@pytest.mark.parametrize("kind", [ReactionKind.TAKE, ReactionKind.DONE])
def test_taking_and_closing_asks_nothing(kind: ReactionKind) -> None:
    assert ask(NEW, replace(flag("ann", 0), kind=kind)) == QuestionOutcome(NEW)


def test_bots_and_people_outside_the_channel_are_not_asked() -> None:
    bot = replace(flag("app", 0), person=person("app", is_bot=True))

    assert ask(NEW, bot) == QuestionOutcome(NEW)
    assert ask(NEW, replace(flag("eve", 0), in_channel=False)) == QuestionOutcome(NEW)
    assert choose(NEW, blank(), person("app", is_bot=True), START)[1].notice is None


def test_an_item_that_the_message_is_not_about_cannot_be_chosen() -> None:
    with pytest.raises(ValueError, match="o/r:issue:9"):
        choose(NEW, blank("o/r:issue:9"), person("ann"), START)


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
    question, _ = after(*reactions)

    assert question.asked == {who for who in ("ann", "ben") if question.flagged_at(who) is not None}


def test_a_deep_dive_asks_which_one_without_the_sign_of_a_flag() -> None:
    part = deep_dive_part([blank(), blank(KEYS[1])], Language.EN)

    assert part.summary == "Which one?"
    assert [action.value for action in part.actions] == list(KEYS)
