"""Measures readings against labels, and a model as a second reader: `infra evaluate LABELS`."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adapters.terminal.commands import Evaluate
from adapters.terminal.files import read_text, write_text
from adapters.terminal.output import progress, say
from adapters.wiring.assembly import clock_from, read_settings
from adapters.wiring.model import opened_model
from digest.edited import Remark, RemarkKind
from digest.editing.calls import ModelCalls
from digest.editing.checks import fault, invented
from digest.editing.remarks import confirmed, to_check
from digest.errors import ConfigurationError, NotFound, UsageError
from digest.evaluation.interfaces import InterfaceFigures, commits_of, interface_figures
from digest.evaluation.labels import LabelledWindow, window_of
from digest.evaluation.learning import Seen, as_text, learned, left_out, seen
from digest.evaluation.page import HEADING, Measured, page
from digest.evaluation.scoring import Figures, figures
from digest.languages import Language
from digest.models import Activity, Item, Reading, Repo, Window
from digest.reading.folding import fold
from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import wanted
from digest.reading.learned import SHIPPED, Learned
from digest.reading.paths import RUNTIME, role
from digest.reading.reader import files_wanted, read
from digest.reading.terms import history as past_of
from digest.sources.forge import forge_of
from digest.sources.git.history import History
from digest.sources.git.items import commit_items
from digest.sources.git.process import GitProcess
from digest.sources.git.source import MOST_BEFORE
from digest.wording.phrases import SAY

Tell = Callable[[str], None]


async def evaluate(command: Evaluate) -> int:
    """Print the table, and write it or the weights learned where that is asked for.

    Without clones, a model is measured: see `evaluate_model`.
    """
    labels, clones = command.labels, command.clones
    if clones is None:
        return await evaluate_model(labels)
    windows = labelled_windows(labels)
    with progress() as tell:
        found = [await seen_in(window, clones, tell) for window in windows]
        tell("Weighing")
        if command.learn is not None:
            write_text(command.learn, as_text(learned(found)))
            say(f"{command.learn}\n")
        own = {window.name for window in windows} if command.learn else SHIPPED.windows
        measured = await asyncio.to_thread(_measured, found, own)
        interfaces = await _interfaces(labels, windows, clones, tell)
    table = page(measured, interfaces)
    say(table)
    if command.write is not None:
        write_text(command.write, _with_section(command.write, table))
    return 0


def labelled_windows(labels: Path) -> list[LabelledWindow]:
    """Return the windows of a folder of labels that have an editor; raises UsageError for none."""
    files = sorted((labels / "windows").glob("*.json"))
    if not files:
        raise UsageError(SAY.cli.no_windows(labels))
    windows = []
    for file in files:
        editors = [_json(one) for one in sorted(labels.glob(f"editors/*/{file.name}"))]
        if editors:
            windows.append(window_of(_json(file), editors))
    if not windows:
        raise UsageError(SAY.cli.no_editors(labels))
    return windows


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(SAY.cli.no_json(file, error)) from error


async def seen_in(window: LabelledWindow, clones: Path, tell: Tell) -> Seen:
    """Read a labelled window from the clone of its repository; raises NotFound without one."""
    tell(f"Reading {window.name}")
    history = History(GitProcess({}), _clone(clones, window))
    activity = await _activity(window, history)
    contents = await history.contents(files_wanted(activity))
    tip = await history.tip()
    before = await history.before(tip.sha, activity.window.start, MOST_BEFORE) if tip.sha else ()
    return seen(window, activity, contents, past_of(before))


def _clone(clones: Path, window: LabelledWindow) -> Path:
    return _folder(clones, (window.snapshot, window.repo))


def _folder(clones: Path, names: Iterable[str]) -> Path:
    tried = []
    for name in names:
        joined = name.replace("/", "+")
        for folder in (clones / joined / "repo", clones / joined, clones / name):
            if folder.is_dir():
                return folder / ".git" if (folder / ".git").is_dir() else folder
            tried.append(str(folder))
    raise NotFound(SAY.cli.no_clone(tried[0]))


async def _activity(window: LabelledWindow, history: History) -> Activity:
    repo = Repo.parse(window.repo)
    items = await _items(repo, history, [*window.keys])
    first, _, last = window.days.partition("..")
    start = datetime.fromisoformat(first).replace(tzinfo=UTC)
    end = datetime.fromisoformat(last or first).replace(tzinfo=UTC) + timedelta(days=1)
    whole = Window(start, end, "UTC", window.days)
    return Activity(repo, whole, tuple(items), end, "git")


async def _items(repo: Repo, history: History, shas: Sequence[str]) -> list[Item]:
    commits = await history.commits(shas)
    changes = await history.changes(commits)
    return commit_items(repo, forge_of(f"https://github.com/{repo}"), commits, {}, changes)


def _measured(found: Sequence[Seen], own: Collection[str]) -> list[Measured]:
    """Measure windows that weights are learned from by leaving them out, others as shipped."""
    known = [one for one in found if one.window.name in own]
    new = [one for one in found if one.window.name not in own]
    rows = []
    if len(known) > 1:
        every = [*left_out(known)]
        each = [_one(one, without) for one, without, _ in every]
        rows.append(_together("weights learned without the window", each))
        three = [one for one in each if one.editors > 1]
        if 0 < len(three) < len(each):
            rows.append(_together("of these, three editors", three))
        apart = [_one(one, without) for one, _, without in every if without is not None]
        if apart:
            rows.append(_together("without its repository", apart))
    elif known:
        rows.append(_together("weights that know the window", [_one(known[0], SHIPPED)]))
    if new:
        rows.append(_together("as shipped", [_one(one, SHIPPED) for one in new]))
    return rows


@dataclass(frozen=True, slots=True)
class _One:
    """The figures of one window."""

    editors: int
    changes: int
    figures: Figures
    by_size: Figures


def _one(one: Seen, known: Learned) -> _One:
    reading = read(one.activity, one.contents, past=one.past, learned=known)
    return _One(
        len(one.window.editors),
        len(reading.items),
        figures(one.window, reading),
        figures(one.window, _by_files(reading)),
    )


def _together(how: str, windows: Sequence[_One]) -> Measured:
    return Measured(
        how,
        len(windows),
        sum(one.changes for one in windows),
        sum((one.figures for one in windows), Figures()),
        sum((one.by_size for one in windows), Figures()),
    )


def _by_files(reading: Reading) -> Reading:
    """Return a reading in the order of how many files that run a change touches."""
    items = sorted(
        reading.items,
        key=lambda one: (
            -sum(role(file.path) in RUNTIME for file in one.item.files or ()),
            one.item.key,
        ),
    )
    return replace(reading, items=tuple(items))


async def _interfaces(
    labels: Path, windows: Sequence[LabelledWindow], clones: Path, tell: Tell
) -> InterfaceFigures | None:
    """Measure facts of interfaces on the labelled commits, where there are any."""
    file = labels / "notes.json"
    if not file.is_file():
        return None
    snapshots: Mapping[str, str] = {window.repo: window.snapshot for window in windows}
    total = InterfaceFigures()
    for commit in commits_of(_json(file)):
        tell(f"Comparing {commit.repo} {commit.sha[:7]}")
        repo = Repo.parse(commit.repo)
        names = (snapshots.get(commit.repo, commit.repo), commit.repo)
        history = History(GitProcess({}), _folder(clones, names))
        commits = await _items(repo, history, [commit.sha])
        items = fold(commits)
        contents = await history.contents(wanted(items, commits))
        total += interface_figures(commit, interface_facts(items, contents, commits))
    return total


def _with_section(file: Path, section: str) -> str:
    """Return the text of a page with this section in the place of the one of its heading."""
    old = read_text(file) if file.exists() else ""
    before, found, rest = old.partition(HEADING + "\n")
    if not found:
        return f"{section}\n{old}" if old else section
    _, following, after = rest.partition("\n# ")
    return before + section + (f"\n# {after}" if following else "")


AT_ONCE = 8
"""Statements in one question."""
SOURCE_CHARACTERS = 24_000


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement with its verdict, and how far it came."""

    is_true: bool
    passed: frozenset[Language]
    confirmed: bool = False


