"""Where each item is told, and that nothing is lost or claimed that no fact says."""

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from adapters.terminal import markdown
from digest.facts import Evidence, Fact, FactChange, FactKind, Story, Subject, Symptom
from digest.grades import ChangeObject, Importance, Noise, Purpose, Reason
from digest.languages import Language
from digest.models import FileChange, Item, Reading, ReadItem, Revert, Sentence, State
from digest.reading.known_facts import demands
from digest.reading.story_names import shortened
from digest.wording.saying import CATALOGUES
from digest.writing.composition import compose
from digest.writing.document import Bullets, Document, Entry, Paragraph, walk
from digest.writing.fact_phrases import fact_runs
from digest.writing.lines import line, story_entry
from digest.writing.outline import (
    MINUTES_A_PAGE,
    MINUTES_FIRST,
    Outline,
    block_minutes,
    changes,
    context,
)
from digest.writing.pages import digest_page
from digest.writing.rules import headline, plain, points, tally
from digest.writing.sections import (
    MOST_REFERENCES,
    NEW,
    PagePart,
    bitten,
    first,
    headlines,
    highlights,
)
from tests.digest.writing import fact_days, invented
from tests.digest.writing.fact_days import bite, interface, workshop
from tests.digest.writing.invented import issue, judged, pull, reading, release, written

EN, ZH = Language.EN, Language.ZH
TEST_FILE = (FileChange("tests/test_oven.py", "modified", 6, 0),)


def homes(outline: Outline) -> Counter[str]:
    """Count in how many homes each change stands; a story is one where no front page has it."""
    found: Counter[str] = Counter()
    for pair in outline.reverts:
        for item in (pair.original, pair.revert):
            if item is not None and not found[item.key]:
                found[item.key] += 1
    front = {read.item.key for read in outline.front}
    for story in outline.stories:
        found.update(key for key in story.items if not found[key] and key not in front)
    for listed in (outline.fixed, outline.added, outline.changed):
        found.update(read.item.key for read in listed.shown)
    # Members of stories that there was no time for are told there by their titles.
    names = {story.name for story in outline.stories}
    found.update(
        read.item.key for group in outline.rest if group.name not in names for read in group.reads
    )
    return found


def in_chinese(day: Reading) -> Reading:
    """Give every item a long translation of its title."""
    items = (
        replace(read, sentence=Sentence(read.item.title, "title", "", "m", "译" * 60, "m"))
        for read in day.items
    )
    return replace(day, items=tuple(items))


def text_of(part: PagePart | None) -> str:
    assert part is not None
    (block,) = part.blocks
    assert isinstance(block, Bullets)
    return "\n".join(plain(entry.runs) for entry in block.entries)


def page(read: Reading, language: Language = EN, **form: bool) -> Document:
    return digest_page(written(read), language, **form)


def drawn(read: Reading, language: Language = EN, **form: bool) -> str:
    return markdown.render(page(read, language, **form))


def plain_lines(day: Reading, **form: bool) -> str:
    """Return all lines of a page, bare of links."""
    document = page(day, **form)
    return "\n".join(line for part in document.sections for line in lines(document, part.anchor))


ENDS = re.compile(r" · \w+ · \+\d+\s−\d+$")
"""Author and size of an invented change, as they end its line."""


def lines(document: Document, anchor: str) -> list[str]:
    """Return the lines of one section, without author and size."""
    told: list[str] = []

    def add(entry: Entry) -> None:
        told.append(ENDS.sub("", plain(entry.runs)))
        for under in entry.under:
            add(under)

    for section in document.sections:
        for block in section.blocks if section.anchor == anchor else ():
            match block:
                case Bullets(entries):
                    for entry in entries:
                        add(entry)
                case Paragraph(runs):
                    told.append(plain(runs))
    return told


def heads(document: Document, anchor: str) -> list[str]:
    """Return the lines of one section without what stands under each."""
    parts = [part for part in document.sections if part.anchor == anchor]
    blocks = [block for part in parts for block in part.blocks if isinstance(block, Bullets)]
    return [ENDS.sub("", plain(entry.runs)) for block in blocks for entry in block.entries]


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize(
    "day",
    [workshop(), invented.busy(), invented.many(), invented.hostile(), fact_days.bitten(30)],
    ids=["workshop", "busy", "many", "hostile", "bitten"],
)
def test_every_change_has_exactly_one_home(day: Reading, full: bool) -> None:
    outline = compose(day, EN, full=full)
    told = homes(outline)
    assert {read.item.key for read in changes(day)} <= set(told)
    assert set(told.values()) == {1}


def test_a_symptom_that_no_text_says_is_no_claim() -> None:
    quiet, weighty = pull(1, "Fix the door"), pull(2, "Fix the gate")
    day = reading(
        (judged(weighty, Importance.HIGH), judged(quiet, Importance.MEDIUM)),
        facts=(bite(quiet, Symptom.BROKEN), bite(weighty, Symptom.BROKEN)),
    )
    assert lines(page(day), "bitten") == []
    assert "broken" not in drawn(day)


def test_of_many_statements_the_first_are_whole_and_none_is_told_again_below() -> None:
    great = pull(1, "Rebuild the kiln")
    facts = [interface(great, FactChange.REMOVED, Subject.FLAG, f"--dial-{n}") for n in range(8)]
    facts += [
        interface(great, FactChange.CHANGED, Subject.METRIC, f"heat_{n}", before="s", after="ms")
        for n in range(11)
    ]
    day = reading([judged(great, Importance.HIGH)], facts=tuple(facts), front=(great.key,))
    (head,) = heads(page(day), "before-you-upgrade")
    assert head == (
        "flags --dial-0, --dial-1, --dial-2, --dial-3, --dial-4, --dial-5 and 2 more removed; "
        + "".join(f"metric heat_{n}: s → ms; " for n in range(3))
        + "and 8 more: heat_3, heat_4, heat_5, heat_6, heat_7, heat_8, … · Rebuild the kiln #1"
    )
    below = [line for line in lines(page(day), "before-you-upgrade") if line != head]
    assert not any("--dial-" in line or "heat_0" in line for line in below)


def test_of_long_statements_few_are_whole_and_the_page_has_the_others_below() -> None:
    great = pull(1, "Rebuild the kiln")
    facts = [
        interface(great, FactChange.CHANGED, Subject.METRIC, f"heat_{n}_{'o' * 80}", after="ms")
        for n in range(4)
    ]
    whole = [f"metric {fact.name} is now ms" for fact in facts]
    day = reading([judged(great, Importance.HIGH)], facts=tuple(facts), front=(great.key,))
    (head,) = heads(page(day), "before-you-upgrade")
    assert head == "; ".join([*whole[:3], f"and 1 more: {facts[3].name} · Rebuild the kiln #1"])
    assert [line for line in lines(page(day), "before-you-upgrade") if line != head] == whole[3:]


def test_what_is_newly_needed_for_one_part_stands_in_one_statement() -> None:
    item = pull(1, "Pin the extra")
    needed = [
        Fact(
            FactKind.REQUIREMENT, item.key, FactChange.ADDED, Subject.DEPENDENCY, name,
            after=after, conditions=("extra oven",),
        )
        for name, after in (("av", "==16"), ("rope", ">=2"), ("lamp", "==16"))
    ]  # fmt: skip
    assert [plain(runs) for runs in fact_runs(needed, EN)] == [
        "needs av, lamp ==16, rope >=2 (extra oven)"
    ]


