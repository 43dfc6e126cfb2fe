"""What is said where a model gives nothing to work with: never a word of its server's own."""

from urllib.parse import urlsplit

from digest.edited import Trouble
from digest.editing.reply import BadReply
from digest.errors import ModelFailed


class Unusable(BadReply):
    """An answer that was paid for and cannot be used; the tokens say what it cost."""

    def __init__(self, message: str, input_tokens: int, output_tokens: int) -> None:
        super().__init__(message)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


class TooLong(BadReply):
    """The question is longer than the model can read; half of it may do."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.trouble = Trouble.TOO_LONG


class TimedOut(ModelFailed):
    """A server took the question and did not answer in time; it may have worked for it."""


CUT = "the model's answer was cut at its limit"
DECLINED = "the model declined to answer"
EMPTY = "the model's answer is empty"
TOO_LONG = "the question is longer than {model} can read"
REFUSED = "the model server refused the question ({status})"

TIMEOUT = (
    "the model server {host} does not answer in time: check that it runs and is not overloaded"
)
UNREACHABLE = "the model server {host} cannot be reached: check that it runs and OPENAI_BASE_URL"
UNTRUSTED = (
    "the model server {host} shows a certificate that is not trusted here: "
    "name the file of its authority in SSL_CERT_FILE"
)
NOT_TLS = "the model server {host} does not speak https: write http:// in OPENAI_BASE_URL"
GARBAGE = "{host} answers something else than a model server does: check OPENAI_BASE_URL"
BAD_KEY = "the model server {host} refuses the key: check OPENAI_API_KEY"
NO_ACCESS = "the model server {host} lets this key not use {model}: check INFRA_MODEL and the key"
UNKNOWN_MODEL = "the model server {host} knows no model {model}: check INFRA_MODEL"
UNKNOWN_PATH = (
    "the model server {host} has no /chat/completions there: check OPENAI_BASE_URL, "
    "which mostly ends in /v1"
)
NO_QUOTA = "the account at {host} has nothing left to spend: check its plan"
BUSY = "the model server {host} takes no more questions now (429): ask again later"
BROKEN = "the model server {host} fails ({status}): ask again later"

TROUBLES = {
    REFUSED: Trouble.REFUSED,
    TIMEOUT: Trouble.TIMEOUT,
    UNREACHABLE: Trouble.UNREACHABLE,
    UNTRUSTED: Trouble.CERTIFICATE,
    NOT_TLS: Trouble.ADDRESS,
    GARBAGE: Trouble.ADDRESS,
    BAD_KEY: Trouble.KEY,
    NO_ACCESS: Trouble.ACCESS,
    UNKNOWN_MODEL: Trouble.UNKNOWN_MODEL,
    UNKNOWN_PATH: Trouble.ADDRESS,
    NO_QUOTA: Trouble.QUOTA,
    BUSY: Trouble.BUSY,
    BROKEN: Trouble.BROKEN,
}
"""What is told of each to readers, to whom its host is nothing."""


def host(base_url: str) -> str:
    """Name a server for a person, without anything secret."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        return "of OPENAI_BASE_URL"
    return parts.netloc.rpartition("@")[2] or base_url
