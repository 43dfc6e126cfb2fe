"""Writing without a model: a reading in, a digest in every language out."""

from datetime import datetime

from digest.models import Digest, Reading


def write(reading: Reading, generated_at: datetime) -> Digest:
    """Write the sentences of a reading, in every language, from rules alone."""
    raise NotImplementedError


class RulesWriter:
    """The writer that asks nobody (a `ports.Writer`)."""

    async def write(self, reading: Reading, generated_at: datetime) -> Digest:
        """Write the digest in every language."""
        return write(reading, generated_at)
