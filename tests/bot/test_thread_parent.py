"""Names and values in the parent of a thread."""

from digest.grades import Importance
from digest.models import Notice, NoticeKind
from tests.bot.channels_invented import told
from tests.bot.thread_text import one, text, whole
from tests.digest.writing.glossed import claim, pull_key, told_by, use
from tests.digest.writing.invented import judged, note, pull, reading

BEFORE, AFTER = "a1" * 20, "b2" * 20


def test_commits_are_given_as_git_abbreviates_them() -> None:
    item = judged(pull(2, "Take newer clay"), Importance.MEDIUM)
    pin = note("dependency", "changed", "torch", item.item, before=BEFORE, after=AFTER)
    said = whole(one(told(reading((item,), upgrade_notes=(pin,)))))
    assert "needs torch b2b2b2b, was a1a1a1a" in said
    assert BEFORE not in said


def test_a_forced_push_names_commits_as_git_abbreviates_them() -> None:
    pushed = Notice(NoticeKind.FORCED_PUSH, "a" * 40, "b" * 40)
    parent = one(told(reading((), notices=(pushed,)))).parent
    assert "from aaaaaaa to bbbbbbb" in text(parent)


def test_a_parent_counts_the_sentences_that_no_message_tells_and_names_the_button() -> None:
    day = reading([judged(pull(n, f"Change {n}"), Importance.LOW) for n in range(1, 40)])
    claims = tuple(claim(pull_key(n), f"It holds {n}.", f"它有 {n}。") for n in range(1, 40))
    said = text(one(told_by(day, claims, use())).parent)
    assert "Show all 39" in said
