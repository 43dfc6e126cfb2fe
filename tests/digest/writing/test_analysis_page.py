"""The analysis of one change on a page: evidence under its heading, or no heading."""

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.facts import Evidence, Fact, FactChange, FactKind, Subject, Symptom
from digest.languages import Language
from digest.models import Change, FileChange, Item
from digest.writing.analysis_page import LONG, SHORT, WHOLE, Extent
from digest.writing.change_page import change_page
from digest.writing.document import Document, Hunk, Quote
from digest.writing.rules import plain
from tests.digest.writing.analysed import change, reviewed
from tests.digest.writing.invented import HOSTILE_TITLES, issue, judged, pull

EN, ZH = Language.EN, Language.ZH


def section(page: Document, anchor: str) -> str:
    drawn = markdown.render(
        replace(
            page,
            lead=(),
            footer=(),
            sections=tuple(part for part in page.sections if part.anchor == anchor),
        )
    )
    return drawn.partition("\n\n")[2]


def anchors(page: Document) -> list[str]:
    return [part.anchor for part in page.sections]


def bare(**more: object) -> Change:
    return Change(judged(pull(1, "Door", files=(), **more)), ())


def test_hunks_are_bytes_of_the_patch_with_file_and_line() -> None:
    page = change_page(change(), EN, LONG)
    hunks = [block for part in page.sections for block in part.blocks if isinstance(block, Hunk)]
    assert (hunks[0].path, hunks[0].place) == ("kiln/door.py", ":11")
    assert all(
        any(hunk.text in (file.patch or "") for file in change().read.item.files or ())
        for hunk in hunks
    )
    assert len(hunks) == 4


@pytest.mark.parametrize(("language", "said"), [(EN, "fixed here: crash"), (ZH, "此处修复：崩溃")])
def test_what_a_change_mends_is_told_as_mended_and_what_an_issue_reports_is_not(
    language: Language, said: str
) -> None:
    mended = pull(1, "Mend the door", files=())
    reported = issue(2, "The door crashes")

    def page(item: Item, done: FactChange) -> str:
        bite = Fact(FactKind.BITE, item.key, done, symptom=Symptom.CRASH)
        return section(change_page(Change(judged(item), (), facts=(bite,)), language), "known")

    assert said in page(mended, FactChange.FIXED)
    told = page(reported, FactChange.REPORTED)
    assert said.rpartition(" " if language is EN else "：")[0] not in told


def test_a_fault_of_which_nobody_says_how_it_showed_is_not_told_as_one() -> None:
    item = pull(1, "Mend the door", files=())
    bite = Fact(FactKind.BITE, item.key, FactChange.FIXED, symptom=Symptom.BROKEN)

    assert "known" not in anchors(change_page(Change(judged(item), (), facts=(bite,)), EN))


def test_a_fact_without_a_statement_makes_no_empty_line() -> None:
    item = pull(1, "Release 1.2", files=())
    made = Fact(
        FactKind.RELEASE, item.key, FactChange.RELEASED,
        evidence=(Evidence("diff", "1.2", "version.txt"),),
    )  # fmt: skip
    flag = Fact(FactKind.INTERFACE, item.key, FactChange.ADDED, Subject.FLAG, "--door")
    alone = change_page(Change(judged(item), (), facts=(made,)), EN)
    assert "known" not in anchors(alone)
    both = section(change_page(Change(judged(item), (), facts=(made, flag)), EN), "known")
    assert "--door" in both
    assert "version.txt" not in both


def test_what_is_left_out_is_counted() -> None:
    page = change_page(change(), EN, Extent(lines=7, files=2, result_lines=3))
    shown = section(page, "hunks")
    assert "Not shown here: 3 hunks, in " in shown
    assert "`tests/test_door.py`" in shown.rpartition("Not shown here")[2]
    assert "3 further files: [#7]" in section(page, "files")
    assert "1 further line: [#7]" in section(page, "benchmarks")
    assert "Not shown here" not in markdown.render(change_page(change(), EN, SHORT))


def test_a_remark_without_the_language_of_the_page_is_told_in_the_other_and_says_so() -> None:
    told = section(change_page(reviewed(), ZH), "reading")
    assert "A script with `--hand` stops.（仅有另一种语言）" in told
    assert told.startswith("## some-model 的解读")


def test_claimed_speed_without_a_result_is_said_so() -> None:
    told = change_page(bare(body="Memory falls from 12 GB to 6 GB."), EN)
    assert "Speed is claimed; the description shows no result of a benchmark." in section(
        told, "performance"
    )


def test_both_languages_have_the_same_sections_and_no_word_of_the_other() -> None:
    english, chinese = (change_page(reviewed(), language) for language in (EN, ZH))
    assert anchors(english) == anchors(chinese)
    headings = [plain(part.heading) for part in chinese.sections]
    assert all(any("\u4e00" <= char <= "\u9fff" for char in heading) for heading in headings)


def test_results_keep_their_columns_in_every_medium() -> None:
    page = change_page(change(), EN)
    printed = [
        b for part in page.sections for b in part.blocks if isinstance(b, Quote) and b.printed
    ]
    assert len(printed) == 2
    assert "<pre>| rows | by hand | motor |" in html.render(page)
    assert "  │ | rows | by hand | motor |" in text.render(page)


@pytest.mark.parametrize("title", HOSTILE_TITLES)
def test_hostile_words_of_an_author_stay_words(title: str) -> None:
    body = f"## Why\n{title}\n\nLatency falls from 2 ms to 1 ms {title}\n\n- [ ] later {title}\n"
    page = change_page(bare(body=body), EN, WHOLE)
    assert "<script>alert" not in html.render(page)
    assert 'href="https://evil' not in html.render(page)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown.render(page))
    inline = [token for each in tokens for token in (each, *(each.children or ()))]
    targets = {token.attrGet("href") or token.attrGet("src") for token in inline} - {None}
    assert all(str(target).startswith("https://github.com/example-org/") for target in targets)
    assert not [token for token in inline if token.type == "html_block"]


def test_a_file_that_is_renamed_alone_is_no_hunk() -> None:
    moved = FileChange("b.py", "renamed", 0, 0, previous_path="a.py")
    page = change_page(Change(judged(pull(1, "Move", files=(moved,))), ()), EN)
    assert anchors(page) == ["facts", "files", "hunks"]
    assert "Renamed, content unchanged: `b.py` (was `a.py`)." in section(page, "hunks")


def test_a_remark_in_chinese_alone_stands_on_no_english_page() -> None:
    known = reviewed()
    chinese = replace(known.remarks[0], text={ZH: "燃气炉仍用把手。"})
    mixed = replace(known, remarks=(chinese, known.remarks[1]))

    told = section(change_page(mixed, EN), "reading")

    assert "stops." in told
    assert "燃气炉" not in told
    assert "燃气炉" in section(change_page(mixed, ZH), "reading")
    alone = change_page(replace(known, remarks=(chinese,)), EN)
    assert "reading" not in {part.anchor for part in alone.sections}
