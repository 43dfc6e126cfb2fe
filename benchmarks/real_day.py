"""CPU of reading a real busy day, with every patch and every whole file that is compared.

    python benchmarks/real_day.py CLONE [REVISION]

In: a clone of any repository, and where to stop (its HEAD). Its last 76 changes are read as one
day: once cold, with nothing in memory, and once again. The status is 1 over the limit. It needs a
clone, so it is no part of `make bench`.
"""

import asyncio
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from digest.models import Activity, FileAt, Repo, Window
from digest.reading.reader import files_wanted, read
from digest.sources.forge import forge_of
from digest.sources.git.history import History, commit_items
from digest.sources.git.process import GitProcess

CHANGES = 76
"""Changes of the busiest day that is promised a limit."""
CPU_LIMIT_SECONDS = 1.0
REPO = Repo("example-org", "turbine")


def listed(clone: Path, revision: str) -> list[str]:
    """Return the SHAs of the last changes of a clone."""
    command = ["git", "-C", str(clone), "log", "--first-parent", f"-{CHANGES}", "--format=%H"]
    return subprocess.run(
        [*command, revision], check=True, capture_output=True, text=True
    ).stdout.split()


async def gathered(clone: Path, shas: list[str]) -> tuple[Activity, dict[FileAt, str | None]]:
    """Return changes of a clone as one day, and the whole files that are compared."""
    history = History(GitProcess({}), clone)
    commits = await history.commits(shas)
    changes = await history.changes(commits)
    items = commit_items(REPO, forge_of(f"https://github.com/{REPO}"), commits, {}, changes)
    first, last = min(item.at for item in items), max(item.at for item in items)
    end = max(last, first + timedelta(days=1)) + timedelta(seconds=1)
    activity = Activity(REPO, Window(first, end, "UTC", "a day"), tuple(items), end, "git")
    return activity, dict(await history.contents(files_wanted(activity)))


def main() -> int:
    """Print the CPU time of both readings; the status is 1 where the cold one is over its limit."""
    clone = Path(sys.argv[1])
    revision = sys.argv[2] if len(sys.argv) > 2 else "HEAD"
    activity, contents = asyncio.run(gathered(clone, listed(clone, revision)))
    taken = []
    for _ in range(2):
        begun = time.process_time()
        read(activity, contents)
        taken.append(time.process_time() - begun)
    cold, again = taken
    print(f"{len(activity.items)} changes, {len(contents)} whole files")
    print(f"CPU, cold   {cold:.2f} s  (limit {CPU_LIMIT_SECONDS:.1f} s)")
    print(f"CPU, again  {again:.2f} s")
    return int(cold > CPU_LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
