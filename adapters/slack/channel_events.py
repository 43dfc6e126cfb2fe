"""What Slack tells of channels and of the app itself: archived, deleted, left, uninstalled, back.

A channel's name is stored nowhere, so a renamed one needs nothing. Events may come late or not at
all; what a delivery meets and a daily look tell the same.
"""

from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp

from adapters.operations.background import Background
from adapters.slack.web import Identity
from bot.deliver.unreachable_channels import Absence, UnreachableChannels
from bot.model.channels import Channel, Platform

GONE = {
    "channel_archive": Absence.ARCHIVED,
    "group_archive": Absence.ARCHIVED,
    "channel_deleted": Absence.DELETED,
    "group_deleted": Absence.DELETED,
    "channel_left": Absence.LEFT,
    "group_left": Absence.LEFT,
}
BACK = ("channel_unarchive", "group_unarchive")
JOINED = "member_joined_channel"
UNINSTALLED = ("app_uninstalled", "tokens_revoked")
"""https://docs.slack.dev/reference/events; `channel_*` are public channels, `group_*` private."""

log = structlog.get_logger()


class ChannelEvents:
    """Hears of the channels of one workspace."""

    def __init__(
        self, unreachable: UnreachableChannels, background: Background, identity: Identity
    ) -> None:
        self._unreachable = unreachable
        self._background = background
        self._identity = identity

    def listen(self, app: AsyncApp) -> None:
        """Tell the app what to call; `manifest.yaml` names the same events."""
        for name in (*GONE, *BACK, JOINED, *UNINSTALLED):
            app.event(name)(self.on_event)

    async def on_event(self, body: dict[str, Any]) -> None:
        """Take in one event."""
        event = body.get("event") or {}
        kind, place = event.get("type"), event.get("channel")
        if kind in UNINSTALLED:
            self._uninstalled(kind, event)
            return
        if not isinstance(place, str) or not place:
            return
        channel = Channel(Platform.SLACK, self._identity.team, place)
        if kind in GONE:
            self._background.start(self._unreachable.gone(channel, GONE[kind]), f"slack {kind}")
        elif kind in BACK or event.get("user") == self._identity.user:
            self._background.start(self._unreachable.back(channel), f"slack {kind}")

    def _uninstalled(self, kind: str, event: dict[str, Any]) -> None:
        """Take in that the bot's token is gone; those of people are none of the bot's."""
        revoked = (event.get("tokens") or {}).get("bot") or ()
        if kind == "tokens_revoked" and self._identity.user not in revoked:
            return
        log.error("slack app removed", team=self._identity.team, by=kind)
        team = self._identity.team
        self._background.start(
            self._unreachable.workspace_gone(Platform.SLACK, team), f"slack {kind}"
        )
