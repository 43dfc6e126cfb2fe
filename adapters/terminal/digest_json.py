"""Draws a digest as JSON: the documented schema of `docs/digest.schema.json`.

The classes below are the schema; `schema` reads it off them, so that the two cannot differ.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from digest.concern.concerned import Concerned, concerned
from digest.concern.ripple import Hop, Pinned, Ripple
from digest.concern.surface import Surface, UseKind
from digest.edited import ModelOutcome, ModelUse, Remark
from digest.facts import Evidence, Fact, FactChange, FactKind, Symptom
from digest.grades import ChangeObject, Importance, Purpose
from digest.languages import Language, text_in
from digest.models import Digest, Kind, NoticeKind, Roundup, State
from digest.wording.saying import CATALOGUES, localized
from digest.writing.composition import compose
from digest.writing.outline import context
from digest.writing.remarks import lead_remarks
from digest.writing.rules import plain
from digest.writing.sections import mostly
from digest.writing.visible import sound

Document: TypeAlias = dict[str, Any]
"""A JSON document, to be written."""

SCHEMA_ADDRESS = "https://json-schema.org/draft/2020-12/schema"


class _Strict(BaseModel):
    """A JSON object with exactly these members, made of whatever has them."""

    model_config = ConfigDict(extra="forbid", frozen=True, from_attributes=True)

    @field_validator("*", mode="before")
    @classmethod
    def _sound(cls, value: object) -> object:
        """Let no half character of a stranger's text through: JSON cannot hold one."""
        if isinstance(value, tuple):
            return tuple(sound(each) if isinstance(each, str) else each for each in value)
        return sound(value) if isinstance(value, str) else value


Made = TypeVar("Made", bound=_Strict)


def _made(
    kind: type[Made], *sources: object, language: Language = Language.EN, **more: object
) -> Made:
    """Make an object whose members are given, or else those of the first source that has them."""
    if "language" in kind.model_fields:
        more["language"] = language
    taken = {
        name: next(getattr(source, name) for source in sources if hasattr(source, name))
        for name in kind.model_fields
        if name not in more
    }
    return kind.model_validate(taken | more, context=language)


def _localized(text: object, info: ValidationInfo) -> object:
    return text_in(text, Language(str(info.context))) if isinstance(text, Mapping) else text


Localized: TypeAlias = Annotated[str, BeforeValidator(_localized)]
"""A text in the language of the document."""

Why: TypeAlias = Annotated[str, BeforeValidator(lambda phrase: localized(phrase, Language.EN))]
"""A reason, in English in every document."""

Name: TypeAlias = Annotated[str, BeforeValidator(str)]
"""The name of what is written so, as a repository is."""

Filled: TypeAlias = Annotated[str | None, BeforeValidator(lambda text: text or None)]
"""A text, or null for an empty one."""


class WindowJson(_Strict):
    """The half-open time told, and how it was asked for."""

    start: datetime
    end: datetime
    tz: str
    label: str


class PointJson(_Strict):
    """A statement and the keys of the items that it stands on."""

    text: Localized
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
    from_: Annotated[str, Field(validation_alias="source", serialization_alias="from")]
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
    """One thing known of an item.

    `name` is what it is about; of a bite the change of the same day that brought the fault, if one
    did.
    """

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
    path: Filled
    evidence: tuple[EvidenceJson, ...]
    use: UseJson | None
    word: Filled


class StoryJson(_Strict):
    """Changes that belong together, over days.

    `by` says who joined them, or the last of them: `rules` or a model's name.
    """

    key: str
    name: str
    items: tuple[str, ...]
    earlier: tuple[str, ...]
    part: tuple[int, ...]
    of: int | None
    authors: tuple[str, ...]
    since: str
    by: str


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
    files: Annotated[tuple[FileJson, ...], BeforeValidator(lambda files: files or ())]
    additions: int
    deletions: int
    related: tuple[str, ...]
    reverted_by: str | None
    reverts: str | None
    noise: Annotated[bool, BeforeValidator(lambda noise: noise is not None)]


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
    why: Why


class NoticeJson(_Strict):
    """Something that happened to the repository itself."""

    kind: NoticeKind
    before: str
    after: str


class HopJson(_Strict):
    """A repository released a version, or with `of` took that version of another one.

    `sure` is false of a release of which it is only known that it came next.
    """

    repo: Name
    of: str | None
    version: str
    ref: str
    url: str
    at: datetime
    sure: bool


class PinnedJson(_Strict):
    """What a codebase pins, and where it says so; null where a person did."""

    name: str
    value: str
    path: str | None
    line: int | None


class RippleJson(_Strict):
    """How what one repository released reaches what the codebase pins: hops, oldest first."""

    hops: tuple[HopJson, ...]
    pins: tuple[PinnedJson, ...]


class DigestJson(_Strict):
    """A digest of one repository in one language."""

    schema_: Annotated[Literal[2], Field(serialization_alias="schema")]
    repo: Name
    window: WindowJson
    language: Language
    origin: Literal["rules", "model"]
    generated_at: datetime
    headline: Localized
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
    ripples: Annotated[
        tuple[RippleJson, ...] | None,
        Field(
            description="What reaches a pin of the codebase of --for from one repository to the "
            "next; null without it, and in a digest among several. Added to schema 2."
        ),
    ] = None


class FailureJson(_Strict):
    """A repository that could not be looked at."""

    repo: Name
    why: Why


