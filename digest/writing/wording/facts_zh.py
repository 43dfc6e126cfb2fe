"""Facts and stories in simplified Chinese."""

from collections.abc import Callable

from digest.facts import Subject, Symptom
from digest.writing.wording.fact_words import FactTemplates, FactWords, PageWords, StoryWords


def _noun(word: str) -> Callable[[int], str]:
    return lambda _: word


def _cases(word: str) -> Callable[[int], str]:
    return lambda n: f"{word} {n:,}"


ZH_FACTS = FactWords(
    nouns={
        Subject.FLAG: _noun("参数"),
        Subject.ENV: _noun("环境变量"),
        Subject.CHOICE: _noun("可选值"),
        Subject.REQUEST_FIELD: _noun("请求字段"),
        Subject.RESPONSE_FIELD: _noun("响应字段"),
        Subject.CONFIG_FIELD: _noun("配置项"),
        Subject.API_NAME: _noun("公开接口"),
        Subject.API_ARGUMENT: _noun("接口参数"),
        Subject.ENDPOINT: _noun("端点"),
        Subject.METRIC: _noun("指标"),
        Subject.DEPENDENCY: _noun("依赖"),
        Subject.PLATFORM: _noun("平台"),
        Subject.MODEL: _noun("模型"),
        Subject.HARDWARE: _noun("硬件"),
        Subject.BACKEND: _noun("后端"),
        Subject.QUANTIZATION: _noun("量化"),
        Subject.FEATURE: _noun("功能"),
        Subject.MODULE: _noun("模块"),
    },
    symptoms={
        Symptom.WRONG_OUTPUT: "输出错误",
        Symptom.CRASH: "崩溃",
        Symptom.HANG: "卡死",
        Symptom.MEMORY_LEAK: "内存泄漏",
        Symptom.OUT_OF_MEMORY: "内存不足",
        Symptom.CANNOT_START: "无法启动",
        Symptom.BAD_ANSWER: "接口返回错误",
        Symptom.SLOW: "变慢",
        Symptom.DATA_LOSS: "数据丢失",
        Symptom.SECURITY: "安全",
        Symptom.BUILD_FAILS: "构建失败",
        Symptom.BROKEN: "故障",
    },
    cases={
        Symptom.WRONG_OUTPUT: _cases("输出错误"),
        Symptom.CRASH: _cases("崩溃"),
        Symptom.HANG: _cases("卡死"),
        Symptom.MEMORY_LEAK: _cases("内存泄漏"),
        Symptom.OUT_OF_MEMORY: _cases("内存不足"),
        Symptom.CANNOT_START: _cases("无法启动"),
        Symptom.BAD_ANSWER: _cases("接口返回错误"),
        Symptom.SLOW: _cases("变慢"),
        Symptom.DATA_LOSS: _cases("数据丢失"),
        Symptom.SECURITY: _cases("安全"),
        Symptom.BUILD_FAILS: _cases("构建失败"),
        Symptom.BROKEN: _cases("其他故障"),
    },
    facts=FactTemplates(
        added="新增{what} {names}",
        added_choices="（{value}）",
        added_default="（默认 {value}）",
        removed="移除{what} {names}",
        removed_now="移除{what} {names}，改用 {now}",
        renamed="{what}改名：{before} → {after}",
        default="默认值 {name}：{before} → {after}",
        default_to="默认值 {name} 改为 {after}",
        default_on="现在默认开启：{name}",
        default_off="现在默认关闭：{name}",
        default_chosen="现在的默认：{name}",
        changed="{what} {names} 有变",
        changed_to="{what} {names} 改为 {after}",
        changed_values="{what} {names}：{before} → {after}",
        deprecated="弃用{what} {names}",
        deprecated_now="弃用{what} {names}，改用 {now}",
        moved="导入路径变更：{before} → {after}",
        moved_from="导入路径变更：{before}",
        needs="需要 {name} {after}",
        needs_was="需要 {name} {after}，原为 {before}",
        no_longer_needs="不再需要 {name}",
        supported="{what} {names}",
        no_longer_supported="不再支持{what} {names}",
        faster="作者实测：“{quote}”",
        whom="涉及 {whom}",
        only="（{conditions}）",
    ),
    stories=StoryWords(
        mostly="主要在做",
        story="相关改动",
        stories="相关改动",
        size=lambda n: f"{n:,} 项",
        by="{people}",
        others=lambda n: f"等 {n} 人",
        parts="第 {parts} 部分，共 {of}",
        complete="完成",
        began="始于 {day}",
        earlier=lambda n: f"此前 {n:,} 项",
    ),
    page=PageWords(
        bitten="你可能踩过的坑",
        new="新增",
        also="另外",
        foremost=lambda n: "最重要的一项" if n == 1 else f"重点关注 · {n} 项",
        fixed="其他修复",
        added="其他新增",
        changed="其他变更",
        more="另有 {count} 项：{items}",
        show="显示 {count} 项修复",
        prereleases="预发布",
        whole="其他变更：全部 {count} 项",
        rest={"fixed": "修复", "added": "新增", "changed": "其他变更", "issues": "Issue"},
        in_short="概览",
        in_short_fixed="修复：{items}",
        in_short_new="新增：{items}",
        counted="{noun} {count}",
    ),
)
