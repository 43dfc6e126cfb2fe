"""From the files of a codebase to its surface (pure): nothing of it is imported or run."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.concern.python_file import (
    PythonFile,
    Resolution,
    module_name,
    packages_named,
    python_file,
)
from digest.concern.surface import (
    UPSTREAMS,
    CodePlace,
    How,
    Problem,
    RepositoryNames,
    Surface,
    SurfaceOrigin,
    Use,
    UseKind,
    is_distinct,
    normalised,
    sorted_uses,
)

READ = re.compile(
    r"\.(?:pyi?|toml|cfg|ini|txt|in|lock|ya?ml|json|sh|bash|env|md|mdx|rst|cmake|mk|tpl|jinja2?|j2"
    r"|commit|version|sha|rev|tag|pin|ref|c|cc|cpp|cu|cuh|h|hpp|inl|inc)$"
    r"|(?:^|/)(?:[\w.-]*[Dd]ockerfile[\w.-]*|Containerfile|Makefile|Pipfile|CMakeLists\.txt"
    r"|\.gitmodules|\.env[\w.-]*)$"
)
"""Files that may say something: code, manifests, scripts, images, charts, pages."""

_LONGEST_REASON = 300
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MOST_PROBLEMS = 200
_LOCALE = re.compile(r"\.(?:po|pot)$|(?:^|/)locale/")


@dataclass(frozen=True, slots=True)
class Codebase:
    """What was had of a codebase: texts by path from its root, links of submodules, problems.

    `links` are (path, commit); `left_out` what was not had, with the reason.
    """

    source: SurfaceOrigin
    files: Mapping[str, str]
    links: Sequence[tuple[str, str]] = ()
    left_out: Sequence[Problem] = ()


def surface_of(
    codebase: Codebase, upstream: RepositoryNames, tell: Callable[[str], object] = lambda _: None
) -> Surface:
    """Return what a codebase uses of an upstream repository; no text of it makes this raise.

    Each use is told once a file, at the first line. Where nothing is used, `uses` is empty and a
    problem says so.
    """
    problems = list(codebase.left_out)
    files = {path: text for path, text in codebase.files.items() if _is_shown(path)}
    if packages_named(files, upstream):
        problems.append(
            Problem(
                CodePlace(), f"this is {upstream.repo} itself: what it uses of itself is not told"
            )
        )
    modules = list(_modules(files, upstream, problems, tell))
    resolution = Resolution(upstream, modules)
    uses = list(resolution.uses())
    uses += _variables_read(uses)
    if uses:
        uses += _members_by_name(modules, resolution)
    prefixes = [f"{one.upper()}_" for one in _own_packages(modules, upstream)]
    longer = [
        one for one in prefixes if any(one != p and one.startswith(p) for p in upstream.prefixes)
    ]
    pins, mentions = Pins(upstream), Mentions(upstream, longer)
    for path, text in files.items():
        uses += pins.find(path, text)
        uses += mentions.find(path, text)
    uses += pins.submodules(files.get(".gitmodules", ""), codebase.links)
    shown = sorted_uses(_once_a_file(_safe(uses)))
    if not shown:
        problems.append(Problem(CodePlace(), f"nothing of {upstream.repo} is used here"))
    return Surface(upstream.repo, codebase.source, shown, problems=_sorted(problems))


def _is_shown(path: str) -> bool:
    return (
        len(path) < _LONGEST_REASON - 10 and not _UNSAFE.search(path) and not _LOCALE.search(path)
    )


def _modules(
    files: Mapping[str, str],
    upstream: RepositoryNames,
    problems: list[Problem],
    tell: Callable[[str], object],
) -> Iterator[PythonFile]:
    known = re.compile("|".join(re.escape(one) for one in upstream.modules))
    python = [path for path in files if path.endswith((".py", ".pyi"))]
    for number, path in enumerate(python):
        if number % 100 == 0:
            tell(f"Reading {path} ({number} of {len(python)})")
        text = files[path]
        try:
            yield python_file(path, module_name(path, upstream), text.removeprefix("\ufeff"))
        except SyntaxError as error:
            if known.search(text):
                why = f"does not parse as Python: {error.msg}"
                problems.append(Problem(CodePlace(path, error.lineno or 0), why))
        except (RecursionError, ValueError, MemoryError):
            problems.append(Problem(CodePlace(path), "is nested too deeply to be read"))


def _own_packages(modules: Iterable[PythonFile], upstream: RepositoryNames) -> set[str]:
    tops = {one.name.partition(".")[0] for one in modules if one.is_package}
    return {one for one in tops if not upstream.owns(one)}


def _variables_read(uses: Iterable[Use]) -> Iterator[Use]:
    """Tell the variables among what is reached through a module of variables (`vllm.envs`)."""
    for use in uses:
        owner, _, name = use.name.rpartition(".")
        if owner.rpartition(".")[2] in ("envs", "environ") and name.isupper():
            yield Use(UseKind.VARIABLE, name, use.place)


_READ_KINDS = frozenset({UseKind.CALLED, UseKind.MEMBER})


def _members_by_name(modules: Sequence[PythonFile], resolution: Resolution) -> Iterator[Use]:
    """Tell what is read of objects whose class is not known, by the member's name alone.

    What the codebase defines itself is left out, and so are names that anything may have. Each is
    told once, of code that ships where there is some.
    """
    own = {name.rpartition(".")[2] for one in modules for name in one.functions}
    for module in modules:
        for record in module.classes.values():
            own |= {*record.members, *record.own}
    first_uses: dict[tuple[object, ...], Use] = {}
    for module in sorted(modules, key=lambda one: (CodePlace(one.path).is_test, one.path)):
        reached = (
            one for one in module.found if one.kind in _READ_KINDS and resolution.is_unknown(one)
        )
        for one in (*module.bare, *reached):
            name = one.name.rpartition(".")[2]
            if name in own or not is_distinct(name):
                continue
            key = (one.kind, name, one.keywords, one.positional, one.more)
            place = CodePlace(module.path, one.line)
            use = Use(one.kind, name, place, one.how, "", one.keywords, one.positional, one.more)
            first_uses.setdefault(key, use)
    yield from first_uses.values()


def _safe(uses: Iterable[Use]) -> Iterator[Use]:
    for use in uses:
        if len(use.name) <= _LONGEST_REASON and not _UNSAFE.search(use.name + use.value):
            yield use if len(use.keywords) < 1000 else replace(use, keywords=(), more=True)


def _once_a_file(uses: Iterable[Use]) -> Iterator[Use]:
    first: dict[Use, Use] = {}
    for use in uses:
        key = replace(use, place=CodePlace(use.place.path))
        if key not in first or use.place.line < first[key].place.line:
            first[key] = use
    return iter(first.values())


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    shown = sorted(
        {replace(one, why=_UNSAFE.sub(" ", one.why)[:_LONGEST_REASON]) for one in problems}
    )
    if len(shown) > _MOST_PROBLEMS:
        rest = len(shown) - _MOST_PROBLEMS
        shown = [
            *shown[:_MOST_PROBLEMS],
            Problem(CodePlace(), f"and {rest} more that are like these"),
        ]
    return tuple(shown)


def used_upstreams(codebase: Codebase) -> list[RepositoryNames]:
    """Return the watched repositories that the Python of a codebase imports, most often first."""
    counts: dict[RepositoryNames, int] = {}
    for one in UPSTREAMS:
        if packages_named(codebase.files, one):
            continue
        names = "|".join(re.escape(module) for module in one.modules)
        line = re.compile(rf"^[ \t]*(?:import|from)[ \t]+(?:{names})\b", re.MULTILINE)
        count = sum(
            len(line.findall(text)) for path, text in codebase.files.items() if path.endswith(".py")
        )
        if count:
            counts[one] = count
    return sorted(counts, key=lambda one: -counts[one])


_FLAG = re.compile(r"(?<![\w/.-])(--[a-z][a-z0-9]*(?:[-_.][A-Za-z0-9]+)*)(?![\w-])")
_CHOOSES = re.compile(
    r"[-_](?:algorithm|algo|backend|dtype|format|impl|precision|quantization|runner)$"
)
"""Flags whose value is one of upstream's own words; what others are given is the codebase's."""
_WORD = r"([A-Za-z][\w-]{0,39})"
_TYPED = re.compile(rf"(?:\s+|=)([\"']?){_WORD}\1(?=[\s\\;|&)]|$)")
_QUOTED_VALUE = re.compile(rf"[\"']\s*,\s*([\"']){_WORD}\1|=(){_WORD}(?=[\"'])")
"""The value of a flag in a command, and in a list of strings."""
_DECLARES = re.compile(r"add_argument\(|add_option\(|typer\.Option|click\.option|@option")
_CODE_FILE = re.compile(r"\.(?:pyi?|c|cc|cpp|cu|cuh|h|hpp|rs|go|ipynb)$")
_C = re.compile(r"\.(?:c|cc|cpp|cu|cuh|h|hpp|inl|jinja|inc)$")
_PAGE = re.compile(r"\.(?:md|rst|mdx|txt)$")
_ENDS = re.compile(r"(?:&&|\|\||;|\|)\s*$|^\s*(?:done|fi|EOF)\b")
_INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([\w./+-]{3,200})[>\"]")
_FENCE = re.compile(r"^\s*(?:```|~~~|\.\. code)")
_OTHER_PROGRAM = re.compile(
    r"(?:^|[\s;&|(])(?:pip3?|uv|git|docker|podman|apt(?:-get)?|curl|wget|conda|helm|kubectl|cmake"
    r"|pytest|pre-commit|torchrun|mpirun|srun|sed|grep|tar|npm|yum|dnf|make|rsync|ssh|find|ls|rm|cp|mkdir)\s"
)


class Mentions:
    """Finds what files name of one upstream repository beside what Python imports."""

    def __init__(self, upstream: RepositoryNames, own_prefixes: Sequence[str] = ()) -> None:
        self._upstream = upstream
        self._own = tuple(own_prefixes)
        prefixes = "|".join(re.escape(one) for one in upstream.prefixes)
        self._variable = re.compile(rf"(?<![\w$./-])((?:{prefixes})[A-Z0-9_]*[A-Z0-9])(?![\w*{{])")
        self._expanded = re.compile(rf"\$\{{?((?:{prefixes})[A-Z0-9_]*[A-Z0-9])\b")
        modules = "|".join(re.escape(one) for one in upstream.modules)
        programs = "|".join(re.escape(one) for one in upstream.programs)
        self._runs = re.compile(
            rf"(?:-m[\s\"',]+(?:{modules})(?:\.\w+)+)"
            + (rf"|(?<![\w./-])(?:{programs})[\"',]*[ \t]+[\"']?[a-z][a-z-]+" if programs else "")
            + rf"|[\"'](?:{programs or modules})[\"']\s*,\s*[\"'][a-z]"
        )
        self._module = re.compile(rf"-m[\s\"',]+((?:{modules})(?:\.\w+)+)")
        self._word = re.compile(rf"(?<![\w-])(?:{modules})(?![\w-])", re.IGNORECASE)
        self._path = re.compile(rf"[\"']((?:{modules})(?:\.[a-z_]\w*)+)(?::(\w+))?[\"'\]]")

    def find(self, path: str, text: str) -> Iterator[Use]:
        """Yield what a file names."""
        lines = text.split("\n")
        if any(one in text for one in self._upstream.prefixes):
            yield from self._variables(path, lines)
        if _C.search(path):
            yield from self._headers(path, lines)
        if self._word.search(text):
            yield from self._flags(path, lines)
            if path.endswith((".toml", ".cfg", ".yaml", ".yml", ".json")):
                yield from self._entry_points(path, lines)

    def _variables(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        code = _CODE_FILE.search(path) is not None or path.endswith((".cmake", "CMakeLists.txt"))
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE or "_" not in line:
                continue
            if not _PAGE.search(path) and line.lstrip().startswith(("#", "//")):
                continue
            found = list(self._variable.finditer(line))
            found += [] if code else list(self._expanded.finditer(line))
            for match in found:
                quoted = line[match.start(1) - 1 : match.start(1)] in ('"', "'") or code is False
                if quoted and not match[1].startswith(self._own or ("\0",)):
                    yield Use(UseKind.VARIABLE, match[1], CodePlace(path, number))

    def _headers(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        for number, line in enumerate(lines, 1):
            match = _INCLUDE.match(line[:300])
            if match and self._upstream.headers and match[1].startswith(self._upstream.headers):
                yield Use(UseKind.MODULE, match[1], CodePlace(path, number))

    def _flags(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        """Find flags where it is started; in charts, matrices and Python lists, all of a file."""
        serves = self._upstream.serves
        whole = serves and path.endswith((".yaml", ".yml", ".json", ".toml", ".py"))
        whole = whole and not path.startswith(".github/")
        page = _PAGE.search(path) is not None
        inline = page and serves
        running = declaring = False
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE or (line.lstrip().startswith(("#", "//")) and not page):
                continue
            if page and _FENCE.match(line):
                running = False
            if runs := self._runs.search(line):
                running = True
                for module in self._module.finditer(line):
                    yield Use(UseKind.MODULE, module[1], CodePlace(path, number), How.STRING)
            text = line[runs.start() :] if runs else line
            is_other = _OTHER_PROGRAM.search(text) is not None
            declaring = (declaring and ")" not in line) or _DECLARES.search(line) is not None
            wanted = running or (inline and "`--" in line) or (whole and not is_other)
            if wanted and not declaring and "--" in text:
                for match in _FLAG.finditer(text):
                    before = text[: match.start()].rstrip()[-1:]
                    if path.endswith(".py") and before not in ('"', "'") and not running:
                        continue
                    # What another program is given is never upstream's word.
                    listed = path.endswith((".py", ".json", ".toml"))
                    rest = text[match.end() :] if running else ""
                    value = _chosen(match[1], rest, listed=listed)
                    yield Use(UseKind.FLAG, match[1], CodePlace(path, number), value=value)
            if declaring and _balanced(line):
                declaring = False
            running = running and line.rstrip().endswith(("\\", ",", "[", "^", '"', "'"))
            if _ENDS.search(line):
                running = False

    def _entry_points(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                continue
            for match in self._path.finditer(line):
                name = ".".join(one for one in match.groups() if one)
                yield Use(UseKind.NAME, name, CodePlace(path, number), How.STRING)


def _chosen(flag: str, rest: str, *, listed: bool) -> str:
    """Return the word that a flag is given, where it is chosen from a list of upstream's."""
    if not _CHOOSES.search(f"-{flag}"):
        return ""
    value = (_QUOTED_VALUE if listed else _TYPED).match(rest)
    return next((word for word in value.groups()[1::2] if word), "") if value else ""


