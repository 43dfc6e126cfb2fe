"""One upstream change held against a codebase: what it does to it, and how much that is."""

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace

from digest.concern.definitions import Altered, altered
from digest.concern.holding import Holding
from digest.concern.matching import Match, Strength, matches
from digest.concern.weight import features, is_told, weight_of
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
        """Tell whether something here goes wrong with it."""
        return any(one.strength is Strength.BREAKS for one in self.matches)

    @property
    def is_told(self) -> bool:
        """Tell whether it is told as one that concerns the codebase."""
        return self.breaks or is_told(self.weight)


def packages_of(holding: Holding) -> frozenset[str]:
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


def weigh(
    item: Item,
    change: Sequence[Altered],
    holding: Holding,
    packages: frozenset[str],
    moved: MutableMapping[str, str],
) -> WeighedChange:
    """Hold one change against a codebase.

    `moved` tells where a file stood in the tree that the codebase was held against; what this
    change moves is added to it, so that changes have to be held oldest first.
    """
    here = [replace(one, path=moved.get(one.path, one.path)) for one in change]
    found = matches(here, holding)
    files = [file for file in item.files or () if _is_of(file.path, packages)]
    paths = {moved.get(path, path) for path in _paths(item)}
    told = features(
        found,
        holding.members,
        files=len(files),
        moved=sum(file.status in ("renamed", "removed") for file in files),
        in_file=any(path in holding.by_path for path in paths),
    )
    for file in item.files or ():
        if file.status == "renamed" and file.previous_path:
            moved[file.path] = moved.get(file.previous_path, file.previous_path)
    return WeighedChange(item, found, weight_of(told), told)


def _paths(item: Item) -> Iterator[str]:
    for file in item.files or ():
        yield file.path
        if file.previous_path:
            yield file.previous_path
