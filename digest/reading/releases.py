"""Releases as facts: the version, whether it is for trial, and what its notes begin with.

A version is told by a release or tag, or by the change that makes it: by its title, or by the line
of the package's own version that it changes, however the change is called.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import TypeAlias

from digest.facts import Evidence, Fact, FactChange, FactKind
from digest.models import FileAt, FileChange, Item, Kind, ReadItem, State
from digest.reading.change import is_release
from digest.reading.description import written
from digest.reading.paths import CHANGELOG

PRERELEASE = re.compile(
    r"nightly|(?<![a-z])(?:rc|dev|alpha|beta|preview|pre)[.-]?\d*(?![a-z])|"
    r"(?<=\d)[ab]\d+(?![a-z0-9])",
    re.IGNORECASE,
)
"""`nightly-2026…`, `v1.0rc2`, `1.0b1`, `1.0.dev3`, `v2.0.0-alpha.1`.

https://packaging.python.org/en/latest/specifications/version-specifiers/#pre-releases
"""
_DAY = r"20\d\d([-_.]?)(?:0[1-9]|1[0-2])\{0}(?:0[1-9]|[12]\d|3[01])"
_BUILD = re.compile(
    rf"(?<![a-z])(?:nightly|dev)[-_./]?{_DAY.format(1)}(?![0-9a-f])"
    rf"|(?<![0-9a-f]){_DAY.format(2)}[-_./]?(?:nightly|dev)(?![a-z])",
    re.IGNORECASE,
)
"""What is built of a day: `nightly-20260401`, `2026-04-01-dev`; not `dev-20260401f`, a SHA."""
_VERSION_FILE = re.compile(
    r"(?:^|/)(?:_?version\.(?:py|txt)|version|pyproject\.toml|setup\.py|cargo\.toml|__init__\.py|"
    r"version\.h(?:pp)?)$",
    re.IGNORECASE,
)
_VERSION_LINE = re.compile(
    r"""^([+-])\s*(?:(?:__version__|version|VERSION)\s*[:=]\s*["'])?(\d{1,4}(?:\.\d+){1,3}"""
    r"""(?:[.-]?[a-z]{1,8}\.?\d*)?)["']?,?\s*$"""
)
_IN_TITLE = re.compile(r"(?<![\w.])v?\d{1,4}(?:\.\d+){1,3}(?:[.-]?[a-z]{1,8}\.?\d*)?(?![\w])")
MOST_LINES = 3
"""Lines of notes that a release begins with."""
_ASKS = re.compile(
    r"\bplease (?:use|remove|specify|migrate|switch|set|replace|rename)\b|"
    r"\b(?:is|are|was|were|been|now) (?:now )?(?:deprecated|removed|renamed)\b|"
    r"^deprecat(?:e|es|ed|ion of) |^(?:remov(?:e|es|ed|al of)|renam(?:e|es|ed)) (?:the )?"
    r"(?:`[^`]{1,80}`(?:$|[.,;]| (?:in favou?r|and|from|to|as)\b)|\w{0,60}[_./]\w)|"
    r"\bnow defaults? to\b|\bbreaking changes?\b|"
    r"\bno longer (?:supported|valid|available|accept(?:s|ed)?|works?|implicitly)\b",
    re.IGNORECASE,
)
"""What a line says of something that who upgrades may have to change."""
_LINE = re.compile(r"^[\s>#]*(?:[*+-]\s+)?")
_ELSEWHERE = re.compile(r"^\*\*full changelog\*\*|\bcan be found (?:here|at)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"<?https?://\S+")
_WORD = re.compile(r"[A-Za-z]{2,}|[\u3400-\u9fff]")
FEWEST_WORDS = 3
"""Words beside an address that make a line say something by itself."""
FEWEST_TOLD = 7
"""Words of a line that says something, though it stands above details of it."""
_ENDS = (".", "!", "?", "。", "！", "？")
_BOLD = re.compile(r"\*\*[^*]+\*\*")
_ITEM = re.compile(r"^(\s*)[*+-] ")
_ZEROS = re.compile(r"(?:\.0)+$")
_STARTS = re.compile(r"^\s*(?:[*+-] |#|[`{:<])")
"""What begins a line of a changelog that does not go on with the one above."""
LONGEST_ENTRY = 2_000
"""Characters of an entry after which no further line is added to it."""
MOST_BARE, MOST_TOUCHED = 5, 3
"""Releases of a window whose changelog is read, and touched changelogs beside the usual ones."""
_CHANGELOGS = (
    *("CHANGELOG.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "RELEASE_NOTES.md"),
    *("CHANGELOG.rst", "CHANGES.rst", "NEWS.rst", "docs/CHANGELOG.md"),
)
MOST_READ, MOST_PATCH = 20_000, 2_000_000
"""Lines of a changelog that are looked through for a version, and characters of its patch."""


def is_prerelease(item: Item) -> bool:
    """Return whether a release or tag is for trial: by its state, or by its name."""
    return item.kind is Kind.RELEASE and (
        item.state is State.PRERELEASE or PRERELEASE.search(item.ref) is not None
    )


def is_build(tag: str) -> bool:
    """Return whether a tag says that it is what was built of a day."""
    return _BUILD.search(tag) is not None


def is_nightly(item: Item) -> bool:
    """Return whether a release or tag is one of those that come by themselves each night."""
    return item.kind is Kind.RELEASE and ("nightly" in item.ref.casefold() or is_build(item.ref))


def apart(reads: Sequence[ReadItem]) -> tuple[list[ReadItem], list[ReadItem]]:
    """Part releases into those that are told each, and those for trial that are told together.

    One for trial alone is told like any other, but for a nightly.
    """
    trials = [read for read in reads if is_prerelease(read.item)]
    if len(trials) == 1 and not is_nightly(trials[0].item):
        return list(reads), []
    return [read for read in reads if read not in trials], trials


def has_notes(item: Item) -> bool:
    """Return whether a release says anything itself, and not only where that is said."""
    return bool(_own_notes(item))


def _own_notes(item: Item) -> str:
    return _first_lines(written(item.body).split("\n"), {item.ref, item.title})


def changelogs_wanted(items: Iterable[Item]) -> tuple[FileAt, ...]:
    """Return where the changelog may stand that tells of a final release without own notes.

    As it was at the release's commit: those that changes of the window touch, and the usual names.
    """
    items = tuple(items)
    bare = [
        item
        for item in items
        if item.kind is Kind.RELEASE and item.tagged
        if not (is_prerelease(item) or has_notes(item))
    ]
    if not bare:
        return ()
    touched = {
        file.path for item in items for file in item.files or () if _is_of_project(file.path)
    }
    paths = dict.fromkeys((*sorted(touched)[:MOST_TOUCHED], *_CHANGELOGS))
    newest = sorted(bare, key=lambda item: item.at, reverse=True)[:MOST_BARE]
    return tuple(FileAt(item.tagged, path) for item in newest for path in paths)


def _is_of_project(path: str) -> bool:
    """Tell whether a path is that of a changelog of the whole project."""
    return path.rpartition("/")[0] in ("", "docs") and CHANGELOG.search(path) is not None


def release_facts(
    items: Iterable[Item], contents: Mapping[FileAt, str | None] | None = None
) -> tuple[Fact, ...]:
    """Return a fact for each release, and for each change that makes a version.

    `name` is the tag or version, `before` the version before where the diff says it, `conditions`
    holds `prerelease` for one that is for trial, and `quote` the first lines of its notes or of
    what the change added to the changelog, each on a line, those that ask to act before the others.
    Of a release without notes they are what the changelog says of that version at the release's
    commit, where `contents` has it, else what another change added for it. A version that only the
    diff shows is `inferred`.
    """
    found: list[Fact] = []
    items, contents = tuple(items), contents or {}
    added = [log for item in items if item.kind.is_change for log in _added_to_changelog(item)]
    for item in items:
        if item.kind is Kind.RELEASE:
            found.append(_of_release(item, tuple(_changelogs_at(item, contents)) or added))
        elif item.kind is not Kind.ISSUE and (fact := _of_change(item)) is not None:
            found.append(fact)
    return tuple(found)


_Log: TypeAlias = tuple[str, Evidence]
"""A changelog of the project, or what a change adds to it, and where that stands."""


def _changelogs_at(item: Item, contents: Mapping[FileAt, str | None]) -> Iterator[_Log]:
    """Yield the changelogs at the commit of a release, that of the root first."""
    at = sorted(
        (file for file in contents if file.sha == item.tagged and _is_of_project(file.path)),
        key=lambda file: (file.path.count("/"), file.path),
    )
    for file in at:
        if text := contents[file]:
            yield text, Evidence("changelog", "", path=file.path, item=item.key)


def _of_release(item: Item, logs: Iterable[_Log]) -> Fact:
    notes = _own_notes(item)
    evidence = Evidence("title", item.title, item=item.key)
    if not notes:
        told = ((notes_in(text, item.ref), place) for text, place in logs)
        notes, evidence = next((one for one in told if one[0]), ("", evidence))
        evidence = replace(evidence, quote=notes.partition("\n")[0] or evidence.quote)
    return Fact(
        kind=FactKind.RELEASE,
        item=item.key,
        change=FactChange.RELEASED,
        name=item.ref,
        quote=notes,
        conditions=("prerelease",) if is_prerelease(item) else (),
        evidence=(evidence,),
    )


def _added_to_changelog(item: Item) -> Iterator[_Log]:
    """Yield the lines that a merged change adds to the changelog of the whole project."""
    if item.state in (State.OPEN, State.CLOSED):
        return
    for file in item.files or ():
        if file.patch and _is_of_project(file.path):
            rows = islice(file.patch[:MOST_PATCH].split("\n"), MOST_READ)
            text = "\n".join(row[1:] for row in rows if row.startswith("+"))
            yield text, Evidence("diff", "", path=file.path, side="+", item=item.key)


def _of_change(item: Item) -> Fact | None:
    old, new, evidence = _version_change(item.files or ())
    if not new and not is_release(item):
        return None
    in_title = _IN_TITLE.findall(item.title)
    version = new or (in_title[-1] if in_title else item.title.rpartition(" ")[2])
    added = [
        line
        for file in item.files or ()
        if CHANGELOG.search(file.path) and file.patch
        for line in _new_lines(file.patch)
    ]
    return Fact(
        kind=FactKind.RELEASE,
        item=item.key,
        change=FactChange.RELEASED,
        name=version,
        before=old or None,
        quote=_first_lines(added, {version}),
        conditions=("prerelease",) if PRERELEASE.search(version) else (),
        evidence=(evidence or Evidence("title", item.title, item=item.key),),
        inferred=not is_release(item),
    )


def _version_change(files: Iterable[FileChange]) -> tuple[str, str, Evidence | None]:
    """The package's own version before and after, of a file at most two folders deep."""
    for file in files:
        if file.path.count("/") > 2 or not _VERSION_FILE.search(file.path) or not file.patch:
            continue
        old = new = quote = ""
        for line in file.patch.split("\n"):
            match = _VERSION_LINE.match(line)
            if match and match.group(1) == "-":
                old = old or match.group(2)
            elif match:
                new, quote = new or match.group(2), quote or line[1:]
        if old and new and old != new:
            return old, new, Evidence("diff", quote, path=file.path, side="+")
    return "", "", None


def _new_lines(patch: str) -> Iterator[str]:
    """Yield the added lines of a patch, without as many as stand in the place of removed ones."""
    removed = 0
    for line in patch.split("\n"):
        if line.startswith("-"):
            removed += 1
        elif not line.startswith("+"):
            removed = 0
        elif removed:
            removed -= 1
        else:
            yield line[1:]


def _leads_elsewhere(text: str) -> bool:
    """Tell whether a line says nothing without the address that it gives."""
    words = _WORD.findall(_ADDRESS.sub("", text))
    is_address = _ADDRESS.search(text) is not None and len(words) < FEWEST_WORDS
    return is_address or _ELSEWHERE.search(text) is not None


_HEADING = re.compile(
    r"^(?P<marks>#{1,4} +)?(?:version |release )?[\[`*]{0,3}v?"
    r"(?P<version>\d{1,4}(?:\.\d+){1,3}(?:[.-]?[a-z]{1,8}\.?\d*)?)(?=[\s\]`*)(,:]|$)"
    r"(?:[\]`*)]|\([^()\s]{0,200}\)|\s<[^<>]{0,200}>`_)*\s*[-–:(\[]{0,3}\s*\S{0,40}$",
    re.IGNORECASE,
)
"""A line of nothing but a version and a date: `## [1.2.0](…) (2026-05-01)`, `v1.2 - 2026.05.01`."""
_LONGEST_HEADING = 200


def same_version(one: str, other: str) -> bool:
    """Tell whether two names are of one version: `v1.2` and `1.2.0`."""
    names = (name.strip().lower().lstrip("v") for name in (one, other))
    first, second = (_ZEROS.sub("", name) for name in names)
    return first == second


_UNSAID = ("<!--", ".. ")
"""What comments and directives begin with, in Markdown and reStructuredText."""


def notes_in(changelog: str, version: str) -> str:
    """Return the first lines of what a changelog says of a version, each entry on one line.

    Empty where it has no heading for the version.
    """
    entries: list[str] = []
    depth, is_inside, is_open = 0, False, False
    for line in changelog.split("\n")[:MOST_READ]:
        found = _HEADING.match(line.strip()) if len(line) <= _LONGEST_HEADING else None
        level = len(line) - len(line.lstrip("#"))
        if found or (is_inside and 0 < level <= depth):
            if is_inside:
                break
            is_inside = found is not None and same_version(found["version"], version)
            depth = level
        elif is_inside and line.strip(" -=~#") and not _LINE.sub("", line).startswith(_UNSAID):
            if is_open and not _STARTS.match(line):
                if len(entries[-1]) < LONGEST_ENTRY:
                    entries[-1] = f"{entries[-1]} {line.strip()}"
            else:
                entries.append(line)
        is_open = is_inside and bool(line.strip(" -=~#")) and not level and bool(entries)
    return _first_lines(entries, {version})


def _heads(line: str, below: str) -> bool:
    """Tell whether a line of a list names what the one below it is an item of; none does that
    says something itself, of which the one below has details.
    """
    one, two = _ITEM.match(line), _ITEM.match(below)
    if one is None or two is None or len(one[1]) >= len(two[1]):
        return False
    text = line.rstrip()
    return not text.endswith(_ENDS) and len(text.split()) - 1 < FEWEST_TOLD


def _first_lines(lines: Iterable[str], own: set[str]) -> str:
    """The first lines that say something, before them those that ask somebody to act.

    No headings, links alone, or the version itself; a short line of a list above lines that stand
    further in is a heading.
    """
    first: list[str] = []
    asking: list[str] = []
    bare_own = {name.lower().lstrip("v") for name in own}
    for line, below in pairwise((*(line for line in lines if line.strip()), "")):
        text = _LINE.sub("", line).strip()
        is_heading = line.lstrip().startswith("#") or text.endswith(":") or _heads(line, below)
        is_heading = is_heading or _BOLD.fullmatch(text) is not None
        if not text or is_heading or text.lower().lstrip("v") in bare_own or len(text) < 8:
            continue
        if _leads_elsewhere(text) or text in first or text in asking:
            continue
        if len(asking) < MOST_LINES and _ASKS.search(text[:LONGEST_ENTRY]):
            asking.append(text)
        elif len(first) < MOST_LINES:
            first.append(text)
    return "\n".join([*asking, *first][:MOST_LINES])
