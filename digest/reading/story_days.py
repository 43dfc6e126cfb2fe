"""How a story goes on from one window to a later one: by what its authors say, not by likeness.

Evidence is few and firm, since a false *began on* is worse than none: the tracker, the next part of
a series, a change that says what it follows up, or the story's name in the titles of an author of
both. Points that join the changes of one day join too much over days (`docs/decisions.md`).
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, tzinfo
from functools import cached_property
from zoneinfo import ZoneInfo

from digest.facts import Story
from digest.models import Item, Reading, Revert, ToldStory
from digest.reading.change import REVERT, touched
from digest.reading.description import TITLE_READ
from digest.reading.relations import series
from digest.reading.stories import largest, lone_story
from digest.reading.story_names import (
    SPEAKS_ALONE,
    WORTH_SAYING,
    WORTH_STANDING_ALONE,
    is_named,
    is_subject,
)
from digest.reading.story_signs import (
    NOISE_OBJECTS,
    Profile,
    Rarity,
    profile,
    tags_beside_mark,
    tags_of,
    terms_of,
    tracked,
)
from digest.reading.whom import whom

_SERIES = ":story:series:"
_OF_CHANGE = re.compile(r":(?:pull_request:(\d+)|commit:([0-9a-f]{40}))$")
_BY_NAME, _BY_STATEMENT, _BY_SERIES, _BY_KEY = 1, 2, 3, 4
"""How firm evidence is: the firmest tells what is gone on with."""


@dataclass(frozen=True)
class _Today:
    """A story of this window, or a change that is in none, with what it may go on by."""

    story: Story
    members: Sequence[Item]
    firmness: int = 0

    @cached_property
    def parts(self) -> Sequence[tuple[int, int]]:
        """Return index and total of the parts of a series among its members."""
        return [mark[1:] for one in parts_of(self.members) if (mark := series(one))]

    @cached_property
    def tags(self) -> Sequence[str]:
        return tags_of_parts(parts_of(self.members))

    @cached_property
    def profiles(self) -> Sequence[Profile]:
        # What a change says of others stands in its texts.
        return [profile(replace(one, files=None)) for one in self.members]

    def is_most(self, count: int) -> bool:
        return 2 * count > len(self.members)


def is_change(item: Item) -> bool:
    """Tell whether an item may be of a story: a change, and not of CI, tests or texts alone."""
    return item.kind.is_change and touched(item) not in NOISE_OBJECTS


def parts_of(members: Sequence[Item]) -> Sequence[Item]:
    """Return the parts of a series among changes: two and half of them at least, or all."""
    found = [one for one in members if series(one)]
    return found if len(found) >= max(len(members) / 2, min(2, len(members))) else ()


def tags_of_parts(parts: Iterable[Item]) -> list[str]:
    """Return the tags that all parts of a series bear beside its mark, in lower case."""
    each = [tags_beside_mark(one) for one in parts]
    return sorted(frozenset.intersection(*each)) if each else []


def follow(
    stories: Sequence[Story],
    items: Sequence[Item],
    stored: Sequence[ToldStory],
    gone: Iterable[str] = (),
    past: Rarity | None = None,
    zone: tzinfo = UTC,
) -> tuple[Story, ...]:
    """Let stories of a window, and changes that are in none, go on with those told before it.

    In: what `find_stories` gave, the folded items of the window, stories as earlier windows told
    them, the last told one last, keys that no earlier story has any more as this window takes them
    back, what the repository's history was, and the zone of the window. Out: the same stories, with
    `earlier`, the first `since`, and the stored key where one goes on, and a story of each change
    that goes on with one by itself. The stored name stays while it is true. What goes on with the
    same stored story is one story of this window.
    """
    by_key = {one.key: one for one in items}
    lost = {*by_key, *gone, *(key for one in stories for key in one.items)}
    before = [left for one in stored if (left := without(one, lost)).earlier]
    grouped = {key for one in stories for key in one.items}
    dated = [_dated(one, by_key, zone) for one in stories]
    days = [_Today(one, [by_key[key] for key in one.items if key in by_key]) for one in dated]
    lone = [one for one in items if one.key not in grouped and is_change(one)] if before else []
    going: defaultdict[int, list[_Today]] = defaultdict(list)
    for day in (*days, *(_Today(_dated(lone_story(one), by_key, zone), [one]) for one in lone)):
        firmest = ((_goes_on(day, old, past or Rarity()), at) for at, old in enumerate(before))
        firmness, at = max(firmest, default=(0, 0))
        if firmness:
            going[at].append(replace(day, firmness=firmness))
    followed = {key for several in going.values() for day in several for key in day.story.items}
    alone = [one for one in dated if followed.isdisjoint(one.items)]
    continued = [_continued(several, before[at]) for at, several in going.items()]
    return tuple(sorted((*alone, *continued), key=largest))


def _dated(story: Story, items: Mapping[str, Item], zone: tzinfo) -> Story:
    moments = [items[key].at for key in story.items if key in items]
    since = min(moments).astimezone(zone).date().isoformat() if moments else story.since
    return replace(story, since=since)


def _as_one(days: Sequence[_Today]) -> _Today:
    """Return what goes on with the same stored story as one story, called as the largest."""
    first, *others = days
    if not others:
        return first
    stories = [one.story for one in days]
    joined = replace(
        first.story,
        items=tuple(key for one in stories for key in one.items),
        part=tuple(sorted({part for one in stories for part in one.part})),
        authors=tuple(dict.fromkeys(name for one in stories for name in one.authors)),
        since=min(one.since for one in stories),
    )
    members = [item for one in days for item in one.members]
    return _Today(joined, members, max(one.firmness for one in days))


def taken_back(reverts: Iterable[Revert], items: Iterable[Item]) -> frozenset[str]:
    """Return the keys of what the items of a window take back."""
    mine = {one.key for one in items}
    return frozenset(one.original.key for one in reverts if one.original and one.revert.key in mine)


def without(story: ToldStory, lost: Collection[str]) -> ToldStory:
    """Return a stored story as one that has only earlier members, without some of these."""
    earlier = [key for key in (*story.earlier, *story.items) if key not in lost]
    most = max(story.most, len(story.items))
    return replace(story, items=(), earlier=tuple(dict.fromkeys(earlier)), most=most)


def _goes_on(day: _Today, old: ToldStory, past: Rarity) -> int:
    """Return how firmly a story goes on with a stored one, 0 where nothing says so."""
    authors = {*day.story.authors} & {*old.authors}
    if day.story.key == old.key and _SERIES not in old.key:
        return _BY_KEY
    if _is_series(day, old, authors):
        return _BY_SERIES
    if day.is_most(sum(_follows_up(one, old) for one in day.profiles)) and not is_theme(old):
        return _BY_STATEMENT
    if not authors or (day.parts and old.parts):
        return 0  # of two series of one author only one is this
    # Who takes a change back does not go on with it.
    kept = [one for one in day.members if not REVERT.match(one.title[:TITLE_READ])]
    if not day.is_most(sum(is_named(old.name, one) for one in kept)):
        return 0
    is_tag = day.is_most(sum(_bears(one, old.name) for one in kept))
    return _BY_NAME if (is_own(old, past) if is_tag else _is_rare(old.name, past)) else 0


def is_theme(story: Story) -> bool:
    """Tell whether a story is called by a mere subject, which is no one's in particular."""
    return is_subject(story.name) and not (" " in story.name and len(story.authors) == 1)


