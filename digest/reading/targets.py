"""Which GPUs a project is built for: the lists of its build files and images, before and after.

`ARG torch_cuda_arch_list='7.0 8.0 9.0+PTX'` of an image, and CMake's
`set(HIP_SUPPORTED_ARCHS "gfx906;gfx942")`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from digest.facts import Evidence, Fact, FactChange, FactKind, Side, Subject
from digest.grades import ChangeObject
from digest.models import FileChange, Item
from digest.reading.patch import MOST_READ, Line, lines
from digest.reading.paths import role

_IMAGE = re.compile(r"(?:^|/)(?:[\w-]+\.)?[Dd]ockerfile[\w.-]*$")
_OF_IMAGE = re.compile(
    r"\s*+(?:ARG|ENV)\s++(\w*(?:cuda_arch_list|rocm_arch))(?:\s*+=|\s)\s*+"
    r"[\"']?([\w.+;, ]++)[\"']?\s*+\\?$",
    re.IGNORECASE,
)
_OF_CMAKE = re.compile(
    r"\s*+set\s*+\(\s*+(\w*SUPPORTED_ARCHS)\s++\"?([\w.+; ]++)\"?\s*+\)",
)
_CUDA = re.compile(r"(\d{1,2})\.(\d)([af]?)(\+PTX)?")
_GFX = re.compile(r"gfx[0-9a-f]{3,4}")


@dataclass(slots=True)
class _List:
    """A list of a file: how often each side writes it, what it names there, and in which line."""

    written: dict[str, int] = field(default_factory=lambda: {"-": 0, "+": 0})
    named: dict[str, dict[str, Line]] = field(default_factory=lambda: {"-": {}, "+": {}})


def build_targets(item: Item) -> tuple[Fact, ...]:
    """Return which GPUs a change has the project built for, and for which no longer.

    In: a change with files and patches. Out: facts of hardware, called as NVIDIA's and AMD's
    compilers do (`sm_75`, `gfx906`), one for each file and direction; what is no longer built for
    asks to act. What runs there all the same is not told: code for 8.0 runs on 8.6 too, and PTX on
    all that is newer (https://docs.nvidia.com/cuda/cuda-c-programming-guide/#binary-compatibility),
    but code for 10.0a on 10.0 alone and code for 10.0f on 10.x. Nor is a list that the change adds
    or drops beside another one of its name, or what another one of its name goes on to have.
    """
    return tuple(fact for file in item.files or () for fact in _of_file(item.key, file))


def _of_file(key: str, file: FileChange) -> Iterator[Fact]:
    if role(file.path) is not ChangeObject.BUILD:
        return
    pattern = _OF_IMAGE if _IMAGE.search(file.path) else _OF_CMAKE
    patch = (file.patch or "")[:MOST_READ]
    found: dict[str, _List] = {}
    for line in lines(patch) if "arch" in patch.lower() else ():
        if match := pattern.match(line.text[:2_000]):
            one = found.setdefault(match[1].casefold(), _List())
            for sign in line.sign.replace(" ", "-+"):
                one.written[sign] += 1
                for target in filter(_is_target, re.split(r"[;, ]+", match[2])):
                    one.named[sign].setdefault(target, line)
    for one in found.values():
        if one.written["-"] == one.written["+"]:
            before, after = one.named["-"], one.named["+"]
            yield from _fact(key, file.path, FactChange.REMOVED, before, after)
            yield from _fact(key, file.path, FactChange.ADDED, after, before)


def _is_target(word: str) -> bool:
    return bool(_CUDA.fullmatch(word) or _GFX.fullmatch(word))


def _fact(
    key: str, path: str, change: FactChange, here: dict[str, Line], there: dict[str, Line]
) -> Iterator[Fact]:
    """Yield the fact of what one side is built for and the other one is not."""
    alone = [target for target in here if not _runs(target, there)] if there else []
    if not alone:
        return
    names = tuple(dict.fromkeys(map(_called, alone)))
    side: Side = "-" if change is FactChange.REMOVED else "+"
    line = here[alone[0]]
    yield Fact(
        kind=FactKind.SUPPORT,
        item=key,
        change=change,
        subject=Subject.HARDWARE,
        name=names[0],
        names=names if len(names) > 1 else (),
        evidence=(
            Evidence("diff", line.text.strip(), path, line.old if side == "-" else line.new, side),
        ),
        must_act=change is FactChange.REMOVED,
    )


def _called(target: str) -> str:
    cuda = _CUDA.fullmatch(target)
    return f"sm_{cuda[1]}{cuda[2]}" if cuda else target


def _runs(target: str, built: Iterable[str]) -> bool:
    """Tell whether what is built for some targets runs on another one."""
    cuda = _CUDA.fullmatch(target)
    if cuda is None:
        return target in built
    wanted = (int(cuda[1]), int(cuda[2]))
    for one in filter(None, map(_CUDA.fullmatch, built)):
        had = (int(one[1]), int(one[2]))
        is_near = had[0] == wanted[0] or (one[4] and not one[3])
        if had == wanted or (had < wanted and is_near and one[3] != "a"):
            return True
    return False
