"""What a form about one item gives, field by field: what stands of it, and what is counted."""

from dataclasses import replace
from typing import Any

import pytest

from digest.editing.filling import Filled, filled, is_open
from digest.editing.shown import LINE, shown
from digest.facts import Evidence, Fact, FactChange, FactKind, Subject, Symptom
from digest.models import FileChange, Kind
from tests.digest.editing.test_editor import (
    CHINESE,
    DEFAULT,
    DEFAULTED,
    KEY,
    PATCH,
    SENTENCE,
    form,
    patched,
    reading,
)

BOTH = f"The blade {'of the turbine ' * 10}is held. The rotor {'of the turbine ' * 10}is held."
"""Two sentences that are longer than a condition may be."""


def given(entry: dict[str, Any], *known: Fact, **more: Any) -> Filled:
    """Give what stands of a form about one change; `more` is what is told of the change."""
    read = reading(1, **({"body": f"{SENTENCE} {DEFAULTED}"} | more)).items[0]
    seen = shown(read.item, LINE)
    return filled(entry, read, seen, known, "m")


def fact_of(fact: dict[str, Any], **more: Any) -> Fact | None:
    body = f"{more.pop('body', '')} {DEFAULTED}".strip()
    facts = given(form("i1", DEFAULT | fact), body=body, **more).facts
    return facts[0] if facts else None


@pytest.mark.parametrize(
    ("entry", "accepted", "dropped"),
    [
        (form("i1"), 0, 0),
        (form("i1", DEFAULT), 1, 0),
        (form("i1", DEFAULT | {"name": "torque"}), 0, 1),
        (form("i1", *[DEFAULT | {"name": "torque"}] * 9), 0, 3),
        (form("i1", DEFAULT, DEFAULT), 1, 1),
        (form("i1", saw="crash", sure="high"), 1, 0),
        (form("i1", saw="crash", sure="guess"), 0, 1),
        (form("i1", saw="wrong output", sure="guess"), 1, 0),
        (form("i1", sentence="s1"), 1, 0),
        (form("i1", sentence="s1", zh=CHINESE), 1, 0),
        (form("i1", sentence="s1", zh="叶片快了 50%。"), 1, 1),
        (form("i1", sentence="s9", zh=CHINESE), 0, 1),
    ],
)
def test_it_is_counted_what_stands_of_a_form_and_what_does_not(
    entry: dict[str, Any], accepted: int, dropped: int
) -> None:
    told = given(entry)
    assert (told.told, told.given) == (accepted, accepted + dropped)


def test_a_translation_keeps_what_its_author_puts_in_bold_without_the_marks() -> None:
    told = given(form("i1", sentence="s1", zh=CHINESE.replace("不再", "**不再**")))
    assert told.read.sentence is not None
    assert told.read.sentence.chinese == CHINESE


@pytest.mark.parametrize(
    ("title", "zh", "is_told"),
    [
        ("[1/3][Core] Stop the blade at 40 rpm (#7)", "叶片在 40 rpm 时停止", True),
        ("[1/3][Core] Stop the blade at 40 rpm (#7)", "叶片在 50 rpm 时停止", False),
        ("Stop the blade", "叶片不停止", False),
        ("Stop the blade with safe defaults", "以安全的默认值停止叶片", True),
        ("Stop the blade by default", "默认安全地停止叶片", False),
        ("Stop the blade", "", False),
        ("叶片停止", "叶片停止", False),
    ],
)
def test_a_title_stands_for_a_sentence_where_it_has_its_chinese(
    title: str, zh: str, is_told: bool
) -> None:
    told = given(form("i1", sentence="title", zh=zh), title=title, body="")
    sentence = told.read.sentence
    assert (told.told, told.given) == (is_told, 1)
    found = (sentence.text, sentence.chinese, sentence.is_title) if sentence else None
    assert found == ((title, zh, True) if is_told else None)


@pytest.mark.parametrize("body", ["@humansand", "Closes #4325.", "Fix Fixes #4486.", "Thanks!"])
def test_what_says_nothing_is_no_sentence_whoever_picks_it(body: str) -> None:
    told = given(form("i1", sentence="s1", zh="关闭问题"), body=body, title="Stop the blade")
    assert told.read.sentence is None


def test_a_release_is_not_told_by_the_translation_of_its_name() -> None:
    entry = form("i1", sentence="title", zh="叶片停止")
    told = given(entry, kind=Kind.RELEASE, title="Stop the blade", body="")
    assert told.read.sentence is None


def test_a_sentence_stands_in_its_source_whatever_its_quotes_and_white_space() -> None:
    body = "The blade “no longer”  stops when it is spun by 2 rotors of the turbine."
    assert given(form("i1", sentence="s1"), body=body, title="Mend it").told == 1


