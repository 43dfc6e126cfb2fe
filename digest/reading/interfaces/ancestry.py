"""Classes above classes, as texts of files show them: what a class has without defining it."""

import re
from collections.abc import Collection, Iterable

_CLASS_HEAD = re.compile(r"class (\w+)(?:\(([^)]*)\))?")
_OPEN_HEAD = re.compile(r"^class \w+\((?:[^()#]++|#[^\n]*+)*+\)", re.MULTILINE)
"""The head of a class up to its end, which may be lines below."""
_OWN_MEMBER = re.compile(
    r"    (?:(?:async )?def (\w+)|(\w+)\s*[:=])|\s{8,}self\.(\w+)(?:: [^=]+)? = "
)


def _on_one_line(head: re.Match[str]) -> str:
    return " ".join(re.sub(r"#[^\n]*", "", head[0]).split())


class Ancestry:
    """The classes of some texts after a change: what stands above each, and what each defines."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._above: dict[str, set[str]] = {}
        self._members: set[tuple[str, str]] = set()
        for text in texts:
            self._read(text)

    def _read(self, text: str) -> None:
        owner = ""
        text = _OPEN_HEAD.sub(_on_one_line, text)
        for line in text.split("\n"):
            if re.match(r"[\w@]", line):
                opened = _CLASS_HEAD.match(line)
                owner = opened[1] if opened else ""
                if opened and opened[2]:
                    self._above.setdefault(owner, set()).update(re.findall(r"\w+", opened[2]))
            elif owner and (member := _OWN_MEMBER.match(line)):
                self._members.add((owner, member[1] or member[2] or member[3]))

    def inherits(self, owner: str, member: str) -> bool:
        """Tell whether a class above `owner`, however far, defines a member."""
        left, seen = set(self._above.get(owner, ())), {owner}
        while left:
            above = left.pop()
            if (above, member) in self._members:
                return True
            if above not in seen:
                seen.add(above)
                left |= self._above.get(above, set())
        return False

    def has(self, owner: str, members: Collection[str]) -> bool:
        """Tell whether a class defines all of these itself."""
        return all((owner, one) in self._members for one in members)

    def have(self, members: Collection[str]) -> bool:
        """Tell whether one of the classes defines all of these itself."""
        owners = {owner for owner, member in self._members if member in members}
        return any(all((owner, one) in self._members for one in members) for owner in owners)


def after(patch: str) -> str:
    """Return what a patch shows of a file after its change, with the heads of its hunks."""
    lines = []
    for line in patch.split("\n"):
        if line.startswith("@@"):
            lines.append(line.partition("@@")[2].partition("@@")[2].removeprefix(" "))
        elif line[:1] in ("+", " "):
            lines.append(line[1:])
    return "\n".join(lines)
