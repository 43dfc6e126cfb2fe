"""What a package asks for when it is installed: requirements files, pyproject.toml, setup.py."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import CUT, quoted

_LINE = re.compile(
    r"^\s*(?P<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*"
    r"(?P<spec>(?:\(?\s*(?:[<>=!~]=?=?|===)\s*[\w.*+!-]+\s*\)?\s*,?\s*)*)(?P<url>@\s*\S+)?"
    r"\s*(?:;(?P<marker>[^#]*))?\s*(?:--\S.*)?(?:\s#.*)?\\?$"
)
_BOUND = re.compile(r"(===|==|~=|>=|<=|!=|>|<)\s*([\w.*+!-]+)")
_ASIDE_EXTRAS = re.compile(
    r"(?:^|[-_])(?:tests?|dev|lint|docs?|bench\w*|typing|profil\w*|ci)(?:[-_]|$)"
)
_BASE_STEMS = re.compile(r"^(?:requirements?|common|base|core|main|runtime|pyproject|setup)$")
_LONGEST_LINE = 400
MAX_METADATA = 200_000


@dataclass(frozen=True, slots=True)
class Requirement:
    """One package that is asked for: its name, its bounds as written, and where that stands.

    `condition` is the extra, the file's own part (`rocm`) and the marker under which it holds.
    """

    name: str
    spec: str
    condition: str
    path: str
    line: int
    quote: str
    extra: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What makes two requirements the same one."""
        return self.name.lower().replace("_", "-"), self.condition


def lowest(spec: str) -> str:
    """Return the lowest version that bounds as written allow, empty where there is none."""
    if re.fullmatch(r"\d[\w.+!%]*", spec):
        return spec
    bounds: dict[str, str] = dict(_BOUND.findall(spec))
    return next((bounds[op] for op in ("===", "==", "~=", ">=", ">") if op in bounds), "")


def requirements_of(path: str, text: str) -> list[Requirement]:
    """Return what the metadata file at `path` asks for; nothing where it cannot be read."""
    if len(text) > MAX_METADATA:
        return []
    name = path.rpartition("/")[2]
    if name.endswith(".toml"):
        return list(_pyproject(path, text))
    if name == "setup.py":
        return list(_setup(path, text))
    if name == "setup.cfg":
        return []
    lines = text.split("\n")
    part = _part(name)
    return [
        one
        for number, line in enumerate(lines, 1)
        for one in _requirement(line, path, number, quoted(lines, number), part)
    ]


def requirements_in_part(path: str, text: str) -> list[Requirement]:
    """Return what parts of a metadata file ask for, of a TOML where they show the list.

    What a `setup.py` asks for is read of the whole file only.
    """
    if path.endswith("setup.py"):
        return []
    if not path.endswith(".toml"):
        return requirements_of(path, text)
    lines = text.split("\n")
    found: list[Requirement] = []
    table = key = ""
    for number, line in enumerate(lines, 1):
        header = _TABLE.match(line)
        if header or line == CUT:
            table, key = header[1] if header else "", ""
            continue
        if assigned := _KEY.match(line):
            key = assigned[1]
        quote = quoted(lines, number)
        strings = [one[1] or one[2] for one in _STRING.finditer(line.partition(" #")[0])]
        if key == "requires-python" and strings:
            spec = strings[0].replace(" ", "")
            found.append(Requirement("Python", spec, "", path, number, quote))
        elif key == "dependencies" and table in ("", "project"):
            for one in strings:
                found += _requirement(one, path, number, quote, "")
        elif table == "project.optional-dependencies" and not _ASIDE_EXTRAS.search(key):
            part = f"extra {key}"
            for one in strings:
                found += _requirement(one, path, number, quote, part, key)
    return found


_TABLE = re.compile(r"^\s*\[{1,2}([\w.\"'-]{1,100})\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*([\w-]{1,60})\s*=")
_STRING = re.compile(r"\"([^\"\n]{1,400})\"|'([^'\n]{1,400})'")


def _part(name: str) -> str:
    """Return what a file of requirements is for by its name: empty for everybody."""
    stem = re.sub(r"\.(?:txt|in)$", "", name).lower()
    stem = re.sub(r"^requirements?[-_.]?", "", stem)
    return "" if not stem or _BASE_STEMS.match(stem) else stem


def _requirement(
    text: str, path: str, line: int, quote: str, part: str, extra: str = ""
) -> Iterator[Requirement]:
    """Yield what one line asks for, nothing where it asks for no package."""
    if len(text) > _LONGEST_LINE or text.lstrip().startswith(("#", "-")):
        return
    match = _LINE.match(text.partition(" #")[0].rstrip())
    if match is None:
        return
    url = (match["url"] or "").strip()
    marker = (match["marker"] or "").strip()
    condition = "; ".join(one for one in (part, marker) if one)
    spec = re.sub(r"\s+", "", match["spec"] or "").strip("(),")
    spec = spec or (_of_url(url, match["name"]) if url else "")
    yield Requirement(match["name"], spec, condition, path, line, quote, extra)


