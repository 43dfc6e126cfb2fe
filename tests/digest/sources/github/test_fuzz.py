"""Thousands of odd answers of GitHub's: none stops the program, none makes a busy day a quiet one.

An invented repository is collected and looked up once. Then one value of one answer at a time is
changed to what GitHub does not promise, wherever it is given, and everything is asked again. Only
an error of `digest.errors` may come out of it; what is lost has to be told as a gap that may close.
"""

import json
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import hypothesis

from digest.errors import InfraError
from digest.models import Activity, Item, Repo
from digest.ports import Seen
from digest.sources.github.source import GitHub
from tests.digest.sources.github.github_fake import (
    DAY,
    NOW,
    REPO,
    FakeGitHub,
    brought_by,
    commit,
    issue,
    pull,
    rest_commit,
    rest_file,
    sha,
)
from tests.digest.sources.github.test_rest import (
    AT,
    BASE,
    COMMITS,
    ISSUES,
    LATER,
    PULLS,
    rest_issue,
    rest_pull,
)
from tests.phrases import english

SEED = 20260304

BEFORE, AFTER = "2026-02-27T10:00:00Z", "2026-03-05T00:30:00Z"

LAWFUL = frozenset(
    {
        # A null or a missing key that means something, so that nothing else tells the loss: it
        # was not merged, not closed, is no pull request, was brought by none, has no account.
        *(("mergedAt", "null"), ("merged_at", "null"), ("closed_at", "null")),
        *(("mergeCommit", "null"), ("merge_commit_sha", "null"), ("state_reason", "null")),
        *(("brought_by", "null"), ("c0", "null"), ("body", "null"), ("name", "null")),
        *(("pull_request", "null"), ("pull_request", "missing")),
        # REST tells a commit without its parents by an empty list; a patch may be too large.
        *(("patch", "null"), ("patch", "missing")),
        # A label may be its name alone.
        ("labels", "text"),
        # https://docs.github.com/en/graphql/reference/objects#ref: the object does not exist.
        ("tag's target", "null"),
    }
)


def rocket() -> FakeGitHub:
    """A repository with one of each thing, in both interfaces."""
    fake = FakeGitHub()
    fake.url = "https://api.github.com"
    whose = brought_by(12, "a", AT)
    fake.head = sha("f")
    fake.streams["commits"] = [
        commit("m", "2026-03-04T12:00:00Z", "wx", "Merge branch 'x'"),
        commit("w", "2026-03-04T11:00:00Z", "ay", "Merge #14", brought_by(14, "w", AT)),
        commit("a", AT, "b", "Pull 12 (#12)", whose),
    ]
    fake.streams["later"] = [commit("f", AFTER, "m", 'Revert "Pull 12" (#13)')]
    fake.streams["reverts"] = [pull(13, "f", AFTER, title='Revert "Pull 12"')]
    fake.streams["issues"] = [
        issue(3, "2026-02-01T00:00:00Z", ("ClosedEvent", AT), state="CLOSED"),
        issue(4, AT, labels={"nodes": [{"name": "bug"}]}),
    ]
    release = {
        "tagName": "v1.0",
        "name": "One",
        "description": "First",
        "isPrerelease": False,
        "isDraft": False,
        "createdAt": AT,
        "publishedAt": AT,
        "author": {"login": "ada"},
    }
    fake.streams["releases"] = [release]
    person = {"name": "Ada", "date": AT, "user": None}
    bare = {"__typename": "Commit", "oid": sha("a"), "committedDate": AT, "author": person}
    annotated = {
        "__typename": "Tag",
        "oid": sha("t"),
        "message": "Two",
        "tagger": person,
        "target": {"oid": sha("a"), "committedDate": AT},
    }
    fake.streams["tags"] = [
        {"name": "v1.1", "target": bare},
        {"name": "v1.2", "target": annotated},
    ]
    body = f"This reverts commit {sha('d')}. Reverts #5."
    own = {"totalCount": 1, "nodes": [{"commit": commit("y", BEFORE, "b")}]}
    fake.pulls = {
        12: pull(12, "a", AT, title='Revert "Old" (#5)', body=body),
        14: pull(14, "w", AT, commits=own),
        5: pull(5, "c", BEFORE, title="Old"),
    }
    fake.commits[sha("d")] = commit("d", BEFORE) | {"brought_by": {"nodes": []}}
    one = rest_commit("a", AT, "b")
    compare = f"{BASE}/compare/{sha('w')}...{sha('m')}?per_page=100"
    second = f"{BASE}/compare/{sha('a')}...{sha('w')}?per_page=100"
    plain = {"draft": False, "prerelease": False, "created_at": AT, "published_at": AT}
    listed = [
        rest_commit("m", "2026-03-04T12:00:00Z", "wx"),
        rest_commit("w", "2026-03-04T11:00:00Z", "ay"),
        one,
    ]
    reopened = rest_issue(9, BEFORE, state_reason="reopened")
    fake.rest = {
        BASE: {"full_name": "acme/rocket", "default_branch": "main", "private": False},
        COMMITS: listed,
        LATER: [rest_commit("f", AFTER, "m")],
        PULLS: [rest_pull(12, "a", title='Revert "Old" (#5)', body=body)],
        ISSUES: [
            rest_issue(12, AT, pull_request={"url": "x"}),
            rest_issue(4, AT),
            rest_issue(3, BEFORE, state="closed", state_reason="completed", closed_at=AT),
            reopened,
        ],
        f"{BASE}/issues/9/events?per_page=100": [{"event": "reopened", "created_at": AT}],
        f"{BASE}/issues/9": reopened,
        f"{BASE}/issues/12": rest_issue(12, AT, pull_request={"url": "x"}),
        f"{BASE}/pulls/12": rest_pull(12, "a", changed_files=1, additions=5, merged_by=None),
        f"{BASE}/pulls/5": rest_pull(5, "c", BEFORE),
        f"{BASE}/commits/aaaa": one,
        f"{BASE}/releases?per_page=30": [
            {"tag_name": "v1.0", "name": "One", "body": "First", "author": None, **plain}
        ],
        f"{BASE}/releases/tags/v1.0": {
            "tag_name": "v1.0",
            "name": "One",
            "body": "First",
            "author": None,
            **plain,
        },
        f"{BASE}/git/matching-refs/tags/v1.1": [{"ref": "refs/tags/v1.1"}],
        f"{BASE}/commits/v1.1": one,
        f"{BASE}/compare/{sha('0')}...{sha('f')}?per_page=1": {"status": "diverged"},
        compare: {"commits": [rest_commit("x", BEFORE, "b"), listed[0]]},
        second: {"commits": [rest_commit("y", BEFORE, "b"), listed[1]]},
        f"{BASE}/commits/{sha('d')}": {**rest_commit("d", BEFORE), "files": []},
    }
    for letter in "amwxy":
        row = next((each for each in listed if each["sha"] == sha(letter)), {})
        fake.rest[f"{BASE}/commits/{sha(letter)}"] = {
            **(row or rest_commit(letter, BEFORE, "b")),
            "files": [rest_file(f"{letter}.py")],
        }
    return fake


