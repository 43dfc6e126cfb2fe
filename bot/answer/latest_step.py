"""The last step of what takes minutes, told again only once it is another."""

from digest.phrase import Phrase
from digest.wording.phrases import SAY


class LatestStep:
    """Holds the newest step until somebody shows it."""

    def __init__(self) -> None:
        self._step: Phrase | None = None

    def tell(self, step: Phrase) -> None:
        """Take in a step; implements `digest.ports.Steps`."""
        self._step = step

    def fresh(self) -> Phrase | None:
        """Give what is to be said of a step that was not given before, None where there is none."""
        step, self._step = self._step, None
        return SAY.upgrades.making(step) if step else None
