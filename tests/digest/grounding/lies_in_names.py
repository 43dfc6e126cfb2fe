"""Lies in names and numbers: identifiers, paths, SHAs, units, hardware."""

# ruff: noqa: E501 - a lie stays beside what it changes

import random
import re
from dataclasses import replace

from digest.claims import Draft
from digest.grounding.atoms import AtomKind, taken_apart
from digest.grounding.plain import folded
from digest.languages import Language
from tests.digest.grounding.invented import Told
from tests.digest.grounding.lying import EN, ZH, Case, said_too, texts

_SPAN = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(
    r"(?<![\w.`#/-])\d+(?:\.\d+)?(?![\w.]*\d)(?=[^`]*(?:`[^`]*`[^`]*)*$)", re.ASCII
)
_UNITS_EN = {"%": " ms", " s": " ms", " ms": " s", " GB": " MB", " KB": " GB", " GPUs": " nodes",
             " workers": " nodes", " adapters": " experts", " tokens": " layers"}  # fmt: skip
_UNITS_ZH = {
    "%": " 毫秒",
    " 秒": " 毫秒",
    " 毫秒": " 秒",
    " GB": " MB",
    " KB": " GB",
    " 张": " 个节点 ",
}
_HARDWARE = ("Volta", "Turing", "Ampere", "Ada Lovelace", "Hopper", "Blackwell", "A100", "H100", "B200",
             "GB300", "MI300X", "MI355X", "Gaudi 3", "Jetson Thor", "L40S", "RTX 5090")  # fmt: skip
_VENDORS_ZH = ("英伟达", "昇腾", "英特尔", "寒武纪", "摩尔线程", "安培架构", "华为")
_LIBRARIES = ("Mooncake", "cuDNN", "DeepEP", "NVSHMEM", "XGrammar", "TensorRT-LLM", "FlashInfer")
_MODELS = ("Qwen3", "DeepSeek-V3.2", "GLM-4.5", "Kimi K2", "Llama 4", "MiniMax-M2", "gpt-oss")


def _identifiers(draft: Draft) -> list[str]:
    return sorted({name for text in draft.text.values() for name in _SPAN.findall(text)})


def _names_of(item: Told) -> list[str]:
    """Give the names of an item: identifiers, flags, models, hardware, as they are written."""
    texts_of = [item.evidence.title, *item.evidence.body]
    apart = [taken_apart(folded(text), chinese=True) for text in texts_of]
    kinds = {AtomKind.NAME, AtomKind.VERSION}
    found = {atom.text for sentence in apart for atom in sentence.atoms if atom.kind in kinds}
    return sorted(name for name in found if len(name) > 3)


def swapped_identifier(case: Case) -> Draft | None:
    """Name what another item of the same day names."""
    mine = _identifiers(case.draft)
    theirs = [name for name in _names_of(case.other) if name not in (*mine, *_names_of(case.item))]
    if not theirs:
        return None
    new = case.chance.choice(theirs)
    if mine:
        return texts(case.draft, lambda text, _: text.replace(f"`{mine[0]}`", f"`{new}`"))
    return said_too(f" in `{new}`", f"（`{new}`）")(case)


def invented_identifier(case: Case) -> Draft | None:
    """Make up a name that looks like those of the item."""
    stem = case.chance.choice(
        ("reduce_batch", "NpuProfiler", "validate_adapter", "ENGINE_FAST_PATH", "SchedulerV3")
    )
    mine = _identifiers(case.draft)
    if not mine:
        return said_too(f" through `{stem}()`", f"（通过 `{stem}()`）")(case)
    return texts(case.draft, lambda text, _: text.replace(f"`{mine[0]}`", f"`{stem}`"))


def bent_identifier(case: Case) -> Draft | None:
    """Change one part of a name."""
    mine = [name for name in _identifiers(case.draft) if re.search(r"[a-z]{4}", name)]
    if not mine:
        return None
    part = re.findall(r"[a-z]{4,}", mine[0])[-1]
    bent = mine[0].replace(part, case.chance.choice(("total", "budget", "legacy")))
    return texts(case.draft, lambda text, _: text.replace(f"`{mine[0]}`", f"`{bent}`"))


def cut_identifier(case: Case) -> Draft | None:
    """Give a piece of a name as the name."""
    mine = [name for name in _identifiers(case.draft) if name.count("_") > 1]
    if not mine:
        return None
    piece = mine[0].rpartition("_")[0]
    return texts(case.draft, lambda text, _: text.replace(f"`{mine[0]}`", f"`{piece}`"))


def invented_flag(case: Case) -> Draft | None:
    """Make up a flag, bare or marked."""
    flag = case.chance.choice(("--enable-turbo", "`--fast-decode`", "--no-cache-reuse"))
    return said_too(f" with {flag}", f"，需使用 {flag}")(case)


def invented_variable(case: Case) -> Draft | None:
    """Make up an environment variable."""
    return said_too(" when `BUILD_COMMIT` is set", "（设置 `BUILD_COMMIT` 时）")(case)


def invented_path(case: Case) -> Draft | None:
    """Make up a path, or bend a real one."""
    paths = [fact[6:] for fact in case.item.evidence.facts if fact.startswith("path: ")]
    real = paths[0] if paths else "engine/core/run.py"
    bent = real.replace("/", "_kernel/", 1) if case.chance.random() < 0.5 else f"{real[:-3]}_v2.py"
    return said_too(f" in `{bent}`", f"（`{bent}`）")(case)


