"""A window as people say it: `Thu 19 Feb`, `Fri 6 Feb – Sun 8 Feb`, `2月19日 周四`."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from digest.languages import Language
from digest.models import Window
from digest.wording.saying import CATALOGUES

INSTANT = timedelta(microseconds=1)


def dates(window: Window, language: Language) -> str:
    """Name the days of a window in its own zone, and how far it goes if it is not over."""
    words = CATALOGUES[language].dates
    first, last = _ends(window)
    first_day = day(first.date(), language)
    if first.date() != last.date():
        first_day = words.several_days.format(first=first_day, last=day(last.date(), language))
    if window.partial:
        first_day = words.until.format(day=first_day, time=_time(window))
    return first_day


def span(window: Window, language: Language) -> str:
    """Say how much of its days a window holds, and in which zone: `all day, UTC`."""
    words = CATALOGUES[language]
    first, last = _ends(window)
    days = (last.date() - first.date()).days + 1
    if days > 1:
        return f"{words.thread.days(days)}{words.pause}{window.tz}"
    if window.partial:
        return f"00:00–{_time(window)}{words.pause}{window.tz}"
    return f"{words.dates.whole_day}{words.pause}{window.tz}"


def day(date_: date, language: Language) -> str:
    """Name one day."""
    words = CATALOGUES[language].dates
    return words.day.format(
        weekday=words.weekdays[date_.weekday()],
        day=date_.day,
        month=words.months[date_.month - 1],
    )


def _ends(window: Window) -> tuple[datetime, datetime]:
    zone = ZoneInfo(window.tz)
    last = max(window.start, window.end - INSTANT)
    return window.start.astimezone(zone), last.astimezone(zone)


def _time(window: Window) -> str:
    return window.end.astimezone(ZoneInfo(window.tz)).strftime("%H:%M")
