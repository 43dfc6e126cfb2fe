"""Which side of a change a sentence stands on: what was before it, and what is now.

A diff holds both in the same words, so a sentence can be made of nothing but its source and still
tell it the wrong way round: "reads X instead of Y" of a change from X to Y, the value of one branch
told of the other, or a line that was taken out told as what is so.
"""

import re
from collections.abc import Iterator

from digest.grounding.atoms import Atom, AtomKind
from digest.grounding.plain import spread
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem

_INSTEAD = re.compile(r"\binstead of\b|\brather than\b|\bin place of\b|，?(?:而不是|而非|不再)")
_ENDS = re.compile(r"[,;，；。]| \b(?:when|if|so|because|since|which|where|and) ")
_SUBJECT = re.compile(r"\bnow\b|现在")
_WORD = re.compile(r"[a-z][a-z0-9_]{3,}")
_SMALL = frozenset(
    stem(word)
    for word in (
        *("this", "that", "with", "from", "into", "then", "than", "when", "being", "been", "were"),
        *("have", "will", "does", "done", "each", "every", "only", "also", "their", "them", "once"),
        *("used", "uses", "using", "make", "made", "take", "taken", "takes", "gets", "sets", "per"),
    )
)
_DENIES = (
    r"\b(?:not|instead of|rather than|no longer|without)\s+"
    r"(?:(?:the|a|an|hardcoded|one|per)\s+){0,3}"
)
_PAST = re.compile(
    r"\b(?:remov|drop|delet|no longer|previous|was\b|were\b|used to|instead|rather|replac|had\b|"
    r"fix|renam|mov|stop|former|earlier|so far|until|lift|chang|correct|avoid|prevent|now\b|"
    r"switch|rais)\w*|移除|删除|去除|去掉|不再|此前|之前|原先|原来|原本|曾|替换|取代|改为|改用|修复|"
    r"而不是|而非|现在|更正|从|将"
)
"""Words by which a sentence tells what was, or that something has changed."""

_ELSE = re.compile(r"\belse\b")
_OTHERWISE = re.compile(r"\botherwise\b|否则")
_CLAUSE = re.compile(r"[,;，；]| and ")
_REACH = 400
_ON = re.compile(
    r"\b(?:enabled|on|true) by default\b|\bdefaults? to (?:on|true|enabled)\b|"
    r"默认(?:启用|开启|打开)"
    r"|默认为 ?true"
)
_OFF = re.compile(
    r"\b(?:disabled|off|false) by default\b|\bdefaults? to (?:off|false|disabled)\b|"
    r"默认(?:禁用|关闭)"
    r"|默认为 ?false"
)
_VALUE = r"(?:\W{0,3}(?::\s?[\w\[\]| .]{1,40})?\s?=\s?|[^=]{0,40}=\s?field\(default\s?=\s?)"
_SUBCLASS = re.compile(
    r"`?(\w{3,80})`?(?: \w+)?(?:,? (?:as )?a subclass of|,? (?:which )?(?:inherits? from|extends)|"
    r"[，,]? ?(?:它)?(?:是|继承自?)) ?`?(\w{3,80})`?(?: 的子类)?",
    re.ASCII,
)
_NAMED = re.compile(r"[a-z0-9][a-z0-9_.]*[a-z0-9]|\d+", re.ASCII)
_PIVOTS = (
    (re.compile(r"instead of|rather than|in place of"), re.compile("而不是|而非|不再")),
    # The clause of an "otherwise" begins before it in English, with it in Chinese.
    (re.compile(r"(?:,| and )(?=[^,]{0,60}\botherwise)"), re.compile("否则")),
)
_FROM_TO = (
    re.compile(r"\bfrom `?([\w.-]+)`?[^,;]{0,40}? to `?([\w.-]+)", re.ASCII),
    re.compile(
        r"从 ?(?:[\u3400-\u9fff]+ ?)?`?([\w.-]+)`?[^，；]{0,20}?[为到至] ?`?([\w.-]+)", re.ASCII
    ),
)
_SPACED = re.compile(r"\s*=\s*")
_ASSIGNED = re.compile(r"`(\w+\s?=\s?\w+)`", re.ASCII)
_PLACED = re.compile(
    r"\b(?P<verb>add(?:s|ed)?|introduc\w+|remov\w+|delet\w+|deprecat\w+)\s+(?:a|an|the|new|some)?\s*"
    r"(?P<thing>[a-z]{4,}[ -][a-z]{4,})\b"
)
_DEALT_WITH = re.compile(
    r"\b(?:remov|deprecat|delet|drop|chang|renam)\w*(?:\s(?:the|a|an|old|default|dtype|type|value|of|"
    r"argument|flag|option))*\s`([^`]+)`|(?:移除|删除|弃用|废弃)\s?`([^`]+)`"
)


