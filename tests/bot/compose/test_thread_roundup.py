"""Several repositories in one channel: the roundup before their threads."""

from dataclasses import replace

import pytest

from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan
from bot.model.channel_commands import Quiet
from bot.model.following import Correction, News
from bot.model.parts import PartKind, Thread
from digest.edited import ModelOutcome, ModelUse
from digest.facts import FactChange, Story, Subject
from digest.grades import Importance, Purpose
from digest.models import Repo, State
from digest.reading.releases import release_facts
from digest.upstream import Standing
from tests.bot.channels_invented import FLINT, GLAZE, subscription, told
from tests.bot.thread_text import text, whole
from tests.digest.writing import invented
from tests.digest.writing.fact_days import interface
from tests.digest.writing.invented import judged, note, pull, reading, release
from tests.phrases import gap as gap_of


def test_no_repository_is_called_quiet_of_which_everything_is_left_out() -> None:
    bots = told(reading((judged(pull(1, "Bump clay", author_is_bot=True)),)), GLAZE)
    chosen = subscription(invented.REPO, GLAZE, without=frozenset({"bots"}))
    first, *others = plan([told(invented.busy()), bots], [], chosen)
    assert "glaze · 1 left out by this channel's settings" in text(first.parent)
    assert "Quiet" not in text(first.parent)
    assert "No commits" not in text(first.parent)
    assert [thread.repo for thread in others] == ["example-org/kiln"]
    silent = replace(chosen, quiet=Quiet.NOTHING)
    assert plan([bots], [], silent) == ()


def test_a_roundup_of_filtered_repositories_counts_what_is_left_out() -> None:
    digests = [told(invented.busy()), told(invented.busy(), FLINT)]
    chosen = subscription(invented.REPO, FLINT, without=frozenset({"bots"}))
    said = text(plan(digests, [], chosen)[0].parent)
    assert "2 left out by this channel's settings" in said


def test_a_roundup_says_that_a_model_was_late_with_its_paragraph() -> None:
    done = ModelUse("m", ModelOutcome.COMPLETE, asked=4, told=3, checker="m")
    digests = [
        replace(told(invented.busy()), model=done),
        replace(told(invented.busy(), FLINT), model=done),
    ]
    late = ParentExtras(model=ModelUse("m", ModelOutcome.LATE, checker="m"))
    first, *others = plan(digests, [], subscription(invented.REPO, FLINT), late)
    assert "with m, marked · m was late" in text(first.parent)
    assert all("was late" not in text(thread.parent) for thread in others)


@pytest.mark.parametrize("count", [1, 2])
def test_corrections_stand_apart_from_the_list_of_repositories(count: int) -> None:
    channel, pulled = subscription().channel, Standing(State.TAGGED)
    corrections = [
        Correction(channel, f"{invented.REPO}:release:v{n}", f"v{n}", "", "", News.PULLED, pulled)
        for n in range(count)
    ]
    digests = [told(invented.busy()), told(invented.none_above(), FLINT)]
    chosen = subscription(invented.REPO, FLINT)
    first, *_ = plan(digests, [], chosen, ParentExtras(corrections=corrections))
    _, apart, repos = text(first.parent).partition("Repositories\n")
    assert apart
    assert "kiln · 10 changes" in repos
    assert "pulled" not in repos
    assert "Repositories\n" not in text(plan(digests, [], chosen)[0].parent)


def three(**more: object) -> tuple[Thread, ...]:
    digests = [
        told(invented.quiet(), GLAZE),
        told(invented.none_above(), FLINT),
        told(invented.busy()),
    ]
    chosen = subscription(GLAZE, FLINT, invented.REPO, **more)
    return plan(
        digests, [(Repo("else", "lost"), "it is gone")], chosen, ParentExtras(open_followups=2)
    )


def test_a_repository_of_low_changes_alone_stands_in_the_roundup_by_reference() -> None:
    first, *_ = three()
    assert "flint · 1 change, of low importance: Sync d4d4d4d" in text(first.parent)
    assert any("d4" * 20 in key for key in first.parent.about)


def test_what_could_not_be_looked_at_makes_no_thread_of_its_own() -> None:
    few = reading((judged(pull(1, "Warm the oven"), Importance.MEDIUM),))
    unseen = replace(few, gaps=(gap_of("issues", "GitHub does not answer"),))
    first, *others = plan(
        [told(invented.busy()), told(unseen, GLAZE)], [], subscription(invented.REPO, GLAZE)
    )
    assert "Could not look at glaze (issues): GitHub does not answer." in text(first.parent)
    assert [thread.repo for thread in others] == ["example-org/kiln"]


