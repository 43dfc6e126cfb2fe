"""Who is a stranger on Slack: guests, who left, and people of other organisations."""

from collections.abc import Mapping
from typing import Any

from adapters.slack.web import Identity

GUEST = ("is_restricted", "is_ultra_restricted", "is_stranger", "deleted")
"""Of a user object: https://docs.slack.dev/reference/objects/user-object"""


def is_stranger(user: Mapping[str, Any], own: Identity) -> bool:
    """Tell whether somebody is a guest, left, or is of another organisation, or does not say.

    In an organisation of several workspaces people may belong to another one of them:
    https://docs.slack.dev/enterprise/developing-for-enterprise-orgs
    """
    if any(user.get(key) for key in GUEST):
        return True
    of = user.get("enterprise_user") or {}
    if own.enterprise and of.get("enterprise_id") == own.enterprise:
        return False
    return user.get("team_id") != own.team
