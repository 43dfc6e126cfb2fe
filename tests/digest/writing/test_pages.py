"""What each page tells."""

import re
from dataclasses import replace

import pytest

from adapters.pages import html
from adapters.terminal import markdown, text
from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.facts import Evidence, Fact, FactChange, FactKind, Subject, Symptom
from digest.grades import Importance, Reason
from digest.languages import Language
from digest.model_answers import OfModel
from digest.models import Change, FileChange, Gap, Repo, Revert, Roundup, Sentence
from digest.phrase import Phrase
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES
from digest.writing.change_page import change_page, why_page
from digest.writing.digest_page import digest_page
from digest.writing.remarks import in_a_notification
from digest.writing.roundup_page import busiest_first, roundup_page
from tests.digest.writing import invented
from tests.digest.writing.fact_days import (
    STORIES,
    TIDY,
    bite,
    bitten,
    interface,
    support,
    workshop,
)
from tests.digest.writing.invented import issue, judged, note, pull, reading, release, written

EN, ZH = Language.EN, Language.ZH


def drawn(read, language: Language = EN, **form: bool) -> str:
    return markdown.render(digest_page(written(read), language, **form))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("full", [True, False])
def test_every_item_and_every_commit_is_linked(language: Language, full: bool) -> None:
    days = (invented.busy(), invented.many(), invented.hostile(), workshop(), bitten(30))
    for day in days:
        page = drawn(day, language, full=full)
        for read in day.items:
            assert f"]({read.item.url})" in page
            if len(read.item.commits) > 1:
                assert all(f"/commit/{sha})" in page for sha in read.item.commits)


def test_an_open_issue_with_a_linked_change_is_not_told_as_fixed() -> None:
    fix = judged(pull(5, "Close the door"), Importance.MEDIUM, fixes=(90,))
    page = drawn(reading((fix, judged(issue(90, "Door is open"), Importance.HIGH))))

    assert re.search(r"Door is open \[#90\]\S+ · open · linked change: \[#5\]", page)
    assert "fixed" not in page


def test_a_sentence_that_holds_a_measured_speed_is_told_once_and_without_its_marks() -> None:
    text = "**Baking** falls from 12 ms to 8 ms on one oven."
    fast = judged(pull(5, "Bake in one pass"), Importance.HIGH)
    speed = Fact(
        FactKind.SPEED,
        fast.item.key,
        FactChange.CHANGED,
        name="8 ms",
        quote=text,
        evidence=(Evidence("body", text),),
    )
    for sentence in (Sentence(text, "body"), None):
        day = reading((replace(fast, sentence=sentence),))
        page = drawn(replace(day, facts=(speed,), front=(fast.item.key,)))
        assert page.count("Baking falls from 12 ms") == 1
        assert page.count("12 ms") == 1


def test_a_gap_stands_before_everything_else() -> None:
    lines = drawn(invented.gap()).splitlines()

    assert lines[2] == "> ⚠ Could not look at commits: GitHub answered 502 three times."
    assert lines[4] == ("> ⚠ The default branch was force-pushed, from a1b2c3d to d4e5f6a.")


def test_a_reason_is_said_once_behind_all_that_could_not_be_looked_at_for_it() -> None:
    why = "no network"
    missed = (
        Gap("issues", Phrase.as_written(why)),
        Gap("pull_requests", SAY.unread.some(18, Phrase.as_written(why))),
        Gap("patches", SAY.unread.patches(1022, Phrase.as_written(why))),
        Gap("releases", Phrase.as_written("it is gone")),
    )
    day = replace(invented.busy(), gaps=missed)

    assert [line for line in drawn(day).splitlines() if "⚠" in line] == [
        "> ⚠ Could not look at issues, pull requests (18), patches (1,022 changes): no network.",
        "> ⚠ Could not look at releases: it is gone.",
    ]
    assert "未能查看 Issue、PR（18）、补丁（1,022 项变更）：no network。" in drawn(day, ZH)


