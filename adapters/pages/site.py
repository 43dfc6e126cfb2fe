"""The public pages by HTTP: what is stored, read by anybody, with nothing looked up for it.

::

    GET /                       the repositories with their newest days
    GET /OWNER/REPO             the days of one
    GET /OWNER/REPO/LABEL       one digest, as `2026-02-11` or `2026-02-09..2026-02-11`
        ?tz=Asia/Shanghai&lang=zh   the zone whose days are meant, the language

Anything else is 404 with one sentence; 503 while the database does not answer.
"""

import asyncio
import hashlib
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache

import structlog
from aiohttp import web
from cachetools import LRUCache

from adapters.pages import indexes
from adapters.pages.html import render, style_hash
from bot.answer.public_pages import PublicPages
from bot.compose.pages import PageAddress
from bot.model.references import read_repo
from digest.errors import BadWindow, InfraError
from digest.languages import Language
from digest.models import Digest, Repo
from digest.store.store import WatchedRepos
from digest.times import zone_meant
from digest.writing.document import Document

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # A page may be withdrawn: whoever keeps a copy asks each time whether it still stands.
    "Cache-Control": "no-cache",
}
POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)

LABEL = re.compile(r"\d{4}-\d\d-\d\d[0-9a-z.: -]{0,40}", re.ASCII)
"""What can be a label at all: no other text reaches the database."""

LONGEST = 200
"""Characters of a path that can be a page: more are none."""

ANSWERS_WITHIN = 5.0
"""Seconds for the database."""

DRAWN_AT_ONCE = 2
"""A busy day takes a tenth of a second to draw; hearing and sending go on meanwhile."""

MOST_DRAWN = 32
"""Pages of digests kept as they were drawn, some 50 kB each."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Request:
    """What one request asks for."""

    parts: tuple[str, ...]
    tz: str
    language: Language


class Site:
    """Answers requests for pages; `tz` and `language` are for addresses that name none."""

    def __init__(
        self,
        pages: PublicPages,
        address: PageAddress,
        known: Mapping[str, Repo],
        watched: WatchedRepos,
        *,
        tz: str,
        language: Language,
    ) -> None:
        self._pages = pages
        self._address = address
        self._known = known
        self._watched = watched
        self._tz = tz
        self._language = language
        self._drawing = asyncio.Semaphore(DRAWN_AT_ONCE)
        self._drawn: LRUCache[Hashable, bytes] = LRUCache(MOST_DRAWN)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request; never fails for what was asked."""
        wanted = self._read(request)
        if wanted is None:
            return _response(request, _page(indexes.no_page(self._language)), 404)
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                body = await self._found(wanted)
        except (InfraError, TimeoutError) as error:
            log.warning("no page", reason=str(error) or "the database does not answer")
            response = _response(request, _page(indexes.no_store(wanted.language)), 503)
            response.headers["Retry-After"] = "60"
            return response
        if body is None:
            return _response(request, _page(indexes.no_page(wanted.language)), 404)
        return _response(request, body, 200)

    def _read(self, request: web.Request) -> _Request | None:
        """Read an address; None for one that can be no page."""
        path = request.path.removeprefix("/").removesuffix("/")
        if len(path) > LONGEST:
            return None
        parts = tuple(path.split("/")) if path else ()
        try:
            language = Language(request.query.get("lang") or self._language)
            tz = zone_meant(request.query.get("tz") or self._tz).key
        except (ValueError, BadWindow):
            return None
        return _Request(parts, tz, language)

    async def _found(self, wanted: _Request) -> bytes | None:
        match wanted.parts:
            case ():
                return await self._repos(wanted)
            case (owner, name) if repo := read_repo(f"{owner}/{name}"):
                return await self._days(repo, wanted)
            case (owner, name, label) if LABEL.fullmatch(label) and (
                repo := read_repo(f"{owner}/{name}")
            ):
                return await self._digest(repo, label, wanted)
        return None

    async def _repos(self, wanted: _Request) -> bytes:
        stored = await self._pages.repos(wanted.tz)
        names = await self._names() if stored else {}
        by_repo = {names.get(name) or Repo.parse(name): windows for name, windows in stored.items()}
        page = indexes.repos_page(by_repo, self._address, wanted.tz, wanted.language)
        return await self._draw(lambda: _page(page))

    async def _days(self, repo: Repo, wanted: _Request) -> bytes | None:
        windows = await self._pages.days(repo, wanted.tz)
        if not windows:
            return None
        repo = (await self._names()).get(str(repo).lower(), repo)
        page = indexes.days_page(repo, windows, self._address, wanted.tz, wanted.language)
        return await self._draw(lambda: _page(page))

    async def _digest(self, repo: Repo, label: str, wanted: _Request) -> bytes | None:
        digest = await self._pages.digest(repo, label, wanted.tz)
        if digest is None:
            return None
        key = _key(digest, wanted.language)
        ready = self._drawn.get(key)
        if ready is not None:
            return ready
        at, language = self._address, wanted.language
        drawn = await self._draw(lambda: _page(indexes.with_ways(digest, at, language)))
        self._drawn[key] = drawn
        return drawn

    async def _draw(self, make: Callable[[], bytes]) -> bytes:
        async with self._drawing:
            return await asyncio.to_thread(make)

    async def _names(self) -> dict[str, Repo]:
        """Return repositories as they are spelt, by name in lower case, as far as known."""
        named = {**self._known, **await self._watched.all()}
        return {str(repo).lower(): repo for repo in named.values()}


def _key(digest: Digest, language: Language) -> Hashable:
    """Return what a page is drawn from, so that an equal one need not be drawn again."""
    reading = digest.reading
    made = (digest.generated_at, digest.model, len(digest.remarks))
    return (str(reading.repo), reading.window, reading.collected_at, *made, language)


def _page(document: Document) -> bytes:
    return render(document).encode("utf-8", "replace")


@cache
def _policy() -> str:
    return POLICY.format(style=style_hash())


def _response(request: web.Request, body: bytes, status: int) -> web.Response:
    """Answer with a page, or that it is still the one that is kept already."""
    tag = hashlib.sha256(body).hexdigest()[:32]
    headers = {**HEADERS, "Content-Security-Policy": _policy(), "ETag": f'"{tag}"'}
    known = [each.value for each in request.if_none_match or ()]
    if status == 200 and (tag in known or "*" in known):
        return web.Response(status=304, headers=headers)
    return web.Response(
        status=status, body=body, content_type="text/html", charset="utf-8", headers=headers
    )
