"""An issue reports and asks; it does not fix, add or support anything."""

# ruff: noqa: E501 - the words of a pattern stay in one line

import re

from digest.grounding.source import Source

_DONE = re.compile(
    r"^(?:this (?:issue|change|pr) )?(?:now )?(?:fixes|adds|supports|removes|enables|disables|"
    r"improves|implements|introduces|resolves|updates|optimi[sz]es|refactors|reverts|corrects|"
    r"addresses|solves)\b"
    r"|\b(?:has|have|had) (?:now )?been (?:\w+ly )?(?:fixed|added|merged|resolved|implemented|"
    r"supported|released|removed|addressed|solved|closed)\b"
    r"|\b(?:is|are|was|were) (?:now |already )?(?:fixed|merged|resolved|implemented|released|solved)\b"
    r"|\bnow (?:supports?|works?|runs?|uses?|handles?|fixed)\b|\bno longer\b"
    r"|^(?:已|现已|目前已)?(?:修复|修正|解决|新增|添加|增加了|引入|移除|支持|启用|优化了?|改进了?|实现了?)了?"
    r"|(?:已经?|现已|得到了?)(?:被)?(?:修复|修正|解决|合并|支持|新增|添加|实现|发布|移除|关闭)|现在(?:支持|可以)",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"state: (?:closed|merged)|\bfixed (?:by|in)\b|\bclosed\b", re.ASCII)


def undone(text: str, source: Source) -> str:
    """Give the words with which a sentence tells as done what an open issue asks for."""
    found = _DONE.search(text.strip())
    if found is None or any(_CLOSED.search(fact) for fact in source.facts):
        return ""
    return found.group()
