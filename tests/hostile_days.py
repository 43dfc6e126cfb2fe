"""Texts that try to ping, to mask a link, to run or to hide, and days that hold one in every role.

What strangers give: titles, descriptions, people, labels, paths, hunks, tags, branches and notes;
what rules take from them: facts with names, values and quotes, stories, notes; and a model's words.
"""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from digest.edited import ModelOutcome, ModelUse, Remark, RemarkKind
from digest.facts import Evidence, Fact, FactChange, FactKind, Story, Subject, Symptom
from digest.grades import Importance, Purpose
from digest.languages import Language
from digest.models import (
    Activity,
    Digest,
    FileChange,
    Item,
    LinkedIssue,
    Notice,
    NoticeKind,
    Reading,
    Sentence,
)
from digest.reading.reader import read
from tests.digest.writing import invented
from tests.digest.writing.invented import COLLECTED, DAY, REPO, commit, issue, judged, note, pull
from tests.phrases import gap as gap_of

UNSEEN = (
    "\u034f",
    "\u17b4",
    "\u17b5",
    "\u2800",
    "\U000e0100",
    "\U000e01ef",
    "\u200b",
    "\u202e",
    "\u2063",
    "\u3164",
    "\x00",
)
"""Characters that draw nothing; dropped, they would join what stood apart around them."""

PINGS = ("@everyone", "@here", "<@123456789012345678>", "<@&123456789012345678>", "<@U0ABCDEF1>")
SLACK_PINGS = ("<!channel>", "<!here|x>", "<!everyone>", "<!subteam^S0ABCDEF1>", "<#C0ABCDEF1|x>")
LINKS = (
    "[click](https://evil.example)",
    "[#101](<https://evil.example>)",
    "<https://evil.example|docs>",
    "![x](https://evil.example/x.png)",
    "[x][y]\n\n[y]: https://evil.example",
    "<a href='https://evil.example'>docs</a>",
    "[x](javascript:alert(1))",
    "[x]\u200b(https://evil.example)",
    "[`code`](https://evil.example 'title')",
    "`discord.gg/evil` https://discord.gg/evil",
)
SCRIPTS = (
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "<img src=x onerror=alert(1)>",
    "</style><script>alert(1)</script>",
    "{{ 7*7 }}{% raw %}",
    "&lt;script&gt;&lt;!channel&gt;",
)
SHAPES = (
    "# heading\n- list\n> quote\n1. one",
    "| a | b |\n|---|---|\n| c | d |",
    "``` \n<!channel> @everyone\n```",
    "`` ` `` <!here> `@everyone",
    "\x1b[31mred\x1b[0m \x07 \x1b]8;;https://evil.example\x07x\x1b]8;;\x07",
    "half \ud800 a pair",
    "||spoiler|| **bold** __under__ ~~gone~~ -# small",
)


def corpus() -> tuple[str, ...]:
    """Return every text."""
    split = [
        f"{ping[:3]}{mark}{ping[3:]}" for mark in UNSEEN for ping in ("@everyone", "<!channel>")
    ]
    wrapped = [form.format(ping) for ping in (*PINGS[:3], *SLACK_PINGS[:1]) for form in WRAPPED]
    return (*PINGS, *SLACK_PINGS, *LINKS, *SCRIPTS, *SHAPES, *split, *wrapped)


WRAPPED = ("`{}`", "**{}**", "({})", "\\{}", "“{}”", "a\n{}", "&{}")


def bundles() -> tuple[str, ...]:
    """Return the same in a few texts, each with many of a kind."""
    hidden = " ".join(
        f"@every{mark}one <!chan{mark}nel> [x]{mark}(https://evil.example)" for mark in UNSEEN
    )
    kinds = (PINGS + SLACK_PINGS, LINKS, SCRIPTS)
    both = (PINGS[0], SLACK_PINGS[0])
    wrapped = " ".join(form.format(ping) for form in WRAPPED for ping in both)
    return (*(" ".join(kind) for kind in kinds), hidden, wrapped, *SHAPES)


def cut_texts() -> tuple[str, ...]:
    """Return long texts in which a ping or a link stands wherever a text may be cut."""
    lengths = (74, 99, 149, 255, 299, 499)
    return tuple(
        "a" * (length - back) + f" {ping} " + "b " * 30
        for length in lengths
        for back, ping in ((4, "@everyone"), (9, "@everyone"), (5, "<!channel>"), (8, LINKS[0]))
    )


def patch(text: str) -> str:
    """Return a hunk that adds flags, variables and fields under a name."""
    name = " ".join(text.split()) or "x"
    return (
        "@@ -1,3 +1,6 @@ class " + name + "\n"
        f'-parser.add_argument("--old-{name}", default="{name}")\n'
        f'+parser.add_argument("--{name}", default="{name}", choices=["{name}", "b"])\n'
        f'+    "{name}": lambda: os.getenv("{name}", "{name}"),\n'
        f"+    {name}: int = 3\n"
        f"+# {name}\n"
    )


