"""Which change of a range is the likeliest cause of a symptom."""

from dataclasses import replace

import pytest

from digest.concern.upgrade import suspects
from digest.models import FileChange, Repo
from tests.digest.concern.test_ripple import item

TITLES = {
    "1": "Write the output of the benchmark with less noise",
    "2": "Fix MTP accuracy for GLM-5",
    "3": "Support GLM-ASR with remote code",
    "4": "Free kv_cache blocks late",
    "5": "Route the FusedMoERunner by groups",
    "6": "Load a LoRA beside RoPE scaling",
}


@pytest.mark.parametrize(
    ("symptom", "first"),
    [
        ("garbage output with glm_5", "2"),
        ("output is wrong: GLM5", "2"),
        ("kv_cache is wrong in the benchmark output", "4"),
        ("benchmark output", "1"),
        ("MoE writes late", "5"),
        ("LoRA with noise", "6"),
    ],
)
def test_a_name_of_the_symptom_counts_more_than_words(symptom: str, first: str) -> None:
    changes = [item(Repo("o", "pump"), 1, ref, title) for ref, title in TITLES.items()]
    ranked = suspects(changes, symptom, {})
    assert ranked[0].item.ref == first
    assert "with" not in {word for one in ranked for word in one.words}


def test_documentation_alone_is_no_likely_cause() -> None:
    said, made = (item(Repo("o", "pump"), 1, ref, "Wrong output of kv_cache") for ref in "12")
    said = replace(said, files=(FileChange("docs/kv_cache.md", "modified", 1, 1),))
    made = replace(made, title="Free it", files=(FileChange("pump/kv_cache.py", "modified", 1, 1),))
    ranked = suspects([made, said], "wrong output of kv_cache", {})
    assert [one.item.ref for one in ranked] == ["2", "1"]


def test_the_words_that_are_shared_stand_as_they_were_typed() -> None:
    changes = [item(Repo("o", "pump"), 1, "1", "Fix accesses to GLM5 blocks")]
    (found,) = suspects(changes, "illegal access, GLM-5", {})
    assert found.words == ("GLM-5", "access")
