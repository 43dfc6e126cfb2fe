"""The answer to a question in plain words: what was understood, a ranked list, what is missing."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from digest.edited import ModelOutcome
from digest.facts import Symptom
from digest.languages import Language
from digest.models import Item, Kind, Window
from digest.query.query import Found, Hit, Query, Unstored, is_about
from digest.search_words import as_written
from digest.windows import days
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Document,
    Entry,
    Foreign,
    Paragraph,
    Runs,
    Tone,
    Words,
)
from digest.writing.fact_phrases import beside, fact_runs
from digest.writing.lines import sentence
from digest.writing.making import made_briefly, short_name
from digest.writing.phrasing import fill, joined
from digest.writing.remarks import is_translated, own_sentence, paragraph

MOST_FACTS = 2
"""Facts of an item that a question of words alone tells."""
MOST_WHOLE = 24
"""Facts of the kinds asked for of which every name is told; of more the others are counted."""
MOST_REPOS = 4
"""Repositories that are named; of more their number is told."""


def query_page(found: Found, language: Language) -> Document:
    """Give the page of an answer."""
    say, words = CATALOGUES[language], CATALOGUES[language].asking
    query = found.query
    items = {hit.read.item.key: hit.read.item for hit in found.hits}
    lead: list[Block] = []
    if found.kindless:
        lead.append(Paragraph((Words(words.kindless),)))
    if found.without and found.hits:
        lead.append(Paragraph(fill(words.without, words=_listed(found.without, language))))
    lead += paragraph(found.remarks, found.model, items, language, least=1)
    if found.hits:
        lines = (_entry(hit, query, items, say, language) for hit in found.hits)
        lead.append(Bullets(tuple(lines)))
    elif found.is_blind:
        lead.append(Paragraph((Words(words.nothing_stored),)))
    else:
        nothing = words.nothing_found if query.words else words.nothing_of_kind
        lead.append(Paragraph((Words(nothing),)))
    if found.total > len(found.hits) > 0:
        lead.append(Paragraph((Words(words.more.format(count=found.total - len(found.hits))),)))
    small = _missing(found.unstored, language)
    small += _read_by(query, language)
    if found.model is not None and found.model.outcome is not ModelOutcome.COMPLETE:
        small.append(made_briefly([found], say, language))
    footer = tuple(Paragraph(runs, Tone.SMALL) for runs in small)
    return Document(language, _understood(found, say, language), tuple(lead), (), footer)


def _understood(found: Found, say: Catalogue, language: Language) -> Runs:
    query, words = found.query, CATALOGUES[language].asking
    kinds = CATALOGUES[language].comma.join(words.kinds[kind] for kind in sorted(query.kinds))
    repos: Runs = (Foreign(CATALOGUES[language].comma.join(repo.name for repo in query.repos)),)
    if len(query.repos) > MOST_REPOS or not query.repos:
        repos = (Words(words.repositories.format(count=len(query.repos))),)
    parts: list[Runs] = [
        (Foreign(query.text),) if query.words else (),
        (Words(kinds),) if kinds else (),
        repos,
        (Words(_range(query.window, language)),),
        (Words(say.count.found(found.total)),) if found.total else (),
    ]
    return joined((part for part in parts if part), entries.DOT)


def _read_by(query: Query, language: Language) -> list[Runs]:
    """Say which model read the question, and other spellings that were looked for."""
    words = CATALOGUES[language].asking
    others = [as_written(each) for spelled in query.also.values() for each in spelled]
    lines = [fill(words.also, words=_listed(others, language))] if others else []
    if query.by == "rules":
        return lines
    return [fill(words.read_by, model=Foreign(short_name(query.by))), *lines]


def _entry(
    hit: Hit, query: Query, items: Mapping[str, Item], say: Catalogue, language: Language
) -> Entry:
    """Return a line of its own, with repository and day where the title of the page has several."""
    item, zone = hit.read.item, ZoneInfo(query.window.tz)
    # That something was broken is asked for, and every fix says it.
    telling = [fact for fact in hit.facts if fact.symptom is not Symptom.BROKEN]
    asked = [fact for fact in telling if query.kinds and is_about(fact, query.kinds)]
    shown = [beside(fact, item.title) for fact in asked or telling[:MOST_FACTS]]
    statements = fact_runs(shown, language, whole=len(asked) <= MOST_WHOLE)
    if gone := entries.taken_back(hit.read, items, say):
        statements = [gone, *statements]
    runs: Runs = joined(statements, say.semicolon)
    is_own = is_translated(hit.read, language) or item.kind is not Kind.ISSUE
    own = sentence(hit.read, language) if hit.read.sentence and is_own else ""
    if not runs and own:
        runs = own_sentence(hit.read, own, say, language)
    head = [entries.named(item, say)]
    if len(query.repos) != 1:
        head.append((Foreign(item.repo.name),))
    if len(days(query.window)) > 1:
        head.append((Words(_day(item.at.astimezone(zone).date(), language)),))
    return Entry(joined(head, entries.DOT), (Entry(runs),) if runs else ())


def _missing(unstored: Sequence[Unstored], language: Language) -> list[Runs]:
    """Say what could not be looked at: repositories together of which the same is not stored."""
    say, words = CATALOGUES[language], CATALOGUES[language].asking
    alike: dict[tuple[str, str, tuple[date, ...]], list[str]] = {}
    for each in unstored:
        if each.days:
            alike.setdefault((words.not_stored, "", each.days), []).append(each.repo.name)
    for each in unstored:
        what = say.comma.join(say.names.gaps.get(one, one) for one in each.without)
        template = words.stored_without if what else words.incomplete
        if each.incomplete:
            alike.setdefault((template, what, each.incomplete), []).append(each.repo.name)
    return [
        fill(
            template,
            what=what,
            repos=Foreign(say.comma.join(names)),
            days=_days(dates, language),
        )
        for (template, what, dates), names in alike.items()
    ]


def _days(dates: Sequence[date], language: Language) -> str:
    """Name days, those in a row from the first to the last: `6–8 Feb, 10 Feb`."""
    runs: list[list[date]] = []
    for each in dates:
        if runs and each - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(each)
        else:
            runs.append([each])
    return CATALOGUES[language].comma.join(_between(run[0], run[-1], language) for run in runs)


def _range(window: Window, language: Language) -> str:
    zone = ZoneInfo(window.tz)
    last = window.end - timedelta(microseconds=1)
    return _between(window.start.astimezone(zone).date(), last.astimezone(zone).date(), language)


def _between(first: date, last: date, language: Language) -> str:
    if first == last:
        return _day(first, language)
    if (first.year, first.month) == (last.year, last.month):
        words = CATALOGUES[language]
        month = words.dates.months[first.month - 1]
        return words.asking.days.format(first=first.day, last=last.day, month=month)
    return f"{_day(first, language)}–{_day(last, language)}"


def _day(day: date, language: Language) -> str:
    words = CATALOGUES[language]
    return words.asking.day.format(day=day.day, month=words.dates.months[day.month - 1])


def _listed(names: Sequence[str], language: Language) -> Runs:
    return joined(((Foreign(as_written(name)),) for name in names), CATALOGUES[language].comma)
