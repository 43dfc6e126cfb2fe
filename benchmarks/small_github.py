"""Three invented days behind GitHub's GraphQL and REST, under any name, counting what is asked."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

START = datetime(2026, 2, 10, tzinfo=UTC)
DAYS = 3
CHANGES_A_DAY = 40
ISSUES_A_DAY = 12
NAME = "example-org/turbine"
PATCH = "@@ -1,2 +1,3 @@\n import os\n" + '+parser.add_argument("--blade")\n' + " spin()\n" * 40


BLADES = 'import os\nparser.add_argument("--blade")\n'
"""A file as it stands at every commit."""


RELEASE = {
    "tagName": "v1.2",
    "isPrerelease": False,
    "isDraft": False,
    "publishedAt": "2026-02-12T08:00:00Z",
    "tagCommit": {"oid": f"{1:040x}"},
}


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class SmallGitHub:
    """Answers what the source asks and counts it.

    `requests` are all, `patches` those for one commit's files, `unchanged` those answered by 304,
    which GitHub does not count; `followed` are items whose standing was asked for, `sent` are
    bytes. Of the changes only `every` so many are there.
    """

    def __init__(self, every: int = 1) -> None:
        self.requests = self.patches = self.unchanged = self.sent = self.followed = 0
        self.now = START
        self.url = ""
        numbers = range(every, DAYS * CHANGES_A_DAY + 1, every)
        self._pulls = {number: _pull(number) for number in numbers}
        self._issues = [_issue(number) for number in range(DAYS * ISSUES_A_DAY)]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        self.requests += 1
        if request.path == "/graphql":
            asked = json.loads(await request.read())
            if "owner" not in asked["variables"]:
                told = self._standings(asked["query"], asked["variables"])
                return self._answer(request, told)
            return self._answer(request, self._graphql(asked["query"], asked["variables"]))
        found = re.fullmatch(r"(/repos/[^/]+/[^/]+)/commits/([0-9a-f]{40})", request.path)
        if found:
            self.patches += 1
            return self._answer(request, _rest_commit(found[1], int(found[2], 16)))
        return web.json_response({"message": "Not Found"}, status=404)

    def _standings(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        """Tell how items of any repositories stand: merged, and held by the one release."""
        self.followed += len(re.findall(r"\bi\d+: ", query))
        data: dict[str, Any] = {}
        for number in re.findall(r"\br(\d+): repository", query):
            name = f"{variables[f'o{number}']}/{variables[f'n{number}']}"
            row: dict[str, Any] = {"nameWithOwner": name, "isPrivate": False}
            row |= {"releases": {"nodes": [RELEASE]}, "defaultBranchRef": None}
            data[f"r{number}"] = row
            data[f"s{number}"] = {"nodes": []}
            start = query.index(f"r{number}: repository")
            mine = query[start : query.find("repository(", start + 20)]
            for alias, item in re.findall(r"\b(i\d+): issueOrPullRequest\(number: (\d+)", mine):
                pull = _named(_pull(int(item)), name)
                commit = pull["mergeCommit"] | {"committedDate": pull["mergedAt"]}
                row[alias] = pull | {"__typename": "PullRequest", "mergeCommit": commit}
        for number in re.findall(r"\bh(\d+): repository", query):
            held = [{"oid": f"{each:040x}"} for each in range(DAYS * CHANGES_A_DAY + 1)]
            data[f"h{number}"] = {"object": {"history": {"nodes": held}}}
        return {"data": data}

    def _answer(self, request: web.Request, value: object) -> web.Response:
        body = json.dumps(value).encode()
        etag = f'W/"{hash(body):x}"'
        if request.headers.get("If-None-Match") == etag:
            self.unchanged += 1
            return web.Response(status=304, headers={"ETag": etag})
        self.sent += len(body)
        return web.Response(body=body, content_type="application/json", headers={"ETag": etag})

    def _graphql(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        landed = [pull for pull in self._pulls.values() if pull["mergedAt"] <= _stamp(self.now)]
        head = {"name": "main", "target": {"oid": landed[-1]["mergeCommit"]["oid"]}}
        name = f"{variables['owner']}/{variables['name']}"
        row: dict[str, Any] = {"nameWithOwner": name, "isPrivate": False, "isEmpty": False}
        row["head"] = head
        newest_first = [_commit(pull) for pull in reversed(landed)]
        since, end = variables.get("since", ""), variables.get("end", "")
        streams = {
            "commits": [each for each in newest_first if since <= each["committedDate"] <= end],
            "later": [each for each in newest_first if each["committedDate"] >= end],
            "issues": [
                issue
                for issue in reversed(self._issues)
                if variables.get("start", "") <= issue["updatedAt"] <= _stamp(self.now)
            ],
            "releases": [],
            "tags": [],
        }
        for stream, rows in streams.items():
            if f"{stream}_first" in variables:
                page = _page(rows, variables[f"{stream}_first"], variables[f"{stream}_after"])
                is_history = stream in ("commits", "later")
                row[stream] = {"target": {"history": page}} if is_history else page
        for number in map(int, re.findall(r"\bp(\d+): pullRequest", query)):
            row[f"p{number}"] = self._pulls[number]
        for alias, expression in variables.items():
            if re.fullmatch(r"s\d+", alias):
                row[alias] = {"oid": expression}
            elif re.fullmatch(r"b\d+", alias):
                row[alias] = {
                    "__typename": "Blob",
                    "text": BLADES,
                    "byteSize": len(BLADES),
                    "isBinary": False,
                    "isTruncated": False,
                }
        data: dict[str, Any] = {"repository": row}
        if "reverts" in variables:
            data["reverts"] = {"nodes": []}
        return {"data": _named(data, name)}


def _named(value: Any, name: str) -> Any:
    """Give an answer of the one repository under the name that is asked for."""
    if isinstance(value, dict):
        return {
            key: name if key == "nameWithOwner" else _named(each, name)
            for key, each in value.items()
        }
    return [_named(each, name) for each in value] if isinstance(value, list) else value


def _page(rows: list[dict[str, Any]], first: int, after: str | None) -> dict[str, Any]:
    start = int(after or 0)
    end = start + first
    info = {"hasNextPage": end < len(rows), "endCursor": str(end)}
    return {"totalCount": len(rows), "nodes": rows[start:end], "pageInfo": info}


def _pull(number: int) -> dict[str, Any]:
    at = _stamp(START + timedelta(days=(number - 1) / CHANGES_A_DAY, minutes=20))
    file = {"path": "turbine/args.py", "changeType": "MODIFIED", "additions": 1, "deletions": 0}
    return {
        "number": number,
        "title": f"Add blade {number}",
        "body": "Blades turn faster now. It was measured on one machine.\n" * 20,
        "state": "MERGED",
        "isDraft": False,
        "createdAt": at,
        "mergedAt": at,
        "baseRefName": "main",
        "author": {"__typename": "User", "login": "ada"},
        "mergedBy": {"__typename": "User", "login": "grace"},
        "mergeCommit": {"oid": f"{number:040x}"},
        "milestone": None,
        "labels": {"nodes": [{"name": "perf"}]},
        "comments": {"totalCount": 3},
        "reactions": {"totalCount": 2},
        "additions": 1,
        "deletions": 0,
        "changedFiles": 1,
        "repository": {"nameWithOwner": NAME},
        "closingIssuesReferences": {"nodes": []},
        "files": {"nodes": [file]},
        "commits": {"totalCount": 1, "nodes": []},
    }


def _commit(pull: dict[str, Any]) -> dict[str, Any]:
    number, at = pull["number"], pull["mergedAt"]
    brought = {key: pull[key] for key in ("number", "mergedAt", "baseRefName", "mergeCommit")}
    return {
        "oid": f"{number:040x}",
        "message": f"{pull['title']} (#{number})",
        "committedDate": at,
        "parents": {"totalCount": 1, "nodes": [{"oid": f"{number - 1:040x}"}]},
        "author": {"name": "Ada", "user": {"login": "ada"}},
        "associatedPullRequests": {"nodes": [{**brought, "repository": {"nameWithOwner": NAME}}]},
    }


def _issue(number: int) -> dict[str, Any]:
    at = _stamp(START + timedelta(days=number / ISSUES_A_DAY, minutes=40))
    return {
        "number": 10_000 + number,
        "title": f"Blade {number} stops",
        "body": "It stops after an hour.\n" * 20,
        "state": "OPEN",
        "stateReason": None,
        "createdAt": at,
        "updatedAt": at,
        "author": {"__typename": "User", "login": "grace"},
        "milestone": None,
        "labels": {"nodes": []},
        "comments": {"totalCount": 1},
        "reactions": {"totalCount": 0},
        "repository": {"nameWithOwner": NAME},
        "duplicateOf": None,
        "timelineItems": {"nodes": []},
    }


def _rest_commit(home: str, number: int) -> dict[str, Any]:
    file = {
        "filename": "turbine/args.py",
        "status": "modified",
        "additions": 1,
        "deletions": 0,
        "patch": PATCH,
    }
    sha = f"{number:040x}"
    url = f"https://api.github.com{home}/commits/{sha}"
    return {"sha": sha, "url": url, "files": [file]}


def application(server: SmallGitHub) -> web.Application:
    """Give the server's routes."""
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", server.handle)
    return app


@asynccontextmanager
async def serving() -> AsyncIterator[SmallGitHub]:
    """Run the server on a free port of loopback."""
    server = SmallGitHub()
    runner = web.AppRunner(application(server))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()
