"""The public pages over a real socket: what is stored is served, and nothing else."""

import asyncio
import http.client
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

from adapters.operations.health import Health
from adapters.operations.metrics import Metrics
from adapters.pages.html import script_hash
from adapters.pages.public_pages import PublicPages
from adapters.pages.site import Site
from adapters.web.http_server import application
from bot.compose.pages import PageAddress
from bot.store.records import HiddenRepos, Timestamps
from digest.languages import Language
from digest.models import Repo
from digest.store.database import Database
from digest.store.digests import StoredDigests
from digest.store.store import Store
from digest.windows import day
from tests.adapters.web_served import served
from tests.bot.channels_invented import WEEKEND, told
from tests.conftest import PATIENCE
from tests.digest.writing import invented

KILN = invented.REPO
SECRET = Repo("example-org", "secret-plan")
ROOT = "https://digest.example"
DAY = "/example-org/kiln/2026-03-04"
SHANGHAI = day(datetime(2026, 3, 4, tzinfo=UTC).date(), "Asia/Shanghai")
STRANGE = (
    "/../etc/passwd",
    "/example-org/..",
    "/example-org/kiln/..",
    "/example-org/kiln/%2e%2e",
    "/..%2f..%2fetc/passwd",
    "/example-org/kiln/2026-03-04%00",
    "/%00/%00/%00",
    "/example-org/kiln%0a/2026-03-04",
    "/example-org/kiln/2026-03-04%0d%0aSet-Cookie:%20a=b",
    "/example-org/kiln/2026-03-04/more",
    "/example-org/kiln/2026-13-45",
    "/example-org/kiln/9999-99-99..0000-00-00",
    "/example-org/kiln/yesterday",
    "/example-org/kiln/%F0%9F%94%A5",
    "/%E4%BE%8B/%E4%BE%8B/2026-03-04",
    "/example-org/%C5%BF%E2%84%AAiln",
    "/example-org/kiln/%FF%FE",
    "/example-org/kiln/%",
    "/example-org/kiln/%zz",
    "/example-org/kiln/%u2026",
    "//example-org//kiln",
    "/example-org/'%20OR%201=1--",
    "/<script>alert(1)</script>/x",
    "/robots.txt",
    "/.env",
    "/" + "a" * 5_000,
    "/example-org/kiln/" + "9" * 3_000,
    f"{DAY}?tz=Mars/Olympus",
    f"{DAY}?tz=../../etc/passwd",
    f"{DAY}?tz=%00",
    f"{DAY}?lang=de",
    f"{DAY}?lang=%FF",
)


@dataclass
class World:
    """A web process with pages, and where they are stored."""

    url: str
    database: Database
    digests: StoredDigests

    async def get(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, str, Mapping[str, str]]:
        async with (
            aiohttp.ClientSession() as session,
            session.request(method, self.url + path, headers=headers) as answer,
        ):
            return answer.status, await answer.text(), answer.headers

    def raw(self, path: str) -> tuple[int, str]:
        """Ask for a path byte for byte, as no client of ours would."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)
        connection.putrequest("GET", path, skip_host=False)
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text


@asynccontextmanager
async def site(database: Database, clock: Any) -> AsyncIterator[World]:
    store = Store(database)
    digests = store.digests("github")
    pages = Site(
        PublicPages(digests, HiddenRepos(database).all, clock),
        PageAddress(ROOT),
        {"kiln": Repo("Example-Org", "Kiln")},
        store.watched,
        tz="UTC",
        language=Language.EN,
    )
    health = Health(database, Metrics(), owner="a", only="web", clock=clock, budget=lambda: ({}, 0))
    made = application(health, {}, ("/slack/events",), pages.answer)
    async with served(made) as url:
        yield World(url, database, digests)


@pytest.fixture
async def world(sqlite_url: str, clock: Any) -> AsyncIterator[World]:
    clock.now = datetime(2026, 3, 5, 9, tzinfo=UTC)
    database = Database(sqlite_url)
    await database.upgrade()
    async with database, site(database, clock) as world:
        yield world


async def test_a_stored_day_is_served_with_every_item(world: World) -> None:
    digest = told(invented.many(60))
    await world.digests.save(digest)

    status, text, headers = await world.get(DAY)

    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<h1><bdi>example-org/kiln · 2026-03-04</bdi></h1>" in text
    assert all(f">{read.item.ref}</a>" in text for read in digest.reading.items)
    assert f'href="{ROOT}/example-org/kiln?tz=UTC&amp;lang=en"' in text


async def test_the_address_of_a_message_leads_to_its_own_day_and_language(world: World) -> None:
    """Shanghai's day is stored in the zone that it shares with others, and is not the UTC one."""
    utc, shanghai = invented.busy(), invented.quiet()
    shared = replace(SHANGHAI, tz="Asia/Brunei")
    await world.digests.save(told(utc))
    await world.digests.save(told(shanghai, window=shared))
    address = PageAddress(ROOT).of(KILN, SHANGHAI, Language.ZH)
    assert address

    status, text, _ = await world.get(address.removeprefix(ROOT))

    assert status == 200
    assert '<html lang="zh-Hans">' in text
    assert "Asia/Shanghai" in text
    assert "Asia/Brunei" not in text
    assert utc.items[0].item.title not in text
    assert utc.items[0].item.title in (await world.get(DAY))[1]
    assert (await world.get(f"{DAY}?tz=America/New_York"))[0] == 404


