"""Weights of what a change does to a codebase, written by `python -m benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -3.95

WEIGHTS: Mapping[str, float] = {
    "": -6.33,
    "breaks: gone": 2.07,
    "size": 1.65,
    "file": 1.59,
    "member: used, said": 0.81,
    "breaks: arguments": 0.77,
    "much": 0.6,
    "new: used, said": 0.46,
    "body: replaced": 0.39,
    "breaks: returns": 0.38,
    "new: derived, said": 0.3,
    "body: named": 0.28,
    "member: derived, said": 0.26,
    "member: derived, unsaid": 0.16,
    "module": 0.11,
}
