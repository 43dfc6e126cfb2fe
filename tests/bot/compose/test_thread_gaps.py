"""A morning on which much could not be looked at: told in a few lines, and nothing hidden."""

from dataclasses import replace

from bot.compose.thread import plan
from bot.compose.thread_gaps import Gaps, Unseen, gaps
from bot.model.parts import Part
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.writing.document import Paragraph, Tone
from digest.writing.rules import plain
from tests.bot.channels_invented import FLINT, subscription
from tests.bot.morning_of_gaps import REPOS, SILENT, missing, morning
from tests.bot.thread_text import text
from tests.phrases import english


def warnings(part: Part) -> list[str]:
    blocks = [block for block in part.blocks if isinstance(block, Paragraph)]
    return [plain(block.runs) for block in blocks if block.tone is Tone.WARNING]


def test_repositories_that_failed_for_one_reason_share_a_line() -> None:
    digests = [
        missing(REPOS[0], ("issues", SILENT)),
        missing(REPOS[1], ("commits", SILENT), ("issues", SILENT)),
        missing(REPOS[2], ("issues", SILENT)),
        missing(REPOS[3], ("everything", SILENT), seen=False),
    ]
    chosen = subscription(*REPOS[:4], FLINT)
    first, *_ = plan(digests, [(FLINT, SILENT)], chosen)
    assert warnings(first.parent) == [
        "Could not look at flint, kiln3; kiln0, kiln2 (issues); kiln1 (commits, issues): "
        "GitHub does not answer."
    ]
    first, *_ = plan(digests, [], subscription(*REPOS[:4]))
    assert warnings(first.parent) == [
        "Could not look at kiln3; kiln0, kiln2 (issues); kiln1 (commits, issues): "
        "GitHub does not answer."
    ]
    first, *_ = plan(digests, [(FLINT, SILENT)], replace(chosen, language=Language.ZH))
    assert warnings(first.parent) == [
        "未能查看 flint、kiln3；kiln0、kiln2（Issue）；kiln1（提交、Issue）："
        "GitHub does not answer。"
    ]


def test_a_sentence_of_github_is_told_in_the_language_of_the_channel() -> None:
    digests = [missing(REPOS[0])]
    chosen = subscription(REPOS[0], FLINT, language=Language.ZH)
    why = SAY.github.own_error(502)
    first, *_ = plan(digests, [(FLINT, why)], chosen)
    assert warnings(first.parent) == ["未能查看 flint：GitHub 自身出错（502），请几分钟后再试。"]


def test_what_a_thread_tells_with_its_numbers_shares_the_line_of_its_cause() -> None:
    digests = [
        missing(REPOS[0], ("patches", SAY.unread.patches(13, SILENT))),
        missing(REPOS[1], ("commits", SAY.unread.merge("abc", SILENT))),
    ]
    first, *others = plan(digests, [(FLINT, SILENT)], subscription(*REPOS[:2], FLINT))
    assert warnings(first.parent) == [
        "Could not look at flint; kiln0 (patches); kiln1 (commits): GitHub does not answer."
    ]
    assert "patches (13 changes)" in "".join(text(each.parent) for each in others)


def test_many_reasons_are_told_in_few_lines_and_the_rest_by_name() -> None:
    first, *others = morning()
    told_lines = warnings(first.parent)
    assert len(told_lines) == 4
    assert told_lines[0] == "Could not look at flint: it is gone."
    assert told_lines[3] == (
        "Could not look at kiln6, kiln7; kiln0, kiln1, kiln2, kiln3, kiln4, kiln5 (in part): "
        "the threads say why."
    )
    parts = [first.parent, *first.replies, *(thread.parent for thread in others)]
    everywhere = "\n".join(text(part) for part in parts)
    for number in range(6):
        assert f"the patches of #{number} could not be read" in everywhere
    for why in (
        "kiln6 cannot be parsed",
        "kiln7 cannot be parsed",
        "private",
        "too large",
        english(SILENT),
    ):
        assert why in everywhere


def test_a_morning_of_which_nothing_was_seen_names_every_repository_and_reason() -> None:
    failed = [(repo, f"{repo} cannot be parsed") for repo in REPOS]
    (thread,) = plan([], failed, subscription(*REPOS, language=Language.ZH))
    told_lines = warnings(thread.parent)
    assert told_lines[3] == ("未能查看 kiln3、kiln4、kiln5、kiln6、kiln7、kiln8：原因见讨论串。")
    assert told_lines[:3] + warnings(thread.replies[0]) == [
        f"未能查看 {repo.name}：{repo} cannot be parsed。" for repo in REPOS
    ]


def test_what_sources_never_have_stands_in_the_small_print_of_a_roundup() -> None:
    never = Unseen("kiln1", SILENT, ("issues",), lasting=True)
    found = gaps((Unseen("kiln0", SILENT, ("issues",)), never), Language.EN)
    (warning,) = found.blocks
    (limit,) = found.limits
    assert isinstance(warning, Paragraph)
    assert isinstance(limit, Paragraph)
    assert (warning.tone, limit.tone) == (Tone.WARNING, Tone.SMALL)
    assert plain(limit.runs) == "Could not look at kiln1 (issues): GitHub does not answer."
    assert "kiln1" not in plain(warning.runs)
    # A thread of its own says it there.
    assert gaps((replace(never, has_thread=True),), Language.EN) == Gaps()
