"""Tries what has to work before anything else can: `infra check`, `infra db upgrade`."""

import contextlib
from dataclasses import dataclass

from adapters.terminal.output import say
from adapters.wiring.platforms import platforms_tried
from adapters.wiring.run import (
    clock_from,
    clock_of,
    database_url,
    fleeting_database,
    github_source,
    read_settings,
)
from bot.model.slots import doubt
from bot.settings import Settings
from digest.errors import BadToken, ConfigurationError, InfraError, RateLimited
from digest.store.database import Database, upgrade
from digest.store.store import open_store, try_writing

CHECK_ALONE = (
    "INFRA_MODEL_CHECK is set and INFRA_MODEL is not, so no model is asked: set INFRA_MODEL too, "
    "or neither"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was tried, how it went (an exit status), and one sentence."""

    tried: str
    status: int
    sentence: str


async def check() -> int:
    """Try everything that is set: a line each, and the worst status."""
    try:
        settings = read_settings()
    except ConfigurationError as error:
        faults = str(error).splitlines()
        findings = [Finding("configuration", error.exit_status, fault) for fault in faults]
    else:
        findings = [
            Finding("configuration", 0, f"zone {settings.tz}, language {settings.lang}"),
            *await _clock(settings),
            await _database(settings),
            *_host(settings),
            *await _github(settings),
            *await _platforms(settings),
            await _model(settings),
        ]
    for finding in findings:
        mark = "FAIL" if finding.status else "ok  "
        say(f"{mark} {finding.tried}: {finding.sentence}\n")
    return max(finding.status for finding in findings)


async def upgrade_database() -> int:
    """Bring the database that is set up to date."""
    await upgrade(database_url(read_settings()))
    say("the database is up to date\n")
    return 0


async def _clock(settings: Settings) -> tuple[Finding, ...]:
    """Tell of a clock that cannot be right, by which nothing is posted."""
    now = clock_from(settings.now)()
    with contextlib.suppress(InfraError):  # told of the database
        async with (
            Database(database_url(settings)) as database,
            clock_of(settings, database) as clock,
        ):
            now = clock()
    wrong = doubt(now)
    return (Finding("clock", wrong.exit_status, str(wrong)),) if wrong else ()


async def _database(settings: Settings) -> Finding:
    try:
        async with open_store(database_url(settings)) as store:
            await try_writing(store.database)
            return Finding("database", 0, f"{store.database.place} is up to date")
    except InfraError as error:
        return Finding("database", error.exit_status, str(error))


def _host(settings: Settings) -> tuple[Finding, ...]:
    """Tell where the database will not outlast its host; that is no fault of a command."""
    warning = fleeting_database(settings)
    return (Finding("host", 0, f"careful: {warning}"),) if warning else ()


async def _platforms(settings: Settings) -> tuple[Finding, ...]:
    trials = await platforms_tried(settings)
    return tuple(Finding(each.platform, each.status, each.sentence) for each in trials)


async def _model(settings: Settings) -> Finding:
    if settings.model_check and not settings.model:
        return Finding("model", ConfigurationError.exit_status, CHECK_ALONE)
    if not settings.model:
        return Finding("model", 0, "none: set INFRA_MODEL as docs/model.md tells, or do without")
    from adapters.wiring.model import trying

    try:
        async with open_store(database_url(settings)) as store:
            trial = await trying(settings, store, clock_from(settings.now))
    except InfraError:  # told of the database already
        trial = await trying(settings, None, clock_from(settings.now))
    return Finding("model", trial.status, trial.sentence)


async def _github(settings: Settings) -> tuple[Finding, Finding]:
    reached = Finding("network", 0, f"{settings.github_api_url} answers")
    try:
        async with github_source(
            settings, None, clock_from(settings.now), lambda _: None
        ) as github:
            left = await github.quota()
    except (BadToken, RateLimited) as error:
        return reached, Finding("token", error.exit_status, str(error))
    except InfraError as error:
        unknown = Finding("token", error.exit_status, "not tried: the network comes first")
        return Finding("network", error.exit_status, str(error)), unknown
    if settings.github_token.get_secret_value():
        hint = "accepted" if left else "accepted, but used up: wait for the next hour"
    else:
        hint = "none: set GITHUB_TOKEN for full detail and more than one repository"
    status = 0 if left else RateLimited.exit_status
    return reached, Finding("token", status, f"{hint}; {left} requests are left this hour")
