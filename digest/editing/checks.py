"""What a sentence of a model's may hold: names, figures, claims of its source, plain words (pure).

None of this says that a sentence is true: meaning is not in words. It keeps out what can be kept
out by rules: an invented name or number, a crash, gain or duty that its source does not speak of,
markup, addresses, mentions.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

from digest.languages import Language
from digest.reading.passages import is_order
from digest.reading.whom import whom

MOST = {Language.EN: 320, Language.ZH: 200}
"""Characters of a sentence; the prompts ask for less."""

KEPT = 0.8
"""The part of a sentence's characters that stand in it in order once limits are put in."""

ROOM = 40
"""Characters more than its limits by which a sentence may grow with them."""

_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
_QUOTES = {ord(mark): "'" for mark in "\u2018\u2019\u2032"} | {
    ord(mark): '"' for mark in "\u201c\u201d\u300c\u300d"
}
_STOPS = {ord(stop): f"{stop} " for stop in "，：；。（）！？、"}
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_])(?:#|--?(?=[A-Za-z]))?[A-Za-z0-9_](?:[A-Za-z0-9_.:/+%-]|,(?=\d{3})|#(?=\d))*"
    r"(?:\(\))?",
    re.ASCII,
)
_PARTED = re.compile(r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]++(?:：[A-Za-z0-9_.-]++)+", re.ASCII)
"""A name that a wide colon may have parted: `vllm：num_requests_running`."""
_EVERYWHERE = frozenset(
    (
        *("api", "apis", "pr", "prs", "id", "ids", "ci", "cpu", "cpus", "gpu", "gpus", "llm"),
        *("llms", "ok", "vs", "rfc", "readme", "github", "i", "e.g", "i.e", "ai", "bug", "os"),
        *("url", "http", "json", "yaml"),
    )
)
_UNITS = {
    "%": "% percent pct 个百分点 百分点",
    "x": "x × times fold 倍",
    "ns": "ns nanoseconds 纳秒",
    "us": "us μs µs microseconds 微秒",
    "ms": "ms msec milliseconds 毫秒",
    "s": "s sec secs second seconds 秒钟 秒",
    "min": "min mins minute minutes 分钟",
    "h": "h hr hrs hour hours 小时",
    "day": "day days 天",
    "kb": "kb kib",
    "mb": "mb mib",
    "gb": "gb gib",
    "tb": "tb tib",
    "gb/s": "gb/s gbps gib/s",
    "tb/s": "tb/s tbps",
    "tok/s": "tok/s tokens/s token/s tps toks/s",
    "req/s": "req/s requests/s rps qps",
    "tflops": "tflops tflop/s",
    "bit": "bit bits 位 比特",
}
_UNIT_OF = {alias: unit for unit, aliases in _UNITS.items() for alias in aliases.split()}
_ALIASES = "|".join(map(re.escape, _UNIT_OF))
FIGURE = re.compile(
    rf"(?<![\w.#])(\d+(?:,\d{{3}})*(?:\.\d+)?)(?!\.?\d)(?:[ -]?({_ALIASES})(?![a-z_/]))?",
    re.ASCII | re.IGNORECASE,
)
"""A number that is no piece of a name, and its unit."""
_HARM = r"wrong|incorrect|corrupt|garbage|garbled|(?:in)?accura"
_FALL = r"crash|segfault|exception|abort|fail|error|rais(?:e|ing)|assert|throw"
_CLAIMS = tuple(
    re.compile(rf"\b(?:{english})|{chinese}")
    for english, chinese in (
        (_HARM, "不正确|损坏|乱码|精度|(?:输出|结果)有?错误"),
        (_FALL, "崩溃|报错|异常|失败|段错误"),
        (r"hang|hung|deadlock|stuck|freez|stall", "卡死|死锁|挂起"),
        (r"memory|oom|leak|footprint", "内存|显存|泄漏|泄露"),
        (r"los[es]|lost", "丢失"),
        (
            r"secur|safe|vulnerab|cve|exploit|inject|malicious|malware|backdoor|danger",
            "安全|漏洞|注入|恶意|后门|危险",
        ),
        (
            r"faster|speed|quick|latency|throughput|perf|accelerat|efficien|overhead|optimi",
            "加速|更快|提速|性能|延迟|吞吐|优化|开销",
        ),
        (r"must\b|ha(?:ve|s|d) to\b|need|requir|mandatory", "必须|需要|要求|务必"),
        (
            r"uninstall|downgrad|(?:not|never|n't) (?:upgrade|install)\b",
            "(?:不要|切勿|请勿)(?:升级|安装)",
        ),
        (r"deprecat", "弃用|废弃"),
        (r"breaking|incompatib", "不兼容|破坏性"),
    )
)
"""What a reader acts on, harm, gain and duty, in words of each language; a source says it too."""
_ERROR = re.compile("(?<!段)错误")
_ERROR_STATED = re.compile(
    rf"{_ERROR.pattern}|\b(?:{_HARM}|{_FALL}|bug|fix|mistake|invalid|mismatch)"
)
_WORD = re.compile(r"[^\W_]+")
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\bmailto:|\bjavascript:|@"
    r"|\b[a-z0-9-]{2,63}\.(?:com|net|org|cn|ru|xyz|club|gg)\b|\b[a-z0-9-]{2,63}\.(?:io|ai|ly)/",
    re.IGNORECASE | re.ASCII,
)
_MARKUP = re.compile(
    r"```|~~|\*\*|\|\||!\[|\]\s?\(|\]\[|<[!@#/|]|<(?=[a-z]{1,10}[\s>:])|^\s*(?:#{1,6}\s|>|[-*+•]\s)"
    r"|(?<![\w`]):[a-z0-9_+-]{2,30}:(?![\w:])|&(?:#\w+|[a-z]{2,8});|\{\{|\{%",
    re.IGNORECASE | re.ASCII,
)
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
LEAST_CHINESE = 3
"""Characters of Chinese, however many names a sentence holds: its Latin words are its source's."""
_NAME = re.compile(
    r"^[#-]|_|\(\)$|[a-z\d][A-Z]|[A-Z]{2,}[a-z]{2,}|\d.*[A-Za-z]|[A-Za-z].*\d|[a-z]\.[a-z]|"
    r"/[a-z]+[./]|(?:^|[-/])[A-Z]{2,}s?(?=$|[-/])|[-/][A-Z]|^\d+\.\d+\.\d"
)
"""What looks like a name: an option, an identifier, a path, capitals, in any part of a word; and a
version of three parts, which is no figure."""

