from collections.abc import Sequence

from adapters.discord.buttons import is_short_form
from adapters.discord.render import DiscordMessage, PageTurn, page, read_turn, render_parts
from bot.model.parts import Action, ActionKind, Part, PartKind
from digest.languages import Language
from digest.writing.document import Bullets, Entry, Words
from tests.adapters.discord.allowed import faults

EN = Language.EN


def answer(entries: int, *actions: Action) -> tuple[DiscordMessage, ...]:
    told = Bullets(tuple(Entry((Words(f"{n} " + "x" * 400),)) for n in range(entries)))
    return render_parts((Part(PartKind.ANSWER, (told,), actions=actions, summary="x"),), EN)


def buttons(message: DiscordMessage) -> Sequence[dict[str, object]]:
    return message.payload["components"][-1]["components"]  # type: ignore[no-any-return]  # JSON


def test_every_page_leads_to_the_one_before_and_the_one_after() -> None:
    drawn = answer(40, Action(ActionKind.SHARE, "kiln today", "Share"))
    assert len(drawn) > 3
    for number in range(len(drawn)):
        shown = page(drawn, number, "kiln today", EN)
        assert faults(shown.payload) == []
        assert shown.payload["embeds"] == drawn[number].payload["embeds"]
        back, here, on = buttons(shown)
        assert here["label"] == f"Page {number + 1} of {len(drawn)}"
        assert read_turn(str(on["custom_id"])) == PageTurn("kiln today", number + 1)
        assert bool(back.get("disabled")) is (number == 0)
        assert bool(on.get("disabled")) is (number == len(drawn) - 1)
        assert shown.payload["components"][0] == drawn[-1].payload["components"][0]
    first = page(drawn, 0, "kiln today", EN)
    assert read_turn(str(buttons(first)[0]["custom_id"])) is None


def test_a_page_beyond_the_ends_is_the_nearest() -> None:
    drawn = answer(40)
    assert page(drawn, 99, "x", EN) == page(drawn, len(drawn) - 1, "x", EN)
    assert page(drawn, -3, "x", EN) == page(drawn, 0, "x", EN)
    assert buttons(page(drawn, 0, "x", Language.ZH))[1]["label"] == f"第 1 / {len(drawn)} 页"


def test_what_was_asked_at_length_is_named_by_a_short_form() -> None:
    asked = "search " + "attention " * 30
    shown = page(answer(40), 0, asked, EN)
    turn = read_turn(str(buttons(shown)[2]["custom_id"]))
    assert turn
    assert is_short_form(turn.again)
    assert shown.values == {turn.again: asked}
    assert faults(shown.payload) == []
