"""What is said with the right names: strength, denial, direction, substance."""

from collections.abc import Callable

import pytest

from digest.evidence import Hunk
from tests.digest.grounding.conftest import KILN, Judge

OFF = "Set `KILN_POOL=0` or `--no-pool` to turn it off"
STALL = "allocated new glaze buffers for every batch, which may stall"
DEFAULT = "The default of `pool_size` goes from 4 to 8"
WINDOWS = "Windows is not supported"


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        ("The pool of buffers significantly lowers the latency.", "缓冲区池显著降低延迟。"),
        ("The pool of buffers fixes all stalls of the kiln.", "缓冲区池修复所有卡顿。"),
        ("The pool of buffers completely avoids stalls.", "缓冲区池彻底避免卡顿。"),
        ("The pool of buffers is always kept per kiln.", "缓冲区池始终按 kiln 保留。"),
        ("The pool of buffers is a breaking change of the kiln.", "缓冲区池是破坏性变更。"),
        ("The pool of buffers is deprecated per kiln.", "缓冲区池已弃用。"),
        ("The pool of buffers was reverted per kiln.", "缓冲区池已回退。"),
        ("The pool of buffers closes a vulnerability of the kiln.", "缓冲区池修复了漏洞。"),
        ("Users should consider the pool of buffers per kiln.", "建议使用缓冲区池。"),
        ("The pool of buffers will be extended in the next release.", "后续版本将扩展缓冲区池。"),
        ("The pool of buffers is experimental per kiln.", "缓冲区池是实验性功能。"),
        ("The pool of buffers is critical for the kiln.", "缓冲区池至关重要。"),
        ("The pool of buffers still stalls per kiln.", "缓冲区池仍然会卡顿。"),
        ("The pool of buffers is guaranteed per kiln.", "保证保留缓冲区池。"),
    ],
)
def test_strong_words_need_a_word_that_allows_them(judge: Judge, en: str, zh: str) -> None:
    verdict = judge(en, zh)

    assert verdict.claim is None
    assert {"strength", "subject"} & {failure.check for failure in verdict.failures}


def test_an_allowing_word_lets_a_strong_word_stand(judge_of: Callable[..., Judge]) -> None:
    judge = judge_of(body=("It significantly reduces the latency of 8 kiln buffers.",))
    en, zh = (
        "The latency of 8 kiln buffers is significantly reduced.",
        "8 个 kiln 缓冲区的延迟显著降低。",
    )

    assert judge.checks(en, zh, "significantly reduces the latency of 8 kiln buffers") == set()


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Windows is supported by the kiln pool.", WINDOWS),
        (
            "The pool of 8 buffers is not kept per kiln.",
            "It now keeps a pool of 8 buffers per kiln",
        ),
        (
            "The pool of 8 buffers cannot be kept per kiln.",
            "It now keeps a pool of 8 buffers per kiln",
        ),
        ("The firing scheduler stalls when `max_batch` is large.", STALL),
        ("`--no-pool` does not turn the pool of buffers off.", OFF),
    ],
)
def test_a_not_is_neither_dropped_nor_made_up(judge: Judge, text: str, quote: str) -> None:
    assert "polarity" in judge.checks(text, quote=quote)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Windows is not supported by the kiln pool.", WINDOWS),
        ("Allocating new glaze buffers for every batch may stall the firing scheduler.", STALL),
        ("Allocating new glaze buffers could stall the firing scheduler.", STALL),
    ],
)
def test_a_not_and_a_maybe_may_be_said_again(judge: Judge, text: str, quote: str) -> None:
    assert judge.checks(text, quote=quote) == set()


def test_what_is_mended_may_be_told_as_ended(judge_of: Callable[..., Judge]) -> None:
    judge = judge_of(title="Fix crash of the kiln when a batch is empty", body=())

    assert (
        judge.checks(
            "The kiln no longer crashes on an empty batch.", "", "Fix crash of the kiln", "title"
        )
        == set()
    )


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The default of `pool_size` goes from 8 to 4.", DEFAULT),
        ("The default of `pool_size` goes 8 → 4.", DEFAULT),
        ("The default of `pool_size` goes from 8 to 8.", DEFAULT),
        ("The pool of buffers is turned on by `--no-pool`.", OFF),
    ],
)
def test_the_other_way_round_is_another_thing(judge: Judge, text: str, quote: str) -> None:
    assert judge(text, quote=quote).claim is None


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Add the flag `--glaze` to the kiln", "Removes the flag `--glaze` of the kiln."),
        ("Remove the flag `--glaze` from the kiln", "Adds the flag `--glaze` to the kiln."),
        ("Disable glaze reuse in the kiln", "Enables glaze reuse in the kiln."),
        ("Enable glaze reuse in the kiln", "Disables glaze reuse in the kiln."),
        ('Revert "Add glaze reuse to the kiln"', "Adds glaze reuse to the kiln."),
        ("Reject an empty glaze in the kiln", "Accepts an empty glaze in the kiln."),
        ("Reduce the glaze memory of the kiln", "Increases the glaze memory of the kiln."),
        ("Rename `old_glaze` to `new_glaze` in the kiln", "Renames `new_glaze` to `old_glaze`."),
        (
            "Use `new_glaze` instead of `old_glaze` in the kiln",
            "Uses `old_glaze` instead of `new_glaze`.",
        ),
    ],
)
def test_a_change_is_not_told_as_its_opposite(
    judge_of: Callable[..., Judge], title: str, text: str
) -> None:
    judge = judge_of(title=title, body=(), hunks=(), facts=())

    assert judge(text, quote=title, place="title").claim is None