def invented_sha(case: Case) -> Draft | None:
    """Make up a SHA, or change a digit of a real one."""
    real = re.findall(r"\b[0-9a-f]{10}\b", " ".join(case.item.evidence.body))
    sha = f"{real[0][:-1]}d" if real else f"{case.chance.randrange(16**9, 16**10):010x}"
    if not re.search(r"\d", sha) or not re.search(r"[a-f]", sha):
        sha = f"a1{sha[2:]}"
    return said_too(f" ({sha})", f"（{sha}）")(case)


def invented_number_sign(case: Case) -> Draft | None:
    """Make up a reference to an issue."""
    number = case.chance.randrange(2000, 90000)
    return said_too(f" (#{number})", f"（#{number}）")(case)


def invented_version(case: Case) -> Draft | None:
    """Make up a version."""
    version = case.chance.choice(("0.6.4", "v0.11.2", "2.31.7"))
    return said_too(f" since {version}", f"（自 {version} 起）")(case)


def invented_code(case: Case) -> Draft | None:
    """Write code."""
    code = case.chance.choice(
        (
            "if total > MAX_TOTAL: raise MemoryError",
            "#define FAST_PATH 1",
            "rank = 0 if not cfg else 1",
        )
    )
    return said_too(f" with `{code}`", f"：`{code}`")(case)


def perturbed_number(case: Case) -> Draft | None:
    """Change a number in both languages."""
    both = [set(_NUMBER.findall(text)) for text in case.draft.text.values()]
    numbers = sorted(set.intersection(*both)) if both else []
    if not numbers:
        return None
    old = case.chance.choice(numbers)
    value = float(old)
    new = (
        f"{value * 3 + 7:g}"
        if "." not in old
        else f"{value * 1.5 + 0.3:.{len(old.split('.')[1])}f}"
    )
    pattern = rf"(?<![\w.`#/-]){re.escape(old)}(?![\w.]*\d)"
    return texts(case.draft, lambda text, _: re.sub(pattern, new, text, count=1, flags=re.ASCII))


def perturbed_unit(case: Case) -> Draft | None:
    """Change the unit behind a number."""

    def change(text: str, language: Language) -> str:
        for old, new in (_UNITS_EN if language is EN else _UNITS_ZH).items():
            found = re.search(rf"(?<=\d){re.escape(old)}(?![a-zA-Z])", text)
            if found:
                return text[: found.start()] + new + text[found.end() :]
        return text

    changed = {each: change(text, each) for each, text in case.draft.text.items()}
    lied = {each: text for each, text in changed.items() if text != case.draft.text[each]}
    return replace(case.draft, text=lied) if lied else None


def invented_gain(case: Case) -> Draft | None:
    """Make up a figure."""
    gain = case.chance.choice(("35%", "2.4x", "17 ms"))
    return said_too(f", a gain of {gain}", f"，提升 {gain}")(case)


def invented_count(case: Case) -> Draft | None:
    """Make up a count in words."""
    return said_too(" across seven modules", "，涉及七个模块")(case)


def _not_in(item: Told, names: tuple[str, ...], chance: random.Random) -> str:
    evidence = item.evidence
    whole = " ".join((evidence.title, *evidence.body, *evidence.facts)).lower()
    family = {
        "hopper": "h100 h200 sm90",
        "blackwell": "b200 gb300 mxfp4",
        "gpt-oss": "openai",
        "ampere": "a100",
    }
    left = [
        name
        for name in names
        if name.lower() not in whole
        and not any(m in whole for m in family.get(name.lower(), "").split())
    ]
    return chance.choice(left)


def wrong_hardware(case: Case) -> Draft | None:
    """Put the hardware of another change in."""
    new = _not_in(case.item, _HARDWARE, case.chance)
    for old in ("Hopper", "Blackwell", "H100", "B200", "MI300X", "Ascend 910B", "昇腾 910B", "TPU"):
        if any(old in text for text in case.draft.text.values()):
            return texts(case.draft, lambda text, _, old=old: text.replace(old, new))  # type: ignore[misc] # binds old
    return said_too(f" on {new}", f"（{new} 上）")(case)


def wrong_vendor(case: Case) -> Draft | None:
    """Name a vendor, in Chinese only."""
    vendors = [name for name in _VENDORS_ZH if not (name == "昇腾" and "npu" in str(case.item))]
    if case.item.evidence.key.endswith(
        (":116", ":106", ":102", ":110", ":118", ":134", ":109", ":107", ":136", ":203", ":115")
    ):
        vendors = ["寒武纪", "摩尔线程"]  # the others may be said of these items, or nearly
    name = case.chance.choice(vendors)
    return texts(case.draft, lambda text, _: f"在{name}平台上，{text}" if _ is ZH else "")


def wrong_library(case: Case) -> Draft | None:
    """Name a library that has nothing to do with it."""
    new = _not_in(case.item, _LIBRARIES, case.chance)
    return said_too(f" through {new}", f"，通过 {new} 实现")(case)


def wrong_model(case: Case) -> Draft | None:
    """Name a model family that has nothing to do with it."""
    new = _not_in(case.item, _MODELS, case.chance)
    return said_too(f" for {new}", f"（适用于 {new}）")(case)
