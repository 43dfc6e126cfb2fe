"""What a process has asked of its model since it began, as plain numbers for its metrics."""

from dataclasses import dataclass


@dataclass(slots=True)
class Counting:
    """Questions by what came of them, and the tokens that they cost; these only grow.

    `kept` were answered before and cost nothing; `failed` cost something where an answer came that
    could not be used; `over_budget` were not asked. `seconds` is the
    time spent waiting for the server, also for what failed.
    """

    answered: int = 0
    kept: int = 0
    failed: int = 0
    over_budget: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
