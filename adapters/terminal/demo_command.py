"""Shows what the program does without network, token or settings: `infra demo`."""

import shutil
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from adapters.terminal.files import write_text
from adapters.terminal.formats import draw
from adapters.terminal.options import Format, Options
from adapters.terminal.output import progress, say
from adapters.wiring.assembly import offline
from adapters.wiring.demo_page import demo_page, demo_pictures
from bot.answer.answers import Asker
from bot.model.replies import DigestReply
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
WIDEST, LONGEST = 100, 40
"""Columns and lines that are printed at most, before the line that says where the rest is."""

BELOW = 3
"""Lines of a terminal that are left to that line, which may be broken, and to the prompt."""


async def demonstrate(options: Options, checkout: Path = CHECKOUT) -> int:
    """Print the head of a recorded day and of this project's history; write a page with the rest.

    The page shows the recorded day as Slack and Discord do, with the life of follow-ups, and both
    texts whole; beside it are pictures of it. A history that is missing is said, and fails
    nothing; the last line ends with the path of the page.
    """
    language = options.language or Language.EN
    words = CATALOGUES[language].demonstration
    status, texts, own = 0, [], []
    terminal = shutil.get_terminal_size((WIDEST, LONGEST + BELOW))
    width, lines = min(WIDEST, terminal.columns), min(LONGEST, terminal.lines - BELOW)
    try:
        history = await _own_history(checkout)
        texts.append((f"{words.text}: {words.own_history}", _text(history, language)))
        own = [words.own_history, "", *_first(_text(history, language, width), lines // 4)]
    except NoHistory as missing:
        own = [str(missing)]
    except InfraError as error:
        own = _first(f"This project's own history could not be read: {error}", lines // 4)
        status = error.exit_status
    recorded = await _recorded_day()
    texts.insert(0, (f"{words.text}: {words.recorded_day}", _text(recorded, language)))
    day = _first(_text(recorded, language, width), lines - len(own) - 3)
    write_text(PAGE, demo_page(recorded, texts, language))
    for name, drawn in demo_pictures(recorded, language).items():
        write_text(PAGE.with_name(name), drawn)
    say("\n".join([words.recorded_day, "", *day, "", *own]) + "\n")
    say(f"{words.rest(PAGE.absolute())}\n")
    return status


def _text(digest: Digest, language: Language, width: int = WIDEST) -> str:
    return draw(DigestReply(digest, language), Format.TEXT, width=width)


def _first(text: str, room: int) -> list[str]:
    """Return the first lines of a text; the last of them says that there are more."""
    lines = text.strip().splitlines()
    return lines if len(lines) <= room else [*lines[: room - 1], "…"]


class NoHistory(Exception):
    """There is no git history to tell; the message says why, as a sentence."""


async def _own_history(checkout: Path) -> Digest:
    newest = _newest_commit(checkout)
    with progress() as tell:
        async with offline(f"git:{checkout}", tell) as infra:
            (repo,) = await infra.answers.repos()
            window = infra.answers.window(f"{newest.date()}", Asker("UTC", Language.EN))
            return _named((await infra.answers.roundup([repo], window)).digests[0])


def _named(digest: Digest) -> Digest:
    """Call a clone without remote by this project's name: its folder's says nothing."""
    if digest.reading.repo.owner != LOCAL:
        return digest
    return replace(digest, reading=replace(digest.reading, repo=OWN))


async def _recorded_day() -> Digest:
    with progress() as tell:
        async with offline(f"recorded:{RECORDED}", tell) as infra:
            (repo,) = await infra.answers.repos()
            window = Recorded(RECORDED).window()
            return (await infra.answers.roundup([repo], window)).digests[0]


def _newest_commit(checkout: Path) -> datetime:
    """Return when the newest commit was made; raises `NoHistory`."""
    if not (checkout / ".git").exists():
        raise NoHistory("This copy of the project came without its git history.")
    try:
        log = subprocess.run(
            ["git", "-C", str(checkout), "log", "-1", "--format=%ct"],
            capture_output=True,
            check=True,
            text=True,
        )
    except FileNotFoundError as error:
        raise NoHistory("git is not installed, so this project's history is not told.") from error
    except subprocess.CalledProcessError as error:
        reason = error.stderr.strip().splitlines() or ["no commit"]
        raise NoHistory(f"git cannot read this project's history: {reason[-1]}.") from error
    return datetime.fromtimestamp(int(log.stdout), UTC)
