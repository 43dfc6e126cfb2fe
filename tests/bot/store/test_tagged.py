"""What a stored message draws comes back as it was, and no stranger's words become our own."""

import inspect
from datetime import UTC, datetime, timedelta, timezone

from bot.model.channels import Channel, Platform
from bot.model.parts import Action, ActionKind, Part, PartKind
from bot.model.ports import Message
from bot.model.posts import Post
from bot.store import tagged
from digest.languages import Language
from digest.writing import document
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Strong,
    Struck,
    Table,
    Tone,
    Words,
)

RUNS = (
    Words("kiln "),
    Foreign("<!channel> \u202e\x00 \ud800 free GPUs"),
    Code("--blade-count"),
    Link("#1", "https://github.com/example-org/kiln/pull/1"),
    Strong((Foreign("bold"), Struck((Words("gone"),)))),
    document.Moment("Thu 09:00", datetime(2026, 2, 12, 1, tzinfo=UTC)),
)


def post(*blocks: document.Block) -> Post:
    part = Part(
        PartKind.ITEM,
        blocks,
        about=("example-org/kiln:pull_request:1",),
        actions=(Action(ActionKind.FLAG, "example-org/kiln:pull_request:1", "Flag"),),
        summary="kiln",
        state=(Words("🚩 "), Foreign("ada")),
    )
    message = Message('{"text": "kiln"}', part.about, False, PartKind.ITEM)
    channel = Channel(Platform.SLACK, "T1", "C1")
    return Post(None, 7, channel, 0, 2, message, Language.ZH, "abc", part)


def test_a_message_comes_back_as_it_was() -> None:
    whole = post(
        Paragraph(RUNS, Tone.WARNING),
        Bullets((Entry(RUNS, (Entry((Words("under"),)),)),)),
        Table(("a", "b"), ((RUNS, (Code("x"),)),)),
        Hunk("a.py", "@@ -1 +1 @@\n-a\n+b"),
        Quote(RUNS, "said"),
    )

    assert tagged.load(tagged.dump(whole)) == whole


def test_of_equal_messages_each_comes_back_in_its_own_zone() -> None:
    there = datetime(2026, 2, 12, 9, tzinfo=timezone(timedelta(hours=8)))
    zones = [post(Paragraph((document.Moment("", at),))) for at in (there, there.astimezone(UTC))]
    assert zones[0] == zones[1]

    for each in [*zones, *zones]:
        back: Post = tagged.load(tagged.dump(each))
        assert repr(back) == repr(each)


def test_every_kind_of_block_and_run_can_be_stored() -> None:
    kinds = {
        name
        for name, kind in inspect.getmembers(document, inspect.isclass)
        if kind.__module__ == document.__name__
    }

    assert kinds - {"Document", "Section", "Filter", "Choice"} <= set(tagged.KINDS)


def test_a_field_that_came_later_has_its_default() -> None:
    raw = b'{"kind of object": "Paragraph", "runs": []}'

    assert tagged.load(raw) == Paragraph(())
