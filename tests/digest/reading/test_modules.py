"""Public modules that go or move."""

from datetime import UTC, datetime

import pytest

from digest.models import FileChange, Item, Kind, Repo, State
from digest.reading.interfaces.moves import moved_modules
from digest.reading.modules import module_name
from digest.reading.upgrade import upgrade_notes


def told(*files: FileChange) -> list[tuple[str, str | None, str | None, str]]:
    item = Item(
        "k", Repo("acme", "rocket"), Kind.COMMIT, "0a1b2c3", "A change", "https://x.test/c", "ada",
        datetime(2026, 1, 2, tzinfo=UTC), State.MERGED, files=files,
    )  # fmt: skip
    notes = upgrade_notes(item, signatures=True)
    assert {note.kind for note in notes} <= {"module"}
    return [(note.change, note.before, note.after, note.path) for note in notes]


def gone(path: str) -> FileChange:
    return FileChange(path, "removed", 0, 3, "@@ -1,2 +0,0 @@\n-def a(b):\n-    pass")


def came(path: str) -> FileChange:
    return FileChange(path, "added", 3, 0, "@@ -0,0 +1 @@\n+a = 1")


def moved(old: str, new: str) -> FileChange:
    return FileChange(new, "renamed", 0, 0, None, old)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("rocket/net/tools.py", "rocket.net.tools"),
        ("rocket/net/__init__.py", "rocket.net"),
        ("src/rocket/a.py", "rocket.a"),
        ("python/rocket/a.py", "rocket.a"),
        ("rocket-kern/python/rocket_kern/a.py", "rocket_kern.a"),
        ("python/RocketDSL/rocket/a.py", "rocket.a"),
        ("setup.py", None),
        ("main.py", None),
        ("rocket/_private.py", None),
        ("rocket/_inner/a.py", None),
        ("rocket/a-b.py", None),
        ("rocket/a.txt", None),
        ("tests/rocket/a.py", None),
        ("examples/a/b.py", None),
        ("scripts/a/b.py", None),
        ("rocket/csrc/make/gen.py", None),
        ("", None),
    ],
)
def test_a_module_has_the_name_that_it_is_imported_by(path: str, name: str | None) -> None:
    assert module_name(path) == name


def test_a_module_that_goes_is_told() -> None:
    assert told(gone("rocket/old.py")) == [("removed", "rocket.old", None, "rocket/old.py")]


def test_a_module_that_moves_is_told() -> None:
    assert told(moved("rocket/a.py", "rocket/net/a.py")) == [
        ("renamed", "rocket.a", "rocket.net.a", "rocket/net/a.py")
    ]


def test_a_package_that_goes_is_told_once_at_a_module_of_it() -> None:
    files = (gone("rocket/old/__init__.py"), gone("rocket/old/b.py"), gone("rocket/old/a.py"))

    assert told(*files) == [("removed", "rocket.old", None, "rocket/old/a.py")]


def test_a_package_that_moves_is_told_once() -> None:
    files = (
        moved("rocket/a/__init__.py", "rocket/b/__init__.py"),
        moved("rocket/a/x.py", "rocket/b/x.py"),
    )

    assert told(*files) == [("renamed", "rocket.a", "rocket.b", "rocket/b/__init__.py")]


def test_an_empty_init_that_git_pairs_with_another_tells_nothing() -> None:
    assert told(moved("rocket/a/__init__.py", "rocket/b/__init__.py")) == []


def test_a_module_that_becomes_a_package_is_still_there() -> None:
    assert told(gone("rocket/a.py"), came("rocket/a/__init__.py")) == []
    assert told(moved("rocket/a.py", "rocket/a/__init__.py")) == []


def test_a_module_that_leaves_a_name_behind_is_still_there() -> None:
    assert told(moved("rocket/a.py", "rocket/b.py"), came("rocket/a.py")) == []


def test_a_module_that_becomes_private_is_gone() -> None:
    assert told(moved("rocket/a.py", "rocket/_a.py")) == [
        ("removed", "rocket.a", None, "rocket/a.py")
    ]


def test_tests_and_private_modules_may_go() -> None:
    assert told(gone("tests/a/b.py"), gone("rocket/_a.py"), gone("docs/a/b.py")) == []


def test_modules_that_only_get_another_name_are_told_from_what_to_what() -> None:
    facts = moved_modules(
        "k",
        [
            moved("rocket/layers/comm_old.py", "rocket/layers/comm_new.py"),
            moved("rocket/cache/sparse/old.py", "rocket/cache/sparse/new.py"),
        ],
    )
    assert [(fact.before, fact.after) for fact in facts] == [
        ("rocket.layers.comm_old", "rocket.layers.comm_new"),
        ("rocket.cache.sparse.old", "rocket.cache.sparse.new"),
    ]
