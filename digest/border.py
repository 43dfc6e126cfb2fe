"""How repositories are asked: each within its own border, several at once, and for whole files."""

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import structlog

from digest.errors import CouldNotLook, Defect, InfraError
from digest.models import FileAt, Gap, Repo
from digest.ports import Contents, Progress, Source
from digest.wording.phrases import SAY

log = structlog.get_logger()


@contextmanager
def border_of(repo: Repo, doing: str) -> Iterator[None]:
    """Turn whatever goes wrong with one repository into `Defect`; `doing` names the work.

    Nobody foresaw an error that reaches it, and it keeps nobody else from theirs: it is logged with
    its traceback, and told as one sentence like anything else that could not be looked at.
    """
    try:
        yield
    except InfraError:
        raise
    except Exception as error:
        log.error("repository failed", repo=str(repo), doing=doing, exc_info=error)
        raise Defect(SAY.chat.own_error_with(repo)) from error


async def together(work: Iterable[Coroutine[None, None, None]]) -> None:
    """Await all at once; the first error ends them all, as one who stops waiting does."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from errors


async def whole_files(
    source: Source, repo: Repo, wanted: Sequence[FileAt], progress: Progress
) -> tuple[Mapping[FileAt, str | None] | None, Gap | None]:
    """Ask for the whole files that show what changed for users, where the source has them.

    What cannot be had becomes a gap; without a file, interfaces are read from its hunks.
    """
    if not isinstance(source, Contents):
        return None, None
    if not wanted:
        return {}, None
    progress(f"{repo}: comparing files (files: {len(wanted)})")
    try:
        contents = await source.contents(repo, wanted)
    except CouldNotLook as error:
        return None, Gap("contents", error.why)
    missing = len([file for file in wanted if file not in contents])
    if not missing:
        return contents, None
    why = SAY.git.files_not_compared(missing, len(wanted))
    return contents, Gap("contents", why, lasting=True)
