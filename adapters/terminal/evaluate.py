"""Measures readings against labels, and a model as a second reader: `infra evaluate LABELS`."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adapters.terminal.files import check_writable, write_section, write_text
from adapters.terminal.output import progress, say
from adapters.wiring.assembly import clock_from, read_settings
from adapters.wiring.model import opened_model
from digest.edited import Remark, RemarkKind
from digest.editing.calls import ModelCalls
from digest.editing.checks import fault, invented
from digest.editing.editor import SOURCE_CHARACTERS
from digest.editing.remarks import confirmed, to_check
from digest.errors import ConfigurationError, CouldNotLook, NotFound, UsageError
from digest.evaluation.labels import LabelledWindow, commits_of, window_of
from digest.evaluation.learning import SeenWindow, as_text, case_of, learned, rows_of
from digest.evaluation.scoring import InterfaceFigures, interface_figures, page
from digest.languages import Language
from digest.models import Activity, Item, Repo, Window
from digest.ports import Progress
from digest.reading import story_signs
from digest.reading.folding import fold
from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import wanted
from digest.reading.interfaces.variables import SEARCHED, as_searched, asked_for, used_in
from digest.reading.learned import SHIPPED
from digest.reading.reader import files_wanted
from digest.sources.forge import forge_of
from digest.sources.git.history import History, commit_items
from digest.sources.git.process import GitProcess
from digest.sources.git.source import MOST_BEFORE
from digest.wording.phrases import SAY

AT_ONCE = 8
"""Statements in one question."""


async def evaluate(labels: Path, clones: Path, write: Path | None, learn: Path | None) -> int:
    """Print how readings of labelled windows compare with their editors; also into a page.

    `learn` is a file for what all windows teach, in the form of `digest/reading/learned.toml`.
    """
    for file in (write, learn):
        if file is not None:
            check_writable(file)
    windows = labelled_windows(labels)
    with progress() as tell:
        cases = [case_of(await seen_in(window, clones, tell)) for window in windows]
        weights = SHIPPED
        if learn is not None:
            tell("Learning")
            weights = learned(cases)
            write_text(learn, as_text(weights))
        tell("Learning without each window")
        rows = rows_of(cases, weights)
        interfaces = await labelled_interfaces(labels, windows, clones, tell)
    section = page(rows, interfaces, "infra evaluate LABELS --clones DIR --write docs/quality.md")
    say(section)
    if write is not None:
        write_section(write, section)
    return 0


def labelled_windows(labels: Path) -> list[LabelledWindow]:
    """Return the windows of a folder of labels that have an editor; raises UsageError for none."""
    if not labels.is_dir():
        raise UsageError(SAY.cli.no_labels(labels))
    windows = []
    for file in sorted((labels / "windows").glob("*.json")):
        editors = [_json(one) for one in sorted(labels.glob(f"editors/*/{file.name}"))]
        if editors:
            with _labels_of(file):
                window = window_of(_json(file), editors)
                Repo.parse(window.repo)
                _days_of(window)
                windows.append(window)
    if not windows:
        raise UsageError(SAY.cli.no_windows(labels))
    return windows


@contextmanager
def _labels_of(file: Path) -> Iterator[None]:
    """Tell of a file, or of an editor's of its name, whose JSON has another form than labels."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(SAY.cli.no_labels_form(file, error)) from error


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(SAY.cli.no_json(file, error)) from error


async def seen_in(window: LabelledWindow, clones: Path, tell: Progress) -> SeenWindow:
    """Read a labelled window from the clone of its repository; raises NotFound without one."""
    tell(f"Reading {window.name}")
    history = History(GitProcess({}), _clone(clones, (window.snapshot, window.repo)))
    activity = await _activity(window, history)
    contents = await history.contents(files_wanted(activity))
    tip = await history.tip()
    before = await history.before(tip.sha, activity.window.start, MOST_BEFORE) if tip.sha else ()
    had = await _had(history, activity.items)
    return SeenWindow(window, activity, contents, had, story_signs.history(before))


async def _had(history: History, items: Sequence[Item]) -> Mapping[str, bool]:
    sha, names = asked_for(items)
    try:
        return used_in(await history.lines_with(sha, names, SEARCHED), names) if sha else {}
    except CouldNotLook:
        return {}


