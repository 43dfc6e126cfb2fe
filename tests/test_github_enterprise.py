"""With a GitHub Enterprise server every link, built or read, is of its own pages."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from adapters.terminal.commands import understood
from adapters.terminal.options import Options
from adapters.wiring.assembly import running
from bot.model.commands import ShowChange, parse
from bot.model.parts import PartKind
from bot.model.ports import Message
from bot.model.posts import named
from bot.model.references import Reference, linked, links, read_address, read_key
from bot.settings import Settings
from digest.github_web import PUBLIC, use_api, web, web_of
from digest.models import Repo
from digest.reading.relations import closed_issues, mentions
from digest.reading.reverts import unknown_originals
from digest.sources.github.items import bare_tag
from tests.digest.turbine_source import pull

API, WEB = "https://git.example.com:8443/api/v3", "https://git.example.com:8443"
REPO = Repo("team", "turbine")


@pytest.fixture(autouse=True)
def _put_back() -> Iterator[None]:
    yield
    use_api("")


@pytest.mark.parametrize(
    ("api", "pages"),
    [
        ("https://api.github.com", PUBLIC),
        (API, WEB),
        ("http://git.example.com/api/v3/", "http://git.example.com"),
        ("https://api.team.ghe.com", "https://team.ghe.com"),
        ("https://Git.Example.com:8443/api/v3", WEB),
        ("https://api.proxy.internal:8080", PUBLIC),
        ("http://127.0.0.1:4301", PUBLIC),
        ("", PUBLIC),
    ],
)
def test_the_address_of_an_api_tells_that_of_its_pages(api: str, pages: str) -> None:
    assert web_of(api) == pages


async def test_what_is_set_is_where_links_lead() -> None:
    async with running(print, stored=False, settings=Settings(GITHUB_API_URL=API)):
        pass

    release = bare_tag(REPO, "v1.0", datetime(2026, 3, 5, tzinfo=UTC), ("ghost", False))
    keys = tuple(f"{REPO}:pull_request:{number}" for number in (12, 13))
    payload = f"<{WEB}/team/turbine/pull/12|#12>"
    message = Message(payload, keys, False, PartKind.CHANGES)

    assert web() == WEB
    assert release.url == f"{WEB}/team/turbine/releases/tag/v1.0"
    assert read_key(keys[0]).url == f"{WEB}/team/turbine/pull/12"
    assert named(message) == keys[:1]


def test_links_to_that_server_are_read_and_those_to_another_are_not() -> None:
    use_api(API)
    change = Reference("team/turbine", "#12")
    elsewhere = (
        "https://github.com/team/turbine/pull/12",
        "https://my-git.example.com:8443/team/turbine/pull/12",
        "https://git.example.com/team/turbine/pull/12",
    )

    assert parse(f"{WEB}/team/turbine/pull/12") == ShowChange(change.repo, change.ref)
    assert linked(f"look (see {WEB}/team/turbine/pull/12/files), 看{WEB}/team/turbine/pull/12") == (
        change,
    )
    assert links(" ".join(elsewhere)) == ()
    assert [read_address(each) for each in elsewhere] == [None] * 3


def test_what_an_author_links_there_is_closed_mentioned_and_taken_back() -> None:
    use_api(API)
    body = f"Reverts {WEB}/{REPO}/pull/12, fixes {WEB}/{REPO}/issues/7; see {WEB}/{REPO}/pull/9"
    moment = datetime(2026, 3, 5, tzinfo=UTC)
    change = pull(30, moment, "Revert the second stage", REPO, body=body)

    assert closed_issues(change) == (7,)
    assert {7, 9, 12} <= mentions(change)[0]
    assert unknown_originals([change]).numbers == (12,)


def test_a_command_line_reads_an_address_as_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_API_URL", API)

    understood([f"{WEB}/team/turbine/pull/12"], Options())

    assert web() == WEB
