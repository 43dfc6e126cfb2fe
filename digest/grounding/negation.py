"""Not, no longer, without: what is denied in a sentence has to be denied in its source.

And what the quote denies may not be told as if it were so, nor what it calls possible as certain.
"""

# ruff: noqa: E501 - the words of a pattern stay in one line

import re
from collections.abc import Iterator

from digest.grounding.source import Source
from digest.grounding.stems import stem
from digest.grounding.subjects import is_trouble

_DENIES = re.compile(
    r"(?<![-_])\b(?:no longer|not|never|cannot|neither|nor|without|no|fails? to|unable to)\b(?![-_])"
    r"|\w+n't\b"
)
_DENIES_ZH = re.compile(
    r"不再|不会|不能|不可|不应|不支持|不使用|不需要?|无需|无须|没有|尚未|从未|未(?!来|知)|无法|并非|并不"
    r"|(?<![如是到得])不(?!超过|大于|小于|低于|高于|多于|等|限|同|断|仅|但|过|少|足|一致|匹配|稳定|对齐|必要)"
)
_NEGATIVE = re.compile(
    r"\b(?:not|no|nothing|unset|never|cannot|neither|nor|without|none|null|unable|false|off|only|unless|except|"
    r"instead|rather|invalid|illegal|un[a-z]{4,}|non[- _]?[a-z]{3,}|in(?:correct|valid|compat|consist)"
    r"[a-z]*|(?:fail|lack|miss|remov|drop|disabl|skip|avoid|prevent|stop|forbid|reject|ignor|exclud|"
    r"revert|deprecat|eliminat|delet|bypass|disallow|refus|omit|strip|retir|replac|empty|zero|free|"
    r"guard|wrong|broken|bug|crash|hang|leak|redundan|absen|dead|lazy|defer)[a-z]*)\b|\w+n't\b"
    r"|不|未|没|无|非|勿|免|防|禁|失败|缺|误|错|跳过|停|移除|删|去|仅|只|而是|别|崩溃|异常|废弃|取消|拒"
)
_DENIED = re.compile(
    r"(?<![-_])\b(?!no-)(?:not|no|never|cannot|nor|neither|without|none|nothing|unable|un(?:supported|used|available|"
    r"set|known|able)|non|(?:fail|lack|miss|remov|drop|disabl|skip|avoid|prevent|stop|forbid|reject|"
    r"exclud|ignor|revert|eliminat|delet|bypass|disallow|refus|omit|retir|end of life|instead of|"
    r"rather than|longer|deprecat|gone|goes away)[a-z]*)\b|\w+n't\b|不|未|没|无|非|移除|删|禁|跳过|停"
)
"""What denies a word right beside it: fewer than what may be said negatively somewhere."""

_CODE_DENIES = re.compile(r"!=|\bnot\b|!\w|\bis none\b")
_NOTHING = frozenset(stem(word) for word in ("zero", "empty", "null", "none", "nullptr"))
_ASKS = re.compile(r"\b(?:when|if|where) (?:\w+ ){0,2}$")
_HAS_A_CASE = re.compile(r"\b(?:if|or|else|none|null|default|get)\b|\?")
"""A value that stands in for another: `workers or 1`, `get(name)`, `x if x else y`."""

_OF_WHAT_WAS_SAID = re.compile(r"\bwithout (?:it|this|that|these|them)\b")
_SAME_AS = {"wait": "sync", "block": "sync"}
"""What names of functions call otherwise than people do."""

_UNSET = re.compile(r"^\W{0,4}(?:is |= ?|== ?)?(?:false|none|null|off|unset|disabled|0)\b")
"""What says behind a name that it is not so."""

_IS_NONE = re.compile(r"\w*(?:: ?[^=,()]{1,40})? ?= ?(?:none|null|false)\b")
"""The same of a parameter: `stop: list[str] | None = None`."""

