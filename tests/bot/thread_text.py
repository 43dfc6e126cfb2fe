"""Threads as the lines that a reader sees."""

from bot.compose.thread import plan
from bot.model.parts import Part, PartKind, Thread
from digest.models import Digest
from digest.writing.document import Bullets, Entry, Paragraph, Quote, Table
from digest.writing.rules import plain
from tests.bot.channels_invented import subscription


def text(part: Part) -> str:
    lines: list[str] = []

    def add(entry: Entry) -> None:
        lines.append(plain(entry.runs))
        for under in entry.under:
            add(under)

    for block in part.blocks:
        match block:
            case Paragraph(runs):
                lines.append(plain(runs))
            case Bullets(entries):
                for entry in entries:
                    add(entry)
            case Table(header, rows):
                lines.append(" | ".join(header))
                lines += [" | ".join(plain(cell) for cell in row) for row in rows]
            case Quote(_, words):
                lines.append(f"> {words}")
    return "\n".join(lines)


def whole(thread: Thread) -> str:
    return "\n".join(text(part) for part in (thread.parent, *thread.replies))


def one(digest: Digest, **more: object) -> Thread:
    (thread,) = plan([digest], [], subscription(**more))  # type: ignore[arg-type]  # as given
    return thread


def kinds(thread: Thread) -> list[PartKind]:
    return [part.kind for part in thread.replies]
