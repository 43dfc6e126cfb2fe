"""What weighs in a change: named numbers, read from its facts, its files and its purpose.

Each is 0 where it does not hold. What is told by words of a title goes through facts first
(`bites`, `support`, `speed`), so that a word decides nothing by itself; the few that look at a
title directly say whom a change concerns, not how grave it is.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.grades import ChangeObject, Noise, Purpose
from digest.models import FileChange, Item
from digest.reading.change import CI_WORDS, bare, declared
from digest.reading.description import (
    BREAKING_LABEL,
    INCOMPATIBLE,
    PLATFORM,
    REQUIRES,
    TITLE_READ,
    UNCHANGED,
    VERSION,
    is_stated_breaking,
    written,
)
from digest.reading.paths import RUNTIME, UNREAD, role
from digest.reading.support import only_tuned
from digest.reading.whom import MODEL, NVIDIA, VENDOR

_SYMPTOMS: Mapping[Symptom, str] = {symptom: symptom.name.lower() for symptom in Symptom}
_SETTINGS = frozenset(
    {
        Subject.FLAG,
        Subject.ENV,
        Subject.CHOICE,
        Subject.CONFIG_FIELD,
        Subject.REQUEST_FIELD,
        Subject.RESPONSE_FIELD,
        Subject.ENDPOINT,
        Subject.METRIC,
    }
)
_SEEN_BY_USERS = frozenset({Purpose.FEATURE, Purpose.PERFORMANCE, Purpose.FIX})
_GONE = frozenset({FactChange.REMOVED, FactChange.RENAMED})
AREAS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        (
            "area_scheduler",
            r"(?:^|/)(?:sched\w*|managers?|engine|core|model_runner\w*|worker)(?:/|_|\.)",
        ),
        ("area_cache", r"kv_?(?:cache|transfer|connector|offload)|mem_?cache|radix|offload|disagg"),
        ("area_attention", r"(?:(?<!dp_)(?:attention|attn)|mla|flash)"),
        ("area_moe", r"moe|expert|eplb|deep_?ep|all2all"),
        ("area_quantization", r"quant|fp8|fp4|marlin|w4a"),
        ("area_speculative", r"spec_?decode|speculat|eagle|draft|mtp"),
        (
            "area_api",
            r"entrypoints|openai|serving|protocol|http|tool_?pars|function_?call|reasoning|parser",
        ),
        ("area_config", r"(?:^|/)(?:config\w*|server_args|arg_utils|envs?|environ)(?:/|\.py)"),
        ("area_plugins", r"(?:^|/)(?:plugins?|platforms?|interfaces?|base|abstract)\w*(?:/|\.py)"),
        ("area_multimodal", r"multi_?modal(?!_gen)|vision|audio|processor"),
        ("area_generation_of_images", r"multimodal_gen|diffusion"),
        ("area_gateway", r"gateway|router/|\.rs$"),
    )
)
"""Parts that inference software has, by the paths of files that run."""
_HOT_MODEL = re.compile(
    r"\b(?:deepseek|dsv?\d|qwen|glm|kimi|gpt-?oss|llama|gemma|minimax|nemotron)", re.I
)
_MOVES_CLIENTS = re.compile(
    r"(?:^|[-_.])(?:port|host|address|bind|listen|endpoint|url|socket|scheme|protocol)(?:$|[-_.])",
    re.IGNORECASE,
)
_SWITCH = frozenset({"true", "false", "True", "False"})
_DEFAULT = re.compile(r"\bby default\b|\bdefaults?\b|\bdefault to\b|默认", re.IGNORECASE)
_TIDY = re.compile(
    r"\b(?:clean[- ]?up|refactor\w*|simplif\w+|renam\w+|mov(?:e[sd]?|ing)|extract|split|"
    r"tid(?:y|ies)|reorgani[sz]\w*|relocat\w+|unused|dead code|dedup\w*|typing|type hints?|mypy|"
    r"lint|rework|"
    r"encapsulat\w*|consolidat\w*|nits?)\b|重构",
    re.IGNORECASE,
)
_LOGS = re.compile(
    r"\b(?:logs?|logging|warnings?|debug\w*|profil\w+|trac(?:e|ing)|dump\w*|nvtx|"
    r"(?:error|log|warning|exception) messages?)\b",
    re.IGNORECASE,
)
_OF_DEVELOPERS = re.compile(r"\b(?:debug\w*|profil\w+|dump\w*|nvtx|internal)\b", re.IGNORECASE)
_PIN = re.compile(
    r"^(?:\[[^\]]*\]\s*)*(?:bump|update|upgrade|pin|unpin|downgrade)\b", re.IGNORECASE
)
_ABSTRACT = re.compile(r"^[+-]\s*(?:@abstractmethod|raise NotImplementedError)", re.MULTILINE)
_SIGNATURE = re.compile(r"\n-\s*(?:(?:async )?def (?!_|test_)\w+\(|class (?!_|Test)\w+)")
"""A removed line of a patch, which begins with the head of a hunk."""
_NUMBERS = re.compile(
    r"\b(?:scal(?:e|es|ing)|stride|offset|clamp|softmax|logits|dtype|float32|int64|norm|rope|mask|"
    r"accum\w*)\b"
)
_WAITS = re.compile(
    r"\b(?:lock|wait|event|synchroni[sz]e|barrier|stream|all_reduce|broadcast|abort|release|free)\b"
)
_RACE = re.compile(
    r"\b(?:rac(?:e|es|ing|y)|stale|reus\w+|lifetime|dangling|concurren\w+|duplicate)\b", re.I
)
_ARITHMETIC = re.compile(
    r"\b(?:overflow|int(?:32|64)|uint64|stride|positions?|offsets?|ind(?:ex|ices|exing)|mask\w*|scal(?:e|es|"
    r"ing)|boundary|slic(?:e|es|ing)|swizzl\w*|wrong (?:page|slot|block)|prefix|remap\w*)\b",
    re.IGNORECASE,
)
_FIX = re.compile(r"\b(?:fix(?:es|ed)?|bugs?|bugfix|hotfix)\b|修复", re.IGNORECASE)


_PATCH_READ = 120_000
_OF_A_FAULT = (
    ("numerics_touched", "fault_in_numerics"),
    ("special_hardware", "fault_on_special_hardware"),
)


@dataclass(frozen=True, slots=True)
class Around:
    """What other items say about one.

    `closed` are the known issues that it closes, `reverted` tells that it was taken back,
    `by_author` counts the changes of its author on its day, itself included. `makes_release`
    tells that it is the first of the window that makes its version, `quiet` that its day had few
    changes.
    """

    closed: Sequence[Item] = ()
    reverted: bool = False
    by_author: int = 1
    makes_release: bool = False
    quiet: bool = False


def features(
    item: Item,
    purpose: Purpose,
    object_: ChangeObject,
    noise: Noise | None,
    facts: Sequence[Fact],
    around: Around = Around(),
) -> dict[str, float]:
    """Return what weighs in a change, by name; names that are absent are 0."""
    found: dict[str, float] = {}
    for name, value in (
        *_of_purpose(item, purpose, object_, noise, around),
        *_of_facts(facts),
        *_of_files(item.files or ()),
        *_of_title(item, purpose),
        *_of_words(item, around),
    ):
        if value:
            found[name] = found.get(name, 0.0) + value
    if "default_changed" in found:
        # What a fact tells is not counted again from the words of the title.
        found.pop("default_in_title", None)
    if not found.keys().isdisjoint(_SYMPTOMS.values()):
        # A fault is graver where many run the code.
        for name, joined in _OF_A_FAULT:
            if name in found:
                found[joined] = 1.0
    return found


def _of_purpose(
    item: Item, purpose: Purpose, object_: ChangeObject, noise: Noise | None, around: Around
) -> Iterator[tuple[str, float]]:
    yield f"purpose_{purpose.value}", 1.0
    if object_ in (ChangeObject.KERNEL, ChangeObject.BUILD):
        yield object_.value, 1.0
    if noise is not None:
        yield "noise", 1.0
    yield "reverted", float(around.reverted)
    yield "makes_release", float(around.makes_release)
    quiet = around.quiet and purpose in _SEEN_BY_USERS and noise is None
    quiet = quiet and _OF_DEVELOPERS.search(bare(item.title[:TITLE_READ])) is None
    yield "noticed_on_quiet_day", float(quiet and object_ in RUNTIME)
    yield "campaign", math.log(max(1, around.by_author)) / 2


def _of_facts(facts: Sequence[Fact]) -> Iterator[tuple[str, float]]:
    names: set[str] = set()
    added = 0
    for fact in facts:
        names.update(fact_names(fact))
        added += fact.kind is FactKind.INTERFACE and fact.change is FactChange.ADDED
    yield from ((name, 1.0) for name in sorted(names))
    yield "many_additions", min(2.0, math.log1p(added)) if added > 1 else 0.0


def fact_names(fact: Fact) -> Iterator[str]:
    """Yield the features that one fact gives."""
    if fact.kind is FactKind.BITE and fact.symptom is not None:
        yield _SYMPTOMS[fact.symptom]
    elif fact.kind is FactKind.INTERFACE:
        yield from _interface_names(fact)
    elif fact.kind is FactKind.REQUIREMENT:
        raised = fact.change is FactChange.RAISED
        if raised and (fact.subject is Subject.PLATFORM or PLATFORM.match(fact.name)):
            yield "platform_raised"
        yield "requirement_raised" if raised else "requirement_changed"
    elif fact.kind is FactKind.MOVE and fact.change is FactChange.MOVED:
        yield "moved"
    elif fact.kind is FactKind.SUPPORT:
        gone = fact.change is FactChange.REMOVED
        yield "support_gone" if gone else f"new_{fact.subject.value if fact.subject else 'feature'}"
    elif fact.kind is FactKind.SPEED:
        yield "speed_stated"


def _interface_names(fact: Fact) -> Iterator[str]:
    about = "setting" if fact.subject in _SETTINGS else "api"
    if fact.change in _GONE:
        yield f"{about}_gone"
    elif fact.change is FactChange.DEFAULT:
        yield "default_changed"
        if {fact.before, fact.after} <= _SWITCH:
            yield "switched_by_default"
        if _MOVES_CLIENTS.search(fact.name):
            yield "moves_clients"
    elif fact.change is FactChange.DEPRECATED:
        yield f"{about}_deprecated"
    elif fact.change is FactChange.ADDED:
        yield (
            f"{fact.subject.value}_added"
            if fact.subject in (Subject.FLAG, Subject.ENV)
            else (f"{about}_added")
        )
    else:
        yield f"{about}_changed"
    if fact.must_act:
        yield "must_act"


def _of_files(files: Sequence[FileChange]) -> Iterator[tuple[str, float]]:
    run = [file for file in files if role(file.path) in RUNTIME]
    tests = [file for file in files if role(file.path) is ChangeObject.TEST]
    changed = sum(file.additions + file.deletions for file in run)
    yield "size", math.log1p(changed) / 4
    yield "files_that_run", math.log1p(len(run)) / 2
    yield "mostly_new", float(sum(file.additions for file in run) > 0.9 * changed > 90)
    yield "mostly_gone", float(sum(file.deletions for file in run) > 0.8 * changed > 40)
    yield "tested", float(bool(run) and bool(tests))
    yield "nothing_that_runs", float(bool(files) and not run)
    yield "only_aside", float(bool(files) and all(role(file.path) in UNREAD for file in files))
    yield "only_tuned", float(only_tuned(files))
    for name, pattern in AREAS:
        if any(pattern.search(file.path) for file in run[:60]):
            yield name, 1.0
    yield (
        "special_hardware_only",
        float(bool(run) and all(VENDOR.search(re.sub(r"[/_.]", " ", file.path)) for file in run)),
    )
    yield from _of_patches(run)


def _of_patches(run: Sequence[FileChange]) -> Iterator[tuple[str, float]]:
    abstract = signature = numbers = waits = False
    for file in run:
        patch = (file.patch or "")[:_PATCH_READ]
        if not abstract and ("@abstractmethod" in patch or "NotImplementedError" in patch):
            abstract = bool(_ABSTRACT.search(patch))
        signature = signature or bool(_SIGNATURE.search(patch))
        if not (numbers and waits):
            added = "\n".join(line for line in patch.split("\n") if line[:1] == "+")
            numbers = numbers or _NUMBERS.search(added) is not None
            waits = waits or _WAITS.search(added) is not None
    yield "abstract_method", float(abstract)
    yield "public_name_removed", float(signature)
    yield "numerics_touched", float(numbers)
    yield "waits_touched", float(waits)


def _of_title(item: Item, purpose: Purpose) -> Iterator[tuple[str, float]]:
    title = item.title[:TITLE_READ]
    rest = bare(title)
    vendor = VENDOR.search(title)
    yield "special_hardware", float(vendor is not None)
    yield "hardware_named", float(NVIDIA.search(title) is not None)
    yield "model_named", float(MODEL.search(title) is not None)
    yield "widely_used_model", float(_HOT_MODEL.search(title) is not None)
    yield "default_in_title", float(_DEFAULT.search(title) is not None)
    yield "tidying", float(_TIDY.search(title) is not None)
    yield "logs_only", float(_LOGS.search(rest) is not None)
    yield "ci_in_title", float(CI_WORDS.search(title) is not None)
    yield "pin", float(_PIN.match(title) is not None)
    fixes = purpose is Purpose.FIX or _FIX.search(rest) is not None
    yield "race", float(fixes and _RACE.search(rest) is not None)
    yield "arithmetic", float(fixes and _ARITHMETIC.search(rest) is not None)


def _of_words(item: Item, around: Around) -> Iterator[tuple[str, float]]:
    """What an author or readers say outright, which a clone of git seldom holds."""
    title, body = item.title[:TITLE_READ], written(item.body)
    labels = " ".join(item.labels)[:TITLE_READ]
    stated = declared(title).breaking or BREAKING_LABEL.search(labels)
    yield "breaking", float(bool(stated or is_stated_breaking(body)))
    yield "security_label", float("security" in labels.lower())
    yield "incompatible", float(bool(INCOMPATIBLE.search(body) or INCOMPATIBLE.search(title)))
    yield "requirement_stated", float(bool(REQUIRES.search(body)))
    yield "unchanged", float(bool(UNCHANGED.search(body) or UNCHANGED.search(title)))
    yield "discussion", math.log2(1 + (item.reactions * 2 + item.comments) / 4) / 4
    heard = max((issue.reactions * 2 + issue.comments for issue in around.closed), default=0)
    yield "asked_for", math.log2(1 + heard / 4) / 4
    yield "in_release", float(any(VERSION.search(one.title[:200]) for one in around.closed))
