"""What a commit message says: its title, its own words, and the changes that it names (pure).

Forms read here: GitHub's squash and merge commits
(https://docs.github.com/pull-requests/collaborating-with-pull-requests) and GitLab's merge commits
(https://docs.gitlab.com/user/project/merge_requests/commit_templates/).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

_SQUASHED = re.compile(r"\(#([0-9]{1,9})\)$")
_MERGED = re.compile(r"Merge pull request #([0-9]{1,9}) from ")
_MERGED_GITLAB = re.compile(r"See merge request \S{0,300}!([0-9]{1,9})$")
_CLOSES = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #([0-9]{1,9})\b", re.IGNORECASE
)
_BULLET = re.compile(r"[*+•·-] +(?=\S)")
"""The mark of a list before a title: of its author's notes, not of what it says."""
_TRAILER = re.compile(
    r"(?:co-authored-by|co-developed-by|signed-off-by|reviewed-by|acked-by|tested-by|approved-by"
    r"|reviewed-on|change-id): ?",
    re.IGNORECASE,
)
TELLING = 24
"""Characters of a title from which two commits that bear it are one change: not `Bump version`."""
_OF_VERSION = re.compile(r"(?<![\w.])v?\d{1,4}\.\d+\.\d+(?:\.?(?:rc|post|dev|a|b)\d+)?(?![\w])")
"""A whole version in a title, which makes a short one telling: `v1.4.2 update`."""
_PICKED = re.compile(r"\(cherry picked from commit ([0-9a-f]{7,64})\)")
_NUMBERED = re.compile(r"\(#([0-9]{1,9})\)")
_NUMBERS_AT_END = re.compile(r"(?:\s*\(#[0-9]{1,9}\))+$")
_TAKEN_BACK = re.compile(r"\W{0,3}(?:revert|back ?out)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CommitMessage:
    """A commit message, read.

    `title` is without the `(#123)` that a squash adds and the mark of a list, and the pull
    request's own title where a merge commit carries it; `body` is without trailers about people
    and without the title.
    `pull_request` is the number of the pull or merge request that the message names as its own.
    `closes` are issue numbers after a closing keyword.
    """

    title: str
    body: str
    pull_request: int | None = None
    closes: tuple[int, ...] = ()


def parse(message: str, *, squash_numbers: bool = True) -> CommitMessage:
    """Read a whole commit message, of any length and content; never fails.

    Without `squash_numbers` a `(#123)` at the end of the title is part of the title: on GitLab
    it names an issue.
    """
    subject, _, rest = message.strip().partition("\n")
    subject, lines = title_of(subject), rest.split("\n")
    number = _gitlab_number(lines)
    body = _without_trailers(lines)
    title, squashed = split_number(subject) if squash_numbers else (subject, None)
    number = squashed if squashed is not None else number
    if merged := _MERGED.match(subject):
        number = int(merged[1])
        title, body = _own_title(subject, body)
    elif number is not None and subject.startswith("Merge branch "):
        title, body = _own_title(subject, body)
    title, body = _uncut(title, body)
    return CommitMessage(
        title=title,
        body=body,
        pull_request=number,
        closes=_numbers(_CLOSES, message),
    )


def title_of(subject: str) -> str:
    """Return the first line of a message without the mark of a list that its author began with."""
    subject = subject.strip()
    marked = _BULLET.match(subject)
    return subject[marked.end() :] if marked else subject


def _uncut(title: str, body: str) -> tuple[str, str]:
    """Return a title that GitHub cut its end back, where the body begins with it after a `…`."""
    first, _, rest = body.lstrip().partition("\n")
    if not title.endswith("…") or not first.startswith("…") or len(first) < 2:
        return title, body
    end, _ = split_number(first[1:])
    return title[:-1] + end.strip(), rest.strip()


def split_number(title: str) -> tuple[str, int | None]:
    """Split `Title (#123)` into `Title` and 123; a title without a number stays whole."""
    title = title.strip()
    found = _SQUASHED.search(title, max(0, len(title) - 12))
    if not found or not title[: found.start()].strip():
        return title, None
    return title[: found.start()].rstrip(), int(found[1])


def _own_title(subject: str, body: str) -> tuple[str, str]:
    """Return a merge the title that follows its subject line, if there is one."""
    first, _, rest = body.partition("\n")
    if not first.strip():
        return subject, body
    return split_number(first)[0], rest.strip()


def _gitlab_number(lines: list[str]) -> int | None:
    for line in reversed(lines):
        if found := _MERGED_GITLAB.match(line.strip()):
            return int(found[1])
    return None


def _without_trailers(lines: list[str]) -> str:
    body = [
        line.rstrip()
        for line in lines
        if not _TRAILER.match(line.strip()) and not _MERGED_GITLAB.match(line.strip())
    ]
    while body and not body[-1].strip("- \t\r"):
        body.pop()  # the rule that GitHub draws above its trailers
    return "\n".join(body).strip()


def _numbers(pattern: re.Pattern[str], text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in pattern.findall(text)))


