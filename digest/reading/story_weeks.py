"""Stories of a window of several days: what stood as one story on a day does so over all."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, tzinfo

from digest.facts import Story
from digest.grades import ChangeObject
from digest.models import Item, ToldStory
from digest.reading.learned import Learned
from digest.reading.relations import series
from digest.reading.stories import find_stories, largest, listed_stories
from digest.reading.story_days import as_told, follow, is_own, without
from digest.reading.story_names import clean_title, is_subject, shortened
from digest.reading.story_signs import Rarity


def stories_over_days(
    items: Sequence[Item],
    zone: tzinfo,
    past: Rarity | None,
    known: Mapping[int, Item],
    learned: Learned,
    objects: Mapping[str, ChangeObject],
) -> tuple[Story, ...]:
    """Find the stories of a window: of one of several days with all that its days would tell.

    In and out as `find_stories`, with the zone whose days are told one after the other. A story of
    days has its members of all of them, and what belongs to it over the window besides.
    """
    whole = find_stories(items, past, known, learned, objects)
    by_key = {one.key: one for one in items}
    days: defaultdict[date, list[Item]] = defaultdict(list)
    for item in items:
        if item.kind.is_change:
            days[item.at.astimezone(zone).date()].append(item)
    if len(days) < 2:
        return whole
    stored: dict[str, ToldStory] = {}
    for day in sorted(days):
        found = find_stories(days[day], past, known, learned, objects)
        before = tuple(stored.values())
        stories = listed_stories(follow(found, days[day], before, (), past, zone))
        for one in as_told(stories, days[day], before, (), zone):
            stored.pop(one.key, None)
            stored[one.key] = one
    # What shares no more than a subject on a day is grouped by what the whole window has of it.
    own = (one for one in stored.values() if one.parts or is_own(one, past or Rarity()))
    return _with_days(whole, [without(one, ()) for one in own], by_key)


def _with_days(
    whole: Sequence[Story], days: Iterable[ToldStory], items: Mapping[str, Item]
) -> tuple[Story, ...]:
    """Return the stories of a window where each story of its days stays as one.

    It takes from the story of the window that has most of it what is of no other story of days.
    """
    homes: defaultdict[int, list[ToldStory]] = defaultdict(list)
    taken: set[str] = set()
    for one in sorted(days, key=lambda each: -len(each.earlier)):
        day = without(one, taken)
        if len(day.earlier) > 1:
            taken.update(day.earlier)
            shared = [len({*day.earlier} & {*story.items}) for story in whole]
            most = max(shared, default=0)
            homes[shared.index(most) if most > 1 else -len(homes) - 1].append(day)
    found: list[Story] = []
    for at, several in homes.items():
        others = [key for key in whole[at].items if key not in taken] if at >= 0 else []
        story = _of_days(several, others, items)
        is_part = bool(others) and 2 * len(several[0].earlier) < len(story.items)
        is_whole = at >= 0 and {*whole[at].items} == {*story.items} and not story.part
        is_better = is_whole and _says_more(whole[at].name, [items[key] for key in story.items])
        found.append(replace(story, name=whole[at].name) if is_part or is_better else story)
    for at, story in enumerate(whole):
        left = tuple(key for key in story.items if key not in taken)
        if left == story.items:
            found.append(story)
        elif at not in homes and len(left) > 1:
            first = items[left[0]]
            key = f"{first.repo}:story:{first.ref.lstrip('#')}"
            authors = _authors(items[one] for one in left)
            found.append(replace(story, key=key, items=left, authors=authors))
    return tuple(sorted(found, key=largest))


def _of_days(days: Sequence[ToldStory], others: Iterable[str], items: Mapping[str, Item]) -> Story:
    """Return stories of days, the largest first, with other changes, called as the first."""
    first = days[0]
    keys = [*(key for one in days for key in one.earlier), *others]
    members = sorted((items[key] for key in keys), key=lambda one: (one.at, one.key))
    if first.parts:
        after = max(first.parts) + 1
        members.sort(key=lambda one: mark[1] if (mark := series(one)) else after)
    return Story(
        key=first.key,
        name=first.name,
        items=tuple(one.key for one in members),
        part=first.parts,
        of=first.of,
        authors=_authors(members),
        since=min(one.since for one in days),
        reasons=first.reasons,
    )


def _says_more(name: str, members: Sequence[Item]) -> bool:
    """Tell whether what all members share says more of them than what those of one day do.

    The title of one says as much as that of another, a mere subject less.
    """
    titles = {shortened(clean_title(one.title)) for one in members}
    return name not in titles and not is_subject(name)


def _authors(items: Iterable[Item]) -> tuple[str, ...]:
    made = Counter(one.author for one in items if one.author and not one.author_is_bot)
    return tuple(author for author, _ in made.most_common())
