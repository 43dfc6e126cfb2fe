"""The shapes of a model's answers, as strict servers take them (pure).

Strict mode wants every field required and no other allowed
(https://platform.openai.com/docs/guides/structured-outputs). A quote comes before the sentence that
it proves, because a model writes in the order of the schema.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from digest.claims import ClaimKind

Schema: TypeAlias = Mapping[str, object]

GLOSS_KINDS = (ClaimKind.WHAT, ClaimKind.WHY, ClaimKind.IMPACT, ClaimKind.ACTION)

_STRING = {"type": "string"}


def claims_schema(kinds: Sequence[ClaimKind]) -> Schema:
    """Give the shape of claims about one item, of these kinds."""
    fields: dict[str, object] = {
        "kind": {"type": "string", "enum": [str(kind) for kind in kinds]},
        "quote": _STRING,
        "quote_from": _STRING,
        "text_en": _STRING,
        "text_zh": _STRING,
    }
    return _claims(fields)


def theme_schema() -> Schema:
    """Give the shape of a sentence about several items."""
    fields: dict[str, object] = {
        "cites": {"type": "array", "items": _STRING},
        "quote": _STRING,
        "text_en": _STRING,
        "text_zh": _STRING,
    }
    return _claims(fields)


def reading_schema() -> Schema:
    """Give the shape of what a second reading says of numbered sentences."""
    stated = {"type": "string", "enum": ["yes", "no", "contradicted"]}
    return _claims({"number": {"type": "integer"}, "words": _STRING, "stated": stated})


def _claims(fields: dict[str, object]) -> Schema:
    return _object({"claims": {"type": "array", "items": _object(fields)}})


def _object(fields: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
