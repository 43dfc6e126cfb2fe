"""The house stays as it was laid out: who may import what, and what stands where."""

import ast
import configparser
from collections.abc import Iterator
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
    "digest/asking": "asking a model",
    "digest/asking/prompts": "what it is asked, as versioned files",
    "digest/grounding": "proving its sentences, pure",
    "digest/reading": "deciding, pure",
    "digest/writing": "saying, pure",
    "digest/writing/wording": "phrases of each language",
    "digest/store": "what is kept of digests",
    "digest/store/migrations": "the history of the database",
    "digest/store/migrations/versions": "its steps",
    "bot": "what the bot does, on no platform",
    "bot/store": "what is kept of channels",
    "adapters": "every face to the outside, and the wiring",
    "adapters/pages": "pages for a browser",
    "adapters/terminal": "the command line",
    "adapters/slack": "Slack",
    "adapters/discord": "Discord",
}
"""A new folder fails until it is given its place here."""

TOUCHING = {
    "bot.absences": "tells through a port, keeps in the store",
    "bot.allowances": "keeps in the store",
    "bot.answers": "asks for digests through a port",
    "bot.executor": "holds a thread",
    "bot.chat": "the door for channels",
    "bot.commanding": "asks and keeps through the other parts",
    "bot.pressing": "asks and keeps through the other parts",
    "bot.rooms": "holds the other parts",
    "bot.claiming": "takes slots in the store",
    "bot.channel_answers": "asks the store what a channel gets",
    "bot.completing": "edits through a port, keeps in the store",
    "bot.delivery": "sends through a port, keeps in the store",
    "bot.doubts": "asks a platform through a port, keeps in the store",
    "bot.flagging": "sends through a port, keeps in the store",
    "bot.showing": "sends through a port, keeps in the store",
    "bot.gathering": "asks for digests through a port",
    "bot.linking": "sends through a port",
    "bot.public_pages": "asks the store through a port",
    "bot.planning": "asks for digests through a port",
    "bot.posting": "sends through a port",
    "bot.sending": "sends through a port, keeps in the store",
    "bot.sharing": "sends through a port, keeps in the store",
    "bot.source_news": "tells through a port, keeps in the store",
    "bot.subscribing": "keeps in the store",
    "bot.repositories": "asks what is watched through a port",
    "bot.service": "the door",
    "bot.settings": "describes settings with pydantic-settings, reads none",
    "digest.asking.analysis": "asks a model through a port",
    "digest.asking.breaker": "is told how time passes",
    "digest.asking.client": "asks a model server",
    "digest.asking.endpoint": "asks a model server through `client`",
    "digest.asking.explaining": "asks for kept answers through a port",
    "digest.asking.glosses": "asks a model through a port",
    "digest.asking.lateness": "waits for a model",
    "digest.asking.keeping": "asks a model and keeps what it answered, through ports",
    "digest.asking.spending": "asks a model and notes what it cost, through ports",
    "digest.asking.turns": "takes turns through a port, and waits",
    "digest.asking.unstored": "remembers as long as the process lives",
    "digest.lookups": "asks a source, the store and a model",
    "digest.pipeline": "the conductor",
    "digest.task_group": "awaits",
    "digest.watching": "asks the store",
    "digest.sources.git.history": "runs git",
    "digest.sources.git.items": "is handed what `history` read",
    "digest.sources.git.location": "looks whether a folder is there",
    "digest.sources.git.mirror": "runs git",
    "digest.sources.git.process": "runs git",
    "digest.sources.git.source": "runs git",
    "digest.sources.github.client": "asks GitHub",
    "digest.sources.github.detailed": "asks GitHub through `client`",
    "digest.sources.github.finding": "asks GitHub through `client`",
    "digest.sources.github.gathering": "asks GitHub through `client`",
    "digest.sources.github.listing": "asks GitHub through `client`",
    "digest.sources.github.notices": "asks GitHub through `client`",
    "digest.sources.github.originals": "asks GitHub through `client`",
    "digest.sources.github.patches": "asks GitHub through `client`",
    "digest.sources.github.source": "asks GitHub through `client`",
    "digest.sources.github.sparse": "asks GitHub through `client`",
    "digest.sources.recorded": "reads and writes a file",
}
"""Modules that are not pure, with what they touch; the store and the adapters touch by nature."""

