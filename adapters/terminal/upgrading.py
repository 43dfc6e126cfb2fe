"""What an upgrade means for a codebase, and which change broke it: `upgrade` and `between`."""

from collections.abc import Iterator
from contextlib import contextmanager

from adapters.terminal.commands import ShowBetween, ShowUpgrade
from adapters.terminal.drawing import show_page
from adapters.terminal.markdown import render
from adapters.terminal.options import Format, Options
from adapters.terminal.output import progress, say
from adapters.terminal.surfaces import given_surface
from adapters.wiring.run import Choices, running
from digest.concern.surface import Surface
from digest.concern.upgrade import Upgrade, status_of
from digest.concern.upstreams import upstream
from digest.errors import Unreachable, UsageError
from digest.languages import Language
from digest.models import Repo
from digest.ports import Progress, Source, Steps
from digest.upgrading import between, upgrade
from digest.wording.phrases import SAY
from digest.wording.saying import said
from digest.writing.pages import suspects_page, upgrade_page


async def show_upgrade(command: ShowUpgrade, options: Options) -> int:
    """Print the report; where something breaks the exit status is 3, so that CI can stop there."""
    _refuse_toml(options)
    written = upstream(command.repo).repo
    with progress() as tell:
        surface = await given_surface(command.surface, command.repo, tell)
        async with running(_choices(options), tell) as infra:
            repo = Repo.parse(written)
            steps = _steps(tell, repo)
            with _or_a_clone(options):
                found = await upgrade(
                    infra.source, repo, command.base, command.head, surface, steps
                )
            language = options.language or infra.settings.lang
    if command.draft:
        say(_draft(found, language))
        return status_of(found)
    document = upgrade_page(found, language, full=options.full)

    def as_json() -> str:
        from adapters.terminal.upgrade_json import render_upgrade

        return render_upgrade(found)

    show_page(document, options, as_json)
    return status_of(found)


LONGEST_DRAFT = 65_536
"""Characters that GitHub takes as the description of a pull request; it says so when it refuses."""


def _draft(found: Upgrade, language: Language) -> str:
    """Return the report as Markdown with as many changes of a section as a description holds."""
    for most in (100, 50, 30, 20, 10, 5, 2, 0):
        text = render(upgrade_page(found, language, most=most))
        if len(text) <= LONGEST_DRAFT:
            break
    return text[:LONGEST_DRAFT]


async def show_between(command: ShowBetween, options: Options) -> int:
    """Print the changes of a range, the likeliest cause first."""
    _refuse_toml(options)
    with progress() as tell:
        async with running(_choices(options), tell) as infra:
            surface = None
            if command.surface:
                surface = await given_surface(command.surface, command.repo, tell)
            repo = await _repo(infra.source, command.repo, surface)
            ends, steps = (command.good, command.bad), _steps(tell, repo)
            with _or_a_clone(options):
                span, ranked = await between(
                    infra.source, repo, ends, command.symptom, surface, steps
                )
            language = options.language or infra.settings.lang
    document = suspects_page(repo, span, ranked, language, full=options.full)

    def as_json() -> str:
        from adapters.terminal.upgrade_json import render_between

        return render_between(repo, span, ranked)

    show_page(document, options, as_json)
    return 0


@contextmanager
def _or_a_clone(options: Options) -> Iterator[None]:
    try:
        yield
    except Unreachable as error:
        if options.source != "github":
            raise
        raise Unreachable(SAY.upgrades.or_clone(error.why)) from error


def _refuse_toml(options: Options) -> None:
    if options.format is Format.TOML:
        raise UsageError(SAY.cli.toml_is_for_surfaces)


def _choices(options: Options) -> Choices:
    """What GitHub answered is kept, so that a month goes on where it was; a clone is read again."""
    return Choices(options.source, store=options.store and options.source == "github")


def _steps(tell: Progress, repo: Repo) -> Steps:
    return lambda step: tell(f"{repo}: {said(step, Language.EN)}")


async def _repo(source: Source, written: str, surface: Surface | None) -> Repo:
    from digest.sources.git.source import Git

    if written or (surface and surface.of):
        return Repo.parse(upstream(written).repo if written or not surface else surface.of)
    if isinstance(source, Git):
        return await source.name()
    raise UsageError(SAY.cli.between_of)
