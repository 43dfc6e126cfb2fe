"""What a file can hold of an interface, told from its path; and whether a patch can touch it.

Found by what files are called everywhere (argument parsers, configuration, tables of variables,
request models, metrics, package fronts), not by lists of one project's paths.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.interfaces.settings import holds_settings
from digest.reading.paths import REMEMBERED, RUNTIME, UNREAD, role


class Language(StrEnum):
    """How a file is read."""

    PYTHON = "python"
    NATIVE = "native"
    REQUIREMENTS = "requirements"
    SETTINGS = "settings"


_ASIDE = re.compile(
    r"(?:^|/)(?:tools?|scripts?|debug\w*|profil\w*|playground|third[-_]?party|3rdparty|vendor|demos?"
    r"|tuning|autotun\w*_configs?|codegen|generate\w*|hack|experiments?|\.[^/]+)/"
    r"|(?:^|/)(?:test_|bench_|benchmark|debug_|profile_|tune_|generate_|gen_|run_|setup_|launch_benchmark)[^/]*$"
    r"|_(?:test|tests|benchmark|profiler?|debug|playground)\.py$|(?:^|/)(?:test_utils?|testing)\.py$"
)
_ROOTS = re.compile(r"^(?:[^/]+/){0,3}(?:python|src|lib)/(?=[^/])")
"""Folders that hold packages; further down `src` is a part of one."""
_NATIVE = (".hpp", ".cpp", ".cc", ".cxx", ".h", ".cuh", ".cu")

_ARGUMENTS = re.compile(
    r"(?:^|_)(?:args?|arguments|cli|cmd|options|flags)(?:_|$)|^launch|^__main__$"
)
_ARGUMENT_FOLDERS = frozenset({"cli", "entrypoints", "arg_groups", "server_args"})
_CONFIG = re.compile(
    r"^configs?$|^configuration$|^settings$|_(?:config|configs|settings|params)$|params$|(?:^|_)args?(?:_|$)"
)
_CONFIG_FOLDERS = frozenset({"config", "entrypoints", "server_args"})
_ENVIRONMENT = re.compile(r"^envs?$|environ|^env_|_envs?$")
_REQUESTS = re.compile(
    r"protocol|^io_struct$|^schemas?$|_schemas?$|^requests?$|^responses?$|^api_types$|^api_models$"
)
_METRICS = re.compile(r"metric|^stats$|collector|^loggers$|prometheus")
_SERVER = re.compile(
    r"^(?:http_|api_)?server$|router|^routes?$|^app$|^serve$|^endpoints?$|_endpoints?$|_server$"
)
_REGISTRY = re.compile(r"registry|parser|^__init__$|^factory$|_factory$")

_IN_A_LINE = re.compile(
    r"add_argument\(|\bgetenv\(|environ\b|env_var\w*\(|\bEnv[A-Z]\w*\("
    r"|\b(?:Gauge|Counter|Histogram|Summary)\(|@\w*(?:router|app)\.(?:get|post|put|delete|api_route)\("
    r"|@(?:\w+\.)?abstractmethod|\bis deprecated|_api$"
)
"""What tells of an interface anywhere in a changed line that is no comment."""
_WORDS_OF_IT = (
    "add_argument(", "getenv(", "environ", "env_var", " Env", "=Env", "(Env", ".Env", "Gauge(",
    "Counter(", "Histogram(", "Summary(", "router.", "app.", "abstractmethod", "is deprecated",
    "_api\n",
)  # fmt: skip
"""One of these stands in every text that the pattern above finds: looked for first, it is fast."""
_CHANGED = re.compile(r"[+-](?!\s*#)")
_WORDS_OF_A_LINE = ('name="', '"--', "= Literal[", "__all__")
"""One of these stands in every text that the next pattern finds."""
_A_LINE = re.compile(
    r"^[+-]\s+name=\"[a-z]\w*:|^[+-]\s+\"--[a-z]|^[+-]\w+ = Literal\[|^@@.*= Literal\["
    r"|^ \w+ = Literal\[|^[ +-]__all__",
    re.M,
)
_SIGNATURE = re.compile(
    r"^[+-](?:async )?(?:def|class) [a-z A-Z]\w*|^[+-]    \w+: [^\n=]+(?: = [^\n]+)?,?$"
    r"|^[+-]    \w+=[^\n=]+,$|^[+-]        \w+: [^\n=]+(?: = [^\n]+)?,$"
    r"|^[+-]    (?:async )?def (?!_)\w|^\+\s*@(?:\w+\.)?deprecated\b",
    re.M,
)
_DEPRECATION = re.compile(r"^\+.*\bDeprecationWarning\b", re.M)
_DEFINES = re.compile(
    r"^[+-](?:"
    r"[A-Za-z_@]"  # a statement at the top of a file
    r"|    (?:\w+\s*:\s|\w+ = |[\])] = |@|class |def __init__)"  # a member of a class
    r"|\s+[\"'][^\"'\n]{0,80}[\"']\s*[:,]"  # an entry of a table or list
    r"|\s+\w+(?: as \w+)?,$"  # a name that is imported
    r"|            self\.\w+ = [\"'\w.-]+$"  # what is given to who sets nothing
    r"|[^#\n]*(?:\b(?:default|default_factory|choices|action|name)=|Literal\[|deprecat|add_\w+\())",
    re.M,
)
"""A changed line that may define a part of an interface, in a file that can."""

_WORDS_OF_NATIVE = ("m.def(", "py::arg", "get_env", "getenv(")
"""One of these stands in every text that the next pattern finds."""
_ABOUT_NATIVE = re.compile(r"^[+-].*(?:\bm\.def\(|py::arg|\bget_env\b|getenv\()", re.M)
MOST_READ = 200_000
"""Characters of a patch that are looked at to tell whether its file has to be read."""

_CODE = re.compile(r"^[+-](?![+-]{2} )\s*[^\s#]", re.M)


@dataclass(frozen=True, slots=True)
class Place:
    """What a file can define, by its path; `module` is its dotted name, empty where it has none."""

    path: str
    language: Language
    module: str = ""
    arguments: bool = False
    config: bool = False
    environment: bool = False
    requests: bool = False
    metrics: bool = False
    server: bool = False
    registry: bool = False
    exports: bool = False

    @property
    def settings(self) -> bool:
        """Tell whether constants of the file may be choices that a user has."""
        return self.arguments or self.config or self.environment or self.registry

    @property
    def flags(self) -> bool:
        """Tell whether flags declared here are the program's, not a script's own."""
        return self.arguments or self.server or self.config

    @property
    def surface(self) -> bool:
        """Tell whether any changed line of code may be a change for users."""
        others = self.requests or self.metrics or self.server or self.exports
        return self.settings or others

    @property
    def depth(self) -> int:
        """How many names its module has: `package.part.file` is 3."""
        return self.module.count(".") + 1 if self.module else 0


@lru_cache(maxsize=REMEMBERED)
def place_of(path: str) -> Place | None:
    """Tell what the file at `path` can define, None where that is no user's interface."""
    what = role(path)
    name = path.rpartition("/")[2]
    if _is_metadata(path, name, what):
        return Place(path, Language.REQUIREMENTS)
    if what not in RUNTIME or _ASIDE.search(path):
        return None
    if holds_settings(path):
        return Place(path, Language.SETTINGS)
    if name.endswith(_NATIVE):
        return Place(path, Language.NATIVE)
    if not name.endswith(".py") or "/" not in path:
        return None
    stem = name.removesuffix(".py").lower()
    folders = frozenset(path.lower().split("/")[:-1])
    return Place(
        path,
        Language.PYTHON,
        module=module_of(path),
        arguments=bool(_ARGUMENTS.search(stem)) or bool(folders & _ARGUMENT_FOLDERS),
        config=bool(_CONFIG.search(stem)) or bool(folders & _CONFIG_FOLDERS),
        environment=bool(_ENVIRONMENT.search(stem)),
        requests=bool(_REQUESTS.search(stem)),
        metrics=bool(_METRICS.search(stem)) or "metrics" in folders,
        server=bool(_SERVER.search(stem)),
        registry=bool(_REGISTRY.search(stem)),
        exports=stem == "__init__",
    )


