"""New errors of a change that tell who gives a thing that it is refused from now on.

Of an error only its own text, where it stands and what lies around it is read: no other file.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from digest.facts import Evidence
from digest.models import FileChange
from digest.reading.patch import MOST_READ, DiffHunk, Line, hunks
from digest.reading.sentence import split_sentences
from digest.reading.whom import SETTING

MESSAGE_LINES = 12
"""Lines in which the message of a call stands."""
_LONGEST = 200
"""Characters of an error that are told."""
OF_SETTINGS = re.compile(
    r"(?:^|/)(?:configs?|arg_groups)/|(?:config|args|arg_utils|sampling_params)\.py$"
)
"""Files that hold settings, by their paths."""
_OF_REQUESTS = re.compile(
    r"(?:^|/)(?:entrypoints|openai)/|"
    r"(?:^|/)(?:protocol|serving\w{0,30}|api_server|http_server|io_struct|input_processor)\.py$"
)
"""Files that take requests, by their paths."""
_DEFINES = re.compile(r"\s*(?:async )?(?:def|class) ")
_CHECKS = re.compile(r"\bdef _{0,2}(?:check|validate|verify|post_init)\w*\(")
_IF = re.compile(r"\s*(?:el)?if\b")
_RAISES = re.compile(r"\s*raise (?P<error>[\w.]+)\(")
_OF_VALUES = ("ValueError", "NotImplementedError")
_OF_PACKAGES = ("ImportError", "ModuleNotFoundError")
_INSTALL = re.compile(r"\binstall(?:ed)?\b", re.IGNORECASE)
"""What fails without a package failed before, too."""
_ANY_ERROR = re.compile(r"\b(?:raise|assert)\b")
_STRING = re.compile(r"""(?:(?:^|\()\s*[fr]*'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
"""A string; one in single quotes only where a message can begin: elsewhere it is a key."""
_KEYWORD = re.compile(r"\s*\w+=[fr]{0,2}[\"']")
"""An argument that says something beside the message, for programs."""
_ESCAPED = re.compile(r"\\([nrt\"'])")
"""A line's end, a tab or a quotation mark, as code writes it within a string."""
FILLED = re.compile(r"\{[^{}]*\}|%[sdr]\b")
_WENT_ERROR = re.compile(r"^-\s*(?:raise|assert)\b", re.MULTILINE)
_WENT = re.compile(r"^-(.*\".*)", re.MULTILINE)
_IS_REFUSED = re.compile(
    r"\bnot (?:be )?(?:supported|allowed|enabled)\b|\bdo(?:es)? not support\b|\bincompatible\b|"
    r"\bcannot be\b|\bunavailable\b|\bmust be at most\b",
    re.IGNORECASE,
)
_ASKS_FOR = re.compile(
    r"\brequires?\b|\bmust (?:be|not|have|match)\b|\bonly (?:\w{1,20} )?supports?\b|"
    r"\bonly (?:supported|valid|available|allowed)\b|\bnot found in\b|\bdoes not (?:match|use)\b|"
    r"\bcannot\b|\bunsupported\b",
    re.IGNORECASE,
)
"""Other words of an error that say what may be given."""
_ADVISES = re.compile(
    r"[.;,:(] ?(?:please )?(?:use|set|disable|enable|pass|reduce|choose|unset|lower|increase)\b",
    re.IGNORECASE,
)
"""What somebody who runs the program is to do."""
_PLEASE = re.compile(r"\bplease (?:reduce|shorten|lower|disable)\b", re.IGNORECASE)
_NAMED = re.compile(r"\b[a-z]+_[a-z_]+\b|\b[a-z]{2,}\.[a-z]{2,}|[`'][\w.-]{2,60}[`']")
"""A name as who gives it writes it: `top_rows`, `loaf.rows`."""
_FLAG = re.compile(r"--([a-z][\w-]{1,60})")
_WORD = re.compile(r"[A-Za-z_]\w*")
_NAMED_NEW = re.compile(
    r"^\+\s+(?:(\w+)\s*: |['\"](\w+)['\"]: |([A-Z][A-Z0-9]*_\w+)\s*=)|"
    r"^\+.*?(?:\b(\w+): [\w\[\]. |]{1,60}(?: = [^,()]{1,40})?[,)]|['\"]--([\w-]{1,60})['\"])",
    re.MULTILINE,
)
"""What an added line defines: a field, a parameter, a variable of the environment, a flag."""


def new_errors(files: Sequence[FileChange], *, of_checks: bool) -> Iterator[tuple[str, Evidence]]:
    """Yield the texts of new errors that refuse something, with where they stand.

    In: files that run, and whether the change says of itself that it adds a check. Out: errors of
    checks of settings and requests, those that name a setting or say what to do, and with
    `of_checks` those of any function. One that only moved or took another's place, and one about
    what the change itself brings, refuses nothing that was taken before.
    """
    patches = [(file.patch or "")[:MOST_READ] for file in files]
    if not any("raise " in patch for patch in patches):
        return
    went = [FILLED.sub("…", text) for patch in patches for text in _WENT.findall(patch)]

    @cache
    def brought() -> frozenset[str]:
        return _brought(patches)

    for file, patch in zip(files, patches, strict=True):
        if "raise " not in patch or file.status == "added":
            continue
        took_place = _WENT_ERROR.search(patch) is not None
        for hunk in hunks(patch):
            if any(line.sign == "-" and _ANY_ERROR.search(line.text) for line in hunk.lines):
                continue
            for error in _raised(hunk, file.path):
                if any(FILLED.sub("…", text) in gone for text in error.texts for gone in went):
                    continue
                if _is_of_setting(error) or (
                    not took_place
                    and _is_for_users(error, of_checks)
                    and _is_new_refusal(error, hunk, brought)
                ):
                    yield error.told, error.shown


@dataclass(frozen=True, slots=True)
class _Error:
    """A new error: where it is in its hunk, its strings, as it is told and whole, its evidence.

    `is_of_check` that a check of settings raises it; `path` is that of its file.
    """

    at: int
    name: str
    texts: list[str]
    told: str
    whole: str
    is_of_check: bool
    path: str
    shown: Evidence


def _raised(hunk: DiffHunk, path: str) -> Iterator[_Error]:
    """Yield the new errors of a hunk that can be told."""
    is_of_settings = OF_SETTINGS.search(path) is not None
    inside = hunk.section
    for at, line in enumerate(hunk.lines):
        inside = line.text if _DEFINES.match(line.text) else inside
        found = _RAISES.match(line.text) if line.sign == "+" else None
        if found is None:
            continue
        texts = message_of(hunk.lines[at : at + MESSAGE_LINES])
        told = as_told(texts)
        # What is filled in at the beginning is the name of what is refused.
        if told and not told.startswith("…"):
            whole = " ".join(FILLED.sub("…", "".join(texts)).split())
            is_of_check = is_of_settings or _CHECKS.search(inside) is not None
            # A formatter leaves nothing but the call on the line of a long error.
            said = next(
                (one for one in hunk.lines[at : at + MESSAGE_LINES] if _STRING.search(one.text)),
                line,
            )
            shown = Evidence("diff", said.text.strip(), path, said.new, "+")
            yield _Error(at, found["error"], texts, told, whole, is_of_check, path, shown)


def _is_of_setting(error: _Error) -> bool:
    return error.is_of_check and error.name in _OF_VALUES and _is_plain(error.told)


def _is_for_users(error: _Error, of_checks: bool) -> bool:
    """Tell whether who runs or calls the program reads an error: by what it says, and where."""
    says_what = _is_plain(error.told) or _ASKS_FOR.search(error.told) or _PLEASE.search(error.whole)
    if not says_what or error.name.endswith(_OF_PACKAGES) or _INSTALL.search(error.whole):
        return False
    is_read = error.is_of_check or _OF_REQUESTS.search(error.path) is not None
    return bool(
        of_checks
        or SETTING.search(error.whole)
        or _ADVISES.search(error.whole)
        or (is_read and _NAMED.search(error.whole))
    )


def _is_new_refusal(error: _Error, hunk: DiffHunk, brought: Callable[[], frozenset[str]]) -> bool:
    """Tell whether a new condition refuses what was taken, and not what the change brings."""
    asked = _asked(hunk.lines, error.at)
    words = {*_WORD.findall(" ".join((*asked, error.whole)))}
    words |= {name.replace("-", "_") for name in _FLAG.findall(error.whole)}
    return bool(asked) and brought().isdisjoint(words)


def _is_plain(text: str) -> bool:
    """Tell whether an error names a setting, or says that something is not supported."""
    return (SETTING.search(text) or _IS_REFUSED.search(text)) is not None


def _asked(lines: Sequence[Line], at: int) -> list[str]:
    """Return what new conditions around a line ask, the nearest first.

    Empty where the nearest is none, or not new, and where the function came with it: but for a
    check, nobody called that before.
    """
    found: list[str] = []
    depth = _depth(lines[at])
    for one in reversed(lines[:at]):
        text = one.text.strip()
        if one.sign == "-" or not text or text[0] in ")]}#" or _depth(one) >= depth:
            continue
        depth = _depth(one)
        if _DEFINES.match(one.text):
            return [] if one.sign == "+" and not _CHECKS.search(text) else found
        if not found and not (one.sign == "+" and _IF.match(text)):
            return []
        found.append(_condition(lines, one))
    return found


def _condition(lines: Sequence[Line], first: Line) -> str:
    """Return a condition of several lines whole."""
    if not first.text.rstrip().endswith("("):
        return first.text
    at = next(place for place, one in enumerate(lines) if one is first)
    return " ".join(one.text for one in lines[at : at + MESSAGE_LINES] if one.sign != "-")


def _depth(line: Line) -> int:
    return len(line.text) - len(line.text.lstrip())


def _brought(patches: Sequence[str]) -> frozenset[str]:
    """Return the names that added lines define and no other line knows."""
    new: set[str] = set()
    known: set[str] = set()
    for patch in patches:
        for names in _NAMED_NEW.findall(patch):
            new.update(name.replace("-", "_") for name in names if name)
        for line in patch.split("\n"):
            if line[:1] in (" ", "-"):
                known.update(_WORD.findall(line))
    return frozenset(new - known)


def message_of(lines: Sequence[Line]) -> list[str]:
    """Return the strings of the call that begins with the first of some lines."""
    found: list[str] = []
    depth = 0
    for line in lines:
        if not _KEYWORD.match(line.text):
            found += map("".join, _STRING.findall(line.text))
        depth += line.text.count("(") - line.text.count(")")
        if depth <= 0:
            break
    return found


def as_told(texts: Sequence[str]) -> str:
    """Return a message with `…` for what it fills in; of a long one the first sentence.

    One that is put together of parts that are not there is not told.
    """
    written = _ESCAPED.sub(lambda found: found[1] if found[1] in "\"'" else " ", "".join(texts))
    text = " ".join(FILLED.sub("…", written).split())
    if len(text) > _LONGEST:
        text = next(iter(split_sentences(text.partition(": ")[0])), "")
    return text.rstrip(". ") if len(text) <= _LONGEST and ": ," not in text else ""
