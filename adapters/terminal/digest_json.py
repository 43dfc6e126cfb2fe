"""Draws a digest as JSON: the documented schema of `docs/digest.schema.json`.

The classes below are the schema; `schema` reads it off them, so that the two cannot differ.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from digest.concern.reading_concerns import Concerned, concerned
from digest.concern.surface import Surface, Use, UseKind
from digest.edited import ModelOutcome, ModelUse, Remark
from digest.facts import Evidence, Fact, FactChange, FactKind, Story, Symptom
from digest.grades import ChangeObject, Importance, Purpose
from digest.languages import Language, text_in
from digest.models import Digest, Kind, NoticeKind, ReadItem, Roundup, Sentence, State, UpgradeNote
from digest.wording.saying import CATALOGUES, said
from digest.writing.composition import compose
from digest.writing.context import context
from digest.writing.remarks import told_in
from digest.writing.rules import plain
from digest.writing.sections import mostly
from digest.writing.visible import sound

SCHEMA_ADDRESS = "https://json-schema.org/draft/2020-12/schema"


class _Strict(BaseModel):
    """A JSON object with exactly these members."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WindowJson(_Strict):
    """The half-open time told, and how it was asked for."""

    start: datetime
    end: datetime
    tz: str
    label: str


class PointJson(_Strict):
    """A statement and the keys of the items that it stands on."""

    text: str
    cites: tuple[str, ...]


class ReasonJson(_Strict):
    """A named reason of a score."""

    name: str
    points: int


class FileJson(_Strict):
    """A changed file."""

    path: str
    status: str
    additions: int
    deletions: int


class WrittenJson(_Strict):
    """A sentence that a model wrote, with the keys of the items that it is about."""

    text: str
    cites: tuple[str, ...]
    by: str


class ModelJson(_Strict):
    """What a model had to do with a digest: how far its answers came, and what stands of them."""

    model: str
    outcome: ModelOutcome
    asked: int
    unanswered: int
    told: int
    dropped: int
    checker: str
    why: str


class OwnSentenceJson(_Strict):
    """The author's best sentence, copied exactly, where it stands, and who picked it.

    `chinese` is a model's translation of it, by `translator`.
    """

    text: str
    from_: Annotated[str, Field(serialization_alias="from")]
    by: str
    chinese: str
    translator: str


class EvidenceJson(_Strict):
    """Where a fact stands: a line of a diff, a title, a sentence, or an issue's title."""

    path: str | None = None
    line: int | None = None
    side: Literal["+", "-"] | None = None
    quote: str | None = None
    title: str | None = None
    sentence: str | None = None
    issue: str | None = None


class FactJson(_Strict):
    """One thing known of an item."""

    kind: FactKind
    item: str
    what: str | None
    change: str
    name: str
    names: tuple[str, ...]
    before: str | None
    after: str | None
    symptom: Symptom | None
    who: tuple[str, ...]
    conditions: tuple[str, ...]
    quote: str
    evidence: tuple[EvidenceJson, ...]
    by: str
    inferred: bool
    must_act: bool
    seconds: int | None


class UseJson(_Strict):
    """How a codebase uses something upstream, and where; no path where a person wrote it."""

    kind: UseKind
    name: str
    keywords: tuple[str, ...]
    value: str
    path: str | None
    line: int | None


class ConcernJson(_Strict):
    """An item that concerns a codebase, with both sides.

    `name` is what the item is about, with its `evidence`, or `path` the file that it changes;
    `use` how the codebase uses it, or `word` what a person said that it uses.
    """

    item: str
    breaks: bool
    name: str
    path: str | None
    evidence: tuple[EvidenceJson, ...]
    use: UseJson | None
    word: str | None


class StoryJson(_Strict):
    """Changes that belong together, over days."""

    key: str
    name: str
    items: tuple[str, ...]
    earlier: tuple[str, ...]
    part: tuple[int, ...]
    of: int | None
    authors: tuple[str, ...]
    since: str


