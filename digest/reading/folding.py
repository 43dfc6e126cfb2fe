"""Commits folded into the pull requests that brought them: one change, told once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from digest.models import FileChange, Item, Kind, State
from digest.reading.description import TITLE_READ

TITLE_NUMBER = re.compile(r"\(#(\d{1,9})\)\s*$")
"""GitHub ends the title of a squash commit with the number of its pull request.

https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/about-pull-request-merges
"""

MERGE_TITLE = re.compile(r"^Merge pull request #(\d{1,9}) from \S")
BRINGS_MAIN = re.compile(
    r"^Merge (?:remote-tracking )?branch '(?:[\w.-]{1,60}/)?(main|master|trunk)'"
    r"(?: of \S+)?(?: into '?(\S+?)'?)?$"
)
"""Git's own title of a merge. https://git-scm.com/docs/git-fmt-merge-msg"""
REVERT_TITLE = re.compile(r"^\s*(?:\[[^\]]{0,40}\]\s*)?revert\b", re.IGNORECASE)
COMMIT_LINK = "/commit/"


def fold(items: Iterable[Item]) -> tuple[Item, ...]:
    """Give the same facts with every commit told once, in order of landing, then by key.

    A commit goes into the pull request that its source, its title `… (#N)` or its merge names;
    where that pull request is not among the items, the commits become it. Commits without one
    stay as they are. `Item.commits` of the result names every SHA of `items` exactly once.
    """
    known: dict[str, Item] = {}
    for item in sorted(items, key=lambda one: (one.at, one.key)):
        known.setdefault(item.key, item)
    commits = [item for item in known.values() if item.kind is Kind.COMMIT]
    pulls = {
        item.number: item
        for item in known.values()
        if item.kind is Kind.PULL_REQUEST and item.number is not None
    }
    issues = {item.number for item in known.values() if item.kind is Kind.ISSUE}
    carried = _assign(commits, pulls, issues)
    claimed: set[str] = set()
    folded: list[Item] = []
    for commit in commits:
        if _sha(commit) not in carried and _sha(commit) not in claimed:
            claimed.add(_sha(commit))
            folded.append(replace(commit, commits=(_sha(commit),)))
    by_number: dict[int, list[Item]] = {}
    for commit in commits:
        number = carried.get(_sha(commit))
        if number is not None and _sha(commit) not in claimed:
            claimed.add(_sha(commit))
            by_number.setdefault(number, []).append(commit)
    for number, group in by_number.items():
        pull = pulls.get(number)
        folded.append(_joined(pull, group) if pull else _pull_from(number, group))
    for key, item in known.items():
        if item.kind is Kind.COMMIT or (item.number in by_number and _is_pull(item)):
            continue
        left = tuple(sha for sha in dict.fromkeys(item.commits) if sha not in claimed)
        claimed.update(left)
        folded.append(replace(known[key], commits=left))
    return tuple(sorted(folded, key=lambda one: (one.at, one.key)))


def brings_main(item: Item) -> bool:
    """Tell whether a merge commit only brings the main branch into another one.

    What it changes against its first parent is what the main branch had already.
    """
    return (
        item.kind is Kind.COMMIT
        and len(item.parents) > 1
        and BRINGS_MAIN.match(item.title[:TITLE_READ].strip()) is not None
    )


def _is_pull(item: Item) -> bool:
    return item.kind is Kind.PULL_REQUEST


def _sha(commit: Item) -> str:
    """The SHA of a commit: its key ends with it, whatever its source put into `commits`."""
    return commit.commits[0] if commit.commits else commit.key.rpartition(":")[2]


def _assign(
    commits: Sequence[Item], pulls: Mapping[int, Item], issues: set[int | None]
) -> dict[str, int]:
    """SHA to pull request number for every commit that has one."""
    listed = {sha: number for number, pull in pulls.items() for sha in pull.commits}
    squashed = {
        number
        for commit in commits
        if not REVERT_TITLE.match(commit.title)
        and (number := _number_in_title(commit.title)) is not None
    }
    found: dict[str, int] = {}
    for commit in commits:
        number = commit.pull_request or listed.get(_sha(commit))
        if number is None:
            number = _named_number(commit, pulls, issues, squashed)
        if number is not None:
            found[_sha(commit)] = number
    _follow_merges(commits, found)
    return found


def _number_in_title(title: str) -> int | None:
    match = TITLE_NUMBER.search(title[-40:])
    return int(match.group(1)) if match else None


def bare_title(title: str) -> str:
    """The title without the number of its own pull request at the end."""
    if _number_in_title(title) is None:
        return title
    return title[: title.rindex("(#")].rstrip()


def _named_number(
    commit: Item, pulls: Mapping[int, Item], issues: set[int | None], squashed: set[int]
) -> int | None:
    """The number that a commit's own title gives, unless it names something else."""
    merge = MERGE_TITLE.match(commit.title)
    number = int(merge.group(1)) if merge else _number_in_title(commit.title)
    if number is None or number in pulls:
        return number
    names_its_original = bool(REVERT_TITLE.match(commit.title)) and number in squashed
    elsewhere = commit.url.partition(COMMIT_LINK)[0].endswith("/-")
    return None if number in issues or names_its_original or elsewhere else number


