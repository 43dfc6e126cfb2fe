"""Every way in which a model was seen to lie, made from true sentences.

A lie changes one true draft about one item; `other` is another item of the same day, from which
names are swapped in. A lie that cannot be told of a draft (no number to perturb) gives None.
Chance is given, so that every run tells the same lies.
"""

# ruff: noqa: E501 - a lie stays beside what it changes

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from digest.claims import Draft
from digest.grounding.atoms import AtomKind, taken_apart
from digest.grounding.plain import folded
from digest.languages import Language
from tests.digest.grounding.invented import Told

EN, ZH = Language.EN, Language.ZH


@dataclass(frozen=True, slots=True)
class Case:
    """One true draft of one item, and another item of the same day."""

    draft: Draft
    item: Told
    other: Told
    chance: random.Random


Lie: TypeAlias = Callable[[Case], Draft | None]

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


def texts(draft: Draft, change: Callable[[str, Language], str]) -> Draft | None:
    """Change both texts; None where neither changed."""
    changed = {language: change(text, language) for language, text in draft.text.items()}
    return replace(draft, text=changed) if changed != draft.text else None


def said_too(en: str, zh: str) -> Lie:
    """Add something before the full stop."""

    def lie(case: Case) -> Draft | None:
        def change(text: str, language: Language) -> str:
            if language is EN:
                return f"{text.rstrip('.')}{en}."
            return f"{text.rstrip('。')}{zh}。"

        return texts(case.draft, change)

    return lie


def replaced(en: Mapping[str, str], zh: Mapping[str, str]) -> Lie:
    """Change the first word of a table that is there, language by language."""

    def change(text: str, language: Language) -> str:
        for old, new in (en if language is EN else zh).items():
            if re.search(old, text):
                return re.sub(old, new, text, count=1)
        return text

    def lie(case: Case) -> Draft | None:
        changed = {each: change(text, each) for each, text in case.draft.text.items()}
        lied = {each: text for each, text in changed.items() if text != case.draft.text[each]}
        return replace(case.draft, text=lied) if lied else None

    return lie


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
    family = {"hopper": "h100 h200 sm90", "blackwell": "b200 gb300 mxfp4", "gpt-oss": "openai"}
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
        (":116", ":106", ":102", ":110", ":118", ":134", ":109", ":107", ":136")
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


negated = replaced(
    {
        r"\bno longer ": "still ", r"\bis not\b|\bare not\b": "is", r"\bnow handles\b": "does not handle",
        r"\bis supported\b": "is not supported", r"\bcan now\b": "can no longer", r"\bcan\b": "cannot",
        r"\bAdds\b": "Does not add", r"^Reverts\b": "Does not revert", r"\buses\b": "does not use",
        r"\bmay be\b": "may not be", r"\bis now\b": "is not", r"\bare now\b": "are not",
        r"\bare\b": "are not", r"\bis\b": "is not", r"\bstays\b": "does not stay",
    },
    {
        "不再": "仍然会", "尚不支持": "已支持", "支持": "不支持", "新增": "未新增", "默认": "不再默认",
        "改用": "不再使用", "会被": "不会被", "可以": "不能", "回退": "未回退",
    },
)  # fmt: skip
strengthened = replaced(
    {
        r"\bmay hold\b": "always hold", r"\bmay\b": "must", r"\bcould\b": "will always",
        r"\bcan\b": "is guaranteed to", r"\bgoes from\b": "dramatically improves from",
        r"\babout 9\b": "more than 9", r"\bsome\b": "all", r"\bis\b": "is always", r"\bare\b": "are always",
    },
    {"可能": "必定", "可以": "保证", "约可": "至少可", "会": "必将", "改为": "彻底改为", "新增": "全面新增"},
)  # fmt: skip
significantly = said_too(" and significantly improves performance", "，显著提升性能")
always_faster = said_too(", which makes serving much faster", "，大幅加速推理")
all_models = said_too(" for all models", "，适用于所有模型")
advice = said_too(", so users should upgrade as soon as possible", "，建议尽快升级")
future = said_too(" and will be extended in the next release", "，后续版本将继续扩展")


