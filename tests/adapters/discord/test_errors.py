"""What Discord refuses is told in one line of either language, with the same names in it."""

from adapters.discord.permissions import EMBED_LINKS, READ_HISTORY, named
from adapters.discord.rest import failure
from bot.model.ports import NoPermission
from digest.languages import Language
from digest.wording.phrases import SAY


def test_what_is_missing_is_named_as_discord_names_it_in_the_readers_language() -> None:
    error = NoPermission(SAY.discord.lacks(named(EMBED_LINKS, READ_HISTORY)))
    assert "lacks Embed Links, Read Message History in" in error.line(Language.EN)
    assert "缺少权限 嵌入链接、阅读消息历史记录：" in error.line(Language.ZH)


def test_an_empty_message_is_one_whose_embeds_were_taken_out() -> None:
    assert "Embed Links" in str(failure(400, 50006))


def test_an_unknown_refusal_names_its_status() -> None:
    assert "以状态 418 拒绝" in failure(418).line(Language.ZH)
