"""What stands beside the digests in the first message of a morning."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.compose.item_part import correction_runs, state
from bot.compose.pages import PageAddress
from bot.compose.shortening import LONGEST_TITLE, listed, shortened
from bot.model.following import Correction, News
from bot.model.followups import FollowUp
from bot.model.parts import Action, ActionKind
from bot.wording.dates import day
from digest.concern.ripple import Ripple
from digest.concern.surface import Surface
from digest.edited import ModelUse, Remark
from digest.languages import Language
from digest.models import Point, Reading
from digest.wording.saying import CATALOGUES
from digest.writing import entries
from digest.writing.document import (
    Block,
    Entry,
    Foreign,
    Link,
    Paragraph,
    Runs,
    Strong,
    Struck,
    Tone,
    Words,
)
from digest.writing.phrasing import fill

MOST_NUDGES = 5
MOST_BECAME = 10


@dataclass(frozen=True, slots=True)
class ParentExtras:
    """What a morning says beside its digests, in its first message.

    `open_followups` is their number in the channel, `nudged` those that are reminded of, `pages`
    are the addresses of the digests' pages, None where none is public, and `untold_since` is that
    of the slot. `flagged` are the open follow-ups, `outlook` what else to watch, and `remarks` what
    `model` wrote about several repositories; these stand in a roundup. `corrections` stand at the
    head; `became` are follow-ups of which something was told since the last roundup. `surfaces` are
    what concerns the channel, `ripples` what reaches it from one repository to the next.
    """

    open_followups: int = 0
    nudged: tuple[FollowUp, ...] = ()
    pages: PageAddress | None = None
    untold_since: datetime | None = None
    flagged: tuple[FollowUp, ...] = ()
    outlook: tuple[Point, ...] = ()
    corrections: tuple[Correction, ...] = ()
    became: tuple[FollowUp, ...] = ()
    remarks: tuple[Remark, ...] = ()
    model: ModelUse | None = None
    surfaces: tuple[Surface, ...] = ()
    ripples: tuple[Ripple, ...] = ()


NO_EXTRAS = ParentExtras()


def untold(tz: str, extras: ParentExtras, language: Language) -> list[Block]:
    """Say what was told before and is not so any more, and which days were too many to tell."""
    blocks = corrections(extras, language)
    if extras.untold_since is None:
        return blocks
    words = CATALOGUES[language].thread
    first = day(extras.untold_since.astimezone(ZoneInfo(tz)).date(), language)
    return [*blocks, Paragraph(fill(words.untold, day=first), Tone.WARNING)]


def corrections(extras: ParentExtras, language: Language) -> list[Block]:
    """Say what was told before and is not so any more."""
    titles = [Foreign(shortened(each.title, LONGEST_TITLE)) for each in extras.corrections]
    lines = [
        Entry(
            (
                title if each.turn is News.REWRITTEN else Struck((title,)),
                Words(" "),
                Link(each.ref, each.url),
                Words(entries.DOT),
                *correction_runs(each, language),
            ),
            about=(each.item_key,),
        )
        for each, title in zip(extras.corrections[:MOST_NUDGES], titles, strict=False)
    ]
    heading = (Strong((Words(f"⚠ {CATALOGUES[language].upstream.corrected}"),)),)
    return list(listed(heading, lines, of=len(extras.corrections)).blocks)


def became(extras: ParentExtras, language: Language) -> list[Block]:
    """Say what became in a week of what was flagged."""
    lines = []
    for each in extras.became[:MOST_BECAME]:
        name = (Foreign(shortened(each.title, LONGEST_TITLE)), Words(" "), Link(each.ref, each.url))
        lines.append(Entry((*name, Words(entries.DOT), *state(each, language))))
    heading = (Strong((Words(CATALOGUES[language].upstream.became),)),)
    return list(listed(heading, lines, of=len(extras.became)).blocks)


def nudges(extras: ParentExtras, language: Language) -> list[Block]:
    """Say what became of follow-ups, and remind of those that are a week old, without a mention."""
    words = CATALOGUES[language].thread
    lines = []
    for followup in extras.nudged[:MOST_NUDGES]:
        name = (Foreign(shortened(followup.title, LONGEST_TITLE)), Words(" "))
        taken: Runs = (Words(words.not_taken),)
        if followup.taken_by is not None:
            taken = fill(words.taken_by, people=Foreign(followup.name_of(followup.taken_by)))
        link = Link(followup.ref, followup.url)
        runs = (*name, link, Words(entries.DOT), *taken)
        lines.append(Entry(runs, about=(followup.item_key,)))
    heading = (Strong((Words(f"⏳ {words.week_old}"),)),)
    old = listed(heading, lines, of=len(extras.nudged)).blocks
    return [*became(extras, language), *old]


def page_action(reading: Reading, language: Language, extras: ParentExtras) -> tuple[Action, ...]:
    """Return the link to a page, where there is a public address and the repository is public."""
    url = extras.pages and extras.pages.of(reading.repo, reading.window, language)
    if not url:
        return ()
    return (Action.usual(ActionKind.PAGE, url, language),)


def followups_action(language: Language) -> Action:
    """Return the button that lists the channel's open follow-ups."""
    return Action.usual(ActionKind.FOLLOWUPS, "open", language)
