"""What has its title on a page of two minutes, and what stands by its reference."""

from dataclasses import replace

from digest.grades import Importance, Noise
from digest.languages import Language
from digest.models import Kind, Revert, State
from digest.writing.pages import digest_page
from digest.writing.plan import minutes, minutes_for, plan
from digest.writing.rules import plain
from tests.digest.writing.glossed import claim, pull_key
from tests.digest.writing.invented import issue, judged, note, pull, reading, release, written

LONG = "very " * 600


def words(number: int, count: int) -> str:
    return " ".join(f"word{number}" for _ in range(count))


def test_one_title_too_long_to_read_stops_none_after_it() -> None:
    first, second = pull(1, LONG), pull(2, "Short")
    day = reading([judged(one, Importance.MEDIUM) for one in (first, second)])

    (group,) = plan(day).themes
    assert [read.item for read in group.told] == [second]
    assert [read.item for read in group.more] == [first]


def test_two_issues_then_medium_titles_come_before_more_issues_notes_quotes_and_low_titles() -> (
    None
):
    medium = [judged(pull(n, words(n, 30)), Importance.MEDIUM) for n in range(60)]
    low = judged(pull(90, words(90, 30)))
    asked = [judged(issue(91 + n, words(91 + n, 30)), Importance.HIGH) for n in range(3)]
    wide = note("default", "changed", "fan", low.item, before="off", after="on")
    day = reading((*medium, low, *asked), upgrade_notes=(wide,))

    told = plan(day)
    assert sum(len(group.told) for group in told.themes) > 20
    assert any(group.more for group in told.themes)
    assert list(told.issues.told) == asked[:2]
    assert told.rest[0].told == ()


def test_a_plan_is_the_same_for_both_languages_and_takes_no_longer_than_two_minutes() -> None:
    medium = [
        judged(pull(n, words(n, 9)), Importance.MEDIUM, theme=f"model {n % 7}") for n in range(80)
    ]
    issues = [judged(issue(200 + n, words(n, 9)), Importance.MEDIUM) for n in range(9)]
    for language in Language:
        page = digest_page(written(reading((*medium, *issues))), language)
        text = [plain(page.title), *(plain(part.heading) for part in page.sections)]
        assert minutes(" ".join(text)) < 2
    assert plan(reading(medium)) == plan(reading(medium))


def test_the_quote_of_a_high_item_is_told_to_its_end_where_there_is_time() -> None:
    quote = "First sentence here. " + words(1, 40).capitalize() + "."
    day = reading((judged(pull(1, "High"), Importance.HIGH, quote=quote),))

    assert plan(day).whole == {day.items[0].item.key}
    crowd = [judged(pull(9 + n, words(n, 10)), Importance.MEDIUM) for n in range(60)]
    assert plan(replace(day, items=(*day.items, *crowd))).whole == frozenset()


def test_the_notes_of_a_release_are_begun_where_there_is_time_else_their_lines_are_counted() -> (
    None
):
    made = judged(release("v1.5.0", f"## Highlights\n{LONG}\nend"), Importance.HIGH)
    day = reading((made,))

    assert plan(day).opened == frozenset()
    assert plan(day, full=True).opened == {made.item.key}
    (section,) = digest_page(written(day), Language.EN).sections
    (line,) = section.blocks
    assert plain(line.runs) == "v1.5.0 · released · 3 lines of notes"


def test_a_release_with_notes_stands_before_a_bare_tag() -> None:
    tag = judged(release("v2.0.0rc0", "", state=State.TAGGED), Importance.HIGH)
    trial = judged(release("v1.6.0rc1", "x", state=State.PRERELEASE))
    final = judged(release("v1.5.0", "x"))

    told = plan(reading((tag, trial, final)), full=True).releases
    assert [read.item.ref for read in told] == ["v1.5.0", "v1.6.0rc1", "v2.0.0rc0"]
    assert all(read.item.kind is Kind.RELEASE for read in told)


def test_notes_are_told_in_rows_by_name_or_by_count() -> None:
    change, bot = pull(1, "Change"), pull(2, "Bump")
    pins = note("dependency", "changed", "clay", bot, before="1", after="2")
    gone = [note("flag", "removed", f"--{n}", change) for n in range(6)]
    added = note("flag", "added", "--new", change)
    day = reading(
        (judged(change, Importance.MEDIUM), judged(bot, noise=Noise.BOT)),
        upgrade_notes=(*gone, added, pins),
    )

    told = plan(day)
    assert [len(group) for group in told.pressing] == [4]
    assert told.further.rows == tuple(gone[4:])
    assert told.further.added == (added,)
    assert told.further.upkeep == (pins,)
    assert told.further.size == 4
    full = plan(day, full=True).further
    assert full.rows == (*gone[4:], added, pins)


def test_notes_without_time_for_a_table_stand_by_their_changes() -> None:
    crowd = [judged(pull(9 + n, words(n, 30)), Importance.MEDIUM) for n in range(60)]
    gone = [note("flag", "removed", f"--{n}", crowd[0].item) for n in range(6)]
    day = reading(crowd, upgrade_notes=tuple(gone))

    assert len(plan(day).further.more) == 2
    section = next(
        s for s in digest_page(written(day), Language.EN).sections if "upgrade-" in s.anchor
    )
    (bullets,) = section.blocks
    assert plain(bullets.entries[0].runs) == "2 in all: #9"


def test_a_revert_is_told_once_under_the_high_item_that_it_is_about() -> None:
    gone, back, unknown = pull(1, "Gone"), pull(2, 'Revert "Gone"'), pull(3, 'Revert "Old"')
    pair, lone = Revert(back, gone, "#1", 3600), Revert(unknown, None, "#7", None)
    day = reading(
        (
            judged(gone, Importance.HIGH, reverted_by=back.key),
            judged(unknown, Importance.HIGH),
            judged(back, Importance.MEDIUM, reverts=gone.key),
        ),
        reverts=(pair, lone),
    )

    assert plan(day).taken == {gone.key: pair, unknown.key: lone}
    page = digest_page(written(day), Language.EN)
    assert [section.anchor for section in page.sections] == ["high", "medium"]
    high = [
        plain(under.runs) for entry in page.sections[0].blocks[0].entries for under in entry.under
    ]
    assert "reverted by #2 1 h after merging" in high
    assert "takes back #7" in high


def test_a_page_takes_two_minutes_and_more_only_where_more_matters() -> None:
    def day(weighty: int) -> float:
        return minutes_for(
            reading([judged(pull(n, words(n, 9)), Importance.MEDIUM) for n in range(weighty)])
        )

    assert day(0) == day(30) == 2.0
    assert day(60) == 4.0
    assert day(600) == 6.0


def test_a_gloss_beside_a_title_is_told_where_there_is_time_and_a_high_items_always() -> None:
    day = reading(
        [judged(pull(1, "High"), Importance.HIGH), judged(pull(2, "Medium"), Importance.MEDIUM)]
    )
    keys = {read.item.key for read in day.items}

    brief = [claim(pull_key(n), f"It holds {n}.", f"它有 {n}。") for n in (1, 2)]
    assert plan(day, brief).glossed == keys
    endless = [claim(pull_key(n), f"It is {LONG}long.", f"它有 {n}。") for n in (1, 2)]
    assert plan(day, endless).glossed == {pull_key(1)}
