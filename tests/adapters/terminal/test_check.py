import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adapters.terminal.main import run

PLATFORM_TOKENS = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "DISCORD_TOKEN")


class Limits(BaseHTTPRequestHandler):
    """Answers `/rate_limit` as GitHub does: 401 for the token `bad`, else what is left."""

    left = 4999

    def do_GET(self) -> None:
        refused = self.headers.get("Authorization") == "Bearer bad"
        body = b'{"resources": {"core": {"remaining": %d}}}' % self.left
        self._answer(
            401 if refused else 200, b'{"message": "Bad credentials"}' if refused else body
        )

    def do_POST(self) -> None:
        """Answer `auth.test` and `apps.connections.open` as Slack does: tokens with `bad` fail."""
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        refused = "bad" in self.headers.get("Authorization", "")
        body = b'{"ok": true, "team_id": "T1", "user_id": "U1", "url": "ws://127.0.0.1:1"}'
        self._answer(200, b'{"ok": false, "error": "invalid_auth"}' if refused else body)

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Limits) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{listening.server_port}"
        monkeypatch.chdir(tmp_path)
        for name in (
            "INFRA_MODEL",
            "INFRA_MODEL_CHECK",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            *PLATFORM_TOKENS,
        ):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("GITHUB_API_URL", url)
        monkeypatch.setenv("GITHUB_TOKEN", "good")
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'x.sqlite3'}")
        yield url
        listening.shutdown()
        thread.join()


def checked(capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    status = run(["check"])
    told = capsys.readouterr()
    assert told.err == ""
    return status, told.out.splitlines()


def about(tried: str, lines: list[str]) -> str:
    """Give the one line about something that was tried."""
    (line,) = (line for line in lines if line[5:].startswith(f"{tried}: "))
    return line


def test_everything_that_works_is_one_line_each(
    server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(capsys) == (
        0,
        [
            "ok   configuration: zone UTC, language en",
            f"ok   database: the database {tmp_path}/x.sqlite3 is up to date",
            f"ok   network: {server} answers",
            "ok   token: accepted; 4999 requests are left this hour",
            "ok   model: none: set INFRA_MODEL as docs/model.md tells, or do without",
        ],
    )


@pytest.mark.parametrize(
    ("given", "status", "lines"),
    [
        ({"GITHUB_TOKEN": ""}, 0, ["ok   token: none: set GITHUB_TOKEN for full detail"]),
        (
            {"GITHUB_TOKEN": "bad"},
            78,
            ["ok   network", "FAIL token: GitHub refused the token: set GITHUB_TOKEN"],
        ),
        (
            {"GITHUB_API_URL": "http://127.0.0.1:1"},
            1,
            [
                "FAIL network: GitHub could not be reached: check the network and GITHUB_API_URL",
                "FAIL token: not tried: the network comes first",
            ],
        ),
        ({"INFRA_LANG": "zh"}, 0, ["ok   配置：时区 UTC，语言 zh", "ok   令牌：有效"]),
        ({"INFRA_NOW": "1970-01-01T00:05:00Z"}, 78, ["FAIL clock: "]),
        (
            {"INFRA_MODEL_CHECK": "m"},
            78,
            ["FAIL model: INFRA_MODEL_CHECK is set and INFRA_MODEL"],
        ),
        (
            {"INFRA_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
            1,
            ["ok   token", "FAIL model: the model server 127.0.0.1:9 cannot be reached"],
        ),
        (
            {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_API_URL": "http://127.0.0.1:1/"},
            1,
            ["FAIL slack: Slack cannot be reached"],
        ),
        (
            {"INFRA_TZ": "nowhere", "INFRA_LANG": "fr"},
            78,
            ["FAIL configuration: INFRA_TZ", "FAIL configuration: INFRA_LANG"],
        ),
    ],
)
def test_each_fault_is_a_line_and_the_rest_is_tried(
    server: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: dict[str, str],
    status: int,
    lines: list[str],
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    ended, said = checked(capsys)

    assert ended == status
    for line in lines:
        assert any(each.startswith(line) for each in said), line


def test_a_used_up_quota_is_1(
    server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Limits, "left", 0)

    status, lines = checked(capsys)

    assert status == 1
    assert about("token", lines).startswith("FAIL token: accepted, but used up")


def test_a_database_that_can_be_read_and_not_written_is_told(
    server: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    assert run(["db", "upgrade"]) == 0
    capsys.readouterr()
    only_read = f"sqlite:///file:{tmp_path / 'x.sqlite3'}?mode=ro&uri=true"
    monkeypatch.setenv("DATABASE_URL", only_read)

    status, lines = checked(capsys)

    assert status == 1
    assert about("database", lines).startswith("FAIL database: ")
    assert "cannot be written: allow writing" in about("database", lines)


def test_the_data_folder_may_have_any_name(
    server: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "a b?c=1#%3F"
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: folder / name)
    assert run(["db", "upgrade"]) == 0
    assert capsys.readouterr().out == "the database is up to date\n"
    assert [file.name for file in folder.rglob("*") if file.is_file()] == ["infra.sqlite3"]


def test_a_database_that_is_damaged_where_nothing_was_read_yet_is_told(
    server: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["db", "upgrade"]) == 0
    capsys.readouterr()
    file = tmp_path / "x.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as database:
        ((size,),) = database.execute("PRAGMA page_size")
        ((page,),) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'item'")
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"x" * size)

    status, lines = checked(capsys)

    assert status == 1
    assert "is damaged: restore a backup" in about("database", lines)


@pytest.mark.parametrize(
    ("bot", "app", "secret", "status", "said"),
    [
        ("xoxb-1", "", "s", 0, "ok   slack: the token is workspace T1's; heard by HTTP"),
        (
            "xoxb-1",
            "xapp-1",
            "",
            0,
            "ok   slack: the token is workspace T1's; heard by Socket Mode",
        ),
        ("xoxb-bad", "xapp-1", "", 78, "FAIL slack: Slack refuses the bot's token"),
        ("xoxb-1", "xapp-bad", "", 78, "FAIL slack: Slack refuses SLACK_APP_TOKEN"),
        ("xoxb-1", "", "", 78, "FAIL slack: set SLACK_APP_TOKEN for Socket Mode"),
    ],
)
def test_the_tokens_of_slack_are_tried(
    server: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bot: str,
    app: str,
    secret: str,
    status: int,
    said: str,
) -> None:
    monkeypatch.setenv("SLACK_API_URL", f"{server}/api/")
    values = (bot, app, secret)
    for name, value in zip(PLATFORM_TOKENS, values, strict=False):
        monkeypatch.setenv(name, value)

    ended, lines = checked(capsys)

    assert ended == status
    assert about("slack", lines).startswith(said)
