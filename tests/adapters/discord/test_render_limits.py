"""Whatever there is to tell is told whole, within what Discord takes."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.discord.render import DiscordMessage, render, render_parts
from bot.compose.answer_parts import answer_parts
from bot.compose.followup_parts import choice_part
from bot.compose.thread import plan, show_all
from bot.model.replies import ChangeReply
from digest.languages import Language
from digest.models import Reading
from digest.writing.document import (
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Tone,
    Words,
)
from tests.adapters.discord.drawn import EN, accepted, links, markdown, messages, said
from tests.bot.any_day import huge_change, readings
from tests.bot.channels_invented import FLINT, followup, subscription, told
from tests.digest.writing import invented


@pytest.mark.parametrize("character", ["x", "&", "题", "<", "🔥", "`", "_", "*"])
def test_text_of_any_length_is_parted_and_never_cut(character: str) -> None:
    long = character * 20_000
    shown = "ˋ" if character == "`" else character
    under = (Entry((Foreign(long),)),)
    for block in (
        Paragraph((Foreign(long),)),
        Paragraph((Foreign(long),), Tone.SMALL),
        Paragraph((Foreign(long),), Tone.LEAD),
        Bullets((Entry((Foreign(long), Link("#1", "https://x.example/1")), about=("k",)),)),
        Bullets((Entry((Words("over"),), under),)),
        Quote((Words("says"),), long),
        Hunk("a.py", long),
    ):
        drawn = messages(block)
        wanted = character if isinstance(block, Hunk) else shown
        assert "".join(map(markdown, drawn)).count(wanted) >= 20_000
        accepted(drawn)


def test_a_label_longer_than_a_message_keeps_its_link() -> None:
    drawn = messages(Paragraph((Link("x" * 20_000, "https://x.example/1"),)))
    assert said(drawn).count("x") >= 20_000
    assert links(drawn) == {"https://x.example/1"}
    accepted(drawn)


def test_a_huge_change_is_answered_in_a_few_messages() -> None:
    drawn = render_parts(answer_parts(ChangeReply(huge_change(), EN), request="kiln 1"), EN)
    assert len(drawn) <= 12
    accepted(drawn)


@settings(
    max_examples=settings.default.max_examples // 2, suppress_health_check=[HealthCheck.too_slow]
)
@given(read=readings(), language=st.sampled_from(Language))
def test_no_day_breaks_a_limit_or_loses_an_item(read: Reading, language: Language) -> None:
    threads = plan([told(read), told(invented.busy(), FLINT)], [], subscription(language=language))
    drawn = [message for each in threads for message in render(each)]
    accepted(drawn)
    assert sum(message.is_parent for message in drawn) == len(threads)
    about = {key for message in drawn for key in message.about}
    assert {each.item.key for each in read.items} <= about
    full = render_parts((show_all(told(read), language),), language)
    accepted(full)
    linked = links(full)
    assert all(each.item.url in linked for each in read.items)


def test_choices_are_buttons_or_menus_and_as_many_messages_as_they_need() -> None:
    def asked(count: int) -> tuple[DiscordMessage, ...]:
        items = [
            replace(
                followup(n),
                title="修复缓存" * 30,
            )
            for n in range(count)
        ]
        return render_parts((choice_part("1500000000000000001", items, EN),), EN)

    (few,) = asked(3)
    assert [each["type"] for each in few.payload["components"][0]["components"]] == [2, 2, 2]
    (several,) = asked(20)
    assert several.payload["components"][0]["components"][0]["type"] == 3
    (hundred,) = render_parts(
        (choice_part("1500000000000000001", [followup(n) for n in range(100)], EN),), EN
    )
    assert len(hundred.values) == 100
    accepted([hundred])
    many = asked(300)
    accepted([few, several, *many])
    menus = [row["components"][0] for each in many for row in each.payload["components"]]
    assert sum(len(menu["options"]) for menu in menus) == 300
    assert all(message.about == () for message in many)
