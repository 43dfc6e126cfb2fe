"""Environment variables where a program reads them or an image sets them."""

import re
from collections.abc import Iterator

from digest.reading.definitions import (
    Arguments,
    Definition,
    Side,
    arguments,
    calls,
    keywords,
    limited,
    literal,
)
from digest.reading.units import unit_of

MARKS = ("env", "Env", "ENV ", "ARG ", ":-")
"""A hunk without any of these neither reads nor sets a variable."""

SYSTEM = frozenset(
    {
        "PATH", "HOME", "USER", "PWD", "SHELL", "TERM", "LANG", "LC_ALL", "TMPDIR", "CI",
        "LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH", "CUDA_HOME", "CUDA_PATH", "ROCM_PATH",
        "ROCM_HOME", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "DEBIAN_FRONTEND", "TZ",
        "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
        "CC", "CXX", "CFLAGS", "CXXFLAGS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HF_TOKEN",
        "PKG_CONFIG_PATH", "HF_HOME", "LIBRARY_PATH", "PIP_INDEX_URL", "UV_INDEX_URL", "TARGETARCH",
    }
)  # fmt: skip
"""Variables that a system, a launcher or a compiler owns: reading one adds none."""

REGISTRIES = frozenset({"env", "envs", "environ", "environment", "env_vars", "envvars"})
"""Names of modules that keep a program's variables: what comes and goes there, comes and goes."""

_READ = re.compile(
    r"(?:environ(?:\.get|\.setdefault)?\s?[(\[]|\b(\w{0,40}(?:env|ENV|Env)\w{0,40}(?:::var(?:_os)?)?)\()"
    r"\s{0,40}[\"']([A-Z][A-Z0-9_]{2,80})[\"']"
)
_NOT_READ = re.compile(r"set_?env|del_?env|put_?env|unset|patch|clear|pop|remove|expand", re.I)
_ASSIGNED = re.compile(r"\s*[+|]?=(?!=)")
_DECLARED = re.compile(
    r"^[ \t]+([A-Z][A-Z0-9_]{3,80})\s?=\s?(Env[A-Z]\w{0,30}|env_\w{1,30})\(", re.M
)
_DOCKER = re.compile(r"^[ \t]*(ENV|ARG)[ \t]+(?=[A-Za-z_])", re.M)
_DOCKER_PAIR = re.compile(r"(?<!\S)([A-Za-z_]\w*)(?:=(\"[^\"\n]*\"|'[^'\n]*'|[^\s\\]*))?")
_DOCKER_OLD = re.compile(r"([A-Za-z_]\w*)[ \t]+(\S[^\n]*)")
_SHELL = re.compile(r"\b([A-Z][A-Z0-9_]{2,80})=[\"']?\$\{\1:-([^}\n]*)\}")
_PLAIN = re.compile(
    r"[rbf]?\"[^\"\n]*\"|[rbf]?'[^'\n]*'|-?\d[\d_.eE+*<() -]*|True|False|true|false|None|nullptr"
)
_UNKNOWN = "$"
"""Stands for a default that only the program can work out (also what a shell expands)."""

_RUST_DEFAULT = re.compile(r"\)?\s{0,40}\.unwrap_or(?:_else)?\((?:\|_\|\s?)?\"?([^\"\n)]*)")


def environment(side: Side) -> Iterator[Definition]:
    """Find the variables that one side of a hunk reads, declares or sets."""
    return limited(_all(side))


def _all(side: Side) -> Iterator[Definition]:
    name = side.path.rpartition("/")[2].lower()
    if "dockerfile" in name:
        yield from _docker(side)
    elif name.endswith((".sh", ".bash")):
        for match in _SHELL.finditer(side.text):
            yield from _variable(side, match, match[1], match[2])
    else:
        yield from _code(side)


