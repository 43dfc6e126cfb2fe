"""Names of the field in a question, and how else they are written: closed lists (pure).

Titles are English: who asks for 注意力 finds what calls it attention, and who asks for Blackwell
what says SM100. What the lists of `digest.reading.whom` hold is one name, be it of several words.
"""

import re
from collections.abc import Container, Mapping

from digest.reading.whom import FEATURE, MODEL, NVIDIA, SETTING, VENDOR
from digest.store.words import words as words_of

_SPELLINGS = (
    ("attention", "注意力"),
    ("quantization", "quant", "量化"),
    ("multimodal", "multi modal", "多模态"),
    ("speculative decoding", "spec decoding", "spec decode", "speculative", "投机解码", "推测解码"),
    ("prefix caching", "prefix cache", "前缀缓存"),
    ("kv cache", "kvcache", "kv 缓存"),
    ("cuda graph", "cudagraph", "cuda 图"),
    ("tensor parallel", "tp", "张量并行"),
    ("pipeline parallel", "pp", "流水线并行"),
    ("data parallel", "dp", "数据并行"),
    ("expert parallel", "ep", "专家并行"),
    ("context parallel", "cp", "上下文并行"),
    ("moe", "mixture of experts", "混合专家", "专家模型"),
    ("disaggregation", "disagg", "disaggregated", "pd 分离"),
    ("structured output", "guided decoding", "结构化输出"),
    ("tool call", "tool calling", "function call", "工具调用", "函数调用"),
    ("load balancing", "load balancer", "负载均衡"),
    ("scheduler", "scheduling", "调度器", "调度"),
    ("sampling", "sampler", "采样"),
    ("tokenizer", "分词器"),
    ("streaming", "流式"),
    ("offloading", "offload", "卸载"),
    ("distributed", "分布式"),
    ("compile", "compilation", "编译"),
    ("diffusion", "扩散"),
    ("metrics", "指标"),
    ("logging", "日志"),
    ("audio", "音频", "语音"),
    ("video", "视频"),
    ("router", "routing", "路由"),
    ("amd", "rocm", "hip"),
    ("ascend", "npu", "昇腾"),
    ("blackwell", "sm100", "b200"),
    ("hopper", "sm90", "h100"),
    ("mi300", "gfx942"),
    ("mi355", "gfx950"),
)
ALSO: Mapping[str, tuple[str, ...]] = {
    spelled: tuple(other for other in alike if other != spelled)
    for alike in ([words_of(each).strip() for each in some] for some in _SPELLINGS)
    for spelled in alike
}
"""Other spellings of a name, all as they are looked for."""
_KNOWN = re.compile(
    "|".join(
        rf"\b{re.escape(each)}\b" if each.isascii() else re.escape(each)
        for each in sorted({each for some in _SPELLINGS for each in some}, key=len, reverse=True)
        if " " in each or not each.isascii()
    ),
    re.IGNORECASE,
)


def with_names(text: str, known: Container[str]) -> str:
    """Give a text in which each name of the field is one word, `deepseek-v3.2`, and Latin.

    What is `known` in lower case is left as it stands.
    """
    found: dict[int, re.Match[str]] = {}
    # Hardware before models: `Qwen3 MI300` is two names, though `Kimi K2.5` is one.
    for pattern in (SETTING, _KNOWN, VENDOR, NVIDIA, FEATURE, MODEL):
        for match in pattern.finditer(text):
            taken = any(
                match.start() < other.end() and other.start() < match.end()
                for other in found.values()
            )
            if not taken and match[0].strip() and match[0].casefold() not in known:
                found[match.start()] = match
    parts, at = [], 0
    for start in sorted(found):
        parts += [text[at:start], f" {_one_word(found[start][0])} "]
        at = found[start].end()
    return "".join((*parts, text[at:]))


def _one_word(name: str) -> str:
    alike = ALSO.get(words_of(name).strip(), ())
    latin = name if name.isascii() else next(each for each in alike if each.isascii())
    return "-".join(latin.split())
