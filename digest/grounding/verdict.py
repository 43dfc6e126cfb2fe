"""What grounding decides of one draft."""

from dataclasses import dataclass

from digest.claims import Claim, Draft, Failure

REREAD = "reading"
"""The check that is a second reading, after all rules."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A draft with what was proven of it, and every reason why some or all of it was not.

    `claim` holds only the languages that passed every check; it is None where none did.
    `repairable` tells that the model may be asked once to say it otherwise: the quote was found
    and something of the wording was not. A claim in one language can be repairable too: it may be
    told as it is, or the other language asked for.
    """

    draft: Draft
    claim: Claim | None
    failures: tuple[Failure, ...] = ()
    repairable: bool = False

    @property
    def reread(self) -> bool:
        """Tell whether the rules proved it and a second reading dropped it."""
        return any(failure.check == REREAD for failure in self.failures)
