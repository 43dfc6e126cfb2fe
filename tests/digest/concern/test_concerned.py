"""What of a day concerns a codebase, by what a digest keeps."""

from dataclasses import replace

import pytest

from digest.concern.concerned import Concerned, concerned
from digest.concern.surface import CodePlace, Surface, SurfaceWords, Use, UseKind
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import FileChange, Reading
from tests.digest.reading.interfaces.changed import facts_between
from tests.digest.writing.invented import REPO, judged, pull, reading, release

PLACE = CodePlace("mine/worker.py", 31)


def fact(subject: Subject, name: str, change: FactChange = FactChange.REMOVED) -> Fact:
    kind = FactKind.MOVE if subject is Subject.MODULE else FactKind.INTERFACE
    return Fact(kind, pull(1, "x").key, change, subject, name)


def day(*facts: Fact) -> Reading:
    file = FileChange("kiln/sched/base.py", "modified", 1, 1)
    items = [
        judged(pull(1, "Tidy", files=())),
        judged(pull(2, "[Qwen3] Mend MI355 output", files=())),
        judged(pull(3, "Sort", files=(file,))),
        judged(release("v0.6.4", "")),
    ]
    return replace(reading(tuple(items)), facts=facts)


def found(surface: Surface, *facts: Fact) -> list[Concerned]:
    return list(concerned(day(*facts), [surface]))


@pytest.mark.parametrize(
    ("use", "told", "ref"),
    [
        (Use(UseKind.FLAG, "--depth", PLACE), fact(Subject.FLAG, "--depth"), "#1"),
        (Use(UseKind.VARIABLE, "KILN_X", PLACE), fact(Subject.ENV, "KILN_X"), "#1"),
        (Use(UseKind.NAME, "kiln.LLM", PLACE), fact(Subject.API_NAME, "kiln.LLM"), "#1"),
        (Use(UseKind.CALLED, "kiln.a.load", PLACE, keywords=("hot",)),
         fact(Subject.API_ARGUMENT, "load(hot)"), "#1"),
        (Use(UseKind.NAME, "kiln.old.LLM", PLACE),
         fact(Subject.MODULE, "kiln.old", FactChange.MOVED), "#1"),
        (Use(UseKind.SUBCLASS, "kiln.sched.base.Base", PLACE), None, "#3"),
        (Use(UseKind.PIN, "kiln", PLACE, value="==0.6.3"), None, "v0.6.4"),
    ],
)  # fmt: skip
def test_a_use_is_found_with_both_sides(use: Use, told: Fact | None, ref: str) -> None:
    (one,) = found(Surface(str(REPO), uses=(use,)), *([told] if told else []))
    assert (one.item.ref, one.use, one.fact, one.breaks) == (ref, use, told, told is not None)


def test_paths_and_pins_that_a_person_said_are_found() -> None:
    refs = {one.item.ref for one in found(Surface(words=SurfaceWords(paths=("kiln/sched/",))))}
    assert refs == {"#3"}
    assert [one.item.ref for one in found(Surface(words=SurfaceWords(pins=("kiln==0.6.3",))))] == [
        "v0.6.4"
    ]
    assert found(Surface(words=SurfaceWords(pins=("kiln==0.6.4",)))) == []


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        (Use(UseKind.CONSTRUCTED, "kiln.config.HeatConfig", PLACE, keywords=("limit",)), True),
        (Use(UseKind.MEMBER, "kiln.Kiln.heat_config.limit", PLACE), True),
        (Use(UseKind.FLAG, "--max-heat", PLACE), True),
        (Use(UseKind.CONSTRUCTED, "kiln.GlazeConfig", PLACE, keywords=("limit",)), False),
        (Use(UseKind.CONSTRUCTED, "kiln.GlazeConfig", PLACE, keywords=("max_heat",)), False),
        (Use(UseKind.MEMBER, "kiln.Kiln.glaze_config.limit", PLACE), False),
    ],
)
def test_a_default_of_a_flag_concerns_who_gives_or_reads_the_field_that_a_parser_makes_it_of(
    use: Use, *, is_found: bool
) -> None:
    before, after = (
        {
            "kiln/config/heat.py": "class GlazeConfig:\n    way: int = 1\n\n\n@dataclass\n"
            f"class HeatConfig:\n    limit: int = {value}\n",
            "kiln/engine/arg_utils.py": "class Args:\n    max_heat: int = HeatConfig.limit\n\n"
            '    def add(self, parser):\n        parser.add_argument("--max-heat")\n',
        }
        for value in (1, 2)
    )
    (told,) = facts_between(before, after)
    told = replace(told, item=pull(1, "x").key)
    assert (told.subject, told.name) == (Subject.FLAG, "--max-heat")
    seen = [one.use for one in found(Surface(str(REPO), uses=(use,)), told)]
    assert seen == ([use] if is_found else [])


def test_a_method_that_has_to_be_written_now_breaks_who_derives_from_its_class() -> None:
    told = replace(fact(Subject.API_NAME, "Base.rest", FactChange.ADDED), must_act=True)
    derived = Use(UseKind.SUBCLASS, "kiln.other.Base", PLACE, by="Mine")
    own = Use(UseKind.OVERRIDE, "kiln.other.Base.rest", PLACE, by="Mine")

    (one,) = found(Surface(str(REPO), uses=(derived,)), told)
    assert (one.item.ref, one.use, one.breaks) == ("#1", derived, True)
    assert found(Surface(str(REPO), uses=(derived, own)), told) == []
    assert found(Surface(str(REPO), uses=(derived,)), replace(told, must_act=False)) == []


@pytest.mark.parametrize("positional", [2, 0])
def test_who_gives_arguments_by_place_is_hit_by_another_order(positional: int) -> None:
    told = replace(
        fact(Subject.API_ARGUMENT, "load", FactChange.CHANGED),
        before="tray, heat", after="heat, tray", must_act=True,
    )  # fmt: skip
    use = Use(UseKind.CALLED, "kiln.a.load", PLACE, keywords=("heat",), positional=positional)
    assert [one.use for one in found(Surface(str(REPO), uses=(use,)), told)] == (
        [use] if positional else []
    )
