"""What a file can hold of an interface, told from its path; and whether a patch can touch it.

Found by what files are called everywhere (argument parsers, configuration, tables of variables,
request models, metrics, package fronts), not by lists of one project's paths.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from digest.grades import ChangeObject
from digest.models import FileAt, FileChange, Item, Kind
from digest.reading.folding import brings_main
from digest.reading.interfaces import grammar
from digest.reading.interfaces.handed_on import origins
from digest.reading.interfaces.other_files import holds_settings
from digest.reading.interfaces.rust_flags import holds_rust_flags
from digest.reading.patch import MOST_READ
from digest.reading.paths import REMEMBERED, RUNTIME, UNREAD, role


class FileLanguage(StrEnum):
    """How a file is read."""

    PYTHON = "python"
    NATIVE = "native"
    RUST = "rust"
    REQUIREMENTS = "requirements"
    SETTINGS = "settings"


_ASIDE = re.compile(
    r"(?:^|/)(?:tools?|scripts?|debug\w*|profil\w*|playground|third[-_]?party|3rdparty|vendor|demos?"
    r"|tuning|autotun\w*_configs?|codegen|generate_\w*|hack|experiments?|\.[^/]+)/"
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
    r"add_argument\(|\b[oO]ption\(\s*[\"']-|\bChoice\(|\bgetenv\(|environ\b|env_var\w*\(|\bEnv[A-Z]\w*\("
    r"|\b(?:Gauge|Counter|Histogram|Summary)\(|@\w*(?:router|app)\.(?:get|post|put|delete|api_route)\("
    r"|@(?:\w+\.)?abstractmethod|\bis deprecated|_api$"
    r"|@(?:\w+\.)?register_\w*(?:adapter|backend|config|connector|engine|parser|tag|module)\("
)
"""What tells of an interface anywhere in a changed line that is no comment."""
_WORDS_OF_IT = (
    "add_argument(", "ption(", "Choice(", "getenv(", "environ", "env_var", " Env", "=Env", "(Env",
    ".Env", "Gauge(", "Counter(", "Histogram(", "Summary(", "router.", "app.", "abstractmethod",
    "is deprecated", "_api\n", "register_",
)  # fmt: skip
"""One of these stands in every text that the pattern above finds: looked for first, it is fast."""
_CHANGED = re.compile(r"[+-](?!\s*#)")
_WORDS_OF_A_LINE = ('name="', '"--', "= Literal[", "__all__")
"""One of these stands in every text that the next pattern finds."""
_A_LINE = re.compile(
    r"^[+-]\s+name=\"[a-z]\w*:|^[+-]\s+(?:\"--[a-z]|f\"--\{)|^[+-]\w+ = Literal\[|^@@.*= Literal\["
    r"|^ \w+ = Literal\[|^[ +-]__all__|^@@.*@@ __all__\b",
    re.M,
)
_SIGNATURE = re.compile(
    r"^[+-](?:async )?(?:def|class) [a-z A-Z]\w*|^[+-]    \w+: [^\n=]+(?: = [^\n]+)?,?$"
    r"|^[+-]    \w+=[^\n=]+,$|^[+-]        \w+: [^\n=]+(?: = [^\n]+)?,$"
    r"|^[+-]    (?:async )?def (?!_)\w|^[+-]    def __init__\(|^\+\s*@(?:\w+\.)?deprecated\b",
    re.M,
)
_ENTRY = re.compile(r"^[+-](?:[^#\n]*\bmeta_info\b|\s+[\"']\w+[\"']:)", re.M)
"""What may be put into a dict of an answer, in a patch that speaks of one."""
_TO_WRITE = re.compile(r"^[ +]\s+@(?:\w+\.)?abstractmethod\n[+-]\s+(?:async )?def ", re.M)
"""A method that others have to write, with another head than before."""
_MEMBER = re.compile(r"^[+-]    [A-Z]\w* = ", re.M)
"""What may be a member of an enum."""
_DEPRECATION = re.compile(r"^\+.*\bDeprecationWarning\b", re.M)
_DEFINES = re.compile(
    r"^[+-](?:"
    r"[A-Za-z_@]"  # a statement at the top of a file
    r"|    (?:\w+\s*:\s|\w+ = |[\])] = |@|class |def __init__)"  # a member of a class
    r"|\s+[\"'][^\"'\n]{0,80}[\"']\s*[:,]"  # an entry of a table or list
    r"|\s+\w+(?: as \w+)?,$"  # a name that is imported
    r"|\s+(?:\w+\.)*(?:self|\w*config|\w*args)\.\w+ = "  # what is given to who sets nothing
    r"|[^#\n]*\bis_(?:cuda|rocm|hip|xpu|npu|cpu|musa|sm\d|device_capability|blackwell|hopper)\w*\("
    r"|[^#\n]*(?:\b(?:default|default_factory|choices|action|name)=|Literal\[|deprecat|add_\w+\())",
    re.M,
)
"""A changed line that may define a part of an interface, in a file that can."""

_CONDITION = re.compile(r"^[+-] +(?:if|elif|and|or)\b", re.M)
"""A changed line on which it may depend what who sets nothing gets, in a file of settings."""

_WORDS_OF_NATIVE = ("m.def(", "py::arg", "get_env", "getenv(")
"""One of these stands in every text that the next pattern finds."""
_ABOUT_NATIVE = re.compile(r"^[+-].*(?:\bm\.def\(|py::arg|\bget_env\b|getenv\()", re.M)
_ABOUT_RUST = re.compile(
    r"^[+-].*(?:#\[(?:arg|clap)\(|\bdefault_value|\blong\b|\bconst |\benv =)", re.M
)
_CODE = re.compile(r"^[+-](?![+-]{2} )\s*[^\s#]", re.M)


@dataclass(frozen=True, slots=True)
class Place:
    """What a file can define, by its path; `module` is its dotted name, empty where it has none."""

    path: str
    language: FileLanguage
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
        return Place(path, FileLanguage.REQUIREMENTS)
    if what not in RUNTIME or _ASIDE.search(path):
        return None
    if holds_settings(path):
        return Place(path, FileLanguage.SETTINGS)
    if name.endswith(_NATIVE):
        return Place(path, FileLanguage.NATIVE)
    if name.endswith(".rs"):
        return Place(path, FileLanguage.RUST) if holds_rust_flags(path) else None
    if not name.endswith(".py") or "/" not in path:
        return None
    stem = name.removesuffix(".py").lower()
    folders = frozenset(path.lower().split("/")[:-1])
    return Place(
        path,
        FileLanguage.PYTHON,
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
    parts = _ROOTS.sub("", path).removesuffix(".py").split("/")
    # Folders around the package: PEP 8 wants its name in lower case, and what is built by itself
    # stands in a folder that is called as the package is, or as a part of it.
    while len(parts) > 1 and (
        not parts[0].islower() or not parts[0].isidentifier() or parts[0] in parts[1:-1]
    ):
        parts = parts[1:]
    if len(parts) > 1 and parts[-1] == "__init__":
        parts = parts[:-1]
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

    3: it can hold a change for users; 2: only if its names are a package's public ones; 1: only if
    a default depends on what it asks; 0: it cannot. A file without a patch can, if its path says
    that it is part of the interface.
    """
    patch = file.patch
    if place.language is FileLanguage.REQUIREMENTS:
        return 3
    if place.language is FileLanguage.SETTINGS:
        # Settings that come or go as a whole file are no list of what changed.
        return 0 if file.status in ("added", "removed") else 3
    if patch is None:
        return 3 if place.surface and file.additions + file.deletions > 0 else 0
    if place.language in (FileLanguage.NATIVE, FileLanguage.RUST):
        return 3 if _is_about_compiled(patch, file, place) else 0
    if place.environment and _CODE.search(patch):
        return 3
    if place.surface and _DEFINES.search(patch, 0, MOST_READ):
        return 3
    if file.status == "removed":
        return 0
    if _shows_interface(patch):
        return 2 if file.status == "added" else 3
    if file.status == "added":
        return 0
    if _SIGNATURE.search(patch, 0, MOST_READ):
        return 2
    members = "Enum)" in patch and _MEMBER.search(patch, 0, MOST_READ)
    warns = "DeprecationWarning" in patch and _DEPRECATION.search(patch, 0, MOST_READ)
    return 2 if members or warns else int(_may_choose(patch, place))


