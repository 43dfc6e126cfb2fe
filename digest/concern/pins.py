"""Which version, tag or commit of the upstream a codebase asks for, in files of every kind."""

import re
from collections.abc import Iterator, Sequence

from digest.concern.surface import Place, Use, UseKind
from digest.concern.upstreams import Upstream, normalised

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

    def __init__(self, upstream: Upstream) -> None:
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
        return Use(UseKind.PIN, name[:120], Place(path, line), value=value.strip()[:200])

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
                yield Use(UseKind.PIN, path[:120], Place(path), value=commits[path])


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
