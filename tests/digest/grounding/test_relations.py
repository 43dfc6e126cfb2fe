"""If, because, before, only: believed where the author's prose says so, never read out of code."""

from collections.abc import Callable

import pytest

from digest.evidence import Hunk
from tests.digest.grounding.conftest import Judge

BODY = (
    "The kiln waits for the glaze because the pump is slow. The pump starts before the fan.",
    "When `draft` is set the lid stays open; otherwise the lid locks.",
    "Only small kilns need a pump.",
    "The fan sends heat to the pump. Both vents close after the firing.",
)
CODE = (
    " def cool(self, kiln):",
    "+        # The lid locks before the fan starts.",
    "+        if kiln.draft:",
    "+            kiln.open_lid()",
    "+        else:",
    "+            kiln.lock_lid()",
    "+        kiln.start_fan()",
)


@pytest.fixture
def firing(judge_of: Callable[..., Judge]) -> Judge:
    """Judge a change whose author says how things hang together."""
    return judge_of(title="Change the kiln", body=BODY, hunks=(), hunks_total=0)


@pytest.fixture
def bare(judge_of: Callable[..., Judge]) -> Judge:
    """Judge a change of which nothing is known but its diff."""
    hunks = (Hunk("h1", "kiln/cool.py", 1, CODE),)
    return judge_of(title="Change the kiln", body=(), paragraphs=0, hunks=hunks, hunks_total=1)


@pytest.mark.parametrize(
    ("en", "quote"),
    [
        ("The kiln waits for glaze because the pump is slow.", "because the pump is slow"),
        ("Because the pump is slow, the kiln waits for glaze.", "because the pump is slow"),
        ("The pump starts before the fan does.", "The pump starts before the fan"),
        ("The lid stays open when `draft` is set.", "the lid stays open"),
        ("If `draft` is set, the lid stays open.", "the lid stays open"),
        ("A pump is needed by small kilns only.", "Only small kilns need a pump"),
        ("After the firing, both vents close.", "Both vents close after the firing"),
    ],
)
def test_a_relation_that_the_author_states_is_believed(firing: Judge, en: str, quote: str) -> None:
    assert firing.checks(en, quote=quote) == set()


@pytest.mark.parametrize(
    ("en", "quote"),
    [
        ("The pump is slow because the kiln waits for glaze.", "because the pump is slow"),
        ("The fan starts before the pump does.", "The pump starts before the fan"),
        ("The vents close before the firing.", "Both vents close after the firing"),
        ("Only the fan sends heat to the pump.", "The fan sends heat to the pump"),
        ("The kiln waits if the pump is slow.", "because the pump is slow"),
        ("Both kilns need a pump.", "Only small kilns need a pump"),
    ],
)
def test_another_relation_of_the_same_things_is_not(firing: Judge, en: str, quote: str) -> None:
    assert firing(en, quote=quote).claim is None


def test_a_comment_states_what_code_does_not(bare: Judge) -> None:
    quote = "The lid locks before the fan starts"

    assert bare.checks("The lid locks before the fan starts.", "", quote, "h1") == set()
    assert "relation" in bare.checks("The fan starts before the lid locks.", "", quote, "h1")


@pytest.mark.parametrize(
    "en",
    [
        "The kiln calls `open_lid` if `draft` is set.",
        "The kiln calls `lock_lid` if `draft` is set.",
        "The kiln calls `start_fan` after `lock_lid`.",
        "The kiln calls `open_lid` only for a `draft`.",
        "The kiln opens the lid, otherwise it calls `lock_lid`.",
    ],
)
def test_what_only_code_shows_is_not_told_as_a_relation(bare: Judge, en: str) -> None:
    assert "relation" in bare.checks(en, "", "if kiln.draft:", "h1")


def test_a_chinese_sentence_adds_no_relation(firing: Judge) -> None:
    quote = "The fan sends heat to the pump"
    verdict = firing("The fan sends heat to the pump.", "因为 fan 会向 pump 送热。", quote)

    assert verdict.claim is not None
    assert list(verdict.claim.text) == ["en"]


@pytest.mark.parametrize(
    "en",
    [
        "The fan pulls heat from the pump.",
        "The fan sends heat to the chimney.",
        "The fan sends spare heat to the pump.",
        "The fan sends heat to the pump safely.",
    ],
)
def test_every_word_is_one_of_the_passage(firing: Judge, en: str) -> None:
    assert "substance" in firing.checks(en, quote="The fan sends heat to the pump")


def test_words_that_mean_the_same_are_words_of_the_passage(firing: Judge) -> None:
    quote = "The fan sends heat to the pump"

    assert firing.checks("The fan now pushes heat to the pump.", quote=quote) == set()
