"""How long it takes to read what a codebase uses: 300 files of this project, of pydantic."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.rows import Row
from digest.concern.reader import surface_of
from digest.concern.surface import upstream
from digest.sources.git.codebase import codebase

ROOT = Path(__file__).parent.parent
FILES = 300
SECONDS = 10.0


def measure() -> list[Row]:
    """Return the seconds of processor time that a surface of 300 Python files takes."""
    begun = time.process_time()
    read = asyncio.run(
        codebase(
            str(ROOT),
            cache_dir=ROOT,
            environment={"PATH": os.environ["PATH"]},
            progress=lambda _: None,
        )
    )
    paths = [path for path in read.files if path.endswith(".py")][:FILES]
    files = {path: read.files[path] for path in paths}
    surface = surface_of(replace(read, files=files), upstream("pydantic/pydantic"))
    spent = time.process_time() - begun
    assert surface.uses
    name = f"the surface of {len(files)} files"
    return [Row(name, f"{spent:.1f} s", f"{SECONDS:.0f} s", spent <= SECONDS)]
