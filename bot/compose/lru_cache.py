"""What was made last, kept for whoever asks for the same."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class LruCache(Generic[Made]):
    """The latest things by what they were made of; the longest unused goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Made] = OrderedDict()

    def get(self, key: Hashable) -> Made | None:
        """Give what was made of a key, if it is still here."""
        if key in self._made:
            self._made.move_to_end(key)
        return self._made.get(key)

    def put(self, key: Hashable, made: Made) -> Made:
        """Keep what was made of a key, and give it back."""
        self._made[key] = made
        self._made.move_to_end(key)
        while len(self._made) > self._most:
            self._made.popitem(last=False)
        return made
