"""What a model sees of one item: the author's sentences by number, and changed lines (pure).

Added changelog, release notes, documentation and description come first; then hunks cut to their
changed lines with two around, spread over the files, without imports, versions, tables, hashes and
what is generated. What a model answers is checked against the same pieces.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import Final, Literal

from digest.editing.questions import clean, one_line, tokens
from digest.grades import ChangeObject
from digest.models import FileChange, Item, Kind, Reach
from digest.reading.analysis import MOST_HUNKS, worth
from digest.reading.passages import PassageKind, is_order, passages
from digest.reading.patch import Line, hunks, raw_hunks
from digest.reading.patch import lines as patch_lines
from digest.reading.paths import CHANGELOG, role
from digest.reading.sentence import ENDS, LONGEST, MEANINGFUL, SILENT, split_sentences

AROUND = 2
"""Unchanged lines that are shown on each side of a changed one."""
LINES_OF_A_HUNK, LINES_OF_A_WHOLE_HUNK = 60, 600
"""Lines of a hunk that are looked at among others, and where a change is looked at whole."""
LONGEST_LINE = 300
MOST_ADDED = 400
"""Lines added to one document that are read."""
LEAST_SHARE = 0.1
"""Of an item without a sentence of which less of the changed lines can be shown none is shown."""
MOST_SHARE = 0.9
"""Of the changed lines of tests: lines that say nothing or speak to a model are never shown."""
TITLE: Final = "title"
"""The number and the source of the title, where it stands for a sentence."""
LINES_READ = 20_000
"""Changed lines of one item that are counted and looked at."""

_DOCS = (".md", ".rst", ".txt", ".mdx")
_HIDDEN = re.compile(r"(?:^|/)\.|(?:^|/)(?:tests?|AGENTS)\b")
"""Documents that are not for users."""
_EMPTY = re.compile(
    r"^\W*$|^\s*(?:import|from\s+\S+\s+import|#include|using|package)\b|"
    r"^\s*[\w\"'.-]*version[\w\"'.-]*\s*[:=]|^[^A-Za-z]{40,}$|\b[0-9a-f]{32,}\b",
    re.IGNORECASE,
)
"""Lines that say nothing of what a change does: imports, versions, rows of numbers, hashes."""
_SCRAP = re.compile(r"#|//|/?\*|\"{3}|'{3}|@|logger\b|else\b|try\b|finally\b|\W*[\w.]*\W*$")
"""Comments, decorators, and lines of one word."""
_CODE = re.compile(r"^[+-][ \t]*(?!#|//|/?\*|\"{3}|'{3})\S", re.MULTILINE)
"""A changed line that is no comment."""
_DEFINED = re.compile(
    r"(?:async )?def [a-z]|class |struct |(?:pub )?fn |func |[\w.]*add_argument|\"--|raise "
)
"""Lines that name a part of an interface, or refuse something."""
MOST_PROSE = 2_000
"""Tokens of an author's sentences among which those that hold a name are looked for."""
LEAST_OF_A_HUNK = 40
"""Tokens that are worth beginning another hunk with."""
LINES_OF_GIST, LONGEST_OF_GIST = 400, 80
"""Lines that are looked at, and characters of one."""
_IMAGE = re.compile(r"!\[[^\]\n]{0,500}\](?:\([^)\n]{0,2000}\))?")
_LINK = re.compile(r"\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)")
_URL = re.compile(r"<?(?:https?|ftp)://[^\s<>]{1,4000}>?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens, as `tokens` estimates them, for sentences and for changed lines of one item.

    `whole` where also changed lines are shown that say little alone, such as imports.
    """

    sentences: int
    lines: int
    whole: bool = False


FRONT = Budget(sentences=300, lines=300)
LINE = Budget(sentences=150, lines=100)
"""For an item with a message of its own, and for one with a line."""
TITLED = Budget(sentences=0, lines=0)
"""For an item of which the title alone is shown."""
DEEP = Budget(sentences=2_500, lines=7_000, whole=True)
"""For one change looked at whole."""


@dataclass(frozen=True, slots=True)
class AuthorSentence:
    """A sentence of the author's with the number it is shown under (`s1`), and where it stands."""

    id: str
    text: str
    source: Literal["title", "issue", "changelog", "docs", "body", "notes"]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a hunk (`h1`): its file, and the lines that are shown of it."""

    id: str
    path: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """Return its path and its lines, without their signs."""
        return "\n".join((self.path, *(line.text for line in self.lines)))

    @property
    def diff(self) -> str:
        """Return its path and its lines, with their signs."""
        return "\n".join((self.path, *(f"{line.sign}{line.text}" for line in self.lines)))


@dataclass(frozen=True, slots=True)
class Shown:
    """One item in the pieces that a model sees of it; written by strangers, cleaned."""

    item: Item
    title: str
    issues: tuple[str, ...]
    sentences: tuple[AuthorSentence, ...]
    pieces: tuple[Piece, ...]
    reach: Reach

    @property
    def is_enough(self) -> bool:
        """Tell whether more of it is shown than its title, and not a scrap of it."""
        reach = self.reach
        return bool(self.sentences) or (
            reach.lines > 0 and reach.lines >= LEAST_SHARE * reach.lines_total
        )

    @property
    def text(self) -> str:
        """Return everything that is shown, for looking up names and numbers."""
        code = (piece.diff for piece in self.pieces)
        files = (file.path for file in self.item.files or ())
        refs = (self.item.key, self.item.ref, *(f"#{number}" for number in self.item.closes))
        return "\n".join((self.prose, *code, *files, *refs, *self.item.labels))

    @property
    def prose(self) -> str:
        """Return what people wrote of it: title, linked issues, sentences."""
        return "\n".join((self.title, *self.issues, *(each.text for each in self.sentences)))

    def places(self) -> Iterator[AuthorSentence | Piece]:
        """Return where something may stand: title, linked issues, sentences, pieces."""
        yield AuthorSentence(TITLE, self.title, TITLE)
        yield from (AuthorSentence("issue", title, "issue") for title in self.issues)
        yield from self.sentences
        yield from self.pieces

    @property
    def has_all_tests(self) -> bool:
        """Tell whether (nearly) all that was changed in tests is shown: else none can be missed."""
        files = [f for f in self.item.files or () if role(f.path) is ChangeObject.TEST]
        paths = {one_line(file.path) for file in files}
        pieces = (piece for piece in self.pieces if piece.path in paths)
        seen = sum(line.sign != " " for piece in pieces for line in piece.lines)
        return seen >= MOST_SHARE * sum(file.additions + file.deletions for file in files)

    def prompt(self) -> str:
        """Return it as it stands in a prompt, between marks around it."""
        return "\n".join((f"title: {self.title}", *self.parts()))

    def parts(self) -> tuple[str, ...]:
        """Return the parts of that under the title: issues, sentences, pieces."""
        prose = _as_prose(self.issues, self.sentences)
        return (*prose, *(f"{piece.id} {piece.diff}" for piece in self.pieces))


def _as_prose(issues: Sequence[str], sentences: Sequence[AuthorSentence]) -> tuple[str, ...]:
    return (
        *(f"issue that it closes: {title}" for title in issues),
        *(f"{each.id} ({each.path or each.source}): {each.text}" for each in sentences),
    )


def shown(item: Item, budget: Budget) -> Shown:
    """Choose what a model sees of an item that has its hunks."""
    chosen, left, count = _sentences(item, budget.sentences)
    files = [file for file in item.files or () if file.patch]
    total = min(LINES_READ, sum(file.additions + file.deletions for file in files))
    pieces = tuple(_pieces(files, budget.lines + left, whole=budget.whole))
    changed = sum(line.sign != " " for piece in pieces for line in piece.lines)
    return Shown(
        item=item,
        title=one_line(item.title[:1_000]),
        issues=_issues(item),
        sentences=chosen,
        pieces=pieces,
        reach=Reach(changed, max(total, changed), len(chosen), count),
    )


def _issues(item: Item) -> tuple[str, ...]:
    return tuple(one_line(f"#{each.number} {each.title}") for each in item.linked_issues[:3])


def _sentences(item: Item, most: int) -> tuple[tuple[AuthorSentence, ...], int, int]:
    """Return the author's sentences that say most, the tokens that are left, and how many are."""
    every: dict[str, tuple[int, AuthorSentence]] = {}
    for rank, sentence in chain(_of_files(item), _of_body(item)):
        if any(map(str.isalpha, sentence.text)):
            every.setdefault(sentence.text, (rank, sentence))
    taken, left = set[str](), most
    for _, sentence in sorted(every.values(), key=lambda ranked: ranked[0]):
        if (cost := tokens(sentence.text) + 6) <= left:
            taken.add(sentence.text)
            left -= cost
    chosen = (sentence for text, (_, sentence) in every.items() if text in taken)
    numbered = tuple(replace(each, id=f"s{number}") for number, each in enumerate(chosen, 1))
    return numbered, left, len(every)


def _of_files(item: Item) -> Iterator[tuple[int, AuthorSentence]]:
    """Return what was added to documents with a rank, the lowest of what says most."""
    for file in item.files or ():
        is_changelog = bool(CHANGELOG.search(file.path))
        docs = file.path.lower().endswith(_DOCS) and not _HIDDEN.search(file.path)
        if not file.patch or not (is_changelog or docs):
            continue
        added = (line for line in patch_lines(file.patch) if line.sign == "+")
        for number, line in enumerate(added):
            text = _plain(line.text.strip().lstrip("-*+ "))
            is_prose = len(text) <= LONGEST and text.count(" ") > 2 and "|" not in text
            is_prose = is_prose and (is_changelog or (text[0].isupper() and text[-1] in ENDS))
            if number < MOST_ADDED and is_prose and not is_order(text):
                of = AuthorSentence("", text, "changelog" if is_changelog else "docs", file.path)
                yield (0 if is_changelog else 2), of


def _of_body(item: Item) -> Iterator[tuple[int, AuthorSentence]]:
    """Return the sentences of a description, or of release notes, with such a rank."""
    is_release = item.kind is Kind.RELEASE
    for passage in passages(clean(item.body)):
        heading = passage.heading
        rank = 3 if SILENT.search(heading) else 0 if MEANINGFUL.search(heading) else 1
        if passage.kind in (PassageKind.PROSE, PassageKind.ITEM, PassageKind.QUOTED):
            for text in split_sentences(_plain(passage.text)):
                if len(text) <= 2 * LONGEST:
                    yield rank, AuthorSentence("", text, "notes" if is_release else "body")


def _plain(text: str) -> str:
    return one_line(_URL.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text))))


