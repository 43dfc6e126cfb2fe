"""What a diff alone shows: which side of it a sentence stands on."""

from collections.abc import Callable

import pytest

from digest.evidence import Hunk
from tests.digest.grounding.conftest import Judge

LINES = (
    "     def cool(self, kiln):",
    "+        # Use the measured heat of the kiln instead of a hardcoded table (900).",
    "+        # The lid lock must hold before every firing on weak kilns.",
    "-        raise KilnError('glass firing is not supported in this kiln')",
    "-        heat = kiln_table.heat",
    "+        heat = kiln.sensor_heat",
    "         if kiln.large_chamber:",
    "+            cool_slowly(kiln, step=16)",
    "         else:",
    "+            cool_quickly(kiln, step=128)",
    "+        else_steps = 16 if kiln.large_chamber else 128",
    "+        return super().cool(kiln)",
    "     fan_speed = kiln.fan_speed",
    "+class GlassKiln(BaseKiln):",
    "+    vent_open: bool = False",
    "+    door_check = env_flag('KILN_DOOR_CHECK', 'True')",
    "-    draft_mode = True",
    "+    draft_mode = False",
)
HEAT = "heat = kiln.sensor_heat"
TABLE = "heat = kiln_table.heat"
REMARK = "Use the measured heat of the kiln instead of a hardcoded table"
LID = "The lid lock must hold before every firing on weak kilns"
GLASS = "class GlassKiln(BaseKiln):"
STEPS = "else_steps = 16 if kiln.large_chamber else 128"


@pytest.fixture
def cooling(judge_of: Callable[..., Judge]) -> Judge:
    """Judge a change of which nothing is known but its diff."""
    return judge_of(
        title="Cool the kiln",
        body=(),
        paragraphs=0,
        hunks=(Hunk("h1", "kiln/cool_rig.py", 1, LINES),),
        hunks_total=1,
        facts=("kind: pull_request", "path: kiln/cool_rig.py"),
    )


@pytest.mark.parametrize(
    ("en", "zh", "quote"),
    [
        (
            "The heat is now read from `sensor_heat` instead of `kiln_table.heat`.",
            "现在从 `sensor_heat` 而不是 `kiln_table.heat` 读取热量。",
            HEAT,
        ),
        (
            "The kiln cools with step 16 for a `large_chamber` and with 128 otherwise.",
            "`large_chamber` 的 kiln 冷却步长为 16，否则为 128。",
            STEPS,
        ),
        (
            "Adds `GlassKiln` as a subclass of `BaseKiln`.",
            "新增 `BaseKiln` 的子类 `GlassKiln`。",
            GLASS,
        ),
        (
            "`GlassKiln` has a `vent_open` that is off by default.",
            "`GlassKiln` 的 `vent_open` 默认关闭。",
            GLASS,
        ),
        ("The lid lock must hold before every firing.", "每次烧制前锁盖必须锁住。", LID),
        (
            "Removes the error that glass firing is not supported.",
            "",
            "glass firing is not supported",
        ),
        (
            "Sets `draft_mode=False` for the `GlassKiln`.",
            "为 `GlassKiln` 设置 `draft_mode=False`。",
            GLASS,
        ),
    ],
)
def test_what_the_diff_shows_is_believed(cooling: Judge, en: str, zh: str, quote: str) -> None:
    assert cooling.checks(en, zh, quote, "h1") == set()


@pytest.mark.parametrize(
    ("en", "quote"),
    [
        ("The heat is now read from `kiln_table.heat` instead of `sensor_heat`.", HEAT),
        ("The kiln takes a hardcoded table instead of the measured heat.", REMARK),
        ("The kiln cools with step 128 for a `large_chamber` and with 16 otherwise.", STEPS),
        ("Adds `BaseKiln` as a subclass of `GlassKiln`.", GLASS),
        ("`GlassKiln` has a `vent_open` that is on by default.", GLASS),
        ("`KILN_DOOR_CHECK` of the kiln is off by default.", GLASS),
        ("The lid lock must hold before every firing on strong kilns.", LID),
        (
            "Glass firing is not supported in this kiln.",
            "glass firing is not supported in this kiln",
        ),
        ("Sets `draft_mode=True` for the `GlassKiln`.", GLASS),
        ("Removes `fan_speed` from the kiln.", HEAT),
    ],
)
def test_the_other_side_of_a_diff_is_not_told(cooling: Judge, en: str, quote: str) -> None:
    verdict = cooling(en, quote=quote, place="h1")

    assert verdict.claim is None
    assert {"direction", "polarity"} & {failure.check for failure in verdict.failures}


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        (
            "The heat is now read from `sensor_heat` instead of `kiln_table.heat`.",
            "现在从 `kiln_table.heat` 而不是 `sensor_heat` 读取热量。",
        ),
        (
            "The heat changes from `kiln_table.heat` to `kiln.sensor_heat`.",
            "热量从 `kiln.sensor_heat` 改为 `kiln_table.heat`。",
        ),
        ("The kiln cools before the `large_chamber` is heated.", "kiln 不支持 `large_chamber`。"),
        ("`GlassKiln` has an optional `vent_open`.", "`GlassKiln` 的 `vent_open` 是必填项。"),
    ],
)
def test_a_chinese_sentence_is_not_the_reverse_of_its_english_one(
    cooling: Judge, en: str, zh: str
) -> None:
    verdict = cooling(en, zh, HEAT, "h1")

    assert verdict.claim is None or list(verdict.claim.text) == ["en"]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Reserve the glaze only if not fired", "The glaze is reserved if fired."),
        (
            "The kiln does not follow the norms of glaze",
            "Skips the check: the kiln follows the norms.",
        ),
    ],
)
def test_a_condition_and_a_verb_keep_their_not(
    judge_of: Callable[..., Judge], quote: str, text: str
) -> None:
    judge = judge_of(body=(f"{quote}, so skip the check.",))

    assert "polarity" in judge.checks(text, "", quote)


def test_a_chinese_sentence_may_be_of_many_names(judge_of: Callable[..., Judge]) -> None:
    body = "The kiln uses GlazeScope instead of the Ember Hub when KILN_HUB is set."
    judge = judge_of(body=(body,))
    zh = "设置 `KILN_HUB` 后，kiln 使用 GlazeScope 而不是 Ember Hub。"

    assert judge.checks(body, zh, "uses GlazeScope instead of the Ember Hub") == set()


@pytest.mark.parametrize(
    ("body", "en", "zh"),
    [
        (
            "The kiln falls back to its pool.",
            "The kiln falls back to its pool.",
            "kiln 回退到缓冲池。",
        ),
        (
            "The kiln produces and consumes glaze for each batch.",
            "The kiln produces and consumes glaze for each batch.",
            "kiln 为每个批次生产和消费 glaze。",
        ),
        (
            "Needs kilnlib 2.3.1 or newer.",
            "The kiln needs kilnlib 2.3.1.",
            "kilnlib 不低于 2.3.1。",
        ),
    ],
)
def test_common_words_of_chinese_are_no_strong_ones(
    judge_of: Callable[..., Judge], body: str, en: str, zh: str
) -> None:
    assert not judge_of(body=(body,)).checks(en, zh, body.rstrip(".")) & {
        "strength",
        "direction",
        "languages",
    }
