"""Where a model's proven sentences stand, and that they take no title's place."""

from dataclasses import replace

import pytest

from adapters.terminal import markdown
from bot.compose.channel_digest import for_channel
from bot.compose.thread import plan as plan_threads
from bot.compose.thread import show_all
from bot.model.parts import Part, PartKind
from digest.claims import ClaimKind, ModelOutcome, ModelUse, Trouble
from digest.grades import Importance
from digest.languages import Language
from digest.models import Digest, Origin, Roundup
from digest.writing.composition import compose
from digest.writing.document import Paragraph, Quote
from digest.writing.glosses import glosses, is_brief, said, says_the_same
from digest.writing.making import LONGEST_MODEL, made_briefly, made_by
from digest.writing.pages import digest_page, roundup_page
from digest.writing.reading_time import MINUTES_A_PAGE, MINUTES_FIRST, block_minutes
from digest.writing.rules import plain, top
from digest.writing.wording.languages import CATALOGUES
from digest.writing.wording.troubles import TROUBLES
from tests.bot.channels_invented import subscription
from tests.digest.writing import glossed, invented
from tests.digest.writing.glossed import EN, ZH, claim, pull_key, told_by, use

LONG = "Every oven of the hall is now heated by the one that stands beside it at night"


def page(digest: Digest, language: Language = EN, **more: bool) -> str:
    return markdown.render(digest_page(digest, language, **more))


def many(count: int = 60) -> Digest:
    """A busy day on which every change has a gloss of its own."""
    reading = invented.many(count)
    claims = tuple(
        claim(read.item.key, f"{LONG} number {place}", f"第 {place} 号炉由旁边的炉子在夜里加热")
        for place, read in enumerate(reading.items)
    )
    return told_by(reading, claims, use(claims=len(claims)))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("count", [1, 10, 30, 60, 300])
def test_a_gloss_takes_no_titles_place(count: int, language: Language) -> None:
    digest = many(count)
    bare = compose(digest.reading)
    told = compose(digest.reading, digest.claims)
    # The front page says its sentences whatever happens; nothing else pushes a title out.
    assert len(told.fixed.told) >= len(bare.fixed.told) - 4 * len(told.front)
    text = page(digest, language)
    for read in told.front:
        assert read.item.title in text


@pytest.mark.parametrize("count", [1, 10, 20, 30])
def test_a_page_with_glosses_is_still_read_in_two_minutes(count: int) -> None:
    digest = many(count)
    for language in Language:
        document = digest_page(digest, language)
        blocks = [*document.lead, *(b for part in document.sections for b in part.blocks)]
        taken = sum(block_minutes(block) for block in blocks)
        assert taken <= MINUTES_FIRST + MINUTES_A_PAGE


def test_a_gloss_stands_after_the_title_and_before_the_facts() -> None:
    text = page(glossed.whole())
    places = [
        text.index("Rename --heat to --temperature"),
        text.index("The flag --heat is now called --temperature."),
        text.index("wren · +5"),
    ]
    assert places == sorted(places)
    assert "Users look for the usual name" not in text, "the gloss says the same"
    assert "“旧变量不再读取。”" in text, "the gloss stands on something else"


def test_a_quiet_page_of_a_model_that_said_nothing_is_that_of_rules() -> None:
    bare = page(invented.written(glossed.day()))
    silent = page(told_by(glossed.day(), (), use()))
    assert silent == bare


def test_a_language_that_was_not_proven_shows_title_and_facts_and_is_named_once() -> None:
    chinese = page(glossed.partly(), ZH)
    assert "KILN_TIMEOUT is read" not in chinese
    assert chinese.count("部分译文不可用") == 1
    assert "translation unavailable" not in page(glossed.partly(), EN)


