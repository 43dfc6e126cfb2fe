"""A change with its analysis, a day with its high changes whole, a roundup with what to watch."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime

import pytest

from adapters.terminal import markdown
from digest.claims import Claim, ClaimKind, ModelOutcome, ModelUse
from digest.errors import BadToken, CouldNotLook
from digest.grades import Importance
from digest.grounding.verification import VERIFIER_VERSION
from digest.languages import Language
from digest.models import Change, Digest, Kind, Origin, State
from digest.pipeline import Pipeline
from digest.store.database import upgrade
from digest.store.store import open_store
from digest.writing.pages import change_page
from digest.writing.rules import RulesWriter
from tests.digest.turbine_source import SIDE, TURBINE, Turbine, at, day, issue, pull
from tests.phrases import english

KEY = f"{TURBINE}:pull_request:1"


class Analyst:
    """Marks what it was given, and remembers it."""

    def __init__(self) -> None:
        self.given: list[Change] = []
        self.claims: tuple[Claim, ...] = ()
        self.use: ModelUse | None = None

    async def analyse(self, change: Change) -> Change:
        self.given.append(change)
        read = replace(change.read, quote="analysed")
        return replace(change, read=read, claims=self.claims, model=self.use)


class Glossed:
    """Gives every digest the same words."""

    def __init__(self, use: ModelUse, claims: tuple[Claim, ...]) -> None:
        self.use, self.claims = use, claims

    def owes(self, digest: Digest, now: datetime) -> bool:
        return False

    async def glossed(
        self, digest: Digest, completed: Callable[[Digest], Awaitable[None]]
    ) -> Digest:
        return replace(digest, claims=self.claims, model=self.use, origin=Origin.MODEL)

    def begin(self, digest: Digest, completed: Callable[[Digest], Awaitable[None]]) -> None:
        raise AssertionError("nothing is late here")


@pytest.fixture
def analyst() -> Analyst:
    return Analyst()


@pytest.fixture
def turbine(clock) -> Turbine:
    source = Turbine(clock)
    removed = '@@ -1,2 +1,1 @@\n import os\n-parser.add_argument("--blade-count", type=int)\n'
    gone = pull(1, at(11, 3), "Remove --blade-count")
    (file,) = gone.files
    source.items = [
        replace(gone, files=(replace(file, deletions=1, additions=0, patch=removed),)),
        pull(2, at(11, 5), "docs: mend a word", files=()),
    ]
    return source


@asynccontextmanager
async def plant(turbine, analyst, clock, url, glossing=None) -> AsyncIterator[Pipeline]:
    await upgrade(url)
    async with open_store(url) as store:
        yield Pipeline(
            turbine,
            source_name="recorded",
            store=store,
            writer=RulesWriter(),
            clock=clock,
            progress=lambda _step: None,
            analyst=analyst,
            glossing=glossing,
        )


@pytest.fixture
async def pipeline(turbine, analyst, clock, sqlite_url):
    async with plant(turbine, analyst, clock, sqlite_url) as made:
        yield made


async def test_a_change_comes_with_its_analysis_and_with_its_hunks(pipeline, analyst) -> None:
    change = await pipeline.change(TURBINE, "1")
    assert change.read.quote == "analysed"
    assert "@@" in (analyst.given[0].read.item.files or ())[0].patch


async def test_the_reasons_of_an_item_are_told_without_an_analysis(pipeline, analyst) -> None:
    assert (await pipeline.read_item(TURBINE, "1")).item.ref == "#1"
    assert analyst.given == []


async def test_a_day_is_analysed_with_its_high_changes_whole_and_their_grade(
    pipeline, analyst
) -> None:
    told = await pipeline.analysed(TURBINE, day(11))
    high = [r for r in told.digest.reading.items if r.importance is Importance.HIGH]
    assert [read.item.ref for read in high] == ["#1"]
    (change,) = told.changes
    assert (change.read.score, change.read.reasons) == (high[0].score, high[0].reasons)
    assert (change.read.item.files or ())[0].patch
    assert len(analyst.given) == 1


async def test_a_high_change_that_cannot_be_looked_at_whole_says_why(pipeline, turbine) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.items = []
    told = await pipeline.analysed(TURBINE, day(11))
    assert told.changes == ()
    ((key, why),) = told.failed
    assert key == told.digest.reading.items[0].item.key
    assert "#1" in english(why)


async def test_a_setting_to_mend_ends_an_analysis_and_leaves_nothing_running(
    pipeline, turbine
) -> None:
    await pipeline.digest(TURBINE, day(11))
    turbine.failing_to_find = BadToken("the token is refused: make another")

    with pytest.raises(BadToken):
        await pipeline.analysed(TURBINE, day(11))


async def test_a_roundup_says_what_to_watch_from_what_is_stored(pipeline, turbine, clock) -> None:
    clock.now = at(14, 9)
    tag = replace(
        pull(9, at(11, 2), "v1.0", files=None, commits=()),
        key=f"{TURBINE}:release:v1.0",
        kind=Kind.RELEASE,
        state=State.PUBLISHED,
        ref="v1.0",
        number=None,
    )
    feature = pull(4, at(12, 3), "feat: add a second rotor", files=())
    turbine.items += [
        tag,
        feature,
        pull(5, at(12, 6), 'Revert "feat: add a second rotor"', files=()),
        pull(6, at(12, 7), "fix: hang on start that gives wrong output", files=None),
        issue(30, at(12, 8), "[RFC] Rotors of wood"),
    ]
    await pipeline.digest(TURBINE, day(11))
    told = await pipeline.roundup([TURBINE, SIDE], day(12))
    said = [next(iter(point.text.values())) for point in told.outlook]
    assert said == [
        "turbine: taken back and not landed again: feat: add a second rotor #4",
        "turbine: 1 fix not in v1.0 (released 2026-02-11): "
        "fix: hang on start that gives wrong output #6",
        "turbine: open RFC: [RFC] Rotors of wood #30",
    ]
    assert told.outlook[0].cites == (feature.key,)


async def test_a_day_that_cannot_be_looked_at_raises_also_as_an_analysis(pipeline, turbine) -> None:
    turbine.failure = CouldNotLook("no network: try again")
    with pytest.raises(CouldNotLook):
        await pipeline.analysed(TURBINE, day(11))


def gloss(kind: ClaimKind = ClaimKind.WHAT) -> Claim:
    text = {Language.EN: "The flag is gone.", Language.ZH: "该参数已移除。"}
    return Claim(kind, "Remove --blade-count", "title", text, (KEY,))


def glossed_by(model: str) -> Glossed:
    use = ModelUse(model, ModelOutcome.COMPLETE, asked=4, claims=1, dropped=2)
    return Glossed(replace(use, verifier=VERIFIER_VERSION), (gloss(),))


@pytest.mark.parametrize("outcome", [ModelOutcome.PARTIAL, ModelOutcome.FAILED])
async def test_where_an_analysis_proves_nothing_the_gloss_of_the_day_is_told(
    turbine, analyst, clock, sqlite_url, outcome
) -> None:
    analyst.use = ModelUse("deep-1", outcome, asked=1, unanswered=outcome is ModelOutcome.FAILED)
    async with plant(turbine, analyst, clock, sqlite_url, glossed_by("glaze-1")) as pipeline:
        await pipeline.digest(TURBINE, day(11))
        change = await pipeline.change(TURBINE, "1")
        other = await pipeline.change(TURBINE, "2")

    assert change.claims == (gloss(),)
    assert change.gloss_by
    assert (change.gloss_by.model, change.gloss_by.dropped) == ("glaze-1", 0)
    text = markdown.render(change_page(change, Language.EN))
    assert "The flag is gone." in text
    assert "Rules and glaze-1, its sentences checked" in text
    assert "No AI used" not in text
    assert (other.claims, other.gloss_by) == ((), None)


async def test_what_an_analysis_proves_takes_the_place_of_the_gloss(
    turbine, analyst, clock, sqlite_url
) -> None:
    async with plant(turbine, analyst, clock, sqlite_url, glossed_by("glaze-1")) as pipeline:
        await pipeline.digest(TURBINE, day(11))
        analyst.claims = (gloss(ClaimKind.WHY),)
        whole = await pipeline.change(TURBINE, "1")
        analyst.claims = (gloss(ClaimKind.RISK),)
        beside = await pipeline.change(TURBINE, "1")

    assert (whole.claims, whole.gloss_by) == ((gloss(ClaimKind.WHY),), None)
    assert beside.claims == (gloss(), gloss(ClaimKind.RISK))


async def test_a_gloss_that_other_rules_proved_is_told_with_no_change(
    turbine, analyst, clock, sqlite_url
) -> None:
    old = glossed_by("glaze-1")
    old.use = replace(old.use, verifier="older")
    async with plant(turbine, analyst, clock, sqlite_url, old) as pipeline:
        await pipeline.digest(TURBINE, day(11))
        change = await pipeline.change(TURBINE, "1")
    assert (change.claims, change.gloss_by) == ((), None)
