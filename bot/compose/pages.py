"""From a reply to a page, for every medium that draws pages."""

from collections.abc import Mapping
from typing import assert_never

from bot.model.commands import LANGUAGES, WHEN, HelpRow
from bot.model.replies import (
    AnalysisReply,
    AskedReply,
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    Reply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from digest.languages import Language
from digest.models import Repo
from digest.wording.saying import CATALOGUES, said
from digest.writing.analysis_page import LONG, SHORT, WHOLE
from digest.writing.asked_page import asked_page
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
from digest.writing.pages import (
    change_page,
    day_page,
    digest_page,
    roundup_page,
    search_page,
    why_page,
)


def page(
    reply: Reply, *, full: bool = False, brief: bool = False, analysis: bool = False
) -> Document:
    """Give the page of a reply.

    `brief` is for a digest alone, `analysis` for the long form of a change, `full` for both.
    """
    match reply:
        case DigestReply(digest, language, surfaces, ripples):
            return digest_page(
                digest, language, full=full, brief=brief, surfaces=surfaces, ripples=ripples
            )
        case RoundupReply(roundup, language, surfaces, ripples):
            return roundup_page(roundup, language, surfaces, ripples)
        case ChangeReply(change, language):
            return change_page(change, language, WHOLE if full else LONG if analysis else SHORT)
        case AnalysisReply(day, language, surfaces, ripples):
            return day_page(day, language, surfaces, ripples)
        case FoundReply(words, found, language):
            return search_page(words, [read.item for read in found], language)
        case AskedReply(found, command, language):
            return asked_page(found, command, language)
        case WhyReply(read, language, questions, facts):
            return why_page(read, language, questions, facts)
        case ReposReply(repos, language):
            return _repos_page(repos, language)
        case HelpReply(rows, language):
            return _help_page(rows, language)
        case MessageReply(what, language):
            line = Words(CATALOGUES[language].sentence(what))
            return _document(language, (), (Paragraph((line,)),))
        case _:
            assert_never(reply)


def _help_page(rows: tuple[HelpRow, ...], language: Language) -> Document:
    words = CATALOGUES[language].help
    table = Table(
        (words.command, words.example, words.result),
        tuple(
            ((Code(row.form),), (Typed(row.example),), (Words(said(row.gives, language)),))
            for row in rows
        ),
    )
    forms = Paragraph(
        (
            Words(words.times),
            Code(WHEN),
            Words(words.and_language),
            Code(LANGUAGES),
        )
    )
    return _document(language, (Words(words.title),), (table, forms))


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
