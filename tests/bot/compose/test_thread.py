from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.compose.pages import PageAddress
from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan, show_all, show_rest
from bot.model.channel_commands import Quiet
from bot.model.parts import ActionKind, Part, PartKind
from digest.facts import FactChange, Story, Subject, Symptom
from digest.grades import Importance, Purpose
from digest.languages import Language
from digest.models import Reading, Revert, State
from digest.phrase import Phrase
from digest.writing.outline import MINUTES_A_PAGE, MINUTES_FIRST, block_minutes, is_small
from tests.bot.channels_invented import FLINT, GLAZE, WEEKEND, followup, subscription, told
from tests.bot.thread_text import one, text, whole
from tests.digest.writing import fact_days, invented
from tests.digest.writing.invented import issue, judged, note, pull, reading, release
from tests.phrases import gap


def _read_first(parent: Part) -> float:
    """Return how long a parent takes to read without its small print."""
    return sum(block_minutes(block) for block in parent.blocks if not is_small(block))


def test_small_print_takes_no_time_of_what_bit_whom() -> None:
    day = busy_with_bites()
    why = "the clone of the large oven holds none of it " * 9
    blind = replace(day, gaps=(gap("patches", why, lasting=True),))

    def whole_bites(read: Reading) -> int:
        said = text(one(told(read), language=Language.ZH).parent)
        return sum(each.item.title in said for each in read.items[:8])

    assert whole_bites(blind) == whole_bites(day) >= 3


def test_the_parent_tells_what_costs_most_first() -> None:
    (thread,) = plan([told(invented.busy())], [], subscription(), ParentExtras(open_followups=3))
    said = text(thread.parent)
    order = [
        "kiln · Wed 4 Mar",
        "Before you upgrade",
        "↩ Reverted",
        "New",
        "Issues",
        "3 open follow-ups",
    ]
    places = [said.index(each) for each in order]
    assert places == sorted(places)
    assert "10 changes, 2 of them upkeep" in said
    assert "all day, UTC · no AI used" in said
    assert [action.kind for action in thread.parent.actions] == [
        ActionKind.SHOW_ALL,
        ActionKind.FLAG_ONE,
        ActionKind.FOLLOWUPS,
    ]
    assert thread.parent.actions[0].label == "Show all 14"
    assert thread.repo == "example-org/kiln"


def test_the_parent_is_bounded_whatever_happened() -> None:
    huge = "x" * 10_000
    items = [judged(pull(n, huge), Importance.HIGH) for n in range(1, 9)]
    items += [judged(issue(50 + n, huge), Importance.HIGH) for n in range(9)]
    notes = tuple(
        note("flag", "renamed", huge, read.item, before=huge, after=huge) for read in items[:8]
    )
    pairs = tuple(Revert(pull(90 + n, huge), pull(80 + n, huge), "#1", 60) for n in range(7))
    digest = told(reading(items, upgrade_notes=notes, reverts=pairs))
    nudged = [followup(n) for n in range(20)]
    (thread,) = plan([digest], [], subscription(), ParentExtras(nudged=nudged))
    assert len(text(thread.parent)) < 6_000
    assert "4 more in the thread" in text(thread.parent)
    assert "+15" in text(thread.parent)
    assert whole(thread).count(huge) >= 8


def test_more_reverts_than_a_parent_holds_have_a_message() -> None:
    pairs = tuple(
        Revert(pull(90 + n, "Revert it"), pull(80 + n, f"Gone {n}"), "#1", 60) for n in range(5)
    )
    thread = one(told(reading((judged(pull(1, "Kept")),), reverts=pairs)))
    assert [n for n in range(5) if f"Gone {n}" in text(thread.parent)] == [0, 1, 2]
    assert [n for n in range(5) if f"Gone {n}" in text(thread.replies[0])] == [3, 4]


def test_all_that_one_change_takes_back_is_told() -> None:
    back = pull(90, "Revert them")
    pairs = tuple(Revert(back, pull(80 + n, f"Gone {n}"), f"#{80 + n}", 60) for n in range(5))
    thread = one(told(reading((judged(pull(1, "Kept")),), reverts=pairs)))
    assert [whole(thread).count(f"Gone {n}") for n in range(5)] == [1] * 5