async def evaluate_model(labels: Path) -> int:
    """Print how many true and false statements would be told; the model is asked as it is set.

    The statements of `LABELS/model/statements.json` are each true or false of a real change. A
    statement passes where names and figures stand in its evidence and the model that is set
    confirms it; how many false ones pass is how far its marked sentences can be trusted.
    """
    file = labels / "model" / "statements.json"
    try:
        recorded = json.loads(await asyncio.to_thread(file.read_text, "utf-8"))
        statements, questions = recorded["statements"], recorded["questions"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(SAY.cli.no_statements(file)) from error
    settings = read_settings()
    if not settings.model:
        raise ConfigurationError(SAY.cli.no_model)
    found: list[Statement] = []
    async with opened_model(settings, None, clock_from(settings.now)) as access:
        calls = ModelCalls(access.model, access.checker)
        with progress() as tell:
            for key, group in _by_question(statements).items():
                tell(f"Asking about {len(found)} of {len(statements)}")
                source = _source(questions[key]["evidence"])
                for at in range(0, len(group), AT_ONCE):
                    found += await _read(group[at : at + AT_ONCE], source, calls)
    use = calls.use()
    spent = access.counting.input_tokens
    say(_table(found))
    if use is not None:
        say(
            f"{use.checker}: questions {use.asked}, unanswered {use.unanswered}, tokens {spent:,}\n"
        )
        say(f"{use.why}\n" if use.why else "")
    return 0


def _by_question(statements: Sequence[Mapping[str, Any]]) -> Mapping[str, list[Mapping[str, Any]]]:
    found: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for each in statements:
        found[each["question"]].append(each)
    return found


def _source(evidence: Mapping[str, Any]) -> str:
    hunks = (
        "\n".join((f"{hunk['id']} {hunk['path']}", *hunk["lines"])) for hunk in evidence["hunks"]
    )
    parts = (evidence["key"], evidence["title"], *evidence["body"], *hunks, *evidence["facts"])
    return "\n".join(parts)


async def _read(
    group: Sequence[Mapping[str, Any]], source: str, calls: ModelCalls
) -> list[Statement]:
    """Check statements about one change by their form, names and figures, then by the model."""
    found, remarks = [], []
    for each in group:
        texts = {Language.EN: each["en"], Language.ZH: each["zh"]}
        passed = {
            language: text
            for language, text in texts.items()
            if not fault(text, language) and not invented(text, language, source, frozenset({1}))
        }
        found.append(Statement(each["label"] == "true", frozenset(passed)))
        remarks.append(Remark(RemarkKind.LEAD, passed or texts, ()))
    sources = [(source[:SOURCE_CHARACTERS],)] * len(remarks)
    answer = await calls.ask("check", ["evaluation"], to_check(remarks, sources))
    confirmed_ids = {id(each) for each in confirmed(answer, remarks, sources)} if answer else set()
    return [
        Statement(each.is_true, each.passed, id(remark) in confirmed_ids)
        for each, remark in zip(found, remarks, strict=True)
    ]


def _table(found: Sequence[Statement]) -> str:
    rows = [
        "| | true, told | false, told |",
        "|---|---:|---:|",
        _row("by names, figures and claims, in a language", found, lambda each: bool(each.passed)),
        _row("… in both languages", found, lambda each: len(each.passed) == len(Language)),
        _row("and confirmed", found, lambda each: bool(each.passed) and each.confirmed),
        _row(
            "… in both languages",
            found,
            lambda each: len(each.passed) == len(Language) and each.confirmed,
        ),
    ]
    return "\n".join(rows) + "\n"


def _row(name: str, found: Sequence[Statement], counts: Any) -> str:
    cells = []
    for is_true in (True, False):
        group = [each for each in found if each.is_true is is_true]
        cells.append(f"{sum(map(counts, group))} of {len(group)}")
    return f"| {name} | {cells[0]} | {cells[1]} |"
