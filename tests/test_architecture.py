"""The house stays as it was laid out: who may import what, and what stands where."""

import ast
import logging
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

HERE = Path(__file__).parent.parent
CONTRACTS = HERE / ".importlinter"

PLACES = {
    "digest": "the words of a digest and the way of one",
    "digest/sources": "where activity comes from",
    "digest/sources/git": "a clone",
    "digest/sources/github": "GitHub with a token and without",
    "digest/editing": "what a model fills in, picks, translates and edits, and how it is asked",
    "digest/concern": "what of it concerns a codebase, pure",
    "digest/query": "questions in plain words, pure",
    "digest/reading": "deciding, pure",
    "digest/reading/interfaces": "interfaces before and after, pure",
    "digest/evaluation": "how good a reading is against editors, pure",
    "digest/wording": "all that is said, typed, with its English",
    "digest/wording/zh": "Chinese",
    "digest/writing": "saying, pure",
    "digest/store": "what is kept of digests",
    "digest/store/migrations": "the history of the database",
    "digest/store/migrations/versions": "its steps",
    "bot": "what the bot does, on no platform",
    "bot/model": "what a channel gets and people say, pure",
    "bot/wording": "what the bot says of itself, pure",
    "bot/compose": "from a digest to the parts of a thread, pure",
    "bot/store": "what is kept of channels",
    "bot/deliver": "from a slot to posted messages",
    "bot/followups": "from a reaction to a follow-up",
    "bot/answer": "from a command to a reply",
    "adapters": "every face to the outside, and the wiring",
    "adapters/wiring": "making the objects of a command or a process",
    "adapters/operations": "clock, background work, logs, health and metrics of a process",
    "adapters/web": "HTTP, served and used",
    "adapters/pages": "pages for a browser",
    "adapters/terminal": "the command line",
    "adapters/slack": "Slack",
    "adapters/discord": "Discord",
}
"""A new folder fails until it is given its place here."""

CLOCK_AND_ENVIRONMENT = {
    "adapters/wiring/assembly.py",
    "adapters/terminal/main.py",
    "adapters/terminal/options.py",
}
"""The entry points and the wiring: all others are given the time and their settings."""

FORBIDDEN_CALLS = {
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "time.time",
    "os.environ",
    "os.getenv",
}

ONLY_IN = {
    "httpx": ("digest/sources/github/client.py", "adapters/"),
    "httpx2": ("digest/editing/server.py",),
    "openai": ("digest/editing/server.py",),
    "sqlalchemy": ("digest/store/", "bot/store/"),
    "sqlmodel": ("digest/store/", "bot/store/"),
    "alembic": ("digest/store/migrations/",),
    "typer": ("adapters/terminal/",),
    "rich": ("adapters/terminal/",),
    "slack_bolt": ("adapters/slack/",),
    "slack_sdk": ("adapters/slack/",),
    "aiohttp": ("adapters/",),
}
"""Where a library may be imported, so that changing it is a change of one place."""

DRAWERS = {"util", "utils", "helper", "helpers", "common", "manager", "processor", "misc"}


@cache
def product_files() -> list[str]:
    return sorted(
        str(path.relative_to(HERE))
        for folder in ("digest", "bot", "adapters")
        for path in (HERE / folder).rglob("*.py")
    )


@cache
def text(path: str) -> str:
    return (HERE / path).read_text(encoding="utf-8")


def nodes(path: str, told_by: str) -> Iterator[ast.AST]:
    """Give the nodes of a file; none, and fast, where a pattern is nowhere in it."""
    return ast.walk(ast.parse(text(path))) if re.search(told_by, text(path)) else iter(())


def imported(path: str) -> Iterator[str]:
    """Give the top name of every module that a file imports, at its head or within a function."""
    for node in nodes(path, rf"\b(import|from)\s+({'|'.join(ONLY_IN)})\b"):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_imports_keep_their_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    loggers = logging.root.manager.loggerDict.values()
    were = [(each, each.disabled) for each in loggers if isinstance(each, logging.Logger)]

    status = lint_imports(config_filename=str(CONTRACTS), no_cache=True, no_logo=True)

    # It configures logging anew, which disables every logger that is there already.
    for logger, was_disabled in were:
        logger.disabled = was_disabled

    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


def test_every_folder_has_its_place() -> None:
    assert {str(Path(path).parent) for path in product_files()} == set(PLACES)


def test_no_name_is_a_drawer() -> None:
    for path in product_files():
        words = {word for part in Path(path).with_suffix("").parts for word in part.split("_")}

        assert not words & DRAWERS, path


def test_a_package_opens_with_a_docstring_and_nothing_else() -> None:
    for path in (each for each in product_files() if "__init__" in each):
        page = ast.parse(text(path))

        assert ast.get_docstring(page), path
        assert len(page.body) == 1, path


def test_time_and_environment_are_handed_in() -> None:
    last_words = {call.rpartition(".")[2] for call in FORBIDDEN_CALLS}
    told_by = rf"\.\s*({'|'.join(last_words)})\b"
    for path in (each for each in product_files() if each not in CLOCK_AND_ENVIRONMENT):
        attributes = (node for node in nodes(path, told_by) if isinstance(node, ast.Attribute))
        used = {ast.unparse(node) for node in attributes if node.attr in last_words}
        found = {name for name in used for call in FORBIDDEN_CALLS if _ends_with(name, call)}

        assert not found, path


def test_a_library_is_known_in_one_place() -> None:
    for path in product_files():
        strangers = {
            name
            for name in imported(path)
            if name in ONLY_IN and not path.startswith(ONLY_IN[name])
        }

        assert not strangers, path


BORDERS = {
    "digest/lookups.py": "one repository",
    "digest/store/batches.py": "one piece of work on the database, whose asker is told",
    "bot/deliver/delivery.py": "one delivery, and one channel that may have one",
    "bot/followups/upstream_checks.py": "one follow-up",
}
"""Where everything is caught, so that an error which nobody foresaw stops one thing and not all."""


def test_nothing_is_caught_blindly_but_at_the_borders() -> None:
    for path in product_files():
        if path in BORDERS:
            continue
        caught = {
            ast.unparse(node.type) if node.type else "everything"
            for node in nodes(path, r"except\s*:|\b(Base)?Exception\b")
            if isinstance(node, ast.ExceptHandler) and not _raises_again(node)
        }

        assert not caught & {"everything", "Exception", "BaseException"}, path


def _ends_with(name: str, forbidden: str) -> bool:
    return name == forbidden or name.endswith(f".{forbidden}")


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None
