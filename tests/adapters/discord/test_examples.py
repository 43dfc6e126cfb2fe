"""What the bot's sentences give as examples can be chosen in Discord."""

import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from adapters.discord.asking import asked, read
from adapters.discord.commands import COMMANDS, LANGUAGES, QUIET, THREADS, WHICH, are_known
from adapters.discord.examples import as_options, help_reply, in_options, settings_command, shown
from bot.compose.chat_reply import ChatReply
from bot.model.channel_commands import parse_chat
from bot.model.help import CHAT_ROWS
from bot.wording.settings_form import blank_form
from digest.languages import Language
from digest.writing.document import Bullets, Code, Paragraph, Words

EN = Language.EN
BY_NAME = {
    (language, name): value
    for choices in (THREADS, QUIET, LANGUAGES, WHICH)
    for value, names in choices.items()
    for language, name in names.items()
}


def said(sentence: str, language: Language = EN) -> str:
    """Give a sentence with what is shown as code in brackets."""
    return "".join(
        f"[{run.text}]" if isinstance(run, Code) else run.text  # type: ignore[union-attr]  # both have
        for run in in_options(sentence, language)
    )


def chosen(command: str, language: Language) -> str:
    """Choose a command's options as Discord's client does, and give what is asked then."""
    names, _, _ = command.partition(":")
    name, *sub = (
        names.removeprefix("/").rsplit(" ", 1)[0].split()
        if ":" in command
        else (command.removeprefix("/").split())
    )
    pairs = re.findall(r"(\w+):(.*?)(?= \w+:|$)", command)
    options: list[dict[str, Any]] = [
        {"type": 3, "name": key, "value": BY_NAME.get((language, value), value)}
        for key, value in pairs
    ]
    given = [{"type": 1, "name": sub[0], "options": options}] if sub else options
    known = next(each for each in COMMANDS if each["name"] == name)
    if sub:
        known = next(each for each in known["options"] if each["name"] == sub[0])
    assert {key for key, _ in pairs} <= {each["name"] for each in known["options"]}
    return read(asked({"name": name, "options": given})).text


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
@pytest.mark.parametrize("language", Language)
def test_a_typed_command_and_its_options_ask_the_same(typed: str, language: Language) -> None:
    assert parse_chat(chosen(as_options(typed, language), language)) == parse_chat(typed)


def test_choices_are_named_in_the_language_of_the_answer_as_the_client_names_them() -> None:
    form = replace(blank_form("UTC", Language.ZH), repos=("vllm-project/vllm",), is_new=False)
    assert settings_command(form, Language.ZH).endswith(
        "language:中文 without:nothing paths:all topics:all "
        "quiet:用一行说明 threads:每个仓库一个讨论串"
    )
    assert said("不能这样写：one thread", Language.ZH) == "不能这样写：[threads:合并为一个讨论串]"
    assert as_options("followups mine", Language.ZH) == "/followups show which:我的"

    offered = {
        choice["value"]: (choice["name"], choice["name_localizations"]["zh-CN"])
        for option in next(each for each in COMMANDS if each["name"] == "infra-channel")["options"][
            0
        ]["options"]
        for choice in option.get("choices") or ()
    }
    assert offered["line"] == ("one line", "用一行说明")
    assert offered["own"] == ("each repository its own", "每个仓库一个讨论串")


def test_discord_is_told_again_when_a_choice_is_named_otherwise() -> None:
    told = deepcopy(list(COMMANDS))
    assert are_known(told)
    which = next(each for each in told if each["name"] == "followups")["options"][0]["options"][0]
    del which["choices"][0]["name_localizations"]
    assert not are_known(told)


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
    for language in Language:
        (part,) = shown(replace(ChatReply.line("typed", language), form=form)).parts
        assert part.blocks == (Paragraph((Code(settings_command(form, language)),)),)

        assert chosen(settings_command(form, language), language) == (
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
