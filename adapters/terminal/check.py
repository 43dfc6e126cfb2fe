"""Tries what has to work before anything else can: `infra check`, `infra db upgrade`."""

import contextlib
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
from adapters.wiring.platforms import platforms_tried
from bot.model.slots import doubt
from bot.settings import Settings
from digest.errors import BadToken, ConfigurationError, InfraError, RateLimited
from digest.languages import Language
from digest.phrase import Phrase
from digest.store.database import Database, upgrade
from digest.store.store import open_store, try_writing
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, said


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
        faults = map(Phrase.as_written, said(error.why, language).splitlines())
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
        tried, sentence = map(catalogue.said, (finding.tried, finding.sentence))
        say(f"{mark} {tried}{catalogue.colon}{sentence}\n")
    return max(finding.status for finding in findings)


async def upgrade_database(options: Options) -> int:
    """Bring the database that is set up to date."""
    settings = read_settings()
    await upgrade(database_url(settings))
    say(said(SAY.checks.upgraded, options.language or settings.lang) + "\n")
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
    try:
        async with open_store(database_url(settings)) as store:
            await try_writing(store.database)
            return Finding(SAY.checks.database, 0, SAY.checks.up_to_date(store.database.place))
    except InfraError as error:
        return Finding(SAY.checks.database, error.exit_status, error.why)


def _host(settings: Settings) -> tuple[Finding, ...]:
    """Tell where the database will not outlast its host; that is no fault of a command."""
    warning = storage_warning(settings)
    return (Finding(SAY.checks.host, 0, SAY.checks.careful(warning)),) if warning else ()


async def _platforms(settings: Settings) -> tuple[Finding, ...]:
    trials = await platforms_tried(settings)
    return tuple(
        Finding(Phrase.as_written(each.platform), each.status, each.sentence) for each in trials
    )


async def _model(settings: Settings) -> Finding:
    if settings.model_check and not settings.model:
        return Finding(SAY.checks.model, ConfigurationError.exit_status, SAY.checks.check_alone)
    if not settings.model:
        return Finding(SAY.checks.model, 0, SAY.checks.no_model)
    from adapters.wiring.model import trying

    try:
        async with open_store(database_url(settings)) as store:
            trial = await trying(settings, store, clock_from(settings.now))
    except InfraError:  # told of the database already
        trial = await trying(settings, None, clock_from(settings.now))
    return Finding(SAY.checks.model, trial.status, trial.sentence)


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
