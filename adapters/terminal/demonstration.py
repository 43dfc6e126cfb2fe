"""Shows the main job without network, token or settings: `infra demo`."""

import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.terminal.drawing import draw, show
from adapters.terminal.files import write_text
from adapters.terminal.options import Format, Options
from adapters.terminal.output import say
from adapters.terminal.progress import progress
from adapters.wiring.run import offline
from bot.answer.answers import Asker
from bot.model.replies import DigestReply
from digest.errors import InfraError
from digest.languages import Language, Text
from digest.models import Digest, Repo
from digest.sources.git.source import LOCAL
from digest.sources.recorded import Recorded
from digest.wording.saying import PHRASES

CHECKOUT = Path(__file__).parents[2]
RECORDED = Path(__file__).parent / "demo" / "activity.json"
OWN = Repo(LOCAL, "infra-digest")
"""What this project is called where its clone has no remote to name it."""
OUTPUT = Path("demo-output")
DAYS = 7
"""How many days of this project's own history are told, up to its newest commit."""

OWN_HISTORY: Text = {
    Language.EN: f"This project's own git history: the {DAYS} days up to its newest commit.",
    Language.ZH: f"本项目自己的 git 历史：到最新提交为止的 {DAYS} 天。",
}


async def demonstrate(options: Options, checkout: Path = CHECKOUT) -> int:
    """Tell this project's own history and a recorded day, as text and as HTML files.

    A history that is missing is said, and fails nothing; the last line is the path of a file.
    """
    files = []
    language = options.language or Language.EN
    status = 0
    try:
        own = await _own_history(checkout)
        say(f"{OWN_HISTORY[language]}\n\n")
        files.append(_shown(DigestReply(own, language), options, "own-history.html"))
    except NoHistory as missing:
        say(f"{missing}\n\n")
    except InfraError as error:
        say(f"This project's own history could not be read: {error}\n\n")
        status = error.exit_status
    recorded = await _recorded_day()
    say(f"{PHRASES[language].demonstration.recorded_day}\n\n")
    files.append(_shown(DigestReply(recorded, language), options, "recorded-day.html"))
    say(f"{PHRASES[language].demonstration.same_in_full}\n")
    say("\n".join(str(file.absolute()) for file in files) + "\n")
    return status


class NoHistory(Exception):
    """There is no git history to tell; the message says why, as a sentence."""


async def _own_history(checkout: Path) -> Digest:
    newest = _newest_commit(checkout)
    with progress() as tell:
        async with offline(f"git:{checkout}", tell) as infra:
            (repo,) = await infra.answers.repos()
            last = newest.date()
            first = last - timedelta(days=DAYS - 1)
            window = infra.answers.window(f"{first}..{last}", Asker("UTC", Language.EN))
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


def _shown(reply: DigestReply, options: Options, name: str) -> Path:
    show(reply, options)
    say("\n")
    file = OUTPUT / name
    write_text(file, draw(reply, Format.HTML, full=True))
    return file


def _newest_commit(checkout: Path) -> datetime:
    """Give when the newest commit was made; raises `NoHistory`."""
    if not (checkout / ".git").exists():
        raise NoHistory("This copy of the project came without its git history.")
    try:
        asked = subprocess.run(
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
    return datetime.fromtimestamp(int(asked.stdout), UTC)
