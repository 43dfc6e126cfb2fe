"""Does what whoever runs the bot does with it: copies, days filled in, workspaces forgotten."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from adapters.terminal.options import Options
from adapters.terminal.output import progress, say, warn
from adapters.wiring.assembly import (
    Choices,
    Running,
    clock_of,
    database_url,
    read_settings,
    running,
)
from bot.model.channels import Platform
from bot.store.deliveries import leave_all
from bot.store.figures import Processes
from bot.store.retention import forget
from bot.store.store import ChannelStore
from digest.errors import CouldNotLook, RateLimited, UsageError
from digest.languages import Language
from digest.models import Repo
from digest.phrase import NOTHING, Phrase
from digest.store.backup import back_up, held, restore
from digest.store.database import Database, upgrade
from digest.times import zone_named
from digest.windows import FIRST_DAY, day
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, said

LEFT_FOR_OTHERS = 500
"""GitHub requests that filling in leaves to the mornings, of the 5,000 an hour that a token has."""

LEFT_WITHOUT_TOKEN = 20
"""The same of 60 an hour."""

ONE_DAY = timedelta(days=1)


async def write_backup(file: Path, options: Options) -> int:
    """Write the whole database into a file."""
    settings = read_settings()
    async with Database(database_url(settings)) as database:
        counts = await back_up(database, file)
    size, rows = (await asyncio.to_thread(file.stat)).st_size, sum(counts.values())
    language = options.language or settings.lang
    say(said(SAY.operating.backed_up(file, f"{rows:,}", f"{size:,}"), language) + "\n")
    return 0


async def restore_backup(file: Path, options: Options, *, yes: bool) -> int:
    """Put a backup in the place of what the database holds; `yes` also where it holds something."""
    settings = read_settings()
    url = database_url(settings)
    await upgrade(url)
    async with Database(url) as database, clock_of(settings, database) as clock:
        if not yes:
            if counts := await held(database):
                raise UsageError(SAY.cli.not_empty(database.place, _counted(counts)))
            if await Processes(database).live(clock()):
                raise UsageError(SAY.cli.bot_runs(database.place))
        counts = await restore(database, file, after=leave_all)
    language, words = options.language or settings.lang, SAY.operating
    is_empty = not any(counts.values())
    told = words.restored(database.place, _counted(counts))
    say(said(words.restored_empty(database.place) if is_empty else told, language) + "\n")
    warn(said(words.posted_again, language))
    return 0


async def forget_workspace(platform: Platform, workspace: str, options: Options) -> int:
    """Delete everything of a workspace, and say what that was."""
    settings = read_settings()
    async with Database(database_url(settings)) as database:
        counts = await forget(database, platform, workspace)
        others = () if counts else await _subscribed(database)
    name = f"{platform}:{workspace}"
    words, language = SAY.operating, options.language or settings.lang
    result = words.deleted(name, _counted(counts)) if counts else words.nothing_stored(name)
    say(said(result, language) + "\n")
    if others:
        warn(said(words.subscribed_in(", ".join(others)), language))
    return 0


async def _subscribed(database: Database) -> Sequence[str]:
    """Return the workspaces of all subscriptions: a name that is mistyped is kept of nothing."""
    subscriptions = ChannelStore(database).subscriptions
    both = (*await subscriptions.active(), *await subscriptions.paused())
    return sorted({f"{each.channel.platform}:{each.channel.workspace}" for each in both})


def _counted(counts: Mapping[str, int]) -> Phrase:
    """Say how many rows there are of each table, by its name."""
    named = [f"{number:,} {name.replace('_', ' ')}" for name, number in counts.items() if number]
    return Phrase.as_written(", ".join(named))


async def backfill(name: str, since: date, options: Options) -> int:
    """Collect day by day, the newest first; 1 where days are left, which the next run collects."""
    with progress() as tell:
        async with running(Choices(options.source), tell) as infra:
            (repo,) = await infra.answers.repos([name])
            tz, language = options.tz or infra.settings.tz, options.language or infra.settings.lang
            yesterday = infra.clock().astimezone(zone_named(tz)).date() - ONE_DAY
            example = f"infra backfill {name}"
            if since > yesterday:
                raise UsageError(SAY.cli.not_over(since, example, yesterday))
            if since < FIRST_DAY:
                raise UsageError(SAY.cli.before_git(since, example, yesterday.replace(day=1)))
            days = (yesterday - since).days + 1
            done, why = 0, NOTHING
            while done < days and not why:
                if not (why := _used_up(infra, language)):
                    one = yesterday - done * ONE_DAY
                    why = await _collect(infra, repo, one, tz, language)
                    done += not why
    words = SAY.operating
    say(said(words.backfilled(repo, done, days, since), language) + "\n")
    if why:
        warn(said(words.run_again(why), language))
    return 1 if why else 0


async def _collect(infra: Running, repo: Repo, one: date, tz: str, language: Language) -> Phrase:
    """Have one day stored; give why the days before it cannot be either, or nothing."""
    words = SAY.operating
    _, before = infra.budget()
    try:
        digest = await infra.pipeline.digest(repo, day(one, tz))
    except RateLimited as error:
        return error.why
    except CouldNotLook as error:
        return words.about(one, error.why)
    left, after = infra.budget()
    gaps = [gap.why for gap in digest.reading.gaps if not gap.lasting]
    budget = CATALOGUES[language].comma.join(
        said(words.left(limit, f"{number:,}"), language) for limit, number in sorted(left.items())
    )
    made = after - before
    spent = words.requests_and_left(made, budget) if budget else words.requests(made)
    warn(said(words.collected(f"{repo} {one}", len(digest.reading.items), spent), language))
    return words.about(one, gaps[0]) if gaps else NOTHING


def _used_up(infra: Running, language: Language) -> Phrase:
    """Say which limits of GitHub's have too little left; nothing where none has."""
    has_token = bool(infra.settings.github_token.get_secret_value())
    least = LEFT_FOR_OTHERS if has_token else LEFT_WITHOUT_TOKEN
    left, _ = infra.budget()
    short = [
        said(SAY.operating.left_of(number, limit), language)
        for limit, number in left.items()
        if number < least
    ]
    return Phrase.as_written(CATALOGUES[language].semicolon.join(short)) if short else NOTHING
