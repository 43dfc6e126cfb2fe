import pytest

from adapters.slack.render import (
    address,
    escape,
    mrkdwn,
    quoted,
    rich,
    words_alone,
)
from digest.writing.document import Code, Foreign, Link, Strong, Struck, Words
from digest.writing.phrasing import has_links


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
    assert address(url) == "https://x.example/a%20b%7Cc%3Ed%3Ce%22'"
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
