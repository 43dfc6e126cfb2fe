"""What became of a followed item upstream, in words; one set for each language."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.model.following import Turn
from digest.languages import Language


@dataclass(frozen=True, slots=True)
class UpstreamWords:
    """`turns` take `fix`, `by` and `release`, each of them a link."""

    turns: Mapping[Turn, str]
    told_as: str
    corrected: str
    became: str
    nothing_became: str
    watching: str
    watching_no_more: str


UPSTREAM_WORDS: Mapping[Language, UpstreamWords] = {
    Language.EN: UpstreamWords(
        turns={
            Turn.MERGED: "merged",
            Turn.CLOSED: "closed",
            Turn.FIXED: "fixed by {fix}",
            Turn.NOT_PLANNED: "closed as not planned",
            Turn.DUPLICATE: "closed as a duplicate",
            Turn.REOPENED: "opened again",
            Turn.LINKED: "{fix} is to fix it",
            Turn.REVERTED: "reverted by {by}",
            Turn.RELEASED: "released in {release}",
            Turn.PULLED: "the release was pulled",
            Turn.MISSING: (
                "not there any more: deleted, moved or private; it is not followed any further"
            ),
            Turn.BACK: "there again",
        },
        told_as="told on {day}, and since then {what}",
        corrected="Corrections to what was told before",
        became="What became of what was flagged",
        nothing_became="nothing new upstream",
        watching="You hear of {ref} until it is released. Press again to stop.",
        watching_no_more="You hear of {ref} no more.",
    ),
    Language.ZH: UpstreamWords(
        turns={
            Turn.MERGED: "已合并",
            Turn.CLOSED: "已关闭",
            Turn.FIXED: "已由 {fix} 修复",
            Turn.NOT_PLANNED: "已关闭（不予处理）",
            Turn.DUPLICATE: "已关闭（重复）",
            Turn.REOPENED: "重新打开",
            Turn.LINKED: "{fix} 将修复它",
            Turn.REVERTED: "已被 {by} 回退",
            Turn.RELEASED: "已随 {release} 发布",
            Turn.PULLED: "该发布已撤回",
            Turn.MISSING: "已不存在（被删除、移走或转为私有），不再跟踪",
            Turn.BACK: "重新出现",
        },
        told_as="{day} 播报后，{what}",
        corrected="对此前播报的更正",
        became="已标记事项的后续",
        nothing_became="上游暂无新进展",
        watching="在 {ref} 发布之前，有进展会通知你。再按一次取消。",
        watching_no_more="不再就 {ref} 通知你。",
    ),
}
