"""What an item is about: hardware, model family, subsystem or feature."""

import re
from collections import Counter
from collections.abc import Sequence

from digest.grades import ChangeObject
from digest.models import Item, Kind, ReadItem, Theme
from digest.reading.change import TAG
from digest.reading.description import TITLE_READ
from digest.reading.paths import role

_RULES: tuple[tuple[str, str], ...] = (
    ("amd", r"\bamd\b|\brocm\w*|\bhip\b|\bmi\d{3}\w?\b|\baiter\b|\bgfx\d+\w*|\bcdna\d?\b"),
    ("ascend", r"\bascend\w*|\bnpus?\b|\bcann\b|\bhccl\b|昇腾"),
    (
        "blackwell",
        r"\bblackwell\b|\bsm_?1[0-2]\d[af]?\b|\bg?b[23]00\b|\brtx ?(?:pro|50\d0)\b|\bthor\b|"
        r"\bdgx[ -]spark\b|\bmnnvl\b",
    ),
    ("hopper", r"\bhopper\b|\bsm_?90a?\b|\bg?h[12]00\b|\bh20\b"),
    ("intel", r"\bintel\b|\bxpus?\b|\bgaudi\b|\bhpus?\b|\bamx\b|\bcpu backend\b|\[cpu\]"),
    ("tpu", r"\btpus?\b|\bjax\b|\bpallas\b"),
    ("speculative", r"\bspec(?:ulative)?\b(?! ?file)|\beagle\w*|\bmtp\b|\bdflash\b|\bn-?gram\b"),
    (
        "diffusion",
        r"\bdiffusion\b|\bdllm\b|\bflux\d?\b|\bwan(?:2\.\d)?\b|\btext[- ]to[- ](?:image|video)\b",
    ),
    ("lora", r"\bloras?\b|\badapters?\b"),
    (
        "quantization",
        r"\b\w?quant\w*|\bfp8\b|\bw?fp4\b|\bnvfp4\b|\bmxfp\d\b|\bint[48]\b|\bw\d+a\d+\w*|"
        r"\bawq\b|\bgptq\b|\bmodelopt\b|\bcompressed[-_]tensors\b|\bgguf\b|量化",
    ),
    (
        "moe",
        r"\bmoe\w*|\b\w*_moe\b|\bexperts?\b|\bdeep_?ep\b|\beplb\b|\bdeep_?gemm\b|\brouter gemm\b",
    ),
    (
        "kv_cache",
        r"\bkv[-_ ]?\w*|\bprefix[- ]cach\w*|\bradix\w*|\bhicache\b|\bpaged? (?:cache|table)\b|"
        r"\bcache\w*|\boffload\w*|\bmooncake\b|\blmcache\b|缓存",
    ),
    (
        "attention",
        r"\b\w*attn\w*|\b\w*attention\b|\bmla\b|\bfmha\w*|\bflash_?(?:mla|infer)\b|\bfa[234]\b|"
        r"\bgdn\b|\bkda\b|\bmamba\d?\b|\bssm\b|\bdsa\b|\bnsa\b|\bsoftmax\b|\brope\b|\bindexer\b",
    ),
    (
        "distributed",
        r"\bdistributed\b|\ball[-_ ]?(?:reduce|gather|to[-_ ]?all)\b|\bnccl\b|\bdisagg\w*|\bpd\b|"
        r"\bnixl\b|\b(?:tensor|pipeline|data|expert|context)[- ]parallel\w*|"
        r"\b(?:tp|pp|dp|ep|cp|dcp)\d*\b|\bnvshmem\b|"
        r"\bmulti[- ]?node\b|\brpc\b|\btransport\b|\bworkers?\b|\bray\b",
    ),
    ("frontend", r"\b(?:de)?tokeniz\w*"),
    (
        "scheduling",
        r"\bschedul\w*|\bsched\b|\bbatch(?:es|ing)?\b|\bprefill\b|\bcuda ?graphs?\b|\bpiecewise\b|"
        r"\boverlap\b|\bpcg\b|\bpreempt\w*|\bqueues?\b|\bmodel runner\b|调度",
    ),
    (
        "multimodal",
        r"\bmulti-?modal\b|\bvlms?\b|\bmm\b|\bvision\b|\bvit\b|\baudio\b|\bvideos?\b|\bimages? "
        r"(?:input|processor|encoder)\b|\bwhisper\b|\bomni\b|\bocr\b|\bmllm\b|多模态",
    ),
    (
        "model_support",
        r"\bqwen[\w.]*|\bdeepseek\w*|\bdsv\d\w*|\bllama\w*|\bglm[\w.-]*|\bkimi\w*|\bminimax\w*|"
        r"\bgemma\w*|\bmistral\w*|\bgpt-?oss\b|\bnemotron\w*|\bstep-?\d[\w.]*|\bhunyuan\w*|"
        r"\bernie\w*|\bgranite\w*|\binternlm\w*|\bphi-?\d\b|\bmodels?\b|\bhf\b|\btransformers\b|模型",
    ),
    (
        "observability",
        r"\bmetrics?\b|\blog(?:s|ging|ger)?\b|\btrac(?:e|es|ing)\b|\bprofil\w*|\botel\b|"
        r"\bprometheus\b|\bdebug\w*|\bdump\w*|\bdashboard\b|\btelemetry\b",
    ),
    ("cli", r"\bcli\b|\bflags?\b|(?:^|\s|`)--[a-z][\w-]*|\bcommand[- ]line\b|\bargparse\b"),
    (
        "frontend",
        r"\bfront-?end\b|\bopenai\b|\bapi server\b|\bendpoints?\b|\bchat\b|\btool[- _]?(?:call\w*|"
        r"pars\w*)\b|\breasoning\b|\bstreaming\b|\bgrpc\b|\bhttp\w*|\bgateway\b|\brouter\b|"
        r"\bresponses api\b|\bstructured output\b|\bgrammar\b|\bentrypoints?\b",
    ),
    ("api", r"\bapis?\b|\bsdk\b|\bbindings?\b|\btvm[- ]?ffi\b|\bpublic\b"),
    (
        "build_ci",
        r"\bci\b|\bci/build\b|\bbuild\w*|\bdocker\w*|\bwheels?\b|\bnightly\b|\bpre-commit\b|"
        r"\bcmake\b|\bbump\w*|\bworkflows?\b|\bgithub actions?\b|\bpyproject\b|\brelease\b|"
        r"\brequires?\b|\bcuda \d+",
    ),
    ("docs", r"\bdocs?\b|\bdocumentation\b|\breadme\b|\btypos?\b|\bcookbook\b|\btutorials?\b|文档"),
    ("tests", r"\btests?\b|\bunit ?tests?\b|\bflaky\b|测试"),
)
THEMES: tuple[str, ...] = (*dict.fromkeys(name for name, _ in _RULES), "other")
"""Every theme, the more telling first; each is a key of the wording, `theme.NAME`."""

