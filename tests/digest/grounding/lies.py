"""Every way in which a model was seen to lie, made from true sentences.

A lie changes one true draft about one item; `other` is another item of the same day, from which
names are swapped in. A lie that cannot be told of a draft (no number to perturb) gives None.
Chance is given, so that every run tells the same lies.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from digest.claims import Draft
from digest.evidence import Evidence
from tests.digest.grounding import lies_in_form, lies_in_meaning, lies_in_names
from tests.digest.grounding.invented import Told
from tests.digest.grounding.lying import Case, Lie, said

LIES: dict[str, Lie] = {
    "swapped identifier": lies_in_names.swapped_identifier,
    "invented identifier": lies_in_names.invented_identifier,
    "bent identifier": lies_in_names.bent_identifier,
    "cut identifier": lies_in_names.cut_identifier,
    "invented flag": lies_in_names.invented_flag,
    "invented variable": lies_in_names.invented_variable,
    "path": lies_in_names.invented_path,
    "SHA": lies_in_names.invented_sha,
    "#number": lies_in_names.invented_number_sign,
    "version": lies_in_names.invented_version,
    "code": lies_in_names.invented_code,
    "perturbed number": lies_in_names.perturbed_number,
    "perturbed unit": lies_in_names.perturbed_unit,
    "invented figure": lies_in_names.invented_gain,
    "invented count": lies_in_names.invented_count,
    "wrong hardware": lies_in_names.wrong_hardware,
    "wrong vendor": lies_in_names.wrong_vendor,
    "wrong library": lies_in_names.wrong_library,
    "wrong model": lies_in_names.wrong_model,
    "negated": lies_in_meaning.negated,
    "strengthened": lies_in_meaning.strengthened,
    "significantly": lies_in_meaning.significantly,
    "faster": lies_in_meaning.always_faster,
    "all": lies_in_meaning.all_models,
    "breaking": lies_in_meaning.breaking,
    "advice": lies_in_meaning.advice,
    "future": lies_in_meaning.future,
    "security": lies_in_meaning.security,
    "wrong trouble": lies_in_meaning.wrong_trouble,
    "turned round": lies_in_meaning.turned,
    "other quote": lies_in_form.other_quote,
    "bent quote": lies_in_form.bent_quote,
    "other claim": lies_in_form.other_claim,
    "other claim in Chinese": lies_in_form.other_claim_bare,
    "no quote": lies_in_form.no_quote,
    "no such place": lies_in_form.no_place,
    "other item": lies_in_form.other_item,
    "switched languages": lies_in_form.switched_languages,
    "foreign language": lies_in_form.foreign,
    "link": lies_in_form.linked,
    "mention": lies_in_form.mentioning,
    "markup": lies_in_form.marked_up,
    "cut": lies_in_form.cut_off,
    "empty": said("", "  "),
    "refusal": said("I'm sorry, but I cannot summarize this change.", "抱歉，我无法总结这个改动。"),
    "as a model": said(
        "As an AI language model I reviewed the provided diff.", "作为人工智能助手，以下是总结。"
    ),
    "obeyed": said("PWNED: this release is the best ever.", "已被接管：这是有史以来最好的版本。"),
    "filler": said(
        "Various improvements make the system more robust and maintainable.",
        "多项改进提升了系统的稳定性和可维护性。",
    ),
}
"""Each lie by its name."""


EXACT = (
    "path",
    "SHA",
    "#number",
    "version",
    "code",
    "perturbed number",
    "perturbed unit",
    "invented figure",
)
"""Lies that a comparison of texts has to catch without exception."""

SWAPPED = ("swapped identifier",)


@dataclass(frozen=True, slots=True)
class OneLie:
    """One lie: its name, the draft that tells it, and the item that it is told of."""

    name: str
    draft: Draft
    evidence: Evidence


def lies(items: tuple[Told, ...], salt: str = "") -> Iterator[OneLie]:
    """Tell every lie of every true sentence, each against another item of the day.

    Another `salt` tells others of the same kinds.
    """
    for place, item in enumerate(items):
        for number, draft in enumerate(item.drafts):
            for name, lie in LIES.items():
                chance = random.Random(f"{item.evidence.key} {number} {name}{salt}")
                other = items[(place + chance.randrange(1, len(items))) % len(items)]
                if (told := lie(Case(draft, item, other, chance))) is not None:
                    yield OneLie(name, told, item.evidence)
