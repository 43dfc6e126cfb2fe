"""Whole files as they stood at commits, each asked for once and remembered for ever.

With a token one GraphQL document asks for all of them by alias, and for their commits, since
GitHub answers alike for a path that a commit does not have and for a commit that is not there.
Without one, REST gives a file a request, as far as the requests of the hour last.
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from digest.errors import CouldNotLook, NotFound
from digest.models import FileAt, Repo
from digest.sources.github.answers import Blob, Content, Oid, Shape, read
from digest.sources.github.api import HeavyAnswer, Json, repo_path
from digest.sources.github.client import Session
from digest.sources.github.graphql import blobs_document
from digest.sources.github.graphql_window import repository_of
from digest.sources.github.single_item import known_repository
from digest.wording.phrases import SAY

PER_DOCUMENT = 250
"""Files of one document: some megabytes of text, and far fewer than GitHub's 500,000 nodes.

https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
"""

RESERVED_REQUESTS = 16
"""Requests without a token that stay left for other things."""


async def read_blobs(
    asker: Session,
    repo: Repo,
    files: Sequence[FileAt],
    *,
    cached: bool = True,
) -> dict[FileAt, str | None]:
    """Return the texts of files, as `digest.ports.Contents` does; remembered if `cached`."""
    wanted = tuple(dict.fromkeys(files))
    found: dict[FileAt, str | None] = {}
    for file in wanted:
        had = await asker.recall(_name(repo, file))
        if had is not None:
            found[file] = json.loads(had)["text"]
    missing = [file for file in wanted if file not in found]
    if not missing:
        return found
    fresh = (
        await _detailed(asker, repo, missing)
        if asker.has_token
        else await _sparse(asker, repo, missing)
    )
    for file, text in fresh.items() if cached else ():
        await asker.keep(_name(repo, file), json.dumps({"text": text}).encode())
    return found | fresh


def _name(repo: Repo, file: FileAt) -> str:
    return f"blob {str(repo).lower()} {file.sha}:{file.path}"


async def _detailed(
    asker: Session, repo: Repo, files: Sequence[FileAt]
) -> dict[FileAt, str | None]:
    found: dict[FileAt, str | None] = {}
    waiting = [files[at : at + PER_DOCUMENT] for at in range(0, len(files), PER_DOCUMENT)]
    while waiting:
        some = waiting.pop(0)
        shas = tuple(dict.fromkeys(file.sha for file in some))
        query, variables = blobs_document(repo, some, shas)
        try:
            answer = await asker.graphql(query, variables)
        except HeavyAnswer:
            if len(some) == 1:
                continue  # this file alone is too much: it is absent
            half = len(some) // 2
            waiting[:0] = [some[:half], some[half:]]
            continue
        node, row = repository_of(answer, None, repo)
        await asker.private.check(repo, node.name_with_owner, node.is_private)
        known = {sha for at, sha in enumerate(shas) if _is_there(row, f"s{at}", sha)}
        for at, file in enumerate(some):
            name = f"b{at}"
            if file.sha in known and name in row and not answer.errors_at("repository", name):
                _take(found, file, row[name])
    return found


def _is_there(row: Mapping[str, Json], name: str, sha: str) -> bool:
    try:
        commit, _ = read(Oid, row.get(name), SAY.objects.a_commit, None)
    except CouldNotLook:
        return False
    return commit.oid == sha


def _take(found: dict[FileAt, str | None], file: FileAt, value: Json) -> None:
    """Handle a file that was read whole, that is not there, or that is no text."""
    if value is None:
        found[file] = None
        return
    try:
        blob, _ = read(Blob, value, SAY.objects.a_file, None)
    except CouldNotLook:
        return
    if blob.typename != "Blob" or blob.is_binary:
        found[file] = None
    elif blob.text is not None and not blob.is_truncated:
        found[file] = blob.text


async def _sparse(asker: Session, repo: Repo, files: Sequence[FileAt]) -> dict[FileAt, str | None]:
    found: dict[FileAt, str | None] = {}
    left = asker.remaining()
    if left is not None and left <= RESERVED_REQUESTS:
        return found
    repo, _ = await known_repository(asker, repo)
    shape = Shape(Content, SAY.objects.a_file, repo)
    for file in files:
        left = asker.remaining()
        if left is not None and left <= RESERVED_REQUESTS:
            break
        path = repo_path(repo, "contents", quote(file.path)) + f"?ref={quote(file.sha)}"
        try:
            text, is_known = _text((await asker.get(path, shape, cached=False)).value)
        except NotFound:
            text, is_known = None, True
        except CouldNotLook:
            continue
        if is_known:
            found[file] = text
    return found


def _text(content: Content) -> tuple[str | None, bool]:
    """Return the text of a file, None for what is no text, and whether it could be read."""
    if content.type != "file":
        return None, True
    if content.encoding != "base64" or content.content is None:
        return None, False  # larger than a megabyte
    try:
        return base64.b64decode(content.content).decode(), True
    except binascii.Error:
        return None, False
    except UnicodeDecodeError:
        return None, True
