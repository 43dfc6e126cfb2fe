"""The questions to a model, each from a versioned file and one item's evidence (pure).

A question is a fixed system text, which a server can keep in its cache, and a text of one's own:
our facts, the strangers' words between marks, and the task once more at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from digest.asking.cleaning import clean
from digest.asking.marking import Naming, enclosed, marked, named_by_content
from digest.asking.schemas import GLOSS_KINDS, claims_schema, reading_schema, theme_schema
from digest.asking.tokens import tokens
from digest.claims import Claim, ClaimKind
from digest.evidence import Evidence, Hunk
from digest.languages import Language
from digest.models import ReadItem, Theme
from digest.ports import Request
from digest.reading.hunk_worth import worth

VERSIONS = {"gloss": "1", "analysis": "1", "theme": "1", "repair": "1", "reading": "1"}
"""The file of each task that is asked now, `prompts/TASK-VERSION.txt`; older ones stay."""

GLOSS_OUTPUT = 3_000
"""Tokens that an answer may take; most take a tenth, the rest is for models that think aloud."""
THEME_OUTPUT = 2_000
ANALYSIS_OUTPUT = 8_000
READING_OUTPUT = 2_500

TITLE_TOKENS = 350
"""A longer title is no title; the item is asked about without it."""
GLOSS_PATHS = 80
ANALYSIS_PATHS = 800
THEME_DATA = 900
"""Tokens of titles, claims and quotes of a theme's items; whole items are left out at the end."""

_OURS = ("kind", "state", "files", "added lines", "removed lines")
"""Facts that no stranger wrote: they may stand outside the marks."""

_RULE = "\n=====\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file: its parts, between lines of `=====`, and its version."""

    version: str
    parts: tuple[str, ...]


def gloss_request(read: ReadItem, evidence: Evidence, naming: Naming = named_by_content) -> Request:
    """Ask for up to three claims about one item; `reply.drafts(text, evidence.key)` reads them."""
    return _about_one("gloss", read, evidence, naming)


def analysis_request(
    read: ReadItem, evidence: Evidence, naming: Naming = named_by_content
) -> Request:
    """Ask for the analysis of one change; `reply.drafts(text, evidence.key)` reads it."""
    return _about_one("analysis", read, evidence, naming)


def theme_request(
    theme: Theme,
    evidences: Sequence[Evidence],
    claims: Sequence[Claim],
    naming: Naming = named_by_content,
) -> Request:
    """Ask for one sentence about several items, given their titles and proven claims.

    `reply.theme_drafts(text, keys)` reads it, `keys` being those of `evidences` in this order.
    """
    prompt = _prompt("theme")
    system, ask = prompt.parts
    shown = list(_members(evidences, claims))
    subject = theme.name.removeprefix("theme.").replace("_", " ")
    data = enclosed("\n".join(shown), naming)
    return Request(
        task="theme",
        version=prompt.version,
        about=" ".join(each.key for each in evidences[: len(shown)]),
        system=system,
        user=f"Subject: {subject}\nItems shown: {len(shown)} of {len(evidences)}\n{data}\n{ask}",
        schema=theme_schema(),
        most_output_tokens=THEME_OUTPUT,
    )


def reading_request(
    shown: Sequence[Evidence], sentences: Sequence[str], naming: Naming = named_by_content
) -> Request:
    """Ask whether sentences, numbered from 1, are stated by what is shown of their items.

    `reply.readings(text)` reads it.
    """
    prompt = _prompt("reading")
    system, ask = prompt.parts
    source = enclosed("\n".join(line for each in shown for line in _data(each, 0)), naming)
    numbered = (f"{number}. {marked(each)}" for number, each in enumerate(sentences, 1))
    return Request(
        task="reading",
        version=prompt.version,
        about=" ".join(each.key for each in shown),
        system=system,
        user=f"{source}\n{enclosed(chr(10).join(numbered), naming)}\n{ask}",
        schema=reading_schema(),
        most_output_tokens=READING_OUTPUT,
    )


