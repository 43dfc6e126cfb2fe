"""Where the public pages stand: every day of a repository, in the zone and language of who asks."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from digest.languages import Language
from digest.models import Repo, Window


def hidden_names(repos: Iterable[Repo]) -> frozenset[str]:
    """Give repositories as they are compared: GitHub takes any case."""
    return frozenset(str(repo).lower() for repo in repos)


@dataclass(frozen=True, slots=True)
class PageAddress:
    """The addresses below a public one (`root`); `hidden` repositories have none."""

    root: str
    hidden: frozenset[str] = frozenset()

    def of(self, repo: Repo, window: Window, language: Language) -> str | None:
        """Give the address of a window; None where it has no page: private, or not over yet."""
        if window.partial or str(repo).lower() in self.hidden:
            return None
        return self._below(f"/{quote(str(repo))}/{quote(window.label)}", window.tz, language)

    def days(self, repo: Repo, tz: str, language: Language) -> str:
        """Give the address of all stored days of a repository."""
        return self._below(f"/{quote(str(repo))}", tz, language)

    def repos(self, tz: str, language: Language) -> str:
        """Give the address of all repositories."""
        return self._below("/", tz, language)

    def _below(self, path: str, tz: str, language: Language) -> str:
        query = urlencode({"tz": tz, "lang": language.value}, safe="/")
        return f"{self.root.rstrip('/')}{path}?{query}"