@pytest.mark.parametrize(
    ("digest", "english", "chinese"),
    [
        (glossed.late(), "No AI used: glaze-7b was late.", "未使用 AI：glaze-7b 未及时完成。"),
        (
            glossed.failed(),
            "No AI used: glaze-7b gave nothing to work with.",
            "未使用 AI：glaze-7b 未给出可用的结果。",
        ),
        (glossed.over_budget(), "; no tokens left for glaze-7b.", "；glaze-7b 的 token 已用完。"),
        (
            glossed.partly(),
            "; 3 unproven sentences dropped; 2 unanswered.",
            "；舍去 3 句未证实的；2 项未答复；部分译文不可用。",
        ),
        (glossed.whole(), "Rules and glaze-7b, its sentences checked", "其语句已与来源核对；"),
    ],
)
def test_the_footer_says_how_far_a_models_words_came(
    digest: Digest, english: str, chinese: str
) -> None:
    assert english in page(digest, EN)
    assert chinese in page(digest, ZH)


def test_a_roundup_says_it_of_all_its_digests_together() -> None:
    roundup = Roundup(invented.DAY, (glossed.whole(), glossed.late()))
    text = markdown.render(roundup_page(roundup, EN))
    assert (
        "Rules and glaze-7b, its sentences checked against the source; glaze-7b was late." in text
    )
    assert "No AI used" in markdown.render(roundup_page(Roundup(invented.DAY, ()), EN))


def test_a_model_that_is_known_by_a_path_is_named_by_its_last_part() -> None:
    for name, shown in (
        ("/srv/models/" + "deep/" * 30 + "glaze-7b", "glaze-7b"),
        ("x" * 300, "x" * (LONGEST_MODEL - 1) + "…"),
    ):
        digest = replace(glossed.whole(), model=replace(use(), model=name))
        assert plain(made_briefly((digest,), CATALOGUES[EN], EN)).startswith(f"{shown} + checked")
        assert shown in plain(made_by((digest,), CATALOGUES[ZH], ZH))


def test_what_an_analysis_says_is_no_gloss_and_a_gloss_has_its_order() -> None:
    key = pull_key(101)
    claims = (
        claim(key, "Do this", kind=ClaimKind.ACTION),
        claim(key, "May break", kind=ClaimKind.RISK),
        claim(key, "Renamed", kind=ClaimKind.WHAT),
    )
    told = glosses(claims).items[key]
    assert said(told, EN) == ("Renamed.", "Do this.")
    assert said(told, ZH) == ()


def test_sentences_end_as_their_language_does() -> None:
    told = [claim("k", "Why?", "为何？"), claim("k", "So", "如此"), claim("k", "Done.", "完成。")]
    assert said(told, EN) == ("Why?", "So.", "Done.")
    assert said(told, ZH) == ("为何？", "如此。", "完成。")


def test_only_a_quote_of_the_description_can_say_what_the_author_says() -> None:
    read = invented.busy().items[0]
    proof = "the  OLD flag is `gone`"
    assert says_the_same((claim("k", "x", quote=proof),), read)
    assert not says_the_same((claim("k", "x", quote=proof, quote_from="h1"),), read)
    assert not says_the_same((claim("k", "x", quote="something else"),), read)
    assert not says_the_same((claim("k", "x"),), read)


def test_brief_is_twelve_words_or_as_many_characters_as_say_them() -> None:
    assert is_brief("one two three four five six seven eight nine ten eleven twelve.")
    assert not is_brief("one two three four five six seven eight nine ten eleven twelve more.")
    assert is_brief("参数改名" * 6)
    assert not is_brief("参数改名" * 6 + "了")


def parts(digest: Digest, **chosen: object) -> tuple[Part, ...]:
    (thread,) = plan_threads([digest], [], subscription(**chosen))
    return (thread.parent, *thread.replies)


def text(part: Part) -> str:
    return "\n".join(plain(block.runs) for block in part.blocks if isinstance(block, Paragraph))


