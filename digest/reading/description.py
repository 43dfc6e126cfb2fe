"""What an author wrote, without the parts of a description that say nothing."""

import re
from functools import lru_cache

BODY_READ = 65_536
"""Characters of a description that are read: GitHub refuses longer ones.

https://docs.github.com/en/rest/issues/issues
"""
TITLE_READ = 1_000
"""Characters of a title that are read: a pull request has up to 256, a commit any number."""

_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_TEMPLATE = re.compile(
    r"\b(?:essential elements|please (?:fill|describe|add|make sure|read|explain|provide|include|"
    r"link|tick|check|ensure|remove|delete|update|see|keep|search)|pull request (?:check|"
    r"description)|by submitting|i have (?:read|run|added|followed|updated|installed|reviewed)|"
    r"contribut(?:ing|ion) guide|describe the (?:purpose|changes|change|goals)|if this (?:pr|pull "
    r"request)|what does this pr do|brief description|you can trigger rebases|dependabot will "
    r"resolve|commands and options|thank you for contributing)|\(optional\)|🤖 installed",
    re.IGNORECASE,
)
_BOX = re.compile(r"^[ \t]{0,8}[-*+] \[", re.MULTILINE)
_BLOCK = re.compile(r"[ \t]*(?:[-*+] |\d+[.)] |[#|]|> )")
"""What begins something of its own, and goes on nothing; code is left out before: https://spec.commonmark.org/0.31.2/"""
BOT_BEGINS = "<!-- This is an auto-generated comment"
BOT_ENDS = "<!-- end of auto-generated comment"
"""Marks around what a review bot adds to a description.

https://docs.coderabbit.ai/pr-reviews/pr-summary
"""


def visible(body: str) -> str:
    """The description as a reader sees it: without HTML comments and fenced code."""
    text = without_bots(body[:BODY_READ])
    visible_lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1) == fence:
                fence = ""
            continue
        if mark:
            fence = mark.group(1)
            visible_lines.append("")
            continue
        visible_lines.append(line)
    return "\n".join(visible_lines)


def without_bots(body: str) -> str:
    """Give what people wrote, with `\\n` at line ends: no HTML comment, nothing of a review bot."""
    text = body.replace("\r\n", "\n").replace("\r", "\n")
    return _without_comments(_without_additions(text))


REMEMBERED = 256
"""Descriptions kept as written: several rules read the same one, at most 65,536 characters each."""


@lru_cache(maxsize=REMEMBERED)
def written(body: str) -> str:
    """The visible description without lines of a template, in one piece for searching."""
    text = visible(body)
    if not _TEMPLATE.search(text) and not _BOX.search(text):
        return text
    kept: list[str] = []
    is_continued = False
    for line in text.split("\n"):
        if is_template(line):
            # A commit's message is wrapped: what follows is the rest of a box or quotation.
            is_continued = _BOX.match(line) is not None or line.lstrip()[:1] == ">"
        elif not (is_continued and line.strip() and not _BLOCK.match(line)):
            is_continued = False
            kept.append(line)
    return "\n".join(kept)


def is_template(line: str) -> bool:
    """Tell whether a line was put there by a template or a bot, or is an unticked box."""
    stripped = line.strip()
    if _BOX.match(line):
        return True
    return bool(_TEMPLATE.search(stripped[:300]))


def _without_additions(text: str) -> str:
    """Leave out from each mark of a bot to its end, or to the next rule where it has none."""
    parts: list[str] = []
    at = 0
    while (start := text.find(BOT_BEGINS, at)) >= 0:
        parts.append(text[at:start])
        end = text.find(BOT_ENDS, start)
        if end < 0:
            end = text.find("\n---", start)
            if end < 0:
                return "".join(parts)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("-->", start + 4)
        if end < 0:
            return "".join(parts)
        at = end + 3
    parts.append(text[at:])
    return "".join(parts)


BREAKING_LABEL = re.compile(r"breaking|backward.?incompat|bc[- ]break", re.IGNORECASE)
BREAKING_TEXT = re.compile(
    r"^\W{0,4}BREAKING[ -]CHANGES?\b(?!.{0,12}(?:none|no\b|n/a))|^\W{0,4}breaking\W{0,4}:",
    re.IGNORECASE | re.MULTILINE,
)
"""The footer of a conventional commit. https://www.conventionalcommits.org/en/v1.0.0/#specification"""


def is_stated_breaking(text: str) -> bool:
    """Tell whether a description has a line that begins with a breaking change."""
    return "breaking" in text.lower() and BREAKING_TEXT.search(text) is not None


SECURITY = re.compile(
    r"\bCVE-\d{4}-\d{3,7}\b|\bGHSA(?:-\w{4}){3}\b|\bsecurity (?:fix|hole|issue|vuln|advisor)|"
    r"\bvulnerabilit|\bpath traversal\b|\bremote code execution\b|\bRCE\b|\bSSRF\b|\bXSS\b|"
    r"\barbitrary (?:code|file)|\b(?:code|command|sql|prompt-log) injection\b|\bunsafe pickle",
    re.IGNORECASE,
)
INCOMPATIBLE = re.compile(
    r"\bold(?:er)? \w{2,20} (?:cannot|can ?not|can't|will not|won't|do not|no longer)\b|"
    r"\bnot backwards?[- ]compatible\b|\bbackwards?[- ]incompatible\b|\brestart both\b|"
    r"\bmust (?:all )?(?:be )?(?:restart|upgrad|rebuil|reinstall|re-?generat)\w{0,6}\b",
    re.IGNORECASE,
)
REQUIRES = re.compile(
    r"\b(?:needs?|requires?|minimum)\b[^.\n]{1,60}?\b\d[\w.]{0,10} (?:or|and) "
    r"(?:newer|later|above|higher|up)\b|"
    r"\b\d[\w.]{0,10} (?:or|and) (?:newer|later|above|higher|up) (?:is|are) (?:now )?"
    r"(?:needed|required|necessary)\b",
    re.IGNORECASE,
)
UNCHANGED = re.compile(
    r"\bno (?:functional|behaviou?ral?|user[- ]facing) changes?\b|\bno change in behaviou?r\b|"
    r"\bNFC\b|\bbehaviou?r (?:is|stays|remains) (?:the same|unchanged)\b|\boff until\b|"
    r"\bnot (?:yet )?(?:enabled|switched on|used|wired)(?: yet)?\b|\bdoes not change behaviou?r\b",
    re.IGNORECASE,
)
HARDWARE = re.compile(
    r"\b(?:sm_?\d{2,3}[af]?|g?[bh][1-3]00|h20|mi\d{3}x?|gfx\d+|a100|l40s?|rtx ?\d{4}|blackwell|"
    r"hopper|ascend|rocm|xpu|tpu|gaudi|npu)\b",
    re.IGNORECASE,
)
VERSION = re.compile(r"(?<![\w.])v?\d{1,3}\.\d{1,3}\.\w{1,8}\b")
SHORT_VERSION = re.compile(rf"{VERSION.pattern}|\bv\d{{1,3}}\.\d{{1,3}}\b")
"""The same, or with two numbers where a `v` says that they are a version."""
TRIAL = re.compile(r"\d[._-]?(?:rc|alpha|beta|a|b|dev|pre)[._-]?\d*\b", re.IGNORECASE)
"""A version for trial, as PEP 440 writes it.

https://packaging.python.org/en/latest/specifications/version-specifiers/#pre-releases
"""
PLATFORM = re.compile(
    r"^(?:torch|pytorch|cuda|python|rocm|triton|.*/cuda|.*/rocm|.*/pytorch)$", re.I
)