Step = str | int


@dataclass(frozen=True)
class Mutation:
    """A change of what an answer holds at a path; `asked` tells the answers that have it."""

    job: str
    asked: str
    path: tuple[Step, ...]
    kind: str

    @property
    def name(self) -> str:
        """The last key of the path, and of a tag's target whose it is."""
        if "tags" in self.path and self.path[-1] == "target" and self.path.count("target") == 1:
            return "tag's target"
        return next((str(step) for step in reversed(self.path) if isinstance(step, str)), "")

    def spoil(self, answer: Any) -> Any:
        """Give an answer with the change, where it has the path."""
        if not self.path:
            return spoilt(answer, self.kind)
        inner = answer
        for step in self.path[:-1]:
            try:
                inner = inner[step]
            except (LookupError, TypeError):
                return answer
        last = self.path[-1]
        if isinstance(inner, dict) and last in inner and self.kind == "missing":
            del inner[last]
        elif (isinstance(inner, dict) and last in inner) or (
            isinstance(inner, list) and isinstance(last, int) and last < len(inner)
        ):
            inner[last] = spoilt(inner[last], self.kind)
        return answer


def spoilt(value: Any, kind: str) -> Any:
    match kind:
        case "null":
            return None
        case "nulls":
            return [None]
        case "word":
            return "SOMETHING_NEW"
        case "object":
            return {"message": "odd"}
        case "list":
            return [{"odd": 1}]
        case "text":
            return f"{value}x" if isinstance(value, int) else "3x"
        case "number":
            return -3
    raise AssertionError(kind)


WORDS = frozenset(
    {"state", "__typename", "status", "mergedAt", "createdAt", "committedDate", "date", "at"}
    | {"created_at", "published_at", "merged_at", "closed_at", "publishedAt", "updated_at"}
)
"""Texts of which GitHub promises the words or the form."""


def kinds(value: Any, name: str, is_key: bool) -> Iterator[str]:
    """Give the changes after which a value is not what GitHub promises."""
    yield "null"
    if is_key:
        yield "missing"
    if isinstance(value, list):
        yield from ("nulls", "object", "text")
    elif isinstance(value, dict):
        yield from ("list", "text", "number")
    elif isinstance(value, bool):
        yield from ("text", "number", "list")
    elif isinstance(value, int):
        yield from ("text", "number", "object")
    elif isinstance(value, str):
        yield from ("number", "list", "object")
        if name in WORDS:
            yield "word"


def places(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Any]]:
    """Give every place of an answer that a rate limit's or an address's is not."""
    yield path, value
    inner: Iterable[tuple[Step, Any]] = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for step, each in inner:
        yield from places(each, (*path, step))


