"""Where a message says that something of it is not so any more."""

from dataclasses import replace

from bot.compose.followup_parts import with_corrections
from bot.model.following import Correction, News
from bot.model.parts import Part, PartKind
from bot.model.ports import Message
from bot.model.posts import is_linked
from digest.languages import Language
from digest.models import State
from digest.upstream import Standing
from digest.writing.document import Bullets, Entry, Link, Paragraph, Strong, Words
from digest.writing.rules import plain
from tests.bot.channels_invented import CHANNEL
from tests.digest.writing.invented import REPO

URL = f"https://github.com/{REPO}/pull/12"
KEYS = tuple(f"{REPO}:pull_request:{number}" for number in (12, 123, 7))
WRONG = Correction(
    *(CHANNEL, KEYS[0], "#12", "Take the blade out", URL),
    *(News.REVERTED, Standing(State.MERGED, reverted_by="#15")),
)
LINK, OTHER = Link("#12", URL), Link("#123", f"{URL}3")


def test_of_several_items_the_line_of_the_wrong_one_says_so_and_further_links_have_the_sign() -> (
    None
):
    part = Part(
        PartKind.CHANGES,
        (
            Paragraph((Strong((Words("Take the blade out "), LINK)), Words(" · new"))),
            Bullets((Entry((OTHER,), under=(Entry((LINK, Words("!"))),)),)),
        ),
        about=KEYS,
        summary="Changes",
    )

    after = with_corrections(part, (WRONG,), Language.EN)

    head, lines = after.blocks
    assert isinstance(head, Paragraph)
    assert isinstance(lines, Bullets)
    assert plain(head.runs) == "Take the blade out #12 (⚠ reverted by #15) · new"
    (line,) = lines.entries
    assert plain(line.runs) == "#123"
    assert plain(line.under[0].runs) == "#12 ⚠!"
    assert after.summary == part.summary
    assert with_corrections(part, (), Language.EN) == part


def test_a_message_about_one_item_says_it_at_its_head() -> None:
    part = Part(PartKind.ITEM, (Paragraph((LINK,)),), about=KEYS[:1], summary="Take it out")

    after = with_corrections(part, (WRONG,), Language.EN)

    assert [plain(each.runs) for each in after.blocks if isinstance(each, Paragraph)] == [
        "reverted by #15",
        "#12",
    ]
    assert after.summary == "⚠ Take it out"


def test_what_took_a_change_back_is_found_in_a_message_by_the_first_digits_of_its_sha() -> None:
    home = f"https://github.com/{REPO}"
    message = Message(f"[a]({home}/commit/1234567890ab)", KEYS, False, PartKind.CHANGES)
    by_commit = replace(WRONG, standing=Standing(State.MERGED, reverted_by="1234567"))

    assert is_linked(by_commit.by, message)
    assert not is_linked(f"{home}/commit/1234568", message)
    assert not is_linked(WRONG.by, message)
    assert replace(WRONG, standing=Standing(State.NOT_PLANNED)).by == ""
