"""What a codebase uses of an upstream repository: written by `infra surface`, given by `--for`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from adapters.terminal.commands import ShowSurface
from adapters.terminal.files import read_text
from adapters.terminal.options import Format, Options
from adapters.terminal.output import progress, say, warn
from adapters.wiring.run import read_codebase
from digest.concern.reader import surface_of, used_upstreams
from digest.concern.surface import Surface, Words
from digest.concern.upstreams import upstream
from digest.errors import UsageError
from digest.ports import Progress
from digest.wording.phrases import SAY

_FILES = (".toml", ".json")
_MOST_TOLD = 20


async def write_surface(command: ShowSurface, options: Options) -> int:
    """Print the surface; what could not be read is told on standard error too, a line each.

    The exit status is 1 where nothing is used. Raises `UsageError` where several repositories may
    be meant, and what `codebase` raises.
    """
    of = upstream(command.of) if command.of else None
    with progress() as tell:
        read = await read_codebase(command.location, command.revision, tell)
        if of is None:
            used = used_upstreams(read)
            if len(used) != 1:
                told = ", ".join(f"--of {one.repo}" for one in used)
                raise UsageError(
                    SAY.surfaces.several_used(told) if used else SAY.surfaces.none_used
                )
            of = used[0]
        surface = await asyncio.to_thread(surface_of, read, of, tell)
    for problem in surface.problems[:_MOST_TOLD]:
        where = str(problem.place)
        warn(f"{where}: {problem.why}" if where else problem.why)
    if len(surface.problems) > _MOST_TOLD:
        warn(f"and {len(surface.problems) - _MOST_TOLD} more, all of them in the file")
    say(surface.write("json" if options.format is Format.JSON else "toml"))
    return 0 if surface.uses else 1


async def given_surface(written: str, of: str, tell: Progress) -> Surface:
    """Read a file of a surface, or what a codebase at a path or address uses of `of`.

    Raises `UsageError` for a file that is not there or no surface, and what reading a codebase
    raises.
    """
    (surface,) = await _given(written, [of], tell)
    return surface


async def given_surfaces(written: str, repos: Sequence[str], tell: Progress) -> tuple[Surface, ...]:
    """Read a file of a surface, or what a codebase uses of each of several repositories.

    Raises `UsageError` where none of them is used, and what `given_surface` raises.
    """
    found = [one for one in await _given(written, repos, tell) if one.uses or one.words != Words()]
    about = [one for one in found if not one.of or one.of.casefold() in map(str.casefold, repos)]
    if not about:
        said = f"it is of {found[0].of}" if found else "it uses nothing of them"
        raise UsageError(SAY.cli.concerns_none(written, said))
    return tuple(about)


async def _given(written: str, repos: Sequence[str], tell: Progress) -> list[Surface]:
    path = Path(written)
    if path.suffix in _FILES:
        text = await asyncio.to_thread(read_text, path)
        if not text:
            raise UsageError(SAY.cli.no_surface(written))
        return [Surface.read(text)]
    read = await read_codebase(written, "", tell)
    if len(repos) > 1:  # each takes seconds
        used = {one.repo.casefold() for one in used_upstreams(read)}
        repos = [repo for repo in repos if repo.casefold() in used]
    return [await asyncio.to_thread(surface_of, read, upstream(of), tell) for of in repos]
