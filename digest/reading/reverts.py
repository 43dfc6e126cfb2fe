"""Reverts paired with what they take back, and what comes back after them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from digest.facts import Evidence, Fact, FactChange, FactKind
from digest.github_web import as_public
from digest.models import Item, Kind, Revert
from digest.reading.change import RELAND, REVERT, bare
from digest.reading.description import BODY_READ, TITLE_READ, visible
from digest.reading.folding import bare_title, fold
from digest.reading.releases import is_prerelease

_BY_SHA = re.compile(r"\bthis reverts commit\s+([0-9a-f]{7,40})\b", re.IGNORECASE)
_BY_NUMBER = re.compile(
    r"\breverts?\s+(?:pr\s+|pull request\s+)?(?:([\w.-]{1,100}/[\w.-]{1,100})|"
    r"https://github\.com/([\w.-]{1,100}/[\w.-]{1,100})/pull/)?#?(?<=[#/])(\d{1,9})\b",
    re.IGNORECASE,
)
_INTRODUCED = re.compile(
    r"\bintroduced\s+(?:in|by|with)\s+[\[(]{0,2}(?:https://github\.com/"
    r"([\w.-]{1,100}/[\w.-]{1,100})/pull/|#)(\d{1,9})\b",
    re.IGNORECASE,
)
"""What a revert that names nothing else takes back: where what it mends came from."""
_TITLE_NUMBER = re.compile(
    r"#(\d{1,9})\b(?!…|\.\.\.)|\b(?:prs?|pulls?) (\d{2,9})\b(?!…|\.\.\.)", re.IGNORECASE
)
"""A number in a title; the last one of a title that was cut may lack digits."""
_MENTIONED = re.compile(
    r"\b(?:after|before|by|closes?|fix(?:es|ed)?|follow[- ]?ups?|for|from|in|issue|of|on|per|"
    r"regression|resolves?|see|since|to|with):?\s+(?:pr |pull |issue )?#\d{1,9}\b|"
    r"\b(?:prs?|pulls?) \d{2,9}(?:(?:,? and |, | & )\d{2,9})*\b",
    re.IGNORECASE,
)
"""A number that a quoted title speaks of, which is not the quoted change's own."""
_PIECE = re.compile(
    r"\W{0,3}reverts?\s+(?:"
    r"(?:(?!\b(?:all|changes?|commits?|everything)\b)[^\"“'‘「#])*\bfrom (?:pr #?|#)\d{1,9}\b"
    r"(?!,? (?:and|&))|(?:(?:the|some|a)\s+)?(?:[\w-]+\s+){0,2}parts? of (?:changes? )?"
    r"(?:in )?(?:pr #?|#)\d)",
    re.IGNORECASE,
)
"""A title that takes back a piece of a change, or a state and says which change had left it."""
_JOINED = re.compile(
    r"#\d{1,9}(?:\)?[\"”'’]?\s*(?:,\s*and|,|and|&)\s*"
    r"(?:[\"“'‘][^\"”#]{1,150}\(|(?:pr )?)#\d{1,9})+",
    re.IGNORECASE,
)
"""Numbers side by side: `#1 and #2`, `"One (#1)" and "Two (#2)"`."""
_PRS = re.compile(
    r"\bprs (\d{2,9}(?:(?:,? and |, | & )\d{2,9})+)\b(?! (?:files|more|others?|tests)\b)",
    re.IGNORECASE,
)
"""Numbers side by side without a mark: `PRs 34818 and 33600`."""
_CUT = re.compile(r"\s*(?:…|\.\.\.)[\"”']?$")
_SHORTEST_CUT = 12
"""Characters that a cut title keeps at least to be found by."""
_QUOTED = re.compile(r"[\"“'「](.+)[\"”'」]")
_OPEN_QUOTE = re.compile(r"revert:? {0,3}[\"“](.+)$", re.IGNORECASE)
"""A quotation of which GitHub cut the end."""
_UNTAGGED = re.compile(r"^\s*\[revert\]\s*", re.IGNORECASE)
_REVERT_WORD = re.compile(r"^\W{0,3}revert(?:s|ed|ing)?\b\W{0,4}", re.IGNORECASE)
_ANY_PREFIX = re.compile(r"^\w[\w/-]{0,20}(?:\([^()]{1,30}\))?: +")
"""The part of a repository before a title, whatever it is called."""
SHORT_SHA = 7

