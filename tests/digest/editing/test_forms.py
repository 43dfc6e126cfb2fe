"""What a server refuses, and how it is asked instead."""

import pytest

from digest.edited import Trouble
from digest.editing.failures import of_status


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens",
        '{"code": "context_length_exceeded"}',
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        "Requested token count exceeds the model's maximum context length of 32768 tokens.",
        "the prompt is too long",
    ],
)
def test_a_question_that_is_too_long_is_known_by_many_words(said) -> None:
    assert of_status(400, said) is Trouble.TOO_LONG


@pytest.mark.parametrize(
    "said",
    [
        "The model `gpt-9` does not exist or you do not have access to it.",
        '{"code": "model_not_found"}',
        'model "llama9" not found, try pulling it first',
        "Invalid model name passed in model=x",
        "gpt-9 is not a valid model ID",
    ],
)
def test_an_unknown_model_is_known_by_many_words(said) -> None:
    assert of_status(404, said) is Trouble.UNKNOWN_MODEL


def test_other_words_are_another_refusal() -> None:
    said = "response_format json_schema is not supported with this model"
    assert of_status(400, said) is Trouble.REFUSED
