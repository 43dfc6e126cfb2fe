from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.grades import ChangeObject, Noise, Purpose
from digest.models import FileChange
from digest.reading.change import bare, declared, noise, purpose, touched
from digest.reading.effect import LONGEST_LINE, is_without_effect

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("feat(queue): serve it", Purpose.FEATURE),
        ("fix: queue", Purpose.FIX),
        ("[Bugfix][MoE] Routing", Purpose.FIX),
        ("[Perf] Routing", Purpose.PERFORMANCE),
        ("[ROCm] perf: routing", Purpose.PERFORMANCE),
        ("refactor!: queue", Purpose.REFACTOR),
        ("chore: tidy it", Purpose.CHORE),
        ("chore: fix a type of it", Purpose.CHORE),
        ("[bug1] keep the queue", Purpose.FIX),
        ("[Oven][Bug2/3] keep the queue", Purpose.FIX),
        ('Revert "Add a queue"', Purpose.REVERT),
        ("[Core] Revert #12", Purpose.REVERT),
        ("docs: queue", Purpose.CHORE),
        ("[Mypy] Better fixes for the issues of the queue", Purpose.CHORE),
        ("Release 1.4.0", Purpose.RELEASE),
        ("bump version to 0.6.3", Purpose.RELEASE),
        ("chore: bump engine version to v0.5.9", Purpose.RELEASE),
        ("v4.4 release update v2.", Purpose.RELEASE),
    ],
)
def test_what_an_author_declares_is_taken(pull: Make, title: str, expected: Purpose) -> None:
    assert purpose(pull(1, title)) == (expected, False)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Fix a deadlock", Purpose.FIX),
        ("Add a queue", Purpose.FEATURE),
        ("支持对象存储", Purpose.FEATURE),
        ("Fuse norm and add", Purpose.PERFORMANCE),
        ("Ensure offset helper does not read the wrong row", Purpose.FIX),
        ("10x faster startup", Purpose.PERFORMANCE),
        ("Clean up the queue", Purpose.REFACTOR),
        ("Avoid implicit access to the queue", Purpose.REFACTOR),
        ("Stop returning the unused flag", Purpose.REFACTOR),
        ("Avoid redundant copies of the queue", Purpose.PERFORMANCE),
        ("Avoid GPU syncs in the oven", Purpose.PERFORMANCE),
        ("Avoid a second queue", Purpose.FIX),
        ("[CI] Return HTTP 400 for an unknown loaf", Purpose.FIX),
        ("Return 413 for a loaf that is too large", Purpose.FIX),
        ("Return 400ths of a loaf for new ovens", Purpose.FEATURE),
        ("Honor --max-pumps in the runner", Purpose.FIX),
        ("Remove workaround code for fixed otherlib issue", Purpose.REFACTOR),
        ("Add a mode for fixed lengths", Purpose.FEATURE),
        ("Bump otherlib to 0.6.4", Purpose.CHORE),
        ("[Model] Fix loading of a checkpoint", Purpose.FIX),
        ("[CI] Add a runner", Purpose.FEATURE),
        ("Reland: fuse the norm", Purpose.PERFORMANCE),
        ("chore: fix it", Purpose.FIX),
        ("[Oven] disable fused heat support", Purpose.OTHER),
        ("Turn off autotuning of the oven", Purpose.OTHER),
        ("[Oven1] keep the queue", Purpose.OTHER),
        ("Add debug logs of the oven", Purpose.CHORE),
        ("Improve logging when a lid is lost", Purpose.CHORE),
        ("Add some clarifying comments", Purpose.CHORE),
        ("Add logging option for the oven", Purpose.FEATURE),
        ("Add loaf logs to the oven", Purpose.FEATURE),
        ("Add logging statements to the oven", Purpose.CHORE),
        ("Add log softmax for loaves", Purpose.FEATURE),
        ("Add log-softmax for loaves", Purpose.FEATURE),
        ("Add log rotation", Purpose.FEATURE),
        ("Add logging to a file", Purpose.FEATURE),
        ("Add comment tokens to the grammar", Purpose.FEATURE),
        ("Improve error message of a failure", Purpose.CHORE),
        ("Improve handling of an error", Purpose.FIX),
        ("Better error reporting of the oven", Purpose.CHORE),
        ("Improve diagnostic for rows of the oven", Purpose.CHORE),
        ("Improve diagnostic speed of the oven", Purpose.OTHER),
        ("Improved error when a lid is lost", Purpose.CHORE),
        ("Clear error messages for lost lids", Purpose.CHORE),
        ("Raise clear error of the oven", Purpose.CHORE),
        ("Clear error state on retry", Purpose.FIX),
        ("Clear errors after a graph was captured", Purpose.FIX),
        ("Clear stale error flags", Purpose.FIX),
        ("Better error rates", Purpose.FIX),
        ("Improved error for accuracy", Purpose.FIX),
        ("Drop redundant copies for 20% faster baking", Purpose.PERFORMANCE),
        ("Drop unnecessary syncs of the oven", Purpose.PERFORMANCE),
        ("Drop-in faster oven", Purpose.PERFORMANCE),
        ("Drop redundant guards of the oven", Purpose.REFACTOR),
        ("Drop the faster oven", Purpose.REFACTOR),
        ("Add flake8 rules of quotes", Purpose.CHORE),
        ("[CI] Enable mypy for the oven", Purpose.CHORE),
        ("xyzzy", Purpose.OTHER),
    ],
)
def test_the_rest_is_guessed_and_marked(pull: Make, title: str, expected: Purpose) -> None:
    assert purpose(pull(1, title)) == (expected, True)


