"""A PostgreSQL whose clock shows what a test wants, for every process that asks it."""

from datetime import datetime

import psycopg
from psycopg import sql

_FUNCTION = """
CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
$$ SELECT pg_catalog.clock_timestamp() + interval '{seconds} seconds' $$
"""


def set_time(url: str, now: datetime) -> None:
    """Have the clock of a database show `now` and go on from there, for connections from now on.

    `url` names no driver. The clock is a function of the same name that is found first,
    https://www.postgresql.org/docs/current/ddl-schemas.html#DDL-SCHEMAS-CATALOG
    """
    with psycopg.connect(url, autocommit=True) as connection:
        name = sql.Identifier(connection.info.dbname)
        found_first = sql.SQL("ALTER DATABASE {} SET search_path = public, pg_catalog")
        connection.execute(found_first.format(name))
        row = connection.execute("SELECT pg_catalog.clock_timestamp()").fetchone()
        assert row
        seconds = (now - row[0]).total_seconds()
        connection.execute(_FUNCTION.replace("{seconds}", f"{seconds:.6f}"))