@dataclass(frozen=True, slots=True)
class _History:
    by_sha: Mapping[str, Item]
    mainline: frozenset[str]


def _follow_merges(commits: Sequence[Item], found: dict[str, int]) -> None:
    """Give commits that a pull request's merge carried, and nobody claims, to that request."""
    by_sha = {_sha(commit): commit for commit in commits}
    history = _History(by_sha, _mainline(by_sha))
    for commit in commits:
        number = found.get(_sha(commit))
        if number is None or len(commit.parents) < 2:
            continue
        waiting = list(commit.parents[1:])
        while waiting:
            sha = waiting.pop()
            if sha in history.by_sha and sha not in history.mainline and sha not in found:
                found[sha] = number
                waiting.extend(history.by_sha[sha].parents)


def _mainline(by_sha: Mapping[str, Item]) -> frozenset[str]:
    """SHAs on the first-parent way of each tip: they reached the branch by themselves."""
    parents = {parent for commit in by_sha.values() for parent in commit.parents}
    line: set[str] = set()
    for tip in by_sha.keys() - parents:
        sha = tip
        while sha in by_sha and sha not in line:
            line.add(sha)
            sha = next(iter(by_sha[sha].parents), "")
    return frozenset(line)


def _joined(pull: Item, group: Sequence[Item]) -> Item:
    """A known pull request with its commits; what it lacks comes from them."""
    files = _better_files(pull.files, _files_of(group))
    additions, deletions = pull.additions, pull.deletions
    if not additions and not deletions:
        additions = sum(file.additions for file in files or ())
        deletions = sum(file.deletions for file in files or ())
    return replace(
        pull,
        commits=tuple(_sha(commit) for commit in group),
        files=files,
        additions=additions,
        deletions=deletions,
        body=pull.body or (group[-1].body if "body" in pull.detail_missing else ""),
    )


def _pull_from(number: int, group: Sequence[Item]) -> Item:
    """The pull request that these commits tell of, where its own record was not read."""
    merge = next((one for one in reversed(group) if _merges(one)), None)
    named = next((one for one in reversed(group) if _number_in_title(one.title) == number), None)
    teller = merge or named or group[0]
    written = next((one for one in reversed(group) if one is not merge), teller)
    title, body = bare_title(teller.title), teller.body
    if merge is not None and MERGE_TITLE.match(merge.title) and merge.body.strip():
        title, _, body = merge.body.strip().partition("\n")
    files = _files_of(group)
    base, link, _ = teller.url.partition(COMMIT_LINK)
    return replace(
        teller,
        key=f"{teller.repo}:{Kind.PULL_REQUEST.value}:{number}",
        kind=Kind.PULL_REQUEST,
        ref=f"#{number}",
        title=title or teller.title,
        url=f"{base}/pull/{number}" if link else "",
        author=written.author,
        author_is_bot=written.author_is_bot,
        at=max(one.at for one in group),
        state=State.MERGED,
        body=body.strip(),
        number=number,
        pull_request=None,
        merged_by=merge.author if merge is not None and merge is not written else teller.merged_by,
        commits=tuple(_sha(one) for one in group),
        closes=tuple(sorted({issue for one in group for issue in one.closes})),
        files=files,
        additions=sum(file.additions for file in files) if files else teller.additions,
        deletions=sum(file.deletions for file in files) if files else teller.deletions,
    )


def _merges(commit: Item) -> bool:
    """A merge, whether its title is still git's or already the pull request's own."""
    return len(commit.parents) > 1 or MERGE_TITLE.match(commit.title) is not None


def _files_of(group: Sequence[Item]) -> tuple[FileChange, ...] | None:
    """The files of a change: those of its merge, else of all its commits together."""
    own = [one for one in group if not brings_main(one)] or group
    merge = next((one for one in reversed(own) if len(one.parents) > 1 and one.files), None)
    if merge is not None:
        return merge.files
    read = [one.files for one in own if one.files is not None]
    if not read:
        return None
    if len(read) == 1:
        return read[0]
    joined: dict[str, FileChange] = {}
    for file in (file for files in read for file in files):
        before = joined.get(file.path)
        joined[file.path] = _one_file(before, file) if before else file
    return tuple(joined.values())


def _one_file(before: FileChange, after: FileChange) -> FileChange:
    patches = [patch for patch in (before.patch, after.patch) if patch]
    return FileChange(
        path=after.path,
        status=before.status if after.status == "modified" else after.status,
        additions=before.additions + after.additions,
        deletions=before.deletions + after.deletions,
        patch="\n".join(patches) or None,
        previous_path=after.previous_path or before.previous_path,
    )


def _better_files(
    own: tuple[FileChange, ...] | None, theirs: tuple[FileChange, ...] | None
) -> tuple[FileChange, ...] | None:
    """The list that has patches, else the pull request's own, else the commits'."""
    if own is None or theirs is None:
        return theirs if own is None else own
    patched = any(file.patch is not None for file in own)
    return theirs if not patched and any(file.patch is not None for file in theirs) else own
