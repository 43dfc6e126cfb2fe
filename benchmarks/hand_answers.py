"""What the figures of answered questions have in common: readings, rows, and the command line.

Labels and clones are those of `infra evaluate`; weights are learned without the window.
"""

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from adapters.terminal.evaluate import Seen, labelled_windows, seen_in
from benchmarks.learning import case_of, left_out
from digest.errors import InfraError
from digest.evaluation.scoring import Share
from digest.models import Reading

Measure: TypeAlias = Callable[[Path, Path, Path, str, Path | None], Coroutine[Any, Any, None]]
"""Takes labels, clones, answers, who answered, and the page to write."""


async def readings(labels: Path, clones: Path) -> Iterator[tuple[Seen, Reading]]:
    """Return each labelled window with its reading; raises `InfraError` where one is not there."""
    windows = labelled_windows(labels)
    found = [case_of(await seen_in(window, clones, lambda _: None)) for window in windows]
    return ((one.seen, one.seen.read(without)) for one, without, _ in left_out(found))


def rows(shares: Mapping[str, Sequence[Share]]) -> str:
    """Return the rows of a Markdown table, by what they count."""
    return "\n".join(
        f"| {name} | {' | '.join(share.told() for share in each)} |"
        for name, each in shares.items()
    )


def run(measure: Measure, description: str | None, by_hand: str) -> None:
    """Measure what the command line names; end with one line where that cannot be read."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--clones", type=Path, required=True)
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--how", default=by_hand, help="who answered, as the page says it")
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    chosen.answers.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(measure(chosen.labels, chosen.clones, chosen.answers, chosen.how, chosen.write))
    except InfraError as error:
        sys.exit(str(error))