class LeadJson(_Strict):
    """What the day was, in a sentence or two, and who says so: rules or a model."""

    text: str
    cites: tuple[str, ...]
    by: str


class ItemJson(_Strict):
    """A commit, pull request, issue or release, and what was read from it."""

    key: str
    kind: Kind
    ref: str
    title: str
    url: str
    author: str
    at: datetime
    state: State
    labels: tuple[str, ...]
    comments: int
    reactions: int
    commits: tuple[str, ...]
    purpose: Purpose
    object: ChangeObject
    importance: Importance
    score: int
    reasons: tuple[ReasonJson, ...]
    story: str | None
    sentence: OwnSentenceJson | None
    files: tuple[FileJson, ...]
    additions: int
    deletions: int
    related: tuple[str, ...]
    reverted_by: str | None
    reverts: str | None
    noise: bool


class NoteJson(_Strict):
    """A change that a downstream user may have to act on."""

    kind: Literal["flag", "env", "config", "default", "dependency", "python", "module", "signature"]
    change: Literal["added", "removed", "renamed", "changed", "deprecated"]
    name: str
    before: str | None
    after: str | None
    path: str
    line: int | None
    cites: tuple[str, ...]
    inferred: bool


class CountsJson(_Strict):
    """Computed numbers."""

    commits: int
    pull_requests: int
    issues: int
    releases: int
    high: int
    medium: int
    low: int
    noise: int


class GapJson(_Strict):
    """What could not be looked at, and why."""

    what: str
    why: str


class NoticeJson(_Strict):
    """Something that happened to the repository itself."""

    kind: NoticeKind
    before: str
    after: str


class DigestJson(_Strict):
    """A digest of one repository in one language."""

    schema_: Annotated[Literal[2], Field(serialization_alias="schema")]
    repo: str
    window: WindowJson
    language: Language
    origin: Literal["rules", "model"]
    generated_at: datetime
    headline: str
    points: tuple[PointJson, ...]
    lead: LeadJson
    front: tuple[str, ...]
    facts: tuple[FactJson, ...]
    stories: tuple[StoryJson, ...]
    items: tuple[ItemJson, ...]
    upgrade_notes: tuple[NoteJson, ...]
    counts: CountsJson
    gaps: tuple[GapJson, ...]
    notices: tuple[NoticeJson, ...]
    written: tuple[WrittenJson, ...]
    model: ModelJson | None
    concerns: Annotated[
        tuple[ConcernJson, ...] | None,
        Field(
            description="What concerns the codebase of --for, what breaks first; null without it. "
            "Added to schema 2: documents written before do not have it."
        ),
    ] = None


class FailureJson(_Strict):
    """A repository that could not be looked at."""

    repo: str
    why: str


class RoundupJson(_Strict):
    """Digests of several repositories for one window, busiest first."""

    schema_: Annotated[Literal[2], Field(serialization_alias="schema")]
    window: WindowJson
    digests: tuple[DigestJson, ...]
    failed: tuple[FailureJson, ...]
    outlook: tuple[PointJson, ...]
    written: tuple[WrittenJson, ...]
    model: ModelJson | None


def render(digest: Digest, language: Language, surface: Surface | None = None) -> str:
    """Give one digest as one JSON document, with what of it concerns a codebase if one is given."""
    told = _digest(digest, language)
    if surface is not None:
        found = concerned(digest.reading, (surface,))
        told = told.model_copy(update={"concerns": tuple(_concern(one) for one in found)})
    return _written(told)


def render_roundup(roundup: Roundup, language: Language) -> str:
    """Give a roundup as one JSON document: window, digests, and what could not be looked at."""
    return _written(
        RoundupJson(
            schema_=2,
            window=WindowJson.model_validate(roundup.window, from_attributes=True),
            digests=tuple(_digest(digest, language) for digest in roundup.digests),
            failed=tuple(
                FailureJson(repo=str(repo), why=said(why, Language.EN))
                for repo, why in roundup.failed
            ),
            outlook=tuple(
                PointJson(text=sound(text_in(point.text, language)), cites=point.cites)
                for point in roundup.outlook
            ),
            written=_written_of(roundup.remarks, roundup.model, language),
            model=_model(roundup.model),
        )
    )


