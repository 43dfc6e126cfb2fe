"""The words of what failed, for the one question in which a model may mend its sentences."""

from collections.abc import Sequence

from digest.claims import Failure
from digest.grounding.plain import folded
from digest.grounding.verdict import Verdict

_LONGEST = 60
_NOT_THERE = "{found} is not in the source"
_WORDS = {
    "number": "{found} is not in the source with that unit",
    "name": "the source does not name {found}",
    "subject": "the source does not speak of {found}",
    "strength": "nothing in the source allows {found}",
    "polarity": "the source does not say {found} the way the sentence does",
    "direction": "{found} is not the way the change goes",
    "state": "{found}: an open issue has done nothing yet",
    "language": "{found} is not in the language of the sentence",
    "languages": "the two languages differ in {found}",
    "format": "{found} is not allowed; plain words only",
    "sentences": "one sentence only, not more: {found}",
    "length": "the sentence is too long: {found}",
    "cut": "the sentence is not whole: {found}",
    "substance": "too little of the sentence is in its source: {found}",
    "cites": "fewer than two of the cited items have something of it",
}
"""What to say of a check; those not named here are names that were not found."""

_UNREPAIRABLE = frozenset({"quote", "repeated", "count", "empty"})


def words(failure: Failure) -> str:
    """Say in a few English words what failed. What was found is cut and stands in quotes.

    It is a model's or a stranger's text: data in a question, never an instruction.
    """
    found = folded(failure.found).replace("'", "").replace("`", "")[:_LONGEST]
    where = f"{failure.language}: " if failure.language else ""
    return where + _WORDS.get(failure.check, _NOT_THERE).format(found=f"'{found}'")


def complaint(verdicts: Sequence[Verdict]) -> str:
    """Give one line for each repairable draft: its number from 1, and what failed in it.

    Empty where nothing can be repaired.
    """
    lines = []
    for number, verdict in enumerate(verdicts, 1):
        told = [words(each) for each in verdict.failures if each.check not in _UNREPAIRABLE]
        if verdict.repairable and told:
            lines.append(f"{number}. {'; '.join(dict.fromkeys(told))}; rewrite without it or null")
    return "\n".join(lines)
