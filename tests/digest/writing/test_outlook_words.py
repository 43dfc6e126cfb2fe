"""What to watch, in words of both languages, each reference linked to its own page."""

from dataclasses import replace

from adapters.terminal import markdown
from adapters.terminal.digest_json import roundup_json
from digest.languages import Language
from digest.models import Roundup
from digest.reading.outlook import OutlookKind, WatchFor
from digest.writing.outlook import outlook_entries, outlook_points
from digest.writing.pages import roundup_page
from tests.digest.writing.invented import (
    DAY,
    REPO,
    issue,
    judged,
    pull,
    reading,
    release,
    written,
)

EN, ZH = Language.EN, Language.ZH

FIX, RFC, RELEASE = pull(7, "Fix the hinge"), issue(8, "[RFC] Doors"), release("v1.0", "")
DIGEST = written(reading((judged(FIX), judged(RFC))))
WATCHES = (
    WatchFor(OutlookKind.UNRELEASED, REPO, (FIX,), 3, RELEASE),
    WatchFor(OutlookKind.REVERTED, REPO, (pull(9, "Add a lamp"),), 1),
    WatchFor(OutlookKind.RFC, REPO, (RFC,), 1),
)


def test_references_lead_to_their_own_pages_also_to_a_release_of_another_day() -> None:
    entries = outlook_entries(outlook_points(WATCHES), [DIGEST], EN)
    links = {run.label: run.url for entry in entries for run in entry.runs if hasattr(run, "url")}
    assert links == {
        "#7": FIX.url,
        "#8": RFC.url,
        "v1.0": "https://github.com/example-org/kiln/releases/tag/v1.0",
    }
    assert [entry.about for entry in entries] == [(FIX.key,), (), (RFC.key,)]


def test_a_roundup_tells_what_to_watch_below_its_repositories_and_nothing_where_there_is_none() -> (
    None
):
    roundup = Roundup(DAY, (DIGEST,), outlook=outlook_points(WATCHES))
    assert "## What to watch\n\n- kiln: 3 fixes not in [v1.0]" in markdown.render(
        roundup_page(roundup, EN)
    )
    assert "## 值得关注" in markdown.render(roundup_page(roundup, ZH))
    assert "watch" not in markdown.render(roundup_page(replace(roundup, outlook=()), EN))
    assert roundup_json(roundup, EN)["outlook"][0]["text"].startswith("kiln: 3 fixes")
