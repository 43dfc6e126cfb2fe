"""The wiring: the only place that makes objects, and reads environment, files and clock."""

import os
import time
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import platformdirs
from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsConfigDict

from adapters.operations.logs import log_running
from bot.answer.answers import Answers
from bot.compose.pages import hidden_names
from bot.settings import ClockStart, Settings, check_file, faults_of, refuse
from bot.store.records import HiddenRepos
from digest.errors import ConfigurationError
from digest.github_web import use_api
from digest.models import Repo
from digest.phrase import NOTHING, Phrase
from digest.pipeline import Pipeline
from digest.ports import Clock, NoteVisibility, Progress, Source, Withheld
from digest.store.connections import DatabaseUrl, parse_url, url_of_file
from digest.store.database import Database, database_clock
from digest.store.store import Store, open_store
from digest.wording.phrases import SAY

if TYPE_CHECKING:
    from adapters.wiring.model import ModelAccess
    from digest.concern.reader import Codebase
    from digest.concern.surface import Surface
    from digest.sources.github.source import GitHub

PROGRAM = "infra-digest"
SETTINGS_FILE = "infra.toml"
SECRETS_FILE = ".env"
GITHUB_API = "https://api.github.com"

EPHEMERAL = {
    "DYNO": "Heroku",  # https://devcenter.heroku.com/articles/dynos#ephemeral-filesystem
    "K_SERVICE": "Cloud Run",  # https://cloud.google.com/run/docs/container-contract
    "FLY_APP_NAME": "Fly",  # https://fly.io/docs/machines/runtime-environment/
    "RAILWAY_ENVIRONMENT_ID": "Railway",  # https://docs.railway.com/reference/variables
    "RAILWAY_ENVIRONMENT": "Railway",
    "RENDER": "Render",  # https://render.com/docs/environment-variables
    "CF_INSTANCE_GUID": "Cloud Foundry",
    "VERCEL": "Vercel",
    "AWS_LAMBDA_FUNCTION_NAME": "AWS Lambda",
    "WEBSITE_INSTANCE_ID": "Azure App Service",
}
"""Variables that hosts set whose disks are new at every start, unless a volume is mounted."""

FLEETING = {
    "overlay": SAY.checks.in_container,
    "tmpfs": SAY.checks.in_memory,
    "ramfs": SAY.checks.in_memory,
}
"""Kinds of file systems that end with their container, or with the machine."""


