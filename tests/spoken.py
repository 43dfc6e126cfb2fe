"""Say a thread, an error, Slack's form, Discord's commands and a page in a language, as JSON.

Started by `test_third_language.py` beside a copy of the program that has one language more.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace

from adapters.discord.commands import COMMANDS
from adapters.slack import views
from adapters.terminal.text import render
from bot.model.settings_form import SettingsForm
from digest.languages import Language
from digest.wording.phrases import SAY
from digest.wording.saying import CATALOGUES, localized
from digest.writing.document import Block, Bullets, Entry, Paragraph, Run, Strong, Words
from digest.writing.pages import digest_page
from tests.bot.channels_invented import subscription, told
from tests.bot.mornings_invented import busy
from tests.digest.writing import invented


def of_runs(runs: tuple[Run, ...]) -> Iterator[str]:
    for run in runs:
        match run:
            case Words(text):
                yield text
            case Strong(inner):
                yield from of_runs(inner)


def own_words(blocks: tuple[Block, ...]) -> Iterator[str]:
    """Give what of blocks is the program's, not a stranger's."""

    def of_entry(entry: Entry) -> Iterator[str]:
        yield from of_runs(entry.runs)
        for under in entry.under:
            yield from of_entry(under)

    for block in blocks:
        match block:
            case Paragraph(runs):
                yield from of_runs(runs)
            case Bullets(entries):
                for entry in entries:
                    yield from of_entry(entry)


def main(language: Language) -> None:
    threads = busy(language)
    parts = [part for each in threads for part in (each.parent, *each.replies)]
    page = digest_page(told(invented.busy()), language)
    begun = replace(subscription(language=language), repos=())
    form = views.view(SettingsForm(begun), "C1", language)
    sys.stdout.write(
        json.dumps(
            {
                "thread": [text for part in parts for text in own_words(part.blocks)],
                "buttons": [each.label for part in parts for each in part.actions],
                "error": localized(SAY.github.pause(SAY.github.until("9:30")), language),
                "form": [
                    each["label"]["text"] for each in form["blocks"] if each["type"] == "input"
                ],
                "page": render(page),
                "headings": [
                    text for section in page.sections for text in of_runs(section.heading)
                ],
                "discord": COMMANDS[0]["description_localizations"],
                "language": CATALOGUES[language].own_name,
            }
        )
    )


if __name__ == "__main__":
    main(Language(sys.argv[1]))
