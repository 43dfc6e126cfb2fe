"""Leases by name: what one process at a time may do, renewed by heartbeats until it is done."""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, text

from digest.store.columns import Moment
from digest.store.database import Stored

LONGEST_LEASE = timedelta(minutes=15)
"""No lease is this long: one that seems to be was taken by a clock that ran ahead."""

_TAKE = text(
    "INSERT INTO hold (name, owner, until) VALUES (:name, :owner, :until) "
    "ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until "
    "WHERE hold.owner = excluded.owner OR hold.until <= :now OR hold.until > :longest"
).bindparams(*(bindparam(name, type_=Moment) for name in ("until", "now", "longest")))
_RELEASE = text("DELETE FROM hold WHERE name = :name AND owner = :owner")


class Leases(Stored):
    """Leases of all processes. Every method raises `StoreFailed`."""

    async def take(self, name: str, owner: str, now: datetime, until: datetime) -> bool:
        """Take or renew a lease; return False while another owner has it."""
        given = {"name": name, "owner": owner, "now": now, "until": until}
        given["longest"] = now + LONGEST_LEASE
        taken = await self._execute(_TAKE, _turn(name), given)
        return bool(taken)

    async def release(self, name: str, owner: str) -> None:
        """Return up a lease; one of another owner stays."""
        given = {"name": name, "owner": owner}
        await self._execute(_RELEASE, _turn(name), given)


def _turn(name: str) -> str:
    return f"lease {name}"