@pytest.mark.parametrize(
    "more",
    [
        {"quote": "DEFAULT of  speed is 5"},
        {"place": "S1"},
        {"place": "h9"},
        {"name": "`speed`"},
    ],
)
def test_a_fact_is_shown_by_the_sentence_that_holds_its_quote(more: dict[str, str]) -> None:
    fact = fact_of(more)
    assert fact is not None
    assert (fact.evidence, fact.name) == ((Evidence("body", DEFAULTED),), "speed")


def test_of_places_that_hold_a_quote_the_one_that_is_named_is_told() -> None:
    said = "The default of speed is 5, not 3, for those who mend a blade"
    for place, source in (("title", "title"), ("s1", "body")):
        fact = fact_of({"place": place}, title=said)
        assert fact is not None
        assert fact.evidence[0].source == source


@pytest.mark.parametrize(
    ("path", "source"),
    [("CHANGELOG.md", "changelog"), ("docs/spin.md", "body"), ("", "body")],
)
def test_a_text_of_the_documentation_is_told_as_the_authors_own(path: str, source: str) -> None:
    said = "Add the flag `--spin` for those who mend a blade."
    files = patched(f"+{said}", path=path) if path else ()
    fact = fact_of(
        {"change": "added", "subject": "flag", "name": "--spin", "place": "s1", "quote": said},
        body="" if path else said,
        files=(*files, *patched("+hold(blade)")),
    )
    assert fact is not None
    assert [(each.source, each.path) for each in fact.evidence] == [(source, path)]


@pytest.mark.parametrize(
    ("who", "told"),
    [
        (["H100", "H100", "Blade"], ("H100", "Blade")),
        (["blade"], ()),
        (["H100 (all)"], ()),
        (["Blade "], ("Blade",)),
        (["one", "two", "three", "four", "H100"], ()),
        (["one", "two", "three", "H100"], ("H100",)),
        (["Rotor-9"], ()),
        ([f"H100{' of them' * 10}"], ()),
        (["TP > 1"], ("TP > 1",)),
    ],
)
def test_whom_a_fact_is_of_is_named_by_its_author(who: list[str], told: tuple[str, ...]) -> None:
    body = f"The Blade (of H100{' of them' * 10}, H100 (all)) is held where TP > 1 holds."
    fact = fact_of({"who": who}, body=body)
    assert fact is not None
    assert fact.who == told


@pytest.mark.parametrize(
    ("conditions", "told"),
    [
        (["where TP > 1"], ("where TP > 1",)),
        (["where PP > 1"], ()),
        (["where PP > 1", "it is held"], ("it is held",)),
        (["where PP > 1", "where EP > 1", "it is held"], ()),
        ([BOTH[:300]], (BOTH[:300],)),
        ([BOTH], ()),
    ],
)
def test_a_condition_is_one_that_its_author_writes(
    conditions: list[str], told: tuple[str, ...]
) -> None:
    fact = fact_of({"conditions": conditions}, body=f"It is held where TP > 1 holds. {BOTH}")
    assert fact is not None
    assert fact.conditions == told


@pytest.mark.parametrize(
    "too_long", [{"name": "speed" * 17}, {"before": "x3" * 41}, {"after": "x5" * 41}]
)
def test_a_name_or_a_value_of_more_than_a_line_is_none(too_long: dict[str, str]) -> None:
    body = f"The default of {' '.join(too_long.values())} is speed 5, it was 3."
    held = {"quote": "default of"}
    assert fact_of(held, body=body) is not None
    assert fact_of(held | too_long, body=body) is None


@pytest.mark.parametrize(
    ("change_of", "subject", "title", "is_told"),
    [
        ("added", "model", "Add Grok2 to the blade", True),
        ("added", "", "Add Grok2 to the blade", False),
        ("removed", "model", "Drop Grok2 from the blade", True),
        ("removed", "model", "Add Grok2 to the blade", False),
        ("changed", "model", "Add Grok2 to the blade", False),
    ],
)
def test_support_is_of_something_and_comes_or_goes_as_a_text_says(
    change_of: str, subject: str, title: str, is_told: bool
) -> None:
    support = {"kind": "support", "change": change_of, "subject": subject, "name": "Grok2"}
    support |= {"place": "title", "quote": title}
    assert (fact_of(support, title=title) is not None) == is_told


@pytest.mark.parametrize(
    ("said", "change_of", "subject", "name", "is_told"),
    [
        ("Remove the flag `--spin`", "removed", "flag", "--spin", True),
        ("Turn the flag `--spin`", "removed", "flag", "--spin", False),
        ("Deprecate the flag `--spin`", "deprecated", "flag", "--spin", True),
        ("Turn the flag `--spin`", "deprecated", "flag", "--spin", False),
        ("Add the flag `--spin`", "raised", "flag", "--spin", False),
        ("Add the flag `--spin=3`", "added", "flag", "--spin=3", False),
        ("Add the variable BLADE_SPIN", "added", "env", "BLADE_SPIN", True),
        ("Add the variable BLADE", "added", "env", "BLADE", False),
        ("Add the flag `--hard\u2011spin`", "added", "flag", "--hard-spin", True),
        ("Add the name hard-spin", "added", "api_name", "hard\u2011spin", True),
        ("Add the name HardSpin", "added", "api_name", "HardSpin", True),
        ("Add the name of spinning on", "added", "api_name", "on", False),
        ("Add the names, e.g. of spin", "added", "api_name", "e.g.", False),
    ],
)
def test_a_text_says_what_became_of_a_name_that_is_spelled_as_such(
    said: str, change_of: str, subject: str, name: str, is_told: bool
) -> None:
    stated = {"change": change_of, "subject": subject, "name": name, "place": "s1", "quote": said}
    body = f"{said} for those who mend a blade."
    fact = fact_of(stated | {"before": "", "after": ""}, body=body)
    assert (fact is not None) == is_told
    assert fact is None or fact.inferred


