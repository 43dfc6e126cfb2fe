"""Files and patches of many commits, from the output of `git diff-tree --stdin` (pure).

Formats: https://git-scm.com/docs/diff-format. Patches may be of any size: `PatchReader` takes them
piece by piece and keeps no more than its limits.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from digest.errors import BadAnswer
from digest.models import FileChange
from digest.wording.phrases import SAY

FILE_LIMIT = 1_000_000
"""Bytes of one file's patch above which it is not kept."""

WINDOW_LIMIT = 16_000_000
"""Bytes of all patches of one collection above which further ones are not kept."""

_SHA = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STATUS = {
    "A": "added",
    "M": "modified",
    "D": "removed",
    "R": "renamed",
    "C": "copied",
    "T": "changed",
}


def read_files(output: bytes) -> dict[str, tuple[FileChange, ...]]:
    """Read `--raw --numstat -z`: files by commit SHA, without patches; `BadAnswer` if it is cut.

    Added and deleted lines of a binary file are 0.
    """
    files: dict[str, list[FileChange]] = {}
    counted: list[FileChange] = []
    position = 0
    tokens = iter(output.split(b"\0")[:-1])
    try:
        for token in tokens:
            if token.startswith(b":"):
                counted.append(_raw(token, tokens))
            elif _SHA.fullmatch(token):
                counted, position = files.setdefault(token.decode(), []), 0
            elif token:
                counted[position] = _counted(counted[position], token, tokens)
                position += 1
    except (StopIteration, IndexError, ValueError) as error:
        raise BadAnswer(SAY.git.bad_files) from error
    return {sha: tuple(changes) for sha, changes in files.items()}


def _raw(token: bytes, tokens: Iterator[bytes]) -> FileChange:
    letter = token.rsplit(b" ", 1)[1][:1].decode()
    path = _text(next(tokens))
    previous = None
    if letter in "RC":
        previous, path = path, _text(next(tokens))
    return FileChange(path, _STATUS.get(letter, "changed"), 0, 0, None, previous)


def _counted(change: FileChange, token: bytes, tokens: Iterator[bytes]) -> FileChange:
    additions, deletions, path = token.split(b"\t", 2)
    if not path:
        next(tokens), next(tokens)
    if additions == b"-":
        return change
    return replace(change, additions=int(additions), deletions=int(deletions))


def _text(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")


@dataclass(slots=True)
class PatchReader:
    """Takes the output of `diff-tree --stdin -p` in pieces; `attach` gives files their patches.

    `room` is for the bytes of all patches.
    """

    room: int = WINDOW_LIMIT
    _patches: defaultdict[str, list[bytearray | None]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _files: list[bytearray | None] = field(default_factory=list)
    _pending: bytes = b""
    _in_hunk: bool = False

    def take(self, piece: bytes) -> None:
        """Read the next piece of output, cut anywhere."""
        *lines, self._pending = (self._pending + piece).split(b"\n")
        for line in lines:
            self._line(line)

    def _line(self, line: bytes) -> None:
        if self._in_hunk and line[:1] in (b" ", b"+", b"-", b"\\", b"@"):
            self._keep(line)
        elif line.startswith(b"diff --git "):
            self._files.append(bytearray())
            self._in_hunk = False
        elif _SHA.fullmatch(line):
            self._files = self._patches[line.decode()]
            self._in_hunk = False
        elif line.startswith(b"@@ "):
            self._in_hunk = True
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        patch = self._files[-1] if self._files else None
        if patch is None:
            return
        patch += line + b"\n"
        self.room -= len(line) + 1
        if len(patch) > FILE_LIMIT or self.room < 0:
            self.room += len(patch)
            self._files[-1] = None

    def attach(self, sha: str, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        """Return the files of a commit with their patches; without, where these do not match."""
        patches = self._patches[sha]
        # A file that became a link, or the like, is shown as one file removed and one added.
        shown = [2 if change.status == "changed" else 1 for change in files]
        if sum(shown) != len(patches):
            return files
        given = iter(patches)
        return tuple(
            replace(change, patch=_joined([next(given) for _ in range(count)]))
            for change, count in zip(files, shown, strict=True)
        )


def _joined(patches: list[bytearray | None]) -> str | None:
    whole = bytearray()
    for patch in patches:
        if patch is None:
            return None
        whole += patch
    return _text(whole[:-1]) if whole else None
