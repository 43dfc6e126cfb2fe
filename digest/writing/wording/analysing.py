"""The words of an analysis, in every language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from digest.languages import Language


class Heading(StrEnum):
    """The sections of an analysis that may hold the author's own sentences."""

    ARCHITECTURE = "architecture"
    PERFORMANCE = "performance"
    SECURITY = "security"
    MAINTAINABILITY = "maintainability"
    COMPATIBILITY = "compatibility"
    TEST = "test"
    BENCHMARK = "benchmark"
    RISK = "risk"
    FOR_DEVELOPERS = "for_developers"
    FOR_USERS = "for_users"
    FOR_MAINTAINERS = "for_maintainers"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class AnalysisWords:
    """Headings and templates of one language; `{names}` are filled by `phrasing.fill`."""

    reason: str
    described: str
    insight: str
    kinds: Mapping[Heading, str]
    recommended: str
    surface: str
    surface_kinds: Mapping[str, str]
    not_seen: str
    not_whole: str
    tests_touched: str
    benchmarks_touched: str
    no_benchmark: str
    runs: str
    figures: str
    breaking: str
    taken_back: str
    imports_change: str
    pins_change: str
    hunks_shown: str
    model_saw: str
    further_lines: Callable[[int], str]
    further_files: Callable[[int], str]
    title_day: str
    contents: str
    commits: str
    commit_columns: tuple[str, str, str, str]
    medium: str
    low: str


EN = AnalysisWords(
    reason="Why, as the author states it",
    described="As the author describes it",
    insight="Insight",
    kinds={
        Heading.ARCHITECTURE: "Architecture",
        Heading.PERFORMANCE: "Performance",
        Heading.SECURITY: "Security",
        Heading.MAINTAINABILITY: "Maintainability",
        Heading.COMPATIBILITY: "Compatibility",
        Heading.TEST: "Tests",
        Heading.BENCHMARK: "Benchmarks",
        Heading.RISK: "Risks",
        Heading.FOR_DEVELOPERS: "For developers",
        Heading.FOR_USERS: "For users",
        Heading.FOR_MAINTAINERS: "For maintainers",
        Heading.QUESTION: "Open points",
    },
    recommended="Whom it concerns",
    surface="Public names touched",
    surface_kinds={
        "flag": "flags",
        "env": "environment variables",
        "config": "settings",
        "default": "defaults",
        "dependency": "dependencies",
        "python": "Python version",
        "module": "modules",
        "function": "public Python and C++ functions",
        "header": "public headers",
    },
    not_seen="What was not looked at",
    not_whole="Could not be looked at whole: {why}.",
    tests_touched="Test files touched: {files}.",
    benchmarks_touched="Benchmark files touched: {files}.",
    no_benchmark="Speed is claimed; the description shows no result of a benchmark.",
    runs="What the author ran",
    figures="Results in the description",
    breaking="{notes} above: {names}.",
    taken_back="It was taken back: {revert}.",
    imports_change="Public names changed, renamed or removed: {names}.",
    pins_change="Required versions changed: {names}.",
    hunks_shown="{shown} of {total} hunks are shown: {link}",
    model_saw="The model saw {lines} of {lines_total} changed lines and {sentences} of "
    "{sentences_total} sentences.",
    further_lines=lambda n: f"{n:,} further {'line' if n == 1 else 'lines'}",
    further_files=lambda n: f"{n:,} further {'file' if n == 1 else 'files'}",
    title_day="{repo} · {label} · analysis",
    contents="Contents",
    commits="Commits",
    commit_columns=("Time ({tz})", "Author", "Title", "Change"),
    medium="Medium, in short",
    low="Low, one line each",
)

ZH = AnalysisWords(
    reason="作者说明的原因",
    described="作者的描述",
    insight="技术洞察",
    kinds={
        Heading.ARCHITECTURE: "架构",
        Heading.PERFORMANCE: "性能",
        Heading.SECURITY: "安全",
        Heading.MAINTAINABILITY: "可维护性",
        Heading.COMPATIBILITY: "兼容性",
        Heading.TEST: "测试",
        Heading.BENCHMARK: "基准测试",
        Heading.RISK: "风险",
        Heading.FOR_DEVELOPERS: "开发者",
        Heading.FOR_USERS: "用户",
        Heading.FOR_MAINTAINERS: "维护者",
        Heading.QUESTION: "未决问题",
    },
    recommended="与谁有关",
    surface="涉及的公开名称",
    surface_kinds={
        "flag": "命令行参数",
        "env": "环境变量",
        "config": "配置项",
        "default": "默认值",
        "dependency": "依赖",
        "python": "Python 版本",
        "module": "模块",
        "function": "公开的 Python 和 C++ 函数",
        "header": "公开头文件",
    },
    not_seen="没有查看的部分",
    not_whole="未能完整查看：{why}。",
    tests_touched="涉及的测试文件：{files}。",
    benchmarks_touched="涉及的基准测试文件：{files}。",
    no_benchmark="声称有性能变化，但描述中没有基准测试结果。",
    runs="作者执行的命令",
    figures="描述中的结果",
    breaking="见上文{notes}：{names}。",
    taken_back="此变更已被回退：{revert}。",
    imports_change="变更、改名或移除的公开名称：{names}。",
    pins_change="所需版本有变：{names}。",
    hunks_shown="共 {total} 个 hunk，显示了 {shown} 个：{link}",
    model_saw="模型看到 {lines_total} 行变更中的 {lines} 行，{sentences_total} 句说明中的 "
    "{sentences} 句。",
    further_lines=lambda n: f"另有 {n:,} 行",
    further_files=lambda n: f"另有 {n:,} 个文件",
    title_day="{repo} · {label} · 分析",
    contents="目录",
    commits="提交",
    commit_columns=("时间（{tz}）", "作者", "标题", "变更"),
    medium="中重要度（简述）",
    low="低重要度（每项一行）",
)

ANALYSIS_WORDS: Mapping[Language, AnalysisWords] = {Language.EN: EN, Language.ZH: ZH}
