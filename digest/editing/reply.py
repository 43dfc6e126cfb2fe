"""What a model answered, read with patience for form and none for content (pure).

Servers that do not know the shape asked for answer with fences, reasoning and prose around it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias

from digest.editing.failures import Unusable
from digest.editing.fence import clean

LONGEST_ANSWER = 200_000
"""Characters of an answer that is read at all; a whole deep dive takes about 10,000."""
MOST_ENTRIES = 60
"""Entries of a list that are read; more than any question asks for."""
MOST_STARTS = 48
"""Places where the JSON object may begin that are tried, within the thoughts and after them."""

_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_OBJECT = re.compile(r"\{\s{0,100}\"")
_DECODER = json.JSONDecoder()
_THINKING = re.compile(r"\s{0,100}<think(?:ing)?>", re.IGNORECASE)

Schema: TypeAlias = Mapping[str, Any]


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


def read(text: str, schema: Schema) -> tuple[Mapping[str, Any], int]:
    """Give the object of a shape that an answer holds, and how many fields fell; `Unusable`.

    Texts come cleaned. A field that is missing is empty, and so is one of another shape, which
    falls; an answer of which no field fits is of another shape. An entry of a list that is of
    another shape is left out, and a list has another where none of its entries fits; within an
    entry it is empty then. A text in the place of a list is its one entry; a word that is not
    allowed is none, where none is allowed.
    """
    if len(text) > LONGEST_ANSWER:
        raise Unusable("the model's answer is far longer than was asked for")
    reply = text[_end_of_thoughts(text) :]
    if _THINKING.match(reply):
        raise Unusable("the model thought and did not answer")
    if not reply.strip():
        raise Unusable("the model's answer is empty")
    for found in _objects(text):
        if isinstance(found, dict) and any(name in found for name in schema["properties"]):
            with suppress(ValueError):
                return _fields(found, schema)
    if "{" not in reply:
        raise Unusable("the model's answer is no JSON")
    whole = reply.rstrip().removesuffix("```").rstrip().endswith("}")
    why = "has another shape than was asked for" if whole else "is cut"
    raise Unusable(f"the model's answer {why}")


def holds_json(text: str) -> bool:
    """Tell whether there is an object in an answer."""
    return any(isinstance(found, dict) for found in _objects(text))


def _end_of_thoughts(text: str) -> int:
    return max((found.end() for found in _THOUGHT.finditer(text)), default=0)


def _objects(text: str) -> Iterator[Any]:
    """Give what an answer holds as JSON: what is whole before what stands within it.

    What ends within the thoughts is a draft. An answer may quote the mark at which they end, as
    changes of servers for models do: it begins before that mark, then, and ends after it. Where
    nobody is seen to begin to think, what stands before the mark comes last.
    """
    end = _end_of_thoughts(text)
    drafts: list[Any] = []
    drafted = 0
    before = (found.start() for found in _OBJECT.finditer(text, 0, end))
    after = (found.start() for found in _OBJECT.finditer(text, end))
    for at in (*islice(before, MOST_STARTS), *islice(after, MOST_STARTS)):
        with suppress(ValueError, RecursionError):
            found, ends = _DECODER.raw_decode(text, at)
            if ends > end:
                yield found
            elif ends > drafted:
                drafts, drafted = [*drafts, found], ends
    if not _THINKING.match(text):
        yield from reversed(drafts)


def _fields(found: Mapping[str, Any], schema: Schema) -> tuple[Mapping[str, Any], int]:
    """Give the fields that an answer has, empty where they are of another shape."""
    shapes = schema["properties"]
    fields = {name: _nothing(shape) for name, shape in shapes.items()}
    given = [name for name in shapes if name in found]
    fell = 0
    for name in given:
        try:
            fields[name] = _fitted(found[name], shapes[name])
        except ValueError:
            fell += 1
    if fell == len(given):
        raise ValueError("object")
    return fields, fell


def _nothing(shape: Schema) -> Any:
    return [] if shape["type"] == "array" else ""


def _fitted(value: Any, schema: Schema) -> Any:
    """Give a value in a shape; raises `ValueError` for one of another shape."""
    match schema["type"]:
        case "string":
            is_text = isinstance(value, str | int) and not isinstance(value, bool)
            word = clean(str(value)).strip() if is_text else ""
            allowed = schema.get("enum", (word, ""))
            if word in allowed or "" in allowed:
                return word if word in allowed else ""
        case "array" if isinstance(value, list | str):
            given = value if isinstance(value, list) else [value] if value.strip() else []
            fitted = []
            for each in given[:MOST_ENTRIES]:
                with suppress(ValueError):
                    fitted.append(_fitted(each, schema["items"]))
            if fitted or not given:
                return fitted
        case "object" if isinstance(value, dict):
            return {
                name: _within(value.get(name, _nothing(shape)), shape)
                for name, shape in schema["properties"].items()
            }
    raise ValueError(schema["type"])


def _within(value: Any, schema: Schema) -> Any:
    """Give a field of an entry: a list of another shape costs no other field of it."""
    try:
        return _fitted(value, schema)
    except ValueError:
        if schema["type"] == "array":
            return []
        raise
