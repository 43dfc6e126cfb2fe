"""Invented days with facts and stories: what rules know of a busy repository at their best."""

from dataclasses import replace
from typing import Any

from digest.facts import Evidence, Fact, FactChange, FactKind, Story, Subject, Symptom
from digest.grades import Importance, Noise, Purpose, Reason
from digest.models import Item, Reading, Sentence
from tests.digest.writing.invented import judged, pull, reading

HIGH, MEDIUM, LOW = Importance.HIGH, Importance.MEDIUM, Importance.LOW


def bite(item: Item, symptom: Symptom, *who: str, **more: Any) -> Fact:
    return Fact(FactKind.BITE, item.key, FactChange.FIXED, symptom=symptom, who=tuple(who), **more)


def interface(item: Item, change: FactChange, subject: Subject, name: str, **more: Any) -> Fact:
    fields: dict[str, Any] = {"must_act": change is not FactChange.ADDED}
    fields["evidence"] = (Evidence("diff", "", "kiln/cli.py", 12, "+"),)
    return Fact(FactKind.INTERFACE, item.key, change, subject, name, **(fields | more))


def support(item: Item, subject: Subject, name: str, **more: Any) -> Fact:
    return Fact(FactKind.SUPPORT, item.key, FactChange.ADDED, subject, name, **more)


GRAPHS = pull(501, "[Bugfix] fix ring acc error in graph mode", author="hana")
SPLIT = pull(502, "[Split][Ember-3] Fix heterogeneous scatter: sub-block slice", author="yam")
YARN = pull(503, "Fix Ember3 accuracy issue by aligning scaling", author="eli")
SHELF = pull(504, "Fix a crash of the shelf server when two doors open", author="sky")
GATE = pull(505, "Fix gate stride for 4D layouts", author="sky")
FEATURES = pull(506, "feat: unify the transport of glaze features", author="mick")
CLAY = pull(507, "Require clay 2.0", author="mick")
KNOBS = pull(508, "feat: let two ovens share their heat", author="karv")
EMBER = pull(509, "Add Ember-4", author="karv")
STATE = tuple(
    pull(520 + n, title, author="fyz", additions=40, deletions=3)
    for n, title in enumerate(
        (
            "[Refactor] Introduce the req.heat container",
            "[Refactor] Move heat_committed_len into req.heat",
            "[Refactor] Let the door backend allocate req.heat",
        )
    )
)
PIPES = tuple(pull(530 + n, f"[CI] Retry pipe {n}") for n in range(2))
TIDY = pull(540, "Tidy the shelf of moulds")
TYPO = pull(541, "Fix typo in docs")

FACTS = (
    bite(GRAPHS, Symptom.WRONG_OUTPUT, "AMD ring", conditions=("graphs on",)),
    bite(SPLIT, Symptom.WRONG_OUTPUT, "Ember-3", conditions=("TP differs",)),
    bite(YARN, Symptom.WRONG_OUTPUT, before='"avg"', after='"sum"'),
    bite(SHELF, Symptom.CRASH, "shelf server"),
    bite(GATE, Symptom.HANG),
    interface(
        FEATURES, FactChange.DEPRECATED, Subject.FLAG, "--keep-on-plate", after="--transport=ring"
    ),
    interface(FEATURES, FactChange.ADDED, Subject.FLAG, "--transport", after="cpu | ring"),
    interface(FEATURES, FactChange.DEFAULT, Subject.FLAG, "--heat", before="0.9", after="0.92"),
    Fact(
        FactKind.REQUIREMENT,
        CLAY.key,
        FactChange.RAISED,
        Subject.DEPENDENCY,
        "clay",
        before=">=1.0",
        after=">=2.0",
        must_act=True,
    ),
    interface(KNOBS, FactChange.ADDED, Subject.FLAG, "--share-max", after="8"),
    interface(KNOBS, FactChange.ADDED, Subject.FLAG, "--enable-share", after="False"),
    support(EMBER, Subject.MODEL, "Ember-4"),
)

STORIES = (
    Story(
        "series:req.heat",
        "Own heat state moves into req.heat",
        tuple(item.key for item in STATE),
        part=(6, 7),
        of=7,
        authors=("fyz",),
        since="2026-03-01",
        reasons=("series",),
    ),
    Story("tracker:9", "Steadier pipes", tuple(item.key for item in PIPES)),
)


def workshop() -> Reading:
    """A busy day: wrong outputs, a deprecation, a new requirement, a series that ends."""
    reads = (
        judged(
            GRAPHS,
            HIGH,
            reasons=(Reason("harm", 26),),
            sentence=Sentence("Graph replays no longer read stale colours.", "body"),
        ),
        judged(SPLIT, HIGH),
        judged(FEATURES, HIGH, purpose=Purpose.FEATURE),
        judged(YARN, MEDIUM),
        judged(SHELF, MEDIUM),
        judged(GATE, MEDIUM),
        judged(CLAY, MEDIUM, purpose=Purpose.CHORE),
        judged(EMBER, MEDIUM, purpose=Purpose.FEATURE),
        judged(KNOBS, MEDIUM, purpose=Purpose.FEATURE),
        *(judged(item, MEDIUM, purpose=Purpose.REFACTOR) for item in STATE),
        *(judged(item, LOW, noise=Noise.CI) for item in PIPES),
        judged(TIDY, LOW, purpose=Purpose.REFACTOR),
        judged(TYPO, LOW, noise=Noise.DOCS),
    )
    return reading(
        reads,
        facts=FACTS,
        stories=STORIES,
        front=(GRAPHS.key, SPLIT.key, FEATURES.key),
    )


def bitten(count: int) -> Reading:
    """A day on which many fixes could have concerned somebody."""
    items = [pull(n, f"Fix oven {n}") for n in range(1, count + 1)]
    symptoms = (Symptom.CRASH, Symptom.HANG)
    facts = tuple(
        bite(item, symptoms[place % 2], f"oven {place}") for place, item in enumerate(items)
    )
    return replace(reading([judged(item, MEDIUM) for item in items]), facts=facts)
