"""Messages are read back as the platforms read them: what is escaped stays a stranger's text."""

from typing import Any

import pytest

from adapters.discord.render import render_parts as discord_parts
from adapters.pages.chat_page import (
    ChatPage,
    Line,
    Scene,
    Shown,
    discord_message,
    render,
    slack_message,
)
from adapters.slack.render import render_parts as slack_parts
from bot.model.parts import Part, PartKind
from digest.languages import Language
from digest.writing.document import (
    Bullets,
    Code,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Quote,
    Run,
    Strong,
    Struck,
    Tone,
    Words,
)

HOSTILE = (
    "<script>alert(1)</script> **bold** ~~gone~~ [a](https://evil.example)"
    " <https://evil.example|b> *c* \\ &lt;"
)
PULL = "https://github.com/lumen-org/lumen/pull/7"
PART = Part(
    PartKind.ITEM,
    (
        Paragraph((Words("A day"),), Tone.LEAD),
        Paragraph((Strong((Words("New"),)), Words(" "), Code("--flag"), Words("\nbelow"))),
        Bullets((Entry((Foreign(HOSTILE), Words(" "), Link("#7", PULL))),)),
        Bullets((Entry((Struck((Words("old"),)),), under=(Entry((Words("inner"),)),)),)),
        Quote((), "said"),
        Paragraph((Words("small "), Link("#7", PULL)), Tone.SMALL),
    ),
    summary="A day",
)


def text(runs: tuple[Run, ...]) -> str:
    return "".join(
        text(run.runs)
        if isinstance(run, Strong | Struck)
        else run.label
        if isinstance(run, Link)
        else run.text
        for run in runs
    )


@pytest.fixture(params=[(slack_parts, slack_message), (discord_parts, discord_message)])
def lines(request: pytest.FixtureRequest) -> tuple[Line, ...]:
    parts, read = request.param
    (message,) = parts((PART,), Language.EN)
    payload: Any = message.payload
    return tuple(line for line in read(payload).lines if line.kind != "gap")


def test_every_line_is_read_back_as_what_it_was(lines: tuple[Line, ...]) -> None:
    kinds = [(line.kind, line.level, text(line.runs)) for line in lines]

    assert kinds == [
        ("title", 0, "A day"),
        ("text", 0, "New --flag"),
        ("text", 0, "below"),
        ("bullet", 0, f"{HOSTILE} #7"),
        ("bullet", 0, "old"),
        ("bullet", 1, "inner"),
        ("quote", 0, "said"),
        ("small", 0, "small #7"),
    ]
    assert Link("#7", PULL) in lines[3].runs
    assert all(isinstance(run, Words | Link) for run in lines[3].runs)
    assert Struck((Words("old"),)) in lines[4].runs


def test_a_page_escapes_what_strangers_wrote(lines: tuple[Line, ...]) -> None:
    (message,) = slack_parts((PART,), Language.EN)
    shown = [Shown(slack_message(message.payload), "09:00")]
    page = render(
        ChatPage("A", "B", "C", [Scene("D", "E", shown, shown)], [("F", HOSTILE)]), Language.EN
    )

    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 3
    assert 'evil.example"' not in page