def _balanced(line: str) -> bool:
    return "(" in line and line.count("(") <= line.count(")")


LONGEST_LINE = 2000
"""Characters above which a line is written by a machine, and is not looked into."""

_MANIFEST = re.compile(
    r"(?:^|/)(?:pyproject[\w.-]*\.toml|setup\.(?:py|cfg)|Pipfile"
    r"|[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)"
    r"|(?:[\w.-]+/)*(?:requirements|constraints)/(?:[\w.-]+/)*[\w.-]+\.(?:txt|in)"
    r"|[\w.-]*(?:environment|conda|meta|recipe)[\w.-]*\.ya?ml)$"
)
_LOCK = re.compile(r"(?:^|/)(?:[\w.-]*\.lock|pylock[\w.-]*\.toml)$")
_CODE = re.compile(r"\.(?:c|cc|cpp|cu|cuh|h|hpp|rs|go|js|ts|po|patch|diff)$")
_SPEC = r"(?:===|[<>=!~]=|[<>^])\s*[\"']?\s*v?\d[\w.*+!-]*"
_SPECS = re.compile(rf"\s*\(?\s*({_SPEC}(?:\s*,\s*{_SPEC})*)")
_EXTRAS = r"(?:\[[\w\s,.-]{0,120}\])?"
_CONDA = re.compile(r"\s*(={1,2}\s?\d[\w.*]*)")
"""https://docs.conda.io/projects/conda/en/stable/user-guide/concepts/pkg-specs.html"""

