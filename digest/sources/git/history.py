"""What git tells about a repository's history: its tip, graph, commits, files and tags."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from digest.errors import BadAnswer, CouldNotLook
from digest.models import FileAt, FileChange
from digest.sources.git.blobs import BlobReader, askable, question
from digest.sources.git.diff import WINDOW_LIMIT, PatchReader, read_files
from digest.sources.git.mirror import is_ancestor
from digest.sources.git.process import GitFailed, GitProcess
from digest.sources.landing import Node
from digest.wording.phrases import SAY

_LAST_SECOND = int(datetime(9999, 12, 30, tzinfo=UTC).timestamp())
_COMMIT_FORMAT = "%H%x00%P%x00%an%x00%at%x00%ct%x00%B"
MOST_PATHS = 500
"""Paths that one run of git is given; for more it lists all."""
MOST_TITLED = 8
"""Commits of one title that are looked at: reverts and relands of it are among them."""
_COMMIT_FIELDS = 6
_TAG_FORMAT = "%00".join(
    f"%({name})"
    for name in (
        "refname:strip=2",
        "objecttype",
        "creatordate:unix",
        "taggername",
        "authorname",
        "contents:subject",
        "contents:body",
    )
)
_TAG_FIELDS = 7
_DIFF = (
    "diff-tree",
    "--stdin",
    "-r",
    "-M",
    "-l1000",
    "--root",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
)
_PLAIN = ("--no-color", "-U3", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as its author wrote it; moments in UTC."""

    sha: str
    parents: tuple[str, ...]
    author: str
    authored_at: datetime
    committed_at: datetime
    message: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a commit; `message` is empty for one without annotation."""

    name: str
    at: datetime
    author: str
    message: str


@dataclass(frozen=True, slots=True)
class Changes:
    """Files by commit, and the commits of which a patch was too large to keep, or is not there."""

    files: dict[str, tuple[FileChange, ...]]
    left_out: frozenset[str] = frozenset()
    unreadable: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tip:
    """The default branch and the SHA of its newest commit (empty without any commit)."""

    branch: str
    sha: str


@dataclass(frozen=True, slots=True)
class History:
    """Asks git about the repository whose git folder is `folder`."""

    git: GitProcess
    folder: Path

    async def tip(self) -> Tip:
        """Find the default branch: that of `origin` where known, else what is checked out.

        A checkout of the same branch with commits of its own comes before `origin`'s.
        """
        here = await self._symbolic("HEAD")
        there = (await self._symbolic("refs/remotes/origin/HEAD")).removeprefix("origin/")
        head, origin = await self.resolve("HEAD"), await self.resolve("refs/remotes/origin/HEAD")
        if origin and (here != there or await is_ancestor(self.git, head, origin, self.folder)):
            return Tip(there, origin)
        if not head and await self._output("for-each-ref", "--count=1", "refs/heads"):
            raise CouldNotLook(SAY.git.no_branch(repr(here)))
        return Tip(here, head)

    async def resolve(self, name: str) -> str:
        """Return the SHA of the commit that a name or short SHA means, empty if there is none."""
        try:
            found = await self._output(
                "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"
            )
        except GitFailed:
            return ""
        return found.strip()

    async def remote(self) -> str:
        """Return the address of `origin`, empty if there is none."""
        try:
            return (await self._output("config", "--get", "remote.origin.url")).strip()
        except GitFailed:
            return ""

    async def shallow(self) -> frozenset[str]:
        """Return the commits at which a shallow clone ends, whose parents are missing."""
        if (await self._output("rev-parse", "--is-shallow-repository")).strip() != "true":
            return frozenset()
        path = (await self._output("rev-parse", "--git-path", "shallow")).strip()
        try:
            return frozenset((self.folder / path).read_text("ascii").split())
        except (OSError, ValueError):
            return frozenset()

    async def graph(self, tip: str) -> list[Node]:
        """Return every commit that is reachable from `tip`."""
        output = await self._output(
            "rev-list", "--parents", "--timestamp", "--end-of-options", tip, "--"
        )
        nodes = []
        for line in output.splitlines():
            seconds, sha, *parents = line.split(" ")
            nodes.append(Node(sha, tuple(parents), _moment(seconds)))
        return nodes

    async def between(self, base: str, head: str) -> list[str]:
        """Return the SHAs that are reachable from `head` and not from `base`, newest first."""
        output = await self._output("rev-list", "--end-of-options", head, f"^{base}", "--")
        return output.split()

    async def tree(self, sha: str, *paths: str) -> dict[str, str]:
        """Return the files of a commit, or those of some paths, each with its content's SHA."""
        output = await self._output(
            "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", sha, *paths
        )
        found = {}
        for record in output.split("\0"):
            about, _, path = record.partition("\t")
            words = about.split(" ")
            if len(words) == 3 and words[1] == "blob":
                found[path] = words[2]
        return found

    async def fork(self, one: str, other: str) -> str:
        """Return the SHA of the newest commit that both come from, empty if there is none."""
        try:
            return (await self._output("merge-base", one, other)).strip()
        except GitFailed:
            return ""

    async def commits(self, shas: Sequence[str]) -> list[Commit]:
        """Return commits in the order asked."""
        if not shas:
            return []
        output = await self._output(
            "log",
            "--stdin",
            "--no-walk=unsorted",
            *("-z", "--encoding=UTF-8", "--no-show-signature", "--no-color", "--no-notes"),
            f"--format=tformat:{_COMMIT_FORMAT}",
            given=_lines(shas),
        )
        return [
            Commit(
                sha, tuple(parents.split()), author, _moment(authored), _moment(committed), message
            )
            for sha, parents, author, authored, committed, message in _records(
                output, _COMMIT_FIELDS
            )
        ]

    async def numbered(self, tip: str, number: int) -> list[str]:
        """Return the commits whose messages hold a pull request's number, newest first."""
        output = await self._output(
            "rev-list",
            "--fixed-strings",
            f"--grep=(#{number})",
            f"--grep=request #{number}",
            f"--grep=!{number}",
            "--end-of-options",
            tip,
            "--",
        )
        return output.split()

    async def titled(self, tip: str, title: str) -> list[str]:
        """Return the newest commits whose messages hold a title, or the beginning of one."""
        output = await self._output(
            "rev-list",
            "--fixed-strings",
            f"--grep={title}",
            f"--max-count={MOST_TITLED}",
            "--end-of-options",
            tip,
            "--",
        )
        return output.split()

    async def before(self, tip: str, moment: datetime, most: int) -> list[tuple[str, list[str]]]:
        """Return the titles and paths of the last commits before a moment on the branch itself."""
        output = await self._output(
            "log",
            "--first-parent",
            "--name-only",
            *("--no-renames", "--no-show-signature", "--no-color", "--no-notes"),
            f"--max-count={most}",
            f"--before={int(moment.timestamp())}",
            "--format=%x00%s",
            "--end-of-options",
            tip,
            "--",
        )
        records = (record.split("\n") for record in output.split("\0")[1:])
        return [(title, [path for path in paths if path]) for title, *paths in records]

    async def listed(self, commits: Sequence[Commit], *options: str) -> Changes:
        """List the files of commits without patches and counts, each against its first parent.

        `options` are further ones of git. Unlike `changes` it needs no content of a file that a
        partial clone may lack.
        """
        query = _lines(" ".join((commit.sha, *commit.parents[:1])) for commit in commits)
        if not query:
            return Changes({})
        listing = await self.git.run([*_DIFF, *options, "--raw", "-z"], at=self.folder, given=query)
        empty: dict[str, tuple[FileChange, ...]] = {one.sha: () for one in commits}
        return Changes(empty | read_files(listing))

    async def changes(self, commits: Sequence[Commit], room: int = WINDOW_LIMIT) -> Changes:
        """Read files and patches of commits, each against its first parent.

        `room` is for the bytes of all patches. Git ends at the first content that the repository
        lacks, without a word of whose it is: halves are tried until that commit stands alone,
        whose files are then listed without a patch.
        """
        try:
            return await self._changes(commits, room)
        except GitFailed:
            if len(commits) == 1:
                listed = await self.listed(
                    commits, "-M100%"
                )  # likeness would be read from contents
                return replace(listed, unreadable=frozenset(listed.files))
        half = len(commits) // 2
        first = await self.changes(commits[:half], room)
        taken = sum(len(one.patch or "") for files in first.files.values() for one in files)
        rest = await self.changes(commits[half:], max(0, room - taken))
        return Changes(
            first.files | rest.files,
            first.left_out | rest.left_out,
            first.unreadable | rest.unreadable,
        )

    async def _changes(self, commits: Sequence[Commit], room: int) -> Changes:
        query = _lines(" ".join((node.sha, *node.parents[:1])) for node in commits)
        if not query:
            return Changes({})
        listing = await self.git.run(
            [*_DIFF, "--raw", "--numstat", "-z"], at=self.folder, given=query
        )
        files, reader = read_files(listing), PatchReader(window_limit=room)
        await self.git.feed(reader.take, [*_DIFF, *_PLAIN, "-p"], at=self.folder, given=query)
        attached: dict[str, tuple[FileChange, ...]] = {}
        left_out: set[str] = set()
        for node in commits:
            listed = files.get(node.sha, ())
            whole = reader.attach(node.sha, listed)
            attached[node.sha] = listed if whole is None else whole
            if whole is None or reader.left_out(node.sha):
                left_out.add(node.sha)
        return Changes(attached, frozenset(left_out))

    async def contents(self, files: Sequence[FileAt]) -> dict[FileAt, str | None]:
        """Read whole files at commits, by one run of git; what it says is in `BlobReader`."""
        wanted = askable(files)
        if not wanted:
            return {}
        reader = BlobReader(wanted)
        await self.git.feed(
            reader.take, ["cat-file", "--batch"], at=self.folder, given=question(wanted)
        )
        found = reader.contents()
        missing: defaultdict[str, list[str]] = defaultdict(list)
        for file in reader.missing():
            missing[file.sha].append(file.path)
        for sha, paths in missing.items():
            few = paths if len(paths) <= MOST_PATHS else ()
            # Of a content that is lost git says what it says of a path that never was.
            for path in (await self.tree(sha, *few)).keys() & set(paths):
                del found[FileAt(sha, path)]
        return found

    async def tags(self, pattern: str = "refs/tags") -> list[Tag]:
        """Return tags of commits; `pattern` narrows them to one full name."""
        output = await self._output("for-each-ref", f"--format={_TAG_FORMAT}%00", "--", pattern)
        tags = []
        for name, kind, at, tagger, author, subject, body in _records(output, _TAG_FIELDS):
            if kind == "tag" and at:
                message = f"{subject}\n\n{body}".strip()
                tags.append(Tag(name.lstrip("\n"), _moment(at), tagger, message))
            elif kind == "commit":
                tags.append(Tag(name.lstrip("\n"), _moment(at), author, ""))
        return tags

    async def _symbolic(self, name: str) -> str:
        try:
            return (await self._output("symbolic-ref", "--quiet", "--short", name)).strip()
        except GitFailed:
            return ""

    async def _output(self, *arguments: str, given: bytes = b"") -> str:
        output = await self.git.run(arguments, at=self.folder, given=given)
        return output.decode("utf-8", "replace")


def _lines(items: Iterable[str]) -> bytes:
    return "".join(f"{item}\n" for item in items).encode()


def _records(output: str, size: int) -> list[list[str]]:
    values = output.split("\0")
    values.pop()
    if len(values) % size:
        raise BadAnswer(SAY.git.bad_list)
    return [values[start : start + size] for start in range(0, len(values), size)]


def _moment(seconds: str) -> datetime:
    """Read seconds since 1970; what no calendar holds becomes its nearest end."""
    try:
        number = int(seconds)
    except ValueError:
        number = 0
    return datetime.fromtimestamp(min(max(number, 0), _LAST_SECOND), UTC)