_NOT_EN = re.compile(
    r"\b(?:not|no|never|none|nothing|without|cannot|neither|nor)\b|n't\b", re.IGNORECASE
)
_MAYBE_EN = re.compile(
    r"\b(?:(?:in|un|im|ir|non|dis|mis)-?[a-z]{4,}|fail\w*|avoid\w*|prevent\w*|miss\w*|only|unless|"
    r"skip\w*|instead|lack\w*|stop\w*|wrong\w*|invalid|remove\w*|drop\w*|reject\w*|refus\w*|rather|"
    r"broken?|too|before|already)\b",
    re.IGNORECASE,
)
_NOT_ZH = re.compile(r"不(?!同|仅|断|过|止)|没有?|无(?!论|缝|效)|未(?!来)|非(?!常)|勿|否(?!则)")
_MAYBE_ZH = re.compile(
    r"避免|防止|禁|无效|失败|缺|跳过|拒绝|仅|只|除非|而是|不同|去除|移除|停|误|免|错|否则"
)


def folded(text: str) -> str:
    """Return NFKC (https://unicode.org/reports/tr15/), plain hyphens and quotes, single spaces."""
    text = unicodedata.normalize("NFKC", text.translate(_STOPS)).translate(_HYPHENS | _QUOTES)
    return " ".join(text.split())


