"""Which packages, headers, images and variables belong to which upstream repository."""

import re
from dataclasses import dataclass

from digest.errors import UsageError
from digest.models import KNOWN
from digest.wording.phrases import SAY


@dataclass(frozen=True, slots=True)
class Upstream:
    """By what a use of one repository is told.

    `modules` are what is imported, `distributions` what is installed (in the normalised form of
    https://packaging.python.org/en/latest/specifications/name-normalization/), `headers` folders
    that `#include` names, `images` container images without tag, `prefixes` those of its
    variables, `programs` words of a command line that start it.
    """

    repo: str
    modules: tuple[str, ...]
    distributions: tuple[str, ...]
    headers: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    serves: bool = False
    """Tells a server with many flags, which charts and tests of another name without its name."""

    @property
    def name(self) -> str:
        """The repository's name without its owner."""
        return self.repo.partition("/")[2]

    def owns(self, module: str) -> bool:
        """Return whether a dotted name is of this upstream repository."""
        return any(module == own or module.startswith(f"{own}.") for own in self.modules)


UPSTREAMS = (
    Upstream(
        "vllm-project/vllm",
        ("vllm",),
        ("vllm",),
        images=("vllm/vllm-openai", "vllm/vllm-openai-rocm", "rocm/vllm", "rocm/vllm-dev"),
        prefixes=("VLLM_",),
        programs=("vllm",),
        serves=True,
    ),
    Upstream(
        "sgl-project/sglang",
        ("sglang", "sgl_kernel"),
        ("sglang", "sgl-kernel", "sglang-kernel"),
        images=("lmsysorg/sglang",),
        prefixes=("SGLANG_", "SGL_"),
        programs=("sglang",),
        serves=True,
    ),
    Upstream(
        "flashinfer-ai/flashinfer",
        ("flashinfer",),
        ("flashinfer-python", "flashinfer", "flashinfer-cubin", "flashinfer-jit-cache"),
        headers=("flashinfer/",),
        images=("flashinfer/flashinfer",),
        prefixes=("FLASHINFER_",),
        programs=("flashinfer",),
    ),
    Upstream(
        "NVIDIA/cutlass",
        ("cutlass", "cutlass_library", "cutlass_cppgen", "pycute"),
        ("nvidia-cutlass", "nvidia-cutlass-dsl", "cutlass-library"),
        headers=("cutlass/", "cute/"),
        prefixes=("CUTLASS_", "CUTE_"),
    ),
    Upstream(
        "Dao-AILab/flash-attention",
        ("flash_attn", "flash_attn_interface", "flash_attn_2_cuda", "flash_attn_3"),
        ("flash-attn", "flash-attn-3", "flash-attn-4"),
        prefixes=("FLASH_ATTENTION_", "FLASH_ATTN_"),
    ),
    Upstream(
        "deepseek-ai/DeepGEMM",
        ("deep_gemm",),
        ("deep-gemm", "deepgemm"),
        headers=("deep_gemm/",),
        prefixes=("DG_",),
    ),
    Upstream("deepseek-ai/FlashMLA", ("flash_mla",), ("flash-mla",)),
    Upstream(
        "NVIDIA/cutile-python",
        ("cuda.tile",),
        ("cuda-tile",),
        prefixes=("CUDA_TILE_",),
    ),
)
"""The watched repositories; another one is told by `upstream`."""

_WRITTEN = re.compile(r"([\w.-]+/[\w.-]+)(?:=([A-Za-z_][\w.]*(?:,[A-Za-z_][\w.]*)*))?", re.ASCII)


def upstream(written: str) -> Upstream:
    """Read an alias, a module, `owner/name` or `owner/name=module,module`; raises `UsageError`.

    A repository that is not in the table is taken to be imported and installed by its own name.
    """
    known = KNOWN.get(written.casefold())
    name = str(known) if known else written
    for one in UPSTREAMS:
        if name.casefold() == one.repo.casefold() or name in (*one.modules, *one.distributions):
            return one
    match = _WRITTEN.fullmatch(written)
    if match is None:
        listed = ", ".join(sorted(KNOWN))
        raise UsageError(SAY.surfaces.no_upstream(f"{written[:80]!r}", listed))
    name = match[1].partition("/")[2]
    module = re.sub(r"\W", "_", name.lower())
    modules = tuple(match[2].split(",")) if match[2] else (module,)
    installed = dict.fromkeys([name, *modules])
    prefixes = tuple(f"{one.partition('.')[0].upper()}_" for one in modules[:1])
    return Upstream(
        match[1], modules, tuple(normalised(one) for one in installed), prefixes=prefixes
    )


def normalised(distribution: str) -> str:
    """Return the normal form of a distribution's name."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
