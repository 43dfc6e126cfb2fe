"""Invented changes with everything that an analysis can tell."""

from dataclasses import replace
from datetime import timedelta

from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.grades import Importance, Purpose, Reason
from digest.languages import Language
from digest.models import AnalysedDay, Change, FileChange, Reach, Revert
from tests.digest.writing.invented import DAY, busy, issue, judged, note, pull, written

BODY = """## Motivation

Doors were opened **by hand**, which let the heat out.

## What changes

A motor opens the door. Latency falls from 12 ms to 8 ms on one oven.

This closes a path traversal in the recipe loader.
The old flag still works and warns until 1.6.
Gas ovens are not yet supported here.
You must rebuild the extension first.

- [ ] paint the door
- [ ] I have run the tests

## Test plan

Ran it for a night.

```
pytest tests/door -q
```

## Results

| rows | by hand | motor |
|---:|---:|---:|
| 1 | 9.1 | 5.2 |
| 512 | 41.0 | 27.3 |

<!-- This is an auto-generated comment: release notes -->
A machine says that this is wonderful.
<!-- end of auto-generated comment: release notes -->
"""

PATCH = """@@ -10,4 +10,6 @@ def doors():
 kept = 1
-    parser.add_argument("--hand")
+    parser.add_argument("--motor")
+    # TODO: lock it while hot
+    turn("```")
 end = 1
@@ -90,2 +92,3 @@ def lights():
 one = 1
+two = 2
"""


def change() -> Change:
    """A change with every section, without a model."""
    item = pull(
        7,
        "Open the door by a motor",
        body=BODY,
        additions=120,
        deletions=3,
        merged_by="kit",
        files=(
            FileChange("kiln/door.py", "modified", 4, 1, patch=PATCH),
            FileChange("include/kiln/door.h", "modified", 1, 1, patch="@@ -1 +1 @@\n-a\n+b\n"),
            FileChange("tests/test_door.py", "added", 90, 0, patch="@@ -0,0 +1 @@\n+test()\n"),
            FileChange("benchmarks/bench_door.py", "added", 25, 0),
            FileChange("docs/door.png", "added", 0, 0),
        ),
    )
    flag = note("flag", "renamed", "--motor", item, before="--hand", after="--motor")
    moved = note("module", "renamed", "kiln.door", item, before="kiln.gate", after="kiln.door")
    pin = note("dependency", "changed", "clay", item, before="1.0", after="2.0")
    back = pull(8, 'Revert "Open the door by a motor"', at=DAY.start + timedelta(hours=5))
    reasons = (Reason("feat", 36), Reason("setting_gone", 36))
    read = judged(item, Importance.HIGH, purpose=Purpose.FEATURE, reasons=reasons)
    return Change(
        read, (flag, moved, pin), (issue(90, "Heat leaves"),), (Revert(back, item, "#7", 60),)
    )


def reviewed() -> Change:
    """The same with a model's remarks, one of them in one language alone."""
    both = {Language.EN: "Gas ovens keep their handle.", Language.ZH: "燃气炉仍用把手。"}
    key = (change().read.item.key,)
    remarks = (
        Remark(RemarkKind.INSIGHT, both, key, "Gas ovens are not yet supported here."),
        Remark(
            RemarkKind.RISK,
            {Language.EN: "A script with `--hand` stops."},
            key,
            'parser.add_argument("--hand")',
            "kiln/door.py",
            11,
        ),
        Remark(RemarkKind.MISSING, both, key),
    )
    use = ModelUse("some-model", ModelOutcome.COMPLETE, 2, told=3, dropped=1, checker="other")
    return replace(change(), remarks=remarks, model=use, reach=Reach(2, 4, 5, 9))


def day() -> AnalysedDay:
    """A busy day; one of its high changes could not be looked at whole."""
    digest = written(busy())
    first, second, *_ = digest.reading.items
    patch = "@@ -1 +1 @@\n-heat\n+temperature\n"
    files = (FileChange("kiln/cli.py", "modified", 1, 1, patch=patch),)
    notes = tuple(n for n in digest.reading.upgrade_notes if first.item.key in n.cites)
    whole = replace(first, item=replace(first.item, files=files, body="## Why\nUsual names.\n"))
    assert second.importance is Importance.HIGH
    failed = ((second.item.key, "the server does not answer: try again later"),)
    return AnalysedDay(digest, (Change(whole, notes),), failed)
