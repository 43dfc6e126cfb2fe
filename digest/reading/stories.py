"""Stories: changes of a window that belong together, found by evidence that is summed.

Engineers work in campaigns: parts of a series, an RFC's phases, one kernel on four vendors. Each
sign that two changes belong together is worth points, learned on labels
(`learned`); two changes whose points reach the threshold are joined, and a change joins a
story that it fits on average, so that one weak link does not chain two stories.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations
from types import MappingProxyType

from digest.facts import Story
from digest.grades import ChangeObject
from digest.models import Item
from digest.reading.change import STYLE
from digest.reading.description import TITLE_READ
from digest.reading.learned import SHIPPED, Learned
from digest.reading.story_names import (
    LONGEST,
    Member,
    clean_title,
    given_name,
    is_subject,
    shortened,
    story_name,
)
from digest.reading.story_signs import (
    ALIKE,
    NUMBER,
    ComparedChanges,
    Profile,
    Rarity,
    are_parts,
    continues,
    profile,
    tags_of,
)

THRESHOLD = 4.3
"""Points on average from which changes are one story."""
ALONE = 0.6
"""Points more that two changes need to be a story without a third."""
GROWTH = 0.1
"""Points more for each member beyond the third, so that a topic does not swallow a day."""
OF_TWO_PEOPLE = 1.1
"""The same where two people made them, and neither names the other."""
THIN = 3.0
"""The same where no more than a word of their titles ties them: no file, tag or phrase."""
LEAST_OF_A_STACK = 3
"""Changes from which others of their author may be of one stack with them by their numbers."""
MOST_MEMBERS = 120
"""Changes of a window that are all compared with each other, and of one author in a longer one."""
MOST_WITH_A_SIGN = 12
"""Changes of a long window that may share a word, symbol or file for it to join any of them."""
RARE_TERM = 5.0
"""Bits of rarity from which a word is looked for in a long window."""


COMMON_TAG = 4
"""The part of a window's changes, one in so many, that bear a tag which says nothing of a few."""


def find_stories(
    items: Sequence[Item],
    past: Rarity | None = None,
    known: Mapping[int, Item] | None = None,
    learned: Learned = SHIPPED,
    objects: Mapping[str, ChangeObject] = MappingProxyType({}),
) -> tuple[Story, ...]:
    """Find which changes of a window belong together.

    In: folded items of one repository (issues and releases are no members), what its history was,
    issues and changes by number that may be what members track, what was learned, and what items
    touch by key, as far as that is known already. Out: stories, the largest first, each item in
    one at most. A part of a series, or a change that names a tracker, stands alone in a story of
    one, so that a later day can go on with it: `listed_stories` leaves those out. A story of CI,
    tests and documentation alone is none.
    """
    changes = [one for one in items if one.kind.is_change]
    compared = ComparedChanges(changes, past or Rarity(), objects)
    profiles, past = compared.profiles, compared.past
    pairs = {(i, j): compared.between(i, j) for i, j in sorted(_pairs(profiles, past))}
    worth = {
        at: learned.joins("") + sum(learned.joins(name) * each for name, each in found.items())
        for at, found in pairs.items()
    }
    # What shared tags say is too little to call a story by a title or a place.
    firm = {
        (i, j): value
        - sum(
            learned.joins(name) * pairs[i, j].get(name, 0.0)
            for name in ("tag", "platform", *_of_tags(profiles[i], profiles[j]))
        )
        for (i, j), value in worth.items()
    }
    titles = {one.number: one.title for item in changes for one in item.linked_issues}
    titles |= {number: item.title for number, item in (known or {}).items()}

    borne = Counter(tag for one in profiles for tag in one.tags)
    common = {tag: n for tag, n in borne.items() if COMMON_TAG * n >= len(profiles)}

    def story(group: Sequence[int]) -> Story:
        members = [profiles[i] for i in group]
        sure = _mean(group, firm) >= THRESHOLD
        return _story(members, _reasons(group, pairs), past, titles, sure=sure, common=common)

    named: dict[str, tuple[str, list[int]]] = {}
    groups = [
        part
        for group in _grouped(len(profiles), worth)
        for part in _series_apart(group, profiles, story)
    ]
    stacks = [one for one in _stacks(groups, profiles) if story(one).name]
    stacked = {place for stack in stacks for place in stack}
    for group in (*stacks, *(one for one in groups if stacked.isdisjoint(one))):
        lone = len(group) == 1 and not (
            profiles[group[0]].series or profiles[group[0]].title_numbers
        )
        if len(group) == 2:
            one, two = (profiles[place] for place in group)
            more = _more_for_two(one, two, story(group).name)
            lone = _mean(group, worth) < THRESHOLD + more
        if lone or all(profiles[i].is_noise for i in group):
            continue
        if name := story(group).name:
            # What is called the same is one story to a reader, but for a mere subject.
            key = f"{name} {group[0]}" if is_subject(name) else name
            first, before = named.get(key.casefold(), (name, []))
            named[key.casefold()] = (first, sorted(before + group))
    found = [replace(story(group), name=name) for name, group in named.values()]
    return tuple(sorted(found, key=largest))


