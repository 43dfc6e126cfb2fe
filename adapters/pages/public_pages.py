"""What public pages tell: digests as they are stored. Anybody may ask, so nothing is looked up.

A private repository looks exactly like one that nobody ever asked for.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.errors import BadWindow
from digest.models import Digest, Repo, Window
from digest.ports import Clock
from digest.store.digests import StoredDigests
from digest.windows import parse

NEWEST = 3
"""Windows that are told of each repository where all repositories are."""

MOST_ALIKE = 4
"""How often the same days may be stored in as many zones, before older ones are missed."""


@dataclass(frozen=True)
class PublicPages:
    """What may be told to anybody; `hidden` gives the names in lower case that may not.

    Every method raises `StoreFailed`.
    """

    shelf: StoredDigests
    hidden: Callable[[], Awaitable[frozenset[str]]]
    clock: Clock

    async def digest(self, repo: Repo, label: str, tz: str) -> Digest | None:
        """Return the digest of a window by its label, as it is told in a zone, if it is stored."""
        hidden = await self.hidden()
        if str(repo).lower() in hidden:
            return None
        window = self._window(label, tz)
        found = await self.shelf.labelled(repo, label, tz, window)
        # A renamed repository is stored by the name it is asked by; its items have their own.
        if found is None or any(str(r.item.repo).lower() in hidden for r in found.reading.items):
            return None
        if window and _is_same(found.reading.window, window):
            found = replace(found, reading=replace(found.reading, window=window))
        return found

    async def days(self, repo: Repo, tz: str) -> tuple[Window, ...]:
        """Return the stored windows of a repository, newest first, in a zone where they are its."""
        if str(repo).lower() in await self.hidden():
            return ()
        return self._each_once(await self.shelf.windows(repo), tz)

    async def repos(self, tz: str) -> Mapping[str, tuple[Window, ...]]:
        """Return every repository by its name in lower case with its newest windows."""
        hidden = await self.hidden()
        stored = await self.shelf.newest(NEWEST * MOST_ALIKE)
        return {
            name: self._each_once(windows, tz)[:NEWEST]
            for name, windows in sorted(stored.items())
            if name not in hidden
        }

    def _each_once(self, windows: Sequence[Window], tz: str) -> tuple[Window, ...]:
        """Return windows in a zone where they are whole days of it too, each time once."""
        by_time: dict[tuple[object, object], Window] = {}
        for window in windows:
            own = self._window(window.label, tz)
            shown = own if own and _is_same(window, own) else window
            by_time.setdefault((window.start, window.end), shown)
        return tuple(by_time.values())

    def _window(self, label: str, tz: str) -> Window | None:
        """Read a label; those that only a change of a channel's zone makes are none of a person."""
        try:
            return parse(label, now=self.clock(), tz=tz)
        except BadWindow:
            return None


def _is_same(one: Window, other: Window) -> bool:
    return (one.start, one.end) == (other.start, other.end)
