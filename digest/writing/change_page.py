"""One change, issue or release looked at whole; what a search found; why an item ranks there."""

from collections import defaultdict
from collections.abc import Sequence

from digest.facts import Fact, FactKind, Symptom
from digest.languages import Language
from digest.model_answers import ModelQuestion, OfModel
from digest.models import Change, FileChange, Item, Kind, ReadItem
from digest.reading.analysis import analysis, is_pure_rename
from digest.reading.known_facts import facts_of_change
from digest.reading.releases import has_notes
from digest.reading.statements import statements
from digest.wording.catalogue import Catalogue
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.analysis_page import SHORT, Extent, Telling
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Document,
    Entry,
    Foreign,
    Paragraph,
    Quote,
    Run,
    Runs,
    Section,
    Strong,
    Table,
    Tone,
    Words,
)
from digest.writing.fact_phrases import fact_runs
from digest.writing.making import made_by
from digest.writing.outline import Context
from digest.writing.phrasing import fill, joined
from digest.writing.remarks import review
from digest.writing.visible import visible


def change_page(change: Change, language: Language, extent: Extent = SHORT) -> Document:
    """Give one item whole: its analysis, upgrade notes, relations, files and hunks.

    `extent` says how much of its patch and of its results is shown.
    """
    say = CATALOGUES[language]
    return Document(
        language=language,
        title=entries.named(change.read.item, say),
        lead=lead(change, say, language),
        sections=change_sections(change, language, extent),
        footer=(Paragraph(made_by([change], say, language), Tone.SMALL),),
    )


def change_sections(change: Change, language: Language, extent: Extent) -> tuple[Section, ...]:
    """Give the sections of one item; those without evidence are left out."""
    say = CATALOGUES[language]
    item = change.read.item
    items = {item.key: item} | {other.key: other for other in change.related}
    about = Context(say, language, items, {})
    telling = Telling(change, analysis(change, lines=extent.lines), about, extent)
    parts = (
        _facts(change, say, language),
        _reverts(change, say),
        *telling.reason(),
        *review(change, say, language),
        _notes(change, about),
        *telling.after_notes(),
        _related(change, say),
        _files(item, telling.surface(), extent, about),
        _hunks(item, telling.hunks(), say),
        *telling.not_seen(),
    )
    return tuple(part for part in parts if part is not None)


def lead(change: Change, say: Catalogue, language: Language) -> tuple[Block, ...]:
    """Give what an item is in a few lines: kind, purpose, size, author, and why it ranks there.

    The author's sentences are told here where no section tells them.
    """
    read = change.read
    blocks: list[Block] = []
    if read.item.detail_missing:
        what = say.comma.join(say.names.details.get(w, w) for w in read.item.detail_missing)
        blocks.append(Paragraph(fill(say.say.detail_missing, what=what), Tone.WARNING))
    grade = fill(say.say.graded, importance=say.names.importance[read.importance])
    kind = say.names.kinds[read.item.kind]
    is_purpose = kind == say.names.purposes[read.purpose]  # a release is for a release
    first = (*(() if is_purpose else (Words(kind + entries.DOT),)), *entries.facts(read, say))
    blocks.append(Paragraph((*first, Words(entries.DOT), *grade), Tone.LEAD))
    if reasons := entries.why(read, say, change.facts):
        blocks.append(Paragraph(reasons))
    quote = entries.author(read, say, language)
    if quote and not statements(read.item).reason:
        blocks.append(Paragraph(quote))
    return tuple(blocks)


def _facts(change: Change, say: Catalogue, language: Language) -> Section:
    read, item = change.read, change.read.item
    made = (fact.quote for fact in change.facts if fact.kind is FactKind.RELEASE)
    changelog = "" if item.kind.is_change or has_notes(item) else next(made, "")
    lines: list[Runs] = [
        (
            Words(entries.state(item, say, has_notes=bool(changelog or item.body.strip()))),
            Words(f" {item.at:%Y-%m-%d %H:%M} UTC"),
        ),
    ]
    if item.merged_by:
        lines.append(fill(say.say.merged_by, author=Foreign(item.merged_by)))
    if item.milestone:
        lines.append(fill(say.say.milestone, name=Foreign(item.milestone)))
    if item.labels:
        lines.append(joined(((Foreign(label),) for label in item.labels), say.comma))
    if item.comments or item.reactions:
        spoken = (say.count.comments(item.comments), say.count.reactions(item.reactions))
        lines.append((Words(say.comma.join(spoken)),))
    if read.fixes:
        refs = joined(((_number(n, change),) for n in read.fixes), " ")
        lines.append(fill(say.say.fixes, refs=refs))
    if item.commits and item.kind is Kind.PULL_REQUEST:
        shas = joined(((Code(sha[:7]),) for sha in item.commits), " ")
        lines.append((Words(say.count.commits(len(item.commits)) + say.colon), *shas))
    blocks: list[Block] = [Bullets(tuple(Entry(runs) for runs in lines))]
    if not item.kind.is_change and item.body.strip():
        blocks.append(Quote((Foreign(item.author),) if item.author else (), item.body.strip()))
    if changelog:
        blocks.append(Quote((Words(say.say.changelog_begins),), changelog))
    return Section((Words(say.headings.facts),), "facts", tuple(blocks))


