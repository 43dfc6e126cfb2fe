from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.grades import ChangeObject
from digest.reading.reader import read
from digest.reading.themes import THEMES, theme

Make = Callable[..., Any]
SOURCE = ChangeObject.SOURCE


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[AMD] Fix MoE tuning", "amd"),
        ("[NPU] attention", "ascend"),
        ("Fix SM120 GEMM", "blackwell"),
        ("[Sm90] layout", "hopper"),
        ("[XPU] fused MoE", "intel"),
        ("EAGLE3 drafts", "speculative"),
        ("[diffusion] quant", "diffusion"),
        ("Enable LoRA", "lora"),
        ("Fp8 prefill attn", "quantization"),
        ("Fix EPLB hang", "moe"),
        ("Paged cache: split", "kv_cache"),
        ("Improve MLA decode", "attention"),
        ("all-reduce overlap", "distributed"),
        ("Scheduler holds the queue", "scheduling"),
        ("Support Qwen9", "model_support"),
        ("Serve queue_length metrics", "scheduling"),
        ("Log requests", "observability"),
        ("Fix tool calls in chat", "frontend"),
        ("更新文档", "docs"),
        ("Nothing in particular", "other"),
        ("Remove --legacy-thing", "cli"),
    ],
)
def test_a_title_tells_its_theme(pull: Make, title: str, expected: str) -> None:
    assert theme(pull(1, title, files=None), SOURCE) == expected


def test_a_tag_wins_over_the_rest_of_the_title(pull: Make) -> None:
    assert theme(pull(1, "[LoRA] Fix fp8 attention on AMD"), SOURCE) == "lora"


def test_paths_speak_where_the_title_is_silent(pull: Make) -> None:
    files = ["engine/attention/mla.py", "engine/attention/rope.py", "docs/lora.md"]
    assert theme(pull(1, "Mend it", files=files), SOURCE) == "attention"
    assert theme(pull(1, "Mend it", files=["engine/a.py"]), SOURCE) == "other"


def test_labels_speak_last(issue: Make) -> None:
    assert theme(issue(1, "It is slow", labels=("multimodal",)), ChangeObject.OTHER) == "multimodal"


def test_docs_ci_and_tests_are_themes_of_their_own(pull: Make) -> None:
    assert theme(pull(1, "LoRA"), ChangeObject.DOCS) == "docs"
    assert theme(pull(1, "LoRA"), ChangeObject.DEPENDENCY) == "build_ci"


def test_every_item_is_in_one_theme_the_best_first(pull: Make, issue: Make, activity: Make) -> None:
    items = [
        pull(1, "Refactor attention"),
        pull(2, "Fix deadlock in LoRA"),
        issue(3, "LoRA hangs"),
        pull(4, "Mend it"),
    ]
    told = read(activity(items)).themes
    assert [(one.name, len(one.keys)) for one in told] == [
        ("lora", 2),
        ("attention", 1),
        ("other", 1),
    ]
    assert told[0].keys[0].endswith("pull_request:2")


@given(st.text(max_size=400))
def test_any_title_has_a_theme(pull: Make, title: str) -> None:
    assert theme(pull(1, title), SOURCE) in THEMES


def test_a_tokenizer_that_works_in_batches_is_no_scheduler(pull: Make) -> None:
    assert theme(pull(1, "[Perf] Tokenize requests in batches"), SOURCE) == "frontend"


def test_a_folder_of_adapters_is_not_about_lora(pull: Make) -> None:
    assert theme(pull(1, "Mend it", files=["adapters/slack/client.py"]), SOURCE) == "other"
    assert theme(pull(2, "Mend it", files=["engine/lora/layers.py"]), SOURCE) == "lora"
