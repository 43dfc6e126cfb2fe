"""How a process logs: one form for its own lines and its libraries', and no secret in any."""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, MutableMapping
from typing import Any, TextIO
from urllib.parse import quote

import structlog

HIDDEN = "[hidden]"

SHORTEST_SECRET = 6
"""A shorter value would hide common words, and can be guessed anyway."""

TELL_TOO_MUCH = (
    *("discord", "httpcore", "httpx", "httpx2", "infra.slack.sdk", "openai"),
    *("slack_bolt", "slack_sdk", "sqlalchemy"),
)
"""Libraries that write what they send at their level of debugging: prompts, messages, headers."""

LOOKS_SECRET = re.compile(
    r"(?i:(?:bearer|bot|basic) +)[\w.~+/=-]{16,}"  # the value of an Authorization header
    r"|\bxox[a-z]-[\w-]{6,}|\bxapp-[\w-]{6,}"  # Slack
    r"|\bgh[a-z]_\w{16,}|\bgithub_pat_\w{16,}"  # GitHub
    r"|\bsk-[\w-]{16,}"  # OpenAI and who follows it
    r"|(?<=://)[^\s/@:\"]*:[^\s/@\"]+(?=@)"  # user and password of a database
)
"""What is hidden also where no setting holds it."""

_Line = MutableMapping[str, Any]


def log_nowhere(*, debug: bool) -> None:
    """Send what libraries log to standard error with `debug`, and nowhere without."""
    level = logging.DEBUG if debug else logging.CRITICAL
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def log_running(
    form: str, secrets: Iterable[str], *, debug: bool, stream: TextIO | None = None
) -> None:
    """Log what a running bot does to standard error: `json`, or `text`; empty is by terminal.

    `secrets` never show, whoever writes them.
    """
    stream = stream or sys.stderr
    as_json = form == "json" or (not form and not stream.isatty())
    level = logging.DEBUG if debug else logging.INFO
    drawn = _drawn(as_json, stream.isatty(), _hiding(secrets))
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper("iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, drawn],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, drawn],
        )
    )
    root = logging.getLogger()
    ours = structlog.stdlib.ProcessorFormatter
    others = [each for each in root.handlers if not isinstance(each.formatter, ours)]
    root.handlers = [*others, handler]
    root.setLevel(level if debug else logging.WARNING)
    for name in TELL_TOO_MUCH:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger(name).level))
    logging.captureWarnings(capture=True)


def _drawn(
    as_json: bool, colours: bool, hide: Callable[[str], str]
) -> Callable[[Any, str, _Line], str]:
    """Return what draws a line, and hides in the whole of it whatever nobody may read."""
    render: Any = structlog.dev.ConsoleRenderer(colors=colours)
    if as_json:
        render = structlog.processors.JSONRenderer(ensure_ascii=False)

    def draw(logger: Any, name: str, line: _Line) -> str:
        return hide(str(render(logger, name, line)))

    return draw


def _hiding(secrets: Iterable[str]) -> Callable[[str], str]:
    known: set[str] = set()
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            known |= {secret, json.dumps(secret)[1:-1], quote(secret, safe="")}
    longest_first = sorted(known, key=len, reverse=True)

    def hide(text: str) -> str:
        for secret in longest_first:
            text = text.replace(secret, HIDDEN)
        # Lone surrogates, as in a title that was cut, cannot be written to every stream.
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return LOOKS_SECRET.sub(HIDDEN, text)

    return hide
