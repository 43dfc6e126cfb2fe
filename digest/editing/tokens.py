"""How many tokens a text costs, estimated without any model's own tables."""

import re

OTHERS_IN_A_TOKEN = 3.5
"""Characters of code and English in a token; tokenisers of today lie between 3 and 4.5."""

_WHOLE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Chinese, Japanese, Korean: about one token a character."""


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up; 0 for none."""
    whole = 0 if text.isascii() else len(_WHOLE.findall(text))
    return whole + -int(-(len(text) - whole) // OTHERS_IN_A_TOKEN)
