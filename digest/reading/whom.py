"""Whom a change is about: the models, hardware, features and settings that its title names.

Names are copied as the author writes them. The lists hold what inference software is made of and
runs on, not what one repository calls its parts.
"""

import re
from collections.abc import Iterable, Iterator

MODEL = re.compile(
    r"\b(?:(?!(?:non|pre|post|multi|only|fix|revert|skip|drop|add|rocm|hip|amd|npu|xpu|cpu|cuda)-)(?-i:[A-Z])\w{1,15}-)?(?:deepseek|dsv?\d|qwen|qwq|llama|llava|glm|chatglm|kimi|minimax|minicpm|gemma|paligemma|"
    r"mistral|ministral|mixtral|pixtral|magistral|devstral|voxtral|gpt[- ]?oss|nemotron|hunyuan|"
    r"ernie|granite|internlm|internvl|intern-s|interns|phi-?\d|step-?\d|bailing|ling-|ring-|mimo|"
    r"cohere|command-|janus(?:-pro)?|exaone|falcon|jamba|bamba|olmo|molmo|whisper|ultravox|parakeet|longcat|lfm2|"
    r"seed-oss|dots|arcee|apertus|ovis|moondream|florence|bert|bge|jina|colqwen|colbert|siglip|"
    r"clip|flux|wan2|qwen-image|z-image|ltx|hidream|sana|stable diffusion|glm-image|grok|gigachat|"
    r"plamo|solar|nanbeige|music ?flamingo|audio ?flamingo|gr00t|keye|starcoder|gpt-?[2jn])"
    r"(?:[-. _]?(?:v?\d(?:\w|\.(?=\d))*|(?!rocm|cuda?\d)[a-z]{1,9}\d(?:\w|\.(?=\d))*|v(?= ?\d)|"
    r"(?:vl|ocr|asr|omni|next|coder|moe|mtp|super|nano|parse|large|mini|flash|air|(?-i:Image)|h)"
    r"(?![a-z]))){0,4}+\b"
    r"(?!\(|/(?:\W|$|[a-z_]+/|[\w/-]+\.(?:py|cuh?|md)\b)|\.(?:py|cuh?|cpp|hpp|h|md|json|ya?ml)\b)",
    re.IGNORECASE,
)
VENDOR = re.compile(
    r"\b(?:amd|rocm|hip|mi\d{3}\w?|gfx\d{3,4}\w?|aiter|ascend(?!ing|ant|s\b|ed\b)\w*|npu|cann|intel|xpu|gaudi|hpu|"
    r"habana|tpu|(?<!\bgpu[-/>])(?<!\bgpu->)(?<!\bgpu<->)(?<!\bgpu <-> )(?<!\bgpu to )"
    r"cpu(?! ?(?:graph|offload|memory|time|tensor|overhead|sync|copy|side|buffer|block"
    r"s?|cache|kv|(?:-|/|<?->|to) ?gpu))|arm(?:64)?|aarch64|riscv|power(?:pc| vsx)|s390x|mps|metal|"
    r"apple|musa|moore ?threads|maca|metax|kunlun|cambricon|hygon|dcu|wsl2?|"
    r"(?<!attention )(?<!sliding )(?-i:Windows)(?! overlap\b)|(?<=\bon )windows(?! of)|"
    r"windows(?= (?:and|or) (?:linux|mac)| (?:build|compil|issues?\b|wheels?\b)))\b",
    re.IGNORECASE,
)
"""Hardware and systems beside the common one, NVIDIA on Linux."""
NVIDIA = re.compile(
    r"\b(?:sm_?\d{2,3}[af]?|sm12x|g?[bh][1-3]00|h20|a100|a10g?|l40s?|l20|v100|t4|"
    r"rtx(?: pro)? ?\d{4}|blackwell|hopper|ampere|ada|turing|rubin|dgx spark|thor|jetson|nvl\d+)\b",
    re.IGNORECASE,
)
FEATURE = re.compile(
    r"\b(?:(?:tensor|pipeline|data|expert|context|sequence) parallel\w*|(?:tp|pp|dp|ep|cp|dcp|sp)"
    r"(?: ?(?:>|>=|=|<) ?\d+|\d+)?(?=[ ,)/+:]|$)|pd[- ]disagg\w*|disagg\w*|\bpd\b|mtp|eagle\d?|"
    r"dflash|n-?gram|spec(?:ulative)?[- ]dec\w*|speculative|(?:piecewise |breakable |full )?"
    r"(?:cuda|acl) ?graphs?|torch\.compile|lora|multi-?modal|"
    r"prefix[- ]cach\w*|hicache|kv cache|"
    r"chunked[- ]prefill|async scheduling|overlap schedul\w*|structured outputs?|guided decoding|"
    r"tool[- ]call\w*|responses api|reasoning|streaming|fp8|nvfp4|mxfp[48]|int[48]|w\d+a\d+|awq|"
    r"gptq|gguf|marlin|cutlass|trt-?llm(?:[-_](?:gen|ragged|mla|mha|moe))?(?!_)|flashinfer|flashmla|deep_?gemm|deep_?ep|"
    r"moe|mla|gdn|kda|mamba\d?|swa|nixl|mooncake|lmcache|ray|transformers v?\d[\w.]*|"
    r"python ?[<>=]* ?3\.\d+|cuda \d+[\w.]*|weight sync|sleep mode|elastic ep|eplb|grammar)\b",
    re.IGNORECASE,
)
SETTING = re.compile(
    r"(?<![\w-])--[a-z][\w-]{2,60}|\b(?!TYPE_CHECKING\b)[A-Z][A-Z0-9]{2,20}_[A-Z0-9_]{3,60}\b"
)
CONDITION = re.compile(
    r"\b(?:(?:TP|PP|DP|EP|CP|DCP|SP)(?: size|_size)?|batch size|bs|head_dim|group_size) ?"
    r"(?:>=?|<=?|==?|≥|≤) ?\d+\b|"
    r"\b(?:prefill|decode|P|D) TP(?: size)? ?(?:!=|≠|<>|>|<) ?(?:prefill|decode|P|D) TP\b|"
    r"\b(?:when|with|under|during|on|without|if|while|after|in) "
    r"(?!(?:the )?(?:a |an )?(?:test|ci|doc))[^.;:()\[\]]{3,60}$",
    re.IGNORECASE,
)
"""What else must hold: a comparison, or the clause that ends a title."""
_PURPOSE = re.compile(
    r" (?:due to|because(?: of)?|caused by) | (?:to|so that|by|via|which|that|causing) (?=[a-z])"
)
"""Words after which a clause tells what was done or why, not when it holds."""
_FAULT = re.compile(r"(?:in|on|with)\b.* (?:crash|hang|error|issue|failure|bug|problem)s?$")
"""A clause that names the fault itself."""
_PLACE = re.compile(r"(?:in|on|with|after)\b", re.IGNORECASE)
"""Words before a place of the code as often as before a condition."""
_HOLDS = re.compile(r"\b(?:mode|when|if|while|under|during|without)\b", re.IGNORECASE)
_MEANS = re.compile(
    r"^(?:under|with|in|on) (?:the |an? )?[`'\"]?"
    r"(?:TYPE_CHECKING|if\b|try\b|(?:\w+ )?(?:locks?|mutex|guards?|flags?)$)",
    re.IGNORECASE,
)
"""What code is put under to mend it: nobody runs into that."""
_ONE_VENDOR = frozenset({"amd", "rocm", "hip"})
"""Names of one vendor's hardware: a line names it once."""
_ERRORS = ("CUDA_ERROR_", "CUBLAS_STATUS_")
"""How names begin of what was seen, not of whom it hit."""
MOST_NAMES = 6
_PATH = re.compile(
    r"(?<![\w.~/-])(?:[~.]{0,2}/[\w.+-]{1,80}){2,20}|"
    r"(?<![\w./-])[\w.+-]{1,80}(?:/[\w.+-]{1,80}){1,20}\.(?:py|cuh?|cpp|hpp|cc|h|md|so|rs)\b"
)
"""A path: what a folder is called says nothing of whom a change is for."""
_IN_PATH = re.compile(
    r"(?:^|[/_.])(rocm|hip|npu|ascend|xpu|musa|hpu|tpu|hopper|blackwell)(?=[/_.])|"
    r"(?:csrc|platforms)/(cpu)(?=[/.])"
)
"""Hardware that a folder or file is named after; `cpu` is mostly where something is kept."""
_WRITTEN = {
    "rocm": "ROCm",
    "hip": "ROCm",
    "ascend": "NPU",
    "hopper": "Hopper",
    "blackwell": "Blackwell",
}