def schema() -> dict[str, Any]:
    """Give the JSON Schema that every output of `render` fulfils."""
    made = DigestJson.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": SCHEMA_ADDRESS, **made}


def schema_text() -> str:
    """Give the schema as it stands in `docs/digest.schema.json`."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _written(value: BaseModel) -> str:
    return value.model_dump_json(by_alias=True, indent=2) + "\n"


def _lead(digest: Digest, language: Language) -> LeadJson:
    """Return what the page of a digest begins with; its headline where it has nothing."""
    reading = digest.reading
    if written := _written_of(digest.remarks, digest.model, language):
        text = CATALOGUES[language].gap.join(each.text for each in written)
        cites = tuple(dict.fromkeys(key for each in written for key in each.cites))
        return LeadJson(text=text, cites=cites, by=written[0].by)
    outline = compose(reading)
    said = plain(mostly(outline, context(reading, CATALOGUES[language], language)))
    members = [key for story in outline.mostly for key in story.items]
    bitten = [read.item.key for read in (*outline.bitten, *outline.new)]
    cites = tuple(dict.fromkeys(members or bitten)) if said else reading.front
    text = said or text_in(digest.headline, language)
    return LeadJson(text=sound(text), cites=cites, by="rules")


def _digest(digest: Digest, language: Language) -> DigestJson:
    reading = digest.reading
    window = reading.window
    stories = {key: story.key for story in reading.stories for key in story.items}
    return DigestJson(
        schema_=2,
        repo=str(reading.repo),
        window=WindowJson(start=window.start, end=window.end, tz=window.tz, label=window.label),
        language=language,
        origin="model" if digest.remarks else "rules",
        generated_at=digest.generated_at,
        headline=sound(text_in(digest.headline, language)),
        points=tuple(
            PointJson(text=sound(text_in(point.text, language)), cites=point.cites)
            for point in digest.points
        ),
        lead=_lead(digest, language),
        front=reading.front,
        facts=tuple(_fact(fact) for fact in reading.facts),
        stories=tuple(_story(story) for story in reading.stories),
        items=tuple(_item(read, stories) for read in reading.items),
        upgrade_notes=tuple(_note(note) for note in reading.upgrade_notes),
        counts=CountsJson(
            commits=reading.counts.commits,
            pull_requests=reading.counts.pull_requests,
            issues=reading.counts.issues,
            releases=reading.counts.releases,
            high=reading.counts.high,
            medium=reading.counts.medium,
            low=reading.counts.low,
            noise=reading.counts.noise,
        ),
        gaps=tuple(
            GapJson(what=gap.what, why=sound(said(gap.why, Language.EN))) for gap in reading.gaps
        ),
        notices=tuple(
            NoticeJson(kind=n.kind, before=sound(n.before), after=sound(n.after))
            for n in reading.notices
        ),
        written=_written_of(digest.remarks, digest.model, language),
        model=_model(digest.model),
    )


def _model(use: ModelUse | None) -> ModelJson | None:
    if use is None:
        return None
    return ModelJson(
        model=sound(use.model),
        outcome=use.outcome,
        asked=use.asked,
        unanswered=use.unanswered,
        told=use.told,
        dropped=use.dropped,
        checker=sound(use.checker),
        why=sound(use.why),
    )


def _written_of(
    remarks: Sequence[Remark], use: ModelUse | None, language: Language
) -> tuple[WrittenJson, ...]:
    by = sound(use.model) if use else ""
    return tuple(
        WrittenJson(text=sound(each.text[language]), cites=each.cites, by=by)
        for each in told_in(remarks, language)
    )


def _own(sentence: Sentence | None) -> OwnSentenceJson | None:
    if sentence is None:
        return None
    return OwnSentenceJson(
        text=sound(sentence.text),
        from_=sentence.source,
        by=sound(sentence.by),
        chinese=sound(sentence.chinese),
        translator=sound(sentence.translator),
    )


def _fact(fact: Fact) -> FactJson:
    """Return a fact as JSON; a changed default is a `default` that was `changed`."""
    is_default = fact.change is FactChange.DEFAULT
    subject = fact.subject.value if fact.subject is not None else None
    return FactJson(
        kind=fact.kind,
        item=fact.item,
        what="default" if is_default else subject,
        change="changed" if is_default else fact.change.value,
        name=sound(fact.name),
        names=tuple(sound(name) for name in fact.names),
        before=None if fact.before is None else sound(fact.before),
        after=None if fact.after is None else sound(fact.after),
        symptom=fact.symptom,
        who=tuple(sound(one) for one in fact.who),
        conditions=tuple(sound(one) for one in fact.conditions),
        quote=sound(fact.quote),
        evidence=tuple(_evidence(one) for one in fact.evidence),
        by=sound(fact.by),
        inferred=fact.inferred,
        must_act=fact.must_act,
        seconds=fact.seconds,
    )


def _evidence(one: Evidence) -> EvidenceJson:
    quote = sound(one.quote)
    if one.source == "title":
        return EvidenceJson(title=quote)
    if one.source == "issue":
        return EvidenceJson(issue=one.item, quote=quote)
    if one.source == "body":
        return EvidenceJson(sentence=quote)
    return EvidenceJson(
        path=sound(one.path) or None, line=one.line, side=one.side or None, quote=quote
    )


def _concern(one: Concerned) -> ConcernJson:
    return ConcernJson(
        item=sound(one.item.key),
        breaks=one.breaks,
        name=sound(one.name),
        path=sound(one.path) or None,
        evidence=tuple(_evidence(each) for each in one.fact.evidence) if one.fact else (),
        use=None if one.use is None else _use(one.use),
        word=sound(one.word) or None,
    )


def _use(use: Use) -> UseJson:
    return UseJson(
        kind=use.kind,
        name=sound(use.name),
        keywords=tuple(sound(word) for word in use.keywords),
        value=sound(use.value),
        path=sound(use.place.path) or None,
        line=use.place.line or None,
    )


def _story(story: Story) -> StoryJson:
    return StoryJson(
        key=sound(story.key),
        name=sound(story.name),
        items=story.items,
        earlier=story.earlier,
        part=story.part,
        of=story.of,
        authors=tuple(sound(author) for author in story.authors),
        since=story.since,
    )


def _item(read: ReadItem, stories: Mapping[str, str]) -> ItemJson:
    item = read.item
    return ItemJson(
        key=sound(item.key),
        kind=item.kind,
        ref=sound(item.ref),
        title=sound(item.title),
        url=sound(item.url),
        author=sound(item.author),
        at=item.at,
        state=item.state,
        labels=tuple(sound(label) for label in item.labels),
        comments=item.comments,
        reactions=item.reactions,
        commits=item.commits,
        purpose=read.purpose,
        object=read.object,
        importance=read.importance,
        score=read.score,
        reasons=tuple(ReasonJson(name=r.name, points=r.points) for r in read.reasons),
        story=stories.get(item.key),
        sentence=_own(read.sentence),
        files=tuple(
            FileJson(
                path=sound(file.path),
                status=file.status,
                additions=file.additions,
                deletions=file.deletions,
            )
            for file in item.files or ()
        ),
        additions=item.additions,
        deletions=item.deletions,
        related=read.related,
        reverted_by=read.reverted_by,
        reverts=read.reverts,
        noise=read.noise is not None,
    )


def _note(note: UpgradeNote) -> NoteJson:
    return NoteJson.model_validate(
        {
            "kind": note.kind,
            "change": note.change,
            "name": sound(note.name),
            "before": None if note.before is None else sound(note.before),
            "after": None if note.after is None else sound(note.after),
            "path": sound(note.path),
            "line": note.line,
            "cites": note.cites,
            "inferred": note.inferred,
        }
    )
