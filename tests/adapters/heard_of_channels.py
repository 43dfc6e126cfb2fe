"""Keeps what a face tells of channels and workspaces that go and come back."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from bot.deliver.unreachable_channels import Absence
from bot.model.channels import Channel, Platform


@dataclass
class Lives:
    """Stands for `bot.deliver.unreachable_channels.UnreachableChannels`."""

    said: list[tuple[Any, ...]] = field(default_factory=list)

    async def gone(self, channel: Channel, kind: Absence) -> None:
        self.said.append(("gone", channel, kind))

    async def back(self, channel: Channel, *, certain: bool = True) -> None:
        self.said.append(("back", channel, certain))

    async def workspace_gone(self, platform: Platform, workspace: str) -> None:
        self.said.append(("workspace gone", platform, workspace))

    async def workspace_back(self, platform: Platform, workspace: str) -> None:
        self.said.append(("workspace back", platform, workspace))

    async def present(self, platform: Platform, workspaces: Collection[str]) -> None:
        self.said.append(("present", platform, sorted(workspaces)))
