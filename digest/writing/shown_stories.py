"""The stories of a reading that are told: of two changes or more that are more than upkeep."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from digest.facts import Story
from digest.grades import Purpose
from digest.models import Reading, ReadItem
from digest.reading.story_names import is_subject, speak_alike
from digest.writing.fact_phrases import RULES
from digest.writing.upkeep import is_upkeep
from digest.writing.visible import bare, visible


def shown_stories(reading: Reading, landed: Sequence[ReadItem]) -> tuple[Story, ...]:
    """Return the stories, by how many of their members are more than upkeep: two at least.

    What only has a platform or a part of the software in common is none: that says who is hit. Of
    two as large the one comes first whose author counts its parts.
    """
    by_key = {read.item.key: read for read in landed}
    paired = {one.key for pair in reading.reverts for one in (pair.revert, pair.original) if one}
    paired |= {read.item.key for read in landed if read.purpose is Purpose.REVERT}
    stories: list[Story] = []
    for story in reading.stories:
        # What was taken back is told once, beside what took it back.
        items = tuple(key for key in story.items if key in by_key and key not in paired)
        reads = [by_key[key] for key in items]
        gone = {by_key[key].item.author for key in story.items if key in by_key and key in paired}
        gone -= {read.item.author for read in reads}
        authors = tuple(author for author in story.authors if author not in gone)
        left = replace(story, items=items, authors=authors)
        is_loose = _is_audience(left) or _is_chance(left, reads)
        if work(items, by_key) > 1 and not is_loose:
            stories.append(left)
    return tuple(sorted(stories, key=lambda story: (-work(story.items, by_key), not story.part)))


def _is_audience(story: Story) -> bool:
    """Tell whether a story is no more than a platform or a part that several people work on.

    What one does to a part of several words is a story: `prefill CUDA graph`.
    """
    subject, _, rest = story.name.partition(":")
    is_ones = " " in subject and len(story.authors) == 1
    is_loose = not (rest or is_ones) or 2 * len(story.authors) > len(story.items)
    return story.by == RULES and not story.part and is_loose and is_subject(subject)


_FIRM = ("tracker", "goes on", "named by")
"""How reasons of a story begin that are enough without a word in common."""


def _is_chance(story: Story, reads: Sequence[ReadItem]) -> bool:
    """Tell whether changes share a place alone: a tag of two, or a title of which no other speaks.

    Of several people also where one's title names two, or more that another made most of.
    """
    is_firm = any(reason.startswith(_FIRM) for reason in story.reasons)
    if story.by != RULES or story.part or is_firm:
        return False
    name = visible(story.name)
    namesakes = [read for read in reads if bare(read.item.title).startswith(name)]
    others = [read for read in reads if read not in namesakes]
    if namesakes and not any(speak_alike(name, read.item.title) for read in others):
        return True
    is_pair = len(reads) <= 2
    if is_pair and all(name.casefold() in _tags(read.item.title) for read in reads):
        return True
    if len({*story.authors}) < 2 or not namesakes:
        return False
    return is_pair or all(read.item.author != story.authors[0] for read in namesakes)


def _tags(title: str) -> str:
    return visible(title).removesuffix(bare(title)).casefold()


def work(keys: Iterable[str], by_key: Mapping[str, ReadItem]) -> int:
    """Count the members of a story that are more than upkeep."""
    return sum(not is_upkeep(by_key[key]) for key in keys)
