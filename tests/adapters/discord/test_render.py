"""Parts are drawn in Discord's own form, each block by its own marks."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from adapters.discord.render import (
    ROWS,
    DiscordMessage,
    MarkdownPiece,
    Packed,
    custom_id,
    is_short_form,
    pack,
    page,
    read_custom_id,
    read_turn,
    render,
    render_parts,
    rows,
    short,
)
from bot.compose.followup_parts import choice_part
from bot.model.parts import Action, ActionKind, Part, PartKind, Thread
from digest.writing.document import (
    Block,
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
from tests.adapters.discord.allowed import faults
from tests.adapters.discord.dialect import seen
from tests.adapters.discord.drawn import EN, accepted, markdown, messages, said, thread
from tests.bot.channels_invented import followup
from tests.digest.writing import invented


def test_a_parent_notifies_exactly_the_role_that_it_mentions() -> None:
    first, *others = render(replace(thread(invented.busy()), mention="301"))
    assert first.payload["allowed_mentions"] == {"parse": [], "roles": ["301"]}
    assert str(first.payload["content"]).startswith("<@&301> ")
    assert {str(each.payload["allowed_mentions"]) for each in others} == {"{'parse': []}"}


@pytest.mark.parametrize(
    ("blocks", "repo", "name"),
    [
        ((Paragraph((Words("kiln " + "🔥" * 80),), Tone.LEAD),), "", "kiln " + "🔥" * 47 + "…"),
        (
            (Paragraph((Words("\u200b"),), Tone.LEAD), Paragraph((Words("x"),))),
            "example-org/kiln",
            "example-org/kiln",
        ),
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


def test_entries_are_indented_below_each_other() -> None:
    inner = Entry((Words("b\nc"),), (Entry((Words("d"),)),))
    (message,) = messages(Bullets((Entry((Words("a"),), (inner,)), Entry((Foreign("\u200b"),)))))
    assert markdown(message) == "- a\n  - b\n    - c\n    - d\n- …"


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


@pytest.mark.parametrize(
    "text", ["", "infra:", "infra:flag", "infra:fly:x", "other:flag:x", "flag:x"]
)
def test_a_button_of_somebody_else_says_nothing(text: str) -> None:
    assert read_custom_id(text) is None


@pytest.mark.parametrize("value", ["x" * 90, "题", "\ud800", "a\nb", "~x"])
def test_what_does_not_fit_is_named_by_a_short_form(value: str) -> None:
    own = custom_id(ActionKind.SHARE, value)
    assert len(own) <= 100
    assert own.isascii()
    kind, named = read_custom_id(own) or (None, "")
    assert kind is ActionKind.SHARE
    assert is_short_form(named)
    assert named == short(value, 88)
    assert rows([Action(ActionKind.SHARE, value, "Share")])[1] == {named: value}
    assert not is_short_form(short("x" * 88, 88))


def test_a_page_is_a_link_and_left_out_where_it_leads_nowhere() -> None:
    url = "https://digest.example/example-org/kiln"
    (row,) = rows([Action(ActionKind.PAGE, url, "Page")])[0]
    assert row["components"] == [{"type": 2, "style": 5, "label": "Page", "url": url}]
    assert not rows([Action(ActionKind.PAGE, "file:///x", "Page")])[0]
    assert not rows([Action(ActionKind.PAGE, "https://x.example/" + "a" * 600, "Page")])[0]


def test_many_choices_are_menus_of_twenty_five() -> None:
    choices = [
        Action(ActionKind.CHOOSE, f"9|{'k' * 100}{n}", f"#{n} {'题' * 90}") for n in range(60)
    ]
    drawn, kept = rows([*choices, choices[0], Action(ActionKind.SHARE, "x", "Share")])
    menus = [row["components"][0] for row in drawn]
    assert [len(menu.get("options", ())) for menu in menus] == [25, 25, 10, 0]
    said = [menu.get("placeholder") for menu in menus[:3]]
    assert said == ["1–25 / 60", "26–50 / 60", "51–60 / 60"]
    assert [read_custom_id(menu["custom_id"]) for menu in menus[:3]] == [
        (ActionKind.CHOOSE, "")
    ] * 3
    assert len({menu["custom_id"] for menu in menus}) == 4
    values = [option["value"] for menu in menus[:3] for option in menu["options"]]
    assert [kept[value] for value in values] == [each.value for each in choices]


ROW = {"type": 1, "components": [{"type": 2, "label": "Flag"}]}


def piece_texts(packed: list[Packed]) -> list[list[str]]:
    return [[piece.text for piece in each.pieces] for each in packed]


def test_a_message_has_no_more_rows_than_leave_one_for_turning_pages() -> None:
    packed = pack([MarkdownPiece("text")], [ROW] * (ROWS + 2), 100)
    assert [len(each.rows) for each in packed] == [ROWS, 2]
    assert piece_texts(packed) == [["text"], []]


def test_rows_too_heavy_for_a_message_stand_in_their_own() -> None:
    heavy = {"type": 1, "components": [{"type": 2, "label": "题" * 1_700}]}
    packed = pack([MarkdownPiece("text")], [heavy, heavy], 100)
    assert [(len(each.pieces), len(each.rows)) for each in packed] == [(1, 1), (0, 1)]
    packed = pack([MarkdownPiece("题" * 1_500)], [heavy], 10_000)
    assert [(len(each.pieces), len(each.rows)) for each in packed] == [(1, 0), (0, 1)]


def answer(entries: int, *actions: Action) -> tuple[DiscordMessage, ...]:
    told = Bullets(tuple(Entry((Words(f"{n} " + "x" * 400),)) for n in range(entries)))
    return render_parts((Part(PartKind.ANSWER, (told,), actions=actions, summary="x"),), EN)


def buttons_of(message: DiscordMessage) -> Sequence[dict[str, object]]:
    return message.payload["components"][-1]["components"]  # type: ignore[no-any-return]  # JSON


def test_every_page_leads_to_the_one_before_and_the_one_after() -> None:
    drawn = answer(40, Action(ActionKind.SHARE, "kiln today", "Share"))
    assert len(drawn) > 3
    for number in range(len(drawn)):
        shown = page(drawn, "77", number, EN)
        assert faults(shown.payload) == []
        assert shown.payload["embeds"] == drawn[number].payload["embeds"]
        back, here, on = buttons_of(shown)
        assert here["label"] == f"Page {number + 1} of {len(drawn)}"
        assert read_turn(str(on["custom_id"])) == ("77", number + 1)
        assert bool(back.get("disabled")) is (number == 0)
        assert bool(on.get("disabled")) is (number == len(drawn) - 1)
        assert shown.payload["components"][0] == drawn[-1].payload["components"][0]
    first = page(drawn, "77", 0, EN)
    assert read_turn(str(buttons_of(first)[0]["custom_id"])) is None


@pytest.mark.parametrize(
    ("summary", "told"),
    [
        ("kiln · Wed: it burns #1; it warms #2", "kiln · Wed: it burns #1; it warms #2"),
        (f"kiln: it burns #1; it {'very ' * 40}warms #2", "kiln: it burns #1"),
        (f"窑：坏了 #1；{'很' * 200} #2", "窑：坏了 #1"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_a_notification_ends_with_a_whole_fact_where_one_fits(summary: str, told: str) -> None:
    whole = thread(invented.busy())
    first = replace(whole.parent, summary=summary)
    (message, *_) = render(replace(whole, parent=first))
    assert str(message.payload["content"]) == told
