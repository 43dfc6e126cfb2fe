"""The repositories known by alias, in the order in which they are told."""

from collections.abc import Mapping
from types import MappingProxyType

from digest.models import Repo

KNOWN: Mapping[str, Repo] = MappingProxyType(
    {
        "vllm": Repo("vllm-project", "vllm"),
        "sglang": Repo("sgl-project", "sglang"),
        "flashinfer": Repo("flashinfer-ai", "flashinfer"),
        "cutlass": Repo("NVIDIA", "cutlass"),
        "flash-attention": Repo("Dao-AILab", "flash-attention"),
        "deepgemm": Repo("deepseek-ai", "DeepGEMM"),
        "flashmla": Repo("deepseek-ai", "FlashMLA"),
        "cutile-python": Repo("NVIDIA", "cutile-python"),
    }
)
"""Alias in lower case to repository; iteration gives the stated order."""
