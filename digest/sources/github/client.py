"""GitHub over HTTP: the only module of the digest core that knows httpx.

Requests are retried where that helps, limits are obeyed, and every failure becomes one of
`digest.errors`.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Generic, TypeAlias
from urllib.parse import quote, urlsplit

import httpx

from digest.errors import (
    BadAnswer,
    BadToken,
    CouldNotLook,
    Forbidden,
    InfraError,
    NotFound,
    PrivateRepo,
    RateLimited,
    Unreachable,
)
from digest.models import Repo
from digest.ports import Clock, Memory, NoteVisibility, Remembered
from digest.sources.github.answers import Elsewhere, Json, Shape, T
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

LONGEST_WAIT: Final = 60.0
"""Seconds that are waited for a secondary limit; longer waits become a gap.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
says to wait a minute where no Retry-After is given.
"""

LONGEST_BLOCK: Final = timedelta(hours=1)
"""After that every limit is new, whatever the server's clock says.

https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

_DAY_SECONDS: Final = 86_400.0
_NEXT: Final = re.compile(r'<([^<>]{1,4000})>\s*;\s*rel="next"')
_HALF_PAIR: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_IN_REPO: Final = re.compile(r"/(?:repos/[^/]+/[^/]+|repositories/\d+)(/.*)?\Z")
"""The path of something of a repository; the group is what is asked of it."""


class HeavyAnswer(Unreachable):
    """A GraphQL document that took too long: asking for less may succeed."""


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
    errors: tuple[Mapping[str, Json], ...] = ()

    def errors_at(self, *path: str) -> tuple[Mapping[str, Json], ...]:
        """Return the errors whose path begins with `path`."""
        return tuple(each for each in self.errors if _path_of(each)[: len(path)] == path)

    def is_absent(self, *path: str) -> bool:
        """Return whether an error says that there is nothing at a path."""
        kinds = (each.get("type") for each in self.errors if _path_of(each) == path)
        return "NOT_FOUND" in kinds

    @property
    def kinds(self) -> frozenset[str]:
        """Return the types of all errors."""
        return frozenset(str(error.get("type")) for error in self.errors)


def _path_of(error: Mapping[str, Json]) -> tuple[Json, ...]:
    path = error.get("path")
    return tuple(path) if isinstance(path, list) else ()


# ---- addresses and spellings


def graphql_url(api_url: str) -> str:
    """Return the address of GraphQL beside the one of REST.

    https://docs.github.com/en/enterprise-server/graphql/guides/forming-calls-with-graphql
    """
    return api_url.rstrip("/").removesuffix("/v3") + "/graphql"


def repo_path(repo: Repo, *parts: str) -> str:
    """Return the REST path of something of a repository, each part escaped."""
    return "/".join(["/repos", quote(repo.owner, ""), quote(repo.name, ""), *parts])


def escaped(part: str) -> str:
    """Escape one part of a path."""
    return quote(part, safe="")


