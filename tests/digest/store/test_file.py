"""The file of a SQLite database: for its owner alone, and never one that is gone."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from digest.errors import InfraError, StoreFailed
from digest.store.database import Database, execute

LOGS = ("infra.sqlite3-wal", "infra.sqlite3-shm")


def modes(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


def delete(folder: Path, pattern: str) -> None:
    for each in folder.glob(pattern):
        each.unlink()


async def test_a_new_file_and_its_logs_are_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "infra.sqlite3"
    before = os.umask(0)
    try:
        async with Database(f"sqlite:///{file}") as database:
            await database.write(execute(text("CREATE TABLE a (b)")), "")
            found = modes(tmp_path)
    finally:
        os.umask(before)

    assert found == dict.fromkeys(
        ("infra.sqlite3", "infra.sqlite3-wal", "infra.sqlite3-shm"), 0o600
    )


async def test_a_file_that_others_may_read_is_shut(tmp_path: Path) -> None:
    file = tmp_path / "infra.sqlite3"
    async with Database(f"sqlite:///{file}") as database:
        await database.write(execute(text("CREATE TABLE a (b)")), "")
        for name in modes(tmp_path):
            (tmp_path / name).chmod(0o644)
        async with Database(f"sqlite:///{file}"):
            assert set(modes(tmp_path).values()) == {0o600}


@pytest.mark.parametrize("all_of_it", [True, False])
async def test_nothing_is_kept_in_a_file_that_was_deleted(tmp_path: Path, all_of_it: bool) -> None:
    file = tmp_path / "infra.sqlite3"
    async with Database(f"sqlite:///{file}") as database:
        await database.write(execute(text("CREATE TABLE a (b)")), "")
        await database.version()
        copy = tmp_path / "copy.sqlite3"
        with sqlite3.connect(file) as opened:
            opened.execute("VACUUM INTO ?", (str(copy),))
        opened.close()
        delete(tmp_path, "infra.sqlite3*" if all_of_it else "infra.sqlite3")

        with pytest.raises(StoreFailed, match="was deleted"):
            await database.write(execute(text("INSERT INTO a VALUES (1)")), "")
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.write(execute(text("SELECT 1 FROM a")), "")
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.read(lambda connection: connection.execute(text("SELECT 1 FROM a")))
        with pytest.raises(StoreFailed, match="was deleted"):
            await database.version()
        assert not file.exists()

        delete(tmp_path, "infra.sqlite3-*")
        copy.rename(file)
        assert await database.write(execute(text("INSERT INTO a VALUES (1)")), "") == 1
    with sqlite3.connect(file) as opened:
        assert opened.execute("SELECT count(*) FROM a").fetchone() == (1,)
    opened.close()


async def test_what_fails_while_it_is_open_names_no_path(tmp_path: Path) -> None:
    async with Database(f"sqlite:///{tmp_path}/infra.sqlite3") as database:
        with pytest.raises(InfraError) as caught:
            await database.write(execute(text("INSERT INTO nothing VALUES (1)")), "")

    assert str(tmp_path) not in str(caught.value)
    assert str(caught.value).startswith("the database ")
