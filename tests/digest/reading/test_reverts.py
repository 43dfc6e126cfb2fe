from collections.abc import Callable
from typing import Any

import pytest

from digest.facts import Fact, FactChange, FactKind
from digest.reading.reverts import (
    Unknown,
    is_revert,
    originals,
    pair,
    reason,
    relands,
    revert_facts,
    unknown_originals,
    without_taken_back,
)

Make = Callable[..., Any]


@pytest.mark.parametrize(
    "body",
    [
        "Reverts example/engine#7",
        "Reverts #7\n\nWrong sums.",
        "This reverts commit abcdef1.",
        "Revert the regression introduced in\n[https://github.com/example/engine/pull/7].",
        "This reverts commit abcdef1. It mends what was introduced in #6.",
    ],
)
def test_a_revert_is_paired_by_what_its_body_names(pull: Make, body: str) -> None:
    cause = pull(6, "Tidy", hour=0.5)
    original = pull(7, "Fuse", hour=1, commits=("abcdef1234",))
    revert = pull(8, "Revert the fusion", hour=5.5, body=body)
    (found,) = pair([revert, original, cause], [])
    assert found.original == original
    assert found.original_ref == "#7"
    assert found.seconds == 4.5 * 3600


def test_a_revert_is_paired_by_all_digits_that_its_body_names(pull: Make) -> None:
    twin = pull(6, "Tidy", hour=0.5, commits=("abcdef1999",))
    original = pull(7, "Fuse", hour=1, commits=("abcdef1234",))
    revert = pull(8, "Revert the fusion", hour=2, body="This reverts commit abcdef1234.")
    assert pair([twin, original, revert], [])[0].original == original


def test_a_later_revert_of_todays_change_is_told(pull: Make) -> None:
    original = pull(7, "Fuse", hour=1)
    later = pull(20, 'Revert "Fuse" (#7)', hour=30)
    (found,) = pair([original], [later])
    assert (found.revert, found.original, found.seconds) == (later, original, 29 * 3600)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ('Revert "Handle issues #41 and #42" (#7)', ""),
        ('Revert "Handle issues #41 and #42" (#7)', "Reverts example-org/turbine#7"),
        ("Revert the fusion of #41, #42", "This reverts commit abcdef1234."),
        ('Revert "Fuse" (#7), #8', ""),
    ],
)
def test_numbers_of_what_is_taken_back_are_no_reverts_of_their_own(
    pull: Make, title: str, body: str
) -> None:
    original = pull(7, "Handle issues #41 and #42", hour=1, commits=("abcdef1234",))
    if "Fuse" in title:
        original = pull(7, "Fuse", hour=1)
    (found,) = pair([original, pull(8, title, hour=2, body=body)], [])
    assert found.original == original


@pytest.mark.parametrize(
    "title",
    [
        "Revert #6 and #7",
        "[Misc] Revert the fused norm #6, #7 (#8)",
        "Revert early reservation (#6, #7) (#8)",
        'Revert "Tidy (#6)" and "Fuse (#7)"',
        "[CI] Revert PRs 06 and 07",
        'Revert "Add a timeout" (#6 and #7)',
        "Revert PR #6, and PR #7 due to #5 and #4",
    ],
)
def test_a_revert_of_several_is_paired_with_each(pull: Make, title: str) -> None:
    first = pull(6, "Tidy", hour=1)
    second = pull(7, "Fuse", hour=2)
    cause = pull(5, "Wrong sums", hour=0.5)
    revert = pull(8, title, hour=3)
    found = pair([first, second, cause, revert], [])
    assert [(one.original, one.seconds) for one in found] == [(first, 7200), (second, 3600)]
    assert [one.name for one in revert_facts(found)] == ["#6", "#7"]
    assert unknown_originals([revert, first]).numbers == (7,)
    assert originals([revert], [first, second, cause]) == (first, second)


