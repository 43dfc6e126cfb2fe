from dataclasses import replace

from adapters.discord.render import render_parts
from bot.compose.answer_parts import PATCH_LINES, answer_parts
from bot.compose.followup_parts import followups_part
from bot.model.channels import Channel, Platform
from bot.model.commands import READING_ROWS
from bot.model.followups import FollowUp
from bot.model.parts import ActionKind, Part, PartKind
from bot.model.replies import (
    ChangeReply,
    DigestReply,
    FoundReply,
    HelpReply,
    MessageReply,
    QueryReply,
    ReposReply,
    RoundupReply,
    WhyReply,
)
from digest.grades import Importance
from digest.languages import Language
from digest.models import KNOWN, Change, FileChange, Roundup
from digest.phrase import Phrase
from digest.query.query import Found, Hit
from digest.query.reading import read_question
from digest.writing.document import Bullets, Hunk, Paragraph
from digest.writing.rules import plain
from tests.bot.channels_invented import told
from tests.digest.writing import edited, invented
from tests.digest.writing.invented import COLLECTED, judged, note, pull

EN = Language.EN


def only(parts: tuple[Part, ...]) -> Part:
    (part,) = parts
    assert part.kind is PartKind.ANSWER
    assert part.summary
    return part


def paragraphs(part: Part) -> str:
    return "\n".join(plain(block.runs) for block in part.blocks if isinstance(block, Paragraph))


def change(*files: FileChange) -> Change:
    return Change(judged(pull(1, "Rebuild the oven", files=files), Importance.HIGH), ())


def test_an_empty_digest_has_nothing_more_to_show() -> None:
    assert only(answer_parts(DigestReply(told(invented.quiet()), EN))).actions == ()


def test_what_a_model_says_in_a_notification_bears_its_name_and_names_no_thread() -> None:
    reading = invented.busy()
    day = edited.told(
        reading, edited.use(), ("Plates crack.", "盘子会裂。"), ("Ovens cool.", "炉子会凉。")
    )
    part = only(answer_parts(DigestReply(day, EN)))
    assert part.summary.endswith(f"Plates crack. Ovens cool. ({edited.MODEL})")

    query = read_question("crashes?", named={}, otherwise=(reading.repo,), now=COLLECTED, tz="UTC")
    hits = tuple(Hit(read) for read in reading.items)
    found = Found(query, hits, len(hits), remarks=day.remarks[:1], model=day.model)
    part = only(answer_parts(QueryReply(found, EN)))
    assert part.summary.endswith(f"Plates crack. ({edited.MODEL})")
    (message, *_) = render_parts((part,), EN)
    assert message.thread_name.startswith("crashes")
    assert "Plates" not in message.thread_name


def test_an_answer_tells_the_facts_of_a_change_with_their_places() -> None:
    read = judged(pull(2, "Take newer clay"), Importance.MEDIUM)
    told_notes = (
        note("dependency", "changed", "clay", read.item, before="a1" * 20, after="b2" * 20),
        note("dependency", "changed", "glaze", read.item, before="1", after="2"),
        note("flag", "renamed", "--new", read.item, before="--old", after="--new"),
        note("flag", "added", "--fan", read.item, after="off"),
        note("python", "changed", "", read.item, before="3.10", after="3.12"),
    )
    part = only(answer_parts(ChangeReply(Change(read, told_notes), EN)))
    listed = [plain(e.runs) for b in part.blocks if isinstance(b, Bullets) for e in b.entries]
    told = sorted(line for line in listed if line.endswith("kiln/cli.py:12"))
    assert told == [
        f"{said} · kiln/cli.py:12"
        for said in (
            "flag --old is now --new",
            "needs Python 3.12, was 3.10",
            "needs clay b2b2b2b, was a1a1a1a",
            "needs glaze 2, was 1",
            "new flag --fan (default off)",
        )
    ]


def test_of_hunks_that_are_all_too_long_one_is_begun_and_the_rest_is_counted() -> None:
    long = "@@ -0,0 +1,499 @@\n" + "\n".join(f"+line {n}" for n in range(499))
    files = [FileChange(f"f{n}.py", "added", 499, 0, patch=long) for n in range(3)]
    part = only(answer_parts(ChangeReply(change(*files), EN)))
    (hunk,) = [block for block in part.blocks if isinstance(block, Hunk)]
    assert (hunk.path, hunk.line, hunk.text.count("\n") + 1) == ("f0.py", 1, PATCH_LINES)
    assert long.startswith(hunk.text)
    assert f"{500 - PATCH_LINES:,} further lines: #1" in paragraphs(part)
    assert "Not shown here: 2 hunks, in f1.py, f2.py: #1" in paragraphs(part)


def test_a_short_patch_is_shown_whole() -> None:
    patch = "@@ -1 +1,2 @@\n a\n+b\n"
    file = FileChange("a.py", "modified", 1, 0, patch=patch)
    part = only(answer_parts(ChangeReply(change(file), EN)))
    assert [block.text for block in part.blocks if isinstance(block, Hunk)] == [patch]
    assert "further line" not in paragraphs(part)
    assert "Not shown here" not in paragraphs(part)


def test_a_hunk_with_a_line_without_end_is_counted_rather_than_shown() -> None:
    patch = "@@ -1 +1,2 @@\n+ok\n+" + "x" * 1_000_000
    file = FileChange("a.py", "modified", 1, 0, patch=patch)
    part = only(answer_parts(ChangeReply(change(file), EN)))
    assert [block.text for block in part.blocks if isinstance(block, Hunk)] == []
    assert "Not shown here: 1 hunk, in a.py: #1" in paragraphs(part)


def test_every_reply_is_answered_in_both_languages() -> None:
    digest = told(invented.busy())
    read = digest.reading.items[0]
    for language in Language:
        for reply in (
            RoundupReply(Roundup(invented.DAY, (digest,)), language),
            FoundReply("kiln", digest.reading.items[:3], language),
            WhyReply(read, language),
            ReposReply(KNOWN, language),
        ):
            part = only(answer_parts(reply, request="x"))
            assert part.actions[-1].kind is ActionKind.SHARE


def test_help_and_confirmations_are_not_shared() -> None:
    assert only(answer_parts(HelpReply(READING_ROWS, EN), request="help")).actions == ()
    said = MessageReply(Phrase.as_written("Done"), EN)
    part = only(answer_parts(said, request="watch a/b"))
    assert part.actions == ()
    assert paragraphs(part) == "Done."
    assert replace(part, summary="") != part


def test_a_list_of_follow_ups_says_how_many_are_open_and_how_many_done() -> None:
    opened = replace(
        FollowUp(
            None, Channel(Platform.SLACK, "T1", "C1"), "a/b:pull_request:1", "Oven", "#1", "u"
        ),
        flagged_by=frozenset({"U1"}),
    )
    done = replace(opened, done_by="U1")
    assert followups_part([opened, done], EN).summary == "🚩 1 open follow-up · ✅ 1 done"
    assert followups_part([done], EN).summary == "✅ 1 done"
    assert followups_part([done], Language.ZH).summary == "✅ 1 个已完成"
