"""Which way a change went: added or removed, on or off, from this to that.

Both ends of a change stand in its source, so finding the words is not enough: what a sentence
says was taken out must not be what was put in.
"""

import re
from collections.abc import Iterator

from digest.grounding.atoms import Atom, AtomKind
from digest.grounding.source import Diff, Source
from digest.grounding.stems import stem

# ruff: noqa: E501 - an opposite stays beside its other
OPPOSITES = (
    (
        re.compile(
            r"\benabl(?:e|es|ed|ing)\b|\bturn(?:s|ed|ing)? (?:\w+ ){0,2}on\b|\bon by default\b|启用|开启|打开"
        ),
        re.compile(
            r"\bdisabl(?:e|es|ed|ing)\b|\bturn(?:s|ed|ing)? (?:\w+ ){0,2}off\b|\boff by default\b|禁用|关闭|停用"
        ),
    ),
    (
        re.compile(
            r"\badd(?:s|ed|ing)?\b|\bintroduc\w+|\bimplement(?:s|ed|ing)?\b|\binsert\w*|新增|添加|加入|引入"
        ),
        re.compile(
            r"\bremov\w+|\bdelet\w+|\bdrop(?:s|ped|ping)?\b(?!-)|\bstrip\w*|\bgo(?:es)? away\b|删除|移除|去除|去掉"
        ),
    ),
    (
        re.compile(
            r"\bincreas\w+|\brais(?:e|es|ed|ing)\b|\bgrow\w*|\benlarg\w+|\bbump\w*|增大|提高|上调|扩大"
        ),
        re.compile(r"\bdecreas\w+|\breduc\w+|\blower\w*|\bshrink\w*|降低|减少|缩小|下调|减小"),
    ),
    (
        re.compile(r"\bfaster\b|\bspeed\w*[ -]?up\w*|\baccelerat\w+|加速|更快|提速"),
        re.compile(r"\bslower\b|\bslow(?:s|ed|ing)? down\b|\bregress\w*|变慢|更慢|减慢|拖慢|退化"),
    ),
    (re.compile(r"\bupgrad\w+|升级"), re.compile(r"\bdowngrad\w+|降级")),
    (
        re.compile(r"\ballow(?:s|ed|ing)?\b|\baccept(?:s|ed|ing)?\b|\bpermit\w*|允许|接受"),
        re.compile(r"\breject\w*|\bforbid\w*|\bdisallow\w*|\brefus\w+|\bprohibit\w*|拒绝|禁止"),
    ),
    (
        re.compile(
            r"\b(?:below|under|(?:less|smaller|lower|fewer|older) than)\b|(?<!不)(?:小于|低于)|<(?![-=<])"
        ),
        re.compile(
            r"\b(?:above|over|(?:more|greater|larger|higher|newer) than)\b|(?<!不)(?:大于|超过|高于)|(?<![-=>])>(?!>)"
        ),
    ),
    (re.compile(r"\bminimum\b|\bmin\b|最小"), re.compile(r"\bmaximum\b|\bmax\b|最大")),
    (re.compile(r"\bsynchronous(?:ly)?\b|\bsync\b|(?<!异)同步"), re.compile(r"\basync\w*|异步")),
    (re.compile(r"\bread(?:s|ing)?\b|读取"), re.compile(r"\bwrit(?:e|es|ing|ten)\b|写入")),
    (re.compile(r"\bfirst\b|首个|第一"), re.compile(r"\blast\b|最后")),
    (re.compile(r"\binputs?\b|输入"), re.compile(r"\boutputs?\b|输出")),
    (re.compile(r"\bencod\w+|编码"), re.compile(r"\bdecod\w+|解码")),
    (re.compile(r"\bprefill\w*|预填充"), re.compile(r"\bdecod(?:e|es|ing)\b|解码")),
    (re.compile(r"\bweak(?:er|ly)?\b|弱"), re.compile(r"\bstrong(?:er|ly)?\b|强(?!制)")),
    (re.compile(r"\boptional(?:ly)?\b|可选"), re.compile(r"\brequired\b|\bmandatory\b|必填|必需")),
    (re.compile(r"\bcompatible\b|(?<!不)兼容"), re.compile(r"\bincompatib\w+|不兼容")),
    (re.compile(r"\b(?:same|equal\w*|identical)\b|相同|同样"), re.compile(r"\bdifferent\b|不同")),
    (
        re.compile(r"\binclud(?:e|es|ed|ing)\b|\bcontains?\b|包含|纳入"),
        re.compile(r"\bexclud\w+|\bomits?\b|\bomitted\b|\black(?:s|ing)?\b|排除|缺少|省略"),
    ),
    (re.compile(r"\bhigher\b|更高"), re.compile(r"\blower\b|更低")),
    (re.compile(r"\blarger\b|\bbigger\b|更大"), re.compile(r"\bsmaller\b|更小")),
    (re.compile(r"\bupper\b|上限"), re.compile(r"\blower\b|下限")),
    (re.compile(r"\bforward\b|前向"), re.compile(r"\bbackward\b|反向")),
    (re.compile(r"\bmerg\w+|合并|合入"), re.compile(r"\brevert\w*|回退|回滚|撤销")),
    (re.compile(r"\bclient\w*|客户端"), re.compile(r"\bserver\w*|服务端|服务器")),
)
_COMPARISON = next(pair for pair in OPPOSITES if pair[0].search("below"))
"""Code compares as well: `<` in a changed line is "below"."""

