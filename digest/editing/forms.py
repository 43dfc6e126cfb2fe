"""How a server wants to be asked for JSON, and what to try where it refuses (pure).

Servers differ: OpenAI and newer vLLM and SGLang take a JSON schema, older ones only "some JSON
object", others nothing at all. OpenAI's reasoning models take neither `max_tokens` nor a
temperature (https://platform.openai.com/docs/guides/reasoning).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from digest.editing.failures import READ
from digest.ports import Request

TEMPERATURE = 0
"""The likeliest words: the same question should have the same answer."""


class Shape(StrEnum):
    """What the answer's form is asked for with, best first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PROMPT = "prompt"


class Limit(StrEnum):
    """The parameter that bounds an answer's length."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


@dataclass(frozen=True, slots=True)
class Form:
    """One way to ask."""

    shape: Shape = Shape.SCHEMA
    limit: Limit = Limit.MAX_TOKENS
    cold: bool = True


def after(form: Form, refusal: str) -> Form | None:
    """Give the form to try where one was refused in these words; None where there is none left."""
    words = refusal[:READ].lower()
    if form.limit is Limit.MAX_TOKENS and Limit.MAX_COMPLETION_TOKENS in words:
        return replace(form, limit=Limit.MAX_COMPLETION_TOKENS)
    if form.cold and "temperature" in words:
        return replace(form, cold=False)
    if form.shape is Shape.PROMPT:
        return None
    return replace(form, shape=Shape.OBJECT if form.shape is Shape.SCHEMA else Shape.PROMPT)


def parameters(request: Request, form: Form, model: str) -> Mapping[str, Any]:
    """Give the body of `POST /chat/completions` for a question in a form.

    https://platform.openai.com/docs/api-reference/chat/create
    """
    system = request.system
    if form.shape is not Shape.SCHEMA:
        shape = json.dumps(request.schema, separators=(",", ":"))
        system = f"{system}\n\nThe answer is one JSON object of this JSON schema:\n{shape}"
    body: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": system},
            {"role": "user", "content": request.user},
        ],
        str(form.limit): request.most_output_tokens,
    }
    if form.cold:
        body["temperature"] = TEMPERATURE
    if form.shape is Shape.SCHEMA:
        schema = {"name": request.task, "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif form.shape is Shape.OBJECT:
        body["response_format"] = {"type": "json_object"}
    return body
