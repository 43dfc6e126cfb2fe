"""Which sentence of an author's is told, whole and word for word."""

from collections.abc import Callable
from typing import Any

import pytest

from digest.models import FileChange, Item
from digest.reading import sentence
from digest.reading.changelog import added_entries
from digest.reading.quote import quote

Make = Callable[..., Any]


def best_sentence(item: Item) -> sentence.Sentence | None:
    return sentence.best_sentence(item, quote(item))


def test_what_was_added_to_the_changelog_comes_before_the_description(pull: Make) -> None:
    hunk = "@@ -1 +1,2 @@\n ## Unreleased\n+- Requests with images no longer wait for text ones."
    found = best_sentence(
        pull(
            1,
            "Split queues",
            body="The scheduler had one queue for everything that arrives.",
            files=[FileChange("CHANGELOG.md", "modified", 1, 0, hunk)],
        )
    )
    assert found is not None
    assert (found.text, found.source, found.path) == (
        "Requests with images no longer wait for text ones.",
        "changelog",
        "CHANGELOG.md",
    )


def test_an_entry_of_several_lines_is_told_whole_and_a_releases_changelog_not(pull: Make) -> None:
    entry = "+- Requests with images no longer\n+  wait for text ones. See the guide.\n"

    def told(count: int) -> sentence.Sentence | None:
        hunk = f"@@ -0,0 +1,2 @@\n{entry * count}"
        files = [FileChange("changelog.d/images.md", "added", 2, 0, hunk)]
        return best_sentence(pull(1, "Split queues", files=files))

    found = told(1)
    assert found is not None
    assert found.text == "Requests with images no longer wait for text ones."
    assert told(4) is None


def test_an_entry_without_end_is_read_to_a_limit(pull: Make) -> None:
    lines = "\n".join("+  And wrong outputs. " + "x" * 900 for _ in range(3_000))
    hunk = f"@@ -0,0 +1,2 @@\n+- Requests with images no longer wait for text ones.\n{lines}"
    files = [FileChange("changelog.d/images.md", "added", 2, 0, hunk)]
    item = pull(1, "Split queues", files=files)
    ((_, entry),) = added_entries(item)
    assert len(entry) < 4_000
    found = best_sentence(item)
    assert found is not None
    assert found.text == "Requests with images no longer wait for text ones."


def test_what_users_will_notice_comes_before_the_rest_of_a_description(pull: Make) -> None:
    def told(answer: str) -> str:
        body = (
            "## What is it\n\nThe oven keeps one queue for everything that arrives.\n\n"
            f"## Does this PR introduce any user-facing change?\n\n{answer}\n"
        )
        found = best_sentence(pull(1, "Split queues", body=body))
        assert found is not None
        return found.text

    yes = "Plates and pans can now be warmed without each other."
    assert told(f"Yes. {yes}") == yes
    assert told("No.") == "The oven keeps one queue for everything that arrives."


def test_a_sentence_that_says_what_was_seen_comes_before_the_rest(pull: Make) -> None:
    first = "The oven aligned each of its plates to sixteen bytes before."
    seen = "Two plates of another size gave an error of a misaligned address."
    item = pull(1, "Align plates", body=f"{first} {seen}")
    found = sentence.best_sentence(item, quote(item), seen)
    assert found is not None
    assert found.text == seen


def test_of_two_sentences_the_one_that_says_what_for_whom_is_told(pull: Make) -> None:
    body = (
        "We move the counter into a helper of its own module here. "
        "Servers with two routers crashed when one of them went away."
    )
    found = best_sentence(pull(1, "Tidy counters", body=body))
    assert found is not None
    assert found.text == "Servers with two routers crashed when one of them went away."
    assert found.source == "body"


@pytest.mark.parametrize(
    "body",
    [
        "",
        "This PR adds a cache.",
        "| model | before | after |\n|---|---|---|\n| a | 1 | 2 |",
        "- [x] I have read the contributing guide.",
        "Deployed at 0123456789abcdef0123 on every machine that we have.",
        "Two commits, rebased.",
        "No in-engine autotuning.",
        "Pick the pump commit",
        "- SM90 GPU (H100, H200) \n- Sequences of any length",
        "Cut point: `main` at `290c0918` (108 commits since the last release).",
        "Resolves item 14 of the audit of small machines (#3170).",
        "The number of blocks per request is changing incorrectly because\n```py\nf()\n```\n",
        "I changed the logic.",
        "This exceeds what the machine has to offer for shared memory.",
        "The tile scheduler sizes its swizzle from",
        "This PR carries the fix forward and addresses all review feedback of last week.",
        "All measurements: event timing, twenty rounds of warmup, median latency.",
        "Verified on eight machines that requests arrive when routers restart.",
        "Fixes the errors from #3645.",
    ],
)
def test_hollow_words_tables_hashes_and_cut_sentences_are_not_told(pull: Make, body: str) -> None:
    assert best_sentence(pull(1, "Add a cache", body=body)) is None


def test_the_docstring_of_what_is_added_is_told_where_nothing_else_is(pull: Make) -> None:
    words = "Keep answers of finished requests so that clients can ask again."
    hunk = f'@@ -1 +1,3 @@\n x\n+class AnswerStore:\n+    """{words}"""'
    files = [FileChange("engine/answers.py", "modified", 2, 0, hunk)]
    found = best_sentence(pull(1, "Store answers", files=files))
    assert found is not None
    assert (found.source, found.text, found.path) == ("docstring", words, "engine/answers.py")
    private = [
        FileChange("engine/a.py", "modified", 2, 0, hunk.replace("class Answer", "class _A"))
    ]
    assert best_sentence(pull(1, "Store answers", files=private)) is None