def on_the_wrong_side(text: str, atoms: tuple[Atom, ...], source: Source) -> Iterator[str]:
    """Give what of a folded sentence the diff shows to be the other way round."""
    if source.diffs:
        yield from reversed_contrasts(text, source)
        yield from wrong_defaults(text, atoms, source)
        yield from wrong_branches(text, source)
        yield from wrong_places(text, source)
        yield from former_values(text, source)


def reversed_contrasts(text: str, source: Source) -> Iterator[str]:
    """Give what a folded sentence says is so "instead of" what the change has put there.

    Names decide by what the diff puts in more often than it takes out; words by standing on one
    side of it alone, or right behind a "not" or "instead of" of the source itself.
    """
    lowered = text.lower()
    for found in _INSTEAD.finditer(lowered):
        before, after = lowered[: found.start()], lowered[found.end() :]
        before = _SUBJECT.split(before)[-1]
        after = _ENDS.split(after, maxsplit=1)[0]
        mine, theirs = _words(before), _words(after)
        if not mine or not theirs or (mine & theirs) == mine:
            continue
        gained = {word for word in theirs - mine if "_" in word and _balance(word, source) > 0}
        lost = {word for word in mine - theirs if _is_lost(word, source)}
        kept = {word for word in mine - theirs if _is_gained(word, source)}
        gone = {word for word in theirs - mine if _is_lost(word, source)}
        if (lost or gained) and not kept and not gone:
            yield f"{sorted(lost | gained)[0]} {found.group().strip()}"
        elif _is_denied(before, source) and not _is_denied(after, source):
            yield f"{found.group().strip()} {after.strip()[:40]}"


def taken_for_true(text: str, quote: str, near: Diff | None) -> Iterator[str]:
    """Give the quote of a sentence that tells what was taken out as if it were so."""
    if near is None or len(quote) < 12:
        return
    if any(found.group() not in quote for found in _PAST.finditer(text.lower())):
        return
    bare = quote.strip(" \"'`.,")
    if bare in near.removed and bare not in near.added:
        yield bare


def wrong_defaults(text: str, atoms: tuple[Atom, ...], source: Source) -> Iterator[str]:
    """Give the names that a sentence says are on or off by default where a diff sets the other."""
    lowered = text.lower()
    for said, wrong in ((_ON, "false"), (_OFF, "true")):
        if not (found := said.search(lowered)):
            continue
        for atom in atoms:
            name = atom.text.lower()
            if atom.kind is not AtomKind.NAME or name not in lowered[: found.end() + 80]:
                continue
            values = {value for diff in source.diffs for value in _defaults(name, diff)}
            if values == {wrong}:
                yield f"{atom.text} {found.group()}"


def wrong_branches(text: str, source: Source) -> Iterator[str]:
    """Give what a sentence says happens "otherwise" and code does in the other branch."""
    lowered = text.lower()
    if not (found := _OTHERWISE.search(lowered)):
        return
    clauses = [0, *(each.end() for each in _CLAUSE.finditer(lowered, 0, found.start())), len(text)]
    start = clauses[-2]
    behind = lowered[found.end() :]
    others = _exact(lowered[start : found.start()]) | _exact(behind)
    mine = _exact(lowered[:start]) - others
    for one in others:
        for other in mine:
            right, wrong = _branches(other, one, source), _branches(one, other, source)
            if wrong and not right:
                yield f"{one} {found.group()}"


def wrong_places(text: str, source: Source) -> Iterator[str]:
    """Give what a sentence says was added or removed and stands on the other side of the diff."""
    lowered = text.lower()
    added = spread("\n".join(diff.added for diff in source.diffs))
    removed = spread("\n".join(diff.removed for diff in source.diffs))
    for found in _PLACED.finditer(lowered):
        thing = found["thing"].replace("-", " ")
        if thing in source.words:
            continue
        adds = found["verb"].startswith(("add", "introduc"))
        here, there = (added, removed) if adds else (removed, added)
        if thing in there and thing not in here:
            yield found.group()
    for found in _DEALT_WITH.finditer(lowered):
        name = found[1] or found[2]
        if name in source.prose or not any(name in diff.whole for diff in source.diffs):
            continue
        if not any(name in diff.added or name in diff.removed for diff in source.diffs):
            yield found.group()
    for found in _SUBCLASS.finditer(text):
        one, other = found[1].lower(), found[2].lower()
        if _inherits(other, one, source) and not _inherits(one, other, source):
            yield found.group()


