"""Globs for paths, as CODEOWNERS has them, without regular expressions that could run away.

`*`, `?` and `[abc]` stay within a folder, `**` goes through folders. A glob without `/`, but for
one at its end, is meant at any depth. One that ends without wildcards is also a folder with all
that is below it
(https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners).
"""

from fnmatch import fnmatchcase

WILDCARDS = frozenset("*?[")


def matches(glob: str, path: str) -> bool:
    """Tell whether a path is meant by a glob; the time grows with the product of their lengths."""
    parts = [part for part in glob.split("/") if part]
    if not parts:
        return False
    if len(parts) == 1 and not glob.startswith("/"):
        parts.insert(0, "**")
    if glob.endswith("/"):
        parts.append("**")
    needed = [
        part
        for part, before in zip(parts, ["", *parts[:-1]], strict=True)
        if not part == before == "**"
    ]
    return _match(needed, path.split("/"))


def _match(parts: list[str], folders: list[str]) -> bool:
    """Walk the path once and keep which parts of the glob it can have come to."""
    whole = len(parts)
    is_folder = not WILDCARDS & set(parts[-1])
    reached = _through({0}, parts)
    for folder in folders:
        if is_folder and whole in reached:
            return True
        on = set()
        for at in reached - {whole}:
            if parts[at] == "**":
                on.add(at)
            elif _fits(folder, parts[at]):
                on.add(at + 1)
        reached = _through(on, parts)
    return whole in reached


def _fits(folder: str, part: str) -> bool:
    return fnmatchcase(folder, part) if WILDCARDS & set(part) else folder == part


def _through(reached: set[int], parts: list[str]) -> set[int]:
    """Add what follows each `**`, which may stand for no folder at all."""
    return reached | {at + 1 for at in reached if at < len(parts) and parts[at] == "**"}
