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


def test_code_of_restructured_text_has_one_mark_at_each_end() -> None:
    text = "Fixed ``kiln.fire()`` with ``A=1`` and ``` three ``` and `` ` ``."
    assert unmarked(text) == "Fixed `kiln.fire()` with `A=1` and ``` three ``` and `` ` ``."


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
        "the call f[i](x), table[0](/x) or [i](x)",
        "![a picture](https://x.example/a.png)",
        "[ ](https://x.example) and [x] (https://x.example)",
        "[1] and [2]: https://x.example",
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


@given(st.text(alphabet="*` ab#\n", max_size=60))
def test_nothing_but_asterisks_and_heading_marks_is_ever_lost(text: str) -> None:
    told = "".join(said(line) for line in described(text))
    assert [c for c in told if c not in "*#\n "] == [c for c in text if c not in "*#\n "]
    assert [c for c in unmarked(text) if c != "*"] == [c for c in text if c != "*"]
