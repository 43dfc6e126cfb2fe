"""Signs that two changes belong together, or do not: what two titles, hands and diffs share.

Each sign has a name and a strength; what it is worth is learned (`learned`). What is rare in a
repository's history tells more than what is common: `Rarity` says how common words, files and
folders are there.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from types import MappingProxyType

from digest.grades import ChangeObject
from digest.models import Item
from digest.reading.change import REVERT, TAG, touched
from digest.reading.description import TITLE_READ, written
from digest.reading.folding import bare_title
from digest.reading.paths import role, words
from digest.reading.relations import closed_issues, mentions, series
from digest.reading.whom import whom

_TERM = re.compile(r"[a-z][a-z0-9]*(?:[.-]?\d+(?:\.\d+)*)?[a-z]*|\d{3,}|[\u3400-\u9fff]{2,}", re.I)
NUMBER = re.compile(r"#(\d{1,9})\b")
SYMBOL = re.compile(r"\b(?=\w*[a-z])(?:[A-Za-z]\w*_\w+|[A-Z][a-z0-9]+[A-Z]\w*)\b")
_LIKE_A_SYMBOL = re.compile(r"\b[A-Za-z]\w*[_A-Z]\w*")


def is_symbol(word: str) -> bool:
    """Tell whether a word as `\\w+` finds it is a name of code: most words need no pattern."""
    return ("_" in word or not word.islower()) and SYMBOL.fullmatch(word) is not None


ALIKE: Mapping[str, str] = {
    "dsv4": "deepseek4", "deepseekv4": "deepseek4", "dpskv4": "deepseek4",
    "dsv3": "deepseek3", "dsv32": "deepseek3", "deepseekv3": "deepseek3", "dsv3.2": "deepseek3",
    "amd": "rocm", "hip": "rocm", "mi355": "rocm", "mi300": "rocm", "aiter": "rocm",
    "gfx950": "rocm", "mi355x": "rocm", "mi35x": "rocm",
    "ascend": "npu", "intel": "xpu",
    "spec": "speculative", "eagle": "speculative", "mtp": "speculative", "nextn": "speculative",
    "eagle3": "speculative", "decoding": "decode",
    "mrv2": "runnerv2", "disagg": "disaggregation", "pd": "disaggregation",
    "toolcall": "tool", "parsers": "parser", "attn": "attention", "quant": "quantization",
    "kvoffload": "offload", "offloading": "offload", "kvconnector": "connector",
    "sm121": "sm120", "sm120f": "sm120", "sm121a": "sm120", "logprobs": "logprob",
    "kernels": "kernel", "docs": "doc", "tests": "test", "mlx": "apple",
}  # fmt: skip
"""Words for one thing in these repositories, and the word that they are counted under."""
PLACES = frozenset({"rocm", "npu", "xpu", "cpu", "apple"})
"""Platforms whose changes are seldom of a story with another platform's."""
COMMON = words(
    "a an and are as at be by can do for from has have in into is it its new no not of off on or "
    "so that the their this to up use used uses using via when where which while with without "
    "add adds added fix fixes fixed bug bugfix feat feature support supports update refactor "
    "remove make enable allow improve chore misc perf cleanup clean minor move only all"
)
"""Words that join nothing, however rare a history has them."""
GENERIC: Mapping[str, float] = dict.fromkeys(
    words(
        "kernel model attention cache test doc ci moe quantization decode prefill speculative rocm "
        "cuda core batch memory backend runner error default api cpu gpu triton cutlass frontend "
        "kv parallel fp8 performance build version docker nightly config optimize diffusion "
        "graph mode input output request server tool lora linear layer weight token page "
        "size data load"
    ),
    0.04,
) | dict.fromkeys(
    words(
        "npu xpu deepseek4 qwen3 multimodal disaggregation nvfp4 fp4 mxfp4 mla metrics "
        "connector offload scheduler router sampling logprob parser benchmark mamba flashinfer "
        "v1 v2 v4 compile transformers jit pool bump release revert"
    ),
    0.02,
)
"""Shares of changes that name a word, where no history says how many: rounded, of busy engines."""
UNKNOWN_SHARE = 0.004
"""The share assumed for any other word."""
PRIOR_OF_PATHS = 100
"""Changes whose files are known that weigh as much as an assumption by depth of folder."""
PRIOR = 200
"""Changes of history that weigh as much as these assumptions."""


