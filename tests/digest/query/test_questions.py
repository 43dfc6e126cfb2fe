"""A question in plain words: what is understood, found, and told as not stored."""

from dataclasses import replace

import pytest

from adapters.terminal import text
from digest.errors import BadWindow
from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.grades import Noise
from digest.languages import Language
from digest.models import KNOWN, Digest, Gap, Repo, Window
from digest.query.query import Found, Hit, Query
from digest.query.ranking import found
from digest.query.reading import read_question
from digest.reading.reader import read
from digest.wording.phrases import SAY
from digest.writing.document import Bullets
from digest.writing.query_page import MOST_WHOLE, query_page
from digest.writing.rules import plain, write
from tests.digest.turbine_source import TURBINE, at, day, pull

NAMED = {**KNOWN, "turbine": TURBINE, str(TURBINE): TURBINE}


def query(text: str) -> Query:
    return read_question(text, named=NAMED, otherwise=(TURBINE,), now=at(13, 1), tz="UTC")


@pytest.mark.parametrize(
    ("asked", "repos", "days", "kinds", "words"),
    [
        ("what changed in attention this week?", "", "02-09..", "", "attention"),
        ("本周attention有什么变化？", "", "02-09..", "", "attention"),
        ("what broke for MI300 since monday", "", "02-09..", "broke", "mi300"),
        ("vLLM最近三天删除了哪些参数", "vllm", "02-10..2026-02-12", "flag removed", ""),
        ("which env vars of sglang from 9 feb to 11 feb", "sglang", "02-09..2026-02-11", "env", ""),
        ("从2月9日到2月11日 flashinfer 崩溃", "flashinfer", "02-09..2026-02-11", "crash", ""),
        ("conv 3d and --max-num-seqs", "", "02-06..2026-02-12", "", "conv|3d|max num seqs"),
        ("sglang 昨天有哪些崩溃或输出错误？", "sglang", "02-12", "broke crash", ""),
        ("which crashes were fixed yesterday", "", "02-12", "crash", ""),
        ("昨天 vllm 修了哪些崩溃？", "vllm", "02-12", "crash", ""),
        ("what broke for MI300 since 2026-02-10?", "", "02-10..2026-02-13", "broke", "mi300"),
        ("garbage output of DeepSeek V3.2 on H200", "", "02-06..", "broke", "deepseek v3 2|h200"),
        ("the flashinfer backend in vllm", "vllm", "02-06..", "", "flashinfer"),
        ("vllm 的注意力后端 KV缓存", "vllm", "02-06..", "", "attention|kv cache"),
        ("should I upgrade vllm?", "vllm", "02-06..", "breaking", ""),
        ("下周升级 sglang 要注意什么", "sglang", "02-06..", "breaking", ""),
        ("moe until 2 feb", "", "01-27..2026-02-02", "", "moe"),
        ("hangs before 3 feb", "", "01-27..2026-02-02", "hang", ""),
        ("hangs from tuesday onwards", "", "02-10..2026-02-13", "hang", ""),
        ("截至2月2日 moe 的崩溃", "", "01-27..2026-02-02", "crash", "moe"),
        ("昇腾 NPU 有什么问题", "", "02-06..", "broke", "ascend"),
        ("显存泄漏的问题修了吗", "", "02-06..", "memory", ""),
        ("new models yesterday", "", "02-12", "added model", ""),
        ("vllm 昨天新增了什么模型支持", "vllm", "02-12", "added model", ""),
        ("which gpus are newly supported", "", "02-06..", "added hardware", ""),
        ("new model runner crashes", "", "02-06..", "crash", "runner"),
        ("crashes of new models", "", "02-06..", "crash", ""),
        ("what new models landed in vllm", "vllm", "02-06..", "added model", ""),
        ("new models, new gpus", "", "02-06..", "added hardware model", ""),
        ("new gpu sampler", "", "02-06..", "", "sampler"),
        ("vllm 更新模型加载", "vllm", "02-06..", "", "加 载"),
        ("新模型加载失败", "", "02-06..", "broke", "加 载"),
        ("kernels 0.15.0..0.16.0?", "", "02-06..", "", "kernels|0 15 0 0 16 0"),
    ],
)
def test_a_question_is_read_as_repositories_days_kinds_and_words(
    asked: str, repos: str, days: str, kinds: str, words: str
) -> None:
    told = query(asked)

    assert told.repos == ((KNOWN[repos],) if repos else (TURBINE,))
    assert told.window.label.startswith(f"2026-{days}")
    assert " ".join(sorted(told.kinds)) == kinds
    assert "|".join(told.words) == words