def _may_choose(patch: str, place: Place) -> bool:
    """Tell whether a patch changes on what it depends what who sets nothing gets."""
    return (place.arguments or place.config) and bool(_CONDITION.search(patch, 0, MOST_READ))


def _is_about_compiled(patch: str, file: FileChange, place: Place) -> bool:
    """Tell whether a patch of C++ or Rust may change what a user has of it.

    A program in Rust that comes or goes as a whole is told by itself, and not flag by flag.
    """
    if place.language is FileLanguage.RUST:
        is_there = file.status in ("modified", "renamed")
        return is_there and _ABOUT_RUST.search(patch, 0, MOST_READ) is not None
    names_native = any(word in patch for word in _WORDS_OF_NATIVE)
    return names_native and _ABOUT_NATIVE.search(patch, 0, MOST_READ) is not None


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
    if "meta_info" in patch and _ENTRY.search(patch):
        return True
    if "abstractmethod" in patch and _TO_WRITE.search(patch):
        return True
    return any(word in patch for word in _WORDS_OF_A_LINE) and _A_LINE.search(patch) is not None


@dataclass(frozen=True, slots=True)
class Front:
    """What an `__init__` hands on: names, and modules whose every public name it hands on.

    `versioned` tells that it has a `__version__`: it is the top of what is installed by itself.
    `stated` are names that it imports as themselves, which says that they are handed on.
    """

    names: frozenset[str]
    starred: frozenset[str]
    versioned: bool = False
    stated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Fronts:
    """The texts of the fronts that are known, by folder; None where a folder is known to have none.

    A folder at the top without one only holds packages (`cuda` of `cuda.tile`): those are the top.
    """

    texts: Mapping[str, str | None]

    def hands_on(self, name: str, path: str, place: Place) -> bool:
        """Tell whether the module at `path` defines a public `name`."""
        folder, _, file = path.rpartition("/")
        stem = file.removesuffix(".py")
        package = place.module if place.exports else place.module.rpartition(".")[0]
        if not package or is_private(package):
            return False
        front = self.front(folder)
        if not self.reaches(folder, package):
            stated = front.stated if front else ()
            return bool(stated) if place.exports else name in stated
        if place.exports:
            return True
        if front is None:
            return False
        if name in front.names:
            return True
        return stem in front.starred and not name.startswith("_")

    def is_public(self, name: str, path: str, place: Place) -> bool:
        """Tell whether the module at `path` defines what its own front hands on, or the top."""
        if self.hands_on(name, path, place):
            return True
        if place.exports or is_private(place.module.partition(".")[0]):
            return False
        parts, folders = place.module.split("."), path.split("/")[:-1]
        above = {
            ".".join(parts[:depth]): "/".join(folders[: len(folders) - len(parts) + 1 + depth])
            for depth in range(1, len(parts))
        }
        fronts = ((package, self.front(folder)) for package, folder in above.items())
        tops = [
            package
            for package, front in fronts
            if front and (front.versioned or "." not in package)
        ]
        return any(self._leads_to(place.module, name, package, above) for package in tops)

    def _leads_to(self, module: str, name: str, package: str, above: Mapping[str, str]) -> bool:
        """Tell whether a front hands on a name of a module, itself or by a front further down."""
        text = self.texts.get(above[package]) or ""
        found = [origin for one, origin in origins(text, package) if one == name]
        further = [one for one in found if one in above and len(one) > len(package)]
        return module in found or any(self._leads_to(module, name, one, above) for one in further)

    def reaches(self, folder: str, package: str) -> bool:
        """Tell whether the package's top names the way down to the folder, front by front.

        The top is the first folder that has a front, or one right below it with a version of its
        own. A folder without a front may only hold packages where `src/` says that modules begin.
        """
        parts = package.split(".")
        folders = folder.split("/")
        named = True
        for depth in range(1, len(parts) + 1):
            above = "/".join(folders[: len(folders) - len(parts) + depth])
            front = self.front(above)
            if front is not None and front.versioned and depth <= 2:
                named = True
            if depth == len(parts):
                break
            text = self.texts.get(above)
            if text is not None:
                named = named and _names_module(text, parts[depth])
            elif depth > 1 or above not in self.texts or len(folders) == len(parts):
                named = False
        return named

    def front(self, folder: str) -> Front | None:
        """Return what the front of a folder hands on, None where it is not known."""
        text = self.texts.get(folder)
        return None if text is None else _read(text)

    def has_name(self, name: str) -> bool:
        """Tell whether a front at the top of a package hands on the name."""
        return any(
            name in front.names
            for folder in self.texts
            if (front := self.front(folder)) is not None
        )


