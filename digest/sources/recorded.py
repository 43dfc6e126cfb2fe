"""A recorded activity as a source: one JSON file, written by `save` from any other source."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import NamedTemporaryFile

from digest.codec import dump, load
from digest.errors import BadAnswer, NotFound, StoreFailed
from digest.models import Activity, Gap, Item, Kind, Repo, Window
from digest.reading.relations import answers_to
from digest.reading.reverts import originals
from digest.sources.forge import spellings
from digest.wording.phrases import SAY


class Recorded:
    """Gives what one file holds; implements `digest.ports.Source`.

    Every method raises `NotFound` where the file is missing or of another repository, and
    `BadAnswer` where it is not a recorded activity.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def name(self) -> Repo:
        """Return the recorded repository."""
        return self._activity().repo

    def window(self) -> Window:
        """Return the recorded window."""
        return self._activity().window

    async def collect(self, repo: Repo, window: Window) -> Activity:
        """Return the recorded items of a window.

        A gap of `everything` says that none of it is recorded, one of `partly` that a part is.
        """
        activity = self._of(repo)
        recorded, gaps = activity.window, activity.gaps
        if window.start < recorded.start or window.end > recorded.end:
            start, end = _minute(recorded.start), _minute(recorded.end)
            why = SAY.files.holds_alone(self._path.name, recorded.label, start, end)
            apart = window.end <= recorded.start or window.start >= recorded.end
            partly = Gap("partly", why)
            gaps = (Gap("everything", why) if apart else partly, *gaps)
        known = (*activity.items, *activity.later)
        items = tuple(item for item in known if _belongs(item, window))
        later = tuple(item for item in known if item.kind.is_change and item.at >= window.end)
        before = (item for item in (*activity.earlier, *known) if item.at < window.start)
        earlier = originals(items, before)
        return replace(
            activity, window=window, items=items, later=later, earlier=earlier, gaps=gaps
        )

    async def find(self, repo: Repo, ref: str) -> Item:
        """Return one recorded item by number, SHA or tag; `NotFound` if there is none.

        Of a number, a pull request or issue comes before the commit that it brought.
        """
        activity, ref = self._of(repo), ref.strip()
        number = ref.removeprefix("#")
        meant = spellings(number)
        each_way: tuple[Callable[[Item], bool], ...] = (
            lambda item: item.ref.removeprefix("#") in meant,
            lambda item: item.kind is Kind.COMMIT and answers_to(item, ref),
            lambda item: str(item.pull_request) == number,
        )
        for fits in each_way:
            for item in (*activity.items, *activity.later):
                if fits(item):
                    return item
        raise NotFound(SAY.files.no_item(self._path.name, repr(ref[:80])))

    def _of(self, repo: Repo) -> Activity:
        activity = self._activity()
        if str(activity.repo).lower() != str(repo).lower():
            message = SAY.files.other_repo(self._path.name, activity.repo, repo)
            raise NotFound(message)
        return activity

    def _activity(self) -> Activity:
        try:
            raw = self._path.read_bytes()
        except FileNotFoundError as error:
            raise NotFound(SAY.files.missing(self._path)) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise NotFound(SAY.files.cannot_read(self._path, reason)) from error
        try:
            activity = load(Activity, raw)
        except BadAnswer as error:
            raise BadAnswer(SAY.files.damaged(self._path)) from error
        if any(moment.tzinfo is None for moment in _moments(activity)):
            raise BadAnswer(SAY.files.no_zones(self._path))
        return activity


def save(activity: Activity, path: Path) -> None:
    """Write an activity to a file, wholly or not at all; `StoreFailed` says why it could not."""
    part = ""
    try:
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            part = file.name
            file.write(dump(activity))
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        if part:
            with suppress(OSError):
                os.unlink(part)
        message = SAY.files.cannot_write(path, error.strerror)
        raise StoreFailed(message) from error


def _moments(activity: Activity) -> Iterator[datetime]:
    yield from (activity.window.start, activity.window.end, activity.collected_at)
    for item in (*activity.items, *activity.later, *activity.earlier):
        yield item.at
        yield from (event.at for event in item.events)


def _belongs(item: Item, window: Window) -> bool:
    if item.kind is Kind.ISSUE:
        return item.at in window or any(event.at in window for event in item.events)
    return item.at in window


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
