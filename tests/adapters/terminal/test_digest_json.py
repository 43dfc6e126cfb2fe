"""A digest as JSON keeps to the schema in `docs`."""

import json
from pathlib import Path

import jsonschema
import pytest

from adapters.terminal import digest_json
from digest.languages import Language
from digest.models import Repo, Roundup
from tests.digest.writing import invented

SCHEMA = Path(__file__).parents[3] / "docs" / "digest.schema.json"


def test_the_schema_in_the_docs_is_the_one_in_the_code() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == digest_json.schema_text()


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "day", [invented.busy, invented.quiet, invented.gap, invented.hostile, invented.one_release]
)
def test_every_digest_fulfils_the_schema(day, language: Language) -> None:
    made = json.loads(digest_json.render(invented.written(day()), language))

    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert made["schema"] == 1
    assert made["language"] == language


def test_json_holds_what_the_reading_holds() -> None:
    reading = invented.busy()
    made = json.loads(digest_json.render(invented.written(reading), Language.ZH))

    assert [item["key"] for item in made["items"]] == [read.item.key for read in reading.items]
    assert made["items"][0]["commits"] == ["a1" * 20, "b2" * 20]
    assert made["items"][3]["reverted_by"] == reading.items[4].item.key
    assert made["items"][7]["noise"] is True
    assert made["upgrade_notes"][2]["line"] is None
    assert made["window"]["start"] == "2026-03-04T00:00:00Z"
    assert "无动静" not in made["headline"]


def test_titles_in_json_are_verbatim_but_for_broken_unicode() -> None:
    title = "\u202ea\u200b\x00 \ud800"
    reading = invented.reading((invented.judged(invented.pull(1, title)),))
    made = json.loads(digest_json.render(invented.written(reading), Language.EN))

    assert made["items"][0]["title"] == "\u202ea\u200b\x00 \ufffd"


def test_a_roundup_says_what_could_not_be_looked_at() -> None:
    roundup = Roundup(
        invented.DAY, (invented.written(invented.quiet()),), ((Repo("o", "r"), "no network"),)
    )
    made = json.loads(digest_json.render_roundup(roundup, Language.EN))

    assert made["failed"] == [{"repo": "o/r", "why": "no network"}]
    assert made["digests"][0]["headline"] == "Quiet: no commits, no issues, no releases."
