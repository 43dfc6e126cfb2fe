from collections.abc import Sequence

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
        shown = page(drawn, PageTurn("77", number), EN)
        assert faults(shown.payload) == []
        assert shown.payload["embeds"] == drawn[number].payload["embeds"]
        back, here, on = buttons(shown)
        assert here["label"] == f"Page {number + 1} of {len(drawn)}"
        assert read_turn(str(on["custom_id"])) == PageTurn("77", number + 1)
        assert bool(back.get("disabled")) is (number == 0)
        assert bool(on.get("disabled")) is (number == len(drawn) - 1)
        assert shown.payload["components"][0] == drawn[-1].payload["components"][0]
    first = page(drawn, PageTurn("77", 0), EN)
    assert read_turn(str(buttons(first)[0]["custom_id"])) is None


def test_a_page_beyond_the_ends_is_the_nearest() -> None:
    drawn = answer(40)
    assert page(drawn, PageTurn("x", 99), EN) == page(drawn, PageTurn("x", len(drawn) - 1), EN)
    assert page(drawn, PageTurn("x", -3), EN) == page(drawn, PageTurn("x", 0), EN)
    assert (
        buttons(page(drawn, PageTurn("x", 0), Language.ZH))[1]["label"] == f"第 1 / {len(drawn)} 页"
    )