def _series_apart(
    group: list[int], profiles: Sequence[Profile], story: Callable[[Sequence[int]], Story]
) -> list[list[int]]:
    """Part a series from a group of several people that has no more in common than a subject."""
    parts = [place for place in group if profiles[place].series]
    authors = {profiles[place].item.author for place in group}
    if not parts or 2 * len(parts) > len(group) or len(authors) < 2:
        return [group]
    if not is_subject(story(group).name):
        return [group]
    found = [[place for place in group if place not in parts]]
    for place in parts:
        for other in found[1:]:
            if are_parts(profiles[place], profiles[other[0]]):
                other.append(place)
                break
        else:
            found.append([place])
    return found


def _more_for_two(one: Profile, two: Profile, name: str) -> float:
    """Return how many points more than others two changes need to be a story of that name.

    One author often does several things in a day that have a word in common: a file, a tag, a
    phrase or a name in code says more. Of two people more than a word and a place has to say it,
    where their story is called by the title of one. A part of a series, or what names another
    change, is of a story anyhow.
    """
    numbers = {one.item.number, two.item.number} & (one.numbers | two.numbers)
    if numbers or one.series or two.series or one.title_numbers or two.title_numbers:
        return ALONE
    is_one_author = one.item.author == two.item.author
    phrases = any(" " in term or "_" in term for term in one.terms & two.terms)
    if not (one.files & two.files or one.tags & two.tags or phrases):
        return THIN
    if not (is_one_author or one.tags & two.tags or one.terms & two.terms):
        return math.inf  # a place that two people changed, each for a reason of their own
    titles = [shortened(clean_title(each.item.title)) for each in (one, two)]
    if not (is_one_author or one.tags & two.tags or phrases) and titles.count(name) == 1:
        return math.inf  # nothing that both say is enough to call it by
    return ALONE if is_one_author else OF_TWO_PEOPLE


def _of_tags(one: Profile, two: Profile) -> list[str]:
    """The signs that two titles have for the words of a tag that both bear."""
    return [f"title {ALIKE.get(tag, tag)}" for tag in one.tags & two.tags]


def _mean(group: Sequence[int], worth: Mapping[tuple[int, int], float]) -> float:
    inside = [worth.get((i, j), 0.0) for i in group for j in group if i < j]
    return sum(inside) / len(inside) if inside else 0.0


def listed_stories(stories: Iterable[Story]) -> tuple[Story, ...]:
    """Return the stories that are told: of two changes or more, one of them of this window."""
    return tuple(one for one in stories if one.items and len(one.items) + len(one.earlier) > 1)


def lone_story(item: Item) -> Story:
    """Return what a change by itself would be a story of."""
    return _story([profile(item)], (), Rarity(), {}, sure=True)


