from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from digest.facts import FactChange, FactKind, Subject, Symptom
from digest.grades import ChangeObject, Purpose
from digest.models import FileChange, LinkedIssue, Repo, State
from digest.reading.bites import bites, changed_literal, issue_bite
from digest.reading.change import purpose, touched
from digest.reading.refusals import announced, refusals
from digest.reading.support import (
    deprecation,
    speed_facts,
    stated_default,
    support_facts,
)
from digest.reading.whom import conditions, whom

Make = Callable[..., Any]


def bite(item: Any, closed: tuple[Any, ...] = ()) -> Any:
    (fact,) = bites(item, purpose(item)[0], touched(item), closed)
    assert fact.kind is FactKind.BITE
    return fact


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[Bugfix] Fix weight loading of Orchid on two cards", Symptom.CANNOT_START),
        ("[Bugfix] Orchid VL embedding loading", Symptom.CANNOT_START),
        ("Fix the cast during quantized weight loading", Symptom.BROKEN),
        ("Fix plate import for open doors", Symptom.CANNOT_START),
        ("Fix the Orchid config for Transformers v5", Symptom.CANNOT_START),
        ("Fix int32 overflow in the gather kernel", Symptom.CRASH),
        ("Fix port overflow near 65535", Symptom.BROKEN),
        ("fix: pass the missing argument to the router", Symptom.CRASH),
        ("[Bugfix] Fix missing tests of the router", Symptom.BROKEN),
        ("[Bugfix] Fix gate stride for 4D layouts", Symptom.WRONG_OUTPUT),
        ("Fix FP8 scale layout of the oven", Symptom.BROKEN),
        ("Fix stride compilation warning", Symptom.BROKEN),
        ("Fix L2 swizzle of the scheduler", Symptom.BROKEN),
        ("fix: correct shared-expert scaling", Symptom.WRONG_OUTPUT),
        ("Fix swiglu_limit of the Kiln backend", Symptom.WRONG_OUTPUT),
        ("Fix stride of shapes", Symptom.BROKEN),
        ("Fix incorrect slicing of blocks", Symptom.WRONG_OUTPUT),
        ("Fix incorrect log of the router", Symptom.BROKEN),
        ("Fix scaling the number of workers", Symptom.BROKEN),
        ("Fix smem race in the top-k kernel", Symptom.WRONG_OUTPUT),
        ("Fix race of a CUDA event that is used again", Symptom.WRONG_OUTPUT),
        ("Fix race between two routers", Symptom.BROKEN),
        ("Fix seed buffer shape for drafts", Symptom.BROKEN),
        ("Guard the door against None", Symptom.CRASH),
        ("Fix the cast when the oven is None", Symptom.CRASH),
        ("Fix the default None of the oven", Symptom.BROKEN),
        ("Fix processor signature", Symptom.CRASH),
        ("Fix the shape annotations of the oven", Symptom.BROKEN),
        ("[Bugfix] Release blocks to prevent invalid KV errors", Symptom.BROKEN),
    ],
)
def test_a_cause_that_a_title_names_gives_a_symptom_marked_as_inferred(
    pull: Make, title: str, expected: Symptom
) -> None:
    fact = bite(pull(1, title))
    assert fact.symptom is expected
    assert fact.inferred is (expected is not Symptom.BROKEN)


@pytest.mark.parametrize(
    ("title", "is_fix"),
    [
        ("refactor: avoid the second queue", False),
        ("Avoid implicit access to fields of the queue", False),
        ("perf: avoid padding of the oven", False),
        ("perf: fix the bucket of small batches", True),
        ("Avoid the second queue", True),
    ],
)
def test_what_only_tidies_or_speeds_up_mends_nothing(pull: Make, title: str, is_fix: bool) -> None:
    item = pull(1, title)
    assert bool(bites(item, purpose(item)[0], touched(item))) is is_fix


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("[Bug] Kiln-7B gives garbled output on Ascend", Symptom.WRONG_OUTPUT),
        ("[CI] The nightly run hangs", Symptom.BROKEN),
        ("Where is the port set?", Symptom.BROKEN),
    ],
)
def test_a_symptom_stands_in_the_title_of_an_older_issue_that_is_closed(
    pull: Make, title: str, expected: Symptom
) -> None:
    linked = (LinkedIssue(4, title),)
    fact = bite(pull(9, "[Bugfix] Look before the leap", linked_issues=linked))
    assert (fact.symptom, fact.inferred) == (expected, False)
    if expected is Symptom.WRONG_OUTPUT:
        assert fact.who == ("Ascend",)
        assert fact.evidence[0].quote == title
        assert fact.evidence[0].item.endswith(":issue:4")


PRINTED = "Serving the new layout ends with\n\n```text\n{line}\n```\n\nRead the map once."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  File \"a.py\", line 3, in f\nKeyError: 'model.norm'", Symptom.CRASH),
        ("(Worker pid=7) ERROR [core.py:1] RuntimeError: expected 2 rows", Symptom.CRASH),
        ("ImportError: cannot import name 'Row' from 'turbine'", Symptom.CANNOT_START),
        ("OSError: rows.so: undefined symbol: _ZN3rowE", Symptom.CANNOT_START),
        ("torch.OutOfMemoryError: CUDA out of memory.", Symptom.OUT_OF_MEMORY),
        (f"/src/rows.cu(98): error: no instance of {'Row<Of> ' * 40}", Symptom.BUILD_FAILS),
        ("    raise ValueError: rows", Symptom.BROKEN),
        ("pytest tests/rows.py\nAssertionError: rows differ", Symptom.BROKEN),
        ("E    AssertionError: rows differ", Symptom.BROKEN),
        ("Exception ignored in: <Row.__del__>\nAttributeError: no row", Symptom.BROKEN),
        ("rows: 12", Symptom.BROKEN),
    ],
)
def test_what_a_run_has_printed_was_seen(pull: Make, line: str, expected: Symptom) -> None:
    body = PRINTED.format(line=line)
    fact = bite(pull(1, "[Bugfix] Read the map once", body=body))
    assert (fact.symptom, fact.inferred) == (expected, False)
    assert expected is Symptom.BROKEN or fact.evidence[0].quote in body
    faster = pull(2, "perf: read the map once", body=body)
    assert bites(faster, Purpose.PERFORMANCE, touched(faster)) == ()