class RoundupJson(_Strict):
    """Digests of several repositories for one window, busiest first."""

    schema_: Annotated[Literal[2], Field(serialization_alias="schema")]
    window: WindowJson
    digests: tuple[DigestJson, ...]
    failed: tuple[FailureJson, ...]
    outlook: tuple[PointJson, ...]
    written: tuple[WrittenJson, ...]
    model: ModelJson | None
    ripples: tuple[RippleJson, ...] | None


def digest_json(
    digest: Digest,
    language: Language,
    surfaces: Sequence[Surface] = (),
    ripples: Sequence[Ripple] = (),
) -> Document:
    """Return a digest as one JSON document, with what concerns a codebase if one is given."""
    made = _digest(digest, language, surfaces, _ripples(ripples, surfaces))
    return made.model_dump(mode="json", by_alias=True)


def roundup_json(
    roundup: Roundup,
    language: Language,
    surfaces: Sequence[Surface] = (),
    ripples: Sequence[Ripple] = (),
) -> Document:
    """Return a roundup as one JSON document: window, digests, and what could not be looked at."""
    made = _made(
        RoundupJson,
        roundup,
        language=language,
        schema_=2,
        digests=tuple(_digest(digest, language, surfaces) for digest in roundup.digests),
        failed=tuple({"repo": repo, "why": why} for repo, why in roundup.failed),
        written=_written_of(roundup.remarks, roundup.model, language),
        ripples=_ripples(ripples, surfaces),
    )
    return made.model_dump(mode="json", by_alias=True)


def schema() -> Document:
    """Return the JSON Schema that every digest fulfils, as in `docs/digest.schema.json`."""
    made = DigestJson.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": SCHEMA_ADDRESS, **made}


def _lead(digest: Digest, written: Sequence[WrittenJson], language: Language) -> LeadJson:
    """Return what the page of a digest begins with; its headline where it has nothing."""
    reading = digest.reading
    if written:
        text = CATALOGUES[language].gap.join(each.text for each in written)
        cites = tuple(dict.fromkeys(key for each in written for key in each.cites))
        return LeadJson(text=text, cites=cites, by=written[0].by)
    outline = compose(reading, language)
    sentence = plain(mostly(outline, context(reading, CATALOGUES[language], language)))
    members = [key for strand in outline.lead.strands for key in strand.keys]
    bitten = [read.item.key for read in (*outline.bitten, *outline.new)]
    cites = tuple(dict.fromkeys(members or bitten)) if sentence else reading.front
    text = sentence or text_in(digest.headline, language)
    return LeadJson(text=text, cites=cites, by="rules")


def _digest(
    digest: Digest,
    language: Language,
    surfaces: Sequence[Surface],
    ripples: tuple[RippleJson, ...] | None = None,
) -> DigestJson:
    reading = digest.reading
    stories = {key: story.key for story in reading.stories for key in story.items}
    written = _written_of(digest.remarks, digest.model, language)
    return _made(
        DigestJson,
        reading,
        digest,
        language=language,
        schema_=2,
        origin="model" if written else "rules",
        lead=_lead(digest, written, language),
        facts=tuple(_fact(fact) for fact in reading.facts),
        items=tuple(
            _made(ItemJson, read.item, read, story=stories.get(read.item.key))
            for read in reading.items
        ),
        written=written,
        concerns=tuple(map(_concern, concerned(reading, surfaces))) if surfaces else None,
        ripples=ripples,
    )


def _written_of(
    remarks: Sequence[Remark], use: ModelUse | None, language: Language
) -> tuple[WrittenJson, ...]:
    by = use.model if use else ""
    return tuple(
        _made(WrittenJson, each, text=each.text[language], by=by)
        for each in lead_remarks(remarks, language)
    )


def _fact(fact: Fact) -> FactJson:
    """Return a fact as JSON; a changed default is a `default` that was `changed`."""
    is_default = fact.change is FactChange.DEFAULT
    return _made(
        FactJson,
        fact,
        what="default" if is_default else fact.subject,
        change="changed" if is_default else fact.change,
        evidence=_evidence(fact),
    )


def _evidence(fact: Fact | None) -> tuple[EvidenceJson, ...]:
    return tuple(_shown(one) for one in fact.evidence) if fact else ()


def _shown(one: Evidence) -> EvidenceJson:
    if one.source == "title":
        return EvidenceJson(title=one.quote)
    if one.source == "issue":
        return EvidenceJson(issue=one.item, quote=one.quote)
    if one.source == "body":
        return EvidenceJson(sentence=one.quote)
    return _made(
        EvidenceJson, one, path=one.path or None, side=one.side or None,
        title=None, sentence=None, issue=None,
    )  # fmt: skip


def _concern(one: Concerned) -> ConcernJson:
    use = one.use and _made(
        UseJson, one.use, path=one.use.place.path or None, line=one.use.place.line or None
    )
    evidence = _evidence(one.fact)
    return _made(ConcernJson, one, item=one.item.key, evidence=evidence, use=use)


def _ripples(
    ripples: Sequence[Ripple], surfaces: Sequence[Surface]
) -> tuple[RippleJson, ...] | None:
    """Return what reaches a pin of a codebase; None where none was given."""
    if not surfaces:
        return None
    return tuple(
        RippleJson(hops=tuple(map(_hop, one.hops)), pins=tuple(map(_pin, one.pins)))
        for one in ripples
    )


def _hop(hop: Hop) -> HopJson:
    return _made(HopJson, hop, hop.item, of=str(hop.of) if hop.of else None)


def _pin(pin: Pinned) -> PinnedJson:
    place = pin.use.place if pin.use else None
    return _made(
        PinnedJson, pin, path=place.path if place else None, line=place.line if place else None
    )
