"""A page in a real browser, without a window: what it shows, and what keys do to it."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp

_NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, _NAMES)), None)
"""Where a browser is; of a machine without one there is none."""


@dataclass(eq=False)
class Tab:
    """One page that is open, driven by https://chromedevtools.github.io/devtools-protocol/."""

    socket: aiohttp.ClientWebSocketResponse
    numbers: "count[int]"

    async def call(self, method: str, **params: Any) -> Any:
        number = next(self.numbers)
        await self.socket.send_json({"id": number, "method": method, "params": params})
        while (answer := await self.socket.receive_json()).get("id") != number:
            pass
        assert "error" not in answer, answer
        return answer["result"]

    async def gives(self, script: str) -> Any:
        """Return what an expression gives: a script of the browser's, none of the page's."""
        found = await self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def press(self, key: str) -> None:
        """Press and release a key, as `Tab` or a space."""
        codes = {"Backspace": 8, "Tab": 9, " ": 32}
        text = {"text": key} if len(key) == 1 else {}
        told = {"key": key, "windowsVirtualKeyCode": codes[key]}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **told, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    async def write(self, text: str) -> None:
        await self.call("Input.insertText", text=text)


@asynccontextmanager
async def opened(page: str, folder: Path, *, scripts: bool = True) -> AsyncIterator[Tab]:
    """Open a page as a file."""
    assert BROWSER is not None
    file, profile = folder / "page.html", folder / "profile"
    file.write_text(page, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        BROWSER,
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
        *("--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        port = await _port(process)
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
            async with session.get("/json/list") as answer:
                tabs = await answer.json()
            address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            async with session.ws_connect(address) as socket:
                tab = Tab(socket, count(1))
                await tab.call("Emulation.setScriptExecutionDisabled", value=not scripts)
                await tab.call("Page.enable")
                await tab.call("Page.navigate", url=file.as_uri())
                while (await socket.receive_json()).get("method") != "Page.loadEventFired":
                    pass
                yield tab
    finally:
        process.terminate()
        await process.wait()


async def _port(process: asyncio.subprocess.Process) -> str:
    """Return where a browser listens, as it says when it has begun."""
    assert process.stderr is not None
    async with asyncio.timeout(60):
        async for line in process.stderr:
            if found := re.search(rb"DevTools listening on ws://[^:]+:(\d+)/", line):
                return found[1].decode()
    raise AssertionError("the browser did not begin")