class _FromFiles(Settings):
    model_config = SettingsConfigDict(env_file=SECRETS_FILE, env_file_encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Running:
    """Everything that a face needs, made and open."""

    source: Source
    clock: Clock
    settings: Settings
    answers: Answers
    pipeline: Pipeline
    store: Store | None = None
    budget: Callable[[], tuple[Mapping[str, int], int]] = lambda: ({}, 0)
    """GitHub's requests left by the kind of limit, and those that were made."""

    model: "ModelAccess | None" = None
    """None where no model is set; one that cannot be asked is there, and says why."""

    @property
    def speed(self) -> float:
        """How fast the clock runs, beside the real one."""
        return self.settings.now.speed if self.settings.now else 1.0


@asynccontextmanager
async def running(
    progress: Progress,
    chosen: str = "github",
    *,
    stored: bool = True,
    settings: Settings | None = None,
) -> AsyncIterator[Running]:
    """Make everything as it is set, or as given, and close it again.

    The source that a person chose is `github`, `git:PATH_OR_URL` or `recorded:FILE`; without
    `stored` nothing is kept. Raises `ConfigurationError`, `DatabaseVersion` or `StoreFailed` before
    anything is asked.
    """
    settings = settings or read_settings()
    use_api(settings.github_api_url)
    clock = clock_from(settings.now)
    async with AsyncExitStack() as stack:
        store = None
        if stored:
            store = await stack.enter_async_context(open_store(database_url(settings)))
            clock = await stack.enter_async_context(clock_of(settings, store.database))
            await HiddenRepos(store.database).hide(hidden_names(settings.private_repos), clock())
        source: Source
        if chosen == "github":
            github = github_source(settings, store, clock, progress)
            source = await stack.enter_async_context(github)
            name, only = github_name(settings), None
        else:
            github = None
            source, name, only = await _local(chosen, store, clock, progress)
        access = await _model(settings, store, clock, stack)
        editor = access.editor() if access else None
        pipeline = Pipeline(
            source,
            source_name=name,
            store=store,
            clock=clock,
            progress=progress,
            editing=editor,
            withheld=_withheld(settings, store if github else None),
            rereads=github is None,
        )
        answers = Answers(
            pipeline,
            store.watched if store else None,
            clock=clock,
            only=only,
            asked=access.filled_in(pipeline) if access else None,
            asking=access.asking() if access else None,
        )

        def budget() -> tuple[Mapping[str, int], int]:
            return (github.left, github.requests_sent) if github else ({}, 0)

        yield Running(source, clock, settings, answers, pipeline, store, budget, access)


def log_as_set(settings: Settings, *, debug: bool) -> None:
    """Log to standard error as a running bot does, in the form that is set."""
    log_running(settings.log, secrets_of(settings), debug=debug)


def secrets_of(settings: Settings) -> tuple[str, ...]:
    """Return every value that nobody may read, of a database's address the password alone."""
    values = {
        name: value.get_secret_value()
        for name in type(settings).model_fields
        if isinstance(value := getattr(settings, name), SecretStr)
    }
    address = values.pop("database_url")
    try:
        password = urlsplit(address).password or ""
    except ValueError:  # opening the database will say what is wrong with it
        password = address
    return tuple(filter(None, (*values.values(), password, unquote(password))))


def read_settings() -> Settings:
    """Read environment, `.env` and `infra.toml`; `ConfigurationError` tells all faults."""
    values, faults = _settings_file(Path(SETTINGS_FILE))
    try:
        settings = _FromFiles(**values)
    except ValidationError as error:
        raise ConfigurationError("\n".join((*faults, *faults_of(error)))) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(SAY.files.cannot_read(SECRETS_FILE, _reason(error))) from error
    refuse(faults)
    return settings


def clock_from(start: ClockStart | None) -> Clock:
    """Return the real clock, or one that starts at a moment and runs at a speed."""
    if start is None:
        return lambda: datetime.now(UTC)
    began = time.monotonic()
    return lambda: start.at + timedelta(seconds=(time.monotonic() - began) * start.speed)


@asynccontextmanager
async def clock_of(settings: Settings, database: Database) -> AsyncIterator[Clock]:
    """Make the clock that all processes of a database go by; raises `StoreFailed`."""
    machine = clock_from(settings.now)
    if settings.now:
        yield machine
        return
    async with database_clock(database, machine) as clock:
        yield clock


def database_url(settings: Settings) -> DatabaseUrl:
    """Return the database that is set, or the file in the user's data folder."""
    url = settings.database_url.get_secret_value()
    return url or url_of_file(platformdirs.user_data_path(PROGRAM) / "infra.sqlite3")


def storage_warning(settings: Settings) -> Phrase:
    """Return one sentence where the SQLite file will not outlast its host, else nothing."""
    url = parse_url(database_url(settings))
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return NOTHING
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:  # not Linux
        mounts = ""
    return ephemeral_storage(os.path.abspath(url.database), os.environ, mounts)


def ephemeral_storage(file: str, environment: Mapping[str, str], mounts: str) -> Phrase:
    """Return one sentence where a SQLite file will not last, and nothing where it will.

    `mounts` is the text of `/proc/self/mounts`, empty where there is none: a volume of its own is
    taken to stay, also on a host whose other disks do not.
    """
    point, kind = _mount(file, mounts)
    if kind in FLEETING:
        return SAY.checks.fleeting(file, FLEETING[kind])
    host = next((name for sign, name in EPHEMERAL.items() if environment.get(sign)), "")
    if host and point in ("", "/"):
        return SAY.checks.fleeting(file, SAY.checks.ephemeral_disk(host))
    return NOTHING


def _mount(file: str, mounts: str) -> tuple[str, str]:
    """Return where the file system of a file is mounted, and its kind; the innermost counts."""
    found = ("", "")
    path = PurePosixPath(file)
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= len(found[0]):
            found = (point, fields[2])
    return found


def note_visibility(settings: Settings, store: Store, clock: Clock) -> NoteVisibility:
    """Make what remembers which repositories GitHub calls private.

    What is stored of one that was, and was not listed, is thrown away before it counts as public:
    another one may have got its name.
    """
    hidden, name = HiddenRepos(store.database), github_name(settings)
    listed = hidden_names(settings.private_repos)

    async def note(repos: frozenset[Repo], is_private: bool) -> None:
        if is_private:
            await hidden.hide(hidden_names(repos), clock())
            return
        withheld = await hidden.all() - listed
        for repo in repos:
            if str(repo).lower() in withheld:
                await store.activity(name).forget(repo)
                await store.digests(name).withdraw(repo)
                await store.stories(name).withdraw(repo)
        await hidden.show(hidden_names(repos))

    return note


def github_source(
    settings: Settings, store: Store | None, clock: Clock, progress: Progress
) -> "GitHub":
    """Make the source that asks GitHub; it is an async context manager."""
    from digest.sources.github.source import GitHub

    return GitHub(
        token=settings.github_token.get_secret_value() or None,
        api_url=settings.github_api_url,
        private_repos=frozenset(settings.private_repos),
        memory=store.memory if store else None,
        clock=clock,
        progress=progress,
        seen_since=store.activity(github_name(settings)).seen_since if store else None,
        note=note_visibility(settings, store, clock) if store else None,
    )


def github_name(settings: Settings) -> str:
    """Name the source so that two servers never share what is stored."""
    url = settings.github_api_url
    return "github" if url == GITHUB_API else f"github:{url}"


def _withheld(settings: Settings, store: Store | None) -> Withheld:
    """Return what tells the names that were private once and may not be told as it is set now."""
    listed = hidden_names(settings.private_repos)

    async def withheld() -> frozenset[str]:
        return await HiddenRepos(store.database).all() - listed if store else frozenset()

    return withheld


async def _model(
    settings: Settings, store: Store | None, clock: Clock, stack: AsyncExitStack
) -> "ModelAccess | None":
    """Open the model that is set; None where none is."""
    if not settings.model:
        return None
    from adapters.wiring.model import opened_model

    return await stack.enter_async_context(opened_model(settings, store, clock))


async def _local(
    choice: str, store: Store | None, clock: Clock, progress: Progress
) -> tuple[Source, str, Repo]:
    """Return the source of `git:PATH_OR_URL` or `recorded:FILE`, its name, and what it holds."""
    kind, _, place = choice.partition(":")
    if kind == "recorded":
        from digest.sources.recorded import Recorded

        recorded = Recorded(Path(place))
        return recorded, _local_name(choice), recorded.name()
    from digest.sources.git.source import Git

    cache = platformdirs.user_cache_path(PROGRAM) / "git"
    name = _local_name(choice)
    git = Git(
        place,
        cache_dir=cache,
        clock=clock,
        progress=progress,
        environment=dict(os.environ),
        seen_since=store.activity(name).seen_since if store else None,
        memory=store.memory if store else None,
    )
    return git, name, await git.name()


async def read_codebase(location: str, revision: str, progress: Progress) -> "Codebase":
    """Read the files of a codebase with what git may see of the person's; see `codebase`."""
    from digest.sources.git.codebase import codebase

    return await codebase(
        location,
        revision=revision,
        cache_dir=platformdirs.user_cache_path(PROGRAM) / "git",
        environment=dict(os.environ),
        progress=progress,
    )


async def read_public_surface(repo: Repo, of: str) -> "Surface":
    """Read what a public codebase uses, as nobody in particular; see `public_surface`."""
    from adapters.wiring.surface_process import public_surface

    cache = str(platformdirs.user_cache_path(PROGRAM))
    return await public_surface(dict(os.environ), cache, repo, of)


def _local_name(choice: str) -> str:
    """Name a source so that the same place has the same name from every folder, and no secret."""
    from digest.sources.forge import without_credentials

    kind, _, place = choice.partition(":")
    shown = os.path.abspath(place) if os.path.exists(place) else without_credentials(place)
    return f"{kind}:{shown}"


def _settings_file(path: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, (f"{path} cannot be read: {_reason(error)}",)
    faults = check_file(values)
    return ({} if faults else {name.upper(): value for name, value in values.items()}), faults


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
