"""The quote of a proven sentence, cut from the source: a reader never sees a model's copy (pure).

A quote is proven by what it says: a model may write it with other spaces, hyphens, quotation
marks or case. What is shown is the source's own characters at that place.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from digest.claims import Draft, Failure
from digest.evidence import Evidence
from digest.grounding.instructions import is_instruction
from digest.grounding.plain import plain
from digest.grounding.verdict import Verdict
from digest.grounding.verification import verify, verify_theme

_LINE_PLACE = re.compile(r"\bh\d{1,5}[+\- ]\d{1,7}\|", re.ASCII)
_EDGES = " .,;:!?。，；：！？'\"()"
"""What may stand around a quote that the source does not have there."""


def judged(drafts: Sequence[Draft], evidence: Evidence) -> tuple[Verdict, ...]:
    """Judge drafts about one item, as `verify` does, with their quotes cut from it."""
    return tuple(_cut(verdict, [evidence]) for verdict in verify(drafts, evidence))


def judged_theme(draft: Draft, theme: str, evidences: Sequence[Evidence]) -> Verdict:
    """Judge the sentence of a theme, as `verify_theme` does, with its quote cut from an item."""
    return _cut(verify_theme(draft, theme, evidences), evidences)


def _cut(verdict: Verdict, evidences: Sequence[Evidence]) -> Verdict:
    claim = verdict.claim
    if claim is None or not claim.quote.strip():
        return verdict
    for text in _places(claim.quote_from, evidences):
        if quote := cut(claim.quote, text):
            return replace(verdict, claim=replace(claim, quote=quote))
    # What was found there and cannot be pointed at is no quote.
    failure = Failure("quote", "", claim.quote[:80])
    return replace(verdict, claim=None, failures=(*verdict.failures, failure), repairable=False)


def _places(place: str, evidences: Sequence[Evidence]) -> Iterator[str]:
    """Give the texts that a quote can be from: the named place first, code without signs first."""
    for each in evidences:
        hunks = {hunk.id: [x for x in hunk.lines if not is_instruction(x)] for hunk in each.hunks}
        texts = {"title": [each.title], "body": list(each.body)}
        for name, lines in hunks.items():
            texts[name] = ["\n".join(line[1:] for line in lines), "\n".join(lines)]
        # The hunks of a theme's items are numbered otherwise.
        named = texts.get(place)
        found = [named] if named and len(evidences) == 1 else list(texts.values())
        yield from (text for group in found for text in group)


def cut(quote: str, text: str) -> str:
    """Give the piece of a text that a quote copies, with the text's own characters, or nothing."""
    wanted = _LINE_PLACE.sub(" ", quote).strip()
    if wanted in text:
        return wanted
    source = _Squeezed.of(text)
    for form in (wanted, wanted.strip(_EDGES)):
        if piece := source.piece(form):
            return piece
    return ""


@dataclass(frozen=True, slots=True)
class _Squeezed:
    """A text without what `plain` makes alike, and where each character of that stands in it."""

    text: str
    letters: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "_Squeezed":
        letters: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for start, end in _characters(text):
            for letter in _squeezed(text[start:end]):
                letters.append(letter)
                starts.append(start)
                ends.append(end)
        return cls(text, "".join(letters), tuple(starts), tuple(ends))

    def piece(self, quote: str) -> str:
        """Give the piece that reads as a quote does; rather one whose words are parted alike."""
        wanted = _squeezed(quote)
        loose = ""
        at = self.letters.find(wanted) if wanted else -1
        while at >= 0:
            piece = self.text[self.starts[at] : self.ends[at + len(wanted) - 1]]
            if plain(piece) == plain(quote):
                return piece
            loose = loose or piece
            at = self.letters.find(wanted, at + 1)
        return loose


def _squeezed(text: str) -> str:
    return "".join(plain(text).split()).replace("*", "")


def _characters(text: str) -> Iterator[tuple[int, int]]:
    """Give start and end of each character with the marks that combine with it."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not unicodedata.combining(text[place]):
            yield start, place
            start = place
