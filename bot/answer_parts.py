"""The answer to a command, as parts that every platform can draw."""

from bot.parts import Part
from bot.replies import Reply


def answer_parts(reply: Reply, *, asked: str = "") -> tuple[Part, ...]:
    """Give the answer to a command.

    `asked` is the command as typed: the value of the Share button, which is left out without it.
    """
    raise NotImplementedError
