"""The log of a running bot: one form for every line, and no secret in any."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from adapters.operations.logs import HIDDEN, log_running
from adapters.wiring.assembly import secrets_of
from bot.settings import Settings


@pytest.fixture
def log() -> Iterator[Any]:
    """Give the log of this process back as it was."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield structlog.get_logger()
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_off_a_terminal_every_line_is_json_whoever_writes_it(log: Any) -> None:
    stream = io.StringIO()
    log_running("", (), debug=False, stream=stream)

    log.info("delivery told", late_seconds=2)
    logging.getLogger("apscheduler").warning("run of job %s was missed", "look")

    own, library = lines_of(stream)
    assert own["event"] == "delivery told"
    assert own["late_seconds"] == 2
    assert own["level"] == "info"
    assert library["event"] == "run of job look was missed"
    assert library["logger"] == "apscheduler"
    assert own.keys() >= {"timestamp"} <= library.keys()


def test_text_is_for_people(log: Any) -> None:
    stream = io.StringIO()
    log_running("text", (), debug=False, stream=stream)

    log.info("infra runs", only="worker")

    assert "infra runs" in stream.getvalue()
    assert "only=worker" in stream.getvalue()


def test_what_is_bound_stands_on_every_line_also_of_libraries(log: Any) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    with structlog.contextvars.bound_contextvars(delivery=7):
        log.info("delivery begins")
        logging.getLogger("some.library").error("a task broke")
    log.info("afterwards")

    assert [line.get("delivery") for line in lines_of(stream)] == [7, 7, None]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_secret_shows_nowhere(log: Any, form: str) -> None:
    stream = io.StringIO()
    secrets = ("hunter2hunter2", 'quo"ted secret', "p%40ss/word")
    log_running(form, secrets, debug=True, stream=stream)

    log.info(
        "told hunter2hunter2", reason='said quo"ted secret', url="postgres://u:p%2540ss%2Fword@h"
    )
    logging.getLogger("some.library").debug("sent %r", {"token": "hunter2hunter2"})
    try:
        raise ValueError("hunter2hunter2")
    except ValueError as error:
        log.error("broke", exc_info=error)

    text = stream.getvalue()
    assert HIDDEN in text
    assert "ValueError" in text
    for part in ("hunter2", "ted secret", "ss%2Fword"):
        assert part not in text


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer abcdefghijklmnop1234",
        "authorization Bot MTIzNDU2Nzg5MDEyMzQ1.abc.def-ghi",
        "xoxb-1234-abcdef",
        "xapp-1-A1-abcdef",
        "ghp_abcdefghijklmnopqrstuv",
        "github_pat_abcdefghijklmnopqrstuv",
        "sk-abcdefghijklmnopqrstuv",
        "postgresql://infra:sesame@db/infra",
    ],
)
def test_what_looks_like_a_secret_is_hidden_also_where_no_setting_holds_it(
    log: Any, line: str
) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    log.info("answer", of=line)

    told = lines_of(stream)[0]["of"]
    assert HIDDEN in told
    assert line.split()[-1] not in told
    assert "sesame" not in told


@pytest.mark.parametrize("library", ["openai", "slack_sdk", "discord", "httpx"])
def test_libraries_that_write_what_they_send_are_quiet_also_with_debug(
    log: Any, library: str
) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=True, stream=stream)

    logging.getLogger(library).debug("Request options: the whole prompt")
    logging.getLogger(library).info("the whole prompt")
    logging.getLogger(library).error("refused")

    assert [line["event"] for line in lines_of(stream)] == ["refused"]


def test_half_a_character_stops_no_line(log: Any) -> None:
    stream = io.StringIO()
    log_running("json", (), debug=False, stream=stream)

    log.info("delivery waits", reason="cut \ud83d here")

    stream.getvalue().encode("utf-8")
    assert "cut" in stream.getvalue()


def test_every_secret_setting_is_known_and_of_the_database_the_password_alone() -> None:
    settings = Settings.model_validate(
        {
            "DATABASE_URL": "postgresql://infra:open%40sesame@db/infra",
            "GITHUB_TOKEN": "ghp_x",
            "SLACK_BOT_TOKEN": "xoxb-x",
        }
    )

    assert set(secrets_of(settings)) == {"ghp_x", "xoxb-x", "open%40sesame", "open@sesame"}