def _pieces(files: Sequence[FileChange], budget: int, *, whole: bool) -> Iterator[Piece]:
    """Return hunks of what runs first, of every file its first before the second of any.

    Those of a file that hold nothing but comments and lists of names come last of it.
    One that is longer than what is left is cut to half of that: the next file is shown too.
    """
    ranked: list[tuple[int, int, int, FileChange, tuple[Line, ...]]] = []
    for number, file in enumerate(files):
        if CHANGELOG.search(file.path) or worth(file.path) > 3:
            continue  # told as sentences, or generated
        weight = 9 if role(file.path) in (ChangeObject.DOCS, ChangeObject.CI) else worth(file.path)
        cut = list(islice(_cut(file, whole=whole), max(1, MOST_HUNKS - len(ranked))))
        for turn, lines in enumerate(sorted(cut, key=_is_scrap)):
            ranked.append((weight, turn, number, file, lines))
    count = 0
    for _, _, _, file, lines in sorted(ranked, key=lambda each: each[:3]):
        room = budget - tokens(file.path) - 4
        costs = list(accumulate(tokens(f"{line.sign}{line.text} ") for line in lines))
        if costs[-1] > room:
            lines = lines[: bisect(costs, room // 2)]
        if any(line.sign != " " for line in lines):
            count, budget = count + 1, room - costs[len(lines) - 1]
            yield Piece(f"h{count}", one_line(file.path), lines)


def evidence(item: Item, names: Iterable[str], sentences: int, lines: int) -> str:
    """Return what an item holds of what a sentence says, by the names in that.

    First the author's sentences, then hunks, each with its file and the function or class it is in:
    of both those that hold most of the names, of hunks first what has those that were not shown
    yet. Each takes at most so many tokens; what sentences leave is for hunks.
    """
    wanted = {name: _word(name) for name in names}
    told: list[str] = []
    prose = _as_prose(_issues(item), _sentences(item, MOST_PROSE)[0])
    for part in sorted(prose, key=lambda part: -len(_held(wanted, part))):
        if (cost := tokens(part)) <= sentences:
            told.append(part)
            sentences -= cost
    lines += sentences
    room = max(lines // 3, LEAST_OF_A_HUNK)
    raw = (
        (replace(file, patch=text), _held(wanted, f"{file.path}\n{text}"))
        for file in sorted(item.files or (), key=lambda file: worth(file.path))
        if worth(file.path) <= 3 and not is_order(file.path)
        for text in raw_hunks(file.patch)
    )
    left = sorted(
        islice(raw, MOST_HUNKS),
        key=lambda each: (-len(each[1]), not _CODE.search(each[0].patch or "")),
    )
    unseen = dict(wanted)
    while left and lines >= LEAST_OF_A_HUNK:
        best = max(left, key=lambda each: len(each[1] & unseen.keys()))
        left.remove(best)
        for hunk in _cut(best[0], whole=True, sections=True):
            rows = _around(best[0].path, hunk, unseen or wanted, min(room, lines))
            if any(row[:1] in ("+", "-") and row[1:].strip() for row in rows):
                told += rows
                lines -= sum(tokens(row) + 1 for row in rows)
                for name in _held(unseen, "\n".join(rows)):
                    del unseen[name]
    return "\n".join(told)


def _word(name: str) -> re.Pattern[str]:
    """Return how a name stands in code: whole, or as a part between underscores and dots."""
    plain = re.escape(name.strip("`-()"))
    return re.compile(rf"(?<![A-Za-z0-9]){plain}(?![A-Za-z0-9])", re.IGNORECASE)


def _held(names: Mapping[str, re.Pattern[str]], text: str) -> set[str]:
    return {name for name, word in names.items() if word.search(text)}


def _around(
    path: str, hunk: Sequence[Line], names: Mapping[str, re.Pattern[str]], most: int
) -> list[str]:
    """Return a hunk with its file and place: what is near the names, then what follows the first.

    Of a hunk without a name its beginning; as far as there is room.
    """
    head = [f"in {one_line(path)}", f" {hunk[0].text}"]
    rows = [f"{line.sign}{line.text}" for line in hunk[1:]]
    marked = [at for at, row in enumerate(rows) if _held(names, row)]
    near = (at + step for at in marked for step in range(-AROUND, AROUND + 1))
    first = max(0, marked[0] - AROUND) if marked else 0
    most -= sum(tokens(row) + 1 for row in head)
    taken: set[int] = set()
    for at in dict.fromkeys((*near, *range(first, len(rows)))):
        if 0 <= at < len(rows):
            most -= tokens(rows[at]) + 1
            if most < 0:
                break
            taken.add(at)
    return [*head, *(rows[at] for at in sorted(taken))]


def _is_scrap(lines: Sequence[Line]) -> bool:
    """Tell whether all changed lines of a hunk are comments, decorators or single words."""
    return all(_SCRAP.match(line.text.strip()) for line in lines if line.sign != " ")


def gist(item: Item, most: int) -> str:
    """Return on one line the changed lines that say most of what runs or builds.

    They take at most `most` characters, definitions and refusals first. What was only moved,
    comments, lines of one word and what speaks to a model are left out.
    """
    files = [file for file in item.files or () if worth(file.path) <= 1]
    files.sort(key=lambda file: (worth(file.path), -(file.additions + file.deletions)))
    lines = (line for file in files for cut in _cut(file, whole=False) for line in cut)
    changed = islice((line for line in lines if line.sign != " "), LINES_OF_GIST)
    sides: dict[str, set[str]] = {}
    for line in changed:
        sides.setdefault(one_line(line.text), set()).add(line.sign)
    summary = ""
    for text in sorted(sides, key=lambda text: not _DEFINED.match(text)):
        signs, shortened = sides[text], text[:LONGEST_OF_GIST]
        if len(signs) == 1 and not _SCRAP.match(text) and len(summary + shortened) + 2 <= most:
            summary = f"{summary} {next(iter(signs))}{shortened}"
    return summary.strip()


def _cut(file: FileChange, *, whole: bool, sections: bool = False) -> Iterator[tuple[Line, ...]]:
    """Return the hunks of a file, cut to lines that were changed and say something, or to all.

    With `sections` each begins with what git names as the function or class that it is in.
    """
    read = 0
    for hunk in hunks(file.patch):
        lines = hunk.lines[: LINES_OF_A_WHOLE_HUNK if whole else LINES_OF_A_HUNK]
        read += len(lines)
        if read > LINES_READ:
            return
        telling = [
            place
            for place, line in enumerate(lines)
            if line.sign != " "
            and (whole or not _EMPTY.search(line.text))
            and not is_order(line.text)
        ]
        if not telling or any(len(line.text) > LONGEST_LINE for line in lines):
            continue
        near = {at + step for at in telling for step in range(-AROUND, AROUND + 1)}
        rows = [
            line._replace(text=clean(line.text).replace("\n", " "))
            for place, line in enumerate(lines)
            if place in near
            and not (line.sign != " " and place not in telling)
            and not is_order(line.text)
        ]
        section = "" if is_order(hunk.section) else one_line(hunk.section)
        in_section = (Line(" ", f"@@ {section}", None, None),) if sections else ()
        yield (*in_section, *rows)
