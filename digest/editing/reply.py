"""What a model answered, read with patience for form and none for content (pure).

Servers that do not know the shape asked for answer with fences, reasoning and prose around it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from digest.edited import Trouble
from digest.editing.fence import clean
from digest.errors import ModelFailed

LONGEST_ANSWER = 200_000
"""Characters of an answer that is read at all; a whole deep dive takes about 10,000."""
MOST_ENTRIES = 60
"""Entries of a list that are read; more than any question asks for."""
MOST_STARTS = 64
"""Places in prose where the JSON object may begin that are tried."""

_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINKING = re.compile(r"\s{0,100}<think(?:ing)?>", re.IGNORECASE)

Schema: TypeAlias = Mapping[str, Any]
_UNFIT = object()


class BadReply(ModelFailed):
    """An answer that cannot be read: no JSON, cut JSON, a wrong shape, a refusal.

    It is the question's fault, not the server's.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why, trouble=Trouble.UNREADABLE)


def text_of(*allowed: str) -> Schema:
    """Give the shape of a text, or of one of the words that are allowed."""
    return {"type": "string", "enum": list(allowed)} if allowed else {"type": "string"}


def list_of(each: Schema) -> Schema:
    """Give the shape of a list."""
    return {"type": "array", "items": each}


def record_of(**fields: Schema) -> Schema:
    """Give the shape of an object as strict servers take it: every field is there, no other.

    https://platform.openai.com/docs/guides/structured-outputs
    """
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read(text: str, schema: Schema) -> Mapping[str, Any]:
    """Give the object of a shape that an answer holds; raises `BadReply`.

    Texts come cleaned. A field that is missing is empty, an entry of a list that is of another
    shape is left out; where a list has entries and none fits, the answer is of another shape.
    """
    if len(text) > LONGEST_ANSWER:
        raise BadReply("the model's answer is far longer than was asked for")
    said = _THOUGHT.split(text)[-1]
    if _THINKING.match(said):
        raise BadReply("the model thought and did not answer")
    if not said.strip():
        raise BadReply("the model's answer is empty")
    for found in _objects(said):
        if isinstance(found, dict) and any(name in found for name in schema["properties"]):
            fitted = _fitted(found, schema)
            if fitted is not _UNFIT:
                return dict(fitted)
    if "{" not in said:
        raise BadReply("the model's answer is no JSON")
    whole = said.rstrip().removesuffix("```").rstrip().endswith("}")
    why = "has another shape than was asked for" if whole else "is cut"
    raise BadReply(f"the model's answer {why}")


def holds_json(text: str) -> bool:
    """Tell whether there is an object in an answer."""
    return any(isinstance(found, dict) for found in _objects(_THOUGHT.split(text)[-1]))


def _objects(said: str) -> Iterator[Any]:
    """What an answer holds as JSON: the whole of it, else objects in its prose, last one first."""
    whole = said.strip()
    try:
        yield json.loads(whole)
    except (ValueError, RecursionError):
        yield from reversed(list(_within_prose(whole)))


def _within_prose(said: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    at = said.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield found
        at = said.find("{", end)


def _fitted(value: Any, schema: Schema) -> Any:
    kind = schema["type"]
    if kind == "string":
        if not isinstance(value, str | int) or isinstance(value, bool):
            return _UNFIT
        said = clean(str(value)).strip()
        return said if said in schema.get("enum", (said,)) else _UNFIT
    if kind == "array":
        if not isinstance(value, list):
            return _UNFIT
        fitted = [_fitted(each, schema["items"]) for each in value[:MOST_ENTRIES]]
        told = [each for each in fitted if each is not _UNFIT]
        return told if told or not value else _UNFIT
    if not isinstance(value, dict):
        return _UNFIT
    found: dict[str, Any] = {}
    for name, shape in schema["properties"].items():
        fitted = _fitted(value.get(name, [] if shape["type"] == "array" else ""), shape)
        if fitted is _UNFIT:
            return _UNFIT
        found[name] = fitted
    return found
