"""Tells of a database file that the next restart of its host would take away."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from digest.phrase import NOTHING, Phrase
from digest.wording.phrases import SAY

EPHEMERAL = {
    "DYNO": "Heroku",  # https://devcenter.heroku.com/articles/dynos#ephemeral-filesystem
    "K_SERVICE": "Cloud Run",  # https://cloud.google.com/run/docs/container-contract
    "FLY_APP_NAME": "Fly",  # https://fly.io/docs/machines/runtime-environment/
    "RAILWAY_ENVIRONMENT_ID": "Railway",  # https://docs.railway.com/reference/variables
    "RAILWAY_ENVIRONMENT": "Railway",
    "RENDER": "Render",  # https://render.com/docs/environment-variables
    "CF_INSTANCE_GUID": "Cloud Foundry",
    "VERCEL": "Vercel",
    "AWS_LAMBDA_FUNCTION_NAME": "AWS Lambda",
    "WEBSITE_INSTANCE_ID": "Azure App Service",
}
"""Variables that hosts set whose disks are new at every start, unless a volume is mounted."""

FLEETING = {
    "overlay": SAY.checks.in_container,
    "tmpfs": SAY.checks.in_memory,
    "ramfs": SAY.checks.in_memory,
}
"""Kinds of file systems that end with their container, or with the machine."""


def ephemeral_storage(file: str, environment: Mapping[str, str], mounts: str) -> Phrase:
    """Return one sentence where a SQLite file will not last, and nothing where it will.

    `mounts` is the text of `/proc/self/mounts`, empty where there is none: a volume of its own is
    taken to stay, also on a host whose other disks do not.
    """
    point, kind = _mount(file, mounts)
    if kind in FLEETING:
        return SAY.checks.fleeting(file, FLEETING[kind])
    host = next((name for sign, name in EPHEMERAL.items() if environment.get(sign)), "")
    if host and point in ("", "/"):
        return SAY.checks.fleeting(file, SAY.checks.ephemeral_disk(host))
    return NOTHING


def _mount(file: str, mounts: str) -> tuple[str, str]:
    """Return where the file system of a file is mounted, and its kind; the innermost counts."""
    found = ("", "")
    path = PurePosixPath(file)
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= len(found[0]):
            found = (point, fields[2])
    return found
