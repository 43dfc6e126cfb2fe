"""The door to every page: judged data in, a `Document` out; any renderer draws it."""

from digest.writing.change_page import change_page, search_page, why_page
from digest.writing.day_page import day_page
from digest.writing.digest_page import digest_page
from digest.writing.roundup_page import busiest_first, roundup_page
from digest.writing.upgrade_page import suspects_page, upgrade_page

__all__ = [
    "busiest_first",
    "change_page",
    "day_page",
    "digest_page",
    "roundup_page",
    "search_page",
    "suspects_page",
    "upgrade_page",
    "why_page",
]
