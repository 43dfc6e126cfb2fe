"""What a stranger writes to a model and not to readers: no statement, and no evidence (pure)."""

import re

from digest.grounding.instructions import is_instruction

_ROLE = re.compile(r"^\W{0,4}(?:system|assistant|user|developer)\s{0,3}:", re.IGNORECASE)


def is_order(text: str) -> bool:
    """Tell whether a passage orders a model about, or speaks as one of the roles of a chat."""
    return _ROLE.match(text) is not None or is_instruction(text)
