"""The words by which changes may belong together, and how rare words and files are.

What is rare in a repository's history tells more than what is common: `History` says how common
words, files and folders are there.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.paths import words

_WORD = re.compile(r"[a-z][a-z0-9]*(?:[.-]?\d+(?:\.\d+)*)?[a-z]*|\d{3,}|[\u3400-\u9fff]{2,}", re.I)
NUMBER = re.compile(r"#(\d{1,9})\b")
SYMBOL = re.compile(r"\b(?=\w*[a-z])(?:[A-Za-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*)\b")


def is_symbol(word: str) -> bool:
    """Tell whether a word as `\\w+` finds it is a name of code: most words need no pattern."""
    return ("_" in word or not word.islower()) and SYMBOL.fullmatch(word) is not None


ALIKE: Mapping[str, str] = {
    "dsv4": "deepseek4", "deepseekv4": "deepseek4", "dpskv4": "deepseek4",
    "dsv3": "deepseek3", "dsv32": "deepseek3", "deepseekv3": "deepseek3", "dsv3.2": "deepseek3",
    "amd": "rocm", "hip": "rocm", "mi355": "rocm", "mi300": "rocm", "aiter": "rocm",
    "gfx950": "rocm", "mi355x": "rocm", "mi35x": "rocm",
    "ascend": "npu", "intel": "xpu",
    "spec": "speculative", "eagle": "speculative", "mtp": "speculative", "nextn": "speculative",
    "eagle3": "speculative", "decoding": "decode",
    "mrv2": "runnerv2", "disagg": "disaggregation", "pd": "disaggregation",
    "toolcall": "tool", "parsers": "parser", "attn": "attention", "quant": "quantization",
    "kvoffload": "offload", "offloading": "offload", "kvconnector": "connector",
    "sm121": "sm120", "sm120f": "sm120", "sm121a": "sm120", "logprobs": "logprob",
    "kernels": "kernel", "docs": "doc", "tests": "test", "mlx": "apple",
}  # fmt: skip
"""Words for one thing in these repositories, and the word that they are counted under."""
PLACES = frozenset({"rocm", "npu", "xpu", "cpu", "apple"})
"""Platforms whose changes are seldom of a story with another platform's."""
COMMON = words(
    "a an and are as at be by can do for from has have in into is it its new no not of off on or "
    "so that the their this to up use used uses using via when where which while with without "
    "add adds added fix fixes fixed bug bugfix feat feature support supports update refactor "
    "remove make enable allow improve chore misc perf cleanup clean minor move only all"
)
"""Words that join nothing, however rare a history has them."""
GENERIC: Mapping[str, float] = dict.fromkeys(
    words(
        "kernel model attention cache test doc ci moe quantization decode prefill speculative rocm "
        "cuda core batch memory backend runner error default api cpu gpu triton cutlass frontend "
        "kv parallel fp8 performance build version docker nightly config optimize diffusion "
        "graph mode input output request server tool lora linear layer weight token page "
        "size data load"
    ),
    0.04,
) | dict.fromkeys(
    words(
        "npu xpu deepseek4 qwen3 multimodal disaggregation nvfp4 fp4 mxfp4 mla metrics "
        "connector offload scheduler router sampling logprob parser benchmark mamba flashinfer "
        "v1 v2 v4 compile transformers jit pool bump release revert"
    ),
    0.02,
)
"""Shares of changes that name a word, where no history says how many: rounded, of busy engines."""
UNKNOWN_SHARE = 0.004
"""The share assumed for any other word."""
PRIOR_OF_PATHS = 100
"""Changes whose files are known that weigh as much as an assumption by depth of folder."""
PRIOR = 200
"""Changes of history that weigh as much as these assumptions."""


@dataclass(frozen=True, slots=True)
class History:
    """How common words, files and folders were in a repository before a window.

    `changes` is how many changes were counted, `path_changes` how many of them with their files;
    `terms` by word of a title, `paths` by file and folder (ending in `/`), each with the number of
    changes that have it.
    """

    changes: int = 0
    terms: Mapping[str, int] = field(default_factory=dict)
    paths: Mapping[str, int] = field(default_factory=dict)
    path_changes: int = 0

    def term_rarity(self, term: str) -> float:
        """Return how rare a word is, in bits: 0 for one that every change has, 8 is rare."""
        guess = GENERIC.get(term, UNKNOWN_SHARE)
        share = (self.terms.get(term, 0) + PRIOR * guess) / (self.changes + PRIOR)
        return -math.log2(min(1.0, share))

    def path_rarity(self, path: str) -> float:
        """Return how rare changes of a file or folder are, in bits."""
        known = sum(1 for _ in path.split("/"))
        guess = 0.3 / 2 ** min(6, 1.3 * known)
        share = (self.paths.get(path, 0) + PRIOR_OF_PATHS * guess) / (
            self.path_changes + PRIOR_OF_PATHS
        )
        return -math.log2(min(1.0, share))


def history(changes: Iterable[tuple[str, Sequence[str]]]) -> History:
    """Count earlier changes, each a title and its paths (empty where they are not known)."""
    terms: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    count = with_paths = 0
    for title, files in changes:
        count += 1
        with_paths += bool(files)
        terms.update(terms_of(title))
        paths.update({part for path in files for part in (path, *folders(path))})
    return History(count, terms, paths, with_paths)


def folders(path: str) -> list[str]:
    """Return the folders of a path, the outermost first, each ending in `/`."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: end + 1]) + "/" for end in range(len(parts))]


_VERSIONED = re.compile(r"\b([a-z]{2,})[ -]?(v?\d+(?:\.\d+)?)\b(?!/)")
PART = re.compile(r"\(?\[?\b\d+ ?/ ?(?:\d+|[nNxX])\b\]?\)?|\bpart \d+\b", re.I)


def terms_of(title: str) -> frozenset[str]:
    """Return the words of a title by which it may belong to others, and pairs of neighbours."""
    text = PART.sub(" ", bare_title(title[:TITLE_READ]))
    text = NUMBER.sub(" ", text)
    plain = text.lower().replace("_", " ")
    plain = _VERSIONED.sub(r"\1\2 ", plain)
    found_words: list[str] = []
    for word in _WORD.findall(plain):
        word = word.strip(".-")
        word = ALIKE.get(word, word)
        if word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
        found_words.append(ALIKE.get(word, word))
    found = {word for word in found_words if word not in COMMON and len(word) > 1}
    pairs = {
        f"{one} {two}"
        for one, two in pairwise(found_words)
        if one in found and two in found and one != two
    }
    whole = {symbol.lower() for symbol in SYMBOL.findall(text)}
    return frozenset(found | pairs | whole)
