"""What a driver says becomes one sentence that names the place and says what to do."""

import sqlite3

import psycopg
import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError, TimeoutError

from digest.errors import ConfigurationError, DatabaseVersion, InfraError, StoreFailed
from digest.store.columns import Moment, Packed
from digest.store.failures import failure, translated

PLACE = "the PostgreSQL database infra on db.example.org"


@pytest.mark.parametrize(
    ("cause", "kind", "advice"),
    [
        (psycopg.errors.DiskFull(), StoreFailed, "free some space"),
        (psycopg.errors.TooManyConnections(), StoreFailed, "ask again later"),
        (psycopg.errors.ReadOnlySqlTransaction(), StoreFailed, "read-only"),
        (psycopg.errors.AdminShutdown(), StoreFailed, "ask again later"),
        (psycopg.errors.InvalidPassword(), ConfigurationError, "correct DATABASE_URL"),
        (psycopg.errors.InvalidCatalogName(), ConfigurationError, "create it"),
        (psycopg.errors.InsufficientPrivilege(), ConfigurationError, "grant it the rights"),
        (psycopg.errors.UndefinedTable(), DatabaseVersion, "infra db upgrade"),
        (psycopg.errors.DuplicateTable(), ConfigurationError, "another program"),
        (
            psycopg.OperationalError('FATAL: password authentication failed for user "ada"'),
            ConfigurationError,
            "user or password",
        ),
        (psycopg.OperationalError("connection refused"), StoreFailed, "check that it runs"),
        (sqlite3.OperationalError("odd"), StoreFailed, "cannot be used"),
        (None, StoreFailed, "check that it runs"),
    ],
)
def test_every_cause_has_its_kind_and_advice(
    cause: BaseException | None, kind: type[InfraError], advice: str
) -> None:
    told = failure(cause, PLACE)

    assert type(told) is kind
    assert str(told).startswith(PLACE) or PLACE in str(told)
    assert advice in str(told)
    assert "\n" not in str(told)


@pytest.mark.parametrize(
    "raised", [TimeoutError(), DBAPIError("SELECT", {}, psycopg.errors.AdminShutdown())]
)
def test_only_database_errors_are_translated_and_their_cause_is_kept(raised: Exception) -> None:
    with pytest.raises(StoreFailed) as told, translated(PLACE):
        raise raised

    assert told.value.__cause__ is raised
    with pytest.raises(ZeroDivisionError), translated(PLACE):
        raise ZeroDivisionError


def test_nothing_stays_nothing_in_every_column() -> None:
    dialect = sqlite.dialect()

    for column in (Moment(), Packed()):
        assert column.process_bind_param(None, dialect) is None
        assert column.process_result_value(None, dialect) is None
