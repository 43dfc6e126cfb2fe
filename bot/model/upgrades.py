"""What an upgrade means for the codebases of a channel, as it is asked for there.

::

    upgrade REPO                what they pin .. the newest release
    upgrade REPO FROM..TO       tags or SHAs; either may be left out
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.model.commands import shown
from digest.errors import UsageError
from digest.languages import Language
from digest.phrase import Example
from digest.wording.phrases import SAY

UPGRADE = "upgrade"
EXAMPLE = "upgrade vllm v0.15.0..v0.16.0"

_END = re.compile(r"(?:\w[\w./+-]{0,99})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class AskUpgrade:
    """What an upgrade of `repo` (a name as written) means for the codebases of a channel.

    An empty `base` is what they pin, an empty `head` the newest release.
    """

    repo: str
    base: str = ""
    head: str = ""
    language: Language | None = None


def read_upgrade(words: Sequence[str], language: Language | None = None) -> AskUpgrade:
    """Read what follows `upgrade`; raises `UsageError` of one line with an example."""
    if len(words) == 4 and words[2].casefold() == "to":
        words = (words[0], f"{words[1]}..{words[3]}")
    if len(words) not in (1, 2):
        raise UsageError(SAY.upgrades.of_what(Example(EXAMPLE)))
    ends = words[1] if len(words) > 1 else ".."
    base, dots, head = ends.partition("..")
    head = head.removeprefix(".")
    if not dots or not (_END.fullmatch(base) and _END.fullmatch(head)) or ".." in head:
        raise UsageError(SAY.upgrades.not_a_span(shown(ends), Example(EXAMPLE)))
    return AskUpgrade(words[0], base, head, language)
