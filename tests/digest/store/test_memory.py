"""An HTTP answer is remembered byte for byte until a newer one replaces it."""

import os
from datetime import timedelta

import pytest

from digest.ports import Remembered
from tests.conftest import on_both_databases


@pytest.mark.parametrize("body", [b"", b"{}", b"x" * 1_000_000, bytes(range(256)) * 9, b"=z"])
@on_both_databases
async def test_an_answer_comes_back_as_it_was(store, moment, body) -> None:
    answer = Remembered(body, 'W/"1"', '<…>; rel="next"', True, moment(11))

    await store.memory.remember("anonymous https://api.example.org/" + "a" * 9000, answer)

    assert await store.memory.recall("anonymous https://api.example.org/" + "a" * 9000) == answer
    assert await store.memory.recall("another") is None


@on_both_databases
async def test_a_newer_answer_replaces_an_older_one(store, moment) -> None:
    old = Remembered(os.urandom(2000), 'W/"1"', "", False, moment(11))
    new = Remembered(b"new", 'W/"2"', "", False, moment(11) + timedelta(hours=1))

    await store.memory.remember("key", old)
    await store.memory.remember("key", new)

    assert await store.memory.recall("key") == new
