"""What a model costs for one repository's day of 50 changes: questions, tokens and time.

The day is the dearest that can be: every change is a fix with a long description and a large patch.
`python -m benchmarks.model_costs` by itself.
"""

import asyncio
import tempfile
import time
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.wiring.model import ModelAccess
from benchmarks.rows import Row
from benchmarks.small_model import SmallModel, serving_model
from bot.settings import Settings
from digest.editing.editor import ITEMS_A_QUESTION, MOST_ITEMS, Editor
from digest.editing.plain_words import ModelAsking
from digest.models import Activity, Digest, FileChange, Item, Kind, Repo, State, Window
from digest.pipeline import Pipeline
from digest.query.query import Found, Query
from digest.query.ranking import found
from digest.query.reading import read_question
from digest.store.store import open_store

ITEMS = 50
INPUT_TOKENS = 20_000
"""The promise for a day of 50 items: so many input tokens, in so many questions."""
QUESTIONS = 4 + -(-MOST_ITEMS // ITEMS_A_QUESTION)
"""The front page, the forms, titles alone, the paragraph and its second reading."""

ANSWER_SECONDS = 0.2
"""How long the server takes for an answer, where time is measured."""

REPO = Repo("example-org", "turbine")
START = datetime(2026, 2, 11, tzinfo=UTC)
DAY = Window(START, START + timedelta(days=1), "UTC", "2026-02-11")
PARAGRAPH = (
    "The scheduler of part {n} holds its lock while it waits for the blade, so that requests "
    "crash with `TimeoutError` under load. It now lets go of the lock first and takes it again.\n\n"
)
HUNK = (
    "@@ -{line},5 +{line},6 @@ def turn_{n}(blade):\n"
    "     hold(blade)\n-    spin(blade, speed={n})\n+    release(blade)\n"
    '+    spin(blade, speed=os.environ["TURBINE_SPEED_{n}"])\n     stop(blade)\n     return blade\n'
)


class OneDay:
    """Implements `digest.ports.Source` with a day of large changes."""

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Give the day."""
        items = tuple(_change(number) for number in range(1, ITEMS + 1))
        return Activity(REPO, window, items, DAY.end + timedelta(hours=1), "invented")

    async def find(self, repo: Repo, ref: str) -> Item:
        """Give one of them."""
        return _change(int(ref.lstrip("#")))


def _change(number: int) -> Item:
    patch = "".join(
        HUNK.replace("{n}", str(number)).replace("{line}", str(line)) for line in range(1, 400, 10)
    )
    return Item(
        key=f"{REPO}:pull_request:{number}",
        repo=REPO,
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        number=number,
        title=f"[Bugfix] Fix crash of the blade scheduler in part {number} under load",
        url=f"https://github.com/{REPO}/pull/{number}",
        author="ada",
        at=START + timedelta(minutes=20 * number),
        state=State.MERGED,
        body=PARAGRAPH.replace("{n}", str(number)) * 30,
        files=tuple(
            FileChange(f"turbine/part_{number}/blade_{name}.py", "modified", 80, 40, patch)
            for name in ("a", "b", "c")
        ),
        additions=240,
        deletions=120,
    )


def measure() -> list[Row]:
    """Give the rows."""
    return asyncio.run(_measure())


async def _measure() -> list[Row]:
    async with serving_model() as server:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{Path(folder) / 'infra.sqlite3'}"
            without, _ = await _digest(url.replace("infra", "without"), None)
            server.seconds = ANSWER_SECONDS
            seconds, digest = await _digest(url.replace("infra", "quiet"), server)
            quiet, server.seconds = server.calls, 0.0
            server.forget()
            _, worst = await _digest(url, server)
            calls, cost, most = server.calls, server.input_tokens, server.most_input_tokens
            server.forget()
            await _digest(url, server, refresh=True)
            again = server.calls
            server.forget()
            await _ask(url, server)
            asked, asked_cost = server.calls, server.input_tokens
            server.forget()
            await _ask(url, server)
    assert digest.model is not None  # a model is set
    assert worst.model is not None
    day = f"a day of {ITEMS} large changes"
    return [
        Row(
            f"a model, {day}: questions at most",
            f"{calls}",
            f"{QUESTIONS}",
            calls <= QUESTIONS,
        ),
        Row("  input tokens of these", f"{cost:,}", f"{INPUT_TOKENS:,}", cost <= INPUT_TOKENS),
        Row("  input tokens of the largest", f"{most:,}"),
        Row(
            "  questions for it again, after a restart and collected anew",
            f"{again}",
            "0",
            again == 0,
        ),
        Row("  a question in plain words about it: questions", f"{asked}", "3", asked <= 3),
        Row("  input tokens of these", f"{asked_cost:,}"),
        Row("  questions where it is asked again", f"{server.calls}", "0", server.calls == 0),
        Row(
            f"  time, {quiet} questions answered in {ANSWER_SECONDS} s each",
            f"{seconds:.1f} s ({without:.1f} s without a model)",
        ),
    ]


async def _digest(
    url: str, server: SmallModel | None, *, refresh: bool = False
) -> tuple[float, Digest]:
    """Make the digest of the day, and give how long it took."""
    clock = lambda: DAY.end + timedelta(hours=2)  # noqa: E731 - one line says it all
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(open_store(url))
        editing = None
        if server is not None:
            settings = Settings.model_construct(model="small", openai_base_url=server.url)
            door = ModelAccess(settings, store, clock)
            stack.push_async_callback(door.close)
            editing = Editor(door.model, seconds=settings.model_seconds)
        pipeline = Pipeline(
            OneDay(),
            source_name="invented",
            store=store,
            clock=clock,
            progress=lambda line: None,
            editing=editing,
            rereads=refresh,
        )
        began = time.perf_counter()
        digest = await pipeline.digest(REPO, DAY)
        return time.perf_counter() - began, digest


async def _ask(url: str, server: SmallModel) -> None:
    """Ask the stored day a question that every change of it fits."""
    now = DAY.end + timedelta(hours=2)
    settings = Settings.model_construct(model="small", openai_base_url=server.url)
    async with open_store(url) as store:
        door = ModelAccess(settings, store, lambda: now)
        digest = await store.digests("invented").load(REPO, DAY)

        async def find(query: Query) -> Found:
            return found(query, {REPO: [digest] if digest else []})

        named = {REPO.name: REPO}
        text = f"does the `scheduler` of {REPO.name} crash?"
        query = read_question(text, named=named, otherwise=(REPO,), now=now, tz="UTC")
        await ModelAsking(door.model, seconds=25.0, clock=lambda: now).found(query, named, find)
        await door.close()


if __name__ == "__main__":
    for row in measure():
        print(row.name, "|", row.figure, "|", row.limit, "" if row.is_kept else "OVER")
