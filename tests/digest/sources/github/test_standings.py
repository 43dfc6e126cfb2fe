"""How followed items stand, asked of GitHub for many at once."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import httpx

from digest.models import Kind, Repo, State
from digest.sources.github.source import GitHub
from digest.sources.github.standings import GONE as WHOLLY_GONE
from digest.upstream import Followed, Standing

TURBINE = Repo("example-org", "turbine")
GONE = Repo("example-org", "gone")
SECRET = Repo("example-org", "vault")
AT = "2026-02-11T10:00:00Z"


def followed(repo: Repo, kind: Kind, written: str, *not_in: str) -> Followed:
    return Followed(f"{repo}:{kind}:{written}", repo, kind, written, not_in)


def pull(number: int, state: str = "MERGED", title: str = "Turn", body: str = "") -> dict[str, Any]:
    return {
        "__typename": "PullRequest",
        "number": number,
        "state": state,
        "title": title,
        "body": body,
        "mergedAt": AT if state == "MERGED" else None,
        "repository": {"nameWithOwner": str(TURBINE)},
        "mergeCommit": {"oid": f"{number:040x}", "committedDate": AT},
    }


def issue(number: int, state: str, closer: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "__typename": "Issue",
        "number": number,
        "title": "Stuck",
        "state": state,
        "stateReason": "COMPLETED" if state == "CLOSED" else None,
        "repository": {"nameWithOwner": str(TURBINE)},
        "timelineItems": {"nodes": [{"closer": closer}] if closer else []},
        "closedByPullRequestsReferences": {"nodes": [pull(60, "OPEN")]},
    }


RELEASES = [
    {
        "tagName": tag,
        "isPrerelease": "rc" in tag,
        "isDraft": False,
        "publishedAt": f"2026-02-12T0{hour}:00:00Z",
        "tagCommit": {"oid": f"{hour:040x}"},
    }
    for hour, tag in ((3, "v1.2"), (2, "v1.1.1"), (1, "v1.2rc1"))
]
ITEMS = {
    1: pull(1),
    2: pull(2, "OPEN"),
    3: pull(3, "CLOSED"),
    4: issue(4, "OPEN"),
    5: issue(5, "CLOSED", pull(60)),
    6: pull(6),
}
REVERT = pull(70, title='Revert "Turn" (#6)', body="Reverts example-org/turbine#6")


class Server:
    """GitHub's GraphQL: items of one repository; another one is not there, one is private."""

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.items = dict(ITEMS)
        self.branch: dict[str, Any] | None = None
        self.on_branch: tuple[int, ...] = ()
        self.chain: list[tuple[int, str]] = []
        self.reverts = [REVERT]

    def answer(self, request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.content)
        query, variables = asked["query"], asked["variables"]
        self.documents.append(query)
        data: dict[str, Any] = {}
        errors: list[dict[str, Any]] = []
        for name in re.findall(r"\b(h\d+): repository", query):
            oid = variables[f"s{name[1:]}"]
            holds = [{"oid": f"{1:040x}"}, {"oid": f"{60:040x}"}] if int(oid, 16) == 3 else []
            if int(oid, 16) == 60:  # the head of the branch
                holds = [{"oid": f"{number:040x}"} for number in self.on_branch]
            if self.chain:
                holds = self.walked(name, query, variables)
            data[name] = {"object": {"history": {"nodes": holds}}}
        for name in re.findall(r"\b(r\d+): repository", query):
            repo = variables[f"n{name[1:]}"]
            if repo == GONE.name:
                data[name] = None
                errors.append({"type": "NOT_FOUND", "path": [name], "message": "none"})
                continue
            full = f"example-org/{repo}"
            row: dict[str, Any] = {"nameWithOwner": full, "isPrivate": repo == SECRET.name}
            row |= {"releases": {"nodes": RELEASES}, "defaultBranchRef": self.branch}
            for alias, number in re.findall(r"\b(i\d+): issueOrPullRequest\(number: (\d+)", query):
                row[alias] = self.items.get(int(number))
                if row[alias] is None:
                    kind = "NOT_FOUND" if int(number) < 900 else "SERVICE_UNAVAILABLE"
                    errors.append({"type": kind, "path": [name, alias], "message": "none"})
            for alias, tag in re.findall(r"\b(i\d+)t: ref\(qualifiedName: \$(g\d+)", query):
                row[alias], is_bare = None, variables[tag] == "refs/tags/v0.9"
                row[f"{alias}t"] = {"name": "v0.9"} if is_bare else None
            data[name] = row
            data[f"s{name[1:]}"] = {"nodes": self.reverts}
        return httpx.Response(200, json={"data": data, "errors": errors})

    def walked(self, name: str, query: str, variables: dict[str, Any]) -> list[dict[str, str]]:
        """Walk a line of commits as git does, which ends it at the first one before `since`."""
        most, since, until = re.findall(
            rf"{name}: .*?history\(first: (\d+)(?:, since: \$(\w+))?, until: \$(\w+)\)", query
        )[0]
        found = []
        for number, at in self.chain:
            if since and at < variables[since]:
                break
            if at <= variables[until]:
                found.append({"oid": f"{number:040x}"})
        return found[: int(most)]


