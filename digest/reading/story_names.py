"""What a story is called: words of its members' authors, never ours.

Best is a phrase that most members share in their titles; then their tag or subject; then a phrase
of a third of them; then, where the evidence for the story is strong and it is of few, one that two
of them share, or the beginning of the title that the others are most like. What has no name is not
told.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from digest.models import Item
from digest.reading.change import REMEMBERED, bare
from digest.reading.description import TITLE_READ
from digest.reading.folding import bare_title
from digest.reading.paths import words
from digest.reading.story_signs import ALIKE, COMMON, GENERIC, PART, PLACES, Rarity, tags_of

LONGEST = 60
"""Characters of a name; it is cut between words, where a phrase ends if possible."""
LONGEST_PHRASE = 6
"""Words of a phrase that members share."""
SPEAKS_ALONE = 6.0
"""Bits of rarity from which one word says what a story is about."""
WORTH_SAYING = 4.5
"""The same for one of several words."""
WORTH_STANDING_ALONE = 2.7
"""The same for a tag: what every sixth change bears says nothing of a few."""
MOST_BY_A_TITLE = 6
"""Members of a story that may be called by the title of one: of more it is not the title."""
BORNE_BY = 3
"""The part of the members, one in so many, that share a phrase which their story is called by."""
FEWEST = 3
"""The same in members; two are enough where all share a tag."""

_TOKEN = re.compile(r"`[^`]{1,60}`|[\w][\w.+/-]*[\w]|\w|[^\w\s]")
_NO_EDGE = COMMON | words(
    "also after before between during if instead more not now only other per some than then "
    "through under we introduce implement implementing rename revert restore correct handle "
    "avoid skip bump version clean migrate replace extract drop step part parts follow "
    "follow-up several multiple various initial new old both each always never them its missing "
    "unused broken delete dead obsolete better extend ensure guard adding fixing removing moving "
    "expose optional reduce "
    "two three first second one don doesn isn t "
    "because being across due against within over among inside until onto upon toward towards "
    "along around beside below above behind out about like such any every "
    "what who whom whose they we you he she i nobody anybody somebody nothing something anything "
    "saw said says told did does done has have had was were been will would can could may might"
)
_HOLLOW = words(
    "model kernel test ci bug fix support code error issue default option config check release "
    "path file import dependency latest main pr nightly docker"
)
"""Words that name nothing by themselves."""
_BREAK = re.compile(
    r"[,;:(—–]|\s(?:for|in|via|with|by|and|when|to|from|on|under|after|as|so|if|because|during|"
    r"being|instead|that|which|where|without|into|across|at|using|due|between|against|through|"
    r"before|within|per|than|over|among|inside|until)\s",
    re.IGNORECASE,
)
_NAME = re.compile(r"[_\d`]|\w\.\w|[a-z][A-Z]|[A-Z]{2}")
"""What tells a name from a plain word: `fill_len`, `Qwen3`, `req.kv`, `AutoTuner`, `NIXL`."""
_VAGUE = re.compile(
    r"v\d+|sm\d+\w?|gfx\d+|mi\d+\w?|[bh]\d00|fa\d|v?\d[\w.]*|e2e|gemm|bf16|fp16|int8|oom|api|rfc|pr"
)
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_VERB = re.compile(r"(?!(?:a|all|an|each|no|some|the|this)$)[A-Z]?[a-z]+", re.IGNORECASE)
_PREFIX = re.compile(r"(\w[\w-]{2,24}): ")
"""What a title begins with that says what it is of: `ovens: Heat rye`."""
_MOVE = re.compile(r"\s(?:to|into)\s", re.IGNORECASE)
"""What a phrase that lacks its verb cannot be read with: `setup into a module`."""


@dataclass(frozen=True, slots=True)
class Member:
    """What of a member may name its story: its title, and tags as written."""

    title: str
    tags: tuple[str, ...] = ()
    is_upkeep: bool = False
    lines: int = 0


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Runs of words of all titles: how many titles have each, and how it is written."""

    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    spelled: dict[tuple[str, ...], str] = field(default_factory=dict)


