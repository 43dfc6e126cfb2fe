import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.model.commands import (
    READING_ROWS,
    RESERVED,
    Command,
    Help,
    ListRepos,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    ShowSpan,
    Unwatch,
    Watch,
    Why,
    parse,
)
from digest.errors import UsageError
from digest.languages import Language
from digest.models import KNOWN, Repo
from digest.wording.saying import localized
from tests.phrases import english

ZH = Language.ZH


def fault(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse(text)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 250
    return message


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", Help()),
        ("sglang", ShowDigest("sglang", "yesterday")),
        ("  sglang \t 2026-02-09..2026-02-11 ", ShowDigest("sglang", "2026-02-09..2026-02-11")),
        ("sglang 2026-02-09 2026-02-11", ShowDigest("sglang", "2026-02-09..2026-02-11")),
        ("sglang in October in zh", ShowDigest("sglang", "in october", language=ZH)),
        ("sglang tomorrow", ShowDigest("sglang", "tomorrow")),
        ("vllm v0.15.0..v0.16.0", ShowSpan("vllm", "v0.15.0", "v0.16.0")),
        ("vllm v0.15.0 0.16.0rc1", ShowSpan("vllm", "v0.15.0", "0.16.0rc1")),
        ("vllm V0.15.0 ... 0d30896 in zh", ShowSpan("vllm", "V0.15.0", "0d30896", language=ZH)),
        ("what changed in vllm v0.15.0..v0.16.0?", ShowSpan("vllm", "v0.15.0", "v0.16.0")),
        ("vllm tag/2026-02-11..tag/nightly", ShowSpan("vllm", "2026-02-11", "nightly")),
        ("sglang week in zh", ShowDigest("sglang", "week", language=ZH)),
        ("https://github.com/pytorch/pytorch", ShowDigest("pytorch/pytorch")),
        ("all", ShowRoundup()),
        ("Monday", ShowRoundup("monday", own=True)),
        ("昨天", ShowRoundup("昨天", own=True)),
        ("search flash attention", Search("flash attention")),
        ("search 注意力 in zh", Search("注意力", language=ZH)),
        ("repos", ListRepos()),
        ("watch pytorch/pytorch", Watch(Repo("pytorch", "pytorch"), "pytorch")),
        ("watch pytorch/pytorch as Torch", Watch(Repo("pytorch", "pytorch"), "torch")),
        ("unwatch Torch", Unwatch("torch")),
        ("why sglang 18905", Why("sglang", "#18905")),
        ("why https://github.com/a/b/pull/7 in zh", Why("a/b", "#7", language=ZH)),
        ("help WATCH in zh", Help("watch", language=ZH)),
    ],
)
def test_what_people_write_is_understood(text: str, command: Command) -> None:
    assert parse(text) == command


@pytest.mark.parametrize(
    ("word", "ref"),
    [
        ("18905", "#18905"),
        ("#18905", "#18905"),
        ("issue/18905", "#18905"),
        ("1234567", "1234567"),
        ("0D30896", "0d30896"),
        ("commit/123456", "123456"),
        ("v0.6.4", "v0.6.4"),
        ("0.5.9rc1", "0.5.9rc1"),
        ("gateway-v0.3.1", "gateway-v0.3.1"),
        ("tag/2026-02-11", "2026-02-11"),
        ("tag/nightly", "nightly"),
        ("https://github.com/sgl-project/sglang/pull/7/files#diff-1", "#7"),
        ("https://github.com/sgl-project/sglang/issues/8?x=1", "#8"),
        ("https://github.com/sgl-project/sglang/releases/tag/a%2Fv1", "a/v1"),
    ],
)
def test_one_change_is_named_in_many_ways(word: str, ref: str) -> None:
    command = parse(f"sglang {word}")

    assert isinstance(command, ShowChange)
    assert command.ref == ref
    assert KNOWN.get(command.repo, Repo("sgl-project", "sglang")) == KNOWN["sglang"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "upgade vllm v1..v2",
            "there is no command upgade: did you mean upgrade vllm v1..v2?",
        ),
        ("serach foo", "there is no command serach: did you mean search foo?"),
        ("sglang yesturday", "yesturday is not a time: did you mean sglang yesterday?"),
        (
            "sglang vllm",
            "vllm is neither a time nor a change: "
            "sglang yesterday, sglang 2026-02-11 or sglang 18905",
        ),
        (
            "<@U123> `rm",
            "`rm is neither a time nor a change: vllm yesterday, vllm 2026-02-11 or sglang 18905",
        ),
        ("all sglang", "sglang is not a time: all yesterday"),
        ("search", "say what to search for: search flash attention"),
        ("wy vllm", "there is no command wy: did you mean why sglang 18905?"),
        (f"serach {'x' * 99}", "there is no command serach: did you mean search flash attention?"),
        ("watch", "say which repository to watch: watch pytorch/pytorch as torch"),
        ("watch torch", "torch is not of the form OWNER/NAME: watch pytorch/pytorch as torch"),
        (
            "watch a/b as 7up",
            "an alias begins with a letter, unlike 7up: watch pytorch/pytorch as torch",
        ),
        ("unwatch", "say which alias: unwatch torch"),
        ("why", "say which item: why sglang 18905"),
        ("why sglang 18905 yesterday", "say which item: why sglang 18905"),
        (
            "x" * 3000,
            "3000 characters are too many for a command, 2000 can be read: vllm yesterday",
        ),
    ],
)
def test_what_is_not_understood_is_answered_with_the_nearest_right_form(
    text: str, message: str
) -> None:
    assert fault(text) == message


def test_no_alias_takes_a_word_of_a_command() -> None:
    for word in sorted(RESERVED | {"today", "week", "since"}):
        told = f"{word} is a word of a command: watch a/b as my-{word}"
        assert fault(f"watch a/b as {word}") == told


@pytest.mark.parametrize(
    "word",
    [
        "http://[::1",
        "https://gitlab.com/a/b/pull/1",
        "https://github.com/a/b/releases/tag/v1%0Ax",
        "https://github.com/a/b/tree/main",
        "https://github.com/a/b/pull/zero",
        "https://github.com/-/b/pull/1",
        "ftp://github.com/a/b",
    ],
)
def test_an_address_that_is_none_of_ours_is_left_for_the_names(word: str) -> None:
    assert parse(word) == ShowDigest(word)


@pytest.mark.parametrize("text", ["a\x1b[2J \u202eb", "sglang \u200b!", "why \x00 \x07"])
def test_hostile_words_do_not_disturb_the_line_that_refuses_them(text: str) -> None:
    fault(text)


@example(".. ...")
@given(st.text(max_size=80) | st.lists(st.sampled_from(
    ["all", "search", "why", "watch", "as", "in", "zh", "sglang", "a/b", "7", "week", "..", "#"]
)).map(" ".join))  # fmt: skip
def test_any_text_is_a_command_or_a_usage_error(text: str) -> None:
    with contextlib.suppress(UsageError):
        parse(text)


def test_every_command_has_a_row_of_help_and_every_example_is_understood() -> None:
    told = {type(parse(row.example)) for row in READING_ROWS}

    assert told == set(Command.__args__)
    for row in READING_ROWS:
        assert localized(row.gives, Language.ZH) != english(row.gives)
