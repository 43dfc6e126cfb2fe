"""What Discord refuses is told in one line of either language, with the same names in it."""

import string

from adapters.discord import asking, errors, rest
from adapters.discord.errors import MAY_NOT, failure
from adapters.discord.permissions import EMBED_LINKS, READ_HISTORY, named
from bot.model.ports import NoPermission
from bot.wording.error_words import told
from digest.errors import Phrase
from digest.languages import Language

PHRASES = {
    f"{module.__name__}.{name}": value
    for module in (asking, errors, rest)
    for name, value in vars(module).items()
    if isinstance(value, Phrase)
}


def test_both_languages_have_the_same_values() -> None:
    def places(form: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(form) if name}

    for name, phrase in PHRASES.items():
        assert places(phrase) == places(phrase.zh), name
        assert phrase.zh != phrase, name


def test_what_is_missing_is_named_as_discord_names_it_in_the_readers_language() -> None:
    error = NoPermission(MAY_NOT, names=named(EMBED_LINKS, READ_HISTORY))
    assert "lacks Embed Links, Read Message History in" in told(error, Language.EN)
    assert "缺少权限 嵌入链接、阅读消息历史记录：" in told(error, Language.ZH)


def test_an_empty_message_is_one_whose_embeds_were_taken_out() -> None:
    assert "Embed Links" in str(failure(400, 50006))


def test_an_unknown_refusal_names_its_status() -> None:
    assert "以状态 418 拒绝" in told(failure(418), Language.ZH)
