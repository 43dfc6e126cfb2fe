"""What classes say that they support, before and after a change."""

import pytest

from tests.digest.reading.interfaces.changed import facts_between

PUMP = "rocket/layers/pumps/ion.py"


def _pump(*body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body)
    return f"class IonPump(Pump):\n{lines}\n"


def _method(name: str, *body: str) -> str:
    lines = "\n".join(f"        {line}" for line in body)
    return _pump("@classmethod", f"def {name}(cls, asked: int) -> bool:") + lines + "\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(
            _method("supports_sink", "return True"),
            _method("supports_sink", "return False"),
            ("IonPump.supports_sink", "True", "False", True),
            id="no more",
        ),
        pytest.param(
            _method("supports_sink", "return asked in (1, 2)"),
            _method("supports_sink", "return asked in (", "    1,", "    2,", "    4,", ")"),
            ("IonPump.supports_sink", "1, 2", "1, 2, 4", False),
            id="one more",
        ),
        pytest.param(
            _method("get_min_capability", "return 75"),
            _method("get_min_capability", "return 100  # since Mars"),
            ("IonPump.get_min_capability", "75", "100", True),
            id="a minimum that rose",
        ),
        pytest.param(
            _pump("supported_fuels: ClassVar[list[str]] = ['a', 'b']"),
            _pump("supported_fuels: ClassVar[list[str]] = ['a']"),
            ("IonPump.supported_fuels", "'a', 'b'", "'a'", True),
            id="a list of the class",
        ),
        pytest.param(
            _method("supports_sink", "return asked in (1, 2)"),
            _method("supports_sink", "return asked in (2, 1)"),
            None,
            id="another order",
        ),
        pytest.param(
            _method("supports_sink", "return asked in ('silu', 'gelu')"),
            _method("supports_sink", "return asked in (Kind.SILU, Kind.GELU)"),
            None,
            id="members of a class for texts",
        ),
        pytest.param(
            _method("_supports_sink", "return asked in (1, 2)"),
            _method("_supports_sink", "return asked in (1, 2, 3)"),
            None,
            id="more of an inner part",
        ),
        pytest.param(
            _method("_supports_sink", "return asked in (1, 2)"),
            _method("_supports_sink", "return asked in (1,)"),
            ("IonPump._supports_sink", "1, 2", "1", False),
            id="less of an inner part",
        ),
        pytest.param(
            _method("supports_sink", "if asked:", "    return False", "return True"),
            _method("supports_sink", "if asked:", "    return False", "return False"),
            None,
            id="several answers",
        ),
        pytest.param(
            _method("supports_sink", "return can(asked)"),
            _method("supports_sink", "return may(asked)"),
            None,
            id="what is asked elsewhere",
        ),
    ],
)
def test_answers_that_differ(
    before: str, after: str, expected: tuple[str, str, str, bool] | None
) -> None:
    facts = facts_between({PUMP: before}, {PUMP: after})
    told = [(one.name, one.before, one.after, one.must_act) for one in facts]
    assert told == ([expected] if expected else [])


def test_of_a_long_answer_only_what_differs_is_told() -> None:
    sizes = ", ".join(map(str, range(100, 130)))
    before, after = (
        _method("get_supported_sizes", f"return [{each}]") for each in (sizes, f"{sizes}, 8")
    )
    (fact,) = facts_between({PUMP: before}, {PUMP: after})
    assert (fact.before, fact.after) == ("…", "…, 8")


@pytest.mark.parametrize("value", ["a" + ".b" * 1_200, "a" + "()" * 1_200, "-" * 1_200 + "1"])
def test_what_is_nested_beyond_all_measure_hides_no_other_fact(value: str) -> None:
    other = "rocket/envs.py"
    before = {PUMP: _pump("supported_sizes = [1]"), other: "A = 1\n"}
    after = {PUMP: _pump(f"supported_sizes = [{value}]"), other: "A = 1\n"}
    assert facts_between(before, after) == ()
    flag = {"rocket/serve_args.py": "class ServeArgs:\n    port: int = 1\n"}
    new = {"rocket/serve_args.py": "class ServeArgs:\n    port: int = 1\n    fuel: int = 2\n"}
    assert [one.name for one in facts_between(before | flag, after | new)] == ["--fuel"]


@pytest.mark.parametrize("part", ["supported_", "supported_a: "])
def test_a_long_line_hides_no_fact_beside_it(part: str) -> None:
    before = {PUMP: _pump("supported_sizes = [1]")}
    after = {PUMP: _pump(f"supported_sizes = [2]  # {part * 5_000}")}
    (fact,) = facts_between(before, after)
    assert (fact.before, fact.after) == ("1", "2")


def test_half_of_a_comparison_is_no_answer() -> None:
    before = _method("supports_size", "return asked in (1, 2) == True")
    after = _method("supports_size", "return asked in (1, 2, 3) == True")
    assert facts_between({PUMP: before}, {PUMP: after}) == ()
