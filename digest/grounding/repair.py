"""The words of what failed, for the one question in which a model may mend its sentences."""

from collections.abc import Sequence

from digest.grounding.verdict import Verdict


def complaint(verdicts: Sequence[Verdict]) -> str:
    """Give one line for each repairable draft: its number from 1, and what failed in it.

    Empty where nothing can be repaired. What failed is cut to a few words and stands in quotes;
    it is a model's or a stranger's text, so it is data in the question, never an instruction.
    """
    return ""
