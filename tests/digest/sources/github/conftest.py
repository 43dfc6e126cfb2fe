"""A GitHub on loopback for the tests that take it as it is."""

from collections.abc import AsyncIterator

import pytest

from tests.digest.sources.github.github_fake import FakeGitHub, serving


@pytest.fixture
async def fake() -> AsyncIterator[FakeGitHub]:
    async with serving() as server:
        yield server
