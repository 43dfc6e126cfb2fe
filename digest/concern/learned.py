"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -4.00

WEIGHTS: Mapping[str, float] = {
    "": -6.43,
    "breaks: gone": 1.72,
    "file": 1.54,
    "much": 1.25,
    "breaks: arguments": 1.16,
    "size": 1.07,
    "reached": 1.03,
    "moved": 0.88,
    "body: replaced": 0.68,
    "member: used, said": 0.63,
    "breaks: returns": 0.63,
    "member: derived, unsaid": 0.39,
    "gone at all": 0.39,
    "breaks: default": 0.35,
    "new: used, said": 0.34,
    "member: derived, said": 0.28,
    "module": 0.24,
    "new: derived, said": 0.17,
    "body: named": 0.06,
    "new: used, unsaid": -0.06,
    "member: used, unsaid": -0.13,
    "breaks by name: gone": -0.15,
    "signature at all": -0.16,
    "new: derived, unsaid": -0.24,
    "body: called": -0.28,
    "softly": -0.32,
    "breaks by name": -0.40,
}
