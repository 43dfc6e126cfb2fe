"""The publisher posts once, finds what it posted, and says in the bot's words what went wrong."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.client import SlackPublisher
from bot.model.channels import Channel, Platform
from bot.model.parts import Part, PartKind
from bot.model.ports import (
    ChannelGone,
    Limited,
    MessageGone,
    NoPermission,
    OutcomeUnknown,
    PlatformDown,
    PublishError,
    Refused,
    TokenRevoked,
    TooManyMessages,
)
from digest.languages import Language
from digest.writing.document import Paragraph, Words

CHANNEL = Channel(Platform.SLACK, "T0AAAAAAA", "C1")
PAYLOAD = json.dumps({"text": "hello", "blocks": [{"type": "divider"}]})


async def test_a_message_is_posted_with_its_mark_and_without_previews(
    slack: Any, publisher: SlackPublisher
) -> None:
    ref = await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")

    (asked,) = slack.called("chat.postMessage")
    assert slack.posts[0].ts == ref
    assert asked["token"] == "xoxb-fake"
    assert asked["text"] == "hello"
    assert asked["blocks"] == [{"type": "divider"}]
    assert asked["metadata"] == {"event_type": "infra_post", "event_payload": {"nonce": "n1"}}
    assert (asked["unfurl_links"], asked["unfurl_media"]) == (False, False)
    assert "thread_ts" not in asked

    await publisher.edit(CHANNEL, ref, PAYLOAD)

    (edit,) = slack.called("chat.update")
    assert (edit["parse"], edit["link_names"]) == ("none", False), "as a new message is read"


async def test_a_reply_is_found_on_a_later_page_of_its_thread(
    slack: Any, publisher: SlackPublisher
) -> None:
    slack.page = 2
    parent = await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n0")
    refs = [
        await publisher.send(CHANNEL, PAYLOAD, parent=parent, nonce=f"n{number}")
        for number in range(1, 6)
    ]

    assert [post.thread_ts for post in slack.posts] == [None, *[parent] * 5]
    assert await publisher.find(CHANNEL, "n5", parent=parent) == refs[-1]
    assert await publisher.find(CHANNEL, "n5", parent=None) is None


async def test_looking_for_a_message_ends_and_what_was_not_looked_at_is_not_taken_for_absent(
    slack: Any, publisher: SlackPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adapters.slack.client.LOOKED_THROUGH", 10)
    slack.page = 1
    for number in range(12):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce=f"n{number}")

    with pytest.raises(TooManyMessages):
        await publisher.find(CHANNEL, "n0", parent=None)
    assert len(slack.called("conversations.history")) == 10
    for sent in slack.posts[:2]:
        await publisher.delete(CHANNEL, sent.ts)
    assert await publisher.find(CHANNEL, "n0", parent=None) is None


async def test_a_person_reads_the_name_of_a_channel_and_not_its_number(
    slack: Any, publisher: SlackPublisher
) -> None:
    text = f"Nothing more is posted to {CHANNEL}: it is archived <!here>."
    part = Part(PartKind.NOTICE, (Paragraph((Words(text),)),), summary=text)
    (message,) = publisher.render_parts([part], Language.EN)

    await publisher.tell(CHANNEL, "U1", message.payload)

    (post,) = slack.posts
    assert post.channel == "U1"
    assert post.text == "Nothing more is posted to <#C1>: it is archived &lt;!here&gt;."


@pytest.mark.parametrize(
    ("code", "kind", "says"),
    [
        ("channel_not_found", ChannelGone, "/invite @Infra"),
        ("is_archived", ChannelGone, "unarchive"),
        ("not_in_channel", NoPermission, "/invite @Infra"),
        ("restricted_action", NoPermission, "an admin"),
        ("missing_scope", NoPermission, "chat:write"),
        ("invalid_auth", TokenRevoked, "SLACK_BOT_TOKEN"),
        ("token_revoked", TokenRevoked, "SLACK_BOT_TOKEN"),
        ("account_inactive", TokenRevoked, "SLACK_BOT_TOKEN"),
        ("msg_blocks_too_long", Refused, "long"),
        ("invalid_blocks", Refused, "drawn"),
        ("thread_not_found", MessageGone, "does not exist"),
        ("internal_error", OutcomeUnknown, "does not say"),
        ("fatal_error", OutcomeUnknown, "does not say"),
        ("never_heard_of", PlatformDown, "never_heard_of"),
    ],
)
async def test_every_refusal_says_what_to_do(
    slack: Any,
    publisher: SlackPublisher,
    faults: Callable[..., Any],
    code: str,
    kind: type[PublishError],
    says: str,
) -> None:
    body = {"ok": False, "error": code, "needed": "chat:write"}
    slack.fail("chat.postMessage", faults(body=body))

    with pytest.raises(kind, match=says):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")

    assert len(slack.called("chat.postMessage")) == 1


async def test_a_channel_gets_a_burst_and_then_a_message_an_interval(slack: Any) -> None:
    publisher = SlackPublisher("xoxb-fake", api_url=slack.api, interval=0.1)
    began = asyncio.get_running_loop().time()
    for number in range(5):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce=f"n{number}")
    assert asyncio.get_running_loop().time() - began >= 0.2
    await publisher.close()


async def test_a_limit_says_for_how_long(
    slack: Any, publisher: SlackPublisher, faults: Callable[..., Any]
) -> None:
    limited = {"ok": False, "error": "ratelimited"}
    slack.fail("chat.postMessage", faults(429, limited, {"Retry-After": "7"}), faults(429, limited))

    with pytest.raises(Limited) as first:
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")
    other = replace(CHANNEL, id="C2")
    with pytest.raises(Limited) as second:
        await publisher.send(other, PAYLOAD, parent=None, nonce="n1")

    assert first.value.retry_after == 7
    assert second.value.retry_after == 30
    assert slack.posts == []


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 500},
        {"status": 503, "body": "<html>upstream</html>"},
        {"status": 200, "body": "not json"},
        {"status": 200, "body": "<html>ok</html>", "headers": {"Content-Type": "text/html"}},
        {"status": 200, "body": {"error": "bad gateway"}},
        {"status": 200, "body": {"ok": False}},
        {"status": 200, "body": "[]"},
        {"status": 200, "body": {"ok": True}},
        {"drop": True},
    ],
)
async def test_what_does_not_say_whether_it_was_done_is_looked_for(
    slack: Any, publisher: SlackPublisher, faults: Callable[..., Any], fault: dict[str, Any]
) -> None:
    slack.fail("chat.postMessage", faults(**fault))

    with pytest.raises(OutcomeUnknown):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")


@pytest.mark.parametrize("body", ["<html>ok</html>", {"message": "ok"}])
async def test_what_was_posted_before_a_proxy_answered_for_slack_is_found(
    slack: Any, publisher: SlackPublisher, faults: Callable[..., Any], body: Any
) -> None:
    headers = {"Content-Type": "text/html"} if isinstance(body, str) else {}
    slack.fail("chat.postMessage", faults(200, body, headers=headers, after=True))

    with pytest.raises(OutcomeUnknown):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")

    assert await publisher.find(CHANNEL, "n1", parent=None) == slack.posts[0].ts


@pytest.mark.parametrize("status", [403, 404, 413])
async def test_a_page_of_what_stands_before_slack_is_tried_again_later(
    slack: Any, publisher: SlackPublisher, faults: Callable[..., Any], status: int
) -> None:
    slack.fail("chat.postMessage", faults(status, "<html>Blocked</html>"))

    with pytest.raises(PlatformDown, match=f"before Slack refuses with status {status}"):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")


async def test_a_slack_that_is_not_there_took_nothing() -> None:
    publisher = SlackPublisher("xoxb-fake", api_url="http://127.0.0.1:9/api/")

    with pytest.raises(PlatformDown):
        await publisher.send(CHANNEL, PAYLOAD, parent=None, nonce="n1")
    await publisher.close()


@pytest.mark.parametrize(
    ("channel", "is_shared"),
    [
        ({}, False),
        ({"is_ext_shared": True}, True),
        ({"is_pending_ext_shared": True}, True),
        ({"is_shared": True, "is_org_shared": True}, False),
    ],
)
async def test_a_channel_is_shared_with_another_organisation_or_not(
    slack: Any, publisher: SlackPublisher, channel: dict[str, Any], is_shared: bool
) -> None:
    slack.channel = channel

    assert await publisher.is_shared(CHANNEL, "") == is_shared


@pytest.mark.parametrize(
    "body",
    [
        {"ok": False, "error": "missing_scope"},
        {"ok": True},
        {"ok": True, "channel": None},
        {"ok": True, "channel": {"id": "C9"}},
    ],
)
async def test_a_channel_that_slack_does_not_show_counts_as_shared(
    slack: Any, publisher: SlackPublisher, faults: Any, body: dict[str, Any]
) -> None:
    slack.fail("conversations.info", faults(body=body))

    assert await publisher.is_shared(CHANNEL, "")
    assert not await publisher.is_shared(CHANNEL, "")  # nothing was remembered of that


@pytest.mark.parametrize(
    ("channel", "is_public"),
    [({}, True), ({"is_private": True}, False), ({"is_mpim": True}, False)],
)
async def test_a_channel_is_read_by_everybody_or_not(
    slack: Any, publisher: SlackPublisher, channel: dict[str, Any], is_public: bool
) -> None:
    slack.channel = channel

    assert await publisher.is_public(CHANNEL) == is_public
    assert not await publisher.is_public(replace(CHANNEL, id="D1"))


@pytest.mark.parametrize("guest", [{"is_restricted": True}, {"deleted": True}, {"team_id": "T2"}])
async def test_a_conversation_of_two_is_shared_once_its_person_is_a_stranger(
    slack: Any, publisher: SlackPublisher, faults: Any, guest: dict[str, Any]
) -> None:
    direct = replace(CHANNEL, id="D1")
    assert not await publisher.is_shared(direct, "U1")
    assert not await publisher.is_stranger(CHANNEL, "U1")

    slack.users["U2"] = guest
    assert await publisher.is_shared(direct, "U2")
    assert await publisher.is_shared(direct, "")
    slack.fail("users.info", faults(body={"ok": False, "error": "user_not_found"}))
    assert await publisher.is_shared(direct, "U3")
    assert not await publisher.is_shared(direct, "U3")
    missing = faults(body={"ok": False, "error": "missing_scope", "needed": "users:read"})
    slack.fail("users.info", missing, missing)
    assert await publisher.is_shared(direct, "U3")
    with pytest.raises(NoPermission):  # it is not known, which makes no stranger of anybody
        await publisher.is_stranger(CHANNEL, "U3")


async def test_who_is_deactivated_unknown_or_out_of_the_channel_has_left(
    slack: Any, publisher: SlackPublisher, faults: Any
) -> None:
    slack.members["C1"] = ["U1", "U2"]
    slack.users["U2"] = {"deleted": True}
    left = [await publisher.has_left(CHANNEL, each) for each in ("U1", "U2", "U3")]
    assert left == [False, True, True]

    slack.fail("users.info", faults(body={"ok": False, "error": "user_not_found"}))
    assert await publisher.has_left(CHANNEL, "U1")
    slack.fail("users.info", faults(body={"ok": False, "error": "internal_error"}))
    with pytest.raises(PublishError):
        await publisher.has_left(CHANNEL, "U1")


async def test_one_person_is_asked_alone_in_the_thread(
    slack: Any, publisher: SlackPublisher
) -> None:
    assert await publisher.ask(CHANNEL, "U1", '{"text": "which one?"}', parent="1.0")

    (asked,) = slack.ephemeral
    assert (asked["user"], asked["channel"], asked["thread_ts"]) == ("U1", "C1", "1.0")
    assert slack.posts == []
