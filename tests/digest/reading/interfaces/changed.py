"""A change made of two small trees, and what is read from it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import unified_diff

from digest.facts import Fact
from digest.models import FileAt, FileChange, Item, Kind, Repo, State
from digest.reading.interfaces.facts import interface_facts
from digest.reading.interfaces.place import wanted

REPO = Repo("example", "rocket")
BEFORE, AFTER = "b" * 40, "a" * 40
Tree = Mapping[str, str]
Told = tuple[str, str, str, str | None, str | None]


def item_of(
    before: Tree,
    after: Tree,
    *,
    sha: str = AFTER,
    parent: str = BEFORE,
    repo: Repo = REPO,
    renamed: Mapping[str, str] | None = None,
    title: str = "Change",
) -> Item:
    """Make the commit that turns one tree into the other; `renamed` is new path to old."""
    old_paths = dict(renamed or {})
    files = []
    for path in sorted({*before, *after} - set(old_paths.values())):
        old_path = old_paths.get(path, path)
        old, new = before.get(old_path), after.get(path)
        if old == new and old_path == path:
            continue
        lines = list(
            unified_diff((old or "").splitlines(), (new or "").splitlines(), lineterm="", n=3)
        )[2:]
        status = "added" if old is None else "removed" if new is None else "modified"
        files.append(
            FileChange(
                path,
                "renamed" if path in old_paths else status,
                sum(line.startswith("+") for line in lines),
                sum(line.startswith("-") for line in lines),
                "\n".join(lines),
                old_paths.get(path),
            )
        )
    return Item(
        key=f"{repo}:commit:{sha}",
        repo=repo,
        kind=Kind.COMMIT,
        ref=sha[:7],
        title=title,
        url="",
        author="ada",
        at=datetime(2026, 3, 2, tzinfo=UTC),
        state=State.MERGED,
        commits=(sha,),
        parents=(parent,),
        files=tuple(files),
    )


def facts_between(before: Tree, after: Tree, **more: object) -> tuple[Fact, ...]:
    """Return the facts of a change, having checked that each quote stands where it says."""
    item = item_of(before, after, **more)  # type: ignore[arg-type] # passed on as given
    trees = {item.parents[0]: before, item.commits[0]: after}
    contents = {at: trees[at.sha].get(at.path) for at in wanted([item])}
    facts = interface_facts([item], contents)
    check_evidence(facts, before, after)
    return facts


def check_evidence(facts: tuple[Fact, ...], before: Tree, after: Tree) -> None:
    """Fail where a quote does not stand on its side of its file at its line."""
    for fact in facts:
        assert fact.evidence, fact
        for evidence in fact.evidence:
            if evidence.line is None:
                continue
            text = (after if evidence.side == "+" else before)[evidence.path]
            line = text.split("\n")[evidence.line - 1]
            assert evidence.quote, evidence
            assert evidence.quote in line, evidence


def told(facts: tuple[Fact, ...]) -> list[Told]:
    """Return what the facts say, without where it stands."""
    return [
        (fact.subject or "", fact.change.value, fact.name, fact.before, fact.after)
        for fact in facts
    ]


def at(sha: str, path: str) -> FileAt:
    """Name a file at a commit."""
    return FileAt(sha, path)
