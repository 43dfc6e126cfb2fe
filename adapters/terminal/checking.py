"""Tries what has to work before anything else can: `infra check`, `infra db upgrade`."""

import sys
from collections.abc import Awaitable, Callable

from adapters.run import clock_from, database_url, github_source, read_settings
from bot.settings import Settings
from digest.errors import ConfigurationError, InfraError
from digest.store.database import upgrade
from digest.store.store import open_store


async def check() -> int:
    """Try configuration, database, network and token; one line each, and the worst status."""
    try:
        settings = read_settings()
    except ConfigurationError as error:
        for fault in str(error).splitlines():
            _tell(False, "configuration", fault)
        return error.exit_status
    _tell(True, "configuration", f"days are meant in {settings.tz}, told in {settings.lang}")
    statuses = [await _tried(name, attempt, settings) for name, attempt in ATTEMPTS.items()]
    return max(statuses)


async def upgrade_database() -> int:
    """Bring the database that is set up to date."""
    settings = read_settings()
    await upgrade(database_url(settings))
    sys.stdout.write("the database is up to date\n")
    return 0


async def _tried(
    name: str, attempt: Callable[[Settings], Awaitable[str]], settings: Settings
) -> int:
    try:
        _tell(True, name, await attempt(settings))
    except InfraError as error:
        _tell(False, name, str(error))
        return error.exit_status
    return 0


async def _database(settings: Settings) -> str:
    async with open_store(database_url(settings)) as store:
        return f"{store.database.place} is up to date"


async def _github(settings: Settings) -> str:
    clock = clock_from(settings.now)
    async with github_source(settings, None, clock, lambda _: None) as github:
        quota = await github.quota()
    who = (
        "the token is accepted"
        if settings.github_token.get_secret_value()
        else ("no token: set GITHUB_TOKEN for full detail and more than one repository")
    )
    return f"{settings.github_api_url} answers, {quota} requests are left this hour; {who}"


ATTEMPTS: dict[str, Callable[[Settings], Awaitable[str]]] = {
    "database": _database,
    "github": _github,
}


def _tell(fine: bool, name: str, sentence: str) -> None:
    sys.stdout.write(f"{'ok  ' if fine else 'FAIL'}  {name}: {sentence}\n")