def test_where_another_change_took_the_first_step_it_stands_beside_what_was() -> None:
    first, last = pull(1, "Bump av"), pull(2, "Bump av again")
    needed = Fact(
        FactKind.REQUIREMENT, last.key, FactChange.RAISED, Subject.DEPENDENCY, "av",
        before="==16", after="==18", must_act=True,
        evidence=(
            Evidence("diff", "av==18", "r.txt", 1, "+"),
            Evidence("diff", "av==17", "r.txt", 1, "+", item=first.key),
        ),
    )  # fmt: skip
    day = reading([judged(last), judged(first)], facts=(needed,))
    (head,) = heads(page(day), "before-you-upgrade")
    assert head == "needs av ==18, was ==16 (with #1) · Bump av again #2"


def test_what_a_message_says_to_be_gone_is_told_in_its_words_before_upgrading() -> None:
    item = pull(1, "Retire the kiln")
    said = "The kiln has been removed. Use the oven"
    gone = Fact(
        FactKind.SUPPORT, item.key, FactChange.REMOVED, Subject.FEATURE, "The kiln",
        quote=said, evidence=(Evidence("diff", "…", "shed.py", 3, "+"),), must_act=True,
    )  # fmt: skip
    (head,) = heads(page(reading([judged(item)], facts=(gone,))), "before-you-upgrade")
    assert f"“{said}”" in head


@pytest.mark.parametrize("weight", [Importance.HIGH, Importance.MEDIUM])
def test_what_breaks_is_not_told_again_with_what_was_added_beside_it(weight: Importance) -> None:
    item = pull(1, "Give fire more arguments")
    others = [judged(pull(n, f"Fire {n}"), Importance.HIGH) for n in range(2, 5)]
    added = (FactChange.ADDED, Subject.API_ARGUMENT)
    facts = (
        interface(item, *added, "fire(heat)", must_act=True, conditions=("tank",)),
        interface(item, *added, "fire(glow)"),
    )
    front = tuple(read.item.key for read in others) if weight is Importance.MEDIUM else (item.key,)
    own = judged(item, weight, purpose=Purpose.FEATURE)
    day = reading([own, *others], facts=facts, front=front)
    told = [line for line in plain_lines(day).split("\n") if "fire(" in line]
    assert "new argument fire(heat) (before tank) · Give fire more arguments #1" in told[0]
    assert sum(line.count("fire(heat)") for line in told) == 1
    assert sum(line.count("fire(glow)") for line in told) == 1


def test_before_you_upgrade_names_everything_and_holds_no_pure_addition() -> None:
    told = heads(page(workshop()), "before-you-upgrade")
    assert told == [
        "default of --heat: 0.9 → 0.92; flag --keep-on-plate deprecated, now --transport=ring · "
        "feat: unify the transport of glaze features #506",
        "needs clay >=2.0, was >=1.0 · Require clay 2.0 #507",
    ]
    added = interface(fact_days.KNOBS, FactChange.ADDED, Subject.FLAG, "--more", must_act=True)
    day = replace(workshop(), facts=(added,))
    assert lines(page(day), "before-you-upgrade") == []


def test_the_top_three_are_told_also_on_a_day_without_a_high_one() -> None:
    medium = [judged(pull(n, f"Change {n}"), Importance.MEDIUM) for n in range(1, 6)]
    upkeep = judged(pull(9, "Bump clay"), Importance.MEDIUM, noise=Noise.BOT)
    outline = compose(reading((upkeep, *medium)), EN)
    assert [read.item.number for read in outline.front] == [1, 2, 3]


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "day",
    [workshop(), invented.busy(), invented.many(76), fact_days.bitten(40)],
    ids=["workshop", "busy", "many", "bitten"],
)
def test_a_title_stands_once_on_a_page(day: Reading, language: Language, full: bool) -> None:
    told = drawn(day, language, full=full).replace("\\", "")
    in_stories = {key for story in day.stories for key in story.items}
    for read in changes(day):
        if read.item.key not in in_stories and len(read.item.title) > 20:
            assert told.count(read.item.title) <= 1, read.item.title


@pytest.mark.parametrize(
    ("days", "seconds", "told"),
    [
        (30, 30 * 86_400, ["flag --heat removed · Take the heat back #2"]),
        (2, 2 * 86_400, []),
        (0, 3_600, []),
        (None, None, ["flag --heat removed · Take the heat back #2"]),
    ],
)
def test_what_was_taken_back_asks_to_act_where_it_was_in_use_before(
    days: int | None, seconds: int | None, told: list[str]
) -> None:
    back = pull(2, "Take the heat back")
    fact = interface(back, FactChange.REMOVED, Subject.FLAG, "--heat")
    reads = [judged(back, Importance.HIGH, purpose=Purpose.REVERT)]
    day = reading(reads, facts=(fact,), front=(back.key,))
    gone = None
    if days is not None:
        gone = pull(1, "Add heat", at=day.window.start + timedelta(hours=1) - timedelta(days=days))
    day = replace(day, reverts=(Revert(back, gone, "#1", seconds),))
    assert heads(page(day), "before-you-upgrade") == told


@pytest.mark.parametrize(("size", "told"), [(2, []), (400, ["Cut the tag"])])
def test_numbers_of_versions_are_no_story(size: int, told: list[str]) -> None:
    items = [pull(n, f"Cut tag {n}", additions=size, deletions=0) for n in range(1, 4)]
    reads = [judged(item, object=ChangeObject.BUILD, purpose=Purpose.OTHER) for item in items]
    story = Story("a", "Cut the tag", tuple(item.key for item in items))
    assert [each.name for each in compose(reading(reads, stories=(story,)), EN).stories] == told


def test_what_asks_to_act_stands_before_an_upgrade_and_not_beside_what_bit() -> None:
    hit = pull(1, "Give the old doors names again")
    fact = interface(hit, FactChange.DEPRECATED, Subject.API_NAME, "old_door", after="new_door")
    for importance in (Importance.HIGH, Importance.MEDIUM):
        reads = (judged(hit, importance, purpose=Purpose.FIX),)
        day = reading(reads, facts=(bite(hit, Symptom.CRASH), fact))
        assert drawn(day).count("old_door") == 1
        assert heads(page(day), "before-you-upgrade-code") == [
            "public name old_door deprecated, now new_door · Give the old doors names again #1"
        ]


@pytest.mark.parametrize("title", ["", "Fix", "[Bugfix]", "Fix how the oven warms plates"])
@pytest.mark.parametrize("importance", [Importance.HIGH, Importance.MEDIUM])
def test_what_is_stated_comes_before_what_is_inferred(title: str, importance: Importance) -> None:
    untold, told = pull(1, title), pull(2, "Close the door of the shelf server")
    reads = [judged(each, importance, purpose=Purpose.FIX) for each in (untold, told)]
    guess, stated = bite(untold, Symptom.WRONG_OUTPUT, inferred=True), bite(told, Symptom.HANG)
    day = reading(reads, facts=(guess, stated))
    first, last = heads(page(day), "bitten")
    assert first.startswith("hang · Close the door")
    assert last.startswith("wrong output (inferred) · ")
    short = drawn(day, brief=True)
    assert 0 < short.index("hang · Close the door") < short.index("wrong output (inferred)")


def test_what_a_change_of_the_same_day_brought_comes_last_with_that_change() -> None:
    lately, long = pull(1, "Close the door of the shelf server"), pull(2, "Cool the plates")
    reads = [judged(each, Importance.HIGH, purpose=Purpose.FIX) for each in (lately, long)]
    reads.append(judged(pull(7, "Hang the door"), Importance.LOW))
    fresh = replace(bite(lately, Symptom.HANG), name="#7")
    day = reading(reads, facts=(fresh, bite(long, Symptom.CRASH, inferred=True)))
    first, last = heads(page(day), "bitten")
    assert first.startswith("crash (inferred) · Cool the plates")
    assert last.startswith("hang · since #7 · Close the door")
    assert f"since [#7]({reads[-1].item.url})" in drawn(day)


