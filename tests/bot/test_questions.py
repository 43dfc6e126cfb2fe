from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.compose.followup_parts import deep_dive_part
from bot.model.channels import Channel, Person, Platform
from bot.model.followups import FollowUp, Reaction, ReactionKind, react, unopened
from bot.model.questions import Asked, Question, ask, choose
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
    return unopened(CHANNEL, key, "Drop Volta", "#1", "https://github.com/o/r/pull/1")


def after(*reactions: Reaction, question: Question = NEW) -> tuple[Question, int, int]:
    """Give the question after reactions, and how often it was sent and withdrawn."""
    sent = withdrawn = 0
    for each in reactions:
        asked = ask(question, each)
        question = asked.question
        sent += asked.post
        withdrawn += asked.withdraw
    return question, sent, withdrawn


def test_a_flag_on_several_items_asks_which_one() -> None:
    asked = ask(NEW, flag("ann", 0))

    assert asked.post
    assert asked.question.stands


def test_the_question_is_asked_once_for_all_who_flag_while_it_stands() -> None:
    assert after(flag("ann", 0), flag("ann", 0), flag("ben", 1), flag("ann", 0))[1:] == (1, 0)


def test_a_choice_flags_the_item_for_who_chose_and_withdraws_the_question() -> None:
    question, *_ = after(flag("ann", 0))
    asked, outcome = choose(question, blank(), person("ann"), START + timedelta(minutes=1))

    assert asked.withdraw
    assert not asked.question.stands
    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann"}
    assert outcome.notice


def test_everybody_whose_flag_stands_flags_what_one_of_them_chose() -> None:
    reactions = [flag("ann", 0), flag("ben", 1), flag("cho", 2), flag("cho", 3, added=False)]
    question, *_ = after(*reactions)
    asked, outcome = choose(question, blank(), person("ben"), START + timedelta(minutes=4))

    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann", "ben"}
    assert outcome.followup.name_of("ann") == "Ann"
    undone = ask(asked.question, flag("ann", 5, added=False), [outcome.followup])
    assert [each.followup and each.followup.flagged_by for each in undone.followups] == [{"ben"}]


def test_who_chooses_for_others_flags_nothing() -> None:
    question, *_ = after(flag("ann", 0))
    _, outcome = choose(question, blank(), person("dee"), START + timedelta(minutes=1))

    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann"}


def test_who_was_asked_is_not_asked_again_after_the_choice_but_who_comes_later_is() -> None:
    question, *_ = after(flag("ann", 0), flag("ben", 1))
    asked, _ = choose(question, blank(), person("ann"), START + timedelta(minutes=2))

    assert not ask(asked.question, flag("ben", 1)).post
    assert ask(asked.question, flag("cho", 3)).post


def test_a_second_choice_of_one_question_changes_nothing() -> None:
    question, *_ = after(flag("ann", 0))
    asked, _ = choose(question, blank(), person("ann"), START)
    again, outcome = choose(asked.question, blank(KEYS[1]), person("ann"), START)

    assert again == Asked(asked.question)
    assert outcome.followup == blank(KEYS[1])
    assert outcome.notice is None


def test_a_question_that_could_not_be_deleted_is_withdrawn_again_by_the_next_choice() -> None:
    question, *_ = after(flag("ann", 0))
    answered, _ = choose(replace(question, ref="9.1"), blank(), person("ann"), START)
    seen_still, outcome = choose(answered.question, blank(), person("ben"), START)
    assert seen_still.withdraw
    assert outcome.notice is None
    gone = replace(answered.question, ref="")
    assert not choose(gone, blank(), person("ben"), START)[0].withdraw


def test_taking_the_flag_back_withdraws_a_question_that_nobody_waits_for() -> None:
    both = [flag("ann", 0), flag("ben", 1)]

    assert after(*both, flag("ann", 2, added=False))[2] == 0
    assert after(*both, flag("ann", 2, added=False), flag("ben", 3, added=False))[2] == 1


def test_taking_the_flag_back_takes_back_what_was_chosen_and_only_that() -> None:
    own = Reaction(ReactionKind.FLAG, person("ben"), True, (KEYS[0],), START, "item")
    flagged = react(blank(), own).followup
    assert flagged
    question, *_ = after(flag("ann", 0))
    asked, outcome = choose(question, flagged, person("ann"), START + timedelta(minutes=1))
    assert outcome.followup
    assert outcome.followup.flagged_by == {"ann", "ben"}

    undone = ask(asked.question, flag("ann", 2, added=False), [outcome.followup])

    assert [each.followup and each.followup.flagged_by for each in undone.followups] == [{"ben"}]
    assert not undone.withdraw


def test_flagging_again_after_taking_it_back_asks_again() -> None:
    assert after(flag("ann", 0), flag("ann", 1, added=False), flag("ann", 2))[1:] == (2, 1)


def test_a_flag_heard_of_after_it_was_taken_back_does_not_ask() -> None:
    assert after(flag("ann", 1, added=False), flag("ann", 0))[1:] == (0, 0)


@pytest.mark.parametrize("kind", [ReactionKind.TAKE, ReactionKind.DONE])
def test_taking_and_closing_several_items_does_nothing(kind: ReactionKind) -> None:
    assert ask(NEW, replace(flag("ann", 0), kind=kind)) == Asked(NEW)


def test_bots_and_people_outside_the_channel_are_not_asked() -> None:
    bot = replace(flag("app", 0), person=person("app", is_bot=True))
    question, *_ = after(flag("ann", 0))

    assert ask(NEW, bot) == Asked(NEW)
    assert ask(NEW, replace(flag("eve", 0), in_channel=False)) == Asked(NEW)
    assert choose(question, blank(), person("app", is_bot=True), START)[0] == Asked(question)


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
def test_at_most_one_question_stands_and_only_while_somebody_waits(
    reactions: list[Reaction],
) -> None:
    question, standing = NEW, 0
    for each in reactions:
        asked = ask(question, each)
        question = asked.question
        standing += asked.post - asked.withdraw
        assert standing == question.stands
        assert standing in (0, 1)
        assert bool(question.asked) >= question.stands


def test_a_deep_dive_asks_which_one_without_the_sign_of_a_flag() -> None:
    part = deep_dive_part([blank(), blank(KEYS[1])], Language.EN)

    assert part.summary == "Which one?"
    assert [action.value for action in part.actions] == list(KEYS)
