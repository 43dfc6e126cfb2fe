"""Whole mornings of invented repositories, drawn by every platform."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from bot.compose.pages import PageAddress
from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan
from bot.model.parts import Thread
from digest.languages import Language
from tests.bot import morning_of_gaps
from tests.bot.channels_invented import FLINT, GLAZE, WEEKEND, followup, subscription, told
from tests.digest.writing import edited, invented

LONG_AGO = datetime(2026, 1, 5, 16, tzinfo=UTC)
ZH = Language.ZH


def busy(language: Language = Language.EN, page_url: str = "") -> tuple[Thread, ...]:
    return plan(
        [told(invented.busy())],
        [],
        subscription(language=language, without=frozenset({"bots"})),
        ParentExtras(
            open_followups=3,
            nudged=[followup(taken_by="wren")],
            pages=PageAddress(page_url) if page_url else None,
        ),
    )


def roundup(thread_url: str) -> tuple[Thread, ...]:
    """Give the roundup alone; the busy repository's thread stands at an address."""
    digests = [told(invented.busy()), told(invented.gap(), FLINT), told(invented.quiet(), GLAZE)]
    chosen = subscription(invented.REPO, FLINT, GLAZE)
    urls = {str(invented.REPO): thread_url}
    return plan(digests, [], chosen, ParentExtras(open_followups=2), thread_urls=urls)[:1]


MORNINGS: Mapping[str, Callable[[], tuple[Thread, ...]]] = {
    "edited": lambda: plan([edited.whole()], [], subscription()),
    "edited_zh": lambda: plan([edited.DAYS["edited-partly"]()], [], subscription(language=ZH)),
    "edited_late": lambda: plan([edited.DAYS["edited-late"]()], [], subscription()),
    "edited_hostile": lambda: plan([edited.hostile()], [], subscription()),
    "quiet": lambda: plan([told(invented.quiet())], [], subscription()),
    "one_release": lambda: plan([told(invented.one_release())], [], subscription()),
    "gap": lambda: plan([told(invented.gap())], [], subscription()),
    "gaps": lambda: morning_of_gaps.morning()[:1],
    "gaps_zh": lambda: morning_of_gaps.morning(ZH)[:1],
    "hostile": lambda: plan([told(invented.hostile())], [], subscription()),
    "many": lambda: plan([told(invented.many(300))], [], subscription()),
    "catch_up": lambda: plan(
        [told(invented.busy(), window=WEEKEND)],
        [],
        subscription(),
        ParentExtras(untold_since=LONG_AGO),
    ),
}
"""Those in which no address of the platform or the page stands."""