def test_what_a_diff_puts_in_is_not_told_as_taken_out(judge_of: Callable[..., Judge]) -> None:
    judge = judge_of(title="Update the kiln", body=("Clean up the firing of a kiln.",))
    quote = "buffers = self.pool.take(batch.count)"

    assert "direction" in judge.checks("Removes `self.pool.take` from the firing.", "", quote, "h1")


@pytest.mark.parametrize(
    "text",
    [
        "Operators can now watch the humidity of the clay during drying.",
        "The pool of buffers brings harmony between artisans and administrators worldwide.",
        "The dashboard of the factory shows orders sorted by customer.",
    ],
)
def test_a_sentence_made_of_other_words_is_not_believed(judge: Judge, text: str) -> None:
    assert judge.checks(text) & {"substance", "subject"}


@pytest.mark.parametrize(
    "text",
    [
        "Fixes the stall of the firing scheduler.",
        "The stall of the firing scheduler has been fixed.",
        "The firing scheduler no longer stalls.",
    ],
)
def test_an_open_issue_has_done_nothing(judge_of: Callable[..., Judge], text: str) -> None:
    judge = judge_of(
        key="example-org/kiln:issue:7",
        title="[Bug] The firing scheduler stalls, please fix",
        body=(),
        facts=("kind: issue", "state: open"),
    )

    assert "state" in judge.checks(text, quote="The firing scheduler stalls", place="title")


@pytest.mark.parametrize(
    ("zh", "what"),
    [
        ("H100 上点火延迟从 41.5 毫秒降到 30 毫秒，见 `pool_size`。", "a name"),
        ("H100 上点火延迟从 41.5 毫秒降到 30 毫秒（8）。", "a number"),
        ("H100 上点火延迟不再从 41.5 毫秒降到 30 毫秒。", "a not"),
        ("A100 上点火延迟从 41.5 毫秒降到 30 毫秒。", "hardware"),
    ],
)
def test_both_languages_say_the_same(judge: Judge, zh: str, what: str) -> None:
    en = "On H100 the latency of a firing drops from 41.5 ms to 30 ms."
    verdict = judge(en, zh, "the latency of a firing drops from 41.5 ms to 30 ms")

    assert verdict.claim is not None, what
    assert list(verdict.claim.text) == ["en"], what


def test_the_example_itself_is_told() -> None:
    assert KILN.hunks_total == len(KILN.hunks)


@pytest.fixture
def honest(judge_of: Callable[..., Judge]) -> Judge:
    """Judge a change that only its diff tells of."""
    lines = (
        " def fire(self, batch, *, glaze: str | None = None, step=16):",
        "-    if batch.small: return skip_small(batch)",
        "+    if kiln_version < (3, 2):",
        "+        raise KilnError('fire needs kilnlib >= 3.2', headers={'Cool-Down': '1'})",
        "     return self.run(batch)",
    )
    hunks = (Hunk("h1", "kiln/fire.py", 10, lines),)
    return judge_of(title="Check the kiln before firing", body=(), paragraphs=0, hunks=hunks)


@pytest.mark.parametrize(
    "en",
    [
        "With a kilnlib older than 3.2, `fire` now raises an error.",
        "The error also carries a `Cool-Down: 1` header.",
        "By default `fire` has no glaze and a step of 16.",
        "`fire` no longer skips a small batch.",
        "`fire` still runs the batch as soon as the kiln is checked.",
        "`fire` needs a kilnlib of at least 3.2.",
    ],
)
def test_an_honest_sentence_in_words_of_its_own_stands(honest: Judge, en: str) -> None:
    assert honest.checks(en, quote="fire needs kilnlib >= 3.2", place="h1") == set()


@pytest.mark.parametrize(
    "en",
    [
        "With a kilnlib newer than 3.3, `fire` now raises an error.",
        "The error also carries a `Cool-Down: 2` header.",
        "`fire` no longer runs a batch.",
        "`fire` still crashes for a small batch.",
        "`fire` checks all kilns of the batch.",
    ],
)
def test_what_is_like_it_and_false_does_not(honest: Judge, en: str) -> None:
    assert honest.checks(en, quote="fire needs kilnlib >= 3.2", place="h1") != set()