def _bears(item: Item, name: str) -> bool:
    return name.casefold() in (tag.casefold() for tag in tags_of(item.title[:TITLE_READ]))


def is_own(story: Story, past: Rarity) -> bool:
    """Tell whether a name is of a campaign: of no model, hardware or part of the software."""
    if is_theme(story) or story.name.casefold() in map(str.casefold, whom(story.name)):
        return False
    rarest = max((past.term_rarity(one) for one in terms_of(story.name)), default=0.0)
    return rarest >= (WORTH_STANDING_ALONE if " " in story.name else WORTH_SAYING)


def _is_rare(name: str, past: Rarity) -> bool:
    """Tell whether one of a name's words is hardly said of anything else."""
    rarest = max((past.term_rarity(one) for one in terms_of(name) if " " not in one), default=0.0)
    return not is_subject(name) and rarest >= SPEAKS_ALONE


def _is_series(day: _Today, old: ToldStory, authors: Collection[str]) -> bool:
    """Tell whether parts of a series are further ones of it, by its name or by its tag."""
    index = {part for part, _ in day.parts}
    if not any(of == (old.of or 0) for _, of in day.parts) or index & {*old.parts}:
        return False
    first, last = min(index), max(old.parts, default=0)
    if day.story.key == old.key:
        return bool(authors) or first == last + 1
    return bool(authors and {*day.tags} & {*old.tags}) and first > last > 0


