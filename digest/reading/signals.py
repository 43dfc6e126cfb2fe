"""What authors write of a change outright: that it breaks, requires, or changes nothing."""

import re

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
