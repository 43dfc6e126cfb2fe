"""An author's marks are read where they are sure, and every other character stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.writing.document import Code, Foreign, Runs, Strong
from digest.writing.emphasis import described, emphasized, unlinked, unmarked


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


LINKS = [
    ("a blog [post](https://x.example/a-b), read", "a blog post, read"),
    ("[A](http://x.example/f_(b)_c 'T (x)')[B](</b>) [C](#c)", "AB C"),
    ("the [`run` of it](../run.md).", "the `run` of it."),
    ("**[all](https://x.example)** of [it **all**](./x)", "all of it all"),
    ("[https://good.example](https://evil.example)", "https://good.example"),
]


@pytest.mark.parametrize(("text", "words"), LINKS)
def test_of_a_link_its_words_are_told_and_never_its_address(text: str, words: str) -> None:
    assert said(emphasized(text)) == unmarked(text) == words
    assert unlinked(text).replace("**", "") == words


def test_without_its_links_a_description_keeps_its_marks_and_its_code() -> None:
    text = "# [a](/a)\n**b** [c](https://x.example) `[d](/d)`\n```\n[e](/e)\n```\n\n    [f](/f)\n"
    assert unlinked(text) == "# a\n**b** c `[d](/d)`\n```\n[e](/e)\n```\n\n    [f](/f)"


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


def test_after_a_block_of_code_marks_are_read_again() -> None:
    assert described("```\n# a\n```\n# b")[-1] == (Strong((Foreign("b"),)),)


def test_bold_words_lose_their_asterisks_and_code_keeps_its_backticks() -> None:
    assert unmarked("**Set** `a**b**c` to **`d`**.") == "Set `a**b**c` to `d`."


@given(st.text(alphabet="*` ab#\n", max_size=60))
def test_nothing_but_asterisks_and_heading_marks_is_ever_lost(text: str) -> None:
    told = "".join(said(line) for line in described(text))
    assert [c for c in told if c not in "*#\n "] == [c for c in text if c not in "*#\n "]
    assert [c for c in unmarked(text) if c != "*"] == [c for c in text if c != "*"]
