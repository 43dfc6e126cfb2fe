"""Which items and themes of a reading a model is asked about, the worthiest first (pure)."""

from collections.abc import Collection, Sequence

from digest.grades import Importance
from digest.models import Kind, Reading, ReadItem, Theme

MOST_CALLS = 30
"""Questions for one digest, second ones among them."""

MOST_ITEMS = 22
MOST_THEMES = 3
"""What is left of `MOST_CALLS` is for second questions about an item."""

MOST_READ = 11
"""Items where each has a second reading: eleven and three themes, twice, are 28 questions."""

MOST_RELEASES = 3
FIRST_ISSUES = 2
MOST_ISSUES = 4
MOST_OF_A_THEME = 8
FEWEST_OF_A_THEME = 2


def items(reading: Reading) -> tuple[ReadItem, ...]:
    """Give the items that a gloss is worth a question for, `MOST_ITEMS` at most.

    High changes come first, then releases, the first issues, medium changes, further issues. What
    is low, noise, taken back or told beside what it takes back has none, nor has an item of which
    nothing but the title could be shown.
    """
    told = [read for read in reading.items if read.noise is None and read.reverted_by is None]
    paired = {pair.revert.key for pair in reading.reverts}
    landed = [read for read in told if read.item.kind in (Kind.PULL_REQUEST, Kind.COMMIT)]
    releases = [read for read in told if read.item.kind is Kind.RELEASE]
    issues = [read for read in told if read.item.kind is Kind.ISSUE]
    weighty = [read for read in issues if read.importance is not Importance.LOW][:MOST_ISSUES]
    chosen = (
        *(read for read in landed if read.importance is Importance.HIGH),
        *releases[:MOST_RELEASES],
        *weighty[:FIRST_ISSUES],
        *(
            read
            for read in landed
            if read.importance is Importance.MEDIUM and read.item.key not in paired
        ),
        *weighty[FIRST_ISSUES:],
    )
    return tuple(read for read in chosen if _shows_something(read))[:MOST_ITEMS]


def themes(reading: Reading, claimed: Collection[str]) -> tuple[Theme, ...]:
    """Give the themes that a sentence is worth a question for, the largest first.

    A theme is told by its medium changes; at least two of them have to have a proven sentence,
    whose keys are `claimed`, else a sentence about all would only say their titles again.
    """
    groups: dict[str, list[str]] = {}
    for read in reading.items:
        if read.importance is Importance.MEDIUM and read.item.key in claimed:
            groups.setdefault(read.theme, []).append(read.item.key)
    groups.pop("", None)
    found = [
        Theme(name, tuple(keys[:MOST_OF_A_THEME]))
        for name, keys in groups.items()
        if len(keys) >= FEWEST_OF_A_THEME and name.removeprefix("theme.") != "other"
    ]
    return _largest(found)


def _largest(found: Sequence[Theme]) -> tuple[Theme, ...]:
    return tuple(sorted(found, key=lambda theme: -len(theme.keys))[:MOST_THEMES])


def _shows_something(read: ReadItem) -> bool:
    files = read.item.files or ()
    return bool(read.item.body.strip()) or any(file.patch for file in files)