def test_a_symptom_stands_in_the_title_of_the_issue_that_is_closed(pull: Make, issue: Make) -> None:
    told = issue(4, "[Bug] Server crashes with empty prompts")
    fact = bite(pull(1, "[Bugfix] Look before the leap", body="Fixes #4"), (told,))
    assert fact.symptom is Symptom.CRASH
    assert (fact.evidence[0].source, fact.evidence[0].item) == ("issue", told.key)
    assert fact.evidence[0].quote == told.title


@pytest.mark.parametrize(
    ("title", "files"),
    [
        ("Fix deadlock in the tests", ["tests/test_a.py"]),
        ("[CI] Fix crash of the runner", [".github/workflows/a.yml"]),
        ("docs: fix wrong results in the table", ["docs/a.md"]),
        ("Add a queue", ["engine/core.py"]),
        ("[Refactor] Split the allocator", ["engine/core.py"]),
    ],
)
def test_what_nobody_runs_or_what_mends_nothing_bites_nobody(
    pull: Make, title: str, files: list[str]
) -> None:
    item = pull(1, title, files=files)
    assert bites(item, purpose(item)[0], touched(item)) == ()


@pytest.mark.parametrize(
    ("patch", "status", "expected"),
    [
        ("+    # Clamp the heat to avoid NaN from the kernel.", "modified", Symptom.WRONG_OUTPUT),
        ("+  // 1 / 0, leading to NaNs when the oven is cold", "modified", Symptom.WRONG_OUTPUT),
        ("+    # Clamp the heat to avoid NaN from the kernel.", "added", Symptom.BROKEN),
        ("-    # To avoid NaN.\n+    x = 1\n+    # To avoid NaN.", "modified", Symptom.BROKEN),
        ("+    # No NaN can come here.", "modified", Symptom.BROKEN),
        ("+    heat = avoid(NaN)", "modified", Symptom.BROKEN),
        ("+    # To avoid NaN.\n" + "+    x = 1\n" * 80, "modified", Symptom.BROKEN),
    ],
)
def test_a_small_fix_whose_comment_names_what_is_no_number_gave_wrong_output_inferred(
    pull: Make, patch: str, status: str, expected: Symptom
) -> None:
    lines = patch.strip().split("\n")
    head = f"@@ -1,{len(lines)} +1,{len(lines)} @@\n"
    ending = "cu" if "//" in patch else "py"
    file = FileChange(f"oven/heat.{ending}", status, len(lines), 1, head + patch)
    fact = bite(pull(1, "[Bugfix] Fix the oven for 4D layouts", files=[file]))
    assert (fact.symptom, fact.inferred) == (expected, expected is Symptom.WRONG_OUTPUT)


@pytest.mark.parametrize(
    ("title", "path", "expected"),
    [
        ("Fix KeyError in the responses", "entrypoints/openai/serving.py", Symptom.BAD_ANSWER),
        ("Fix KeyError in the responses", "core/engine.py", Symptom.CRASH),
        ("Fix KeyError that crashes it", "entrypoints/openai/serving.py", Symptom.CRASH),
        ("Fix crash of long answers", "entrypoints/openai/serving.py", Symptom.CRASH),
        ("Fix float corruption", "tool_parsers/oat.py", Symptom.BAD_ANSWER),
        ("Corruption of floats is fixed", "tool_parsers/oat.py", Symptom.BAD_ANSWER),
        ("Fix float corruption", "core/engine.py", Symptom.WRONG_OUTPUT),
    ],
)
def test_an_error_of_what_answers_clients_alone_is_a_bad_answer_unless_it_is_said_to_crash(
    pull: Make, title: str, path: str, expected: Symptom
) -> None:
    fact = bite(pull(1, f"[Bugfix] {title}", files=[f"engine/{path}"]))
    assert (fact.symptom, fact.inferred) == (expected, False)


def test_a_fix_of_nothing_but_what_answers_clients_is_a_bad_answer_inferred(pull: Make) -> None:
    answers = ["engine/entrypoints/openai/serving.py"]
    fact = bite(pull(1, "[Bugfix] Fix merging of messages", files=answers))
    assert (fact.symptom, fact.inferred) == (Symptom.BAD_ANSWER, True)
    assert fact.evidence[0].path == answers[0]
    mixed = bite(pull(2, "[Bugfix] Fix merging of messages", files=[*answers, "engine/core.py"]))
    assert mixed.symptom is Symptom.BROKEN
    added = bite(pull(3, "fix: add a reasoning parser", files=answers))
    assert added.symptom is Symptom.BROKEN
    logged = bite(pull(4, "[Bugfix] Fix the logging of messages", files=answers))
    assert logged.symptom is Symptom.BROKEN


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Fix uint64 arithmetic in prep handle builders", ()),
        ("Fix acc error in cudagraph mode", ("in cudagraph mode",)),
        ("Inline copies during CUDA graph capture to avoid stalls", ("during CUDA graph capture",)),
        ("mamba slice fix (Prefill TP != Decode TP)", ("Prefill TP != Decode TP",)),
        ("Guard an import under TYPE_CHECKING to fix import error on XPU", ()),
        ("Fix rotary embedding without flash-attn ops", ("without flash-attn ops",)),
    ],
)
def test_a_place_of_the_code_is_no_condition(title: str, told: tuple[str, ...]) -> None:
    assert conditions(title) == told


