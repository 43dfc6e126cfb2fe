"""One item's evidence, made ready to be asked what it says."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from digest.evidence import Evidence, Hunk
from digest.grounding.instructions import is_instruction
from digest.grounding.plain import folded, plain, spread
from digest.grounding.stems import stems

_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+|[。；！？\n]+")
_COMMENT = re.compile(
    r"^(?:#(?!include|if|else|end|def)|//|/?\*|\"\"\"|f?[\"'](?=\w+ \w+ ))|\s# |\s// "
)
_WORDS = re.compile(r"(?<![\w.])[A-Za-z]{2,}(?![\w(.=\[])")
_CODE = re.compile(r"[={}\[\];]|\(\)|->|\breturn\b|\bimport\b")
_PROSE = 4
"""Words in a row that a line of documentation has at least."""

_LINE_MARK = re.compile(r"\bh\d{1,4}[+\- ]\d{1,7}\|")


@dataclass(frozen=True, slots=True)
class Diff:
    """One hunk: what was taken out, what was put in, and all of it, folded, in lower case.

    `remarks` are the comments and documentation in it that stand after the change: prose in code.
    `words` is all of it with names spread into their words.
    """

    id: str
    path: str
    removed: str
    added: str
    whole: str
    remarks: str
    words: str


@dataclass(frozen=True, slots=True)
class Source:
    """What may license a sentence.

    `places` are the texts a quote can be from, by name. `title`, `paragraphs` and `facts` are
    prose in lower case; `prose` is all of it, `changed` the changed lines and paths of the diff.
    `words` and `changed_words` are the same with names spread into their words. `sentences` are
    those of title and body. `written` is everything folded, in its own case. What tries to
    instruct a model is in none of them.
    """

    keys: tuple[str, ...]
    places: dict[str, str]
    title: str
    paragraphs: tuple[str, ...]
    facts: tuple[str, ...]
    prose: str
    changed: str
    words: str
    changed_words: str
    sentences: tuple[str, ...]
    written: str
    stems: frozenset[str]
    diffs: tuple[Diff, ...]

    @property
    def is_issue(self) -> bool:
        """Tell of a report of trouble or a wish, which changes nothing by itself."""
        return bool(self.keys) and all(":issue:" in key for key in self.keys)

    def place_of(self, quote: str, named: str) -> str:
        """Give where a folded quote stands: the named place, else another, else nothing."""
        if named not in self.places:
            return ""
        wanted = plain(_LINE_MARK.sub(" ", quote))
        others = (place for place in self.places if place != named)
        return next((p for p in (named, *others) if _holds(self.places[p], wanted)), "")

    def diff(self, place: str) -> Diff | None:
        """Give the hunk of a place, or None for title and body."""
        return next((diff for diff in self.diffs if diff.id == place), None)


def source_of(evidence: Evidence) -> Source:
    """Make one item's evidence ready."""
    return _made((evidence.key,), [evidence])


def sources_together(evidences: Sequence[Evidence]) -> Source:
    """Make the union of several items, for the sentence of a theme.

    The hunks of the second item are `i2h1`, `i2h2` …: each item has an `h1` of its own.
    """
    own = [_with_own_hunks(number, each) for number, each in enumerate(evidences, 1)]
    return _made(tuple(each.key for each in own), own)


def _with_own_hunks(number: int, evidence: Evidence) -> Evidence:
    hunks = tuple(replace(hunk, id=f"i{number}{hunk.id}") for hunk in evidence.hunks)
    return replace(evidence, hunks=hunks)


def _made(keys: tuple[str, ...], evidences: Sequence[Evidence]) -> Source:
    titles = [folded(each.title) for each in evidences if not is_instruction(each.title)]
    bodies = [folded(p) for each in evidences for p in each.body if not is_instruction(p)]
    facts = [folded(fact) for each in evidences for fact in each.facts]
    hunks = [_readable(hunk) for each in evidences for hunk in each.hunks]
    diffs = tuple(_diff(hunk) for hunk in hunks)
    prose = "\n".join([*titles, *bodies, *facts, *keys])
    lines = "\n".join(line[1:] for hunk in hunks for line in hunk.lines if line[:1] in "+-")
    paths = "\n".join(hunk.path for hunk in hunks)
    words, changed_words = spread(prose), spread(f"{lines}\n{paths}")
    whole = "\n".join(line[1:] for hunk in hunks for line in hunk.lines)
    return Source(
        keys=keys,
        places={
            "title": _apart(titles),
            "body": _apart(bodies),
            **{diff.id: _quotable(hunk) for hunk, diff in zip(hunks, diffs, strict=True)},
        },
        title="\n".join(titles).lower(),
        paragraphs=tuple(body.lower() for body in bodies),
        facts=tuple(fact.lower() for fact in facts),
        prose=prose.lower(),
        changed="\n".join(part for diff in diffs for part in (diff.path, diff.removed, diff.added)),
        words=f"{prose.lower()}\n{words}",
        changed_words=changed_words,
        sentences=tuple(_sentences([*titles, *bodies])),
        written=f"{prose}\n{paths}\n{whole}",
        stems=stems(words) | stems(changed_words) | stems(spread(whole)),
        diffs=diffs,
    )


def _apart(texts: Iterable[str]) -> str:
    """Join texts so that no quote stands in two: between them may be what is not shown."""
    return "\n".join(plain(text) for text in texts)


def _readable(hunk: Hunk) -> Hunk:
    kept = tuple(line for line in hunk.lines if not is_instruction(line))
    return Hunk(hunk.id, hunk.path, hunk.start, kept)


def _diff(hunk: Hunk) -> Diff:
    return Diff(
        id=hunk.id,
        path=hunk.path.lower(),
        removed=_lines(line[1:] for line in hunk.lines if line.startswith("-")),
        added=_lines(line[1:] for line in hunk.lines if line.startswith("+")),
        whole=_lines([hunk.path, *(line[1:] for line in hunk.lines)]),
        remarks=_lines(line[1:] for line in hunk.lines if _is_remark(line)),
        words="\n".join(spread(text) for text in (hunk.path, *(line[1:] for line in hunk.lines))),
    )


def _is_remark(line: str) -> bool:
    """Tell of a comment, a text in quotes, or a line of documentation."""
    text = line[1:].strip()
    return not line.startswith("-") and bool(
        _COMMENT.search(text) or (len(_WORDS.findall(text)) >= _PROSE and not _CODE.search(text))
    )


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(folded(line).lower() for line in lines)


def _quotable(hunk: Hunk) -> str:
    """Give a hunk's text without and with the signs of its lines, as a model may copy either."""
    bare = " ".join(line[1:] for line in hunk.lines)
    return f"{plain(bare)} \n {plain(' '.join(hunk.lines))}"


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (part.lower() for part in _SENTENCE_END.split(text) if part.strip())


def _holds(text: str, quote: str) -> bool:
    """Tell whether a quote is in a text from one edge of a word to another."""
    edges = quote.strip(" .,;:!?。，；：！？'\"()")
    return bool(edges) and _stands_loosely(edges, text)


def _stands_loosely(edges: str, text: str) -> bool:
    start = text.find(edges)
    while start >= 0:
        end = start + len(edges)
        if not (
            _joined(text[start - 1 : start], edges[0]) or _joined(text[end : end + 1], edges[-1])
        ):
            return True
        start = text.find(edges, start + 1)
    return False


def _joined(beside: str, edge: str) -> bool:
    return (
        bool(beside) and beside.isascii() and beside.isalnum() and edge.isascii() and edge.isalnum()
    )