def _follows_up(one: Profile, old: ToldStory) -> bool:
    """Tell whether a change says that it goes on with, or mends, a member of a stored story."""
    for key in old.earlier:
        found = _OF_CHANGE.search(key)
        if found and found[1] and int(found[1]) in one.continued:
            return True
        if found and found[2] and found[2].startswith(one.continued_commits):
            return True
    return False


def _continued(days: Sequence[_Today], old: ToldStory) -> Story:
    """Return what goes on today with a stored story as one that does.

    The stored name stays while it is true: of most titles of today, or of a tracker or series that
    several changes were called by. Changes that go on each by itself have no other name than a
    title. A part of a series is one of what it goes on with, or of none.
    """
    day = _as_one(days)
    story = day.story
    is_named_so = day.is_most(sum(is_named(old.name, one) for one in day.members))
    is_lone = len(day.members) == 1
    are_lone = all(len(one.members) == 1 for one in days)
    is_told = are_lone or (day.firmness >= _BY_SERIES and old.most > 1)
    is_part = day.firmness >= _BY_SERIES or not is_lone
    return replace(
        story,
        key=old.key,
        name=old.name if is_named_so or is_told else story.name,
        earlier=old.earlier,
        part=story.part if is_part else (),
        of=(story.of or old.of) if is_part else None,
        authors=tuple(dict.fromkeys((*story.authors, *old.authors))),
        since=min(story.since, old.since) if old.since else story.since,
    )


def told(reading: Reading, stored: Sequence[ToldStory]) -> tuple[ToldStory, ...]:
    """Return the stories of a reading as a later window may go on with them.

    In: a reading, and the stories that it could go on with. Beside what is told these are changes
    that may be the first of a story, parts of a series and what names a tracker, and stored stories
    of which a member was taken back.
    """
    items = [read.item for read in reading.items]
    gone = taken_back(reading.reverts, items)
    return as_told(reading.stories, items, stored, gone, ZoneInfo(reading.window.tz))


def as_told(
    stories: Iterable[Story],
    items: Sequence[Item],
    stored: Sequence[ToldStory],
    gone: Collection[str],
    zone: tzinfo,
) -> tuple[ToldStory, ...]:
    """Return stories of items, and what waits among these, as `told` does."""
    before = {one.key: one for one in stored}
    by_key = {one.key: one for one in items}
    found = {one.key: one for one in stories}
    lone = _waiting(by_key, found.values())
    left = [one for one in stored if one.key not in found]
    alone = [by_key[key] for one in lone for key in one.items]
    for one in follow(lone, alone, left, gone, zone=zone):
        found.setdefault(one.key, one)
    rows = [_told(one, before.get(one.key), by_key) for one in found.values()]
    return (*rows, *(without(one, gone) for one in left if _has_lost(one, found, gone)))


def _waiting(items: Mapping[str, Item], stories: Iterable[Story]) -> list[Story]:
    """Return stories of what stands in none of its own, and may be gone on with."""
    at_home = {key for one in stories for key in one.items if one.part or not series(items[key])}
    for one in stories:
        at_home.update(part.key for part in parts_of([items[key] for key in one.items]))
    found: dict[str, Story] = {}
    for item in items.values():
        if item.key not in at_home and is_change(item) and (series(item) or tracked(item)):
            one = lone_story(item)
            held = found.get(one.key, replace(one, items=(), part=(), authors=()))
            found[one.key] = replace(
                held,
                items=(*held.items, *one.items),
                part=tuple(sorted({*held.part, *one.part})),
                authors=tuple(dict.fromkeys((*held.authors, *one.authors))),
            )
    return [*found.values()]


def _told(story: Story, before: ToldStory | None, items: Mapping[str, Item]) -> ToldStory:
    parts = parts_of([items[key] for key in story.items if key in items])
    index = {mark[1] for one in parts if (mark := series(one))}
    return ToldStory(
        **{each.name: getattr(story, each.name) for each in fields(Story)},
        parts=tuple(sorted({*index, *(before.parts if before else ())})),
        tags=tuple(tags_of_parts(parts)) or (before.tags if before else ()),
        most=max(len(story.items), before.most if before else 0),
    )


def _has_lost(story: ToldStory, found: Collection[str], gone: Collection[str]) -> bool:
    return story.key not in found and not {*gone}.isdisjoint((*story.items, *story.earlier))
