"""What a text says that somebody has seen, and what it does not say."""

from collections.abc import Callable
from typing import Any

import pytest

from digest.facts import Symptom
from digest.reading.symptoms import is_of_tests, issue_symptom, symptom_of, symptoms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix crash when tool_choice is required", Symptom.CRASH),
        ("[Bugfix] Fix illegal memory access in paged prefill", Symptom.CRASH),
        ("The sanitizer reports an invalid 4-byte global read", Symptom.CRASH),
        ("Invalid __shared__ write of size 16", Symptom.CRASH),
        ("Fix KeyError for w2 on CPU", Symptom.CRASH),
        ("fix(oven): correct fp4 quantization numerics", Symptom.WRONG_OUTPUT),
        ("The scheduler drops first post-resume token after a pause", Symptom.WRONG_OUTPUT),
        ("Fix w2_weight KeyError on CPU", Symptom.CANNOT_START),
        ("Fix `module 'cute' has no attribute 'Mode'`", Symptom.CANNOT_START),
        ("Every tray reads the heat with tray 0's clock", Symptom.WRONG_OUTPUT),
        ("The cost of a call became visible in serving throughput", Symptom.SLOW),
        ("Two loaves that are not alike failed to compile", Symptom.BUILD_FAILS),
        ("Fix a memory access fault of the oven", Symptom.CRASH),
        ("Fix a GPU page fault of the oven", Symptom.CRASH),
        ("Fix hallucinations of old trays", Symptom.WRONG_OUTPUT),
        ("All the trays use tray 0's clock", Symptom.WRONG_OUTPUT),
        ("The oven hallucinates on old trays", Symptom.WRONG_OUTPUT),
        ("The default was 1.0, silently unscaled", Symptom.WRONG_OUTPUT),
        ("The oven-CI crashes when two loaves meet", Symptom.CRASH),
        ("The loaves are NaN when the oven is cold", Symptom.WRONG_OUTPUT),
        ("Fix illegal memory access for NaN inputs", Symptom.CRASH),
        ("Empty trays make NaN inputs of the oven NaN outputs", Symptom.WRONG_OUTPUT),
        ("Tensor-likes are not close!", Symptom.WRONG_OUTPUT),
        ("Cold ovens die and throw a CUDA error", Symptom.CRASH),
        ("Fix NaN propagation from empty trays", Symptom.WRONG_OUTPUT),
        ("Fix overcounting of shared trays", Symptom.WRONG_OUTPUT),
        ("#71 Fix correctness on cold ovens", Symptom.WRONG_OUTPUT),
        ("Add workaround for accuracy regression", Symptom.WRONG_OUTPUT),
        ("CUDA error code 719 in cold ovens", Symptom.CRASH),
        ("Security. Never open a loaf that a stranger left", Symptom.SECURITY),
        ("Fix tray corruption on cold ovens", Symptom.WRONG_OUTPUT),
        ("Fix the over-count of shared trays", Symptom.WRONG_OUTPUT),
        ("It runs twice, silently corrupting histogram/top-k kernels", Symptom.WRONG_OUTPUT),
        ("The rack silently corrupts the histograms of /metrics", Symptom.BAD_ANSWER),
        ("Cold trays silently corrupted the loaves", Symptom.WRONG_OUTPUT),
        ("An empty tray caused the oven to raise a puzzled ValueError", Symptom.CRASH),
        ("Fix a numerical regression of the scales", Symptom.WRONG_OUTPUT),
        ("This fixed correctness on cold ovens", Symptom.WRONG_OUTPUT),
        ("Fix a runtime error of the pump", Symptom.CRASH),
        ("Fix a crash in a destructor during shutdown", Symptom.CRASH),
        ("FusedMoE has no attribute `runner`", Symptom.CRASH),
        ("Keep one rank from hanging the fleet: fix a deadlock in barrier", Symptom.HANG),
        ("Fix OOM while capturing graphs", Symptom.OUT_OF_MEMORY),
        ("Fix KV cache leaks for streaming sessions", Symptom.MEMORY_LEAK),
        ("Fix wrong scale in the fused all-reduce", Symptom.WRONG_OUTPUT),
        ("Draft tokens are corrupted under graphs: outputs are wrong", Symptom.WRONG_OUTPUT),
        ("Server fails to start without a tokenizer", Symptom.CANNOT_START),
        ("Fix throughput regression of the router", Symptom.SLOW),
        ("Fix /generate answers: returns 500 for empty prompts", Symptom.BAD_ANSWER),
        ("Ensure invalid audio files return 400 error", Symptom.BAD_ANSWER),
        ("Unpickle nothing from strangers (CVE-2031-0001)", Symptom.SECURITY),
        ("Fix build with CUDA 13", Symptom.BUILD_FAILS),
        ("The guards break the fmha_gen JIT build on CUDA 13.3", Symptom.BUILD_FAILS),
        ("Such tactics are skipped, degrading MoE throughput", Symptom.SLOW),
        ("Fix `RuntimeError: Already spun` that degrades pump throughput", Symptom.SLOW),
        ("Fix `RuntimeError: Already spun` that some pumps raise", Symptom.CRASH),
        ("Fix a crash in workers that throttle requests", Symptom.CRASH),
        ("Surface errors of pumps at once to avoid deadlocks", Symptom.HANG),
        ("[Core] Report a fault to prevent hangs", Symptom.HANG),
        ("Fix a segfault that slowly corrupts a pump", Symptom.CRASH),
        ("Fix a deadlock that degrades pump throughput", Symptom.HANG),
        ("修复多卡推理时的死锁", Symptom.HANG),
        ("The engine no longer crashes on empty batches", Symptom.CRASH),
        ("1.4.0 gives wrong output", Symptom.WRONG_OUTPUT),
        ("[Metrics] Fix the occupancy: NaN in its gauge", Symptom.BAD_ANSWER),
        ("Fix the radix cache double-counting cached_tokens", Symptom.BAD_ANSWER),
        ("Fix garbage output at high memory usage", Symptom.WRONG_OUTPUT),
        ("Fix wrong output when the metrics are on", Symptom.WRONG_OUTPUT),
        ("Fix clear cache crash", Symptom.CRASH),
        ("Fix clear_cache segfault", Symptom.CRASH),
        ("Fix a stale request memory leak", Symptom.MEMORY_LEAK),
        ("Repair the precision of Kiln on two cards", Symptom.WRONG_OUTPUT),
        ("Fix `local variable 'rows' referenced before assignment`", Symptom.CRASH),
        ("Fix no attribute 'data' with two cards", Symptom.CRASH),
        ("It reads past the row: an out-of-bounds memory access", Symptom.CRASH),
        ("Fix the stale scale of two cards", Symptom.WRONG_OUTPUT),
        ("Fix kernel launch failure for long rows", Symptom.CRASH),
        ("Fix KernelLaunch Failure of long rows", Symptom.CRASH),
        ("prevent out-of-bounds read in the scheduler", Symptom.CRASH),
        ("Don't fail server startup when psutil is old", Symptom.CANNOT_START),
        ("[Misc]: Do not fail launch without psutil", Symptom.CANNOT_START),
        ("Fix service launch failure", Symptom.CANNOT_START),
        ("Fix server startup; tidy up", Symptom.CANNOT_START),
        ("[Model Runner v2] Fix block table IMA issue", Symptom.CRASH),
        ("It ends in errors when launching the model", Symptom.CANNOT_START),
        ("rows.h not found where no headers are", Symptom.BUILD_FAILS),
        ("Fix the compilation for two cards", Symptom.BUILD_FAILS),
        ("Fix torch.compile error of two cards", Symptom.CRASH),
        ("Fix strides that end in cudaErrorIllegalAddress", Symptom.CRASH),
        ("Fix special token leakage of the Kiln parser", Symptom.BAD_ANSWER),
        ("Fix SSRF in the batch runner", Symptom.SECURITY),
        ("Fix import regression of the router", Symptom.CANNOT_START),
        ("fix(batch): trim stop string where the batch ends", Symptom.BAD_ANSWER),
        ("fix: stop-string check misses early matches", Symptom.BAD_ANSWER),
        ("[UX] Do not crash when no allocator is there", Symptom.CRASH),
        ("Fix `assert rows == padded`", Symptom.CRASH),
        ("Turn the fused router off to restore Orchid accuracy", Symptom.WRONG_OUTPUT),
    ],
)
def test_a_stated_symptom_is_read_with_its_sentence(text: str, expected: Symptom) -> None:
    found = list(symptoms(text))
    assert found
    assert found[0][0] is expected
    assert found[0][1] in text