def test_a_new_model_is_known_by_its_file_and_its_place_in_the_registry(pull: Make) -> None:
    patch = (
        '@@ -1,1 +1,2 @@\n     "AForCausalLM": ("a", "A"),\n+    "KilnForCausalLM": ("kiln", "K"),'
    )
    files = [
        FileChange("engine/models/kiln.py", "added", 300, 0, "@@ -0,0 +1,1 @@\n+class K: ..."),
        FileChange("engine/models/registry.py", "modified", 1, 0, patch),
    ]
    item = pull(1, "[Model] Add Kiln", files=files)
    (fact,) = support_facts(item, purpose(item)[0])
    assert (fact.subject, fact.change) == (Subject.MODEL, FactChange.ADDED)
    assert fact.name == "KilnForCausalLM"
    assert (fact.evidence[0].path, fact.evidence[0].side) == ("engine/models/registry.py", "+")


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Add clay fire backend for rye loaves", "clay fire backend"),
        ("[Oven] Introduce a peat backend (rye + oats)", "peat backend"),
        ("Support per-loaf fire backend via `--fire`", "per-loaf fire backend"),
        ("Add initial support for the clay backend", "clay backend"),
        ("Add clay fire backend support", "clay fire backend"),
        ("Add clay backend implementation", "clay backend"),
        ("Add clay backend & rye trays", "clay backend"),
        ("Add a rye tray to the clay backend", ""),
        ("Add rye support to Clay fire backend", ""),
        ("Enable rye loaves with clay backend", ""),
        ("Implement cooling for the clay fire connector", ""),
        ("Add clay backend tracing", ""),
        ("Enable the clay fire backend to work with rye", ""),
    ],
)
def test_a_backend_that_only_gets_something_more_is_no_new_one(
    pull: Make, title: str, name: str
) -> None:
    facts = support_facts(pull(1, title), Purpose.FEATURE)
    assert [fact.name for fact in facts if fact.subject is Subject.BACKEND] == [name] * bool(name)


@pytest.mark.parametrize(
    "title",
    [
        "[CI] fix ruff format",
        "Fix tool_parser type annotation from Callable to type[Parser]",
        "Fix some typing issues found by mypy",
        "chore: update the oven's scripts; fix glaze comments",
    ],
)
def test_what_is_written_about_code_bites_nobody(pull: Make, title: str) -> None:
    item = pull(1, title, files=["engine/entrypoints/openai/serving.py"])
    assert bites(item, purpose(item)[0], touched(item)) == ()


def test_the_titles_of_a_branchs_own_commits_say_nothing_of_what_others_saw(pull: Make) -> None:
    listed = "* enable the second path\n\n* fix perf regression\nof two cards\n\n* fix a hang"
    assert bite(pull(1, "Fix the second path", body=listed)).symptom is Symptom.BROKEN
    told = pull(2, "Fix the second path", body="It hung on two cards.\n\n* fix a hang")
    assert bite(told).symptom is Symptom.HANG


def test_values_tuned_for_a_device_support_nothing_new(pull: Make) -> None:
    table = "engine/moe/configs/E=8,N=64,device_name=NVIDIA_B200.json"
    item = pull(1, "Add a config of fused MoE for B200", files=[table, "docs/moe.md"])
    assert support_facts(item, Purpose.FEATURE) == ()
    code = pull(2, "Add a config of fused MoE for B200", files=[table, "engine/moe.py"])
    (fact,) = support_facts(code, Purpose.FEATURE)
    assert fact.name == "B200"


def test_a_figure_of_speed_is_the_authors_own_clause(pull: Make) -> None:
    body = "Fuses two kernels.\n\nDecode throughput improves by 12% at batch size 64 on H100."
    item = pull(1, "[Perf] Fuse the norm", body=body)
    (fact,) = speed_facts(item, Purpose.PERFORMANCE)
    assert fact.name == "12%"
    assert fact.quote == "Decode throughput improves by 12% at batch size 64 on H100."
    assert fact.quote in body


def test_a_figure_is_told_with_its_whole_sentence_and_never_of_what_was_too_slow(
    pull: Make,
) -> None:
    slow = "Two doors contended for the plates of the oven, increasing TTFT by approximately ~4%."
    fast = "With plates of their own the doors wait\nno more, which cuts the latency by 7%."
    sampled = "Approximately 95% of the sampled time was in the door."
    item = pull(1, "[Perf] Part the plates", body=f"{slow} {sampled}\n\n{fast}")
    (fact,) = speed_facts(item, Purpose.PERFORMANCE)
    assert fact.quote == " ".join(fast.split())


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("`speedup = old / new`, so values above 1.0x are faster.", ""),
        ("This leaves the oven 4x under-utilized, which costs speed.", ""),
        ("With 128 trays it was neutral on small loaves, 2-9% faster on large ones.", ""),
        ("Rye speedup, geomean: 1.2x.\n\nOat speedup, geomean: 1.7x.", ""),
        ("Rye speedup, geomean: 1.2x.", "Rye speedup, geomean: 1.2x."),
        (
            "Rye speedup over main, geomean: 1.2x.\n\nOat speedup over main, geomean: 1.7x.",
            "Rye speedup over main, geomean: 1.2x.",
        ),
        (
            "Rye speedup, avg: 1.2x.\n\nOat speedup, avg: 1.7x.\n\nIt is 8% faster than main.",
            "It is 8% faster than main.",
        ),
    ],
)
def test_a_figure_of_one_table_of_several_speaks_for_none(pull: Make, body: str, told: str) -> None:
    facts = speed_facts(pull(1, "[Perf] Part the plates", body=body), Purpose.PERFORMANCE)
    assert [fact.quote for fact in facts] == ([told] if told else [])


def test_the_speed_of_tests_and_a_share_of_accuracy_are_no_figures(pull: Make) -> None:
    tests = pull(1, "[Perf] Make tests 2x faster")
    accuracy = pull(2, "[Perf] Fuse the norm", body="GSM8K accuracy is 92% as before.")
    assert speed_facts(tests, Purpose.PERFORMANCE) == ()
    assert speed_facts(accuracy, Purpose.PERFORMANCE) == ()