def test_a_chore_that_fixes_nothing_that_runs_stays_one(pull: Make) -> None:
    item = pull(1, "chore: fix it", files=["tests/test_core.py"])
    assert purpose(item) == (Purpose.CHORE, False)


def test_what_runs_over_code_alone_is_of_ci_however_much_it_touches(pull: Make) -> None:
    files = ["engine/core.py", "pyproject.toml"]
    assert touched(pull(1, "Add flake8 rules of quotes", files=files)) is ChangeObject.CI
    assert touched(pull(2, "Add rules of quotes", files=files)) is ChangeObject.SOURCE


def test_pages_are_documentation_however_long_what_checks_them_is(pull: Make) -> None:
    files = [FileChange("tools/pre_commit/pages.py", "added", 900, 0), "docs/oven.md"]
    assert touched(pull(1, "[Oven][Docs] Add documentation", files=files)) is ChangeObject.DOCS
    assert touched(pull(2, "Check the pages", files=files)) is ChangeObject.CI


def test_a_name_that_somebody_types_is_no_matter_of_style(pull: Make) -> None:
    for title, expected in (
        ("typo-fix: correct the package name", None),
        ("typo-fix: correct a name", Noise.STYLE),
    ):
        item = pull(1, title, files=["engine/core.py"])
        assert noise(item, touched(item)) is expected


def test_the_body_and_the_files_help_where_the_title_is_silent(pull: Make) -> None:
    assert purpose(pull(1, "Queue", body="This fixes a crash."))[0] is Purpose.FIX
    many = [FileChange("engine/a.py", "modified", 1, 90)]
    body = "A refactor of the queue."
    assert purpose(pull(1, "Queue", body=body, files=many))[0] is Purpose.REFACTOR
    new = [FileChange("engine/a.py", "added", 90, 0)]
    assert purpose(pull(1, "Queue", body="A new one.", files=new))[0] is Purpose.FEATURE


def test_a_box_that_goes_on_in_the_next_line_tells_nothing_of_a_change(pull: Make) -> None:
    body = "\n\n".join(
        (
            "## Description",
            "Add `light_queue`",
            "- [x] I ran the hooks with `hooks run`\n(or my own) and fixed any reported issues.",
            "> If unsure, please see [the\nguide](https://example.org/fixed-bugs).",
        )
    )
    assert purpose(pull(1, "Light queue", body=body)) == (Purpose.FEATURE, True)
    said = "- [x] I ran the hooks\n\nThis fixes a crash."
    assert purpose(pull(1, "Light queue", body=said))[0] is Purpose.FIX


def test_what_a_description_begins_with_counts_as_a_title_does(pull: Make) -> None:
    body = "Add a second door for loaves.\n\nThe crash of the old one is fixed elsewhere."
    assert purpose(pull(1, "Second door", body=body))[0] is Purpose.FEATURE


