"""The way of a digest, from a repository's name to its sentences: the page to read first.

Gather, decide, act: a source collects, the reading judges, the writer says it, the store keeps it.
"""
