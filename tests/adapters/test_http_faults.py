"""What strangers do to the port that Slack uses: the running program answers and stays clear."""

import asyncio
import contextlib
import gzip
import hashlib
import hmac
import itertools
import os
import resource
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web

from adapters.web.http_server import Responder, ServerLimits, application, serving
from tests.adapters.running_program import Program, running_program
from tests.adapters.slack.conftest import SECRET, TEAM, FakeSlack
from tests.adapters.slack.test_running import free_port
from tests.adapters.web_served import served
from tests.conftest import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="module")

IDLE = 1_100
COMMAND = f"command=%2Finfra&text=help&team_id={TEAM}&channel_id=C1&user_id=U1&trigger_id=1"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slack() -> AsyncIterator[FakeSlack]:
    fake = FakeSlack()
    async with served(fake.application()) as fake.url:
        fake.members["C1"] = ["U1", "U0BOT"]
        yield fake


@asynccontextmanager
async def begun(folder: Path, slack: FakeSlack) -> AsyncIterator[Program]:
    async with running_program(folder, slack, "--only", "web") as program:
        await program.healthy()
        await program.heard()
        yield program


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    tmp_path_factory: pytest.TempPathFactory, slack: FakeSlack
) -> AsyncIterator[Program]:
    async with begun(tmp_path_factory.mktemp("program"), slack) as program:
        yield program
        assert await program.end() == 0


@pytest_asyncio.fixture(loop_scope="module")
async def program(shared: Program) -> AsyncIterator[Program]:
    """One program for all: after each test it takes commands, and nothing went wrong in it."""
    yield shared
    assert (await shared.slack.command("help"))[0] == 200
    assert shared.printed == []
    assert [line["exception"] for line in shared.lines if "exception" in line] == []


def refusals(program: Program) -> int:
    return len(program.logged("request refused"))


@asynccontextmanager
async def connections(port: int, many: int, *said: bytes) -> AsyncIterator[None]:
    """Open connections that say one of these and nothing more."""
    async with AsyncExitStack() as stack:
        for _, beginning in zip(range(many), itertools.cycle(said), strict=False):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            stack.callback(writer.close)
            writer.write(beginning)
        yield


