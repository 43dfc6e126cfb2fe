"""One item as a message of its own, with the state of its follow-up."""

from bot.followups import FollowUp
from bot.parts import Part
from digest.models import Language


def with_state(part: Part, followup: FollowUp | None, language: Language) -> Part:
    """Give a message about one item as it is when its follow-up stands so; None clears it.

    The part may have a state already: it is replaced.
    """
    raise NotImplementedError
