"""Why something could not be looked at, in the reader's language, as it was stored in English."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from digest.errors import NO_REPO
from digest.gaps import Gap
from digest.languages import Language
from digest.sources.github.api import exhausted
from digest.store.failures import (
    NOT_A_DATABASE,
    POSTGRES_SENTENCES,
    POSTGRES_SETTINGS,
    SQLITE_SENTENCES,
    UNMIGRATED,
    failure,
)
from digest.writing.digest_page import warnings
from digest.writing.rules import plain, summary
from digest.writing.wording.causes import CAUSES, LONGEST, OBJECTS, in_chinese, in_english
from digest.writing.wording.languages import CATALOGUES
from tests.digest.writing.invented import reading

ROOT = Path(__file__).parents[3]
GITHUB = sorted((ROOT / "digest/sources/github").glob("*.py"))
FAILURES = ("BadAnswer", "Forbidden", "HeavyAnswer", "NotFound", "Unreachable")
HAN = re.compile("[一-鿿]")


def told(node: ast.expr) -> str:
    """Give the sentence that an expression writes, with a word for each value; or nothing."""
    match node:
        case ast.Constant(value=str(text)):
            return string.Formatter().vformat(text, (), Seven())
        case ast.JoinedStr(values=values):
            return "".join(
                str(each.value) if isinstance(each, ast.Constant) else "7" for each in values
            )
    return ""


class Seven(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "7"


def reasons(path: Path) -> Iterator[str]:
    """Give what a file of a source says could not be looked at, and why."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Assign(targets=[ast.Name(id="why")], value=value):
                yield told(value)
            case ast.Call(func=ast.Name(id="Gap"), args=[_, why, *_]):
                yield told(why)
            case ast.Call(func=ast.Attribute(attr="_add_gap"), args=[_, why]):
                yield told(why)
            case ast.Call(func=ast.Name(id=name), args=[why, *_]) if name in FAILURES:
                yield told(why)


@pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.stem)
def test_every_reason_of_a_gap_has_its_chinese(path: Path) -> None:
    said = {why for why in reasons(path) if why}
    assert {why for why in said if not HAN.search(in_chinese(why))} - UNTOLD == set()


UNTOLD = {"there is no repository 7, or it is private: check the name, as in vllm-project/vllm"}
"""What only a person who asks is told; the bot has it in its own words."""


def test_the_scan_finds_what_it_looks_for() -> None:
    found = {why for path in GITHUB for why in reasons(path)}
    assert "the files of 7 of 7 changes were not read: 7" in found
    assert "GitHub does not answer in time; try again later" in found


@pytest.mark.parametrize(
    "form",
    [
        *SQLITE_SENTENCES.values(),
        *POSTGRES_SENTENCES.values(),
        *POSTGRES_SETTINGS.values(),
        *(NOT_A_DATABASE, UNMIGRATED),
        str(failure(None, "{place}")),
    ],
)
def test_every_failure_of_a_database_has_its_chinese(form: str) -> None:
    said = in_chinese(form.format(place="/srv/infra.sqlite3"))
    assert HAN.search(said)
    assert "/srv/infra.sqlite3" in said


def test_values_stand_where_they_stood_and_reasons_in_reasons_are_translated() -> None:
    limit = "GitHub's hourly limit is used up until 09:30 UTC; try again then"
    assert in_chinese(f"what the merge abc1234 brought could not be read: {limit}.") == (
        "合并 abc1234 带来的提交未能读取：GitHub 每小时的限额已用完，09:30 UTC 恢复，请届时再试"
    )
    assert in_chinese(str(exhausted(None, has_token=True))) == (
        "GitHub 每小时的限额已用完，请届时再试"
    )


def test_one_change_and_several_are_counted() -> None:
    why = "could not be read: the connection to GitHub broke off; try again later"
    cut = "与 GitHub 的连接中断，请稍后再试"
    assert in_chinese(f"the patches of 1 change {why}") == f"1 项变更的补丁未能读取：{cut}"
    assert in_chinese(f"the patches of 12 changes {why}") == f"12 项变更的补丁未能读取：{cut}"


def test_what_an_answer_was_about_is_said_in_chinese() -> None:
    why = "GitHub's answer about {} has another form than expected; try again later"
    assert in_chinese(why.format("pull requests")) == "GitHub 的回答格式有误（PR），请稍后再试"
    assert in_chinese(why.format("#12")) == "GitHub 的回答格式有误（#12），请稍后再试"
    asked = {
        call.args[0].value
        for path in GITHUB
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "expecting"
        and isinstance(call.args[0], ast.Constant)
    }
    assert asked == set(OBJECTS)


def test_a_reason_of_no_known_form_stays_as_it_is() -> None:
    assert in_chinese("the moon was full.") == "the moon was full"
    long = f"GitHub lists no more than 3,000 files of a change: in {'#1, ' * LONGEST}"
    assert in_chinese(long) == long


def test_braces_of_a_value_are_no_places() -> None:
    assert in_chinese("{0.__class__}{x} cannot be used: {y}") == "{0.__class__}{x} 无法使用：{y}"


def test_english_loses_its_full_stop_alone() -> None:
    assert in_english("GitHub did not answer.") == "GitHub did not answer"


def test_a_chinese_page_tells_gaps_in_chinese() -> None:
    say = CATALOGUES[Language.ZH]
    why = "GitHub does not answer in time; try again later"
    (line,) = warnings(reading((), gaps=(Gap("issues", why),)), say)
    assert plain(line.runs) == "未能查看 Issue：GitHub 未及时回答，请稍后再试。"
    assert summary(reading((), gaps=(Gap("everything", why),)), say) == (
        "未能查看：GitHub 未及时回答，请稍后再试。"
    )


def test_both_languages_name_the_same_values() -> None:
    for form, chinese in CAUSES.items():
        names = [
            {name for _, name, _, _ in string.Formatter().parse(each) if name}
            for each in (form, chinese)
        ]
        assert names[1] <= names[0], form


def test_a_repository_that_is_gone_is_told_in_the_readers_language() -> None:
    said = in_chinese(NO_REPO.format(repo="example-org/kiln"))
    assert said == "没有仓库 example-org/kiln，或者它是私有的：请核对名称，如 vllm-project/vllm"
