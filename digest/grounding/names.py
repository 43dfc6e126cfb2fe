"""Hardware, vendors, model families and libraries, with what of a source allows naming them.

A model knows much of the world and mixes it up: in the reports that this product follows, SM 12.0
was told as "Ampere-X". A family may be named by its members (Hopper: sm90, H100), a member never
by its family. Chinese names stand beside the English ones.
"""

# ruff: noqa: E501 - one term a line reads as the table that it is

import re
from collections.abc import Iterator

from digest.grounding.plain import spread
from digest.grounding.term import said, term

_HARDWARE = (
    term("volta", "volta", "伏特架构", r"sm_?70\b|v100|compute_70"),
    term("turing", "turing", "图灵架构", r"sm_?75\b|t4\b|rtx ?20\d0|compute_75"),
    term("ampere", "ampere", "安培", r"sm_?8[067]\b|a100|a800|a10g?\b|a30\b|a40\b|rtx ?30\d0|orin"),
    term("ada", "ada(?: ?lovelace)?|lovelace", "", r"sm_?89\b|l40s?\b|l4\b|l20\b|rtx ?40\d0|4090"),
    term("hopper", "hopper", "霍珀", r"sm_?90a?\b|g?h[12]00|h20\b|h800"),
    term("blackwell", "blackwell", "布莱克韦尔", r"sm_?1[0-2]\d[af]?\b|sm_?1[0-2]x|g?b[23]00|rtx ?pro|rtx ?50\d0|5090|dgx[ -]spark|thor\b|gb10\b|tcgen05"),
    term("rubin", "rubin", "", r"vera|vr200"),
    term("cdna", "cdna\\d?", "", r"mi[23]\d\d\w?|gfx9\d\w+"),
    term("jetson", "jetson", "", r"orin|thor|sm_?110|sm_?87|tegra"),
    term("tpu", "tpus?", "", r"jax|pallas|libtpu|xla"),
    term("xpu", "xpus?", "", r"intel|sycl|oneapi|kunlun"),
    term("hpu", "hpus?|gaudi\\d?", "", r"habana|gaudi|hpu"),
    term("npu", "npus?", "", r"ascend|cann\b|hccl|torch_npu|昇腾"),
    term("cpu", "cpus?", "中央处理器", r"x86|avx|amx|arm(?:64)?\b|aarch64|host\b|neon|numa"),
    term("gpu", "gpus?", "显卡|图形处理器", r"cards?\b|cuda|rocm|hip\b|device|kernel|triton|sm_?\d+|nvidia|amd\b|vram|h100|mi3\d\d|tensor|nccl|warp|显存"),
    term("tensor core", "tensor ?cores?", "张量核心", r"tensor[ _-]?core|wgmma|mma\b|hmma|tcgen05"),
    term("nvlink", "nvlink|nvswitch", "", r"nvl\d+|mnnvl|nvls"),
    term("rdma", "rdma|infiniband", "", r"ibverbs|\bib\b|roce|verbs|mlx5"),
    term("dgx spark", "dgx[ -]spark", "", r"gb10|spark"),
    term("apple silicon", "apple silicon|apple|metal backend|mps", "苹果", r"mps\b|metal|mlx|macos|darwin"),
)  # fmt: skip
_VENDORS = (
    term("nvidia", "nvidia", "英伟达|辉达", r"nv\w*|cuda|cublas|cudnn|cutlass|nccl|sm_?\d{2,3}|h100|h200|b200|tensorrt|trtllm"),
    term("amd", "amd|radeon|instinct", "超威", r"rocm|hip\w*|mi[23]\d\d\w?|gfx\d+|aiter|cdna"),
    term("intel", "intel", "英特尔", r"xpu|gaudi|hpu|amx|sycl|oneapi|xeon|ipex"),
    term("huawei", "huawei", "华为", r"ascend|npu|cann\b|hccl|昇腾"),
    term("ascend", "ascend", "昇腾", r"npus?\b|cann\b|hccl|torch_npu|华为"),
    term("cambricon", "cambricon|mlu", "寒武纪", r"mlu"),
    term("moore threads", "moore ?threads|musa", "摩尔线程", r"musa|mthreads"),
    term("hygon", "hygon|dcu", "海光", r"dcu"),
    term("kunlun", "kunlun(?:xin)?", "昆仑芯?", r"xpu|kunlun"),
    term("metax", "metax|maca", "沐曦", r"maca"),
    term("enflame", "enflame|gcu", "燧原", r"gcu"),
    term("qualcomm", "qualcomm", "高通", r"qaic|snapdragon"),
    term("google", "google", "谷歌", r"gemini|gemma|tpu|gcp|gke"),
    term("microsoft", "microsoft|azure", "微软", r"phi-?\d|azure|windows"),
    term("amazon", "amazon|aws|neuron|trainium|inferentia", "亚马逊", r"ec2|sagemaker|trn\d"),
    term("meta", "facebook", "", r"llama|fair\b"),
    term("alibaba", "alibaba|aliyun", "阿里(?:巴巴|云)?", r"qwen|modelscope|dashscope"),
    term("tencent", "tencent", "腾讯", r"hunyuan"),
    term("baidu", "baidu", "百度", r"ernie|paddle"),
    term("bytedance", "bytedance|doubao", "字节跳动|豆包", r"seed"),
    term("openai", "openai", "", r"gpt-?\d|gpt-?oss|whisper|/v1/"),
    term("anthropic", "anthropic|claude", "", ""),
    term("hugging face", "hugging ?face|hf", "", r"huggingface|hf_|transformers|safetensors"),
)  # fmt: skip
_MODELS = (
    term("qwen", "qwen", "通义千问|千问|通义", r"qwen[\w.-]*|qwq"),
    term("deepseek", "deepseek", "深度求索", r"deepseek[\w-]*|dsv\d\w*|ds_?v\d|deep_seek"),
    term("llama", "llama", "", r"llama[\w.-]*"),
    term("glm", "glm|chatglm|zhipu", "智谱", r"glm[\w.-]*|chatglm"),
    term("kimi", "kimi|moonshot", "月之暗面", r"kimi[\w-]*|moonshot"),
    term("minimax", "minimax", "", r"minimax[\w-]*|abab"),
    term("mistral", "mistral|mixtral|pixtral|voxtral|ministral|devstral", "", r"mi[sx]tral\w*|pixtral|voxtral"),
    term("gemma", "gemma|gemini", "", r"gemma[\w-]*|gemini"),
    term("phi", "phi", "", r"phi-?\d"),
    term("gpt-oss", "gpt-?oss", "", r"gpt_?oss|gptoss"),
    term("nemotron", "nemotron", "", r"nemotron\w*"),
    term("hunyuan", "hunyuan", "混元", r"hunyuan\w*"),
    term("ernie", "ernie", "文心", r"ernie\w*"),
    term("internlm", "internlm|internvl|intern-s1", "书生", r"intern\w*"),
    term("step", "stepfun", "阶跃星辰", r"step-?\d\w*|stepfun"),
    term("granite", "granite", "", r"granite\w*"),
    term("whisper", "whisper", "", r"whisper"),
    term("flux", "flux", "", r"flux[\w.]*"),
    term("wan", "wan", "", r"wan2[\w.]*"),
    term("mamba", "mamba", "", r"mamba\d?|ssm\b"),
    term("falcon", "falcon", "", ""),
    term("grok", "grok", "", r"grok-?\d?"),
    term("olmo", "olmo", "", r"olmo\w*"),
    term("longcat", "longcat", "", ""),
)  # fmt: skip
_LIBRARIES = tuple(
    term(name, name if not spelling else f"{name}|{spelling}", zh, licence)
    for name, spelling, zh, licence in (
        ("triton", "", "", r"tl\.|triton\w*"),
        ("cutlass", "cute|cutedsl|cute[ -]dsl", "", r"cutlass\w*|cute\w*"),
        ("flashinfer", "", "", r"flash_?infer\w*"),
        ("flashattention", "flash[ -]attention(?:[ -]\\d)?|flash[ -]attn", "", r"flash_?attn\w*|fa[234]\b|flash_?attention\w*"),
        ("flashmla", "flash[ -]mla", "", r"flash_?mla\w*"),
        ("tensorrt", "tensorrt-llm|trt-?llm", "", r"trt\w*|tensorrt\w*"),
        ("cudnn", "", "", r"cudnn\w*"),
        ("cublas", "cublaslt", "", r"cublas\w*"),
        ("nccl", "", "", r"nccl\w*"),
        ("rccl", "", "", r"rccl\w*"),
        ("nvshmem", "", "", r"nvshmem\w*"),
        ("deepgemm", "deep[ -]gemm", "", r"deep_?gemm\w*"),
        ("deepep", "deep[ -]ep", "", r"deep_?ep\w*"),
        ("mooncake", "", "", r"mooncake\w*"),
        ("nixl", "", "", r"nixl\w*"),
        ("lmcache", "", "", r"lmcache\w*"),
        ("vllm", "", "", r"vllm\w*"),
        ("sglang", "", "", r"sglang\w*|sgl\w*"),
        ("aiter", "", "", r"aiter\w*"),
        ("marlin", "", "", r"marlin\w*"),
        ("machete", "", "", r"machete\w*"),
        ("bitsandbytes", "", "", r"bnb|bitsandbytes\w*"),
        ("pytorch", "torch|torchao|torchvision|inductor", "", r"torch\w*|pytorch\w*|inductor"),
        ("tensorflow", "", "", r"tensorflow\w*|tf\."),
        ("jax", "pallas", "", r"jax\w*|pallas"),
        ("onnx", "", "", r"onnx\w*"),
        ("ray", "", "", r"ray\w*"),
        ("xgrammar", "", "", r"xgrammar\w*|xgr\b"),
        ("outlines", "", "", r"outlines\w*"),
        ("llguidance", "", "", r"llguidance\w*"),
        ("megatron", "", "", r"megatron\w*|mcore"),
        ("fsdp", "", "", r"fsdp\w*"),
        ("deepspeed", "", "", r"deepspeed\w*"),
        ("cuda", "", "", r"cuda\w*|cu\d{2,3}\b|nvcc|nvrtc|ptx|\.cuh?\b"),
        ("rocm", "hip", "", r"rocm\w*|hip\w*|amd\b"),
        ("cann", "", "", r"cann\w*|ascend"),
        ("docker", "dockerfile", "", r"docker\w*|container"),
        ("kubernetes", "k8s|helm", "", r"kubernetes|k8s|helm"),
        ("prometheus", "grafana", "", r"prometheus\w*|grafana\w*"),
        ("opentelemetry", "otel", "", r"otel\w*|opentelemetry"),
        ("grpc", "", "", r"grpc\w*|protobuf"),
        ("fastapi", "uvicorn|starlette", "", r"fastapi|uvicorn|starlette"),
        ("pydantic", "", "", r"pydantic\w*"),
        ("numpy", "", "", r"numpy|np\."),
        ("numba", "", "", r"numba\w*"),
        ("zmq", "zeromq", "", r"zmq\w*"),
        ("redis", "", "", r"redis"),
        ("slack", "", "", r"slack\w*"),
        ("discord", "", "", r"discord\w*"),
        ("nsight", "nvtx", "", r"nsight|nvtx|nsys"),
        ("cmake", "ninja", "", r"cmake\w*|ninja"),
        ("bazel", "", "", r"bazel\w*"),
        ("conda", "", "", r"conda\w*"),
        ("windows", "", "", r"win32|windows|msvc"),
        ("linux", "ubuntu|debian|centos", "", r"linux|ubuntu|debian|centos|manylinux"),
        ("macos", "", "", r"macos|darwin|osx"),
    )
)  # fmt: skip
CLASSES = (_HARDWARE, _VENDORS, _MODELS, _LIBRARIES)
"""Names of one class are rivals: where a quote names one, another is not what it speaks of."""

