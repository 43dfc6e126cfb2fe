"""A follow-up as a row for programs: in JSON, in CSV, and in what a webhook gets (pure)."""

from datetime import UTC, datetime
from typing import Any

from bot.model.followups import FollowUp

SCHEMA = 1
"""Of what a webhook gets: fields are added, none is taken away or changes its meaning."""


def followup_row(followup: FollowUp) -> dict[str, Any]:
    """Give what is known of a follow-up; moments are ISO 8601 in UTC."""
    following = followup.following
    seen = following.seen if following else None
    return {
        "channel": str(followup.channel),
        "item": followup.item_key,
        "ref": followup.ref,
        "title": followup.title,
        "url": followup.url,
        "state": followup.state.value,
        "opened_at": moment(followup.opened_at),
        "flagged_by": [_person(followup, id) for id in sorted(followup.flagged_by)],
        "owner": _person(followup, followup.taken_by),
        "done_by": _person(followup, followup.done_by),
        "nudged_at": moment(followup.nudged_at),
        "upstream": {
            "state": seen.state.value if seen.state else "missing",
            "reverted_by": seen.reverted_by or None,
            "fix": seen.fix or None,
            "release": seen.release or None,
            "amended": seen.amended,
            "pin": following.told.pin or None,
            "looked_at": moment(following.looked_at),
        }
        if following and seen
        else None,
    }


def change_row(followup: FollowUp, change: str, person: str | None, at: datetime) -> dict[str, Any]:
    """Give one change of a follow-up, with how it stands after it; `person` is whose it is."""
    return {
        "schema": SCHEMA,
        "change": change,
        "at": moment(at),
        "by": _person(followup, person),
        "followup": followup_row(followup),
    }


def _person(followup: FollowUp, id: str | None) -> dict[str, str] | None:
    return {"id": id, "name": followup.name_of(id)} if id else None


def moment(at: datetime | None) -> str | None:
    """Write a moment as programs read it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None
