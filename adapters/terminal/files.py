"""Text files written wholly or not at all, and only where something changed."""

import os
from contextlib import suppress
from errno import EISDIR, ENOTDIR
from pathlib import Path
from tempfile import NamedTemporaryFile

from digest.errors import CouldNotLook
from digest.wording.phrases import SAY


class FileFailed(CouldNotLook):
    """A file could not be read or written."""


def read_text(path: Path) -> str:
    """Return the text of a file, empty where there is none; `FileFailed` says why it could not."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise FileFailed(SAY.files.not_utf8(path)) from error
    except OSError as error:
        raise FileFailed(SAY.files.cannot_read(path, error.strerror)) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:  # which is no folder
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR)) from error


def check_writable(path: Path) -> None:
    """Make the folder of a file that is written after minutes of work, and try it at once.

    Raises `FileFailed` where it could not be written.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        _make_folder(path.parent)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise FileFailed(SAY.files.cannot_write(path, error.strerror)) from error


def write_text(path: Path, text: str) -> bool:
    """Write a file by way of a second one; False where it held this text already.

    Half a character, as in a title that was cut, is written as a replacement character.
    """
    body = text.encode("utf-8", "replace")
    part = ""
    try:
        if path.exists() and path.read_bytes() == body:
            return False
        _make_folder(path.parent)
        # The mode of a new file, which a private temporary one would not have.
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            part = file.name
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, mode)
        os.replace(part, path)
    except OSError as error:
        if part:
            with suppress(OSError):
                os.unlink(part)
        raise FileFailed(SAY.files.cannot_write(path, error.strerror)) from error
    return True


def write_section(path: Path, text: str) -> None:
    """Put a section (`# Heading` and what follows) in the place of the one of that heading."""
    sections = [part for part in _sections(read_text(path)) if part.strip()]
    headings = [part.partition("\n")[0] for part in sections]
    heading = text.partition("\n")[0]
    if heading in headings:
        sections[headings.index(heading)] = text
    else:
        sections.append(text)
    write_text(path, "\n".join(part.rstrip("\n") + "\n" for part in sections))


def _sections(text: str) -> list[str]:
    sections: list[list[str]] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if (line.startswith("# ") and not fenced) or not sections:
            sections.append([])
        sections[-1].append(line)
    return ["\n".join(lines) for lines in sections]
