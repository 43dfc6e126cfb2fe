from dataclasses import replace

from digest.asking import choice
from digest.grades import Importance, Noise
from digest.models import Revert
from tests.digest.asking.scripted import keys, weighty
from tests.digest.writing.invented import issue, judged, pull, reading, release


def test_high_changes_are_asked_about_first_then_releases_issues_and_medium_changes() -> None:
    medium, high = weighty(1), weighty(2, Importance.HIGH)
    made = judged(release("v1", "Notes of it"), Importance.MEDIUM)
    bug = judged(issue(90, "Hot", body="It burns."), Importance.HIGH)
    chosen = choice.items(reading((medium, high, made, bug)))
    assert keys(chosen) == keys([high, made, bug, medium])


def test_noise_low_and_taken_back_changes_are_never_asked_about() -> None:
    low = weighty(1, Importance.LOW)
    noisy = weighty(2, noise=Noise.CI)
    back = weighty(3)
    gone = weighty(4, reverted_by=back.item.key)
    question = judged(issue(90, "How?", body="How do I?"), Importance.LOW)
    pair = Revert(back.item, gone.item, "#4", 60)
    assert choice.items(reading((low, noisy, back, gone, question), reverts=(pair,))) == ()


def test_an_item_with_nothing_but_its_title_is_not_asked_about() -> None:
    bare = judged(pull(1, "Tidy"), Importance.HIGH)
    assert choice.items(reading((bare,))) == ()
    assert choice.items(reading((judged(replace(bare.item, body="Why not."), Importance.HIGH),)))
    assert choice.items(reading((weighty(2, Importance.HIGH),)))


def test_a_busy_day_has_so_many_questions_and_no_more() -> None:
    many = [weighty(number) for number in range(60)]
    issues = [judged(issue(90 + n, "Hot", body="Burns."), Importance.HIGH) for n in range(9)]
    releases = [judged(release(f"v{n}", "Notes"), Importance.HIGH) for n in range(9)]
    chosen = choice.items(reading((*many, *releases, *issues)))
    assert len(chosen) == choice.MOST_ITEMS
    assert [read.item.ref for read in chosen[:5]] == ["v0", "v1", "v2", "#90", "#91"]
    assert choice.MOST_ITEMS + choice.MOST_THEMES < choice.MOST_CALLS


def test_the_largest_themes_with_two_proven_changes_are_asked_about() -> None:
    moe = [weighty(number) for number in range(3)]
    lora = [weighty(10 + number, theme="theme.lora") for number in range(2)]
    alone = weighty(20, theme="theme.cli")
    others = [weighty(30 + number, theme="theme.other") for number in range(4)]
    high = weighty(40, Importance.HIGH)
    day = reading((*lora, *moe, alone, *others, high))
    told = choice.themes(day, keys(day.items))
    assert [theme.name for theme in told] == ["theme.moe", "theme.lora"]
    assert list(told[0].keys) == keys(moe)
    assert choice.themes(day, keys(moe[:1])) == ()


def test_no_theme_takes_more_items_than_fit() -> None:
    day = reading([weighty(number) for number in range(20)])
    (theme,) = choice.themes(day, keys(day.items))
    assert len(theme.keys) == choice.MOST_OF_A_THEME
    wide = reading([weighty(n, theme=f"theme.t{n // 2}") for n in range(20)])
    assert len(choice.themes(wide, keys(wide.items))) == choice.MOST_THEMES
