"""A digest as JSON keeps to the schema in the docs, and all else to the names told there."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import jsonschema
import pytest

from adapters.terminal.digest_json import digest_json, roundup_json, schema
from adapters.terminal.documents import reply_json
from adapters.terminal.output import as_json
from bot.model.replies import QueryReply, WhyReply
from digest.facts import Evidence, Fact, FactChange, FactKind, Story, Subject
from digest.grades import Importance
from digest.languages import Language
from digest.model_answers import ModelQuestion, OfModel
from digest.models import Repo, Roundup, Sentence
from digest.query.query import Found, Query, Unstored
from tests.digest.writing import fact_days, invented
from tests.digest.writing.invented import judged, pull, written

SCHEMA = Path(__file__).parents[3] / "docs" / "digest.schema.json"


def test_the_schema_in_the_docs_is_the_one_in_the_code() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == as_json(schema())


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "day", [invented.busy, invented.quiet, invented.gap, invented.hostile, invented.one_release]
)
def test_every_digest_fulfils_the_schema(day, language: Language) -> None:
    made = digest_json(invented.written(day()), language)

    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert made["schema"] == 2
    assert made["language"] == language


def test_json_holds_facts_with_their_evidence_stories_and_the_front_page() -> None:
    item = invented.pull(1, "Fix wrong output")
    fact = Fact(
        kind=FactKind.INTERFACE,
        item=item.key,
        change=FactChange.DEFAULT,
        subject=Subject.FLAG,
        name="--limit",
        before="1",
        after="2",
        evidence=(Evidence("diff", "limit = 2", "a.py", 3, "+"), Evidence("title", item.title)),
        must_act=True,
    )
    read = invented.judged(item)
    own = replace(read, sentence=Sentence("It was wrong.", "body"))
    story = Story("tracker:9", "Limits", (item.key,), since="2026-03-01", by="m")
    reading = replace(invented.reading((own,)), facts=(fact,), stories=(story,), front=(item.key,))
    made = digest_json(invented.written(reading), Language.EN)

    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert made["front"] == made["lead"]["cites"] == [item.key]
    (told,) = made["facts"]
    assert (told["what"], told["change"], told["must_act"]) == ("default", "changed", True)
    assert (told["before"], told["after"]) == ("1", "2")
    assert told["evidence"][0]["path"] == "a.py"
    assert told["evidence"][1]["title"] == item.title
    assert made["items"][0]["story"] == made["stories"][0]["key"] == "tracker:9"
    assert made["stories"][0]["by"] == "m"
    assert made["items"][0]["sentence"] == {
        "text": "It was wrong.",
        "from": "body",
        "by": "rules",
        "chinese": "",
        "translator": "",
    }


def test_a_roundup_says_what_could_not_be_looked_at() -> None:
    roundup = Roundup(
        invented.DAY, (invented.written(invented.quiet()),), ((Repo("o", "r"), "no network"),)
    )
    made = roundup_json(roundup, Language.EN)

    assert made["failed"] == [{"repo": "o/r", "why": "no network"}]
    assert made["digests"][0]["headline"] == "Quiet: no commits, no issues, no releases."


def test_the_lead_is_the_line_that_the_page_begins_with_and_cites_its_items() -> None:
    day = fact_days.workshop()
    assert "Mostly" not in digest_json(written(day), Language.EN)["lead"]["text"]

    few = tuple(read for read in day.items if read.item.ref >= "#520")
    lead = digest_json(written(replace(day, items=few)), Language.EN)["lead"]
    assert lead["text"].startswith("Mostly · Own heat state moves into req.heat")
    assert [key.rsplit(":", 1)[1] for key in lead["cites"]] == ["520", "521", "522"]


def test_what_a_model_answered_is_told_as_said() -> None:
    asked = ModelQuestion(
        task="facts",
        version="3",
        model="m",
        asked_at=datetime(2026, 2, 12, tzinfo=UTC),
        input_tokens=7,
        output_tokens=5,
        answer='[{"id": "i1"}]',
    )
    read = judged(pull(2, "Take newer clay"), Importance.MEDIUM)

    (told,) = reply_json(WhyReply(read, Language.EN, OfModel(questions=(asked,))))["questions"]

    assert (told["task"], told["version"], told["model"]) == ("facts", "3", "m")
    assert (told["said"], told["unread"]) == ('[{"id": "i1"}]', "")
    assert "answer" not in told


def test_an_answer_as_json_says_which_days_are_stored_without_what() -> None:
    day = invented.DAY.start.date()
    query = Query("oven?", (invented.REPO,), invented.DAY)
    lacking = Unstored(invented.REPO, (), (day,), ("issues",))
    made = reply_json(QueryReply(Found(query, (), unstored=(lacking,)), Language.EN))
    assert made["unstored"] == [
        {
            "repo": str(invented.REPO),
            "days": [],
            "without": ["issues"],
            "incomplete": [day.isoformat()],
        }
    ]
