"""Lies in what is said: denied, strengthened, turned round, made up."""

# ruff: noqa: E501 - a lie stays beside what it changes

from digest.claims import Draft
from tests.digest.grounding.lying import Case, replaced, said_too

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
