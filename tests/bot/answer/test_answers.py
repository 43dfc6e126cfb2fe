from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest

from bot.answer.answers import Answers, Asker, resolve_only
from bot.compose.pages import page
from bot.model.commands import (
    Ask,
    Command,
    Help,
    ListRepos,
    Search,
    ShowChange,
    ShowDigest,
    ShowRoundup,
    Unwatch,
    Watch,
    Why,
)
from bot.model.replies import (
    HelpReply,
    MessageReply,
    QueryReply,
    ReposReply,
    RoundupReply,
)
from digest.editing.editor import Edited, Editor
from digest.errors import NotFound, UnknownRepo, UsageError
from digest.languages import Language
from digest.models import KNOWN, Activity, Digest, Item, Kind, Reading, Repo, State, Window
from digest.pipeline import Pipeline
from digest.store.store import Store, open_store
from tests.phrases import english

NOW = datetime(2026, 2, 12, 9, tzinfo=UTC)
ASKER = Asker("UTC", Language.EN)
CHANGE = Item(
    key="sgl-project/sglang:pull_request:7",
    repo=KNOWN["sglang"],
    kind=Kind.PULL_REQUEST,
    ref="#7",
    title="[Feature] Serve two models from one process",
    url="https://github.com/sgl-project/sglang/pull/7",
    author="someone",
    at=datetime(2026, 2, 11, 10, tzinfo=UTC),
    state=State.MERGED,
    number=7,
    commits=("a" * 40,),
    files=(),
)


