"""Releases as facts: version, trial or not, first lines of notes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.models import FileAt, FileChange, State
from digest.reading.releases import (
    LONGEST_ENTRY,
    PRERELEASE,
    changelogs_wanted,
    notes_in,
    release_facts,
    same_version,
)

Make = Callable[..., Any]


def test_a_squashed_update_is_told_with_what_it_added_to_the_changelog(pull: Make) -> None:
    log = FileChange(
        "CHANGELOG.md",
        "modified",
        2,
        0,
        "@@ -1 +1,3 @@\n+## 4.4.1\n+- Fixed a segfault on aarch64\n x",
    )
    (fact,) = release_facts([pull(1, "v4.4.1 update", files=[log])])
    assert (fact.name, fact.quote) == ("v4.4.1", "Fixed a segfault on aarch64")


def test_of_a_changelog_only_new_entries_are_told_and_no_heading_or_address(pull: Make) -> None:
    added = ["* Fixes and more", "  - Fixed a segfault", "* See https://example.org/notes"]
    patch = "\n".join(("@@ -1 +1,5 @@", *(f"+{line}" for line in added), " x", "-* Old", "+* Odd"))
    log = FileChange("CHANGELOG.md", "modified", 4, 1, patch)
    (fact,) = release_facts([pull(1, "v4.4.1 update", files=[log])])
    assert fact.quote == "Fixed a segfault"
    notes = "* Fix a crash of ovens by @bob in https://example.org/1\n* https://example.org/2"
    (told,) = release_facts([pull(2, "v4.4.1 update", files=[replace(log, patch=_added(notes))])])
    assert told.quote == "Fix a crash of ovens by @bob in https://example.org/1"
    scoped = "* **door:** close it in the evening"
    (told,) = release_facts([pull(4, "v4.4.1 update", files=[replace(log, patch=_added(scoped))])])
    assert told.quote == "**door:** close it in the evening"
    whole = "@@ -1 +1,3 @@\n-## Unreleased\n+## Unreleased\n+## 1.2\n+- Fixed a hinge"
    (told,) = release_facts([pull(3, "v1.2 update", files=[replace(log, patch=whole)])])
    assert told.quote == "Fixed a hinge"


@pytest.mark.parametrize(
    ("tag", "more", "path", "quote"),
    [
        ("v1.2.0", {}, "CHANGELOG.md", "Bake bread"),
        ("v1.2.0", {}, "docs/CHANGELOG.md", "Bake bread"),
        ("v1.1.0", {}, "CHANGELOG.md", ""),
        ("v1.2.0", {}, "plugins/CHANGELOG.md", ""),
        ("v1.2.0", {}, "bread.md", ""),
        ("v1.2.0", {"state": State.OPEN}, "CHANGELOG.md", ""),
        ("v1.2.0", {"state": State.CLOSED}, "CHANGELOG.md", ""),
    ],
)
def test_a_tag_without_notes_is_told_with_what_a_merged_change_adds_for_its_version(
    pull: Make,
    release: Make,
    tag: str,
    more: dict[str, Any],
    path: str,
    quote: str,
) -> None:
    added = "1.3.0 (2031-04-02)\n---\n- Bake with steam\n\n1.2.0 (2031-03-05)\n---\n- Bake bread"
    gone = "@@ -1 +1,3 @@\n-1.2.0\n-- Bake nothing at all"
    log = FileChange(path, "modified", 7, 2, f"{gone}\n{_added(added)}")
    change = pull(1, "Add notes", files=[log], **more)
    told, *_ = release_facts([release(tag, body=""), change])
    assert told.quote == quote
    assert [one.item for one in told.evidence] == [change.key if quote else told.item]


def test_a_release_with_notes_is_told_with_its_own(pull: Make, release: Make) -> None:
    log = FileChange("CHANGELOG.md", "modified", 7, 0, _added("1.2.0\n---\n- Bake bread"))
    noted = release("v1.2.0", body="Its own notes stand here")
    fact, *_ = release_facts([noted, pull(1, "Add notes", files=[log])])
    assert fact.quote == "Its own notes stand here"


HERE = "5" * 40


def _logged(release: Make, tag: str = "v1.2.0", **more: Any) -> str:
    """Tell what is said of a release whose commit has a changelog, in docs another one."""
    item = release(tag, tagged=HERE, **more)
    logs = {
        FileAt(HERE, "docs/CHANGELOG.md"): "## 1.2.0\n- Bake in a second oven",
        FileAt(HERE, "CHANGELOG.md"): "## 1.3.0\n- Bake with steam\n\n## 1.2.0\n- Bake bread",
        FileAt(HERE, "bread/CHANGELOG.md"): "## 1.4.0\n- Bake another bread",
        FileAt("6" * 40, "CHANGELOG.md"): "## 1.5.0\n- Bake elsewhere",
        FileAt(HERE, "NEWS.md"): None,
    }
    (fact,) = release_facts([item], logs)
    return fact.quote


@pytest.mark.parametrize(
    ("tag", "quote"),
    [("v1.2.0", "Bake bread"), ("1.3", "Bake with steam"), ("v1.4.0", ""), ("v1.5.0", "")],
)
def test_a_release_without_notes_is_told_with_its_section_of_the_changelog_at_its_commit(
    release: Make, tag: str, quote: str
) -> None:
    assert _logged(release, tag) == quote
    for elsewhere in ("", "**Full Changelog**: https://example.org/v1...v2"):
        assert _logged(release, tag, body=elsewhere) == quote
    own = _logged(release, tag, body="- Opens the oven by itself\n- See https://example.org")
    assert own == "Opens the oven by itself"


def test_a_changelog_is_wanted_of_a_final_release_without_notes_alone(
    pull: Make, release: Make
) -> None:
    nested, own = (FileChange(path, "modified", 1, 0) for path in ("a/NEWS.md", "changes.txt"))
    change = pull(1, "Add notes", files=[nested, own])
    told = release("v1.0", tagged=HERE, body="It opens the oven by itself")
    for others in ([], [told], [release("v1.1rc1", tagged=HERE)], [release("v1.1")]):
        assert changelogs_wanted([change, *others]) == ()
    wanted = changelogs_wanted([change, release("v1.1", tagged=HERE)])
    assert {file.sha for file in wanted} == {HERE}
    assert wanted[0].path == "changes.txt"
    assert "CHANGELOG.md" in [file.path for file in wanted]
    assert "a/NEWS.md" not in [file.path for file in wanted]
    many = [release(f"v1.{n}", tagged=f"{n:040}", hour=n / 100) for n in range(50)]
    assert {file.sha for file in changelogs_wanted(many)} == {f"{n:040}" for n in range(45, 50)}


def test_an_entry_that_says_something_is_no_heading_of_its_details() -> None:
    text = (
        "## 1.2\n- New features\n  - Ovens of the third kind bake with steam now\n    - Set it up\n"
    )
    assert notes_in(text, "1.2").split("\n") == [
        "Ovens of the third kind bake with steam now",
        "Set it up",
    ]
    again = "## 1.2\n- Oils every door\n- Oils every door\n- Closes them\n"
    assert notes_in(again, "1.2") == "Oils every door\nCloses them"


def _added(text: str) -> str:
    return "\n".join(("@@ -1 +1,3 @@", *(f"+{line}" for line in text.split("\n"))))


def test_a_version_that_is_raised_in_a_change_called_otherwise_is_inferred(pull: Make) -> None:
    hunk = '@@ -1 +1 @@\n-__version__ = "1.2.0"\n+__version__ = "1.3.0"'
    bump = FileChange("engine/version.py", "modified", 1, 1, hunk)
    (fact,) = release_facts([pull(1, "Tidy the router", files=[bump])])
    assert (fact.before, fact.name, fact.inferred) == ("1.2.0", "1.3.0", True)
    assert release_facts([pull(2, "Tidy the router")]) == ()


@pytest.mark.parametrize(
    "heading",
    [
        "## 1.2.0",
        "## [1.2.0](https://example.org/v1.2.0) (2026-05-01)",
        "## v1.2 - 2026.05.01",
        "# [1.2](https://example.org)",
        "1.2.0 (2026-05-01)\n==================",
        "`1.2.0 <https://example.org>`_ (2026-05-01)\n===",
    ],
)
def test_what_a_changelog_says_of_a_version_ends_where_the_next_one_begins(heading: str) -> None:
    text = f"Changes\n\n## 1.3.0\n- Later\n\n{heading}\n\n### Doors\n- Close them\n  at night\n"
    older = heading.replace("1.2", "1.1")
    assert notes_in(f"{text}- Oil them\n{older}\n- Earlier", "v1.2.0") == (
        "Close them at night\nOil them"
    )
    assert notes_in(text, "v1.2.1") == ""


def test_a_version_may_be_written_without_its_zero() -> None:
    assert same_version("v1.2", "1.2.0")
    assert not same_version("1.2", "1.20")


@pytest.mark.parametrize(
    "text", ["v1.2" + " " * 300_000 + "x y", "1.2 " * 100_000, "[1.2](" * 50_000]
)
def test_a_long_line_is_no_heading(text: str) -> None:
    assert notes_in(f"## 1.2\n- Bakes bread\n{text}\n", "1.2").startswith("Bakes bread")


def test_an_entry_of_many_lines_is_cut() -> None:
    lines = "and more of the same dough\n" * 19_000
    assert len(notes_in(f"## 1.2\n- Bakes bread\n{lines}", "1.2")) < LONGEST_ENTRY + 100


def test_comments_and_directives_of_a_changelog_are_not_what_it_says() -> None:
    text = "# 1.2.0\n- <!-- add lines below -->\n.. note:: see below\n- Bakes rye bread\n"
    assert notes_in(text, "1.2.0") == "Bakes rye bread"


@pytest.mark.parametrize(
    ("tag", "is_trial"),
    [("b4567", False), ("v0.5.0-a100", False), ("v1.0b2", True), ("v2.0.0-alpha.1", True)],
)
def test_a_letter_in_a_tag_makes_it_for_trial_behind_a_number_alone(
    tag: str, is_trial: bool
) -> None:
    assert bool(PRERELEASE.search(tag)) is is_trial


def test_what_asks_to_act_stands_before_what_a_changelog_begins_with() -> None:
    entries = (
        "- Bake rye on stone.",
        "- Ovens are heated in half the time.",
        "- The `heat` of a ring now defaults to `None`.",
        "- Remove warnings of the baker.",
        "- Remove `kiln.knead` in favor of `kiln.fold`.",
        "- Nobody has to knead rye any longer.",
        "- Rings crack in wide ovens. Please remove the lid around them.",
        "- `kiln.crust` is deprecated.",
    )
    changelog = "\n".join(("## 2.0", *entries, "## 1.0", "- Began."))
    told = [entries[2], entries[4], entries[6]]
    assert notes_in(changelog, "2.0").split("\n") == [one.removeprefix("- ") for one in told]
    fewer = "\n".join(("## 2.0", *entries[:3], entries[3], "## 1.0", "- Began."))
    told = [entries[2], entries[0], entries[1]]
    assert notes_in(fewer, "2.0").split("\n") == [one.removeprefix("- ") for one in told]
