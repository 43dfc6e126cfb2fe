"""Which whole files are needed to compare interfaces, and at which commits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from digest.models import FileAt, FileChange, Item, Kind
from digest.reading.folding import brings_main
from digest.reading.interfaces.place import Language, Place, can_matter, place_of

MOST_FILES = 100
"""Files that are asked for at most: as many blobs as one GraphQL request may name with ease."""

MOST_OF_ONE = 40
"""Files of one item at most, unless it is alone: a release of everything is not the whole day."""

_DEEPEST_FRONT = 3
"""Names in a package's dotted name up to which its `__init__` is taken for a public front."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The commits before and after a change, by their whole SHAs; empty where not known."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of an item that may hold a change of an interface."""

    item: Item
    ends: Ends
    file: FileChange
    place: Place
    worth: int

    @property
    def before(self) -> FileAt | None:
        """The file before the change, None where it was not there."""
        if self.file.status == "added":
            return None
        return FileAt(self.ends.before, self.file.previous_path or self.file.path)

    @property
    def after(self) -> FileAt | None:
        """The file after the change, None where it is no longer there."""
        return None if self.file.status == "removed" else FileAt(self.ends.after, self.file.path)


def ends_of(item: Item, commits: Mapping[str, Item]) -> Ends | None:
    """Return the commits before and after an item, None where its parents are not known.

    `commits` are the commits that the item accounts for, by SHA, where their parents are known.
    Of a merge it is its first parent and itself, of several commits what stands before the first
    and the last.
    """
    if not item.commits:
        return None
    if item.parents and (len(item.commits) == 1 or len(item.parents) > 1):
        merge = next((sha for sha in item.commits if _parents(sha, commits) == item.parents), None)
        return Ends(item.parents[0], merge or item.commits[-1])
    known = {sha: _parents(sha, commits) for sha in item.commits}
    merges = [sha for sha, parents in known.items() if len(parents) > 1]
    if merges:
        return Ends(known[merges[-1]][0], merges[-1])
    if not all(known.values()):
        return None
    first = [parents[0] for parents in known.values() if parents[0] not in known]
    parents_of = {parents[0] for parents in known.values()}
    last = [sha for sha in known if sha not in parents_of]
    return Ends(first[0], last[0]) if len(first) == 1 and len(last) == 1 else None


def _parents(sha: str, commits: Mapping[str, Item]) -> tuple[str, ...]:
    known = commits.get(sha)
    return known.parents if known is not None else ()


def by_sha(items: Sequence[Item]) -> dict[str, Item]:
    """Return the commits among items by SHA."""
    return {sha: item for item in items if item.kind is Kind.COMMIT for sha in item.commits[:1]}


def touched(items: Sequence[Item], commits: Sequence[Item] = ()) -> list[Touched]:
    """Return the files that have to be compared, those that matter most first, at most a budget.

    In: changes with files, and the commits that they were folded from, for their parents.
    """
    known = by_sha([*items, *commits])
    found: list[Touched] = []
    for item in items:
        if item.kind not in (Kind.COMMIT, Kind.PULL_REQUEST) or not item.files:
            continue
        ends = ends_of(item, known)
        if brings_main(item):
            continue
        own = [one for one in _of_item(item, ends or Ends("", "")) if one.worth]
        own.sort(key=_order)
        found += own[:MOST_OF_ONE] if len(items) > 1 else own
    found.sort(key=_order)
    return found


def _of_item(item: Item, ends: Ends) -> Iterator[Touched]:
    for file in item.files or ():
        place = place_of(file.path) or (place_of(file.previous_path or "") or None)
        if place is not None:
            yield Touched(item, ends, file, place, can_matter(file, place))


def _order(one: Touched) -> tuple[int, int, int, int]:
    place = one.place
    first = place.language is Language.REQUIREMENTS or place.arguments or place.environment
    return -one.worth, -int(first), -int(place.surface), place.depth


def fronts(files: Sequence[Touched]) -> tuple[FileAt, ...]:
    """Return the `__init__` files that tell which names of the touched modules are public."""
    found: dict[str, FileAt] = {}
    for one in files:
        if one.place.language is Language.REQUIREMENTS or one.after is None:
            continue
        if one.place.language is Language.NATIVE:
            paths = _packages(one.item)
        elif one.place.depth <= _DEEPEST_FRONT + 1:
            paths = fronts_above(one.place)
        else:
            continue
        for path in paths:
            found.setdefault(path, FileAt(one.ends.after, path))
    return tuple(found.values())


def fronts_above(place: Place) -> Iterator[str]:
    """Yield the paths of the fronts of the packages around a Python file."""
    folders = place.path.split("/")[:-1]
    for up in range(place.depth - (0 if place.exports else 1)):
        yield "/".join([*folders[: len(folders) - up], "__init__.py"])


def _packages(item: Item) -> Iterator[str]:
    """Yield the fronts of the packages at the top, as the paths of an item show them."""
    seen = set()
    for file in item.files or ():
        place = place_of(file.path)
        if place is None or not place.module or place.language is not Language.PYTHON:
            continue
        package = place.module.partition(".")[0]
        start = f"/{file.path}".find(f"/{package}/")
        if start >= 0 and package not in seen:
            seen.add(package)
            yield file.path[: start + len(package)] + "/__init__.py"


def wanted(items: Sequence[Item], commits: Sequence[Item] = ()) -> tuple[FileAt, ...]:
    """Return the whole files that `interface_facts` needs of these items, at most `MOST_FILES`.

    In: changes with their files and patches, folded or not; `commits` are the commits as the
    source gave them, where the items were folded from them. What matters most comes first, so
    that any beginning of it is worth asking for. Files of which the patch shows that no user can
    notice are not among them.
    """
    files = [one for one in touched(items, commits) if one.ends.after]
    sure = [one for one in files if one.worth > 1]
    perhaps = [one for one in files if one.worth == 1]
    found: dict[FileAt, None] = {}
    for one in sure:
        _take(found, one)
    public = fronts([*sure, *perhaps])
    for at in public[: max(0, MOST_FILES - len(found))]:
        found.setdefault(at)
    for one in perhaps:
        _take(found, one)
    return tuple(found)


def _take(found: dict[FileAt, None], one: Touched) -> None:
    new = [at for at in (one.before, one.after) if at is not None and at not in found]
    if len(found) + len(new) <= MOST_FILES:
        found.update(dict.fromkeys(new))