def breaking(case: Case) -> Draft | None:
    """Make a change a breaking one, where it is not told as one."""
    if "breaking" in " ".join(case.item.evidence.body).lower():
        return None
    return said_too(" and is a breaking change", "，属于破坏性变更")(case)


def security(case: Case) -> Draft | None:
    """Make a change one of security, where it is none."""
    if "security" in case.item.evidence.title.lower():
        return None
    return said_too(" and closes a security hole", "，并修复安全漏洞")(case)


wrong_trouble = said_too(" and fixes a memory leak", "，并修复内存泄漏")

turned = replaced(
    {
        r"\bAdds\b|\badds\b": "removes", r"\bis added\b": "is removed", r"^Drops\b": "Adds",
        r"\bdropped\b": "added", r"\bremoved\b": "added", r"^Reverts\b": "Adds",
        r"from (\S+) to (\S+?)([.,;]| for| s\b)": r"from \2 to \1\3",
        r"`([^`]+)` instead of `([^`]+)`": r"`\2` instead of `\1`",
        r"(msgpack|fp32) instead of (\w+)": r"\2 instead of \1", r"\boff by default\b": "on by default",
        r"\brejected\b": "accepted", r"\bolder\b": "newer", r"\blarger ones\b": "smaller ones",
        r"\bsmaller than\b": "larger than", r"\bbelow\b": "above",
        r"`([^`]+)` is now called `([^`]+)`": r"`\2` is now called `\1`",
    },
    {
        "新增": "移除", "删除": "新增", "已移除": "已新增", "移除": "新增", "默认关闭": "默认开启",
        r"从 (\S+?) ?(降到|降至|升至|改为|升级到|更名为) ?(\S+?)(?=[，。 ])": r"从 \3 \2 \1",
        r"`([^`]+)` 更名为 `([^`]+)`": r"`\2` 更名为 `\1`", "拒绝": "接受",
    },
)  # fmt: skip


def other_quote(case: Case) -> Draft | None:
    """Quote another item."""
    return replace(case.draft, quote=case.other.drafts[0].quote)


