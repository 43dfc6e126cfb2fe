from dataclasses import replace

from bot.compose.item_part import item_part, with_state
from bot.model.followups import FollowUp
from bot.model.parts import ActionKind, Part
from digest.grades import Importance
from digest.languages import Language
from digest.models import FileChange, Revert
from digest.wording.saying import CATALOGUES
from digest.writing.document import Paragraph, Quote
from digest.writing.lines import Mentioned
from digest.writing.outline import context
from digest.writing.rules import plain
from tests.bot.channels_invented import followup
from tests.bot.thread_text import text
from tests.digest.writing import invented
from tests.digest.writing.invented import judged, pull, reading


def part(number: int = 0) -> Part:
    read = invented.busy()
    about = context(read, CATALOGUES[Language.EN], Language.EN)
    return item_part(read.items[number], about)


def said(told: Part) -> str:
    return "\n".join(plain(block.runs) for block in told.blocks if isinstance(block, Paragraph))


def test_an_item_has_its_title_its_facts_why_and_its_authors_words() -> None:
    told = part()
    assert said(told).startswith("▲ Rename --heat to --temperature #101")
    assert "flag --heat is now --temperature" in text(told)
    assert "wren · +5\N{NO-BREAK SPACE}−2 in 1 file" in said(told)
    assert [block.text for block in told.blocks if isinstance(block, Quote)] == [
        "Users look for the usual name."
    ]
    assert told.about == (f"{invented.REPO}:pull_request:101",)
    assert [action.kind for action in told.actions] == [
        ActionKind.FLAG,
        ActionKind.TAKE,
        ActionKind.DONE,
        ActionKind.DEEP_DIVE,
    ]
    assert {action.value for action in told.actions} == set(told.about)
    assert told.summary == (
        "▲ flag --heat is now --temperature · Rename --heat to --temperature #101"
    )


def test_what_is_said_above_is_said_again_only_by_a_message_that_had_nothing_else() -> None:
    read = invented.busy()
    about = context(read, CATALOGUES[Language.EN], Language.EN)
    above = Mentioned(frozenset(), frozenset(about.facts_of(read.items[0])))
    assert "flag --heat" not in text(item_part(read.items[0], about, mentioned=above))
    silent = replace(read.items[0], sentence=None, quote="")
    assert "flag --heat is now --temperature" in text(item_part(silent, about, mentioned=above))


def test_the_file_that_a_change_is_mostly_in_is_named() -> None:
    files = (
        FileChange("tests/test_oven.py", "modified", 90, 0),
        FileChange("src/kiln/heat/oven.py", "modified", 9, 1),
        FileChange("src/kiln/door.py", "modified", 2, 2),
    )
    read = reading((judged(replace(pull(1, "Warm up"), files=files), Importance.HIGH),))
    about = context(read, CATALOGUES[Language.EN], Language.EN)
    assert said(item_part(read.items[0], about)).endswith(" · mostly kiln/heat/oven.py")


def test_a_change_that_was_taken_back_says_by_what() -> None:
    gone = judged(pull(1, "Fuse glazing"), Importance.HIGH, reverted_by="x:pull_request:2")
    back = pull(2, 'Revert "Fuse glazing"')
    pair = Revert(back, gone.item, "#1", 3600)
    read = reading((gone,), reverts=(pair,))
    about = context(read, CATALOGUES[Language.EN], Language.EN)
    assert "↩ reverted by #2" in said(item_part(gone, about, pair))


def test_the_state_is_replaced_and_cleared() -> None:
    once = with_state(part(), followup(), Language.EN)
    twice = with_state(once, followup(flagged_by=frozenset({"kit"})), Language.EN)
    assert plain(twice.state) == "🚩 flagged by kit"
    gone: FollowUp = followup(flagged_by=frozenset(), done_by="kit")
    assert with_state(twice, gone, Language.EN) == part()
    assert with_state(twice, None, Language.EN) == part()


def test_who_only_took_an_item_is_told_alone() -> None:
    told = with_state(part(), followup(flagged_by=frozenset(), taken_by="kit"), Language.EN)
    assert plain(told.state) == "👀 taken by kit"