@dataclass(frozen=True, slots=True)
class Rarity:
    """How common words, files and folders were in a repository before a window.

    `changes` is how many changes were counted, `path_changes` how many of them with their files;
    `terms` by word of a title, `paths` by file and folder (ending in `/`), each with the number of
    changes that have it.
    """

    changes: int = 0
    terms: Mapping[str, int] = field(default_factory=dict)
    paths: Mapping[str, int] = field(default_factory=dict)
    path_changes: int = 0

    def term_rarity(self, term: str) -> float:
        """Return how rare a word is, in bits: 0 for one that every change has, 8 is rare."""
        guess = GENERIC.get(term, UNKNOWN_SHARE)
        share = (self.terms.get(term, 0) + PRIOR * guess) / (self.changes + PRIOR)
        return -math.log2(min(1.0, share))

    def path_rarity(self, path: str) -> float:
        """Return how rare changes of a file or folder are, in bits."""
        known = sum(1 for _ in path.split("/"))
        guess = 0.3 / 2 ** min(6, 1.3 * known)
        share = (self.paths.get(path, 0) + PRIOR_OF_PATHS * guess) / (
            self.path_changes + PRIOR_OF_PATHS
        )
        return -math.log2(min(1.0, share))


def history(changes: Iterable[tuple[str, Sequence[str]]]) -> Rarity:
    """Count earlier changes, each a title and its paths (empty where they are not known)."""
    terms: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    count = with_paths = 0
    for title, files in changes:
        count += 1
        with_paths += bool(files)
        terms.update(terms_of(title))
        paths.update({part for path in files for part in (path, *folders(path))})
    return Rarity(count, terms, paths, with_paths)


def folders(path: str) -> list[str]:
    """Return the folders of a path, the outermost first, each ending in `/`."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: end + 1]) + "/" for end in range(len(parts))]


_VERSIONED = re.compile(r"\b([a-z]{2,})[ -]?(v?\d+(?:\.\d+)?)\b(?!/)")
PART = re.compile(r"\(?\[?\b\d+ ?/ ?(?:\d+|[nNxX])\b\]?\)?|\bpart \d+\b", re.I)


def terms_of(title: str) -> frozenset[str]:
    """Return the words of a title by which it may belong to others, and pairs of neighbours."""
    text = PART.sub(" ", bare_title(title[:TITLE_READ]))
    text = NUMBER.sub(" ", text)
    plain = text.lower().replace("_", " ")
    plain = _VERSIONED.sub(r"\1\2 ", plain)
    found_words: list[str] = []
    for word in _TERM.findall(plain):
        word = word.strip(".-")
        word = ALIKE.get(word, word)
        if word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
        found_words.append(ALIKE.get(word, word))
    found = {word for word in found_words if word not in COMMON and len(word) > 1}
    pairs = {
        f"{one} {two}"
        for one, two in pairwise(found_words)
        if one in found and two in found and one != two
    }
    whole = {symbol.lower() for symbol in SYMBOL.findall(text)}
    return frozenset(found | pairs | whole)


NOISE_OBJECTS = (ChangeObject.CI, ChangeObject.TEST, ChangeObject.DOCS)
PATCH_READ = 20_000
"""Characters of a file's patch of which the symbols are read."""

_PLAIN_TAGS = words(
    "bugfix bug fix feature feat perf performance core misc model models kernel kernels refactor "
    "doc docs ci test tests frontend minor chore cleanup style build hotfix ux ci/build wip rfc "
    "enhancement v1 other codex copilot cursor claude devin"
)
"""Tags that say why a change was made, by which tool, or nothing about what it belongs to."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is compared of one change."""

    item: Item
    terms: frozenset[str]
    tags: frozenset[str]
    files: frozenset[str]
    folders: frozenset[str]
    stems: frozenset[str]
    symbols: frozenset[str]
    numbers: frozenset[int]
    title_numbers: frozenset[int]
    continued: frozenset[int]
    continued_commits: tuple[str, ...]
    series: tuple[str, int, int] | None
    is_noise: bool
    whom: frozenset[str] = frozenset()


