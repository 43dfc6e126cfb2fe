"""The report of an upgrade as a message that a team reads in two minutes; the rest is counted."""

from bot.model.parts import Part, PartKind
from digest.concern.upgrade import Upgrade
from digest.languages import Language
from digest.writing.document import Block, Paragraph, Strong, Tone
from digest.writing.pages import upgrade_page
from digest.writing.rules import plain

MOST = 5
"""Changes of each section that are shown: with two lines under each some 350 words in all."""

MOST_LINES = 2

TOLD = ("breaks", "otherwise", "new")


def upgrade_parts(upgrade: Upgrade, language: Language) -> tuple[Part, ...]:
    """Give the parts of a report: what breaks first, what was checked as a count."""
    page = upgrade_page(upgrade, language, most=MOST, lines=MOST_LINES)
    blocks: list[Block] = [Paragraph(page.title, Tone.LEAD)]
    lead = [block for block in page.lead if isinstance(block, Paragraph)]
    blocks += [Paragraph(block.runs) for block in lead]
    for section in page.sections:
        if section.anchor in TOLD:
            blocks.append(Paragraph((Strong(section.heading),)))
            blocks += section.blocks
    summary = " ".join(plain(runs) for runs in (page.title, *(block.runs for block in lead[:1])))
    return (Part(PartKind.ANSWER, tuple(blocks), summary=summary),)