@pytest.mark.parametrize(
    "title",
    [
        "ci: fix runner utilization report undercounting busy time ~25x",
        "Fix the memory estimate that was off by 2x",
        "[Bugfix] Stop overestimating KV cache memory by 30%",
        "修复吞吐统计少算 2倍",
    ],
)
def test_by_how_much_a_figure_was_told_wrong_is_no_gain(pull: Make, title: str) -> None:
    assert speed_facts(pull(1, title), Purpose.FIX) == ()
    body = f"{title}."
    assert speed_facts(pull(2, "[Perf] Fuse", body=body), Purpose.PERFORMANCE) == ()
    kept = pull(3, "Fuse the norm: 2x faster, off by default")
    assert len(speed_facts(kept, Purpose.PERFORMANCE)) == 1


def test_a_deprecation_is_a_fact_where_the_title_names_what_is_deprecated(pull: Make) -> None:
    (flag,) = deprecation(pull(1, "[Deprecation] Deprecate `--old-way` option"))
    assert (flag.subject, flag.change, flag.name) == (
        Subject.FLAG,
        FactChange.DEPRECATED,
        "--old-way",
    )
    (method,) = deprecation(pull(2, "Deprecate Engine.stream_text"))
    assert (method.subject, method.name) == (Subject.API_NAME, "Engine.stream_text")
    assert deprecation(pull(3, "Deprecate the old way")) == ()
    assert deprecation(pull(4, "Fix the deprecated --old-way")) == ()


@pytest.mark.parametrize(
    ("state", "change"),
    [
        (State.OPEN, FactChange.REPORTED),
        (State.REOPENED, FactChange.REPORTED),
        (State.NOT_PLANNED, FactChange.REPORTED),
        (State.CLOSED, FactChange.FIXED),
    ],
)
def test_an_issue_tells_what_its_reporter_saw_by_its_state(
    issue: Make, state: State, change: FactChange
) -> None:
    told = issue(4, "[Bug] DeepSeek-V3 hangs on H200", state=state)
    (fact,) = issue_bite(told, purpose(told)[0])
    assert (fact.symptom, fact.change, fact.item) == (Symptom.HANG, change, told.key)
    assert {"DeepSeek-V3", "H200"} <= set(fact.who)
    assert (fact.evidence[0].quote, fact.evidence[0].item) == (told.title, told.key)
    asked = issue(5, "How do I set the port?", state=state)
    assert issue_bite(asked, purpose(asked)[0]) == ()


def test_a_new_default_is_a_fact_where_the_title_says_what_everybody_gets_now(pull: Make) -> None:
    def told(title: str) -> list[tuple[str, str | None]]:
        item = pull(1, title, files=["engine/core.py"])
        return [(one.name, one.after) for one in stated_default(item, purpose(item)[0])]

    assert told("[Perf] Enable draft batches by default for one GPU") == [
        ("draft batches for one GPU", "on")
    ]
    assert told("Disable prefetch by default") == [("prefetch", "off")]
    for_cpu = pull(1, "[CPU][Perf] Enable the pool by default")
    assert stated_default(for_cpu, purpose(for_cpu)[0])[0].who == ("CPU",)
    assert told("[Core] Set `PAGED` as default backend") == [("`PAGED` backend", None)]
    assert told("[Runner] Default to the 'ring' mode when drafts are on") == [
        ("the 'ring' mode when drafts are on", None)
    ]
    assert told("Enable Paged Draft Batches as Default") == [("Paged Draft Batches", None)]
    assert told("[Oven]: LongOven launches its fans via the attic by default.") == [
        ("LongOven launches its fans via the attic", None)
    ]
    assert told("mode=warm enables the fan by default") == [("mode=warm enables the fan", None)]
    assert told("Re-enable the fan by default") == [("the fan", "on")]
    assert told("Support a mode that enables the fan by default") == []
    assert told("Enable the nightly test by default") == []
    assert told("Add a cache that is enabled by default") == []
    assert told("Fix the default backend of drafts") == []


@pytest.mark.parametrize(
    ("title", "line", "what"),
    [
        ("[Bugfix] Reject empty tools", "+        raise ValueError('empty')", "empty tools"),
        ("[UX] Raise error if rows overlap", "+    TORCH_CHECK(rows)", "rows overlap"),
        ("Raise Exception when rows overlap", "+    raise Odd", "rows overlap"),
        ("Raise on odd rows", "+    raise Odd", "odd rows"),
        ("Disallow wide plates", "+    if plate.width > 3:\n         raise Odd", "wide plates"),
        ("Reject empty tools", "+    # raise ValueError('empty')", ""),
        ("Reject empty tools", "+\n raise ValueError('empty')", ""),
        ("Reject empty tools", "+    tools = tools or None", ""),
        ("Refactor rejection sampling", "+    raise ValueError('empty')", ""),
        ("Reject sampling of drafts", "+    raise ValueError('empty')", ""),
        ("[CI] Reject empty tools in tests", "+    raise ValueError('empty')", ""),
    ],
)
def test_what_a_title_refuses_has_to_be_changed_where_the_patch_refuses_it(
    pull: Make, title: str, line: str, what: str
) -> None:
    file = FileChange("engine/core.py", "modified", 2, 0, f"@@ -1 +1,2 @@\n a\n{line}")
    item = pull(1, title, files=[file])
    found = refusals(item, purpose(item)[0])
    assert [(one.name, one.must_act) for one in found] == ([(what, True)] if what else [])
    assert refusals(pull(1, title), purpose(item)[0]) == ()


