"""What can go wrong, each with one clear sentence that says what to do.

::

    InfraError
    ├── UsageError            the person asked for something impossible          exit 2
    │   ├── UnknownRepo       no repository of that name or alias
    │   └── BadWindow         a date, range or zone that cannot be
    ├── ConfigurationError    token, database or setting to be mended            exit 78
    │   ├── BadToken          the server refused the token
    │   └── DatabaseVersion   unmigrated, or newer than this program
    └── CouldNotLook          the source did not answer as it should             exit 1
        ├── NotFound          no such repository, change or file
        ├── Forbidden         blocked for legal reasons, or no access
        │   └── PrivateRepo   private, and not among those that may be told
        ├── RateLimited       no requests left; `retry_at` says when
        ├── BadAnswer         cut, foreign or nonsensical answer
        ├── Unreachable       no network, or a server that hangs
        ├── Defect            an error of this program that nobody foresaw
        ├── StoreFailed       the database could not be read or written
        └── ModelFailed       the model gave nothing to work with
            └── BudgetSpent   no tokens are left for it today or this month

The message is the sentence that a person sees. Causes are chained, never shown.
"""

from datetime import datetime

from digest.edited import Trouble
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import localized


class InfraError(Exception):
    """The root: `why` is a sentence for the person, `str(error)` says it in English.

    `exit_status` is for the shell. A text is said as it stands in every language: for faults
    of settings, and for what only the log says.
    """

    exit_status = 1

    def __init__(self, why: Phrase | str = "") -> None:
        self.why = why if isinstance(why, Phrase) else Phrase.as_written(why)
        super().__init__(localized(self.why, Language.EN))

    def line(self, language: Language) -> str:
        """Return the one line that a person reads."""
        return localized(self.why, language).partition("\n")[0]


class UsageError(InfraError):
    """The person asked for something impossible."""

    exit_status = 2


class UnknownRepo(UsageError):
    """No repository of that name or alias."""


class BadWindow(UsageError):
    """A date, range or zone that cannot be."""


class ConfigurationError(InfraError):
    """A token, database or setting has to be mended."""

    exit_status = 78


class BadToken(ConfigurationError):
    """The server refused the token."""


class DatabaseVersion(ConfigurationError):
    """The database is unmigrated, or newer than this program."""


class CouldNotLook(InfraError):
    """The source did not answer as it should."""


class NotFound(CouldNotLook):
    """No such repository, change or file."""


class Forbidden(CouldNotLook):
    """Private, blocked for legal reasons, or no access."""


class PrivateRepo(Forbidden):
    """A private repository that is not named among those that may be told.

    The sentence is for who runs the program; nobody else learns that the repository is there.
    `asked` is the name that it was asked for by.
    """

    def __init__(self, asked: object) -> None:
        super().__init__(SAY.github.private(asked))
        self.asked = asked


class RateLimited(CouldNotLook):
    """No requests are left until `retry_at` (UTC; None where the server did not say)."""

    def __init__(self, why: Phrase, retry_at: datetime | None = None) -> None:
        super().__init__(why)
        self.retry_at = retry_at


class BadAnswer(CouldNotLook):
    """A cut, foreign or nonsensical answer."""


class Unreachable(CouldNotLook):
    """No network, or a server that hangs."""


class Defect(CouldNotLook):
    """An error of this program that nobody foresaw; its log has the traceback."""


class StoreFailed(CouldNotLook):
    """The database could not be read or written."""


class ModelFailed(CouldNotLook):
    """The model gave nothing to work with; the digest goes out without it.

    `trouble` is the class of the reason, for readers who are not to see the sentence.
    """

    def __init__(self, why: Phrase | str, trouble: Trouble | None = None) -> None:
        super().__init__(why)
        self.trouble = trouble


class BudgetSpent(ModelFailed):
    """No tokens are left for the model today or this month."""


SHOWN_CHARS = 40


def quoted(text: str) -> str:
    """Quote what a person wrote so that it cannot disturb the line it is told in."""
    plain = "".join(char if char.isprintable() else "�" for char in text[:SHOWN_CHARS])
    return f"'{plain}…'" if len(text) > SHOWN_CHARS else f"'{plain}'"
