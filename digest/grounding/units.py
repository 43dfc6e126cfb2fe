"""Units of measure and nouns that are counted, each with its spellings in both languages."""

# ruff: noqa: E501 - a unit a line

import re

_MEASURED = {
    "%": "% percent pct 个百分点 百分点",
    "x": "x × times fold 倍",
    "ns": "ns nanosecond nanoseconds 纳秒",
    "us": "us μs µs usec microsecond microseconds 微秒",
    "ms": "ms msec millisecond milliseconds 毫秒",
    "s": "s sec secs second seconds 秒 秒钟",
    "min": "min mins minute minutes 分钟",
    "h": "h hr hrs hour hours 小时",
    "day": "day days 天",
    "B": "byte bytes 字节",
    "KB": "kb kilobyte kilobytes",
    "KiB": "kib",
    "MB": "mb megabyte megabytes",
    "MiB": "mib",
    "GB": "gb gigabyte gigabytes",
    "GiB": "gib",
    "TB": "tb tib terabyte terabytes",
    "GB/s": "gb/s gbps gib/s",
    "TB/s": "tb/s tbps",
    "MB/s": "mb/s mbps",
    "tok/s": "tok/s tokens/s token/s tps toks/s tokens/sec tok/sec",
    "req/s": "req/s requests/s rps qps",
    "it/s": "it/s its/s",
    "GFLOPS": "gflops gflop/s",
    "TFLOPS": "tflops tflop/s",
    "Hz": "hz",
    "GHz": "ghz",
    "W": "watt watts",
    "K": "k",
    "bit": "bit bits 位 比特",
    "°C": "°c",
}
MEASURED = {alias: unit for unit, aliases in _MEASURED.items() for alias in aliases.split()}
"""Unit of measure by spelling, in lower case."""

_COUNTED = (
    "file files 文件", "line lines 行", "token tokens 词元", "gpu gpus 显卡 卡", "node nodes 节点",
    "layer layers 层", "head heads 头", "expert experts 专家", "request requests 请求",
    "step steps 步", "thread threads 线程", "process processes 进程", "worker workers",
    "block blocks 块", "kernel kernels 内核 核函数 算子", "test tests 测试", "case cases 用例",
    "commit commits 提交", "model models 模型", "rank ranks", "batch batches 批 批次",
    "core cores 核", "stage stages 阶段", "dimension dimensions dims 维", "image images 图 图像 图片",
    "frame frames 帧", "iteration iterations 迭代", "epoch epochs 轮", "stream streams 流",
    "warp warps", "sample samples 样本", "retry retries 次重试", "time times 次",
    "flag flags 标志", "argument arguments 参数", "parameter parameters 参数", "api apis 接口",
    "example examples 示例", "backend backends 后端", "page pages 页", "slot slots 槽 槽位",
    "device devices 设备", "connection connections 连接", "bug bugs 缺陷", "issue issues 问题",
    "user users 用户",
)  # fmt: skip
COUNTED = {alias: tuple(group.split()) for group in _COUNTED for alias in group.split()}
"""All spellings of a counted noun by each of them."""


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_ASCII_END = r"(?![a-z0-9_])"
_MEASURE = "|".join(
    (
        rf"(?:{_alternatives([w for w in MEASURED if w[-1].isascii() and w != '%'])}){_ASCII_END}",
        _alternatives([w for w in MEASURED if not w[-1].isascii() or w == "%"]),
    )
)
_CLASSIFIER = "[个张台条项处种套组名路块只份类]"
_NOUNS = "|".join(
    (
        rf"(?:{_alternatives([w for w in COUNTED if w.isascii()])}){_ASCII_END}",
        _alternatives([w for w in COUNTED if not w.isascii()]),
    )
)
FIGURE = re.compile(
    rf"(?<![\w.#])(?P<value>\d{{1,3}}(?:,\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)(?!\.?\d)"
    rf"(?:[ -]?(?P<measure>{_MEASURE})|(?![a-z_])"
    rf"(?:(?: |-(?=(?:{_NOUNS})))?{_CLASSIFIER}? ?(?:[a-z][a-z-]{{1,20}} ){{0,2}}(?P<noun>{_NOUNS}))?)",
    re.ASCII,
)
"""A number in folded text in lower case, with its unit of measure or the noun that it counts."""

WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "sixteen": "16", "twenty": "20",
    "thirty": "30", "fifty": "50", "hundred": "100", "thousand": "1000", "million": "1000000",
    "dozen": "12", "dozens": "12", "hundreds": "100", "thousands": "1000",
    "两": "2", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8",
    "九": "9", "十": "10", "十二": "12", "百": "100",
}  # fmt: skip
WORD = re.compile(
    rf"\b({_alternatives([w for w in WORDS if w.isascii()])})\b(?! (?:more|other)\b)"
    r"|([两二三四五六七八九十百]{1,2})(?=[个种处项条类次行层套组台张倍段级维步页])",
    re.ASCII,
)
"""A number in words, with the Chinese one only before what counts."""

DOUBLE = re.compile(
    r"\b(?:doubl(?:es|ed|ing)|twice(?= (?:as|the))|two-?fold)\b|翻倍|翻番|加倍|一倍", re.ASCII
)
HALF = re.compile(r"\b(?:halv(?:es|ed|ing)|(?:by|in) half|half (?:of|the))\b|减半|一半", re.ASCII)
TRIPLE = re.compile(r"\b(?:tripl(?:es|ed|ing)|three-?fold)\b", re.ASCII)
TWICE = re.compile(r"\btwice\b(?! (?:as|the))|两次|两遍", re.ASCII)