@pytest.mark.parametrize(
    ("title", "path", "inside", "went", "message", "what"),
    [
        ("[Bugfix] Fix rows", "a/config/rows.py", "", "", "f'x'", ""),
        (
            "Fix rows",
            "a/config/rows.py",
            "",
            "",
            '"--wide cannot be " f"set, got {x}."',
            "--wide cannot be set, got …",
        ),
        (
            "Fix rows",
            "a/core.py",
            "def _check_rows(",
            "",
            '"Rows are not supported"',
            "Rows are not supported",
        ),
        ("Add validation of rows", "a/args.py", "", "", '"Use --wide"', "Use --wide"),
        ("Raise error if rows", "a/args.py", "", "", '"Use --wide"', "Use --wide"),
        ("Fix rows", "a/core.py", "def run(", "", '"Rows are not supported"', ""),
        ("Fix rows", "a/args.py", "", '-    say("Use --wide")\n', '"Use --wide"', ""),
        ("Fix rows", "a/args.py", "", "-    raise Odd\n", '"Use --wide"', ""),
        ("Fix rows", "a/args.py", "", "", '"Rows are odd"', ""),
        ("Add rows", "a/args.py", "", "", '"Use --wide"', ""),
        ("Fix rows of tests", "a/args.py", "", "", '"Use --wide"', ""),
    ],
)
def test_a_new_error_of_a_check_is_told_in_its_own_words(
    pull: Make, title: str, path: str, inside: str, went: str, message: str, what: str
) -> None:
    patch = (
        f"@@ -1 +1,4 @@ {inside}\n{went} if x:\n+    raise ValueError(\n+        {message}\n+    )"
    )
    item = pull(1, title, files=[FileChange(path, "modified", 3, 0, patch)])
    found = refusals(item, purpose(item)[0])
    assert [(one.name, one.must_act) for one in found] == ([(what, True)] if what else [])


_GONE = '"The wide rows have been removed. "'


@pytest.mark.parametrize(
    ("status", "added", "message", "quote"),
    [
        ("modified", 2, "Support of wide rows is deprecated. Use long ones.", True),
        ("added", 9, "`rows.wide` is deprecated and will be removed", True),
        ("added", 900, "`rows.wide` is deprecated and will be removed", False),
        ("modified", 2, "{name} is deprecated", False),
        ("modified", 2, "_rows is deprecated", False),
    ],
)
def test_what_a_new_message_says_to_be_deprecated_is_told_in_its_words(
    pull: Make, status: str, added: int, message: str, *, quote: bool
) -> None:
    patch = f'@@ -1 +1,2 @@\n import os\n+warnings.warn(f"{message}")'
    item = pull(1, files=[FileChange("a/core.py", status, added, 0, patch)])
    found = [(one.change, one.quote, one.must_act) for one in announced(item)]
    assert found == ([(FactChange.DEPRECATED, message.rstrip("."), False)] if quote else [])
    # What an error says to be deprecated is accepted no more, also where a warning said it before.
    raised = patch.replace("warnings.warn", "raise ValueError")
    escalated = f'@@ -1 +1 @@\n-warnings.warn(f"{message}")\n+raise ValueError(f"{message}")'
    for each in (raised, escalated) if status == "modified" else (raised,):
        item = pull(2, files=[FileChange("a/core.py", status, added, 0, each)])
        gone = [(one.change, one.name, one.must_act) for one in announced(item)]
        assert gone == ([(FactChange.REMOVED, message.rstrip("."), True)] if quote else [])


def test_an_error_beside_a_text_on_what_is_deprecated_is_no_refusal_of_it(pull: Make) -> None:
    lines = '+    raise ValueError("no kiln")\n+    told = "the oven is deprecated"'
    item = pull(
        1, files=[FileChange("a/core.py", "modified", 2, 0, f"@@ -1 +1,3 @@\n os\n{lines}")]
    )
    assert announced(item) == ()


@pytest.mark.parametrize(
    ("lines", "quote"),
    [
        (f"+    logger.warning({_GONE})", "The wide rows have been removed"),
        ("+    warnings.warn('Wide rows have been removed')", "Wide rows have been removed"),
        (
            f"+    logger.warning(\n+        {_GONE}\n+        'Use \"%s\" now',\n"
            "+        kind['x'],\n+    )",
            'The wide rows have been removed. Use "…" now',
        ),
        (
            f'+    raise ValueError(\n+        {_GONE}\n+        f"Use {{x}} for %s."\n+    )',
            "The wide rows have been removed. Use … for …",
        ),
        (f"-    say({_GONE})\n+    warnings.warn({_GONE})", ""),
        (
            f"     logger.info(\n-        {_GONE}\n"
            '+        "The %s rows have been removed", kind\n     )',
            "The … rows have been removed",
        ),
        (f"+    # {_GONE}", ""),
        (f'+    """{_GONE}"""', ""),
        (f"     raise ValueError(\n+        {_GONE}\n     )", ""),
        ('+    logger.info("The row was removed from the queue")', ""),
        ('+    raise ValueError("wide was removed; use long")', "wide was removed; use long"),
        ('+    warnings.filterwarnings("ignore", "Wide rows have been removed")', ""),
    ],
)
def test_what_a_new_message_says_to_be_gone_is_told_in_its_words(
    pull: Make, lines: str, quote: str
) -> None:
    patch = f"@@ -1 +1,4 @@\n def run(x):\n{lines}"
    (changed, new) = (
        pull(1, files=[FileChange("a/core.py", status, added, 0, patch)])
        for status, added in (("modified", 3), ("added", 900))
    )
    assert [(one.quote, one.must_act) for one in announced(changed)] == (
        [(quote, True)] if quote else []
    )
    assert announced(new) == ()


