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

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import reduce
from typing import Self

from digest.claims import Trouble

NO_REPO = "there is no repository {repo}, or it is private: check the name, as in vllm-project/vllm"
"""Of a repository that is not there, and of one that a channel may not be told of."""


class Phrase(str):
    """A form that brings its Chinese along: for those that no catalogue of the bot may name."""

    zh: str

    def __new__(cls, form: str, *, zh: str) -> Self:
        """Join both languages; the places for values are the same in them."""
        phrase = super().__new__(cls, form)
        phrase.zh = zh
        return phrase


class Sentence:
    """An English sentence with places for values, `{name} is no repository`.

    Its form is what a translation is found by; a value may be a sentence itself.
    """

    def __init__(self, form: str, /, **values: object) -> None:
        self.form = form
        self.values: Mapping[str, object] = values

    def __str__(self) -> str:
        """Give it in English; without values it is taken as it stands, braces and all."""
        return self.form.format(**self.values) if self.values else self.form


def listed(values: Iterable[object]) -> object:
    """Give values one after the other, for a sentence: the comma is of the reader's language."""
    told = tuple(values)
    return reduce(_after, told) if told else ""


def _after(first: object, second: object) -> Sentence:
    return Sentence("{first}, {second}", first=first, second=second)


class InfraError(Exception):
    """The root: `str(error)` is one sentence for the person; `exit_status` for the shell.

    A sentence with values is given by its form and the values, as in `Sentence`.
    """

    exit_status = 1

    def __init__(self, form: str = "", /, **values: object) -> None:
        self.sentence = Sentence(form, **values)
        super().__init__(str(self.sentence))


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
    """


class RateLimited(CouldNotLook):
    """No requests are left until `retry_at` (UTC; None where the server did not say)."""

    def __init__(self, form: str, /, retry_at: datetime | None = None, **values: object) -> None:
        super().__init__(form, **values)
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

    def __init__(self, form: str, /, trouble: Trouble | None = None, **values: object) -> None:
        super().__init__(form, **values)
        self.trouble = trouble


class BudgetSpent(ModelFailed):
    """No tokens are left for the model today or this month."""