_NEGATIVE_ZH = re.compile(
    "[不未没无非勿免防禁缺误错停删去仅只别拒]|而是|跳过|移除|崩溃|异常|废弃|取消|失败|忽略|绕过|回退|除外|"
    "泄漏|死锁|超时|卡死|损坏|修复"
)
_MENDS = re.compile(
    r"\b(?:fix|avoid|prevent|remov|eliminat|skip|resolv|stop|reduc|without|no longer|instead|"
    r"workaround|guard|protect|handl|bug|correct|drop|cach|lazy|reus|optimi|dedup|bypass)[a-z]*"
    r"|修复|避免|防止|移除|解决|跳过|减少|去除"
)
_HEDGES = re.compile(
    r"\b(?:may|might|could(?! not)|possibly|possible|potentially|potential|sometimes|occasionally|likely|"
    r"probably|perhaps|hopefully|experimental|partial|partially|some|rarely|intermittently)\b"
    r"|可能|或许|也许|有时|偶尔|潜在|部分|实验性"
)
_HEDGES_KEPT = re.compile(
    r"\b(?:may|might|could|can|possibly|possible|potentially|potential|sometimes|occasional(?:ly)?|"
    r"likely|probably|perhaps|experimental|partial|partially|some|rare(?:ly)?|intermittent(?:ly)?|"
    r"seems?|appears?|fix(?:es|ed)?|avoids?|prevents?|certain|reports?|"
    r"flaky|guards?|expected|should|would|helps?|up to|at most)\b"
    r"|可能|或许|也许|有时|偶尔|潜在|部分|实验性|修复|避免|防止|可以|或许|最多|至多|据|疑似|预期|预计|应"
)
_SKIPS = re.compile(
    r"\b(?:([a-z]{4,}) (?:is|are|was|were) (?:now )?)?(?:skip|disabl|remov|dropp|avoid|prevent|forbid|reject|ignor|delet|omit)"
    r"[a-z]*\b(?: ([a-z]{4,}))?"
)
"""What a quote says is left undone: what stands before it (passive) or behind it."""

_WORD = re.compile(r"[a-z][a-z0-9_]+")
_SMALL_WORDS = (
    "the and any all for its this that with from into when than then been being have has had "
    "will would can could are was were is be an to of in on at by as it or if so do does did "
    "only just longer more some not yet never cannot without "
)
_SMALL = frozenset(_SMALL_WORDS.split())
_VERBS_ZH = {
    "修复": ("fix", "correct", "resolv"), "支持": ("support", "compat"), "解决": ("fix", "resolv"),
    "新增": ("add", "new"), "添加": ("add",), "增加": ("add", "increas"), "使用": ("us", "using"),
    "启用": ("enabl",), "开启": ("enabl", "turn"), "移除": ("remov", "drop"), "删除": ("remov", "delet"),
    "需要": ("need", "requir"), "兼容": ("compat",), "影响": ("affect", "impact"), "优化": ("optimi",),
    "改变": ("chang",), "提升": ("improv",), "减少": ("reduc",), "降低": ("reduc", "lower"),
    "允许": ("allow", "permit"), "默认": ("default",), "返回": ("return",), "工作": ("work",),
}  # fmt: skip
_WORK_ZH = frozenset({"修复", "解决", "新增", "添加", "增加", "优化", "提升", "减少", "降低"})
_TAKES_OUT = re.compile(
    r"\b(?:remov|drop|delet|deprecat|disabl|stop|no longer|end of life|instead of)|移除|删除|弃用"
)
_LATIN = re.compile(r"[a-z0-9](?:[a-z0-9_. -]*[a-z0-9])?")
_DENIED_VERB_ZH = re.compile(
    rf"(?:不再|不会|不能|不应|尚未|没有|未|无法|并未|不)({'|'.join(_VERBS_ZH)})"
)
_DENIED_CONDITION = re.compile(r"\b(?:if|when) (?:\w+ ){0,2}not (\w{4,})")
_CLAUSE = re.compile(r"[:;,]|\b(?:because|since|as|so|and|but|which|that)\b")
_DENIED_VERB = re.compile(r"\b(?:does|do|did) not (\w{5,})")
_FALLS = re.compile(r"\bdrop(?:s|ped|ping)? (?:from|to|by)\b")
_REACH = 3
_BEFORE = 60
_BESIDE = 24
_RIGHT_BESIDE = 12
_AFTER = 40


def undenied(rest: str, source: Source, quote: str, english: str = "") -> Iterator[str]:
    """Give what a sentence in lower case denies and its source does not.

    A trouble may be denied where the source mends it: "no longer crashes" of "Fix crash". What a
    Chinese sentence denies may be denied by its English one, if that was proven.
    """
    near = (quote, source.title)
    texts = (*near, *source.sentences)
    quoted = [
        line
        for diff in source.diffs
        if quote and quote in diff.whole
        for line in diff.whole.split("\n")
    ]
    for found in _DENIES.finditer(rest):
        scope = _scope(rest[found.end() :])
        trouble = scope and _is_trouble(scope[0], ended=found.group() == "no longer")
        if not scope or (trouble and _is_mended(scope[0], near, texts)):
            continue
        if found.group() == "no longer" and _has_ended(scope[0], rest, near):
            continue
        if found.group() in ("no longer", "without") and _is_gone(scope[0], source):
            continue
        if _is_in_code(found, scope[0], rest, quoted):
            continue
        if found.group() == "without" and _OF_WHAT_WAS_SAID.search(quote):
            continue
        if not any(_denies(scope, text, rest) for text in (*texts, *quoted)):
            yield f"{found.group()} {scope[0]}"
    for found in _DENIED_VERB_ZH.finditer(rest):
        if not _is_denied_zh(found, rest, texts, english):
            yield found.group()
    alone = None if english else _DENIES_ZH.search(rest)
    if alone and not any(_DENIED.search(text) for text in near):
        yield alone.group()