MOST_UNKNOWN = 20
"""Older changes that are looked up at most: far more than a day takes back."""


@dataclass(frozen=True, slots=True)
class _Named:
    """What a revert says that it takes back."""

    shas: tuple[str, ...]
    numbers: tuple[int, ...]
    title: str
    is_quoted: bool = False
    is_cut: bool = False
    meant: frozenset[int] = frozenset()
    """Of the numbers those that say what is taken back, and not why."""

    def is_other(self, item: Item) -> bool:
        """Return whether a change of this title has another number than the one that is meant.

        A number in its own title is part of the quotation.
        """
        own = {number for number in (item.number, item.pull_request) if number is not None}
        meant = self.meant.difference(_numbers(item.title))
        return bool(own and meant) and own.isdisjoint(meant)

    @property
    def is_sure(self) -> bool:
        """Whether a change is named, by number, SHA or quoted title."""
        return bool(self.numbers or self.shas or self.is_quoted)

    def ref(self) -> str:
        if self.numbers:
            return f"#{self.numbers[0]}"
        return self.shas[0][:SHORT_SHA] if self.shas else self.title


class _Index:
    """Known changes by SHA, number and title."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.by_sha: dict[str, list[tuple[str, Item]]] = {}
        self.by_number: dict[int, Item] = {}
        self.by_title: dict[str, list[Item]] = {}
        self.by_bare: dict[str, list[Item]] = {}
        for item in items:
            if not item.kind.is_change:
                continue
            for sha in item.commits:
                self.by_sha.setdefault(sha[:SHORT_SHA], []).append((sha, item))
            if item.number is not None:
                self.by_number[item.number] = item
            self.by_title.setdefault(_normal(item.title), []).append(item)
            self.by_bare.setdefault(_barest(item.title), []).append(item)

    def taken_back(self, revert: Item) -> list[Item]:
        """Return the known changes that a revert takes back."""
        found = (self.original(revert, named) for named in _all_named(revert))
        return [one for one in found if one is not None]

    def original(self, revert: Item, named: _Named) -> Item | None:
        """The known change that `revert` takes back: by SHA, then number, then title.

        One that has the title and another number than the revert names is not meant.
        """
        for sha in named.shas:
            for whole, item in self.by_sha.get(sha[:SHORT_SHA], ()):
                if whole.startswith(sha) and item.key != revert.key:
                    return item
        for number in named.numbers:
            found = self.by_number.get(number)
            if found is not None and found.key != revert.key:
                return found
        before = [
            item
            for item in self._titled(named)
            if item.key != revert.key and item.at <= revert.at and not is_revert(item)
            if not named.is_other(item)
        ]
        return max(before, key=lambda item: (item.at, item.key)) if before else None

    def _titled(self, named: _Named) -> list[Item]:
        """The changes of a title, or of the only title that begins as a cut one does."""
        title = _normal(named.title)
        if not title:
            return []
        exact = self.by_title.get(title) or self.by_bare.get(_barest(named.title), [])
        if exact or not named.is_cut or len(title) < _SHORTEST_CUT:
            return exact
        begun = [one for one in self.by_title if one.startswith(title)]
        return self.by_title[begun[0]] if len(begun) == 1 else []


def _barest(title: str) -> str:
    """Return a title without tags and prefix, in which a revert's quotation may differ."""
    return _normal(_ANY_PREFIX.sub("", bare(title)))


@dataclass(frozen=True, slots=True)
class Unknown:
    """Changes that reverts name and that are not known: by pull request number, SHA and title.

    A title is quoted by the revert and may be cut at its end (the sign of that is left out). A
    SHA has 7 to 40 lower-case hexadecimal digits; a number may be an issue's.
    """

    numbers: tuple[int, ...] = ()
    shas: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.shas or self.titles)


