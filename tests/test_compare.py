"""The blind comparison: two sides of one reading, and nothing on the page that tells which."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import compare
from digest.claims import Claim, ClaimKind, ModelOutcome, ModelUse
from digest.languages import Language
from digest.models import Digest, Origin
from tests.digest.writing import invented

DEMO = Path(__file__).parent.parent / "adapters" / "terminal" / "demo" / "activity.json"


def glossed() -> Digest:
    digest = invented.written(invented.busy())
    text = {Language.EN: "The switch is called otherwise.", Language.ZH: "旧参数已移除。"}
    claim = Claim(ClaimKind.WHAT, "gone", "body", text, (digest.reading.items[0].item.key,))
    use = ModelUse("some-model", ModelOutcome.COMPLETE, asked=1, claims=1)
    return replace(digest, claims=(claim,), model=use, origin=Origin.MODEL)


def test_both_sides_tell_the_same_reading_and_one_has_the_models_words() -> None:
    pair = compare.paired(glossed(), 1)
    assert sorted(pair.kinds) == [compare.MODEL, compare.RULES]
    told = dict(zip(pair.kinds, pair.sides, strict=True))
    assert told[compare.MODEL] == glossed()
    assert (told[compare.RULES].claims, told[compare.RULES].model) == ((), None)
    assert told[compare.RULES].reading == glossed().reading


def test_the_seed_decides_the_order_and_the_same_seed_the_same_one() -> None:
    orders = {compare.paired(glossed(), seed).kinds for seed in range(20)}
    assert len(orders) == 2
    assert compare.paired(glossed(), 7).kinds == compare.paired(glossed(), 7).kinds


@pytest.mark.parametrize("draw", [compare.as_html, compare.as_markdown])
def test_nothing_on_the_page_tells_which_side_is_which(draw: object) -> None:
    page = draw([compare.paired(glossed(), 1)], Language.EN)  # type: ignore[operator]  # both draw
    assert page.count("The switch is called otherwise") == 1
    assert not re.search(r"some-model|No AI|\bAI\b|rules|model\b", page)
    assert page.index("1A") < page.index("1B")


def test_a_page_names_no_place_twice() -> None:
    ids = re.findall(r' id="([^"]+)"', compare.as_html([compare.paired(glossed(), 1)], Language.EN))
    assert ids
    assert len(ids) == len(set(ids))


def test_the_key_stands_apart() -> None:
    pair = compare.paired(glossed(), 3)
    key = json.loads(compare.key_of([pair], 3))
    assert key["seed"] == 3
    assert [key["sides"][side]["is"] for side in ("1A", "1B")] == list(pair.kinds)


def test_without_a_model_there_is_nothing_to_compare(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INFRA_MODEL", raising=False)
    words = ["2026-03-04", "--no-store", "--source", f"recorded:{DEMO}", "--out", "x.html"]
    assert compare.main(words) == 1
    assert "left out: no model, or nothing proven" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()
