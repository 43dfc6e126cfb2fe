"""Shows what the program does without network, token or settings: `infra demo`."""

import asyncio
import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from adapters.terminal.drawing import draw
from adapters.terminal.files import write_text
from adapters.terminal.options import Options
from adapters.terminal.output import progress, say
from adapters.wiring.assembly import running
from adapters.wiring.demo_page import demo_page, demo_pictures
from bot.answer.answers import Asker
from bot.model.replies import DigestReply
from bot.settings import Settings
from digest.errors import InfraError
from digest.languages import Language
from digest.models import Digest, Repo
from digest.sources.git.source import LOCAL
from digest.sources.recorded import Recorded
from digest.wording.saying import CATALOGUES

CHECKOUT = Path(__file__).parents[2]
RECORDED = Path(__file__).parent / "demo" / "activity.json"
OWN = Repo(LOCAL, "infra-digest")
"""What this project is called where its clone has no remote to name it."""
PAGE = Path("demo-output") / "demo.html"
WIDEST, LONGEST, LONGEST_OWN = 100, 13, 7
"""Columns and lines that are printed at most, of the recorded day and of this project's."""


async def demonstrate(options: Options, checkout: Path = CHECKOUT) -> int:
    """Print the head of a recorded day and of this project's history; write a page with the rest.

    The page shows the recorded day as Slack and Discord do, with the life of follow-ups, and both
    texts whole; beside it are pictures of it. A history that cannot be read is said, and fails
    nothing; the last line ends with the path of the page.
    """
    language = options.language or Language.EN
    words = CATALOGUES[language].demonstration
    width = min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns)
    recorded = await _told(f"recorded:{RECORDED}")
    texts = [(f"{words.text}: {words.recorded_day}", _text(recorded, language, WIDEST))]
    try:
        history = await _told(f"git:{checkout}", await asyncio.to_thread(_newest_day, checkout))
    except (InfraError, OSError) as error:
        own = [f"This project's own history could not be read: {error}"]
    else:
        history = _named(history)
        texts.append((f"{words.text}: {words.own_history}", _text(history, language, WIDEST)))
        own = [words.own_history, "", *_first(_text(history, language, width), LONGEST_OWN)]
    write_text(PAGE, demo_page(recorded, texts, language))
    for name, drawn in demo_pictures(recorded, language).items():
        write_text(PAGE.with_name(name), drawn)
    day = _first(_text(recorded, language, width), LONGEST)
    say("\n".join([words.recorded_day, "", *day, "", *own]) + "\n")
    say(f"{words.rest(PAGE.absolute())}\n")
    return 0


def _text(digest: Digest, language: Language, width: int) -> str:
    return draw(DigestReply(digest, language), Options(), width=width)


def _first(text: str, room: int) -> list[str]:
    """Return the first lines of a text; the last of them says that there are more."""
    lines = text.strip().splitlines()
    return lines if len(lines) <= room else [*lines[: room - 1], "…"]


async def _told(source: str, day: str = "") -> Digest:
    """Return the digest of a day; without one, of the time that a recording holds."""
    with progress() as tell:
        async with running(
            tell, source, stored=False, settings=Settings.model_construct()
        ) as infra:
            (repo,) = await infra.answers.repos()
            window = Recorded(RECORDED).window()
            if day:
                window = infra.answers.window(day, Asker("UTC", Language.EN))
            return (await infra.answers.roundup([repo], window)).digests[0]


def _named(digest: Digest) -> Digest:
    """Call a clone without remote by this project's name: its folder's says nothing."""
    if digest.reading.repo.owner != LOCAL:
        return digest
    return replace(digest, reading=replace(digest.reading, repo=OWN))


def _newest_day(checkout: Path) -> str:
    """Return on which day in UTC the newest commit of a clone was made; raises `OSError`."""
    command = ["git", "-C", str(checkout), "log", "-1", "--format=%ct"]
    log = subprocess.run(command, capture_output=True, check=False, text=True)
    if log.returncode:
        raise OSError(log.stderr.strip())
    return f"{datetime.fromtimestamp(int(log.stdout), UTC):%Y-%m-%d}"
