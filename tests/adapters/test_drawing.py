"""What every platform keeps to when it draws: whole, in order, within its limits.

`UPDATE_SNAPSHOTS=1 pytest tests/adapters/test_drawing.py` writes the kept messages anew; what
changes in them is to be looked at.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.discord import render as on_discord
from adapters.slack import render as on_slack
from bot.compose.answer_parts import answer_parts
from bot.compose.followup_parts import choice_part, followups_part
from bot.compose.item_part import with_state
from bot.compose.thread import plan, show_all
from bot.model.parts import Action, ActionKind, Part, PartKind, Thread
from bot.model.replies import ChangeReply
from digest.languages import Language
from digest.models import Reading
from digest.writing.document import (
    Block,
    Bullets,
    Code,
    Entry,
    Foreign,
    Hunk,
    Link,
    Paragraph,
    Quote,
    Runs,
    Strong,
    Struck,
    Table,
    Tone,
    Typed,
    Words,
)
from tests.adapters.discord import drawn as seen_on_discord
from tests.adapters.slack import drawn as seen_on_slack
from tests.bot import mornings_invented
from tests.bot.any_day import huge_change, readings
from tests.bot.channels_invented import FLINT, followup, subscription, told
from tests.bot.mornings_invented import busy
from tests.digest.writing import invented

EN = Language.EN
FOLDER = Path(__file__).parent
KEPT = {
    "busy": PartKind.PARENT,
    "zh": PartKind.ITEM,
    "hostile": PartKind.ITEM,
    "one_release": PartKind.RELEASES,
    "roundup": PartKind.ROUNDUP,
}
"""Of which morning which message is kept as it was looked at."""


@dataclass(frozen=True)
class Medium:
    """A platform that draws, and what people see of that."""

    name: str
    render: Callable[[Thread], Sequence[Any]]
    render_parts: Callable[[Sequence[Part], Language], Sequence[Any]]
    messages: Callable[..., Sequence[Any]]
    said: Callable[[Sequence[Any]], str]
    accepted: Callable[[Sequence[Any]], None]
    mornings: dict[str, Callable[[], Sequence[Thread]]]

    def kept(self) -> None:
        """Fail where a message differs from the one that was looked at."""
        file = FOLDER / self.name / "snapshots" / "messages.json"
        shown = {}
        for name, kind in KEPT.items():
            drawn = [message for thread in self.mornings[name]() for message in self.render(thread)]
            first = next(message for message in drawn if message.kind is kind)
            shown[f"{name}: {kind}"] = {"about": list(first.about), **first.payload}
        now = json.dumps(shown, ensure_ascii=True, indent=1) + "\n"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.write_text(now, encoding="utf-8")
        assert json.loads(file.read_text(encoding="utf-8")) == json.loads(now)


def mornings(thread: str, page: str) -> dict[str, Callable[[], Sequence[Thread]]]:
    return mornings_invented.MORNINGS | {
        "roundup": lambda: mornings_invented.roundup(thread),
        "busy": lambda: busy(page_url=page),
        "zh": lambda: busy(Language.ZH, page),
    }


SLACK = Medium(
    "slack",
    on_slack.render,
    on_slack.render_parts,
    seen_on_slack.messages,
    seen_on_slack.said,
    seen_on_slack.accepted,
    mornings("https://rig.slack.example/archives/C0001/p1772701200000100", ""),
)
DISCORD = Medium(
    "discord",
    on_discord.render,
    on_discord.render_parts,
    seen_on_discord.messages,
    seen_on_discord.said,
    seen_on_discord.accepted,
    mornings("https://discord.com/channels/10001/1500000000000000001", "https://digest.example"),
)
MEDIA = (SLACK, DISCORD)


@pytest.fixture(params=MEDIA, ids=lambda each: each.name)
def medium(request: pytest.FixtureRequest) -> Medium:
    """Each platform in turn."""
    return request.param  # type: ignore[no-any-return]  # one of `MEDIA`


def test_messages_are_drawn_as_they_were_looked_at(medium: Medium) -> None:
    medium.kept()


@pytest.mark.parametrize("name", SLACK.mornings)
def test_every_morning_is_taken_and_about_all_its_items(medium: Medium, name: str) -> None:
    for thread in medium.mornings[name]():
        drawn = medium.render(thread)
        medium.accepted(drawn)
        about = {key for part in (thread.parent, *thread.replies) for key in part.about}
        assert {key for message in drawn for key in message.about} == about


@pytest.mark.parametrize("character", ["x", "&", "题", "<", "🔥", "`", "_", "*"])
def test_text_of_any_length_is_parted_and_never_cut(medium: Medium, character: str) -> None:
    long = character * 30_000
    shown = {character, "ˋ"} if character == "`" else {character}
    under = (Entry((Foreign(long),)),)
    blocks: tuple[Block, ...] = (
        Paragraph((Foreign(long),)),
        Paragraph((Foreign(long),), Tone.SMALL),
        Paragraph((Foreign(long),), Tone.LEAD),
        Bullets((Entry((Foreign(long), Link("#1", "https://x.example/1")), about=("k",)),)),
        Bullets((Entry((Words("over"),), under),)),
        Quote((Words("says"),), long),
        Hunk("a.py", long),
    )
    for block in blocks:
        drawn = medium.messages(block)
        assert sum(map(medium.said(drawn).count, shown)) >= 30_000
        medium.accepted(drawn)


def test_a_label_longer_than_a_message_keeps_its_link(medium: Medium) -> None:
    drawn = medium.messages(Paragraph((Link("x" * 30_000, "https://x.example/1"),)))
    assert medium.said(drawn).count("x") >= 30_000
    assert "https://x.example/1" in json.dumps([dict(each.payload) for each in drawn])
    medium.accepted(drawn)


def test_a_list_goes_on_in_the_next_message(medium: Medium) -> None:
    entries = tuple(Entry((Words(f"{n} " + "x" * 500),), about=(str(n),)) for n in range(50))
    drawn = medium.messages(Paragraph((Strong((Words("Attention"),)),)), Bullets(entries))
    assert len(drawn) > 1
    assert "Attention" in medium.said(drawn[:1])
    assert [key for message in drawn for key in message.about] == [str(n) for n in range(50)]
    medium.accepted(drawn)


def test_a_table_is_a_list_below_the_names_of_its_columns(medium: Medium) -> None:
    first = ((Words("flag"),), (), (Words("–"),), (Link("#1", "https://x.example"),))
    rows = (first, *(((Words(f"row {n}"),), (), (), (Words("b"),)) for n in range(600)))
    drawn = medium.messages(Table(("What", "Name", "", "From"), rows))
    shown = medium.said(drawn)
    assert "What · Name · From" in shown
    assert shown.count("row ") == 600
    medium.accepted(drawn)


def test_a_huge_change_is_answered_in_a_few_messages(medium: Medium) -> None:
    parts = answer_parts(ChangeReply(huge_change(), EN), request="kiln 1")
    drawn = medium.render_parts(parts, EN)
    assert len(drawn) <= 12
    medium.accepted(drawn)


def test_nothing_to_see_is_still_a_message_that_is_taken(medium: Medium) -> None:
    unseen = Foreign("\u200b")
    medium.accepted(medium.messages(Bullets((Entry((unseen,)),)), Table(("A",), (((unseen,),),))))
    medium.accepted(medium.messages(Hunk("a.py", "")))


def test_follow_ups_are_listed_with_their_references_and_a_choice_of_them(medium: Medium) -> None:
    (thread,) = busy()
    taken = followup(taken_by="wren", done_by="wren")
    items = [replace(taken, item_key=f"{taken.item_key}{n}", ref=f"#101{n}") for n in range(7)]
    parts = (
        with_state(thread.replies[0], taken, EN),
        followups_part([followup(), taken], EN),
        followups_part([], EN),
        choice_part("1500000000000000001", items[:3], EN),
        choice_part("1500000000000000001", items, EN),
    )
    drawn = medium.render_parts(parts, EN)
    medium.accepted(drawn)
    shown = json.dumps([message.payload for message in drawn])
    assert [item.ref for item in items if item.ref not in shown] == []


@pytest.mark.parametrize("medium", MEDIA, ids=lambda each: each.name)
@settings(
    max_examples=settings.default.max_examples // 2, suppress_health_check=[HealthCheck.too_slow]
)
@given(read=readings(), language=st.sampled_from(Language))
def test_no_day_breaks_a_limit_or_loses_an_item(
    medium: Medium, read: Reading, language: Language
) -> None:
    threads = plan([told(read), told(invented.busy(), FLINT)], [], subscription(language=language))
    drawn = [message for each in threads for message in medium.render(each)]
    medium.accepted(drawn)
    assert sum(message.is_parent for message in drawn) == len(threads)
    about = {key for message in drawn for key in message.about}
    assert {each.item.key for each in read.items} <= about
    full = medium.render_parts((show_all(told(read), language),), language)
    medium.accepted(full)
    everything = json.dumps([dict(each.payload) for each in full])
    assert all(each.item.url in everything for each in read.items)


MARKS = st.sampled_from(
    (
        *"aZ0 \t\n*_~`|<>[]()#-+:.@!&/{}$^='\"\\题🔥\u0301\u200b\u202e\u2028\x00\ud800",
        *("@everyone", "<!channel>", "<@U1>", "[a](https://x.example)", "discord.gg/x", "```"),
    )
)
TEXT = st.builds(
    lambda pieces, times: "".join(pieces) * times,
    st.lists(MARKS, max_size=12),
    st.sampled_from([1, 1, 1, 40, 400]),
)
URL = st.builds("https://x.example/{}".format, TEXT) | TEXT
LEAF = st.one_of(
    *(st.builds(kind, TEXT) for kind in (Words, Foreign, Code, Typed)), st.builds(Link, TEXT, URL)
)
RUNS = st.lists(
    LEAF | st.builds(Strong, st.tuples(LEAF)) | st.builds(Struck, st.tuples(LEAF, LEAF)), max_size=4
).map(tuple)
ENTRY = st.recursive(
    st.builds(Entry, RUNS, about=st.tuples(TEXT)),
    lambda inner: st.builds(Entry, RUNS, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=6,
)
BLOCK = st.one_of(
    st.builds(Paragraph, RUNS, st.sampled_from(Tone)),
    st.builds(Bullets, st.lists(ENTRY, max_size=4).map(tuple)),
    st.builds(Quote, RUNS, TEXT, st.booleans()),
    st.builds(Hunk, TEXT, TEXT),
    st.builds(Table, st.tuples(TEXT, TEXT), st.lists(st.tuples(RUNS, RUNS), max_size=4).map(tuple)),
)
ACTIONS = st.lists(st.builds(Action, st.sampled_from(ActionKind), TEXT, TEXT), max_size=60)


@pytest.mark.parametrize("medium", MEDIA, ids=lambda each: each.name)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    kind=st.sampled_from(PartKind),
    blocks=st.lists(BLOCK, min_size=1, max_size=8).map(tuple),
    actions=ACTIONS.map(tuple),
    summary=TEXT,
    state=RUNS,
)
def test_no_part_that_could_be_breaks_a_limit(
    medium: Medium,
    kind: PartKind,
    blocks: tuple[Block, ...],
    actions: tuple[Action, ...],
    summary: str,
    state: Runs,
) -> None:
    part = Part(kind, blocks, (f"{FLINT}:issue:1",), actions, summary, state)
    medium.accepted(medium.render_parts((part,), EN))