class OneChange:
    """A source in which one change happened, in sglang; it writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def collect(self, repo: Repo, window: Window) -> Activity:
        self.asked.append((str(repo), window.label))
        items = (CHANGE,) if repo == CHANGE.repo and CHANGE.at in window else ()
        return Activity(repo, window, items, NOW, "test")

    async def find(self, repo: Repo, ref: str) -> Item:
        if repo == CHANGE.repo and ref in {"#7", "a" * 7}:
            return CHANGE
        raise NotFound(f"{repo} has no {ref}")


class Counted:
    """An editor that adds nothing, and counts the readings that it was given."""

    def __init__(self) -> None:
        self.edited = 0

    def owes(self, digest: Digest, now: datetime) -> bool:
        return digest.model is None

    async def edit(self, reading: Reading) -> Edited:
        self.edited += 1
        return Edited(reading, (), None)


def service(source: OneChange, store: Store, only: Repo | None = None) -> Answers:
    pipeline = Pipeline(
        source,
        source_name="test",
        store=store,
        clock=lambda: NOW,
        progress=lambda _: None,
        rereads=only is not None,
    )
    return Answers(pipeline, store.watched, clock=lambda: NOW, only=only)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'x.sqlite3'}"


async def test_a_roundup_tells_every_known_and_watched_repository(database: str) -> None:
    source = OneChange()
    async with open_store(database) as store:
        bot = service(source, store)
        await bot.answer(Watch(Repo("pytorch", "pytorch"), "torch"), ASKER)
        reply = await bot.answer(ShowRoundup("2026-02-11"), ASKER)

    assert isinstance(reply, RoundupReply)
    told = [digest.reading.repo for digest in reply.roundup.digests]
    assert told[0] == KNOWN["sglang"]
    assert set(told) == {*KNOWN.values(), Repo("pytorch", "pytorch")}


async def test_a_watched_repository_answers_to_its_alias_until_it_is_not_watched(
    database: str,
) -> None:
    async with open_store(database) as store:
        bot = service(OneChange(), store)
        done = await bot.answer(Watch(Repo("pytorch", "pytorch"), "torch"), ASKER)
        assert isinstance(done, MessageReply)
        assert english(done.what) == "pytorch/pytorch is watched as torch"
        assert await bot.repos(["TORCH"]) == (Repo("pytorch", "pytorch"),)
        listed = await bot.answer(ListRepos(), ASKER)
        assert isinstance(listed, ReposReply)
        assert list(listed.repos) == [*KNOWN, "torch"]

        await bot.answer(Unwatch("torch"), ASKER)
        with pytest.raises(UnknownRepo, match="no repository called torch"):
            await bot.repos(["torch"])
        with pytest.raises(UsageError, match="not the alias of a watched repository: nothing is"):
            await bot.answer(Unwatch("torch"), ASKER)


async def test_a_source_of_one_repository_answers_for_that_alone_and_is_read_anew(
    database: str,
) -> None:
    source = OneChange()
    async with open_store(database) as store:
        bot = service(source, store, only=KNOWN["sglang"])
        for name in ("sglang", "sgl-project/sglang", "."):
            await bot.answer(ShowDigest(name, "2026-02-11"), ASKER)
        roundup = await bot.answer(ShowRoundup("2026-02-11"), ASKER)

        assert len(source.asked) == 4
        assert isinstance(roundup, RoundupReply)
        assert len(roundup.roundup.digests) == 1
        with pytest.raises(UnknownRepo, match="holds sgl-project/sglang alone, not vllm"):
            await bot.answer(ShowDigest("vllm"), ASKER)
        for asked in (ShowDigest("crashes", "week"), ShowDigest(".", "week")):
            reply = await bot.answer(asked, ASKER)
            assert isinstance(reply, QueryReply) is (asked.repo != ".")
        with pytest.raises(UsageError, match="leave --source out"):
            await bot.answer(Watch(Repo("a", "b"), "b"), ASKER)


async def test_a_clone_without_a_name_is_asked_by_the_name_it_is_told_as(database: str) -> None:
    async with open_store(database) as store:
        bot = service(OneChange(), store, only=Repo("local", "repo"))
        # A clone costs nothing to read: what is not stored of it is collected.
        reply = await bot.answer(Ask("what changed in sglang on 2026-02-11?"), ASKER)

    assert isinstance(reply, QueryReply)
    assert reply.found.query.repos == (KNOWN["sglang"],)
    assert [hit.read.item.ref for hit in reply.found.hits] == ["#7"]


async def test_a_question_does_not_wait_for_a_model_to_edit_the_days_it_is_about(
    database: str,
) -> None:
    editor = Counted()
    async with open_store(database) as store:
        bot = service(OneChange(), store, only=KNOWN["sglang"])
        bot.pipeline.editing = cast("Editor", editor)
        await bot.answer(Ask("what changed in sglang on 2026-02-11?"), ASKER)
        assert editor.edited == 0
        await bot.answer(ShowDigest("sglang", "2026-02-11"), ASKER)
        assert editor.edited == 1


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("sglnag", "did you mean sglang?"),
        ("serach", "did you mean search flash attention?"),
        ("watch", "watch: write OWNER/NAME, or one of vllm, sglang"),
        ("torch", "torch: write OWNER/NAME, or one of vllm, sglang"),
        ("\x1b[2J", "write OWNER/NAME, or one of vllm, sglang"),
    ],
)
async def test_an_unknown_repository_is_refused_with_the_nearest_name(
    database: str, name: str, hint: str
) -> None:
    async with open_store(database) as store:
        with pytest.raises(UnknownRepo) as caught:
            await service(OneChange(), store).answer(ShowDigest(name), ASKER)

    assert hint in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_clone_without_remote_takes_the_name_that_is_asked_for() -> None:
    nameless = Repo("local", "work")

    assert resolve_only("work", nameless, KNOWN) == nameless
    assert resolve_only("sglang", nameless, KNOWN) == KNOWN["sglang"]
    assert resolve_only("a/b", nameless, KNOWN) == Repo("a", "b")
    with pytest.raises(UnknownRepo, match="holds local/work alone, not other: write work"):
        resolve_only("other", nameless, KNOWN)
    with pytest.raises(UnknownRepo, match="did you mean sglang"):
        resolve_only("sgland", nameless, KNOWN)


async def test_a_clone_without_remote_takes_the_alias_of_a_watched_repository(
    database: str,
) -> None:
    async with open_store(database) as store:
        await service(OneChange(), store).answer(Watch(Repo("o", "pump"), "pump"), ASKER)
        local = service(OneChange(), store, Repo("local", "work"))

        assert await local.repo("pump") == Repo("o", "pump")


@pytest.mark.parametrize("language", list(Language))
async def test_every_reply_has_a_page_in_every_language(database: str, language: Language) -> None:
    commands: Sequence[Command] = (
        ShowDigest("sglang", "2026-02-11"),
        ShowRoundup("2026-02-11"),
        ShowChange("sglang", "#7"),
        Why("sglang", "#7"),
        Search("models"),
        ListRepos(),
        Watch(Repo("a", "b"), "b"),
        Help(),
    )
    asker = Asker("UTC", language)
    async with open_store(database) as store:
        bot = service(OneChange(), store)
        replies = [await bot.answer(command, asker) for command in commands]

    assert isinstance(replies[-1], HelpReply)
    for reply in replies:
        document = page(reply)
        assert document.language is language
        assert document.title or document.lead
