"""Writes what a source gives into one file: `infra record REPO WHEN FILE`."""

import os
from pathlib import Path

from adapters.terminal.asking import asker
from adapters.terminal.commands import Record
from adapters.terminal.options import Options
from adapters.terminal.output import say, warn
from adapters.terminal.progress import progress
from adapters.wiring.run import Choices, running
from digest.errors import UsageError
from digest.languages import Language
from digest.sources.recorded import save
from digest.wording.saying import CATALOGUES, said


async def record(command: Record, options: Options) -> int:
    """Collect a window anew and save it; an existing file is left alone."""
    _refuse_existing(command.file)
    with progress() as tell:
        async with running(Choices(options.source, options.store), tell) as infra:
            (repo,) = await infra.answers.repos([command.repo])
            window = infra.answers.window(command.when, asker(infra, options))
            activity = await infra.source.collect(repo, window)
    save(activity, command.file)
    say(f"{command.file}: {len(activity.items)} items of {repo}, {window.label}\n")
    for gap in activity.gaps:
        what = CATALOGUES[Language.EN].names.gaps.get(gap.what, gap.what)
        warn(f"not recorded: {what}: {said(gap.why, Language.EN)}")
    return 0


def _refuse_existing(file: Path) -> None:
    if os.path.lexists(file):
        raise UsageError(f"{file} exists: name another file, or remove it first")