def story_name(
    members: Sequence[Member],
    past: Rarity,
    *,
    sure: bool,
    linked: bool = False,
    common: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """Return what a story is called, empty where its members share nothing readable.

    In: two members or more, with titles as `clean_title` gives them; how rare words are; `sure`
    where the evidence is strong enough to call the story by a member's own title, and `linked` that
    this may share no word with the others, as they share a file or name each other. `common` are
    tags, in lower case, that much of the window bears, with how many changes do: alone they say
    nothing of a few of these.
    """
    phrases = _phrases([one.title for one in members])
    tag = _shared_tag(members)
    says_what = _rarity(_plain(tag).split(), past) >= WORTH_STANDING_ALONE
    says_what &= 2 * len(members) > common.get(tag.lower(), 0)
    some = max(2 if tag else FEWEST, math.ceil(len(members) / BORNE_BY))
    for least in (len(members) // 2 + 1, some):
        if phrase := _best(phrases, least, past):
            text = _with_verb(phrases.spelled[phrase], [one.title for one in members])
            with_tag = f"{tag}: {text}"
            if tag and _plain(tag) not in _plain(text) and len(with_tag) <= LONGEST:
                return with_tag
            return shortened(text)
        if tag and says_what and (sure or len(members) > 2):
            return tag
    # No title is that of many others, or of those that share a common tag alone.
    if not sure or (tag and not linked) or len(members) > MOST_BY_A_TITLE:
        return ""
    return _opening(members, phrases, past, linked=linked)


def is_subject(name: str) -> bool:
    """Tell whether a name is no more than a subject that many stories have: a platform, a part."""
    words = _subject(name).split()
    return bool(words) and GENERIC.keys() | PLACES >= {*words}


def speak_alike(one: str, other: str) -> bool:
    """Tell whether two titles share a word that names something."""
    return not (_stems(one) & _stems(other)) <= _NO_EDGE | _HOLLOW


def speaks_of(name: str, item: Item) -> bool:
    """Tell whether a change's title or paths hold a word of a name that names something."""
    meant = {ALIKE.get(word, word) for word in _stems(name) - _HOLLOW - _FILL_WORDS}
    held = {ALIKE.get(word, word) for word in _stems(_own_words(item))}
    return not meant or not meant.isdisjoint(held)


def is_named(name: str, item: Item) -> bool:
    """Tell whether a change's title holds each word of a name that names something.

    Of a name of one word its tags do: a word alone stands in titles by chance.
    """
    meant = {ALIKE.get(word, word) for word in _stems(name) - _HOLLOW - _FILL_WORDS}
    title = item.title[:TITLE_READ]
    text = title if " " in name else " ".join(tags_of(title))
    return bool(meant) and meant <= {ALIKE.get(word, word) for word in _stems(text)}


def given_name(name: str, members: Sequence[Item]) -> str:
    """Return a name that somebody gave to changes, empty where it is not of their words.

    In: the name, and the changes, whose titles and paths must hold each word of it that says
    something, in singular or plural; at least two of them, and half of them, hold one.
    """
    plain_name = " ".join(name.split())
    meant = {word for word in _stems(plain_name) if word not in _FILL_WORDS}
    held = [_stems(_own_words(one)) for one in members]
    if len(plain_name) > LONGEST or len(plain_name.split()) > LONGEST_PHRASE or not meant - _HOLLOW:
        return ""
    if not meant <= frozenset().union(*held):
        return ""
    naming = sum(not meant.isdisjoint(each) for each in held)
    return plain_name if naming >= max(2, len(held) / 2) else ""


def _own_words(item: Item) -> str:
    return " ".join((item.title, *(file.path for file in item.files or ())))


@lru_cache(maxsize=REMEMBERED)
def _stems(text: str) -> frozenset[str]:
    """The words of a text in singular, those within a name one by one."""
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.casefold()))


_WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
_FILL_WORDS = words("and or of for in on the with a an to")
"""What a name may hold beside its members' words: none that says what was done, or not."""


def clean_title(title: str, *, has_part: bool = False) -> str:
    """Return a title without tags, prefix, pull request numbers and, of a series, its part."""
    text = bare(bare(bare_title(title[:TITLE_READ])))
    text = re.sub(r"^\w{2,12}\((?:\[[^\]]*\]\s*)+\):?\s*", "", text)  # `Feat([FA4][CUTE]) Add …`
    if quoted := re.match(r"revert\s+[\"“](.+?)[\"”]?$", text, re.IGNORECASE):
        text = bare(bare_title(quoted.group(1)))
    text = re.sub(r"\([^()]*#\d+[^()]*\)|\[\s*\]|\(\s*\)|^[^\[]{1,30}\]\s", " ", text)
    if has_part:
        text = PART.sub(" ", text)
    return _unquoted(" ".join(text.split()).strip(" *.:,-–—")).removeprefix("to ")


def _unquoted(text: str) -> str:
    """Return a text without quotation marks at its ends that belong to none within."""
    for mark in "\"'":
        if text.count(mark) < 2 or text[:1] == text[-1:] == mark:
            text = text.strip(mark)
    return text


def shortened(text: str, limit: int = LONGEST) -> str:
    """Return a text within the limit: whole words, cut where a phrase ends if that is late."""
    if len(text) <= limit:
        return text
    ends = [found.start() for found in _BREAK.finditer(text[: limit + 1]) if found.start() > 12]
    cut = text[: ends[-1]] if ends else text[: limit + 1].rpartition(" ")[0] or text[:limit]
    for left, right in _BRACKETS.items():
        if cut.count(left) > cut.count(right):
            cut = cut[: cut.rindex(left)]
    if cut.count("`") % 2:
        cut = cut[: cut.rindex("`")]
    kept_words = cut.split()
    while len(kept_words) > 1 and kept_words[-1].lower() in COMMON:
        kept_words.pop()
    return " ".join(kept_words).rstrip(" ,;:-–—")


def _norm(word: str) -> str:
    lowered = word.lower().strip("`")
    lowered = ALIKE.get(lowered, lowered)
    if lowered.endswith("s") and len(lowered) > 4 and not lowered.endswith(("ss", "us", "is")):
        lowered = lowered[:-1]
    return ALIKE.get(lowered, lowered)


def _plain(text: str) -> str:
    return " ".join(_norm(token) for token in _TOKEN.findall(text))


def _phrases(titles: Sequence[str]) -> _Phrases:
    found = _Phrases()
    for title in titles:
        tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(title)]
        seen: set[tuple[str, ...]] = set()
        for start in range(len(tokens)):
            for end in range(start + 1, min(len(tokens), start + LONGEST_PHRASE) + 1):
                first, last = tokens[start][0], tokens[end - 1][0]
                if not _may_end(first) or not _may_end(last):
                    continue
                run = tuple(_norm(token) for token, _, _ in tokens[start:end])
                text = title[tokens[start][1] : tokens[end - 1][2]]
                if any(text.count(left) != text.count(right) for left, right in _BRACKETS.items()):
                    continue
                seen.add(run)
                known = found.spelled.get(run, "")
                if not known or sum(map(str.isupper, text)) > sum(map(str.isupper, known)):
                    found.spelled[run] = text  # `MLA` before `mla`
        found.counts.update(seen)
    return found


def _with_verb(phrase: str, titles: Iterable[str]) -> str:
    """Return a phrase that moves one thing to another with the word that its titles begin with.

    That is where all titles that hold it do: `Extract layer-index setup into a module`.
    """
    if not _MOVE.search(phrase):
        return phrase
    holding = [title for title in titles if _plain(phrase) in _plain(title)]
    first = {title.split()[0] for title in holding}
    verb = first.pop() if len(first) == 1 else ""
    whole = f"{verb} {phrase}" if _VERB.fullmatch(verb) else phrase
    is_begun = any(_plain(title).startswith(_plain(phrase)) for title in holding)
    return phrase if is_begun or len(whole) > LONGEST else whole


