"""Where a row belongs: its channel, as columns and as a condition."""

from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam

from bot.model.channels import Channel


def columns(channel: Channel) -> dict[str, Any]:
    """Give the columns that every row of a channel has."""
    return {
        "platform": channel.platform.value,
        "workspace": channel.workspace,
        "channel": channel.id,
    }


def within(table: Any, channel: Channel) -> tuple[ColumnElement[bool], ...]:
    """Give the condition that a row belongs to a channel."""
    return tuple(getattr(table, name) == value for name, value in columns(channel).items())


def of_channel(table: Table) -> tuple[ColumnElement[bool], ...]:
    """Give the condition that a row belongs to the channel whose `its` are given with it."""
    names = ("platform", "workspace", "channel")
    return tuple(table.c[name] == bindparam(f"its_{name}") for name in names)


def its(channel: Channel) -> dict[str, str]:
    """Give what `of_channel` asks for."""
    return {f"its_{name}": value for name, value in columns(channel).items()}


def turn(channel: Channel) -> str:
    """Name the turn in which one process at a time changes what a channel has."""
    return f"channel {channel}"
