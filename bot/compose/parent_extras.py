"""What stands beside the digests in the first message of a morning."""

from collections.abc import Sequence
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
    lines = []
    for each in extras.corrections[:MOST_NUDGES]:
        runs = correction_runs(each, language)
        runs = _line(each, runs, is_struck=each.turn is not News.REWRITTEN)
        lines.append(Entry(runs, about=(each.item_key,)))
    heading = f"⚠ {CATALOGUES[language].upstream.corrected}"
    return _listed(heading, lines, len(extras.corrections))


def became(extras: ParentExtras, language: Language) -> list[Block]:
    """Say what became in a week of what was flagged."""
    lines = [Entry(_line(each, state(each, language))) for each in extras.became[:MOST_BECAME]]
    return _listed(CATALOGUES[language].upstream.became, lines, len(extras.became))


def nudges(extras: ParentExtras, language: Language) -> list[Block]:
    """Say what became of follow-ups, and remind of those that are a week old, without a mention."""
    words = CATALOGUES[language].thread
    lines = []
    for followup in extras.nudged[:MOST_NUDGES]:
        taken: Runs = (Words(words.not_taken),)
        if followup.taken_by is not None:
            taken = fill(words.taken_by, people=Foreign(followup.name_of(followup.taken_by)))
        lines.append(Entry(_line(followup, taken), about=(followup.item_key,)))
    return [
        *became(extras, language),
        *_listed(f"⏳ {words.week_old}", lines, len(extras.nudged)),
    ]


def _line(each: FollowUp | Correction, runs: Runs, *, is_struck: bool = False) -> Runs:
    """Return an item by its title and link, with what is said of it."""
    title = Foreign(shortened(each.title, LONGEST_TITLE))
    name = Struck((title,)) if is_struck else title
    return (name, Words(" "), Link(each.ref, each.url), Words(entries.DOT), *runs)


def _listed(heading: str, lines: Sequence[Entry], of: int) -> list[Block]:
    return list(listed((Strong((Words(heading),)),), lines, of=of).blocks)


def page_action(reading: Reading, language: Language, extras: ParentExtras) -> tuple[Action, ...]:
    """Return the link to a page, where there is a public address and the repository is public."""
    url = extras.pages and extras.pages.of(reading.repo, reading.window, language)
    if not url:
        return ()
    return (Action.usual(ActionKind.PAGE, url, language),)


def followups_action(language: Language) -> Action:
    """Return the button that lists the channel's open follow-ups."""
    return Action.usual(ActionKind.FOLLOWUPS, "open", language)
