"""Parts are drawn in Discord's own form, each block by its own marks."""

from dataclasses import replace

import pytest

from adapters.discord.render import render, render_parts
from bot.compose.followup_parts import notice_part
from bot.compose.item_part import with_state
from bot.model.parts import Part, PartKind, Thread
from digest.writing.document import (
    Block,
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
from tests.adapters.discord.dialect import seen
from tests.adapters.discord.drawn import EN, accepted, markdown, messages, said, thread
from tests.bot.channels_invented import followup
from tests.digest.writing import invented


def test_a_parent_notifies_exactly_the_role_that_it_mentions() -> None:
    first, *others = render(replace(thread(invented.busy()), mention="301"))
    assert first.payload["allowed_mentions"] == {"parse": [], "roles": ["301"]}
    assert str(first.payload["content"]).startswith("<@&301> ")
    assert {str(each.payload["allowed_mentions"]) for each in others} == {"{'parse': []}"}


def test_above_a_morning_stands_no_more_than_a_locked_phone_shows() -> None:
    morning = thread(invented.busy())
    parent = replace(morning.parent, summary="kiln: " + "one fact more, " * 40)
    content = render(replace(morning, parent=parent))[0].payload["content"]
    assert content.startswith("kiln: one fact more")
    assert content.endswith("…")
    assert len(content) <= 200


@pytest.mark.parametrize(
    ("blocks", "repo", "name"),
    [
        ((Paragraph((Words("kiln " + "🔥" * 80),), Tone.LEAD),), "", "kiln " + "🔥" * 47 + "…"),
        ((Paragraph((Words("\u200b"),), Tone.LEAD),), "example-org/kiln", "example-org/kiln"),
        ((Paragraph((Words("x"),)),), "", "Infra Digest"),
    ],
)
def test_a_thread_always_has_a_name_that_fits(
    blocks: tuple[Block, ...], repo: str, name: str
) -> None:
    parent = Part(PartKind.PARENT, blocks)
    reply = Part(PartKind.REST, (Paragraph((Words("y"),)),))
    drawn = render(Thread(EN, parent, (reply,), repo))
    assert drawn[-1].thread_name == name


def test_plain_text_that_is_too_long_becomes_an_embed() -> None:
    entries = tuple(Entry((Words(f"{n} " + "x" * 90),)) for n in range(30))
    (drawn,) = render_parts((Part(PartKind.THEMES, (Bullets(entries),)),), EN)
    assert drawn.payload["content"] == ""
    assert "color" not in drawn.payload["embeds"][0]
    accepted([drawn])


def test_a_message_is_about_the_items_in_it() -> None:
    drawn = render(thread(invented.many(300)))
    lists = [message for message in drawn if message.kind is PartKind.CHANGES]
    keys = [key for message in lists for key in message.about]
    assert len(keys) == len(set(keys)) == 297, "all but the three that have a message of their own"
    for message in lists[:-1]:
        for key in message.about:
            assert f"#{key.rsplit(':', 1)[-1]}" in said([message])
    assert "Show them" in str(lists[-1].payload), "the last holds what is told by count"
    accepted(drawn)


def test_a_heading_is_said_again_where_its_list_goes_on_in_the_next_message() -> None:
    entries = tuple(Entry((Words(f"{n} " + "x" * 500),), about=(str(n),)) for n in range(50))
    drawn = messages(Paragraph((Strong((Words("Attention"),)),)), Bullets(entries))
    assert len(drawn) > 1
    assert markdown(drawn[0]).startswith("**Attention**\n- 0 ")
    for message in drawn[1:]:
        assert markdown(message).startswith("**Attention** …\n- ")
    assert [key for message in drawn for key in message.about] == [str(n) for n in range(50)]
    accepted(drawn)


def test_entries_are_indented_below_each_other() -> None:
    inner = Entry((Words("b\nc"),), (Entry((Words("d"),)),))
    (message,) = messages(Bullets((Entry((Words("a"),), (inner,)), Entry((Foreign("\u200b"),)))))
    assert markdown(message) == "- a\n  - b\n    - c\n    - d\n- …"


def test_a_table_is_a_list_below_the_names_of_its_columns() -> None:
    rows = (
        ((Words("flag"),), (Code("--heat"),), (Words("–"),), (Link("#1", "https://x.example"),)),
        ((Words("–"),), (Foreign(""),), (), (Words(""),)),
    )
    (message,) = messages(Table(("What", "Name", "", "From"), rows))
    assert markdown(message) == (
        "-# What · Name · From\n- flag · `--heat` · [#1](https://x.example)\n- …"
    )


def test_a_table_of_hundreds_of_rows_has_its_columns_in_every_message() -> None:
    rows = tuple(((Words(f"row {n} " + "x" * 60),), (Words("b"),)) for n in range(230))
    drawn = messages(Paragraph((Strong((Words("Notes"),)),)), Table(("A", "B"), rows))
    assert all(markdown(message).startswith("**Notes**") for message in drawn)
    assert sum(markdown(message).count("row ") for message in drawn) == 230
    accepted(drawn)


@pytest.mark.parametrize("code", ["`kv_`", "`VLLM_*`", "``a ` b_ c``"])
def test_an_underscore_in_a_word_is_not_ended_by_one_in_code_further_on(code: str) -> None:
    link = Link("a_b", "https://x.example/a_b")
    told = Paragraph((Foreign(f"use a_cache\nwith {code} or `c_d` in "), link))
    shown = seen(markdown(messages(told)[0]))
    assert [name for name, _ in shown.marks] == ["code", "code", "link"]
    assert "use a_cache" in shown.text


def test_small_print_warnings_quotes_and_code_have_their_own_marks() -> None:
    (message,) = messages(
        Paragraph((Words("a\nb"),), Tone.SMALL),
        Paragraph((Words("Not looked at"),), Tone.WARNING),
        Quote((Words("Author:"),), "one\n\n# two\n#3 is **so**, f(**a) [x](https://x.example)"),
        Hunk("a_b/__init__.py", "+a ``` b\r\n-c\u202e\n"),
    )
    assert markdown(message).replace("\u2060", "~").split("\n") == [
        "-# a",
        "-# b",
        "⚠️ Not looked at",
        "Author\\:",
        "> one",
        "> **two**",
        "> \\#3 is **so**, f(\\*\\*a) x",
        "~",
        "**a\\_b/`__init__`.py**",
        "```diff",
        "+a `~`` b",
        "-c<U+202E>",
        "```",
    ]


def test_nothing_to_see_is_still_a_message_that_discord_takes() -> None:
    accepted(messages(Bullets((Entry((Foreign("\u200b"),)),))))
    accepted(messages(Hunk("a.py", "")))
    assert messages(Paragraph((Foreign("\u200b"),))) == ()


def test_a_persons_name_in_the_state_is_only_text() -> None:
    part = thread(invented.busy()).replies[0]
    named = followup(flagged_by=frozenset({"<@123> **x** @everyone"}))
    drawn = render_parts((with_state(part, named, EN),), EN)
    assert not {"mention", "italic"} & {name for name, _ in seen(markdown(drawn[0])).marks}
    assert "<@123> **x** @everyone" in said(drawn).replace("\u2060", "")


def test_a_notice_is_edited_without_leaving_anything_behind() -> None:
    (message,) = render_parts((notice_part(followup(), EN),), EN)
    (long,) = render_parts((notice_part(followup(done_by="wren" * 700), EN),), EN)
    assert message.payload["content"]
    assert message.payload["embeds"] == []
    assert long.payload["content"] == ""
    assert long.payload["embeds"]
    accepted([message, long])
