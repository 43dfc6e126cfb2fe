"""Builds real repositories with git for the tests of sources."""

import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from digest.models import Activity, Item, Repo, Window
from digest.ports import Memory, Seen, SeenSince
from digest.sources.git.source import Git

REPO = Repo("example-org", "turbine")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ISOLATED = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}


class Workshop:
    """Builds a repository; dates are days of February 2026 or whole git dates."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self("init", "-q", "-b", "main")

    def __call__(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **ISOLATED, **(env or {})},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode(errors="replace").strip()

    def write(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, day: int | str, message: str, *options: str, author: str = "") -> str:
        self("add", "-A")
        message_file = self.folder.parent / "message"
        message_file.write_text(message)
        env = dated(day) | ({"GIT_AUTHOR_NAME": author} if author else {})
        self("commit", "-q", "--allow-empty", "-F", str(message_file), *options, env=env)
        return self("rev-parse", "HEAD")

    def change(self, day: int | str, message: str = "Change", author: str = "") -> str:
        self.write("log.txt", self("rev-list", "--all", "--count") + f"\n{message!r}\n")
        return self.commit(day, message, author=author)

    def raw(self, content: bytes) -> str:
        file = self.folder.parent / "raw"
        file.write_bytes(content)
        sha = self("hash-object", "-t", "commit", "-w", "--literally", str(file))
        self("update-ref", "HEAD", sha)
        return sha

    def merge(self, day: int, message: str, *branches: str) -> str:
        self("merge", "-q", "--no-ff", "-m", message, *branches, env=dated(day))
        return self("rev-parse", "HEAD")


def dated(day: int | str) -> dict[str, str]:
    at = f"2026-02-{day:02d}T10:00:00Z" if isinstance(day, int) else day
    return {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}


def february(first: int, last: int | None = None) -> Window:
    start = datetime(2026, 2, first, tzinfo=UTC)
    end = datetime(2026, 2, last or first, tzinfo=UTC) + timedelta(days=1)
    return Window(start, end, "UTC", f"2026-02-{first:02d}")


def source(
    location: Path | str,
    cache: Path | None = None,
    now: datetime = NOW,
    seen: Seen | SeenSince | None = None,
    memory: Memory | None = None,
) -> Git:
    async def seen_since(repo: Repo, moment: datetime) -> tuple[Seen, ...]:
        return (seen,) if isinstance(seen, Seen) else ()

    return Git(
        str(location),
        cache_dir=cache or Path("/nonexistent"),
        clock=lambda: now,
        progress=lambda line: None,
        environment={"PATH": os.environ["PATH"], **ISOLATED},
        seen_since=seen if callable(seen) else seen_since,
        memory=memory,
    )


async def collected(shop: Workshop, first: int, last: int | None = None) -> Activity:
    return await source(shop.folder).collect(REPO, february(first, last))


def shas(items: tuple[Item, ...]) -> list[str]:
    return [sha for item in items for sha in item.commits]


def item_of(activity: Activity, sha: str) -> Item:
    return next(item for item in activity.items if item.commits == (sha,))


def speaking(folder: Path, written: str) -> dict[str, str]:
    """Give an environment in which git asks a server, or opens a folder, in vain."""
    (folder / "bin").mkdir()
    program = folder / "bin" / "git"
    program.write_text(
        "#!/bin/sh\n"
        'case "$*" in *ls-remote*|*absolute-git-dir*) ;; *) exit 0;; esac\n'
        f"cat >&2 <<'END'\n{written}\nEND\nexit 128\n"
    )
    program.chmod(0o755)
    return {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
