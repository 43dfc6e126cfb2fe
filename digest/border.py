"""The border of one repository: what goes wrong inside it keeps nobody else from theirs.

Nobody foresaw an error that reaches it, so everything is caught: it is logged with its traceback,
and told as one sentence like anything else that could not be looked at.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from digest.errors import Defect, InfraError
from digest.models import Repo
from digest.wording.phrases import SAY

log = structlog.get_logger()


@contextmanager
def border_of(repo: Repo, doing: str) -> Iterator[None]:
    """Turn whatever goes wrong with one repository into `Defect`; `doing` names the work."""
    try:
        yield
    except InfraError:
        raise
    except Exception as error:
        log.error("repository failed", repo=str(repo), doing=doing, exc_info=error)
        raise Defect(SAY.chat.own_error_with(repo)) from error
