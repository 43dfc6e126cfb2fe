"""Measures a model as a second reader: `infra evaluate LABELS --model`.

The statements of `LABELS/model/statements.json` are each true or false of a real change. A
statement is told where names and figures stand in its evidence and the model that is set confirms
it; how many false ones are told then is how far its marked sentences can be trusted.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.terminal.output import progress, say
from adapters.wiring.model import opened_door
from adapters.wiring.run import clock_from, read_settings
from digest.edited import Remark, RemarkKind
from digest.editing.checks import fault, invented
from digest.editing.line import Line
from digest.editing.remarks import confirmed, to_check
from digest.errors import ConfigurationError, UsageError
from digest.languages import Language
from digest.wording.phrases import SAY

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
    """Print how many true and false statements would be told; the model is asked as it is set."""
    file = labels / "model" / "statements.json"
    try:
        told = json.loads(await asyncio.to_thread(file.read_text, "utf-8"))
        statements, questions = told["statements"], told["questions"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(SAY.cli.no_statements(file)) from error
    settings = read_settings()
    if not settings.model:
        raise ConfigurationError(SAY.cli.no_model)
    found: list[Statement] = []
    async with opened_door(settings, None, clock_from(settings.now)) as door:
        line = Line(door.model, door.checker)
        with progress() as tell:
            for key, group in _by_question(statements).items():
                tell(f"Asking about {len(found)} of {len(statements)}")
                source = _source(questions[key]["evidence"])
                for at in range(0, len(group), AT_ONCE):
                    found += await _read(group[at : at + AT_ONCE], source, line)
    use = line.use()
    spent = door.counting.input_tokens
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


async def _read(group: Sequence[Mapping[str, Any]], source: str, line: Line) -> list[Statement]:
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
    sources = [source[:SOURCE_CHARACTERS]] * len(remarks)
    answer = await line.ask("check", ["evaluation"], to_check(remarks, sources))
    kept = {id(each) for each in confirmed(answer, remarks, sources)} if answer else set()
    return [
        Statement(each.is_true, each.passed, id(remark) in kept)
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


def _row(name: str, found: Sequence[Statement], is_told: Any) -> str:
    cells = []
    for is_true in (True, False):
        group = [each for each in found if each.is_true is is_true]
        cells.append(f"{sum(map(is_told, group))} of {len(group)}")
    return f"| {name} | {cells[0]} | {cells[1]} |"
