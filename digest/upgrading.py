"""What lies between two versions of a repository for a codebase that uses it.

::

    span     = await source.span(repo, base, head)
    items    = await source.brought(repo, span)                         its commits
    holding  = await holding_at(source, repo, span.base_sha, surface)   the tree as it was used
    weighed  = await weighed_changes(source, repo, items, holding)      commit by commit
    upgrade  = upgrade_of(repo, span, holding, weighed, ends, …)        what both ends show

The same ends give the same report. What was made of each commit is kept, so that a report that was
interrupted goes on where it was.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from digest import codec
from digest.concern import definitions, upstream_names
from digest.concern.concerned import mentioned_pins
from digest.concern.definitions import Altered
from digest.concern.ends import Ends, differing_paths, is_there_again
from digest.concern.flag_fields import flags_by_field
from digest.concern.matching import (
    Moves,
    WeighedChange,
    altered_by,
    files_of,
    packages_of,
    weigh,
)
from digest.concern.surface import Surface, UseKind
from digest.concern.upgrade import (
    SettingChange,
    Suspect,
    Upgrade,
    new_requirements,
    settings_of,
    suspects,
    upgrade_of,
)
from digest.concern.upstream_names import UpstreamNames, UpstreamTree, held
from digest.errors import BadWindow, NotFound, UsageError
from digest.facts import Fact, FactChange, Subject
from digest.models import FileAt, Item, Repo, Span
from digest.ports import Clone, Source, Steps
from digest.reading.interfaces import grammar
from digest.reading.interfaces.place import ChangeEnds, FileLanguage, place_of
from digest.reading.interfaces.window import span_facts, span_wanted
from digest.reading.releases import PRERELEASE
from digest.spans import files_of as files_between
from digest.spans import is_backward
from digest.wording.phrases import SAY

AT_ONCE = 40
"""ChangeEnds whose files are read in one go: some 20 MB of text."""

FILES_AT_ONCE = 250
"""Files of commits that are asked for in one go."""

_MOST_ROUNDS = 16


def clone_of(source: Source, repo: Repo) -> Clone:
    """Return a source as a clone; `UsageError` says how to give one."""
    if isinstance(source, Clone):
        return source
    raise UsageError(SAY.upgrades.needs_clone(repo))


async def holding_at(
    source: Clone, repo: Repo, sha: str, surface: Surface, tell: Steps
) -> UpstreamNames:
    """Hold a surface against the tree of a commit, reading what names lead to."""
    paths = await source.tree(repo, sha)
    texts: dict[str, str | None] = {}
    tree = UpstreamTree(paths, texts)
    for _ in range(_MOST_ROUNDS):
        found = await asyncio.to_thread(held, surface, tree)
        wanted = sorted(tree.wanted)
        if not wanted:
            return found
        tell(SAY.upgrades.following(len(texts) + len(wanted)))
        had = await source.contents(repo, [FileAt(sha, path) for path in wanted])
        texts |= {path: had.get(FileAt(sha, path)) for path in wanted}
        tree.wanted.clear()
    return found


async def weighed_changes(
    source: Clone,
    repo: Repo,
    items: Sequence[Item],
    holding: UpstreamNames,
    tell: Steps,
    unread: set[str] | None = None,
) -> tuple[WeighedChange, ...]:
    """Hold the commits of a span, oldest first, against a codebase; all of them are given.

    `unread` takes the paths of files that could not be read, and the short SHAs of commits whose
    files are not known.
    """
    packages = packages_of(holding)
    moves = Moves()
    found: list[WeighedChange] = []
    for start in range(0, len(items), AT_ONCE):
        some = items[start : start + AT_ONCE]
        tell(SAY.upgrades.comparing(start, len(items)))
        change, missing = await _altered(source, repo, some, packages)
        if unread is not None:
            unread |= missing
            unread |= {item.ref for item in some if item.files is None}
        found += await asyncio.to_thread(_held, some, change, holding, packages, moves)
    return tuple(found)


async def _altered(
    source: Clone, repo: Repo, items: Sequence[Item], packages: frozenset[str]
) -> tuple[dict[str, tuple[Altered, ...]], set[str]]:
    """Return what commits do to definitions, by key, and the paths that could not be read.

    What was made of files is kept, and not the files: those are hundreds of megabytes of a month.
    """
    found: dict[str, tuple[Altered, ...]] = {}
    missing: set[str] = set()
    names = {item.key: _kept_as(item, packages) for item in items if files_of(item, packages)}
    for item in items:
        if item.key not in names:
            found[item.key] = ()
        elif (kept := await source.recall(names[item.key])) is not None:
            found[item.key] = codec.load(tuple[Altered, ...], kept)
    for some in _documents([item for item in items if item.key not in found], packages):
        contents = await source.contents(repo, sorted(_wanted(some, packages)), once=True)
        for item in some:
            change = await asyncio.to_thread(altered_by, item, contents, packages)
            found[item.key] = change
            unread = {at.path for at in _wanted([item], packages) if at not in contents}
            missing |= unread
            if not unread:
                await source.keep(names[item.key], codec.dump(change))
    return found, missing


@cache
def _code() -> str:
    """Name the code that compares definitions: what another one made is made anew."""
    files = (
        Path(each.__file__ or "").read_bytes() for each in (definitions, grammar, upstream_names)
    )
    return sha256(b"".join(files)).hexdigest()[:16]


def _kept_as(item: Item, packages: frozenset[str]) -> str:
    """Name what a commit does by the files that it alters: their paths and commits say all."""
    files = sha256(repr(files_of(item, packages)).encode()).hexdigest()
    return f"definitions {_code()} {files}"


def _documents(items: Sequence[Item], packages: frozenset[str]) -> Iterator[list[Item]]:
    """Part commits so that the files of each part are asked for in one go."""
    some: list[Item] = []
    for item in items:
        if some and len(_wanted([*some, item], packages)) > FILES_AT_ONCE:
            yield some
            some = []
        some.append(item)
    if some:
        yield some


def _wanted(items: Sequence[Item], packages: frozenset[str]) -> set[FileAt]:
    return {at for item in items for pair in files_of(item, packages) for at in pair if at}


def _held(
    items: Sequence[Item],
    change: Mapping[str, Sequence[Altered]],
    holding: UpstreamNames,
    packages: frozenset[str],
    moves: Moves,
) -> list[WeighedChange]:
    return [weigh(item, change[item.key], holding, packages, moves) for item in items]


async def upgrade(
    source: Source, repo: Repo, base: str, head: str, surface: Surface, tell: Steps
) -> Upgrade:
    """Tell what `head` means for a codebase that uses `base`.

    `base` and `head` are tags or SHAs; an empty `base` is what the surface pins, an empty `head`
    the newest release. Raises `NotFound` for an end that is not there, `BadWindow` for ends the
    wrong way round, `UsageError` where a source has no history or nothing is used.
    """
    clone = clone_of(source, repo)
    surface.check_is_of(str(repo))
    pins = [base] if base else pins_of(repo, surface)
    head = head or await newest(clone, repo)
    span = await clone.span(repo, base, head) if base else await pinned(clone, repo, pins, head)
    return await upgrade_over(clone, repo, span, surface, tell)


async def upgrade_over(
    clone: Clone, repo: Repo, span: Span, surface: Surface, tell: Steps
) -> Upgrade:
    """Tell what a span means for a codebase that uses its beginning; raises `CouldNotLook`."""
    unread: set[str] = set()
    items = await clone.brought(repo, span, tell)  # first: it says where all is too much to ask
    holding = await holding_at(clone, repo, span.base_sha, surface, tell)
    at_head = await holding_at(clone, repo, span.head_sha, surface, tell)
    weighed = await weighed_changes(clone, repo, items, holding, tell, unread)
    before, after = await clone.tree(repo, span.base_sha), await clone.tree(repo, span.head_sha)
    moved = _moved(items)
    differ = differing_paths(holding, before, after, moved)
    asked = [
        path
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
        and (place := place_of(path)) is not None
        and place.language is FileLanguage.REQUIREMENTS
    ]
    tell(SAY.upgrades.both_ends(len(differ) + len(asked)))
    texts = await _texts(clone, repo, span, differ, moved)
    unread |= {path for path in differ if path not in texts}
    there = [path for path in differ if is_there_again(path, after, moved)]
    again = await _texts(clone, repo, span, there, {})
    ends = Ends(before, after, moved, texts, {path: now or "" for path, (_, now) in again.items()})
    metadata = await _texts(clone, repo, span, asked, {})
    settings, declared = await _settings(clone, repo, span, items, surface, after)
    upgrade = await asyncio.to_thread(
        upgrade_of,
        *(repo, span, holding, at_head, weighed, ends, settings, declared),
        new_requirements(metadata),
    )
    return replace(upgrade, unread=tuple(sorted(unread)), is_whole=span.is_whole)


def _moved(items: Sequence[Item]) -> dict[str, str]:
    """Return where files of the base stand at the head, of those that moved."""
    here: dict[str, str] = {}
    for item in items:
        for file in item.files or ():
            if file.status == "renamed" and file.previous_path:
                origin = here.pop(file.previous_path, file.previous_path)
                here[file.path] = origin
            elif file.status == "removed":
                here.pop(file.path, None)
    return {origin: path for path, origin in here.items()}


async def _texts(
    source: Clone, repo: Repo, span: Span, paths: Sequence[str], moved: Mapping[str, str]
) -> dict[str, tuple[str | None, str | None]]:
    pairs = {
        path: (FileAt(span.base_sha, path), FileAt(span.head_sha, moved.get(path, path)))
        for path in paths
    }
    wanted = [at for pair in pairs.values() for at in pair]
    had = await source.contents(repo, wanted) if wanted else {}
    return {
        path: (had[old], had[new])
        for path, (old, new) in pairs.items()
        if old in had and new in had
    }


async def _settings(
    source: Clone,
    repo: Repo,
    span: Span,
    items: Sequence[Item],
    surface: Surface,
    after: Collection[str],
) -> tuple[tuple[SettingChange, ...], frozenset[str]]:
    """Tell which flags and variables of the surface are not as they were, and who changed them.

    `after` are the paths of the head. Given with them are those that the files which were read
    have at the head.
    """
    named = {use.name for use in surface.uses if use.kind in (UseKind.FLAG, UseKind.VARIABLE)}
    named |= {*surface.words.flags}
    if not named:
        return (), frozenset()
    # Counts of lines are not listed: every file that differs is worth a look.
    files = [replace(file, additions=1) for file in files_between(items)]
    wanted = {*span_wanted(files, span.base_sha, span.head_sha)}
    wanted |= {FileAt(span.head_sha, path) for path in after if _declares_settings(path)}
    contents = await source.contents(repo, sorted(wanted)) if wanted else {}
    ends = ChangeEnds(span.base_sha, span.head_sha)
    facts = await asyncio.to_thread(span_facts, "", repo.name, files, contents, ends)
    declared = [each for at, each in contents.items() if at.sha == span.head_sha and each]
    fields = await asyncio.to_thread(flags_by_field, declared)
    found = settings_of(surface, [_of_flag(fact, fields) for fact in facts])
    settings = tuple(
        [
            one
            if one.fact.change is FactChange.ADDED and not one.is_new_choice
            else replace(one, item=await _changer(source, repo, one, items))
            for one in found
        ]
    )
    return settings, await asyncio.to_thread(_had, named, declared, {*fields.values()})


def _had(names: Collection[str], texts: Collection[str], flags: Collection[str]) -> frozenset[str]:
    """Return the names that are flags of fields, or that one of these texts spells or declares."""

    def is_there(name: str) -> bool:
        field = re.escape(name.lstrip("-").replace("-", "_"))
        spelled = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])|^ +{field} *:", re.M)
        return name in flags or any(spelled.search(text) for text in texts)

    return frozenset(filter(is_there, names))


def _declares_settings(path: str) -> bool:
    """Return whether a file is there to declare flags or variables, whether it differs or not."""
    place = place_of(path) if re.search("arg|env", path.rpartition("/")[2]) else None
    return place is not None and (place.arguments or place.environment)


def _of_flag(fact: Fact, fields: Mapping[str, str]) -> Fact:
    """Return a fact of a field that declares a flag as one of the flag: its choices, its default.

    That the flag itself came or went is told of it by its name.
    """
    names = tuple(fields.get(name, name) for name in fact.names)
    if fact.subject is Subject.CHOICE:
        return replace(fact, name=fields.get(fact.name, fact.name), names=names)
    if fact.change is FactChange.DEFAULT and fact.name in fields and not fact.names:
        return replace(fact, name=fields[fact.name], subject=Subject.FLAG)
    return fact


_MOST_CHANGERS = 100


async def _changer(
    source: Clone, repo: Repo, setting: SettingChange, items: Sequence[Item]
) -> Item | None:
    """Return the last commit that wrote the name, or the value, more or less often."""
    paths = {one.path for one in setting.fact.evidence}
    touching = [
        (item, at)
        for item in items
        if item.parents
        for at in _sides(item, paths)
    ][-_MOST_CHANGERS:]  # fmt: skip
    had = await source.contents(repo, sorted({at for _, pair in touching for at in pair}))
    names = _written(setting)
    for item, (old, new) in reversed(touching):
        before, after = (_lines_with(names, had.get(at) or "") for at in (old, new))
        if before != after:
            return item
    return None


def _written(setting: SettingChange) -> re.Pattern[str]:
    """Match what a setting is called in code; of a value that it takes no more, or now, that."""
    if setting.fact.subject is Subject.CHOICE:
        value = setting.fact.before or setting.fact.after or ""
        return re.compile(rf"([\"']){re.escape(value)}\1")
    word = setting.use.name.lstrip("-")
    return re.compile(rf"(?<!\w)(?:{re.escape(word)}|{re.escape(word.replace('-', '_'))})(?!\w)")


def _sides(item: Item, paths: Collection[str]) -> list[tuple[FileAt, FileAt]]:
    """Return the sides of the files of a commit that are among these."""
    return [
        (
            FileAt(item.parents[0], file.previous_path or file.path),
            FileAt(item.commits[0], file.path),
        )
        for file in item.files or ()
        if file.path in paths
    ]


def _lines_with(names: re.Pattern[str], text: str) -> list[str]:
    return [line for line in text.split("\n") if names.search(line)]


async def newest(source: Clone, repo: Repo) -> str:
    """Return the newest release that is no prerelease; `UsageError` where there is none."""
    releases = await source.releases(repo)
    for name in releases:
        if PRERELEASE.search(name) is None:
            return name
    raise UsageError(SAY.upgrades.no_release(repo))


def pins_of(repo: Repo, surface: Surface) -> list[str]:
    """Return the versions and commits that a surface pins, what is told most often first."""
    counts = Counter(
        re.sub(r"^[~=^v]+", "", use.value)
        for use in surface.uses
        if use.kind is UseKind.PIN and re.fullmatch(r"(?:[~=]=|===)?v?[\w.+-]+", use.value)
    )
    counts.update(version for _, version in mentioned_pins(repo, surface))
    if not counts:
        raise UsageError(SAY.upgrades.no_pin)
    return [name for name, _ in counts.most_common()]


async def pinned(source: Clone, repo: Repo, pins: Sequence[str], head: str) -> Span:
    """Return the span from the first of these pins that is there."""
    for name in pins:
        try:
            return await source.span(repo, name, head)
        except NotFound:
            continue
    raise UsageError(SAY.upgrades.not_pinned(repo, ", ".join(pins[:3])))


async def between(
    source: Source,
    repo: Repo,
    ends: tuple[str, str],
    symptom: str,
    surface: Surface | None,
    tell: Steps,
) -> tuple[Span, tuple[Suspect, ...]]:
    """Rank the changes from a good version to a bad one.

    Raises as `upgrade` does, and `BadWindow` where the good one, on another branch, is the newer.
    """
    clone = clone_of(source, repo)
    span = await clone.span(repo, *ends)
    if is_backward(span):
        raise BadWindow(SAY.windows.good_is_newer(span.base, span.head))
    items = await clone.brought(repo, span, tell)
    weighed: tuple[WeighedChange, ...] = ()
    if surface is not None:
        holding = await holding_at(clone, repo, span.base_sha, surface, tell)
        weighed = await weighed_changes(clone, repo, items, holding, tell)
    return span, suspects(items, symptom, {one.item.key: one for one in weighed})