TOUCHING_BY_NATURE = ("digest.store.", "bot.store.", "adapters.")

CLOCK_AND_ENVIRONMENT = {"adapters/run.py", "adapters/terminal/main.py"}
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
    "httpx2": ("digest/asking/client.py",),
    "openai": ("digest/asking/client.py",),
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

LONGEST_FILE = 2000


def product_files() -> list[str]:
    return sorted(
        str(path.relative_to(HERE))
        for folder in ("digest", "bot", "adapters")
        for path in (HERE / folder).rglob("*.py")
    )


def tree(path: str) -> ast.Module:
    return ast.parse((HERE / path).read_text(encoding="utf-8"))


def module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(path: str) -> Iterator[str]:
    """Give the top name of every module that a file imports, at its head or within a function."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def pure_modules() -> set[str]:
    contracts = configparser.ConfigParser()
    contracts.read(CONTRACTS)
    return set(contracts["importlinter:contract:pure"]["source_modules"].split())


def is_pure(name: str) -> bool:
    return any(name == pure or name.startswith(f"{pure}.") for pure in pure_modules())


def test_imports_keep_their_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    status = lint_imports(config_filename=str(CONTRACTS), no_cache=True, no_logo=True)

    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out


@pytest.mark.parametrize("path", product_files())
def test_every_folder_has_its_place(path: str) -> None:
    assert str(Path(path).parent) in PLACES


def test_every_module_is_pure_or_says_what_it_touches() -> None:
    named = {
        module(path)
        for path in product_files()
        if not path.endswith("__init__.py") and not module(path).startswith(TOUCHING_BY_NATURE)
    }

    unplaced = {name for name in named if not is_pure(name) and name not in TOUCHING}
    gone = {name for name in TOUCHING if name not in named}
    both = {name for name in TOUCHING if is_pure(name)}

    assert (unplaced, gone, both) == (set(), set(), set())


@pytest.mark.parametrize("path", product_files())
def test_no_file_is_long(path: str) -> None:
    assert len((HERE / path).read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", product_files())
def test_no_name_is_a_drawer(path: str) -> None:
    words = {word for part in Path(path).with_suffix("").parts for word in part.split("_")}

    assert not words & DRAWERS


@pytest.mark.parametrize("path", [each for each in product_files() if "__init__" in each])
def test_a_package_opens_with_a_docstring_and_nothing_else(path: str) -> None:
    page = tree(path)

    assert ast.get_docstring(page)
    assert len(page.body) == 1


@pytest.mark.parametrize(
    "path", [each for each in product_files() if each not in CLOCK_AND_ENVIRONMENT]
)
def test_time_and_environment_are_handed_in(path: str) -> None:
    used = {ast.unparse(node) for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}

    found = {name for name in used for forbidden in FORBIDDEN_CALLS if _ends_with(name, forbidden)}
    assert not found


@pytest.mark.parametrize("path", product_files())
def test_a_library_is_known_in_one_place(path: str) -> None:
    strangers = {
        name for name in imported(path) if name in ONLY_IN and not path.startswith(ONLY_IN[name])
    }

    assert not strangers


@pytest.mark.parametrize("path", product_files())
def test_nothing_is_caught_blindly(path: str) -> None:
    caught = {
        ast.unparse(node.type) if node.type else "everything"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and not _raises_again(node)
    }

    assert not caught & {"everything", "Exception", "BaseException"}


def _ends_with(name: str, forbidden: str) -> bool:
    return name == forbidden or name.endswith(f".{forbidden}")


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None
