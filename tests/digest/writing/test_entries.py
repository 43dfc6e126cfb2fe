"""How one item is said."""

from dataclasses import replace
from datetime import timedelta

import pytest

from digest.facts import Evidence, Symptom
from digest.grades import Reason
from digest.languages import Language
from digest.models import Revert, Sentence
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import Link
from digest.writing.lines import front_item, quotation, revert_entry
from digest.writing.outline import context
from digest.writing.rules import plain
from tests.digest.writing.fact_days import bite
from tests.digest.writing.invented import DAY, commit, judged, pull, reading

EN = CATALOGUES[Language.EN]


def links(runs) -> list[str]:
    return [run.url for run in runs if isinstance(run, Link)]


@pytest.mark.parametrize(
    ("ref", "url"),
    [
        ("#3977", "https://github.com/example-org/kiln/pull/3977"),
        ("0d30896", "https://github.com/example-org/kiln/commit/0d30896"),
    ],
)
def test_a_revert_of_what_is_not_known_links_the_reference_that_it_names(
    ref: str, url: str
) -> None:
    back = pull(2, 'Revert "Gone"')

    said = entries.revert(Revert(back, None, ref, None), EN)
    assert plain(said) == f'Revert "Gone" #2, takes back {ref}.'
    assert links(said) == [back.url, url]


def test_a_revert_that_names_a_title_alone_or_stands_in_no_forge_links_nothing() -> None:
    back = replace(commit("a" * 40, 'Revert "Gone"'), url="")

    assert links(entries.revert(Revert(back, None, "Gone", None), EN)) == [""]
    assert links(entries.revert(Revert(back, None, "#7", None), EN)) == ["", ""]
    assert plain(entries.revert(Revert(back, None, "", None), EN)) == 'Revert "Gone" aaaaaaa'


def test_a_title_that_a_reverts_own_title_says_is_not_said_again() -> None:
    back = pull(2, 'Revert "Gone"')
    assert plain(entries.revert(Revert(back, None, "Gone", None), EN)) == 'Revert "Gone" #2'

    other = pull(3, "Take the oven out")
    said = plain(entries.revert(Revert(other, None, "Gone", None), EN))
    assert said == "Take the oven out #3, takes back Gone."


def test_a_dot_parts_a_reference_from_words_that_would_make_it_an_issue() -> None:
    change = pull(2, "Fix installation issue on small ovens for the whole street")
    assert plain(entries.behind("Fix installation issue…", change)) == " · #2"
    assert plain(entries.behind("Fix installation", change)) == " #2"
    assert plain(entries.behind("See the issue", commit("a" * 40, "See"))) == " · aaaaaaa"


def test_a_symptom_that_no_text_states_is_a_reason_with_its_mark() -> None:
    read = judged(pull(2, "Mend the door"), reasons=(Reason("hang", 9), Reason("flag_added", 3)))
    fact = bite(read.item, Symptom.HANG)
    assert entries.reasons(read, EN, (fact,)) == "hang; flag added"
    assert entries.reasons(read, EN, (replace(fact, inferred=True),)) == (
        "hang (inferred); flag added"
    )


def test_what_was_taken_back_after_the_window_is_said_to_be() -> None:
    original = judged(pull(2, "Heat the ring"), reverted_by="example-org/kiln:pull_request:3")
    for hours, words in ((2, ""), (30, ", after this window")):
        back = pull(3, 'Revert "Heat the ring"', at=DAY.start + timedelta(hours=hours))
        pair = Revert(back, original.item, "#2", 3600)
        day = reading([original], reverts=(pair,))
        about = context(day, EN, Language.EN)
        assert plain(revert_entry(pair, about).runs) == (
            f"Heat the ring #2, reverted by #3 1 h after merging{words}."
        )
        item = front_item(original, about, pair)
        assert plain(item.taken) == f"reverted by #3 1 h after merging{words}"


@pytest.mark.parametrize(
    ("seen", "is_quoted"),
    [
        ("Two calls with rye of another size silently take the crust of the first one.", True),
        ("- Two calls with rye silently take **the crust of the first** one.", True),
        ("This silently takes the crust of the first one.", False),
        ("two calls silently take the crust of the first one.", False),
        ("Two calls with rye then fail with:", False),
        (f"Two calls {'with rye ' * 40}take the crust of the first one.", False),
    ],
)
def test_what_somebody_saw_is_quoted_where_the_title_does_not_say_it(
    seen: str, *, is_quoted: bool
) -> None:
    best = Sentence("The key of the crust now has its size.", "body")
    read = judged(pull(2, "Key the crust by its size"), sentence=best)
    for source, told in (("body", is_quoted), ("title", False), ("diff", False)):
        fact = bite(read.item, Symptom.WRONG_OUTPUT, evidence=(Evidence(source, seen),))
        about = context(reading([read], facts=(fact,)), EN, Language.EN)
        words = seen.removeprefix("- ").replace("**", "")
        assert quotation(read, about) == (words if told else best.text)
    translated = replace(read, sentence=replace(best, chinese="译", translator="m"))
    fact = bite(read.item, Symptom.WRONG_OUTPUT, evidence=(Evidence("body", seen),))
    about = context(reading([translated], facts=(fact,)), CATALOGUES[Language.ZH], Language.ZH)
    assert quotation(translated, about) == best.text