def _pairs(profiles: Sequence[Profile], past: Rarity) -> set[tuple[int, int]]:
    """The places of changes that are compared with each other.

    Of a window of a day, all. Of a longer one those that may reach the threshold: of one author,
    with one series or tracker, a rare word, symbol or file in common.
    """
    if len(profiles) <= MOST_MEMBERS:
        return set(combinations(range(len(profiles)), 2))
    signs: defaultdict[tuple[str, object], list[int]] = defaultdict(list)
    for place, one in enumerate(profiles):
        if one.item.author and not one.item.author_is_bot:
            signs["author", one.item.author].append(place)
        if one.series:
            signs["series", one.series[0].casefold()].append(place)
        for number in {*one.title_numbers, *one.numbers, one.item.number or 0} - {0}:
            signs["number", number].append(place)
        for term in one.terms:
            if past.term_rarity(term) > RARE_TERM:
                signs["term", term].append(place)
        for symbol in one.symbols:
            signs["symbol", symbol].append(place)
        for path in one.files:
            signs["file", path].append(place)
    return {
        pair
        for (kind, _), places in signs.items()
        if kind in ("author", "series", "number") or len(places) <= MOST_WITH_A_SIGN
        for pair in combinations(places[:MOST_MEMBERS], 2)
    }


def _grouped(size: int, worth: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """Join the two groups that fit best until none do: by average points between them."""
    groups: dict[int, list[int]] = {place: [place] for place in range(size)}
    between = {pair: value for pair, value in worth.items() if value > 0}

    def mean(one: int, two: int) -> float:
        total = between.get((min(one, two), max(one, two)), 0.0)
        return total / (len(groups[one]) * len(groups[two]))

    while True:
        best: tuple[float, int, int] | None = None
        for one, two in between:
            value = mean(one, two)
            count = len(groups[one]) + len(groups[two])
            bar = THRESHOLD + (ALONE if count == 2 else GROWTH * (count - 3))
            if value >= bar and (best is None or value > best[0]):
                best = (value, one, two)
        if best is None:
            return list(groups.values())
        _, one, two = best
        del between[one, two]
        groups[one] = sorted(groups[one] + groups.pop(two))
        for other in groups:
            if other != one:
                moved = between.pop((min(two, other), max(two, other)), 0.0)
                if moved:
                    pair = (min(one, other), max(one, other))
                    between[pair] = between.get(pair, 0.0) + moved


def _stacks(groups: Sequence[list[int]], profiles: Sequence[Profile]) -> list[list[int]]:
    """Join groups of one author whose numbers lie between each other's: opened as one stack.

    Most numbers from the first to the last of them are theirs: who opens pull requests one after
    the other, while nobody else does, opens them for one thing.
    """
    stacks: list[list[int]] = []
    joined: list[list[int]] = []
    for group in sorted(groups, key=lambda each: (-len(each), each)):
        for stack in stacks:
            if _is_stack(stack, group, profiles):
                stack[:] = sorted(stack + group)
                joined += [stack] if stack not in joined else []
                break
        else:
            if len(group) >= LEAST_OF_A_STACK:
                stacks.append(list(group))
    return joined


def _is_stack(stack: Sequence[int], group: Sequence[int], profiles: Sequence[Profile]) -> bool:
    items = [profiles[place].item for place in (*stack, *group)]
    numbers = [item.number or 0 for item in items]
    if items[0].author_is_bot or len({item.author for item in items}) > 1 or not all(numbers):
        return False
    first, second = numbers[: len(stack)], numbers[len(stack) :]
    lies_between = min(first) < max(second) and min(second) < max(first)
    return lies_between and max(numbers) - min(numbers) + 1 < 2 * len(numbers)


_REASONS = {
    "series": "series",
    "tracker": "tracker",
    "continues": "goes on with another",
    "names": "named by another",
    "author": "same author",
    "neighbour": "neighbouring numbers",
    "hour": "same hour",
    "tag": "same tag",
    "platform": "same platform",
    "named": "same model or hardware",
    "whom": "same model or hardware",
    "word": "rare words",
    "files alike": "same files",
    "symbols": "same symbols",
}


def _reasons(
    group: Sequence[int], pairs: Mapping[tuple[int, int], Mapping[str, float]]
) -> tuple[str, ...]:
    """The signs that at least half of the pairs of a story have, the weightiest first."""
    inside = [pairs[i, j] for i in group for j in group if i < j and (i, j) in pairs]
    held: defaultdict[str, float] = defaultdict(float)
    for name in _REASONS:
        strengths = [found.get(name, 0.0) for found in inside]
        if inside and 2 * sum(strength > 0 for strength in strengths) >= len(inside):
            held[name] = SHIPPED.joins(name) * sum(strengths) / len(inside)
    best = sorted((name for name in held if held[name] > 0.1), key=lambda name: -held[name])
    return tuple(_REASONS[name] for name in best)


def _story(
    members: Sequence[Profile],
    reasons: tuple[str, ...],
    past: Rarity,
    titles: Mapping[int, str],
    *,
    sure: bool,
    common: Mapping[str, int] = MappingProxyType({}),
) -> Story:
    items = [one.item for one in members]
    repo = items[0].repo
    tracker = _most_named(members, lambda one: one.title_numbers)
    issue = tracker or _most_named(members, lambda one: one.numbers & titles.keys())
    marks = [one.series for one in members if one.series]
    stem = marks[0][0] if marks and 2 * len(marks) > len(members) else ""
    if tracker is not None:
        key = f"{repo}:story:tracker:{tracker}"
        reasons = tuple(f"tracker #{tracker}" if one == "tracker" else one for one in reasons)
    elif stem:
        key = f"{repo}:story:series:{'-'.join(re.findall(r'[a-z0-9]+', stem.lower()))[:60]}"
    else:
        key = f"{repo}:story:{items[0].ref.lstrip('#')}"
    of = max((one[2] for one in marks), default=0) or None
    authors = Counter(item.author for item in items if item.author and not item.author_is_bot)
    if stem:
        after = max(one[1] for one in marks) + 1
        in_order = sorted(members, key=lambda one: one.series[1] if one.series else after)
        items = [one.item for one in in_order]
    return Story(
        key=key,
        name=_name(members, titles.get(issue or 0, ""), stem, past, sure=sure, common=common),
        items=tuple(item.key for item in items),
        part=tuple(sorted({one[1] for one in marks})) if stem else (),
        of=of if stem else None,
        authors=tuple(author for author, _ in authors.most_common()),
        since=min(item.at for item in items).date().isoformat(),
        reasons=reasons or ((f"tracker #{tracker}",) if tracker is not None else ("series",)),
    )


def regrouped(
    by: str,
    groups: Mapping[tuple[str, ...], str],
    stories: Sequence[Story],
    items: Sequence[Item],
    shown: Collection[str],
) -> tuple[Story, ...]:
    """Return stories as somebody puts them who was shown changes, the largest first.

    In: who does so, groups of keys with what each is said to be called, the stories so far, the
    folded items of the window, and the keys of what was shown. Out: a story for each group, and
    those so far of which no change is in one of these. A group that has half of the shown changes
    of one, or more, goes on with it, with those that were not shown; the same changes are the same
    story. It is called as the one that it goes on with where that makes half of it and is no mere
    title of a member, else as was said where its members hold the words, else as any story is, or
    by the title of its first where another story has that name. A group that goes on with none and
    shares no words is no story.
    """
    left = list(stories)
    kept: list[Story] = []
    wanted: list[tuple[list[Item], str, Story | None]] = []
    for keys, name in groups.items():
        common = {one.key: len({*one.items} & {*keys}) for one in left}
        halves = [
            one for one in left if 2 * common[one.key] >= max(1, len({*one.items} & {*shown}))
        ]
        held = max(halves, key=lambda one: common[one.key], default=None)
        group = {*keys}
        members = _of(items, group)
        if not (given_name(name, members) or _share_a_name(members)):
            # Nothing joins them but a story that they are a part of, or add to.
            seen = {*held.items} & {*shown} if held else set[str]()
            if not (seen and (group <= seen or seen <= group)):
                continue
        if held:
            left.remove(held)
            group |= {*held.items} - {*shown}
        if held and group == {*held.items}:
            kept.append(held)
        else:
            wanted.append((_of(items, group), name, held))
    grouped = {one.key for members, *_ in wanted for one in members}
    found = [*kept, *(one for one in left if grouped.isdisjoint(one.items))]
    for members, name, held in wanted:
        found.append(_said_story(by, members, name, held, found))
    return tuple(sorted(found, key=largest))


def _of(items: Iterable[Item], keys: Collection[str]) -> list[Item]:
    """Return the items of some keys, the oldest first."""
    return sorted((one for one in items if one.key in keys), key=lambda one: (one.at, one.key))


def _share_a_name(members: Sequence[Item]) -> bool:
    """Tell whether changes are called by something that is not the mere title of one."""
    name = _found_story(members).name
    return bool(name) and name not in _titles_of(members)


def _found_story(members: Sequence[Item]) -> Story:
    """Return what a story of members would be had rules joined them."""
    titles = {issue.number: issue.title for one in members for issue in one.linked_issues}
    return _story([profile(one) for one in members], (), Rarity(), titles, sure=True)


def _titles_of(members: Iterable[Item]) -> set[str]:
    return {shortened(clean_title(one.title)) for one in members}


def _said_story(
    by: str, members: Sequence[Item], name: str, held: Story | None, others: Sequence[Story]
) -> Story:
    """Return a story of members because somebody says so; see `regrouped`."""
    made = _found_story(members)
    title = shortened(clean_title(members[0].title)) or members[0].ref
    names = [given_name(name, members), made.name, title]
    if held and 2 * len({one.key for one in members} & {*held.items}) >= len(members):
        names.insert(1 if held.name in _titles_of(members) else 0, held.name)
    taken = {"", *(one.name.casefold() for one in others)}
    first, second = (one.ref.lstrip("#") for one in members[:2])
    story = replace(
        made,
        key=f"{members[0].repo}:story:{first}-{second}",
        name=next((each for each in names if each.casefold() not in taken), title),
        reasons=(),
        by=by,
    )
    if held is None:
        return story
    # Of a story that is left in part, who made the changes that were left out is not known by it.
    is_whole = {*held.items} <= {one.key for one in members}
    if not is_whole:
        return replace(story, key=held.key, earlier=held.earlier, since=held.since or made.since)
    return replace(
        story,
        key=held.key,
        earlier=held.earlier,
        authors=tuple(dict.fromkeys((*made.authors, *held.authors))),
        since=min(made.since, held.since or made.since),
        reasons=held.reasons,
    )


def largest(story: Story) -> tuple[int, str, str]:
    """Return what stories are sorted by: the largest first, then the oldest."""
    return -len(story.items), story.since, story.key


def _most_named(
    members: Sequence[Profile], numbers: Callable[[Profile], Iterable[int]]
) -> int | None:
    """The number that more than half of the members name, None where none is."""
    counts = Counter(number for one in members for number in numbers(one))
    for number, count in counts.most_common(1):
        if 2 * count > len(members):
            return number
    return None


def _name(
    members: Sequence[Profile],
    tracker: str,
    stem: str,
    past: Rarity,
    *,
    sure: bool,
    common: Mapping[str, int],
) -> str:
    """The tracker's title, the series' stem, or words that members share; empty without any."""
    if tracker:
        return shortened(clean_title(tracker))
    naming = _naming(members)
    if not stem:
        files = frozenset.intersection(*(one.files for one in members))
        linked = bool(files) or any(continues(*pair) for pair in permutations(members, 2))
        return story_name(naming, past, sure=sure, linked=linked, common=common)
    name = shortened(clean_title(stem) or stem)
    stems = {one.series[0].casefold() for one in members if one.series}
    if len(stems) > 1 and (shared := story_name(naming, past, sure=True)):
        # Each part has a title of its own; where they share its beginning, one that is no whole
        # phrase says less than the first of them does.
        goes_on = name.removeprefix(shared).lstrip()[:1]
        if not (name.startswith(shared) and goes_on.isalnum()):
            return shared
    if NUMBER.search(name) and (shared := story_name(naming, past, sure=False)):
        longer = f"{shared} ({name})"
        return longer if len(longer) <= LONGEST else shared
    return name


def _naming(members: Sequence[Profile]) -> list[Member]:
    """Return what of members may name their story."""
    return [
        Member(
            clean_title(one.item.title, has_part=one.series is not None),
            tuple(
                tag
                for tag in tags_of(one.item.title[:TITLE_READ])
                if tag.lower() in one.tags and not re.search(r"#\d|\d/", tag)
            ),
            one.is_noise or STYLE.search(one.item.title[:TITLE_READ]) is not None,
            one.item.additions + one.item.deletions,
        )
        for one in members
    ]
