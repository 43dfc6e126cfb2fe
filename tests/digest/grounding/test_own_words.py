"""Honest sentences that say of code what it shows, in the words that people have for it."""

import pytest

from digest.evidence import Hunk
from digest.languages import Language
from tests.digest.grounding.conftest import KILN, Judge

OVEN = Judge(
    KILN.__class__(
        key="example-org/kiln:pull_request:52",
        title="Update the oven",
        body=(),
        paragraphs=0,
        hunks=(
            Hunk(
                "h1",
                "oven/heat.py",
                10,
                (
                    " def decode_program(self, raw):",
                    "-    waitForOvenSync(self)",
                    "-@needs_compute_capability([80])",
                    "+@needs_compute_capability([80, 90, 121])",
                    "+    trays = count or max(1, self.trays())",
                    "+    if raw and raw.oven_ids[0] != 0:",
                    '+        keys = [os.get(v) for v in ("HEAT", "TIME", "RACK", "DOOR")]',
                    "     table.kind = dtype.glaze8_e4m3ab",
                    "     return raw",
                ),
            ),
            Hunk(
                "h2",
                "oven/limits.py",
                3,
                (
                    "-limit = 1e-20f",
                    "+limit = 3.5f",
                    "+# Bricks are fired twice, in 8-CTA blocks; suffixes are {a|b|rc}.",
                    "+# Ovens without a rack stop with `no rack`.",
                    "+# Rows are mutually exclusive, drift in lockstep, stay in GMEM of a card.",
                    "+# The config is unset while multi-CTA rows do nothing; nvcc builds a path.",
                ),
            ),
        ),
        hunks_total=2,
        facts=("kind: pull_request", "path: oven/heat.py", "path: oven/limits.py"),
    )
)
TRAYS, IDS = "trays = count or max(1, self.trays())", "raw.oven_ids[0] != 0"
SYNC, KEYS = "waitForOvenSync(self)", '("HEAT", "TIME", "RACK", "DOOR")'
GATE, STOP = "needs_compute_capability([80, 90, 121])", "Ovens without a rack stop"
ROWS, UNSET = "Rows are mutually exclusive", "The config is unset while multi-CTA rows"
FIRED, LIMIT = "Bricks are fired twice, in 8-CTA blocks", "limit = 3.5f"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("When no count is given, `trays` is taken from the oven.", TRAYS),
        ("The first of `oven_ids` is now tested for being not zero.", IDS),
        ("The raw program is now returned without waiting for the oven.", SYNC),
        ("The keys are read from four names of the oven.", KEYS),
        ("The capability gate of the oven names SM90 and SM12x.", GATE),
        ("The table of the oven heat decode has the kind e4m3ab.", TRAYS),
        ("Ovens without a rack will stop.", STOP),
        ("The shipped oven limits fire bricks in 8-CTA rack-wide blocks.", FIRED),
        ("The suffixes of bricks may be a/b/rc.", FIRED),
        ("Rows of the oven stay in the memory of a card.", ROWS),
        ("The config loader leaves the rows of the oven unset.", UNSET),
        ("The switch to the new path of the oven is built by CUDA.", UNSET),
        ("Instead of adding 1e-20, the limit of the oven is `3.5f`.", LIMIT),
    ],
)
def test_what_code_shows_may_be_said_in_plain_words(text: str, quote: str) -> None:
    assert OVEN.checks(text, quote=quote, place="h1" if quote in _FIRST else "h2") == set()


_FIRST = (TRAYS, IDS, SYNC, KEYS, GATE)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("When no rack is given, `trays` is taken from the oven.", TRAYS),
        ("The first of `trays` is never tested for the oven.", IDS),
        ("The raw program is now returned without heating the racks.", SYNC),
        ("The keys are read from seven names of the oven.", KEYS),
        ("The capability gate of the oven names SM75 and SM10x.", GATE),
        ("The table of the oven heat decode has the kind e5m2.", TRAYS),
        ("Ovens without a rack will explode.", STOP),
        ("The oven limits fire bricks in 9-CTA rack-wide blocks.", FIRED),
        ("The suffixes of bricks may be a/b/dev.", FIRED),
        ("Rows of the oven stay in the scheduler of a card.", ROWS),
        ("The tokenizer leaves the rows of the oven unset.", UNSET),
        ("The new path of the oven is built by ROCm.", UNSET),
        ("The change adds `1e-20` to the limit.", LIMIT),
    ],
)
def test_what_code_does_not_show_may_not(text: str, quote: str) -> None:
    assert OVEN.checks(text, quote=quote, place="h1" if quote in _FIRST else "h2") != set()


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        ("Bricks of the oven are fired twice.", "oven 的砖块会烧制两次。"),
        ("Ovens without a rack will stop.", "没有 rack 的 oven 会停止。"),
        ("Rows are mutually exclusive.", "各行互斥。"),
        ("Rows drift in lockstep.", "各行同步偏移。"),
        ("Rows of the oven stay in the memory of a card.", "oven 的行留在显卡的内存中。"),
        ("The config is unset while rows do nothing.", "各行不起作用时，配置未设置。"),
        ("The config is unset while multi-CTA rows wait.", "多 CTA 的行等待时，配置仍未设置。"),
    ],
)
def test_chinese_may_say_what_its_english_sentence_says(en: str, zh: str) -> None:
    quote = next(each for each in (FIRED, STOP, ROWS, UNSET) if each.split()[0] == en.split()[0])

    assert OVEN.checks(en, zh, quote, "h2") == set()


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        ("Bricks of the oven are fired twice.", "oven 的砖块会烧制三次。"),
        ("Ovens without a rack will stop.", "没有 rack 的 oven 始终会停止。"),
        ("Rows drift in lockstep.", "各行不会同步偏移。"),
        ("The config is unset while rows do nothing.", "配置已设置，各行发生泄漏。"),
    ],
)
def test_chinese_may_not_say_more(en: str, zh: str) -> None:
    quote = next(each for each in (FIRED, STOP, ROWS, UNSET) if each.split()[0] == en.split()[0])
    verdict = OVEN(en, zh, quote, "h2")

    assert verdict.claim is not None
    assert list(verdict.claim.text) == [Language.EN]


CLAY = Judge(
    KILN.__class__(
        key="example-org/kiln:pull_request:53",
        title="Weigh the clay",
        body=(
            "The clay is weighed before it is fired; without it bricks crack.",
            "The wire goes from 2.4 to 2.6 and is a fallback of the release. The "
            "improvements are none at one brick, and bricks are less precise.",
        ),
        paragraphs=2,
        hunks=(),
        hunks_total=0,
        facts=("kind: pull_request",),
    )
)


@pytest.mark.parametrize(
    ("en", "zh", "quote"),
    [
        ("The wire moves from 2.4 to 2.6.", "", "The wire goes from 2.4 to 2.6"),
        (
            "The wire is a fallback of the release.",
            "wire 是正式版的回退值。",
            "is a fallback of the release",
        ),
        ("Bricks are less precise.", "砖块精度下降。", "bricks are less precise"),
        (
            "Improvements are none at one brick.",
            "一块砖时没有提升。",
            "improvements are none at one brick",
        ),
    ],
)
def test_words_that_claim_no_more_than_the_source_stand(en: str, zh: str, quote: str) -> None:
    assert CLAY.checks(en, zh, quote) == set()
