"""What an upgrade means for a codebase, and which change broke it: `upgrade` and `between`."""

from adapters.terminal.commands import ShowBetween, ShowUpgrade
from adapters.terminal.drawing import show_page
from adapters.terminal.markdown import render
from adapters.terminal.options import Format, Options
from adapters.terminal.output import say
from adapters.terminal.progress import progress
from adapters.terminal.surfaces import given_surface
from adapters.wiring.run import Choices, running
from digest.concern.upgrade import Upgrade, status_of
from digest.concern.upstreams import upstream
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Repo
from digest.ports import Source
from digest.sources.git.source import LOCAL
from digest.upgrading import between, upgrade
from digest.writing.pages import suspects_page, upgrade_page


async def show_upgrade(command: ShowUpgrade, options: Options) -> int:
    """Print the report; where something breaks the exit status is 3, so that CI can stop there."""
    _refuse_toml(options)
    written = upstream(command.repo).repo
    with progress() as tell:
        surface = await given_surface(command.surface, command.repo, tell)
        async with running(Choices(options.source, store=False), tell) as infra:
            repo = Repo.parse(written)
            found = await upgrade(infra.source, repo, command.base, command.head, surface, tell)
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
        async with running(Choices(options.source, store=False), tell) as infra:
            repo = await _repo(infra.source)
            surface = None
            if command.surface:
                surface = await given_surface(command.surface, "", tell)
                repo = Repo.parse(surface.of) if surface.of else repo
            ends = command.good, command.bad
            span, ranked = await between(infra.source, repo, ends, command.symptom, surface, tell)
            language = options.language or infra.settings.lang
    document = suspects_page(repo, span, ranked, language, full=options.full)

    def as_json() -> str:
        from adapters.terminal.upgrade_json import render_between

        return render_between(repo, span, ranked)

    show_page(document, options, as_json)
    return 0


def _refuse_toml(options: Options) -> None:
    if options.format is Format.TOML:
        raise UsageError("only a surface is written as toml: infra surface PATH --format toml")


async def _repo(source: Source) -> Repo:
    from digest.sources.git.source import Git

    return await source.name() if isinstance(source, Git) else Repo(LOCAL, "repository")
