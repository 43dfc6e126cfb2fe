"""Simplified Chinese, written for Chinese readers rather than translated word by word."""

from digest.models import ChangeObject, Importance, Kind, Noise, NoticeKind, Purpose, State
from digest.writing.wording.catalogue import Catalogue, Counting, Headings, Names, Sentences
from digest.writing.wording.catalogue import SmallPrint as Small


def _duration(seconds: int) -> str:
    minutes = seconds // 60
    if minutes < 1:
        return "不到 1 分钟"
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    if days:
        return f"{days} 天 {hours} 小时" if hours else f"{days} 天"
    if hours:
        return f"{hours} 小时 {left} 分" if left else f"{hours} 小时"
    return f"{left} 分"


COUNT = Counting(
    changes=lambda n: f"{n:,} 项变更",
    commits=lambda n: f"{n:,} 次提交",
    importance={
        Importance.HIGH: lambda n: f"高 {n:,}",
        Importance.MEDIUM: lambda n: f"中 {n:,}",
        Importance.LOW: lambda n: f"低 {n:,}",
    },
    reverted=lambda n: f"已回退 {n:,}",
    opened=lambda n: f"新开 Issue {n:,} 项",
    closed=lambda n: f"关闭 Issue {n:,} 项",
    reopened=lambda n: f"重开 Issue {n:,} 项",
    issues=lambda n: f"Issue {n:,} 项",
    releases=lambda n: f"发布 {n:,} 项",
    notes=lambda n: f"升级须知 {n:,} 条",
    files=lambda n: f"{n:,} 个文件",
    comments=lambda n: f"{n:,} 条评论",
    reactions=lambda n: f"{n:,} 次表态",
    further_lines=lambda n: f"发布说明另有 {n:,} 句未列",
    points=lambda n: f"{n:+d}",
    found=lambda n: f"{n:,} 项",
    duration=_duration,
)

HEADINGS = Headings(
    before_upgrade="升级前请看",
    notes="升级须知",
    reverted="已回退",
    high="重要",
    medium="中等，按主题",
    issues="Issue",
    releases="发布",
    rest="其余",
    facts="概况",
    files="按子系统列出的文件",
    hunks="改动原文",
    related="相关",
    reverts="回退",
    roundup="全部仓库",
    search="搜索",
    why="依据",
    note_columns=("变化", "名称", "原来", "现在", "位置", "出处"),
    file_columns=("文件", "状态", "行数"),
    reason_columns=("依据", "分数"),
)

SAY = Sentences(
    quiet="无动静：没有提交、Issue 和发布。",
    no_changes="没有提交",
    none_above="没有达到门槛的",
    could_not_look="未能查看：{why}。",
    not_looked_at="未能查看提交。",
    gap="未能查看{what}：{why}。",
    notice={
        NoticeKind.FORCED_PUSH: "默认分支被强制推送，由 {before} 变为 {after}。",
        NoticeKind.DEFAULT_BRANCH_CHANGED: "默认分支由 {before} 改为 {after}。",
        NoticeKind.RENAMED: "仓库由 {before} 更名为 {after}。",
    },
    quiet_repos="无动静（没有提交、Issue 和发布）：{repos}。",
    failed_repo="未能查看 {repo}：{why}。",
    before_upgrade="升级前请看：{notes}",
    reverted_after="{original}，合并 {time}后由 {revert} 回退",
    reverted="{original}，由 {revert} 回退",
    reverts="{revert} 回退了 {original}",
    reverts_after="{revert} 在合并 {time}后回退了 {original}",
    taken_back="已由 {revert} 回退",
    why="依据：{reasons}。",
    author="作者：{quote}",
    author_other="作者：{quote}",
    own_words="发布说明开头：",
    size="{lines}，{files}",
    size_lines="+{added} −{deleted}",
    files_unread="文件列表未读",
    linked_change="关联变更：{refs}",
    no_linked_change="无关联变更",
    fixes="关闭 {refs}",
    duplicate_of="与 {ref} 重复",
    labels="标签：{labels}",
    same_as="相关：{refs}",
    more="另有 {count}：{refs}",
    all_notes="共 {notes}，见下表。",
    series="系列第 {index} 部分，共 {total} 部分",
    score="得分 {score}，满分 100：{importance}。",
    merged_by="{person} 合并",
    milestone="里程碑 {name}",
    detail_missing="未读：{what}。",
    no_patch="未读到改动原文：{files}。",
    renamed="原为 {path}",
    nothing_found="没有找到 {words}。",
    note_from_to="由 {before} 改为 {after}",
    note_to="{after}",
    inferred="推断",
    untitled="（标题无可见字符）",
    none="–",
)