def module_of(path: str) -> str:
    """Return the dotted name of a Python file, without the folders that hold its package."""
    inner = _ROOTS.sub("", path).removesuffix(".py").removesuffix("/__init__")
    parts = inner.split("/")
    while len(parts) > 1 and (not parts[0].islower() or not parts[0].isidentifier()):
        parts = parts[1:]  # a folder around the package, whose name PEP 8 wants in lower case
    return ".".join(parts) if all(part.isidentifier() for part in parts) else ""


def is_private(module: str) -> bool:
    """Tell whether a module's own name, or one around it, says that it is not for others."""
    return any(part.startswith("_") for part in module.split("."))


_SET_ASIDE = re.compile(
    r"(?:^|[-_./])(?:tests?|dev|develop|lint|docs?|build|ci|bench\w*|nightly|typing|mypy|examples?"
    r"|precommit|profil\w*)(?:[-_.]|$)"
)


def _is_metadata(path: str, name: str, what: ChangeObject) -> bool:
    if what in UNREAD:
        return False
    if _ASIDE.search(path) or path.count("/") > 3 or "docker/" in path:
        return False
    if re.fullmatch(r"pyproject\w*\.toml", name) or name in ("setup.py", "setup.cfg"):
        return path.count("/") <= 2
    in_folder = "/requirements/" in f"/{path}" and name.endswith((".txt", ".in"))
    named = name.startswith("requirements") and name.endswith((".txt", ".in"))
    return (in_folder or named) and not _SET_ASIDE.search(name.removesuffix(".txt"))