def stands(needle: str, text: str) -> bool:
    """Tell whether a text holds a needle as a whole: not as a piece of a longer name or number."""
    if not needle:
        return False
    before = r"(?<![A-Za-z0-9_])" if needle[0].isalnum() or needle[0] == "_" else ""
    after = r"(?![A-Za-z0-9_])(?!\.\d)" if needle[-1].isalnum() or needle[-1] == "_" else ""
    return re.search(before + re.escape(needle) + after, text, re.ASCII) is not None


def quoted(quote: str, text: str) -> bool:
    """Tell whether a text holds a quote, but for runs of white space and look-alike marks."""
    wanted = folded(quote).strip("\"'` .…").lower()
    return len(wanted) >= 4 and wanted in folded(text).lower()


def with_names_of(text: str, source: str) -> str:
    """Return Chinese with names as they stand in their source, where its colon came out wide."""

    def mended(found: re.Match[str]) -> str:
        name = found[0].replace("：", ":")
        is_there = re.search(rf"(?<![\w.:-]){re.escape(name)}(?![\w:-])", source)
        return name if is_there else found[0]

    return _PARTED.sub(mended, text)


def fault(text: str, language: Language, most: int = 0) -> str:
    """Return what is wrong with the form of a cleaned sentence, empty where nothing is.

    It may have `most` characters, if that is more than any may have.
    """
    if not text or len(text) > max(most, MOST[language]):
        return f"length {len(text)}"
    if any(unicodedata.category(char) in _UNSEEN for char in text):
        return "unseen characters"
    # Small and full-width forms are taken for the plain ones.
    plain = unicodedata.normalize("NFKC", text)
    if found := _ADDRESS.search(plain) or _MARKUP.search(text):
        return f"form: {found.group()}"
    if is_order(text):
        return "an order"
    if text.count("`") % 2 or text.endswith((*",，、:：-(（", "...")):
        return "cut"
    return _wrong_script(text, language)


def _wrong_script(text: str, language: Language) -> str:
    prose = unicodedata.normalize("NFKC", re.sub(r"`[^`]*`", " ", text))
    letters = (char for char in prose if not char.isascii() and char not in "μαβγεσλθ")
    if any(unicodedata.category(char)[0] == "L" and not _CJK.match(char) for char in letters):
        return "another script"
    cjk = len(_CJK.findall(prose))
    is_right = cjk >= LEAST_CHINESE if language is Language.ZH else not cjk
    return "" if is_right else "another language"


def invented(
    text: str, language: Language, source: str, *, judges: bool = False, claims: str = ""
) -> str:
    """Return a name, figure or claim of a sentence that its source does not hold; else nothing.

    What `judges` may speak of a harm that nobody has written of. Where they are given, `claims` are
    that part of the source in which such have to stand.
    """
    sentence, lowered = folded(text), folded(source).lower()
    # What the software is made of and runs on is a name however it is written: `cutlass`, `fp8`.
    for name in (*_names(sentence, language), *(each.split()[0] for each in whom(sentence))):
        if not _is_known(name, lowered):
            return name
    other = _other_figure(sentence.lower(), lowered)
    if other or judges:
        return other
    said = folded(claims or source).lower()
    every = (*((claim, claim) for claim in _CLAIMS), (_ERROR, _ERROR_STATED))
    found = (claim.search(sentence.lower()) for claim, stated in every if not stated.search(said))
    return next((claimed[0] for claimed in found if claimed), "")


def _other_figure(sentence: str, known: str) -> str:
    """Return a figure that a source does not hold, or in another unit; both in lower case."""
    figures = {
        (value.replace(",", ""), _UNIT_OF.get(unit)) for value, unit in FIGURE.findall(known)
    }
    values = {value for value, _ in figures}
    for value, unit in FIGURE.findall(sentence):
        plain = value.replace(",", "")
        is_known = (plain, _UNIT_OF[unit]) in figures if unit else plain in values
        if not (is_known or (not unit and stands(plain, known))):
            return f"{value}{unit}"
    return ""


def names_of(sentence: str, language: Language = Language.EN) -> Iterator[str]:
    """Return the names of a sentence, as they are looked for in its source."""
    return _names(folded(sentence), language)