_AT_URL = re.compile(r"[\"']?\s*@\s*((?:git\+)?[a-z+]{2,10}://[^\s\"';]{1,300})")
_KEYED = re.compile(r"\s*[\"']?\s*=\s*(.*)")
_FIELD = re.compile(r"\b(version|rev|tag|branch)\s*=\s*[\"']([^\"']{1,120})[\"']")
_QUOTED = re.compile(r"\s*[\"']([^\"']{1,120})[\"']")
_REVISION = re.compile(r"[\w.+!/-]*\d[\w.+!/-]*")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_GIT_TAG = re.compile(r"\bGIT_TAG\s+\"?([^\s\")]{1,120})", re.IGNORECASE)
_BRANCH = re.compile(r"\s(?:-b|--branch)[ =]\"?([^\s\"$]{1,120})")
_CHECKOUT = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:checkout|reset\s+--hard|switch\s+--detach)\s+\"?([^\s\"$;&|]{4,120})"
)
_LOCKED = re.compile(r"^\s*name\s*=\s*[\"']([\w.-]+)[\"']")
_LOCKED_VERSION = re.compile(r"^\s*version\s*=\s*[\"']([^\"']{1,120})[\"']")
_LOCKED_COMMIT = re.compile(r"(?:#|resolved_reference\s*=\s*\"|revision\s*=\s*\")([0-9a-f]{40})\b")
_SUBMODULE_PATH = re.compile(r"^\s*path\s*=\s*(\S{1,300})\s*$")
_NEAR = 14
"""Lines below the address of a repository that may still say which revision of it is taken."""


