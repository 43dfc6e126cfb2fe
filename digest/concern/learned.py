"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -3.97

WEIGHTS: Mapping[str, float] = {
    "": -6.43,
    "breaks: gone": 2.01,
    "file": 1.51,
    "size": 1.29,
    "much": 1.09,
    "breaks: arguments": 0.85,
    "member: used, said": 0.80,
    "body: replaced": 0.64,
    "module": 0.38,
    "breaks: returns": 0.36,
    "member: derived, said": 0.33,
    "member: derived, unsaid": 0.27,
    "new: used, said": 0.25,
    "new: derived, said": 0.22,
    "body: named": 0.18,
    "member: used, unsaid": 0.00,
    "new: used, unsaid": -0.09,
    "new: derived, unsaid": -0.11,
    "softly": -0.20,
    "breaks: default": -0.22,
    "body: called": -0.38,
    "breaks by name: gone": -0.40,
    "breaks by name": -0.85,
}