@pytest.fixture
def many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * IDLE:
        pytest.skip("this machine allows no process that many connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * IDLE), hard))


HALF_A_BODY = b"POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\ncommand="


@pytest.mark.usefixtures("many_files")
async def test_many_idle_connections_keep_nobody_out(program: Program) -> None:
    sent = (b"", b"GET /heal", HALF_A_BODY)
    async with connections(program.port, IDLE, *sent), asyncio.timeout(PATIENCE):
        assert await program.get("/healthz") == (200, "ok\n")
        assert (await program.slack.command("help"))[0] == 200


def signed(body: bytes, *, stamp: str = "", secret: str = SECRET) -> dict[str, str]:
    stamp = stamp or str(int(time.time()))
    mac = hmac.new(secret.encode(), b"v0:%s:%s" % (stamp.encode(), body), hashlib.sha256)
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={mac.hexdigest()}"}


async def said(port: int, head: dict[str, str], body: bytes, path: str = "/slack/events") -> int:
    """Post bytes as they are, and return the status."""
    lines = [f"POST {path} HTTP/1.1", "Host: x"]
    lines += [f"{name}: {value}" for name, value in head.items()]
    if "Transfer-Encoding" not in head:
        lines.append(f"Content-Length: {len(body)}")
    return await answered(port, "\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def answered(port: int, request: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        async with asyncio.timeout(PATIENCE):
            line = await reader.readline()
        return int(line.split()[1])
    finally:
        writer.close()


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
JSON = {"Content-Type": "application/json"}
NOW = {"X-Slack-Request-Timestamp": str(int(time.time()))}
UNSIGNED: dict[str, tuple[dict[str, str], bytes]] = {
    "nothing": ({}, b""),
    "no signature": (FORM, COMMAND.encode()),
    "ssl check": (FORM, b"ssl_check=1&token=x"),
    "challenge": (JSON, b'{"type": "url_verification", "challenge": "c"}'),
    "timestamp of letters": (FORM | {"X-Slack-Request-Timestamp": "now"}, b"a=b"),
    "timestamp of other digits": (FORM | {"X-Slack-Request-Timestamp": "\u0661\u0662"}, b"a=b"),
    "timestamp too large": (FORM | {"X-Slack-Request-Timestamp": "9" * 5_000}, b"a=b"),
    "non-ASCII signature": (FORM | NOW | {"X-Slack-Signature": "v0=\u00e9\u4e2d"}, b"a=b"),
    "broken JSON": (JSON, b'{"broken'),
    "deep JSON": (JSON, b"[" * 200_000),
    "no object": (JSON, b"[1]"),
    "unknown charset": ({"Content-Type": "application/json; charset=klingon"}, b"{}"),
    "UTF-16": ({"Content-Type": "application/json; charset=utf-16"}, b"\xff\xfe{"),
    "no UTF-8": (FORM | NOW | {"X-Slack-Signature": "v0=00"}, b"\xff\xfe\x00"),
    "gzip": (JSON | {"Content-Encoding": "gzip"}, gzip.compress(b"{}")),
    "broken gzip": (JSON | {"Content-Encoding": "gzip"}, b"no gzip"),
    "deflate bomb": (JSON | {"Content-Encoding": "gzip"}, gzip.compress(b"0" * 20_000_000)),
    "unknown encoding": (JSON | {"Content-Encoding": "zstd"}, b"{}"),
    "broken chunks": (JSON | {"Transfer-Encoding": "chunked"}, b"zz\r\n{}\r\n0\r\n\r\n"),
    "multipart": ({"Content-Type": "multipart/form-data"}, b"--x"),
    "too much": (FORM, b"a" * 3_000_000),
}


async def test_what_is_not_signed_is_refused_in_one_line_whatever_it_is(program: Program) -> None:
    for name, (head, body) in UNSIGNED.items():
        before = refusals(program)
        status = await said(program.port, head, body)
        assert status in (400, 401, 413), name
        await program.until(lambda before=before: refusals(program) > before)
        assert refusals(program) == before + 1, name


SIGNED: dict[str, tuple[dict[str, str], bytes]] = {
    "broken JSON": (JSON, b'{"broken'),
    "broken payload": (FORM, b"payload=%7Bbroken"),
    "a list": (JSON, b"[1]"),
    "a payload that is a list": (FORM, b"payload=%5B1%5D"),
    "null": (JSON, b"null"),
    "a number": (JSON, b"1"),
    "no UTF-8": (FORM, b"text=\xff\xfe"),
    "unknown charset": ({"Content-Type": "application/json; charset=klingon"}, b'{"a'),
    "gzip": (JSON | {"Content-Encoding": "gzip"}, gzip.compress(b"{}")),
    "deep JSON": (JSON, b"[" * 200_000),
    "nothing": (JSON, b""),
}


async def test_what_is_signed_and_broken_is_refused_without_a_traceback(program: Program) -> None:
    before = refusals(program)
    for name, (head, body) in SIGNED.items():
        status = await said(program.port, head | signed(body), body)
        assert status in (400, 401, 404), (name, status)

    assert refusals(program) - before <= len(SIGNED)


async def test_the_signature_is_of_the_bytes_whatever_charset_is_named(program: Program) -> None:
    body = COMMAND.replace("help", "%E4%BD%A0 \u4f60").encode()
    head = {"Content-Type": "application/x-www-form-urlencoded; charset=latin-1"}

    assert await said(program.port, head | signed(body), body) == 200


NO_REQUESTS = (
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"rubbish\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /%ff%fe%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET //../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
    b"PATCH /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
)


async def test_what_is_no_request_is_refused_without_a_traceback(program: Program) -> None:
    for sent in NO_REQUESTS:
        before = refusals(program)
        assert 400 <= await answered(program.port, sent) < 500, sent[:50]
        assert await program.get("/healthz") == (200, "ok\n")
        assert refusals(program) - before <= 1, sent[:50]


async def test_who_leaves_in_the_middle_is_one_line_at_most(program: Program) -> None:
    before = refusals(program)
    for said in (
        HALF_A_BODY,
        b"POST /slack/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"GET /heal",
    ):
        async with connections(program.port, 1, said):
            await program.get("/healthz")

    await program.until(lambda: refusals(program) >= before + 2)
    assert (await program.slack.command("help"))[0] == 200
    assert refusals(program) == before + 2


async def test_who_asks_again_for_the_end_does_not_tear_it(
    tmp_path: Path, slack: FakeSlack
) -> None:
    async with begun(tmp_path, slack) as program:
        while program.process.returncode is None:
            # It may be gone before the loop is told, which it never is without a turn of its own.
            with contextlib.suppress(ProcessLookupError):
                os.kill(program.process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(program.process.wait(), 0.02)

    assert program.process.returncode == 0
    assert program.printed == []
    assert [line["exception"] for line in program.lines if "exception" in line] == []


# The limits themselves, short enough to be waited for.


class _NoVitals:
    """Nobody asks for these here."""


@asynccontextmanager
async def limited(limits: ServerLimits, pages: Any = None) -> AsyncIterator[int]:
    doors: dict[str, Responder] = {}
    port = free_port()

    async def take(request: web.Request) -> web.Response:
        return web.Response(text=await request.text())

    doors["/slack/events"] = take
    health: Any = _NoVitals()
    made = application(health, doors, ("/slack/events",), pages)
    async with serving(made, "127.0.0.1", port, needed=True, limits=limits):
        yield port


async def closed(reader: asyncio.StreamReader) -> bytes:
    """Wait until the other side closes, and return what it said before."""
    async with asyncio.timeout(PATIENCE):
        return await reader.read()


SHORT = ServerLimits(head_seconds=0.2, body_seconds=0.2)


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\n"], ids=ascii)
async def test_a_head_that_does_not_come_ends_the_connection(sent: bytes) -> None:
    async with limited(SHORT) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        assert await closed(reader) == b""
        writer.close()


async def test_a_head_that_trickles_in_ends_the_connection() -> None:
    async with limited(SHORT) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        waiting = asyncio.create_task(closed(reader))
        writer.write(b"GET /healthz HTTP/1.1\r\n")
        async with asyncio.timeout(PATIENCE):
            while not waiting.done():
                writer.write(b"X: y\r\n")
                await asyncio.sleep(0.02)
        writer.close()


async def test_a_body_that_does_not_come_whole_gets_408() -> None:
    async with limited(replace(SHORT, head_seconds=PATIENCE)) as port:
        for head in (b"Content-Length: 9", b"Transfer-Encoding: chunked"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /slack/events HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n1\r\n")
            assert (await closed(reader)).startswith(b"HTTP/1.1 408 ")
            writer.close()


async def test_an_answer_ends_its_connection() -> None:
    """A connection that is kept open for the next request is one that idles."""
    async with limited(ServerLimits()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await closed(reader)).endswith(b"ok\n")
        writer.close()


async def test_the_oldest_connection_makes_room_for_the_newest() -> None:
    hour = 3_600.0  # nothing else closes a connection
    async with limited(ServerLimits(hour, hour, connections=3)) as port:
        opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        for reader, _ in opened[:2]:
            assert await closed(reader) == b""
        for reader, writer in opened[3:]:
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await closed(reader)).endswith(b"ok\n")
        for _, writer in opened:
            writer.close()


async def test_who_is_closed_before_their_request_begins_leaves_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with limited(ServerLimits(connections=1)) as port:
        for number in range(60):
            with (
                socket.create_connection(("127.0.0.1", port)) as one,
                contextlib.ExitStack() as stack,
            ):
                for _ in range(number % 6):
                    await asyncio.sleep(0)
                one.sendall(HALF_A_BODY)
                for _ in range(number % 4):
                    await asyncio.sleep(0)
                stack.enter_context(socket.create_connection(("127.0.0.1", port)))
                for _ in range(8):
                    await asyncio.sleep(0)

    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