@pytest.mark.parametrize(
    ("title", "paths", "who"),
    [
        ("Fix a crash of rows", ["engine/rocm/rows.py", "engine/hip_rows.py"], ("ROCm",)),
        ("Fix a crash of rows", ["csrc/cpu/rows.cpp", "tests/test_rows.py"], ("CPU",)),
        ("Fix a crash of rows", ["engine/rocm/rows.py", "engine/rows.py"], ()),
        ("Fix a crash of rows", ["engine/cpu/rows.py"], ()),
        ("Fix a crash of rows on NPU", ["engine/rocm/rows.py"], ("NPU",)),
    ],
)
def test_a_fault_in_files_of_one_hardware_hit_that_alone(
    pull: Make, title: str, paths: list[str], who: tuple[str, ...]
) -> None:
    item = pull(1, title, files=[FileChange(path, "modified", 1, 1) for path in paths])
    (fact,) = bites(item, purpose(item)[0], touched(item))
    assert fact.who == who
    by_path = bool(who) and "NPU" not in title
    assert [one.path for one in fact.evidence] == (["", paths[0]] if by_path else [""])


def test_names_are_copied_as_the_author_writes_them() -> None:
    text = "Fix --max-num-seqs with DeepSeek-V3.2 on MI300X under CUDA graphs"
    assert whom(text) == ("--max-num-seqs", "DeepSeek-V3.2", "MI300X", "CUDA graphs")
    assert whom("Tidy deepseek_v3/ops.py, in ascending order, under TYPE_CHECKING") == ()
    assert whom("Fix a crash on CPU") == whom("Fall back to CPU") == ("CPU",)
    # A namespace of the code is nothing that somebody runs.
    assert whom("`exp` is `cutlass::fast_exp`, which calls itself") == ()
    assert whom("cutlass: `exp` calls itself") == ("cutlass",)
    # What was seen is nobody whom it hit.
    for seen in ("CUDA_ERROR_ILLEGAL_ADDRESS", "CUBLAS_STATUS_NOT_SUPPORTED"):
        assert whom(f"{seen} with --max-num-seqs") == ("--max-num-seqs",)
    for copied in ("avoid a CPU-GPU sync", "fewer GPU->CPU syncs", "copy the lens from cpu to gpu"):
        assert whom(copied) == ()  # memory that is copied is no hardware that somebody runs on


@pytest.mark.parametrize(
    ("title", "who"),
    [
        ("Fix a hang of plates with OVEN_FIRE=clay", ("OVEN_FIRE=clay",)),
        ("Fix a hang of plates when `OVEN_FIRE=1.5`.", ("OVEN_FIRE=1.5",)),
        ("Export OVEN_FIRE=none to avoid a hang", ("OVEN_FIRE",)),
        ("Fix a hang of plates with OVEN_FIRE", ("OVEN_FIRE",)),
    ],
)
def test_a_variable_that_was_set_is_told_with_its_value(
    pull: Make, title: str, who: tuple[str, ...]
) -> None:
    assert bite(pull(1, title)).who == who


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Fix dtype mismatch of rows", "Bytes were taken as they are.", Symptom.CRASH),
        ("Fix dtype mismatch of rows", "It silently gave wrong results.", Symptom.WRONG_OUTPUT),
        (
            "Fix dtype mismatch of rows",
            "Results were wrong. Others got a RuntimeError.",
            Symptom.CRASH,
        ),
        ("Fix crash on dtype mismatch", "It silently gave wrong results.", Symptom.CRASH),
    ],
)
def test_what_a_mismatch_did_the_description_tells_better_than_the_title(
    pull: Make, title: str, body: str, expected: Symptom
) -> None:
    assert bite(pull(1, title, body=body)).symptom is expected


def test_what_all_who_use_a_project_run_it_on_is_no_news(pull: Make) -> None:
    item = pull(1, "Fix a crash of rows", files=[FileChange("kiln_npu/rows.py", "modified", 1, 1)])
    (fact,) = bites(replace(item, repo=Repo("octo", "kiln-npu")), purpose(item)[0], touched(item))
    (elsewhere,) = bites(item, purpose(item)[0], touched(item))
    assert (fact.who, elsewhere.who) == ((), ("NPU",))


@pytest.mark.parametrize(
    ("title", "lost", "what"),
    [
        ("[V0 deprecation] Remove Swin model", 9, "Swin model"),
        ("Drop support", 9, ""),
        ("Remove bias support of adapters", 9, "bias support of adapters"),
        ("Remove bias support", 1, ""),
        ("Remove unused bias support", 9, ""),
        ("Remove bias support from tests", 9, ""),
    ],
)
def test_what_a_title_removes_is_gone_where_the_change_takes_away(
    pull: Make, title: str, lost: int, what: str
) -> None:
    item = pull(1, title, files=[FileChange("engine/core.py", "modified", 2, lost)])
    found = [one for one in support_facts(item, purpose(item)[0]) if one.must_act]
    names = [one.name for one in found if one.change is FactChange.REMOVED]
    assert names == ([what] if what else [])


def test_what_could_fail_has_not_failed_for_anybody(pull: Make) -> None:
    body = "Some code asks for the class, which could result in errors if we keep the other one."
    assert bite(pull(1, "Fix the class of the oven", body=body)).symptom is Symptom.BROKEN
    seen = body.replace("could result", "resulted")
    assert bite(pull(1, "Fix the class of the oven", body=seen)).symptom is Symptom.CRASH


