"""Which sentences of a stored digest still stand: those that the rules of today proved."""

from dataclasses import replace

from digest.models import Digest, Origin


def standing(digest: Digest) -> Digest:
    """Give a digest as it may be told: as rules wrote it, where other rules of proof were in force.

    Whoever has a model gets its sentences again from kept answers; without one they are gone.
    """
    if not digest.claims:
        return digest
    # Its patterns take a while to compile, and most digests have no sentences to ask it about.
    from digest.grounding.verification import VERIFIER_VERSION

    if digest.model and digest.model.verifier.partition("+")[0] == VERIFIER_VERSION:
        return digest
    return replace(digest, claims=(), model=None, origin=Origin.RULES)
