import json
from dataclasses import replace
from datetime import UTC, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.channel_commands import (
    LEFT_OUT,
    WEEKDAYS,
    Quiet,
    Subscribe,
    parse_chat,
)
from bot.model.channels import Channel, Person, Platform
from bot.model.following import Following
from bot.model.policy import Policy, may_change, read_policy
from bot.model.subscriptions import (
    MAX_REPOS,
    Subscription,
    changed,
)
from bot.wording.channel_words import as_command, described
from digest import codec
from digest.errors import UsageError
from digest.languages import Language
from digest.models import Repo, State
from digest.upstream import Standing
from digest.wording.phrases import SAY

CHANNEL = Channel(Platform.SLACK, "T1", "C1")
ANN = Person(Platform.SLACK, "T1", "U1", "Ann")
NOW = datetime(2026, 2, 12, 9, tzinfo=UTC)
VLLM, SGLANG = Repo("vllm-project", "vllm"), Repo("sgl-project", "sglang")


def subscribed(
    current: Subscription | None, command: Subscribe, *repos: Repo, tz: str = "Europe/Berlin"
) -> Subscription:
    return changed(
        current,
        command,
        repos=repos,
        channel=CHANNEL,
        person=ANN,
        now=NOW,
        tz=tz,
        language=Language.EN,
    )


def test_a_channel_takes_so_many_repositories_and_no_more() -> None:
    many = [Repo("o", f"r{n}") for n in range(MAX_REPOS)]
    full = subscribed(None, Subscribe(), *many)

    assert len(full.repos) == MAX_REPOS
    with pytest.raises(UsageError, match="too many for one channel"):
        subscribed(full, Subscribe(), VLLM)


def test_every_member_may_change_settings_unless_it_is_said_who() -> None:
    admin = replace(ANN, id="U9", may_manage=True)
    named = read_policy("slack:T1/U1, discord:1234/5678")

    assert may_change(ANN, Policy())
    assert not may_change(ANN, read_policy("admins"))
    assert may_change(admin, read_policy("admins"))
    assert may_change(ANN, named)
    assert may_change(admin, named)
    assert not may_change(replace(ANN, id="U2"), named)
    assert not may_change(replace(ANN, workspace="T2"), named)


def test_who_may_is_read_or_refused_with_the_right_form() -> None:
    assert read_policy("") == read_policy("Members") == Policy()
    with pytest.raises(UsageError, match="ann is nobody: write members, admins, or people and"):
        read_policy("slack:T1/U1 ann")


def test_settings_are_said_in_one_sentence() -> None:
    plain = subscribed(None, Subscribe(), VLLM)
    rich = subscribed(
        plain,
        Subscribe(
            at=time(8, 5),
            days=WEEKDAYS,
            language=Language.ZH,
            without=frozenset({"docs", "bots"}),
            paths=("csrc/**",),
            topics=("moe",),
            quiet=Quiet.NOTHING,
            one_thread=True,
        ),
        SGLANG,
        Repo("o", "r"),
    )

    assert described(plain, Language.EN) == (
        "vllm-project/vllm every day at 09:00 Europe/Berlin, in English"
    )
    assert described(rich, Language.EN) == (
        "vllm-project/vllm, sgl-project/sglang and o/r on weekdays at 08:05 Europe/Berlin, "
        "in 中文, without bots and docs, paths csrc/**, topics moe, nothing on quiet days, "
        "all in one thread"
    )
    assert described(plain, Language.ZH) == (
        "每天 09:00（Europe/Berlin）播报 vllm-project/vllm，English"
    )
    assert described(rich, Language.ZH) == (
        "工作日 08:05（Europe/Berlin）播报 vllm-project/vllm、sgl-project/sglang、o/r，中文，"
        "不含：机器人、文档，路径 csrc/**，主题 moe，平静的日子不发，合并为一个讨论串"
    )


def test_sentences_that_older_versions_stored_are_said_as_they_stand() -> None:
    why = SAY.absences.failing("Monday", SAY.slack.not_in)
    one = replace(subscribed(None, Subscribe(), VLLM), paused=why)
    stored = json.loads(codec.dump(one))
    assert codec.load(Subscription, json.dumps(stored)) == one
    assert all("Monday" in described(one, each) for each in Language)

    older = codec.load(
        Subscription, json.dumps(stored | {"paused": "频道已归档", "last_error": ""})
    )
    assert described(older, Language.EN).endswith("; paused: 频道已归档")
    assert not older.last_error


SUBSCRIPTIONS = st.builds(
    lambda names, **chosen: replace(
        subscribed(None, Subscribe(), *(Repo("o", name) for name in names)), **chosen
    ),
    st.lists(st.sampled_from(["a", "b", "c-d", "e.f"]), min_size=1, unique=True),
    at=st.builds(time, st.integers(0, 23), st.integers(0, 59)),
    tz=st.sampled_from(["UTC", "Asia/Shanghai", "America/Argentina/Buenos_Aires", "Etc/GMT+12"]),
    days=st.frozensets(st.integers(0, 6), min_size=1),
    language=st.sampled_from(Language),
    without=st.frozensets(st.sampled_from(LEFT_OUT)),
    paths=st.sampled_from([(), ("csrc/**", "*.cu")]),
    topics=st.sampled_from([(), ("moe", "注意力")]),
    quiet=st.sampled_from(Quiet),
    one_thread=st.booleans(),
)


@given(SUBSCRIPTIONS, st.booleans())
def test_the_command_of_a_channels_settings_gives_the_same_settings(
    wanted: Subscription, weekly: bool
) -> None:
    wanted = replace(wanted, weekly=weekly and len(wanted.days) == 1)
    command = parse_chat(as_command(wanted))

    assert isinstance(command, Subscribe)
    repos = [Repo.parse(name) for name in command.repos]
    assert subscribed(None, command, *repos) == wanted


def test_what_was_told_last_keeps_the_names_that_older_versions_read() -> None:
    one = replace(
        subscribed(None, Subscribe(), VLLM),
        last_delivered_end=NOW,
        last_delivered_date=NOW.date(),
    )

    stored = json.loads(codec.dump(one))

    assert (stored["last_told_end"], stored["last_told_date"]) == (
        "2026-02-12T09:00:00Z",
        "2026-02-12",
    )
    assert codec.load(Subscription, json.dumps(stored)) == one


def test_what_was_reported_of_an_item_keeps_the_names_that_older_versions_read() -> None:
    known = Following(Standing(State.OPEN), reported_at=NOW)

    stored = json.loads(codec.dump(known))

    assert stored["told"]["state"] == "open"
    assert stored["told_at"] == "2026-02-12T09:00:00Z"
    assert codec.load(Following, json.dumps(stored)) == known