def _is_in_code(found: re.Match[str], word: str, rest: str, quoted: list[str]) -> bool:
    """Tell whether the lines around a quote of code ask for what a sentence denies.

    "Is not zero" of `!= 0`, and "when no count is given" of `count or 1`.
    """
    if found.group() == "not" and stem(word) in _NOTHING:
        return any(_CODE_DENIES.search(line) for line in quoted)
    asks = found.group() == "no" and _ASKS.search(rest[: found.start()])
    return bool(asks) and any(
        stem(word) in line and _HAS_A_CASE.search(line.partition(stem(word))[2]) for line in quoted
    )


def _is_gone(word: str, source: Source) -> bool:
    """Tell whether a diff takes out more of a word than it puts in."""
    other = _SAME_AS.get(stem(word), "")
    begin = re.compile(rf"\b{re.escape(stem(word))}" + (f"|{other}" if other else ""))
    return any(
        len(begin.findall(diff.removed)) > len(begin.findall(diff.added)) for diff in source.diffs
    )


def _is_denied_zh(found: re.Match[str], rest: str, texts: tuple[str, ...], english: str) -> bool:
    """Tell whether a source denies what a Chinese verb is denied of."""
    claims_work = found[1] in _WORK_ZH
    denial = _DENIES if claims_work else _NEGATIVE if english else _DENIED
    if english and not claims_work and _NEGATIVE.search(english):
        return True
    if claims_work and re.search(r"\bnone\b", english):
        return True
    objects = _LATIN.findall(rest[found.end() : found.end() + _AFTER])
    for text in texts:
        places = [place for verb in _VERBS_ZH[found[1]] for place in re.finditer(verb, text)]
        if any(denial.search(text[max(0, p.start() - 20) : p.end() + 20]) for p in places):
            return True
        if _DENIED_VERB_ZH.search(text):
            return True
        if not claims_work and objects and _is_taken_out(objects[0], text):
            return True
    return False


def _is_taken_out(name: str, text: str) -> bool:
    """Tell whether a text says right before a name that it goes: "drop Python 3.9"."""
    return any(
        _TAKES_OUT.search(text[max(0, place.start() - _BESIDE) : place.start()])
        for place in re.finditer(re.escape(name), text)
    )


def told_as_so(rest: str, quote: str, *, chinese: bool) -> Iterator[str]:
    """Give what the quote denies or calls possible and the sentence tells as so."""
    negative = _NEGATIVE_ZH if chinese else _NEGATIVE
    yield from _left_out_not(rest, quote)
    if not negative.search(rest) and not _MENDS.search(rest):
        for found in _DENIES.finditer(quote):
            scope = _scope(quote[found.end() :])
            if chinese or any(_says(word, rest) for word in scope[:2]):
                yield f"{found.group()} {scope[0] if scope else ''}".strip()
                break
        for found in _SKIPS.finditer(quote):
            words = [each for each in (found[1], found[2]) if each and each not in _SMALL]
            if any(_says(word, rest) for word in words):
                yield found.group()
                break
    if not _HEDGES_KEPT.search(rest):
        for found in _HEDGES.finditer(quote):
            scope = _scope(quote[found.end() :])
            hedged = found.group()
            if hedged == "some" or hedged == "部分":
                continue
            if chinese or any(_says(word, rest) for word in scope[:2]):
                yield hedged
                break


def _left_out_not(rest: str, quote: str) -> Iterator[str]:
    """Give the "if not" and the "does not" of a quote that a sentence tells without the "not"."""
    for found in _DENIED_CONDITION.finditer(quote):
        if re.search(rf"\b(?:if|when) (?:\w+ ){{0,3}}{re.escape(stem(found[1]))}", rest) and not (
            _DENIES.search(rest) or " un" in rest
        ):
            yield found.group()
    for found in _DENIED_VERB.finditer(quote):
        verb = re.search(rf"\b{re.escape(stem(found[1]))}", rest)
        if verb and not _NEGATIVE.search(_CLAUSE.split(rest[: verb.start()])[-1]):
            yield found.group()


