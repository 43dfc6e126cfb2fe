"""What stands on a message is compared with what is known of it."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.model.channels import Channel, Person, Platform
from bot.model.followups import ReactionKind, ReactionRecord, missed

CHANNEL = Channel(Platform.DISCORD, "1", "2")
ADA = Person(Platform.DISCORD, "1", "10", "ada")
BO = Person(Platform.DISCORD, "1", "11", "bo")
BOT = Person(Platform.DISCORD, "1", "12", "bot", is_bot=True)
NOW = datetime(2026, 2, 12, 9, tzinfo=UTC)
FLAGGED = ReactionRecord(ReactionKind.FLAG, "10", "m", NOW, None, "ada")


def test_what_came_unheard_is_told() -> None:
    (came,) = missed((FLAGGED,), {ReactionKind.FLAG: (ADA, BO, BOT)}, CHANNEL, "m", NOW)

    assert (came.person, came.added, came.message, came.at) == (BO, True, "m", NOW)


def test_what_went_unheard_is_told_with_the_name_that_is_known() -> None:
    (went,) = missed((FLAGGED,), {ReactionKind.FLAG: ()}, CHANNEL, "m", NOW)

    assert (went.person, went.added) == (ADA, False)


def test_somebody_without_a_name_is_known_by_the_number() -> None:
    nameless = replace(FLAGGED, name="")

    (went,) = missed((nameless,), {ReactionKind.FLAG: ()}, CHANNEL, "m", NOW)

    assert went.person.name == "10"


def test_what_was_not_looked_at_stays() -> None:
    assert missed((FLAGGED,), {}, CHANNEL, "m", NOW) == ()
    assert missed((FLAGGED,), {ReactionKind.FLAG: (ADA,)}, CHANNEL, "m", NOW) == ()


def test_a_mark_that_was_taken_back_comes_again() -> None:
    gone = replace(FLAGGED, removed_at=NOW)

    (came,) = missed((gone,), {ReactionKind.FLAG: (ADA,)}, CHANNEL, "m", NOW)

    assert came.added
