"""What the bot's sentences give as examples can be chosen in Discord."""

import re
from typing import Any

import pytest

from adapters.discord.commands import (
    CHOICES,
    COMMANDS,
    as_options,
    help_reply,
    in_options,
    read,
    read_interaction,
)
from adapters.discord.render import render_parts
from bot.compose.chat_reply import ChatReply
from bot.model.channel_commands import parse_chat
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Paragraph

EN = Language.EN
SETTINGS = (
    "subscribe vllm-project/vllm at 09:00 tz UTC on daily in zh without nothing paths all "
    "topics all quiet line own threads"
)
BY_NAME = {
    (language, CATALOGUES[language].localized(name)): value
    for choices in CHOICES.values()
    for value, name in choices.items()
    for language in Language
}


def said(phrase: Phrase, language: Language = EN) -> str:
    """Give a sentence with what is shown as code in brackets."""
    (part,) = ChatReply.line(phrase, language).parts
    (block,) = in_options(part, language, {}).blocks
    assert isinstance(block, Paragraph)
    return "".join(
        f"[{run.text}]" if isinstance(run, Code) else run.text  # type: ignore[union-attr]  # both have
        for run in block.runs
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
    assert {each["name"] for each in known["options"] if each.get("required")} <= set(dict(pairs))
    return read(read_interaction({"name": name, "options": given})).text


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
        "subscribe at 08:00",
        SETTINGS,
        f"{SETTINGS} eyes open publish yes mention 301 breaks",
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


def test_a_command_with_words_that_it_does_not_take_is_shown_by_itself() -> None:
    assert as_options("resume quiet", Language.EN) == "/infra-channel resume"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (
            "subscribe 9:00",
            "“9:00” is no repository: [/infra-channel settings time:9:00].",
        ),
        (
            "subscribe vllm at 25:00",
            "“25:00” is not on a clock of 24 hours: [time:23:00].",
        ),
        (
            "vllm zzz",
            "“zzz” is neither a time nor a change: [/infra repo:vllm when:yesterday], "
            "[/infra repo:vllm when:2026-02-11] or [/infra repo:sglang change:18905].",
        ),
        (
            "subscribe vllm without dcs",
            "“dcs” cannot be chosen: [without:bots,ci,docs], [without:nothing].",
        ),
        (
            "subscribe vllm show x",
            "“x” cannot be chosen: [show:True], [show:False].",
        ),
        (
            "subscrib vllm",
            "There is no command subscrib: did you mean [/infra-channel subscribe repos:vllm]?",
        ),
        (
            "followups of somebody else",
            "There are no of somebody else follow-ups: [/followups show which:mine], open, done "
            "or all.",
        ),
        (
            "vllm yesterdy",
            "“yesterdy” is not a time: did you mean [/infra repo:vllm when:yesterday]?",
        ),
    ],
)
def test_examples_become_options_and_what_is_none_stays(typed: str, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_chat(typed)
    assert said(raised.value.why) == told


def test_a_command_of_a_known_id_can_be_pressed_in_answers_and_in_help() -> None:
    (part,) = ChatReply.line(SAY.subscribing.paused_until(Example("resume")), EN).parts
    (drawn,) = render_parts((part,), EN, {"infra-channel": "77"})
    assert "</infra-channel resume:77>" in str(drawn.payload)
    (drawn, *_) = render_parts(help_reply(EN).parts, EN, {"infra": "5"})
    assert "</infra:5> `repo:vllm" in str(drawn.payload) or "</infra:5> `repo:sglang" in str(
        drawn.payload
    )
    (hostile,) = ChatReply.line(SAY.github.no_repo("</x:1>"), EN).parts
    (drawn,) = render_parts((hostile,), EN, {"infra": "5"})
    assert "</x:1>" not in str(drawn.payload)
