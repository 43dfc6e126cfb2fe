"""Who is meant by a change: the hardware, models and features that its title or its bites name.

Names are the same for all spellings of a thing, so that who runs it finds all that is theirs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from digest.facts import Fact
from digest.models import ReadItem
from digest.reading.description import TITLE_READ
from digest.reading.known_facts import bites
from digest.reading.whom import MODEL

MOST = 10
"""Names under which changes stand together."""

Audiences: TypeAlias = tuple[tuple[str, tuple[ReadItem, ...]], ...]
"""Who is meant by changes, and which are theirs."""

_KNOWN = tuple(
    (name, re.compile(rf"(?<![\w.])(?:{pattern})(?![\w.]\w)", re.IGNORECASE))
    for name, pattern in (
        ("AMD", r"amd|rocm|mi[23]\d[\dx]x?|gfx\d{2,4}\w?|aiter"),
        ("Ascend NPU", r"ascend\w*|npu|cann"),
        ("Intel GPU", r"xpu|intel gpu|intel xpu"),
        ("TPU", r"tpu"),
        ("CPU", r"(?<=\[)cpu(?=\])|(?:on|for) (?:\w+ )?cpus?|cpu (?:platform|backend)|risc-?v"),
        ("Arm", r"arm64|aarch64|(?-i:ARM|Arm)(?= (?:cpus?|neon|sve))|(?<=\[)arm(?=\])"),
        ("Apple", r"mlx|apple silicon|(?<=\[)mps(?=\])"),
        ("Blackwell", r"blackwell|sm_?1[0-2]\d[af]?|sm12x|g?b[23]00|rtx pro|dgx spark"),
        ("Hopper", r"hopper|sm_?90a?|g?h[12]00|h20"),
        ("Diffusion", r"diffusion"),
        ("LoRA", r"lora"),
        (
            "Speculative decoding",
            r"speculative (?:decod\w+|draft\w*|sampling)|(?<=\[)spec(?:ulative)?(?=[\] ])"
            r"|spec[- ]dec\w*|mtp|(?-i:EAGLE)\d?|eagle\d|dflash",
        ),
        (
            "PD disaggregation",
            r"(?<=\[)pd(?=\])|(?-i:PD) (?:decode|prefill|router|mode)|pd[- ]disagg\w*|p/d"
            r"|disagg(?:regat\w+)?",
        ),
        ("Multimodal", r"multi-?modal|vlms?|vit"),
    )
)
_DEEPSEEK = re.compile(r"^(?:deep ?seek[-_ ]?|ds(?=v?\d))v?(?=\d)", re.IGNORECASE)
_APART = re.compile(r"(?<=[A-Za-z])[- ](?=\d)")
"""What some put before the number of a model: `Qwen 3.5` is `Qwen3.5`."""
_SEPARATOR = re.compile(r"[-_ ]")
"""What is between the parts of a name; who writes it otherwise means the same."""
_WORDS = frozenset(
    {"falcon", "whisper", "clip", "dots", "solar", "flash", "sana", "command-", "ring-", "ling-"}
)
"""Names of models that are words of other titles too."""


def audiences(read: ReadItem, facts: Sequence[Fact]) -> tuple[str, ...]:
    """Return who is meant by a change, hardware first, then models and features."""
    hit = (each for fact in bites(facts) for each in (*fact.who, *fact.conditions))
    text = " · ".join((read.item.title[:TITLE_READ], *hit))
    known = [name for name, pattern in _KNOWN if pattern.search(text)]
    models = list(_models(text))
    return tuple(dict.fromkeys((*known, *models)))


def _models(text: str) -> Iterator[str]:
    for found in MODEL.finditer(text):
        name = found.group().strip("-_. ")
        if found.group().casefold() in _WORDS:
            continue
        name = _APART.sub("", _DEEPSEEK.sub("DeepSeek-V", name))
        name = "DeepSeek" if name.casefold() == "deepseek" else name
        is_spelt = "-" in name or any(map(str.isupper, name))
        yield name if is_spelt else name.capitalize()


def by_audience(
    reads: Iterable[tuple[ReadItem, Sequence[Fact]]],
) -> Audiences:
    """Return who is meant by changes, with theirs: those with most first, then hardware."""
    found: dict[str, list[ReadItem]] = {}
    spelt: dict[str, str] = {}
    for read, facts in reads:
        for each in audiences(read, facts):
            name = spelt.setdefault(_SEPARATOR.sub("", each).casefold(), each)
            if read not in found.setdefault(name, []):
                found[name].append(read)
    places = [name for name, _ in _KNOWN]
    ranked = sorted(found.items(), key=lambda named: (-len(named[1]), named[0] not in places))
    ranked = ranked[:MOST]
    return tuple((name, tuple(theirs)) for name, theirs in ranked)


def side_by_side(reads: Sequence[ReadItem], names: Audiences) -> tuple[ReadItem, ...]:
    """Return changes with those for the same people after each other, else in their order."""
    first = {read.item.key: name for name, theirs in reversed(names) for read in theirs}
    begins: dict[str, int] = {}
    for at, read in enumerate(reads):
        begins.setdefault(first.get(read.item.key, read.item.key), at)
    return tuple(sorted(reads, key=lambda read: begins[first.get(read.item.key, read.item.key)]))
