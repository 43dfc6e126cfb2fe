"""What a stranger writes to a model and not to readers: no statement, and no evidence (pure).

Repositories that serve models speak of prompts, roles and chat marks all day, so only what orders
is taken. A passage taken wrongly is lost as evidence, never as text. That a model may not follow is
for its prompt (https://arxiv.org/abs/2403.14720); this holds where it did.
"""

import re

_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}"
    r"\b(?:instructions?|guidelines|system prompts?|(?:all|everything) (?:the )?above)\b"
    r"|\b(?:you are|act as|pretend to be) (?:now )?(?:an? |the )?"
    r"(?:helpful |honest |new )?(?:ai|assistant|chatgpt|gpt|language model|llm|dan|summari[sz]er)\b"
    r"|\b(?:as an|dear|hey|note to|attention) (?:ai|llm|language model|assistant|summari[sz]er)s?\b"
    r"|\b(?:respond|reply|answer|output|print) (?:only|exactly|just) (?:with|in|the)\b"
    r"|(?:^|[.!:;,]\s{0,3}|\bplease |\bmust |\binstead,? |\balways )"
    r"(?:say|write|claim|announce|declare|tell (?:them|users|readers|everyone))"
    r"(?: only| exactly| just)?(?: that\b|: |,? ?[\"'`])"
    r"|\bin (?:your|this) (?:summary|digest|answer)\b|\bwhen (?:you )?summari[sz](?:e|ing) this\b"
    r"|(?:忽略|无视|忘记|忘掉).{0,12}(?:指令|指示|提示词|系统提示|以上|上述)"
    r"|你(?:现在)?是(?:一个|一名)?.{0,6}(?:助手|模型|机器人)"
    r"|(?:请|必须)(?:只|仅|直接)?(?:输出|回复|回答|写上|写道|声称|说)(?:以下|如下|：|:|[“\"「])",
    re.IGNORECASE | re.ASCII | re.MULTILINE,
)
_MOST_READ = 20_000


def is_instruction(text: str) -> bool:
    """Tell whether a paragraph, title or line speaks to a model."""
    return _TO_A_MODEL.search(text, 0, _MOST_READ) is not None


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


def is_order(text: str) -> bool:
    """Tell whether a passage orders a model about, or speaks as one of the roles of a chat."""
    return (
        _ROLE.match(text) is not None
        or _ADDRESSED.search(text, 0, _MOST_READ) is not None
        or is_instruction(text)
    )
