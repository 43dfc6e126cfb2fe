"""Proven sentences read once more against their source: only what it states stands (pure).

Rules prove facts; whether a sentence joins them rightly is for a reader. A second question shows
the quoted passages and the sentences, without saying whose they are. It may only drop: a sentence
stands where the answer says so and copies words of the source for it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from digest.asking.marking import marked
from digest.asking.prompt import reading_request
from digest.asking.reply import BadReply, Reading, readings
from digest.claims import Claim, Failure
from digest.evidence import Evidence
from digest.grounding.plain import plain, stands
from digest.grounding.verdict import REREAD, Verdict
from digest.grounding.verification import VERIFIER_VERSION
from digest.languages import Language
from digest.ports import Model, Request

SHORTEST_WORDS = 8
"""Characters of words that are copied: fewer are in every source."""

YES = "yes"


def verifier(reader: Model | None) -> str:
    """Give by what sentences are proven: the rules, and who reads them a second time."""
    return f"{VERIFIER_VERSION}+{reader.name}" if reader else VERIFIER_VERSION


def question(
    verdicts: Sequence[Verdict], shown: Sequence[Evidence], beside: Sequence[Claim] = ()
) -> Request | None:
    """Give the one question about all claims of an item or a theme, None where there is none.

    `beside` are proven claims of the items of a theme: their quotes are its passages too.
    """
    claims = [each.claim for each in verdicts if each.claim]
    if not claims:
        return None
    cited = {key for claim in claims for key in claim.cites}
    source = [_passages(each, (*claims, *beside)) for each in shown if each.key in cited]
    return reading_request(source, [_sentence(claim) for claim in claims])


def after(verdicts: Sequence[Verdict], shown: Sequence[Evidence], text: str) -> tuple[Verdict, ...]:
    """Give the verdicts without the claims that an answer does not let stand.

    Raises `BadReply` where the answer cannot be read.
    """
    found = readings(text)
    source = "\n".join(plain(part) for each in shown for part in _texts(each))
    numbers = iter(range(1, len(verdicts) + 1))
    return tuple(
        _after(each, found.get(next(numbers)), source) if each.claim else each for each in verdicts
    )


def asked_about(claim: Claim, request: Request) -> int | None:
    """Give the number under which a stored question asked about a claim, None where it did not."""
    line = rf"(?m)^([0-9]+)\. {re.escape(marked(_sentence(claim)))}$"
    found = re.search(line, request.user)
    return int(found[1]) if found else None


def reread(
    verdicts: Sequence[Verdict], shown: Sequence[Evidence], request: Request, text: str
) -> tuple[Verdict, ...]:
    """Give the verdicts without the claims that the answer to a stored question did not let stand.

    An answer that cannot be read let nothing stand; of other claims it says nothing.
    """
    try:
        found = readings(text)
    except BadReply:
        found = {}
    source = "\n".join(plain(part) for each in shown for part in _texts(each))
    left = list(verdicts)
    for place, each in enumerate(verdicts):
        number = asked_about(each.claim, request) if each.claim else None
        if number is not None:
            left[place] = _after(each, found.get(number), source)
    return tuple(left)


def _after(verdict: Verdict, reading: Reading | None, source: str) -> Verdict:
    words = plain(reading.words) if reading else ""
    if reading is None:
        found = ""
    elif reading.stated != YES:
        found = reading.stated
    elif len(words) < SHORTEST_WORDS or not stands(words, source):
        found = f"not in the source: {reading.words}"[:80]
    else:
        return verdict
    failure = Failure(REREAD, "", found)
    return replace(verdict, claim=None, failures=(*verdict.failures, failure), repairable=False)


def _passages(evidence: Evidence, claims: Sequence[Claim]) -> Evidence:
    """Give of an item its title and the paragraphs and hunks that hold a quote, whole.

    Where none does, all that was shown of it: the title alone states little.
    """
    quotes = [plain(claim.quote) for claim in claims if evidence.key in claim.cites]
    body = tuple(text for text in evidence.body if any(each in plain(text) for each in quotes))
    hunks = tuple(
        hunk
        for hunk in evidence.hunks
        if any(each in plain(part) for part in _code(hunk.lines) for each in quotes)
    )
    return replace(evidence, body=body, hunks=hunks) if body or hunks else evidence


def _texts(shown: Evidence) -> Iterator[str]:
    yield shown.title
    yield from shown.body
    for hunk in shown.hunks:
        yield from _code(hunk.lines)


def _code(lines: Sequence[str]) -> tuple[str, str]:
    return " ".join(line[1:] for line in lines), " ".join(lines)


def _sentence(claim: Claim) -> str:
    return "\n".join(claim.text[each] for each in Language if each in claim.text)
