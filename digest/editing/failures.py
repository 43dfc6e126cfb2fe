"""What is said where a model gives nothing to work with: never a word of its server's own."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from digest.edited import Trouble
from digest.errors import ModelFailed

READ = 2_000
"""Characters of a refusal that are read for its reason."""

SENTENCES = {
    Trouble.TIMEOUT: "the model server {host} does not answer in time: "
    "check that it runs and is not overloaded",
    Trouble.UNREACHABLE: "the model server {host} cannot be reached: "
    "check that it runs and OPENAI_BASE_URL",
    Trouble.CERTIFICATE: "the model server {host} shows a certificate that is not trusted here: "
    "name the file of its authority in SSL_CERT_FILE",
    Trouble.ADDRESS: "the model server {host} has no /chat/completions there: "
    "check OPENAI_BASE_URL, which mostly ends in /v1",
    Trouble.KEY: "the model server {host} refuses the key: check OPENAI_API_KEY",
    Trouble.ACCESS: "the model server {host} lets this key not use {model}: "
    "check INFRA_MODEL and the key",
    Trouble.UNKNOWN_MODEL: "the model server {host} knows no model {model}: check INFRA_MODEL",
    Trouble.QUOTA: "the account at {host} has nothing left to spend: check its plan",
    Trouble.BUSY: "the model server {host} takes no more questions now (429): ask again later",
    Trouble.BROKEN: "the model server {host} fails ({status}): ask again later",
    Trouble.REFUSED: "the model server refused the question ({status})",
    Trouble.TOO_LONG: "the question is longer than {model} can read",
}
"""What who runs the program is told; readers, to whom a host is nothing, are told the class."""
NOT_TLS = "the model server {host} does not speak https: write http:// in OPENAI_BASE_URL"
GARBAGE = "{host} answers something else than a model server does: check OPENAI_BASE_URL"

OF_THE_QUESTION = (Trouble.REFUSED, Trouble.TOO_LONG)
"""Failures that other questions to the same server would not share."""

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


def of_status(status: int, refusal: str) -> Trouble:
    """Tell from a status and a server's words (message, parameter, code) why it refused."""
    words = refusal[:READ]
    if status == 402 or (status == 429 and "insufficient_quota" in words):
        return Trouble.QUOTA
    is_too_long = _TOO_LONG.search(words)
    if status in (400, 404, 422) and not is_too_long and _UNKNOWN_MODEL.search(words):
        return Trouble.UNKNOWN_MODEL
    if status in (404, 405):
        return Trouble.ADDRESS
    if status == 413 or is_too_long:
        return Trouble.TOO_LONG
    if status >= 500:
        return Trouble.BROKEN
    known = {401: Trouble.KEY, 403: Trouble.ACCESS, 429: Trouble.BUSY}
    return known.get(status, Trouble.REFUSED)


class Named(NamedTuple):
    """A server and its model as a person is told of them."""

    host: str
    model: str


class CallFailed(ModelFailed):
    """A call without an answer, which cost nothing; `may_pass` where asking again may help.

    `refusal` is the server's own text, for deciding, never shown; `status` is 0 where there was
    none. `retry_after` is in seconds, None where none was named.
    """

    def __init__(
        self,
        named: Named,
        trouble: Trouble,
        sentence: str = "",
        *,
        may_pass: bool = False,
        status: int = 0,
        refusal: str = "",
        retry_after: float | None = None,
    ) -> None:
        sentence = sentence or SENTENCES[trouble]
        super().__init__(sentence.format(**named._asdict(), status=status), trouble)
        self.may_pass = may_pass
        self.status = status
        self.refusal = refusal
        self.retry_after = retry_after


class TimedOut(CallFailed):
    """A server took the question and did not answer in time; it may have worked for it."""


class Unusable(ModelFailed):
    """An answer that cannot be used: declined, cut, empty, no JSON or of a wrong shape.

    It is the question's fault, not the server's, and was paid for: the tokens say what it cost
    where that is not counted yet.
    """

    def __init__(self, why: str, input_tokens: int = 0, output_tokens: int = 0) -> None:
        super().__init__(why, Trouble.UNREADABLE)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


def host(base_url: str) -> str:
    """Name a server for a person, without anything secret."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return "of OPENAI_BASE_URL"
    return parts.netloc.rpartition("@")[2] or base_url
