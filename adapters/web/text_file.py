"""The body of an answer as the text of a file, of no more than a surface's may have."""

import aiohttp

from bot.model.concerns import MOST_MEGABYTES
from digest.errors import UsageError
from digest.wording.phrases import SAY

MOST_BYTES = MOST_MEGABYTES * 1_000_000


async def text_of(answer: aiohttp.ClientResponse, name: str) -> str:
    """Read a body; raises `UsageError`, by its name, for one that is too large or no text."""
    body = bytearray()
    async for piece in answer.content.iter_chunked(1 << 16):
        body += piece
        if len(body) > MOST_BYTES:
            raise UsageError(SAY.concerns.too_large(name, MOST_MEGABYTES))
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise UsageError(SAY.concerns.not_text(name)) from error
