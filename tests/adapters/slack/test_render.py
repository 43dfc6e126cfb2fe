"""Parts are drawn in Slack's own form, whole and within its limits."""

from dataclasses import replace

import pytest

from adapters.slack.render import (
    actions,
    escape,
    fitting,
    mrkdwn,
    quoted,
    render_parts,
    rich,
    words_alone,
)
from adapters.web.addresses import address
from bot.model.parts import Action, ActionKind, Part, PartKind
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Strong,
    Struck,
    Tone,
    Words,
)
from digest.writing.phrasing import has_links
from tests.adapters.slack.drawn import EN, accepted, messages, said


def test_a_heading_never_ends_a_message() -> None:
    drawn = messages(
        Paragraph((Words("x" * 9_900),)),
        Paragraph((Strong((Words("Heading"),)),)),
        Bullets((Entry((Words("y" * 2_000),)),)),
    )
    assert ["Heading" in said([message]) for message in drawn] == [False, True]
    accepted(drawn)


def test_more_blocks_than_a_message_holds_go_on_in_the_next() -> None:
    pair = (Paragraph((Words("text"),)), Paragraph((Words("small"),), Tone.SMALL))
    drawn = messages(*(pair * 60))
    assert [len(message.payload["blocks"]) for message in drawn] == [50, 50, 20]
    accepted(drawn)


def test_a_title_that_links_or_is_long_is_no_header() -> None:
    for runs in ((Link("#1", "https://x.example"),), (Words("x" * 151),), (Words("&" * 40),)):
        (message,) = messages(Paragraph(runs, Tone.LEAD))
        (block,) = message.payload["blocks"]
        assert block["type"] == "rich_text"
        assert block["elements"][0]["elements"][0]["style"] == {"bold": True}


def test_nested_entries_are_indented_lists() -> None:
    (message,) = messages(
        Bullets((Entry((Words("a"),), (Entry((Words("b"),)),)), Entry((Words("c"),))))
    )
    lists = message.payload["blocks"][0]["elements"]
    assert [(each["indent"], len(each["elements"])) for each in lists] == [(0, 1), (1, 1), (0, 1)]


def test_a_notification_is_escaped_and_short() -> None:
    part = Part(PartKind.NOTICE, (Paragraph((Words("x"),)),), summary="<!here> " + "&" * 5_000)
    (message,) = render_parts((part,), EN)
    assert message.payload["text"].startswith("&lt;!here&gt; ")
    assert len(message.payload["text"].encode()) <= 3_100
    (message,) = render_parts((replace(part, summary=""),), EN)
    assert message.payload["text"]


def test_exactly_three_characters_are_escaped() -> None:
    assert escape("<!here> & *b* _i_ `c` ~s~ | &lt;") == (
        "&lt;!here&gt; &amp; *b* _i_ `c` ~s~ | &amp;lt;"
    )


@pytest.mark.parametrize(
    "title",
    [
        "<!channel> <@U0001> <!subteam^S1> <https://evil.example|docs>",
        "*bold* _it_ ``code ~gone~ :tada: &lt;!here&gt; [x](https://evil.example)",
    ],
)
def test_in_rich_text_a_strangers_title_is_text_and_nothing_else(title: str) -> None:
    assert rich((Foreign(title),)) == [{"type": "text", "text": title}]


def test_a_title_in_small_print_cannot_ping_or_link() -> None:
    said = mrkdwn((Foreign("<!channel> <https://evil.example|docs> &lt;"), Words(" · ")))
    assert "<" not in said
    assert said.startswith("&lt;!channel&gt;")


@pytest.mark.parametrize(
    "path", ["csrc/__init__.py", "*x*", "`x`", "~x~", "_x_", ":white_check_mark: done", "> x"]
)
def test_small_print_with_a_link_has_no_mark_that_would_be_read_as_one_of_ours(path: str) -> None:
    link = Link("#1", "https://x.example/1")
    (message,) = messages(Paragraph((Code(path), Foreign(" in flash_attn · "), link), Tone.SMALL))
    (block,) = message.payload["blocks"]
    assert block["type"] == "rich_text"
    assert path in said([message])
    (message,) = messages(Paragraph((Code("csrc/flash_attn.cu"), Words(" · "), link), Tone.SMALL))
    assert message.payload["blocks"][0]["elements"][0]["type"] == "mrkdwn"


