"""Two kinds of columns that both databases keep alike: moments and packed bytes."""

import zlib
from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

SMALLEST_TO_COMPRESS = 512
"""Bytes under which compressing saves nothing worth the time."""

_PLAIN, _ZLIB = b"=", b"z"


class Moment(TypeDecorator[datetime]):
    """An aware moment in UTC; SQLite forgets the zone and gets it back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the database UTC; a `ValueError` names a moment without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back an aware moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Packed(TypeDecorator[bytes]):
    """Bytes, compressed where they are long; patches shrink to about a fifth."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Give the database a mark and the bytes, compressed or as they are."""
        if value is None:
            return None
        if len(value) < SMALLEST_TO_COMPRESS:
            return _PLAIN + value
        return _ZLIB + zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Give back the bytes as they were bound."""
        if value is None:
            return None
        value = bytes(value)
        return value[1:] if value[:1] == _PLAIN else zlib.decompress(value[1:])
