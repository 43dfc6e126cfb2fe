"""What a stranger writes to a model and not to readers: no statement, and no evidence (pure)."""

import re

from digest.grounding.instructions import is_instruction

_ROLE = re.compile(r"^\W{0,4}(?:system|assistant|user|developer)\s{0,3}:", re.IGNORECASE)

_ADDRESSED = re.compile(
    r"\bnotes? (?:for|to) (?:the |any |all |every )?"
    r"(?:ai|llm|language model|assistant|summari[sz]er)s?\b"
    r"|\b(?:ai|assistant|bot|llm|model|tool) (?:that|which|who) (?:summari[sz]es|writes) "
    r"(?:the|this)\b"
    r"|\byour (?:digest|gloss|report|sentence|summary) (?:has to|is|must|shall|should|will)\b"
    r"|(?:写|撰写|生成).{0,6}(?:摘要|总结|晨报).{0,4}的(?:助手|模型|机器人)"
    r"|你的(?:句子|总结|摘要)(?:是|应|必须)",
    re.IGNORECASE,
)
_MOST_READ = 20_000


def is_order(text: str) -> bool:
    """Tell whether a passage orders a model about, or speaks as one of the roles of a chat."""
    return (
        _ROLE.match(text) is not None
        or _ADDRESSED.search(text, 0, _MOST_READ) is not None
        or is_instruction(text)
    )
