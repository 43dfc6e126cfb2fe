"""Time zones as people say them: `Berlin`, `PST`, `UTC+8`, 北京.

IANA's own names (https://www.iana.org/time-zones) are read as they are; here stands only what they
do not hold. Letters that two parts of the world use for clocks far apart are in `AMBIGUOUS` and
have to be asked about.
"""

import difflib
import functools
import re
from zoneinfo import ZoneInfo, available_timezones

from digest.errors import SHOWN_CHARS, BadWindow, quoted
from digest.wording.phrases import SAY

_OFFSET = re.compile(r"[+-]\d", re.ASCII)
_CITIES = {
    "Asia/Shanghai": "beijing, shenzhen, hangzhou, guangzhou, nanjing, chengdu, wuhan, china, "
    "北京, 上海, 深圳, 杭州, 广州, 南京, 成都, 武汉, 西安, 中国, 北京时间",
    "Asia/Hong_Kong": "香港, hkt",
    "Asia/Taipei": "taiwan, hsinchu, 台北, 臺北, 新竹",
    "Asia/Tokyo": "osaka, kyoto, 东京, 東京, jst",
    "Asia/Seoul": "korea, 首尔, kst",
    "Asia/Singapore": "新加坡, sgt",
    "Asia/Kolkata": "india, bangalore, bengaluru, hyderabad, mumbai, delhi, new_delhi, chennai, "
    "pune, ist",
    "Asia/Jerusalem": "tel_aviv, haifa, israel",
    "Europe/Berlin": "germany, munich, hamburg, frankfurt, cet, cest",
    "Europe/London": "uk, cambridge, oxford, edinburgh, bst, 伦敦",
    "Europe/Paris": "france, grenoble, 巴黎",
    "Europe/Zurich": "switzerland, geneva, lausanne",
    "Europe/Moscow": "msk, 莫斯科",
    "Europe/Helsinki": "eet, eest",
    "America/Los_Angeles": "san_francisco, bay_area, seattle, san_jose, santa_clara, palo_alto, "
    "mountain_view, california, pacific, pt, pst, pdt, 旧金山, 洛杉矶, 西雅图, 硅谷",
    "America/Denver": "boulder, mountain, mt, mst, mdt",
    "America/Chicago": "austin, dallas, houston, cdt, 芝加哥",
    "America/New_York": "boston, pittsburgh, washington, eastern, et, est, edt, 纽约, 波士顿",
    "America/Toronto": "waterloo, montreal, 多伦多",
    "America/Sao_Paulo": "brazil, rio, brt",
    "Australia/Sydney": "canberra, aest, aedt, 悉尼",
    "UTC": "utc, gmt, z, zulu",
}
NAMED = {word.strip(): zone for zone, words in _CITIES.items() for word in words.split(",")}
"""What people say, in lower case with `_` for spaces, by the IANA name that is meant."""

AMBIGUOUS = {"cst": ("Asia/Shanghai", "America/Chicago")}
"""What stands for clocks far apart."""

# A place whose clock has stood at these minutes from UTC all year for decades.
_STEADY = {
    0: "UTC",
    60: "Africa/Lagos",
    120: "Africa/Johannesburg",
    180: "Asia/Riyadh",
    240: "Asia/Dubai",
    300: "Asia/Karachi",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    360: "Asia/Dhaka",
    390: "Asia/Yangon",
    420: "Asia/Bangkok",
    480: "Asia/Shanghai",
    540: "Asia/Tokyo",
    570: "Australia/Darwin",
    600: "Australia/Brisbane",
    -180: "America/Buenos_Aires",
    -240: "America/Puerto_Rico",
    -300: "America/Bogota",
    -360: "America/Costa_Rica",
    -420: "America/Phoenix",
    -600: "Pacific/Honolulu",
}
_ZONE_OFFSET = re.compile(r"(?:utc|gmt)?_?([+-])_?(\d{1,2})(?::?(\d{2}))?", re.ASCII)
_FARTHEST = 12
"""Hours from UTC for which IANA has a zone without a place on both sides."""


def zone_said(words: str) -> str:
    """Give the IANA name that is meant by `Beijing`, `PST`, `UTC+8` or `北京`, or nothing.

    Letters of winter or summer (`PST`) mean the place, whose clocks change.
    """
    folded = "_".join(words.casefold().split())
    if folded in NAMED:
        return NAMED[folded]
    offset = _ZONE_OFFSET.fullmatch(folded)
    if offset is None:
        return ""
    sign = 1 if offset[1] == "+" else -1
    minutes = sign * (int(offset[2]) * 60 + int(offset[3] or 0))
    if minutes in _STEADY:
        return _STEADY[minutes]
    hours, rest = divmod(minutes, 60)
    # POSIX counts westwards, and so do these names: Etc/GMT+8 is eight hours behind UTC.
    return f"Etc/GMT{-hours:+d}" if not rest and abs(hours) <= _FARTHEST else ""


def zones_like(typed: str) -> tuple[str, ...]:
    """Give the IANA names that somebody may be typing, the likeliest first; none for nothing.

    Those of what people say come first, then those of which a part begins with it, then those
    that hold it where it is no name of a zone itself. Names without a place in them are left out,
    but for UTC.
    """
    wanted = "_".join(typed.casefold().split())
    if not wanted:
        return ()
    exact = zone_said(wanted)
    said = sorted(zone for name, zone in NAMED.items() if name.startswith(wanted))
    meant = AMBIGUOUS.get(wanted, (exact,) if exact else ())
    begun = [name for name in _places() if f"/{wanted}" in f"/{name.casefold()}"]
    held = [] if meant else [name for name in _places() if wanted in name.casefold()]
    return tuple(dict.fromkeys((*meant, *said, *sorted(begun), *sorted(held))))


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _places() -> frozenset[str]:
    odd = ("Etc/", "posix/", "right/", "SystemV/", "US/")
    return frozenset(
        name
        for name in available_timezones()
        if name == "UTC" or ("/" in name and not name.startswith(odd))
    )


def zone_named(name: str) -> ZoneInfo:
    """Give the zone of an IANA name in any case; `BadWindow` suggests the nearest one."""
    known = _known_zones()
    if name in known:
        return ZoneInfo(name)
    by_folded = {zone.casefold(): zone for zone in known}
    folded = name.strip().replace(" ", "_").casefold()
    if folded in by_folded:
        return ZoneInfo(by_folded[folded])
    by_city = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(known, reverse=True)}
    if folded in by_city:
        return ZoneInfo(by_city[folded])
    near = difflib.get_close_matches(folded[:SHOWN_CHARS], [*by_folded, *by_city], n=1)
    if near and not _OFFSET.search(folded):
        meant = by_folded.get(near[0]) or by_city[near[0]]
        hint = SAY.commands.did_you_mean(meant)
    else:
        hint = SAY.windows.zones
    raise BadWindow(SAY.windows.no_zone(quoted(name), hint))


def zone_meant(words: str) -> ZoneInfo:
    """Give the zone that a person means by an IANA name, a city, `PST` or `UTC+8`.

    Raises `BadWindow` where nothing is meant or two things are.
    """
    if said := zone_said(words):
        return ZoneInfo(said)
    if both := AMBIGUOUS.get(words.strip().casefold()):
        one, other = both
        raise BadWindow(SAY.windows.two_zones(quoted(words), one, other))
    return zone_named(words)


@functools.cache  # it walks the zone files of the machine, which takes some 40 ms
def _known_zones() -> frozenset[str]:
    return frozenset(available_timezones())