@pytest.mark.parametrize(
    ("title", "labels", "expected"),
    [
        ("[Bug]: it stops", (), (Purpose.BUG_REPORT, False)),
        ("It stops", ("bug",), (Purpose.BUG_REPORT, False)),
        ("RFC: drafts", (), (Purpose.RFC, False)),
        ("[Feature] drafts", (), (Purpose.REQUEST, False)),
        ("[Usage]: drafts", (), (Purpose.QUESTION, False)),
        ("It crashes at night", (), (Purpose.BUG_REPORT, True)),
        ("How do I set it?", (), (Purpose.QUESTION, True)),
        ("希望支持别的系统", (), (Purpose.REQUEST, True)),
        ("Hm", (), (Purpose.OTHER, True)),
    ],
)
def test_issues_have_kinds(
    issue: Make, title: str, labels: tuple[str, ...], expected: tuple[Purpose, bool]
) -> None:
    assert purpose(issue(1, title, labels=labels)) == expected


def test_a_pin_is_not_about_what_tests_and_ci_install_with_it(pull: Make) -> None:
    def made(*paths: str) -> ChangeObject:
        files = [
            FileChange(path, "modified", 1 if "common" in path else 20, 0, None) for path in paths
        ]
        return touched(pull(1, "Bump the codec to 4.13", files=files))

    of_tests = "requirements/test.in", "requirements/nightly_torch_test.txt"
    assert made("requirements/common.txt", *of_tests) is ChangeObject.DEPENDENCY
    assert made(*of_tests) in (ChangeObject.TEST, ChangeObject.CI)


def test_what_a_title_calls_ci_is_ci_where_next_to_nothing_of_it_runs(pull: Make) -> None:
    def made(title: str, of_runtime: int) -> ChangeObject:
        workflow = FileChange(".github/workflows/a.yml", "added", 60, 0, None)
        runs = FileChange("engine/a.py", "modified", of_runtime, 0, None)
        return touched(pull(1, title, files=[workflow, runs]))

    assert made("Add CI on a runner", 1) is ChangeObject.CI
    assert made("Add CI on a runner", 4) is ChangeObject.SOURCE
    assert made("Add a queue", 1) is ChangeObject.SOURCE


def test_doc_strings_are_documentation_however_many_there_are(pull: Make) -> None:
    files = [FileChange("engine/a.py", "modified", 246, 56, None)]
    assert touched(pull(1, "[lang] Add missing docstrings", files=files)) is ChangeObject.DOCS
    assert touched(pull(1, "Read docstrings of a tool", files=files)) is ChangeObject.SOURCE


def test_a_bang_and_a_tag_declare_a_break() -> None:
    assert declared("feat(api)!: drop it").breaking
    assert declared("[Breaking][Core] drop it").breaking
    assert not declared("feat: it!").breaking


def test_prefix_and_tags_are_taken_off() -> None:
    assert bare("[ROCm][Bugfix] fix(x): the queue") == "the queue"
    assert bare("note: the queue") == "note: the queue"
    assert bare("[Bugfix] - Add the queue") == "Add the queue"
    assert bare("[Bugfix] --queue takes a name") == "--queue takes a name"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_title_and_body_have_a_type(pull: Make, title: str, body: str) -> None:
    item = pull(1, title, body=body)
    assert purpose(item)[0] in Purpose
    assert touched(item) in ChangeObject


Make = Callable[..., Any]
SOURCE, DEPENDENCY = ChangeObject.SOURCE, ChangeObject.DEPENDENCY


