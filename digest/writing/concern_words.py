"""The words for what a change does to a codebase that uses it, with the places of both sides."""

from collections.abc import Mapping

from digest.concern.matching import Ground, Match, Strength
from digest.concern.surface import Place, Use, UseKind
from digest.languages import Language
from digest.models import Item
from digest.wording.saying import CATALOGUES
from digest.writing.document import Code, Link, Run, Runs, Words


def match_runs(match: Match, item: Item, language: Language) -> Runs:
    """Return one match as a line: what was done, how it was and is, and where you use it."""
    one = match.altered
    done = _filled(
        CATALOGUES[language].grounds[match.ground],
        {"name": one.name or one.path, "after": one.after, "names": ", ".join(match.names)},
    )
    runs: list[Run] = [*done]
    shown = match.ground not in (Ground.GONE, Ground.MOVED, Ground.BODY, Ground.NEW)
    if shown and one.before and one.after and match.strength is Strength.BREAKS:
        runs += [Words(": "), Code(one.before), Words(" → "), Code(one.after)]
    runs += [Words(" ("), place_of(one.path, one.line, item, gone=match.ground is Ground.GONE)]
    short = match.use.name.rpartition(".")[2]
    runs += [
        Words(") · "),
        *_filled(you(match.use.kind if one.name else UseKind.MODULE, language), {"name": short}),
    ]
    if match.use.place.path:
        runs += [Words(" ("), Code(str(match.use.place)), Words(")")]
    return tuple(runs)


def you_runs(use: Use, language: Language) -> Runs:
    """Return how the codebase uses a thing, with its name."""
    short = use.name.rpartition(".")[2] if not use.name.startswith("-") else use.name
    form = you(use.kind, language)
    if "{name}" not in form:
        form = "{name}: " + form
    return _filled(form, {"name": short})


def you(kind: UseKind, language: Language) -> str:
    """Return how the codebase uses a thing, with `{name}` where the thing itself is to be told."""
    return CATALOGUES[language].uses[kind]


def place_of(path: str, line: int, item: Item, *, gone: bool = False) -> Link:
    """Return the line of a file, which leads to it as the change left it, or as it found it."""
    base, found, _ = item.url.rpartition("/commit/")
    sha = item.parents[0] if gone and item.parents else (item.commits or ("",))[-1]
    place = Place(path, line)
    if not found or not sha:
        return Link(str(place), "")
    return Link(str(place), f"{base}/blob/{sha}/{path}" + (f"#L{line}" if line else ""))


def change_link(item: Item) -> Link:
    """Return the pull request of a commit where it is known, else the commit."""
    base, found, _ = item.url.rpartition("/commit/")
    if item.pull_request is None:
        return Link(item.ref, item.url)
    url = item.url if not found or base.endswith("/-") else f"{base}/pull/{item.pull_request}"
    return Link(f"#{item.pull_request}", url)


def _filled(form: str, values: Mapping[str, str]) -> Runs:
    runs: list[Run] = []
    for piece in form.replace("}", "{").split("{"):
        if piece in values:
            runs.append(Code(values[piece]))
        elif piece:
            runs.append(Words(piece))
    return tuple(runs)
