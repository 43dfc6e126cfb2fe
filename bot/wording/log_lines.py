"""What happened to a channel, a line each."""

from datetime import UTC, tzinfo

from bot.model.channel_log import LogEntry, LogKind
from digest.errors import BadWindow
from digest.languages import Language
from digest.windows import zone_named
from digest.wording.saying import CATALOGUES, said

LONGEST = 200


def line(entry: LogEntry, tz: str, language: Language) -> str:
    """Say one thing with its moment on a zone's clock."""
    words = CATALOGUES[language].state
    match entry.kind:
        case LogKind.CHANGED:
            told = words.changed(entry.who, entry.what)
        case LogKind.TOLD:
            told = words.told(entry.what)
        case LogKind.FAILED:
            told = words.failed(said(entry.why, language))
    told = told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
    try:
        zone: tzinfo = zone_named(tz)
    except BadWindow:  # a zone that this machine does not know any more
        zone = UTC
    return f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M} {told}"
