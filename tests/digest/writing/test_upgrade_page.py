"""The report of an upgrade says of a setting what a day says of it, and counts what it lists."""

from dataclasses import replace
from datetime import UTC, datetime

from adapters.terminal import text
from digest.concern.matching import WeighedChange
from digest.concern.surface import CodePlace, Surface, SurfaceOrigin, Use, UseKind
from digest.concern.upgrade import NotFollowed, Untold, Upgrade, settings_of
from digest.facts import Fact, FactChange, FactKind, Subject
from digest.languages import Language
from digest.models import Repo, Span
from digest.writing.upgrade_page import upgrade_page
from tests.digest.concern.test_ripple import item

FLAG = Use(UseKind.FLAG, "--keep", CodePlace("run.sh", 3))
SWITCH = Use(UseKind.VARIABLE, "PUMP_IPC", CodePlace("run.sh", 1))


NOW = datetime(2026, 2, 9, tzinfo=UTC)
SPAN = Span("v1", "v2", "a" * 40, "b" * 40, NOW, NOW, frozenset())


def fact(change: FactChange, use: Use, after: str | None = None) -> Fact:
    subject = Subject.FLAG if use.kind is UseKind.FLAG else Subject.ENV
    return Fact(FactKind.INTERFACE, "1", change, subject, use.name, after=after)


def report(*facts: Fact) -> Upgrade:
    settings = settings_of(Surface("acme/pump", uses=(FLAG, SWITCH)), facts)
    return Upgrade(
        Repo("acme", "pump"), SPAN, SurfaceOrigin(), 9, (), (), (), (), (), settings, (), ()
    )  # fmt: skip


def test_a_new_choice_of_a_flag_that_is_set_is_new_and_no_break() -> None:
    choice = replace(fact(FactChange.ADDED, FLAG, "half"), subject=Subject.CHOICE)
    told = report(choice)
    assert not told.is_broken
    page = text.render(upgrade_page(told, Language.EN))
    assert "behaves otherwise: 0" in page
    assert "half" in page.split("New that you could use", 1)[1]


def test_a_setting_of_tests_alone_stands_after_the_changes() -> None:
    tested = replace(FLAG, place=CodePlace("tests/run.yaml", 1))
    gone = [fact(FactChange.REMOVED, one) for one in (FLAG, SWITCH)]
    settings = settings_of(Surface("acme/pump", uses=(tested, SWITCH)), gone)
    change = WeighedChange(item(Repo("acme", "pump"), 3, "#3", "Drop the valve"), (), 0.0, {})
    told = replace(report(), settings=settings, breaks=(change,))
    page = text.render(upgrade_page(told, Language.EN), width=200)
    places = [page.index(word) for word in ("PUMP_IPC", "Drop the valve", "--keep")]
    assert places == sorted(places)


def test_what_is_not_followed_is_counted_by_its_reason() -> None:
    many = (replace(FLAG, name=f"--keep-{number:02}") for number in range(12))
    lost = (
        *(NotFollowed(one, Untold.NOT_SEEN) for one in many),
        NotFollowed(SWITCH, Untold.PIN),
    )
    report_of = replace(report(), lost=lost, touched=3)
    told = text.render(upgrade_page(report_of, Language.EN), width=200)
    assert "Names used: 16 (in these changes 3, checked and unchanged 0, not followed 13)." in told
    below = told.split("Not followed", 1)[1]
    pins, seen = below.split("\n12: ")
    assert "\n1: " in pins
    assert "PUMP_IPC" in pins
    assert seen.count("--keep-") == 8
    assert "and 4 more" in seen
    whole = text.render(upgrade_page(report_of, Language.EN, full=True), width=200)
    assert whole.count("--keep-") == 12


def test_that_nothing_breaks_is_said_of_what_could_be_followed_alone() -> None:
    def breaks(told: Upgrade) -> str:
        page = text.render(upgrade_page(told, Language.EN), width=200)
        return page.split("\nBreaks\n", 1)[1].split("\n", 1)[0]

    assert breaks(report()) == "None."
    blind = breaks(replace(report(), lost=(NotFollowed(SWITCH, Untold.PIN),), touched=3))
    assert "1 of 4" in blind
    assert not blind.startswith("None.")
