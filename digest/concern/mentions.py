"""Flags, variables, headers and modules that scripts, images, charts and pages name."""

import re
from collections.abc import Iterator, Sequence

from digest.concern.pins import LONGEST_LINE
from digest.concern.surface import How, Place, Use, UseKind
from digest.concern.upstreams import Upstream

_FLAG = re.compile(r"(?<![\w/.-])(--[a-z][a-z0-9]*(?:[-_.][A-Za-z0-9]+)*)(?![\w-])")
_CHOOSES = re.compile(
    r"[-_](?:algorithm|algo|backend|dtype|format|impl|precision|quantization|runner)$"
)
"""Flags whose value is one of upstream's own words; what others are given is the codebase's."""
_WORD = r"([A-Za-z][\w-]{0,39})"
_TYPED = re.compile(rf"(?:\s+|=)([\"']?){_WORD}\1(?=[\s\\;|&)]|$)")
_QUOTED = re.compile(rf"[\"']\s*,\s*([\"']){_WORD}\1|=(){_WORD}(?=[\"'])")
"""The value of a flag in a command, and in a list of strings."""
_DECLARES = re.compile(r"add_argument\(|add_option\(|typer\.Option|click\.option|@option")
_CODE = re.compile(r"\.(?:pyi?|c|cc|cpp|cu|cuh|h|hpp|rs|go|ipynb)$")
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

    def __init__(self, upstream: Upstream, own_prefixes: Sequence[str] = ()) -> None:
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
        code = _CODE.search(path) is not None or path.endswith((".cmake", "CMakeLists.txt"))
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
                    yield Use(UseKind.VARIABLE, match[1], Place(path, number))

    def _headers(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        for number, line in enumerate(lines, 1):
            match = _INCLUDE.match(line[:300])
            if match and self._upstream.headers and match[1].startswith(self._upstream.headers):
                yield Use(UseKind.MODULE, match[1], Place(path, number))

    def _flags(self, path: str, lines: Sequence[str]) -> Iterator[Use]:
        """Find flags where it is started; in charts, matrices and Python lists, all of a file."""
        whole = path.endswith((".yaml", ".yml", ".json", ".toml", ".py"))
        whole = whole and not path.startswith(".github/")
        whole = whole and self._upstream.serves
        page = _PAGE.search(path) is not None
        inline = page and self._upstream.serves
        running = declaring = False
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE or (line.lstrip().startswith(("#", "//")) and not page):
                continue
            if page and _FENCE.match(line):
                running = False
            if runs := self._runs.search(line):
                running = True
                for module in self._module.finditer(line):
                    yield Use(UseKind.MODULE, module[1], Place(path, number), How.STRING)
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
                    yield Use(UseKind.FLAG, match[1], Place(path, number), value=value)
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
                yield Use(UseKind.NAME, name, Place(path, number), How.STRING)


def _chosen(flag: str, rest: str, *, listed: bool) -> str:
    """Return the word that a flag is given, where it is chosen from a list of upstream's."""
    if not _CHOOSES.search(f"-{flag}"):
        return ""
    value = (_QUOTED if listed else _TYPED).match(rest)
    return next((word for word in value.groups()[1::2] if word), "") if value else ""


def _balanced(line: str) -> bool:
    return "(" in line and line.count("(") <= line.count(")")