@pytest.mark.parametrize(
    ("title", "entry", "path", "names"),
    [
        ("Support kiln4", "EntryClass = Kiln4ForCausalLM", "models/kiln4.py", ["Kiln4ForCausalLM"]),
        (
            "Support kilns",
            "EntryClass = [\n+    Kiln4ForCausalLM,\n+    Kiln5ForCausalLM,\n+]",
            "models/kiln4.py",
            ["Kiln4ForCausalLM", "Kiln5ForCausalLM"],
        ),
        ("Support a draft", "EntryClass = Kiln4ForCausalLMNextN", "models/kiln4_nextn.py", []),
        ("Add MTP for kiln4", "EntryClass = Kiln4ForCausalLM", "models/kiln4.py", []),
        ("Support pictures", "EntryClass = Kiln4ForCausalLM", "models/encoders/kiln4.py", []),
        ("Support kiln4", "EntryClass = HeatForcing", "models/kiln4.py", []),
    ],
)
def test_a_model_is_told_by_the_class_that_its_new_file_registers(
    pull: Make, title: str, entry: str, path: str, names: list[str]
) -> None:
    patch = f"@@ -0,0 +1,9 @@\n+import os\n+{entry}"
    item = pull(1, title, files=[FileChange(f"kiln/{path}", "added", 9, 0, patch)])
    found = [fact for fact in support_facts(item, Purpose.FEATURE) if fact.subject is Subject.MODEL]
    assert [name for fact in found for name in fact.names or (fact.name,)] == names
    assert all(fact.evidence[0].quote in patch for fact in found)
    # Who writes a file anew moves what it registers.
    old = FileChange("kiln/models/old.py", "removed", 0, 9, patch.replace("\n+", "\n-"))
    moved = support_facts(replace(item, files=(*item.files, old)), Purpose.FEATURE)
    assert not any(fact.subject is Subject.MODEL for fact in moved)


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("Support Qwen3", True),
        ("Add Qwen3 late interaction model support", True),
        ("Support Qwen3 with streaming", True),
        ("Support Qwen3 DP attention", False),
        ("Support Qwen3 image to video", True),
        ("Add Kimi Audio 7B", True),
    ],
)
def test_a_part_of_a_model_is_no_new_model(pull: Make, title: str, *, is_told: bool) -> None:
    added = FileChange("kiln/models/qwen3.py", "added", 9, 0, "@@ -0,0 +1 @@\n+import os")
    facts = support_facts(pull(1, title, files=[added]), Purpose.FEATURE)
    assert any(fact.subject is Subject.MODEL for fact in facts) is is_told
    helper = replace(added, path="kiln/models/qwen3_utils.py")
    assert not support_facts(pull(2, title, files=[helper]), Purpose.FEATURE)


def _patched(path: str, *pairs: tuple[str, str]) -> FileChange:
    lines = [line for old, new in pairs for line in (f"-{old}", f"+{new}")]
    hunks = [
        f"@@ -{9 * at + 1} +{9 * at + 1} @@\n" + "\n".join(lines[2 * at : 2 * at + 2])
        for at in range(len(pairs))
    ]
    return FileChange(path, "modified", len(pairs), len(pairs), "\n".join(hunks))


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([('    reduce(x, "avg")', '    reduce(x, "sum")')] * 2, ('"avg"', '"sum"')),
        ([("WARM = 0.5", "WARM = 0.25")], ("WARM=0.5", "WARM=0.25")),
        ([("warm(lid=True)", "warm(lid=False)")], ("lid=True", "lid=False")),
        ([("join(lids, 2)", "join(lids, 1)")], None),
        ([("if warm == 2:", "if warm == 1:")], None),
        ([("WARM = 0.5", "WARM = 0.25"), ("HOT = 1", "HOT = 2")], None),
        ([("warm(lid)", "warm(door)")], None),
        ([("WARM = 1", "HOT = 2")], None),
        ([("# warm for 1 h", "# warm for 2 h")], None),
        ([('need("kiln>=1")', 'need("kiln>=2")')], None),
        ([("WARM = 1", "WARM = 1 + 2")], None),
        ([(f"x = {n}", "x = 99") for n in [5] * 13], None),
    ],
)
def test_a_fix_that_only_changes_a_literal_is_told_by_it(
    pairs: list[tuple[str, str]], value: tuple[str, str] | None
) -> None:
    files = (_patched("kiln/oven.py", *pairs), _patched("tests/test_oven.py", ("a", "b")))
    found = changed_literal(files)
    assert (found and (found.before, found.after)) == value
    if found is not None:
        assert found.evidence.quote == pairs[0][1].strip()
        assert (found.evidence.path, found.evidence.line) == ("kiln/oven.py", 1)
        whole = (replace(files[0], patch=None), *files[1:])
        assert changed_literal(whole) is None


def test_only_a_fix_is_told_by_the_literal_that_it_changes(pull: Make) -> None:
    files = (_patched("kiln/oven.py", ('reduce(x, "avg")', 'reduce(x, "sum")')),)
    item = pull(1, "Fix the oven", files=["kiln/oven.py"])
    item = replace(item, files=files)
    (fact,) = bites(item, Purpose.FIX, ChangeObject.OTHER)
    assert (fact.before, fact.after) == ('"avg"', '"sum"')
    assert fact.evidence[-1].line == 1
    (other,) = bites(
        replace(item, title="Fix a crash of the oven"), Purpose.REFACTOR, ChangeObject.OTHER
    )
    assert (other.before, other.after) == (None, None)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("- **Heat (correctness fix)**: full trays gave wrong results.", Symptom.WRONG_OUTPUT),
        ("- **Lid fix**: it crashed on any tray.", Symptom.CRASH),
        ("* [Oven] Fix the lid crash of old trays (issue #7)\n\nMore of it.", Symptom.CRASH),
        ("* Fix the lid crash of old trays\n\nMore of it.", None),
        ("- **Heat**: wrong results are told at once.", None),
        ("- **Lid fix**: it closes by itself.", None),
        ("- **Lid fix**: it crashed in our first version.", None),
        ("The **lid fix** is another change: it crashed.", None),
        ("**Lid fix**: it crashed on any tray.", None),
        ("## Limitations\n\n- **Lid fix**: it crashed on any tray.", None),
        ("* [Oven] FIX the lid crash of old trays (issue #7)\n\nMore of it.", Symptom.CRASH),
    ],
)
def test_a_fault_that_a_new_thing_mends_beside_is_inferred_from_its_own_item(
    pull: Make, item: str, expected: Symptom | None
) -> None:
    change = pull(1, "feat: add a second oven", body=f"Two ovens bake.\n\n{item}\n")
    found = bites(change, purpose(change)[0], touched(change))
    assert [fact.symptom for fact in found] == ([expected] if expected else [])
    assert all(fact.inferred for fact in found)