def test_a_nightly_and_a_repository_that_was_seen_in_part_make_no_message_of_their_own() -> None:
    nightly = judged(replace(release("nightly-v1.6", "Built by itself"), state=State.PRERELEASE))
    unseen = reading(gaps=(gap_of("releases", "GitHub does not answer"),))
    busy = invented.busy()
    busy = replace(busy, items=(*busy.items, judged(replace(nightly.item, ref="nightly-v2"))))
    first, *others = plan(
        [told(busy), told(reading((nightly,)), GLAZE), told(unseen, FLINT)],
        [],
        subscription(invented.REPO, GLAZE, FLINT),
    )
    said = text(first.parent)
    assert "glaze · 1 pre-release: nightly-v1.6" in said
    assert "flint ·" not in said
    assert "No commits: flint." in said
    assert [thread.repo for thread in others] == ["example-org/kiln"]
    (holds,) = (part for part in others[0].replies if "nightly-v2" in text(part))
    assert len(holds.about) > 1


def test_what_is_built_each_night_makes_a_small_repository_no_thread() -> None:
    nightly = judged(replace(release("nightly-v1.6", ""), state=State.PRERELEASE))
    small = [judged(pull(number, f"Tidy shelf {number}")) for number in range(1, 4)]
    day = reading((*small, nightly), facts=release_facts([nightly.item]))
    first, *others = plan(
        [told(invented.busy()), told(day, GLAZE)], [], subscription(invented.REPO, GLAZE)
    )
    assert "nightly-v1.6" in text(first.parent)
    assert [thread.repo for thread in others] == ["example-org/kiln"]


def test_a_night_without_anything_but_a_build_is_as_quiet_as_any() -> None:
    nightly = judged(replace(release("nightly-v1.6", ""), state=State.PRERELEASE))
    trial = judged(replace(release("v1.6rc1", ""), state=State.PRERELEASE))
    silent = subscription(invented.REPO, GLAZE, quiet=Quiet.NOTHING)
    digests = [told(reading((nightly,))), told(reading(), GLAZE)]
    assert plan(digests, [], silent) == ()
    assert plan(digests, [], replace(silent, quiet=Quiet.LINE))
    assert plan([told(reading((nightly, trial))), told(reading(), GLAZE)], [], silent)


def test_a_channel_that_chose_one_thread_gets_one() -> None:
    (thread,) = three(one_thread=True)
    assert thread.parent.kind is PartKind.ROUNDUP
    assert thread.replies[0].kind is PartKind.PARENT
    assert "▲ Rename --heat to --temperature" in whole(thread)


def test_eight_busy_repositories_make_at_most_nine_threads() -> None:
    repos = [Repo("example-org", f"kiln{n}") for n in range(8)]
    digests = [told(invented.busy(), repo) for repo in repos]
    assert len(plan(digests, [], subscription(*repos))) == 9
    assert len(plan(digests, [], subscription(*repos, one_thread=True))) == 1


def test_a_roundup_tells_which_versions_repositories_need_of_each_other() -> None:
    engine, kernels = Repo("vllm-project", "vllm"), Repo("flashinfer-ai", "flashinfer")
    pin = judged(pull(7, "Need newer kernels"), Importance.MEDIUM)
    pins = [note("dependency", "changed", "flashinfer-python", pin.item, before="0.1", after="0.2")]
    many = [replace(pins[0], after=f"0.{n}") for n in range(7)]
    for notes, told_of in ((pins, 1), (many, 5)):
        digests = [
            told(reading((pin,), upgrade_notes=tuple(notes)), engine),
            told(invented.quiet(), kernels),
        ]
        first, *_ = plan(digests, [], subscription(engine, kernels))
        said = text(first.parent)
        assert "Between repositories" in said
        assert said.count("kiln now needs flashinfer-python") == told_of
        assert ("+2" in said) == (told_of == 5)
        assert pin.item.key in first.parent.about


def test_a_quiet_roundup_is_told_as_the_channel_chose() -> None:
    digests = [told(invented.quiet()), told(invented.quiet(), FLINT)]
    repos = (invented.REPO, FLINT)
    (thread,) = plan(digests, [], subscription(*repos))
    assert "Quiet (no commits, no issues, no releases): kiln, flint." in text(thread.parent)
    assert plan(digests, [], subscription(*repos, quiet=Quiet.NOTHING)) == ()


def test_what_a_thread_lists_in_full_is_not_said_in_its_story_too() -> None:
    rack, lid, door = pull(31, "Add a rack of plates"), pull(32, "Add a lid"), pull(33, "Turn")
    plates = interface(rack, FactChange.ADDED, Subject.API_ARGUMENT, "bake(rack)")
    lids = interface(lid, FactChange.ADDED, Subject.API_ARGUMENT, "bake(lid)")
    story = Story("s", "racks", (rack.key, lid.key), authors=("wren",))
    day = replace(
        reading(
            [
                judged(each, Importance.MEDIUM, purpose=Purpose.FEATURE)
                for each in (rack, lid, door)
            ],
            facts=(plates, lids),
            stories=(story,),
        ),
        front=(rack.key, lid.key),
    )
    chosen = subscription(FLINT, invented.REPO)
    _, _, second = plan([told(invented.busy(), FLINT), told(day)], [], chosen)
    assert second.repo == str(invented.REPO)
    below = "\n".join(map(text, second.replies))
    assert (below.count("rack)"), below.count("lid)")) == (1, 1)
