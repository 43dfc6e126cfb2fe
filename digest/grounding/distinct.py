"""What says nothing that was not said before: the title again, or another claim again."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from digest.claims import Failure
from digest.grounding.plain import plain
from digest.grounding.verdict import Verdict
from digest.languages import Language

SAME = 0.8
"""Share of common shingles from which two sentences say the same."""

_SHINGLE = {Language.EN: 4, Language.ZH: 2}
"""Characters of a shingle: about a word in either script."""

_NOISE = re.compile(r"[\s\W_]+")
_TAGS = re.compile(
    r"^\s*(?:\[[^\]]{0,40}\]\s*)+|\s*\(#\d+\)\s*$|^\w{2,12}(?:\([^)]{0,40}\))?!?:\s*"
)


def distinct(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Take back what repeats an earlier verdict of the same day, language by language.

    Gives as many verdicts, in the same order: the later of two near-duplicates loses the language
    in which it repeats (its claim, where that was the last one) and gains a failure `repeated`.
    Repeats are not repairable. `verify` has already done so within an item and for its title.
    """
    told: dict[Language, list[frozenset[str]]] = {language: [] for language in Language}
    judged = []
    for verdict in verdicts:
        texts = verdict.claim.text if verdict.claim else {}
        repeated = []
        for language, text in texts.items():
            mine = _shingles(text, language)
            if any(_is_same(mine, theirs) for theirs in told[language]):
                repeated.append(language)
            else:
                told[language].append(mine)
        judged.append(_without(verdict, repeated))
    return tuple(judged)


def repeats_title(verdict: Verdict, title: str) -> Verdict:
    """Take back each language in which a claim only gives the title again.

    A Chinese sentence under an English title stays where its English one was the title: it is
    the gloss of that title.
    """
    if verdict.claim is None:
        return verdict
    bare = _TAGS.sub("", _TAGS.sub("", title))
    repeated = [
        language
        for language, text in verdict.claim.text.items()
        if any(
            _is_same(_shingles(text, language), _shingles(each, language)) for each in (title, bare)
        )
    ]
    return _without(verdict, repeated)


def _without(verdict: Verdict, languages: Iterable[Language]) -> Verdict:
    gone = tuple(languages)
    if not gone or verdict.claim is None:
        return verdict
    left = {each: text for each, text in verdict.claim.text.items() if each not in gone}
    failures = tuple(Failure("repeated", each, verdict.claim.text[each][:80]) for each in gone)
    return replace(
        verdict,
        claim=replace(verdict.claim, text=left) if left else None,
        failures=(*verdict.failures, *failures),
        repairable=verdict.repairable and bool(left),
    )


def _shingles(text: str, language: Language) -> frozenset[str]:
    letters = _NOISE.sub("", plain(text))
    size = _SHINGLE[language]
    return frozenset(letters[at : at + size] for at in range(max(1, len(letters) - size + 1)))


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME * len(one | other)