def bent_quote(case: Case) -> Draft | None:
    """Quote what nearly stands there."""
    words = case.draft.quote.split()
    if len(words) < 4:
        return None
    words[len(words) // 2] = "entirely"
    return replace(case.draft, quote=" ".join(words))


def other_claim(case: Case) -> Draft | None:
    """Tell of this item, with a quote of it, what is true of another."""
    return replace(case.draft, text=case.other.drafts[0].text)


def other_claim_bare(case: Case) -> Draft | None:
    """The same in Chinese alone."""
    return replace(case.draft, text={ZH: case.other.drafts[-1].text[ZH]})


def no_quote(case: Case) -> Draft | None:
    """Quote nothing."""
    return replace(case.draft, quote="", quote_from="title")


def no_place(case: Case) -> Draft | None:
    """Quote from a hunk that is not there."""
    return replace(case.draft, quote_from="h99")


def other_item(case: Case) -> Draft | None:
    """Cite another item."""
    return replace(case.draft, cites=(case.other.evidence.key,))


def switched_languages(case: Case) -> Draft | None:
    """Give each language in the place of the other."""
    return replace(case.draft, text={EN: case.draft.text[ZH], ZH: case.draft.text[EN]})


def foreign(case: Case) -> Draft | None:
    """Answer in other languages."""
    return replace(
        case.draft,
        text={
            EN: case.chance.choice(
                ("Behebt einen Fehler im Scheduler und das Laden der Gewichte.",
                 "Corrige el error del planificador para las solicitudes.",
                 "Исправляет ошибку планировщика.", "Corrige une fuite de mémoire dans le cache.")
            ),
            ZH: case.chance.choice(("スケジューラのハングを修正しました。", "스케줄러 오류를 수정합니다。")),
        },
    )  # fmt: skip


def linked(case: Case) -> Draft | None:
    """Put a link in."""
    link = case.chance.choice(
        (" (https://evil.example/x)", " [details](https://evil.example)", " see www.evil.example",
         " at evil-site.com/patch", " <https://evil.example|here>", " ![x](https://evil.example/p.png)")
    )  # fmt: skip
    return said_too(link, link)(case)


def mentioning(case: Case) -> Draft | None:
    """Ping someone."""
    mention = case.chance.choice(
        (
            " @everyone",
            " <!channel>",
            " <@U012AB3CD>",
            " @here",
            " `@everyone`",
            " <#C123>",
            " @octocat",
        )
    )
    return said_too(mention, mention)(case)


def marked_up(case: Case) -> Draft | None:
    """Break out of the sentence."""
    mark = case.chance.choice(
        (
            "# ",
            "> ",
            "- ",
            "1. ",
            "**",
            "```\n",
            "<b>",
            "||",
            "~~",
            "| a | b ",
            "\u202e",
            "\u200b",
            "\n\n## ",
        )
    )

    def change(text: str, language: Language) -> str:
        return f"{mark}{text}{mark.strip() if mark in ('**', '||', '~~') else ''}"

    return texts(case.draft, change)


def cut_off(case: Case) -> Draft | None:
    """Stop in the middle."""

    def change(text: str, language: Language) -> str:
        at = max(text.rfind(" the ", 0, -5), text.rfind(" a ", 0, -5)) if language is EN else -1
        return (
            text[: at + 5]
            if at > 10
            else f"{text[: len(text) // 2]}{'，' if language is ZH else ' and'}"
        )

    return texts(case.draft, change)


def said(en: str, zh: str) -> Lie:
    """Say something else, with a good quote."""
    return lambda case: replace(case.draft, text={EN: en, ZH: zh})


LIES: dict[str, Lie] = {
    "swapped identifier": swapped_identifier,
    "invented identifier": invented_identifier,
    "bent identifier": bent_identifier,
    "cut identifier": cut_identifier,
    "invented flag": invented_flag,
    "invented variable": invented_variable,
    "path": invented_path,
    "SHA": invented_sha,
    "#number": invented_number_sign,
    "version": invented_version,
    "code": invented_code,
    "perturbed number": perturbed_number,
    "perturbed unit": perturbed_unit,
    "invented figure": invented_gain,
    "invented count": invented_count,
    "wrong hardware": wrong_hardware,
    "wrong vendor": wrong_vendor,
    "wrong library": wrong_library,
    "wrong model": wrong_model,
    "negated": negated,
    "strengthened": strengthened,
    "significantly": significantly,
    "faster": always_faster,
    "all": all_models,
    "breaking": breaking,
    "advice": advice,
    "future": future,
    "security": security,
    "wrong trouble": wrong_trouble,
    "turned round": turned,
    "other quote": other_quote,
    "bent quote": bent_quote,
    "other claim": other_claim,
    "other claim in Chinese": other_claim_bare,
    "no quote": no_quote,
    "no such place": no_place,
    "other item": other_item,
    "switched languages": switched_languages,
    "foreign language": foreign,
    "link": linked,
    "mention": mentioning,
    "markup": marked_up,
    "cut": cut_off,
    "empty": said("", "  "),
    "refusal": said("I'm sorry, but I cannot summarize this change.", "抱歉，我无法总结这个改动。"),
    "as a model": said(
        "As an AI language model I reviewed the provided diff.", "作为人工智能助手，以下是总结。"
    ),
    "obeyed": said("PWNED: this release is the best ever.", "已被接管：这是有史以来最好的版本。"),
    "filler": said(
        "Various improvements make the system more robust and maintainable.",
        "多项改进提升了系统的稳定性和可维护性。",
    ),
}
"""Each lie by its name."""