def can_matter(file: FileChange, place: Place) -> int:
    """Tell from its patch whether a file must be compared whole.

    2: it can hold a change for users; 1: only if its names are a package's public ones; 0: it
    cannot. A file without a patch can, if its path says that it is part of the interface.
    """
    patch = file.patch
    if place.language is Language.REQUIREMENTS:
        return 2
    if place.language is Language.SETTINGS:
        # Settings that come or go as a whole file are no list of what changed.
        return 0 if file.status in ("added", "removed") else 2
    if patch is None:
        return 2 if place.surface and file.additions + file.deletions > 0 else 0
    if place.language is Language.NATIVE:
        names_native = any(word in patch for word in _WORDS_OF_NATIVE)
        return 2 if names_native and _ABOUT_NATIVE.search(patch, 0, MOST_READ) else 0
    if place.environment and _CODE.search(patch):
        return 2
    if place.surface and _DEFINES.search(patch, 0, MOST_READ):
        return 2
    if file.status == "removed":
        return 0
    if _shows_interface(patch):
        return 1 if file.status == "added" else 2
    if file.status == "added":
        return 0
    if _SIGNATURE.search(patch, 0, MOST_READ):
        return 1
    warns = "DeprecationWarning" in patch and _DEPRECATION.search(patch, 0, MOST_READ)
    return 1 if warns else 0


def _lines_with(words: Iterable[str], text: str) -> Iterator[str]:
    """Yield the lines of a text that have one of some words, in any order."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            end = text.find("\n", at)
            yield text[text.rfind("\n", 0, at) + 1 : end]
            at = text.find(word, end)


def _shows_interface(patch: str) -> bool:
    """Tell whether a changed line of any file at all is about an interface."""
    patch = patch[:MOST_READ]
    for line in _lines_with(_WORDS_OF_IT, f"{patch}\n"):
        if _CHANGED.match(line) and _IN_A_LINE.search(line):
            return True
    return any(word in patch for word in _WORDS_OF_A_LINE) and _A_LINE.search(patch) is not None
