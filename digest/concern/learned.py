"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -4.00

WEIGHTS: Mapping[str, float] = {
    "": -6.41,
    "breaks: gone": 1.92,
    "file": 1.52,
    "size": 1.09,
    "breaks: arguments": 1.06,
    "much": 1.04,
    "moved": 0.95,
    "member: used, said": 0.78,
    "body: replaced": 0.69,
    "breaks: returns": 0.40,
    "new: used, said": 0.34,
    "member: derived, said": 0.32,
    "module": 0.32,
    "member: derived, unsaid": 0.28,
    "new: derived, said": 0.20,
    "body: named": 0.19,
    "member: used, unsaid": 0.01,
    "new: used, unsaid": -0.02,
    "breaks: default": -0.09,
    "new: derived, unsaid": -0.23,
    "softly": -0.28,
    "body: called": -0.38,
    "breaks by name": -0.40,
    "breaks by name: gone": -0.41,
}
