"""Every figure that is promised, measured in one run: `make bench`.

    python -m benchmarks [NAME …]           all of them, or those named (`speed`)

A benchmark module has `measure()`, which gives rows of name, figure and limit. What needs a clone
of another project (`change_type`) is run by itself.
"""

import sys

from benchmarks import (
    fan_out,
    github_requests,
    hostile_text,
    memory_and_cpu,
    model_costs,
    speed,
)
from benchmarks.rows import Row

MODULES = (
    speed,
    memory_and_cpu,
    github_requests,
    hostile_text,
    model_costs,
    fan_out,
)


def main() -> int:
    """Print one table; the status is 1 if a figure is over its limit."""
    rows: list[Row] = []
    named = {module.__name__.partition(".")[2]: module for module in MODULES}
    unknown = [name for name in sys.argv[1:] if name not in named]
    if unknown:
        print(f"no benchmark named {unknown[0]}; there are {', '.join(named)}", file=sys.stderr)
        return 2
    for module in [named[name] for name in sys.argv[1:]] or MODULES:
        print(f"measuring {module.__name__.partition('.')[2]} …", file=sys.stderr)
        rows += module.measure()
    width = max(len(row.name) for row in rows)
    figures = max(len(row.figure) for row in rows)
    print(f"{'what':{width}}  {'measured':>{figures}}  limit")
    for row in rows:
        mark = "" if row.is_kept else "  OVER"
        print(f"{row.name:{width}}  {row.figure:>{figures}}  {row.limit}{mark}")
    return 0 if all(row.is_kept for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