@pytest.mark.parametrize("importance", [Importance.HIGH, Importance.LOW])
def test_what_a_revert_asks_to_act_for_is_told_once_in_a_thread(importance: Importance) -> None:
    back = pull(2, "Take the glaze back")
    gone = pull(1, "Add the glaze", at=back.at - timedelta(days=6))
    fact = fact_days.interface(back, FactChange.REMOVED, Subject.FLAG, "--glaze")
    heavy = [judged(pull(10 + n, f"Heat shelf {n}"), Importance.HIGH) for n in range(3)]
    reads = (judged(back, importance, purpose=Purpose.REVERT), *heavy)
    day = reading(reads, facts=(fact,), reverts=(Revert(back, gone, "#1", 6 * 86_400),))
    assert whole(one(told(day))).count("--glaze") == 1


def test_reverts_give_way_to_what_bit_whom_and_stand_in_the_thread() -> None:
    day = busy_with_bites()
    pairs = tuple(
        Revert(
            pull(90 + n, "Take it back"), pull(80 + n, f"Split the range of shelf {n}"), "#1", 60
        )
        for n in range(3)
    )
    thread = one(told(replace(day, reverts=pairs)), language=Language.ZH)
    said = text(thread.parent)
    assert any(read.item.title in said for read in day.items[:8])
    assert _read_first(thread.parent) <= MINUTES_FIRST
    assert "见讨论串" in said
    assert all(whole(thread).count(f"Split the range of shelf {n}") == 1 for n in range(3))


def test_what_bit_whom_stands_whole_before_a_revert_does() -> None:
    day = busy_with_bites()
    title = "Split the range of the shelf " * 12
    pairs = tuple(Revert(pull(90 + n, title), pull(80 + n, title), "#1", 60) for n in range(2))
    thread = one(told(replace(day, reverts=pairs)))
    said = text(thread.parent)
    assert "2 in the thread" in said
    assert "Split the range" not in said
    assert sum(read.item.title in said for read in day.items[:8]) >= 3
    assert all(whole(thread).count(f"#{80 + n}") == 1 for n in range(2))


def test_a_day_that_holds_only_what_is_left_out_is_not_called_quiet() -> None:
    bot = judged(pull(1, "Bump clay", author_is_bot=True))
    thread = one(told(reading((bot,))), without=frozenset({"bots"}))
    assert "1 left out by this channel's settings" in text(thread.parent)
    for words in (text(thread.parent), thread.parent.summary):
        assert "Quiet" not in words
        assert "No commits" not in words
    assert thread.parent.summary == "kiln · Wed 4 Mar: 1 left out by this channel's settings"


def test_a_quiet_day_still_reminds_of_what_is_a_week_old() -> None:
    silent = subscription(quiet=Quiet.NOTHING)
    (thread,) = plan(
        [told(invented.quiet())], [], silent, ParentExtras(open_followups=1, nudged=[followup()])
    )
    assert "⏳ Open for a week or more · Rename --heat" in text(thread.parent)
    assert "nobody has taken it" in text(thread.parent)
    (thread,) = plan(
        [told(invented.quiet())],
        [],
        silent,
        ParentExtras(open_followups=1, nudged=[followup(taken_by="kit")]),
    )
    assert "👀 taken by kit" in text(thread.parent)
    assert [action.kind for action in thread.parent.actions] == [ActionKind.FOLLOWUPS]


def test_what_could_not_be_looked_at_is_no_quiet_day() -> None:
    said = text(one(told(invented.gap())).parent)
    assert "Could not look at commits: GitHub answered 502 three times." in said
    assert "force-pushed" in said
    said = text(one(told(invented.unseen()), quiet=Quiet.NOTHING).parent)
    assert "Could not look: no requests are left until 07:30 UTC." in said
    assert "Quiet" not in said


def test_what_a_source_never_has_stands_below_the_news_and_in_no_notification() -> None:
    never = gap("issues", "git holds no issues", lasting=True)
    day = replace(invented.busy(), gaps=(never, gap("releases", "no network")))
    said, parent = text(one(told(day)).parent), one(told(day)).parent
    order = ("Could not look at releases", "Before you upgrade", "Could not look at issues: git")
    assert [said.index(each) for each in order] == sorted(said.index(each) for each in order)
    assert "not looked at: releases" in parent.summary
    assert "issues" not in parent.summary.partition("Before")[0]


