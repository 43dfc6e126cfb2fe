"""What git tells about a repository: its tip, graph, commits, files, patches and tags, as items.

Formats: https://git-scm.com/docs/diff-format. Patches may be of any size: `PatchReader` takes them
piece by piece and keeps no more than its limits.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from digest.errors import BadAnswer, CouldNotLook
from digest.models import FileAt, FileChange, Item, Kind, Repo, State
from digest.reading.releases import PRERELEASE
from digest.sources.forge import Forge
from digest.sources.git.process import LOCAL_SECONDS, NO_FETCH, GitFailed, GitProcess
from digest.sources.landing import Landing, Node
from digest.sources.message import CommitMessage, parse, tag_notes
from digest.wording.phrases import SAY

FILE_LIMIT = 1_000_000
"""Bytes of one file's patch above which it is not kept."""

WINDOW_LIMIT = 16_000_000
"""Bytes of all patches of one collection above which further ones are not kept."""

_NAME = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STATUS = {
    "A": "added",
    "M": "modified",
    "D": "removed",
    "R": "renamed",
    "C": "copied",
    "T": "changed",
}


def read_files(output: bytes) -> dict[str, tuple[FileChange, ...]]:
    """Read `--raw --numstat -z`: files by commit SHA, without patches; `BadAnswer` if it is cut.

    Added and deleted lines of a binary file are 0.
    """
    files: dict[str, list[FileChange]] = {}
    counted: list[FileChange] = []
    position = 0
    tokens = iter(output.split(b"\0")[:-1])
    try:
        for token in tokens:
            if token.startswith(b":"):
                counted.append(_raw(token, tokens))
            elif _NAME.fullmatch(token):
                counted, position = files.setdefault(token.decode(), []), 0
            elif token:
                counted[position] = _counted(counted[position], token, tokens)
                position += 1
    except (StopIteration, IndexError, ValueError) as error:
        raise BadAnswer(SAY.git.bad_files) from error
    return {sha: tuple(changes) for sha, changes in files.items()}


def _raw(token: bytes, tokens: Iterator[bytes]) -> FileChange:
    letter = token.rsplit(b" ", 1)[1][:1].decode()
    path = _text(next(tokens))
    previous = None
    if letter in "RC":
        previous, path = path, _text(next(tokens))
    return FileChange(path, _STATUS.get(letter, "changed"), 0, 0, None, previous)


def _counted(change: FileChange, token: bytes, tokens: Iterator[bytes]) -> FileChange:
    additions, deletions, path = token.split(b"\t", 2)
    if not path:
        next(tokens), next(tokens)
    if additions == b"-":
        return change
    return replace(change, additions=int(additions), deletions=int(deletions))


def _text(raw: bytes | bytearray) -> str:
    return raw.decode("utf-8", "replace")


