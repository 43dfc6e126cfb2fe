"""What `--format json` prints keeps the names that docs/commands.md tells scripts."""

import json
from datetime import UTC, datetime

from adapters.terminal.reply_json import render
from bot.model.replies import WhyReply
from digest.editing.answers import OfModel, Question
from digest.grades import Importance
from digest.languages import Language
from tests.digest.writing.invented import judged, pull


def test_what_a_model_answered_is_told_as_said() -> None:
    asked = Question(
        task="facts",
        version="3",
        model="m",
        asked_at=datetime(2026, 2, 12, tzinfo=UTC),
        input_tokens=7,
        output_tokens=5,
        answer='[{"id": "i1"}]',
    )
    read = judged(pull(2, "Take newer clay"), Importance.MEDIUM)

    (told,) = json.loads(render(WhyReply(read, Language.EN, OfModel(questions=(asked,)))))[
        "questions"
    ]

    assert (told["task"], told["version"], told["model"]) == ("facts", "3", "m")
    assert (told["said"], told["unread"]) == ('[{"id": "i1"}]', "")
    assert "answer" not in told