def _of_url(url: str, name: str) -> str:
    """Return the version that the file name of a wheel or archive tells, else the address.

    https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    """
    file = url.rpartition("/")[2]
    found = re.match(rf"{re.escape(name)}-v?(\d[^-/]*)[-.]", file, re.IGNORECASE)
    return found[1] if found else url


def _pyproject(path: str, text: str) -> Iterator[Requirement]:
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return
    project = document.get("project")
    if not isinstance(project, Mapping):
        return
    lines = text.split("\n")
    stem = path.rpartition("/")[2].removesuffix(".toml").removeprefix("pyproject").strip("_-")
    seen = _Finder(lines)
    requires = project.get("requires-python")
    if isinstance(requires, str):
        line = seen.line("requires-python")
        yield Requirement(
            "Python", requires.replace(" ", ""), stem, path, line, quoted(lines, line)
        )
    for text_of in _strings(project.get("dependencies")):
        line = seen.line(text_of)
        yield from _requirement(text_of, path, line, quoted(lines, line), stem)
    extras = project.get("optional-dependencies")
    if not isinstance(extras, Mapping):
        return
    for extra, wanted in extras.items():
        if _ASIDE_EXTRAS.search(str(extra)):
            continue
        part = f"{stem}: extra {extra}" if stem else f"extra {extra}"
        seen.start_at(rf"^\s*\"?{re.escape(str(extra))}\"?\s*=")
        for text_of in _strings(wanted):
            line = seen.line(text_of)
            for one in _requirement(text_of, path, line, quoted(lines, line), part, str(extra)):
                # An extra that takes in another one asks for the project itself.
                if _normalized(one.name) != _normalized(str(project.get("name"))):
                    yield one


def _normalized(name: str) -> str:
    """https://packaging.python.org/en/latest/specifications/name-normalization/"""
    return re.sub(r"[-_.]+", "-", name).lower()


class _Finder:
    """Finds the lines of values that a TOML reader gives without their places."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def start_at(self, pattern: str) -> None:
        for number, line in enumerate(self._lines):
            if re.search(pattern, line):
                self._at = number
                return

    def line(self, text: str) -> int:
        for start in (self._at, 0):
            for number in range(start, len(self._lines)):
                line = self._lines[number]
                if text in line and not line.lstrip().startswith("#"):
                    return number + 1
        return 0


def _strings(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _setup(path: str, text: str) -> Iterator[Requirement]:
    try:
        tree = grammar.module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("setup"):
            continue
        for keyword in node.keywords:
            value = keyword.value
            if keyword.arg == "python_requires" and isinstance(value, ast.Constant):
                spec, quote = str(value.value).replace(" ", ""), quoted(lines, value.lineno)
                yield Requirement("Python", spec, "", path, value.lineno, quote)
            elif keyword.arg == "install_requires":
                yield from _listed(value, path, lines, "", extra="")
            elif keyword.arg == "extras_require" and isinstance(value, ast.Dict):
                for key, item in zip(value.keys, value.values, strict=True):
                    extra = key.value if isinstance(key, ast.Constant) else None
                    if isinstance(extra, str) and not _ASIDE_EXTRAS.search(extra):
                        yield from _listed(item, path, lines, f"extra {extra}", extra=extra)


def _listed(
    value: ast.expr, path: str, lines: list[str], part: str, *, extra: str = ""
) -> Iterator[Requirement]:
    if not isinstance(value, ast.List):
        return
    for one in value.elts:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            quote = quoted(lines, one.lineno)
            yield from _requirement(one.value, path, one.lineno, quote, part, extra)


def release_of(version: str) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
    """Return what tells which of two versions is higher: numbers, then whether it is final.

    https://packaging.python.org/en/latest/specifications/version-specifiers/
    """
    match = re.match(r"v?(\d+(?:\.\d+)*)(.*)", version.partition("+")[0].lower())
    if match is None:
        return ((), 0, ())
    numbers = tuple(int(number) for number in match[1].split("."))[:6]
    while numbers and numbers[-1] == 0:
        numbers = numbers[:-1]
    rest = match[2].lstrip(".-_")
    ranks = {"dev": -4, "a": -3, "b": -2, "rc": -1, "c": -1, "post": 1}
    rank = next((rank for word, rank in ranks.items() if rest.startswith(word)), 0)
    return numbers, rank, tuple(int(number) for number in re.findall(r"\d+", rest)[:2])


def is_higher(one: str, other: str) -> bool:
    """Tell whether one version is higher than another."""
    return release_of(one) > release_of(other)


def is_listed(path: str, text: str) -> bool:
    """Tell whether a `setup.py` lists what everybody needs, and does not work it out."""
    if not path.endswith("setup.py"):
        return True
    found = re.search(r"install_requires\s*=\s*(\S)", text)
    return found is None or found[1] == "["
