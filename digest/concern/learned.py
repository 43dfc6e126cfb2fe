"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -3.97

WEIGHTS: Mapping[str, float] = {
    "": -6.42,
    "breaks: gone": 1.93,
    "file": 1.51,
    "much": 1.27,
    "size": 1.09,
    "breaks: arguments": 1.09,
    "reached": 1.03,
    "moved": 0.92,
    "body: replaced": 0.65,
    "member: used, said": 0.64,
    "breaks: returns": 0.58,
    "member: derived, said": 0.35,
    "member: derived, unsaid": 0.34,
    "new: used, said": 0.32,
    "breaks: default": 0.31,
    "module": 0.28,
    "new: derived, said": 0.16,
    "body: named": 0.05,
    "member: used, unsaid": -0.04,
    "new: used, unsaid": -0.08,
    "softly": -0.17,
    "breaks by name: gone": -0.23,
    "new: derived, unsaid": -0.25,
    "body: called": -0.27,
    "breaks by name": -0.47,
}