def test_the_brief_form_is_a_few_lines_each_with_its_link() -> None:
    hit, asks, adds = pull(1, "Fix the oven"), pull(2, "Drop the flag"), pull(3, "Add Ember-4")
    many = tuple(judged(pull(n, f"Fix shelf {n}"), Importance.MEDIUM) for n in range(10, 60))
    facts = (
        bite(hit, Symptom.CRASH, "AMD ring"),
        interface(asks, FactChange.REMOVED, Subject.FLAG, "--heat"),
        interface(asks, FactChange.DEFAULT, Subject.FLAG, "--door", before="1", after="2"),
        support(adds, Subject.MODEL, "Ember-4"),
    )
    reads = tuple(judged(each, Importance.MEDIUM) for each in (hit, asks, adds))
    page = drawn(replace(reading((*reads, *many)), facts=facts), brief=True)

    lines = [line for line in page.splitlines() if line]
    assert [line.partition(" [#")[0] for line in lines[1:]] == [
        "53 changes.",
        "- crash · AMD ring · Fix the oven",
        "- Before you upgrade: flag `--heat` removed; default of `--door`: 1 → 2",
        "- New: model Ember-4",
    ]
    assert all(f"]({each.url})" in page for each in (hit, asks, adds))


def test_of_a_day_that_is_not_over_the_brief_form_says_so() -> None:
    day = invented.busy()
    begun = replace(day, window=replace(day.window, partial=True))
    said = "The window was not over when this was collected."
    assert (said in drawn(begun, brief=True), said in drawn(day, brief=True)) == (True, False)


def test_a_day_of_plain_changes_has_its_front_page_once() -> None:
    day = reading(tuple(judged(pull(n, f"Plain {n}"), Importance.MEDIUM) for n in (1, 2, 3)))

    assert drawn(day).count("[#2]") == 1


def test_a_high_change_that_was_reverted_says_so_at_its_own_place() -> None:
    gone, back = pull(1, "Gone"), pull(2, "Back")
    for later in (True, False):
        day = reading(
            (judged(gone, Importance.HIGH, reverted_by=back.key),),
            reverts=(Revert(back, gone, "#1", 60),) if later else (),
        )
        page = drawn(day)
        assert "~~Gone~~" in page
        assert ("reverted by [#2]" if later else "reverted by #2") in page


def test_a_medium_change_reverted_outside_the_pairs_is_struck() -> None:
    gone = pull(1, "Gone")
    day = reading((judged(gone, Importance.MEDIUM, reverted_by=f"{invented.REPO}:commit:abc"),))

    assert "- ~~Gone~~ [#1](https://github.com/example-org/kiln/pull/1), reverted by abc" in (
        drawn(day)
    )


def test_files_that_were_not_read_are_not_told_as_none() -> None:
    unread = judged(pull(1, "Big", files=None, additions=0, deletions=0), Importance.HIGH)

    assert "files not read" in drawn(reading((unread,)), full=True)


def test_repositories_that_failed_alike_are_told_in_one_line() -> None:
    failed = tuple(
        (Repo("o", name), why)
        for name, why in (("a", "no network"), ("b", "it is gone"), ("c", "no network"))
    )
    page = markdown.render(roundup_page(Roundup(invented.DAY, (), failed), EN))
    assert [line for line in page.split("\n") if "Could not look" in line] == [
        "> ⚠ Could not look at **o/a**, **o/c**: no network.",
        "> ⚠ Could not look at **o/b**: it is gone.",
    ]