_PATTERNS = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _RULES)
_BY_OBJECT = {
    ChangeObject.DOCS: "docs",
    ChangeObject.CI: "build_ci",
    ChangeObject.BUILD: "build_ci",
    ChangeObject.DEPENDENCY: "build_ci",
    ChangeObject.TEST: "tests",
}
_NOT_IN_PATHS = frozenset({"docs", "tests", "build_ci", "cli", "api", "model_support"})
_ADAPTERS = re.compile(r"\badapters?\b", re.IGNORECASE)
PATHS_READ = 60
"""Files whose paths are looked at; more of one change tell nothing new."""


def theme(item: Item, object_: ChangeObject) -> str:
    """Tell the theme of an item, one of `THEMES`.

    A change of documentation, CI, build or tests alone is about that. Else the first rule that
    fits the title's tags, then the title, then most of the paths, then the labels.
    """
    if object_ in _BY_OBJECT and item.kind is not Kind.ISSUE:
        return _BY_OBJECT[object_]
    title = item.title[:TITLE_READ]
    tags = " ".join(f"[{tag}]" for tag in TAG.findall(title))
    for text in (tags, title):
        found = _first(text)
        if found:
            return found
    return _by_paths(item) or _first(" ".join(item.labels)[:TITLE_READ]) or "other"


def _first(text: str) -> str:
    spaced = text.replace("_", " ") if "_" in text else text
    for name, pattern in _PATTERNS:
        if text and (pattern.search(text) or (spaced is not text and pattern.search(spaced))):
            return name
    return ""


def _by_paths(item: Item) -> str:
    """The theme that at least half of the product's touched files are about."""
    paths = [
        file.path[:300]
        for file in (item.files or ())[:PATHS_READ]
        if role(file.path) not in _BY_OBJECT
    ]
    votes: Counter[str] = Counter()
    for path in paths:
        # A folder of adapters is about ports as often as about LoRA; only its title can tell.
        text = _ADAPTERS.sub(" ", path.replace("/", " ").replace("_", " ").replace(".", " "))
        votes.update(
            name
            for name, pattern in _PATTERNS
            if name not in _NOT_IN_PATHS and pattern.search(text)
        )
    if not votes:
        return ""
    most = max(votes.values())
    return next((name for name in THEMES if votes[name] == most and 2 * most >= len(paths)), "")


def themes(items: Sequence[ReadItem]) -> tuple[Theme, ...]:
    """Group read items by theme, the theme with the most important items first.

    In: items in the order of the reading. Out: every item in exactly one theme; themes in order
    of their best item, then of their size, then of `THEMES`; `other` last.
    """
    grouped: dict[str, list[ReadItem]] = {}
    for one in items:
        grouped.setdefault(one.theme, []).append(one)
    place = {name: index for index, name in enumerate(THEMES)}

    def order(name: str) -> tuple[bool, int, int, int]:
        group = grouped[name]
        return (name == "other", -max(one.score for one in group), -len(group), place[name])

    return tuple(
        Theme(name, tuple(one.item.key for one in sorted(grouped[name], key=_by_importance)))
        for name in sorted(grouped, key=order)
    )


def _by_importance(one: ReadItem) -> tuple[bool, int, str]:
    return (one.item.kind is Kind.ISSUE, -one.score, one.item.key)
