"""A digest with those of its changes that were looked at whole."""

from dataclasses import dataclass

from digest.models import Change, Digest
from digest.phrase import Phrase


@dataclass(frozen=True, slots=True)
class AnalysedDay:
    """The digest of a window and its high changes, each with hunks; told as an analysis.

    A high change that could not be looked at whole is not among `changes`: `failed` has its key,
    and why.
    """

    digest: Digest
    changes: tuple[Change, ...] = ()
    failed: tuple[tuple[str, Phrase], ...] = ()
