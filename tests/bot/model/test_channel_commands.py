import contextlib
from collections.abc import Callable
from datetime import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.channel_commands import (
    DAILY,
    LEFT_OUT,
    MAX_FOLLOWED,
    MONDAY,
    NAMED_DAYS,
    SETTINGS,
    WEEKDAYS,
    ChannelCommand,
    ListSubscriptions,
    Quiet,
    ShowFollowUps,
    Subscribe,
    Unsubscribe,
    Welcome,
    parse_chat,
    read_at,
    read_days,
    read_paths,
    read_topics,
)
from bot.model.commands import (
    CHANNEL_ROWS,
    CHANNEL_WORDS,
    CHAT_ROWS,
    RESERVED,
    SETTING_WORDS,
    Help,
    parse,
    rows_about,
)
from bot.model.followups import Which
from bot.model.references import read_reference
from digest.errors import UsageError
from digest.languages import Language
from digest.times import DAY_NAMES
from digest.wording.saying import localized
from tests.phrases import english

ZH = Language.ZH
ROOT = Path(__file__).parents[3]


def fault(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse_chat(text)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 250
    return message


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "subscribe vllm sglang at 09:00 on weekdays tz Asia/Shanghai in zh "
            "without bots,ci paths csrc/**",
            Subscribe(
                ("vllm", "sglang"),
                at=time(9),
                tz="Asia/Shanghai",
                days=WEEKDAYS,
                language=ZH,
                without=frozenset({"bots", "ci"}),
                paths=("csrc/**",),
            ),
        ),
        (
            "SUBSCRIBE Vllm TZ asia/shanghai AT 9:30PM QUIET Nothing ONE Thread topics MoE,fp8",
            Subscribe(
                ("Vllm",),
                at=time(21, 30),
                tz="Asia/Shanghai",
                topics=("moe", "fp8"),
                quiet=Quiet.NOTHING,
                one_thread=True,
            ),
        ),
        ("subscribe to vllm, sglang and vllm", Subscribe(("vllm", "sglang"))),
        ("subscribe vllm on weekly", Subscribe(("vllm",), days=MONDAY, weekly=True)),
        ("subscribe vllm on weekly fri", Subscribe(("vllm",), days=frozenset({4}), weekly=True)),
        ("subscribe vllm show later", Subscribe(("vllm",), show=False)),
        ("subscribe own threads", Subscribe(one_thread=False)),
        (
            "subscribe without nothing paths all topics all",
            Subscribe(without=frozenset(), paths=(), topics=()),
        ),
        (
            "subscribe https://github.com/pytorch/pytorch one/thread",
            Subscribe(("https://github.com/pytorch/pytorch", "one/thread")),
        ),
        ("unsubscribe vllm sglang", Unsubscribe(("vllm", "sglang"))),
        ("unsubscribe all in zh", Unsubscribe((), language=ZH)),
        ("subscriptions", ListSubscriptions()),
        ("followups Mine in zh", ShowFollowUps(Which.MINE, language=ZH)),
        ("followups done", ShowFollowUps(Which.DONE)),
    ],
)
def test_channel_commands_are_read(text: str, command: ChannelCommand) -> None:
    assert parse_chat(text) == command


@pytest.mark.parametrize("typed", ["/infra sub vllm", "/infra /Infra subscribe vllm", "sub vllm"])
def test_the_name_of_the_command_may_be_typed_again(typed: str) -> None:
    assert parse_chat(typed) == Subscribe(("vllm",))
    assert parse_chat("/infra") == Welcome()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ｓｇｌａｎｇ　＃１８５３２", "sglang #18532"),
        ("sglang ２０２６－０２－１１", "sglang 2026-02-11"),
        (
            "subscribe vllm；sglang at ９：３０ tz Asia／Shanghai",
            "subscribe vllm sglang at 9:30 tz Asia/Shanghai",
        ),
    ],
)
def test_what_a_chinese_keyboard_gives_wide_is_read_too(typed: str, meant: str) -> None:
    assert parse_chat(typed) == parse_chat(meant)