Job = Callable[[GitHub], Awaitable[Any]]


async def seen_since(repo: Repo, moment: object) -> tuple[Seen, ...]:
    return (Seen("main", sha("0"), DAY.start),)


def looking(ref: str) -> Job:
    return lambda github: github.find(REPO, ref)


def collecting(github: GitHub) -> Awaitable[Activity]:
    return github.collect(REPO, DAY)


JOBS: dict[str, tuple[str | None, Job]] = {
    "with a token": ("t0ken", collecting),
    "without a token": (None, collecting),
    **{f"look up {ref}": ("t0ken", looking(ref)) for ref in ("12", "9", "aaaa", "v1.0", "v1.1")},
}


async def ask(job: str, change: Mutation | None, seen: dict[str, Any] | None = None) -> Any:
    """Do a job against the invented repository, with one change of its answers."""
    fake = rocket()

    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode()
        if request.url.path == "/graphql":
            document = json.loads(request.content)
            value, asked = fake.graphql(document), "/graphql"
            held = value["data"]["repository"]
            asked += " originals" if "c0" in held else (" pulls" if "p12" in held else "")
        elif path in fake.rest:
            value, asked = fake.answer(path), path
        else:
            return httpx.Response(404, json={"message": "Not Found"})
        value = json.loads(json.dumps(value))
        if seen is not None:
            seen[asked] = json.loads(json.dumps(value))
        if change and change.asked == asked:
            if change.kind == "html":
                return httpx.Response(200, html="<html><h1>Unicorn!</h1></html>")
            value = change.spoil(value)
        return httpx.Response(200, json=value)

    token, work = JOBS[job]
    async with GitHub(
        token=token,
        memory=None,
        clock=lambda: NOW,
        progress=lambda line: None,
        seen_since=seen_since,
        sleep=no_sleep,
        transport=httpx.MockTransport(answer),
    ) as github:
        return await work(github)


async def no_sleep(seconds: float) -> None:
    pass


async def all_mutations() -> list[Mutation]:
    found: list[Mutation] = []
    for job in JOBS:
        seen: dict[str, Any] = {}
        await ask(job, None, seen)
        for asked, value in seen.items():
            found.append(Mutation(job, asked, (), "html"))
            for path, each in places(value):
                name = str(path[-1]) if path else ""
                is_key = bool(path) and isinstance(path[-1], str)
                found += (Mutation(job, asked, path, kind) for kind in kinds(each, name, is_key))
    return found


def facts(told: Activity | Item) -> set[tuple[object, ...]]:
    """Give what may not be lost without a word."""
    if isinstance(told, Item):
        return {("item", told.key), *_of_item("item", told)}
    found: set[tuple[object, ...]] = {("notice", notice.kind) for notice in told.notices}
    for place, items in (("item", told.items), ("later", told.later), ("earlier", told.earlier)):
        for item in items:
            found |= {(place, item.key), *_of_item(place, item)}
    return found


def _of_item(place: str, item: Item) -> Iterator[tuple[object, ...]]:
    if place == "item":
        yield from ((place, item.key, "file", file.path) for file in item.files or ())
    yield from ((place, item.key, "commit", one) for one in item.commits)
    yield from ((place, item.key, "label", one) for one in item.labels)
    yield from ((place, item.key, "closes", one) for one in item.closes)
    yield from ((place, item.key, "event", one.name, one.at) for one in item.events)


def is_silent(before: Activity | Item, after: Activity | Item) -> bool:
    """Tell whether something is lost and no gap that may close says so."""
    if not facts(before) - facts(after):
        return False
    if isinstance(before, Activity) and isinstance(after, Activity):
        known = {english(gap.why) for gap in before.gaps}
        return not any(not gap.lasting for gap in after.gaps if english(gap.why) not in known)
    return not set(after.detail_missing) - set(before.detail_missing)  # type: ignore[union-attr]


async def outcome(change: Mutation, before: Activity | Item) -> str:
    """Give `silent`, `uncaught ERROR`, or nothing where all is well."""
    try:
        after = await ask(change.job, change)
    except InfraError:
        return ""
    except Exception as error:
        return f"uncaught {error!r}"
    if (change.name, change.kind) in LAWFUL:
        return ""
    return f"silent: {sorted(map(str, facts(before) - facts(after)))}" * is_silent(before, after)


async def test_no_odd_answer_stops_anything_or_makes_a_busy_day_quiet() -> None:
    everything = await all_mutations()
    most = 20 * hypothesis.settings().max_examples  # all of them with the thorough profile
    tried = random.Random(SEED).sample(everything, min(most, len(everything)))
    assert len(everything) >= 2_000
    before = {job: await ask(job, None) for job in JOBS}
    wrong = {}
    for change in tried:
        if said := await outcome(change, before[change.job]):
            wrong[change] = said
    assert not wrong, "\n".join(f"{change}: {said}" for change, said in wrong.items())
