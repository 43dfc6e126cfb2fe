"""Messages as they look in a chat: what a stranger wrote stays their text."""

from adapters.pages.chat_page import ChatPage, Scene, ShownMessage, render
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


def test_every_block_has_its_lines() -> None:
    kinds = [(line.kind, line.level, text(line.runs)) for line in ShownMessage(PART, "09:00").lines]

    assert kinds == [
        ("title", 0, "A day"),
        ("text", 0, "New --flag\nbelow"),
        ("bullet", 0, f"{HOSTILE} #7"),
        ("bullet", 0, "old"),
        ("bullet", 1, "inner"),
        ("quote", 0, "said"),
        ("small", 0, "small #7"),
    ]


def test_a_page_escapes_what_strangers_wrote() -> None:
    page = render(
        ChatPage("A", "B", "C", [Scene("D", "E", [ShownMessage(PART, "09:00")])], [("F", HOSTILE)]),
        Language.EN,
    )

    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 3
    assert 'evil.example"' not in page
