"""One upstream change held against a codebase: what it does to it, and how much that is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from digest.concern.definitions import Altered, Way, altered
from digest.concern.matching import Match, Strength, matches
from digest.concern.upstream_names import UpstreamNames
from digest.concern.weight import features, is_shown, weight_of
from digest.models import FileAt, Item
from digest.reading.interfaces.definition import Pair
from digest.reading.interfaces.place import module_of


@dataclass(frozen=True, slots=True)
class WeighedChange:
    """A change with what of it touches a codebase; `weight` is higher the more it does.

    `features` are what the weight was made of.
    """

    item: Item
    matches: tuple[Match, ...]
    weight: float
    features: Mapping[str, float]

    @property
    def breaks(self) -> bool:
        """Return whether something here goes wrong with it."""
        return any(one.strength is Strength.BREAKS for one in self.matches)

    @property
    def is_shown(self) -> bool:
        """Return whether it is told as one that concerns the codebase."""
        return self.breaks or is_shown(self.weight)


def packages_of(holding: UpstreamNames) -> frozenset[str]:
    """Return the packages of the upstream repository that a codebase uses."""
    return frozenset(module_of(path).partition(".")[0] for path in holding.by_path)


def files_of(
    item: Item, packages: frozenset[str]
) -> tuple[tuple[FileAt | None, FileAt | None], ...]:
    """Return the Python files of a commit in packages that are used, before and after it."""
    if not item.parents:
        return ()
    before, after = item.parents[0], item.commits[0]
    found = []
    for file in item.files or ():
        old = file.previous_path if file.status == "renamed" else file.path
        old = old or file.path
        if not any(_is_of(path, packages) for path in (old, file.path)):
            continue
        found.append(
            (
                None if file.status in ("added", "copied") else FileAt(before, old),
                None if file.status == "removed" else FileAt(after, file.path),
            )
        )
    return tuple(found)


def _is_of(path: str, packages: frozenset[str]) -> bool:
    return path.endswith(".py") and module_of(path).partition(".")[0] in packages


def altered_by(
    item: Item, contents: Mapping[FileAt, str | None], packages: frozenset[str]
) -> tuple[Altered, ...]:
    """Return what a commit does to the definitions of a package, as far as its files were had."""
    pairs = []
    for old, new in files_of(item, packages):
        if any(at is not None and at not in contents for at in (old, new)):
            continue
        at = old or new
        if at is None:
            continue
        pairs.append(
            Pair(
                at.path,
                new.path if new else at.path,
                contents[old] if old else None,
                contents[new] if new else None,
            )
        )
    return altered(pairs)


@dataclass(slots=True)
class Moves:
    """Where what stands somewhere now stood in the tree that a codebase was held against.

    What a change moves is taken in after it was held, so that changes are held oldest first.
    """

    files: dict[str, str] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """The file, by the file and name now, of classes and functions that left it alone."""

    def origin(self, path: str) -> str:
        """Return where a file stood."""
        return self.files.get(path, path)

    def back(self, one: Altered) -> Iterator[Altered]:
        """Yield what was altered as it was called; a file that goes takes what moved there too."""
        of = self.names.get((one.path, one.name.partition(".")[0]), self.origin(one.path))
        yield replace(one, path=of)
        if one.way is Way.GONE and not one.name:
            for (path, name), origin in self.names.items():
                if path == one.path:
                    after = f"{one.after}.{name}" if one.after else ""
                    yield replace(one, path=origin, name=name, after=after)

    def take(self, item: Item, change: Sequence[Altered]) -> None:
        """Note what a change moves."""
        came = {
            f"{module_of(one.path)}.{one.name}": one.path
            for one in change
            if one.way is Way.ADDED and one.name and "." not in one.name
        }
        for one in change:
            if one.way in (Way.GONE, Way.BODY) and one.after in came and one.name:
                origin = self.names.pop((one.path, one.name), self.origin(one.path))
                self.names[came[one.after], one.name] = origin
        for file in item.files or ():
            if file.status == "renamed" and file.previous_path:
                self.files[file.path] = self.origin(file.previous_path)
                for path, name in [key for key in self.names if key[0] == file.previous_path]:
                    self.names[file.path, name] = self.names.pop((path, name))


def weigh(
    item: Item,
    change: Sequence[Altered],
    holding: UpstreamNames,
    packages: frozenset[str],
    moves: Moves,
) -> WeighedChange:
    """Hold one change against a codebase; what it moves is taken into `moves`."""
    found = matches([as_it_was for one in change for as_it_was in moves.back(one)], holding)
    files = [file for file in item.files or () if _is_of(file.path, packages)]
    values = features(
        found,
        change,
        holding.members,
        files=len(files),
        moved=sum(file.status in ("renamed", "removed") for file in files),
        in_file=any(moves.origin(path) in holding.by_path for path in _paths(item)),
    )
    moves.take(item, change)
    return WeighedChange(item, found, weight_of(values), values)


def _paths(item: Item) -> Iterator[str]:
    for file in item.files or ():
        yield file.path
        if file.previous_path:
            yield file.previous_path
