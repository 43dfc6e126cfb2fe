"""What concerns a channel, said in each language."""

from bot.model.concerns import BY_HAND, EXAMPLE, Concern, written
from digest.languages import Language, Text
from digest.wording.saying import said

NO_CONCERN: Text = {
    Language.EN: f"Nothing is said to concern this channel: {EXAMPLE}, "
    "or concern add OWNER/NAME of vllm",
    Language.ZH: f"尚未说明什么与本频道有关：{EXAMPLE}，或 concern add OWNER/NAME of vllm",
}
WORDS: Text = {
    Language.EN: "You said ({name}): {words}",
    Language.ZH: "手写（{name}）：{words}",
}
USES: Text = {
    Language.EN: "{name} uses {count:,} names of {of} in {places:,} places{when}",
    Language.ZH: "{name} 用到 {of} 的 {count:,} 个名称，共 {places:,} 处{when}",
}
READ_AT: Text = {
    Language.EN: ", read on {date}",
    Language.ZH: "，读取于 {date}",
}
UNREAD: Text = {
    Language.EN: "{name} is read now, and then every day",
    Language.ZH: "{name} 即将读取，之后每天读取一次",
}
TROUBLE: Text = {
    Language.EN: "; the last reading failed: {why}",
    Language.ZH: "；上次读取失败：{why}",
}


def described(concern: Concern, language: Language) -> str:
    """Say one concern in a sentence without its full stop."""
    surface = concern.surface
    if concern.name == BY_HAND:
        return WORDS[language].format(name=concern.name, words=written(surface.words))
    failed = ""
    if concern.trouble:
        why = said(concern.trouble, language).partition("\n")[0]
        failed = TROUBLE[language].format(why=why)
    if concern.read_at is None:
        return (UNREAD[language].format(name=concern.name) if not failed else concern.name) + failed
    uses = USES[language].format(
        name=concern.name,
        of=surface.of,
        count=len({(use.kind, use.name) for use in surface.uses}),
        places=len(surface.uses),
        when=READ_AT[language].format(date=concern.read_at.date()),
    )
    return uses + failed
