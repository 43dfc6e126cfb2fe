from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from bot.answer.answers import Answers
from bot.answer.channel_answers import ChannelAnswers
from bot.model.channels import Visit
from bot.model.policy import Visibility
from bot.model.references import digest_reference, read_digest_reference, read_key
from bot.store.store import ChannelStore
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Digest, Repo, Window
from tests.bot.channels_invented import WEEKEND, told
from tests.digest.writing import invented


def test_a_button_finds_its_digest_again() -> None:
    for window in (invented.DAY, WEEKEND, replace(invented.DAY, partial=True)):
        reading = replace(invented.busy(), window=window)
        assert read_digest_reference(digest_reference(reading)) == (invented.REPO, window)


@pytest.mark.parametrize(
    "value", ["", "a|b|c|d", "a/b|1|UTC|x", "a/b|1-x|UTC|x", "a/b|1-99999999999999999|UTC|x"]
)
def test_a_value_that_no_button_has_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="out of date"):
        read_digest_reference(value)


class _Spans:
    """Answers that give one digest of a span, whatever its ends mean by now."""

    def __init__(self, window: Window) -> None:
        self._digest = told(invented.busy(), window=window)
        self.asked: list[tuple[str, str]] = []

    async def span(self, repo: Repo, base: str, head: str, tz: str) -> Digest:
        self.asked.append((base, head))
        return self._digest


@pytest.mark.parametrize("moved", [timedelta(0), timedelta(minutes=5)])
async def test_a_button_of_a_span_asks_for_the_same_span_or_is_out_of_date(
    moved: timedelta,
) -> None:
    start = datetime(2026, 2, 1, 12, 0, 0, 400_000, tzinfo=UTC)
    window = Window(start, start + timedelta(days=9), "UTC", "v0.1.0..nightly")
    repo, meant = read_digest_reference(
        digest_reference(told(invented.busy(), window=window).reading)
    )
    spans = _Spans(replace(window, end=window.end + moved))
    answers = ChannelAnswers(
        *cast(
            "tuple[Answers, ChannelStore, Visibility]",
            (SimpleNamespace(pipeline=spans), None, _Open()),
        ),
        clock=lambda: start,
        tz="UTC",
        language=Language.EN,
    )
    asked = answers.digest(repo, meant, cast("Visit", None))

    if moved:
        with pytest.raises(UsageError, match="out of date"):
            await asked
    else:
        assert (await asked).reading.window == window
    assert spans.asked == [("v0.1.0", "nightly")]


class _Open:
    async def may_hear(self, repo: Repo, visit: Visit) -> bool:
        return True


@pytest.mark.parametrize(
    ("key", "ref", "command", "url"),
    [
        ("a/b:pull_request:7", "#7", "a/b #7", "https://github.com/a/b/pull/7"),
        ("a/b:issue:7", "#7", "a/b #7", "https://github.com/a/b/issues/7"),
        (
            "a/b:commit:0d30896",
            "0d30896",
            "a/b commit/0d30896",
            "https://github.com/a/b/commit/0d30896",
        ),
        (
            "a/b:release:v1:2|x",
            "v1:2|x",
            "a/b tag/v1:2|x",
            "https://github.com/a/b/releases/tag/v1:2|x",
        ),
    ],
)
def test_a_key_says_how_people_write_it_and_where_it_is(
    key: str, ref: str, command: str, url: str
) -> None:
    read = read_key(key)

    assert (read.ref, read.command, read.url) == (ref, command, url)


@pytest.mark.parametrize("key", ["", "a/b", "a/b:tree:1", "ab:issue:1", "a/b:issue"])
def test_what_is_no_key_is_refused_by_one_line(key: str) -> None:
    with pytest.raises(UsageError, match="out of date"):
        read_key(key)
