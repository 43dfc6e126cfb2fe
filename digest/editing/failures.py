"""What is said where a model gives nothing to work with: never a word of its server's own."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from digest.edited import Trouble
from digest.editing.reply import BadReply
from digest.errors import ModelFailed

READ = 2_000
"""Characters of a refusal that are read for its reason."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a call without an answer.

    `sentence` is for who runs the program, `trouble` for readers, to whom a host is nothing. Where
    `is_server`, other questions would fare alike; where `for_good`, asking again cannot help.
    """

    sentence: str
    trouble: Trouble
    is_server: bool = True
    for_good: bool = False


TIMEOUT = Verdict(
    "the model server {host} does not answer in time: check that it runs and is not overloaded",
    Trouble.TIMEOUT,
)
UNREACHABLE = Verdict(
    "the model server {host} cannot be reached: check that it runs and OPENAI_BASE_URL",
    Trouble.UNREACHABLE,
)
NO_CONNECTION = Verdict(UNREACHABLE.sentence, Trouble.UNREACHABLE)
"""As that, but it took all its time to say nothing: it is not tried again at once."""
UNTRUSTED = Verdict(
    "the model server {host} shows a certificate that is not trusted here: "
    "name the file of its authority in SSL_CERT_FILE",
    Trouble.CERTIFICATE,
    for_good=True,
)
NOT_TLS = Verdict(
    "the model server {host} does not speak https: write http:// in OPENAI_BASE_URL",
    Trouble.ADDRESS,
    for_good=True,
)
GARBAGE = Verdict(
    "{host} answers something else than a model server does: check OPENAI_BASE_URL",
    Trouble.ADDRESS,
)
BAD_KEY = Verdict(
    "the model server {host} refuses the key: check OPENAI_API_KEY", Trouble.KEY, for_good=True
)
NO_ACCESS = Verdict(
    "the model server {host} lets this key not use {model}: check INFRA_MODEL and the key",
    Trouble.ACCESS,
    for_good=True,
)
UNKNOWN_MODEL = Verdict(
    "the model server {host} knows no model {model}: check INFRA_MODEL",
    Trouble.UNKNOWN_MODEL,
    for_good=True,
)
UNKNOWN_PATH = Verdict(
    "the model server {host} has no /chat/completions there: check OPENAI_BASE_URL, "
    "which mostly ends in /v1",
    Trouble.ADDRESS,
    for_good=True,
)
NO_QUOTA = Verdict(
    "the account at {host} has nothing left to spend: check its plan", Trouble.QUOTA, for_good=True
)
BUSY = Verdict(
    "the model server {host} takes no more questions now (429): ask again later", Trouble.BUSY
)
BROKEN = Verdict("the model server {host} fails ({status}): ask again later", Trouble.BROKEN)
REFUSED = Verdict(
    "the model server refused the question ({status})", Trouble.REFUSED, is_server=False
)
TOO_LONG = Verdict(
    "the question is longer than {model} can read", Trouble.TOO_LONG, is_server=False
)

_TOO_LONG = re.compile(
    r"context.length|context.window|maximum.context|max_model_len|prompt is too long|"
    r"input is too long|too many tokens|longer than the (?:model|maximum)|reduce the length",
    re.IGNORECASE,
)
_UNKNOWN_MODEL = re.compile(
    r"model_not_found|(?:\bmodel\b.{0,200}(?:does not exist|not found|no such|unknown|not "
    r"(?:a valid|available|loaded)))|(?:no such|unknown|invalid) model|not a valid model",
    re.IGNORECASE | re.DOTALL,
)


def of_status(status: int, refusal: str) -> Verdict:
    """Tell from a status and a server's words (message, parameter, code) why it refused."""
    words = refusal[:READ]
    if status == 402 or (status == 429 and "insufficient_quota" in words):
        return NO_QUOTA
    is_too_long = _TOO_LONG.search(words)
    if status in (400, 404, 422) and not is_too_long and _UNKNOWN_MODEL.search(words):
        return UNKNOWN_MODEL
    if status in (404, 405):
        return UNKNOWN_PATH
    if status == 413 or is_too_long:
        return TOO_LONG
    if status >= 500:
        return BROKEN
    return {401: BAD_KEY, 403: NO_ACCESS, 429: BUSY}.get(status, REFUSED)


class CallFailed(Exception):
    """A call without an answer; `refusal` is the server's own text, for deciding, never shown.

    `status` is 0 where there was none; `retry_after` is in seconds, None where none was named.
    """

    def __init__(
        self, verdict: Verdict, status: int = 0, refusal: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(verdict.trouble)
        self.verdict = verdict
        self.status = status
        self.refusal = refusal
        self.retry_after = retry_after


class Unusable(BadReply):
    """An answer that was paid for and cannot be used; the tokens say what it cost."""

    def __init__(self, message: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(message)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class TimedOut(ModelFailed):
    """A server took the question and did not answer in time; it may have worked for it."""


def host(base_url: str) -> str:
    """Name a server for a person, without anything secret."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return "of OPENAI_BASE_URL"
    return parts.netloc.rpartition("@")[2] or base_url