@pytest.mark.parametrize(
    ("asked", "days", "words"),
    [
        ("moe between jan 28 and 3 feb", "2026-01-28..2026-02-03", "moe"),
        ("moe from 28 to 3 february", "2026-01-28..2026-02-03", "moe"),
        ("moe from 2 feb to 9", "2026-02-02..2026-02-09", "moe"),
        ("moe 28 jan - 3 feb", "2026-01-28..2026-02-03", "moe"),
        ("moe jan 28-feb 3", "2026-01-28..2026-02-03", "moe"),
        ("moe feb 2-9?", "2026-02-02..2026-02-09", "moe"),
        ("moe from 3 to 9 november 2024", "2024-11-03..2024-11-09", "moe"),
        ("moe from dec 28 2024 to jan 3", "2024-12-28..2025-01-03", "moe"),
        ("moe from feb 2 to 9-layer models", "2026-02-02", "moe|9 layer"),
        ("ranks 0-3 sep", "", "ranks|0 3|sep"),
        ("moe the day before yesterday", "2026-02-11", "moe"),
        ("moe until january", "2026-01-25..2026-01-31", "moe"),
        ("moe from december to now", "2025-12-01..2026-02-13", "moe"),
        ("moe november 2024 to january 2025", "2024-11-01..2025-01-31", "moe"),
        ("moe between monday and now", "2026-02-09..2026-02-13", "moe"),
        ("moe from cuda 12 to now", "", "moe|cuda 12"),
        ("2025年3月 moe", "2025-03-01..2025-03-31", "moe"),
        ("去年1月 moe", "2025-01-01..2025-01-31", "moe"),
        ("去年10月5日 moe", "2025-10-05", "moe"),
        ("最近两个月 moe", "2025-12-13..2026-02-12", "moe"),
        ("1月到2月5日 moe", "2026-01-01..2026-02-05", "moe"),
        ("2024年11月3日到12月5日 moe", "2024-11-03..2024-12-05", "moe"),
        ("去年12月到今年1月 moe", "2025-12-01..2026-01-31", "moe"),
    ],
)
def test_a_time_is_read_whole_and_leaves_no_words(asked: str, days: str, words: str) -> None:
    told = query(asked)

    assert (told.window.label.partition(" ")[0] if told.names_time else "") == days
    assert "|".join(told.words) == words


@pytest.mark.parametrize("of", ["the ", "以来", "today..", "1月", "in may "])
def test_a_question_of_one_word_said_thousands_of_times_is_read(of: str) -> None:
    told = query("moe " + of * 4_000)
    assert told.words[:1] == ("moe",)


def test_a_name_is_found_in_its_other_spellings_and_the_answer_names_them() -> None:
    asked = query("注意力 on feb 11 for blackwell?")
    assert asked.words == ("attention", "blackwell")
    assert asked.also == {"attention": ("注 意 力",), "blackwell": ("sm100", "b200")}
    stored = {TURBINE: [digest(11, "Faster attention on SM100", "Attention on gfx942")]}
    told = found(asked, stored)
    assert [hit.read.item.title for hit in told.hits] == ["Faster attention on SM100"]
    page = text.render(query_page(told, Language.EN))
    assert "Also looked for: 注意力, sm100, b200" in page


@pytest.mark.parametrize(
    "time",
    [
        *("since 2026-02-31", "since 20 april", "since april", "since 9 feb 2025"),
        *("until 20 feb 2026", "from feb 3 to 9 dec", "from 28 to 31 feb"),
        *("in december 2026", "since march 2025", "过去12个月"),
        *(
            "last year",
            "since the refactor",
            "since v0.15.0",
            "since the 45th",
            "before 0001-01-02",
            "13月1日",
            "dec 31 9999 to jan 1",
        ),
    ],
)
def test_a_time_that_there_is_not_is_said_and_never_a_part_of_it_taken(time: str) -> None:
    with pytest.raises(BadWindow):
        query(f"what changed {time} in attention?")


