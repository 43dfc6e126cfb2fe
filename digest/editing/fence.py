"""A stranger's words in a prompt: cleaned of what a person does not see, between marks (pure).

Invisible characters carry instructions past a reader's eye: Unicode tags, bidirectional controls,
zero-width and filler characters (https://www.unicode.org/reports/tr36/, https://trojansource.codes).
The marks are named by a hash of what stands between them, so that no text can hold its own
(https://arxiv.org/abs/2403.14720), and equal questions stay equal and are paid for once. How many
tokens a text costs is estimated without any model's own tables.
"""

import re
from hashlib import sha256

OTHERS_IN_A_TOKEN = 3.5
"""Characters of code and English in a token; tokenisers of today lie between 3 and 4.5."""

_WHOLE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Chinese, Japanese, Korean: about one token a character."""

NAME_LENGTH = 16
"""Hexadecimal digits of a name, 64 bits: one who writes all that is hashed could find a text that
holds a shorter one of its own by trying, and so close the marks."""

_INVISIBLE = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, but not tab and line ends
    "\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"  # joiners and number signs
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # fillers that draw nothing
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # zero width, bidirectional
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors and tags
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"  # half pairs and private use
    "]+"
)
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def clean(text: str) -> str:
    """Give a text with plain spaces and line ends, and nothing invisible; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    plain = _BLANKS.sub(" ", _LINE_ENDS.sub("\n", text))
    return _INVISIBLE.sub("", plain)


def one_line(text: str) -> str:
    """Give a cleaned text on one line, with single spaces."""
    return " ".join(clean(text).split())


def enclosed(text: str) -> str:
    """Put a text between its marks, each on its own line."""
    name = sha256(text.encode(errors="replace")).hexdigest()[:NAME_LENGTH]
    return f"⟦{name}⟧\n{text}\n⟦/{name}⟧"


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up; 0 for none."""
    whole = 0 if text.isascii() else len(_WHOLE.findall(text))
    return whole + -int(-(len(text) - whole) // OTHERS_IN_A_TOKEN)