def test_a_roundup_tells_the_busiest_first_and_the_quiet_ones_in_one_line() -> None:
    other, third = Repo("example-org", "wheel"), Repo("example-org", "shelf")
    digests = (
        written(reading(repo=other)),
        written(reading(repo=third)),
        written(invented.none_above()),
        written(invented.busy()),
        written(invented.gap()),
    )
    roundup = Roundup(invented.DAY, busiest_first(digests), ((Repo("o", "r"), "no network"),))
    page = markdown.render(roundup_page(roundup, EN))

    assert "> ⚠ Could not look at **o/r**: no network." in page
    assert "> ⚠ **example-org/kiln**: Could not look at commits: " in page
    assert "Quiet (no commits, no issues, no releases): example-org/wheel, example-org/shelf." in (
        page
    )
    assert page.index("10 changes") < page.index("1 change, of low importance")
    assert "无动静" in markdown.render(roundup_page(roundup, ZH))


def test_a_change_is_told_whole_with_its_real_hunks() -> None:
    patch = "@@ -1,2 +1,2 @@\n-heat = 1\n+temperature = 1\n ```\n"
    item = pull(
        1,
        "Rename heat",
        merged_by="kit",
        milestone="1.5",
        labels=("breaking",),
        comments=2,
        commits=("a1" * 20, "b2" * 20),
        detail_missing=("body",),
        files=(
            FileChange("kiln/oven/heat.py", "renamed", 1, 1, patch, "kiln/oven/old.py"),
            FileChange("logo.png", "added", 0, 0),
            FileChange("kiln/__init__.py", "added", 0, 0),
            FileChange("kiln/heat.so", "added", 0, 0),
        ),
    )
    back, closed = pull(2, "Back"), issue(90, "Heat is unclear")
    change = Change(
        judged(item, Importance.HIGH, fixes=(90, 91), quote="Nobody knew what heat meant."),
        (note("flag", "renamed", "--t", item, before="--h", after="--t"),),
        (closed, back),
        (Revert(back, item, "#1", 3600),),
    )
    page = markdown.render(change_page(change, EN))

    assert f"````diff\n{patch.rstrip()}\n````" in page
    assert "| `kiln/oven/heat.py` | renamed, was `kiln/oven/old.py` | +1 −1 |" in page
    assert "**`kiln/oven`** · +1 −1 in 1 file" in page
    assert "The lines of `kiln/heat.so` were not read: what changes in them" in page
    assert "> ⚠ Not read: the description." in page
    assert "closes [#90](https://github.com/example-org/kiln/issues/90) #91" in page
    assert "2 commits: `a1a1a1a` `b2b2b2b`" in page
    assert "reverted by [#2]" in page
    assert "merged by kit" in page
    assert "- flag `--h` is now `--t` · `kiln/cli.py`:12" in page
    assert '<span class="removed">-heat = 1</span><span class="added">' in html.render(
        change_page(change, ZH)
    )
    assert "+temperature = 1" in text.render(change_page(change, ZH), colour=True)


def test_a_pure_rename_is_told_as_one_and_not_as_unread() -> None:
    item = pull(
        1,
        "Move",
        files=(
            FileChange("kiln/new.py", "renamed", 0, 0, None, "kiln/old.py"),
            FileChange("kiln/lost.py", "renamed", 0, 0),
        ),
    )
    page = markdown.render(change_page(Change(judged(item), ()), EN))

    assert "Renamed, content unchanged: `kiln/new.py` (was `kiln/old.py`), `kiln/lost.py`." in page
    assert "were not read" not in page


