"""Errors in the language of who reads them: every sentence has both, with the same values."""

import ast
import string
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bot.deliver.planning import refuse_blindness
from bot.model.channel_commands import parse_chat
from bot.model.help import READING_ROWS, rows_about
from bot.model.ports import PublishError
from bot.wording.error_words import CHINESE, told
from digest.errors import CouldNotLook, InfraError, Phrase, Sentence, UsageError, listed
from digest.languages import Language
from digest.models import Repo, Roundup
from digest.windows import day

ROOT = Path(__file__).parents[2]
FOR_CHAT = (
    *(
        "bot/model/commands.py",
        "bot/model/channel_commands.py",
        "bot/model/setting_words.py",
        "bot/answer/repositories.py",
    ),
    *(
        "bot/model/help.py",
        "bot/answer/pressing.py",
        "bot/model/item_keys.py",
        "bot/model/digest_reference.py",
    ),
    *(
        "bot/answer/channel_answers.py",
        "bot/model/subscriptions.py",
        "bot/answer/subscribing.py",
        "digest/windows.py",
    ),
    *("digest/lookups.py", "digest/pipeline.py", "digest/sources/github/api.py"),
    *("digest/sources/github/finding.py", "digest/sources/github/gathering.py"),
)
ERRORS = (
    *("UsageError", "UnknownRepo", "BadWindow", "NotFound", "Forbidden", "BadAnswer"),
    *("Unreachable", "RateLimited", "Sentence"),
)


def _all_below(kind: type[InfraError]) -> Iterator[type[InfraError]]:
    for each in kind.__subclasses__():
        yield each
        yield from _all_below(each)


FOR_THE_COMMAND_LINE = {
    "a search reads stored digests: ask again without --no-store",
    "this source holds {only} alone, not {name}: write {own}",
    "{alias} is a word of a command: watch {repo} as my-{alias}",
    "{name} is not of the form OWNER/NAME: {example}",
    "an alias begins with a letter, unlike {alias}: {example}",
    "say which repository to watch: {example}",
    "say which alias: unwatch torch",
    "{word} is nobody: write members, admins, or people and groups as slack:T0123/U0456, "
    "slack:T0123/S0456, discord:1234/5678 or discord:1234/role:5678",
}


def forms(path: str) -> Iterator[tuple[str, int]]:
    """Give the forms that are raised in a file, as far as they stand where they are raised."""
    for call in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in ERRORS:
            continue
        match call.args[0]:
            case ast.Constant(value=str(form)):
                yield form, call.lineno
            case ast.JoinedStr():
                yield f"written with its values in line {call.lineno}", call.lineno


def test_every_sentence_that_chat_can_say_has_its_chinese() -> None:
    raised = {form for path in FOR_CHAT for form, _ in forms(path)} - FOR_THE_COMMAND_LINE
    assert raised - CHINESE.keys() == set()


def test_both_languages_name_the_same_values() -> None:
    def places(form: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(form) if name}

    spoken = {form: (places(form), places(chinese)) for form, chinese in CHINESE.items()}
    wrong = {form for form, (en, zh) in spoken.items() if not zh <= en}
    # Chinese says the length of a month without naming it.
    left_out = {form: en - zh for form, (en, zh) in spoken.items() if en - zh}
    assert wrong == set()
    assert list(left_out.values()) == [{"month_name", "year"}]


def test_no_chinese_sentence_has_the_punctuation_of_english() -> None:
    for form, chinese in CHINESE.items():
        said = "".join(text for text, *_ in string.Formatter().parse(chinese))
        assert not any(mark in said for mark in (", ", "; ", ": ")), form


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("subscribe vllm at 25:00", "25:00 不在 24 小时之内：at 23:00"),
        ("vllm yesterdy", "yesterdy 不是时间：是想输入 yesterday 吗？"),
        ("subscribe vllm on funday", "funday 不是星期：on daily、on weekdays 或 on mon,wed"),
        ("subscribe vllm 09:00", "09:00 是时间：subscribe vllm at 09:00"),
        (
            "subscribe vllm tz Asia/Shangai",
            "没有名为 'Asia/Shangai' 的时区：是想输入 Asia/Shanghai 吗？",
        ),
        ("x" * 2_001, "命令有 2001 个字符，过长，最多 2000 个：vllm yesterday"),
    ],
)
def test_a_wrong_command_is_answered_in_chinese_with_its_example(text: str, chinese: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_chat(text)
    assert told(raised.value, Language.ZH) == chinese


def test_english_is_what_the_error_says() -> None:
    error = UsageError("{word} is no repository: {example}", word="a b", example="vllm")
    assert told(error, Language.EN) == str(error) == "a b is no repository: vllm"


def test_a_sentence_without_chinese_is_told_in_english() -> None:
    assert told(InfraError("nobody translated {what}", what="this"), Language.ZH) == (
        "nobody translated this"
    )


def test_what_a_person_wrote_is_no_form() -> None:
    error = UsageError("{name} is no repository: unsubscribe vllm", name="{0.__class__}{x}")
    assert told(error, Language.ZH) == "{0.__class__}{x} 不是仓库：unsubscribe vllm"
    assert str(InfraError("as it stands: {x}")) == "as it stands: {x}"


def test_a_platform_brings_its_own_chinese() -> None:
    gone = Phrase("the channel {name} is gone", zh="频道 {name} 已不存在")
    assert told(InfraError(gone, name="infra"), Language.ZH) == "频道 infra 已不存在"
    assert str(InfraError(gone, name="infra")) == "the channel infra is gone"


def test_a_sentence_in_a_sentence_is_told_in_the_same_language() -> None:
    hint = Sentence("did you mean {meant}?", meant="vllm")
    error = UsageError("there is no repository called {name}: {hint}", name="vlm", hint=hint)
    assert told(error, Language.ZH) == "没有名为 vlm 的仓库：是想输入 vllm 吗？"


def test_what_can_be_chosen_is_listed_with_the_commas_of_the_language() -> None:
    with pytest.raises(UsageError) as raised:
        rows_about("frobnicate", READING_ROWS)
    first, second, *_ = dict.fromkeys(row.topic for row in READING_ROWS)
    assert f"{first}, {second}, " in str(raised.value)
    assert f"{first}、{second}、" in told(raised.value, Language.ZH)
    assert listed(()) == ""


def test_repositories_that_are_waited_for_are_told_in_the_language_of_the_channel() -> None:
    late = "GitHub does not answer in time; try again later"
    failed = ((Repo("a", "b"), late), (Repo("c", "d"), late), (Repo("e", "f"), "it is {gone}"))
    window = day(date(2026, 3, 4), "UTC")
    with pytest.raises(CouldNotLook) as raised:
        refuse_blindness(Roundup(window, (), failed), tries=0)
    assert str(raised.value) == f"a/b, c/d: {late}; e/f: it is {{gone}}"
    assert told(raised.value, Language.ZH) == (
        "a/b、c/d：GitHub 未及时回答，请稍后再试；e/f：it is {gone}"
    )


PLATFORM_ERRORS = {each.__name__ for each in (PublishError, *_all_below(PublishError))}
TOLD_BY = [
    path
    for folder in ("adapters/slack", "adapters/discord", "bot")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


def test_what_a_platform_refuses_is_said_in_both_languages() -> None:
    """Such an error is why a channel is paused, and what a person is told: a `Phrase` has both."""
    english = [
        f"{path}: {ast.unparse(call.args[0])}"
        for path in TOLD_BY
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in PLATFORM_ERRORS
        and call.args
        and not isinstance(call.args[0], ast.Name | ast.Attribute)
    ]
    assert english == []
