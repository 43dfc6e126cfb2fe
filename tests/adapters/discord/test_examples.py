"""What the bot's sentences give as examples can be chosen in Discord."""

import re
from dataclasses import replace
from typing import Any

import pytest

from adapters.discord.asking import asked, text_of
from adapters.discord.commands import COMMANDS, LANGUAGES, QUIET, THREADS
from adapters.discord.examples import as_options, help_reply, in_options, settings_command, shown
from bot.channel_commands import parse_chat
from bot.chat_reply import ChatReply
from bot.help import CHAT_ROWS
from bot.settings_form import blank_form
from digest.languages import Language
from digest.writing.document import Bullets, Code, Paragraph, Words

EN = Language.EN
BY_NAME = {
    name: value
    for choices in (THREADS, QUIET, {each.value: name for each, name in LANGUAGES.items()})
    for value, name in choices.items()
}


def said(sentence: str) -> str:
    """Give a sentence with what is shown as code in brackets."""
    return "".join(
        f"[{run.text}]" if isinstance(run, Code) else run.text  # type: ignore[union-attr]  # both have
        for run in in_options(sentence)
    )


def chosen(command: str) -> str:
    """Choose the options of a command as Discord's client does, and give what is asked then."""
    names, _, _ = command.partition(":")
    name, *sub = (
        names.removeprefix("/").rsplit(" ", 1)[0].split()
        if ":" in command
        else (command.removeprefix("/").split())
    )
    pairs = re.findall(r"(\w+):(.*?)(?= \w+:|$)", command)
    options: list[dict[str, Any]] = [
        {"type": 3, "name": key, "value": BY_NAME.get(value, value)} for key, value in pairs
    ]
    given = [{"type": 1, "name": sub[0], "options": options}] if sub else options
    known = next(each for each in COMMANDS if each["name"] == name)
    if sub:
        known = next(each for each in known["options"] if each["name"] == sub[0])
    assert {key for key, _ in pairs} <= {each["name"] for each in known["options"]}
    return text_of(asked({"name": name, "options": given}))


@pytest.mark.parametrize(
    "typed",
    [
        "vllm week",
        "sglang 18905",
        "sglang v0.5.6",
        "all 2026-02-11",
        "vllm today in zh",
        "search flash attention",
        "subscribe vllm sglang at 09:00 tz Asia/Shanghai on mon,wed in zh without bots,ci "
        "paths csrc/** *.cu topics attention moe quiet line own threads",
        "subscribe vllm one thread",
        "unsubscribe all",
        "pause",
        "resume",
        "subscriptions",
        "settings",
        "followups mine",
    ],
)
def test_a_typed_command_and_its_options_ask_the_same(typed: str) -> None:
    assert parse_chat(chosen(as_options(typed))) == parse_chat(typed)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "9:00 is a time: subscribe vllm at 09:00",
            "9:00 is a time: [/infra-channel subscribe repos:vllm time:09:00]",
        ),
        (
            "25:00 is not on a clock of 24 hours: at 23:00",
            "25:00 is not on a clock of 24 hours: [time:23:00]",
        ),
        (
            "xx is neither a time nor a change: vllm yesterday or vllm '#18905'",
            "xx is neither a time nor a change: [/infra repo:vllm when:yesterday] or "
            "[/infra repo:vllm change:18905]",
        ),
        (
            "x cannot be left out: did you mean without docs?",
            "x cannot be left out: did you mean [without:docs]?",
        ),
        (
            "yesterday is not shown x: show now or show later",
            "yesterday is not shown x: [show:True] or [show:False]",
        ),
        ("say it: one thread", "say it: [threads:all in one thread]"),
        (
            "本频道还没有订阅：subscribe vllm",
            "本频道还没有订阅：[/infra-channel subscribe repos:vllm]",
        ),
        (
            "x 不是星期：on daily、on weekdays 或 on mon,wed",
            "x 不是星期：[days:daily]、[days:weekdays] 或 [days:mon,wed]",
        ),
        ("x 不能略去：是想输入 without docs 吗？", "x 不能略去：是想输入 [without:docs] 吗？"),
        (
            "Paused: since 2026-02-12, until: resume. Last: 2026-02-12.",
            "Paused: since 2026-02-12, until: [/infra-channel resume]. Last: 2026-02-12.",
        ),
        (
            "已暂停：自 2026-02-12 起，恢复请用 resume。上一次：2026-02-12。",
            "已暂停：自 2026-02-12 起，恢复请用 [/infra-channel resume]。上一次：2026-02-12。",
        ),
        (
            "say one: /infra repo:vllm when:week",
            "say one: [/infra repo:vllm when:week]",
        ),
        (
            "there is no command subs: did you mean subscribe?",
            "there is no command subs: did you mean [/infra-channel subscribe]?",
        ),
    ],
)
def test_examples_behind_the_last_colon_become_options(sentence: str, told: str) -> None:
    assert said(sentence) == told


@pytest.mark.parametrize(
    "sentence",
    [
        "'x' is not a time: did you mean yesterday?",
        "zones have names: UTC, Asia/Shanghai or Europe/Berlin",
        "only admins change what this channel gets: ask one",
        "nothing was found",
        "on weekdays there is no colon",
        "say which: followups of somebody else",
        "this is one: help, why sglang 18905 or repos",
        "it ends: ",
    ],
)
def test_what_is_no_example_stays(sentence: str) -> None:
    assert said(sentence) == sentence


def test_a_reply_of_one_sentence_shows_them_as_code_and_any_other_is_left_alone() -> None:
    reply = shown(ChatReply.line("say which: unsubscribe vllm", EN, failed=True))
    assert reply.failed
    assert reply.parts[0].blocks == (
        Paragraph((Words("say which: "), Code("/infra-channel unsubscribe repos:vllm"))),
    )
    several = replace(reply, parts=reply.parts * 2)
    assert shown(several) is several


def test_settings_are_the_command_that_gives_them() -> None:
    form = replace(
        blank_form("Asia/Shanghai", Language.ZH),
        repos=("vllm-project/vllm",),
        without=("bots",),
        paths="csrc/**",
        one_thread=True,
        is_new=False,
    )
    (part,) = shown(replace(ChatReply.line("typed", EN), form=form)).parts
    assert part.blocks == (Paragraph((Code(settings_command(form)),)),)

    assert chosen(settings_command(form)) == (
        "subscribe vllm-project/vllm at 09:00 tz Asia/Shanghai on daily in zh without bots "
        "paths csrc/** topics all quiet line one thread"
    )


def test_help_gives_an_example_of_every_command_that_discord_has() -> None:
    for language in Language:
        (part,) = help_reply(language).parts
        (bullets,) = part.blocks
        assert isinstance(bullets, Bullets)
        topics = {row.topic for row in CHAT_ROWS} - {"repos", "why", "help"}
        assert len(bullets.entries) == len(topics)