def _clone(clones: Path, names: Iterable[str]) -> Path:
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
    whole = _days_of(window)
    return Activity(repo, whole, tuple(items), whole.end, "git")


def _days_of(window: LabelledWindow) -> Window:
    first, _, last = window.days.partition("..")
    start = datetime.fromisoformat(first).replace(tzinfo=UTC)
    end = datetime.fromisoformat(last or first).replace(tzinfo=UTC) + timedelta(days=1)
    return Window(start, end, "UTC", window.days)


async def _items(repo: Repo, history: History, shas: Sequence[str]) -> list[Item]:
    commits = await history.commits(shas)
    changes = await history.changes(commits)
    return commit_items(repo, forge_of(f"https://github.com/{repo}"), commits, {}, changes)


async def labelled_interfaces(
    labels: Path, windows: Sequence[LabelledWindow], clones: Path, tell: Progress
) -> InterfaceFigures | None:
    """Measure facts of interfaces on the labelled commits, where there are any."""
    file = labels / "notes.json"
    if not file.is_file():
        return None
    snapshots: Mapping[str, str] = {window.repo: window.snapshot for window in windows}
    total = InterfaceFigures()
    with _labels_of(file):
        labelled = commits_of(_json(file))
    for commit in labelled:
        tell(f"Comparing {commit.repo} {commit.sha[:7]}")
        names = (snapshots.get(commit.repo, commit.repo), commit.repo)
        history = History(GitProcess({}), _clone(clones, names))
        commits = await _items(Repo.parse(commit.repo), history, [commit.sha])
        items = fold(commits)
        contents = await history.contents(wanted(items, commits))
        facts = interface_facts(items, contents, commits)
        known = as_searched(facts, await _had(history, commits))
        total += interface_figures(commit, tuple(known))
    return total


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
    by_question = defaultdict(list)
    for each in statements:
        by_question[each["question"]].append(each)
    found: list[Statement] = []
    async with opened_model(settings, None, clock_from(settings.now)) as access:
        calls = ModelCalls(access.model, access.checker)
        with progress() as tell:
            for key, group in by_question.items():
                tell(f"Asking about {len(found)} of {len(statements)}")
                source = _source(questions[key]["evidence"])
                for at in range(0, len(group), AT_ONCE):
                    found += await _read(group[at : at + AT_ONCE], source, calls)
        tokens = (await access.spending.spent()).today
    use = calls.use()
    say(_table(found))
    if use is not None:
        spent = f"questions {use.asked}, unanswered {use.unanswered}"
        say(f"{use.checker}: {spent}, tokens {tokens:,}\n")
        say(f"{use.why}\n" if use.why else "")
        return int(use.unanswered == use.asked)  # nothing was measured of the model
    return 0


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
            if not fault(text, language) and not invented(text, language, source)
        }
        found.append((each["label"] == "true", frozenset(passed)))
        remarks.append(Remark(RemarkKind.LEAD, passed or texts, ()))
    sources = [(source[:SOURCE_CHARACTERS],)] * len(remarks)
    answer = await calls.ask("check", ["evaluation"], to_check(remarks, sources))
    confirmed_ids = {id(each) for each in confirmed(answer, remarks, sources)} if answer else set()
    return [
        Statement(is_true, passed, id(remark) in confirmed_ids)
        for (is_true, passed), remark in zip(found, remarks, strict=True)
    ]


def _table(found: Sequence[Statement]) -> str:
    counts: Sequence[tuple[str, Callable[[Statement], bool]]] = (
        ("by names, figures and claims, in a language", lambda each: bool(each.passed)),
        ("… in both languages", lambda each: len(each.passed) == len(Language)),
        ("and confirmed", lambda each: bool(each.passed) and each.confirmed),
        (
            "… in both languages",
            lambda each: len(each.passed) == len(Language) and each.confirmed,
        ),
    )
    lines = ["| | true, told | false, told |", "|---|---:|---:|"]
    for name, is_told in counts:
        groups = [[each for each in found if each.is_true is is_true] for is_true in (True, False)]
        cells = (f"{sum(map(is_told, group))} of {len(group)}" for group in groups)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