@pytest.mark.parametrize(
    "title",
    ['Revert "Fuse (#7)" to fix #5 and #6', "Revert #7 that follows #5 and #6"],
)
def test_numbers_behind_what_is_taken_back_are_not_taken_back(pull: Make, title: str) -> None:
    others = [pull(5, "Tidy", hour=0.5), pull(6, "Sort", hour=0.7)]
    original, revert = pull(7, "Fuse", hour=1), pull(8, title, hour=3)
    (found,) = pair([*others, original, revert], [])
    assert found.original == original


@pytest.mark.parametrize(
    "quoted",
    [
        "[AMD] Stop a crash (regression from #7)",
        "Follow-up to #7",
        "Stop a hang (closes #7)",
        "Follow up #7: tidy",
        "Warm plates for #7",
        "Plates by #7",
        "Plates since #7",
        "Fix #7 of the norm",
    ],
)
def test_what_a_quoted_title_speaks_of_is_not_taken_back(pull: Make, quoted: str) -> None:
    spoken_of, original = pull(7, "Fuse", hour=1), pull(9, quoted, hour=2)
    revert = pull(10, f'Revert "{quoted}" (#10)', hour=3)
    (found,) = pair([spoken_of, original, revert], [])
    assert found.original == original
    (alone,) = pair([spoken_of, revert], [])
    assert (alone.original, alone.original_ref) == (None, quoted)
    assert unknown_originals([spoken_of, revert]).titles == (quoted,)


@pytest.mark.parametrize(
    "title",
    [
        "Revert back to equal over close from #7",
        "[Bugfix] Revert the warm part of change in #7",
        "revert the width of plates from PR 77",
        "Revert parts of #7",
    ],
)
def test_a_piece_or_a_state_that_is_taken_back_is_no_change(pull: Make, title: str) -> None:
    left = [pull(7, "Compare loosely", hour=1), pull(77, "Widen plates", hour=1)]
    assert pair([*left, pull(8, title, hour=2)], []) == ()


@pytest.mark.parametrize(
    "title",
    [
        "Revert changes from #7",
        "Revert all of it from PR #7",
        "Revert commits from #7",
        "Revert everything from #7",
        "Revert bump of foo from 1.2 to 1.3 (#7)",
        "Revert torch upgrade from 2.9 to 2.10 #7 (#50)",
        "Revert the default of --heat from 4 to 2 (#7) (#50)",
        "Revert [Perf] Make part of prefill async (#7) (#50)",
        "Revert 'Make part of prefill async' (#7) (#50)",
        "Revert 「Load parts of weights lazily (#7)」",
    ],
)
def test_all_that_came_with_a_change_is_that_change(pull: Make, title: str) -> None:
    left = pull(7, "Compare loosely", hour=1)
    (found,) = pair([left, pull(8, title, hour=2)], [])
    assert found.original == left


def test_numbers_in_a_title_that_is_quoted_are_no_list_of_changes(pull: Make) -> None:
    original = pull(9, "Merge PRs 12 and 34", hour=1)
    other, revert = pull(12, "Fuse", hour=0.5), pull(50, 'Revert "Merge PRs 12 and 34"', hour=2)
    (found,) = pair([original, other, revert], [])
    assert found.original == original


def test_a_count_of_others_is_no_number_of_a_change(pull: Make) -> None:
    first, second, tenth = (pull(n, f"Fuse {n}", hour=1) for n in (12, 34, 10))
    revert = pull(50, "Revert PRs 12 and 34 and 10 others", hour=2)
    found = pair([first, second, tenth, revert], [])
    assert tenth not in [one.original for one in found]


@pytest.mark.parametrize("dots", ["…", "..."])
def test_a_number_that_was_cut_is_none(pull: Make, dots: str) -> None:
    title = "[Oven] Skip warm plates when there is one rack"
    original, cause = pull(3084, f"{title} (#3084)", hour=1), pull(308, "Fuse", hour=0.5)
    (found,) = pair([original, cause, pull(8, f'Revert "{title} (#308{dots} (#8)', hour=2)], [])
    assert found.original == original


