"""What a codebase uses of an upstream repository, and the file that says so.

The file is TOML or JSON, one use a line and sorted, so that two of them can be compared; it may as
well be written by hand. It holds names and places, never the value of a setting but the word that
a flag chooses from a list of upstream's: what a private codebase says stays where it is.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from digest.errors import UsageError
from digest.models import KNOWN
from digest.wording.phrases import SAY

VERSION = 1
MOST_CHARACTERS = 16 << 20
"""Of a file of a surface: about 150,000 uses; vllm-ascend has some thousands."""

_MOST_OF_TEXT = 300
_MOST_USES = 150_000
_MOST_WORDS = 1000
_TEST = re.compile(r"(?:^|/)tests?/")
_DISTINCT = 8
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class UseKind(StrEnum):
    """How something upstream is used.

    `MODULE` is imported as a module, `NAME` is imported from one or reached through it
    (`envs.VLLM_USE_V1`), `SUBCLASS` is a class that one here derives from, `OVERRIDE` a method or
    attribute of it that the class here defines anew, `PATCHED` a name that is replaced from
    outside, `CONSTRUCTED` a class that is called, `CALLED` a function or method that is, `MEMBER`
    what is read of an object that is known to be of an upstream class. `PIN` is a requirement.
    """

    MODULE = "module"
    NAME = "name"
    SUBCLASS = "subclass"
    OVERRIDE = "override"
    PATCHED = "patched"
    CONSTRUCTED = "constructed"
    CALLED = "called"
    MEMBER = "member"
    FLAG = "flag"
    VARIABLE = "variable"
    PIN = "pin"


class How(StrEnum):
    """How it comes to be used, where that is not by a statement at the head of a module.

    An import of type checking alone breaks nothing when the program runs; one under `try` has an
    answer to a name that is gone. An override is `ON_TOP` where it calls what it overrides, itself
    or through a method of the codebase that does.
    """

    PLAIN = ""
    LAZY = "lazy"
    TRY = "try"
    TYPE_CHECKING = "type checking"
    STRING = "string"
    ON_TOP = "on top"


@dataclass(frozen=True, slots=True, order=True)
class CodePlace:
    """A line of a file of the codebase, from its root; no `path` where a person wrote the use."""

    path: str = ""
    line: int = 0

    @property
    def is_test(self) -> bool:
        """Return whether the file is one of tests, and not of what ships."""
        return _TEST.search(self.path) is not None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


def is_distinct(member: str) -> bool:
    """Return whether a member's name says whose it is: `seq_lens_cpu` does, `size` does not."""
    return len(member) >= _DISTINCT and "_" in member.strip("_")


@dataclass(frozen=True, slots=True)
class Use:
    """One use at one place.

    `name` is dotted and as the codebase reaches it (`vllm.config.VllmConfig`, also where upstream
    defines it elsewhere), of an override, a member and a called method with the class before it
    (`vllm.v1.core.sched.interface.SchedulerInterface.schedule`), and without a dot where that class
    is not known (`seq_lens_cpu`); of a flag, variable or pin as
    written (`--max-num-seqs`, `VLLM_USE_V1`, `flashinfer-python`).
    `by` is the class of the codebase that derives or overrides. `keywords` (sorted), `positional`
    (how many) and `more` (further ones by `*` or `**`) are what a call gives; of an override what
    its own signature takes: all its parameters in order without `self`, how many of them may be
    given by position, and whether it takes `*` or `**`.
    `value` is of a pin (a specifier such as `==0.6.3`, a tag, a full commit), and of a flag that
    chooses from a list of upstream's own words (`--quantization fp8`), where it is written beside.
    """

    kind: UseKind
    name: str
    place: CodePlace = CodePlace()
    how: How = How.PLAIN
    by: str = ""
    keywords: tuple[str, ...] = ()
    positional: int = 0
    more: bool = False
    value: str = ""


@dataclass(frozen=True, slots=True)
class SurfaceWords:
    """What a person says by hand that they use; any may be empty.

    `paths` are files or folders of the upstream repository, `symbols` dotted or bare names,
    `pins` are written as requirements (`flashinfer==0.6.3`).
    """

    models: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """What could not be read, where, and why, in one line."""

    place: CodePlace
    why: str