def test_where_nothing_could_be_looked_at_one_thread_says_so_and_reminds_all_the_same() -> None:
    away, gone = Phrase.as_written("no network"), Phrase.as_written("it is gone")
    failed = [(FLINT, away), (GLAZE, gone), (invented.REPO, away)]
    chosen = subscription(FLINT, GLAZE, invented.REPO)
    (thread,) = plan([], failed, chosen, ParentExtras(open_followups=1, nudged=[followup()]))
    said = text(thread.parent)
    assert said.startswith("Could not look at flint, kiln: no network.")
    assert "Could not look at glaze: it is gone." in said
    assert "⏳ Open for a week or more · Rename --heat" in said
    assert "1 open follow-up" in said
    assert [action.kind for action in thread.parent.actions] == [ActionKind.FOLLOWUPS]
    assert (thread.repo, thread.parent.kind) == ("", PartKind.ROUNDUP)
    assert thread.parent.summary.startswith("Could not look at flint, kiln: no network; ")


def test_nothing_subscribed_tells_nothing() -> None:
    assert plan([], [], subscription()) == ()


def test_a_catch_up_names_its_days_and_what_it_leaves_out() -> None:
    digest = told(invented.busy(), window=WEEKEND)
    since = datetime(2026, 1, 5, 16, tzinfo=UTC)
    (thread,) = plan([digest], [], subscription(), ParentExtras(untold_since=since))
    said = text(thread.parent)
    assert "kiln · Sat 28 Feb – Mon 2 Mar" in said
    assert "those from Tue 6 Jan until this window are left out" in said
    assert "3 days, Asia/Shanghai" in said


def test_a_page_is_linked_in_the_channels_zone_and_language() -> None:
    pages = PageAddress("https://digest.example/")
    chosen = subscription(language=Language.ZH)
    (thread,) = plan([told(invented.busy(), window=WEEKEND)], [], chosen, ParentExtras(pages=pages))
    page = thread.parent.actions[-1]
    assert page.kind is ActionKind.PAGE
    where = "https://digest.example/example-org/kiln/2026-02-28..2026-03-02"
    assert page.value == f"{where}?tz=Asia/Shanghai&lang=zh"


def test_no_page_of_a_private_repository_is_linked() -> None:
    pages = PageAddress("https://digest.example", frozenset({"example-org/kiln"}))
    (thread,) = plan([told(invented.busy())], [], subscription(), ParentExtras(pages=pages))
    assert ActionKind.PAGE not in {action.kind for action in thread.parent.actions}


def test_the_channels_language_is_spoken() -> None:
    thread = one(told(invented.busy()), language=Language.ZH)
    assert thread.language is Language.ZH
    said = whole(thread)
    assert "kiln · 3月4日 周三" in said
    assert "升级前请看" in said
    assert "Before you upgrade" not in said
    assert thread.parent.actions[0].label == "显示全部 14 项"


def test_what_the_parent_leaves_of_an_upgrade_has_a_message_and_nothing_is_said_twice() -> None:
    items = [judged(pull(n, f"Change {n}"), Importance.MEDIUM) for n in range(1, 9)]
    notes = tuple(note("flag", "removed", f"--old-{r.item.number}", r.item) for r in items)
    thread = one(told(reading(items, upgrade_notes=notes)))
    said = text(thread.parent)
    assert "flag --old-5 removed #5" in said
    assert "and 3 more: --old-6 #6, --old-7 #7, --old-8 #8" in said
    (part,) = [each for each in thread.replies if each.kind is PartKind.UPGRADE_NOTES]
    assert text(part).splitlines()[-1] == "flag --old-8 removed #8"
    assert set(part.about) == {read.item.key for read in items[5:]}
    assert "--old-5" not in text(part)


def test_what_the_message_of_an_upgrade_says_is_not_said_in_a_story_before_it() -> None:
    items = [
        judged(pull(n, f"Change {n} of the oven"), Importance.MEDIUM, purpose=Purpose.REFACTOR)
        for n in range(1, 10)
    ]
    notes = tuple(note("flag", "removed", f"--old-{r.item.number}", r.item) for r in items)
    story = Story("a", "Oven", tuple(read.item.key for read in items[6:]), authors=("wren",))
    thread = one(told(reading(items, upgrade_notes=notes, stories=(story,))))
    assert "Oven · 3 changes" in whole(thread)
    assert all(whole(thread).count(f"flag --old-{n} removed") == 1 for n in (7, 8, 9))