def test_what_only_asks_of_what_is_to_come_is_told_so() -> None:
    for asked in ("infra turbine tomorrow", "明天", "what happens next week?"):
        with pytest.raises(BadWindow, match="still to come"):
            query(asked)


def digest(of: int, *titles: str, facts: tuple[Fact, ...] = ()) -> Digest:
    from digest.models import Activity

    items = tuple(pull(of * 10 + n, at(of, 9), title) for n, title in enumerate(titles))
    reading = read(Activity(TURBINE, day(of), items, at(of + 1), "test"))
    return write(replace(reading, facts=facts, stories=()), at(of + 1))


def test_what_fits_best_comes_first_and_what_is_not_stored_is_named() -> None:
    key = pull(111, at(11, 9)).key
    fact = Fact(FactKind.INTERFACE, key, FactChange.REMOVED, Subject.FLAG, name="--attention-mode")
    stored = {
        TURBINE: [
            digest(10, "[Attention] Tune the kernel", "Paint the hull"),
            digest(11, "Attention for tp 4", "Tidy up", facts=(fact,)),
        ]
    }
    asked = query("which attention flags were removed 9 feb to 11 feb?")

    told = found(asked, stored)

    assert [hit.read.item.key for hit in told.hits] == [key]
    assert told.unstored[0].days == (at(9).date(),)
    every = found(query("attention since 9 feb"), stored)
    assert every.total == 3
    page = str(query_page(told, Language.EN))
    assert "Not stored, so not looked at" in page
    assert "--attention-mode" in page
    kindless = found(query("crashes of attention since 9 feb"), stored)
    assert kindless.kindless
    assert kindless.total == 3
    in_chinese = query("注意力崩溃 since 9 feb")
    assert in_chinese.kind_words[0] == "crash"  # titles are English
    short = found(query("tp since 9 feb"), stored)
    assert short.hits[0].read.item.title == "Attention for tp 4"
    assert found(query("hul since 9 feb"), stored).total == 0  # so few letters are a whole word


def test_what_is_asked_by_kind_alone_is_not_answered_by_what_shares_a_word() -> None:
    stored = {TURBINE: [digest(11, "Removed a wrong marker", "Support Kiln4")]}
    keys = [item.item.key for item in stored[TURBINE][0].reading.items]
    none = found(query("which flags were removed on 11 feb?"), stored)
    assert none.hits == ()
    assert "No such fact" in text.render(query_page(none, Language.EN))
    alike = {TURBINE: [digest(11, "Removed a flag", "Support Kiln4")]}
    (hit,) = found(query("which flags were removed on 11 feb?"), alike).hits
    assert hit.read.item.title == "Removed a flag"

    kiln = keys[-1]
    new = Fact(FactKind.SUPPORT, kiln, FactChange.ADDED, Subject.MODEL, name="Kiln4ForCausalLM")
    known = {TURBINE: [digest(11, "Removed a marker", "Support Kiln4", facts=(new,))]}
    assert [hit.read.item.key for hit in found(query("new models on 11 feb"), known).hits] == [kiln]


def test_below_a_title_stands_what_it_does_not_say() -> None:
    keys = [pull(100 + n, at(10, 9)).key for n in range(2)]
    seen = {keys[0]: Symptom.CRASH, keys[1]: Symptom.BROKEN}
    facts = tuple(
        Fact(FactKind.BITE, key, FactChange.FIXED, symptom=symptom, who=("MI300",))
        for key, symptom in seen.items()
    )
    day_of_it = digest(10, "Fix ovens of MI300", "Fix doors", facts=facts)

    told = found(query("what broke on 10 feb?"), {TURBINE: [day_of_it]})

    assert {hit.read.item.key for hit in told.hits} == {*keys}
    page = str(query_page(told, Language.EN))
    assert page.count("MI300") == 1  # in the title
    assert "crash" in page
    assert "broken" not in page


