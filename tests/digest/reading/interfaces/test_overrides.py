"""Methods that several files define, and that take something else now."""

import pytest

from digest.facts import Fact, FactChange, FactKind, Subject
from digest.models import FileChange
from digest.reading.interfaces.overrides import override_facts
from tests.digest.reading.conftest import Make


def _file(number: int, before: str, after: str) -> FileChange:
    patch = f"@@ -1,2 +1,2 @@ class Hull:\n-{before}\n+{after}\n         pass"
    return FileChange(f"rocket/hulls/hull_{number}.py", "modified", 1, 1, patch)


@pytest.mark.parametrize(
    ("before", "after", "files", "told"),
    [
        ("(self, a)", "(self, a, b)", 3, [("added", "Hull.seal(b)", None, True)]),
        ("(self, a)", "(self, a, b=1)", 3, [("added", "Hull.seal(b)", "1", False)]),
        ("(self, a)", "(self, *, a, b=1)", 3, [("added", "Hull.seal(b)", "1", False)]),
        ("(self, a, b)", "(self, a)", 3, [("removed", "Hull.seal(b)", None, True)]),
        ("(cls)", "(cls, b)", 3, [("added", "Hull.seal(b)", None, True)]),
        (
            "(self, row_id, c=1)",
            "(self, row_key, c=1)",
            3,
            [("renamed", "Hull.seal(row_id)", "Hull.seal(row_key)", True)],
        ),
        (
            "(self, a)",
            "(self, b)",
            3,
            [("added", "Hull.seal(b)", None, True), ("removed", "Hull.seal(a)", None, True)],
        ),
        (
            "(self, a, c)",
            "(self, c, a)",
            3,
            [],
        ),
        (
            "(self, a=1)",
            "(self, b=2)",
            3,
            [("added", "Hull.seal(b)", "2", False), ("removed", "Hull.seal(a)", None, True)],
        ),
        ("(a)", "(a, b)", 3, []),
        ("(self, a)", "(self, a, b)", 2, []),
        ("(self, a, b)", "(self, a, *args)", 3, []),
        ("(self, a: int)", "(self, a: str)", 3, []),
    ],
)
def test_what_a_method_of_many_classes_takes_now_is_told(
    pull: Make, before: str, after: str, files: int, told: list[tuple[object, ...]]
) -> None:
    heads = (f"    def seal{each} -> int:" for each in (before, after))
    was, became = heads
    item = pull(1, "Change hulls", files=[_file(number, was, became) for number in range(files)])
    found = list(override_facts(item))
    assert [(one.change, one.name, one.after, one.must_act) for one in found] == told


def test_an_argument_is_renamed_as_it_is_known_to_be_elsewhere(pull: Make) -> None:
    was, became = "    def seal(self, a):", "    def seal(self, b):"
    item = pull(1, "Change hulls", files=[_file(number, was, became) for number in range(3)])
    known = Fact(
        FactKind.INTERFACE, item.key, FactChange.RENAMED, Subject.API_ARGUMENT, "Hull.open(a)",
        after="Hull.open(b)",
    )  # fmt: skip
    (fact,) = override_facts(item, [known])
    assert (fact.change, fact.name, fact.before, fact.after, fact.inferred) == (
        FactChange.RENAMED,
        "Hull.seal(a)",
        "Hull.seal(a)",
        "Hull.seal(b)",
        True,
    )


def test_a_head_over_lines_is_read_and_what_is_known_by_its_class_is_not_told_again(
    pull: Make,
) -> None:
    patch = (
        "@@ -1,5 +1,6 @@ class Hull:\n     def seal(\n         self,\n         a: int,\n"
        "+        b: int,\n     ) -> int:\n         pass"
    )
    files = [FileChange(f"rocket/{name}.py", "modified", 1, 0, patch) for name in "abc"]
    item = pull(1, "Change hulls", files=files)
    assert [one.name for one in override_facts(item)] == ["Hull.seal(b)"]
    known = Fact(
        FactKind.INTERFACE, item.key, FactChange.ADDED, Subject.API_ARGUMENT, "Hull.seal(b)"
    )
    assert list(override_facts(item, [known])) == []


