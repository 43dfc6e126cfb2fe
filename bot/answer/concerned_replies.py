"""A digest that was asked for, beginning with what of it concerns codebases."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.model.replies import AnalysisReply, DigestReply, Reply, RoundupReply
from digest.concern.rippling import Rippling
from digest.concern.surface import Surface
from digest.models import Digest, Repo


async def with_concerns(
    reply: Reply,
    surfaces: Sequence[Surface],
    rippling: Rippling,
    may_hear: Callable[[Repo], Awaitable[bool]],
) -> Reply:
    """Give a reply with surfaces and ripples, where it is of digests and there are surfaces.

    `may_hear` tells which repositories may be told of.
    """
    digests: tuple[Digest, ...]
    match reply:
        case RoundupReply(roundup):
            digests = roundup.digests
        case DigestReply(digest):
            digests = (digest,)
        case AnalysisReply(day):
            digests = (day.digest,)
        case _:
            return reply
    if not surfaces:
        return reply
    readings = [digest.reading for digest in digests]
    ripples = await rippling.of(readings, surfaces, may_hear) if readings else ()
    return replace(reply, surfaces=tuple(surfaces), ripples=ripples)
