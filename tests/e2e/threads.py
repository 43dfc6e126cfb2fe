"""What stands in channels after a morning, compared with a morning that nothing disturbed.

Messages are compared by where they stand and what they are headed, threads by the pages of GitHub
that they link to. Words are not compared: which of a model's are there, and what there is room for
beside them, depends on when it answers. A repository's messages may be missing where the roundup
says that it could not be looked at, and may differ where its thread says that it could be only in
part. Where one could not be looked at, the replies of the other threads may be cut in another way:
each has to be there, link to the same pages, and say nothing twice.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.e2e.morning import REPOS, Told

NO_MODEL = "no AI used"
BLIND = "Could not look at "
IN_PART = ("Could look only in part", "Could not look at ")

BULLET = "- "
"""How a message begins that goes on with a list."""

_LINK = re.compile(r"https://github\.com/[\w./-]+\w")

_UNSEEN = frozenset({"type", "style", "action_id", "custom_id"})

_Message: TypeAlias = tuple[str, str, str]
"""The channel, what its thread begins with, and what it says, both as plain lines."""


@dataclass(frozen=True, slots=True)
class Misses:
    """What is wrong with a morning, and what it says of itself to be missing."""

    lost: int
    doubled: int
    unsaid: int
    could_not_look: frozenset[str]
    in_part: frozenset[str]
    lines: tuple[str, ...] = ()
    """The messages that are lost or doubled, a line each."""

    @property
    def any(self) -> bool:
        """Tell whether anything is wrong."""
        return bool(self.lost or self.doubled or self.unsaid)

    def __str__(self) -> str:
        return (
            f"{self.lost} lost, {self.doubled} doubled, {self.unsaid} without a word on the model; "
            f"not looked at {sorted(self.could_not_look)}, in part {sorted(self.in_part)}"
        )


def misses(wanted: Told, told: Told, *, without_model: bool) -> Misses:
    """Compare what was told with what was wanted; `without_model` where it never answered."""
    said, whole = _plain(told), _plain(wanted)
    blind, partly = _gaps(said)
    lost = doubled = 0
    lines: list[str] = []
    for channel in {each[0] for each in whole}:
        excused = blind[channel] | partly[channel]
        now = _of(said, channel, excused)
        then = _of(whole, channel, excused)
        if blind[channel]:  # another thread is the foremost, which has more messages of its own
            now, then = _parents(now), _parents(then)
            excused = {*excused, *map(str, REPOS)}
        lost += (then - now).total()
        doubled += (now - then).total()
        lines += [f"- {each!r}" for each in (then - now).elements()]
        lines += [f"+ {each!r}" for each in (now - then).elements()]
        doubled += _doubled(said, channel, excused)
        unseen = blind[channel] | partly[channel]
        unlinked = _links(whole, channel, unseen) - _links(said, channel, unseen)
        lost += len(unlinked)
        lines += [f"- {each!r}" for each in unlinked]
        threads = {_repo(text) for place, begins, text in said if place == channel and not begins}
        lost += len(partly[channel] - threads)
    heads = [text for (_, begins, text), count in told.items() if not begins for _ in range(count)]
    unsaid = sum(NO_MODEL not in text for text in heads) if without_model else 0
    every_blind = frozenset[str]().union(*blind.values())
    every_part = frozenset[str]().union(*partly.values())
    return Misses(lost, doubled, unsaid, every_blind, every_part, tuple(lines))


def _doubled(messages: Counter[_Message], channel: str, excused: set[str]) -> int:
    """Count what stands too often in threads of which nothing more is known."""
    threads: Counter[str] = Counter()
    doubled = 0
    for (place, begins, text), count in messages.items():
        if place == channel and (repo := _repo(begins or text)) in excused:
            if begins:
                doubled += count - 1
            else:
                threads[repo] += count
    return doubled + sum(count - 1 for count in threads.values())


def _of(messages: Counter[_Message], channel: str, excused: set[str]) -> Counter[_Message]:
    """Count a channel's messages by their headings, without those about some repositories."""
    found: Counter[_Message] = Counter()
    for (place, begins, text), count in messages.items():
        if place == channel and (repo := _repo(begins or text)) not in excused:
            if repo and text.startswith(BULLET):
                # Where a long list is cut depends on what else there is room for.
                key = (place, _head(begins), "a list goes on")
                found[key] = max(found[key], count)
            else:
                head = _head(text) if repo else "the roundup"
                found[place, begins and _head(begins), head] += count
    return found


def _parents(messages: Counter[_Message]) -> Counter[_Message]:
    return Counter({each: count for each, count in messages.items() if not each[1]})


def _links(
    messages: Counter[_Message], channel: str, excused: set[str]
) -> set[tuple[str, str, str]]:
    """Return the pages of GitHub that each thread of a channel links to.

    The roundup is left out: what it names of a repository depends on what it knows of the others.
    """
    return {
        (place, _head(begins or text), link)
        for place, begins, text in messages
        if place == channel and (repo := _repo(begins or text)) and repo not in excused
        for link in _LINK.findall(text)
    }


def _gaps(said: Counter[_Message]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Give, by channel, the repositories of which it is said that they were not looked at."""
    blind: dict[str, set[str]] = defaultdict(set)
    partly: dict[str, set[str]] = defaultdict(set)
    for channel, begins, text in said:
        for said_of in text.replace("\n", " ").split(BLIND)[1:]:
            for names in said_of.partition(":")[0].split(";"):
                found = partly if "(" in names else blind
                found[channel] |= {str(repo) for repo in REPOS if repo.name in names}
        if any(each in text for each in IN_PART) and (repo := _repo(begins or text)):
            partly[channel].add(repo)
    return blind, partly


def _repo(begins: str) -> str:
    """Give the repository that a thread is about; nothing for a roundup."""
    first = _head(begins)
    return next((str(repo) for repo in REPOS if first.startswith(f"{repo.name} ")), "")


def _head(text: str) -> str:
    """Give the heading of a message: its first words, up to the days."""
    return text.partition("\n")[0].partition(":")[0]


def _plain(told: Told) -> Counter[_Message]:
    found: Counter[_Message] = Counter()
    for (channel, begins, text), count in told.items():
        found[channel, _words(begins), _words(text)] += count
    return found


def _words(drawn: str) -> str:
    """Return the words of a message as it was drawn, a line for each text in it."""
    if not drawn:
        return ""
    said = _strings(json.loads(drawn.replace(", , ", ", ")))
    return "\n".join(filter(None, (each.strip() for each in said)))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        # As it is shown: the heading of an embed before its text, buttons below.
        for key in sorted(value, key=lambda name: (name == "components", name != "title", name)):
            if key not in _UNSEEN:
                yield from _strings(value[key])
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
