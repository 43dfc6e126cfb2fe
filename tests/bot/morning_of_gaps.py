"""An invented morning of nine repositories, at most of which something could not be looked at."""

from dataclasses import replace

from bot.compose.thread import plan
from bot.model.parts import Thread
from digest.languages import Language
from digest.models import Digest, Gap, Repo
from digest.phrase import Phrase
from tests.bot.channels_invented import FLINT, GLAZE, subscription, told
from tests.digest.writing import invented

SILENT = Phrase.as_written("GitHub does not answer")
REPOS = [Repo("example-org", f"kiln{number}") for number in range(9)]


def missing(repo: Repo, *missed: tuple[str, Phrase], seen: bool = True) -> Digest:
    reading = invented.busy() if seen else invented.unseen()
    return told(replace(reading, gaps=tuple(Gap(what, why) for what, why in missed)), repo)


def morning(language: Language = Language.EN) -> tuple[Thread, ...]:
    """Give the threads: six repositories have their own, one more failed with each reason."""
    digests = [
        missing(
            repo,
            ("patches", Phrase.as_written(f"the patches of #{number} could not be read")),
            ("issues", SILENT),
        )
        for number, repo in enumerate(REPOS[:6])
    ]
    digests += [
        missing(repo, ("everything", Phrase.as_written(f"{repo} cannot be parsed")), seen=False)
        for repo in REPOS[6:8]
    ]
    reasons = map(Phrase.as_written, ("it is gone", "it is private", "it is too large"))
    failed = list(zip((FLINT, GLAZE, REPOS[8]), reasons, strict=True))
    return plan(digests, failed, subscription(*REPOS, FLINT, GLAZE, language=language))
