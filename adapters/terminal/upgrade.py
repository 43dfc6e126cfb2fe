"""What a codebase uses, what an upgrade means for it, and which change broke it."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from adapters.terminal.digest_json import Document
from adapters.terminal.documents import SCHEMA_VERSION
from adapters.terminal.drawing import show_page
from adapters.terminal.files import read_text
from adapters.terminal.markdown import render
from adapters.terminal.options import Format, Options
from adapters.terminal.output import progress, say, warn
from adapters.wiring.assembly import read_codebase, running
from bot.answer.answers import Answers
from digest.concern.matching import Match, WeighedChange
from digest.concern.reader import surface_of, used_upstreams
from digest.concern.surface import Surface, SurfaceWords, upstream
from digest.concern.upgrade import Suspect, Upgrade, status_of
from digest.errors import Unreachable, UsageError
from digest.languages import Language
from digest.models import Item, Repo, Span
from digest.ports import Progress, Steps
from digest.spans import notices_of
from digest.upgrading import between, upgrade
from digest.wording.phrases import SAY
from digest.wording.saying import localized
from digest.writing.concerned_parts import change_link, place_of
from digest.writing.pages import suspects_page, upgrade_page

_FILES = (".toml", ".json")
_MOST_SHOWN = 20


async def write_surface(location: str, named: str, revision: str, options: Options) -> int:
    """Print the surface; what could not be read is told on standard error too, a line each.

    The exit status is 1 where nothing is used. Raises `UsageError` where several repositories may
    be meant, and what `codebase` raises.
    """
    of = upstream(named) if named else None
    with progress() as tell:
        read = await read_codebase(location, revision, tell)
        if of is None:
            used = used_upstreams(read)
            if len(used) != 1:
                options_of = ", ".join(f"--of {one.repo}" for one in used)
                raise UsageError(
                    SAY.surfaces.several_used(options_of) if used else SAY.surfaces.none_used
                )
            of = used[0]
        surface = await asyncio.to_thread(surface_of, read, of, tell)
    for problem in surface.problems[:_MOST_SHOWN]:
        where = str(problem.place)
        warn(f"{where}: {problem.why}" if where else problem.why)
    if len(surface.problems) > _MOST_SHOWN:
        warn(f"and {len(surface.problems) - _MOST_SHOWN} more, all of them in the file")
    say(surface.write("json" if options.format is Format.JSON else "toml"))
    return 0 if surface.uses else 1


async def used_of(written: str, repos: Sequence[str], tell: Progress) -> tuple[Surface, ...]:
    """Return what is used of several repositories, as `given_surfaces` reads it.

    Raises `UsageError` where none of them is used.
    """
    found = await given_surfaces(written, repos, tell)
    found = [one for one in found if one.uses or one.words != SurfaceWords()]
    about = [one for one in found if not one.of or one.of.casefold() in map(str.casefold, repos)]
    if not about:
        found_instead = f"it is of {found[0].of}" if found else "it uses nothing of them"
        raise UsageError(SAY.cli.concerns_none(written, found_instead))
    return tuple(about)


async def given_surfaces(written: str, repos: Sequence[str], tell: Progress) -> list[Surface]:
    """Read a file of a surface, or what a codebase at a path or address uses of repositories.

    Raises `UsageError` for a file that is not there or no surface, and what reading a codebase
    raises.
    """
    path = Path(written)
    if path.suffix in _FILES:
        text = await asyncio.to_thread(read_text, path)
        if not text:
            raise UsageError(SAY.cli.no_surface(written))
        return [Surface.read(text)]
    read = await read_codebase(written, "", tell)
    if len(repos) > 1:  # each takes seconds
        used = {one.repo.casefold() for one in used_upstreams(read)}
        repos = [repo for repo in repos if repo.casefold() in used]
    return [await asyncio.to_thread(surface_of, read, upstream(of), tell) for of in repos]


async def show_upgrade(name: str, base: str, head: str, options: Options, *, draft: bool) -> int:
    """Print the report; where something breaks the exit status is 3, so that CI can stop there.

    An empty `base` is what the surface pins, an empty `head` the newest release. With `draft` the
    description of a pull request is printed.
    """
    written = upstream(name).repo
    with progress() as tell:
        (surface,) = await given_surfaces(options.surface, [name], tell)
        async with running(tell, options.source, stored=options.store) as infra:
            repo = await infra.answers.repo(written)
            steps = _steps(tell, repo)
            with _or_a_clone(options):
                found = await upgrade(infra.source, repo, base, head, surface, steps)
            language = options.language or infra.settings.lang
    if draft:
        say(_draft(found, language))
        return status_of(found)
    document = upgrade_page(found, language, full=options.full)
    show_page(document, options, lambda: upgrade_json(found))
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


async def show_between(name: str, ends: tuple[str, str], symptom: str, options: Options) -> int:
    """Print the changes from a good version to a bad one, the likeliest cause first.

    `name` is empty where the clone or the surface tells the repository.
    """
    with progress() as tell:
        async with running(tell, options.source, stored=options.store) as infra:
            surface = None
            if options.surface:
                (surface,) = await given_surfaces(options.surface, [name], tell)
            repo = await _repo(infra.answers, name, surface)
            steps = _steps(tell, repo)
            with _or_a_clone(options):
                span, ranked = await between(infra.source, repo, ends, symptom, surface, steps)
            language = options.language or infra.settings.lang
    document = suspects_page(repo, span, symptom, ranked, language, full=options.full)
    show_page(document, options, lambda: between_json(repo, span, ranked))
    return 0


@contextmanager
def _or_a_clone(options: Options) -> Iterator[None]:
    try:
        yield
    except Unreachable as error:
        if options.source != "github":
            raise
        raise Unreachable(SAY.upgrades.or_clone(error.why)) from error


def _steps(tell: Progress, repo: Repo) -> Steps:
    return lambda step: tell(f"{repo}: {localized(step, Language.EN)}")


async def _repo(answers: Answers, written: str, surface: Surface | None) -> Repo:
    """Return the repository that is named, or that the surface or the source is of."""
    named = upstream(written).repo if written else surface.of if surface else ""
    if named or answers.only:
        return await answers.repo(named or ".")
    raise UsageError(SAY.cli.between_of)


def upgrade_json(upgrade: Upgrade) -> Document:
    """Return the report with every match, also of what is touched lightly."""
    lists = {
        "breaks": upgrade.breaks,
        "otherwise": upgrade.otherwise,
        "new": upgrade.new,
        "lightly": upgrade.lightly,
        "gone_again": upgrade.gone_again,
    }
    settings = [
        {
            "name": one.use.name,
            "change": one.fact.change.value,
            "before": one.fact.before,
            "after": one.fact.after,
            "breaks": one.breaks,
            "by": _item(one.item) if one.item else None,
            "here": str(one.use.place),
        }
        for one in upgrade.settings
    ]
    return {
        **_head("upgrade", upgrade.repo, upgrade.span),
        "source": upgrade.source.name,
        "commit": upgrade.source.commit,
        "changes": upgrade.changes,
        "broken": upgrade.is_broken,
        **{name: _changes(changes) for name, changes in lists.items()},
        "by_ends": _matches(upgrade.alone) if upgrade.alone else [],
        "mended": [
            {
                **_item(one.item),
                "symptom": one.bite.symptom,
                "inferred": one.bite.inferred,
                "use": one.use.kind.value,
                "used": one.use.name,
                "here": str(one.use.place),
            }
            for one in upgrade.mended
        ],
        "settings": settings,
        "asked": [
            {"name": one.name, "before": one.before, "after": one.after,
             "at": f"{one.path}:{one.line}"}
            for one in upgrade.asked
        ],
        "unchanged": [
            {"name": one.name, "same": one.same.value, "path": one.path,
             "here": [str(place) for place in one.places]}
            for one in upgrade.unchanged
        ],
        "unread": list(upgrade.unread),
        "whole": upgrade.is_whole,
        "not_followed": [
            {"name": one.use.name, "why": one.why.value, "here": str(one.use.place)}
            for one in upgrade.lost
        ],
    }  # fmt: skip


def between_json(repo: Repo, span: Span, ranked: Sequence[Suspect]) -> Document:
    """Return every change of a range in its order."""
    rows = [
        {
            **_item(one.item),
            "score": round(one.score, 3),
            "words": list(one.words),
            "matches": _matches(one.weighed) if one.weighed else [],
        }
        for one in ranked
    ]
    return {**_head("between", repo, span), "changes": rows}


def _head(kind: str, repo: Repo, span: Span) -> Document:
    return {
        "schema": SCHEMA_VERSION,
        "kind": kind,
        "repo": str(repo),
        "from": span.base,
        "to": span.head,
        "from_sha": span.base_sha,
        "to_sha": span.head_sha,
        "notices": [
            {"kind": one.kind.value, "before": one.before, "after": one.after}
            for one in notices_of(span)
        ],
    }


def _item(item: Item) -> Document:
    link = change_link(item)
    return {"ref": link.label, "url": link.url, "sha": item.commits[0], "title": item.title}


def _changes(changes: Iterable[WeighedChange]) -> list[Document]:
    return [
        {**_item(one.item), "weight": round(one.weight, 3), "matches": _matches(one)}
        for one in changes
    ]


def _matches(one: WeighedChange) -> list[Document]:
    return [_match(match, one.item) for match in one.matches]


def _match(match: Match, item: Item) -> Document:
    where = place_of(match.altered.path, match.altered.line, item)
    return {
        "strength": match.strength.value,
        "ground": match.ground.value,
        "name": match.altered.name,
        "names": list(match.names),
        "before": match.altered.before,
        "after": match.altered.after,
        "upstream": where.label,
        "url": where.url,
        "use": match.use.kind.value,
        "used": match.use.name,
        "here": str(match.use.place),
    }
