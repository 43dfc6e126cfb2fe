"""The pages beside the digests: all repositories, all days of one, and why there is no page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from bot.compose.pages import PageAddress
from digest.languages import Language
from digest.models import Digest, Repo, Window
from digest.times import zone_named
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

MONTH = len("2026-02")

MOST_DAYS = 400
"""Days that are listed of one repository; the number of older ones is said."""


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
    shown = windows[:MOST_DAYS]
    sections = tuple(
        Section((Words(month),), f"m{month}", (_days(repo, list(days), at, tz, language),))
        for month, days in groupby(shown, key=lambda window: window.label[:MONTH])
    )
    lead: tuple[Paragraph, ...] = ()
    if len(windows) > len(shown):
        older = CATALOGUES[language].pages.older(len(windows) - len(shown))
        lead = (Paragraph((Words(older),)),)
    way = (Link(CATALOGUES[language].pages.repos, at.repos(tz, language)),)
    title = (Foreign(str(repo)), Words(f"{DOT}{CATALOGUES[language].pages.days}"))
    return Document(language, title, lead, sections, (_zone(tz, language), _small(way)))


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
