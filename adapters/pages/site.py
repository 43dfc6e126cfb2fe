"""The public pages by HTTP: what is stored, read by anybody, with nothing looked up for it.

::

    GET /                       the repositories with their newest days
    GET /OWNER/REPO             the days of one
    GET /OWNER/REPO/LABEL       one digest, as `2026-02-11` or `2026-02-09..2026-02-11`
        ?tz=Asia/Shanghai&lang=zh   the zone whose days are meant, the language

Anything else is 404 with one sentence; 503 while the database does not answer.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache
from itertools import groupby

import structlog
from aiohttp import web

from adapters.pages.html import render, script_hash, style_hash
from adapters.pages.public_pages import PublicPages
from bot.compose.pages import PageAddress
from bot.model.references import read_repo
from digest.errors import BadWindow, InfraError
from digest.languages import Language
from digest.models import Digest, Repo, Window
from digest.store.store import WatchedRepos
from digest.times import zone_meant, zone_named
from digest.wording.saying import CATALOGUES
from digest.writing.document import (
    Bullets,
    Document,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Section,
    Tone,
    Words,
)
from digest.writing.entries import DOT
from digest.writing.pages import digest_page

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # A page may be withdrawn: whoever keeps a copy asks each time whether it still stands.
    "Cache-Control": "no-cache",
}
POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

LABEL = re.compile(r"\d{4}-\d\d-\d\d[0-9a-z.: -]{0,40}", re.ASCII)
"""What can be a label at all: no other text reaches the database."""

LONGEST = 200
"""Characters of a path that can be a page: more are none."""

ANSWERS_WITHIN = 5.0
"""Seconds for the database."""

DRAWN_AT_ONCE = 2
"""A busy day takes a tenth of a second to draw; hearing and sending go on meanwhile, and strangers
do not stand before those who ask in a chat."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Request:
    """What one request asks for."""

    parts: tuple[str, ...]
    tz: str
    language: Language


