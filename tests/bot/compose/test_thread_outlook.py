"""What a channel's roundup says to watch: evidence that the channel is told, and its own flags."""

from dataclasses import replace

from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan
from bot.model.parts import Part
from digest.languages import Language
from digest.models import Point
from digest.writing.document import Bullets, Foreign, Link, Paragraph
from digest.writing.rules import plain
from tests.bot.channels_invented import FLINT, followup, subscription, told
from tests.digest.writing import invented

EN, ZH = Language.EN, Language.ZH
FIRST = invented.busy().items[0].item
POINT = Point({EN: f"kiln: watch {FIRST.ref}", ZH: f"kiln：关注 {FIRST.ref}"}, (FIRST.key,))


def roundup(**more: object) -> Part:
    language = more.pop("language", EN)
    digests = [told(invented.busy()), told(invented.quiet(), FLINT)]
    wanted = subscription(invented.REPO, FLINT, language=language)
    extras = ParentExtras(**more)  # type: ignore[arg-type]  # as given
    return plan(digests, [], wanted, extras)[0].parent


def watched(part: Part, heading: str = "What to watch") -> list[str]:
    blocks = list(part.blocks)
    for place, block in enumerate(blocks):
        said = plain(block.runs) if isinstance(block, Paragraph) else ""
        if said.startswith(f"{heading} · "):
            return [said.removeprefix(f"{heading} · ")]
        if said == heading:
            (listed,) = [b for b in blocks[place + 1 : place + 2] if isinstance(b, Bullets)]
            return [plain(entry.runs) for entry in listed.entries]
    return []


def test_what_to_watch_is_told_in_the_language_of_the_channel_with_its_links() -> None:
    part = roundup(outlook=(POINT,))
    assert watched(part) == ["kiln: watch #101"]
    assert watched(roundup(outlook=(POINT,), language=ZH), "值得关注") == ["kiln：关注 #101"]
    assert FIRST.key in part.about


def test_a_follow_up_that_is_reminded_of_is_not_told_twice() -> None:
    assert watched(roundup(flagged=[followup(101)], nudged=[followup(101)])) == []


def test_a_title_that_somebody_chose_pings_nobody_and_masks_no_link() -> None:
    hostile = replace(followup(200), title="<!channel> [x](https://evil.example)")
    part = roundup(flagged=[hostile])
    (said,) = [b for b in part.blocks if isinstance(b, Paragraph) and hostile.url in repr(b)]
    assert Foreign(hostile.title) in said.runs
    assert [run.url for run in said.runs if isinstance(run, Link)] == [hostile.url]