def test_a_roundup_tells_what_repositories_need_of_each_other_once() -> None:
    vllm, flash = Repo("vllm-project", "vllm"), Repo("flashinfer-ai", "flashinfer")
    bump, pin = (replace(pull(n, "Pin"), repo=vllm) for n in (7, 8))
    made = replace(release("v0.6.3", ""), repo=flash)
    needs = note(
        "dependency", "changed", "flashinfer-python", bump, before="==0.6.2", after="==0.6.3"
    )
    cubin = replace(needs, name="flashinfer-cubin")
    sha = note("dependency", "changed", "vllm-flash-attn", pin, after="a1" * 20)
    gone = note("dependency", "removed", "flashinfer-cubin", pin, before="==0.6.2")
    digests = (
        written(
            reading(
                (judged(bump, Importance.MEDIUM), judged(pin, Importance.MEDIUM)),
                repo=vllm,
                upgrade_notes=(needs, needs, cubin, sha, gone),
            )
        ),
        written(reading((judged(made, Importance.MEDIUM),), repo=flash)),
    )
    page = markdown.render(roundup_page(Roundup(invented.DAY, digests, ()), EN))
    url = "https://github.com/example-org/kiln"

    assert page.count("vllm now needs `flashinfer-python`") == 1
    assert (
        f"- vllm now needs `flashinfer-python`, `flashinfer-cubin` `==0.6.3` [#7]({url}/pull/7) · "
        f"released [v0.6.3]({url}/releases/tag/v0.6.3)"
    ) in page
    assert "- vllm now needs `vllm-flash-attn` `a1a1a1a` [#8]" in page
    assert "- vllm no longer lists `flashinfer-cubin` [#8]" in page


def test_a_roundup_tells_a_repository_that_was_not_seen_as_one_that_failed() -> None:
    page = markdown.render(
        roundup_page(Roundup(invented.DAY, (written(invented.unseen()),), ()), EN)
    )

    assert (
        "> ⚠ Could not look at **example-org/kiln**: no requests are left until 07:30 UTC." in page
    )
    assert "Quiet" not in page


def test_an_issue_is_told_with_its_own_words() -> None:
    page = markdown.render(
        change_page(Change(judged(issue(90, "Hot", body="It burns.\n\nOften.")), ()), EN)
    )

    assert "robin\n\n```text\nIt burns.\n\nOften.\n```" in page
    assert "## Files" not in page


def test_why_gives_every_reason_with_its_points() -> None:
    reasons = (Reason("fix", 36), Reason("harm", 26), Reason("logs_only", -4))
    page = markdown.render(
        why_page(judged(pull(1, "Fix it"), Importance.HIGH, reasons=reasons), EN)
    )

    assert "Score 76 of 100: high." in page
    assert "| fix | +36 |\n| serious failure | +26 |\n| about logs and debugging | -4 |" in page
    assert "| " not in markdown.render(why_page(judged(pull(1, "Fix it")), ZH))


def test_why_gives_no_points_to_a_reason_that_has_none() -> None:
    picked = judged(pull(1, "Fix it"), reasons=(Reason("picked", 0),))
    assert "| picked by the model | – |" in markdown.render(why_page(picked, EN))


def test_a_story_that_a_model_joined_says_so_and_one_of_rules_does_not() -> None:
    mine, others = STORIES
    own = replace(mine, by="glaze-7b")
    for language, marked in ((EN, "joined by glaze-7b"), (ZH, "由 glaze-7b 归类")):
        page = markdown.render(
            digest_page(written(replace(workshop(), stories=(own, others))), language)
        )
        assert page.count(marked) == 1
        assert marked not in markdown.render(digest_page(written(workshop()), language))


@pytest.mark.parametrize("front", [(), (TIDY.key,)])
@pytest.mark.parametrize("language", list(Language))
def test_a_change_that_goes_on_with_earlier_days_by_itself_says_so_in_its_line(
    language: Language, front: tuple[str, ...]
) -> None:
    lone = replace(STORIES[0], items=(TIDY.key,), earlier=("a", "b"), part=(3,), since="2026-02-25")
    day = replace(workshop(), stories=(lone,), front=front)
    (line,) = [
        each for each in drawn(day, language, full=True).split("\n\n") if "2026-02-25" in each
    ]
    assert TIDY.ref in line
    told = CATALOGUES[language].stories
    assert told.earlier(2) in line
    assert "3" in line
    assert "2026-02-25" not in drawn(replace(day, stories=(replace(lone, earlier=()),)), language)
    # Of parts 1 to 6 two were seen: the first of these is no beginning.
    late = drawn(replace(day, stories=(replace(lone, part=(7,)),)), language, full=True)
    assert told.earlier(2) in late
    assert "2026-02-25" not in late


