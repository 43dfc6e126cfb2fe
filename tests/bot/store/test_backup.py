"""A whole database in a file, and back into either kind."""

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection, select

from digest.errors import DatabaseVersion, StoreFailed, UsageError
from digest.store.backup import PASSING, back_up, held, restore
from digest.store.database import HEAD, Database, upgrade
from digest.store.migrations import history
from digest.store.tables import TABLES
from tests import postgres
from tests.bot.bot_fixture import morning, open_bot
from tests.bot.platform_fake import Transcript
from tests.conftest import on_both_databases


def nothing(_: Connection) -> None:
    """Change nothing more."""


@pytest.fixture
def other_url(request: pytest.FixtureRequest, tmp_path: Path, migrated_sqlite: Path) -> str:
    """The URL of a second database without rows: of SQLite, or as a test asks."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{shutil.copyfile(migrated_sqlite, tmp_path / 'other.sqlite3')}"
    url: str = request.getfixturevalue("other_postgres_url")
    return url


@pytest.fixture
def other_postgres_url(postgres_server: Any, migrated_postgres: str) -> Iterator[str]:
    with postgres.database(postgres_server, migrated_postgres) as url:
        yield url


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    await upgrade(url)
    async with Database(url) as database:
        yield database


async def rows(database: Database) -> dict[str, list[Any]]:
    def read(connection: Connection) -> dict[str, list[Any]]:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in TABLES.sorted_tables
            if table.name not in PASSING
        }

    return await database.write(read, "")


on_other_kinds = pytest.mark.parametrize(
    ("chosen_url", "other_url"), [("sqlite", "postgres"), ("postgres", "sqlite")], indirect=True
)


@pytest.fixture
async def lived(chosen_url: str, clock: Any) -> str:
    """A database of a bot that told a morning."""
    async with open_bot(chosen_url, clock, Transcript()) as bot:
        await bot.subscribe()
        await bot.chat.deliver_due(morning())
        await bot.store.values.remember({"a": "\udc80 odd \x00 text 中文"})
        await bot.store.leases.take("gateway", "me", clock(), clock() + timedelta(hours=1))
    return chosen_url


@on_other_kinds
async def test_everything_comes_back_into_either_kind_of_database(
    lived: str, other_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "backups" / "infra.backup"
    async with opened(lived) as database:
        before = await rows(database)
        written = await back_up(database, file)

    async with opened(other_url) as other:
        assert await held(other) == {}
        read = await restore(other, file, after=nothing)
        assert await rows(other) == before
        assert await held(other) == {name: n for name, n in read.items() if n}

    assert written == read
    assert before["post"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["infra.backup"]


@pytest.mark.parametrize("other_url", ["postgres"], indirect=True)
async def test_the_bot_goes_on_with_a_restored_database(
    lived: str, other_url: str, tmp_path: Path, clock: Any
) -> None:
    async with opened(lived) as database:
        await back_up(database, tmp_path / "b")
    async with opened(other_url) as other:
        await restore(other, tmp_path / "b", after=nothing)

    said = Transcript()
    clock.advance(days=1)
    async with open_bot(other_url, clock, said, owner="second") as bot:
        await bot.chat.deliver_due(morning(13))
        numbers = [post.id for post in await bot.store.posts.numbered(range(1, 200))]

    assert said.count > 0
    assert len(set(numbers)) == len(numbers) > said.count


@on_both_databases
async def test_a_backup_is_for_its_owner_alone_while_it_is_written(
    lived: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "backups"
    modes: dict[str, int] = {}

    def look(*_: object) -> None:
        for path in folder.iterdir():
            modes[path.name] = modes.get(path.name, 0) | stat.S_IMODE(path.stat().st_mode)

    folder.mkdir()
    folder.joinpath(".b.part").touch(0o644)  # of one that was killed
    mask = os.umask(0o022)
    request.addfinalizer(lambda: os.umask(mask))
    async with opened(lived) as database:
        with heard("after_cursor_execute", look):
            await back_up(database, folder / "b")

    assert modes[".b.part"] == 0o600
    assert set(modes.values()) == {0o600}


@contextmanager
def heard(name: str, listener: Callable[..., None]) -> Iterator[None]:
    """Tell a listener of what happens on all engines."""
    sa.event.listen(sa.Engine, name, listener)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, name, listener)


async def test_a_backup_may_have_any_name(
    lived: str, other_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "file:b?mode=memory 100% #1"
    folder, temporary = tmp_path / "kept", tmp_path / "temporary?x=1"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    async with opened(lived) as database:
        before = await rows(database)
        await back_up(database, folder / name)
    async with opened(other_url) as other:
        await restore(other, folder / name, after=nothing)
        assert await rows(other) == before

    assert [path.name for path in folder.iterdir()] == [name]
    assert not (tmp_path / "temporary").exists()


@on_both_databases
async def test_a_restore_that_fails_halfway_changes_nothing(lived: str, tmp_path: Path) -> None:
    def fail(_: Connection) -> None:
        raise StoreFailed("no")

    async with opened(lived) as database:
        await back_up(database, tmp_path / "b")
        before = await rows(database)

        with pytest.raises(StoreFailed):
            await restore(database, tmp_path / "b", after=fail)

        assert await rows(database) == before


@pytest.mark.parametrize("other_url", ["sqlite", "postgres"], indirect=True)
async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    other_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "old.sqlite3"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        history.upgrade(connection, "0015")
        connection.execute(sa.text("ALTER TABLE post DROP COLUMN kept_at"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0004'"))
        connection.execute(
            sa.text(
                "INSERT INTO post VALUES (5, NULL, 's', 't', 'c', 0, 0, 'sent', 'r', 'k', X'3D78')"
            )
        )
    engine.dispose()

    async with opened(other_url) as other:
        assert (await restore(other, file, after=nothing))["post"] == 1
        assert await other.version() == HEAD


async def test_a_backup_of_a_newer_version_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "new"
    with closing(sqlite3.connect(file)) as made:
        made.execute("CREATE TABLE alembic_version (version_num TEXT)")
        made.execute("INSERT INTO alembic_version VALUES ('9999')")
        made.commit()

    async with opened(sqlite_url) as database:
        with pytest.raises(DatabaseVersion, match=rf"^{file} was made by a newer version"):
            await restore(database, file, after=nothing)


@pytest.mark.parametrize("content", [b"", b"not a backup", b"PK\x05\x06" + bytes(18)])
async def test_what_is_no_backup_is_refused_by_a_sentence(
    sqlite_url: str, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "odd"
    file.write_bytes(content)

    async with opened(sqlite_url) as database:
        with pytest.raises(UsageError, match="no backup"):
            await restore(database, file, after=nothing)
        with pytest.raises(UsageError, match="cannot be read"):
            await restore(database, tmp_path / "nowhere", after=nothing)
        if content:
            return
        with pytest.raises(UsageError, match="is the database itself"):
            await restore(database, Path(sqlite_url.removeprefix("sqlite:///")), after=nothing)


@pytest.mark.parametrize("fault", ["damaged", "no tables", "of another program", "no version"])
async def test_a_sqlite_file_that_is_damaged_or_not_ours_replaces_nothing(
    lived: str, other_url: str, fault: str, tmp_path: Path, migrated_sqlite: Path
) -> None:
    file = shutil.copyfile(migrated_sqlite, tmp_path / "copy")
    async with Database(lived) as database:
        await back_up(database, tmp_path / "whole")
    async with opened(f"sqlite:///{file}") as copied:
        if fault in ("damaged", "no version"):
            await restore(copied, tmp_path / "whole", after=nothing)
    with closing(sqlite3.connect(file)) as opened_copy:
        opened_copy.execute("PRAGMA journal_mode = DELETE")
        if fault == "no version":
            opened_copy.execute("DELETE FROM alembic_version")
        opened_copy.commit()
    if fault == "damaged":
        pages = bytearray(file.read_bytes())
        pages[len(pages) // 2 :] = b"\xff" * (len(pages) - len(pages) // 2)
        file.write_bytes(pages)
    elif fault != "no version":
        file.unlink()
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE bookmark (title TEXT)")
            if fault == "no tables":
                other.execute("DROP TABLE bookmark")
            other.commit()

    async with opened(other_url) as database:
        await restore(database, tmp_path / "whole", after=nothing)
        before = await rows(database)

        with pytest.raises(UsageError, match="copy is no backup, or a damaged one"):
            await restore(database, file, after=nothing)

        assert await rows(database) == before
        assert before["subscription"]
