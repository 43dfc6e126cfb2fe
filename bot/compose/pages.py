"""From a reply to a page, for every medium that draws pages, and where the public pages stand.

What writes the pages of a digest is imported with the first of them: help waits for none of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never
from urllib.parse import quote, urlencode

from bot.model.commands import LANGUAGES, WHEN, HelpRow
from bot.model.replies import (
    AnalysisReply,
    ChangeReply,
    DigestPageReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    QueryReply,
    Reply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from digest.languages import Language
from digest.models import Repo, Window
from digest.phrase import Phrase
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import (
    Code,
    Document,
    Foreign,
    Paragraph,
    Runs,
    Section,
    Table,
    Typed,
    Words,
)


def page(
    reply: Reply, *, full: bool = False, brief: bool = False, analysis: bool = False
) -> Document:
    """Return the page of a reply.

    `brief` is for a digest alone, `analysis` for the long form of a change, `full` for both.
    """
    match reply:
        case ReposReply(repos, language):
            return _repos_page(repos, language)
        case HelpReply(rows, language):
            return _help_page(rows, language)
        case MessageReply(what, language):
            line = Words(CATALOGUES[language].sentence(what))
            return _document(language, (), (Paragraph((line,)),))
        case _:
            return _digest_page(reply, full=full, brief=brief, analysis=analysis)


def _digest_page(reply: DigestPageReply, *, full: bool, brief: bool, analysis: bool) -> Document:
    from digest.writing import pages
    from digest.writing.analysis_page import LONG, SHORT, WHOLE
    from digest.writing.query_page import query_page

    match reply:
        case DigestReply(digest, language, surfaces, ripples):
            return pages.digest_page(
                digest, language, full=full, brief=brief, surfaces=surfaces, ripples=ripples
            )
        case RoundupReply(roundup, language, surfaces, ripples):
            return pages.roundup_page(roundup, language, surfaces, ripples)
        case ChangeReply(change, language):
            detail = WHOLE if full else LONG if analysis else SHORT
            return pages.change_page(change, language, detail)
        case AnalysisReply(day, language, surfaces, ripples):
            return pages.day_page(day, language, surfaces, ripples)
        case FoundReply(words, found, language):
            return pages.search_page(words, [read.item for read in found], language)
        case QueryReply(found, language):
            return query_page(found, language)
        case WhyReply(read, language, of_model):
            return pages.why_page(read, language, of_model)
        case _:
            assert_never(reply)


def _help_page(rows: tuple[HelpRow, ...], language: Language) -> Document:
    words = CATALOGUES[language].help
    forms = Paragraph(
        (
            Words(words.times),
            Code(WHEN),
            Words(words.and_language),
            Code(LANGUAGES),
        )
    )
    named: dict[Phrase, list[HelpRow]] = {}
    for row in rows:
        named.setdefault(row.heading, []).append(row)
    title = (Words(words.title),)
    if len(named) < 2:
        return _document(language, title, (_help_table(rows, language), forms))
    sections = tuple(
        Section(
            (Words(localized(heading, language)),),
            heading.code.rpartition(".")[2],
            (_help_table(of, language),),
        )
        for heading, of in named.items()
    )
    return Document(language, title, (forms,), sections, ())


def _help_table(rows: Sequence[HelpRow], language: Language) -> Table:
    words = CATALOGUES[language].help
    return Table(
        (words.command, words.example, words.result),
        tuple(
            (
                (Code(row.form),),
                (Typed(row.example),) if row.example != row.form else (),
                (Words(localized(row.gives, language)),),
            )
            for row in rows
        ),
    )


def _repos_page(repos: Mapping[str, Repo], language: Language) -> Document:
    words = CATALOGUES[language].help
    table = Table(
        (words.alias, words.repository),
        tuple(((Code(alias),), (Foreign(str(repo)),)) for alias, repo in repos.items()),
    )
    return _document(language, (Words(CATALOGUES[language].pages.repos),), (table,))


def _document(language: Language, title: Runs, lead: tuple[Paragraph | Table, ...]) -> Document:
    sections: tuple[Section, ...] = ()
    return Document(language, title, lead, sections, ())


def hidden_names(repos: Iterable[Repo]) -> frozenset[str]:
    """Return repositories as they are compared: GitHub takes any case."""
    return frozenset(str(repo).lower() for repo in repos)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The addresses below a public one (`root`); `hidden` repositories have none."""

    root: str
    hidden: frozenset[str] = frozenset()

    def of(self, repo: Repo, window: Window, language: Language) -> str | None:
        """Return the address of a window; None where it has no page: private, or not over yet."""
        if window.partial or str(repo).lower() in self.hidden:
            return None
        return self._below(f"/{quote(str(repo))}/{quote(window.label)}", window.tz, language)

    def days(self, repo: Repo, tz: str, language: Language) -> str:
        """Return the address of all stored days of a repository."""
        return self._below(f"/{quote(str(repo))}", tz, language)

    def repos(self, tz: str, language: Language) -> str:
        """Return the address of all repositories."""
        return self._below("/", tz, language)

    def _below(self, path: str, tz: str, language: Language) -> str:
        query = urlencode({"tz": tz, "lang": language.value}, safe="/")
        return f"{self.root.rstrip('/')}{path}?{query}"