def _number(number: int, change: Change) -> Run:
    for other in change.related:
        if other.number == number and other.repo == change.read.item.repo:
            return entries.reference(other)
    return Words(f"#{number}")


def _reverts(change: Change, say: Catalogue) -> Section | None:
    told = [one for one in change.reverts if one.original or entries.taken_ref(one, say)]
    if not told:
        return None
    bullets = Bullets(tuple(Entry(entries.revert(pair, say)) for pair in told))
    return Section((Words(say.headings.reverts),), "reverts", (bullets,))


def _notes(change: Change, about: Context) -> Section | None:
    # Of a revert and a release it is the page's own parts that tell, and no statement; that
    # something was broken, every fix says, but not by which value.
    facts = [
        fact
        for fact in facts_of_change(change)
        if fact_runs((fact,), about.language)
        and (fact.symptom is not Symptom.BROKEN or fact.before)
    ]
    if not facts:
        return None
    is_change = change.read.item.kind.is_change
    bullets = Bullets(
        tuple(_fact(fact, about, is_fix=is_change and fact.kind is FactKind.BITE) for fact in facts)
    )
    return Section((Words(about.say.headings.notes),), "known", (bullets,))


def _fact(fact: Fact, about: Context, *, is_fix: bool) -> Entry:
    """Return a fact with where it stands: a place in the patch, or the author's own words."""
    (runs,) = fact_runs((fact,), about.language, whole=True)
    if is_fix:
        runs = fill(about.say.say.fixed_here, fact=runs)
    lines: list[Entry] = []
    # Of a bite the place of its value stands behind the words that say what was seen.
    by_place = sorted(fact.evidence, key=lambda each: not (fact.before and each.line))
    for evidence in by_place[:1]:
        if evidence.path:
            line = (Words(f":{evidence.line}"),) if evidence.line else ()
            runs = (*runs, Words(entries.DOT), Code(evidence.path), *line)
        elif evidence.source in ("body", "issue") and evidence.quote:
            lines.append(Entry(fill(about.say.say.author, quote=Foreign(f"“{evidence.quote}”"))))
    return Entry(runs, tuple(lines))


def _related(change: Change, say: Catalogue) -> Section | None:
    if not change.related:
        return None
    lines = (
        (
            *entries.named(other, say),
            Words(f"{entries.DOT}{say.names.kinds[other.kind]}{entries.DOT}"),
            Words(say.names.states[other.state]),
        )
        for other in change.related
    )
    bullets = Bullets(tuple(Entry(runs) for runs in lines))
    return Section((Words(say.headings.related),), "related", (bullets,))


def subsystem(path: str) -> str:
    """Give the folder by which files are grouped: at most two levels, the file's own left out."""
    folders = path.split("/")[:-1]
    return "/".join(folders[:2]) or "."


def _files(item: Item, surface: list[Block], extent: Extent, about: Context) -> Section | None:
    """Give the files by subsystem; of very many those that change most, the others as counts."""
    if not item.files:
        return None
    say = about.say
    found: defaultdict[str, list[FileChange]] = defaultdict(list)
    for file in item.files:
        found[subsystem(file.path)].append(file)
    groups: dict[str, list[FileChange]] = found
    by_size = sorted(item.files, key=lambda file: -(file.additions + file.deletions))
    shown = {file.path for file in by_size[: extent.files]}
    if extent.files is not None and len(groups) > extent.files:
        subsystems = {subsystem(path) for path in shown}
        groups = {name: files for name, files in groups.items() if name in subsystems}
    blocks: list[Block] = []
    for name in sorted(groups):
        files = groups[name]
        lines = say.say.size_lines.format(
            added=sum(file.additions for file in files),
            deleted=sum(file.deletions for file in files),
        )
        size = fill(say.say.size, lines=lines, files=say.count.files(len(files)))
        blocks.append(Paragraph((Strong((Code(name),)), Words(entries.DOT), *size)))
        rows = tuple(_file(file, say) for file in files if file.path in shown)
        if rows:
            blocks.append(Table(say.headings.file_columns, rows))
    if left := len(item.files) - len(shown):
        more = Words(CATALOGUES[about.language].analysis.further_files(left) + say.colon)
        blocks.append(Paragraph((more, entries.reference(item)), Tone.SMALL))
    heading = (Words(f"{say.headings.files} · {len(item.files)}"),)
    return Section(heading, "files", (*surface, *blocks))


