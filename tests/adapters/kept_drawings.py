"""Drawn messages kept as files: what changes in them is to be looked at."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path


def kept(file: Path, drawn: Sequence[Mapping[str, object]]) -> None:
    """Fail where messages differ from a file; with UPDATE_SNAPSHOTS it is written anew."""
    now = json.dumps(drawn, ensure_ascii=True, indent=1) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(now, encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(now)
