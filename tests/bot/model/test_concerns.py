"""What concerns a channel is said by people, kept, read every day, and never lost to a failure."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.deliver.background import ConcernReading
from bot.model.channel_commands import parse_chat
from bot.model.concerns import (
    AddCodebase,
    AddFile,
    ChangeWords,
    RemoveConcern,
    ShowConcern,
    file_name,
)
from bot.store.tables import CONCERNS
from digest.concern.surface import CodePlace, Surface, SurfaceWords, Use, UseKind
from digest.errors import CouldNotLook, UsageError
from digest.models import Repo
from digest.store.database import execute
from tests.bot.bot_fixture import Bot
from tests.bot.platform_fake import ADA_HERE, CHANNEL
from tests.bot.talking import everything, typed
from tests.conftest import SetClock

ASCEND = Repo("vllm-project", "vllm-ascend")
READ = Surface(
    "vllm-project/vllm", uses=(Use(UseKind.MODULE, "vllm.config", CodePlace("a.py", 3)),)
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("concern", ShowConcern()),
        ("concern models Qwen3, DeepSeek-V4", ChangeWords({"models": ("Qwen3", "DeepSeek-V4")})),
        (
            "concern Hardware MI355 SM120 flags --tp，VLLM_X models nothing",
            ChangeWords(
                {"hardware": ("MI355", "SM120"), "flags": ("--tp", "VLLM_X"), "models": ()}
            ),
        ),
        (
            "concern add https://github.com/vllm-project/vllm-ascend of vllm",
            AddCodebase(ASCEND, "vllm"),
        ),
        ("concern add https://example.org/a/own.toml", AddFile("https://example.org/a/own.toml")),
        ("concern remove all", RemoveConcern()),
        ("concern remove vllm.toml", RemoveConcern("vllm.toml")),
    ],
)
def test_a_concern_is_understood(text: str, command: object) -> None:
    assert parse_chat(text) == command


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("concern model Qwen3", "concern models Qwen3"),
        ("concern models", "nothing follows models"),
        ("concern add", "concern add vllm-project/vllm-ascend of vllm"),
        ("concern add http://169.254.169.254/x/y of vllm", "public repository"),
        ("concern add file:///etc", "public repository"),
        ("concern add http://example.org/own.toml", "public repository"),
        ("concern add https://example.org/own.toml of vllm", "public repository"),
        ("concern add a/b of ;rm", "no repository that is known"),
        ("concern remove", "say which"),
        (f"concern models {'x' * 101}", "too long"),
        (f"concern models {','.join(map(str, range(51)))}", "too many"),
    ],
)
def test_a_concern_that_cannot_be_is_told_in_a_line(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_chat(text)

    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_codebase_is_read_every_day_and_a_failure_keeps_what_was_read(
    bot: Bot, clock: SetClock
) -> None:
    answers: list[Surface | Exception] = [READ, CouldNotLook("no network")]
    asked: list[tuple[Repo, str]] = []

    async def read(repo: Repo, of: str) -> Surface:
        asked.append((repo, of))
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    await typed(bot, f"concern add {ASCEND} of vllm")
    for hours in (0, 1, 25):
        now = clock() + timedelta(hours=hours)
        await ConcernReading(
            bot.store.concerns, read, lambda now=now: now, bot.platform.fetched
        ).look(now)
    [kept] = await bot.store.concerns.of(CHANNEL)

    assert asked == [(ASCEND, "vllm")] * 2
    assert kept.surface == READ
    assert kept.trouble
    assert "no network" in str((await typed(bot, "concern")).parts)
    await typed(bot, f"concern add {ASCEND} of vllm")
    [again] = await bot.store.concerns.of(CHANNEL)
    assert again.surface == READ


async def test_what_is_taken_away_while_it_is_read_stays_away(bot: Bot, clock: SetClock) -> None:
    async def read(repo: Repo, of: str) -> Surface:
        await typed(bot, "concern remove all")
        return READ

    await typed(bot, f"concern add {ASCEND} of vllm")
    await ConcernReading(bot.store.concerns, read, clock, bot.platform.fetched).look(clock())

    assert await bot.store.concerns.of(CHANNEL) == ()


async def test_a_concern_that_cannot_be_read_keeps_no_other_waiting(
    bot: Bot, clock: SetClock
) -> None:
    asked: list[Repo] = []

    async def read(repo: Repo, of: str) -> Surface:
        asked.append(repo)
        return READ

    await typed(bot, "concern add a/b of vllm")
    await bot.digests.database.write(execute(CONCERNS.update().values(body=b"{}")), "")
    clock.advance(minutes=1)
    await typed(bot, f"concern add {ASCEND} of vllm")
    for _ in range(2):
        reading = ConcernReading(bot.store.concerns, read, clock, bot.platform.fetched)
        await reading.look(clock())

    assert asked == [ASCEND]


async def test_a_file_of_a_surface_is_kept_under_its_name(bot: Bot) -> None:
    await bot.chat.settings.give("own.toml", READ.write(), ADA_HERE)
    await bot.chat.settings.give("words.toml", 'models = ["Qwen3"]', ADA_HERE)

    kept = {each.name: each.surface for each in await bot.store.concerns.of(CHANNEL)}
    assert kept == {"own.toml": READ, "words": Surface(words=SurfaceWords(models=("Qwen3",)))}
    with pytest.raises(UsageError, match="no TOML"):
        await bot.chat.settings.give("own.toml", "uses = [", ADA_HERE)
    for number in range(8):
        await bot.chat.settings.give(f"{number}.toml", READ.write(), ADA_HERE)
    with pytest.raises(UsageError, match="takes 10 concerns"):
        await bot.chat.settings.give("more.toml", READ.write(), ADA_HERE)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("https://[x]/own.toml", "own.toml"),
        ("a://[b", "[b"),
        ("https://example.org", "example.org"),
        ("https://example.org/words", "words.toml"),
        ("/", "file"),
    ],
)
def test_whatever_a_file_or_its_address_is_called_it_has_a_name(written: str, name: str) -> None:
    assert file_name(written) == name


async def test_a_file_at_an_address_is_read_at_once_and_every_day(
    bot: Bot, clock: SetClock
) -> None:
    address = "https://example.org/a/own.toml?raw=1"
    missing = await typed(bot, f"concern add {address}")
    bot.platform.files = {address: READ.write()}
    shown = await typed(bot, f"concern add {address}")
    [kept] = await bot.store.concerns.of(CHANNEL)
    assert missing.failed
    assert "own.toml uses 1 names" in str(shown.parts)
    assert (kept.name, kept.surface, kept.is_file) == ("own.toml", READ, False)

    later = clock() + timedelta(hours=25)
    reading = ConcernReading(bot.store.concerns, _no_codebase, lambda: later, bot.platform.fetched)
    bot.platform.files[address] = "uses = ["
    await reading.look(later)
    [kept] = await bot.store.concerns.of(CHANNEL)
    assert (kept.surface, bool(kept.trouble)) == (READ, True)
    await typed(bot, "concern remove own.toml")
    assert await bot.store.concerns.of(CHANNEL) == ()


async def test_a_file_that_is_given_while_its_address_is_read_stays(
    bot: Bot, clock: SetClock
) -> None:
    address = "https://example.org/a/own.toml"
    bot.platform.files = {address: READ.write()}
    await typed(bot, f"concern add {address}")
    later = clock() + timedelta(hours=25)

    async def fetch(url: str, name: str) -> str:
        await bot.chat.settings.give("own.toml", READ.write(), ADA_HERE)
        return READ.write()

    await ConcernReading(bot.store.concerns, _no_codebase, lambda: later, fetch).look(later)

    [kept] = await bot.store.concerns.of(CHANNEL)
    assert kept.is_file


async def _no_codebase(repo: Repo, of: str) -> Surface:
    raise AssertionError(repo, of)


async def test_what_is_uploaded_is_checked_and_never_takes_the_place_of_words(bot: Bot) -> None:
    await typed(bot, "concern models Qwen3")

    async def given(name: str, text: str) -> bool:
        async def read() -> str:
            return text

        return (await bot.chat.give_file(name, read, ADA_HERE)).failed

    assert not await given("words", READ.write())
    assert not await given("../../own\n.toml", READ.write())
    assert await given("empty.toml", "surface = 1")
    assert await given("page.toml", "<!doctype html>")
    assert await given("deep.json", "[" * 100_000)
    names = [each.name for each in await bot.store.concerns.of(CHANNEL)]
    assert names == ["own.toml", "words", "words.toml"]


async def test_a_digest_that_is_asked_for_begins_with_what_concerns_the_channel(bot: Bot) -> None:
    plain = everything(await typed(bot, "vllm 2026-02-11"))
    await typed(bot, "concern symbols CVE-2026-1101")
    day = everything(await typed(bot, "vllm 2026-02-11"))
    roundup = everything(await typed(bot, "all 2026-02-11"))
    elsewhere = await typed(bot, "vllm 2026-02-11", replace(CHANNEL, id="C9"))

    for told in (day, roundup):
        assert told.index("Concerns you") < told.index("you said so") < told.index("CVE-2026-1100")
    assert "Concerns you" not in plain
    assert "Concerns you" not in everything(elsewhere)
