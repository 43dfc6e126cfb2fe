"""What GitHub's two interfaces have in common: addresses, limits, refusals, spellings (pure)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import quote

from digest.errors import (
    BadAnswer,
    BadToken,
    Forbidden,
    InfraError,
    NotFound,
    PrivateRepo,
    RateLimited,
    Unreachable,
)
from digest.models import Repo
from digest.ports import NoteVisibility
from digest.wording.phrases import SAY

T = TypeVar("T")

Json: TypeAlias = Any
"""A decoded JSON value; `digest.sources.github.answers` reads it, as anything may have answered."""

LONGEST_WAIT = 60.0
"""Seconds that are waited for a secondary limit; longer waits become a gap.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
says to wait a minute where no Retry-After is given.
"""

MOST_FILES = 3_000
"""Files of one change at which GitHub's lists end, without a word.

https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files
"""

MAX_FILE_PAGES = 30
"""Pages of a file list: 3,000 files at most, 300 (commit) or 100 (pull request) a page.

https://docs.github.com/en/rest/commits/commits#get-a-commit
"""

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
LATEST = datetime(2999, 1, 1, tzinfo=UTC)

_NEXT = re.compile(r'<([^<>]{1,4000})>\s*;\s*rel="next"')
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
_DAY_SECONDS = 86_400.0
_VERSION = re.compile(r"\d+\.\d+")


class HeavyAnswer(Unreachable):
    """A GraphQL document that took too long: asking for less may succeed."""


class Elsewhere(NotFound):
    """An answer about another repository or number than what was asked for is none."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A REST answer as it was read, the address of its next page, and the rows that are missing."""

    value: T
    next_url: str | None = None
    holes: int = 0


@dataclass(frozen=True, slots=True)
class GraphQLAnswer:
    """`data` (never None) with the errors that stand beside it."""

    data: Mapping[str, Json]
    errors: tuple[Json, ...] = ()

    def errors_at(self, *path: str) -> tuple[Json, ...]:
        """Return the errors whose path begins with `path`."""
        return tuple(
            error
            for error in self.errors
            if isinstance(error, dict) and _begins(error.get("path"), path)
        )


def _begins(found: Json, path: tuple[str, ...]) -> bool:
    return isinstance(found, list) and tuple(found[: len(path)]) == path


def graphql_url(api_url: str) -> str:
    """Return the address of GraphQL beside the one of REST.

    https://docs.github.com/en/enterprise-server/graphql/guides/forming-calls-with-graphql
    """
    base = api_url.rstrip("/")
    if base.endswith("/api/v3"):
        return base.removesuffix("/v3") + "/graphql"
    return base + "/graphql"


def repo_path(repo: Repo, *parts: str) -> str:
    """Return the REST path of something of a repository, each part escaped."""
    return "/".join(["/repos", quote(repo.owner, ""), quote(repo.name, ""), *parts])


def escaped(part: str) -> str:
    """Escape one part of a path."""
    return quote(part, safe="")


def pull_url(repo: Repo, number: int) -> str:
    """Return the address of a pull request for people."""
    return f"{_home(repo)}/pull/{number}"


def issue_url(repo: Repo, number: int) -> str:
    """Return the address of an issue for people."""
    return f"{_home(repo)}/issues/{number}"


def commit_url(repo: Repo, sha: str) -> str:
    """Return the address of a commit for people."""
    return f"{_home(repo)}/commit/{sha}"


def release_url(repo: Repo, tag: str) -> str:
    """Return the address of a release, or of a tag without one, for people."""
    return f"{_home(repo)}/releases/tag/{quote(tag, safe='')}"


def _home(repo: Repo) -> str:
    return f"https://github.com/{repo.owner}/{repo.name}"


def is_version(tag: str) -> bool:
    """Return whether a tag names a version (`v0.5.8.post1`), not a nightly build or a mark."""
    return bool(_VERSION.search(tag)) and "nightly" not in tag.lower()


def moment(text: str) -> datetime:
    """Read GitHub's ISO 8601 time as UTC; a `ValueError` for anything else.

    Git takes any number for a date: what lies outside `EARLIEST` and `LATEST` is moved to them, so
    that days can be added to every time.
    """
    at = datetime.fromisoformat(text)
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max(at, EARLIEST), LATEST).astimezone(UTC)


