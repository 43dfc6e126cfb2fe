"""A busy day with what a model added to it, well and badly."""

from dataclasses import replace

from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.facts import Evidence, Fact, FactChange, FactKind, Symptom
from digest.languages import Language
from digest.models import Digest, Reading, Sentence
from tests.digest.writing import invented

MODEL = "glaze-7b"


def use(outcome: ModelOutcome = ModelOutcome.COMPLETE, **more: int) -> ModelUse:
    return replace(ModelUse(MODEL, outcome, asked=6, told=9, checker=MODEL), **more)


def told(reading: Reading, model: ModelUse, *texts: tuple[str, str]) -> Digest:
    """A digest whose paragraph is of these sentences, each about one of the first items."""
    keys = (read.item.key for read in reading.items)
    remarks = tuple(
        Remark(RemarkKind.LEAD, {Language.EN: en, Language.ZH: zh}, (key,))
        for (en, zh), key in zip(texts, keys, strict=False)
    )
    return replace(invented.written(reading), remarks=remarks, model=model)


def filled_in(text: str = "Usual names are kept.", chinese: str = "沿用通常的名称。") -> Reading:
    """A busy day: a sentence picked and translated, a symptom that only the model reads."""
    reading = invented.busy()
    first, second, *others = reading.items
    own = Sentence(text, "body", by=MODEL, chinese=chinese, translator=MODEL)
    seen = Fact(
        FactKind.BITE,
        second.item.key,
        FactChange.FIXED,
        symptom=Symptom.HANG,
        evidence=(Evidence("body", text),),
        inferred=True,
        by=MODEL,
    )
    facts = tuple(fact for fact in reading.facts if fact.item != second.item.key)
    items = (replace(first, sentence=own), second, *others)
    return replace(reading, items=items, facts=(*facts, seen))


def whole() -> Digest:
    return told(
        filled_in(),
        use(),
        ("The flag is called otherwise.", "参数改名。"),
        ("An oven no longer hangs.", "炉子不再卡死。"),
    )


def hostile() -> Digest:
    """What no check would let through: renderers must not depend on any."""
    worst = "<!channel> @everyone [x](https://evil.example) `a` <b>b</b> **c** \u202e # d | e"
    made = replace(use(), model="<!here> @everyone/[m](https://evil.example)")
    return told(filled_in(worst, worst), made, (worst, worst), (worst, worst))


DAYS = {
    "edited": whole,
    "edited-late": lambda: told(invented.busy(), use(ModelOutcome.LATE, told=0)),
    "edited-over-budget": lambda: told(invented.busy(), use(ModelOutcome.OVER_BUDGET)),
    "edited-failed": lambda: told(invented.busy(), use(ModelOutcome.FAILED, told=0, unanswered=6)),
    "edited-partly": lambda: told(filled_in(), use(ModelOutcome.PARTIAL, unanswered=2)),
}