@dataclass(slots=True)
class PatchReader:
    """Takes the output of `diff-tree --stdin -p` in pieces; `attach` gives files their patches.

    `room` is for the bytes of all patches.
    """

    room: int = WINDOW_LIMIT
    _patches: defaultdict[str, list[bytearray | None]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _files: list[bytearray | None] = field(default_factory=list)
    _pending: bytes = b""
    _in_hunk: bool = False

    def take(self, piece: bytes) -> None:
        """Read the next piece of output, cut anywhere."""
        *lines, self._pending = (self._pending + piece).split(b"\n")
        for line in lines:
            self._line(line)

    def _line(self, line: bytes) -> None:
        if self._in_hunk and line[:1] in (b" ", b"+", b"-", b"\\", b"@"):
            self._keep(line)
        elif line.startswith(b"diff --git "):
            self._files.append(bytearray())
            self._in_hunk = False
        elif _NAME.fullmatch(line):
            self._files = self._patches[line.decode()]
            self._in_hunk = False
        elif line.startswith(b"@@ "):
            self._in_hunk = True
            self._keep(line)

    def _keep(self, line: bytes) -> None:
        patch = self._files[-1] if self._files else None
        if patch is None:
            return
        patch += line + b"\n"
        self.room -= len(line) + 1
        if len(patch) > FILE_LIMIT or self.room < 0:
            self.room += len(patch)
            self._files[-1] = None

    def attach(self, sha: str, files: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        """Return the files of a commit with their patches; without, where these do not match."""
        patches = self._patches[sha]
        # A file that became a link, or the like, is shown as one file removed and one added.
        shown = [2 if change.status == "changed" else 1 for change in files]
        if sum(shown) != len(patches):
            return files
        given = iter(patches)
        return tuple(
            replace(change, patch=_joined([next(given) for _ in range(count)]))
            for change, count in zip(files, shown, strict=True)
        )


def _joined(patches: list[bytearray | None]) -> str | None:
    whole = bytearray()
    for patch in patches:
        if patch is None:
            return None
        whole += patch
    return _text(whole[:-1]) if whole else None


MOST_PATHS = 500
"""Paths that one run of git is given; for more it lists all."""

MOST_TITLED = 8
"""Commits of one title that are looked at: reverts and relands of it are among them."""

BLOB_LIMIT = 1_000_000
"""Bytes above which a file is not read: it is no source that people wrote."""

TOTAL_LIMIT = 64_000_000
"""Bytes of all files of one question above which further ones are not read."""

BLOBS_AT_ONCE = 500

ALIKE_SECONDS = 60
"""How long patches of two branches may be compared."""

_LAST_SECOND = int(datetime(9999, 12, 30, tzinfo=UTC).timestamp())
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OBJECT = re.compile(rb"([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)")
_COMMIT_FORMAT = "%H%x00%P%x00%an%x00%ct%x00%B"
_COMMIT_FIELDS = 5
_TAG_NAMES = (
    "refname:strip=2",
    "objecttype",
    "objectname",
    "*objecttype",
    "*objectname",
    "creatordate:unix",
    "taggername",
    "authorname",
    "contents:subject",
    "contents:body",
)
_TAG_FORMAT = "%00".join(f"%({name})" for name in _TAG_NAMES)
_DIFF = (
    *("-c", "core.bigFileThreshold=4m"),  # larger files have no patch, so that none fills memory
    *("diff-tree", "--stdin", "-r", "-M", "-l1000", "--root"),
    *("--no-ext-diff", "--no-textconv", "--ignore-submodules=none"),
)
_PLAIN = ("--no-color", "-U3", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short")
_LOG = ("--no-show-signature", "--no-color", "--no-notes")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as its author wrote it; moments in UTC."""

    sha: str
    parents: tuple[str, ...]
    author: str
    committed_at: datetime
    message: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a commit; `message` is empty for one without annotation.

    `commit` is empty where it stands on something else, as on another tag.
    """

    name: str
    commit: str
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
        here = await self._maybe("symbolic-ref", "--quiet", "--short", "HEAD")
        there = await self._maybe("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
        there = there.removeprefix("origin/")
        head, origin = await self.resolve("HEAD"), await self.resolve("refs/remotes/origin/HEAD")
        if origin and (here != there or await self.is_ancestor(head, origin)):
            return Tip(there, origin)
        if not head and await self._output(
            "for-each-ref", "--count=1", "refs/heads", "refs/remotes"
        ):
            raise CouldNotLook(SAY.git.no_branch(repr(here)))
        return Tip(here, head)

    async def resolve(self, name: str) -> str:
        """Return the SHA of the commit that a name or short SHA means, empty if there is none."""
        return await self._maybe(
            "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"
        )

    async def is_ancestor(self, older: str, newer: str) -> bool:
        """Return whether one commit is another, or reachable from it."""
        try:
            await self._output("merge-base", "--is-ancestor", older, newer)
        except GitFailed:
            return False
        return True

    async def remote(self) -> str:
        """Return the address of `origin`, else of `upstream` or the first one, else nothing."""
        listed = await self._maybe("config", "--get-regexp", r"^remote\..*\.url$")
        pairs = (line.partition(" ") for line in listed.splitlines())
        found = {key.removeprefix("remote.").removesuffix(".url"): url for key, _, url in pairs}
        first = next(iter(found.values()), "")
        return found.get("origin") or found.get("upstream") or first

    async def state(self) -> str:
        """Return what is another whenever a ref, the tip, a remote or the depth of the clone is."""
        parts = (
            await self._output("for-each-ref", "--format=%(objectname) %(refname) %(symref)"),
            await self._maybe("symbolic-ref", "--quiet", "HEAD"),
            await self.resolve("HEAD"),
            await self.remote(),
            *sorted(await self.shallow()),
        )
        return sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    async def shallow(self) -> frozenset[str]:
        """Return the commits at which a shallow clone ends, whose parents are missing."""
        path = (await self._output("rev-parse", "--git-path", "shallow")).strip()
        try:
            return frozenset((self.folder / path).read_text("ascii").split())
        except (OSError, ValueError):
            return frozenset()

    async def graph(self, tip: str) -> list[Node]:
        """Return every commit that is reachable from `tip`."""
        nodes = []
        for line in await self._listed("--parents", "--timestamp", "--end-of-options", tip):
            seconds, sha, *parents = line.split(" ")
            nodes.append(Node(sha, tuple(parents), _moment(seconds)))
        return nodes

    async def between(self, base: str, head: str) -> list[str]:
        """Return the SHAs that are reachable from `head` and not from `base`, newest first."""
        return await self._listed("--end-of-options", head, f"^{base}")

    async def alike(self, base: str, head: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return commits that only `base` has, each with the one of `head` that does the very same.

        Besides, those that do the contrary of one that has its like, with that. Empty where git
        can't tell in `ALIKE_SECONDS`, as of contents that the repository lacks.
        """
        sides = f"{base}...{head}"
        try:
            listed = await self._output(
                "rev-list", "--cherry-mark", "--no-merges", sides, "--", seconds=ALIKE_SECONDS
            )
            marked = [line[1:] for line in listed.splitlines() if line.startswith("=")]
            if not marked:
                return {}, {}
            ids = await self._patch_ids(marked)
            bases = await self.between(head, base)
        except CouldNotLook:
            return {}, {}
        try:
            contrary = await self._patch_ids(await self._beside(marked, bases), *_UNDONE)
        except CouldNotLook:
            contrary = {}
        of_base = frozenset(bases)
        ours = {patch: sha for sha, patch in ids.items() if sha not in of_base}
        return (
            {sha: ours[patch] for sha, patch in ids.items() if sha in of_base and patch in ours},
            {sha: ours[patch] for sha, patch in contrary.items() if patch in ours},
        )

    async def _patch_ids(self, shas: Sequence[str], *options: str) -> dict[str, str]:
        """Return what git calls the change of each commit, or with `_UNDONE` what undoes it."""
        diff = ("diff-tree", "--stdin", "-p", "--no-ext-diff", "--no-textconv", *options)
        patches = await self.git.run(diff, at=self.folder, given=_lines(shas)) if shas else b""
        ids = (await self._output("patch-id", "--stable", given=patches)).splitlines()
        return {sha: patch for patch, sha in map(str.split, ids)}

    async def _beside(self, marked: Sequence[str], shas: Sequence[str]) -> list[str]:
        """Return which commits, none of the marked ones, touch the very files of one of these."""
        listed = await self._output(
            "diff-tree", "--stdin", "-r", "--name-only", "--root", given=_lines(shas)
        )
        known, given = frozenset(shas), frozenset(marked)
        files: defaultdict[str, list[str]] = defaultdict(list)
        sha = ""
        for line in listed.splitlines():
            if line in known:
                sha = line
            else:
                files[sha].append(line)
        picked = {tuple(files[sha]) for sha in given if sha in files}
        return [sha for sha in files if sha not in given and tuple(files[sha]) in picked]

    async def numbered(self, tip: str, number: int) -> list[str]:
        """Return the commits whose messages hold a pull request's number, newest first."""
        forms = (f"(#{number})", f"request #{number}", f"!{number}")
        greps = [f"--grep={form}" for form in forms]
        return await self._listed("--fixed-strings", *greps, "--end-of-options", tip)

    async def titled(self, tip: str, title: str) -> list[str]:
        """Return the newest commits whose messages hold a title, or the beginning of one."""
        options = ("--fixed-strings", f"--grep={title}", f"--max-count={MOST_TITLED}")
        return await self._listed(*options, "--end-of-options", tip)

    async def fork(self, one: str, other: str) -> str:
        """Return the SHA of the newest commit that both come from, empty if there is none."""
        return await self._maybe("merge-base", one, other)

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

    async def commits(self, shas: Sequence[str]) -> list[Commit]:
        """Return commits in the order asked."""
        if not shas:
            return []
        options = ("--stdin", "--no-walk=unsorted", "-z", "--encoding=UTF-8", *_LOG)
        output = await self._output(
            "log", *options, f"--format=tformat:{_COMMIT_FORMAT}", given=_lines(shas)
        )
        return [
            Commit(sha, tuple(parents.split()), author, _moment(committed), message)
            for sha, parents, author, committed, message in _records(output, _COMMIT_FIELDS)
        ]

    async def before(self, tip: str, moment: datetime, most: int) -> list[tuple[str, list[str]]]:
        """Return the titles and paths of the last commits before a moment on the branch itself."""
        options = ("--first-parent", "--name-only", "--no-renames", *_LOG)
        limits = (f"--max-count={most}", f"--before={int(moment.timestamp())}")
        output = await self._output(
            "log", *options, *limits, "--format=%x00%s", "--end-of-options", tip, "--"
        )
        records = (record.split("\n") for record in output.split("\0")[1:])
        return [(title, [path for path in paths if path]) for title, *paths in records]

    async def listed(self, commits: Sequence[Commit], *options: str) -> Changes:
        """List the files of commits without patches and counts, each against its first parent.

        `options` are further ones of git. Unlike `changes` it needs no content of a file that a
        partial clone may lack.
        """
        listing = await self._diff(commits, *options, "--raw", "-z")
        empty: dict[str, tuple[FileChange, ...]] = {one.sha: () for one in commits}
        return Changes(empty | read_files(listing))

    async def changes(self, commits: Sequence[Commit], room: int = WINDOW_LIMIT) -> Changes:
        """Read files and patches of commits, each against its first parent.

        `room` is for the bytes of all patches. Git ends at the first content that the repository
        lacks: then each commit is read by itself, and one that lacks it is listed without patches.
        """
        if not commits:
            return Changes({})
        try:
            return await self._changes(commits, room)
        except GitFailed:
            if len(commits) == 1:
                listed = await self.listed(commits, "-M100%")  # likeness is read from contents
                return Changes(listed.files, unreadable=frozenset(listed.files))
        parts = [await self.changes([one], room // len(commits)) for one in commits]
        return Changes(
            {sha: files for part in parts for sha, files in part.files.items()},
            frozenset().union(*(part.left_out for part in parts)),
            frozenset().union(*(part.unreadable for part in parts)),
        )

    async def _changes(self, commits: Sequence[Commit], room: int) -> Changes:
        files = read_files(await self._diff(commits, "--raw", "--numstat", "-z"))
        reader = PatchReader(room)
        await self.git.feed(
            reader.take, [*_DIFF, *_PLAIN, "-p"], at=self.folder, given=_pairs(commits)
        )
        attached = {one.sha: reader.attach(one.sha, files.get(one.sha, ())) for one in commits}
        left_out = {
            sha
            for sha, changes in attached.items()
            if any(one.patch is None and one.additions + one.deletions for one in changes)
        }
        return Changes(attached, frozenset(left_out))

    async def _diff(self, commits: Sequence[Commit], *options: str) -> bytes:
        if not commits:
            return b""
        return await self.git.run([*_DIFF, *options], at=self.folder, given=_pairs(commits))

    async def contents(self, files: Sequence[FileAt]) -> dict[FileAt, str | None]:
        """Read whole files at commits.

        A file at a commit that is not there, one that is too large, and one of which the content is
        lost are absent; one that the commit does not have, a folder and what is no text are None.
        """
        wanted = [
            file
            for file in dict.fromkeys(files)
            if _SHA.fullmatch(file.sha) and not re.search(r"[\n\0]", file.path)
        ]
        if not wanted:
            return {}
        commits = list(dict.fromkeys(file.sha for file in wanted))
        names = [f"{sha}^{{commit}}" for sha in commits]
        names += [f"{file.sha}:{file.path}" for file in wanted]
        about = await self.git.run(
            ["cat-file", "--batch-check"], at=self.folder, given=_lines(names)
        )
        objects = [_OBJECT.fullmatch(line) for line in about.split(b"\n")[:-1]]
        there = {sha for sha, match in zip(commits, objects, strict=False) if match}
        found: dict[FileAt, str | None] = {}
        blobs: dict[FileAt, str] = {}
        missing: defaultdict[str, list[str]] = defaultdict(list)
        room = TOTAL_LIMIT
        for file, match in zip(wanted, objects[len(commits) :], strict=False):
            if file.sha not in there:
                continue
            if match is None:
                missing[file.sha].append(file.path)
            elif match[2] != b"blob":
                found[file] = None
            elif (size := int(match[3])) <= min(room, BLOB_LIMIT):
                room -= size
                blobs[file] = match[1].decode()
        for sha, paths in missing.items():
            # Of a content that is lost git says what it says of a path that never was.
            lost = await self.tree(sha, *(paths if len(paths) <= MOST_PATHS else ()))
            found |= {FileAt(sha, path): None for path in paths if path not in lost}
        texts = await read_blobs(self.git, self.folder, blobs.values())
        return found | {file: texts[sha] for file, sha in blobs.items() if sha in texts}

    async def lines_with(
        self, sha: str, words: Collection[str], endings: Collection[str]
    ) -> list[tuple[str, str]]:
        """Return the lines of a commit's files that have one of some words, each with its path.

        `sha` is whole. Of texts whose names end so. Raises `GitFailed` where a content is lost.
        """
        plain = ("--no-line-number", "--no-column", "--no-color", "--full-name")
        patterns = (part for word in words for part in ("-e", word))
        paths = (f"*{ending}" for ending in endings)
        looked = ("grep", "-z", "-I", "-F", "-w", *plain, *patterns, sha, "--", *paths)
        try:
            output = await self.git.run([*NO_FETCH, *looked], at=self.folder, strictly=True)
        except GitFailed as error:
            if error.status != 1 or error.written.strip():
                raise
            return []  # it ends so where it finds nothing
        lines = output.decode("utf-8", "replace").split("\n")
        rows = (line.split("\0", 1) for line in lines if "\0" in line)
        return [(path.removeprefix(f"{sha}:"), line) for path, line in rows]

    async def tags(self, pattern: str = "refs/tags") -> list[Tag]:
        """Return tags of commits; `pattern` narrows them to one full name."""
        output = await self._output("for-each-ref", f"--format={_TAG_FORMAT}%00", "--", pattern)
        tags = []
        for name, kind, sha, of, inner, at, *words in _records(output, len(_TAG_NAMES)):
            tagger, author, subject, body = words
            if kind == "tag" and at:
                commit = inner if of == "commit" else ""
                message = f"{subject}\n\n{body}".strip()
                tags.append(Tag(name.lstrip("\n"), commit, _moment(at), tagger, message))
            elif kind == "commit":
                tags.append(Tag(name.lstrip("\n"), sha, _moment(at), author, ""))
        return tags

    async def tags_between(self, base: str, head: str) -> list[str]:
        """Return the names of tags of one commit's history that are not of another's."""
        output = await self._output("tag", "--merged", head, "--no-merged", base)
        return output.splitlines()

    async def _listed(self, *arguments: str) -> list[str]:
        return (await self._output("rev-list", *arguments, "--")).splitlines()

    async def _maybe(self, *arguments: str) -> str:
        """Return what git says, empty where it has no answer."""
        try:
            return (await self._output(*arguments)).strip()
        except GitFailed:
            return ""

    async def _output(
        self, *arguments: str, given: bytes = b"", seconds: float = LOCAL_SECONDS
    ) -> str:
        output = await self.git.run(arguments, at=self.folder, given=given, seconds=seconds)
        return output.decode("utf-8", "replace")


async def read_blobs(
    git: GitProcess, folder: Path, shas: Iterable[str], *options: str
) -> dict[str, str | None]:
    """Read contents by their SHA; None for what is no text, absent for what is not there."""
    wanted = list(dict.fromkeys(shas))
    found: dict[str, str | None] = {}
    for at in range(0, len(wanted), BLOBS_AT_ONCE):
        given = _lines(wanted[at : at + BLOBS_AT_ONCE])
        output = await git.run([*options, "cat-file", "--batch"], at=folder, given=given)
        start = 0
        while (end := output.find(b"\n", start)) >= 0:
            match = _OBJECT.fullmatch(output[start:end])
            start = end + 1
            if match:
                content = output[start : start + int(match[3])]
                is_text = b"\0" not in content
                found[match[1].decode()] = content.decode("utf-8", "replace") if is_text else None
                start += len(content) + 1
    return found


def _pairs(commits: Sequence[Commit]) -> bytes:
    return _lines(" ".join((commit.sha, *commit.parents[:1])) for commit in commits)


_UNDONE = ("-R", "--src-prefix=b/", "--dst-prefix=a/")
"""As if a commit were undone; git turns the prefixes, too, which are part of a patch's name."""


def _lines(items: Iterable[str]) -> bytes:
    return "".join(f"{item}\n" for item in items).encode("utf-8", "surrogateescape")


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


_BOTS = frozenset(
    {
        "copybara-service",
        "dependabot",
        "dependabot-preview",
        "github-actions",
        "greenkeeper",
        "mergify",
        "pre-commit-ci",
        "renovate",
        "renovate bot",
        "snyk-bot",
        "weblate",
    }
)


def commit_items(
    repo: Repo,
    forge: Forge | None,
    commits: Sequence[Commit],
    landed: Mapping[str, Landing],
    changes: Changes | None,
) -> list[Item]:
    """Make items of commits, each at the moment (UTC) at which it landed, by its commit date else.

    A merge gives its pull request to the commits that it brought. Without `changes` the items
    have no files. A forge of no known kind has no numbers that lead to its pull requests.
    """
    on_forge = forge is not None and forge.kind != ""
    squash_numbers = forge is not None and forge.kind not in ("", "gitlab")
    messages = {
        commit.sha: parse(commit.message, squash_numbers=squash_numbers) for commit in commits
    }
    items = []
    for commit in commits:
        own, landing = messages[commit.sha], landed.get(commit.sha)
        item = _item(repo, forge, commit, own, changes)
        bringer = messages.get(landing.by, own) if landing else own
        number = own.pull_request if own.pull_request is not None else bringer.pull_request
        items.append(
            replace(
                item,
                at=landing.at if landing else commit.committed_at,
                pull_request=number if on_forge else None,
                closes=own.closes if on_forge else (),
            )
        )
    return items


def _item(
    repo: Repo, forge: Forge | None, commit: Commit, message: CommitMessage, changes: Changes | None
) -> Item:
    files = changes.files.get(commit.sha) if changes else None
    missing: tuple[str, ...] = ()
    if files is None:
        missing = ("files", "patches")
    elif changes and commit.sha in changes.left_out | changes.unreadable:
        missing = ("patches",)
    counted: tuple[FileChange, ...] = files or ()
    return Item(
        key=f"{repo}:commit:{commit.sha}",
        repo=repo,
        kind=Kind.COMMIT,
        ref=commit.sha[:7],
        title=message.title or commit.sha[:7],
        url=forge.commit_url(commit.sha) if forge else "",
        author=commit.author,
        author_is_bot=_is_bot(commit.author),
        at=commit.committed_at,
        state=State.MERGED,
        body=message.body,
        commits=(commit.sha,),
        parents=commit.parents,
        files=files,
        additions=sum(change.additions for change in counted),
        deletions=sum(change.deletions for change in counted),
        detail_missing=missing,
    )


def tag_item(repo: Repo, forge: Forge | None, tag: Tag) -> Item:
    """Make the item of a version tag, which has no release notes but its own message."""
    return Item(
        key=f"{repo}:release:{tag.name}",
        repo=repo,
        kind=Kind.RELEASE,
        ref=tag.name,
        title=tag.name,
        url=forge.tag_url(tag.name) if forge else "",
        author=tag.author,
        author_is_bot=_is_bot(tag.author),
        at=tag.at,
        state=State.PRERELEASE if PRERELEASE.search(tag.name) else State.TAGGED,
        body=tag_notes(tag.message, repo.name, tag.name),
        tagged=tag.commit,
    )


def _is_bot(author: str) -> bool:
    name = author.strip().lower()
    return name.endswith("[bot]") or name in _BOTS
