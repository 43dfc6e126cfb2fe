"""What a roundup says of all that could not be looked at: each reason once, in a few lines."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from bot.compose.channel_digest import ChannelDigest
from bot.model.parts import Part, PartKind
from bot.wording.dates import dates
from digest.languages import Language
from digest.models import Gap, Repo, Window
from digest.phrase import Phrase
from digest.wording.phrases import cause
from digest.wording.saying import CATALOGUES
from digest.writing.document import Block, Foreign, Paragraph, Runs, Strong, Tone, Words
from digest.writing.phrasing import fill, joined
from digest.writing.rules import plain

EVERYTHING = "everything"

MOST_REASONS = 3
"""Reasons that a roundup tells; it is read in half a minute, and others stand in the threads."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """What could not be looked at of a repository for one reason; `what` is nothing for all of it.

    `has_thread` is true where the repository's own thread tells it too, `lasting` where its source
    never has it.
    """

    name: str
    why: Phrase
    what: tuple[str, ...] = ()
    has_thread: bool = False
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Gaps:
    """Lines for the roundup, and below it a message with what neither they nor a thread tell.

    `limits` are lines of its small print: what sources never have is no news of a day.
    """

    blocks: tuple[Block, ...] = ()
    limits: tuple[Block, ...] = ()
    below: tuple[Part, ...] = ()


def blind(view: ChannelDigest) -> Gap | None:
    """Return the gap of a repository at which nothing, or not all of the time, was looked at."""
    return next((gap for gap in view.reading.gaps if gap.what == EVERYTHING), None)


def unseen(
    digests: Iterable[ChannelDigest],
    failed: Iterable[tuple[Repo, Phrase]],
    names: Mapping[Repo, str],
    threads: Set[Repo] = frozenset(),
) -> tuple[Unseen, ...]:
    """Return all that could not be looked at; `threads` are repositories with their own thread."""
    found = [Unseen(names[repo], why) for repo, why in failed]
    for view in digests:
        name, has_thread = names[view.repo], view.repo in threads
        by_reason: dict[tuple[Phrase, bool], dict[str, None]] = {}
        for gap in view.reading.gaps:
            # What a cause kept from being read, the repository's own thread says with its numbers.
            why = cause(gap.why) if has_thread else gap.why
            by_reason.setdefault((why, gap.lasting), {})[gap.what] = None
        found += [
            Unseen(name, why, () if EVERYTHING in what else tuple(what), has_thread, lasting)
            for (why, lasting), what in by_reason.items()
        ]
    return tuple(found)


def gaps(found: Sequence[Unseen], language: Language, withheld: int = 0) -> Gaps:
    """Tell of up to `MOST_REASONS` reasons, those that no thread tells first; name the rest.

    `withheld` repositories may not be told in the channel: they are counted and not named.
    """
    never = [each for each in found if each.lasting and each.what]
    limits = tuple(
        replace(_line(group, language), tone=Tone.SMALL)
        for group in _by_reason(each for each in never if not each.has_thread)
    )
    ranked = sorted(_by_reason(each for each in found if each not in never), key=_rank)
    shown, rest = ranked[:MOST_REASONS], ranked[MOST_REASONS:]
    lines = [_line(group, language) for group in shown]
    if withheld:
        line = CATALOGUES[language].thread.withheld(withheld)
        lines.append(Paragraph((Words(line),), Tone.WARNING))
    if not rest:
        return Gaps(tuple(lines), limits)
    lines.append(_rest_line([each for group in rest for each in group], language))
    alone = [[each for each in group if not each.has_thread] for group in rest]
    below = tuple(_line(group, language) for group in alone if group)
    if not below:
        return Gaps(tuple(lines), limits)
    part = Part(PartKind.NOTICE, below, summary=plain(below[0].runs))
    return Gaps(tuple(lines), limits, (part,))


def _by_reason(found: Iterable[Unseen]) -> list[list[Unseen]]:
    groups: dict[Phrase, list[Unseen]] = {}
    for each in found:
        groups.setdefault(each.why, []).append(each)
    return list(groups.values())


def caught_up(
    digests: Iterable[ChannelDigest],
    window: Window,
    names: Mapping[Repo, str],
    language: Language,
) -> tuple[Block, ...]:
    """Say of which repositories days before the window are told, as nobody could look at them."""
    words, comma = CATALOGUES[language].thread, CATALOGUES[language].comma
    by_start: dict[datetime, list[str]] = {}
    for view in digests:
        if view.reading.window.start < window.start:
            by_start.setdefault(view.reading.window.start, []).append(names[view.repo])
    return tuple(
        Paragraph(
            fill(
                words.caught_up,
                repos=joined(((Strong((Foreign(name),)),) for name in its), comma),
                days=dates(replace(window, start=start, end=window.start), language),
            )
        )
        for start, its in by_start.items()
    )


def _rank(group: Sequence[Unseen]) -> tuple[int, int]:
    return -sum(not each.has_thread for each in group), -len(group)


def _line(group: Sequence[Unseen], language: Language) -> Paragraph:
    """Say of repositories why they could not be looked at: `flint; kiln (commits): no network`."""
    words, names = CATALOGUES[language].thread, CATALOGUES[language].names.gaps
    by_what: dict[str, list[str]] = {}
    for each in sorted(group, key=lambda each: bool(each.what)):
        parts = CATALOGUES[language].comma.join(names.get(part, part) for part in each.what)
        of_it = words.of_it.format(what=parts) if parts else ""
        by_what.setdefault(of_it, []).append(each.name)
    return _sentence(by_what, Foreign(CATALOGUES[language].localized(group[0].why)), language)


def _rest_line(rest: Sequence[Unseen], language: Language) -> Paragraph:
    """Name the repositories of further reasons, and where those are told."""
    words = CATALOGUES[language].thread
    whole = list(dict.fromkeys(each.name for each in rest if not each.what))
    part = list(dict.fromkeys(each.name for each in rest if each.name not in whole))
    by_what = {"": whole, words.of_it.format(what=words.in_part): part}
    return _sentence(by_what, Words(words.why_in_threads), language)


def _sentence(
    names: Mapping[str, Sequence[str]], why: Foreign | Words, language: Language
) -> Paragraph:
    """Say what could not be looked at; `names` are repositories by what stands behind them."""
    say = CATALOGUES[language]
    listed: list[Runs] = []
    for of_it, few in names.items():
        repos = joined(((Strong((Foreign(name),)),) for name in few), say.comma)
        listed.append((*repos, Words(of_it)) if of_it and few else repos)
    all_repos = joined(listed, say.semicolon)
    return Paragraph(fill(say.say.failed_repo, repo=all_repos, why=why), Tone.WARNING)
