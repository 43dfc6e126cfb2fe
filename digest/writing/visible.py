"""What of a stranger's text can be seen, and what only hides, reorders or breaks.

Dropped in drawing: control characters, zero-width characters, soft hyphens, direction marks and
overrides, invisible operators, fillers that draw nothing, interlinear and tag characters, and the
variation selectors beside them (those of emoji stay), and marks that are heaped on one letter until
they cover the lines around. Line breaks and tabs become one space. Lone surrogates (invalid UTF-8
that was let through) become U+FFFD. Everything else stays.
In hunks, where a hidden character can hide an attack, it is shown as `<U+202E>` instead; see
https://trojansource.codes and https://www.unicode.org/reports/tr9/.
"""

import re

_SPACES = re.compile("[\t\n\v\f\r\x85\u2028\u2029]+")
UNSEEN = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What is dropped, as a class of a pattern has it."""
_HIDDEN = re.compile(f"[{UNSEEN}]")
# No language heaps these generic marks higher; the marks of scripts have blocks of their own.
_HEAPED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPAN = re.compile("(?<!`)`([^`]+)`(?!`)")
_HIDDEN_IN_CODE = re.compile(f"\r(?!\n)|\v|\f|\x85|\u2028|\u2029|{_HIDDEN.pattern}")


def visible(text: str) -> str:
    """Give the visible part of a text, on one line, without spaces at its ends."""
    if text.isascii() and text.isprintable():
        return text.strip()
    return unhidden(_SPACES.sub(" ", text)).strip()


def unhidden(text: str) -> str:
    """Give a text without what hides or heaps up, on as many lines as it has."""
    if text.isascii() and text.isprintable():
        return text
    return sound(_HEAPED.sub(r"\1", _HIDDEN.sub("", text)))


def inline(text: str) -> str:
    """Give the visible part of a text that stands beside others: a space at either end stays."""
    shown = visible(text)
    if not shown:
        return " " if text.isspace() else ""
    return f"{' ' * text[0].isspace()}{shown}{' ' * text[-1].isspace()}"


def spans(text: str) -> list[tuple[str, bool]]:
    """Split the visible part of a text into pieces; True where backticks mark a piece as code."""
    pieces = _SPAN.split(inline(text))
    return [
        (piece, place % 2 == 1) if piece.strip() or place % 2 == 0 else (f"`{piece}`", False)
        for place, piece in enumerate(pieces)
        if piece
    ]


def revealed(code: str) -> str:
    """Give lines of code with every hidden character shown by its number; tabs stay."""
    plain = _SURROGATE.sub("\ufffd", code.replace("\r\n", "\n"))
    return _HIDDEN_IN_CODE.sub(lambda found: f"<U+{ord(found.group()):04X}>", plain)


def sound(text: str) -> str:
    """Give a text that can be written as UTF-8: lone surrogates become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


_TAGS = re.compile(r"^(?:\s*[\[【(][^\]】)]{1,40}[\]】)]\s*)+[:：-]?\s*")
_DECLARED = re.compile(r"^\w{2,12}(?:\([^)]{1,40}\))?!?[:：]\s+")
_NUMBER = re.compile(r"\s*\((?:#|GH-)\d{1,9}\)\s*$")
_MARK = re.compile(r"^\s*[*•–-]\s+")
_KIND = re.compile(
    r"^\s*(?:[\[【(]\s*(?:(?:bug|hot)? ?fix|bug|feat(?:ure)?|misc|chore)\s*[\]】)]\s*[:：]?\s*)+",
    re.IGNORECASE,
)
_FIX = re.compile(r"[\[【(]\s*(?:(?:bug|hot)? ?fix|bug)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"^(?:[\[【(][^\])】]*[\]】)]\s*)*(?:add|enable|improve|optimi[sz]e|speed)\w*\b(?!.*\bfix)|"
    r"^(?!.*\bfix).*\bsupports?\b",
    re.IGNORECASE,
)
"""Words of a title that is no fix's but for its mark."""


def bare(title: str) -> str:
    """Return a title without its tags, the declared purpose and its number; whole if nothing else.

    `[Bugfix][MoE] fix: Close the door (#12)` is `Close the door`.
    """
    seen = _MARK.sub("", visible(title))
    rest = _NUMBER.sub("", _DECLARED.sub("", _TAGS.sub("", seen)))
    rest = _DECLARED.sub("", rest).strip()
    return rest or seen


def without_kind(title: str) -> str:
    """Return a title without marks that merely say what sort of change it is.

    `* [Bugfix][MoE] Close the door` is `[MoE] Close the door`: what a list of fixes says already.
    A title that would else read as the contrary keeps it: `[Fix] Support open doors`.
    """
    seen = _MARK.sub("", visible(title))
    rest = _KIND.sub("", seen).strip()
    is_other = _FIX.match(seen) is not None and _OTHERWISE.search(rest) is not None
    return seen if not rest or is_other else rest
