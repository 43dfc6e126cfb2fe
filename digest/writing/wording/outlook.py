"""The words of what to watch, in every language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from digest.languages import Language


@dataclass(frozen=True, slots=True)
class OutlookWords:
    """The heading, and a template for each kind of thing to watch."""

    heading: str
    rfc: str
    reverted_feature: str
    unreleased: str
    fixes: Callable[[int], str]
    flagged: str


OUTLOOK_WORDS: Mapping[Language, OutlookWords] = {
    Language.EN: OutlookWords(
        heading="What to watch",
        rfc="{repo}: open RFC: {titles}",
        reverted_feature="{repo}: taken back and not landed again: {titles}",
        unreleased="{repo}: {count} not in {release} (released {day}): {titles}",
        fixes=lambda n: f"{n:,} {'fix' if n == 1 else 'fixes'}",
        flagged="Flagged in this channel",
    ),
    Language.ZH: OutlookWords(
        heading="值得关注",
        rfc="{repo}：开放的 RFC：{titles}",
        reverted_feature="{repo}：已回退且尚未重新合入：{titles}",
        unreleased="{repo}：{count}不在 {release} 中（{day} 发布）：{titles}",
        fixes=lambda n: f"{n:,} 项修复",
        flagged="本频道标记",
    ),
}