@dataclass(frozen=True, slots=True)
class SurfaceOrigin:
    """Where a surface was read: a name or a public address, and the full commit if there is one."""

    name: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Surface:
    """What one codebase uses of the repository `of` (`owner/name`).

    `of` is empty where the words are meant for every repository. `uses` and `problems` are sorted.
    """

    of: str = ""
    source: SurfaceOrigin = SurfaceOrigin()
    uses: tuple[Use, ...] = ()
    words: SurfaceWords = SurfaceWords()
    problems: tuple[Problem, ...] = ()

    @staticmethod
    def read(text: str) -> "Surface":
        """Read a file of a surface, TOML or JSON; `UsageError` names the line or key at fault."""
        if len(text) > MOST_CHARACTERS:
            raise UsageError(SAY.surfaces.too_long(f"{MOST_CHARACTERS:,}"))
        try:
            page = _Page.model_validate(_parsed(text))
        except ValidationError as error:
            raise UsageError(_fault(error)) from error
        return Surface(
            page.of,
            SurfaceOrigin(page.source, page.commit),
            sorted_uses(row.use() for row in page.uses),
            SurfaceWords(*(tuple(dict.fromkeys(getattr(page, name))) for name in _WORDS)),
            tuple(sorted({Problem(_place(row.at), row.why) for row in page.problems})),
        )

    def check_is_of(self, repo: str) -> None:
        """Raise `UsageError` where it uses nothing, or is of another repository (`owner/name`)."""
        if not self.uses and self.words == SurfaceWords():
            raise UsageError(SAY.surfaces.uses_nothing)
        if self.of and self.of.casefold() != repo.casefold():
            raise UsageError(SAY.surfaces.of_another(self.of, repo))

    def write(self, form: str = "toml") -> str:
        """Return the file as `toml` or `json`; the same surface always gives the same text."""
        head = {"surface": VERSION, "of": self.of}
        head |= {"source": self.source.name, "commit": self.source.commit}
        words: dict[str, object] = {name: list(getattr(self.words, name)) for name in _WORDS}
        uses = [_row(use) for use in sorted_uses(self.uses)]
        problems: list[dict[str, object]] = [
            {"at": str(one.place), "why": one.why} for one in sorted(set(self.problems))
        ]
        lists = {"uses": uses, "problems": problems}
        filled = {name: value for name, value in {**head, **words}.items() if value not in ("", [])}
        return _json(filled, lists) if form == "json" else _toml(filled, lists)


_WORDS = ("models", "hardware", "flags", "paths", "symbols", "pins")
_ORDER = {kind: number for number, kind in enumerate(UseKind)}


def _order(use: Use) -> tuple[object, ...]:
    rest = (use.by, use.how, use.keywords, use.positional, use.more, use.value)
    return (_ORDER[use.kind], use.name, use.place, *rest)


def sorted_uses(uses: Iterable[Use]) -> tuple[Use, ...]:
    """Sort uses by kind, name and place, each once."""
    return tuple(sorted(set(uses), key=_order))


def _parsed(text: str) -> Mapping[str, object]:
    text = text.removeprefix("\ufeff")
    try:
        is_json = text.lstrip()[:1] == "{"
        found = json.loads(text) if is_json else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(SAY.surfaces.no_json(error.lineno, error.colno, error.msg)) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(SAY.surfaces.no_toml(error)) from error
    except (RecursionError, ValueError) as error:
        raise UsageError(SAY.surfaces.too_deep) from error
    return found if isinstance(found, dict) else {}


def _seen(text: str) -> str:
    if _UNSEEN.search(text):
        raise ValueError("line breaks and control characters cannot stand here")
    return text


_Text = Annotated[str, StringConstraints(max_length=_MOST_OF_TEXT), AfterValidator(_seen)]
_Name = Annotated[
    str, StringConstraints(min_length=1, max_length=_MOST_OF_TEXT), AfterValidator(_seen)
]
_Names = Annotated[tuple[_Name, ...], Field(max_length=_MOST_WORDS)]
_Repo = Annotated[str, StringConstraints(pattern=r"^(?:[\w.-]{1,100}/[\w.-]{1,100})?$")]


class _UseRow(BaseModel):
    """One use as the file writes it."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    kind: UseKind
    name: _Name
    at: _Text = ""
    how: How = How.PLAIN
    by: _Text = ""
    keywords: _Names = ()
    positional: int = Field(0, ge=0, le=_MOST_WORDS)
    more: bool = False
    value: _Text = ""

    def use(self) -> Use:
        """Return the use that this row writes."""
        return Use(
            self.kind, self.name, _place(self.at), self.how, self.by, self.keywords,
            self.positional, self.more, self.value,
        )  # fmt: skip


class _ProblemRow(BaseModel):
    """One problem as the file writes it."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    at: _Text = ""
    why: _Text


