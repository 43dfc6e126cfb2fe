from collections.abc import Callable

import pytest

from digest.models import FileChange, Item
from digest.reading.change import purpose
from digest.reading.refusals import announced, refusals

Make = Callable[..., Item]


def _told(pull: Make, title: str, path: str, patch: str, status: str = "modified") -> list[str]:
    item = pull(1, title, files=[FileChange(path, status, 9, 0, patch)])
    return [one.name for one in refusals(item, purpose(item)[0])]


def test_a_fix_that_says_which_setting_to_give_instead_refuses_the_other(pull: Make) -> None:
    body = "     def bake(self, loaf):\n         knead(loaf)\n"
    asked = "+        if loaf.is_rye and self.oven == 'ring':\n"
    error = (
        "+            raise RuntimeError(\n"
        '+                "Ring ovens do not support rye. Use --oven stone instead."\n'
        "+            )\n"
    )
    told = ["Ring ovens do not support rye. Use --oven stone instead"]
    patch = f"@@ -4,2 +4,6 @@ class Oven:\n{body}{asked}{error}"
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", patch) == told
    assert _told(pull, "Support rye", "kiln/oven.py", patch) == []
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", patch, "added") == []
    # A function that came with its error was called by nobody, nor is a setting that came with it.
    of_new = patch.replace("     def bake", "+    def bake")
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", of_new) == []
    with_flag = f'{patch}@@ -40 +44,2 @@\n a = 1\n+    parser.add_argument("--oven")\n'
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", with_flag) == []
    # What took the place of another error refused it before.
    in_place = f"{patch}@@ -40 +44 @@\n-        assert not loaf.is_rye\n+        knead(loaf)\n"
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", in_place) == []
    # Where nothing new is asked, or a package is missing, it failed before.
    unasked = patch.replace(asked, "         if loaf.is_rye:\n")
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", unasked) == []
    missing = patch.replace("Use --oven", "Install stones or use --oven")
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", missing) == []
    lacks = patch.replace("RuntimeError", "ImportError")
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", lacks) == []
    # What said so before, and an error that begins with what it fills in.
    said = f'-        warn("{told[0]}.")\n+        knead(loaf)\n'
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", f"{patch}@@ -40 +44 @@\n{said}") == []
    filled = patch.replace('"Ring ovens', 'f"{name} ovens')
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", filled) == []
    # A flag goes by another name where its field is defined.
    long = patch.replace("--oven stone", "--stone-oven")
    field = "@@ -40 +44,2 @@ class Args:\n     a: int = 1\n+    stone_oven: bool = False\n"
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", f"{long}{field}") == []
    quoted = patch.replace("support rye.", r"support \"rye\".\n")
    quoted_told = ['Ring ovens do not support "rye". Use --oven stone instead']
    assert _told(pull, "Fix a burnt crust", "kiln/oven.py", quoted) == quoted_told


def test_what_a_request_must_be_is_told_where_requests_are_taken(pull: Make) -> None:
    check = (
        "@@ -4,2 +4,8 @@ class BakeRequest:\n"
        '     size = data["size"]\n'
        "+    def check_crust(cls, data):\n"
        '+        if data.get("crust_name") == "rye":\n'
        "+            raise OvenValidationError(\n"
        "+                \"Crust 'rye' must be given with 'flour'.\",\n"
        '+                parameter="crust_name",\n'
        "+            )\n"
    )
    told = ["Crust 'rye' must be given with 'flour'"]
    assert _told(pull, "[Bake] Add crust/flour validation", "kiln/core.py", check) == told
    assert _told(pull, "Fix a crash", "kiln/entrypoints/protocol.py", check) == told
    assert _told(pull, "Fix a crash", "kiln/core.py", check.replace("check_", "bake_")) == []
    assert _told(pull, "Support rye", "kiln/entrypoints/protocol.py", check) == []
    moved = "[Bugfix] Move crust validation"
    assert _told(pull, moved, "kiln/entrypoints/protocol.py", check) == []
    unnamed = check.replace("'rye' must", "{crust} must").replace("'flour'", "flour")
    assert _told(pull, "Fix a crash", "kiln/entrypoints/protocol.py", unnamed) == []


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("Reject rye in ring ovens", True),
        ("Reject rye in ring ovens with a clear error", False),
        ("Raise a helpful error message if rye is given", False),
    ],
)
def test_who_only_gets_a_clearer_error_has_nothing_to_change(
    pull: Make, title: str, *, is_told: bool
) -> None:
    patch = "@@ -4 +4,2 @@ def bake(loaf):\n     knead(loaf)\n+    raise ValueError(loaf)\n"
    assert bool(_told(pull, title, "kiln/oven.py", patch)) is is_told


def test_whose_flag_is_deprecated_is_said_where_a_command_has_it_for_itself(pull: Make) -> None:
    def whose(path: str, message: str, parses: str) -> tuple[str, ...]:
        patch = f'@@ -4 +4,2 @@ def main():\n     {parses}\n+    logger.warning("{message}")\n'
        item = pull(1, files=[FileChange(path, "modified", 1, 0, patch)])
        (fact,) = announced(item)
        return fact.who

    flag = "Giving --heat is deprecated. Use --oven"
    assert whose("kiln/bake_all.py", flag, "parser.add_argument('--heat')") == ("bake_all.py",)
    assert whose("kiln/arg_utils.py", flag, "parser.add_argument('--heat')") == ()
    assert whose("kiln/bake_all.py", flag, "knead()") == ()
    assert whose("kiln/bake_all.py", "Rye is deprecated", "parser.add_argument('--heat')") == ()


def test_what_a_message_says_to_be_gone_was_there_before(pull: Make) -> None:
    def said(message: str, around: str = " knead()") -> list[str | None]:
        new = f'+    raise ValueError("{message}")'
        patch = f"@@ -4 +4,2 @@ def heat(oven):\n{around}\n{new}\n"
        item = pull(1, files=[FileChange("kiln/heat.py", "modified", 1, 0, patch)])
        return [one.quote for one in announced(item)]

    ring = "oven='ring' has been removed; use oven='stone'"
    assert said(ring, '-OVENS = {"ring": 1, "stone": 2}') == [ring]
    assert said(ring, ' OVENS = {"ring": 1, "stone": 2}') == [ring]
    # Nothing before knew it: the message came along with code from elsewhere.
    assert said(ring, '-OVENS = {"stone": 2}') == []
    assert said(ring, '+OVENS = {"ring": 1}') == []
    assert said("Ring ovens have been removed") == ["Ring ovens have been removed"]
    # What a program takes away while it runs.
    assert said("Burnt files have been removed: try again") == []
    assert said("Profiles have been removed") == ["Profiles have been removed"]
