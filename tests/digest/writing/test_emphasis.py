"""An author's marks are read where they are sure, and every other character stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.writing.document import Code, Foreign, Runs, Strong
from digest.writing.emphasis import described, emphasized, unmarked


def said(runs: Runs) -> str:
    return "".join(
        said(run.runs)
        if isinstance(run, Strong)
        else f"`{run.text}`"
        if isinstance(run, Code)
        else run.text
        for run in runs
        if isinstance(run, Strong | Code | Foreign)
    )


def test_bold_words_and_code_are_runs_of_their_own() -> None:
    assert emphasized("**Breaking:** pass `--a` or **use `b` now**.") == (
        Strong((Foreign("Breaking:"),)),
        Foreign(" pass "),
        Code("--a"),
        Foreign(" or "),
        Strong((Foreign("use "), Code("b"), Foreign(" now"))),
        Foreign("."),
    )


def test_a_heading_is_strong_and_an_empty_line_is_empty() -> None:
    assert described("## What\n\nit is") == (
        (Strong((Foreign("What"),)),),
        (),
        (Foreign("it is"),),
    )


@pytest.mark.parametrize(
    "text",
    [
        "call f(**a, **b)",
        "2 ** 3 ** 4",
        "**",
        "***x***",
        "__init__ and *args",
        "`a",
        "`` ** a**`` ",
        "a `**kwargs` and `**more`",
        "#1 is it",
        "csrc/*.cu and tests/*.py",
    ],
)
def test_what_is_no_mark_stays(text: str) -> None:
    assert said(emphasized(text)) == text
    assert unmarked(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n# install **all** of it\nx\n```",
        "~~~\n# a\n```\n# b\n~~~",
        "    # indented **code**",
        "\t# indented **code**",
        "```\n# never closed **x**",
        "````\n```\n# inner **x**\n```\n````",
    ],
)
def test_a_block_of_code_keeps_every_character(text: str) -> None:
    assert "\n".join(said(line) for line in described(text)) == text


def test_after_a_block_of_code_marks_are_read_again() -> None:
    assert described("```\n# a\n```\n# b")[-1] == (Strong((Foreign("b"),)),)


def test_bold_words_lose_their_asterisks_and_code_keeps_its_backticks() -> None:
    assert unmarked("**Set** `a**b**c` to **`d`**.") == "Set `a**b**c` to `d`."


@given(st.text(alphabet="*` ab#\n", max_size=60))
def test_nothing_but_asterisks_and_heading_marks_is_ever_lost(text: str) -> None:
    told = "".join(said(line) for line in described(text))
    assert [c for c in told if c not in "*#\n "] == [c for c in text if c not in "*#\n "]
    assert [c for c in unmarked(text) if c != "*"] == [c for c in text if c != "*"]
