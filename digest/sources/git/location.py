"""Where a repository is: a path or the address of a clone, checked before git sees it."""

import re
from pathlib import Path

from digest.errors import UsageError
from digest.sources.forge import without_credentials
from digest.sources.git.mirror import is_folder
from digest.wording.phrases import SAY

_URL_SCHEMES = ("http", "https", "ssh", "git", "file")
_SCP_FORM = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,253}:\S")


def checked(location: str) -> str:
    """Give a location as it came; `UsageError` says what git must not be handed."""
    told = without_credentials(location)[:80]
    if not location.strip() or location.startswith("-") or not location.isprintable():
        raise UsageError(SAY.git.no_address(f"{told!r}"))
    scheme = location.partition("://")[0] if "://" in location else ""
    if "::" in location.partition("/")[0] or (scheme and scheme not in _URL_SCHEMES):
        schemes = ", ".join(_URL_SCHEMES)
        raise UsageError(SAY.git.not_clonable(f"{told!r}", schemes))
    return location


def is_url(location: str) -> bool:
    """Tell whether a location is an address; `git@host:path` is one where no folder bears it."""
    return "://" in location or (
        _SCP_FORM.match(location) is not None and not is_folder(Path(location))
    )


def folder_of(location: str) -> Path:
    """Give the folder that a location names, `~` included; it need not exist."""
    try:
        return Path(location).expanduser()
    except RuntimeError:  # `~name` of nobody, or no home folder is known
        return Path(location)