def test_why_names_the_stories_that_a_model_joined_an_item_to() -> None:
    of_model = OfModel(stories=(replace(STORIES[0], by="glaze-7b"),))
    page = markdown.render(why_page(judged(pull(1, "Fix it")), EN, of_model))
    assert "Story “Own heat state moves into req.heat”" in page
    assert "joined by glaze-7b" in page
    assert "由 glaze-7b 归类" in markdown.render(why_page(judged(pull(1, "Fix it")), ZH, of_model))


def test_a_paragraph_on_several_repositories_names_each_that_it_links() -> None:
    here, other = reading((judged(pull(1, "Fix it")),)), Repo("example-org", "bench")
    moved = judged(replace(pull(1, "Add it"), repo=other, key=f"{other}:pull_request:1"))
    there = replace(reading((moved,)), repo=other)
    keys = here.items[0].item.key, moved.item.key
    both = (
        Remark(RemarkKind.LEAD, {EN: "It works."}, keys),
        Remark(RemarkKind.LEAD, {EN: "More does."}, keys[:1]),
    )
    use = ModelUse("glaze-7b", ModelOutcome.COMPLETE, asked=2, told=2, checker="glaze-7b")
    roundup = Roundup(invented.DAY, (written(here), written(there)), (), remarks=both, model=use)
    page = markdown.render(roundup_page(roundup, EN))
    assert "It works. [kiln #1](https://" in page
    assert " [bench #1](https://" in page
    of_one = replace(roundup, remarks=tuple(replace(each, cites=keys[:1]) for each in both))
    assert "It works. [kiln #1](https://" in markdown.render(roundup_page(of_one, EN))
    items = {read.item.key: read.item for read in (*here.items, *there.items)}
    assert in_a_notification(both, use, EN, items) == [
        "kiln, bench: It works.",
        "kiln: More does. (glaze-7b)",
    ]
    alone = replace(written(here), remarks=(replace(both[0], cites=keys[:1]), both[1]), model=use)
    assert "It works. [#1](https://" in markdown.render(digest_page(alone, EN))


def test_a_window_that_is_not_over_says_so_in_the_language_of_its_page() -> None:
    day = written(replace(workshop(), window=replace(invented.DAY, label="2026-03-04 until 09:30")))
    assert "2026-03-04 until 09:30" in markdown.render(digest_page(day, EN))
    assert "2026-03-04 截至 09:30" in markdown.render(digest_page(day, ZH))


def test_of_a_model_that_was_late_the_foot_says_so_in_few_words() -> None:
    late = ModelUse("glaze-7b", ModelOutcome.LATE, asked=3, told=0, checker="glaze-7b")
    page = text.render(digest_page(replace(written(workshop()), model=late), EN))
    assert "No AI used: glaze-7b was late." in " ".join(page.split())


@pytest.mark.parametrize("is_tagged", [True, False])
def test_what_a_version_adds_to_its_changelog_is_told_once(is_tagged: bool) -> None:
    bump = pull(1, "v4.4.1 update")
    tag = release("v4.4.1", "")
    fact = Fact(
        FactKind.RELEASE,
        bump.key,
        FactChange.RELEASED,
        name="4.4.1",
        quote="Fixed a fault of ovens. It was old.\nMade [doors](https://example.org) wider.",
    )
    reads = [judged(bump, Importance.HIGH), *([judged(tag)] if is_tagged else [])]
    for language, words in ((EN, "changelog"), (ZH, "更新日志")):
        told = drawn(reading(reads, facts=(fact,)), language)
        assert told.count("Fixed a fault of ovens.") == 1
        assert told.count(words) == 1
        assert ("It was old" in told) is is_tagged
