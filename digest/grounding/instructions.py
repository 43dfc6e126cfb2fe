"""What a stranger writes to a model, not to readers: it proves nothing.

A model that follows such text repeats it; left out of the source, what it repeats has no proof.
Datamarking asks a model not to follow (https://arxiv.org/abs/2403.14720); this holds where it did.
Repositories that serve models speak of prompts, roles and chat marks all day, so only what orders
is taken. A paragraph taken wrongly is lost as evidence, never as text.
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