class Pins:
    """Finds the pins of one upstream repository in files."""

    def __init__(self, upstream: RepositoryNames) -> None:
        names = [one.replace("-", "[_.-]") for one in upstream.distributions]
        packages = "|".join(sorted(names, key=len, reverse=True))
        stem = "[_-]?".join(re.escape(one) for one in upstream.name.split("-"))
        stems = "|".join([stem, *(re.escape(one.replace(".", "_")) for one in upstream.modules)])
        words = (packages, stems, re.escape(upstream.repo), *map(re.escape, upstream.images))
        self._word = re.compile("|".join(words), re.IGNORECASE)
        self._distributions = {normalised(one) for one in upstream.distributions}
        self._required = re.compile(rf"(?<![\w./@-])({packages})(?![\w-]){_EXTRAS}", re.IGNORECASE)
        self._wheel = re.compile(
            rf"/({packages})-v?(\d[\w.+!%]*?)(?:-[\w.]+-[\w.]+-[\w.]+\.whl|\.tar\.gz|\.zip)", re.I
        )
        self._repository = re.compile(
            rf"(?:[/:@]|^){re.escape(upstream.repo)}(?:\.git)?"
            r"(?:(?:@|/tree/|/commit/|/archive/(?:refs/tags/)?|/releases/(?:tag|download)/)"
            r"([\w.+-]{1,120}?)(?:\.zip|\.tar\.gz)?)?(?=[\s\"'#/)\]},;]|$)",
            re.IGNORECASE,
        )
        self._variable = re.compile(
            rf"(?<![\w-])((\w+_)?(?:{stems})(?:[_-]python)?[_-]"
            r"(?:version|tag|commit|ref|revision|rev|branch|sha|hash)(?:_hash|_id)?)"
            r"(?:\s*[\"']?\s*(?::=|\?=|[:=])\s*|\s+)(?:\$\{[^}\n]*:-)?[\"']?\[?\s*[\"']?"
            r"(v?\d+\.[\w.+!-]*|[0-9a-f]{7,64})(?![\w/])",
            re.IGNORECASE,
        )
        self._variables = re.compile(
            rf"(?<![\w-])(?:\w+_)?(?:{stems})_(?:version|commit|tag)s?\s*:\s*\[([^\]\n]{{1,300}})\]",
            re.IGNORECASE,
        )
        self._image = re.compile(
            r"(?<![\w-])((?:[\w.-]+(?::\d+)?/)?(?:"
            + "|".join(re.escape(one) for one in upstream.images)
            + r"))(?::([\w][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?(?![\w/-])"
        ) if upstream.images else None  # fmt: skip
        self._file = re.compile(
            rf"(?:^|[^a-z])(?:{stems})(?![_-]?[a-z]*[_-](?!main|release|verified))[\w.-]*"
            r"\.(?:commit|version|sha|rev|tag|pin|ref)$|"
            rf"(?:^|/)(?:{stems})[_-]?(?:commit|version|sha|rev|tag|pin|ref)(?:\.txt)?$",
            re.IGNORECASE,
        )

    def find(self, path: str, text: str) -> Iterator[Use]:
        """Yield the pins of a file."""
        if not self._word.search(text) and not self._file.search(path):
            return
        lines = text.split("\n")
        if _LOCK.search(path):
            yield from self._locked(path, lines)
            return
        if self._file.search(path):
            revision = text.strip()
            if _REVISION.fullmatch(revision) and len(revision) <= 120:
                yield self._pin(path, 1, path.rpartition("/")[2], revision)
        elif not _CODE.search(path):
            yield from self._written(path, lines)

    def _written(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        manifest = _MANIFEST.search(path) is not None
        keyed, since = False, _NEAR + 1
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE or _is_comment(line, path):
                continue
            if line.startswith("["):
                keyed = any(one in line for one in ("dependencies", "sources", "packages"))
            here = []
            if self._word.search(line):
                yield from self._requirements(path, number, line, manifest=manifest, keyed=keyed)
                yield from self._named(path, number, line)
                here = list(self._repository.finditer(line))
            for one in here:
                if one[1] and _REVISION.fullmatch(one[1]):
                    yield self._pin(path, number, one[0].strip("/@: \"'").partition("@")[0], one[1])
            since = 0 if here else since + 1
            taken = self._taken(line) if since <= _NEAR else []
            for value in taken:
                yield self._pin(path, number, f"git {path.rpartition('/')[2]}", value)
                since = _NEAR + 1

    @staticmethod
    def _taken(line: str) -> list[str]:
        """Return the revisions that a line takes of the repository that was just named."""
        found = [match[1] for one in (_GIT_TAG, _BRANCH, _CHECKOUT) for match in one.finditer(line)]
        return [value for value in found if _REVISION.fullmatch(value)]

    def _pin(self, path: str, line: int, name: str, value: str) -> Use:
        return Use(UseKind.PIN, name[:120], CodePlace(path, line), value=value.strip()[:200])

    def _requirements(
        self, path: str, number: int, line: str, *, manifest: bool, keyed: bool
    ) -> Iterator[Use]:
        """Find requirements (https://packaging.python.org/specifications/dependency-specifiers/).

        Outside of the files that state requirements, only a version makes a word one.
        """
        text = line.split(" #", 1)[0] if manifest else line
        for match in self._required.finditer(text):
            rest = text[match.end() :]
            if url := _AT_URL.match(rest):
                wheel = self._wheel.search(url[1])
                revision = url[1].rpartition("@")[2] if "@" in url[1][8:] else ""
                value = wheel[2] if wheel else revision.partition("#")[0]
                yield self._pin(path, number, match[1], value)
            elif specs := _SPECS.match(rest):
                value = re.sub(r"[\s\"']+", "", specs[1]).rstrip(".-")
                if "$" not in rest[: specs.end() + 1]:
                    yield self._pin(path, number, match[1], value)
            elif manifest and path.endswith(("yml", "yaml")) and (conda := _CONDA.match(rest)):
                yield self._pin(path, number, match[1], conda[1].replace(" ", ""))
            elif manifest and keyed and (given := _KEYED.match(rest)):
                plain = _QUOTED.match(given[1])
                fields = dict(_FIELD.findall(given[1]))
                value = plain[1] if plain else ""
                value = value or next(
                    (fields[one] for one in ("rev", "tag", "version", "branch") if one in fields),
                    "",
                )
                yield self._pin(path, number, match[1], value)
            elif manifest and _is_listed(text, match.start(), match.end(), path):
                yield self._pin(path, number, match[1], "")
        if not manifest:
            for wheel in self._wheel.finditer(text):
                yield self._pin(path, number, wheel[1], wheel[2])

    def _named(self, path: str, number: int, line: str) -> Iterator[Use]:
        """Find variables that are named like a version of it, and container images."""
        for match in self._variable.finditer(line):
            # A word before the package's makes a name of the program's own, as
            # `_nvfp4_cutlass_version`, unless it is written as settings of a build are.
            own = match[2] and path.endswith((".py", ".pyi")) and not match[1].isupper()
            if not own and re.search(r"\d", match[3]):
                yield self._pin(path, number, match[1], match[3].rstrip(".-"))
        for match in self._variables.finditer(line):
            for value in re.findall(r"[\w.+-]+", match[1]):
                if _COMMIT.fullmatch(value) or re.fullmatch(r"v?\d[\w.+-]*", value):
                    yield self._pin(path, number, match[0].partition(":")[0].strip(), value)
        if self._image is not None:
            for match in self._image.finditer(line):
                if match[2] or match[3]:
                    yield self._pin(path, number, match[1], match[2] or match[3])

    def _locked(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        """Find what a resolver wrote: uv.lock, poetry.lock, pdm.lock, pylock.toml, Pipfile.lock."""
        name, version, at = "", "", 0
        for number, line in enumerate([*lines, "[[package]]"], 1):
            if len(line) > LONGEST_LINE:
                continue
            if line.startswith("[[") or (not line.strip() and version):
                if name and version:
                    yield self._pin(path, at, name, version)
                name, version = "", ""
            elif found := _LOCKED.match(line):
                name = found[1] if normalised(found[1]) in self._distributions else ""
                version = ""
            elif name and not version and (found := _LOCKED_VERSION.match(line)):
                version, at = f"=={found[1]}", number
            elif name and (found := _LOCKED_COMMIT.search(line)):
                version, at = found[1], number
            elif path.endswith("Pipfile.lock"):
                for match in self._required.finditer(line):
                    for later, text in enumerate(lines[number : number + 40], number + 1):
                        if given := re.match(r"\s*\"version\":\s*\"([^\"]{1,120})\"", text):
                            yield self._pin(path, later, match[1], given[1])
                            break

    def submodules(self, text: str, links: Sequence[tuple[str, str]]) -> Iterator[Use]:
        """Find the commits of submodules: `.gitmodules`, and the links as (path, commit)."""
        commits = dict(links)
        path = ""
        for line in text.split("\n"):
            if line.strip().startswith("["):
                path = ""
            if found := _SUBMODULE_PATH.match(line):
                path = found[1]
            elif path in commits and "url" in line and self._repository.search(line.strip()):
                yield Use(UseKind.PIN, path[:120], CodePlace(path), value=commits[path])


def _is_comment(line: str, path: str) -> bool:
    text = line.lstrip()
    return text.startswith(("#!", "//")) or (
        text.startswith("#") and not path.endswith((".md", ".rst"))
    )


def _is_listed(text: str, start: int, end: int, path: str) -> bool:
    """Return whether a bare name stands where a requirement may: alone on its line, or quoted."""
    before, after = text[:start].strip(), text[end:].strip()
    if path.endswith((".txt", ".in", ".cfg")):
        return not before and re.match(r"[;#\\]|$", after) is not None
    if path.endswith((".yml", ".yaml")):
        return before in ("-", '- "') and after in ("", '"')
    return before[-1:] in ('"', "'") and re.match(r"[\"';]", after) is not None and (
        path.endswith(".toml") and before[:-1].rpartition("=")[0].strip() != "name"
    )  # fmt: skip