def same_sign(en: str, zh: str) -> bool:
    """Tell whether both languages of a claim deny, or neither does, as far as words show it."""
    en = _FALLS.sub(" ", en)
    if _DENIES_ZH.search(zh) and not _NEGATIVE.search(en) and not _MENDS.search(en):
        return False
    if _DENIES.search(en) and not _NEGATIVE_ZH.search(zh):
        return False
    for found in _DENIED_VERB_ZH.finditer(zh):
        stems = _VERBS_ZH[found[1]]
        places = [match for verb in stems for match in re.finditer(verb, en)]
        if places and not any(_near_negative(en, place.start(), place.end()) for place in places):
            return False
    return True


def _scope(after: str) -> list[str]:
    """Give the words that a denial is about: the next few that mean something."""
    words = [word for word in _WORD.findall(after[:_BEFORE]) if word not in _SMALL]
    return words[:_REACH]


def _denies(scope: list[str], text: str, rest: str) -> bool:
    """Tell whether a text denies what a sentence denies, and speaks of the same thing.

    The word behind the "not" counts, and what it is said of only where a plain "not" stands there.
    """
    places = [
        (word, place)
        for word in scope
        for place in re.finditer(rf"\b(?:un|non[-_]?|in|dis)?{re.escape(stem(word))}", text)
    ]
    denied = any(
        _near_negative(text, place.start(), place.end()) or _IS_NONE.match(text, place.end())
        if word == scope[0]
        else _DENIES.search(_before(text, place.start(), _RIGHT_BESIDE))
        for word, place in places
    )
    if not denied:
        return False
    others = _stems(rest) - {stem(scope[0])}
    return bool(others & _stems(text)) or len(_stems(text)) < _REACH


def _is_mended(trouble: str, near: tuple[str, ...], texts: tuple[str, ...]) -> bool:
    """Tell whether the source says that a trouble is mended.

    In quote or title for what is a trouble by its name, else in a sentence that names it.
    """
    if is_trouble(trouble) and any(_MENDS.search(text) for text in near):
        return True
    return any(_MENDS.search(text) for text in texts if stem(trouble) in text)


def _has_ended(verb: str, rest: str, near: tuple[str, ...]) -> bool:
    """Tell whether quote or title mends what a sentence says has ended.

    "No longer gets sparse backends" of "Fix sparse backends being applied": the words are the
    same, the verb is not, and is none that only means that something works.
    """
    if stem(verb) in _WORKS:
        return False
    others = _stems(rest) - {stem(verb)}
    return any(_MENDS.search(text) and len(others & _stems(text)) >= _SHARED for text in near)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text) if word not in _SMALL}


def _near_negative(text: str, start: int, end: int) -> bool:
    """Tell whether a word is denied: in the words before it, or right behind it ("is not")."""
    if text.startswith(("un", "non", "dis"), start):
        return True
    while end < len(text) and (text[end] == "_" or (text[end].isalnum() and text[end].isascii())):
        end += 1
    before, after = (
        _before(text, start, _BESIDE),
        text[end : end + _BESIDE // 2 + 1].rpartition(" ")[0],
    )
    return bool(_DENIED.search(before) or _DENIED.search(after) or _UNSET.search(after))


def _before(text: str, start: int, reach: int) -> str:
    """Give the whole words that stand right before a place."""
    if start <= reach:
        return text[:start]
    return text[start - reach - 1 : start].partition(" ")[2]


def _is_trouble(word: str, *, ended: bool) -> bool:
    """Tell of a trouble; what is said to have ended may be one that is no trouble by its name."""
    return is_trouble(word) is not None or (ended and stem(word) in _TROUBLESOME)


_TROUBLESOME_WORDS = (
    "fail fails failing rais raises raise block blocks break breaks hit hits wait waits lose "
    "loses lost drop drops ignore ignores miss misses recompute recomputes recompile require "
    "requires need needs depend depends waste wastes allocate allocates copy copies spam "
    "flood warn warns reject rejects overwrite overwrites return returns silently trigger "
    "triggers cause causes throw throws produce produces emit emits pull pulls launch "
    "launches exceed exceeds reset resets create creates load loads include includes count "
    "counts "
)
_TROUBLESOME = frozenset(stem(word) for word in _TROUBLESOME_WORDS.split())


_SHARED = 2
_WORKS = frozenset(
    stem(word)
    for word in (
        *("support", "work", "use", "enable", "accept", "handle", "run", "load", "allow"),
        *("compatible", "serve", "available", "keep", "kept", "valid", "correct", "fast"),
    )
)


def _says(word: str, rest: str) -> bool:
    return re.search(rf"\b{re.escape(stem(word))}", rest) is not None
