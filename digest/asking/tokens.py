"""How many tokens a text costs, estimated without any model's own tables."""

import re

OTHERS_IN_A_TOKEN = 3.5
"""Characters of code and English in a token; tokenisers of today lie between 3 and 4.5."""

_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Chinese, Japanese and Korean: about one token a character."""


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up; 0 for none."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + -int(-(len(text) - wide) // OTHERS_IN_A_TOKEN)