@pytest.mark.parametrize(
    "text",
    [
        "This leaked an internal layout of rows into the interface",
        "The order is incorrect but the output looks fine",
        "Both fixes are correctness wins",
        "Add a garbage collector for stale pages",
        "The guard is deadlock-free",
        "[Metrics] Fix the occupancy reading NaN on every log line",
        "Prevent compiler error when running test_moe_layer",
        "No crash was seen in any run",
        "It does not hang with this setting",
        "Add hang detection to the watchdog",
        "Add a memory leak checker",
        "Fix crash in unit tests",
        "[CI] Fix flaky test that hangs",
        "Raise performance of the router by 10 %",
        "Check for NaN guard values",
        "Support multi-node serving",
        "Freeze the layers of the vision tower",
        "Fix the compile counter of the oven",
        "Fix row metadata build bug",
        "Fix inconsistent handling of cache resets",
        "Fix stale plate leak in idle batches",
        "Fix leaks of stale plates",
        "Fix the cursor leakage of the queue",
        "Fix missing row init regression",
        "Fix plate init bug of the oven",
        "Keep the original message: preserve ImportError of the door",
        "Make NaN-row sanitization opt-in",
        "Avoid raising error when the size is odd",
        "Fix plate import for open doors",
        "Fix hot update through circular imports instead of a reload",
        "No oven that was measured before showed a cold-start slowdown.",
        "Log a warning, preventing silent misconfiguration.",
        "Fix the error message for a dtype mismatch of plates",
        "Infer wrong output from a comment on NaN",
        "[misc] log info messages by default for hanging ovens",
        "feat(oven): warn of memory leaks",
        "A missing key does not fail startup; it only warns.",
        "Fix relaunch failures counter",
        "[Oven][Bugfix]: Join the parts of a RuntimeError for odd doors",
        "Raise UnsupportedDoorError when the oven has none",
        "throw ValueError for round plates",
        "Fix encoder cache miss of the oven",
        "Fix ImportError in a destructor during shutdown",
        "Fix AttributeError in __del__ of the oven",
        "Every tray has a clock, as the baker's",
        "Skip rows when all loaves are NaN",
        "Prevent leaking tokens into the log",
        "The mark is not leaking to the next tray",
        "A pointer that refuses to initialize from an lvalue",
        "Garbled error message of the oven",
        "The loaves have not failed to compile",
        "Reduce page faults when loaves are mapped",
        "All the trays use tray 0's clock as intended",
        "By design, all the trays use tray 0's clock",
        "Add HallucinationEval",
        "Add hallucination detection to the oven",
        "NaN propagation option for half loaves",
        "The oven keeps the sign bit of signed NaNs",
        "The -1 then silently corrupted capability dispatch",
        "When a tray is too small, raise a user-facing ValueError that names it",
        "Check orders first, report bad ones with a friendly ValueError",
        "[Oven] raise errors for `clear_rack()`",
        "Add short-tray and mixed-tray numerical regressions",
        "That fixed correctness, but it was still simulated",
        "#71 fixed correctness on cold ovens",
        "Remove unused runtime error codes",
        "SECURITY.md committed",
        "Guard the rack against heap corruption",
        "Add corruption detection to the rack",
        "Surface source locations in compiler errors",
    ],
)
def test_what_denies_a_symptom_or_names_a_tool_against_it_states_none(text: str) -> None:
    assert list(symptoms(text)) == []