@pytest.mark.parametrize("importance", [Importance.HIGH, Importance.MEDIUM])
def test_of_one_change_what_is_stated_leads_and_not_a_graver_guess(importance: Importance) -> None:
    hit = pull(1, "Close the door of the shelf server")
    guess, stated = bite(hit, Symptom.WRONG_OUTPUT, inferred=True), bite(hit, Symptom.HANG)
    day = reading((judged(hit, importance, purpose=Purpose.FIX),), facts=(guess, stated))
    assert heads(page(day), "bitten")[0].startswith("hang · Close the door")
    unsaid = replace(day, facts=(guess, bite(hit, Symptom.BROKEN)))
    assert heads(page(unsaid), "bitten")[0].startswith("wrong output (inferred) · Close the door")


def test_a_story_that_is_called_as_one_of_its_changes_says_that_title_once() -> None:
    items = [pull(1, "Heat of the ovens"), pull(2, "Warm the ovens")]
    day = reading(tuple(judged(item, Importance.MEDIUM) for item in items))
    story = Story("a", "Heat of the ovens", tuple(item.key for item in items))
    line = "\n".join(lines(page(replace(day, stories=(story,), front=("none",))), "stories"))

    assert line.startswith("Heat of the ovens #1")
    assert line.count("Heat of the ovens") == 1
    tagged = (pull(1, "[perf] Heat of the ovens."), items[1])
    day = reading(tuple(judged(item, Importance.MEDIUM) for item in tagged))
    line = "\n".join(lines(page(replace(day, stories=(story,), front=("none",))), "stories"))
    assert line.startswith("Heat of the ovens #1")
    assert line.count("#1") == 1
    flag = interface(tagged[0], FactChange.ADDED, Subject.FLAG, "--heat")
    day = reading(tuple(judged(item, Importance.LOW) for item in tagged))
    line = "\n".join(lines(page(replace(day, stories=(story,), facts=(flag,))), "stories"))
    assert "new flag --heat" in line


@pytest.mark.parametrize(
    ("name", "third", "more", "told"),
    [
        ("EAGLE draft", "Warm the EAGLE cache", {}, False),
        ("EAGLE draft", "Take heat from speculative decoding", {}, False),
        ("EAGLE draft", "Open the oven", {}, True),
        ("EAGLE draft", "Open the oven", {"part": (1,), "of": 3}, False),
        ("EAGLE draft", "Open the oven", {"reasons": ("tracker #9",)}, False),
        ("EAGLE draft", "Open the oven", {"by": "glaze-7b"}, True),
        ("A kernel for the EAGLE draft", "Mend a kernel", {}, True),
        ("Open the oven", "Open the oven", {}, False),
        (shortened(f"Open the oven, {'wide ' * 20}"), f"Open the oven, {'wide ' * 20}", {}, False),
    ],
)
def test_a_name_that_a_change_of_its_story_says_nothing_of_is_told_as_such(
    name: str, third: str, more: dict[str, Any], *, told: bool
) -> None:
    items = [
        replace(pull(n, title), author="wren")
        for n, title in enumerate(("Heat the EAGLE draft", "Warm the EAGLE draft", third), 1)
    ]
    story = Story("a", name, tuple(item.key for item in items), authors=("wren",), **more)
    reads = tuple(judged(item, Importance.LOW) for item in items)
    day = replace(reading(reads), stories=(story,), front=("none",))
    for language, marked in ((EN, f"{name} and related"), (ZH, f"{name} 等")):
        text = drawn(day, language).replace("**", "")
        assert text.count(marked) == 2 * told  # in the lead, and in the list


def test_what_was_taken_back_is_no_part_of_a_story() -> None:
    gone, back = pull(1, "[Oven] Add a door"), pull(2, 'Revert "[Oven] Add a door"')
    others = [replace(pull(n, f"[Oven] Mend part {n}"), author="wren") for n in (3, 4, 5)]
    back = replace(back, author="finch")
    reads = [judged(each, Importance.MEDIUM) for each in (gone, back, *others)]
    whole = Story("a", "Oven", tuple(read.item.key for read in reads), authors=("finch", "wren"))
    pair = Story("b", "Door", (gone.key, back.key))
    day = reading(reads, reverts=(Revert(back, gone, "#1", 60),))

    outline = compose(replace(day, stories=(whole, pair)), EN)

    assert [story.items for story in outline.stories] == [tuple(each.key for each in others)]
    assert outline.stories[0].authors == ("wren",)


def test_a_chinese_sentence_is_quoted_to_readers_of_chinese_alone() -> None:
    item = replace(pull(1, "Read the timeout"), body="旧变量不再读取，请改用新变量。")
    read = judged(item, Importance.HIGH, quote="旧变量不再读取，请改用新变量。")
    assert "旧变量" not in drawn(reading((read,)))
    assert "旧变量" in drawn(reading((read,)), ZH)


@pytest.mark.parametrize(("words", "is_quoted"), [(2, True), (30, False)])
def test_what_an_author_says_of_a_late_front_item_is_told_where_there_is_time(
    words: int, is_quoted: bool
) -> None:
    quote = f"It {'turns ' * words}now."
    reads = [judged(pull(n, f"Door {n} of it"), Importance.HIGH, quote=quote) for n in range(24)]
    day = replace(reading(reads), front=tuple(read.item.key for read in reads))
    quoted = compose(day, EN).quoted
    assert reads[0].item.key in quoted
    assert (reads[-1].item.key in quoted) is is_quoted


def test_why_an_item_ranks_where_it_does_is_not_told_on_a_page() -> None:
    read = judged(pull(1, "Fix the door"), Importance.HIGH, purpose=Purpose.FIX)
    reasons = (Reason("fix", 46), Reason("area_cache", 5), Reason("setting_added", 6))
    day = reading((replace(read, reasons=reasons),))
    for language, words in ((EN, ("high", "cache", "setting")), (ZH, ("高：", "缓存", "配置"))):
        assert not [word for word in words if word in drawn(day, language)]


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "day",
    [
        *(workshop(), invented.busy(), invented.many(76), fact_days.bitten(40)),
        in_chinese(invented.many(76)),
    ],
    ids=["workshop", "busy", "many", "bitten", "translated"],
)
def test_a_page_is_read_in_two_minutes(day: Reading, language: Language) -> None:
    document = page(day, language)
    read_at_once = [part for part in document.sections if not part.folded]
    blocks = [*document.lead, *(block for part in read_at_once for block in part.blocks)]
    assert sum(map(block_minutes, blocks)) <= MINUTES_FIRST + MINUTES_A_PAGE


def test_what_has_no_time_for_a_line_stands_with_its_title_and_never_as_a_bare_number() -> None:
    long = ("word " * 40).strip()
    day = reading(
        [judged(pull(n, f"Door {n} of the {long}"), Importance.MEDIUM) for n in range(60)]
    )
    outline = compose(day, EN)
    assert outline.fixed.shown
    assert outline.fixed.more
    assert f"Door 59 of the {long} #59" in lines(page(day), "rest")
    assert not re.search(r"#\d+ #\d+", plain_lines(day)), "no line of bare numbers"


def test_a_revert_is_told_once_and_what_it_took_back_is_no_news() -> None:
    gone, back = pull(1, "Add --glaze"), pull(2, 'Revert "Add --glaze"')
    day = reading(
        (judged(gone, Importance.MEDIUM, reverted_by=back.key), judged(back, reverts=gone.key)),
        reverts=(Revert(back, gone, "#1", 3600),),
        facts=(
            interface(gone, FactChange.REMOVED, Subject.FLAG, "--glaze"),
            interface(gone, FactChange.ADDED, Subject.FLAG, "--glaze"),
        ),
    )
    document = page(day)
    assert lines(document, "reverted") == ["Add --glaze #1, reverted by #2 1 h after merging."]
    assert [section.anchor for section in document.sections] == ["reverted"]


