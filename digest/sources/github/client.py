"""GitHub over HTTP: the only module of the digest core that knows httpx.

Requests are retried where that helps, limits are obeyed, and every failure becomes one of
`digest.errors`.
"""

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import httpx

from digest.errors import (
    BadAnswer,
    CouldNotLook,
    InfraError,
    RateLimited,
    Unreachable,
)
from digest.ports import Clock, Memory, Remembered
from digest.sources.github.answers import Shape
from digest.sources.github.api import (
    LONGEST_WAIT,
    Answer,
    Elsewhere,
    GraphQLAnswer,
    HeavyAnswer,
    Json,
    PrivateRepos,
    T,
    Wait,
    decoded,
    exhausted,
    graphql_url,
    next_page,
    reset_at,
    verdict,
)
from digest.wording.phrases import SAY

Sleep: TypeAlias = Callable[[float], Awaitable[None]]
Timeout: TypeAlias = httpx.Timeout
Transport: TypeAlias = httpx.AsyncBaseTransport

API_VERSION: Final = "2022-11-28"
ATTEMPTS: Final = 3
CONCURRENT: Final = 6
MOST_REDIRECTS: Final = 5

TIMEOUT: Final = Timeout(20, connect=5)
LIMITS: Final = httpx.Limits(max_connections=10)

WHOLE_SECONDS: Final = 60.0
"""Seconds for one whole answer, also one that comes drop by drop.

GitHub itself gives up after ten:
https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#timeouts
"""

MOST_BYTES: Final = 32_000_000
"""Bytes of one answer, unpacked: several times what 100 records or 300 files come to."""