NAMES = tuple(name for names in CLASSES for name in names)

_NUMBER = re.compile(r" ?(\d+(?:\.\d+)*)(?![\w%])(?! ?(?:%|x\b|倍))", re.ASCII)
_ARCHITECTURES = frozenset(
    {"volta", "turing", "ampere", "ada", "hopper", "blackwell", "rubin", "cdna", "tpu", "xpu"}
    | {"hpu", "npu", "jetson"}
)
_RIVALS = (
    _ARCHITECTURES,
    frozenset({"nvidia", "amd", "intel", "huawei", "ascend", "cambricon", "moore threads"}),
    frozenset(name.name for name in _MODELS),
)


def unlicensed(text: str, words: str) -> Iterator[str]:
    """Give the names in a sentence in lower case that a source's words do not allow."""
    for name, spelled in said(NAMES, text):
        if not name.licence.search(words):
            yield spelled


def rivals(text: str, near: str) -> Iterator[str]:
    """Give the names in a sentence where what it was quoted from names only others of their kind.

    `near` is the quote with the title: a sentence that quotes what is said of Hopper, and tells it
    of Blackwell, is told of another thing, wherever else in the source Blackwell stands.
    """
    mine = [(name, spelled) for name, spelled in said(NAMES, text)]
    quoted = {name.name for name, _ in said(NAMES, near)}
    for kind in _RIVALS:
        theirs = quoted & kind
        for name, spelled in mine:
            if theirs and name.name in kind and not name.licence.search(near):
                yield spelled
    said_here = {name.name for name, _ in mine}
    for one, other in (("cpu", "gpu"), ("gpu", "cpu")):
        if one in quoted and not {other} & quoted and other in said_here and one not in said_here:
            yield other


def numbered(text: str, exact: str) -> Iterator[str]:
    """Give the names with a number behind them ("CUDA 13") that a source does not have so.

    Both alone are not enough: a source that names FlashAttention 3 has many other numbers.
    """
    for name, _ in said((*_LIBRARIES, *_MODELS), text):
        for found in name.said.finditer(text):
            number = _NUMBER.match(text, found.end())
            if number is None:
                continue
            spelled = re.escape(found.group())
            there = rf"\b{spelled}(?:[\s_:=<>~v-]|\bversion|\bis\b){{0,6}}{re.escape(number[1])}(?!\d|\.\d)"
            beside = rf"(?<![\d.]){re.escape(number[1])}(?!\d|\.\d)"
            lines = (line for line in exact.split("\n") if name.licence.search(spread(line)))
            if not re.search(there, exact, re.ASCII) and not (
                "." in number[1] and any(re.search(beside, line) for line in lines)
            ):
                yield f"{found.group()} {number[1]}"


def named(text: str) -> frozenset[str]:
    """Give the names of a sentence in one spelling, to be held against its other language.

    A card is a GPU in one language and only "张" in the other.
    """
    return frozenset(name.name for name, _ in said(NAMES, text) if name.name != "gpu")