def holds(text: str, name: str) -> bool:
    """Tell whether a text holds a name as a sentence may write it."""
    return _is_known(name, folded(text).lower())


def _names(text: str, language: Language) -> Iterator[str]:
    """Return the names of a sentence: in Chinese every Latin word, else what looks like one."""
    begun = False
    for match in _TOKEN.finditer(text):
        word = match.group().rstrip(".,:/+-%")
        marked = text[match.start() - 1 : match.start()] == "`"
        first, begun = not begun, text[match.end() : match.end() + 1] not in ".!?"
        if len(word) < 2 or word.lower() in _EVERYWHERE or word.lower() in _UNIT_OF:
            continue
        if FIGURE.fullmatch(word):
            continue
        is_named = (word[:1].isupper() and not first) or _NAME.search(word)
        if language is Language.ZH or marked or is_named:
            yield word


def _figures(text: str) -> Counter[str]:
    return Counter(figure.replace(",", "") for figure, _ in FIGURE.findall(folded(text)))


def otherwise(later: str, sentence: str, language: Language, limits: str) -> str:
    """Return what a sentence that was to get limits alone says otherwise; else nothing.

    It has all names and figures that it had, denies no less, and more only as far as its limits
    do, most of it stands as it stood, it is longer by its limits alone, and it has them.
    """
    known = folded(later).lower()
    for name in _names(folded(sentence), language):
        if not _is_known(name, known):
            return f"without {name}"
    if lost := _figures(sentence) - _figures(later):
        return f"without {next(iter(lost))}"
    nots = _NOT_ZH if language is Language.ZH else _NOT_EN
    denied, now = (len(nots.findall(text)) for text in (sentence, later))
    if not denied <= now <= denied + len(_NOT_EN.findall(limits)):
        return f"denies {now} for {denied}"
    blocks = SequenceMatcher(None, sentence, later, autojunk=False).get_matching_blocks()
    kept = sum(block.size for block in blocks)
    most = len(sentence) + len(limits) + ROOM
    if kept < KEPT * len(sentence) or len(later) > most:
        return "another sentence"
    # Chinese says a limit in words that the limit does not have; English has one of its words.
    was, is_now = (Counter(_WORD.findall(text.lower())) for text in (sentence, later))
    is_limited = language is Language.ZH or (is_now - was).keys() & {*_WORD.findall(limits.lower())}
    return "" if is_limited and later != sentence else "without its limits"


def _is_known(name: str, lowered: str) -> bool:
    low = name.lower()
    forms = (low.removesuffix("()"), low.removesuffix("s"), low.lstrip("v"), f"v{low}")
    if any(stands(form, lowered) for form in forms):
        return True
    parts = re.split(r"[-/]", low.strip("-"))
    if name.startswith("-") or "_" in name or len(parts) < 2:
        return len(low) > 3 and low in lowered and not any(char.isdigit() for char in low)
    return all(part in _EVERYWHERE or part.rstrip("s") in lowered for part in parts)


def mistranslated(chinese: str, sentence: str) -> str:
    """Return what of a translation is not of its sentence, or is missing; empty where all agree.

    Its names, numbers and units are those of the sentence, and it denies as often.
    """
    if found := fault(chinese, Language.ZH, len(sentence)):
        return found
    if found := invented(chinese, Language.ZH, sentence):
        return found
    for name in names_of(sentence):
        code = "_" in name or name.startswith("-") or any(char.isdigit() for char in name)
        if code and not _is_known(name, folded(chinese).lower()):
            return f"without {name}"
    if lost := _figures(sentence) - _figures(chinese):
        return f"without {next(iter(lost))}"
    sure, maybe = len(_NOT_EN.findall(sentence)), len(_MAYBE_EN.findall(sentence))
    denied, at_most = len(_NOT_ZH.findall(chinese)), len(_MAYBE_ZH.findall(chinese))
    # What may deny in one language and has no like in the other may stand for a plain "not" there.
    if denied > sure + max(0, maybe - at_most) or sure > denied + max(0, at_most - maybe):
        return f"denies {denied} for {sure}"
    return ""