def strangers(text: str) -> Sequence[Item]:
    """Return a day's items, each of whose texts is one text, or holds it where it may be read."""
    line = " ".join(text.split()) or text
    body = (
        f"{text}\n\n## Motivation\n{text}\n\n"
        f"Fixes a crash of {line} when {line} is set (TP > 1).\n\n"
        f"## Breaking changes\n- `{line}` is removed, use {line}\n\n"
        f"## Results\n| model | before | after |\n|---|---|---|\n| {line} | 1 | 2 |\n\n"
        f"Speedup 1.3x on {line}.\nCloses #291\nFollow-up of #{201}\n"
    )
    files = (
        FileChange(f"kiln/{line}.py", "modified", 5, 2, patch=patch(text)),
        FileChange("kiln/envs.py", "modified", 5, 2, patch=patch(text)),
        FileChange(f"docs/{line}", "renamed", 1, 1, previous_path=f"old/{line}"),
        FileChange(
            "requirements.txt", "modified", 1, 1, patch=f"@@ -1 +1 @@\n-{line}==1\n+{line}==2"
        ),
    )
    more = {
        "author": line,
        "body": body,
        "labels": (line, "bug"),
        "milestone": line,
        "merged_by": line,
        "files": files,
        "linked_issues": (LinkedIssue(291, line),),
        "closes": (291,),
    }
    return (
        pull(201, text, **more),
        pull(202, f"[{line}] Fix {line} crash [1/2]", **more),
        pull(203, f"[{line}] Add support of {line} [2/2]", **more),
        pull(204, f'Revert "{line}"', **(more | {"body": f"This reverts #201. {text}"})),
        commit("ab" * 20, text, body=body, files=files),
        issue(291, text, body=body, labels=(line, "bug"), comments=30, reactions=9),
        issue(292, f"[Bug]: {line} hangs on {line}", body=body, author=line),
        replace(
            invented.release(line, f"## {line}\n- {text}\n\n{body}", title=text),
            url=f"{invented.URL}/releases/tag/{quote(line.encode(errors='replace'))}",
        ),
    )


def judged_day(text: str) -> Reading:
    """Return a day as rules read it."""
    return read(
        Activity(
            repo=REPO,
            window=DAY,
            items=tuple(strangers(text)),
            collected_at=COLLECTED,
            source="github",
            default_branch=" ".join(text.split()),
            head="f" * 40,
        )
    )


def typed_day(text: str) -> Reading:
    """Return a day whose facts, stories, notes and gaps hold a text wherever they hold one."""
    items = [
        judged(
            item,
            Importance.HIGH if place < 4 else Importance.MEDIUM,
            quote=text,
            purpose=Purpose.FIX if place % 2 else Purpose.FEATURE,
            series=(text, 1, 2) if place < 2 else None,
        )
        for place, item in enumerate(strangers(text))
    ]
    key = items[0].item.key
    evidence = (Evidence("diff", text, text, 3, "+"), Evidence("issue", text, item=key))
    facts = tuple(
        Fact(
            kind,
            items[place % len(items)].item.key,
            change,
            subject,
            text,
            names=(text, f"{text} 2"),
            before=text,
            after=text,
            symptom=Symptom.CRASH if kind is FactKind.BITE else None,
            who=(text, text),
            conditions=(text,),
            quote=text,
            evidence=evidence,
            must_act=True,
            by=text,
        )
        for place, (kind, change, subject) in enumerate(
            (kind, change, subject)
            for kind, change, subject in zip(
                list(FactKind) * 3, list(FactChange) * 2, (*Subject, *Subject), strict=False
            )
        )
    )
    keys = tuple(each.item.key for each in items)
    stories = (
        Story("series:x", text, keys[:2], part=(1, 2), of=2, authors=(text,), reasons=(text,)),
        Story(
            "tracker:y", text, keys[2:4], earlier=(text,), authors=(text, text), since="2026-03-01"
        ),
    )
    notes = tuple(
        note(kind, change, text, items[0].item, before=text, after=text, path=text)
        for kind in ("flag", "env", "default", "dependency", "module")
        for change in ("added", "removed", "renamed", "changed")
    )
    return invented.reading(
        items,
        upgrade_notes=notes,
        facts=facts,
        stories=stories,
        front=keys[:4],
        gaps=(gap_of("commits", text),),
        notices=(Notice(NoticeKind.FORCED_PUSH, text, text),),
    )


def model_day(text: str) -> Digest:
    """Return a day whose model said a text of everything, unchecked."""
    day = typed_day(text)
    said = {Language.EN: text, Language.ZH: text}
    remarks = tuple(
        Remark(RemarkKind.LEAD, said, (each.item.key,), text, text, 1) for each in day.items
    )
    own = Sentence(text, "body", by=text, chinese=text, translator=text)
    items = tuple(replace(each, sentence=own) for each in day.items)
    facts = tuple(replace(each, by=text, inferred=True) for each in day.facts)
    made = ModelUse(text, ModelOutcome.COMPLETE, asked=3, told=3, checker=text)
    written = invented.written(replace(day, items=items, facts=facts))
    return replace(written, remarks=remarks, model=made)