def is_revert(item: Item) -> bool:
    """Tell whether a change takes another back (and does not bring one again)."""
    if not item.kind.is_change:
        return False
    title = item.title[:TITLE_READ]
    if RELAND.match(title):
        return False
    return bool(REVERT.match(title)) or item.body.lstrip()[:20].lower() == "this reverts commit "


def unknown_originals(items: Iterable[Item], limit: int = MOST_UNKNOWN) -> Unknown:
    """Give what reverts among the items take back without its being there; at most `limit` each.

    In: changes as a source found them, folded or not.
    """
    folded = fold(items)
    index = _Index(folded)
    numbers: list[int] = []
    shas: list[str] = []
    titles: list[str] = []
    for item in folded:
        if not is_revert(item):
            continue
        for named in _all_named(item):
            if index.original(item, named) is not None:
                continue
            shas += named.shas
            numbers += named.numbers
            if len(named.title) >= _SHORTEST_CUT and not named.numbers and not named.shas:
                titles.append(named.title)
    return Unknown(
        tuple(dict.fromkeys(numbers))[:limit],
        tuple(dict.fromkeys(shas))[:limit],
        tuple(dict.fromkeys(titles))[:limit],
    )


def originals(items: Iterable[Item], known: Iterable[Item]) -> tuple[Item, ...]:
    """Give those of `known` that reverts among the items take back, and that are not among them.

    In: changes as a source found them, folded or not; `known` are older ones. Out: folded.
    """
    folded = fold(items)
    mine = {item.key for item in folded}
    index = _Index([*folded, *fold(known)])
    found: dict[str, Item] = {}
    for item in folded:
        if is_revert(item):
            found |= {original.key: original for original in index.taken_back(item)}
    return tuple(original for key, original in found.items() if key not in mine)


def pair(
    items: Sequence[Item], later: Sequence[Item], earlier: Sequence[Item] = ()
) -> tuple[Revert, ...]:
    """Pair reverts with what they take back.

    In: folded changes of the window, folded ones that landed after it, and older ones that may
    be taken back. Out: every revert of the window, then every later revert of an item of the
    window, each in order of landing, once for each change that it takes back. What names no
    change (`Revert the groups to one machine`) takes back a state: it is not among them.
    """
    index = _Index([*items, *later, *earlier])
    mine = {item.key for item in items}
    pairs: list[Revert] = []
    for item in (*_in_order(items), *_in_order(later)):
        for named in _all_named(item) if is_revert(item) else ():
            original = index.original(item, named)
            if original is None and not named.is_sure:
                continue
            if item.key not in mine and (original is None or original.key not in mine):
                continue
            seconds = None
            if original is not None and original.at <= item.at:
                seconds = int((item.at - original.at).total_seconds())
            ref = original.ref if original is not None else named.ref()
            pairs.append(Revert(item, original, ref, seconds))
    return tuple(pairs)


_WHY = re.compile(
    r"\b(?:to (?:avoid|fix|prevent|restore|unblock|resolve)|because|due to|as it|since|until)\b",
    re.IGNORECASE,
)
_REASON = re.compile(rf"{_WHY.pattern}(?P<what> [^\"”'#]{{4,120}})$", re.IGNORECASE)


def reason(revert: Item) -> str:
    """Return why a change was taken back, as the end of the revert's own title says it."""
    rest = _QUOTED.sub("", bare_title(revert.title[:TITLE_READ]))
    found = _REASON.search(rest)
    return found.group().strip(" .") if found else ""


def revert_facts(pairs: Iterable[Revert]) -> tuple[Fact, ...]:
    """Return what was taken back, one fact of the revert for each pair, with its evidence.

    `name` is how people write the original (`#4087`), `before` its title where it is known, and
    `seconds` how long it was in.
    """
    return tuple(
        Fact(
            kind=FactKind.REVERT,
            item=pair.revert.key,
            change=FactChange.REVERTED,
            name=pair.original_ref,
            before=pair.original.title if pair.original else None,
            seconds=pair.seconds,
            evidence=(Evidence("title", pair.revert.title, item=pair.revert.key),),
        )
        for pair in pairs
    )