@pytest.mark.parametrize(
    ("title", "object_", "more", "expected"),
    [
        ("Add a queue", SOURCE, {}, None),
        ("Anything", SOURCE, {"author_is_bot": True}, Noise.BOT),
        ("Words", ChangeObject.DOCS, {}, Noise.DOCS),
        ("Runner", ChangeObject.CI, {}, Noise.CI),
        ("Test", ChangeObject.TEST, {}, Noise.TESTS),
        ("Bump thing from 1.0 to 2.0 (#7)", DEPENDENCY, {}, Noise.DEPENDENCY),
        ("chore(deps): bump the dev group", DEPENDENCY, {}, Noise.DEPENDENCY),
        ("Bump third_party/fastmath", DEPENDENCY, {}, None),
        ("Merge branch 'main' into x", SOURCE, {}, Noise.SYNC),
        ("Fix typo in comment", SOURCE, {}, Noise.STYLE),
        ("chore: fix some typos", SOURCE, {}, Noise.STYLE),
        ("fix typo routing issue in the scheduler", SOURCE, {}, None),
        ("fix: typo", SOURCE, {}, None),
        ("Sort imports", SOURCE, {}, Noise.STYLE),
        ("style: everything", SOURCE, {"additions": 4000}, None),
        ("Format of the wire changes", SOURCE, {}, None),
        ("Fix a crash", SOURCE, {"files": (), "additions": 0, "deletions": 0}, Noise.EMPTY),
        ("Fix a crash", SOURCE, {"files": (), "additions": 3, "deletions": 0}, None),
        ("Fix a crash", SOURCE, {"files": None, "additions": 0, "deletions": 0}, None),
        (
            "Merge branch 'a' into b",
            SOURCE,
            {"files": (), "additions": 0, "deletions": 0},
            Noise.SYNC,
        ),
        (
            "Fix a crash",
            SOURCE,
            {"files": (), "additions": 0, "deletions": 0, "detail_missing": ("files",)},
            None,
        ),
    ],
)
def test_noise_says_why(
    pull: Make, title: str, object_: ChangeObject, more: dict[str, Any], expected: Noise | None
) -> None:
    assert noise(pull(1, title, **more), object_) is expected


@pytest.mark.parametrize(("count", "expected"), [(4_000, Noise.DOCS), (4_001, None)])
def test_a_patch_of_very_many_lines_is_not_read_for_what_does_nothing(
    pull: Make, count: int, expected: Noise | None
) -> None:
    patch = f"@@ -1,0 +1,{count} @@\n" + "+# Feed the pump.\n" * count
    file = FileChange("engine/a.py", "modified", count, 0, patch)
    assert noise(pull(1, "Tidy", files=[file]), ChangeObject.SOURCE) is expected


@pytest.mark.parametrize(
    ("path", "patch", "status", "expected"),
    [
        (
            "engine/a.py",
            "-    # Feed the the pump.\n+    # Feed the pump.\n+",
            "modified",
            Noise.DOCS,
        ),
        ("csrc/a.cu", "-// The the ring\n+/* The ring\n+ */", "modified", Noise.DOCS),
        ("csrc/a.cu", " /*\n- * The the ring\n+ * The ring\n+ *\n  */", "modified", Noise.DOCS),
        ("csrc/a.cu", "-// The the ring\n+ * The ring\n+ */", "modified", None),
        ("engine/a.py", "+    # Feed the pump.\n+    pump()\n-", "modified", None),
        ("csrc/a.cu", "-#define RING 1\n+#define RING 2\n+", "modified", None),
        ("engine/a.json", "+# 1\n+# 2\n-# 3", "modified", None),
        ("engine/a.py", "+# 1\n+# 2\n+# 3", "added", None),
        ("engine/a.py", "+# all that is shown of three lines", "modified", None),
    ],
)
def test_what_changes_comments_alone_is_documentation(
    pull: Make, path: str, patch: str, status: str, expected: Noise | None
) -> None:
    change = FileChange(path, status, 2, 1, f"@@ -1,2 +1,2 @@ def run():\n{patch}\n     go()\n")
    assert noise(pull(1, "Fix the pump", files=[change, "docs/pump.md"]), SOURCE) is expected