def whom(text: str) -> tuple[str, ...]:
    """Return the models, hardware, features and settings that a text names, in its order.

    What stands before `::` is a namespace of the code: nobody chose it.
    """
    found: dict[str, tuple[int, str]] = {}
    taken: list[tuple[int, int]] = []
    for match in _matches(text):
        start, end = match.span()
        if any(start < other_end and other < end for other, other_end in taken):
            continue
        taken.append((start, end))
        name = match.group().strip()
        if name.startswith(_ERRORS) or text.startswith("::", end):
            continue
        found.setdefault("rocm" if name.lower() in _ONE_VENDOR else name.lower(), (start, name))
    return tuple(name for _, name in sorted(found.values()))[:MOST_NAMES]


def conditions(text: str) -> tuple[str, ...]:
    """Return what else must hold, as the text says it: `TP > 1`, `in cudagraph mode`.

    A clause that only names a place of the code (`in prep handle builders`) is no condition.
    """
    found: dict[str, None] = {}
    for match in CONDITION.finditer(text):
        condition = _PURPOSE.split(match.group(), maxsplit=1)[0].strip()
        if _MEANS.match(condition) or _FAULT.match(condition) or condition.endswith("…"):
            continue
        if not _PLACE.match(condition) or _HOLDS.search(condition) or whom(condition):
            found[condition] = None
    return tuple(found)[:2]


def hardware_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the hardware that each of some paths names: whom alone a change of them is for."""
    named = [
        {
            _WRITTEN.get(name, name.upper())
            for found in _IN_PATH.findall(path.lower())
            for name in found
        }
        - {""}
        for path in paths
    ]
    return tuple(sorted(set.intersection(*named))) if named else ()


def _matches(text: str) -> Iterator[re.Match[str]]:
    paths = [found.span() for found in _PATH.finditer(text)] if "/" in text else []
    for pattern in (SETTING, MODEL, VENDOR, NVIDIA, FEATURE):
        for found in pattern.finditer(text):
            if not any(start <= found.start() < end for start, end in paths):
                yield found
