"""Two real processes tell the same day at the same moment, and each question is paid for once."""

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from aiohttp import web

from tests.digest.editing.model_server import ModelServer

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "adapters/terminal/demo/activity.json"


async def tell(url: str, model: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "adapters.terminal.main", "--source", f"recorded:{DEMO}"),
        *("lumen-org/lumen", "2026-03-04"),
        cwd=ROOT,
        env={
            **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
            "DATABASE_URL": url,
            "INFRA_MODEL": "m",
            "OPENAI_BASE_URL": model,
            "INFRA_NOW": "2026-03-05T09:00:00Z",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()


async def test_each_question_is_paid_for_once(postgres_url: str) -> None:
    server = ModelServer()
    server.delay = 0.3  # so that both are at it at once
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    model = f"http://{host}:{port}/v1"
    try:
        one, other = await asyncio.gather(tell(postgres_url, model), tell(postgres_url, model))
    finally:
        await runner.cleanup()

    questions = Counter(str(body["messages"]) for body in server.asked)
    assert len(questions) > 3
    assert set(questions.values()) == {1}
    assert one == other
