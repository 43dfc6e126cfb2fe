"""A thread is completed as words come: what is missing keeps nothing else waiting."""

from collections.abc import Sequence
from dataclasses import replace

from digest.errors import BudgetSpent, ModelFailed
from digest.models import Digest, Repo, Roundup, Window
from digest.pipeline import Pipeline
from digest.ports import Request
from tests.bot.bot_fixture import morning
from tests.bot.late_bot import Late, about_jobs, payloads
from tests.bot.platform_fake import KILN, LOOM
from tests.conftest import SetClock
from tests.digest.asking.scripted import NOTHING, Said


async def test_a_repository_without_an_answer_keeps_no_words_of_another(
    late: Late, clock: SetClock
) -> None:
    def half(request: Request) -> Said:
        return ModelFailed("HTTP 500") if f"{LOOM}:" in request.about else about_jobs(request)

    late.model.script = half
    await late.bot.subscribe(repos=(KILN, LOOM))
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    await late.completing.complete(morning())
    edits = late.platform.edits
    of_one = late.says(1100)
    assert of_one
    await late.completing.complete(morning())
    assert late.platform.edits == edits, "nothing more has come"
    late.model.script = about_jobs
    clock.advance(minutes=11)
    await late.completing.complete(clock())
    await late.lateness.settle()
    await late.completing.complete(clock())
    assert set(late.says(1100)) > set(of_one)


async def test_a_footer_is_mended_also_where_no_more_words_come(
    late: Late, clock: SetClock
) -> None:
    def spent(request: Request) -> Said:
        own = int(request.about.rsplit(":", 1)[-1])
        return about_jobs(request) if own == 1100 else BudgetSpent("the tokens are spent")

    def nothing_more(request: Request) -> Said:
        own = int(request.about.rsplit(":", 1)[-1])
        return about_jobs(request) if own == 1100 else NOTHING

    late.model.script = spent
    await late.bot.subscribe(repos=(KILN,))
    await late.bot.chat.deliver_due(morning())
    await late.answers()
    await late.completing.complete(morning())
    assert late.says(1100)
    before = payloads(late)[0][1]
    late.model.script = nothing_more
    clock.advance(minutes=11)
    for _ in range(2):
        await late.completing.complete(clock())
        await late.lateness.settle()
    assert payloads(late)[0][1] != before


class Grown:
    """Stored roundups that know more than was told: what had a gap was looked at once more."""

    def __init__(self, pipeline: Pipeline, repo: Repo) -> None:
        self._pipeline = pipeline
        self._repo = repo

    async def stored(self, repos: Sequence[Repo], window: Window) -> Roundup:
        found = await self._pipeline.stored(repos, window)
        return replace(found, digests=tuple(map(self._grown, found.digests)))

    def _grown(self, digest: Digest) -> Digest:
        reading = digest.reading
        if reading.repo != self._repo:
            return digest
        first, *_ = reading.items
        more = replace(first, item=replace(first.item, key=f"{self._repo}:pull_request:9999"))
        return replace(digest, reading=replace(reading, items=(*reading.items, more)))


async def test_what_was_told_in_part_is_not_edited_to_look_whole(late: Late) -> None:
    await late.bot.subscribe(repos=(KILN, LOOM))
    await late.bot.chat.deliver_due(morning())
    before = payloads(late)
    await late.answers()
    late.completing._roundups = Grown(late.bot.pipeline, LOOM)
    await late.completing.complete(morning())

    edited = [after for then, after in zip(before, payloads(late), strict=True) if then != after]
    assert edited
    assert all(str(LOOM) not in payload for _, payload in edited), "nor is the roundup"
