"""Weights of what a change does to a codebase, written by `benchmarks.concern`."""

from collections.abc import Mapping

CONCERNS_FROM = -3.98

WEIGHTS: Mapping[str, float] = {
    "": -6.42,
    "breaks: gone": 1.94,
    "file": 1.51,
    "much": 1.28,
    "breaks: arguments": 1.08,
    "size": 1.08,
    "reached": 1.03,
    "moved": 0.92,
    "body: replaced": 0.67,
    "member: used, said": 0.64,
    "breaks: returns": 0.45,
    "member: derived, unsaid": 0.35,
    "new: used, said": 0.31,
    "breaks: default": 0.30,
    "member: derived, said": 0.30,
    "module": 0.27,
    "new: derived, said": 0.18,
    "body: named": 0.10,
    "member: used, unsaid": -0.04,
    "new: used, unsaid": -0.08,
    "softly": -0.15,
    "breaks by name: gone": -0.23,
    "new: derived, unsaid": -0.24,
    "body: called": -0.29,
    "breaks by name": -0.46,
}