@pytest.mark.parametrize("language", list(Language))
def test_a_parent_has_brief_glosses_while_it_is_read_in_half_a_minute(language: Language) -> None:
    parent, *_ = parts(glossed.whole(), language=language)
    bare, *_ = parts(invented.written(glossed.day()), language=language)
    taken = sum(block_minutes(block) for block in bare.blocks)
    with_glosses = sum(block_minutes(block) for block in parent.blocks)
    assert with_glosses <= max(MINUTES_FIRST, taken + 0.05)
    crowded, *_ = parts(many(60), language=language)
    assert LONG not in text(crowded)
    assert parent.about == bare.about


def test_a_short_parent_tells_its_glosses() -> None:
    read = invented.judged(invented.pull(1, "Heat the hall"), Importance.HIGH)
    told = told_by(
        invented.reading((read,)), (claim(read.item.key, "Ovens warm each other."),), use()
    )
    parent, *_ = parts(told)
    assert "Heat the hall #1 — Ovens warm each other." in text(parent)
    long = replace(told, claims=(claim(read.item.key, LONG),))
    assert LONG not in text(parts(long)[0])


def test_a_message_of_an_item_says_its_gloss_before_its_facts() -> None:
    item = next(part for part in parts(glossed.whole()) if part.kind is PartKind.ITEM)
    said_first, facts = item.blocks[2], item.blocks[-1]
    assert isinstance(said_first, Paragraph)
    assert plain(said_first.runs).startswith(
        "The flag --heat is now called --temperature. Commands"
    )
    assert isinstance(facts, Paragraph)
    assert not any(isinstance(block, Quote) for block in item.blocks)


def test_a_channel_that_leaves_items_out_is_told_of_no_theme_by_them() -> None:
    digest = glossed.whole()
    told = for_channel(digest, subscription(paths=("nothing/**",)))
    known = {read.item.key for read in told.reading.items}
    assert all(known.issuperset(each.cites) for each in told.digest.claims)
    assert told.digest.origin is Origin.MODEL, "a release is told anyway"
    alone = replace(digest, claims=digest.claims[:1])
    assert for_channel(alone, subscription(paths=("nothing/**",))).digest.origin is Origin.RULES


def test_the_full_list_tells_every_gloss() -> None:
    listed = show_all(glossed.whole(), EN)
    drawn = str(listed.blocks)
    for words in ("Experts of one shelf share a batch.", "Glaze maps are stored as fp8."):
        assert words in drawn
    assert page(many(60), full=True).count(LONG) == 60


@pytest.mark.parametrize(
    ("language", "says"),
    [(EN, "checked sentences left out for length: --full"), (ZH, "因篇幅略去 ")],
)
def test_the_footer_counts_what_a_page_has_no_time_for(language: Language, says: str) -> None:
    digest = many(60)
    short, full = page(digest, language), page(digest, language, full=True)
    sentence = LONG if language is EN else "旁边的炉子在夜里加热"
    left = 60 - short.count(sentence)
    assert left > 0
    assert f"{left} " in short.rpartition("<sub>")[2]
    assert says in short
    assert full.count(sentence) == 60
    assert says not in full
    assert says not in page(many(1), language)


def test_a_full_page_tells_every_sentence_and_a_short_one_counts_the_second() -> None:
    front = [invented.judged(invented.pull(n, "First"), Importance.HIGH) for n in range(7, 10)]
    read = invented.judged(invented.pull(1, "Heat the hall"), Importance.MEDIUM)
    both = (
        claim(read.item.key, "Ovens warm each other.", "炉子互相加热。"),
        claim(read.item.key, "Nights are warm.", "夜里暖和。", kind=ClaimKind.IMPACT),
    )
    digest = told_by(invented.reading((*front, read)), both, use(claims=2))
    assert "1 checked sentence left out for length: --full" in page(digest)
    assert "Ovens warm each other. Nights are warm." in page(digest, full=True)
    assert "炉子互相加热。夜里暖和。" in page(digest, ZH, full=True)
    assert "left out" not in page(digest, full=True)