@pytest.mark.parametrize("days", [6, 30])
def test_what_a_revert_asks_to_act_for_is_told_once(days: int) -> None:
    back = pull(2, "Revert the glaze")
    gone = pull(1, "Add --glaze", at=back.at - timedelta(days=days))
    day = reading(
        (judged(back, purpose=Purpose.REVERT),),
        reverts=(Revert(back, gone, "#1", days * 86_400),),
        facts=(interface(back, FactChange.REMOVED, Subject.FLAG, "--glaze", must_act=True),),
    )
    told = page(day)
    assert drawn(day).count("`--glaze` removed") == 1
    # What was in for so long that it is in a release hits who upgrades.
    assert any("--glaze removed" in line for line in lines(told, "reverted")) == (days == 6)


@pytest.mark.parametrize("path", [".github/jobs.yml", "kiln/oven.py"])
def test_what_took_back_ci_alone_stands_among_ci(path: str) -> None:
    files = (FileChange(path, "modified", 5, 2),)
    gone, back = pull(1, "ci: hide jobs"), pull(2, 'Revert "ci: hide jobs"', files=files)
    day = reading(
        (judged(pull(3, "Add --glaze"), Importance.HIGH), judged(back, noise=Noise.CI)),
        reverts=(Revert(back, gone, "#1", 3600),),
    )
    document = page(day)
    # What runs at a user's is news, whatever the title calls it.
    is_news = path == "kiln/oven.py"
    assert ("reverted" in [section.anchor for section in document.sections]) == is_news
    rest = [line for line in lines(document, "rest") if 'Revert "ci: hide jobs"' in line]
    assert bool(rest) != is_news


def test_ci_that_was_taken_back_later_is_no_revert_and_only_what_is_told_is_counted() -> None:
    gone, back = pull(1, "ci: hide jobs"), pull(2, 'Revert "ci: hide jobs"')
    other = Revert(pull(5, "Take it back"), pull(4, "Bake"), "#4", 3600)
    day = reading(
        (judged(pull(3, "Add --glaze"), Importance.HIGH), judged(gone, noise=Noise.CI)),
        reverts=(Revert(back, gone, "#1", 3600), other),
    )
    assert compose(day, EN).reverts == (other,)
    assert "1 reverted" in "; ".join(tally(day, CATALOGUES[EN]))


def test_releases_for_trial_stand_in_one_line_together() -> None:
    made = [
        judged(release(f"v2.0.0rc{n}", "notes", state=State.PRERELEASE), Importance.LOW)
        for n in range(3)
    ]
    full = judged(release("v1.9.0", "## Hotter\n- yes"), Importance.HIGH)
    told = lines(page(reading((*made, full))), "releases")
    assert told[0] == "v1.9.0 · released"
    assert told[-1] == "Pre-releases · 3: v2.0.0rc0 v2.0.0rc1 v2.0.0rc2"


@pytest.mark.parametrize(
    ("state", "body", "opens"),
    [
        (State.TAGGED, "", "v1.9.0 · tag, no release notes seen"),
        (State.TAGGED, "It bakes by night", "v1.9.0 · tag"),
        (State.PUBLISHED, "", "v1.9.0 · released"),
        (State.PRERELEASE, "", "v1.9.0 · prerelease"),
    ],
)
def test_no_notes_are_called_unseen_of_a_tag_whose_message_is_told(
    state: State, body: str, opens: str
) -> None:
    made = judged(release("v1.9.0", body, state=state), Importance.HIGH)
    for form in ({}, {"full": True}):
        assert lines(page(reading((made,)), **form), "releases")[0] == opens


def built(number: int, tag: str = "nightly-202604{:02d}") -> ReadItem:
    """What was built of a night: of medium weight, as its state alone tells."""
    made = release(tag.format(number), "Built by itself", state=State.PRERELEASE)
    return judged(replace(made, at=made.at + timedelta(days=number)), Importance.MEDIUM)


def test_what_is_built_each_night_is_one_short_line_after_all_others() -> None:
    trial = judged(release("v2.0.0rc1", "", state=State.PRERELEASE), Importance.MEDIUM)
    night = lines(page(reading((built(1),))), "releases")
    assert night == ["nightly-20260401"]
    nights = reading((*map(built, range(1, 9)), trial))
    (week,) = lines(page(nights), "releases")
    assert week.startswith("v2.0.0rc1 nightly-20260408 nightly-20260407")
    assert week.endswith("nightly-20260404 and 3 more")
    (whole,) = lines(page(nights, full=True), "releases")
    assert whole.endswith("nightly-20260402 nightly-20260401")


def test_what_is_for_trial_takes_the_place_of_nothing() -> None:
    adds = [
        judged(pull(n, f"Add brick {n} to the wall"), Importance.MEDIUM, purpose=Purpose.FEATURE)
        for n in range(100, 250)
    ]
    beside_one = compose(reading([*adds, built(1)]), EN)
    beside_many = compose(reading([*adds, *map(built, range(1, 9))]), EN)
    assert len(beside_many.releases) == 8
    assert len(beside_one.added.shown) == len(beside_many.added.shown) < len(adds)
    asked = judged(issue(7, "It hangs"), Importance.MEDIUM)
    few = reading((asked, built(1)))
    assert headline(few, CATALOGUES[EN]).endswith("It hangs #7")
    about = context(few, CATALOGUES[EN], EN)
    assert plain(headlines(compose(few, EN), about)[0]) == "It hangs #7"
    assert [plain(entry.runs) for entry in highlights(compose(few, EN), about)] == ["It hangs #7"]
    assert [point.cites for point in points(few)] == [(asked.item.key,)]


def test_a_hostile_fact_is_a_strangers_text_or_code_alone() -> None:
    item: Item = pull(1, "x")
    hostile = "<!channel> [x](https://evil.example) @everyone"
    fact = bite(item, Symptom.CRASH, hostile, conditions=(hostile,), before=hostile, after="y")
    moved = Fact(
        FactKind.MOVE, item.key, FactChange.MOVED, name=hostile, before=hostile, after=hostile
    )
    day = reading((judged(item, Importance.HIGH, purpose=Purpose.FIX),), facts=(fact, moved))
    about = context(day, CATALOGUES[EN], EN)
    assert len(about.facts[item.key]) == 2
    outside_code = re.sub(r"`[^`]*`", "", drawn(day))
    assert "](https://evil.example)" not in outside_code
    assert "<!channel>" not in outside_code


@pytest.mark.parametrize(("language", "said"), [(EN, "Back as [#9]"), (ZH, "已由 [#9]")])
def test_what_brought_a_change_again_stands_beside_what_took_it_back(
    language: Language, said: str
) -> None:
    gone, back = pull(7, "Fuse the norm of the oven"), pull(8, 'Revert "Fuse the norm of the oven"')
    back = replace(back, at=gone.at + timedelta(hours=1))
    again = replace(pull(9, "Fuse the norm of the oven"), at=gone.at + timedelta(hours=2))
    pair = Revert(back, gone, "#7", 3600)
    reads = [judged(each, Importance.MEDIUM) for each in (gone, back, again)]
    assert said in drawn(reading(reads, reverts=(pair,)), language)
    assert said not in drawn(reading(reads[:2], reverts=(pair,)), language)


def test_what_a_class_kept_for_itself_is_no_news_of_a_front_item() -> None:
    item = pull(1, "Fix the pump")
    lost = {
        name: Fact(
            FactKind.MOVE, item.key, FactChange.REMOVED, Subject.API_NAME, f"kiln.Pump.{name}",
            before=f"kiln.Pump.{name}", inferred=True,
            evidence=(Evidence("diff", f"self.{name} = {value}", "kiln/pump.py", side="-"),),
        )
        for name, value in (("free", "measure()"), ("size", "size"))
    }  # fmt: skip
    day = reading((judged(item, Importance.HIGH, purpose=Purpose.FIX),), facts=tuple(lost.values()))
    assert "kiln.Pump.size" in drawn(day)
    assert "kiln.Pump.free" not in drawn(day)


