"""From the files of a codebase to its surface (pure): nothing of it is imported or run."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.concern.mentions import Mentions
from digest.concern.pins import Pins
from digest.concern.python_file import PythonFile, python_file
from digest.concern.resolution import Resolution, module_name, packages_named
from digest.concern.surface import (
    Place,
    Problem,
    Source,
    Surface,
    Use,
    UseKind,
    is_distinct,
    sorted_uses,
)
from digest.concern.upstreams import UPSTREAMS, Upstream

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

    source: Source
    files: Mapping[str, str]
    links: Sequence[tuple[str, str]] = ()
    left_out: Sequence[Problem] = ()


def surface_of(
    codebase: Codebase, upstream: Upstream, tell: Callable[[str], object] = lambda _: None
) -> Surface:
    """Return what a codebase uses of an upstream repository; no text of it makes this raise.

    Each use is told once a file, at the first line. Where nothing is used, `uses` is empty and a
    problem says so.
    """
    problems = list(codebase.left_out)
    files = {path: text for path, text in codebase.files.items() if _is_shown(path)}
    if packages_named(files, upstream):
        problems.append(
            Problem(Place(), f"this is {upstream.repo} itself: what it uses of itself is not told")
        )
    modules = list(_modules(files, upstream, problems, tell))
    resolution = Resolution(upstream, modules)
    uses = list(resolution.uses())
    uses += _variables_read(uses, upstream)
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
    shown = sorted_uses(tuple(_once_a_file(_safe(uses))))
    if not shown:
        problems.append(Problem(Place(), f"nothing of {upstream.repo} is used here"))
    return Surface(upstream.repo, codebase.source, shown, problems=_sorted(problems))


def _is_shown(path: str) -> bool:
    return (
        len(path) < _LONGEST_REASON - 10 and not _UNSAFE.search(path) and not _LOCALE.search(path)
    )


def _modules(
    files: Mapping[str, str],
    upstream: Upstream,
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
                problems.append(Problem(Place(path, error.lineno or 0), why))
        except (RecursionError, ValueError, MemoryError):
            problems.append(Problem(Place(path), "is nested too deeply to be read"))


def _own_packages(modules: Iterable[PythonFile], upstream: Upstream) -> set[str]:
    tops = {one.name.partition(".")[0] for one in modules if one.is_package}
    return {one for one in tops if not upstream.owns(one)}


def _variables_read(uses: Iterable[Use], upstream: Upstream) -> Iterator[Use]:
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
    for module in sorted(modules, key=lambda one: (Place(one.path).is_test, one.path)):
        reached = (
            one for one in module.found if one.kind in _READ_KINDS and resolution.is_unknown(one)
        )
        for one in (*module.bare, *reached):
            name = one.name.rpartition(".")[2]
            if name in own or not is_distinct(name):
                continue
            key = (one.kind, name, one.keywords, one.positional, one.more)
            place = Place(module.path, one.line)
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
        key = replace(use, place=Place(use.place.path))
        if use.kind is UseKind.MODULE and use.how.value:
            key = replace(key, how=use.how)
        if key not in first or use.place.line < first[key].place.line:
            first[key] = use
    return iter(first.values())


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    shown = sorted(
        {replace(one, why=_UNSAFE.sub(" ", one.why)[:_LONGEST_REASON]) for one in problems}
    )
    if len(shown) > _MOST_PROBLEMS:
        rest = len(shown) - _MOST_PROBLEMS
        shown = [*shown[:_MOST_PROBLEMS], Problem(Place(), f"and {rest} more that are like these")]
    return tuple(shown)


def used_upstreams(codebase: Codebase) -> list[Upstream]:
    """Return the watched repositories that the Python of a codebase imports, most often first."""
    counts: dict[Upstream, int] = {}
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