def test_what_a_method_lost_is_taken_by_one_that_came_and_takes_all_of_it(pull: Make) -> None:
    patch = (
        "@@ -1,2 +1,4 @@ class Hull:\n-    def seal(self, a, b=1):\n"
        "+    def seal_all(self, a, b=1):\n"
        "+        pass\n+    def seal(self, a, c):\n         pass"
    )
    files = [FileChange(f"rocket/{name}.py", "modified", 3, 1, patch) for name in "abc"]
    found = override_facts(pull(1, "Change hulls", files=files))
    assert {(one.change, one.name, one.after, one.must_act) for one in found} == {
        ("added", "Hull.seal(c)", None, True),
        ("removed", "Hull.seal(b)", "Hull.seal_all", True),
    }


@pytest.mark.parametrize(
    ("heads", "told"),
    [
        (("class Cog(Hull):", "class Bulk(Hull):", "class Raft(Boat):"), ["Hull.seal(b)"]),
        (("class Hull(ABC):", "class Bulk(Hull):", "class Cog:"), ["Hull.seal(b)"]),
        (("class Cog(ABC):", "class Bulk(ABC):", "class Raft(ABC):"), ["Cog.seal(b)"]),
        (
            ("class Cog(nn.Module, Hull):", "class Bulk(nn.Module):", "class Raft(Hull):"),
            ["Hull.seal(b)"],
        ),
        (
            ("class Cog(A, metaclass=M):", "class Bulk(B, metaclass=M):", "class Raft:"),
            ["Cog.seal(b)"],
        ),
        (("", "", ""), ["seal(b)"]),
    ],
)
def test_a_method_is_told_of_the_class_that_most_derive_from(
    pull: Make, heads: tuple[str, ...], told: list[str]
) -> None:
    was, became = "    def seal(self):", "    def seal(self, b):"
    files = [
        FileChange(
            f"rocket/hull_{number}.py",
            "modified",
            1,
            1,
            f"@@ -1,2 +1,2 @@ {head}\n-{was}\n+{became}",
        )
        for number, head in enumerate(heads)
    ]
    item = pull(1, "Change hulls", files=files)
    assert [one.name for one in override_facts(item)] == told


def test_what_an_interface_asks_for_is_told_of_it_and_not_of_one_that_follows(pull: Make) -> None:
    def file(name: str, head: str) -> FileChange:
        patch = f"@@ -1,2 +1,2 @@ {head}\n-    def seal(self, a):\n+    def seal(self, a, b):\n+x"
        return FileChange(f"rocket/{name}.py", "modified", 1, 1, patch)

    heads = {"a": "class Hull(", "b": "class Deck(", "c": "class CanSeal(Protocol):"}
    item = pull(1, "Change hulls", files=[file(*each) for each in heads.items()])
    (fact,) = override_facts(item)
    assert fact.name == "CanSeal.seal(b)"
    assert not fact.inferred
    assert fact.evidence[0].path == "rocket/c.py"
    several = {"a": "class Hull(Hollow):", "b": "class Deck(Hollow):", "c": "class Keel(Hollow):"}
    odd = several | {"d": "class Odd(ABC):"}
    for derived in (several, odd):
        item = pull(2, "Change hulls", files=[file(*each) for each in derived.items()])
        (fact,) = override_facts(item)
        assert fact.name == "Hollow.seal(b)"
        assert fact.inferred  # it may take anything itself
    wired = {"a": "class Hull(", "b": "class Deck(", "c": "class Line(asyncio.Protocol):"}
    item = pull(3, "Change hulls", files=[file(*each) for each in wired.items()])
    (fact,) = override_facts(item)
    assert fact.name == "Hull.seal(b)"
