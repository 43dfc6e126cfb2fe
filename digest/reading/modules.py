"""Python modules that people import, gone or moved: told from the names of files alone."""

from collections.abc import Iterator, Mapping

from digest.models import FileChange, Item, UpgradeNote
from digest.reading.paths import RUNTIME, role

SOURCE_ROOTS = frozenset({"src", "python", "lib", "bindings"})
"""Folders that hold packages and are none themselves."""

NOT_PACKAGES = frozenset({"scripts", "tools", "tool", "build", "docker", "third_party", "3rdparty"})
"""First folders whose Python is run, not imported."""

NATIVE_FOLDERS = frozenset({"csrc", "cpp", "cuda", "cmake"})
"""Folders of other languages: Python below them generates or tests, nobody imports it."""


def module_name(path: str) -> str | None:
    """The dotted name under which a file is imported; None if it is not public or not a module.

    A folder that cannot be a package (`CuTeDSL`, `sgl-kernel`) or is a source root begins anew.
    """
    if not path.endswith(".py") or role(path) not in RUNTIME:
        return None
    parts = path[:-3].split("/")
    if parts[0] in NOT_PACKAGES:
        return None
    folders = parts[:-1]
    if NATIVE_FOLDERS & set(folders):
        return None
    for index in range(len(folders) - 1, -1, -1):
        if folders[index] in SOURCE_ROOTS or not _is_package(folders[index]):
            parts = parts[index + 1 :]
            break
    if parts[-1] == "__init__":
        parts = parts[:-1]
    elif len(parts) < 2:
        return None
    if not parts or any(part.startswith("_") or not part.isidentifier() for part in parts):
        return None
    return ".".join(parts)


def _is_package(folder: str) -> bool:
    return folder.isidentifier() and folder == folder.lower()


def module_notes(item: Item) -> Iterator[UpgradeNote]:
    """Tell the public modules that a change removes or moves."""
    files = item.files or ()
    kept = {
        name
        for file in files
        if file.status != "removed" and (name := module_name(file.path)) is not None
    }
    gone: dict[str, FileChange] = {}
    moved: dict[str, tuple[str, FileChange]] = {}
    for file in files:
        old_path = file.previous_path if file.status == "renamed" else file.path
        old = module_name(old_path or "")
        if old is None or old in kept or file.status not in ("removed", "renamed"):
            continue
        new = module_name(file.path) if file.status == "renamed" else None
        if new is not None:
            moved[old] = (new, file)
        else:
            gone[old] = file
    for name, file, shown in _packages_removed(gone):
        path = file.previous_path or file.path
        yield _note(item, "removed", name, name, None, shown or path)
    for old, (new, file) in _packages_moved(moved):
        yield _note(item, "renamed", new, old, new, file.path)


def _packages_removed(
    gone: Mapping[str, FileChange],
) -> Iterator[tuple[str, FileChange, str | None]]:
    """Tell a package that goes with its modules once, shown at its first module with a patch."""
    packages = {name for name, file in gone.items() if file.path.endswith("/__init__.py")}
    for name, file in gone.items():
        if any(name.startswith(f"{package}.") for package in packages):
            continue
        inside = [
            other.path for inner, other in gone.items() if inner.startswith(f"{name}.")
        ] if name in packages else []  # fmt: skip
        yield name, file, min(inside, default=None)


def _packages_moved(
    moved: Mapping[str, tuple[str, FileChange]],
) -> Iterator[tuple[str, tuple[str, FileChange]]]:
    """Tell a package that moves with its modules once.

    An `__init__.py` alone tells nothing: git pairs those by being empty.
    """
    opened = {old: new for old, (new, file) in moved.items() if file.path.endswith("/__init__.py")}
    packages = {
        package: target
        for package, target in opened.items()
        if any(_moved_with(old, new, package, target) for old, (new, _) in moved.items())
    }
    for old, (new, file) in moved.items():
        if old in opened and old not in packages:
            continue
        if not any(_moved_with(old, new, *package) for package in packages.items()):
            yield old, (new, file)


def _moved_with(old: str, new: str, package: str, target: str) -> bool:
    return old.startswith(f"{package}.") and new == target + old[len(package) :]


def _note(
    item: Item, change: str, name: str, before: str, after: str | None, path: str
) -> UpgradeNote:
    return UpgradeNote("module", change, name, before, after, path, None, (item.key,))
