"""The questions to a model: what stands in them, and its answers read in their shape (pure).

A question is a fixed text that a server can cache, then a stranger's words, cleaned of what a
person does not see, between marks. Invisible characters carry instructions past a reader's eye:
Unicode tags, bidirectional controls, zero-width and filler characters
(https://www.unicode.org/reports/tr36/, https://trojansource.codes). The marks are named by a hash
of what stands between them, so that no text can hold its own (https://arxiv.org/abs/2403.14720),
and equal questions stay equal and are paid for once.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import islice
from typing import Any, TypeAlias

from digest.edited import Trouble
from digest.errors import ModelFailed
from digest.facts import FactChange, FactKind, Subject, Symptom
from digest.phrase import Phrase
from digest.ports import Request
from digest.query.query import About
from digest.wording.phrases import SAY
from digest.writing.visible import UNSEEN

VERSION = "1"
"""Of the prompts, `prompts/TASK-VERSION.txt`; a changed prompt is another question."""
OTHERS_IN_A_TOKEN = 3.5
"""Characters of code and English in a token; tokenisers of today lie between 3 and 4.5."""

_WHOLE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
"""Chinese, Japanese, Korean: about one token a character."""

NAME_LENGTH = 16
"""Hexadecimal digits of a name, 64 bits: one who writes all that is hashed could find a text that
holds a shorter one of its own by trying, and so close the marks."""

_INVISIBLE = re.compile(
    f"[{UNSEEN}\x0b\x0c\x85"
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f"  # number signs, selectors
    "\ufe00-\ufe0f\U000110bd\U000110cd\U00013430-\U0001345f"
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff]+"  # half pairs and private use
)
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029]")
_BLANKS = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def clean(text: str) -> str:
    """Give a text with plain spaces and line ends, and nothing invisible; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    plain = _BLANKS.sub(" ", _LINE_ENDS.sub("\n", text))
    return _INVISIBLE.sub("", plain)


def one_line(text: str) -> str:
    """Give a cleaned text on one line, with single spaces."""
    return " ".join(clean(text).split())


def enclosed(text: str) -> str:
    """Put a text between its marks, each on its own line."""
    name = sha256(text.encode(errors="replace")).hexdigest()[:NAME_LENGTH]
    return f"⟦{name}⟧\n{text}\n⟦/{name}⟧"


