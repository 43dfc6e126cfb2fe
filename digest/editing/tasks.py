"""The questions: a fixed text that a server can cache, then the data between marks (pure)."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from digest.editing.fence import enclosed
from digest.editing.reply import Schema, list_of, record_of, text_of
from digest.facts import FactChange, FactKind, Subject, Symptom
from digest.ports import Request
from digest.query.query import About

VERSION = "1"
"""Of the prompts, `prompts/TASK-VERSION.txt`; a changed prompt is another question."""

TEXT = text_of()
TEXTS = list_of(TEXT)
FILLED = (FactKind.INTERFACE, FactKind.REQUIREMENT, FactKind.SUPPORT, FactKind.SPEED)
"""Kinds of facts that a model may fill in; moves, reverts and releases are computed."""
_CHANGES = (
    *(FactChange.ADDED, FactChange.REMOVED, FactChange.RENAMED, FactChange.DEFAULT),
    *(FactChange.CHANGED, FactChange.RAISED, FactChange.LOWERED, FactChange.DEPRECATED),
)
_FACT = record_of(
    kind=text_of(*FILLED),
    change=text_of("", *_CHANGES),
    subject=text_of("", *(each for each in Subject if each is not Subject.MODULE)),
    name=TEXT,
    before=TEXT,
    after=TEXT,
    who=TEXTS,
    conditions=TEXTS,
    place=TEXT,
    quote=TEXT,
)
_FORM = record_of(
    id=TEXT,
    sentence=TEXT,
    zh=TEXT,
    saw=text_of("", *(each for each in Symptom if each is not Symptom.BROKEN)),
    sure=text_of("", "high", "likely", "guess"),
    who=TEXTS,
    conditions=TEXTS,
    facts=list_of(_FACT),
)
_SENTENCES = record_of(sentences=list_of(record_of(ids=TEXTS, en=TEXT, zh=TEXT)))
SCHEMAS: dict[str, Schema] = {
    "pick": record_of(ids=TEXTS, stories=list_of(record_of(name=TEXT, ids=TEXTS))),
    "items": record_of(items=list_of(_FORM)),
    "lead": _SENTENCES,
    "query": record_of(
        repos=TEXTS, first=TEXT, last=TEXT, kinds=list_of(text_of(*About)), names=TEXTS
    ),
    "answer": _SENTENCES,
    "check": record_of(
        checks=list_of(
            record_of(
                number=TEXT,
                claim=TEXT,
                words=TEXT,
                limits=TEXT,
                missing=TEXT,
                confirmed=text_of("yes", "no"),
            )
        )
    ),
    "dive": record_of(
        remarks=list_of(
            record_of(
                kind=text_of("insight", "risk", "missing"), quote=TEXT, place=TEXT, en=TEXT, zh=TEXT
            )
        )
    ),
}
OUTPUT = {
    "pick": 1_500,
    "items": 4_000,
    "lead": 2_500,
    "check": 2_500,
    "dive": 5_000,
    "query": 1_000,
    "answer": 2_000,
}
"""Tokens that an answer may take; most take a part, the rest is for models that think aloud."""


def request(task: str, about: Sequence[str], data: str) -> Request:
    """Give a question: `about` are the keys of its items, `data` what strangers wrote of them."""
    system, ask = _prompt(task)
    return Request(
        task=task,
        version=VERSION,
        about=" ".join(about),
        system=system,
        user=f"{enclosed(data)}\n{ask}",
        schema=SCHEMAS[task],
        most_output_tokens=OUTPUT[task],
    )


@cache
def _prompt(task: str) -> tuple[str, str]:
    text = (files("digest.editing") / "prompts" / f"{task}-{VERSION}.txt").read_text("utf-8")
    system, _, ask = text.partition("\n=====\n")
    return system.strip(), ask.strip()