def _file(file: FileChange, say: Catalogue) -> tuple[Runs, ...]:
    status: Runs = (Words(say.names.statuses.get(file.status, file.status)),)
    if file.previous_path:
        was = fill(say.say.renamed, path=Code(file.previous_path))
        status = (*status, Words(say.comma), *was)
    lines = say.say.size_lines.format(added=file.additions, deleted=file.deletions)
    return ((Code(file.path),), status, (Words(lines),))


def _hunks(item: Item, hunks: list[Block], say: Catalogue) -> Section | None:
    if not item.files:
        return None
    blocks = list(hunks)
    renames = [file for file in item.files if is_pure_rename(file)]
    if renames:
        moved = joined((_moved(file, say) for file in renames), say.comma)
        blocks.append(Paragraph(fill(say.say.pure_renames, files=moved)))
    return Section((Words(say.headings.hunks),), "hunks", tuple(blocks)) if blocks else None


def _moved(file: FileChange, say: Catalogue) -> Runs:
    if not file.previous_path:
        return (Code(file.path),)
    was = fill(say.say.renamed, path=Code(file.previous_path))
    return (Code(file.path), Words(" ("), *was, Words(")"))


def search_page(words: str, found: Sequence[Item], language: Language) -> Document:
    """Give the items that a search for `words` found, in the order given."""
    say = CATALOGUES[language]
    searched = Foreign(words)
    block: Block = Paragraph(fill(say.say.nothing_found, words=searched))
    if found:
        lines = (
            (
                *entries.named(item, say),
                Words(entries.DOT),
                Foreign(str(item.repo)),
                Words(f"{entries.DOT}{say.names.kinds[item.kind]}{entries.DOT}"),
                Words(f"{say.names.states[item.state]} {item.at:%Y-%m-%d}"),
            )
            for item in found
        )
        block = Bullets(tuple(Entry(runs) for runs in lines))
    count = Words(f"{entries.DOT}{say.count.found(len(found))}")
    return Document(
        language=language,
        title=(Words(say.headings.search + say.colon), searched, *((count,) if found else ())),
        lead=(block,),
        sections=(),
        footer=(),
    )


def why_page(
    read: ReadItem,
    language: Language,
    of_model: OfModel | None = None,
) -> Document:
    """Give the reasons of an item's importance, with their points, and what is of a model."""
    say = CATALOGUES[language]
    of_model = of_model or OfModel()
    score = fill(
        say.say.score, score=str(read.score), importance=say.names.importance[read.importance]
    )
    rows = tuple(
        (
            (Words(say.reason(reason.name)),),
            (Words(say.count.points(reason.points) if reason.points else "–"),),
        )
        for reason in read.reasons
    )
    lead: list[Block] = [Paragraph(score, Tone.LEAD), Paragraph(entries.facts(read, say))]
    filled = [
        Entry(fill(say.say.filled_in, fact=runs, model=Foreign(visible(fact.by))))
        for fact in of_model.facts
        for runs in fact_runs((fact,), language)
    ]
    filled += [
        Entry(
            fill(
                say.say.joined,
                name=Foreign(visible(story.name)),
                count=str(len(story.items)),
                model=Foreign(visible(story.by)),
            )
        )
        for story in of_model.stories
    ]
    if filled:
        lead.append(Bullets(tuple(filled)))
    if rows:
        lead.append(Table(say.headings.reason_columns, rows))
    return Document(
        language=language,
        title=(Words(say.headings.why + say.colon), *entries.named(read.item, say)),
        lead=tuple(lead),
        sections=_questions(of_model.questions, say),
        footer=(),
    )


def _questions(questions: Sequence[ModelQuestion], say: Catalogue) -> tuple[Section, ...]:
    if not questions:
        return ()
    lines = tuple(_question(each, say) for each in questions)
    heading = (Words(f"{say.headings.asked}{entries.DOT}{len(lines)}"),)
    return (Section(heading, "asked", (Bullets(lines),)),)


def _question(question: ModelQuestion, say: Catalogue) -> Entry:
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
    elif not question.answer and question.task != "check":  # which answers about sentences
        parts.append((Words(say.say.said_nothing),))
    under = (Entry((Foreign(visible(question.answer)),)),) if question.answer else ()
    return Entry(joined(parts, entries.DOT), under)
