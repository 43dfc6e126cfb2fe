"""CPU and memory of reading and writing one day, by its number of items.

Each size runs in a process of its own, so that its peak of memory is its own.
"""

import json
import random
import re
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.rows import Row
from digest.models import Activity, Event, FileChange, Item, Kind, Repo, State, Window

SIZES = (50, 76, 200, 1000, 5000)
BUSY_DAY = 76
"""Items of the busiest day that is promised a limit."""
CPU_LIMIT_SECONDS = 1.0
"""An idle machine takes a third of it; a busy one is no reason to fail."""
MEMORY_LIMIT_MB = 150

REPO = Repo("example-org", "turbine")
START = datetime(2026, 2, 11, tzinfo=UTC)
DAY = Window(START, START + timedelta(days=1), "UTC", "2026-02-11")

PARTS = ("kernels/blade.cu", "turbine/server/args.py", "docs/start.md", "tests/test_blade.py")
VERBS = ("Add", "Fix", "Speed up", "Refactor", "Support", "Remove", "[CI] Update", "Revert")
THINGS = ("FP8 attention", "blade scheduler", "数据加载", "MoE routing", "ROCm build", "tool calls")
PROSE = (
    "This makes the turbine 12% faster on large blades. It was measured on one machine. "
    "Callers that passed a speed have to pass a `Speed` now.\n\n## Test plan\n- unit tests\n"
)
HUNK = (
    '@@ -10,6 +10,9 @@ def add_arguments(parser):\n     """Add them."""\n'
    '-    parser.add_argument("--speed", type=int, default=3)\n'
    '+    parser.add_argument("--speed", type=int, default={n})\n'
    '+    parser.add_argument("--blade-{n}", action="store_true")\n'
    '+    limit = os.environ.get("TURBINE_LIMIT_{n}", "8")\n' + "     spin(blade)\n" * 60
)


def activity(size: int) -> Activity:
    """Give an invented day: three changes of four, the others issues; always the same."""
    dice = random.Random(size)
    items = []
    for number in range(1, size + 1):
        at = START + timedelta(seconds=number * 86_000 // size)
        is_issue = number % 4 == 0
        kind = Kind.ISSUE if is_issue else Kind.PULL_REQUEST
        files = tuple(
            FileChange(path, "modified", 4, 1, HUNK.replace("{n}", str(number)))
            for path in dice.sample(PARTS, 2)
        )
        items.append(
            Item(
                key=f"{REPO}:{kind}:{number}",
                repo=REPO,
                kind=kind,
                ref=f"#{number}",
                title=f"{dice.choice(VERBS)} {dice.choice(THINGS)} in part {number}",
                url=f"https://github.com/{REPO}/pull/{number}",
                author=dice.choice(("ada", "grace", "renovate[bot]")),
                at=at,
                state=State.OPEN if is_issue else State.MERGED,
                body=f"Fixes #{max(1, number - 3)}.\n\n{PROSE * 4}",
                number=number,
                commits=() if is_issue else (f"{number:040x}",),
                files=None if is_issue else files,
                additions=8,
                deletions=2,
                events=(Event("opened", at),) if is_issue else (),
                comments=dice.randrange(30),
            )
        )
    return Activity(REPO, DAY, tuple(items), DAY.end, source="invented")


def run(size: int) -> dict[str, float]:
    """Read and write one day; CPU in seconds, the process's peak of memory in MB.

    The whole program is loaded, as it is when a digest is made.
    """
    import adapters.wiring.assembly  # noqa: F401 - loaded for its memory, as the next line
    import digest.sources.github  # noqa: F401 - loaded for its memory
    from digest.reading.reader import read
    from digest.writing.rules import write

    # Patterns and tables are compiled once in a process, whatever the number of items.
    write(read(activity(8)), DAY.end)
    given = activity(size)
    started = time.process_time()
    reading = read(given)
    read_seconds = time.process_time() - started
    write(reading, DAY.end)
    seconds = time.process_time() - started
    return {"read": read_seconds, "seconds": seconds, "megabytes": _peak_megabytes()}


def _peak_megabytes() -> float:
    # On Linux `ru_maxrss` begins with what the parent had, so the kernel's own mark is read.
    status = Path("/proc/self/status")
    if status.exists():
        mark = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if mark:
            return int(mark[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def measure() -> list[Row]:
    """Give a row of CPU and one of memory for each size, against the smallest of the same run."""
    rows = []
    figures = {size: _in_a_process(size) for size in SIZES}
    least = figures[SIZES[0]]
    for size, figure in figures.items():
        seconds, megabytes = figure["seconds"], figure["megabytes"]
        per_item = (seconds / size) / (least["seconds"] / SIZES[0])
        is_busy_day = size == BUSY_DAY
        rows += [
            Row(
                f"{size} items read and written, CPU",
                f"{seconds:.2f} s",
                f"{CPU_LIMIT_SECONDS} s" if is_busy_day else f"({per_item:.1f} × per item)",
                not is_busy_day or seconds <= CPU_LIMIT_SECONDS,
            ),
            Row(
                f"{size} items read and written, memory",
                f"{megabytes:.0f} MB",
                f"{MEMORY_LIMIT_MB} MB" if is_busy_day else "",
                not is_busy_day or megabytes <= MEMORY_LIMIT_MB,
            ),
        ]
    return rows


def _in_a_process(size: int) -> dict[str, float]:
    command = (sys.executable, "-m", "benchmarks.memory_and_cpu", str(size))
    answer = subprocess.run(command, check=True, capture_output=True)
    figures: dict[str, float] = json.loads(answer.stdout)
    return figures


if __name__ == "__main__":
    print(json.dumps(run(int(sys.argv[1]))))