def stamp(at: datetime) -> str:
    """Write a moment as GitHub takes it, in whole seconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def next_page(link: str) -> str | None:
    """Return the `next` address of a Link header."""
    found = _NEXT.search(link)
    return found[1] if found else None


def decoded(body: bytes) -> Json:
    """Decode a JSON object or array, None for anything else.

    What UTF-8 cannot hold (half of a surrogate pair) becomes U+FFFD, so that every text can be
    stored and sent.
    """
    try:
        value = json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict | list):
        return None
    return _whole_characters(value) if _HALF_PAIR.search(body) else value


def _whole_characters(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole_characters(one) for one in value]
    if isinstance(value, dict):
        return {_whole_characters(key): _whole_characters(one) for key, one in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Wait:
    """That a request may be put again after so many seconds."""

    seconds: float
    otherwise: InfraError


def verdict(
    status: int, headers: Mapping[str, str], message: str, now: datetime, has_token: bool
) -> InfraError | Wait:
    """Judge a REST or GraphQL answer whose status is 400 or more.

    https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
    """
    if status == 401:
        return BadToken(SAY.github.bad_token)
    if status in (404, 409, 410):  # 409 is what an empty repository's commits answer
        return NotFound(SAY.github.nothing_there)
    if status == 422:
        return NotFound(SAY.github.unknown_name)
    if status == 451:
        return Forbidden(SAY.github.blocked)
    if status in (403, 429):
        return _refusal(status, headers, message, now, has_token)
    if status >= 500:
        return Wait(0.5, Unreachable(SAY.github.own_error(status)))
    return BadAnswer(SAY.github.not_accepted(status))


def _refusal(
    status: int, headers: Mapping[str, str], message: str, now: datetime, has_token: bool
) -> InfraError | Wait:
    after = retry_after(headers)
    if after is None and headers.get("x-ratelimit-remaining") == "0":
        return exhausted(reset_at(headers), has_token)
    if after is None and ("secondary" in message.lower() or status == 429):
        after = LONGEST_WAIT
    if after is not None:
        return slow_down(after, now)
    if "rate limit" in message.lower():
        return exhausted(reset_at(headers), has_token)
    return Forbidden(SAY.github.token_may_not if has_token else SAY.github.may_not)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the server asks to wait, a day at most; None where it says none."""
    seconds = _number(headers.get("retry-after"))
    return None if seconds is None else min(seconds, _DAY_SECONDS)


def slow_down(seconds: float, now: datetime) -> Wait:
    """Judge a secondary limit that asks for a pause."""
    at = datetime.fromtimestamp(now.timestamp() + seconds, UTC)
    return Wait(seconds, RateLimited(SAY.github.pause(f"{at:%H:%M}"), at))


def exhausted(at: datetime | None, has_token: bool) -> RateLimited:
    """Say that no requests are left, until when, and what helps."""
    until = SAY.github.until(f"{at:%H:%M}") if at else ""
    limit = SAY.github.limit if has_token else SAY.github.limit_without_token
    return RateLimited(limit(until), at)


def reset_at(headers: Mapping[str, str]) -> datetime | None:
    """Return the moment at which the primary limit is new, if the server says it."""
    seconds = _number(headers.get("x-ratelimit-reset"))
    if seconds is None or seconds > 4e10:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _number(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() else None


async def _note_nothing(repos: frozenset[Repo], is_private: bool) -> None:
    """Keep nothing: where there is no store."""


class PrivateRepos:
    """The private repositories that may be told, and where to note which ones are private.

    `note` is told of every answer the names that a repository was asked for by and has now, and
    whether GitHub says that it is private.
    """

    def __init__(self, listed: frozenset[Repo], note: NoteVisibility = _note_nothing) -> None:
        self._listed = {str(one).lower() for one in listed}
        self._note = note

    async def check(self, requested: Repo, found: Repo, is_private: bool) -> None:
        """Refuse a private repository unless the names it has and was asked for by are listed.

        Who may be told is looked up by the name that is asked for: an old one that leads to it and
        is not listed would pass for public. The sentence of `PrivateRepo` has the name that was
        asked for: another one is told to nobody.
        """
        await self._note(frozenset({requested, found}), is_private)
        if is_private and not {str(requested).lower(), str(found).lower()} <= self._listed:
            raise PrivateRepo(requested)