def test_runs_become_elements_with_their_styles() -> None:
    runs = (
        Strong((Foreign("Fix"), Words(" "), Code("--heat"))),
        Struck((Foreign("gone"),)),
        Link("#1", "https://github.com/a/b/pull/1"),
    )
    assert rich(runs) == [
        {"type": "text", "text": "Fix ", "style": {"bold": True}},
        {"type": "text", "text": "--heat", "style": {"bold": True, "code": True}},
        {"type": "text", "text": "gone", "style": {"strike": True}},
        {"type": "link", "url": "https://github.com/a/b/pull/1", "text": "#1"},
    ]
    assert words_alone(runs) == "Fix --heatgone#1"
    assert mrkdwn(runs) == "*Fix --heat*~gone~<https://github.com/a/b/pull/1|#1>"
    assert has_links(runs)
    assert has_links((Strong((Link("x", ""),)),))
    assert not has_links(runs[:2])


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "data:text/html,x", "//evil.example"])
def test_what_is_no_web_address_is_no_link(url: str) -> None:
    assert address(url) == ""
    assert rich((Link("#1", url),)) == [{"type": "text", "text": "#1"}]
    assert mrkdwn((Link("#1", url),)) == "#1"


def test_an_address_cannot_end_its_link_early() -> None:
    url = "https://x.example/a b|c>d<e\u202e\"'"
    assert address(url) == "https://x.example/a%20b%7Cc%3Ed%3Ce%22%27"
    assert mrkdwn((Link("a|b>c", url),)) == f"<{address(url)}|a¦b&gt;c>"


def test_what_cannot_be_seen_is_left_out() -> None:
    hidden = "a\u202eb\u200b\x00c\nd\ud800"
    assert rich((Foreign(hidden),)) == [{"type": "text", "text": "abc d\ufffd"}]
    assert rich((Foreign("\u200b"), Code("\u202e"), Link("\u200b", "https://x.example"))) == []
    assert mrkdwn((Foreign(hidden), Link("\u200b", "https://x.example"))) == "abc d\ufffd"


def test_an_authors_words_keep_their_code_bold_words_and_headings() -> None:
    words = "## What `is`\n\n**Breaking:** `--a` goes\n- [safe](https://evil.example) <!here>"
    bold, code = {"bold": True}, {"code": True}
    assert quoted(words) == [
        {"type": "text", "text": "What ", "style": bold},
        {"type": "text", "text": "is", "style": bold | code},
        {"type": "text", "text": "\n"},
        {"type": "text", "text": "Breaking:", "style": bold},
        {"type": "text", "text": " "},
        {"type": "text", "text": "--a", "style": code},
        {"type": "text", "text": " goes\n- safe <!here>"},
    ]


def choices(count: int, length: int = 10) -> list[Action]:
    return [Action(ActionKind.CHOOSE, f"{n:0{length}}", f"#{n} Title") for n in range(count)]


def test_a_page_is_opened_by_its_address() -> None:
    (block,) = actions([Action(ActionKind.PAGE, "https://digest.example/a", "Page")])
    (button,) = block["elements"]
    assert button["url"] == "https://digest.example/a"
    assert "value" not in button
    for nowhere in ("", "file:///x", "https://x.example/" + "a" * 3_000):
        assert actions([Action(ActionKind.PAGE, nowhere, "Page")]) == []


def test_many_choices_make_menus_of_a_hundred() -> None:
    blocks = actions([*choices(250), Action(ActionKind.SHARE, "x", "Share")])
    sizes = [len(block["elements"][0].get("options", ())) for block in blocks]
    assert sizes == [100, 100, 50, 0]
    assert blocks[1]["elements"][0]["action_id"] == "infra:choose:2"


def test_labels_fit_after_escaping() -> None:
    for label in ("x" * 100, "&" * 100, "<&>" * 40, "题" * 100, "short", ""):
        assert 1 <= len(escape(fitting(label))) <= 75
    assert fitting("short") == "short"
    assert fitting("x" * 100).endswith("…")