@pytest.mark.parametrize(
    ("title", "is_told"), [("feat: add a second oven", True), ("[CI] Add a second oven", False)]
)
def test_a_fault_that_new_tests_mend_beside_hit_nobody(
    pull: Make, title: str, *, is_told: bool
) -> None:
    change = pull(1, title, body="- **Lid fix**: it crashed on any tray.\n")
    assert bool(bites(change, Purpose.FEATURE, touched(change))) is is_told


def test_of_one_sentence_the_gravest_symptom_is_told(pull: Make) -> None:
    body = "This causes either silent perf loss, or even a crash."
    assert bite(pull(1, "Fix the plan of the oven", body=body)).symptom is Symptom.CRASH


@pytest.mark.parametrize(
    ("title", "is_told"),
    [
        ("fix(oven): reject old trays with a clear error", False),
        ("[Bugfix] Better error when the tray is old", False),
        ("[Bugfix] Improve diagnostic for old trays", False),
        ("[Bugfix] Improve diagnostic trays of the oven", True),
        ("fix: more informative error message for old trays", False),
        ("[Bugfix] Improve error handling of old trays", True),
        ("Fix the lid: set its name and improve error messages", True),
        ("[Bugfix] Fix a crash with a clear error", True),
    ],
)
def test_an_error_that_is_worded_anew_hits_whom_it_hit(
    pull: Make, title: str, *, is_told: bool
) -> None:
    item = pull(1, title, body="```\nTrayError: it is too old for this\n```\n")
    assert bool(bites(item, purpose(item)[0], touched(item))) is is_told


def test_what_only_code_passes_is_no_request(pull: Make) -> None:
    files = ["kiln/entrypoints/openai/protocol.py"]
    passing = pull(1, "[Bugfix] Fix AttributeError when passing LoafParams to Tray", files=files)
    sending = pull(2, "[Bugfix] Fix AttributeError when sending loaves", files=files)
    assert bite(passing).symptom is Symptom.CRASH
    assert bite(sending).symptom is Symptom.BAD_ANSWER


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/work/env/lib/python3.12/site-packages/kiln/heat.h is missing", ()),
        ("[BugFix] fix kiln/moe/heat.py", ()),
        ("Fix heat on MoE/EP and FP8/NVFP4", ("MoE", "EP", "FP8", "NVFP4")),
        ("Fix heat on python3.12", ("python3.12",)),
        ("Fix symmetric windows of heat", ()),
        ("Fix heat on windows", ("windows",)),
        ("[Windows] Fix heat", ("Windows",)),
        ("Fix heat of Attention Windows", ()),
        ("Fix Sliding Windows", ()),
        ("Windows overlap in SWA", ("SWA",)),
        ("Windows overlapped I/O", ("Windows",)),
    ],
)
def test_a_folder_of_a_path_and_what_only_sounds_alike_name_nobody(
    text: str, expected: tuple[str, ...]
) -> None:
    assert whom(text) == expected


def test_what_is_turned_off_for_a_fault_mends_it_and_supports_nothing(pull: Make) -> None:
    item = pull(1, "Disable fused heat support on NPU due to correctness issues")
    why = purpose(item)[0]
    assert why is Purpose.OTHER
    assert support_facts(item, why) == ()
    assert bite(item).symptom is Symptom.WRONG_OUTPUT
    added = pull(2, "Add fused heat support on NPU")
    assert support_facts(added, purpose(added)[0])
    assert bites(pull(3, "Disable fused heat"), Purpose.OTHER, ChangeObject.SOURCE) == ()


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("[Oven] warmup: default to the size of its trays", "warmup: the size of its trays"),
        ("[Oven] optimize: default to small trays", "small trays"),
        ("default to small trays", "small trays"),
        ("[Oven] warmup: describe the default to its bakers", None),
        ("[Oven] docs: default to small trays", None),
    ],
)
def test_a_default_behind_a_word_of_its_part_is_told_with_it(
    pull: Make, title: str, name: str | None
) -> None:
    item = pull(1, title)
    found = stated_default(item, purpose(item)[0])
    assert [fact.name for fact in found] == ([name] if name else [])


@pytest.mark.parametrize(
    ("title", "said", "expected"),
    [
        ("Loaves version two", "Empty trays are compile errors.", Symptom.BROKEN),
        (
            "Loaves version two",
            "This fixes the compile errors of empty trays.",
            Symptom.BUILD_FAILS,
        ),
        ("Fix loaves", "Empty trays were compile errors.", Symptom.BUILD_FAILS),
    ],
)
def test_what_no_title_calls_a_fix_is_one_of_what_its_text_mends(
    pull: Make, title: str, said: str, expected: Symptom
) -> None:
    item = pull(71, title=title, body=f"This is a bug of the oven. {said}")
    (fact,) = bites(item, Purpose.FIX, ChangeObject.SOURCE)
    assert fact.symptom is expected


def test_what_closes_an_issue_is_called_a_fix_by_that(pull: Make) -> None:
    said = "Empty trays were compile errors."
    for closes, expected in (("Fixes #7.", Symptom.BUILD_FAILS), ("See #7.", Symptom.BROKEN)):
        item = pull(71, title="Make loaves round", body=f"{closes} {said}")
        (fact,) = bites(item, Purpose.FIX, ChangeObject.SOURCE)
        assert fact.symptom is expected


def test_that_no_error_was_raised_is_no_crash(pull: Make) -> None:
    for said, expected in (("No error", Symptom.BROKEN), ("An error", Symptom.CRASH)):
        item = pull(71, title="Fix the tray reader", body=f"{said} was raised.")
        (fact,) = bites(item, Purpose.FIX, ChangeObject.SOURCE)
        assert fact.symptom is expected
