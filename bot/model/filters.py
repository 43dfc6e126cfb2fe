"""What a channel leaves out of a digest, and what it follows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from bot.model.subscriptions import Subscription
from digest.grades import ChangeObject, Importance, Noise
from digest.models import Kind, Reading, ReadItem

WILDCARDS = frozenset("*?[")


def matches(glob: str, path: str) -> bool:
    """Return whether a path is meant by a glob; the time grows with the product of their lengths.

    Globs are those of CODEOWNERS, without regular expressions that could run away: `*`, `?` and
    `[abc]` stay within a folder, `**` goes through folders. A glob without `/`, but for one at
    its end, is meant at any depth. One that ends without wildcards is also a folder with all
    that is below it
    (https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners).
    """
    parts = [part for part in glob.split("/") if part]
    if not parts:
        return False
    if len(parts) == 1 and not glob.startswith("/"):
        parts.insert(0, "**")
    if glob.endswith("/"):
        parts.append("**")
    needed = [
        part
        for part, before in zip(parts, ["", *parts[:-1]], strict=True)
        if not part == before == "**"
    ]
    return _match(needed, path.split("/"))


def _match(parts: list[str], folders: list[str]) -> bool:
    """Walk the path once and keep which parts of the glob it can have come to."""
    whole = len(parts)
    is_folder = not WILDCARDS & set(parts[-1])
    reached = _through({0}, parts)
    for folder in folders:
        if is_folder and whole in reached:
            return True
        on = set()
        for at in reached - {whole}:
            if parts[at] == "**":
                on.add(at)
            elif _fits(folder, parts[at]):
                on.add(at + 1)
        reached = _through(on, parts)
    return whole in reached


def _fits(folder: str, part: str) -> bool:
    return fnmatchcase(folder, part) if WILDCARDS & set(part) else folder == part


def _through(reached: set[int], parts: list[str]) -> set[int]:
    """Add what follows each `**`, which may stand for no folder at all."""
    return reached | {at + 1 for at in reached if at < len(parts) and parts[at] == "**"}


PATHS_READ = 60
"""Files of an item by whose paths a topic is found; more of one change tell nothing new."""
TITLE_READ = 1_000
"""Topics are looked for in so much of a title; GitHub allows 256 characters."""


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items that a channel is told, in their order, and those it is not.

    Every item of the reading stands in exactly one of them, so that counts add up.
    """

    included: tuple[ReadItem, ...]
    excluded: tuple[ReadItem, ...]


def filtered(reading: Reading, subscription: Subscription) -> Filtered:
    """Part the items of a reading into told and excluded ones, by what the channel chose.

    A release is always told. `without` leaves nothing out that is high, or that takes back or is
    taken back. A channel with `paths` or `topics` is told the changes that touch one of the paths
    or speak of one of the topics, and those whose files could not be read; with `topics`, only the
    issues that speak of one.
    """
    included: list[ReadItem] = []
    excluded: list[ReadItem] = []
    known = _known(reading) if subscription.topics else {}
    for read in reading.items:
        words = known.get(read.item.key, ())
        (included if is_included(read, subscription, words) else excluded).append(read)
    return Filtered(tuple(included), tuple(excluded))


def _known(reading: Reading) -> Mapping[str, tuple[str, ...]]:
    """Return what is known of each item in words: what its facts are about, and its story."""
    found: dict[str, tuple[str, ...]] = {}
    for fact in reading.facts:
        words = (fact.name, *fact.names, *fact.who, *fact.conditions)
        found[fact.item] = (*found.get(fact.item, ()), *words)
    for story in reading.stories:
        for key in story.items:
            found[key] = (*found.get(key, ()), story.name)
    return found


def is_included(read: ReadItem, subscription: Subscription, known: Sequence[str] = ()) -> bool:
    """Return whether a channel is told an item; `known` are words of its facts and its story."""
    if read.item.kind is Kind.RELEASE:
        return True
    return not _is_left_out(read, subscription) and _is_followed(read, subscription, known)


def _is_left_out(read: ReadItem, subscription: Subscription) -> bool:
    if read.importance is Importance.HIGH or read.reverts or read.reverted_by:
        return False
    return any(LEAVES_OUT[word](read) for word in subscription.without if word in LEAVES_OUT)


def _is_bots(read: ReadItem) -> bool:
    return read.noise is Noise.BOT or read.item.author_is_bot


def _is_ci(read: ReadItem) -> bool:
    return read.noise is Noise.CI or read.object is ChangeObject.CI


def _is_docs(read: ReadItem) -> bool:
    return read.noise is Noise.DOCS or read.object is ChangeObject.DOCS


LEAVES_OUT: Mapping[str, Callable[[ReadItem], bool]] = {
    "bots": _is_bots,
    "ci": _is_ci,
    "docs": _is_docs,
}
"""What each word of `LEFT_OUT` leaves out."""


def _is_followed(read: ReadItem, subscription: Subscription, known: Sequence[str]) -> bool:
    if _speaks_of(read, subscription.topics, known):
        return True
    if read.item.kind is Kind.ISSUE:
        return not subscription.topics
    if not subscription.paths:
        return not subscription.topics
    return _touches(read, subscription.paths)


def _touches(read: ReadItem, paths: tuple[str, ...]) -> bool:
    if read.item.files is None:
        return True
    touched = {path for file in read.item.files for path in (file.path, file.previous_path) if path}
    return any(matches(glob, path) for glob in paths for path in touched)


def _speaks_of(read: ReadItem, topics: tuple[str, ...], known: Sequence[str]) -> bool:
    """Return whether labels, title, paths, facts or story of an item speak of a topic."""
    files = read.item.files or ()
    paths = (file.path for file in files[:PATHS_READ])
    folded = " ".join((*known, *read.item.labels, read.item.title[:TITLE_READ], *paths)).casefold()
    return any(_stands_in(topic.casefold(), folded) for topic in topics)


def _stands_in(topic: str, text: str) -> bool:
    """Return whether a topic begins a word: `moe` in `MoE-kernels`, not in `remoe`.

    Scripts without spaces have no such beginnings: there it may stand anywhere.
    """
    at = text.find(topic)
    while at >= 0:
        if at == 0 or not (text[at - 1].isalnum() and text[at - 1].isascii()):
            return True
        at = text.find(topic, at + 1)
    return False
