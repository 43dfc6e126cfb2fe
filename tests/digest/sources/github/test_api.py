"""Addresses, limits and spellings that both of GitHub's interfaces share."""

from datetime import UTC, datetime

import pytest

from digest.models import Repo
from digest.sources.github.answers import EARLIEST, LATEST, moment
from digest.sources.github.client import (
    decoded,
    exhausted,
    graphql_url,
    repo_path,
    verdict,
)
from digest.sources.github.items import bare_tag

NOW = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.github.com/", "https://api.github.com/graphql"),
        ("https://git.example.org/api/v3", "https://git.example.org/api/graphql"),
        ("https://git.example.org/api/v3/", "https://git.example.org/api/graphql"),
    ],
)
def test_graphql_stands_beside_rest(api: str, graphql: str) -> None:
    assert graphql_url(api) == graphql


def test_names_cannot_leave_their_place_in_an_address() -> None:
    assert repo_path(Repo("a/..", "b?c")) == "/repos/a%2F../b%3Fc"
    tag = bare_tag(Repo("a", "b"), "v1/2 #3", NOW, ("", False))
    assert tag.url == "https://github.com/a/b/releases/tag/v1%2F2%20%233"


def test_times_are_utc_and_nonsense_is_refused() -> None:
    assert moment("2026-03-05T08:00:00+08:00") == NOW
    assert moment("2026-03-05T00:00:00") == NOW
    with pytest.raises(ValueError, match="isoformat"):
        moment("yesterday")
    assert moment("0001-01-01T00:00:00+10:00") == EARLIEST
    assert moment("9999-12-31T23:59:59-10:00") == LATEST


def test_a_reset_that_cannot_be_is_not_believed() -> None:
    for reset in ("9" * 30, "-1"):
        assert exhausted({"x-ratelimit-reset": reset}, True).retry_at is None
    assert "GITHUB_TOKEN" in str(exhausted({}, False))
    assert "allow" in str(verdict(403, {}, "", NOW, False))


def test_what_is_not_json_is_nothing() -> None:
    assert decoded(b"<html>") is None
    assert decoded(b"3") is None
    assert decoded(b"[" * 100_000) is None
    assert decoded(b'{"a": ["\xff", "\\ud800", {"\\uD83D": 1}]}') == {
        "a": ["\ufffd", "\ufffd", {"\ufffd": 1}]
    }