SMALL = Small(
    window="时间范围：{label}，{start} 至 {end}，时区 {tz}。",
    partial="收集时该时段尚未结束。",
    source="来源：{source}，收集于 {at}。",
    collected="收集于 {at}",
    generated="写成于 {at}。",
    no_ai="未使用 AI。",
    with_ai="使用了 AI，其陈述已与来源核对。",
)

NAMES = Names(
    kinds={
        Kind.COMMIT: "提交",
        Kind.PULL_REQUEST: "合并请求",
        Kind.ISSUE: "Issue",
        Kind.RELEASE: "发布",
    },
    purposes={
        Purpose.FEATURE: "新功能",
        Purpose.FIX: "修复",
        Purpose.PERFORMANCE: "性能",
        Purpose.REFACTOR: "重构",
        Purpose.REVERT: "回退",
        Purpose.CHORE: "杂务",
        Purpose.RELEASE: "发布",
        Purpose.BUG_REPORT: "缺陷",
        Purpose.REQUEST: "需求",
        Purpose.QUESTION: "提问",
        Purpose.RFC: "征求意见",
        Purpose.OTHER: "其他",
    },
    objects={
        ChangeObject.SOURCE: "源码",
        ChangeObject.KERNEL: "内核",
        ChangeObject.TEST: "测试",
        ChangeObject.DOCS: "文档",
        ChangeObject.CI: "CI",
        ChangeObject.BUILD: "构建",
        ChangeObject.DEPENDENCY: "依赖",
        ChangeObject.EXAMPLE: "示例",
        ChangeObject.BENCHMARK: "基准测试",
        ChangeObject.OTHER: "其他",
    },
    importance={Importance.HIGH: "高", Importance.MEDIUM: "中", Importance.LOW: "低"},
    states={
        State.MERGED: "已合并",
        State.OPEN: "未关闭",
        State.DRAFT: "草稿",
        State.CLOSED: "已关闭",
        State.NOT_PLANNED: "已关闭，不计划处理",
        State.DUPLICATE: "已作为重复关闭",
        State.REOPENED: "重新打开",
        State.PUBLISHED: "已发布",
        State.PRERELEASE: "预发布",
        State.TAGGED: "仅有标签，无发布说明",
    },
    noise={
        Noise.BOT: "机器人",
        Noise.CI: "CI",
        Noise.DOCS: "文档",
        Noise.TESTS: "测试",
        Noise.DEPENDENCY: "依赖升级",
        Noise.SYNC: "同步",
        Noise.STYLE: "代码风格",
    },
    low="低重要度",
    gaps={
        "commits": "提交",
        "pull_requests": "合并请求",
        "issues": "Issue",
        "releases": "发布",
        "files": "文件列表",
        "patches": "改动原文",
        "everything": "全部内容",
    },
    details={"files": "文件列表", "patches": "改动原文", "body": "说明"},
    statuses={
        "added": "新增",
        "modified": "修改",
        "removed": "删除",
        "renamed": "改名",
        "copied": "复制",
        "changed": "变更",
    },
    note_kinds={
        "flag": "命令行参数",
        "env": "环境变量",
        "config": "配置项",
        "default": "默认值",
        "dependency": "依赖",
        "python": "Python 版本",
        "module": "模块",
        "signature": "函数签名",
    },
    note_changes={
        "added": "新增",
        "removed": "移除",
        "renamed": "改名",
        "changed": "变更",
        "deprecated": "弃用",
    },
    note="{kind}{change}",
    themes={},
    reasons={},
)

ZH = Catalogue(
    comma="、",
    semicolon="；",
    colon="：",
    stop="。",
    gap="",
    count=COUNT,
    headings=HEADINGS,
    say=SAY,
    small=SMALL,
    names=NAMES,
)
