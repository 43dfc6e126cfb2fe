"""Where a message says that something of it is not so any more."""

from bot.compose.corrected import with_corrections
from bot.model.following import Correction, Turn
from bot.model.parts import Part, PartKind
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
    *(Turn.REVERTED, Standing(State.MERGED, reverted_by="#15")),
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