@dataclass(eq=False, repr=False)
class Site:
    """Answers requests for pages; `tz` and `language` are for addresses that name none."""

    pages: PublicPages
    address: PageAddress
    known: Mapping[str, Repo]
    watched: WatchedRepos
    _: KW_ONLY
    tz: str
    language: Language

    def __post_init__(self) -> None:
        self._drawing = asyncio.Semaphore(DRAWN_AT_ONCE)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer one request; never fails for what was asked."""
        wanted = self._read(request)
        if wanted is None:
            return _response(_page(no_page(self.language)), 404)
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                body = await self._found(wanted)
        except (InfraError, TimeoutError) as error:
            log.warning("no page", reason=str(error) or "the database does not answer")
            response = _response(_page(no_store(wanted.language)), 503)
            response.headers["Retry-After"] = "60"
            return response
        if body is None:
            return _response(_page(no_page(wanted.language)), 404)
        return _response(body, 200)

    def _read(self, request: web.Request) -> _Request | None:
        """Read an address; None for one that can be no page."""
        path = request.path.removeprefix("/").removesuffix("/")
        if len(path) > LONGEST:
            return None
        parts = tuple(path.split("/")) if path else ()
        try:
            language = Language(request.query.get("lang") or self.language)
            tz = zone_meant(request.query.get("tz") or self.tz).key
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
        stored = await self.pages.repos(wanted.tz)
        names = await self._names() if stored else {}
        by_repo = {names.get(name) or Repo.parse(name): windows for name, windows in stored.items()}
        page = repos_page(by_repo, self.address, wanted.tz, wanted.language)
        return await self._draw(page)

    async def _days(self, repo: Repo, wanted: _Request) -> bytes | None:
        windows = await self.pages.days(repo, wanted.tz)
        if not windows:
            return None
        repo = (await self._names()).get(str(repo).lower(), repo)
        page = days_page(repo, windows, self.address, wanted.tz, wanted.language)
        return await self._draw(page)

    async def _digest(self, repo: Repo, label: str, wanted: _Request) -> bytes | None:
        digest = await self.pages.digest(repo, label, wanted.tz)
        if digest is None:
            return None
        page = with_ways(digest, self.address, wanted.language)
        return await self._draw(page)

    async def _draw(self, page: Document) -> bytes:
        async with self._drawing:
            return await asyncio.to_thread(_page, page)

    async def _names(self) -> dict[str, Repo]:
        """Return repositories as they are spelt, by name in lower case, as far as known."""
        named = {**self.known, **await self.watched.all()}
        return {str(repo).lower(): repo for repo in named.values()}


def _page(document: Document) -> bytes:
    return render(document).encode("utf-8", "replace")


@cache
def _policy() -> str:
    return POLICY.format(style=style_hash(), script=script_hash())


def _response(body: bytes, status: int) -> web.Response:
    headers = {**HEADERS, "Content-Security-Policy": _policy()}
    return web.Response(
        status=status, body=body, content_type="text/html", charset="utf-8", headers=headers
    )


MONTH = len("2026-02")


def with_ways(digest: Digest, at: PageAddress, language: Language) -> Document:
    """Return the page of a digest, with every item on it and the ways to the other days."""
    page = digest_page(digest, language, full=True)
    repo, tz = digest.reading.repo, digest.reading.window.tz
    ways: Runs = (
        Link(f"{CATALOGUES[language].pages.days}{DOT}{repo.name}", at.days(repo, tz, language)),
        Words(DOT),
        Link(CATALOGUES[language].pages.repos, at.repos(tz, language)),
    )
    return replace(page, footer=(*page.footer, Paragraph(ways, Tone.SMALL)))


def days_page(
    repo: Repo, windows: Sequence[Window], at: PageAddress, tz: str, language: Language
) -> Document:
    """Return the stored days of one repository, newest first, by month."""
    sections = tuple(
        Section((Words(month),), f"m{month}", (_days(repo, list(days), at, tz, language),))
        for month, days in groupby(windows, key=lambda window: window.label[:MONTH])
    )
    way = (Link(CATALOGUES[language].pages.repos, at.repos(tz, language)),)
    title = (Foreign(str(repo)), Words(f"{DOT}{CATALOGUES[language].pages.days}"))
    return Document(language, title, (), sections, (_zone(tz, language), _small(way)))


def repos_page(
    repos: Mapping[Repo, Sequence[Window]], at: PageAddress, tz: str, language: Language
) -> Document:
    """Return all repositories, each with its newest stored days."""
    sections = tuple(
        Section(
            (Link(str(repo), at.days(repo, tz, language)),),
            f"r{number}",
            (_days(repo, windows, at, tz, language),),
        )
        for number, (repo, windows) in enumerate(repos.items())
    )
    lead = () if repos else (Paragraph((Words(CATALOGUES[language].pages.empty),)),)
    return Document(
        language, (Words(CATALOGUES[language].pages.repos),), lead, sections, (_zone(tz, language),)
    )


def no_page(language: Language) -> Document:
    """Say that nothing is stored under an address."""
    reason = Paragraph((Words(CATALOGUES[language].pages.not_stored),))
    return Document(language, (Words(CATALOGUES[language].pages.no_page),), (reason,), (), ())


def no_store(language: Language) -> Document:
    """Say that the database does not answer."""
    reason = Paragraph((Words(CATALOGUES[language].pages.no_store),), Tone.WARNING)
    return Document(language, (Words(CATALOGUES[language].pages.not_now),), (reason,), (), ())


def _days(
    repo: Repo, windows: Sequence[Window], at: PageAddress, tz: str, language: Language
) -> Bullets:
    """Link days; those of another zone than the one that is asked for say how far it is off."""
    return Bullets(
        tuple(
            Entry(
                (
                    Link(window.label, at.of(repo, window, language) or ""),
                    *(() if window.tz == tz else (Words(DOT + _offset(window)),)),
                )
            )
            for window in windows
        )
    )


def _offset(window: Window) -> str:
    """Return `UTC+08:00`: stored days are shared by zones, so naming one would mislead."""
    offset = window.start.astimezone(zone_named(window.tz)).isoformat()[-len("+00:00") :]
    return "UTC" if offset == "+00:00" else f"UTC{offset}"


def _zone(tz: str, language: Language) -> Paragraph:
    return _small((Words(CATALOGUES[language].pages.zone(tz)),))


def _small(runs: Runs) -> Paragraph:
    return Paragraph(runs, Tone.SMALL)
