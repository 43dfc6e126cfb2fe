"""Units of time and size that names, help texts and values state."""

import re

_SUFFIXES = {
    "ns": "nanoseconds", "nanos": "nanoseconds", "nanoseconds": "nanoseconds",
    "us": "microseconds", "micros": "microseconds", "microseconds": "microseconds",
    "ms": "milliseconds", "msec": "milliseconds", "millis": "milliseconds",
    "milliseconds": "milliseconds",
    "s": "seconds", "sec": "seconds", "secs": "seconds", "seconds": "seconds",
    "min": "minutes", "mins": "minutes", "minutes": "minutes",
    "h": "hours", "hours": "hours",
    "bytes": "bytes", "kb": "kilobytes", "mb": "megabytes", "gb": "gigabytes",
    "kib": "kibibytes", "mib": "mebibytes", "gib": "gibibytes",
}  # fmt: skip
_SIZES = {
    "nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1.0,
    "minutes": 60.0, "hours": 3600.0,
    "bytes": 1.0, "kilobytes": 1e3, "megabytes": 1e6, "gigabytes": 1e9,
    "kibibytes": 1024.0, "mebibytes": 1024.0**2, "gibibytes": 1024.0**3,
}  # fmt: skip
_TIMES = ("nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours")
_SPOKEN_UNITS = "|".join((*_SIZES, "ms", "[kmg]i?b"))
_SPOKEN = re.compile(
    rf"\b(?:in|as)\s+({_SPOKEN_UNITS})\b|\(({_SPOKEN_UNITS})\)", re.IGNORECASE | re.ASCII
)
_BINARY = {"kilobytes": "kibibytes", "megabytes": "mebibytes", "gigabytes": "gibibytes"}
"""Units that names often mean when they say the decimal one."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def unit_of(name: str, help_text: str = "") -> str | None:
    """The unit that a name's last part or a help text states, as a plural word.

    The name is believed first, but for a help text that makes its `MB` a MiB.
    """
    spoken = _SPOKEN.search(help_text)
    said = (spoken[1] or spoken[2]).lower() if spoken else None
    said = _SUFFIXES.get(said, said) if said else None
    tail = re.split(r"[_.-]+", name.lower())[-1]
    if tail in _SUFFIXES and tail != name.lower().lstrip("-"):
        named = _SUFFIXES[tail]
        return said if said is not None and _BINARY.get(named) == said else named
    return said


def stem(name: str) -> str:
    """A name without its unit, in lower case with one kind of separator."""
    parts = [part for part in re.split(r"[_.-]+", name.lower()) if part]
    return "_".join(parts[:-1] if len(parts) > 1 and parts[-1] in _SUFFIXES else parts)


def scaled_unit(unit: str, before: str | None, after: str | None) -> str | None:
    """The unit of `before` if the two values are the same amount and `after` is in `unit`."""
    if unit not in _TIMES or not before or not after:
        return None
    if _NUMBER.fullmatch(before) is None or _NUMBER.fullmatch(after) is None:
        return None
    amount = float(after) * _SIZES[unit]
    for other in _TIMES:
        old = float(before) * _SIZES[other]
        if other != unit and old and abs(amount - old) <= 1e-6 * old:
            return other
    return None