@pytest.mark.parametrize(
    ("title", "body", "ref"),
    [
        ('Revert "Old thing" (#3)', "", "#3"),
        ('Revert "Old thing"', "This reverts commit abcdef1234567.", "abcdef1"),
        ('Revert "Old thing"', "", "Old thing"),
        ("[Core] Revert #3", "", "#3"),
    ],
)
def test_an_older_change_is_named_as_the_revert_names_it(
    pull: Make, title: str, body: str, ref: str
) -> None:
    (found,) = pair([pull(8, title, body=body)], [])
    assert (found.original, found.original_ref, found.seconds) == (None, ref, None)


def test_what_comes_back_is_no_revert_but_belongs_to_it(pull: Make) -> None:
    original = pull(7, "Fuse the norm", hour=1)
    again = pull(9, "Reland: fuse the norm", hour=9)
    twice = pull(10, 'Revert "Revert "Fuse the norm""', hour=10)
    assert not is_revert(again)
    assert not is_revert(twice)
    assert relands([original, again])[again.key] == (original.key,)


def test_who_says_to_land_again_and_names_what_took_it_back_brings_that_again(pull: Make) -> None:
    original, back = pull(7, "Fuse the norm", hour=1), pull(8, 'Revert "Fuse the norm"', hour=3)
    body = "This relands the fused norm (reverted in #8) with other fixes."
    again = pull(9, "Norm of ovens + merge of the branch", hour=9, body=body)
    silent = pull(10, "Norm of ovens", hour=9, body="Broken since #8.")
    assert relands([original, back, again, silent]) == {again.key: (original.key,)}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (
            "[BugFix] Revert heat profiling (#7) to fix a hang of the door (#8)",
            "to fix a hang of the door",
        ),
        ('Revert "Fuse the norm to fix a hang"', ""),
        ('Revert "Fuse the norm" due to wrong sums', "due to wrong sums"),
        ("Revert the groups to one machine", ""),
    ],
)
def test_why_a_change_was_taken_back_is_the_end_of_the_title(
    pull: Make, title: str, expected: str
) -> None:
    assert reason(pull(8, title)) == expected


def test_what_has_the_title_of_what_was_taken_back_brings_it_again(pull: Make) -> None:
    original = pull(7, "[Bugfix] Fuse the norm", hour=1)
    back = pull(8, 'Revert "[Bugfix] Fuse the norm"', hour=3)
    early, again = pull(6, "Fuse the norm", hour=2), pull(9, "[Perf] Fuse the norm", hour=9)
    assert relands([original, early, back, again]) == {again.key: (original.key,)}
    assert relands([original, early, again]) == {}


def test_what_names_no_change_takes_none_back(pull: Make) -> None:
    loose = pull(9, "[CI] Revert test groups from eight machines to one")
    assert is_revert(loose)
    assert pair([loose], []) == ()
    quoted = pull(10, 'Revert "Use eight machines"')
    assert [one.original_ref for one in pair([quoted], [])] == ["Use eight machines"]


def test_reverts_name_what_is_not_there(commit: Make, pull: Make, issue: Make) -> None:
    items = [
        pull(7, "Fuse"),
        pull(8, 'Revert "Fuse" (#7)'),
        pull(9, 'Revert "Old" (#3)'),
        commit("a9", 'Revert "Old" (#3) (#9)', pull_request=9),
        commit("b1", 'Revert "Older"', body="This reverts commit ABCDEF1234567."),
        issue(3, "Old"),
        pull(10, "Speed up what reverts #4"),
    ]
    assert unknown_originals(items) == Unknown((3,), ("abcdef1234567",))
    assert not unknown_originals(items[:2])


