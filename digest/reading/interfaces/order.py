"""Arguments that stand in another order: who gives them by their place gives one for another."""

from collections.abc import Iterable, Iterator, Mapping

from digest.facts import FactChange, Subject
from digest.reading.interfaces.definition import Definition
from digest.reading.interfaces.difference import Difference, altered

_MOST_NAMED = 8
"""Arguments of one function that are written out in their order."""


def reordered(old: Iterable[Definition], new: Iterable[Definition]) -> Iterator[Difference]:
    """Yield a difference for each function whose arguments, where both sides have them, swap.

    In: what a file defines on both sides. Out: of the first argument that has another place, named
    by the function; `before` and `after` list what lies between the first and the last of those.
    """
    before, after = _by_place(old), _by_place(new)
    for owner, was in before.items():
        became = after.get(owner, {})
        kept = [name for name in was if name in became]
        now = [name for name in became if name in was]
        moved = [at for at, (one, other) in enumerate(zip(kept, now, strict=True)) if one != other]
        if not moved:
            continue
        first, end = moved[0], moved[-1] + 1
        yield altered(
            FactChange.CHANGED, was[kept[first]], became[kept[first]], name=owner,
            before=_listed(kept[first:end]), after=_listed(now[first:end]), must_act=True,
        )  # fmt: skip


def _by_place(side: Iterable[Definition]) -> Mapping[str, Mapping[str, Definition]]:
    """Return, by function, what it takes by place in its order; none of what is defined twice."""
    found: dict[str, dict[str, Definition]] = {}
    twice: set[str] = set()
    for one in side:
        if one.subject is Subject.API_ARGUMENT and one.position >= 0:
            taken = found.setdefault(one.owner, {})
            name = one.name.partition("(")[2].rstrip(")")
            if name in taken:
                twice.add(one.owner)
            taken[name] = one
    return {owner: taken for owner, taken in found.items() if owner not in twice}


def _listed(names: list[str]) -> str:
    more = ", …" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more
