"""Honest sentences that say of code what it shows, in the words that people have for it."""

import pytest

from digest.evidence import Hunk
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
    ],
)
def test_chinese_may_say_what_its_english_sentence_says(en: str, zh: str) -> None:
    quote = FIRED if "twice" in en else STOP

    assert OVEN.checks(en, zh, quote, "h2") == set()