def test_a_sentence_in_one_language_is_left_out_of_the_other_for_no_length() -> None:
    front = [invented.judged(invented.pull(n, "First"), Importance.HIGH) for n in range(7, 10)]
    read = invented.judged(invented.pull(1, "Heat the hall"), Importance.MEDIUM)
    both = (
        claim(read.item.key, "Ovens warm each other.", "炉子互相加热。"),
        claim(read.item.key, "Nights are warm.", kind=ClaimKind.IMPACT),
    )
    digest = told_by(invented.reading((*front, read)), both, use(claims=2))
    assert "1 checked sentence left out" in page(digest)
    assert "因篇幅略去" not in page(digest, ZH)


@pytest.mark.parametrize(
    ("language", "says"),
    [(EN, "left out for length: Show all 60"), (ZH, "句已核对的：显示全部 60 项")],
)
def test_a_thread_counts_them_too_and_names_the_button(language: Language, says: str) -> None:
    parent, *replies = parts(many(60), language=language)
    assert any(says.endswith(button.label) for button in parent.actions)
    small = text(parent).splitlines()[-1]
    assert says in small
    sentence = LONG if language is EN else "旁边的炉子在夜里加热"
    told = sum(read.importance is Importance.HIGH for read in many(60).reading.items)
    told += sum(
        str(part.blocks).count(sentence) for part in replies if part.kind is not PartKind.ITEM
    )
    assert f"{60 - told} " in small
    assert str(show_all(many(60), language).blocks).count(sentence) == 60


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("trouble", list(Trouble))
def test_the_footer_says_which_trouble_it_was_without_a_host(
    trouble: Trouble, language: Language
) -> None:
    why = "the model server secret.example:8000 refuses the key sk-secret"
    use_of = ModelUse("glaze-7b", ModelOutcome.FAILED, 9, why=why, unanswered=9, trouble=trouble)
    failed = told_by(glossed.day(), (), use_of)
    footer = page(failed, language).rpartition("<sub>")[2]
    assert TROUBLES[language][trouble].format(model="glaze-7b") in footer
    assert "secret" not in footer
    assert CATALOGUES[language].small.failed.format(model="glaze-7b") not in footer


def test_every_trouble_has_words_of_its_own_in_both_languages() -> None:
    for said_so in TROUBLES.values():
        assert set(said_so) == set(Trouble)
        assert len(set(said_so.values())) == len(Trouble)
        assert all("{model}" in words for words in said_so.values())


def test_a_model_of_whose_words_nothing_is_told_was_used_all_the_same() -> None:
    asked = use(ModelOutcome.PARTIAL, dropped=2)
    digest = told_by(glossed.day(), (), asked)
    assert "Nothing that glaze-7b said is told: 2 unproven sentences dropped." in page(digest)
    assert "glaze-7b 所说均未采用：舍去 2 句未证实的。" in page(digest, ZH)


def test_each_model_is_named_with_its_own_words_and_trouble() -> None:
    other = ModelUse("kiln-3b", ModelOutcome.FAILED, asked=9, unanswered=9, trouble=Trouble.KEY)
    broken = replace(glossed.failed(), model=other)
    said_so = plain(made_by((glossed.whole(), broken), CATALOGUES[EN], EN))
    assert said_so.startswith("Rules and glaze-7b, its sentences checked")
    assert "the server of kiln-3b refuses the key" in said_so


def test_the_foot_of_a_roundup_tells_of_the_sentences_that_it_tells() -> None:
    whole = glossed.whole()
    first = top(whole.reading)
    assert first
    told = replace(whole, claims=(claim(first.item.key, "Ovens warm each other."),))
    assert "glaze-7b" in markdown.render(roundup_page(Roundup(invented.DAY, (told,)), EN))
    elsewhere = replace(whole, claims=(claim("another", "Ovens warm each other."),))
    footer = markdown.render(roundup_page(Roundup(invented.DAY, (elsewhere,)), EN))
    assert "glaze-7b" not in footer
    assert "No AI used." in footer