def test_digits_of_other_scripts_make_no_number_of_a_change() -> None:
    assert read_reference("#1٢") is None
    assert read_reference("ıssue/5") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("subscribe", "say which repositories: subscribe vllm sglang at 09:00"),
        ("subscribe vllm 9:00", "9:00 is no repository: subscribe vllm at 9:00"),
        ("subscribe vllm weekdays", "weekdays is no repository: subscribe vllm on weekdays"),
        ("subscribe vllm Mon", "Mon is no repository: subscribe vllm on Mon"),
        ("subscribe vllm csrc/**", "csrc/** is no repository: subscribe vllm paths csrc/**"),
        ("subscribe asia/shanghai", "asia/shanghai is no repository: subscribe tz asia/shanghai"),
        ("subscribe vllm witout bots", "witout is no repository: subscribe vllm without bots,ci"),
        ("subscribe <!channel>", "<!channel> is no repository: subscribe vllm"),
        ("subscribe vllm at", "nothing follows at: subscribe vllm at 09:00"),
        ("subscribe vllm at 9 at 10", "at is said twice: at 09:00"),
        ("subscribe at 9:00 UTC tz PST", "9:00 UTC is not a time of day: at 09:00"),
        ("subscribe vllm at 13pm", "13pm is not a time of day: at 09:00"),
        ("subscribe vllm at 9:75", "9:75 is not on a clock of 24 hours: at 09:59"),
        (
            "subscribe vllm on weekly mon,tue",
            "weekly is one day of the week: on weekly, or on weekly mon",
        ),
        ("subscribe vllm on mondy", "mondy is not a day of the week: did you mean on mon?"),
        (
            "subscribe vllm without bot",
            "bot cannot be chosen: without bots,ci,docs, without nothing",
        ),
        ("subscribe vllm one message", "message cannot be chosen: one thread"),
        ("subscribe vllm one thread own threads", "own is said twice: own threads"),
        ("unsubscribe", "say which: unsubscribe vllm, or unsubscribe all"),
        ("unsubscribe all vllm", "say which: unsubscribe vllm, or unsubscribe all"),
        ("settings now", "settings takes no more words: settings"),
        ("followups x", "there are no x follow-ups: followups mine, open, done or all"),
        ("subscrbe vllm sglang", "there is no command subscrbe: did you mean subscribe vllm?"),
        (
            "watch pytorch/pytorch",
            "watch is for the command line, here it is: subscribe pytorch/pytorch",
        ),
        ("vllm noday", "noday is not a time: did you mean vllm today?"),
        ("vllm at 25:00", "25:00 is not on a clock of 24 hours: subscribe vllm at 23:00"),
        (
            "vllm today at 9 am",
            "there is no command vllm today at 9 am: did you mean subscribe vllm at 09:00?",
        ),
        ("monday at 9:00", "there is no command monday at 9:00: did you mean subscribe at 09:00?"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_the_nearest_right_form(
    text: str, told: str
) -> None:
    assert fault(text) == told


def test_a_command_longer_than_any_is_refused() -> None:
    assert "too many" in fault("subscribe " + "vllm " * 1_000)


@given(
    st.one_of(
        st.text(max_size=300),
        st.lists(
            st.one_of(
                st.sampled_from([*CHANNEL_WORDS, *SETTINGS, "thread", "nothing", "vllm", "all"]),
                st.text(max_size=12),
            ),
            max_size=12,
        ).map(" ".join),
    )
)
def test_any_text_is_read_or_refused_in_one_printable_line(text: str) -> None:
    with contextlib.suppress(UsageError):
        parse_chat(text)
        return
    fault(text)


def test_every_command_of_a_channel_has_its_row_of_help_with_an_example_that_works() -> None:
    assert {row.topic for row in CHANNEL_ROWS} == {*CHANNEL_WORDS, "upgrade"}
    for row in CHAT_ROWS:
        assert parse_chat(row.example)
        assert localized(row.gives, Language.ZH) != english(row.gives)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("how do I flag a change?", "followups"),
        ("how to change the hour", "subscribe"),
        ("how can we stop this?", "unsubscribe"),
        ("how do I pause it", "pause"),
        ("Stop", "unsubscribe"),
        ("mute", "pause"),
    ],
)
def test_a_question_about_the_bot_is_answered_by_its_help(text: str, topic: str) -> None:
    assert parse_chat(text) == Help(topic)
    assert rows_about(topic, CHAT_ROWS)


def test_who_says_hello_is_told_what_the_bot_is_for() -> None:
    for text in ("", "!", "？", "Hello!", "hi", "你好", "谢谢！"):
        assert parse_chat(text) == Welcome()
    assert parse_chat("what is new?") != Welcome()


def test_the_row_of_subscribe_names_every_keyword() -> None:
    row = next(row for row in CHANNEL_ROWS if row.topic == "subscribe")

    assert [keyword for keyword in SETTINGS if keyword not in row.form] == []


def test_the_page_of_commands_has_the_table_of_channels() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    section = page.partition("\n## In a channel\n")[2].partition("\n## ")[0]
    rows = [
        f"| `{row.form.replace('|', chr(92) + '|')}` | `{row.example}` | {english(row.gives)} |"
        for row in CHANNEL_ROWS
    ]

    assert [line for line in section.splitlines() if line.startswith("| `")][: len(rows)] == rows


def test_no_alias_can_be_a_word_of_settings() -> None:
    assert tuple(SETTINGS) == SETTING_WORDS
    assert {*NAMED_DAYS, *DAY_NAMES, *LEFT_OUT, *Language, *SETTINGS, *CHANNEL_WORDS} <= RESERVED
    with pytest.raises(UsageError, match="at is a word of a command"):
        parse("watch octo/cat as at")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9", time(9)),
        ("12am", time(0)),
        ("12pm", time(12)),
        ("9:30 PM", time(21, 30)),
        ("9：30", time(9, 30)),
        ("9h05", time(9, 5)),
        ("09:00:00", time(9)),
    ],
)
def test_times_are_read_as_people_write_them(text: str, expected: time) -> None:
    assert read_at(text) == expected


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("daily", DAILY),
        ("Monday Wednesdays", {0, 2}),
        ("sat-mon", {5, 6, 0}),
        ("weekdays, sun", {0, 1, 2, 3, 4, 6}),
    ],
)
def test_days_are_read(text: str, days: set[int]) -> None:
    assert read_days(text) == (days, False)


@pytest.mark.parametrize("read", [read_paths, read_topics])
@pytest.mark.parametrize(
    "text", ["", ",", "/", "a" * 201, "a\x00b", " ".join(f"x{n}" for n in range(MAX_FOLLOWED + 1))]
)
def test_what_cannot_be_followed_is_refused(
    read: Callable[[str], tuple[str, ...]], text: str
) -> None:
    with pytest.raises(UsageError) as caught:
        read(text)
    assert str(caught.value).isprintable()


def test_paths_do_not_climb_out_of_the_repository() -> None:
    with pytest.raises(UsageError, match=r"cannot be followed: paths csrc/"):
        read_paths("../x csrc/**")
