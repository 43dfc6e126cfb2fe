"""How long `infra help` takes to start, beside the bare interpreter in the same run."""

import subprocess
import sys
import time
from statistics import median

from benchmarks.rows import Row

RUNS = 7
LIMIT_SECONDS = 0.5

BARE = (sys.executable, "-c", "pass")
HELP = (sys.executable, "-c", "from adapters.terminal.main import main; main()", "help")


def measure() -> list[Row]:
    """Give the median of several runs, the two commands taking turns."""
    bare, told = [], []
    for _ in range(RUNS):
        bare.append(_seconds(BARE))
        told.append(_seconds(HELP))
    start = median(told)
    ratio = start / median(bare)
    return [
        Row("python -c pass, start-up", f"{median(bare):.2f} s"),
        Row("infra help, start-up", f"{start:.2f} s", "0.5 s", start <= LIMIT_SECONDS),
        Row("infra help, against the bare interpreter", f"{ratio:.1f} ×"),
    ]


def _seconds(command: tuple[str, ...]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started