LIVED_SHORTLY = timedelta(days=3)
"""How long a change of before the window was in at most to be taken for unreleased."""
_SETTLED = (FactKind.INTERFACE, FactKind.REQUIREMENT, FactKind.MOVE, FactKind.SUPPORT)


def without_taken_back(
    facts: Sequence[Fact], pairs: Iterable[Revert], items: Iterable[Item]
) -> tuple[Fact, ...]:
    """Leave out what came and went before any release: it is no upgrade note of anybody.

    In: facts of a window, its reverts, and its items, among them releases. Of a pair with no
    release between its two, facts about interfaces, requirements, moves and support of both go;
    where the original is older than the window, only if it was in for `LIVED_SHORTLY` at most.
    """
    known = tuple(items)
    keys = {item.key for item in known}
    releases = [item.at for item in known if item.kind is Kind.RELEASE and not is_prerelease(item)]
    gone: set[str] = set()
    for pair in pairs:
        first, last = pair.original, pair.revert
        if first is None or any(first.at <= at <= last.at for at in releases):
            continue
        if first.key in keys or last.at - first.at <= LIVED_SHORTLY:
            gone |= {first.key, last.key}
    return tuple(fact for fact in facts if fact.item not in gone or fact.kind not in _SETTLED)


def relands(items: Sequence[Item]) -> dict[str, tuple[str, ...]]:
    """Give, for each change that brings another again, the keys of that other change.

    It says so, names what took that back, or has the title of a change that was taken back before.
    """
    index = _Index(items)
    found = {**_landed_again(items, index), **_said_to_land_again(items, index)}
    for item in items:
        title = item.title[:TITLE_READ]
        if RELAND.match(title) and item.kind.is_change:
            inner = _QUOTED.search(title)
            name = inner.group(1) if inner else title.partition(":")[2] or title
            named = _Named((), _numbers(title), name)
            original = index.original(item, named) or _in_words(item, name, items, index)
            if original is not None:
                found[item.key] = (original.key,)
    return found


_FEWEST_WORDS = 3
"""Words by which a change that lands again is known without its whole title."""


def _in_words(item: Item, name: str, items: Sequence[Item], index: _Index) -> Item | None:
    """Return what was taken back before and has all words by which it is said to land again."""
    words = set(re.findall(r"\w+", _barest(RELAND.sub("", name))))
    if len(words) < _FEWEST_WORDS:
        return None
    backs = [one for one in _in_order(items) if is_revert(one) and one.at < item.at]
    taken = (original for one in reversed(backs) for original in index.taken_back(one))
    return next(
        (one for one in taken if words <= set(re.findall(r"\w+", _barest(one.title)))),
        None,
    )


_LANDS_AGAIN = re.compile(r"\bre-?(?:land|appl(?:y|ies)|introduc)\w*", re.IGNORECASE)
_ANY_NUMBER = re.compile(r"(?<![\w/])#(\d{1,9})\b")


def _said_to_land_again(items: Sequence[Item], index: _Index) -> dict[str, tuple[str, ...]]:
    """Return what changes bring again that say so beside the number of what took it back."""
    reverts = {item.number: item for item in items if item.number is not None and is_revert(item)}
    found: dict[str, tuple[str, ...]] = {}
    for item in items if reverts else ():
        text = f"{item.title[:TITLE_READ]}\n{item.body[:BODY_READ]}"
        if not item.kind.is_change or is_revert(item) or not _LANDS_AGAIN.search(text):
            continue
        numbers = (int(number) for number in _ANY_NUMBER.findall(text))
        backs = [reverts[number] for number in numbers if number in reverts]
        again = (
            original for one in backs if one.at < item.at for original in index.taken_back(one)
        )
        if keys := tuple(dict.fromkeys(one.key for one in again)):
            found[item.key] = keys
    return found


