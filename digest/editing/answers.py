"""What a model was asked and answered: as it is kept, and as it is told to whoever asks (pure)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from digest.editing.questions import Unusable, read
from digest.facts import Fact, Story
from digest.ports import Request

LONGEST_SHOWN = 600
"""Characters of an answer that are shown."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One question with its answer, cost and time (UTC).

    `unusable` says why nothing could be made of an answer that was cut, empty or declined; its
    text is then empty.
    """

    request: Request
    model: str
    text: str
    input_tokens: int
    output_tokens: int
    asked_at: datetime
    unusable: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a model about an item, alone or with others, with its cost.

    `task` and `version` name the prompt. `answer` is what was answered about this item as it came;
    what of it stands is told where it belongs, with its origin. `unread` says why the answer could
    not be read. What was answered about several repositories together is not told: who hears of
    one may not hear of the others.
    """

    task: str
    version: str
    model: str
    asked_at: datetime
    input_tokens: int
    output_tokens: int
    answer: str = ""
    unread: str = ""
    items: int = 1


@dataclass(frozen=True, slots=True)
class OfModel:
    """What is a model's about one item.

    Its questions, oldest first, the facts that it filled in, and the stories that it joined the
    item to or let others join.
    """

    questions: tuple[Question, ...] = ()
    facts: tuple[Fact, ...] = ()
    stories: tuple[Story, ...] = ()


def question_about(key: str, stored: StoredAnswer) -> Question:
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
    return Question(
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
