"""A webhook that gets each change of a follow-up: one signed POST of JSON for each.

``X-Infra-Signature-256`` is ``sha256=`` and the HMAC of ``TIMESTAMP.BODY`` with the secret, in
hexadecimal, as GitHub's and Slack's are; ``X-Infra-Timestamp`` has the seconds, so that a receiver
can refuse what is old, and ``X-Infra-Delivery`` is the same when a change comes again.
"""

import hashlib
import hmac

import httpx

from bot.followups.webhook_queue import HookFailed, HookRefused
from digest.ports import Clock

SECONDS = 10.0
REFUSALS = {400, 413, 415, 422}
"""Answers that say that this very change is never taken."""


class Webhook:
    """Posts changes to one address; redirects are not followed."""

    def __init__(self, url: str, secret: str, clock: Clock) -> None:
        self._url = url
        self._secret = secret.encode()
        self._clock = clock
        self._client = httpx.AsyncClient(timeout=SECONDS, follow_redirects=False)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def post(self, delivery: str, body: bytes) -> None:
        """Post one change; raises `HookFailed`, whose sentence has nothing of the address."""
        timestamp = str(int(self._clock().timestamp()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "infra-digest",
            "X-Infra-Delivery": delivery,
            "X-Infra-Timestamp": timestamp,
            "X-Infra-Signature-256": f"sha256={signature(self._secret, timestamp, body)}",
        }
        try:
            async with self._client.stream(
                "POST", self._url, content=body, headers=headers
            ) as answer:
                status = answer.status_code
        except httpx.TimeoutException as fault:
            raise HookFailed("INFRA_WEBHOOK_URL does not answer in time") from fault
        except (httpx.HTTPError, httpx.InvalidURL) as fault:
            raise HookFailed("INFRA_WEBHOOK_URL could not be reached: check it") from fault
        if status in REFUSALS:
            raise HookRefused(f"INFRA_WEBHOOK_URL answered {status}")
        if not 200 <= status < 300:
            raise HookFailed(f"INFRA_WEBHOOK_URL answered {status}")


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of a change, in hexadecimal."""
    return hmac.new(secret, f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