def stamp(at: datetime) -> str:
    """Write a moment as GitHub takes it, in whole seconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def decoded(body: bytes) -> Json:
    """Decode a JSON object or array, None for anything else.

    What UTF-8 cannot hold (half of a surrogate pair) becomes U+FFFD, so that every text can be
    stored and sent.
    """
    try:
        value = json.loads(body.decode("utf-8", "replace"))
        if _HALF_PAIR.search(body):
            text = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
            value = json.loads(text.decode("utf-16", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _next_page(link: str) -> str | None:
    """Return the `next` address of a Link header."""
    found = _NEXT.search(link)
    return found[1] if found else None


# ---- refusals and limits


@dataclass(frozen=True, slots=True)
class RetryAfter:
    """That a request may be put again after so many seconds."""

    seconds: float
    otherwise: InfraError


def verdict(
    status: int, headers: Mapping[str, str], message: str, now: datetime, has_token: bool
) -> InfraError | RetryAfter:
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
        return RetryAfter(0.5, Unreachable(SAY.github.own_error(status)))
    return BadAnswer(SAY.github.not_accepted(status))


def _refusal(
    status: int, headers: Mapping[str, str], message: str, now: datetime, has_token: bool
) -> InfraError | RetryAfter:
    after = _number(headers.get("retry-after"))
    if after is None and headers.get("x-ratelimit-remaining") == "0":
        return exhausted(headers, has_token)
    if after is None and ("secondary" in message.lower() or status == 429):
        after = LONGEST_WAIT
    if after is not None:
        after = min(after, _DAY_SECONDS)
        at = datetime.fromtimestamp(now.timestamp() + after, UTC)
        return RetryAfter(after, RateLimited(SAY.github.pause(f"{at:%H:%M}"), at))
    if "rate limit" in message.lower():
        return exhausted(headers, has_token)
    return Forbidden(SAY.github.token_may_not if has_token else SAY.github.may_not)


def exhausted(headers: Mapping[str, str], has_token: bool) -> RateLimited:
    """Say that no requests are left, until when if the server says it, and what helps."""
    seconds = _number(headers.get("x-ratelimit-reset"))
    is_told = seconds is not None and seconds < 4e10
    at = datetime.fromtimestamp(seconds, UTC) if seconds is not None and is_told else None
    until = SAY.github.until(f"{at:%H:%M}") if at else ""
    limit = SAY.github.limit if has_token else SAY.github.limit_without_token
    return RateLimited(limit(until), at)


def _number(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdigit() else None


# ---- asking


@dataclass(frozen=True, slots=True)
class _Reply:
    """A whole answer, unpacked."""

    status: int
    headers: httpx.Headers
    body: bytes


@dataclass(eq=False, repr=False)
class Session:
    """Puts requests to GitHub and gives sound answers, or errors of `digest.errors`.

    `private_repos` are the private repositories that may be told; `note` is told of every answer
    the names that a repository was asked for by and has now, and whether GitHub says that it is
    private.
    """

    _: KW_ONLY
    token: str | None
    api_url: str = "https://api.github.com"
    private_repos: frozenset[Repo] = frozenset()
    memory: Memory | None
    clock: Clock
    note: NoteVisibility | None = None
    sleep: Sleep = asyncio.sleep
    timeout: Timeout = field(default_factory=lambda: TIMEOUT)
    whole_seconds: float = WHOLE_SECONDS
    transport: Transport | None = None

    def __post_init__(self) -> None:
        token = self.token
        self._base = self.api_url.rstrip("/")
        self.has_token = bool(token)
        self._listed = {str(one).lower() for one in self.private_repos}
        self._scope = hashlib.sha256(token.encode()).hexdigest()[:16] if token else "anonymous"
        self._gate = asyncio.Semaphore(CONCURRENT)
        self._resting = 0
        self._may_send = asyncio.Event()
        self._may_send.set()
        self.left: dict[str, int] = {}
        """Requests left by the kind of limit (`core`, `graphql`), as far as GitHub told."""
        self._counting = asyncio.Lock()
        self.requests_sent = 0
        self._blocked: dict[str, tuple[RateLimited, datetime]] = {}
        headers = {
            "Accept": "application/vnd.github+json",
            "Accept-Encoding": "gzip",
            "User-Agent": "infra-digest",
            "X-GitHub-Api-Version": API_VERSION,
        }
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._client = httpx.AsyncClient(
            headers=headers, timeout=self.timeout, limits=LIMITS, transport=self.transport
        )

    async def check_private(self, requested: Repo, found: Repo, is_private: bool) -> None:
        """Refuse a private repository unless the names it has and was asked for by are listed.

        Who may be told is looked up by the name that is asked for: an old one that leads to it and
        is not listed would pass for public. The sentence of `PrivateRepo` has the name that was
        asked for: another one is told to nobody.
        """
        if self.note:
            await self.note(frozenset({requested, found}), is_private)
        if is_private and not {str(requested).lower(), str(found).lower()} <= self._listed:
            raise PrivateRepo(requested)

    def counting(self) -> AbstractAsyncContextManager[None]:
        """Let nobody else count on the requests that are left; with a token nobody has to."""
        return nullcontext() if self.has_token else self._counting

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

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
            return replace(known, next_url=_next_page(link)) if link is not None else known
        link, etag = reply.headers.get("link", ""), reply.headers.get("etag", "")
        found, holes = shape.read(value)
        if self.memory and cached and not holes and (permanent or etag):
            answer = Remembered(reply.body, etag, link, permanent, self.clock())
            await self.memory.remember(f"{self._scope} {url}", answer)
        return Answer(found, _next_page(link), holes)

    async def _known(self, url: str, shape: Shape[T]) -> tuple[Answer[T] | None, Remembered | None]:
        """Return what is remembered of an address, as it is read now; none where it cannot be."""
        before = await self._recall(url)
        if before is None:
            return None, None
        try:
            found, holes = shape.read(decoded(before.body))
        except CouldNotLook:
            return None, None
        return Answer(found, _next_page(before.link), holes), before

    async def remembers(self, path: str) -> bool:
        """Return whether a permanent answer is kept."""
        known = await self._recall(self._address(path))
        return known is not None and known.permanent

    async def recall(self, name: str) -> bytes | None:
        """Return what was kept under a name for whoever has this token, as `digest.ports.Clone`."""
        known = await self._recall(f"{self._base} {name}")
        return known.body if known else None

    async def keep(self, name: str, body: bytes) -> None:
        """Keep for ever what can never change."""
        if self.memory:
            remembered = Remembered(body, "", "", permanent=True, checked_at=self.clock())
            await self.memory.remember(f"{self._scope} {self._base} {name}", remembered)

    def _address(self, path: str) -> str:
        return path if path.startswith(("http://", "https://")) else self._base + path

    async def _recall(self, url: str) -> Remembered | None:
        return await self.memory.recall(f"{self._scope} {url}") if self.memory else None

    async def graphql(self, query: str, variables: Mapping[str, Json]) -> GraphQLAnswer:
        """POST one document and judge the errors that stand for the whole."""
        body = {"query": query, "variables": dict(variables)}
        request = self._client.build_request("POST", graphql_url(self._base), json=body)
        _, value = await self._send(request, "graphql")
        answer = _graphql_answer(value)
        if answer.data or answer.kinds & {"NOT_FOUND", "FORBIDDEN", "INSUFFICIENT_SCOPES"}:
            return answer
        if not answer.errors or any("extensions" in error for error in answer.errors):
            raise BadAnswer(SAY.github.graphql_unknown)
        raise HeavyAnswer(SAY.github.unfinished)

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
                await self.sleep(0.5 * attempt)
                continue
            self._note(reply, resource)
            value = decoded(reply.body) if 200 <= reply.status < 300 else None
            limited = _limited(value) if value is not None and resource == "graphql" else ""
            is_unchanged = reply.status == 304 and "If-None-Match" in request.headers
            if is_unchanged or (value is not None and not limited):
                return reply, value
            outcome = self._judge(reply, resource, limited)
            if not isinstance(outcome, RetryAfter):
                raise outcome
            error = outcome.otherwise
            if outcome.seconds > LONGEST_WAIT and isinstance(error, RateLimited):
                self._block(resource, error)
            if outcome.seconds > LONGEST_WAIT or attempt == ATTEMPTS:
                break
            pause = self._rest if isinstance(error, RateLimited) else self.sleep
            await pause(outcome.seconds)
            if isinstance(error, HeavyAnswer):
                break  # the same document would be as heavy again
        raise error

    async def _rest(self, seconds: float) -> None:
        """Send nothing, whoever asks: GitHub may ban who goes on while it asks for a pause."""
        self._resting += 1
        self._may_send.clear()
        try:
            await self.sleep(seconds)
        finally:
            self._resting -= 1
            if not self._resting:
                self._may_send.set()

    async def _exchange(self, request: httpx.Request) -> _Reply:
        """Send once and read the whole answer; redirected on the same server only.

        Another server gets neither the token nor a say in what is told.
        """
        async with asyncio.timeout(self.whole_seconds):
            for _ in range(MOST_REDIRECTS + 1):
                self.requests_sent += 1
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

    def _judge(self, reply: _Reply, resource: str, limited: str) -> InfraError | RetryAfter:
        if reply.status < 400 and not limited:
            return RetryAfter(0.5, BadAnswer(SAY.github.not_json))
        message = limited or reply.body[:2000].decode("utf-8", "replace")
        status = 403 if limited else reply.status
        outcome = verdict(status, reply.headers, message, self.clock(), self.has_token)
        if isinstance(outcome, RateLimited):
            self._block(resource, outcome)
        if isinstance(outcome, RetryAfter) and resource == "graphql" and reply.status >= 500:
            return RetryAfter(outcome.seconds, HeavyAnswer(outcome.otherwise.why))
        return outcome

    def _note(self, reply: _Reply, resource: str) -> None:
        left = reply.headers.get("x-ratelimit-remaining", "")[:9]
        if left.isascii() and left.isdigit():
            self.left[resource] = int(left)
            if int(left) == 0:
                self._block(resource, exhausted(reply.headers, self.has_token))

    def _block(self, resource: str, error: RateLimited) -> None:
        """Ask nothing more until the moment that GitHub named, or a minute if it named none."""
        now = self.clock()
        until = error.retry_at or now + timedelta(seconds=LONGEST_WAIT)
        self._blocked[resource] = error, min(until, now + LONGEST_BLOCK)

    def _check_block(self, resource: str) -> None:
        error, until = self._blocked.get(resource, (None, None))
        if error and until and self.clock() < until:
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


def _graphql_answer(value: Json) -> GraphQLAnswer:
    if not isinstance(value, dict):
        raise BadAnswer(SAY.github.bad_graphql)
    data, errors = value.get("data"), value.get("errors")
    listed = errors if isinstance(errors, list) else []
    return GraphQLAnswer(
        data if isinstance(data, dict) else {},
        tuple(error if isinstance(error, dict) else {} for error in listed),
    )


def _limited(value: Json) -> str:
    """Return what GraphQL says of a limit that is reached, which it does with status 200."""
    limits = (each for each in _graphql_answer(value).errors if each.get("type") == "RATE_LIMITED")
    return next((f"rate limit: {each.get('message')}" for each in limits), "")
