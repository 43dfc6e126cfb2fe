"""The pages beside the digests: all repositories, all days of one, and why there is no page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from bot.compose.page_address import PageAddress
from digest.languages import Language, Text
from digest.models import Digest, Repo, Window
from digest.windows import zone_named
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

REPOS: Text = {Language.EN: "Repositories", Language.ZH: "仓库"}
DAYS: Text = {Language.EN: "All days", Language.ZH: "所有日期"}
EMPTY: Text = {
    Language.EN: "No day is stored yet: the first morning thread brings one.",
    Language.ZH: "还没有存下任何日期：第一个早间讨论串之后就会有。",
}
OLDER: Text = {
    Language.EN: "{count} older ones have their pages under their dates",
    Language.ZH: "另有 {count} 个更早的，其页面在各自日期的地址下",
}
ZONE: Text = {Language.EN: "Days in {tz}", Language.ZH: "日期按 {tz} 计"}
NO_PAGE: Text = {Language.EN: "No page here", Language.ZH: "这里没有页面"}
NOT_STORED: Text = {
    Language.EN: "Nothing is stored under this address: a day has a page once it was told.",
    Language.ZH: "这个地址下没有内容：某一天播报之后才有它的页面。",
}
NOT_NOW: Text = {Language.EN: "Not now", Language.ZH: "暂时无法读取"}
NO_STORE: Text = {
    Language.EN: "What is stored cannot be read at the moment: try again in a minute.",
    Language.ZH: "目前读不到已存内容：请过一分钟再试。",
}


def with_ways(digest: Digest, at: PageAddress, language: Language) -> Document:
    """Give the page of a digest, with every item on it and the ways to the other days."""
    page = digest_page(digest, language, full=True)
    repo, tz = digest.reading.repo, digest.reading.window.tz
    ways: Runs = (
        Link(f"{DAYS[language]}{DOT}{repo.name}", at.days(repo, tz, language)),
        Words(DOT),
        Link(REPOS[language], at.repos(tz, language)),
    )
    return replace(page, footer=(*page.footer, Paragraph(ways, Tone.SMALL)))


def days_page(
    repo: Repo, windows: Sequence[Window], at: PageAddress, tz: str, language: Language
) -> Document:
    """Give the stored days of one repository, newest first, by month."""
    shown = windows[:MOST_DAYS]
    sections = tuple(
        Section((Words(month),), f"m{month}", (_days(repo, list(days), at, tz, language),))
        for month, days in groupby(shown, key=lambda window: window.label[:MONTH])
    )
    lead: tuple[Paragraph, ...] = ()
    if len(windows) > len(shown):
        older = OLDER[language].format(count=len(windows) - len(shown))
        lead = (Paragraph((Words(older),)),)
    way = (Link(REPOS[language], at.repos(tz, language)),)
    title = (Foreign(str(repo)), Words(f"{DOT}{DAYS[language]}"))
    return Document(language, title, lead, sections, (_zone(tz, language), _small(way)))


def repos_page(
    repos: Mapping[Repo, Sequence[Window]], at: PageAddress, tz: str, language: Language
) -> Document:
    """Give all repositories, each with its newest stored days."""
    sections = tuple(
        Section(
            (Link(str(repo), at.days(repo, tz, language)),),
            f"r{number}",
            (_days(repo, windows, at, tz, language),),
        )
        for number, (repo, windows) in enumerate(repos.items())
    )
    lead = () if repos else (Paragraph((Words(EMPTY[language]),)),)
    return Document(language, (Words(REPOS[language]),), lead, sections, (_zone(tz, language),))


def no_page(language: Language) -> Document:
    """Say that nothing is stored under an address."""
    said = Paragraph((Words(NOT_STORED[language]),))
    return Document(language, (Words(NO_PAGE[language]),), (said,), (), ())


def no_store(language: Language) -> Document:
    """Say that the database does not answer."""
    said = Paragraph((Words(NO_STORE[language]),), Tone.WARNING)
    return Document(language, (Words(NOT_NOW[language]),), (said,), (), ())


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
    """Give `UTC+08:00`: several zones share stored days, and one by name would seem to be meant."""
    offset = window.start.astimezone(zone_named(window.tz)).isoformat()[-len("+00:00") :]
    return "UTC" if offset == "+00:00" else f"UTC{offset}"


def _zone(tz: str, language: Language) -> Paragraph:
    return _small((Words(ZONE[language].format(tz=tz)),))


def _small(runs: Runs) -> Paragraph:
    return Paragraph(runs, Tone.SMALL)