LONGEST_BLOCK: Final = timedelta(hours=1)
"""After that every limit is new, whatever the server's clock says.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""


_IN_REPO: Final = re.compile(r"/(?:repos/[^/]+/[^/]+|repositories/\d+)(/.*)?\Z")
"""The path of something of a repository; the group is what is asked of it."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """A whole answer, unpacked."""

    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class Session:
    """Puts requests to GitHub and gives sound answers, or errors of `digest.errors`.

    `private` are the private repositories that may be told.
    """

    def __init__(
        self,
        token: str | None,
        api_url: str,
        private: PrivateRepos,
        memory: Memory | None,
        clock: Clock,
        sleep: Sleep,
        timeout: Timeout,
        whole_seconds: float,
        transport: Transport | None = None,
    ) -> None:
        self._base = api_url.rstrip("/")
        self._graphql_url = graphql_url(api_url)
        self._memory = memory
        self._clock = clock
        self._sleep = sleep
        self.has_token = bool(token)
        self.private = private
        self._scope = hashlib.sha256(token.encode()).hexdigest()[:16] if token else "anonymous"
        self._gate = asyncio.Semaphore(CONCURRENT)
        self._resting = 0
        self._may_send = asyncio.Event()
        self._may_send.set()
        self._remaining: dict[str, int] = {}
        self._requests = 0
        self._blocked: dict[str, tuple[RateLimited, datetime]] = {}
        self._whole_seconds = whole_seconds
        headers = {
            "Accept": "application/vnd.github+json",
            "Accept-Encoding": "gzip",
            "User-Agent": "infra-digest",
            "X-GitHub-Api-Version": API_VERSION,
        }
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=timeout,
            limits=LIMITS,
            transport=transport,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    def remaining(self, resource: str = "core") -> int | None:
        """Requests left of a limit, as last told."""
        return self._remaining.get(resource)

    @property
    def left(self) -> Mapping[str, int]:
        """Requests left by the kind of limit (`core`, `graphql`), as far as GitHub told."""
        return dict(self._remaining)

    @property
    def requests_sent(self) -> int:
        """Requests sent so far."""
        return self._requests

    async def get(
        self, path: str, shape: Shape[T], *, permanent: bool = False, cached: bool = True
    ) -> Answer[T]:
        """GET a path below the API's address, or a whole address of a next page.

        What cannot have changed comes from memory. A `permanent` answer can never change; one that
        is not `cached`, or has holes, is not remembered. Raises what `shape` raises.
        """
        url = self._address(path)
        if not _is_same_server(url, self._base):
            raise BadAnswer(SAY.github.next_page_elsewhere)
        known, before = await self._known(url, shape)
        if known and before and before.permanent:
            return known
        headers = {"If-None-Match": before.etag} if before and before.etag else {}
        request = self._client.build_request("GET", url, headers=headers)
        reply, value = await self._send(request, "core")
        if reply.status == 304 and known:
            # A page that was full stays as it is when another one follows it.
            link = reply.headers.get("link")
            return replace(known, next_url=next_page(link)) if link is not None else known
        link, etag = reply.headers.get("link", ""), reply.headers.get("etag", "")
        found, holes = shape.read(value)
        if self._memory and cached and not holes and (permanent or etag):
            answer = Remembered(reply.body, etag, link, permanent, self._clock())
            await self._memory.remember(f"{self._scope} {url}", answer)
        return Answer(found, next_page(link), holes)

    async def _known(self, url: str, shape: Shape[T]) -> tuple[Answer[T] | None, Remembered | None]:
        """Return what is remembered of an address, as it is read now; none where it cannot be."""
        before = await self._recall(url)
        if before is None:
            return None, None
        try:
            found, holes = shape.read(decoded(before.body))
        except CouldNotLook:
            return None, None
        return Answer(found, next_page(before.link), holes), before

    async def remembers(self, path: str) -> bool:
        """Return whether a permanent answer is kept."""
        known = await self._recall(self._address(path))
        return known is not None and known.permanent

    async def recall(self, name: str) -> bytes | None:
        """Return what was kept under a name for whoever has this token."""
        known = await self._recall(f"{self._base} {name}")
        return known.body if known else None

    async def keep(self, name: str, body: bytes) -> None:
        """Keep for ever what can never change."""
        if self._memory:
            remembered = Remembered(body, "", "", permanent=True, checked_at=self._clock())
            await self._memory.remember(f"{self._scope} {self._base} {name}", remembered)

    def _address(self, path: str) -> str:
        return path if path.startswith(("http://", "https://")) else self._base + path

    async def _recall(self, url: str) -> Remembered | None:
        return await self._memory.recall(f"{self._scope} {url}") if self._memory else None

    async def graphql(self, query: str, variables: Mapping[str, Json]) -> GraphQLAnswer:
        """POST one document and judge the errors that stand for the whole."""
        body = {"query": query, "variables": dict(variables)}
        request = self._client.build_request("POST", self._graphql_url, json=body)
        _, value = await self._send(request, "graphql")
        return _checked(_graphql_answer(value))

    async def _send(self, request: httpx.Request, resource: str) -> tuple[_Reply, Json]:
        """Send until a sound answer comes, at most `ATTEMPTS` times, and decode it.

        Without a value only where the request was conditional and nothing has changed.
        """
        error: InfraError = Unreachable(SAY.github.not_reached)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                async with self._gate:
                    await self._may_send.wait()
                    self._check_block(resource)
                    reply = await self._exchange(request)
            except (httpx.TimeoutException, TimeoutError):
                error = Unreachable(SAY.github.too_slow)
                if attempt + 1 >= ATTEMPTS:
                    break
                continue
            except (httpx.TransportError, httpx.DecodingError) as fault:
                error = _transport_error(fault)
                await self._sleep(0.5 * attempt)
                continue
            self._note(reply, resource)
            value = decoded(reply.body) if reply.is_success else None
            limited = _limited(value) if value is not None and resource == "graphql" else ""
            is_unchanged = reply.status == 304 and "If-None-Match" in request.headers
            if is_unchanged or (value is not None and not limited):
                return reply, value
            outcome = self._judge(reply, resource, limited)
            if not isinstance(outcome, Wait):
                raise outcome
            error = outcome.otherwise
            if outcome.seconds > LONGEST_WAIT and isinstance(error, RateLimited):
                self._block(resource, error)
            if outcome.seconds > LONGEST_WAIT or attempt == ATTEMPTS:
                break
            pause = self._rest if isinstance(error, RateLimited) else self._sleep
            await pause(outcome.seconds)
            if isinstance(error, HeavyAnswer):
                break  # the same document would be as heavy again
        raise error

    async def _rest(self, seconds: float) -> None:
        """Send nothing, whoever asks: GitHub may ban who goes on while it asks for a pause."""
        self._resting += 1
        self._may_send.clear()
        try:
            await self._sleep(seconds)
        finally:
            self._resting -= 1
            if not self._resting:
                self._may_send.set()

    async def _exchange(self, request: httpx.Request) -> _Reply:
        """Send once and read the whole answer; redirected on the same server only.

        Another server gets neither the token nor a say in what is told.
        """
        async with asyncio.timeout(self._whole_seconds):
            for _ in range(MOST_REDIRECTS + 1):
                self._requests += 1
                response = await self._client.send(request, stream=True)
                try:
                    reply = _Reply(response.status_code, response.headers, await _body(response))
                finally:
                    await response.aclose()
                if not response.has_redirect_location:
                    return reply
                url = _joined(request.url, response.headers["location"])
                if not _is_same_server(url, str(request.url)):
                    raise BadAnswer(SAY.github.other_server)
                if not _is_same_thing(request.url.path, url):
                    raise Elsewhere(SAY.github.moved)
                request = self._client.build_request(
                    request.method, url, content=request.content, headers=request.headers
                )
        raise BadAnswer(SAY.github.circle)

    def _judge(self, reply: _Reply, resource: str, limited: str) -> InfraError | Wait:
        if reply.status < 400 and not limited:
            return Wait(0.5, BadAnswer(SAY.github.not_json))
        message = limited or reply.body[:2000].decode("utf-8", "replace")
        status = 403 if limited else reply.status
        outcome = verdict(status, reply.headers, message, self._clock(), self.has_token)
        if isinstance(outcome, RateLimited):
            self._block(resource, outcome)
        if isinstance(outcome, Wait) and resource == "graphql" and reply.status >= 500:
            return Wait(outcome.seconds, HeavyAnswer(outcome.otherwise.why))
        return outcome

    def _note(self, reply: _Reply, resource: str) -> None:
        left = reply.headers.get("x-ratelimit-remaining", "")[:9]
        if left.isascii() and left.isdigit():
            self._remaining[resource] = int(left)
            if int(left) == 0:
                self._block(resource, exhausted(reset_at(reply.headers), self.has_token))

    def _block(self, resource: str, error: RateLimited) -> RateLimited:
        """Ask nothing more until the moment that GitHub named, or a minute if it named none."""
        now = self._clock()
        until = error.retry_at or now + timedelta(seconds=LONGEST_WAIT)
        self._blocked[resource] = error, min(until, now + LONGEST_BLOCK)
        return error

    def _check_block(self, resource: str) -> None:
        error, until = self._blocked.get(resource, (None, None))
        if error and until and self._clock() < until:
            raise error


async def _body(response: httpx.Response) -> bytes:
    """Read an answer piece by piece, so that neither its size nor its packing fills memory."""
    if response.headers.get("content-encoding", "gzip") not in ("gzip", "identity"):
        raise BadAnswer(SAY.github.unknown_packing)
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            raise BadAnswer(SAY.github.too_large(MOST_BYTES // 1_000_000))
    return bytes(body)


def _is_same_server(url: str, other: str) -> bool:
    try:
        return urlsplit(url)[:2] == urlsplit(other)[:2] and bool(httpx.URL(url).host)
    except (ValueError, httpx.InvalidURL):
        return False


def _is_same_thing(requested: str, url: str) -> bool:
    """Return whether a redirect leads to the same part of a repository, by its name or number.

    A renamed repository is answered so. An issue that was moved to another one leads there, to a
    number of its own: https://docs.github.com/en/rest/issues/issues#get-an-issue.
    """
    before, after = _IN_REPO.search(requested), _IN_REPO.search(urlsplit(url).path)
    return before is None or (after is not None and before[1] == after[1])


def _joined(url: httpx.URL, location: str) -> str:
    try:
        return str(url.join(location))
    except httpx.InvalidURL:
        return ""


def _transport_error(fault: Exception) -> CouldNotLook:
    if isinstance(fault, httpx.ConnectError):
        return Unreachable(SAY.github.no_network)
    if "complete" in str(fault) or isinstance(fault, httpx.DecodingError):
        return BadAnswer(SAY.github.cut_off)
    return Unreachable(SAY.github.broke_off)


def _kind(error: Json) -> str:
    return str(error.get("type")) if isinstance(error, dict) else ""


def _graphql_answer(value: Json) -> GraphQLAnswer:
    if not isinstance(value, dict):
        raise BadAnswer(SAY.github.bad_graphql)
    data, errors = value.get("data"), value.get("errors")
    return GraphQLAnswer(
        data if isinstance(data, dict) else {}, tuple(errors) if isinstance(errors, list) else ()
    )


def _limited(value: Json) -> str:
    """Return what GraphQL says of a limit that is reached, which it does with status 200."""
    errors = _graphql_answer(value).errors
    limits = (each for each in errors if _kind(each) == "RATE_LIMITED")
    return next((f"rate limit: {each.get('message')}" for each in limits), "")


def _checked(answer: GraphQLAnswer) -> GraphQLAnswer:
    """Raise what an answer without any data says."""
    if answer.data:
        return answer
    kinds = {_kind(error) for error in answer.errors}
    if kinds & {"NOT_FOUND", "FORBIDDEN", "INSUFFICIENT_SCOPES"}:
        return answer
    refused = any("extensions" in error for error in answer.errors if isinstance(error, dict))
    if refused or not answer.errors:
        raise BadAnswer(SAY.github.graphql_unknown)
    raise HeavyAnswer(SAY.github.unfinished)
