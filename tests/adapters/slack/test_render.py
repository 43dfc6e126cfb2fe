"""Parts are drawn in Slack's own form, whole and within its limits."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.slack.render import render, render_parts
from bot.compose.answer_parts import answer_parts
from bot.compose.item_part import with_state
from bot.compose.thread import plan, show_all
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.replies import ChangeReply
from digest.languages import Language
from digest.models import Reading
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Strong,
    Table,
    Tone,
    Words,
)
from tests.adapters.slack.drawn import EN, accepted, messages, said, thread
from tests.bot.any_day import huge_change, readings
from tests.bot.channels_invented import FLINT, followup, subscription, told
from tests.digest.writing import invented


def test_a_heading_is_said_again_where_its_list_goes_on_in_the_next_message() -> None:
    entries = tuple(Entry((Words(f"{n} " + "x" * 500),), about=(str(n),)) for n in range(50))
    drawn = messages(Paragraph((Strong((Words("Attention"),)),)), Bullets(entries))
    assert len(drawn) > 1
    for message in drawn[1:]:
        first = message.payload["blocks"][0]["elements"][0]
        assert [element["text"] for element in first["elements"]] == ["Attention", " …"]
    assert [key for message in drawn for key in message.about] == [str(n) for n in range(50)]
    accepted(drawn)


def test_a_heading_never_ends_a_message() -> None:
    drawn = messages(
        Paragraph((Words("x" * 9_900),)),
        Paragraph((Strong((Words("Heading"),)),)),
        Bullets((Entry((Words("y" * 2_000),)),)),
    )
    assert ["Heading" in said([message]) for message in drawn] == [False, True]
    accepted(drawn)


def test_a_table_is_a_list_below_the_names_of_its_columns() -> None:
    rows = (
        ((Words("flag"),), (Code("--heat"),), (Words("–"),), (Link("#1", "https://x.example"),)),
        *(((Words(f"row {n}"),), (), (), (Words("b"),)) for n in range(1_200)),
    )
    drawn = messages(Table(("What", "Name", "", "From"), rows))
    shown = said(drawn[:1]).replace("\n", "")
    assert "What · Name · Fromflag · --heat · #1row 0 · b" in shown
    assert said(drawn).count("row ") == 1_200
    accepted(drawn)


@pytest.mark.parametrize("character", ["x", "&", "题", "<", "🔥"])
def test_text_of_any_length_is_parted_and_never_cut(character: str) -> None:
    long = character * 30_000
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
        assert said(drawn).count(character) >= 30_000
        accepted(drawn)


def test_a_label_longer_than_a_message_keeps_its_link() -> None:
    drawn = messages(Paragraph((Link("x" * 30_000, "https://x.example/1"),)))
    assert said(drawn).count("x") >= 30_000
    assert "https://x.example/1" in json.dumps([dict(m.payload) for m in drawn])
    accepted(drawn)


def test_more_blocks_than_a_message_holds_go_on_in_the_next() -> None:
    pair = (Paragraph((Words("text"),)), Paragraph((Words("small"),), Tone.SMALL))
    drawn = messages(*(pair * 60))
    assert [len(message.payload["blocks"]) for message in drawn] == [50, 50, 20]
    accepted(drawn)


def test_small_print_is_plain_unless_it_links() -> None:
    (plain,) = messages(Paragraph((Foreign("*a*"),), Tone.SMALL), Paragraph((), Tone.SMALL))
    (block,) = plain.payload["blocks"]
    assert block["elements"][0]["type"] == "plain_text"
    linked = Paragraph((Foreign("<a>"), Link("#1", "https://x.example")), Tone.SMALL)
    (message,) = messages(linked)
    assert message.payload["blocks"][0]["elements"] == [
        {"type": "mrkdwn", "text": "&lt;a&gt;<https://x.example|#1>", "verbatim": True}
    ]


def test_a_title_that_links_or_is_long_is_no_header() -> None:
    for runs in ((Link("#1", "https://x.example"),), (Words("x" * 151),), (Words("&" * 40),)):
        (message,) = messages(Paragraph(runs, Tone.LEAD))
        (block,) = message.payload["blocks"]
        assert block["type"] == "rich_text"
        assert block["elements"][0]["elements"][0]["style"] == {"bold": True}


def test_nested_entries_are_indented_lists() -> None:
    (message,) = messages(
        Bullets((Entry((Words("a"),), (Entry((Words("b"),)),)), Entry((Words("c"),))))
    )
    lists = message.payload["blocks"][0]["elements"]
    assert [(each["indent"], len(each["elements"])) for each in lists] == [(0, 1), (1, 1), (0, 1)]


def test_nothing_to_see_is_still_a_message_that_slack_takes() -> None:
    drawn = messages(
        Bullets((Entry((Foreign("\u200b"),)),)), Table(("A",), (((Foreign("\u200b"),),),))
    )
    accepted(drawn)
    accepted(messages(Hunk("a.py", "")))


def test_a_persons_name_in_the_state_is_only_text() -> None:
    part = thread(invented.busy()).replies[0]
    named = followup(flagged_by=frozenset({"<!channel> *x* <@U1>"}))
    (message,) = render_parts((with_state(part, named, EN),), EN)
    assert message.payload["blocks"][2]["elements"][0]["type"] == "plain_text"


def test_a_notification_is_escaped_and_short() -> None:
    part = Part(PartKind.NOTICE, (Paragraph((Words("x"),)),), summary="<!here> " + "&" * 5_000)
    (message,) = render_parts((part,), EN)
    assert message.payload["text"].startswith("&lt;!here&gt; ")
    assert len(message.payload["text"].encode()) <= 3_100
    (message,) = render_parts((replace(part, summary=""),), EN)
    assert message.payload["text"]


def test_a_huge_change_is_answered_in_a_few_messages() -> None:
    drawn = render_parts(answer_parts(ChangeReply(huge_change(), EN), request="kiln 1"), EN)
    assert len(drawn) <= 6
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
    everything = said(full)
    assert all(each.item.ref in everything for each in read.items)


def test_choices_are_drawn_as_buttons_or_as_a_menu() -> None:
    asked = Part(
        PartKind.CHOICE,
        (Paragraph((Words("Which one?"),)),),
        actions=tuple(Action(ActionKind.CHOOSE, f"k{n}", f"#{n}") for n in range(7)),
        summary="Which one?",
    )
    (message,) = render_parts((asked,), EN)
    assert message.payload["blocks"][-1]["elements"][0]["type"] == "static_select"
    assert message.about == ()
    accepted([message])
