"""Classes above classes, as texts of files show them: what a class has without defining it."""

import re
from collections.abc import Collection, Iterable

from digest.reading.paths import words

_OPEN_HEAD = re.compile(r"\nclass \w+\((?:[^()#]++|#[^\n]*+)*+\)")
"""The head of a class up to its end, which may be lines below."""
_LINE = re.compile(
    r"\n(?:(?P<top>class (?P<owner>\w+)(?:\((?P<bases>[^)\n]*)\))?|[\w@])"
    r"|    (?:(?:async )?def (?P<method>\w+)|(?P<field>\w+)[^\S\n]*[:=])"
    r"|[^\S\n]{8,}+self\.(?P<given>\w+)(?:: [^=\n]+)? = )"
)
"""A line at the top, or one that shows a member of a class."""

_OUTSIDE = words(
    "ABC ABCMeta Module Protocol Generic Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict "
    "BaseModel Struct Exception RuntimeError ValueError Thread Process Function"
)
"""Classes of other packages that many stand on: what a class adds to them is its own."""


def _on_one_line(head: re.Match[str]) -> str:
    return "\n" + " ".join(re.sub(r"#[^\n]*", "", head[0]).split())


class Ancestry:
    """The classes of some texts after a change: what stands above each, and what each defines."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._above: dict[str, set[str]] = {}
        self._members: set[tuple[str, str]] = set()
        self.classes: set[str] = set()
        for text in texts:
            self._read(text)

    def _read(self, text: str) -> None:
        owner = ""
        for line in _LINE.finditer(_OPEN_HEAD.sub(_on_one_line, f"\n{text}")):
            if line["top"]:
                owner = line["owner"] or ""
                self.classes.add(owner)
                if line["bases"]:
                    self._above.setdefault(owner, set()).update(re.findall(r"\w+", line["bases"]))
            elif owner:
                self._members.add((owner, line["method"] or line["field"] or line["given"]))

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

    def above(self, owner: str) -> set[str]:
        """Return the classes of the program above `owner`, however far, as the texts show them."""
        left, seen = [owner], {owner}
        while left:
            bases = self._above.get(left.pop(), set())
            new = {one for one in bases - _OUTSIDE - seen if one[:1].isupper() and len(one) > 1}
            seen |= new
            left += new
        return seen - {owner}

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
