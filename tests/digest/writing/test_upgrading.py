"""Which upgrade notes stand before everything else, and in which order."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from digest.grades import Importance, Noise
from digest.languages import Language
from digest.models import Item, UpgradeNote
from digest.writing.note_phrases import notes
from digest.writing.rules import plain
from digest.writing.upgrading import (
    MOST_PRESSING,
    NOTES_A_CHANGE,
    foremost,
    moved_together,
    pressing,
    twins,
)
from digest.writing.wording.languages import CATALOGUES
from tests.digest.writing.invented import judged, note, pull, reading

EN, ZH = (CATALOGUES[language] for language in Language)


def names(told: tuple[UpgradeNote, ...]) -> list[str]:
    return [one.name for one in told]


def said(*told: UpgradeNote) -> str:
    return plain(notes(told, EN, ()))


def test_what_is_gone_or_required_comes_before_other_defaults_then_the_higher_score() -> None:
    minor, major, worst = pull(1, "Minor"), pull(2, "Major"), pull(3, "Worst")
    day = reading(
        (
            judged(worst, Importance.HIGH, score=99),
            judged(major, Importance.HIGH, score=80),
            judged(minor, Importance.MEDIUM, score=40),
        ),
        upgrade_notes=(
            note("dependency", "changed", "clay", worst, before="==1", after="==2"),
            note("module", "removed", "kiln.old", worst),
            note("default", "changed", "fan", worst, before="off", after="on"),
            note("flag", "removed", "--small", minor),
            note("dependency", "changed", "torch", major, before="==2.9", after="==2.10"),
        ),
    )

    assert names(pressing(day)) == ["torch", "--small", "fan", "kiln.old", "clay"]


def test_notes_of_one_change_stand_together_and_an_inferred_one_is_among_them() -> None:
    one, other = pull(1, "One"), pull(2, "Other")
    day = reading(
        (judged(one, Importance.HIGH), judged(other, Importance.MEDIUM)),
        upgrade_notes=(
            note("flag", "renamed", "--b", one, before="--a", after="--b", inferred=True),
            note("flag", "removed", "--c", other),
            note("default", "changed", "d", one, before="1", after="2"),
        ),
    )

    assert [names(group) for group in foremost(day)] == [["--b", "d"], ["--c"]]
    assert said(day.upgrade_notes[0]).startswith("flag renamed (inferred): from --a to --b")


def test_upkeep_additions_and_what_was_taken_back_do_not_press() -> None:
    bot, gone, back, more = (pull(n, f"Change {n}") for n in range(1, 5))
    day = reading(
        (
            judged(bot, noise=Noise.BOT),
            judged(gone, Importance.MEDIUM, reverted_by=back.key),
            judged(back, Importance.MEDIUM, reverts=gone.key),
            judged(more, Importance.MEDIUM),
        ),
        upgrade_notes=(
            note("dependency", "changed", "clay", bot),
            note("flag", "removed", "--x", gone),
            note("flag", "removed", "--y", back),
            note("flag", "added", "--z", more),
            note("signature", "deprecated", "Kiln.fire", more),
        ),
    )

    assert pressing(day) == ()


def test_few_changes_stand_first_and_few_notes_of_each() -> None:
    pulls = [pull(number, f"Change {number}") for number in range(1, 9)]
    day = reading(
        [judged(one, Importance.MEDIUM) for one in pulls],
        upgrade_notes=[note("flag", "removed", f"--{n}", one) for one in pulls for n in range(9)],
    )

    assert [len(group) for group in foremost(day)] == [NOTES_A_CHANGE] * MOST_PRESSING


def test_what_is_the_same_of_two_names_is_said_once_with_both_places() -> None:
    one = pull(1, "Tree by default")
    flag = note("default", "changed", "--shape", one, before="chain", after="tree")
    config = replace(flag, kind="default", name="Config.shape", path="kiln/config.py", line=10)

    assert twins((flag, config)) == ((flag, config),)
    assert said(flag, config) == (
        "default changed: --shape, Config.shape from chain to tree, "
        "kiln/cli.py:12, kiln/config.py:10"
    )


def test_a_variable_is_told_apart_from_a_flag_of_the_same_values() -> None:
    one = pull(1, "Take the type from the model")
    variable = note("env", "changed", "KILN_DTYPE", one, before="float32", after="auto", path="")
    flag = note("flag", "changed", "--dtype", one, before="float32", after="auto", path="")

    assert said(variable, flag) == (
        "environment variable changed: KILN_DTYPE from float32 to auto; "
        "flag changed: --dtype from float32 to auto"
    )


def test_removed_names_are_listed_whatever_their_values_were() -> None:
    one = pull(1, "Remove")
    removed = [note("flag", "removed", name, one, before="1", path="") for name in ("--a", "--b")]

    assert said(*removed) == "flag removed: --a, --b"


def test_removed_names_are_all_listed_where_each_is_its_own_value_before() -> None:
    one = pull(1, "Remove")
    removed = [
        note("env", "removed", name, one, before=name, line=line)
        for line, name in enumerate(("KILN_A", "KILN_B", "KILN_C"), 10)
    ]

    assert said(*removed) == (
        "environment variable removed: KILN_A, KILN_B, KILN_C, "
        "kiln/cli.py:10, kiln/cli.py:11, kiln/cli.py:12"
    )


_NAMES = st.sampled_from(("--hot", "--dry", "KILN_X", "kiln.wax", "zz"))
_VALUES = st.none() | _NAMES | _NAMES.map("{} (ms, 5)".format) | st.sampled_from(("1", "\u200b"))
_NOTES = st.lists(
    st.builds(
        note,
        st.sampled_from(
            ("flag", "env", "config", "default", "dependency", "python", "module", "signature")
        ),
        st.sampled_from(("added", "removed", "renamed", "changed", "deprecated")),
        _NAMES,
        st.just(pull(1, "Change many things")),
        before=_VALUES,
        after=_VALUES,
        path=st.sampled_from(("", "kiln/cli.py")),
        inferred=st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@given(_NOTES)
def test_every_name_of_every_note_stands_in_what_is_said(told: list[UpgradeNote]) -> None:
    line = plain(notes(told, EN, ()))

    for one in told:
        package, _, name = one.name.rpartition(".")
        assert one.name in line or (package in line and name in line), (one, line)


def test_the_kind_of_note_is_said_once_for_values_that_differ() -> None:
    one = pull(1, "Bump")
    pins = [
        note("dependency", "changed", name, one, before="1", after=after, path="")
        for name, after in (("clay", "2"), ("sand", "3"))
    ]

    assert said(*pins) == "dependency changed: clay from 1 to 2; sand from 1 to 3"


def test_a_value_that_had_none_before_is_told_as_what_it_is_now() -> None:
    one = pull(1, "Bound")
    bounds = [
        note("dependency", "changed", name, one, after=after, path="")
        for name, after in (("clay", ">= 2"), ("sand", ">= 3"))
    ]

    assert said(*bounds) == "dependency changed: clay to >= 2; sand to >= 3"


def test_modules_that_move_from_one_package_to_another_say_both_packages_once() -> None:
    one, other = pull(1, "Group the loaders"), pull(2, "Another")

    def move(old: str, new: str, change: Item = one) -> UpgradeNote:
        return note("module", "renamed", new, change, before=old, after=new, path="")

    clay = move("kiln.load.clay", "kiln.load.parts.clay")
    sand = move("kiln.load.sand", "kiln.load.parts.sand")
    mud = move("kiln.load.mud", "kiln.load.parts.mire")
    elsewhere = move("kiln.load.ash", "kiln.load.parts.ash", other)

    assert said(clay, sand) == "module renamed: clay, sand from kiln.load to kiln.load.parts"
    assert said(clay) == "module renamed: from kiln.load.clay to kiln.load.parts.clay"
    assert moved_together((clay, mud, sand, elsewhere)) == ((clay, sand), (mud,), (elsewhere,))
