"""What a model answered, read with patience for form and none for content (pure).

Servers that do not know the shape asked for answer with fences, reasoning and prose around it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from digest.asking.cleaning import clean
from digest.asking.marking import MARK, unmarked, without_line_prefix
from digest.claims import ClaimKind, Draft, Trouble
from digest.errors import ModelFailed
from digest.languages import Language

LONGEST_ANSWER = 200_000
"""Characters of an answer that is read at all; a whole analysis takes about 10,000."""

MOST_CLAIMS = 40
"""Claims of an answer that are read; more than twice what any question asks for."""

MOST_STARTS = 64
"""Places in prose where the JSON object may begin that are tried, from the end."""

_THOUGHT = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_THINKING = re.compile(r"\s{0,100}<think(?:ing)?>", re.IGNORECASE)
_ITEM_ID = re.compile(r"i(\d{1,4})", re.ASCII)
_HUNK_PLACE = re.compile(r"(?:hunk )?(h\d{1,5})(?:\+\d{1,7})?(?=\W|$)", re.ASCII)
_LINE_PLACE = re.compile(r"(h\d{1,5})\+\d{1,7}\|", re.ASCII)
_PART = re.compile(r"\s{0,8}(?:title|body|label):[\s▁]{0,8}", re.ASCII)
"""What stands before a stranger's words in a prompt; a model may copy it with them."""

_TEXTS = {Language.EN: "text_en", Language.ZH: "text_zh"}


class BadReply(ModelFailed):
    """An answer without drafts in it: no JSON, cut JSON, a wrong shape, a refusal.

    It is the question's fault, not the server's: one that shows less may be answered.
    """

    def __init__(self, form: str, /, **values: object) -> None:
        super().__init__(form, trouble=Trouble.UNREADABLE, **values)


def drafts(text: str, key: str) -> tuple[Draft, ...]:
    """Read the claims about one item, with its key as their only cite; none is a good answer.

    Marks of the prompt are taken out of the quotes: one from the title or body has its spaces
    again, one from a hunk is without the line's prefix (`h3+12|`) but with the line's sign if the
    model copied it. A claim of another shape is left out. Raises `BadReply`.
    """
    claims = _claims(text)
    found = tuple(draft for each in claims if (draft := _draft(each, key)))
    return _unless_all_are_wrong(found, claims)


def theme_drafts(text: str, keys: Sequence[str]) -> tuple[Draft, ...]:
    """Read the sentences about several items, cited by `keys` as ordered in the request.

    `quote_from` is empty: the quote stands in the title or a claim's quote of a cited item. A
    draft that cites none of `keys` has no cites. Raises `BadReply`.
    """
    claims = _claims(text)
    found = tuple(draft for each in claims if (draft := _theme_draft(each, keys)))
    return _unless_all_are_wrong(found, claims)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a second reading says of one sentence: `yes`, `no` or `contradicted`, and on what."""

    words: str
    stated: str


def readings(text: str) -> Mapping[int, Reading]:
    """Read what is said of sentences, by their numbers; said twice, what is no `yes` counts.

    Raises `BadReply`.
    """
    claims = _claims(text)
    found: dict[int, Reading] = {}
    for each in claims:
        number = each.get("number") if isinstance(each, Mapping) else None
        if not isinstance(number, int) and not (isinstance(number, str) and number.isdecimal()):
            continue
        number = int(number)
        said = Reading(_quote(each, _place_of(each), "words"), _word(each, "stated").lower())
        if number not in found or said.stated != "yes":
            found[number] = said
    if not found:
        raise BadReply("the model's answer has another shape than was asked for")
    return found


def _place_of(reading: Mapping[str, Any]) -> str:
    """Give the hunk whose line was copied with its place, or nothing."""
    place = _LINE_PLACE.match(_word(reading, "words"))
    return place[1] if place else ""


def holds_claims(text: str) -> bool:
    """Tell whether there is anything in an answer that can be read as claims."""
    try:
        _claims(text)
    except BadReply:
        return False
    return True


def _unless_all_are_wrong(found: tuple[Draft, ...], claims: Sequence[Any]) -> tuple[Draft, ...]:
    if claims and not found:
        raise BadReply("the model's answer has another shape than was asked for")
    return found


def _claims(text: str) -> Sequence[Any]:
    """Find the list of claims in an answer."""
    if len(text) > LONGEST_ANSWER:
        raise BadReply("the model's answer is far longer than was asked for")
    said = _THOUGHT.split(text)[-1]
    if _THINKING.match(said):
        raise BadReply("the model thought and did not answer")
    if not said.strip():
        raise BadReply("the model's answer is empty")
    for found in _objects(said):
        claims = found.get("claims") if isinstance(found, Mapping) else found
        if isinstance(claims, list):
            return claims[:MOST_CLAIMS]
    if "{" not in said:
        raise BadReply("the model's answer is no JSON")
    whole = said.rstrip().removesuffix("```").rstrip().endswith("}")
    why = "has another shape than was asked for" if whole else "is cut"
    raise BadReply(f"the model's answer {why}")


def _objects(said: str) -> Iterator[Any]:
    """What an answer holds as JSON: the whole of it, else objects in its prose, last one first."""
    whole = said.strip()
    try:
        yield json.loads(whole)
    except (ValueError, RecursionError):
        yield from reversed(list(_within_prose(whole)))


def _within_prose(said: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    at = said.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(said, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(found, dict) and "claims" in found:
                yield found
        at = said.find("{", end)


def _draft(claim: Any, key: str) -> Draft | None:
    if not isinstance(claim, Mapping) or not (text := _text(claim)):
        return None
    try:
        kind = ClaimKind(_word(claim, "kind").lower())
    except ValueError:
        return None
    quote_from = _word(claim, "quote_from").lower()
    # A line copied with its place says better where it is from than the field does.
    if place := _LINE_PLACE.match(_word(claim, "quote")) or _HUNK_PLACE.match(quote_from):
        quote_from = place[1]
    return Draft(kind, _quote(claim, quote_from), quote_from, text, (key,))


def _theme_draft(claim: Any, keys: Sequence[str]) -> Draft | None:
    if not isinstance(claim, Mapping) or not (text := _text(claim)):
        return None
    cites = claim.get("cites")
    if not isinstance(cites, list):
        return None
    cited = dict.fromkeys(key for cite in cites if (key := _cited(cite, keys)))
    return Draft(ClaimKind.WHAT, _quote(claim, ""), "", text, tuple(cited))


def _cited(cite: object, keys: Sequence[str]) -> str:
    match = _ITEM_ID.fullmatch(cite.strip()) if isinstance(cite, str) else None
    number = int(match[1]) if match else 0
    return keys[number - 1] if 0 < number <= len(keys) else ""


def _quote(claim: Mapping[str, Any], quote_from: str, field: str = "quote") -> str:
    said = claim.get(field)
    quote = clean(said) if isinstance(said, str) else ""
    if _HUNK_PLACE.fullmatch(quote_from):
        return without_line_prefix(quote).strip("\n")
    return unmarked(quote[match.end() :] if (match := _PART.match(quote)) else quote)


def _text(claim: Mapping[str, Any]) -> Mapping[Language, str]:
    """The sentence in the languages in which there is one."""
    said = {
        language: clean(text).replace(MARK, " ").strip()
        for language, field in _TEXTS.items()
        if isinstance(text := claim.get(field), str)
    }
    return {language: text for language, text in said.items() if text}


def _word(claim: Mapping[str, Any], field: str) -> str:
    said = claim.get(field)
    return said.strip() if isinstance(said, str) else ""
