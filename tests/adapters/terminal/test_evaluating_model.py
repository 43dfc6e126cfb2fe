"""A model is measured as a second reader: what it lets stand of true and false statements."""

import json
from pathlib import Path

import pytest

from adapters.terminal.evaluate import evaluate_model
from benchmarks.small_model import serving_model
from digest.errors import UsageError

EVIDENCE = {
    "key": "example-org/kiln:pull_request:1",
    "title": "Heat the hall by a motor",
    "body": ["The motor heats the hall."],
    "hunks": [],
    "facts": [],
}


async def test_true_and_false_statements_are_counted_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "model").mkdir()
    statements = [
        {"question": "q", "label": label, "en": en, "zh": zh}
        for label, en, zh in (
            ("true", "The motor heats the hall.", "大厅由电机供暖，效果良好。"),
            ("false", "The Dynamo-9 heats the hall.", "大厅由 Dynamo-9 供暖。"),
        )
    ]
    told = {"statements": statements, "questions": {"q": {"evidence": EVIDENCE}}}
    (tmp_path / "model" / "statements.json").write_text(json.dumps(told), "utf-8")
    monkeypatch.chdir(tmp_path)
    async with serving_model() as server:
        monkeypatch.setenv("INFRA_MODEL", "small")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert await evaluate_model(tmp_path) == 0

    # A server that is not there has measured nothing.
    assert await evaluate_model(tmp_path) == 1
    rows = [line for line in capsys.readouterr().out.splitlines() if " of " in line]
    assert rows[0] == "| by names, figures and claims, in a language | 1 of 1 | 0 of 1 |"
    assert rows[2] == "| and confirmed | 1 of 1 | 0 of 1 |"


async def test_labels_without_statements_are_told_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"statements\.json"):
        await evaluate_model(tmp_path)
