"""Tries what has to work before anything else can: `infra check`, `infra db upgrade`."""

import contextlib
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from adapters.terminal.options import Options
from adapters.terminal.output import say
from adapters.wiring.assembly import (
    clock_from,
    clock_of,
    database_url,
    github_source,
    read_settings,
    storage_warning,
)
from adapters.wiring.platforms import platform_checks
from bot.model.slots import doubt
from bot.settings import Settings
from digest.errors import BadToken, ConfigurationError, InfraError, RateLimited
from digest.languages import Language
from digest.phrase import Phrase
from digest.store.database import Database, upgrade
from digest.store.store import open_store, try_reading, try_writing
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized


@dataclass(frozen=True, slots=True)
class Finding:
    """What was tried, how it went (an exit status), and one sentence."""

    tried: Phrase
    status: int
    sentence: Phrase


async def check(options: Options) -> int:
    """Try everything that is set: a line each, and the worst status."""
    language = options.language or Language.EN
    try:
        settings = read_settings()
    except ConfigurationError as error:
        faults = map(Phrase.as_written, localized(error.why, language).splitlines())
        status = error.exit_status
        findings = [Finding(SAY.checks.configuration, status, fault) for fault in faults]
    else:
        language = options.language or settings.lang
        found = SAY.checks.zone_and_language(settings.tz, settings.lang)
        findings = [
            Finding(SAY.checks.configuration, 0, found),
            *await _clock(settings),
            await _database(settings),
            *_host(settings),
            *await _github(settings),
            *await _platforms(settings),
            await _model(settings),
        ]
    catalogue = CATALOGUES[language]
    for finding in findings:
        mark = "FAIL" if finding.status else "ok  "
        tried, sentence = map(catalogue.localized, (finding.tried, finding.sentence))
        say(f"{mark} {tried}{catalogue.colon}{sentence}\n")
    return max(finding.status for finding in findings)


async def upgrade_database(options: Options) -> int:
    """Bring the database that is set up to date."""
    settings = read_settings()
    await upgrade(database_url(settings))
    say(localized(SAY.checks.upgraded, options.language or settings.lang) + "\n")
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
    return (Finding(SAY.checks.clock, wrong.exit_status, wrong.why),) if wrong else ()


async def _database(settings: Settings) -> Finding:
    async def trial() -> Phrase:
        async with open_store(database_url(settings)) as store:
            await try_writing(store.database)
            await try_reading(store.database)
            return SAY.checks.up_to_date(store.database.place)

    return await _finding(SAY.checks.database, trial())


def _host(settings: Settings) -> tuple[Finding, ...]:
    """Tell where the database will not outlast its host; that is no fault of a command."""
    warning = storage_warning(settings)
    return (Finding(SAY.checks.host, 0, SAY.checks.careful(warning)),) if warning else ()


async def _finding(tried: Phrase, trial: Awaitable[Phrase]) -> Finding:
    try:
        return Finding(tried, 0, await trial)
    except InfraError as error:
        return Finding(tried, error.exit_status, error.why)


async def _platforms(settings: Settings) -> list[Finding]:
    checks = platform_checks(settings).items()
    return [await _finding(Phrase.as_written(name), check()) for name, check in checks]


async def _model(settings: Settings) -> Finding:
    if settings.model_check and not settings.model:
        return Finding(SAY.checks.model, ConfigurationError.exit_status, SAY.checks.check_alone)
    if not settings.model:
        return Finding(SAY.checks.model, 0, SAY.checks.no_model)
    from adapters.wiring.model import trying

    clock = clock_from(settings.now)
    async with AsyncExitStack() as stack:
        store = None
        with contextlib.suppress(InfraError):  # told of the database already
            store = await stack.enter_async_context(open_store(database_url(settings)))
        return await _finding(SAY.checks.model, trying(settings, store, clock))


async def _github(settings: Settings) -> tuple[Finding, Finding]:
    reached = Finding(SAY.checks.network, 0, SAY.checks.answers(settings.github_api_url))
    try:
        async with github_source(
            settings, None, clock_from(settings.now), lambda _: None
        ) as github:
            left = await github.quota()
    except (BadToken, RateLimited) as error:
        return reached, Finding(SAY.checks.token, error.exit_status, error.why)
    except InfraError as error:
        unknown = Finding(SAY.checks.token, error.exit_status, SAY.checks.not_tried)
        return Finding(SAY.checks.network, error.exit_status, error.why), unknown
    if settings.github_token.get_secret_value():
        token = SAY.checks.accepted if left else SAY.checks.used_up
    else:
        token = SAY.checks.no_token
    status = 0 if left else RateLimited.exit_status
    return reached, Finding(SAY.checks.token, status, SAY.checks.requests_left(token, left))
