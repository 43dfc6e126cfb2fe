"""Whether what a model says of an item is in that item."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from digest.claims import Claim, ClaimKind, Draft, Failure
from digest.evidence import Evidence
from digest.grounding import (
    direction,
    figures,
    identifiers,
    names,
    negation,
    pairing,
    script,
    shape,
    sides,
    strength,
    subjects,
    substance,
)
from digest.grounding.atoms import Sentence, taken_apart
from digest.grounding.distinct import distinct, repeats_title
from digest.grounding.plain import folded, plain, spread
from digest.grounding.source import Diff, Source, source_of, sources_together
from digest.grounding.state import undone
from digest.grounding.verdict import Verdict
from digest.languages import Language

VERIFIER_VERSION = "11"
"""Part of the key under which verdicts are kept: it changes with every rule."""

MOST_DRAFTS = 60
"""Drafts about one item that are looked at; an analysis asks for far fewer."""

LONGEST_QUOTE = 600
SHORTEST_QUOTE = 8
"""Characters of a quote: a shorter one ("fix") is in every source, a longer one is no quote."""

_OF_FORM = frozenset({"format", "language", "length", "cut", "sentences"})

LONGEST_TEXT = 2_000
"""Characters of a sentence that is looked at at all."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """What one sentence is held against: the source, and what was quoted of it.

    `quote` is folded, in lower case, and stands at `place`; `near` is the hunk that this is, if it
    is one.
    """

    source: Source
    quote: str
    place: str
    near: Diff | None
    kind: ClaimKind


def verify(drafts: Sequence[Draft], evidence: Evidence) -> tuple[Verdict, ...]:
    """Judge the drafts about one item against that item's evidence alone.

    Gives one verdict for each draft, in the order of the drafts. Never raises: whatever a model
    wrote, of whatever length, is judged or dropped. A draft that cites another item than
    `evidence.key`, or more than it, is dropped. Of drafts that say the same, the first stays.
    """
    source = source_of(evidence)
    verdicts = [
        _judged(draft, source, evidence)
        if place < MOST_DRAFTS
        else Verdict(_cut(draft), None, (Failure("count", "", f"more than {MOST_DRAFTS}"),))
        for place, draft in enumerate(drafts)
    ]
    return distinct(verdicts)


def verify_theme(draft: Draft, theme: str, evidences: Sequence[Evidence]) -> Verdict:
    """Judge the sentence of a theme against the items that it cites, and no others.

    `theme` is a key of the wording (`theme.attention`) and is kept in the claim; `evidences` are
    those of the theme's items, in any order. At least two of them must be cited and must have
    something of the sentence; the claim cites those that have. A quote may be empty; one that is
    given must be in a cited item.
    """
    known = {each.key: each for each in evidences}
    cited = [known[key] for key in dict.fromkeys(draft.cites) if key in known]
    if len(cited) < 2 or len(cited) != len(set(draft.cites)):
        return Verdict(_cut(draft), None, (Failure("cites", "", ", ".join(draft.cites)[:80]),))
    union = sources_together(cited)
    place = ""
    if draft.quote.strip():
        if len(draft.quote) <= LONGEST_QUOTE:
            place = union.place_of(draft.quote, "title")
        if not place:
            return _without_quote(draft)
    ground = _ground(draft, union, place)
    verdict = _weighed(draft, ground)
    if verdict.claim is None:
        return verdict
    texts = " ".join(verdict.claim.text.values())
    shared = [each.key for each in cited if _shares(texts, source_of(each))]
    if len(shared) < 2:
        return replace(
            verdict,
            claim=None,
            failures=(*verdict.failures, Failure("cites", "", ", ".join(shared))),
            repairable=True,
        )
    return replace(verdict, claim=replace(verdict.claim, cites=tuple(shared), theme=theme))


def _judged(draft: Draft, source: Source, evidence: Evidence) -> Verdict:
    if draft.cites != (evidence.key,):
        return Verdict(_cut(draft), None, (Failure("cites", "", ", ".join(draft.cites)[:80]),))
    quote = plain(draft.quote) if len(draft.quote) <= LONGEST_QUOTE else ""
    place = source.place_of(draft.quote, draft.quote_from) if quote else ""
    whole_title = place == "title" and quote == source.places["title"]
    if not place or (len(quote) < SHORTEST_QUOTE and not whole_title):
        return _without_quote(draft)
    verdict = _weighed(draft, _ground(draft, source, place))
    return repeats_title(verdict, evidence.title)


def _ground(draft: Draft, source: Source, place: str) -> _Ground:
    quote = folded(draft.quote).lower()
    return _Ground(source, quote, place, source.diff(place), draft.kind)


def _weighed(draft: Draft, ground: _Ground) -> Verdict:
    """Hold each language against the source, then the languages against each other."""
    failures: list[Failure] = []
    passed: dict[Language, str] = {}
    apart: dict[Language, Sentence] = {}
    for language in Language:
        text = draft.text.get(language, "")
        if not text.strip():
            continue
        if language is Language.ZH and _is_disproven(failures):
            failures.append(Failure("languages", language, "the English sentence was not proven"))
            continue
        found = list(_found(text, language, ground, passed.get(Language.EN, "")))
        if found:
            failures += [Failure(check, language, words[:80]) for check, words in found]
            continue
        passed[language] = folded(text) if language is Language.EN else " ".join(text.split())
        apart[language] = _apart(text, language)
    if Language.EN in passed and Language.ZH in passed:
        differing = list(_differences(passed, apart, spread(ground.quote)))
        if differing:
            failures += [Failure("languages", Language.ZH, words[:80]) for words in differing]
            del passed[Language.ZH]
    elif Language.ZH in passed and not apart[Language.ZH].atoms:
        failures.append(Failure("languages", Language.ZH, "no English sentence that was proven"))
        del passed[Language.ZH]
    claim = None
    if passed:
        claim = Claim(draft.kind, draft.quote, ground.place, passed, draft.cites)
    elif not failures:
        failures.append(Failure("empty", "", ""))
    return Verdict(
        _cut(draft), claim, tuple(failures), bool(failures) and failures[0].check != "empty"
    )


def _is_disproven(failures: Sequence[Failure]) -> bool:
    """Tell whether the English sentence failed in what it says: the Chinese one says the same."""
    return any(each.language == Language.EN and each.check not in _OF_FORM for each in failures)


def _found(
    text: str, language: Language, ground: _Ground, english: str
) -> Iterator[tuple[str, str]]:
    """Give what is wrong with one sentence: the form first, since the rest trusts it.

    `english` is the English sentence, proven, when the Chinese one is looked at.
    """
    if len(text) > LONGEST_TEXT:
        yield "length", f"{len(text)} characters"
        return
    bad = list(shape.faults(text.strip(), language))
    if bad:
        yield from bad
        return
    source = ground.source
    known = f"{source.prose}\n{source.changed}\n{ground.quote}"
    if found := script.foreign(folded(text), language, known):
        yield "language", found
        return
    yield from _facts(text, language, ground)
    yield from _meaning(text, language, ground, english)


def _facts(text: str, language: Language, ground: _Ground) -> Iterator[tuple[str, str]]:
    source, sentence, lowered = ground.source, _apart(text, language), folded(text).lower()
    for atom in identifiers.unlicensed(sentence.atoms, source, ground.quote, ground.near):
        yield atom.kind.value, atom.text
    stretches = [source.title, *source.paragraphs, *source.facts, ground.quote]
    lines = _lines_about(sentence, source)
    if ground.near:
        lines += ground.near.whole.split("\n")
    path = spread(ground.near.path) if ground.near else ""
    for words in figures.unlicensed(sentence.rest, stretches, lines, len(sentence.atoms)):
        yield "number", words
    around = f"{source.words}\n{source.changed_words}\n{ground.near.whole if ground.near else ''}"
    for words in names.unlicensed(lowered, around):
        yield "name", words
    for words in names.numbered(lowered, f"{around}\n{source.prose}\n{source.changed}"):
        yield "version", words
    for words in names.rivals(lowered, f"{ground.quote}\n{source.title}\n{path}"):
        yield "name", words
    for words in direction.backwards(folded(text), source):
        yield "direction", words
    for words in direction.misplaced(folded(text), sentence.atoms, source):
        yield "direction", words
    for words in sides.on_the_wrong_side(folded(text), sentence.atoms, source):
        yield "direction", words
    for words in sides.taken_for_true(folded(text), ground.quote, ground.near):
        yield "direction", words


def _meaning(
    text: str, language: Language, ground: _Ground, english: str
) -> Iterator[tuple[str, str]]:
    source, sentence = ground.source, _apart(text, language)
    rest, chinese = sentence.rest, language is Language.ZH
    denials = folded(text).lower().replace("`", "")
    near = ground.near.words if ground.near else ""
    around = f"{source.words}\n{source.changed_words}\n{ground.quote}\n{near}"
    for words in subjects.unlicensed(rest, around):
        yield "subject", words
    for _, words in strength.unlicensed(
        rest,
        source,
        ground.quote,
        ground.near,
        alone=chinese and not english,
        english=english.lower(),
    ):
        yield "strength", words
    for words in direction.turned(rest, source, ground.quote, sentence.atoms):
        yield "direction", words
    for words in negation.undenied(denials, source, ground.quote, english.lower()):
        yield "polarity", words
    for words in negation.told_as_so(rest, english.lower() or ground.quote, chinese=chinese):
        yield "polarity", words
    if source.is_issue and (words := undone(text, source)):
        yield "state", words
    if chinese:
        if words := substance.unknown_latin(rest, source, english.lower()):
            yield "name", words
    elif short := shape.stops_short(text.strip(), lambda word: substance.is_known(word, source)):
        yield "cut", short
    elif missing := substance.unfounded(rest, source, ground.kind, named=bool(sentence.atoms)):
        yield "substance", ", ".join(missing[:6])
    if ground.quote and not english and not _is_about_the_quote(sentence, ground):
        yield "substance", ground.quote


def _is_about_the_quote(sentence: Sentence, ground: _Ground) -> bool:
    spelled = [atom.text for atom in sentence.atoms]
    checkable = bool(spelled) or bool(figures.numbers(sentence.rest))
    checkable = checkable or substance.share(sentence.rest, ground.source) >= substance.MOSTLY
    near = f"{ground.near.whole}\n{ground.near.words}" if ground.near else ""
    texts = (ground.quote, near)
    return any(
        substance.is_about(sentence.rest, text, spelled, checkable=checkable) for text in texts
    )


def _lines_about(sentence: Sentence, source: Source) -> list[str]:
    """Give the changed lines that hold a name of the sentence: its numbers may be from there."""
    spelled = [atom.text.lower() for atom in sentence.atoms if len(atom.text) > 2]
    lines = (line for diff in source.diffs for line in f"{diff.removed}\n{diff.added}".split("\n"))
    return [line for line in lines if any(name in line for name in spelled)]


def _differences(
    passed: dict[Language, str], apart: dict[Language, Sentence], quote: str
) -> Iterator[str]:
    en, zh = apart[Language.EN], apart[Language.ZH]
    strong = (strength.strengths(en.rest), strength.strengths(zh.rest))
    if subjects.subjects(en.rest) - subjects.subjects(zh.rest):
        yield from subjects.unlicensed(zh.rest, f"{spread(passed[Language.EN])}\n{quote}")
    yield from pairing.differences(en, zh, passed[Language.EN], passed[Language.ZH], strong)


def _apart(text: str, language: Language) -> Sentence:
    return taken_apart(folded(text), chinese=language is Language.ZH)


def _shares(texts: str, source: Source) -> bool:
    apart = taken_apart(folded(texts), chinese=False)
    whole = spread("\n".join((source.title, *source.paragraphs)))
    whole = f"{source.title}\n{whole}\n{source.changed_words}"
    spelled = [atom.text for atom in apart.atoms]
    return substance.is_about(apart.rest, whole, spelled, checkable=True)


def _without_quote(draft: Draft) -> Verdict:
    return Verdict(_cut(draft), None, (Failure("quote", "", draft.quote[:80]),))


def _cut(draft: Draft) -> Draft:
    """Keep of what is far too long to be a sentence only its beginning."""
    if len(draft.quote) <= LONGEST_TEXT and all(
        len(t) <= LONGEST_TEXT for t in draft.text.values()
    ):
        return draft
    text = {language: words[:LONGEST_TEXT] for language, words in draft.text.items()}
    return replace(draft, quote=draft.quote[:LONGEST_TEXT], text=text)
