"""The morning thread: what a channel is told, in which order, before any platform draws it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.followups import FollowUp
from bot.parts import Part, Thread
from bot.subscriptions import Subscription
from digest.models import Digest, Language, Repo


def plan(
    digests: Sequence[Digest],
    failed: Sequence[tuple[Repo, str]],
    subscription: Subscription,
    *,
    open_followups: int = 0,
    nudged: Sequence[FollowUp] = (),
    page_url: str | None = None,
    untold_since: datetime | None = None,
    thread_urls: Mapping[str, str] | None = None,
) -> tuple[Thread, ...]:
    """Give the threads of one morning, in the order in which they are posted.

    `failed` are repositories that could not be looked at, with the sentence why. `page_url` is the
    address of the digests' pages, None where none is public. `untold_since` is that of the slot.
    A roundup comes first where the channel has several repositories; `thread_urls` are the
    addresses of the other threads by `OWNER/NAME`, known only once they are posted: plan again
    with them, render the first thread, and edit the posted message. No thread at all is given
    where nothing happened and the channel wants to hear nothing then.
    """
    raise NotImplementedError


def show_all(digest: Digest, language: Language, subscription: Subscription | None = None) -> Part:
    """Give every item by title (`SHOW_ALL`), after the channel's filters."""
    raise NotImplementedError


def show_rest(digest: Digest, language: Language, subscription: Subscription | None = None) -> Part:
    """Give what a thread tells by count alone (`SHOW_REST`), after the channel's filters."""
    raise NotImplementedError
