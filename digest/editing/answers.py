"""What a model answered about one item, as it is told to whoever asks (pure)."""

import json
from collections.abc import Mapping
from typing import Any

from digest.editing.questions import Unusable, read
from digest.model_answers import ModelQuestion, StoredAnswer

LONGEST_SHOWN = 600
"""Characters of an answer that are shown."""


def question_about(key: str, stored: StoredAnswer) -> ModelQuestion:
    """Return what was asked and answered of one item, by its key, among those of a question."""
    about = stored.request.about.split()
    answered, unread = "", stored.unusable
    repos = {each.partition(":")[0] for each in about}
    if not unread and len(repos) == 1:
        try:
            answer = read(stored.text, stored.request.schema)
            answered = _about_item(f"i{about.index(key) + 1}", answer, len(about))
        except Unusable as error:
            unread = str(error)
    return ModelQuestion(
        task=stored.request.task,
        version=stored.request.version,
        model=stored.model,
        asked_at=stored.asked_at,
        input_tokens=stored.input_tokens,
        output_tokens=stored.output_tokens,
        answer=answered,
        unread=unread,
        items=len(about),
    )


def _about_item(name: str, answer: Mapping[str, Any], items: int) -> str:
    """Return what of an answer is about one item: all of it where it is alone."""
    entries = [entry for group in answer.values() for entry in group]
    found = [
        {key: value for key, value in each.items() if value} if isinstance(each, dict) else each
        for each in entries
        if items == 1
        or each == name
        or (isinstance(each, dict) and name in (each.get("id"), *each.get("ids", ())))
    ]
    return json.dumps(found, ensure_ascii=False)[:LONGEST_SHOWN] if found else ""
