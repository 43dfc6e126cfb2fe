import pytest

from adapters.discord.render import custom_id, is_short_form, read_custom_id, rows, short
from bot.model.parts import Action, ActionKind


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


def test_buttons_stand_five_in_a_row_and_the_first_stands_out() -> None:
    kinds = (ActionKind.FLAG, ActionKind.TAKE, ActionKind.DONE, ActionKind.DEEP_DIVE)
    wanted = [Action(kind, "k", kind.value) for kind in kinds]
    wanted += [Action(ActionKind.SHARE, "a", "Share"), Action(ActionKind.SHOW_ALL, "b", "Show")]
    drawn, values = rows(wanted)
    assert [len(each["components"]) for each in drawn] == [5, 1]
    assert [each["style"] for each in drawn[0]["components"]] == [1, 2, 2, 2, 2]
    assert not values


def test_a_page_is_a_link_and_left_out_where_it_leads_nowhere() -> None:
    url = "https://digest.example/example-org/kiln"
    (row,) = rows([Action(ActionKind.PAGE, url, "Page")])[0]
    assert row["components"] == [{"type": 2, "style": 5, "label": "Page", "url": url}]
    assert not rows([Action(ActionKind.PAGE, "file:///x", "Page")])[0]
    assert not rows([Action(ActionKind.PAGE, "https://x.example/" + "a" * 600, "Page")])[0]


def test_a_label_has_something_to_see_and_fits() -> None:
    labels = [
        button["label"]
        for text in ("\u200b", "🔥" * 60, "a\nb")
        for button in rows([Action(ActionKind.CHOOSE, text, text)])[0][0]["components"]
    ]
    assert labels[0] == "…"
    assert len(labels[1].encode("utf-16-le")) // 2 <= 80
    assert labels[2] == "a b"


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
