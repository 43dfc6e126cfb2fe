"""A small GitHub on loopback that speaks GraphQL and REST, with an invented repository."""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import httpx
from aiohttp import web

from digest.models import Activity, Item, Repo, Window
from digest.ports import Remembered
from digest.sources.github.source import GitHub
from tests.conftest import PATIENCE

REPO = Repo("acme", "rocket")
DAY = Window(
    datetime(2026, 3, 4, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC), "UTC", "2026-03-04"
)
NOW = datetime(2026, 3, 5, 1, tzinfo=UTC)


class DictMemory:
    def __init__(self) -> None:
        self.kept: dict[str, Remembered] = {}

    async def recall(self, key: str) -> Remembered | None:
        return self.kept.get(key)

    async def remember(self, key: str, answer: Remembered) -> None:
        self.kept[key] = answer


def sha(letter: str) -> str:
    return letter * 40


def commit(
    letter: str,
    at: str,
    parents: str = "",
    message: str = "",
    pull: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A commit as GraphQL gives it; `parents` are letters, the first parent first."""
    return {
        "oid": sha(letter),
        "message": message or f"Change {letter}",
        "committedDate": at,
        "parents": {"totalCount": len(parents), "nodes": [{"oid": sha(p)} for p in parents]},
        "author": {"name": "Ada Example", "user": {"login": "ada"}},
        "associatedPullRequests": {"nodes": [pull] if pull else []},
    }


def brought_by(number: int, merge: str, at: str, base: str = "main") -> dict[str, Any]:
    return {
        "number": number,
        "mergedAt": at,
        "baseRefName": base,
        "mergeCommit": {"oid": sha(merge)},
        "repository": {"nameWithOwner": "acme/rocket"},
    }


def pull(number: int, merge: str, at: str, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "title": f"Pull {number}",
        "body": "Why and how.",
        "state": "MERGED",
        "isDraft": False,
        "createdAt": at,
        "mergedAt": at,
        "baseRefName": "main",
        "author": {"__typename": "User", "login": "ada"},
        "mergedBy": {"__typename": "User", "login": "grace"},
        "mergeCommit": {"oid": sha(merge)},
        "milestone": {"title": "1.0"},
        "labels": {"nodes": [{"name": "speed"}]},
        "comments": {"totalCount": 3},
        "reactions": {"totalCount": 2},
        "additions": 5,
        "deletions": 1,
        "changedFiles": 1,
        "repository": {"nameWithOwner": "acme/rocket"},
        "closingIssuesReferences": {
            "nodes": [
                {
                    "number": 7,
                    "title": "It stalls",
                    "repository": {"nameWithOwner": "acme/rocket"},
                },
                {
                    "number": 8,
                    "title": "Elsewhere",
                    "repository": {"nameWithOwner": "acme/other"},
                },
            ]
        },
        "files": {
            "nodes": [
                {"path": "rocket/core.py", "changeType": "DELETED", "additions": 5, "deletions": 1}
            ]
        },
        **more,
    }


def issue(number: int, created: str, *events: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "title": f"Issue {number}",
        "body": None,
        "state": "OPEN",
        "stateReason": None,
        "createdAt": created,
        "updatedAt": created,
        "author": None,
        "milestone": None,
        "labels": {"nodes": []},
        "comments": {"totalCount": 1},
        "reactions": {"totalCount": 0},
        "duplicateOf": None,
        "repository": {"nameWithOwner": "acme/rocket"},
        "timelineItems": {"nodes": [{"__typename": k, "createdAt": at} for k, at in events]},
        **more,
    }


def blob(text: Any) -> Any:
    """A file as GraphQL gives it; a row is given as it is."""
    if not isinstance(text, str):
        return text
    size = {"byteSize": len(text), "isBinary": False, "isTruncated": False}
    return {"__typename": "Blob", "text": text, **size}


def rest_file(path: str) -> dict[str, Any]:
    return {
        "filename": path,
        "status": "modified",
        "additions": 5,
        "deletions": 1,
        "patch": "@@ -1 +1,5 @@\n-a\n+b",
    }


def rest_commit(letter: str, at: str, parents: str = "") -> dict[str, Any]:
    person = {"name": "Ada Example", "email": "a@example.org", "date": at}
    return {
        "sha": sha(letter),
        "commit": {"message": f"Change {letter}", "author": person, "committer": person},
        "author": None,
        "parents": [{"sha": sha(p)} for p in parents],
    }


def with_address(value: Any, path: str) -> Any:
    """Give every row of a REST answer the address that GitHub gives it, where it has none."""
    home = "https://api.github.com" + "/".join(path.split("/")[:4])
    if isinstance(value, list):
        return [with_address(row, path) for row in value]
    if not isinstance(value, dict):
        return value
    row = {"url": home, **value}
    if isinstance(row.get("commits"), list):
        row["commits"] = with_address(row["commits"], path)
    if "name" in row and isinstance(row.get("commit"), dict):
        row["commit"] = {"url": home, **row["commit"]}
    if "files" in row:
        row = {"sha": path.rpartition("/")[2], **row}
    return row


def renamed(value: Any, name: str) -> Any:
    """Give an answer in which the repository has another name."""
    if isinstance(value, dict):
        return {
            key: name if key == "nameWithOwner" and row == "acme/rocket" else renamed(row, name)
            for key, row in value.items()
        }
    return [renamed(row, name) for row in value] if isinstance(value, list) else value


Handler = Callable[[web.Request, bytes], "web.StreamResponse | None"]


class FakeGitHub:
    """A repository in memory. `faults` may answer in place of it; `log` is what was asked."""

    def __init__(self) -> None:
        self.streams: dict[str, list[dict[str, Any]]] = {
            name: [] for name in ("commits", "later", "issues", "releases", "tags", "reverts")
        }
        self.pulls: dict[int, dict[str, Any]] = {}
        self.commits: dict[str, dict[str, Any]] = {}
        self.rest: dict[str, Any] = {}
        self.trees: dict[str, dict[str, Any]] = {}
        self.name, self.private, self.branch, self.head = "acme/rocket", False, "main", sha("a")
        self.log: list[str] = []
        self.queries: list[dict[str, Any]] = []
        self.faults: list[Handler] = []
        self.headers: dict[str, str] = {}
        self.page_size = 100
        self.url = ""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.log.append(f"{request.method} {request.path_qs}")
        for fault in list(self.faults):
            answer = fault(request, body)
            if answer is not None:
                return answer
        if request.path == "/graphql":
            return web.json_response(self.graphql(json.loads(body)), headers=self.headers)
        if request.path_qs in self.rest:
            found = self.rest[request.path_qs]
            value, headers = found if isinstance(found, tuple) else (found, {})
            value = with_address(value, request.path)
            return web.json_response(value, headers={**self.headers, **headers})
        return web.json_response({"message": "Not Found"}, status=404)

    def answer(self, path: str) -> Any:
        """Give what REST answers at a path that is there."""
        return with_address(self.rest[path], path.partition("?")[0])

    def page(self, name: str, variables: dict[str, Any]) -> dict[str, Any]:
        rows = self.streams[name]
        if name == "later":  # from the head of the branch down
            rows = [*rows, *(row for row in self.streams["commits"] if row not in rows)]
        start = int(variables.get(f"{name}_after") or 0)
        end = start + min(self.page_size, variables[f"{name}_first"])
        info = {"hasNextPage": end < len(rows), "endCursor": str(end)}
        return {"totalCount": len(rows), "nodes": rows[start:end], "pageInfo": info}

    def graphql(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.queries.append(asked)
        variables, query = asked["variables"], asked["query"]
        head = {"name": self.branch, "target": {"oid": self.head}} if self.head else None
        row: dict[str, Any] = {
            "nameWithOwner": self.name,
            "isPrivate": self.private,
            "isEmpty": not head,
            "head": head,
        }
        errors = []
        for name in ("commits", "later", "issues", "releases", "tags"):
            if f"{name}_first" not in variables:
                continue
            page = self.page(name, variables)
            inside = {"target": {"history": page}} if head else None
            row[name] = inside if name in ("commits", "later") else page
        for number in map(int, re.findall(r"\bp(\d+): pullRequest", query)):
            row[f"p{number}"] = self.pulls.get(number)
            if number not in self.pulls:
                errors.append({"type": "NOT_FOUND", "path": ["repository", f"p{number}"]})
        for name, asked_for in variables.items():
            if re.fullmatch(r"s\d+", name):
                row[name] = {"oid": asked_for} if asked_for in self.trees else None
            if re.fullmatch(r"b\d+", name):
                at, _, path = asked_for.partition(":")
                row[name] = blob(self.trees.get(at, {}).get(path))
            if re.fullmatch(r"c\d+", name):
                row[name] = self.commits.get(asked_for)
        if self.name != "acme/rocket":
            row = renamed(row, self.name)
        data: dict[str, Any] = {"repository": row}
        if "reverts" in variables:
            data["reverts"] = {"nodes": self.streams["reverts"]}
        return {"data": data, **({"errors": errors} if errors else {})}


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[FakeGitHub]:
    """Run a fake on a free port."""
    server = FakeGitHub()
    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", server.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


class Sleeper:
    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


def source(fake: FakeGitHub, **more: Any) -> GitHub:
    options: dict[str, Any] = {
        "token": "t0ken",
        "api_url": fake.url,
        "memory": DictMemory(),
        "clock": lambda: NOW,
        "progress": lambda line: None,
        "sleep": Sleeper(),
        "timeout": httpx.Timeout(PATIENCE),
    }
    return GitHub(**{**options, **more})


async def collect(fake: FakeGitHub, **more: Any) -> Activity:
    async with source(fake, **more) as github:
        return await github.collect(REPO, DAY)


def keys(items: tuple[Item, ...]) -> set[str]:
    return {item.key.partition(":")[2] for item in items}


def one_pull_day(fake: FakeGitHub) -> None:
    """A day of one squashed pull request."""
    at = "2026-03-04T10:00:00Z"
    squash = commit("a", at, "b", "Pull 12 (#12)", brought_by(12, "a", at))
    fake.streams["commits"] = [squash]
    fake.pulls[12] = pull(12, "a", at)
    fake.rest[f"/repos/acme/rocket/commits/{sha('a')}"] = {"files": [rest_file("rocket/core.py")]}
