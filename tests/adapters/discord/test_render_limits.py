"""Whatever there is to tell is told whole, within what Discord takes."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.discord.render import DiscordMessage, render, render_parts
from bot.answer_parts import answer_parts
from bot.followup_parts import choice_part
from bot.replies import ChangeReply, DigestReply
from bot.thread import plan, show_all
from digest.grades import Importance, Noise
from digest.languages import Language
from digest.models import Change, FileChange, Kind, Reading, ReadItem
from digest.writing.document import (
    Bullets,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Tone,
    Words,
)
from tests.adapters.discord.dialect import seen
from tests.adapters.discord.drawn import EN, accepted, links, markdown, messages, said, thread
from tests.bot.channels_invented import FLINT, followup, subscription, told
from tests.digest.writing import invented
from tests.digest.writing.invented import issue, judged, note, pull, reading, release


@pytest.mark.parametrize("character", ["x", "&", "题", "<", "🔥", "`", "_", "*"])
def test_text_of_any_length_is_parted_and_never_cut(character: str) -> None:
    long = character * 20_000
    shown = "ˋ" if character == "`" else character
    under = (Entry((Foreign(long),)),)
    for block in (
        Paragraph((Foreign(long),)),
        Paragraph((Foreign(long),), Tone.SMALL),
        Paragraph((Foreign(long),), Tone.LEAD),
        Bullets((Entry((Foreign(long), Link("#1", "https://x.example/1")), about=("k",)),)),
        Bullets((Entry((Words("over"),), under),)),
        Quote((Words("says"),), long),
        Hunk("a.py", long),
    ):
        drawn = messages(block)
        wanted = character if isinstance(block, Hunk) else shown
        assert "".join(map(markdown, drawn)).count(wanted) >= 20_000
        accepted(drawn)


def test_a_title_made_of_very_many_pieces_is_drawn_without_delay() -> None:
    drawn = messages(Paragraph((Foreign("_a_ `b` " * 10_000),)))
    assert said(drawn).count("_a_") == 10_000
    accepted(drawn)


def test_a_label_longer_than_a_message_keeps_its_link() -> None:
    drawn = messages(Paragraph((Link("x" * 20_000, "https://x.example/1"),)))
    assert said(drawn).count("x") >= 20_000
    assert links(drawn) == {"https://x.example/1"}
    accepted(drawn)


def test_nothing_hostile_gets_out_of_its_place() -> None:
    for drawn in (
        render(thread(invented.hostile())),
        render(thread(invented.hostile(), language=Language.ZH)),
        render_parts(answer_parts(DigestReply(told(invented.hostile()), EN)), EN),
    ):
        accepted(drawn)
        assert all(link.startswith("https://github.com/example-org/kiln") for link in links(drawn))
        marks = {name for each in drawn for name, _ in seen(markdown(each)).marks}
        assert marks <= {"bold", "strike", "code", "link", "line"}


def test_a_huge_change_is_answered_in_a_few_messages() -> None:
    files = tuple(
        FileChange(f"kiln/{n}/f{n}.py", "modified", 900, 0, patch="+a\n" * 900) for n in range(3000)
    )
    read = judged(pull(1, "Rebuild", files=files), Importance.HIGH)
    notes = tuple(note("flag", "added", f"--flag-{n}", read.item) for n in range(250))
    drawn = render_parts(answer_parts(ChangeReply(Change(read, notes), EN), asked="kiln 1"), EN)
    assert len(drawn) <= 12
    accepted(drawn)


titles = st.one_of(
    st.text(max_size=300),
    st.sampled_from(invented.HOSTILE_TITLES),
    st.text(alphabet="修复缓存&<>`*_", max_size=600),
)


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    count = draw(st.integers(0, 500))
    pool = draw(st.lists(titles, min_size=1, max_size=12))
    seed = draw(st.randoms(use_true_random=False))
    items: list[ReadItem] = []
    high = 0
    for n in range(count):
        grade = seed.choice(list(Importance))
        if grade is Importance.HIGH and (high := high + 1) > 6:
            grade = Importance.LOW
        kind = seed.choice([Kind.PULL_REQUEST] * 6 + [Kind.ISSUE] * 2 + [Kind.RELEASE])
        title = seed.choice(pool)
        if kind is Kind.ISSUE:
            items.append(judged(issue(n + 1, title), grade))
        elif kind is Kind.RELEASE:
            items.append(judged(release(f"v{n}", title, title=title), grade))
        else:
            noise = seed.choice([None, *Noise]) if grade is Importance.LOW else None
            items.append(judged(pull(n + 1, title), grade, noise=noise, quote=title[:400]))
    notes = tuple(
        note("flag", "renamed", seed.choice(pool), read.item, before=seed.choice(pool), after="b")
        for read in items[: seed.randint(0, 150)]
    )
    order = [r for r in items if r.item.kind is not Kind.ISSUE]
    order += [r for r in items if r.item.kind is Kind.ISSUE]
    return reading(order, upgrade_notes=notes)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(read=readings(), language=st.sampled_from(Language))
def test_no_day_breaks_a_limit_or_loses_an_item(read: Reading, language: Language) -> None:
    threads = plan([told(read), told(invented.busy(), FLINT)], [], subscription(language=language))
    drawn = [message for each in threads for message in render(each)]
    accepted(drawn)
    assert sum(message.is_parent for message in drawn) == len(threads)
    about = {key for message in drawn for key in message.about}
    assert {each.item.key for each in read.items} <= about
    full = render_parts((show_all(told(read), language),), language)
    accepted(full)
    linked = links(full)
    assert all(each.item.url in linked for each in read.items)


def test_choices_are_buttons_or_menus_and_as_many_messages_as_they_need() -> None:
    def asked(count: int) -> tuple[DiscordMessage, ...]:
        items = [
            replace(
                followup(n),
                title="修复缓存" * 30,
            )
            for n in range(count)
        ]
        return render_parts((choice_part("1500000000000000001", items, EN),), EN)

    (few,) = asked(3)
    assert [each["type"] for each in few.payload["components"][0]["components"]] == [2, 2, 2]
    (several,) = asked(20)
    assert several.payload["components"][0]["components"][0]["type"] == 3
    (hundred,) = render_parts(
        (choice_part("1500000000000000001", [followup(n) for n in range(100)], EN),), EN
    )
    assert len(hundred.values) == 100
    accepted([hundred])
    many = asked(300)
    accepted([few, several, *many])
    menus = [row["components"][0] for each in many for row in each.payload["components"]]
    assert sum(len(menu["options"]) for menu in menus) == 300
    assert all(message.about == () for message in many)