def _may_end(token: str) -> bool:
    return (token[0].isalnum() or token[0] == "`") and token.lower() not in _NO_EDGE


def _content(run: Iterable[str]) -> list[str]:
    return [word for word in run if word[:1].isalpha() and word not in _NO_EDGE]


def _rarity(run: Iterable[str], past: Rarity) -> float:
    return max((past.term_rarity(word) for word in _content(run)), default=0.0)


def _best(phrases: _Phrases, least: int, past: Rarity) -> tuple[str, ...]:
    """The telling run of `least` titles or more: the more titles, words and rarity the better."""
    best: tuple[str, ...] = ()
    score = 0.0
    for run, count in sorted(phrases.counts.items()):
        content = _content(run)
        if count < least or not _is_enough(run, phrases, past):
            continue
        value = count * (_rarity(run, past) + 4 * len(content) ** 0.5)
        if value > score:
            best, score = run, value
    return best


def _is_enough(run: tuple[str, ...], phrases: _Phrases, past: Rarity) -> bool:
    """Whether a phrase says by itself what a story is about."""
    content = [word for word in _content(run) if word not in _HOLLOW]
    if len(_content(run)) > 1 and content:
        return _rarity(run, past) >= WORTH_SAYING
    return (
        _is_name(run, phrases)
        and not {*run} & GENERIC.keys()
        and past.term_rarity(run[0]) >= SPEAKS_ALONE
    )


def _is_name(run: tuple[str, ...], phrases: _Phrases) -> bool:
    """Whether one word is a name: a symbol, a model, not hardware or a version alone."""
    text = phrases.spelled[run]
    return (
        len(run) == 1
        and len(run[0]) > 2
        and bool(_NAME.search(text))
        and not _VAGUE.fullmatch(run[0])
    )


def _shared_tag(members: Sequence[Member]) -> str:
    counts = Counter(name for one in members for name in dict.fromkeys(map(_subject, one.tags)))
    for name, count in counts.most_common(1):
        if 2 * count > len(members):
            return next(tag for one in members for tag in one.tags if _subject(tag) == name)
    return ""


def _subject(tag: str) -> str:
    """What a tag is about: `[Intel GPU]` and `[XPU]` name one platform."""
    plain = _plain(tag)
    return next(iter(sorted({*plain.split()} & PLACES)), plain)


def _opening(members: Sequence[Member], phrases: _Phrases, past: Rarity, *, linked: bool) -> str:
    """Return the beginning of the title that the others are most like, else of the largest.

    What two of more members share says more of all than the title of one, as does a prefix where
    titles have nothing else in common.
    """

    def shared(one: Member) -> set[tuple[str, ...]]:
        runs = ((_norm(token),) for token in {*_TOKEN.findall(one.title)} if _may_end(token))
        return {run for run in runs if phrases.counts[run] > 1 and {*_content(run)} - _HOLLOW}

    def likeness(one: Member) -> int:
        return sum(phrases.counts[run] - 1 for run in shared(one))

    named = min(members, key=lambda one: (one.is_upkeep, -likeness(one), -one.lines))
    if not (linked or likeness(named)):
        return ""
    if len(members) > 2 and (phrase := _best(phrases, 2, past)):
        text = phrases.spelled[phrase]
        titles = [one.title for one in members if _plain(text) in _plain(one.title)]
        # What begins all titles that hold it begins with what was done.
        if not all(_plain(title).startswith(_plain(text)) for title in titles):
            return shortened(_with_verb(text, titles))
    prefixes = (found[1] for one in members if (found := _PREFIX.match(one.title)))
    in_common = {word for run in shared(named) for word in run}
    if prefix := next((one for one in prefixes if in_common == {_norm(one)}), ""):
        return prefix
    return shortened(named.title)
