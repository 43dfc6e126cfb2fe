"""Why an item ranks where it does, and what a model was asked and believed about it."""

from collections.abc import Sequence

from digest.asking.question import Question
from digest.grounding.verdict import Verdict
from digest.languages import Language
from digest.models import ReadItem
from digest.writing import entries
from digest.writing.document import (
    Block,
    Bullets,
    Document,
    Entry,
    Foreign,
    Paragraph,
    Runs,
    Section,
    Table,
    Tone,
    Words,
)
from digest.writing.phrasing import fill, joined
from digest.writing.visible import visible
from digest.writing.wording.catalogue import Catalogue
from digest.writing.wording.languages import CATALOGUES

LONGEST_FOUND = 60
"""Characters of what a check found in a sentence."""


def why_page(read: ReadItem, language: Language, questions: Sequence[Question] = ()) -> Document:
    """Give the reasons of an item's importance, with their points, and the questions about it."""
    say = CATALOGUES[language]
    score = fill(
        say.say.score, score=str(read.score), importance=say.names.importance[read.importance]
    )
    rows = tuple(
        ((Words(say.reason(reason.name)),), (Words(say.count.points(reason.points)),))
        for reason in read.reasons
    )
    lead: list[Block] = [Paragraph(score, Tone.LEAD), Paragraph(entries.facts(read, say))]
    if rows:
        lead.append(Table(say.headings.reason_columns, rows))
    return Document(
        language=language,
        title=(Words(say.headings.why + say.colon), *entries.named(read.item, say)),
        lead=tuple(lead),
        sections=_asked(questions, say, language),
        footer=(),
    )


def _asked(
    questions: Sequence[Question], say: Catalogue, language: Language
) -> tuple[Section, ...]:
    if not questions:
        return ()
    told = tuple(_question(each, say, language) for each in questions)
    heading = (Words(f"{say.headings.asked}{entries.DOT}{len(told)}"),)
    return (Section(heading, "asked", (Bullets(told),)),)


def _question(question: Question, say: Catalogue, language: Language) -> Entry:
    tokens = say.say.tokens.format(read=question.input_tokens, written=question.output_tokens)
    parts: list[Runs] = [
        (Words(f"{say.names.tasks.get(question.task, question.task)} {question.version}"),),
        (Foreign(question.model),),
        (Words(f"{question.asked_at:%Y-%m-%d %H:%M} UTC"),),
        (Words(tokens),),
    ]
    if question.items > 1:
        parts.append((Words(say.say.with_others.format(count=question.items - 1)),))
    elif question.unread:
        parts.append(fill(say.say.unread, why=Foreign(question.unread)))
    elif not question.verdicts and not question.stated:
        parts.append((Words(say.say.said_nothing),))
    elif question.changed:
        parts.append((Words(say.say.changed_since),))
    under = (
        *(_verdict(verdict, say, language) for verdict in question.verdicts),
        *(Entry((Foreign(visible(each)),)) for each in question.stated),
    )
    return Entry(joined(parts, entries.DOT), under)


def _verdict(verdict: Verdict, say: Catalogue, language: Language) -> Entry:
    """Say what became of a sentence; one that was not proven is shown as what failed alone."""
    claim = verdict.claim
    if claim is not None:
        text = claim.text.get(language) or next(iter(claim.text.values()), "")
        words = fill(say.say.proven, sentence=Foreign(visible(text)))
        return Entry((*words, *_failures(verdict, say, say.semicolon)))
    dropped = say.say.reread if verdict.reread else say.say.unproven
    return Entry((Words(dropped), *_failures(verdict, say, say.colon)))


def _failures(verdict: Verdict, say: Catalogue, joint: str) -> Runs:
    told: dict[tuple[str, str], Runs] = {}
    for failure in verdict.failures:
        check = Words(say.check(failure.check))
        found = visible(failure.found)
        shown = found if len(found) <= LONGEST_FOUND else f"{found[: LONGEST_FOUND - 1]}…"
        language: Runs = (Words(f" ({failure.language})"),) if failure.language else ()
        quoted: Runs = (Words(" “"), Foreign(shown), Words("”")) if shown else ()
        told.setdefault((failure.check, shown), (check, *language, *quoted))
    failures = joined(told.values(), say.comma)
    return (Words(joint), *failures) if failures else ()