def _code(side: Side) -> Iterator[Definition]:
    declared = set()
    inline = side.path.rpartition("/")[2].partition(".")[0].lower() not in REGISTRIES
    for match, bound in calls(_DECLARED, side.text):
        if side.is_comment(match.start(1)):
            continue
        found = arguments(side.text, match.end(), bound)
        value = found.texts[0] if found.texts else None
        if value is not None and value.startswith(("default=", "default_value=")):
            value = value.partition("=")[2]
        declared.add(match[1])
        yield from _variable(side, match, match[1], _value(value), end=found.end)
    for match, bound in calls(_READ, side.text):
        name = match[2]
        if name in declared or _NOT_READ.search(match[1] or "") or side.is_comment(match.start()):
            continue
        if (match[1] or "") in ("os.environ", "environ"):
            continue
        indexed = "[" in match[0]
        rest = side.text[match.end() : match.end() + 40]
        if indexed and _ASSIGNED.match(rest.lstrip("]")):
            continue
        if "setdefault" in match[0] or (
            indexed and side.before(match.start()).split()[:1] == ["del"]
        ):
            continue
        given = None if indexed else arguments(side.text, match.end(), bound)
        end = given.end if given else 0
        yield from _variable(side, match, name, _fallback(side, match, given), end, inline=inline)


def _fallback(side: Side, match: re.Match[str], found: Arguments | None) -> str | None:
    """The default of a read: the second argument, or what follows in Rust."""
    if found is None:
        return None
    if side.path.endswith(".rs"):
        default = _RUST_DEFAULT.match(side.text, found.end)
        return default[1] if default else None
    if not found.texts:
        return None
    given = keywords(found.texts[:2])
    return _value(given.get("default", given.get("fallback", "")) or _first_plain(found.texts))


def _value(text: str | None) -> str | None:
    if text is None or _PLAIN.fullmatch(text.strip()):
        return literal(text)
    return _UNKNOWN


def _first_plain(texts: tuple[str, ...]) -> str | None:
    text = texts[0]
    return None if keywords((text,)) or text.startswith("lambda") else text


def _docker(side: Side) -> Iterator[Definition]:
    """`ENV` and `ARG` (https://docs.docker.com/reference/dockerfile/#env)."""
    for match in _DOCKER.finditer(side.text):
        stop = _logical_end(side.text, match.end())
        body = side.text[match.end() : stop]
        old_style = _DOCKER_OLD.match(body)
        if old_style is not None and "=" not in old_style[1] and match[1] == "ENV":
            yield from _variable(side, match, old_style[1], old_style[2].strip(" \"'"))
            continue
        for pair in _DOCKER_PAIR.finditer(body):
            if pair[2] is None and (match[1] == "ENV" or pair.start()):
                continue
            value = (pair[2] or "").strip("\"'") or None
            at = match.end() + pair.start()
            line, changed = side.span(at, at + len(pair[0]))
            if pair[1] not in SYSTEM:
                yield _definition(side, pair[1], value, line, changed)


def _logical_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1)
    return len(text) if end < 0 else end


def _variable(
    side: Side,
    match: re.Match[str],
    name: str,
    value: str | None,
    end: int = 0,
    *,
    inline: bool = False,
) -> Iterator[Definition]:
    if name in SYSTEM:
        return
    line, changed = side.span(match.start(), max(end, match.end()))
    remark = _remark(side, match.end())
    yield _definition(side, name, value or None, line, changed, inline=inline, remark=remark)


def _remark(side: Side, offset: int) -> str:
    """The comment at the end of a line, or one above it that states a unit."""
    index = side.index(offset)
    beside = side.lines[index].text.partition("#")[2].strip()[:200]
    if beside or index == 0:
        return beside
    above = side.lines[index - 1].text.strip()[:200]
    return above if above.startswith("#") and unit_of("", above) else ""


def _definition(
    side: Side,
    name: str,
    value: str | None,
    line: int | None,
    changed: bool,
    *,
    inline: bool = False,
    remark: str = "",
) -> Definition:
    # A pinned version that an image is built with is a dependency, whatever carries it.
    pinned = name.upper().endswith(
        ("_VERSION", "_TAG", "_COMMIT", "_REF", "_BRANCH", "_SHA", "_HASH")
    ) and "docker" in (side.path.lower())
    kind = "dependency" if pinned else "env"
    known = value is None or _UNKNOWN not in value
    return Definition(
        kind, name, value if known else None, side.path, line, changed,
        shape=str(value), help=remark, complete=known, inline=inline,
    )  # fmt: skip
