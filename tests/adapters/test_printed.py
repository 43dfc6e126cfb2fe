"""Results that an author printed keep their columns on every platform."""

import json

from adapters.discord.render import pieces as discord
from adapters.slack.render import pieces as slack
from digest.writing.document import Foreign, Quote

TABLE = "| a | before |\n|---|---|\n| 1 | <!channel> `9` |"
RESULT = Quote((Foreign("Results"),), TABLE, printed=True)
SAID = Quote((Foreign("wren"),), TABLE)


def test_on_slack_they_are_preformatted_under_their_heading() -> None:
    heading, table = slack([RESULT])
    assert [fragment.kind for fragment in heading.fragments] == ["section"]
    assert [fragment.kind for fragment in table.fragments] == ["preformatted"]
    assert TABLE in json.dumps(
        [fragment.elements for fragment in table.fragments], ensure_ascii=False
    ).replace("\\n", "\n")
    assert [fragment.kind for piece in slack([SAID]) for fragment in piece.fragments][-1] == "quote"


def test_on_discord_they_stand_in_a_block_of_code() -> None:
    *_, table = discord([RESULT])
    assert table.text.startswith("```")
    assert "| a | before |\n|---|---|" in table.text
    assert not discord([SAID])[-1].text.startswith("```")
