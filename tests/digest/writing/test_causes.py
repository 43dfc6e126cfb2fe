"""Why something could not be looked at, in the reader's language, as it was stored in English."""

import ast
import re
import string
from collections.abc import Iterator, Mapping
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
SOURCES = [*sorted((ROOT / "digest/sources").rglob("*.py")), ROOT / "digest/codec.py"]
FAILURES = ("BadAnswer", "CouldNotLook", "Forbidden", "HeavyAnswer", "NotFound", "Unreachable")
WHAT_AT = {"Shape": 1, "a_list": 1, "read": 2, "_sound": 2, "whole": 2, "_get_commit": 3}
"""Where those that read GitHub's answers are told what an answer is about."""

HAN = re.compile("[一-鿿]")


def told(node: ast.expr, written: Mapping[str, list[ast.expr]]) -> set[str]:
    """Give the sentences that an expression writes, with a word for each value.

    `written` are the expressions of the names that stand in the file. A sentence of an error is
    found where the error is made; what nobody can read is given as its source.
    """
    match node:
        case ast.Constant(value=str(text)):
            return {string.Formatter().vformat(text, (), Seven())}
        case ast.JoinedStr(values=values):
            parts = (str(each.value) if isinstance(each, ast.Constant) else "7" for each in values)
            return {"".join(parts)}
        case ast.Call(func=ast.Name(id="gap_sentence" | "str")):
            return set()
        case ast.Name(id=name) if name in written:
            return {said for each in written[name] for said in told(each, written)}
        case ast.Name(id="why"):  # handed on: its writer is scanned
            return set()
        case ast.IfExp(body=body, orelse=other):
            return told(body, written) | told(other, written)
    return {ast.unparse(node)}


class Seven(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "7"


def reasons(path: Path) -> set[str]:
    """Give what a file of a source says could not be looked at, and why."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    written: dict[str, list[ast.expr]] = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                written.setdefault(name, []).append(value)
    found: set[str] = set()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="Gap"), args=[_, why, *_]):
                found |= told(why, written)
            case ast.Call(func=ast.Attribute(attr="_add_gap"), args=[_, why]):
                found |= told(why, written)
            case ast.Call(func=ast.Name(id=name), args=[why, *_]) if name in FAILURES:
                found |= told(why, written)
            case ast.ClassDef(bases=[ast.Name(id=name)]) if name in FAILURES:
                found |= {said for why in _of_super(node) for said in told(why, written)}
    return found


def _of_super(made: ast.ClassDef) -> Iterator[ast.expr]:
    """Give the sentence that an error of a source's own is made with."""
    for node in ast.walk(made):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"),
                args=[why, *_],
            ):
                yield why


def test_every_reason_of_a_gap_has_its_chinese() -> None:
    said = {why for path in SOURCES for why in reasons(path)}
    assert {why for why in said if not HAN.search(in_chinese(why))} - UNTOLD == set()


UNTOLD = {"NO_REPO"}
"""Written elsewhere; its Chinese is tested by its name below."""


def test_the_scan_finds_what_it_looks_for() -> None:
    found = {why for path in SOURCES for why in reasons(path)}
    assert "the files of 7 of 7 changes were not read: 7" in found
    assert "GitHub does not answer in time; try again later" in found
    assert "git could not do it: 7" in found
    assert "7; shown is what was fetched before" in found
    assert "7 is not a git repository: name a clone or a bare repository" in found
    assert "7 holds 7 alone (7 to 7)" in found


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
        what.value
        for path in GITHUB
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        for place in (WHAT_AT.get(call.func.id, len(call.args)),)
        for what in call.args[place : place + 1]
        if isinstance(what, ast.Constant)
    }
    assert asked <= set(OBJECTS)


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


def test_a_stale_clone_and_a_recorded_file_say_in_chinese_what_they_do_not_hold() -> None:
    """A reason within a reason is translated, and git's own words stay as git wrote them."""
    where = "https://git.example.org/kiln.git"
    gone = f"{where} does not answer: check the network (Could not resolve host)"
    assert in_chinese(f"{gone}; shown is what was fetched before") == (
        f"{where} 没有回应：请检查网络（Could not resolve host）；以下为之前取回的内容"
    )
    span = "2026-03-04 00:00 UTC to 2026-03-05 00:00 UTC"
    assert in_chinese(f"kiln.json holds 2026-03-04 alone ({span})") == (
        "kiln.json 只有 2026-03-04（2026-03-04 00:00 UTC 至 2026-03-05 00:00 UTC）"
    )
