"""A channel that said what it uses is told first what concerns it."""

import pytest

from bot.compose.parent_extras import ParentExtras
from bot.compose.thread import plan
from digest.concern.surface import Surface, SurfaceWords
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.grades import Importance
from digest.languages import Language
from digest.models import Repo
from tests.bot.channels_invented import GLAZE, subscription, told
from tests.bot.thread_text import text
from tests.digest.writing import invented
from tests.digest.writing.invented import judged, pull, reading, release

MINE = Surface(words=SurfaceWords(models=("Clay7",)))
ITEMS = (judged(pull(1, "Fire the oven")), judged(pull(2, "[Clay7] Mend the glaze")))


def test_it_stands_over_all_repositories_in_a_roundup_and_in_chinese() -> None:
    digests = [told(reading(ITEMS)), told(reading(()), GLAZE)]
    chosen = subscription(invented.REPO, GLAZE, language=Language.ZH)
    first = plan(digests, [], chosen, ParentExtras(surfaces=[MINE]))[0]
    assert text(first.parent).splitlines()[1].startswith("与你有关 · [Clay7] Mend the glaze #2")


def test_what_breaks_the_channel_begins_its_notification() -> None:
    item = judged(pull(1, "Drop it"), Importance.HIGH)
    gone = Fact(FactKind.INTERFACE, item.item.key, FactChange.REMOVED, Subject.FLAG, "--depth")
    digests = [told(reading((item,), facts=(gone,))), told(reading(()), GLAZE)]
    uses = [Surface(words=SurfaceWords(flags=("--depth",)))]
    threads = plan(digests, [], subscription(invented.REPO, GLAZE), ParentExtras(surfaces=uses))
    for thread in threads:
        assert "Mar: Drop it #1 · breaks · --depth: you said so; " in thread.parent.summary


def test_a_release_that_is_called_by_its_tag_is_named_once() -> None:
    pinned = Surface(words=SurfaceWords(pins=(f"{invented.REPO.name}==0.6.0",)))
    digest = told(reading((judged(release("v0.7.0", "")),)))
    (thread,) = plan([digest], [], subscription(), ParentExtras(surfaces=[pinned]))
    assert text(thread.parent).splitlines()[1].startswith("Concerns you · v0.7.0 · ")


@pytest.mark.parametrize("repos", [(invented.REPO,), (invented.REPO, GLAZE)])
def test_what_is_counted_there_is_told_below(repos: tuple[Repo, ...]) -> None:
    many = [judged(pull(number, f"[Clay7] Bake {number}")) for number in range(1, 9)]
    digests = [told(reading(many)), *(told(reading(()), repo) for repo in repos[1:])]
    threads = plan(digests, [], subscription(*repos), ParentExtras(surfaces=[MINE]))
    first = text(threads[0].parent)
    below = "\n".join(text(part) for thread in threads for part in thread.replies)

    assert first.count("you said so") == 5
    assert "3 more below" in first
    assert "Concerns you too · 3" in below
    assert below.count("you said so") == 3
