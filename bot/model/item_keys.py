"""An item's key taken apart: whose it is, how people write it, where its page is."""

from dataclasses import dataclass

from digest.errors import UsageError
from digest.models import Kind, Repo
from digest.wording.phrases import SAY

PLACES = {
    Kind.PULL_REQUEST: "pull",
    Kind.ISSUE: "issues",
    Kind.COMMIT: "commit",
    Kind.RELEASE: "releases/tag",
}
TYPED = {Kind.PULL_REQUEST: "#", Kind.ISSUE: "#", Kind.COMMIT: "commit/", Kind.RELEASE: "tag/"}


@dataclass(frozen=True, slots=True)
class ItemKey:
    """What a key says: `written` is the number, SHA or tag."""

    repo: Repo
    kind: Kind
    written: str

    @property
    def ref(self) -> str:
        """How people write it: `#35621`, a SHA, a tag."""
        return f"#{self.written}" if TYPED[self.kind] == "#" else self.written

    @property
    def command(self) -> str:
        """The command that shows it."""
        return f"{self.repo} {TYPED[self.kind]}{self.written}"

    @property
    def url(self) -> str:
        """Its page on GitHub, for an item of which nothing else is known any more."""
        return f"https://github.com/{self.repo}/{PLACES[self.kind]}/{self.written}"


def read_key(key: str) -> ItemKey:
    """Read `OWNER/REPO:kind:written`; `UsageError` for what is no key, as on a very old button."""
    try:
        name, kind, written = key.split(":", 2)
        return ItemKey(Repo.parse(name), Kind(kind), written)
    except ValueError as error:
        raise UsageError(SAY.followups.old_button) from error