def _landed_again(items: Sequence[Item], index: _Index) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for item in items:
        for original in index.taken_back(item) if is_revert(item) else ():
            if len(title := _barest(original.title)) < _SHORTEST_CUT:
                continue
            again = [
                one for one in index.by_bare.get(title, ()) if one.at > item.at and one != original
            ]
            if again:
                found[_in_order(again)[0].key] = (original.key,)
    return found


def _in_order(items: Sequence[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.at, item.key))


def _all_named(revert: Item) -> list[_Named]:
    """Return what a revert says that it takes back: one change, or each that its title joins."""
    named, whole = _named(revert), bare_title(_title_of(revert))
    joined = _JOINED.search(whole)
    by_title = _named(replace(revert, body="")).numbers
    if joined is None or named.shas or named.numbers != by_title:
        return [named]
    before = whole[: joined.start()]
    # Behind a reason the numbers say why, behind another number what came with it, and within a
    # quotation they are of the title that is taken back, but for the one at its end.
    is_within = len(re.findall('["“”]', before)) % 2 == 1 and not before.endswith("(")
    numbers = [number for number in _numbers(joined.group()) if number in by_title]
    if len(numbers) < 2 or is_within or _numbers(before) or _WHY.search(before):
        return [named]
    return [_Named((), (number,), "") for number in dict.fromkeys(numbers)]


def _title_of(revert: Item) -> str:
    """Return a title with a mark before each number of a list; what it quotes stays as it is."""

    def marked(found: re.Match[str]) -> str:
        return " and ".join(f"#{number}" for number in re.findall(r"\d+", found[1]))

    title = revert.title[:TITLE_READ]
    return title if _QUOTED.search(title) or _OPEN_QUOTE.search(title) else _PRS.sub(marked, title)


def _named(revert: Item) -> _Named:
    title = _title_of(revert)
    body = as_public(visible(revert.body))
    own = str(revert.repo).lower()
    own_numbers = (revert.number, revert.pull_request)
    told = [
        int(number)
        for short, linked, number in _BY_NUMBER.findall(body)
        if (short or linked or own).lower() == own
    ]
    shas = tuple(sha.lower() for sha in _BY_SHA.findall(body))
    of_title = _own_numbers(title)
    if not (told or shas or of_title):
        found = _INTRODUCED.findall(body)
        told = [int(number) for linked, number in found if (linked or own).lower() == own]
    numbers = [*told, *of_title]
    whole = bare_title(title)
    quoted = _QUOTED.search(title) or _OPEN_QUOTE.search(whole)
    named = quoted.group(1) if quoted else _REVERT_WORD.sub("", bare(_UNTAGGED.sub("", whole)))
    meant = {*told, *_own_numbers(quoted.group() if quoted else whole)}.difference(own_numbers)
    is_cut = _CUT.search(bare_title(named)) is not None
    named = _CUT.sub("", bare_title(named))
    if is_cut:
        named = re.sub(r"\s*\(#?\d*$", "", named)
    return _Named(
        shas=shas,
        numbers=tuple(dict.fromkeys(one for one in numbers if one not in own_numbers)),
        title=named,
        is_quoted=quoted is not None,
        is_cut=is_cut,
        meant=frozenset(one for one in meant if one is not None),
    )


def _numbers(title: str) -> tuple[int, ...]:
    """Return the numbers of pull requests or issues that a title names."""
    return tuple(int(one or other) for one, other in _TITLE_NUMBER.findall(title))


def _own_numbers(title: str) -> tuple[int, ...]:
    """Return the numbers of a revert's title without those that only what it quotes speaks of."""
    if quoted := _QUOTED.search(title) or _OPEN_QUOTE.search(title):
        start, end = quoted.span(1)
        title = title[:start] + _MENTIONED.sub(" ", title[start:end]) + title[end:]
    return () if _PIECE.match(bare(title)) else _numbers(title)


def _normal(title: str) -> str:
    return " ".join(bare_title(title[:TITLE_READ]).casefold().split())