class _Page(BaseModel):
    """The file."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    surface: int = Field(VERSION, ge=1, le=VERSION)
    of: _Repo = ""
    source: _Text = ""
    commit: Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?)?$")] = ""
    models: _Names = ()
    hardware: _Names = ()
    flags: _Names = ()
    paths: _Names = ()
    symbols: _Names = ()
    pins: _Names = ()
    uses: Annotated[tuple[_UseRow, ...], Field(max_length=_MOST_USES)] = ()
    problems: Annotated[tuple[_ProblemRow, ...], Field(max_length=_MOST_USES)] = ()


def _fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    place = ""
    for part in first["loc"]:
        # Entries are counted as a person counts lines, from one.
        place += f" entry {part + 1}" if isinstance(part, int) else f" {part}"
    if first["type"] == "extra_forbidden":
        known: Any = _UseRow if "uses" in first["loc"] else _Page
        names = ", ".join(known.model_fields)
        return f"this surface has a key that is not known:{place[:80]}: known are {names}"
    reason = first["msg"].removeprefix("Value error, ")
    return f"this surface cannot be read:{place or ' the whole file'}: {reason}"


def _place(at: str) -> CodePlace:
    path, _, line = at.rpartition(":")
    if path and line.isascii() and line.isdigit() and len(line) < 9:
        return CodePlace(path, int(line))
    return CodePlace(at)


def _row(use: Use) -> dict[str, object]:
    row: dict[str, object] = {"kind": use.kind.value, "name": use.name, "at": str(use.place)}
    row |= {"how": use.how.value, "by": use.by, "keywords": list(use.keywords)}
    row |= {"positional": use.positional, "more": use.more, "value": use.value}
    return {name: value for name, value in row.items() if value not in ("", [], 0, False)}


def _json(head: Mapping[str, object], lists: Mapping[str, list[dict[str, object]]]) -> str:
    members = [f"  {json.dumps(name)}: {_value(value)}" for name, value in head.items()]
    for name, rows in lists.items():
        if rows:
            lines = ",\n".join(f"    {_value(row)}" for row in rows)
            members.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(members) + "\n}\n"


def _toml(head: Mapping[str, object], lists: Mapping[str, list[dict[str, object]]]) -> str:
    # A string of JSON is one of TOML: control characters never come here
    # (https://toml.io/en/v1.0.0#string).
    lines = [f"{name} = {_value(value)}\n" for name, value in head.items()]
    for name, rows in lists.items():
        if rows:
            lines.append(f"\n{name} = [\n")
            for row in rows:
                cells = ", ".join(f"{key} = {_value(value)}" for key, value in row.items())
                lines.append(f"  {{ {cells} }},\n")
            lines.append("]\n")
    return "".join(lines)


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class RepositoryNames:
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
    RepositoryNames(
        "vllm-project/vllm",
        ("vllm",),
        ("vllm",),
        images=("vllm/vllm-openai", "vllm/vllm-openai-rocm", "rocm/vllm", "rocm/vllm-dev"),
        prefixes=("VLLM_",),
        programs=("vllm",),
        serves=True,
    ),
    RepositoryNames(
        "sgl-project/sglang",
        ("sglang", "sgl_kernel"),
        ("sglang", "sgl-kernel", "sglang-kernel"),
        images=("lmsysorg/sglang",),
        prefixes=("SGLANG_", "SGL_"),
        programs=("sglang",),
        serves=True,
    ),
    RepositoryNames(
        "flashinfer-ai/flashinfer",
        ("flashinfer",),
        ("flashinfer-python", "flashinfer", "flashinfer-cubin", "flashinfer-jit-cache"),
        headers=("flashinfer/",),
        images=("flashinfer/flashinfer",),
        prefixes=("FLASHINFER_",),
        programs=("flashinfer",),
    ),
    RepositoryNames(
        "NVIDIA/cutlass",
        ("cutlass", "cutlass_library", "cutlass_cppgen", "pycute"),
        ("nvidia-cutlass", "nvidia-cutlass-dsl", "cutlass-library"),
        headers=("cutlass/", "cute/"),
        prefixes=("CUTLASS_", "CUTE_"),
    ),
    RepositoryNames(
        "Dao-AILab/flash-attention",
        ("flash_attn", "flash_attn_interface", "flash_attn_2_cuda", "flash_attn_3"),
        ("flash-attn", "flash-attn-3", "flash-attn-4"),
        prefixes=("FLASH_ATTENTION_", "FLASH_ATTN_"),
    ),
    RepositoryNames(
        "deepseek-ai/DeepGEMM",
        ("deep_gemm",),
        ("deep-gemm", "deepgemm"),
        headers=("deep_gemm/",),
        prefixes=("DG_",),
    ),
    RepositoryNames("deepseek-ai/FlashMLA", ("flash_mla",), ("flash-mla",)),
    RepositoryNames(
        "NVIDIA/cutile-python",
        ("cuda.tile",),
        ("cuda-tile",),
        prefixes=("CUDA_TILE_",),
    ),
)
"""The watched repositories; another one is told by `upstream`."""

_WRITTEN = re.compile(r"([\w.-]+/[\w.-]+)(?:=([A-Za-z_][\w.]*(?:,[A-Za-z_][\w.]*)*))?", re.ASCII)


def upstream(written: str) -> RepositoryNames:
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
    return RepositoryNames(
        match[1], modules, tuple(normalised(one) for one in installed), prefixes=prefixes
    )


def normalised(distribution: str) -> str:
    """Return the normal form of a distribution's name."""
    return re.sub(r"[-_.]+", "-", distribution).lower()
