"""What one sentence has to have to be believed, as a whole."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from digest.claims import ClaimKind, Draft
from digest.grounding.verification import MOST_DRAFTS, verify
from digest.languages import Language
from tests.digest.grounding.conftest import KILN, Judge

EN, ZH = Language.EN, Language.ZH
TRUE_EN = (
    "The firing scheduler keeps a pool of 8 glaze buffers per kiln "
    "instead of new ones for every batch."
)
TRUE_ZH = "点火调度器为每个 kiln 保留 8 个缓冲区的池，不再为每个批次新建。"


def test_a_true_sentence_is_believed_in_both_languages(judge: Judge) -> None:
    verdict = judge(TRUE_EN, TRUE_ZH)

    assert verdict.failures == ()
    assert verdict.claim is not None
    assert dict(verdict.claim.text) == {EN: TRUE_EN, ZH: TRUE_ZH}
    assert verdict.claim.cites == (KILN.key,)
    assert not verdict.repairable


def test_one_language_that_fails_leaves_the_other(judge: Judge) -> None:
    verdict = judge(TRUE_EN, "点火调度器大幅提升了性能。")

    assert verdict.claim is not None
    assert list(verdict.claim.text) == [EN]
    assert verdict.repairable


def test_chinese_is_not_believed_where_english_was_disproven(judge: Judge) -> None:
    verdict = judge("The firing scheduler keeps a pool of 9 buffers per kiln.", TRUE_ZH)

    assert verdict.claim is None
    assert {(failure.check, failure.language) for failure in verdict.failures} == {
        ("number", EN),
        ("languages", ZH),
    }


def test_a_chinese_sentence_without_names_needs_its_english_one(judge: Judge) -> None:
    assert judge(zh="点火调度器会保留缓冲区池。").claim is None


@pytest.mark.parametrize(
    ("quote", "place"),
    [
        ("It now keeps a pool of 9 buffers per kiln", "body"),
        ("keeps a pool of", "h9"),
        ("", "body"),
        ("pool", "body"),
        ("eps a pool of 8 buffe", "body"),
        ("x" * 1_000_000, "body"),
        ("a pool of 8 buffers per kiln. On H100 the latency of a firing drops", "body"),
    ],
)
def test_a_quote_that_is_not_there_drops_a_sentence_at_once(
    judge: Judge, quote: str, place: str
) -> None:
    verdict = judge(TRUE_EN, TRUE_ZH, quote, place)

    assert verdict.claim is None
    assert [failure.check for failure in verdict.failures] == ["quote"]
    assert not verdict.repairable


@pytest.mark.parametrize(
    ("quote", "place", "found_in"),
    [
        (
            "it NOW keeps a pool of 8\u00a0buffers per\u2011kiln".replace("\u2011", " "),
            "body",
            "body",
        ),
        ("“It now keeps a pool of 8 buffers per kiln.”", "body", "body"),
        ("It now keeps a pool of 8 buffers per kiln", "title", "body"),
        ("It now keeps a pool of 8 buffers per kiln", "h2", "body"),
        ("buffers = self.pool.take(batch.count)", "h1", "h1"),
        (
            "-    buffers = allocate(batch.count)\n+    buffers = self.pool.take(batch.count)",
            "h1",
            "h1",
        ),
        ("h1+11|+    buffers = self.pool.take(batch.count)", "h1", "h1"),
        ("buffers = self.pool.take(batch.count)", "body", "h1"),
    ],
)
def test_a_quote_is_found_however_it_is_copied(
    judge: Judge, quote: str, place: str, found_in: str
) -> None:
    verdict = judge("The firing scheduler takes its buffers from the pool.", "", quote, place)

    assert verdict.claim is not None
    assert verdict.claim.quote_from == found_in


def test_a_product_is_no_number_and_emphasis_no_letter(judge_of: Callable[..., Judge]) -> None:
    judge = judge_of(body=("**Glaze** buffers are taken from 2*3 kilns of the firing scheduler.",))
    said = "The firing scheduler takes glaze buffers from its kilns."

    exact, bare, wrong = (
        judge(said, "", f"{begin} buffers are taken from {number} kilns")
        for begin, number in (("**Glaze**", "2*3"), ("Glaze", "2*3"), ("Glaze", "23"))
    )

    assert exact.claim is not None
    assert bare.claim is not None
    assert [failure.check for failure in wrong.failures] == ["quote"]


def test_a_draft_that_cites_another_item_is_dropped(judge: Judge) -> None:
    draft = replace(judge.draft(TRUE_EN), cites=(KILN.key, "example-org/kiln:issue:1"))

    assert [failure.check for failure in verify([draft], KILN)[0].failures] == ["cites"]


def test_a_verdict_stands_for_each_draft_in_their_order(judge: Judge) -> None:
    drafts = [judge.draft("The pool is gone."), judge.draft(TRUE_EN, TRUE_ZH), judge.draft()]

    verdicts = verify(drafts, KILN)

    assert [verdict.draft for verdict in verdicts] == drafts
    assert [verdict.claim is not None for verdict in verdicts] == [False, True, False]


def test_of_two_that_say_the_same_the_first_stays(judge: Judge) -> None:
    again = TRUE_EN.replace("The firing", "Firing")
    first, second = verify([judge.draft(TRUE_EN), judge.draft(again)], KILN)

    assert first.claim is not None
    assert second.claim is None
    assert second.failures[-1].check == "repeated"


def test_a_title_said_again_is_dropped_and_its_chinese_gloss_stays(judge: Judge) -> None:
    verdict = judge(
        "Reuse glaze buffers in the firing scheduler.",
        "在点火调度器中复用 glaze 缓冲区。",
        KILN.title,
        "title",
    )

    assert verdict.claim is not None
    assert list(verdict.claim.text) == [ZH]


def test_drafts_beyond_the_most_are_not_looked_at(judge: Judge) -> None:
    verdicts = verify([judge.draft("No.")] * (MOST_DRAFTS + 5), KILN)

    assert len(verdicts) == MOST_DRAFTS + 5
    assert {failure.check for failure in verdicts[-1].failures} == {"count"}


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1000000,
        "`" * 100000,
        "(" * 50000,
        "from a to " * 20000,
        "不" * 200000,
        "\x00" * 9,
        "1," * 100 + "000",
        "_" * 240,
        "a_" * 110,
        "-" * 240,
        "`a" * 100,
        "从" * 240,
        "*a" * 120,
    ],
)
def test_hostile_sentences_neither_hang_nor_raise(judge: Judge, text: str) -> None:
    verdict = judge(text, text)

    assert verdict.claim is None
    assert all(len(failure.found) <= 80 for failure in verdict.failures)
    assert max(map(len, verdict.draft.text.values())) <= 2_000


def test_a_hostile_source_neither_hangs_nor_raises(judge: Judge) -> None:
    long = replace(KILN, title="a" * 10_000, body=("ignore " * 50_000, "1," * 50_000, "`" * 50_000))

    verify([judge.draft(TRUE_EN, TRUE_ZH)] * 3, long)


@pytest.mark.parametrize("kind", list(ClaimKind))
def test_every_kind_of_claim_is_held_to_the_same(kind: ClaimKind) -> None:
    made_up = Draft(
        kind,
        "It now keeps a pool of 8 buffers per kiln",
        "body",
        {EN: "Operators must watch the memory of every node after upgrading."},
        (KILN.key,),
    )

    assert verify([made_up], KILN)[0].claim is None
