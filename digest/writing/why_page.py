"""Why an item ranks where it does, and what a model was asked and believed about it."""

from collections.abc import Sequence

from digest.editing.question import Question
from digest.facts import Fact
from digest.languages import Language
from digest.models import ReadItem
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
    Section,
    Table,
    Tone,
    Words,
)
from digest.writing.fact_phrases import fact_runs
from digest.writing.phrasing import fill, joined
from digest.writing.visible import visible


def why_page(
    read: ReadItem,
    language: Language,
    questions: Sequence[Question] = (),
    facts: Sequence[Fact] = (),
) -> Document:
    """Give the reasons of an item's importance, with their points, and the questions about it.

    `facts` are what a model filled in of it.
    """
    say = CATALOGUES[language]
    score = fill(
        say.say.score, score=str(read.score), importance=say.names.importance[read.importance]
    )
    rows = tuple(
        ((Words(say.reason(reason.name)),), (Words(say.count.points(reason.points)),))
        for reason in read.reasons
    )
    lead: list[Block] = [Paragraph(score, Tone.LEAD), Paragraph(entries.facts(read, say))]
    filled = [
        Entry(fill(say.say.filled_in, fact=runs, model=Foreign(visible(fact.by))))
        for fact in facts
        for runs in fact_runs((fact,), language)
    ]
    if filled:
        lead.append(Bullets(tuple(filled)))
    if rows:
        lead.append(Table(say.headings.reason_columns, rows))
    return Document(
        language=language,
        title=(Words(say.headings.why + say.colon), *entries.named(read.item, say)),
        lead=tuple(lead),
        sections=_asked(questions, say),
        footer=(),
    )


def _asked(questions: Sequence[Question], say: Catalogue) -> tuple[Section, ...]:
    if not questions:
        return ()
    told = tuple(_question(each, say) for each in questions)
    heading = (Words(f"{say.headings.asked}{entries.DOT}{len(told)}"),)
    return (Section(heading, "asked", (Bullets(told),)),)


def _question(question: Question, say: Catalogue) -> Entry:
    tokens = say.say.tokens.format(read=question.input_tokens, written=question.output_tokens)
    parts: list[Runs] = [
        (Words(f"{say.names.tasks.get(question.task, question.task)} {question.version}"),),
        (Foreign(question.model),),
        (Words(f"{question.asked_at:%Y-%m-%d %H:%M} UTC"),),
        (Words(tokens),),
    ]
    if question.items > 1:
        parts.append((Words(say.say.with_others.format(count=question.items - 1)),))
    if question.unread:
        parts.append(fill(say.say.unread, why=Foreign(question.unread)))
    elif not question.said:
        parts.append((Words(say.say.said_nothing),))
    under = (Entry((Foreign(visible(question.said)),)),) if question.said else ()
    return Entry(joined(parts, entries.DOT), under)
