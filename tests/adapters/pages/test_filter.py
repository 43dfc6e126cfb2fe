"""The filter of a page: it chooses among what is told, and everything is there without it."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from adapters.pages import html
from digest.languages import Language
from digest.models import Reading
from digest.writing.pages import digest_page
from tests.adapters.pages.browser import BROWSER, Tab, opened
from tests.digest.writing import fact_days, invented

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")

SEEN = """[...document.querySelectorAll("main section a")].filter((each) => each.checkVisibility())
    .map((each) => each.textContent)"""
HEADINGS = """[...document.querySelectorAll("main h2")].filter((each) => each.checkVisibility())
    .map((each) => each.textContent)"""
COUNTED = 'document.querySelector("#filter output").value'


def drawn(reading: Reading, language: Language = Language.EN, *, full: bool = True) -> str:
    return html.render(digest_page(invented.written(reading), language, full=full))


async def filled(tab: Tab, text: str) -> set[str]:
    """Type into an empty filter; give the references that are seen then."""
    await tab.gives('document.querySelector("#filter [type=search]").focus()')
    await tab.gives('document.querySelector("#filter [type=search]").value = ""')
    await tab.write(text)
    return set(await tab.gives(SEEN))


async def ticked(tab: Tab, label: str) -> set[str]:
    boxes = '[...document.querySelectorAll("#filter fieldset label")]'
    await tab.gives(f"{boxes}.find((each) => each.textContent.includes({label!r})).click()")
    return set(await tab.gives(SEEN))


@needs_browser
async def test_items_are_found_by_title_number_author_and_name(tmp_path: Path) -> None:
    async with opened(drawn(invented.busy()), tmp_path) as tab:
        everything = set(await tab.gives(SEEN))

        assert await filled(tab, "tidy SHELF") == {"#109"}
        assert await tab.gives(COUNTED) == "1 of 14 items match"
        assert await filled(tab, "108") == {"#108"}
        assert {"#90", "#91", "#92"} <= await filled(tab, "robin")
        assert await tab.gives(COUNTED) == "3 of 14 items match"
        assert await filled(tab, "KILN_TIMEOUT") == {"#108"}
        assert await filled(tab, "支持从") == {"#105"}
        assert await filled(tab, "nothing has this") == set()
        assert await tab.gives(HEADINGS) == []
        assert await tab.gives(COUNTED) == "0 of 14 items match"
        await tab.gives('document.querySelector("#filter button").click()')
        await tab.gives("new Promise((done) => setTimeout(done, 50))")
        assert set(await tab.gives(SEEN)) == everything


@needs_browser
async def test_kinds_add_up_and_a_grade_narrows_them(tmp_path: Path) -> None:
    async with opened(drawn(invented.busy()), tmp_path) as tab:
        assert await ticked(tab, "Issues") == {"#90", "#91", "#92", "#102"}  # and who closes one
        assert "v1.5.0" in await ticked(tab, "Releases")
        assert await ticked(tab, "high") == {"#90", "#91", "v1.5.0"}  # #91 repeats #90
        assert await tab.gives(COUNTED) == "2 of 14 items match"


@needs_browser
async def test_who_seeks_a_story_finds_its_members_and_of_a_member_no_other(tmp_path: Path) -> None:
    async with opened(drawn(fact_days.workshop()), tmp_path) as tab:
        members = await ticked(tab, "Stories")
        assert {"#520", "#521", "#522"} <= members
        assert "#540" not in members
        await ticked(tab, "Stories")

        found = await filled(tab, "Let the door backend")
        assert "#522" in found
        assert found.isdisjoint({"#520", "#521"})


@needs_browser
async def test_a_filter_works_by_keys_alone_and_opens_what_is_folded(tmp_path: Path) -> None:
    async with opened(drawn(fact_days.workshop(), full=False), tmp_path) as tab:
        folded = '[...document.querySelectorAll("main details")].map((each) => each.open)'
        assert await tab.gives(folded) == [False]
        await tab.press("Tab")
        await tab.write("typo")
        assert "#541" in await tab.gives(SEEN)
        assert await tab.gives(folded) == [True]
        for _ in "typo":
            await tab.press("Backspace")
        assert await tab.gives(folded) == [False]

        await tab.press("Tab")
        await tab.press(" ")
        named = "document.activeElement.labels[0].textContent"
        assert "You may have been bitten" in await tab.gives(named)
        assert await tab.gives("document.activeElement.checked") is True
        assert "#541" not in await tab.gives(SEEN)


@needs_browser
async def test_without_a_script_the_page_is_whole_and_no_filter_pretends_to_work(
    tmp_path: Path,
) -> None:
    async with opened(drawn(invented.busy()), tmp_path, scripts=False) as tab:
        tree = await tab.call("DOM.getDocument")
        found = await tab.call(
            "DOM.querySelector", nodeId=tree["root"]["nodeId"], selector="#filter"
        )
        shown = await tab.call("CSS.enable") or await tab.call(
            "CSS.getComputedStyleForNode", nodeId=found["nodeId"]
        )
        style = {each["name"]: each["value"] for each in shown["computedStyle"]}
        assert style["display"] == "none"
    hidden = re.findall(r"<[^>]* hidden>", drawn(invented.busy()))
    assert len(hidden) == 1
    assert hidden[0].startswith("<form")


@needs_browser
async def test_strangers_words_stay_text_and_their_scripts_do_not_run(tmp_path: Path) -> None:
    day = invented.hostile()
    first, *others = day.items
    evil = '"><img src=x onerror="document.title=1"><script>document.title=2</script>'
    items = [replace(first, item=replace(first.item, title=evil, author=evil)), *others]
    items += [
        invented.judged(invented.pull(300 + number, f"Brick {number}")) for number in range(9)
    ]
    async with opened(drawn(replace(day, items=tuple(items))), tmp_path) as tab:
        assert await filled(tab, "onerror=") == {first.item.ref}
        assert await tab.gives('document.querySelectorAll("img, script").length') == 1
        assert "kiln" in await tab.gives("document.title")


@pytest.mark.parametrize("language", list(Language))
def test_the_one_script_is_the_one_that_the_policy_names(language: Language) -> None:
    page = drawn(invented.busy(), language)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    named = re.findall(r"script-src 'sha256-([^']+)'", page)

    assert [b64encode(sha256(text.encode()).digest()).decode() for text in scripts] == named
    assert named == [html.script_hash()]
    assert page.count("<script") == 1
    assert "://" not in scripts[0]


def test_few_items_need_no_filter_and_their_page_no_script() -> None:
    page = drawn(invented.issues_only())

    assert "<script" not in page
    assert "script-src" not in page
    assert 'id="filter"' not in page


@needs_browser
async def test_what_concerns_a_reader_is_counted_and_filtered_by_itself(tmp_path: Path) -> None:
    day = invented.busy()
    near = frozenset(read.item.key for read in day.items if read.item.ref in ("#105", "#109"))
    page = digest_page(invented.written(day), Language.EN, full=True)
    async with opened(html.render(replace(page, concerned=near)), tmp_path) as tab:
        await tab.gives('document.querySelector(".only").click()')
        assert set(await tab.gives(SEEN)) >= {"#105", "#109"}
        assert await tab.gives(COUNTED) == "2 of 2 items match"
        assert await filled(tab, "tidy") == {"#109"}
        assert await tab.gives(COUNTED) == "1 of 2 items match"
