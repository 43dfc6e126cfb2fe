"""Interfaces compared before and after: what a change means for users of the software.

`wanted` names the whole files to ask a source for; `facts` compares them and makes facts of what
differs; `window` takes what several changes did by its two ends, and compares two versions.
"""
