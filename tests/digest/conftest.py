"""A pipeline that asks an invented source."""

import pytest

from digest.pipeline import Pipeline
from digest.store.store import open_store
from tests.digest.turbine_source import Turbine, at, pull


@pytest.fixture
def turbine(clock) -> Turbine:
    source = Turbine(clock)
    source.items = [pull(1, at(11, 3)), pull(2, at(11, 5)), pull(3, at(12, 2))]
    return source


@pytest.fixture
async def store(chosen_url):
    async with open_store(chosen_url) as opened:
        yield opened


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def make(turbine, clock, said):
    def build(store, **more) -> Pipeline:
        return Pipeline(
            turbine,
            source_name="recorded",
            store=store,
            clock=clock,
            progress=said.append,
            **more,
        )

    return build


@pytest.fixture
def pipeline(make, store) -> Pipeline:
    return make(store)