async def test_days_that_a_channel_caught_up_with_have_their_page(world: World) -> None:
    since_noon = replace(
        SHANGHAI, start=SHANGHAI.start + timedelta(hours=8), label="2026-03-04 from 08:00"
    )
    for window in (WEEKEND, since_noon):
        await world.digests.save(told(invented.busy(), window=window))
        address = PageAddress(ROOT).of(KILN, window, Language.EN)
        assert address
        assert (await world.get(address.removeprefix(ROOT)))[0] == 200


async def test_a_day_that_is_not_over_has_no_page(world: World) -> None:
    half = replace(
        invented.DAY, end=invented.DAY.start + timedelta(hours=9), label="2026-03-04 until 09:00"
    )
    await world.digests.save(told(invented.busy(), window=replace(half, partial=True)))

    assert (await world.get(f"{DAY}%20until%2009:00"))[0] == 404
    assert (await world.get("/example-org/kiln"))[0] == 404
    assert PageAddress(ROOT).of(KILN, replace(half, partial=True), Language.EN) is None


async def test_the_days_of_a_repository_are_listed_newest_first_and_once(world: World) -> None:
    days = [day(datetime(2026, 2, number, tzinfo=UTC).date(), "UTC") for number in (27, 28)]
    for window in (*days, invented.DAY, SHANGHAI, replace(SHANGHAI, tz="Asia/Brunei")):
        await world.digests.save(told(invented.quiet(), window=window))

    status, text, _ = await world.get("/EXAMPLE-ORG/kiln/?lang=zh")

    assert status == 200
    assert "<bdi>Example-Org/Kiln</bdi> · 所有日期" in text
    shown = [text.index(f">2026-{label}</a>") for label in ("03-04", "02-28", "02-27")]
    assert shown == sorted(shown)
    assert text.count(">2026-03-04</a>") == 2  # UTC's, and that of another zone
    assert "03-04</a> · UTC+08:00</li>" in text
    assert f'href="{ROOT}/Example-Org/Kiln/2026-02-28?tz=UTC&amp;lang=zh"' in text
    _, text, _ = await world.get("/example-org/kiln?tz=Asia/Shanghai")
    assert f'href="{ROOT}/Example-Org/Kiln/2026-03-04?tz=Asia/Shanghai&amp;lang=en"' in text