def profile(item: Item, object_: ChangeObject | None = None) -> Profile:
    """Return what is compared of a change; in: what it touches, where that is known already."""
    files = [file for file in item.files or () if role(file.path) is not ChangeObject.DOCS]
    paths = frozenset(file.path for file in files)
    stems: set[str] = set()
    for path in paths:
        for part in path.lower().split("/")[-3:]:
            stems.update(re.split(r"[^a-z0-9]+", part.rpartition(".")[0] or part))
    changed: set[str] = set()
    for file in files:
        lines = (file.patch or "")[:PATCH_READ].split("\n")
        text = "\n".join(one for one in lines if one[:1] in ("+", "-"))
        changed.update(_LIKE_A_SYMBOL.findall(text))
    title = item.title[:TITLE_READ]
    mentioned = mentions(item)[0]
    continued, continued_commits = _continued(item)
    return Profile(
        item=item,
        terms=terms_of(title),
        tags=frozenset(
            tag.lower() for tag in tags_of(title) if not words(tag.lower()) <= _PLAIN_TAGS
        ),
        files=paths,
        folders=frozenset(folder for path in paths for folder in folders(path)),
        stems=frozenset(ALIKE.get(stem, stem) for stem in stems if len(stem) > 2),
        symbols=frozenset(one for one in changed if is_symbol(one)),
        numbers=frozenset(mentioned | set(closed_issues(item))),
        title_numbers=tracked(item),
        continued=continued & mentioned,
        continued_commits=continued_commits,
        series=series(item),
        is_noise=(object_ or touched(item)) in NOISE_OBJECTS,
        whom=frozenset(name.casefold() for name in whom(title)),
    )


