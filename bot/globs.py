"""Globs for paths, as CODEOWNERS has them, without regular expressions that could run away.

`*`, `?` and `[abc]` stay within a folder, `**` goes through folders. A glob without `/`, but for
one at its end, is meant at any depth. One that ends without wildcards is also a folder with all
that is below it
(https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners).
"""

from fnmatch import fnmatchcase


def matches(glob: str, path: str) -> bool:
    """Tell whether a path is meant by a glob; the time grows with the product of their lengths."""
    parts = [part for part in glob.split("/") if part]
    if not parts:
        return False
    if len(parts) == 1 and not glob.startswith("/"):
        parts.insert(0, "**")
    if glob.endswith("/"):
        parts.append("**")
    return _match(parts, path.split("/"))


def _match(parts: list[str], folders: list[str]) -> bool:
    """Walk the path once and keep which parts of the glob it can have come to."""
    reached = _through({0}, parts)
    is_folder = not set(parts[-1]) & set("*?[")
    for folder in folders:
        if is_folder and len(parts) in reached:
            return True
        on = {at for at in reached if at < len(parts) and parts[at] == "**"}
        on |= {
            at + 1
            for at in reached
            if at < len(parts) and parts[at] != "**" and fnmatchcase(folder, parts[at])
        }
        reached = _through(on, parts)
    return len(parts) in reached


def _through(reached: set[int], parts: list[str]) -> set[int]:
    """Add the parts after each `**`, which may stand for no folder at all."""
    found = set(reached)
    for at in sorted(reached):
        while at < len(parts) and parts[at] == "**":
            at += 1
            found.add(at)
    return found