def test_a_story_repeats_nothing_that_its_members_say_in_messages_of_their_own() -> None:
    high = [judged(pull(n, f"Oven change {n}"), Importance.HIGH) for n in (1, 2, 3)]
    other = judged(pull(4, "Turn the oven"), Importance.MEDIUM, purpose=Purpose.REFACTOR)
    notes = tuple(note("flag", "added", f"--new-{r.item.number}", r.item) for r in high)
    story = Story("a", "Oven", tuple(read.item.key for read in high), authors=("wren",))
    of_three = reading((*high, other), upgrade_notes=notes, stories=(story,))
    thread = one(told(of_three))
    assert [part.kind for part in thread.replies].count(PartKind.ITEM) == 3
    assert "Oven · 3 changes" not in whole(thread)
    of_four = replace(story, items=(*story.items, other.item.key))
    said = whole(one(told(replace(of_three, stories=(of_four,)))))
    assert "Oven · 4 changes" in said
    assert all(said.count(f"--new-{number}") == 1 for number in (1, 2, 3))


def test_what_is_told_by_count_opens_on_demand() -> None:
    digest = told(invented.many(60))
    issues = [judged(issue(500 + n, f"Oven {n} is cold")) for n in range(9)]
    digest = told(replace(invented.many(60), items=(*digest.reading.items, *issues)))
    rest = text(show_rest(digest, Language.EN))
    full = text(show_all(digest, Language.EN))
    thread = whole(one(digest))
    for read in digest.reading.items:
        assert read.item.ref in full
        assert read.item.ref in rest or read.item.ref in thread
    assert full.startswith("All 69 of kiln, Wed 4 Mar")


def test_a_full_list_follows_the_channels_filters() -> None:
    channel = subscription(without=frozenset({"bots"}))
    part = show_all(told(invented.busy()), Language.EN, channel)
    assert "Bump clay" not in text(part)
    assert "1 left out by this channel's settings" in text(part)
    assert "Fuse glazing" in text(part)


def test_issues_beyond_those_worth_a_look_are_counted_and_open_on_demand() -> None:
    worth = [judged(issue(n, f"Oven {n} is hot"), Importance.MEDIUM) for n in range(1, 4)]
    others = [judged(issue(n, f"How do I use oven {n}?")) for n in range(50, 250)]
    digest = told(reading((*worth, *others)))
    (part,) = [each for each in one(digest).replies if each.kind is PartKind.ISSUES]
    assert set(part.about) == {read.item.key for read in digest.reading.items}
    hidden = [read.item for read in others if read.item.title not in text(part)]
    assert hidden
    assert f"{len(hidden)} more" in text(part)
    assert [action.kind for action in part.actions] == [ActionKind.FLAG_ONE, ActionKind.SHOW_REST]
    opened = text(show_rest(digest, Language.EN))
    assert all(item.title in opened for item in hidden)


def test_where_nothing_is_left_to_show_that_is_said() -> None:
    digest = told(reading((judged(pull(1, "Fix"), Importance.HIGH),)))
    assert text(show_rest(digest, Language.EN)) == "Everything is told by title already."


def test_the_parent_names_the_versions_that_came_out_and_none_for_trial() -> None:
    items = [judged(release(f"v1.{n}", ""), Importance.MEDIUM) for n in range(4)]
    items += [judged(release("v2.0rc1", ""), Importance.LOW), judged(pull(2, "Cool down"))]
    assert "Releases · v1.0 · v1.1 · v1.2 and 1 more" in text(one(told(reading(items))).parent)


def test_several_for_trial_are_one_line_of_the_thread_also_where_nothing_else_is() -> None:
    tags = ["v2.0rc1", "v2.0.dev3", "nightly-20260304"]
    trials = [judged(replace(release(tag, ""), state=State.PRERELEASE)) for tag in tags]
    day = reading((judged(pull(1, "Cool down"), Importance.HIGH), *trials))
    said = [text(part) for part in one(told(day)).replies]
    (line,) = (each for each in said if "Pre-releases · 3" in each)
    assert all(tag in line for tag in tags)
    night = reading((day.items[0], trials[2]))
    assert not any("nightly" in text(part) for part in one(told(night)).replies)
    assert "1 pre-release" in text(one(told(night)).parent)


