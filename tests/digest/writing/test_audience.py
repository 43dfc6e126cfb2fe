"""Who is meant by a change, by one name for every spelling."""

import pytest

from digest.facts import Symptom
from digest.grades import Importance
from digest.writing.audience import audiences, by_audience
from tests.digest.writing.fact_days import bite
from tests.digest.writing.invented import judged, pull


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("[ROCm] Fix dsv4 indexer dispatch on gfx950", ("AMD", "DeepSeek-V4")),
        ("[AMD] Fix CPU-index crash of DeepSeek V4", ("AMD", "DeepSeek-V4")),
        ("Support speculative decoding on CPU", ("CPU", "Speculative decoding")),
        ("[NPU] fix Qwen 3.5 under Ascend", ("Ascend NPU", "Qwen3.5")),
        ("[Diffusion] Enable LoRA for GB200", ("Blackwell", "Diffusion", "LoRA")),
        ("Clip exp() input to prevent NaN", ()),
        ("Retire the legacy config accessor", ()),
        ("Arm the watchdog timer, split the PD table, log a speculative whisper", ()),
        ("Fix MPS (multi-process service) of two clients", ()),
    ],
)
def test_hardware_models_and_features_have_one_name(title: str, named: tuple[str, ...]) -> None:
    assert audiences(judged(pull(1, title)), ()) == named


def test_whom_a_bite_hit_is_meant_though_no_title_names_them() -> None:
    item = pull(1, "Fix the ring")
    assert audiences(judged(item), (bite(item, Symptom.CRASH, "MI300X"),)) == ("AMD",)


def test_a_model_that_authors_spell_apart_has_one_name() -> None:
    titles = ("Tune gpt-oss", "Fix GPT-OSS", "Serve Kimi K2", "Warm Kimi-K2", "Cool kimi_k2")
    reads = [judged(pull(n, title), Importance.MEDIUM) for n, title in enumerate(titles)]
    names = by_audience((read, ()) for read in reads)
    assert [[read.item.number for read in theirs] for _, theirs in names] == [[2, 3, 4], [0, 1]]