@pytest.mark.parametrize(
    ("path", "patch", "expected"),
    [
        ("engine/a.py", "-x  = 1 # once\n+x = 1  # twice", Noise.STYLE),
        ("csrc/a.cu", "-  if (x) { // once\n+    if (x) {", Noise.STYLE),
        ("engine/a.py", "-  x = 1\n+    x = 1", None),
        ("engine/a.py", '-x = "a  # b"\n+x = "a # b"', None),
        ("engine/a.py", "-x()\n y()\n+x()", None),
        ("engine/a.py", ' text = """\n-# Tools\n+# The tools\n """', None),
        ("engine/a.py", ' text = """\n-a  b\n+a b\n """', None),
        ("engine/a.py", "-#include <a.h>\n+#include <b.h>", None),
        ("engine/a.py", "-notready\n+not ready", None),
        ("engine/a.py", "-x = a + b\\ \n+x = a + b\\", None),
        ("CMakeLists.txt", "-set(FLAGS -O2-g)\n+set(FLAGS -O2 -g)", None),
        ("CMakeLists.txt", "-set(FLAGS  -O2)\n+set(FLAGS -O2)  # fast", Noise.STYLE),
        ("serve.sh", '-if ["$x" = 1 ]; then\n+if [ "$x" = 1 ]; then', None),
        ("serve.sh", "-serve --port8000\n+serve --port 8000", None),
        ("serve.sh", "-serve \\ \n+serve \\", None),
        ("serve.sh", " cat <<END\n-a  b\n+a b\n END", None),
        ("serve.sh", ' say "\n-a  b\n+a b\n "', None),
        ("serve.yaml", "-key:value\n+key: value", None),
        ("a.ts", "-fetch(`http://${h}/v1/a`)\n+fetch(`http://${h}/v1/b`)", None),
        ("csrc/a.cu", "-  * scale_a;\n+  * scale_b;", None),
        ("csrc/a.cu", "-/* a */ f(1);\n+/* a */ f(2);", None),
        ("csrc/a.cu", "-#define F (x)\n+#define F(x)", None),
        ("csrc/a.cu", "-x = a - -b;\n+x = a --b;", None),
        ("csrc/a.cu", "-f(x);\n+/* f(x);", None),
        ("csrc/a.cu", '-s = R"(a  b\n+s = R"(a b', None),
    ],
)
def test_what_changes_white_space_alone_is_style(
    pull: Make, path: str, patch: str, expected: Noise | None
) -> None:
    change = FileChange(path, "modified", 1, 1, f"@@ -1,2 +1,2 @@ def run():\n{patch}\n")
    assert noise(pull(1, "Fix the pump", files=[change]), SOURCE) is expected


@pytest.mark.parametrize("path", ["engine/a.py", "csrc/a.cu", "serve.sh"])
@pytest.mark.parametrize("text", ['\\"', "\\'", '"', "'\\", "/*", "# ", "#", "*/", " ", 'r#"', "-"])
@pytest.mark.parametrize("length", [900, 300_000])
def test_no_line_takes_long_to_read_and_a_long_one_does_something(
    path: str, text: str, length: int
) -> None:
    line = f"x{text * (length // len(text))}"
    lines = f" {line}\n" * (300_000 // length)
    hunk = f"@@ -1,900 +1,900 @@\n{lines}-y  = 1\n+y = 1\n"
    found = is_without_effect(FileChange(path, "modified", 1, 1, hunk))
    assert length < LONGEST_LINE or not found


def test_a_change_of_many_files_compares_none_with_each_other(
    pull: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    hunk = "@@ -1,2 +1,2 @@\n-# Feed the the pump.\n+# Feed the pump.\n go()\n"
    files = [
        FileChange(f"{folder}/{at}.py", "modified", 1, 1, hunk)
        for at in range(500)
        for folder in ("engine", "tests")
    ]
    compared: list[object] = []
    monkeypatch.setattr(FileChange, "__eq__", lambda one, _: compared.append(one))
    assert noise(pull(1, "Fix the pump", files=files), SOURCE) is Noise.DOCS
    assert len(compared) == 0


def test_tests_with_a_comment_of_what_runs_are_tests(pull: Make) -> None:
    hunk = "@@ -1,2 +1,2 @@\n-# Feed the the pump.\n+# Feed the pump.\n go()\n"
    code = FileChange("engine/a.py", "modified", 1, 1, hunk)
    change = pull(1, "Fix the pump", files=[code, "tests/test_pump.py"])
    assert touched(change) is ChangeObject.TEST
    assert noise(change, SOURCE) is Noise.TESTS
    build = pull(2, "Fix the pump", files=[code, "setup.py"])
    assert (touched(build), noise(build, ChangeObject.BUILD)) == (ChangeObject.BUILD, None)


def test_a_page_that_a_title_names_makes_no_documentation_of_code(pull: Make) -> None:
    code = FileChange("kiln/lib.rs", "modified", 4, 2)
    title = "fix: make it a workspace that takes the parent README"
    assert touched(pull(1, title, files=[code])) is ChangeObject.SOURCE
    page = FileChange("README.md", "modified", 1, 1)
    assert touched(pull(1, title, files=[code, page])) is ChangeObject.DOCS
