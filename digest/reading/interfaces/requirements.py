"""What a package asks for when it is installed: requirements files, pyproject.toml, setup.py."""

import ast
import re
import tomllib
from collections.abc import Iterator
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
_OWN_FOLDERS = ("", "python", "src")
"""Where the metadata of a repository's one package stands."""
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


def requirements_of(path: str, text: str, *, cut: bool = False) -> list[Requirement]:
    """Return what the metadata file at `path` asks for.

    Of parts that are `cut` out of a file a TOML has what they show of its lists; what a `setup.py`
    asks for is read of the whole file only. Raises `ValueError` for a file that is too long, that
    or `RecursionError` for a whole TOML that is none, what `grammar.module` does for a `setup.py`.
    """
    name = path.rpartition("/")[2]
    if name == "setup.cfg":
        return []
    if len(text) > MAX_METADATA:
        raise ValueError(f"longer than {MAX_METADATA} characters")
    if name.endswith(".toml"):
        return list(_pyproject(path, text, cut=cut))
    if name == "setup.py":
        return [] if cut else list(_setup(path, text))
    lines = text.split("\n")
    part = _part(name)
    return [
        one
        for number, line in enumerate(lines, 1)
        for one in _requirement(line, path, number, quoted(lines, number), part)
    ]


def _pyproject(path: str, text: str, *, cut: bool) -> Iterator[Requirement]:
    """Read the lists of a TOML line by line: a whole one has to be valid, a part cannot be."""
    if not cut:
        tomllib.loads(text)  # a TOMLDecodeError is a ValueError
    stem = path.rpartition("/")[2].removesuffix(".toml").removeprefix("pyproject").strip("_-")
    stem = stem or _package(path)
    lines = text.split("\n")
    own = ""
    for number, table, key, strings in _listed_in(lines):
        quote = quoted(lines, number)
        if (table, key) == ("project", "name"):
            own = _normalized(strings[0])
        elif key == "requires-python" and table in ("", "project"):
            spec = strings[0].replace(" ", "")
            yield Requirement("Python", spec, stem, path, number, quote)
        elif key == "dependencies" and table in ("", "project"):
            for one in strings:
                yield from _requirement(one, path, number, quote, stem)
        elif table == "project.optional-dependencies" and not _ASIDE_EXTRAS.search(key):
            part = f"{stem}: extra {key}" if stem else f"extra {key}"
            for one in strings:
                # An extra that takes in another one asks for the project itself.
                found = _requirement(one, path, number, quote, part, key)
                yield from (each for each in found if _normalized(each.name) != own)


def _package(path: str) -> str:
    """Return the folder of a package that is built by itself; nothing of the repository's own."""
    folder = path.rpartition("/")[0]
    return "" if folder in _OWN_FOLDERS else folder


def _listed_in(lines: list[str]) -> Iterator[tuple[int, str, str, list[str]]]:
    """Yield the lines of a TOML that hold strings, each with the table and the key around it."""
    table = key = ""
    for number, line in enumerate(lines, 1):
        header = _TABLE.match(line)
        if header or line == CUT:
            table, key = header[1] if header else "", ""
            continue
        if assigned := _KEY.match(line):
            key = assigned["key"]
            line = line[assigned.end() :]
        written = "" if line.lstrip().startswith("#") else line.partition(" #")[0]
        if strings := [one[1] or one[2] for one in _STRING.finditer(written)]:
            yield number, table, key, strings


_TABLE = re.compile(r"^\s*\[{1,2}([\w.\"'-]{1,100})\]{1,2}\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*(?P<quote>\"?)(?P<key>[\w-]{1,60})(?P=quote)\s*=")
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


def _normalized(name: str) -> str:
    """https://packaging.python.org/en/latest/specifications/name-normalization/"""
    return re.sub(r"[-_.]+", "-", name).lower()


def _setup(path: str, text: str) -> Iterator[Requirement]:
    tree = grammar.module(text)
    lines, package = text.split("\n"), _package(path)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not _called(node.func).endswith("setup"):
            continue
        for keyword in node.keywords:
            value = keyword.value
            if keyword.arg == "python_requires" and isinstance(value, ast.Constant):
                spec, quote = str(value.value).replace(" ", ""), quoted(lines, value.lineno)
                yield Requirement("Python", spec, package, path, value.lineno, quote)
            elif keyword.arg == "install_requires":
                yield from _listed(value, path, lines, package, extra="")
            elif keyword.arg == "extras_require" and isinstance(value, ast.Dict):
                for key, item in zip(value.keys, value.values, strict=True):
                    extra = key.value if isinstance(key, ast.Constant) else None
                    if isinstance(extra, str) and not _ASIDE_EXTRAS.search(extra):
                        part = f"{package}: extra {extra}" if package else f"extra {extra}"
                        yield from _listed(item, path, lines, part, extra=extra)


def _called(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


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