async def standings(server: Server, *wanted: Followed) -> dict[str, Standing]:
    async with GitHub(
        token="t",
        memory=None,
        clock=lambda: datetime(2026, 2, 13, tzinfo=UTC),
        progress=lambda line: None,
        transport=httpx.MockTransport(server.answer),
    ) as github:
        return {
            key.rpartition(":")[2]: each for key, each in (await github.standings(wanted)).items()
        }


async def test_items_of_every_kind_are_asked_for_together() -> None:
    server = Server()
    pulls = [followed(TURBINE, Kind.PULL_REQUEST, str(number)) for number in (1, 2, 3, 6)]
    issues = [followed(TURBINE, Kind.ISSUE, str(number)) for number in (4, 5)]

    found = await standings(server, *pulls, *issues)

    assert len(server.documents) == 2  # the second asks which releases hold them
    assert found["1"] == Standing(State.MERGED, release="v1.2", not_in=("v1.1.1",), title="Turn")
    assert found["2"].state is State.OPEN
    assert found["3"].state is State.CLOSED
    assert found["4"] == Standing(State.OPEN, fix="#60", title="Stuck")
    assert found["5"].fix == "#60"
    assert found["5"].release == "v1.2"
    assert found["6"].reverted_by == "#70"


async def test_what_was_forced_out_of_the_branch_is_asked_for_once_more_and_told() -> None:
    wanted = [followed(TURBINE, Kind.PULL_REQUEST, str(number)) for number in (1, 60)]
    branch = [{"oid": f"{60:040x}", "message": "Turn", "committedDate": AT}]
    server = Server()
    server.items[60] = pull(60)
    server.branch = {"target": {"history": {"nodes": branch}}}
    server.on_branch = (60,)

    found = await standings(server, *wanted)
    assert (found["1"].amended, found["60"].amended) == (True, False)

    server.on_branch = (1, 60)  # it is there, only not among the newest
    assert not (await standings(server, *wanted))["1"].amended


async def test_a_revert_that_names_another_change_of_the_same_title_takes_back_that_one() -> None:
    server = Server()
    server.items |= {8: pull(8, title="Turn #5 down"), 9: pull(9, title="Spin")}
    found = await standings(
        server, *(followed(TURBINE, Kind.PULL_REQUEST, str(number)) for number in (1, 8, 9))
    )
    assert [found[each].reverted_by for each in ("1", "8", "9")] == ["", "", ""]

    for title, taken in (('Revert "Turn #5 down"', "8"), ('Revert "Spin" (#9)', "9")):
        server.reverts = [pull(71, title=title)]
        found = await standings(
            server, *(followed(TURBINE, Kind.PULL_REQUEST, str(number)) for number in (1, 8, 9))
        )
        assert [each for each in ("1", "8", "9") if found[each].reverted_by] == [taken]


async def test_what_an_old_commit_stands_above_is_released_and_not_forced_out() -> None:
    newest = [{"oid": f"{9:040x}", "message": "Pushed long after", "committedDate": "2026-01-02"}]
    server = Server()
    server.branch = {"target": {"history": {"nodes": newest}}}
    of_a_second = [(number, AT) for number in range(100, 150)]
    server.chain = [(9, "2026-01-02T00:00:00Z"), *of_a_second, (1, AT)]

    found = await standings(server, followed(TURBINE, Kind.PULL_REQUEST, "1"))

    assert (found["1"].release, found["1"].amended) == ("v1.1.1", False)


async def test_what_is_not_there_and_what_could_not_be_looked_at_are_told_apart() -> None:
    server = Server()

    found = await standings(
        server,
        followed(TURBINE, Kind.ISSUE, "899"),
        followed(TURBINE, Kind.ISSUE, "901"),
        followed(GONE, Kind.ISSUE, "7"),
        followed(SECRET, Kind.ISSUE, "8"),
    )

    assert found == {"899": Standing(None), "7": WHOLLY_GONE, "8": WHOLLY_GONE}


async def test_a_hundred_items_take_one_document() -> None:
    server = Server()

    await standings(server, *(followed(TURBINE, Kind.ISSUE, str(n)) for n in range(100, 600)))

    assert len(server.documents) == 5