def test_a_fix_of_tests_alone_says_so_in_a_story() -> None:
    tests = (FileChange("tests/test_ring.py", "modified", 5, 2),)
    items = [
        pull(1, "Fuse the ring"),
        pull(2, "Fix the fused ring", files=tests),
        pull(3, "Fix a ring test", files=tests),
        pull(4, "Move the ring", files=(*tests, FileChange("kiln/ring.py", "renamed", 0, 0))),
        pull(5, "Warm the ring"),
    ]
    noise = (None, Noise.TESTS, Noise.TESTS, Noise.TESTS, None)
    reads = [judged(item, noise=why) for item, why in zip(items, noise, strict=True)]
    story = Story("a", "The ring", tuple(item.key for item in items))
    page = drawn(replace(reading(reads), stories=(story,)))
    assert page.count("(tests)") == 1


def test_no_change_is_compared_with_every_other_part_by_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Items are known by their keys: else a day of 10,000 changes takes a minute."""
    day, compared, plain_eq = invented.many(), [0], ReadItem.__eq__

    def counted(one: ReadItem, other: object) -> bool:
        compared[0] += one is not other
        return plain_eq(one, other)

    monkeypatch.setattr(ReadItem, "__eq__", counted)
    compose(day, EN)

    assert compared[0] < 4 * len(day.items)


def test_a_fix_is_listed_as_one_however_light_and_never_among_other_changes() -> None:
    light = judged(pull(1, "Fix the door"), Importance.LOW, purpose=Purpose.FIX)
    day = replace(reading([light]), front=("none",))
    assert lines(page(day), "fixed") == ["Fix the door #1"]
    of_tests = replace(light, object=ChangeObject.TEST)
    assert lines(page(replace(day, items=(of_tests,))), "fixed") == []
    many = [
        judged(pull(n, f"Fix the door of oven {n} where two plates lie on it"), Importance.LOW)
        for n in range(1, 120)
    ]
    groups = {group.name: group.reads for group in compose(reading(many), EN).rest}
    assert groups.keys() == {Purpose.FIX}


def test_two_peoples_changes_are_no_story_for_a_title_of_one_and_a_revert_is_in_none() -> None:
    one, two = pull(1, "Warm the plates"), replace(pull(2, "Cool the plates"), author="finch")
    story = Story("a", "Warm the plates", (one.key, two.key), authors=("wren", "finch"))
    day = reading([judged(each, Importance.MEDIUM) for each in (one, two)])

    def told(*stories: Story) -> list[int]:
        return [len(each.items) for each in compose(replace(day, stories=stories), EN).stories]

    assert told(story) == []
    assert told(replace(story, reasons=("goes on with another",))) == [2]
    assert told(replace(story, authors=("wren",))) == [2]
    assert told(replace(story, part=(1, 2))) == [2]
    back = judged(pull(3, "Revert the oven"), Importance.MEDIUM, purpose=Purpose.REVERT)
    day = reading([*day.items, back])
    assert told(replace(story, items=(*story.items, back.item.key), part=(1, 2))) == [2]


def test_changes_of_which_no_other_speaks_of_what_the_title_of_one_does_are_no_story() -> None:
    items = [pull(1, "Refactor the fences"), pull(2, "Check the heat"), pull(3, "Rename a door")]
    story = Story("a", "Refactor the fences", tuple(item.key for item in items), authors=("wren",))
    day = reading([judged(each, Importance.MEDIUM) for each in items])

    def told(*stories: Story) -> int:
        return len(compose(replace(day, stories=stories), EN).stories)

    assert told(story) == 0
    assert told(replace(story, name="Fences")) == 1, "what is called by no title shares its words"
    assert told(replace(story, reasons=("named by another",))) == 1
    assert told(replace(story, by="glaze-7b")) == 1


def test_two_changes_that_share_a_tag_alone_are_no_story() -> None:
    one, two = pull(1, "feat(heat): Warm it"), replace(pull(2, "[Heat] Cool it"), author="finch")
    story = Story("a", "heat", (one.key, two.key), authors=("wren", "finch"))
    day = reading([judged(each, Importance.MEDIUM) for each in (one, two)])
    assert compose(replace(day, stories=(story,)), EN).stories == ()
    assert compose(replace(day, stories=(replace(story, authors=("wren",)),)), EN).stories == ()
    reads = [*day.items, judged(pull(3, "[Heat] Turn it"), Importance.MEDIUM)]
    three = replace(story, items=tuple(read.item.key for read in reads), authors=("wren",))
    assert compose(replace(reading(reads), stories=(three,)), EN).stories != ()


@pytest.mark.parametrize(
    ("title", "names", "told"),
    [
        ("Warm plates", ("--warm",), "Warm plates: flag --warm #1"),
        ("Warm plates by --warm", ("--warm",), "Warm plates by --warm #1"),
        ("Warm plates", ("--warm", "--heat"), "Warm plates #1"),
    ],
)
def test_what_is_new_is_told_by_its_title_and_the_one_switch_that_it_does_not_name(
    title: str, names: tuple[str, ...], told: str
) -> None:
    item = pull(1, title)
    facts = tuple(interface(item, FactChange.ADDED, Subject.FLAG, name) for name in names)
    read = judged(item, Importance.MEDIUM, purpose=Purpose.FEATURE)
    day = reading([read], facts=facts)
    outline, about = compose(day, EN, in_thread=True), context(day, CATALOGUES[EN], EN)
    (part,) = [each for each in first(outline, about) if each.anchor == NEW]
    (line,) = part.blocks
    assert isinstance(line, Paragraph)
    assert plain(line.runs) == told


def test_what_became_faster_is_a_change_and_nothing_new() -> None:
    fast = judged(pull(1, "Fuse the norm"), Importance.MEDIUM, purpose=Purpose.PERFORMANCE)
    day = replace(reading([fast]), front=("none",))
    assert lines(page(day), "changed") == ["Fuse the norm #1"]


def test_a_variable_that_a_refactor_brings_stands_beside_it_and_not_among_what_is_new() -> None:
    change = pull(1, "Move the racks")
    fact = interface(change, FactChange.ADDED, Subject.ENV, "KILN_STRICT")
    for purpose, is_new in ((Purpose.REFACTOR, False), (Purpose.FEATURE, True)):
        read = judged(change, Importance.HIGH, purpose=purpose)
        outline = compose(reading([read], facts=(fact,)), EN)
        assert (read in outline.new) is is_new
        assert outline.added.items == (read,)


def test_a_revert_stands_with_the_reason_that_its_title_says() -> None:
    gone, back = pull(7, "Fuse the norm"), pull(8, "Revert the norm (#7) to fix a hang of doors")
    pair = Revert(back, gone, "#7", 3600)
    said = drawn(reading([judged(gone, Importance.MEDIUM)], reverts=(pair,)))
    assert "after merging: to fix a hang of doors" in said


def test_what_is_left_stands_by_whom_it_is_for_and_upkeep_by_its_kind() -> None:
    titles = ("[AMD] Heat", "[ROCm] Cool", "[AMD] Lint", "Bake", "[NPU] Raise", "[NPU] Diffuse")
    reads = [
        judged(
            pull(n, title),
            Importance.LOW,
            purpose=Purpose.CHORE,
            noise=Noise.CI if "Lint" in title else None,
        )
        for n, title in enumerate(titles, 1)
    ]
    weighty = judged(pull(9, "Add a rack"), Importance.MEDIUM)
    day = replace(reading((weighty, *reads)), front=("none",))
    for language, said in (
        (EN, ["AMD · 2: ", "Ascend NPU · 2: ", "further changes · 1: ", "CI · 1: "]),
        (ZH, ["AMD · 2：", "昇腾 NPU · 2：", "其余变更 · 1：", "CI · 1："]),
    ):
        told = lines(page(day, language), "rest")
        assert [line[: len(begins)] for line, begins in zip(told, said, strict=True)] == said
    assert "[AMD] Heat #1 · [ROCm] Cool #2" in lines(page(day), "rest")[0]


@pytest.mark.parametrize(
    ("title", "is_told"),
    [("Fix the oven", True), ('Fix the oven: use "sum", not "avg"', False)],
)
def test_a_fix_without_a_symptom_is_told_by_the_value_that_it_changes(
    title: str, is_told: bool
) -> None:
    fix = pull(1, title)
    seen = bite(fix, Symptom.BROKEN, before='"avg"', after='"sum"')
    day = reading((judged(fix, Importance.MEDIUM, purpose=Purpose.FIX),), facts=(seen,))
    assert ('"avg" → "sum"' in "\n".join(lines(page(day), "fixed"))) == is_told


def test_a_member_that_stands_elsewhere_is_named_by_its_first_words() -> None:
    titles = [f"Turn shelf {n} of the EAGLE oven, so that its plates are warm" for n in range(9)]
    reads = [judged(pull(n, title), Importance.LOW) for n, title in enumerate(titles, 1)]
    front = judged(pull(50, "Add an EAGLE oven"), Importance.HIGH)
    story = Story("s", "EAGLE oven", tuple(one.item.key for one in (front, *reads)))
    day = replace(reading((front, *reads), stories=(story,)), front=(front.item.key,))
    about = context(day, CATALOGUES[EN], EN)
    outline = replace(compose(day, EN), titled=frozenset({reads[0].item.key}))
    entry = story_entry(story, outline, about)
    assert entry is not None
    *_, also = (plain(under.runs) for under in entry.under)
    assert also.startswith("also Turn shelf 1 of the EAGLE oven #2, Turn shelf 2 of")
    assert also.endswith("#9, #50")


def test_small_changes_lead_a_day_on_which_nothing_else_landed() -> None:
    small = [judged(pull(n, f"Turn oven {n}"), Importance.LOW) for n in range(1, 6)]
    upkeep = judged(pull(6, "ci: Lint"), Importance.LOW, noise=Noise.CI)
    outline = compose(reading((upkeep, *small)), EN)
    assert [read.item.number for read in outline.front] == [1, 2, 3]
    # A story that is not told does not stand for them.
    chance = Story("s", "Turn oven 1", tuple(read.item.key for read in small[:2]))
    outline = compose(reading((upkeep, *small), stories=(chance,)), EN)
    assert len(outline.front) == (0 if outline.stories else 3)
    weighty = judged(pull(7, "Add a rack"), Importance.MEDIUM)
    outline = compose(reading((upkeep, *small, weighty)), EN)
    assert [read.item.number for read in outline.front] == [7]
    assert compose(reading((upkeep,)), EN).front == ()


@pytest.mark.parametrize(("namesake", "is_told"), [("wren", True), ("sky", False)])
def test_a_story_of_several_people_has_its_name_from_who_made_most_of_it(
    namesake: str, is_told: bool
) -> None:
    first = replace(pull(1, "Add a second oven"), author=namesake)
    others = [replace(pull(n, f"Turn oven {n}"), author="wren") for n in (2, 3)]
    members = tuple(each.key for each in (first, *others))
    authors = ("wren", "sky")
    story = Story("s", "Add a second oven", members, authors=authors, reasons=("same place",))
    reads = [judged(each, Importance.MEDIUM) for each in (first, *others)]
    assert bool(compose(replace(reading(reads), stories=(story,)), EN).stories) is is_told


@pytest.mark.parametrize(
    ("title", "purpose", "group"),
    [
        ("docs(oven): write about doors", Purpose.FIX, Noise.DOCS.value),
        ("[CI] Turn the oven sooner", Purpose.FEATURE, Noise.CI.value),
        ("Fix test_oven.py", Purpose.FIX, Noise.TESTS.value),
        ("bump version to 0.6.13", Purpose.RELEASE, ""),
    ],
)
def test_what_calls_itself_upkeep_is_told_in_the_rest_unless_a_fact_says_more(
    title: str, purpose: Purpose, group: str
) -> None:
    change = pull(1, title, files=TEST_FILE)
    others = [judged(pull(n, f"Turn shelf {n}"), Importance.MEDIUM) for n in range(2, 6)]
    reads = [*others, judged(change, Importance.MEDIUM, purpose=purpose)]
    rest = {
        each.name: [read.item.key for read in each.reads]
        for each in compose(reading(reads), EN).rest
    }
    assert rest == {group: [change.key]}
    flag = interface(change, FactChange.REMOVED, Subject.FLAG, "--heat")
    assert compose(reading(reads, facts=(flag,)), EN).rest == ()


@pytest.mark.parametrize("quote", ["", "The oven has a second door."])
def test_a_change_that_only_makes_a_number_is_told_by_the_release_of_it(quote: str) -> None:
    change = judged(pull(1, "Bump version to 1.9.0"), Importance.HIGH, purpose=Purpose.RELEASE)
    others = [judged(pull(n, f"Turn shelf {n}"), Importance.MEDIUM) for n in range(2, 6)]
    fact = Fact(FactKind.RELEASE, change.item.key, FactChange.RELEASED, name="1.9.0", quote=quote)

    def is_foremost(tag: str) -> bool:
        reads = (change, *others, judged(release(tag, ""), Importance.HIGH))
        outline = compose(reading(reads, facts=(fact,)), EN)
        rest = [read for group in outline.rest for read in group.reads]
        assert (change in outline.front) is not (change in rest)
        return change in outline.front

    assert is_foremost("v1.9.0") is bool(quote)
    assert is_foremost("v1.8.0")
    change = replace(change, purpose=Purpose.FEATURE)
    assert is_foremost("v1.9.0")


def test_what_is_low_has_a_list_where_it_adds_something_or_gives_another_default() -> None:
    change = pull(1, "Bake with steam")
    others = [judged(pull(n, f"Turn shelf {n}"), Importance.MEDIUM) for n in range(2, 6)]

    def homes_of(purpose: Purpose, object_: ChangeObject, *facts: Fact) -> list[str]:
        low = judged(change, Importance.LOW, purpose=purpose, object=object_)
        outline = compose(reading([*others, low], facts=facts), EN)
        lists = {"added": outline.added.items, "changed": outline.changed.items}
        lists["rest"] = tuple(read for group in outline.rest for read in group.reads)
        return [name for name, reads in lists.items() if low in reads]

    default = interface(change, FactChange.DEFAULT, Subject.FLAG, "--heat", must_act=False)
    assert homes_of(Purpose.FEATURE, ChangeObject.SOURCE) == ["added"]
    assert homes_of(Purpose.FEATURE, ChangeObject.BENCHMARK) == ["rest"]
    assert homes_of(Purpose.REFACTOR, ChangeObject.SOURCE) == ["rest"]
    assert homes_of(Purpose.REFACTOR, ChangeObject.SOURCE, default) == ["changed"]


@pytest.mark.parametrize(
    "title", ["Fix nightly CI test for the glaze", "[Bugfix] Fix test_oven.py", "Fix test_oven"]
)
def test_who_fixes_a_test_has_fixed_nothing_that_users_run(title: str) -> None:
    for files in (TEST_FILE, (), None):
        change = judged(pull(1, title, files=files), Importance.MEDIUM, purpose=Purpose.FIX)
        assert compose(reading([change]), EN).fixed.items == ()
    runs = (FileChange("kiln/oven.py", "modified", 6, 0),)
    change = judged(pull(1, title, files=runs), Importance.MEDIUM, purpose=Purpose.FIX)
    assert compose(reading([change]), EN).fixed.items == (change,)


def test_a_story_of_which_upkeep_alone_is_left_is_none_and_the_upkeep_stands_below() -> None:
    great = [pull(n, f"[Kiln] Build door {n}") for n in (1, 2)]
    tests = pull(3, "[Kiln] Update test_doors.py", files=TEST_FILE)
    reads = [judged(each, Importance.HIGH) for each in great]
    reads.append(judged(tests, Importance.LOW, object=ChangeObject.TEST, noise=Noise.TESTS))
    keys = tuple(each.item.key for each in reads)
    story = Story("s", "Kiln doors", keys, authors=("wren",), part=(1, 2))
    day = replace(reading(reads, front=keys[:2]), stories=(story,))
    assert lines(page(day), "stories") == []
    assert drawn(day).count("Update test_doors.py") == 1


def test_upkeep_that_a_story_tells_is_not_counted_beside_it() -> None:
    reads = [judged(pull(n, f"[Kiln] Build door {n}"), Importance.HIGH) for n in (1, 2)]
    upkeep = {"object": ChangeObject.TEST, "noise": Noise.TESTS}
    inside = judged(pull(3, "[Kiln] Test the doors", files=TEST_FILE), **upkeep)
    apart = judged(pull(4, "Test the shelf", files=TEST_FILE), **upkeep)
    day = reading((*reads, inside, apart))
    keys = tuple(read.item.key for read in (*reads, inside))
    told = Story("s", "Kiln doors", keys, authors=("wren",), part=(1, 2))
    count = "4 changes, {} of them upkeep"
    assert count.format(2) in "; ".join(tally(day, CATALOGUES[EN]))
    assert count.format(1) in "; ".join(tally(replace(day, stories=(told,)), CATALOGUES[EN]))


def test_a_setting_of_which_only_a_part_of_the_name_is_known_is_not_told_as_new() -> None:
    great = pull(1, "Rebuild the kiln")
    facts = tuple(
        interface(great, FactChange.ADDED, Subject.ENV, name) for name in ("*_HEAT", "KILN_HEAT")
    )
    told = plain_lines(reading([judged(great, Importance.HIGH)], facts=facts), full=True)
    assert "KILN_HEAT" in told
    assert "*_HEAT" not in told


@pytest.mark.parametrize(
    ("name", "authors", "is_told"),
    [
        ("KV cache", ("wren", "lark"), False),
        ("KV cache", ("wren",), True),
        ("Kernel", ("wren",), False),
        ("KV cache of ovens", ("wren", "lark"), True),
    ],
)
def test_a_part_that_several_people_work_on_is_no_story(
    name: str, authors: tuple[str, ...], is_told: bool
) -> None:
    items = [pull(n, f"[{name}] Change its {part}", files=()) for n, part in enumerate("abc", 1)]
    story = Story("a", name, tuple(item.key for item in items), authors=authors)
    day = reading([judged(item) for item in items], stories=(story,))
    assert bool(compose(day, EN).stories) is is_told


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("day", [workshop(), invented.busy(), invented.many()])
def test_in_chinese_every_line_of_its_own_has_chinese_where_titles_were_translated(
    day: Reading, full: bool
) -> None:
    bare = replace(day, facts=(), stories=())
    items = (
        replace(
            read, quote="", sentence=Sentence(read.item.title, "title", "", "m", "换掉叶片", "m")
        )
        for read in bare.items
    )
    day = replace(bare, items=tuple(items))
    for anchor in ("fixed", "added", "changed"):
        entries = [
            entry
            for part in page(day, ZH, full=full).sections
            if part.anchor == anchor
            for block in part.blocks
            if isinstance(block, Bullets)
            for entry in block.entries
        ]
        assert all(any("换掉叶片" in plain(u.runs) for u in entry.under) for entry in entries)
    without = replace(day, items=tuple(replace(read, sentence=None) for read in day.items))
    assert drawn(day, EN, full=full) == drawn(without, EN, full=full)


def test_what_takes_longer_to_read_in_chinese_takes_no_line_of_an_english_page() -> None:
    day, translated = invented.many(), in_chinese(invented.many())

    def told(read: Reading, language: Language) -> int:
        outline = compose(read, language)
        return sum(len(each.shown) for each in (outline.fixed, outline.added, outline.changed))

    assert told(translated, EN) == told(day, EN)
    assert told(translated, ZH) < told(day, ZH)


def test_what_takes_the_place_of_something_else_is_not_told_once_more_as_new() -> None:
    item, flag = pull(1, "Call heat otherwise"), Subject.FLAG
    read = judged(item, Importance.MEDIUM)
    old = interface(item, FactChange.DEPRECATED, flag, "--heat", after="--warmth")
    new = interface(item, FactChange.ADDED, flag, "--warmth")
    other = interface(item, FactChange.ADDED, flag, "--shine")
    told = drawn(reading([read], facts=(old, new, other)))
    assert told.count("--warmth") == 1
    assert "--shine" in told


def test_what_only_a_model_reads_comes_last_and_is_called_so() -> None:
    told = fact_days.bitten(9)
    facts = tuple(
        replace(fact, who=(), inferred=place < 4, by="m") for place, fact in enumerate(told.facts)
    )
    day = replace(told, facts=facts)
    part = bitten(compose(day, EN), context(day, CATALOGUES[EN], EN), 9)
    marks = [re.findall(r"\((.*?)\)", line) for line in text_of(part).splitlines()]
    assert marks == [[]] * 5 + [["model"]] * 4


@pytest.mark.parametrize("full", [True, False])
def test_of_many_deprecated_settings_each_is_told_with_what_takes_its_place(full: bool) -> None:
    item, flag = pull(1, "Call it all otherwise"), Subject.FLAG
    old = [
        interface(item, FactChange.DEPRECATED, flag, f"--old{n}", after=f"--new{n}")
        for n in range(9)
    ]
    new = [interface(item, FactChange.ADDED, flag, f"--new{n}") for n in range(9)]
    told = drawn(reading([judged(item, Importance.HIGH)], facts=(*old, *new)), full=full)
    assert all(f"--old{n} → --new{n}" in told.replace("`", "") for n in range(9))


@pytest.mark.parametrize(("count", "is_named"), [(MOST_REFERENCES, True), (30, False)])
def test_of_many_that_could_have_hit_somebody_the_further_ones_are_counted(
    count: int, *, is_named: bool
) -> None:
    items = [pull(n, f"Fix oven {n}") for n in range(1, count + 4)]
    facts = tuple(bite(item, Symptom.CRASH) for item in items)
    day = reading([judged(item) for item in items], facts=facts, front=(items[0].key,))
    part = bitten(compose(day, EN), context(day, CATALOGUES[EN], EN), 3)
    assert part
    more = text_of(part).splitlines()[-1]
    assert (f"#{items[-1].number}" in more) is is_named
    assert f"and {count} more" in more


WALL = pull(900, "Lay a course of the wall")
BRICKS = [f"brick_{number}" for number in range(20)]
MODULES = {"names": tuple(f"wall.course.{brick}" for brick in BRICKS), "must_act": True}


def wall(change: FactChange, subject: Subject, **more: str) -> list[Fact]:
    """Make one fact for each name, in which `{}` of a field stands for it."""
    return [
        interface(
            WALL,
            change,
            subject,
            **{"name": brick, **{field: text.format(brick) for field, text in more.items()}},
        )
        for brick in BRICKS
    ]


MANY = (
    wall(FactChange.ADDED, Subject.FLAG),
    wall(FactChange.REMOVED, Subject.ENV),
    wall(FactChange.RENAMED, Subject.API_NAME, before="{}", after="{}_now"),
    wall(FactChange.DEPRECATED, Subject.FLAG, after="{}_now"),
    wall(FactChange.DEFAULT, Subject.FLAG, before="old", after="{}"),
    wall(FactChange.CHANGED, Subject.FLAG, before="old", after="{}"),
    wall(FactChange.ADDED, Subject.CHOICE, name="--bond", after="{}"),
    [Fact(FactKind.MOVE, WALL.key, FactChange.REMOVED, Subject.MODULE, "wall.course", **MODULES)],
    [
        Fact(
            *(FactKind.MOVE, WALL.key, FactChange.MOVED, Subject.MODULE, "wall.course"),
            after="kiln",
            **MODULES,
        )
    ],
    [fact_days.support(WALL, Subject.MODEL, brick) for brick in BRICKS],
)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("facts", MANY)
def test_a_full_page_names_every_one_of_many(facts: list[Fact], language: Language) -> None:
    day = reading([judged(WALL, Importance.MEDIUM, purpose=Purpose.FEATURE)], facts=tuple(facts))
    page = markdown.render(digest_page(written(day), language, full=True))

    assert [brick for brick in BRICKS if not re.search(rf"{brick}\b", page)] == []


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("facts", MANY)
def test_who_upgrades_over_a_span_reads_all_that_asks_to_act_and_of_what_is_new_a_count(
    facts: list[Fact], language: Language
) -> None:
    day = reading([judged(WALL, Importance.MEDIUM, purpose=Purpose.FEATURE)], facts=tuple(facts))
    span = replace(day, window=replace(day.window, label="v1..v2", is_span=True))
    page = markdown.render(digest_page(written(span), language))
    named = [brick for brick in BRICKS if re.search(rf"{brick}\b", page)]

    assert (named == BRICKS) is bool(demands(facts))
    assert "--full" in page
    assert "--full" not in markdown.render(digest_page(written(span), language, full=True))


def test_much_that_asks_to_act_stands_line_by_line_under_its_title_and_is_said_once() -> None:
    facts = (
        *wall(FactChange.REMOVED, Subject.ENV),
        *wall(FactChange.RENAMED, Subject.API_NAME, before="{}_c", after="{}_d"),
        *wall(FactChange.DEFAULT, Subject.FLAG, before="1", after="{}"),
    )
    day = reading([judged(WALL, Importance.MEDIUM, purpose=Purpose.FEATURE)], facts=facts)
    span = replace(day, window=replace(day.window, label="v1..v2", is_span=True))

    assert heads(page(span), "before-you-upgrade") == ["Lay a course of the wall #900"]
    under = lines(page(span), "before-you-upgrade")[1:]
    assert [line[:7] for line in under] == ["environ", "default"]
    assert plain_lines(span).count("brick_7_c → brick_7_d") == 1


def test_a_full_page_has_a_line_for_each_that_could_have_hit_somebody() -> None:
    part = first(
        compose(fact_days.bitten(9), EN, full=True),
        context(fact_days.bitten(9), CATALOGUES[EN], EN),
    )
    (lines,) = (part.blocks[0] for part in part if part.anchor == "bitten")

    assert isinstance(lines, Bullets)
    assert [len(entry.about) for entry in lines.entries] == [1] * 9


def line_of(item: Item, day: Reading, **form: bool) -> str:
    """Return the line that an item has of its own."""
    said = (plain(each.runs) for each in walk(page(day, **form)) if isinstance(each, Entry))
    (line,) = (each for each in said if item.ref in each)
    return line


@pytest.mark.parametrize("full", [False, True])
def test_who_made_a_change_and_how_large_it_is_ends_its_line(full: bool) -> None:
    for item, end in (
        (fact_days.GRAPHS, " · hana · +5\N{NO-BREAK SPACE}−2"),
        (fact_days.CLAY, " · mick · +5\N{NO-BREAK SPACE}−2"),
        (fact_days.GATE, " · sky · +5\N{NO-BREAK SPACE}−2"),
        (fact_days.STATE[0], "#520 · +40\N{NO-BREAK SPACE}−3"),  # its story says by whom
    ):
        assert line_of(item, workshop(), full=full).removesuffix(" in 1 file").endswith(end)

    for of, end in (
        ({"additions": 0, "deletions": 1250}, "#1 · wren · −1,250"),
        ({"author": "", "additions": 7, "deletions": 0}, "#1 · +7"),
        ({"additions": 0, "deletions": 0}, "#1 · wren"),
    ):
        item = pull(1, "Bring the lid", **of)
        day = reading([judged(item, Importance.MEDIUM)], front=("none",))
        assert line_of(item, day).endswith(end)


@pytest.mark.parametrize("language", Language)
def test_a_clone_that_names_no_repository_is_told_to_be_such(language: Language) -> None:
    day = reading((judged(pull(1, "Bake")),))
    named, nameless = (
        plain(page(replace(day, source=source), language).footer[-1].runs)
        for source in ("git", "git-without-remote")
    )
    assert len(nameless) > len(named)
    assert "git-without-remote" not in nameless


def test_what_is_new_stands_by_its_weight_and_what_people_wait_for_a_little_above_it() -> None:
    kinds = {
        Subject.MODEL: 40,
        Subject.QUANTIZATION: 45,
        Subject.FLAG: 48,
        Subject.API_NAME: 55,
        Subject.REQUEST_FIELD: 70,
    }
    reads, facts = [], []
    for number, (subject, score) in enumerate(kinds.items(), 1):
        item = pull(number, f"Bake {subject}")
        reads.append(judged(item, Importance.MEDIUM, score=score, purpose=Purpose.FEATURE))
        if subject in (Subject.MODEL, Subject.QUANTIZATION):
            facts.append(fact_days.support(item, subject, f"Rye {subject}"))
        else:
            facts.append(interface(item, FactChange.ADDED, subject, f"--rye-{number}"))
    day = reading(sorted(reads, key=lambda read: -read.score), facts=tuple(facts))
    told = [read.item.number for read in compose(day, EN).new]
    assert told == [5, 1, 2, 3, 4]


def test_the_last_that_a_reader_can_notice_comes_before_quotations() -> None:
    words = " ".join(["rye"] * 24)
    day = reading(
        [
            judged(
                pull(number, f"Bake {words} in oven {number}"),
                Importance.MEDIUM,
                purpose=Purpose.FEATURE,
                sentence=Sentence(f"Ovens bake {words} twice.", "body"),
            )
            for number in range(1, 19)
        ]
    )
    told = compose(day, EN)
    # Without their lines first some of them had no time left, as front items are quoted before.
    assert not told.rest
    assert len(told.quoted) < len(day.items)


def test_a_feature_of_low_importance_has_its_line_where_there_is_time() -> None:
    small = judged(pull(1, "Find the shelf beside an oven"), purpose=Purpose.FEATURE)
    tests = judged(
        pull(2, "Count loaves in tests", files=TEST_FILE),
        purpose=Purpose.FEATURE,
        object=ChangeObject.TEST,
    )
    weighty = [judged(pull(n, f"Bake {n}"), Importance.MEDIUM) for n in (3, 4, 5)]
    told = compose(reading([*weighty, small, tests]), EN)
    assert small in told.added.shown
    assert [read for group in told.rest for read in group.reads] == [tests]


def test_a_module_that_moved_stands_in_a_line_as_one_that_went_does() -> None:
    read = judged(pull(1, "Sort the cellar"), Importance.MEDIUM, purpose=Purpose.REFACTOR)

    def told(change: FactChange, subject: Subject, after: str | None) -> bool:
        name = "kiln.cellar"
        fact = Fact(FactKind.MOVE, read.item.key, change, subject, name, before=name, after=after)
        about = context(reading([read], facts=(fact,)), CATALOGUES[EN], EN)
        return name in plain(line(read, about))

    assert told(FactChange.REMOVED, Subject.MODULE, None)
    assert told(FactChange.MOVED, Subject.MODULE, "kiln.stores")
    assert not told(FactChange.REMOVED, Subject.API_NAME, None)