def test_of_the_kind_that_is_asked_for_every_name_is_told() -> None:
    key = pull(100, at(10, 9)).key
    flags = tuple(
        Fact(FactKind.INTERFACE, key, FactChange.ADDED, Subject.FLAG, name=f"--heat-{n}")
        for n in range(9)
    )
    others = tuple(
        replace(fact, name=f"HEAT_{n}", subject=Subject.ENV) for n, fact in enumerate(flags)
    )
    stored = {TURBINE: [digest(10, "Heat the oven", facts=(*others, *flags))]}

    asked = text.render(query_page(found(query("new flags on 10 feb"), stored), Language.EN))
    assert all(fact.name in asked for fact in flags)
    assert "HEAT_0" not in asked
    many = tuple(replace(flags[0], name=f"--heat-{n}") for n in range(MOST_WHOLE + 1))
    counted = {TURBINE: [digest(10, "Heat the oven", facts=many)]}
    page = text.render(query_page(found(query("new flags on 10 feb"), counted), Language.EN))
    assert many[-1].name not in page
    assert "more" in page
    by_words = text.render(query_page(found(query("oven on 10 feb"), stored), Language.EN))
    assert "--heat-0" in by_words
    assert "--heat-2" not in by_words


def test_what_stored_days_lack_is_named() -> None:
    whole = digest(10, "Heat the oven")
    gap = Gap("issues", SAY.git.no_talk, lasting=True)
    lacking = replace(whole, reading=replace(whole.reading, gaps=(gap,)))
    told = found(query("oven on 10 feb"), {TURBINE: [lacking]})
    assert told.unstored[0].without == ("issues",)
    assert "without issues" in text.render(query_page(told, Language.EN))
    assert found(query("oven on 10 feb"), {TURBINE: [whole]}).unstored == ()
    # One patch that is too large, or what could not be asked once, is a part of the day.
    torn = Gap("patches", SAY.git.no_talk, lasting=True)
    for gaps in ((gap, torn), (replace(gap, lasting=False),)):
        lacking = replace(whole, reading=replace(whole.reading, gaps=gaps))
        (part,) = found(query("oven on 10 feb"), {TURBINE: [lacking]}).unstored
        assert (part.without, part.incomplete) == ((), (at(10).date(),))


def test_a_line_names_repository_and_day_where_the_title_has_several() -> None:
    asked = query("what broke on 10 feb?")
    hit = Hit(digest(10, "Fix doors").reading.items[0])

    def line(repos: tuple[Repo, ...], window: Window) -> str:
        page = query_page(Found(replace(asked, repos=repos, window=window), (hit,), 1), Language.EN)
        (listed,) = (block for block in page.lead if isinstance(block, Bullets))
        return plain(listed.entries[0].runs)

    several = (TURBINE, Repo("example-org", "loom"))
    week = query("what broke this week?").window
    assert line((TURBINE,), asked.window) == "Fix doors #100"
    assert line(several, asked.window) == "Fix doors #100 · turbine"
    assert line((TURBINE,), week) == "Fix doors #100 · 10 Feb"


def test_what_was_reverted_later_is_found_where_reverts_are_asked_for() -> None:
    day_of_it = digest(10, "Tune the kernel", "Paint the hull")
    tuned, painted = day_of_it.reading.items
    gone = replace(tuned, reverted_by=pull(999, at(12, 9)).key)
    reading = replace(day_of_it.reading, items=(gone, painted))

    told = found(query("was anything reverted on 10 feb?"), {TURBINE: [write(reading, at(11))]})

    assert [hit.read.item.key for hit in told.hits] == [tuned.item.key]
    page = str(query_page(told, Language.EN))
    assert "reverted by" in page
    assert "#999" in page


def test_nothing_stored_never_looks_like_nothing_happened() -> None:
    other = Repo("octo", "quiet")
    asked = read_question("moe?", named={}, otherwise=(TURBINE, other), now=at(13, 1), tz="UTC")
    blind = str(query_page(found(asked, {}), Language.ZH))
    looked = str(query_page(found(asked, {TURBINE: [digest(12, "Hull")]}), Language.ZH))

    assert "这些日子都没有存" in blind
    assert "没有符合的条目" in looked
    assert "quiet" in looked


def test_a_fix_of_upkeep_of_which_nothing_was_seen_is_not_what_broke() -> None:
    day_of_it = digest(10, "Fix ovens", "Fix doors")
    oven, door = day_of_it.reading.items
    facts = tuple(
        Fact(FactKind.BITE, read.item.key, FactChange.FIXED, symptom=Symptom.BROKEN)
        for read in (oven, door)
    )
    reading = replace(day_of_it.reading, facts=facts, items=(oven, replace(door, noise=Noise.CI)))
    told = found(query("what broke on 10 feb?"), {TURBINE: [write(reading, at(11))]})
    assert [hit.read.item.key for hit in told.hits] == [oven.item.key]