def test_of_older_changes_those_are_given_that_are_taken_back(commit: Make, pull: Make) -> None:
    old = [
        commit("c1", "Fuse (#3)", hour=-30),
        pull(4, "Else", hour=-20),
        pull(5, "By title", hour=-10),
    ]
    items = [pull(8, "Revert #3"), pull(9, 'Revert "By title"'), pull(7), pull(10, "Revert #7")]
    assert [one.ref for one in originals(items, old)] == ["#3", "#5"]


@pytest.mark.parametrize(
    "title",
    [
        'Revert "Split the KV range of the decode kernel on Hop…"',
        'Revert "Split the KV range of the decode kernel…',
        "revert: Split the KV range of the decode kernel on Hopper GPUs",
        "[Revert] Split the KV range of the decode kernel on Hopper GPUs",
        "Revert PR 4122",
        "Revert #4122",
    ],
)
def test_a_revert_is_paired_however_it_names_what_it_takes_back(pull: Make, title: str) -> None:
    original = pull(4122, "Split the KV range of the decode kernel on Hopper GPUs", hour=1)
    revert = pull(4200, title, hour=3)
    (found,) = pair([original, revert], [])
    assert found.original == original
    assert found.seconds == 7200
    (fact,) = revert_facts([found])
    assert (fact.name, fact.before, fact.seconds) == ("#4122", original.title, 7200)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ('Revert "Split the KV range of decode"', "Reverts #4100"),
        ('Revert "Split the KV range of decode (#4100)" (#4200)', ""),
        ("Revert PR 4100: Split the KV range of decode", ""),
    ],
)
def test_a_number_that_is_taken_back_is_no_other_change_of_the_same_title(
    pull: Make, title: str, body: str
) -> None:
    namesake = pull(4122, "Split the KV range of decode", hour=2)
    revert = pull(4200, title, hour=3, body=body)
    meant = pull(4100, "Split the KV range of decode", hour=1)

    (unknown,) = pair([namesake, revert], [])
    (found,) = pair([namesake, revert], [], [meant])

    assert (unknown.original, unknown.original_ref) == (None, "#4100")
    assert found.original == meant
    assert unknown_originals([namesake, revert]).numbers == (4100,)


def test_a_cut_title_that_two_changes_begin_with_pairs_with_neither(pull: Make) -> None:
    items = [
        pull(1, "Split the KV range of prefill", hour=1),
        pull(2, "Split the KV range of decode", hour=2),
        pull(3, 'Revert "Split the KV range of…"', hour=3),
    ]
    assert pair(items, [])[0].original is None


def test_what_lands_again_by_some_words_of_what_was_taken_back_brings_that_again(
    pull: Make,
) -> None:
    original = pull(7, "[oven] quant: update Kiln2 CI checkpoints", hour=1)
    back = pull(8, 'Revert "[codex] update Kiln2 CI checkpoints"', hour=3)
    again, other, short = (
        pull(number, f"[codex] Reland {words}", hour=9)
        for number, words in ((9, "Kiln2 CI checkpoints"), (10, "Kiln3 CI checkpoints"), (11, "CI"))
    )
    assert relands([original, back, again, other, short]) == {again.key: (original.key,)}
    assert relands([original, again]) == {}


@pytest.mark.parametrize(
    ("tag", "left"), [("v1.0", 1), ("nightly-20260304", 0), ("v1.0rc1", 0), ("", 0)]
)
def test_what_came_and_went_before_a_final_release_is_no_upgrade_note(
    pull: Make, release: Make, tag: str, left: int
) -> None:
    first, back = pull(1, "Add --heat", hour=1), pull(2, 'Revert "Add --heat" (#1)', hour=3)
    between = [release(tag, hour=2)] if tag else []
    flag = Fact(FactKind.INTERFACE, item=first.key, change=FactChange.ADDED, name="--heat")
    items = [first, back, *between]
    assert len(without_taken_back([flag], pair(items, [], []), items)) == left