@pytest.mark.parametrize(
    ("said", "before", "is_told"),
    [
        ("The default of the speed is 5 and no more 3", "3", True),
        ("The default of the speed is 5 and no more 3", "4", False),
        ("The speed is 5 and no more 3", "3", False),
        ("The default is 5 and no more 3", "3", False),
    ],
)
def test_a_default_that_a_text_states_has_both_its_values_there(
    said: str, before: str, is_told: bool
) -> None:
    body = f"{said} for those who mend a blade."
    fact = fact_of({"place": "s1", "quote": said, "before": before}, body=body)
    told = fact and (fact.name, fact.before, fact.after)
    assert told == (("speed", "3", "5") if is_told else None)


RULED = Fact(FactKind.INTERFACE, KEY, FactChange.DEFAULT, Subject.CONFIG_FIELD, "turn")


@pytest.mark.parametrize(
    ("known", "is_told"),
    [
        (RULED, True),
        (replace(RULED, name=""), True),
        (replace(RULED, name="Blade.SPEED"), False),
        (replace(RULED, names=("turn", "speed")), False),
        (replace(RULED, before="speed"), False),
        (replace(RULED, after="speed"), False),
    ],
)
def test_what_the_rules_name_is_not_told_again(known: Fact, is_told: bool) -> None:
    told = given(form("i1", DEFAULT), known).facts
    assert len(told) == 1 + is_told


def test_a_name_is_known_without_what_it_belongs_to() -> None:
    body = DEFAULTED.replace("speed", "Blade.speed")
    dotted = form("i1", DEFAULT | {"name": "Blade.speed", "quote": "Blade.speed is 5"})
    assert len(given(dotted, RULED, body=body).facts) == 2
    assert len(given(dotted, replace(RULED, name="speed"), body=body).facts) == 1


SEEN = form("i1", saw="crash", sure="high", who=["H100"], conditions=["where TP > 1"])
OPEN = Fact(FactKind.BITE, KEY, FactChange.REPORTED, symptom=Symptom.BROKEN)
ON_H100 = "The blade of an H100 stops where TP > 1 holds."


def test_what_was_seen_is_told_by_title_and_of_whom_its_author_says_it() -> None:
    (fact,) = given(SEEN, body=ON_H100).facts
    title = (Evidence("title", "[Bugfix] Mend the blade of part 1"),)
    assert (fact.change, fact.evidence) == (FactChange.FIXED, title)
    assert (fact.who, fact.conditions) == (("H100",), ("where TP > 1",))


def test_what_the_rules_know_of_a_fault_stays_beside_what_was_seen() -> None:
    more = {"name": "#7", "who": ("B200",), "conditions": ("when cold",)}
    mine = replace(OPEN, **more, evidence=(Evidence("issue", "It is cold"),))  # type: ignore[arg-type]  # they fit
    other = replace(RULED, name="turn")
    kept, fact = given(SEEN, other, mine, body=ON_H100).facts
    assert kept == other
    assert replace(fact, symptom=Symptom.BROKEN, inferred=False, by="rules") == mine


@pytest.mark.parametrize(
    ("saw", "paths", "is_told"),
    [
        ("crash", ("turbine/blade.py",), True),
        ("crash", ("tests/test_blade.py",), False),
        ("crash", ("tests/test_blade.py", "turbine/blade.py"), True),
        ("build fails", ("tests/test_blade.py",), True),
        ("crash", (), True),
    ],
)
def test_what_was_seen_was_seen_in_what_runs(
    saw: str, paths: tuple[str, ...], is_told: bool
) -> None:
    files = tuple(FileChange(path, "modified", 60, 40, PATCH) for path in paths)
    told = given(form("i1", saw=saw, sure="high"), files=files or None).facts
    assert bool(told) == is_told


@pytest.mark.parametrize(
    ("fact", "is_left_open"),
    [
        (OPEN, True),
        (replace(OPEN, by="m"), False),
        (replace(OPEN, kind=FactKind.REVERT), False),
        (replace(OPEN, symptom=Symptom.HANG), False),
    ],
)
def test_the_rules_leave_open_what_broke_and_was_not_seen(fact: Fact, is_left_open: bool) -> None:
    assert is_open((fact,)) == is_left_open