def tokens(text: str) -> int:
    """Estimate the tokens of a text, rounded up; 0 for none."""
    whole = 0 if text.isascii() else len(_WHOLE.findall(text))
    return whole + -int(-(len(text) - whole) // OTHERS_IN_A_TOKEN)


MOST_ENTRIES = 60
"""Entries of a list that are read; more than any question asks for."""
MOST_STARTS = 1_000
"""Places where the JSON object may begin that are tried."""
_OBJECT = re.compile(r"\{\s{0,100}\"")
_DECODER = json.JSONDecoder()

Schema: TypeAlias = Mapping[str, Any]


class Unusable(ModelFailed):
    """An answer that cannot be used: declined, cut, empty, no JSON or of a wrong shape.

    It is the question's fault, not the server's, and was paid for: the tokens say what it cost
    where that is not counted yet.
    """

    def __init__(self, why: Phrase | str, input_tokens: int = 0, output_tokens: int = 0) -> None:
        super().__init__(why, Trouble.UNREADABLE)
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens


def text_of(*allowed: str) -> Schema:
    """Return the shape of a text, or of one of the words that are allowed."""
    return {"type": "string", "enum": list(allowed)} if allowed else {"type": "string"}


def list_of(each: Schema) -> Schema:
    """Return the shape of a list."""
    return {"type": "array", "items": each}


def record_of(**fields: Schema) -> Schema:
    """Return the shape of an object as strict servers take it: every field is there, no other.

    https://platform.openai.com/docs/guides/structured-outputs
    """
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read(text: str, schema: Schema) -> Mapping[str, Any]:
    """Return the object of a shape that an answer holds; raises `Unusable` where there is none.

    Servers that do not know the shape asked for answer with fences, reasoning and prose around it.
    Texts come cleaned. A field that is missing or of another shape is empty, and an entry of a list
    that is of another shape is left out, as is one without a word that it has to have; an answer of
    which no field fits is of another shape. A text in the place of a list is its one entry.
    """
    for found in _objects(text):
        fields = schema["properties"].items()
        if any(_fitted(found.get(name), shape) is not None for name, shape in fields):
            answer: Mapping[str, Any] = _fitted(found, schema)
            return answer
    raise Unusable(SAY.model_server.without_json)


def holds_json(text: str) -> bool:
    """Tell whether there is an object in an answer."""
    return any(True for _ in _objects(text))


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects that an answer holds as JSON, the last first: drafts come before it."""
    found: list[Mapping[str, Any]] = []
    at = 0
    for begun in islice(_OBJECT.finditer(text), MOST_STARTS):
        if begun.start() >= at:
            with suppress(ValueError, RecursionError):
                one, at = _DECODER.raw_decode(text, begun.start())
                found.append(one)
    yield from reversed(found)


def _fitted(value: Any, schema: Schema) -> Any:
    """Return a value in a shape, None for one of another shape."""
    match schema["type"], value:
        case "string", str() | int() if not isinstance(value, bool):
            word = clean(str(value)).strip()
            return word if word in schema.get("enum", (word,)) else None
        case "array", list() | str():
            given = value if isinstance(value, list) else [value] if value.strip() else []
            fitted = [_fitted(each, schema["items"]) for each in given[:MOST_ENTRIES]]
            there = [each for each in fitted if each is not None]
            return there if there or not given else None
        case "object", dict():
            fields = {}
            for name, shape in schema["properties"].items():
                fitted = _fitted(value.get(name), shape)
                fields[name] = _nothing(shape) if fitted is None else fitted
            return None if None in fields.values() else fields
    return None


def _nothing(shape: Schema) -> Any:
    """Return what stands for a field that is missing; None where it has to be one of its words."""
    if shape["type"] == "array":
        return []
    return "" if "" in shape.get("enum", ("",)) else None


TEXT = text_of()
TEXTS = list_of(TEXT)
FILLED = (FactKind.INTERFACE, FactKind.SUPPORT)
"""Kinds of facts that a model may fill in; the others are computed."""
_CHANGES = (
    *(FactChange.ADDED, FactChange.REMOVED, FactChange.RENAMED, FactChange.DEFAULT),
    FactChange.DEPRECATED,
)
_FACT = record_of(
    kind=text_of(*FILLED),
    change=text_of("", *_CHANGES),
    subject=text_of(
        "", *(each for each in Subject if each not in (Subject.MODULE, Subject.PROTOCOL))
    ),
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
    "pick": record_of(ids=TEXTS, mended=TEXTS),
    "stories": record_of(stories=list_of(record_of(name=TEXT, ids=TEXTS, maybe=TEXTS))),
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
                code=TEXT,
                limits=TEXT,
                missing=TEXT,
                confirmed=text_of("yes", "no"),
            )
        ),
        rewritten=list_of(record_of(number=TEXT, en=TEXT, zh=TEXT)),
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
    "pick": 1_000,
    "stories": 1_500,
    "items": 4_000,
    "lead": 2_500,
    "check": 4_000,
    "dive": 5_000,
    "query": 1_000,
    "answer": 2_000,
}
"""Tokens that an answer may take; most take a part, the rest is for models that think aloud."""


def request(task: str, about: Sequence[str], data: str) -> Request:
    """Give a question: `about` are the keys of its items, `data` what strangers wrote of them.

    It is cleaned here once more, whatever it is put together from.
    """
    system, ask = _prompt(task)
    return Request(
        task=task,
        version=VERSION,
        about=" ".join(about),
        system=system,
        user=f"{enclosed(clean(data))}\n{ask}",
        schema=SCHEMAS[task],
        most_output_tokens=OUTPUT[task],
    )


@cache
def _prompt(task: str) -> tuple[str, str]:
    text = (files("digest.editing") / "prompts" / f"{task}-{VERSION}.txt").read_text("utf-8")
    system, _, ask = text.partition("\n=====\n")
    return system.strip(), ask.strip()
