"""Which change of a range is the likeliest cause of a symptom."""

import pytest

from digest.concern.upgrade import suspects
from digest.models import Repo
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


def test_the_words_that_are_shared_stand_as_they_were_typed() -> None:
    changes = [item(Repo("o", "pump"), 1, "1", "Fix accesses to GLM5 blocks")]
    (found,) = suspects(changes, "illegal access, GLM-5", {})
    assert found.words == ("GLM-5", "access")