_BELOW = re.compile(r"(?:below|under|than|小于|低于|早于)\D{0,12}?(\d+(?:\.\d+)*)")
_FAILS = re.compile(r"\b(?:rais|error|fail|reject|refus|unsupported)|报错|抛出|拒绝|不支持|失败")
_REVERTS = re.compile(r"(?:\[[^\]]{0,40}\]\s*)*revert|回退|回滚|撤销")
_TAKES_BACK = re.compile(
    r"\brevert|\broll\w* back|\bback\w* out|\bundo|\bremov|\brestor|\bwas\b|\bwere\b|回退|回滚|撤销|移除|恢复|还原|此前|曾|会"
)
_ADDS, _REMOVES = next(pair for pair in OPPOSITES if pair[0].search("adds"))
_ENABLES = next(pair[0] for pair in OPPOSITES if pair[0].search("enables"))
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_THING = r"[`'\"]?([A-Za-z0-9_-][A-Za-z0-9_./:+%-]{0,99})(?:\(\))?[`'\"]?"
_WAYS = (
    re.compile(rf"\bfrom {_THING} (?:\w+ )?(?:to|into) {_THING}", re.IGNORECASE),
    re.compile(rf"{_THING} ?(?:->|=>|→|⇒) ?{_THING}"),
    re.compile(
        rf"\b(?:renam|replac|switch|swap|convert|migrat|chang|mov)\w* (?:the )?(?:\w+ )?{_THING} "
        rf"(?:to|with|by|into|as) (?:the )?{_THING}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"[从由将把] ?{_THING} ?(?:重命名|提高|提升|增加|增大|降低|减少|下调|上调|调整|升级|降级|切换|迁移|"
        rf"替换|更名|改名|修改|移动|移|换|改|增|降|升|减|调|变)?(?:更改|改)?(?:为|到|至|成) ?{_THING}"
    ),
    re.compile(
        rf"{_THING} (?:is|was|are|were) (?:now )?(?:called|named|renamed(?: to)?|known as|moved to|"
        rf"replaced (?:by|with)|superseded by|changed to|converted to) (?:the )?{_THING}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_THING} ?(?:重命名|更名|改名|改|替换|升级|移动|迁移|更改|换|降|升|提高|降低)(?:为|到|成|至) ?{_THING}"
    ),
)
_BACKWARDS = (
    re.compile(
        rf"{_THING} (?:instead of|rather than|in place of) (?:the )?{_THING}", re.IGNORECASE
    ),
    re.compile(rf"{_THING} (?:replaces|supersedes) (?:the )?{_THING}", re.IGNORECASE),
    re.compile(rf"[用以] ?{_THING} ?(?:替换|替代|代替|取代) ?{_THING}"),
    re.compile(rf"{_THING} ?(?:而不是|而非|取代|替代了?) ?{_THING}"),
)
_CONNECTS = re.compile(r"\bto\b|->|=>|→|⇒|\bwith\b|\bby\b|\binto\b|\bas\b|为|到|至|成")
_CONNECTS_BACKWARDS = re.compile(
    r"\binstead of\b|\brather than\b|\bfrom\b|\breplac\w*|\bsupersed\w*|\bover\b|\bin place of\b|"
    r"而不是|而非|替代|代替|取代|替换"
)
_CHANGES_OVER = re.compile(r"\bnow\b|\binstead\b|\bswitch\w*|改用|改为|现在")
_ENDS = re.compile(r"\b(?:instead of|rather than|no longer|not|stops?) \w+ing\b|不再|而不是|而非")
_INSTEAD = re.compile(r"\binstead\b(?! of)|\bin favou?r of\b|\breplaced by\b|请改用|改用")
_APART = 140


def turned(rest: str, source: Source, quote: str, atoms: tuple[Atom, ...] = ()) -> Iterator[str]:
    """Give the words of a sentence in lower case whose opposite is what its source says."""
    near = f"{quote}\n{source.title}"
    told = "\n".join((quote, source.title, *source.paragraphs))
    takes_back = _REVERTS.match(source.title.strip()) and not _TAKES_BACK.search(rest)
    if takes_back and (found := _ADDS.search(rest) or _ENABLES.search(rest)):
        yield found.group()
    for one, other in OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            found = mine.search(rest)
            if found is None or theirs.search(rest):
                continue
            if one is _ADDS and _is_shown(atoms, source, put_in=mine is _ADDS):
                continue
            if one is _COMPARISON[0] and mine is one and _is_refused_below(rest, source):
                continue
            both = f"{told}\n{source.changed}"
            if theirs.search(both if one in _COMPARISON else told) and not mine.search(both):
                yield found.group()
            elif theirs.search(near) and not mine.search(near):
                if _same_object(found, rest, theirs, near):
                    yield found.group()
            elif theirs.search(near) and _nearer_to(found, rest, mine, theirs, near):
                yield found.group()


def _is_refused_below(rest: str, source: Source) -> bool:
    """Tell of a bound that a source states from above: below ">= 12.9" something fails."""
    text = f"{source.prose}\n{source.changed}"
    return _FAILS.search(rest) is not None and any(
        re.search(rf">= ?{re.escape(found[1])}(?![\d.])", text) for found in _BELOW.finditer(rest)
    )


def _is_shown(atoms: tuple[Atom, ...], source: Source, *, put_in: bool) -> bool:
    """Tell whether the diff puts in, or takes out, a name of the sentence."""
    names = [each.text.lower() for each in atoms if each.kind is AtomKind.NAME]
    for name in (each for each in names if each not in source.prose):
        for diff in source.diffs:
            more = _count(name, diff.added) - _count(name, diff.removed)
            if (more > 0) if put_in else (more < 0):
                return True
    return False


def misplaced(text: str, atoms: tuple[Atom, ...], source: Source) -> Iterator[str]:
    """Give the names that a sentence says were added or removed, where the diff says otherwise.

    Only a sentence with one such name says so plainly enough to be held to it.
    """
    names = [each.text.lower() for each in atoms if each.kind in (AtomKind.NAME, AtomKind.PATH)]
    lowered = text.lower()
    if not source.diffs:
        return
    for name in names:
        where = lowered.find(name)
        before = lowered[max(0, where - 30) : where]
        if _ENDS.search(before):
            continue
        adds, removes = list(_ADDS.finditer(before)), list(_REMOVES.finditer(before))
        if bool(adds) == bool(removes) or name in source.prose:
            continue
        put_in = any(name in diff.added for diff in source.diffs)
        taken_out = any(name in diff.removed for diff in source.diffs)
        if (adds and taken_out and not put_in) or (removes and put_in and not taken_out):
            yield name


def backwards(text: str, source: Source) -> Iterator[str]:
    """Give the changes "from this to that" of a sentence that its source does not have.

    Of names and numbers the source has to show the same way; of plain words only not the other.
    """
    for old, new in _ways(text):
        known = _is_exact(old) and _is_exact(new)
        before, after = _bare(old), _bare(new)
        if before == after and known:
            yield f"{old} → {new}"
        if not before or not after or before == after or _goes(before, after, source):
            continue
        if known or _goes(after, before, source):
            yield f"{old} → {new}"


def _ways(text: str) -> Iterator[tuple[str, str]]:
    for pattern in _WAYS:
        yield from ((found[1], found[2]) for found in pattern.finditer(text))
    for pattern in _BACKWARDS:
        yield from ((found[2], found[1]) for found in pattern.finditer(text))


def _goes(old: str, new: str, source: Source) -> bool:
    return (
        any(_swaps(old, new, diff) for diff in source.diffs)
        or any(_connected(old, new, sentence) for sentence in source.sentences)
        or any(_connected(old, new, text, _CHANGES_OVER) for text in source.paragraphs)
        or _is_offered(old, new, source)
    )


def _is_offered(old: str, new: str, source: Source) -> bool:
    """Tell of "use this instead" where what it stands for is named in another sentence."""
    return bool(_places(old, source.prose)) and any(
        _INSTEAD.search(text) and _places(new, text) and not _places(old, text)
        for text in source.sentences
    )


def _swaps(old: str, new: str, diff: Diff) -> bool:
    """Tell whether a hunk takes out the one and puts in the other, by counts of each."""
    lost = _count(old, diff.removed) > _count(old, diff.added)
    return lost and _count(new, diff.added) > _count(new, diff.removed)


def _count(name: str, text: str) -> int:
    # A part of a dotted name is that name too; digits behind a point are of another number.
    return len(re.findall(rf"(?<!\w)(?<!\d\.){re.escape(name)}(?!\w|\.\d)", text, re.ASCII))


def _connected(old: str, new: str, sentence: str, connects: re.Pattern[str] = _CONNECTS) -> bool:
    """Tell whether a sentence names the one, then the other, with a word that leads from it."""
    first, second = _places(old, sentence), _places(new, sentence)
    return any(
        (a[1] <= b[0] <= a[1] + _APART and connects.search(sentence[a[1] : b[0]]))
        or (b[1] <= a[0] <= b[1] + _APART and _CONNECTS_BACKWARDS.search(sentence[b[1] : a[0]]))
        for a in first
        for b in second
    )


def _places(name: str, sentence: str) -> list[tuple[int, int]]:
    found = re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\d)", sentence, re.ASCII)
    return [each.span() for each in found][:5]