def held_already(
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    alike: Mapping[str, str] | None = None,
    contrary: Mapping[str, str] | None = None,
    *,
    squash_numbers: bool = True,
) -> frozenset[str]:
    """Return which commits another branch holds already as picks.

    In: messages by SHA, and those of the other branch since the two parted, oldest first; where a
    source can tell, which of theirs is the very change of which of ours, and which of theirs
    undoes the very change of which of ours. Another pick names the
    commit (`git cherry-pick -x`) or, at the end of its title, the pull request (where
    `squash_numbers`, see `parse`), or has a title that one commit alone bears. What the other
    branch took back later is not held.
    """
    alike, contrary = alike or {}, contrary or {}
    known = {sha: _picked_as(message) for sha, message in ours.items()}
    borne = Counter(title for title, _ in known.values())
    by_title = {
        title: sha
        for sha, (title, _) in known.items()
        if borne[title] == 1 and (len(title) > TELLING or _OF_VERSION.search(title))
    }
    by_number: defaultdict[int, set[str]] = defaultdict(set)
    for sha, (_, numbers) in known.items():
        for number in numbers if squash_numbers else ():
            by_number[number].add(sha)
    held: set[str] = set()
    picks: dict[str, str] = {}
    for picked, message in theirs.items():
        subject = title_of(message.strip().partition("\n")[0])
        title, numbers = _picked_as(message)
        if back := _TAKEN_BACK.match(subject):
            taken, named = _bare(subject[back.end() :]), {*map(int, _NUMBERED.findall(subject))}
            gone = {
                sha
                for sha in held
                if (known[sha][0] and known[sha][0] in taken) or known[sha][1] & named
            }
            gone |= {sha for title, sha in picks.items() if title and title in taken} & held
            held -= gone
            if gone:
                continue
            numbers = frozenset()  # of what it takes back
        if picked in contrary:
            held -= {contrary[picked]}
            continue
        if (same := alike.get(picked)) in known:
            held |= {same}
            picks[title] = same
        held |= {by_title[title]} if title in by_title else set()
        held |= {sha for number in numbers for sha in by_number.get(number, ())}
        for start in _PICKED.findall(message):
            held |= {sha for sha in known if sha.startswith(start)}
    return frozenset(held)


def not_held(
    ours: Mapping[str, str],
    theirs: Mapping[str, str],
    alike: Mapping[str, str] | None = None,
    *,
    squash_numbers: bool = True,
) -> frozenset[str]:
    """Return which commits another branch has in no form: neither picked there nor from there.

    In: messages by SHA of both since they parted, theirs oldest first; see `held_already`.
    """
    picked = {
        sha
        for sha, message in ours.items()
        if any(other.startswith(start) for start in _PICKED.findall(message) for other in theirs)
    }
    held = held_already(ours, theirs, alike, squash_numbers=squash_numbers)
    return frozenset(ours) - held - picked


def tag_notes(message: str, name: str, tag: str) -> str:
    """Return a tag's message; nothing where it only repeats its name: `v1.2`, `Engine v1.2`.

    `name` is the repository's.
    """
    left = message.lower().replace(tag.lower().lstrip("v"), "", 1)
    own = {"v", "release", "version", "tag", name.lower()}
    return "" if {*re.findall(r"[\w-]+", left)} <= own else message


def _picked_as(message: str) -> tuple[str, frozenset[int]]:
    """Return a title without the numbers at its end, folded, and these."""
    subject = title_of(message.strip().partition("\n")[0])
    end = _NUMBERS_AT_END.search(subject)
    numbers = frozenset(int(each) for each in _NUMBERED.findall(end[0])) if end else frozenset()
    return _bare(subject), numbers


def _bare(subject: str) -> str:
    """Return a title without numbers behind it, folded."""
    return " ".join(_NUMBERED.sub(" ", subject).casefold().split())