@lru_cache(maxsize=512)
def _names_module(text: str, module: str) -> bool:
    word = re.escape(module)
    return (
        re.search(
            rf"^[ \t]*(?:from|import)\s[^#\n]*\b{word}\b|^[ \t]+{word}(?: as \w+)?,?\s*$"
            rf"|[\"']\.{word}[.:]",
            text,
            re.M,
        )
        is not None
    )


@lru_cache(maxsize=512)
def _read(text: str) -> Front:
    try:
        tree = grammar.module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Front(frozenset(), frozenset())
    names: set[str] = set()
    starred: set[str] = set()
    stated: set[str] = set()
    versioned = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _assigns(node, "__version__"):
            versioned = True
        if isinstance(node, ast.ImportFrom):
            versioned = versioned or any(alias.name == "__version__" for alias in node.names)
            for alias in node.names:
                name = alias.asname or alias.name
                if name == "*":
                    starred.add((node.module or "").rpartition(".")[2])
                elif not name.startswith("_") and node.level < 2:
                    names.add(name)
                    stated |= {name} if alias.asname == alias.name else set()
        elif isinstance(node, ast.Assign) and _assigns(node, "__all__"):
            names |= {
                one.value
                for one in ast.walk(node.value)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
    return Front(frozenset(names), frozenset(starred), versioned, frozenset(stated))


def _assigns(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


MOST_FILES = 100
"""Files of a day that are asked for to be compared at most."""
MOST_FRONTS = 60
"""Fronts of packages that are asked for beyond these: without them no public name is known."""

MOST_OF_ONE = 40
"""Files of one item at most, unless it is alone: a release of everything is not the whole day."""

_DEEPEST_FRONT = 3
"""Names in a package's dotted name up to which its `__init__` is taken for a public front."""


@dataclass(frozen=True, slots=True)
class ChangeEnds:
    """The commits before and after a change, by their whole SHAs; empty where not known."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of an item that may hold a change of an interface."""

    item: Item
    ends: ChangeEnds
    file: FileChange
    place: Place
    worth: int

    @property
    def before(self) -> FileAt | None:
        """The file before the change, None where it was not there."""
        if self.file.status == "added":
            return None
        return FileAt(self.ends.before, self.file.previous_path or self.file.path)

    @property
    def after(self) -> FileAt | None:
        """The file after the change, None where it is no longer there."""
        return None if self.file.status == "removed" else FileAt(self.ends.after, self.file.path)


def ends_of(item: Item, commits: Mapping[str, Item]) -> ChangeEnds | None:
    """Return the commits before and after an item, None where its parents are not known.

    `commits` are the commits that the item accounts for, by SHA, where their parents are known.
    Of a merge it is its first parent and itself, of several commits what stands before the first
    and the last.
    """
    if not item.commits:
        return None
    if item.parents and (len(item.commits) == 1 or len(item.parents) > 1):
        merge = next((sha for sha in item.commits if _parents(sha, commits) == item.parents), None)
        return ChangeEnds(item.parents[0], merge or item.commits[-1])
    known = {sha: _parents(sha, commits) for sha in item.commits}
    merges = [sha for sha, parents in known.items() if len(parents) > 1]
    if merges:
        return ChangeEnds(known[merges[-1]][0], merges[-1])
    if not all(known.values()):
        return None
    first = [parents[0] for parents in known.values() if parents[0] not in known]
    parents_of = {parents[0] for parents in known.values()}
    last = [sha for sha in known if sha not in parents_of]
    return ChangeEnds(first[0], last[0]) if len(first) == 1 and len(last) == 1 else None


def _parents(sha: str, commits: Mapping[str, Item]) -> tuple[str, ...]:
    known = commits.get(sha)
    return known.parents if known is not None else ()


def by_sha(items: Sequence[Item]) -> dict[str, Item]:
    """Return the commits among items by SHA."""
    return {sha: item for item in items if item.kind is Kind.COMMIT for sha in item.commits[:1]}


def touched(items: Sequence[Item], commits: Sequence[Item] = ()) -> list[Touched]:
    """Return the files that have to be compared, those that matter most first, at most a budget.

    In: changes with files, and the commits that they were folded from, for their parents.
    """
    known = by_sha([*items, *commits])
    found: list[Touched] = []
    for item in items:
        if not item.kind.is_change or not item.files:
            continue
        ends = ends_of(item, known)
        if brings_main(item):
            continue
        own = [one for one in _of_item(item, ends or ChangeEnds("", "")) if one.worth]
        own.sort(key=_order)
        found += own[:MOST_OF_ONE] if len(items) > 1 else own
    found.sort(key=_order)
    return found


def _of_item(item: Item, ends: ChangeEnds) -> Iterator[Touched]:
    for file in item.files or ():
        place = place_of(file.path) or (place_of(file.previous_path or "") or None)
        if place is not None:
            yield Touched(item, ends, file, place, can_matter(file, place))


def _order(one: Touched) -> tuple[int, int, int, int]:
    place = one.place
    first = place.language is FileLanguage.REQUIREMENTS or place.arguments or place.environment
    return -one.worth, -int(first), -int(place.surface), place.depth


def fronts(files: Sequence[Touched]) -> tuple[FileAt, ...]:
    """Return the `__init__` files that tell which names of the touched modules are public."""
    found: dict[str, FileAt] = {}
    for one in files:
        if one.place.language is FileLanguage.REQUIREMENTS or one.after is None:
            continue
        if one.place.language is FileLanguage.NATIVE:
            paths = _packages(one.item)
        elif one.place.depth <= _DEEPEST_FRONT + 1:
            paths = fronts_above(one.place)
        else:
            continue
        for path in paths:
            found.setdefault(path, FileAt(one.ends.after, path))
    return tuple(found.values())


def fronts_above(place: Place) -> Iterator[str]:
    """Yield the paths of the fronts of the packages around a Python file."""
    folders = place.path.split("/")[:-1]
    for up in range(place.depth - (0 if place.exports else 1)):
        yield "/".join([*folders[: len(folders) - up], "__init__.py"])


def _packages(item: Item) -> Iterator[str]:
    """Yield the fronts of the packages at the top, as the paths of an item show them."""
    seen = set()
    for file in item.files or ():
        place = place_of(file.path)
        if place is None or not place.module or place.language is not FileLanguage.PYTHON:
            continue
        package = place.module.partition(".")[0]
        start = f"/{file.path}".find(f"/{package}/")
        if start >= 0 and package not in seen:
            seen.add(package)
            yield file.path[: start + len(package)] + "/__init__.py"


def wanted(
    items: Sequence[Item], commits: Sequence[Item] = (), most: int = MOST_FILES
) -> tuple[FileAt, ...]:
    """Return the whole files that `interface_facts` needs of these items, `most` and some fronts.

    In: changes with their files and patches, folded or not; `commits` are the commits as the
    source gave them, where the items were folded from them. What matters most comes first, so
    that any beginning of it is worth asking for. Files of which the patch shows that no user can
    notice are not among them.
    """
    files = [one for one in touched(items, commits) if one.ends.after]
    sure = [one for one in files if one.worth > 2]
    perhaps = [one for one in files if one.worth <= 2]
    found: dict[FileAt, None] = {}
    for one in sure:
        _take(found, one, most)
    # What a parser makes of settings is much the same after each change: it is read once.
    parsers = {at.path: at for one in reversed(sure) for at in _parsers(one)}
    for at in (*(at for one in sure for at in _tables_of_variables(one)), *parsers.values()):
        if len(found) < most:
            found.setdefault(at)
    public = fronts([one for one in files if one.worth > 1])
    for at in public[: max(0, most + MOST_FRONTS - len(found))]:
        found.setdefault(at)
    for one in perhaps:
        _take(found, one, most)
    return tuple(found)


_READS_VARIABLE = re.compile(r"^[+-].*(?:getenv\(|environ\b|env_var\w*\()", re.M)
_TABLES = ("envs.py", "environ.py")


def _tables_of_variables(one: Touched) -> Iterator[FileAt]:
    """Yield where a table may have a variable, too, that a patch reads or no longer does.

    It stands at the top of the package or right below that; a change need not touch it.
    """
    place, patch = one.place, (one.file.patch or "")[:MOST_READ]
    reads = place.language is FileLanguage.PYTHON and place.depth > 1 and not place.environment
    if not reads or one.after is None or not _READS_VARIABLE.search(patch):
        return
    folders = place.path.split("/")[:-1]
    top = len(folders) - place.depth + 2
    for folder in dict.fromkeys(["/".join(folders[:top]), "/".join(folders[: top + 1])]):
        yield from (FileAt(one.ends.after, f"{folder}/{name}") for name in _TABLES)


_FIELD = re.compile(r"^[+-](?:    \w+[ \t]*:[^=\n]*=|\w+ = Literal|    [\"'][\w.-]+[\"'],$)", re.M)
PARSERS = ("/arg_utils.py", "/engine/arg_utils.py")


def _parsers(one: Touched) -> Iterator[FileAt]:
    """Yield where a parser may make flags of settings that a patch changes; it need not touch it.

    It stands at the top of the package, or in what is called its engine.
    """
    place, patch = one.place, (one.file.patch or "")[:MOST_READ]
    settings = place.config and not place.arguments and 1 < place.depth <= _DEEPEST_FRONT
    if not settings or one.file.status != "modified" or not _FIELD.search(patch):
        return
    folders = place.path.split("/")[:-1]
    top = "/".join(folders[: len(folders) - place.depth + 2])
    yield from (FileAt(one.ends.after, f"{top}{name}") for name in PARSERS)


def _take(found: dict[FileAt, None], one: Touched, most: int) -> None:
    new = [at for at in (one.before, one.after) if at is not None and at not in found]
    if len(found) + len(new) <= most:
        found.update(dict.fromkeys(new))