def _bare(thing: str) -> str:
    return thing.strip("`'\".,:;").lower()


def _is_exact(thing: str) -> bool:
    return any(char.isdigit() or char == "_" for char in thing) or thing.startswith("--")


def _same_object(found: re.Match[str], rest: str, theirs: re.Pattern[str], near: str) -> bool:
    """Tell whether the opposite is said of the same thing: a word after both is the same."""
    mine = _objects(rest, found.end())
    return any(mine & _objects(near, other.end()) for other in theirs.finditer(near))


def _nearer_to(
    found: re.Match[str],
    rest: str,
    mine: re.Pattern[str],
    theirs: re.Pattern[str],
    near: str,
) -> bool:
    """Tell of a source that says both: which of them does it say of this thing?"""
    objects = _objects(rest, found.end())
    said = set().union(*(_objects(near, each.end()) for each in mine.finditer(near)))
    against = set().union(*(_objects(near, each.end()) for each in theirs.finditer(near)))
    return bool(objects & against) and not objects & said


def _objects(text: str, start: int) -> set[str]:
    """Give the words after a verb, or before a passive one ("Python 3.9 is dropped")."""
    after = _WORD.findall(text[start : start + 50])[:3]
    return {stem(word) for word in (*after, *_WORD.findall(text[max(0, start - 40) : start])[-3:])}