_CONTINUED = re.compile(
    r"(?:\b(?:follow(?:s|ing)?[- ]?(?:up|s)\b|"
    r"(?:introduced|added|broken|caused|missed|regressed|changed) (?:in|by)\b|"
    r"(?:errors?|bugs?|regressions?|fallout|left-?overs?) (?:\w+ ){0,3}(?:from|of)\b|"
    r"(?:stacked|builds?|based) (?:up)?on\b|on top of\b|supersedes\b|re-?lands?\b|completes\b)"
    r"[^.#\n]{0,30}\n?[^.#\n]{0,30}|^In (?:commit )?)"
    r"(?:(?:#|/pull/)(\d{1,9})|\b([0-9a-f]{7,40}))\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Words by which a change says that it goes on with, or mends, what an earlier one began."""


_BLAMED = re.compile(
    r"(?:#|/pull/)(\d{1,9})\b\)?,? (?:accidentally |had |has |silently |unintentionally )?"
    r"(?:broke|introduced|regressed|missed|forgot|"
    r"(?:added|changed|moved|removed|renamed) (?!to\b))",
    re.IGNORECASE,
)
"""What a description says that an earlier change did."""
_AFTER = re.compile(r"\b(?:after|since) (?:PR )?#(\d{1,9})\b", re.IGNORECASE)
"""What a title says that a change mends what came of."""


def _continued(item: Item) -> tuple[frozenset[int], tuple[str, ...]]:
    """The numbers and SHAs of what a title or description says the item goes on with or mends."""
    text = f"{item.title[:TITLE_READ]}\n{written(item.body)}"
    found = _CONTINUED.findall(text)
    numbers = [number for number, _ in found if number]
    numbers += [*_BLAMED.findall(text), *_AFTER.findall(item.title[:TITLE_READ])]
    return (
        frozenset(int(number) for number in numbers),
        tuple(sha.lower() for _, sha in found if sha),
    )


_SCOPE = re.compile(r"^\s*\w{2,12}\(([^()]{2,30})\)!?:")


def tags_of(title: str) -> list[str]:
    """The tags of a title as written, and the scope of `fix(scope): …`."""
    scope = _SCOPE.match(title)
    scoped = [one.strip() for one in scope.group(1).split(",")] if scope else []
    return [*(tag.strip() for tag in TAG.findall(title)), *scoped]


def tags_beside_mark(part: Item) -> frozenset[str]:
    """Return the tags of a part of a series in lower case, without the one that counts it."""
    tags = tags_of(part.title[:TITLE_READ])
    return frozenset(tag.casefold() for tag in tags if not re.search(r"#\d|\d ?/", tag))


def tracked(item: Item) -> frozenset[int]:
    """The numbers that a title names beside its own; a revert names what it takes back."""
    if REVERT.match(item.title[:TITLE_READ]):
        return frozenset()
    found = {int(one) for one in NUMBER.findall(bare_title(item.title[:TITLE_READ]))}
    return frozenset(found) - {item.number or 0, item.pull_request or 0}


class ComparedChanges:
    """The changes of a window as they are compared with each other.

    In: folded changes (kept in the order of their moments), what the repository's history was,
    and what changes touch by key, as far as that is known already. What most of them share, and
    what is rare in the history, tells how strong a sign is.
    """

    def __init__(
        self,
        items: Sequence[Item],
        past: Rarity,
        objects: Mapping[str, ChangeObject] = MappingProxyType({}),
    ) -> None:
        ordered = sorted(items, key=lambda one: (one.at, one.key))
        whole = [profile(item, objects.get(item.key)) for item in ordered]
        if not past.paths:
            # What many changes of one window touch is no rare place either.
            counts = Counter(path for one in whole for path in (*one.files, *one.folders))
            past = replace(past, paths=counts, path_changes=len(whole))
        self.past = past
        self._rare_path, self._rare_term = cache(past.path_rarity), cache(past.term_rarity)
        self._size = max(2, len(whole))
        self._terms = Counter(term for one in whole for term in one.terms)
        self._stems = Counter(stem for one in whole for stem in one.stems)
        self._symbols = Counter(symbol for one in whole for symbol in one.symbols)
        self._tags = Counter(tag for one in whole for tag in one.tags)
        self._whom = Counter(name for one in whole for name in one.whom)
        self._lengths = [
            {name: _length(texts, weight) for name, texts, weight in self._texts(one)}
            for one in whole
        ]
        self.profiles = [self._pruned(one) for one in whole]
        self._compared = [self._texts(one) for one in self.profiles]

    def between(self, i: int, j: int) -> dict[str, float]:
        """Return the signs between two changes, by their places, with how strong each is."""
        one, two = self.profiles[i], self.profiles[j]
        found: dict[str, float] = {}
        _add_references(one, two, found)
        _add_authors(one, two, found)
        self._add_words(one, two, found)
        self._add_places(one, two, found)
        for (name, mine, weight), (_, theirs, _) in zip(
            self._compared[i], self._compared[j], strict=True
        ):
            if shared := mine & theirs:
                lengths = self._lengths[i][name] * self._lengths[j][name]
                found[name] = math.fsum(weight(text) ** 2 for text in shared) / max(lengths, 1e-9)
        for sign, other in TOGETHER:
            if sign in found and other in found:
                found[f"{sign} · {other}"] = found[sign] * found[other]
        if one.is_noise != two.is_noise:
            found["unlike"] = 1.0
        found["busy"] = min(MOST_BUSY, math.log2(self._size / 40))
        return found

    def _texts(
        self, one: Profile
    ) -> tuple[tuple[str, frozenset[str], Callable[[str], float]], ...]:
        """What two changes are alike in (the cosine of all that they have), and its weights."""
        return (
            ("titles alike", one.terms, lambda term: max(0.0, self._rare_term(term) - 1.5)),
            ("code alike", one.symbols, lambda symbol: self._rare(self._symbols, symbol)),
            ("names alike", one.stems, lambda stem: self._rare(self._stems, stem)),
            (
                "files alike",
                one.files | one.folders,
                lambda path: max(0.0, self._rare_path(path) - 1),
            ),
        )

    def _rare(self, counts: Mapping[str, int], text: str) -> float:
        return math.log2(self._size / max(1, counts[text])) + 0.01

    def _shared(self, counts: Mapping[str, int], text: str) -> float:
        """Return, in bits, how few others have a text that two have."""
        return -math.log2(max(1, counts[text] - 1) / self._size)

    def _pruned(self, one: Profile) -> Profile:
        """The profile without what no other has, so that many pairs are compared in time."""
        return replace(
            one, symbols=frozenset(symbol for symbol in one.symbols if self._symbols[symbol] > 1)
        )

    def _add_words(self, one: Profile, two: Profile, found: dict[str, float]) -> None:
        both = one.terms & two.terms
        shared = [
            (self._rare_term(term) + self._shared(self._terms, term) + 1) / 2 for term in both
        ]
        above = sorted((rarity - 3.5 for rarity in shared if rarity > 3.5), reverse=True)
        if above:
            found["word"] = above[0]
            found["words"] = min(12.0, sum(above[1:4]))
        single = {term for term in both if " " not in term}
        if any(re.search(r"\d", term) for term in single):
            found["named"] = 1.0
        crossing = (one.terms & two.stems) | (two.terms & one.stems)
        if crossing:
            rarest = max(self._rare_term(term) - 4 for term in crossing)
            found["crossing"] = max(0.0, rarest)
        found |= {f"title {term}": 1.0 for term in single}
        found |= {f"place {term}": 1.0 for term in crossing - single}
        if tags := one.tags & two.tags:
            found["tag"] = max(self._rare(self._tags, tag) for tag in tags)
        if names := one.whom & two.whom:
            found["whom"] = max(self._rare(self._whom, name) for name in names)

    def _add_places(self, one: Profile, two: Profile, found: dict[str, float]) -> None:
        rare = [self._rare_path(path) - 3.0 for path in one.files & two.files]
        if rare:
            found["file"] = max(0.0, *rare)
        rare = [self._rare_path(path) - 3.0 for path in one.folders & two.folders]
        if rare:
            found["folder"] = max(0.0, *rare)
        symbols = sorted(
            (self._shared(self._symbols, symbol) for symbol in one.symbols & two.symbols),
            reverse=True,
        )
        if symbols:
            found["symbols"] = sum(max(0.0, rarity - 1.5) for rarity in symbols[:5]) / 5
        mine, theirs = (PLACES & each.terms | PLACES & each.stems for each in (one, two))
        if mine & theirs:
            found["platform"] = 1.0
        elif bool(mine) != bool(theirs):
            found["one platform"] = 1.0


def _length(texts: Iterable[str], weight: Callable[[str], float]) -> float:
    return math.sqrt(math.fsum(weight(text) ** 2 for text in texts))


MOST_BUSY = 1.5
"""How much busier than any labelled window one may count as, in bits."""
TOGETHER = (
    ("author", "titles alike"),
    ("author", "files alike"),
    ("titles alike", "files alike"),
    ("titles alike", "code alike"),
)
"""Signs that say more together than one by one."""


def _add_references(one: Profile, two: Profile, found: dict[str, float]) -> None:
    if are_parts(one, two):
        found["series"] = 1.0
    if one.title_numbers & two.title_numbers:
        found["tracker"] = 1.0
    if (
        one.item.number in two.numbers | two.title_numbers
        or two.item.number in one.numbers | one.title_numbers
    ):
        found["names"] = 1.0
    if continues(one, two) or continues(two, one):
        found["continues"] = 1.0


def are_parts(one: Profile, two: Profile) -> bool:
    """Tell whether two changes are parts of a series: by its name, or an author's by its tag."""
    if not (one.series and two.series):
        return False
    (name, index, total), (other, at, of) = one.series, two.series
    if name.casefold() == other.casefold():
        return True
    is_ones = one.item.author == two.item.author and (total, index) != (of, at) and total == of
    return is_ones and bool(tags_beside_mark(one.item) & tags_beside_mark(two.item))


def continues(one: Profile, two: Profile) -> bool:
    """Tell whether a change says that it goes on with another one, or mends it."""
    return two.item.number in one.continued or any(
        commit.startswith(one.continued_commits) for commit in two.item.commits
    )


def _add_authors(one: Profile, two: Profile, found: dict[str, float]) -> None:
    a, b = one.item, two.item
    if a.author != b.author or not a.author or a.author_is_bot:
        return
    found["author"] = 1.0
    if a.number and b.number:
        apart = abs(a.number - b.number)
        if apart <= 4:
            found["neighbour"] = 1.0
    if abs((a.at - b.at).total_seconds()) < 3600:
        found["hour"] = 1.0