def repair_request(
    request: Request, answer: str, complaint: str, naming: Naming = named_by_content
) -> Request:
    """Ask again, once, for what failed.

    `complaint` has a line for each claim that failed, with its number from 1. The answer has the
    shape of that to `request`, with only the claims named there, in their order.
    """
    prompt = _prompt("repair")
    before, between, ask = prompt.parts
    parts = (
        request.user,
        before,
        enclosed(clean(answer).strip(), naming),
        between,
        enclosed(clean(complaint).strip(), naming),
        ask,
    )
    return replace(request, task="repair", version=prompt.version, user="\n".join(parts))


def _about_one(task: str, read: ReadItem, evidence: Evidence, naming: Naming) -> Request:
    is_gloss = task == "gloss"
    prompt = _prompt(task)
    system, ask = prompt.parts
    paths = GLOSS_PATHS if is_gloss else ANALYSIS_PATHS
    data = enclosed("\n".join(_data(evidence, paths)), naming)
    head = "\n".join(_head(read, evidence))
    return Request(
        task=task,
        version=prompt.version,
        about=evidence.key,
        system=system,
        user=f"{head}\n{data}\n{ask}",
        schema=claims_schema(GLOSS_KINDS if is_gloss else tuple(ClaimKind)),
        most_output_tokens=GLOSS_OUTPUT if is_gloss else ANALYSIS_OUTPUT,
    )


def _head(read: ReadItem, evidence: Evidence) -> Iterator[str]:
    """What we say of an item; nothing here depends on the day that it is told in."""
    yield from (fact for fact in evidence.facts if fact.partition(": ")[0] in _OURS)
    yield f"type by our rules: {read.purpose} of {read.object}"
    yield f"shown of its description: {len(evidence.body)} of {evidence.paragraphs} paragraphs"
    if evidence.hunks_total:
        yield f"shown of its diff: {len(evidence.hunks)} of {evidence.hunks_total} hunks"


def _data(evidence: Evidence, path_tokens: int) -> Iterator[str]:
    if tokens(evidence.title) <= TITLE_TOKENS:
        yield f"title: {marked(evidence.title)}"
    paths: list[str] = []
    for fact in evidence.facts:
        name, _, said = fact.partition(": ")
        if name == "path":
            paths.append(said)
        elif name not in _OURS and name != "purpose":
            yield f"{name}: {marked(said)}"
    yield from (f"path: {marked(path)}" for path in _first_paths(paths, path_tokens))
    for paragraph in evidence.body:
        yield f"body: {marked(paragraph)}"
    for hunk in evidence.hunks:
        yield from _hunk(hunk)


def _first_paths(paths: Sequence[str], budget: int) -> Iterator[str]:
    """The paths that are most worth showing, whole, while they fit."""
    left = budget
    for path in sorted(paths, key=worth):
        left -= tokens(path) + 2
        if left < 0:
            return
        yield path


def _hunk(hunk: Hunk) -> Iterator[str]:
    """The lines of a hunk with their places; a removed line has that of the line after it."""
    yield f"hunk {hunk.id} of {hunk.path}"
    number = hunk.start
    for line in hunk.lines:
        yield f"{hunk.id}+{number}|{line}"
        number += not line.startswith("-")


def _members(evidences: Sequence[Evidence], claims: Sequence[Claim]) -> Iterator[str]:
    left = THEME_DATA
    for number, each in enumerate(evidences, 1):
        lines = [f"i{number} title: {marked(each.title)}"]
        for claim in claims:
            if claim.cites == (each.key,):
                said = claim.text.get(Language.EN) or claim.text.get(Language.ZH, "")
                lines.append(f"i{number} proven: {marked(said)}")
                lines.append(f"i{number} words: {marked(clean(claim.quote))}")
        text = "\n".join(lines)
        left -= tokens(text)
        if left < 0:
            return
        yield text


@cache
def _prompt(task: str) -> Prompt:
    version = VERSIONS[task]
    text = (files("digest.asking") / "prompts" / f"{task}-{version}.txt").read_text("utf-8")
    return Prompt(version, tuple(part.strip() for part in text.split(_RULE)))