def test_each_symptom_stands_once_and_the_sentence_is_the_authors_own() -> None:
    text = "Requests hang after an abort. They hang again later.\nThen the worker crashes."
    assert list(symptoms(text)) == [
        (Symptom.HANG, "Requests hang after an abort."),
        (Symptom.CRASH, "Then the worker crashes."),
    ]


def test_titles_say_when_they_are_about_tests() -> None:
    assert is_of_tests("[CI] Fix a crash")
    assert is_of_tests("test(router): wait for the port")
    assert is_of_tests("[MoE Refactor] Add sequence parallel tests to test_layer.py")
    assert not is_of_tests("Add a test mode to the server")
    assert is_of_tests("[Bugfix] Fix more multimodal tests for transformers V5")
    assert not is_of_tests("[Core] Fix a crash that tests never met")
    assert not is_of_tests("[Core] Fix a crash")


def test_an_issue_is_told_with_its_symptom_from_title_or_description(
    issue: Callable[..., Any],
) -> None:
    titled = issue_symptom(issue(1, "[Bug]: server hangs after an abort"))
    assert titled is not None
    assert titled[0] is Symptom.HANG
    described = issue_symptom(issue(2, "[Bug]: odd replies", body="All outputs are corrupted."))
    assert described is not None
    assert described[0] is Symptom.WRONG_OUTPUT
    assert described[1].quote == "All outputs are corrupted."
    assert issue_symptom(issue(3, "[Feature]: more metrics")) is None


@pytest.mark.parametrize(
    "title",
    [
        "[Bugfix] Join worker threads to fix crash on exit",
        "Raise stack limit to fix segfault in parser",
        "Throw away stale handles to fix a segfault",
        "Raise the limit: fixes a RuntimeError under load",
    ],
)
def test_a_crash_that_is_mended_by_raising_or_joining_something_is_one(title: str) -> None:
    assert symptom_of(title) is Symptom.CRASH
