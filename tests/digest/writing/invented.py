"""Invented readings for the tests of writing and drawing: no real repository, person or number."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from digest.grades import ChangeObject, Importance, Noise, Purpose, Reason
from digest.models import (
    Counts,
    Digest,
    FileChange,
    Item,
    Kind,
    Notice,
    NoticeKind,
    Reading,
    ReadItem,
    Repo,
    Revert,
    State,
    UpgradeNote,
    Window,
)
from digest.writing.rules import write
from tests.phrases import gap as gap_of

REPO = Repo("example-org", "kiln")
DAY = Window(
    datetime(2026, 3, 4, tzinfo=UTC), datetime(2026, 3, 5, tzinfo=UTC), "UTC", "2026-03-04"
)
COLLECTED = datetime(2026, 3, 5, 7, tzinfo=UTC)
URL = f"https://github.com/{REPO}"

HOSTILE_TITLES = (
    "<!channel> @everyone free GPUs [click](https://evil.example) <https://evil.example|docs>",
    "Fix ``` in docs <script>alert(1)</script> `code",
    "# heading | cell | ~~gone~~ **bold** _it_ __init__ $x$ \\ &lt; <b>",
    "\u202egnp.exe\u202c zero\u200bwidth \x1b[31mred\x07 line\nbreak\u2028end",
    "1. first\r\n- second\n> third\n```\nfence",
    "![picture](https://evil.example/x.png) www.evil.example mailto:a@evil.example",
    "[a]: https://evil.example",
    "\u200b\u202e",
    "x" * 10_000,
)


def _item(kind: Kind, name: object, path: str, ref: str, title: str, **more: Any) -> Item:
    fields: dict[str, Any] = {
        "key": f"{REPO}:{kind.value}:{name}",
        "url": f"{URL}/{path}/{name}",
        "at": DAY.start + timedelta(hours=1),
        "author": "wren",
        "state": State.MERGED,
    }
    fields = {"repo": REPO} | fields
    return Item(kind=kind, ref=ref, title=title, **(fields | more))


def pull(number: int, title: str, **more: Any) -> Item:
    fields: dict[str, Any] = {
        "number": number,
        "commits": (f"{number:07x}" + "a" * 33,),
        "files": (FileChange("kiln/oven.py", "modified", 5, 2),),
        "additions": 5,
        "deletions": 2,
    }
    return _item(Kind.PULL_REQUEST, number, "pull", f"#{number}", title, **(fields | more))


def commit(sha: str, title: str, **more: Any) -> Item:
    fields = {"author": "kit", "at": DAY.start + timedelta(hours=3), "commits": (sha,)}
    return _item(Kind.COMMIT, sha, "commit", sha[:7], title, **(fields | more))


def issue(number: int, title: str, **more: Any) -> Item:
    fields: dict[str, Any] = {"number": number, "state": State.OPEN, "author": "robin"}
    fields["at"] = DAY.start + timedelta(hours=2)
    return _item(Kind.ISSUE, number, "issues", f"#{number}", title, **(fields | more))


def release(tag: str, notes: str, **more: Any) -> Item:
    fields = {"title": tag, "state": State.PUBLISHED, "at": DAY.start + timedelta(hours=9)} | more
    return _item(Kind.RELEASE, tag, "releases/tag", tag, body=notes, **fields)


def judged(item: Item, importance: Importance = Importance.LOW, **more: Any) -> ReadItem:
    score = {Importance.HIGH: 76, Importance.MEDIUM: 44, Importance.LOW: 20}[importance]
    fields: dict[str, Any] = {
        "purpose": Purpose.BUG_REPORT if item.kind is Kind.ISSUE else Purpose.FIX,
        "object": ChangeObject.SOURCE,
        "score": score,
        "reasons": (),
    }
    return ReadItem(item=item, importance=importance, **(fields | more))


def reading(items: Sequence[ReadItem] = (), **more: Any) -> Reading:
    issues = [read.item for read in items if read.item.kind is Kind.ISSUE]
    changes = [read for read in items if read.item.kind is not Kind.ISSUE]
    counts = Counts(
        commits=sum(len(read.item.commits) for read in changes),
        pull_requests=sum(read.item.kind is Kind.PULL_REQUEST for read in changes),
        issues=len(issues),
        issues_opened=sum(item.state is not State.CLOSED for item in issues),
        issues_closed=sum(item.state is State.CLOSED for item in issues),
        releases=sum(read.item.kind is Kind.RELEASE for read in changes),
        high=sum(read.importance is Importance.HIGH for read in changes),
        medium=sum(read.importance is Importance.MEDIUM for read in changes),
        low=sum(read.importance is Importance.LOW for read in changes),
        noise=sum(read.noise is not None for read in changes),
    )
    fields: dict[str, Any] = {
        "repo": REPO,
        "window": DAY,
        "upgrade_notes": (),
        "reverts": (),
        "counts": counts,
        "gaps": (),
        "notices": (),
        "collected_at": COLLECTED,
        "source": "github",
    }
    return Reading(items=tuple(items), **(fields | more))


def note(kind: str, change: str, name: str, item: Item, **more: Any) -> UpgradeNote:
    fields: dict[str, Any] = {"before": None, "after": None, "path": "kiln/cli.py", "line": 12}
    return UpgradeNote(kind, change, name, cites=(item.key,), **(fields | more))


_RENAMED = pull(101, "Rename --heat to --temperature", commits=("a1" * 20, "b2" * 20))
_HANG = pull(102, "[Bugfix] Fix hang when the door opens", files=None)
_GLAZE = pull(103, "Fuse glazing and drying", at=DAY.start + timedelta(hours=4))
_BACK = pull(104, 'Revert "Fuse glazing and drying"', at=DAY.start + timedelta(hours=8, minutes=44))
_KILN = pull(105, "支持从对象存储直接加载配方")
_FP8 = pull(106, "Store glaze maps as fp8 to fix the size issue")
_BOT = pull(107, "Bump clay from 1.0 to 1.1", author="renovate[bot]", author_is_bot=True)
_DOCS = commit("c3" * 20, "Fix typo in README")
_ODD = pull(108, "Read the request timeout in milliseconds")
_HOT = issue(90, "Oven stays hot after 1.4.0", comments=12, reactions=3, labels=("bug", "oven"))
_TWIN = issue(91, "Hot oven", state=State.DUPLICATE, duplicate_of=90)
_MENDED = issue(92, "Door opens by itself", state=State.CLOSED, comments=1)

_ITEMS = (
    judged(
        _RENAMED,
        Importance.HIGH,
        purpose=Purpose.FEATURE,
        reasons=(
            Reason("feat", 36),
            Reason("setting_gone", 36),
            Reason("breaking", 40),
            Reason("scale", -12),
        ),
        quote="Users look for the usual name. The old flag is gone without an alias.",
    ),
    judged(
        _HANG,
        Importance.HIGH,
        inferred=True,
        reasons=(Reason("fix", 36), Reason("harm", 26)),
        fixes=(92,),
        series=("door", 2, 3),
    ),
    judged(
        _ODD,
        Importance.HIGH,
        purpose=Purpose.CHORE,
        quote="旧变量不再读取。",
        reasons=(Reason("setting_changed", 20),),
    ),
    judged(
        _GLAZE,
        Importance.MEDIUM,
        purpose=Purpose.PERFORMANCE,
        object=ChangeObject.KERNEL,
        reverted_by=_BACK.key,
        related=(_BACK.key,),
    ),
    judged(_BACK, Importance.MEDIUM, purpose=Purpose.REVERT, reverts=_GLAZE.key),
    judged(_KILN, Importance.MEDIUM, purpose=Purpose.FEATURE),
    judged(_FP8, Importance.MEDIUM, purpose=Purpose.FEATURE),
    judged(_BOT, noise=Noise.BOT, purpose=Purpose.CHORE, object=ChangeObject.DEPENDENCY),
    judged(_DOCS, noise=Noise.DOCS, object=ChangeObject.DOCS),
    judged(pull(109, "Tidy the shelf"), purpose=Purpose.REFACTOR),
    judged(
        release("v1.5.0", "## Highlights\n\n- hotter\n- faster\n\nThanks all\nBye"),
        Importance.HIGH,
        purpose=Purpose.RELEASE,
    ),
    judged(_HOT, Importance.HIGH, related=(_TWIN.key,)),
    judged(_MENDED, Importance.MEDIUM),
    judged(_TWIN, related=(_HOT.key,)),
)

_NOTES = (
    note("flag", "renamed", "--temperature", _RENAMED, before="--heat", after="--temperature"),
    note("env", "changed", "KILN_TIMEOUT", _ODD, before="30", after="30000"),
    note("flag", "added", "--glaze", _FP8, after="auto | fp8", line=None),
    note("dependency", "changed", "clay", _BOT, before="==1.0", after="==1.1"),
    note("default", "changed", "oven.fan", _HANG, before="off", after="on", inferred=True),
)


def busy() -> Reading:
    """A day with something of everything."""
    return reading(
        _ITEMS,
        upgrade_notes=_NOTES,
        reverts=(Revert(_BACK, _GLAZE, "#103", 4 * 3600 + 44 * 60 + 20),),
    )


def quiet() -> Reading:
    return reading()


def issues_only() -> Reading:
    return reading((judged(issue(90, "Oven stays hot"), Importance.MEDIUM),))


def none_above() -> Reading:
    return reading((judged(commit("d4" * 20, "Sync"), noise=Noise.SYNC),))


def gap() -> Reading:
    return reading(
        (judged(issue(90, "Oven stays hot")),),
        gaps=(gap_of("commits", "GitHub answered 502 three times"),),
        notices=(Notice(NoticeKind.FORCED_PUSH, "a1b2c3d", "d4e5f6a"),),
    )


def unseen() -> Reading:
    return reading(gaps=(gap_of("everything", "no requests are left until 07:30 UTC"),))


def one_release() -> Reading:
    notes = "Kiln 1.5.0rc1 for trial.\n\n- @everyone please try <b>it</b>\n```\ncode\n"
    made = release("v1.5.0rc1", notes, title="Kiln 1.5.0rc1", state=State.PRERELEASE)
    return reading((judged(made, Importance.MEDIUM, purpose=Purpose.RELEASE),))


def hostile() -> Reading:
    changes = [
        judged(
            pull(200 + place, title, author="@evil|**x**", labels=("<b>",)),
            Importance.HIGH if place < 2 else Importance.MEDIUM,
            quote="@here [now](https://evil.example) `a` <img src=x>." if place < 2 else "",
        )
        for place, title in enumerate(HOSTILE_TITLES[:-1])
    ]
    plea = issue(290, "<!everyone> HELP [urgent](https://evil.example) `", labels=("a|b", "@c"))
    notes = (
        note(
            "flag",
            "renamed",
            "--a|b`c",
            changes[0].item,
            before="``x|y``",
            after="z\n|",
            path="a`|b.py",
        ),
    )
    return reading((*changes, judged(plea, Importance.HIGH)), upgrade_notes=notes)


def many(count: int = 300) -> Reading:
    grades = [Importance.HIGH] * 6 + [Importance.MEDIUM] * (count // 3)
    grades += [Importance.LOW] * (count - len(grades))
    noises = (None, *Noise)
    return reading(
        [
            judged(
                pull(1000 + place, f"Change brick number {place} of the wall"),
                grade,
                noise=noises[place % len(noises)] if grade is Importance.LOW else None,
            )
            for place, grade in enumerate(grades)
        ]
    )


def written(read: Reading) -> Digest:
    return write(read, COLLECTED)