def former_values(text: str, source: Source) -> Iterator[str]:
    """Give the `name=value` of a sentence that the diff takes out, told as what is set."""
    if _PAST.search(text.lower()):
        return
    added = _SPACED.sub("=", "\n".join(diff.added for diff in source.diffs))
    removed = _SPACED.sub("=", "\n".join(diff.removed for diff in source.diffs))
    for found in _ASSIGNED.finditer(text.lower()):
        said = _SPACED.sub("=", found[1])
        if _stands(said, removed) and not _stands(said, added):
            yield said


def sides_differ(en: str, zh: str) -> bool:
    """Tell whether what is so and what is not stand the other way round in two languages."""
    for english, chinese in _PIVOTS:
        one, other = english.search(en), chinese.search(zh)
        if not one or not other:
            continue
        is_so, is_not = _names(en[: one.start()]), _names(en[one.end() :])
        so, no = _names(zh[: other.start()]), _names(zh[other.end() :])
        turned = ((is_so - is_not) & (no - so)) and not ((is_so - is_not) & so)
        turned = turned or (((is_not - is_so) & (so - no)) and not ((is_not - is_so) & no))
        if turned:
            return True
    there, here = (each.search(text) for each, text in zip(_FROM_TO, (en, zh), strict=True))
    return bool(there and here and there.groups() == here.groups()[::-1] and there[1] != there[2])


def _names(text: str) -> set[str]:
    return set(_NAMED.findall(text.lower()))


def _inherits(one: str, other: str, source: Source) -> bool:
    said = re.compile(rf"\bclass {re.escape(one)}\([^)]{{0,120}}\b{re.escape(other)}\b")
    return any(said.search(diff.whole) for diff in source.diffs)


def _branches(first: str, last: str, source: Source) -> bool:
    """Tell whether code has the one before an `else` and the other behind it."""
    for diff in source.diffs:
        for found in _ELSE.finditer(diff.added):
            before = diff.added[max(0, found.start() - _REACH) : found.start()]
            after = diff.added[found.end() : found.end() + _REACH]
            if _stands(first, before) and _stands(last, after.partition("else")[0]):
                return True
    return False


def _defaults(name: str, diff: Diff) -> Iterator[str]:
    bare = re.escape(name.removeprefix("--").replace("-", "_"))
    for found in re.finditer(rf"\b{bare}{_VALUE}(true|false)\b", diff.added):
        yield found[1]
    for found in re.finditer(rf"[\"']{bare}[\"'], ?[\"']?(true|false)\b", diff.added):
        yield found[1]
    flag = re.escape(name if name.startswith("--") else f"--{name.replace('_', '-')}")
    for found in re.finditer(rf"{flag}[\"'][^=]{{0,20}}", diff.added):
        rest = diff.added[found.end() : found.end() + _REACH]
        if value := re.search(r"\bdefault\s?=\s?(true|false)\b", rest.partition('"--')[0]):
            yield value[1]


def _exact(text: str) -> set[str]:
    """Give the names and numbers of a clause."""
    return {
        each.strip("`.,;")
        for each in re.findall(r"[a-z0-9_]*(?:_[a-z0-9_]+|\d[a-z0-9_]*)", text, re.ASCII)
    } - {""}


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if stem(word) not in _SMALL}


def _balance(word: str, source: Source) -> int:
    """Give how much more often the diff puts a word in than it takes it out."""
    begins = stem(word) if "_" not in word else word
    return sum(_count(begins, diff.added) - _count(begins, diff.removed) for diff in source.diffs)


def _is_gained(word: str, source: Source) -> bool:
    """Tell of a name of which the diff puts in more, or a word that only what it puts in has."""
    if "_" in word:
        return _balance(word, source) > 0
    taken_out = sum(_count(stem(word), diff.removed) for diff in source.diffs)
    return not taken_out and _balance(word, source) > 0


def _is_lost(word: str, source: Source) -> bool:
    """Tell of a word that only what was taken out has; a name, that less of it is left."""
    begins = stem(word) if "_" not in word else word
    if re.search(rf"(?<![a-z]){re.escape(begins)}", source.prose):
        return False
    put_in = sum(_count(begins, diff.added) for diff in source.diffs)
    taken_out = sum(_count(begins, diff.removed) for diff in source.diffs)
    return taken_out > 0 and put_in == 0


def _count(begins: str, text: str) -> int:
    return len(re.findall(rf"(?<![a-z0-9]){re.escape(begins)}", text))


def _is_denied(part: str, source: Source) -> bool:
    """Tell whether the source says "not" or "instead of" right before the words of a part."""
    words = [re.escape(stem(word)) for word in _WORD.findall(part) if stem(word) not in _SMALL]
    remarks = (line for diff in source.diffs for line in diff.remarks.split("\n"))
    texts = [*source.sentences, *remarks]
    return any(re.search(rf"{_DENIES}[\W_]*{word}", text) for word in words for text in texts)


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w)(?<!\d\.){re.escape(name)}(?!\w|\.\d)", text) is not None
