"""What the answer to a question in plain words says, in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from digest.languages import Language
from digest.query.query import About


@dataclass(frozen=True, slots=True)
class AskingWords:
    """Templates of one language."""

    kinds: Mapping[About, str]
    repositories: str
    nothing_found: str
    nothing_stored: str
    kindless: str
    without: str
    more: str
    not_stored: str
    incomplete: str
    as_command: str
    read_by: str
    also: str
    day: str
    months: tuple[str, ...]
    pause: str


ASKING: Mapping[Language, AskingWords] = {
    Language.EN: AskingWords(
        kinds={
            About.BROKE: "what broke or was fixed",
            About.CRASH: "crashes",
            About.HANG: "hangs",
            About.MEMORY: "memory",
            About.SLOW: "slow",
            About.SECURITY: "security",
            About.BREAKING: "what an upgrade meets",
            About.REMOVED: "removed",
            About.RENAMED: "renamed",
            About.DEPRECATED: "deprecated",
            About.DEFAULT: "defaults",
            About.ADDED: "added",
            About.REVERTED: "reverted",
            About.RELEASED: "releases",
            About.SPEED: "speed",
            About.FLAG: "flags",
            About.ENV: "environment variables",
            About.API: "API",
            About.REQUIREMENT: "requirements",
        },
        repositories="{count} repositories",
        nothing_found="Nothing in the stored days fits. Titles and facts are mostly English: "
        "names as the code writes them are found best.",
        nothing_stored="Nothing could be looked at: none of these days is stored.",
        kindless="No such fact is known; these fit the words:",
        without="Nowhere found: {words}",
        more="And {count} more.",
        not_stored="Not stored, so not looked at: {repos} ({days})",
        incomplete="Stored in part: {repos} ({days})",
        as_command="As a command: {command}",
        read_by="Question read by {model}",
        also="; also looked for: {words}",
        day="{day} {month}",
        months=(
            *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
            *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
        ),
        pause=", ",
    ),
    Language.ZH: AskingWords(
        kinds={
            About.BROKE: "故障与修复",
            About.CRASH: "崩溃",
            About.HANG: "卡死",
            About.MEMORY: "内存",
            About.SLOW: "变慢",
            About.SECURITY: "安全",
            About.BREAKING: "升级须知",
            About.REMOVED: "移除",
            About.RENAMED: "改名",
            About.DEPRECATED: "弃用",
            About.DEFAULT: "默认值",
            About.ADDED: "新增",
            About.REVERTED: "回退",
            About.RELEASED: "发布",
            About.SPEED: "性能",
            About.FLAG: "参数",
            About.ENV: "环境变量",
            About.API: "接口",
            About.REQUIREMENT: "依赖",
        },
        repositories="{count} 个仓库",
        nothing_found="已存的日子里没有符合的条目。标题和事实多为英文，请按代码里的写法给出名称。",
        nothing_stored="无从查找：这些日子都没有存。",
        kindless="没有这一类的事实；以下条目含有所问的词：",
        without="没有找到：{words}",
        more="另有 {count} 项。",
        not_stored="未存、因而未查：{repos}（{days}）",
        incomplete="只存了一部分：{repos}（{days}）",
        as_command="写成命令：{command}",
        read_by="提问由 {model} 解读",
        also="；同时查找：{words}",
        day="{month}{day} 日",
        months=tuple(f"{number} 月 " for number in range(1, 13)),
        pause="、",
    ),
}
