from adapters.slack.render import actions, escape, fitting
from bot.model.parts import Action, ActionKind


def choices(count: int, length: int = 10) -> list[Action]:
    return [Action(ActionKind.CHOOSE, f"{n:0{length}}", f"#{n} Title") for n in range(count)]


def test_a_page_is_opened_by_its_address() -> None:
    (block,) = actions([Action(ActionKind.PAGE, "https://digest.example/a", "Page")])
    (button,) = block["elements"]
    assert button["url"] == "https://digest.example/a"
    assert "value" not in button


def test_many_choices_make_menus_of_a_hundred() -> None:
    blocks = actions([*choices(250), Action(ActionKind.SHARE, "x", "Share")])
    sizes = [len(block["elements"][0].get("options", ())) for block in blocks]
    assert sizes == [100, 100, 50, 0]
    assert blocks[1]["elements"][0]["action_id"] == "infra:choose:2"


def test_many_changes_to_explain_make_a_menu_that_is_read_as_deep_dives() -> None:
    changes = [Action(ActionKind.DEEP_DIVE, f"a/b:pull_request:{n}", f"#{n}") for n in range(6)]
    (block,) = actions(changes)
    (menu,) = block["elements"]
    assert (menu["type"], menu["action_id"]) == ("static_select", "infra:deep_dive")
    assert menu["options"][5]["value"] == "a/b:pull_request:5"


def test_labels_fit_after_escaping() -> None:
    for label in ("x" * 100, "&" * 100, "<&>" * 40, "题" * 100, "short", ""):
        assert 1 <= len(escape(fitting(label))) <= 75
    assert fitting("short") == "short"
    assert fitting("x" * 100).endswith("…")
