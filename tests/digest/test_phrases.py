"""A sentence is a code with values: stored as such, and said in every language."""

import inspect
import json
import re
from dataclasses import fields

import pytest

from digest.codec import dump, load
from digest.errors import BadAnswer, InfraError
from digest.languages import Language
from digest.models import Gap, Repo
from digest.phrase import Example, Phrase
from digest.wording.phrases import SAY, Phrases
from digest.wording.saying import CATALOGUES, localized, pieces

EN, ZH = Language.EN, Language.ZH
NOT_IN_BOTH = {
    "windows.no_such_day": {"<month_name>", "<year>"},  # Chinese says how long the month is
    "settings.not_followed": {"<name>"},  # it stands in the example too
}


def sentences(language: Language) -> dict[str, str]:
    """Give every sentence of a language with the names of its values in their places."""
    found = {}
    for area in fields(Phrases):
        words = getattr(CATALOGUES[language], area.name)
        for each in fields(words) if hasattr(words, "__dataclass_fields__") else ():
            sentence = getattr(words, each.name)
            if callable(sentence):
                english = getattr(getattr(CATALOGUES[EN], area.name), each.name)
                names = inspect.signature(english).parameters
                sentence = sentence(*(f"<{name.lstrip('_')}>" for name in names))
            found[f"{area.name}.{each.name}"] = sentence
    return found


def test_every_language_says_the_same_values_and_in_its_own_punctuation() -> None:
    english, chinese = sentences(EN), sentences(ZH)
    assert english.keys() == chinese.keys()
    assert {code for code, text in chinese.items() if re.search("[,;:] ", text)} == set()
    different = {
        code: set(re.findall(r"<\w+>", text)) ^ set(re.findall(r"<\w+>", chinese[code]))
        for code, text in english.items()
    }
    assert {code: values for code, values in different.items() if values} == NOT_IN_BOTH


def test_a_phrase_is_stored_by_its_code_and_comes_back_as_it_was() -> None:
    until = SAY.github.until("09:30")
    example = SAY.commands.did_you_mean(Example("on mon"))
    for why in (
        SAY.git.no_issues,
        SAY.unread.merge("abc1234", SAY.github.limit(until)),
        SAY.chat.failed_repos((Repo("a", "b"), example), 7),
        Phrase.as_written("the moon was full"),
    ):
        gap = Gap("commits", why)
        assert load(Gap, dump(gap)) == gap
    stored = json.loads(dump(Gap("issues", SAY.github.not_given(12))))
    assert stored["why"] == {"code": "github.not_given", "values": [12]}


def test_what_an_older_version_stored_is_said_as_it_stands() -> None:
    gap = load(Gap, '{"what": "issues", "why": "GitHub could not be reached; try again later."}')
    for language in Language:
        assert localized(gap.why, language) == "GitHub could not be reached; try again later"


@pytest.mark.parametrize(
    "why",
    [
        {"code": "github.of_tomorrow", "values": []},
        {"code": "github.no_repo", "values": []},
        {"code": "__class__.__init__.__globals__", "values": []},
        {"code": "github.__class__", "values": ["x"]},
    ],
)
def test_a_code_that_no_sentence_has_is_named_and_nothing_else_is_read(why: object) -> None:
    phrase = load(Gap, json.dumps({"what": "issues", "why": why})).why
    assert localized(phrase, EN) == f"a reason that another version of infra knows ({phrase.code})"
    assert phrase.code in localized(phrase, ZH)


@pytest.mark.parametrize("why", [7, None, {"code": 1}, {"code": "x", "values": [None]}])
def test_what_is_no_phrase_is_refused_as_any_other_damage(why: object) -> None:
    with pytest.raises(BadAnswer, match="why"):
        load(Gap, json.dumps({"what": "issues", "why": why}))


def test_what_a_person_wrote_is_no_place_for_values_and_no_example() -> None:
    for hostile in ("{0.__class__}{x}", "\x000\x00", "a\x00b"):
        phrase = SAY.subscribing.not_a_repository(hostile, Example("unsubscribe vllm"))
        *_, last = (piece for piece in pieces(phrase, ZH) if isinstance(piece, Example))
        assert last == "unsubscribe vllm"
        assert localized(phrase, ZH).startswith(hostile.replace("\x00", ""))
    assert str(InfraError("as it stands: {x}")) == "as it stands: {x}"