async def test_all_repositories_stand_with_their_newest_days(world: World) -> None:
    assert "No day is stored yet" in (await world.get("/"))[1]
    for number in (1, 2, 3, 4, 5):
        window = day(datetime(2026, 2, number, tzinfo=UTC).date(), "UTC")
        await world.digests.save(told(invented.quiet(), window=window))
    await world.digests.save(told(invented.quiet(), Repo("other", "flint")))
    await StoredDigests(world.database, "git:/clone").save(
        told(invented.quiet(), Repo("my", "clone"))
    )

    status, text, _ = await world.get("/")

    assert status == 200
    assert text.index("Example-Org/Kiln</a>") < text.index("other/flint</a>")
    assert text.count("<li>") == 3 + 1
    assert "2026-02-05" in text
    assert "2026-02-02" not in text
    assert "my/clone" not in text


async def test_a_private_repository_looks_like_one_that_is_not_there(
    world: World, clock: Any
) -> None:
    """Also where it is named in the settings no more, and long after."""
    await world.digests.save(told(invented.busy(), SECRET))
    paths = ("/example-org/secret-plan/2026-03-04", "/Example-Org/SECRET-plan")
    assert [(await world.get(path))[0] for path in paths] == [200, 200]

    hidden = HiddenRepos(world.database)
    await hidden.hide({"example-org/secret-plan"}, clock())
    await hidden.hide({"example-org/secret-plan"}, clock())
    await Timestamps(world.database).forget_old(clock() + timedelta(days=9_000))

    nowhere = (await world.get("/example-org/nowhere"))[:2]
    assert nowhere[0] == 404
    assert [(await world.get(path))[:2] for path in paths] == [nowhere, nowhere]
    assert "secret-plan" not in (await world.get("/"))[1]


async def test_a_private_repository_that_is_asked_by_an_old_name_is_not_told(
    world: World, clock: Any
) -> None:
    await world.digests.save(told(invented.busy(), Repo("example-org", "before")))
    assert (await world.get("/example-org/before/2026-03-04"))[0] == 200

    await HiddenRepos(world.database).hide({str(KILN)}, clock())

    assert (await world.get("/example-org/before/2026-03-04"))[0] == 404


async def test_what_was_withdrawn_is_gone_at_once_also_for_who_kept_it(world: World) -> None:
    await world.digests.save(told(invented.busy()))
    _, _, headers = await world.get(DAY)
    assert headers["Cache-Control"] == "no-cache"

    await world.digests.withdraw(KILN)

    assert (await world.get(DAY))[0] == 404
    assert (await world.get("/example-org/kiln"))[0] == 404


async def test_strangers_words_are_escaped_and_no_script_but_the_filters_may_run(
    world: World,
) -> None:
    await world.digests.save(told(invented.hostile()))

    _, text, headers = await world.get(DAY)

    assert "<script" not in text
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert f"; script-src 'sha256-{script_hash()}'; " in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


async def test_a_strange_address_is_no_page(world: World) -> None:
    await world.digests.save(told(invented.quiet()))

    answers = {path: await asyncio.to_thread(world.raw, path) for path in STRANGE}

    assert {path: status for path, (status, _) in answers.items() if status != 404} == {}
    for path, (_, text) in answers.items():
        assert "Nothing is stored under this address" in text, path
        assert "alert(1)" not in text


async def test_a_database_that_does_not_answer_is_told_by_a_sentence(clock: Any) -> None:
    database = Database("postgresql://infra@127.0.0.1:1/infra")
    async with site(database, clock) as world:
        for path in ("/", "/example-org/kiln", f"{DAY}?lang=zh"):
            status, text, headers = await world.get(path)
            assert status == 503
            assert headers["Retry-After"] == "60"
            assert "127.0.0.1:1" not in text
    await database.close()

    assert "目前读不到已存内容" in text


async def test_nothing_is_served_without_a_public_address(world: World, clock: Any) -> None:
    await world.digests.save(told(invented.quiet()))
    health = Health(
        world.database, Metrics(), owner="a", only="web", clock=clock, budget=lambda: ({}, 0)
    )
    async with served(application(health, {})) as url:
        shut = replace(world, url=url)
        for path in ("/", "/example-org/kiln", DAY):
            assert (await shut.get(path))[0] == 404
