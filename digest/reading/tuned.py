"""Files of values that were tuned for one device, such as block sizes of a kernel.

They make what is there faster; they support no hardware that was not supported, and a program
without them takes its defaults.
"""

import re
from collections.abc import Sequence

from digest.models import FileChange
from digest.reading.paths import RUNTIME, role
from digest.reading.whom import NVIDIA, VENDOR

_DATA = (".json", ".jsonl", ".csv", ".yaml", ".yml")
_TUNED = re.compile(r"(?:^|_)(?:auto)?tun(?:ed|ing)(?:_|$)")
_BETWEEN = re.compile(r"[^A-Za-z0-9]+")


def only_tuned(files: Sequence[FileChange]) -> bool:
    """Tell whether all that runs of a change are values tuned for devices, told by their paths."""
    run = [file.path for file in files if role(file.path) in RUNTIME]
    return bool(run) and all(_holds_tuned_values(path) for path in run)


def _holds_tuned_values(path: str) -> bool:
    """Tell whether a file is a table for a device that it names, in a folder of such tables."""
    *folders, name = path.lower().split("/")
    configs = [folder for folder in folders if re.search(r"configs?$", folder)]
    tuned = any(_TUNED.search(folder) for folder in folders)
    if any(_TUNED.search(folder) for folder in configs):
        return True
    words = re.sub(r"\bsm (?=\d)", "sm", _BETWEEN.sub(" ", name))
    device = NVIDIA.search(words) or VENDOR.search(words)
    return name.endswith(_DATA) and (tuned or bool(configs and device))
