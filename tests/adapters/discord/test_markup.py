import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.markup import (
    JOINER,
    LONGEST_ADDRESS,
    escape,
    lines,
    marked,
    segments,
    shortened,
    units,
)
from adapters.web.addresses import address
from digest.writing.document import Code, Foreign, Link, Run, Strong, Struck, Words
from digest.writing.visible import visible
from tests.adapters.discord.dialect import seen

MARKED = r"""abc 019 \*_~`|<>[]()#-+:.@!&/{}$^='"题🔥"""


def drawn(*runs: Run) -> str:
    return "\n".join(marked(line) for line in lines(segments(runs)))


def plain(text: str) -> str:
    return text.replace(JOINER, "").replace("ˋ", "`")


def without_ticks(text: str) -> str:
    return text.replace("`", "")


@pytest.mark.parametrize(
    "hostile",
    [
        "**bold** __under__ _it_ *it* ~~gone~~ ||spoiler|| `code` ```block```",
        "[click](https://evil.example) <https://evil.example> https://evil.example",
        "@everyone @here <@123456789012345678> <@&123> <#123> <t:1700000000:R> </cmd:123> <a:e:1>",
        ":tada: :+1: 10:30 std::vector",
        "# heading",
        "-# small",
        "- list",
        "> quote",
        ">>> quote",
        "1. one",
        "+ plus",
        " # later",
        "\\*not\\* \\\\",
        "]( [[ ]] ![picture](https://evil.example/x.png)",
        "steam://run discord://-/channels",
    ],
)
def test_nothing_that_a_stranger_writes_means_anything(hostile: str) -> None:
    for runs in (
        (Foreign(hostile),),
        (Strong((Foreign(hostile),)),),
        (Struck((Foreign(hostile),)),),
    ):
        shown = seen(drawn(*runs))
        assert without_ticks(plain(shown.text)) == without_ticks(hostile)
        assert {name for name, _ in shown.marks} <= {"code", "bold", "strike"}


@given(st.text(MARKED, max_size=60), st.text(MARKED, max_size=20))
def test_no_text_means_anything_wherever_it_stands(first: str, second: str) -> None:
    link = Link("#1", "https://github.com/example-org/kiln/pull/1")
    shown = seen(drawn(Foreign(first), Words(second), Words(" "), link))
    assert [mark for mark in shown.marks if mark[0] != "code"] == [("link", link.url)]
    wanted = without_ticks(f"{first}{second} #1")
    assert without_ticks(plain(shown.text)).split() == visible(wanted).split()


def test_code_with_backticks_stays_code_where_it_can() -> None:
    assert seen(drawn(Code("a`b"))).marks == [("code", "a`b")] or "`` a`b ``" in drawn(Code("a`b"))
    assert drawn(Code("--flag")) == "`--flag`"
    assert drawn(Code("``")) == "ˋˋ"
    assert drawn(Code("a"), Strong((Code("b"),)), Code("c"), Code("d")) == "`a`**`b`**`cd`"


def test_links_lead_where_they_say() -> None:
    url = "https://github.com/example-org/kiln/pull/1"
    assert drawn(Link("#1", url)) == f"[#1]({url})"
    assert drawn(Link("PR #1", url)) == f"[PR #1]({url})"
    assert drawn(Link("v1_0_0-rc.1", url)) == f"[v1_0_0-rc.1]({url})"
    assert drawn(Link("#1", "")) == r"\#1"
    assert drawn(Link("#1", "javascript:alert(1)")) == r"\#1"
    assert drawn(Link("", url)) == ""


def test_an_address_has_nothing_that_ends_a_link() -> None:
    assert (
        address("https://x.example/a(b)*~~<c> d")
        == "https://x.example/a%28b%29%2A%7E%7E%3Cc%3E%20d"
    )
    assert address("https://x.example/" + "a" * 1_000, LONGEST_ADDRESS) == ""


def test_a_mention_is_broken_without_a_line_to_break() -> None:
    assert escape("@everyone @here <@1>") == f"@{JOINER}everyone @{JOINER}here \\<@{JOINER}1\\>"
    assert escape("mail@example.org") == "mail@example.org"
    broken = drawn(Words("@"), Words("everyone"), Words(" <"), Foreign("@5>"))
    assert not re.search(r"@everyone|@\d", broken)


def test_lengths_are_those_of_discords_clients() -> None:
    assert (units("abc"), units("题"), units("🔥")) == (3, 1, 2)
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "ab…"
    assert shortened("🔥🔥🔥", 4) == "🔥…"


@pytest.mark.parametrize("mention", ["@everyone", "@here", "<@1234>", "<@&1234>"])
def test_a_mention_is_broken_wherever_a_long_text_is_cut(mention: str) -> None:
    for before in range(480, 520):
        text = "a" * before + " " + mention + " b" * 300
        told = drawn(Foreign(text))
        assert mention not in told.replace("\\", ""), before
        assert plain(told).replace("\\", "").startswith(text[:480])


@pytest.mark.parametrize(
    "invitation",
    [
        "discord.gg/evil",
        "https://DISCORD.gg/evil",
        "discord.com/invite\\evil",
        "discordapp.com/invite/x",
    ],
)
def test_an_invitation_is_broken_in_text_code_labels_and_where_a_long_text_is_cut(
    invitation: str,
) -> None:
    link = Link(invitation, "https://github.com/a/b/pull/1")
    for runs in (
        (Foreign(f"join {invitation}"), Code(invitation), link),
        *((Foreign("a" * before + f" {invitation}"),) for before in range(485, 500)),
    ):
        told = drawn(*runs)
        assert not re.search(r"discord(app)?\.(gg|com)", told.replace("\\", ""), re.IGNORECASE)
        assert invitation.replace("\\", "") in plain(told).replace("\\", "")