def test_what_was_taken_back_is_no_title_of_the_day() -> None:
    back = pull(9, 'Revert "Fire faster"')
    gone = judged(pull(1, "Fire faster"), Importance.HIGH, reverted_by=back.key)
    stays = judged(pull(2, "Cool down"), Importance.HIGH)
    pairs = (Revert(back, gone.item, "#1", 60),)
    said = text(one(told(reading((gone, stays), reverts=pairs))).parent)
    assert "Cool down #2" in said
    assert said.count("Fire faster #1") == 1


def busy_with_bites() -> Reading:
    """A day with more fixes for users than its parent has time to name, of which all are wordy."""
    hurt = (
        "Fix the sorted scatter emitting invalid places under a tie of heavy scores in the kiln",
        "[Glaze] Enable staged write-back of plates and fix the crash of its index on cold ovens",
        "[Quality][bugfix] Correct the detection of a sentinel when plates are read in halves",
        *(
            f"Fix oven {n} that falls over when two doors open before its first plate"
            for n in "abc"
        ),
        "fix(door): avoid the slow path of a heavy oven",
        "[Shelf] Fix offsets that overflow under very long shelves of plates",
    )
    items = [pull(n, title) for n, title in enumerate(hurt, 1)]
    facts = [
        fact_days.bite(item, symptom, f"shelf server {item.number}")
        for item, symptom in zip(items, (*list(Symptom)[:7], Symptom.SLOW), strict=True)
    ]
    asked = [pull(20 + n, f"Warm oven {n} by twos") for n in range(2)]
    facts += [
        fact_days.interface(item, FactChange.DEFAULT, Subject.FEATURE, item.title, after="off")
        for item in asked
    ]
    added = [pull(30 + n, f"Support the new oven number {n} of the large kiln") for n in range(4)]
    facts += [fact_days.support(item, Subject.MODEL, f"Ember {item.number}") for item in added]
    reads = [judged(item, Importance.MEDIUM) for item in (*items, *asked, *added)]
    return replace(reading(reads), facts=tuple(facts))


def test_a_parent_has_its_first_bites_whole_and_all_of_them_in_both_languages() -> None:
    day = busy_with_bites()
    whole_bites = {}
    for language in Language:
        parent = one(told(day), language=language).parent
        said = text(parent)
        whole_bites[language] = [
            read.item.number for read in day.items[:8] if read.item.title in said
        ]
        assert _read_first(parent) <= MINUTES_FIRST
        assert all(read.item.key in parent.about for read in day.items[:8])
    assert len(whole_bites[Language.EN]) >= 3
    assert len(whole_bites[Language.ZH]) >= 2


def test_each_item_of_the_front_page_has_its_own_message_with_buttons() -> None:
    thread = one(told(fact_days.workshop()))
    items = [part for part in thread.replies if part.kind is PartKind.ITEM]
    assert [part.about[0].rsplit(":", 1)[1] for part in items] == ["501", "502", "506"]
    assert all(
        [action.kind for action in part.actions]
        == [ActionKind.FLAG, ActionKind.TAKE, ActionKind.DONE, ActionKind.DEEP_DIVE]
        for part in items
    )
    assert text(items[0]).splitlines() == [
        "▲ [Bugfix] fix ring acc error in graph mode #501",
        "> Graph replays no longer read stale colours.",
        "wrong output · AMD ring (graphs on) · hana · "
        "+5\N{NO-BREAK SPACE}−2 in 1 file · kiln/oven.py",
    ]


def test_a_channel_is_told_the_facts_and_stories_of_its_own_items_alone() -> None:
    digest = told(fact_days.workshop())
    thread = one(digest, topics=("ring",))
    said = whole(thread)
    assert "AMD ring" in said
    assert "Ember-3" not in said
    assert "req.heat" not in said
    assert "clay" not in said


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "day",
    [fact_days.workshop(), invented.busy(), invented.many(76), fact_days.bitten(40)],
    ids=["workshop", "busy", "many", "bitten"],
)
def test_a_parent_is_read_in_half_a_minute_and_its_thread_in_two(
    day: Reading, language: Language
) -> None:
    thread = one(told(day), language=language)
    taken = [sum(map(block_minutes, part.blocks)) for part in thread.replies]
    assert _read_first(thread.parent) <= MINUTES_FIRST
    assert sum(taken) <= MINUTES_A_PAGE
    known = {key for part in (thread.parent, *thread.replies) for key in part.about}
    assert {read.item.key for read in day.items} <= known
