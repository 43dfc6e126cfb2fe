"""Whole files at commits, from the output of `git cat-file --batch` (pure).

Format: https://git-scm.com/docs/git-cat-file#_batch_output. A file may be of any size:
`BlobReader` takes the output piece by piece and keeps no more than its limits.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from digest.models import FileAt

BLOB_LIMIT = 1_000_000
"""Bytes above which a file is not kept: it is no source that people wrote."""

TOTAL_LIMIT = 64_000_000
"""Bytes of all files of one question above which further ones are not kept."""

_HEADER = re.compile(rb"[0-9a-f]{40,64} (blob|tree|commit|tag) (\d+)")
_LONGEST_HEADER = 70_000


def askable(files: Sequence[FileAt]) -> list[FileAt]:
    """Return the files that git can be asked for by a line each."""
    return [
        file
        for file in dict.fromkeys(files)
        if re.fullmatch(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", file.sha)
        and not re.search(r"[\n\0]", file.path)
    ]


def question(files: Sequence[FileAt]) -> bytes:
    """Return what git is given: each commit, to know whether it is there, then each file."""
    commits = dict.fromkeys(file.sha for file in files)
    lines = [f"{sha}^{{commit}}" for sha in commits]
    lines += [f"{file.sha}:{file.path}" for file in files]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


class _Other(Enum):
    """An answer that is no file that is kept."""

    MISSING = auto()
    NO_FILE = auto()
    TOO_LARGE = auto()


@dataclass(slots=True)
class BlobReader:
    """Takes git's answer in pieces; `contents` gives the files.

    A file at a commit that is not there, or one that is too large, is absent; one that the commit
    does not have, a folder and what is no text are None.
    """

    files: Sequence[FileAt]
    blob_limit: int = BLOB_LIMIT
    total_limit: int = TOTAL_LIMIT
    _answers: list[bytes | _Other] = field(default_factory=list)
    _pending: bytearray = field(default_factory=bytearray)
    _left: int = -1
    _keeps: bool = False
    _total: int = 0

    def take(self, piece: bytes) -> None:
        """Read the next piece of output, cut anywhere."""
        self._pending += piece
        while self._step():
            pass

    def _step(self) -> bool:
        if self._left < 0:
            return self._head()
        if self._keeps:
            if len(self._pending) < self._left:
                return False
            self._answers.append(bytes(self._pending[: self._left - 1]))
            del self._pending[: self._left]
        else:
            gone = min(len(self._pending), self._left)
            del self._pending[:gone]
            self._left -= gone
            if self._left:
                return False
        self._left = -1
        return bool(self._pending)

    def _head(self) -> bool:
        end = self._pending.find(b"\n")
        if end < 0:
            if len(self._pending) > _LONGEST_HEADER:
                self._pending.clear()
            return False
        match = _HEADER.fullmatch(bytes(self._pending[:end]))
        del self._pending[: end + 1]
        if match is None:
            self._answers.append(_Other.MISSING)
            return bool(self._pending)
        size = int(match[2])
        self._left = size + 1
        self._keeps = (
            match[1] == b"blob"
            and size <= self.blob_limit
            and self._total + size <= self.total_limit
        )
        if self._keeps:
            self._total += size
        else:
            is_blob = match[1] == b"blob"
            self._answers.append(_Other.TOO_LARGE if is_blob else _Other.NO_FILE)
        return True

    def contents(self) -> dict[FileAt, str | None]:
        """Return the files, once all output was taken."""
        return {
            file: _text(answer) if isinstance(answer, bytes) else None
            for file, answer in self._answered()
            if answer is not _Other.TOO_LARGE
        }

    def missing(self) -> list[FileAt]:
        """Return the files that their commit does not have, or of which the content is lost."""
        return [file for file, answer in self._answered() if answer is _Other.MISSING]

    def _answered(self) -> list[tuple[FileAt, bytes | _Other]]:
        """Pair the files of commits that are there with what was answered of each."""
        commits = list(dict.fromkeys(file.sha for file in self.files))
        there = {
            sha
            for sha, answer in zip(commits, self._answers, strict=False)
            if answer is _Other.NO_FILE
        }
        answers = zip(self.files, self._answers[len(commits) :], strict=False)
        return [(file, answer) for file, answer in answers if file.sha in there]


def _text(content: bytes) -> str | None:
    return None if b"\0" in content else content.decode("utf-8", "replace")
