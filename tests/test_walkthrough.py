"""The first test to read: one commit, from GitHub's JSON to a Markdown digest.

Gather: GitHub's answers become facts. Decide: facts become a reading. Write: the reading becomes
sentences, a page, and Markdown. Nothing here reaches the network; each step is a pure function.
"""

from dataclasses import replace
from datetime import UTC, datetime

from adapters.terminal import markdown
from digest.facts import FactChange, Subject
from digest.grades import Importance, Purpose
from digest.languages import Language
from digest.models import Activity, Kind, Repo, Window
from digest.reading.reader import read
from digest.sources.github import answers
from digest.sources.github.items import (
    commit_fact,
    commit_item,
    file_change,
    landed_when,
    named_pull,
    pull_item,
    with_files,
)
from digest.writing.pages import digest_page
from digest.writing.rules import write

REPO = Repo("example", "kiln")
DAY = Window(
    start=datetime(2026, 3, 4, tzinfo=UTC),
    end=datetime(2026, 3, 5, tzinfo=UTC),
    tz="UTC",
    label="2026-03-04",
)
NEXT_MORNING = datetime(2026, 3, 5, 7, tzinfo=UTC)
SHA = "5eb63bbbe01eeed093cb22bb8f5acdc3b1a2c4d6"

# What GitHub's GraphQL interface says about the commit and the pull request that brought it …
COMMIT = {
    "oid": SHA,
    "message": "Rename --heat to --temperature (#7)\n\nSigned-off-by: Wren <wren@example.org>",
    "committedDate": "2026-03-04T10:30:00Z",
    "parents": {"totalCount": 1, "nodes": [{"oid": "0" * 40}]},
    "author": {"name": "Wren", "user": {"login": "wren"}},
    "associatedPullRequests": {
        "nodes": [
            {
                "number": 7,
                "mergedAt": "2026-03-04T10:30:00Z",
                "baseRefName": "main",
                "mergeCommit": {"oid": SHA},
                "repository": {"nameWithOwner": "example/kiln"},
            }
        ]
    },
}
PULL = {
    "number": 7,
    "title": "Rename --heat to --temperature",
    "body": "<!-- Thank you! -->\r\n\r\n## Why\r\n\r\n"
    "Users look for the usual name and do not find it. The old flag is gone without an alias."
    "\r\n\r\n- [x] Tests pass",
    "state": "MERGED",
    "isDraft": False,
    "createdAt": "2026-03-02T16:05:00Z",
    "mergedAt": "2026-03-04T10:30:00Z",
    "baseRefName": "main",
    "author": {"__typename": "User", "login": "wren"},
    "mergedBy": {"__typename": "User", "login": "kit"},
    "mergeCommit": {"oid": SHA},
    "milestone": None,
    "labels": {"nodes": [{"name": "breaking-change"}]},
    "comments": {"totalCount": 3},
    "reactions": {"totalCount": 1},
    "additions": 1,
    "deletions": 1,
    "changedFiles": 1,
    "repository": {"nameWithOwner": "example/kiln"},
    "closingIssuesReferences": {"nodes": []},
}
# … and what REST says about its files, with their patches.
FILES = [
    {
        "filename": "kiln/cli.py",
        "status": "modified",
        "additions": 1,
        "deletions": 1,
        "patch": "@@ -12,3 +12,3 @@ def options(parser: ArgumentParser) -> None:\n"
        '     parser.add_argument("--model")\n'
        '-    parser.add_argument("--heat", default=1.0, help="Spread.")\n'
        '+    parser.add_argument("--temperature", default=1.0, help="Spread.")\n'
        '     parser.add_argument("--seed", type=int)',
    }
]


def test_one_commit_goes_from_githubs_json_to_a_markdown_digest() -> None:
    # Gather: JSON to facts.
    commit_node, _ = answers.read(answers.CommitNode, COMMIT, "a commit", REPO)
    pull_node, _ = answers.read(answers.PullNode, PULL, "a pull request", REPO)
    files, holes = answers.a_list(answers.File, "files", REPO).read(FILES)
    assert not holes
    fact = commit_fact(commit_node, REPO, "main")
    landing = landed_when([fact], SHA, NEXT_MORNING)[SHA]
    commit = commit_item(REPO, fact, landing.at, named_pull(fact))
    pull = replace(pull_item(REPO, pull_node, [SHA]), at=landing.at)
    pull = with_files(pull, tuple(file_change(row) for row in files))
    activity = Activity(REPO, DAY, (commit, pull), NEXT_MORNING, "github", head=SHA)

    assert commit.title == "Rename --heat to --temperature (#7)"
    assert commit.pull_request == 7
    assert commit.at in DAY

    # Decide: facts to judgements. The commit folds into its pull request.
    reading = read(activity)

    [change] = reading.items
    assert change.item.kind is Kind.PULL_REQUEST
    assert change.item.commits == (SHA,)
    assert change.purpose is not Purpose.FIX
    assert change.importance is Importance.HIGH
    [fact] = reading.facts
    assert (fact.subject, fact.change, fact.before, fact.after) == (
        Subject.FLAG,
        FactChange.RENAMED,
        "--heat",
        "--temperature",
    )
    assert (fact.evidence[-1].path, fact.evidence[-1].line) == ("kiln/cli.py", 13)

    # Write: judgements to sentences, in every language from the one reading …
    digest = write(reading, NEXT_MORNING)

    assert digest.headline.keys() == {Language.EN, Language.ZH}

    # … then to a page, and at last to Markdown: the author's words, links made from the facts.
    english = markdown.render(digest_page(digest, Language.EN))
    chinese = markdown.render(digest_page(digest, Language.ZH))

    for page in (english, chinese):
        assert page.startswith("# example/kiln · 2026-03-04\n")
        assert "Rename --heat to --temperature [#7](https://github.com/example/kiln/pull/7)" in page
        assert "“Users look for the usual name and do not find it." in page
        assert "`--heat`" in page
        assert "`--temperature`" in page
        assert SHA not in page  # told once, as the pull request that brought it
        assert "Thank you!" not in page  # a template's comment is not the author's word
