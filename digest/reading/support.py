"""What is newly supported or no longer is: models, hardware, backends, quantizations."""

import re
from collections.abc import Iterator

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.grades import Purpose
from digest.models import FileChange, Item
from digest.reading.change import bare, declared
from digest.reading.description import TITLE_READ
from digest.reading.patch import lines as patch_lines
from digest.reading.paths import UNREAD, role
from digest.reading.tuned import only_tuned
from digest.reading.whom import MODEL, NVIDIA, SETTING, VENDOR

_NEW = re.compile(
    r"^(?:initial(?:ly)? |basic |experimental |day[- ]?0 )*(?:add(?:s|ed|ing)?|"
    r"support(?:s|ed|ing)?|enabl(?:e[sd]?|ing)|implement\w*|introduc\w*|new|port|upstream|integrate)\b|"
    r"\b(?:add|support|enable) (?:\S+ ){0,6}(?:support|model)\b|\bsupport(?: for)?$|"
    r"\bsupport(?:ed)? (?:for|on)\b|\bmodel:? support\b|\bnew model\b|\bday[- ]?0\b|支持|新增",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:remove|drop|delete|retire|end|stop|deprecate)\b.{0,60}\b(?:support|model|backend|"
    r"kernels?|wheels?|quantization)\b|\bno longer support|移除.{0,20}支持",
    re.IGNORECASE,
)
_MODEL_TAG = re.compile(r"\[(?:new )?models?(?:[/ ][^\]]{0,30})?\]|^models?(?:\([^)]*\))?:", re.I)
_BACKEND = re.compile(
    r"\b(?!(?:add|the|for|to|a|an|new|support|enable|implement|of|in|on|with|initial)\b)[\w.+-]{2,30}"
    r"(?: (?!(?:for|to|in|on)\b)[\w-]{2,20})? (?:backend|connector|dispatcher)\b",
    re.IGNORECASE,
)
_QUANTIZATION = re.compile(
    r"\b(?:nvfp4|mxfp[468]|mxint[48]|fp8|fp4|int[48]|w\d+a\d+\w*|awq|gptq|gguf|turboquant|bitnet|"
    r"modelopt|quark|compressed[-_]tensors|hqq|torchao)\b",
    re.IGNORECASE,
)
_MODEL_FILE = re.compile(r"(?:^|/)models/(?:\w+/)*(?!__init__|registry|utils|interfaces)(\w+)\.py$")
_REGISTRY = re.compile(
    r"^([+-])\s*[\"'](\w{3,60}For\w{3,40}|\w{3,60}(?:Model|Pipeline))[\"']\s*[:,]", re.MULTILINE
)
"""An entry of a table of model architectures, as Transformers names them."""
_REGISTRIES = re.compile(r"(?:registry|models?|configs?|arch)\w*\.py$", re.IGNORECASE)
_PATCH_READ = 200_000
_LONGEST_LINE = 400


def support_facts(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what a change begins or ceases to support, by its registry entries and its title."""
    if purpose in (Purpose.FIX, Purpose.REVERT, Purpose.RELEASE):
        return ()
    files = item.files or ()
    if files and all(role(file.path) in UNREAD for file in files):
        return ()
    if only_tuned(files):
        return ()
    facts = [*_of_registries(item), *_of_title(item, purpose)]
    unique: dict[tuple[Subject | None, FactChange], Fact] = {}
    for fact in facts:
        unique.setdefault((fact.subject, fact.change), fact)
    return tuple(unique.values())


_DEPRECATES = re.compile(r"^(?:soft[- ])?deprecat(?:e[sd]?|ing|ion of)\b", re.IGNORECASE)
_CALLED = re.compile(r"`([A-Za-z_][\w.]{2,60})`|\b([A-Z]\w*\.[a-z]\w+)\b")


def deprecation(item: Item) -> tuple[Fact, ...]:
    """Return that a flag, variable or name is deprecated, where the title says so by its name."""
    title = item.title[:TITLE_READ]
    rest = bare(title)
    if not _DEPRECATES.search(rest):
        return ()
    named = SETTING.search(rest)
    called = _CALLED.search(rest)
    if named is not None:
        name = named.group()
        subject = Subject.FLAG if name.startswith("--") else Subject.ENV
    elif called is not None:
        name, subject = called[1] or called[2], Subject.API_NAME
    else:
        return ()
    return (
        Fact(
            kind=FactKind.INTERFACE,
            item=item.key,
            change=FactChange.DEPRECATED,
            subject=subject,
            name=name,
            before=name,
            evidence=(Evidence("title", title),),
        ),
    )


_WHAT = r" (?P<what>.{3,80}?)"
_WHEN = r"\b(?P<when>.{0,60})$"
_DEFAULTS = tuple(
    (after, re.compile(pattern, re.IGNORECASE))
    for after, pattern in (
        ("on", rf"^(?:enabl(?:e[sd]?|ing)|turn(?:s|ed)? on){_WHAT} by default{_WHEN}"),
        (
            "on",
            r"^(?!(?:add|allow|fix|provide|support|implement)\w*\b)"
            rf"(?P<what>.{{3,80}}?) (?:is |are )?(?:now )?(?:on|enabled) by default{_WHEN}",
        ),
        ("off", rf"^(?:disabl(?:e[sd]?|ing)|turn(?:s|ed)? off){_WHAT} by default{_WHEN}"),
        (
            None,
            rf"^(?:set(?:ting)?|mak(?:e|ing)|us(?:e|ing)|enabl(?:e|ing)|prefer|switch to){_WHAT}"
            r" (?:(?:as|to be|to) )?(?:the |a )?(?:new )?(?:by )?default"
            rf"\b(?! (?:is|to|value|of|config\w*|arg\w*)\b){_WHEN}",
        ),
        (None, r"^(?P<what>.{3,80}?) set (?:as )?default(?P<when>)$"),
        (None, r"^defaults? to (?P<what>.{3,120})(?P<when>)$"),
    )
)
"""Titles that tell what everybody gets who sets nothing, with what becomes of it."""


def stated_default(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what the title says to be the default from now on: `after` is on, off or None.

    Where the patches show what it stands in the place of, `before` and `after` are the two names.
    The name is the author's words, with the condition that follows them. A change that runs
    nothing changes nothing for users, and a revert has its own line.
    """
    if purpose in (Purpose.REVERT, Purpose.RELEASE):
        return ()
    if item.files and all(role(file.path) in UNREAD for file in item.files):
        return ()
    title = item.title[:TITLE_READ]
    if _OF_TESTS.search(title):
        return ()
    for after, pattern in _DEFAULTS:
        found = pattern.search(bare(title).strip())
        if found is None:
            continue
        what, when = found["what"], found["when"].strip(" .,;")
        replaced = _replaced(item, what) if after is None else None
        before, after, shown = replaced or (None, after, ())
        return (
            Fact(
                kind=FactKind.INTERFACE,
                item=item.key,
                change=FactChange.DEFAULT,
                subject=Subject.FEATURE,
                name=" ".join((when if before and when else f"{what} {when}").split()),
                before=before,
                after=after,
                evidence=(Evidence("title", title), *shown),
                must_act=True,
            ),
        )
    return ()


_NAME = re.compile(r"[A-Za-z]\w{2,60}")
_MARKS = re.compile(r"[*\\`\"']")


def _replaced(item: Item, what: str) -> tuple[str, str, tuple[Evidence, ...]] | None:
    """Return the name that stood where the patches now have the one that a title speaks of.

    Both stand in lines that are the same otherwise, as a row of a table or an assignment; the new
    name is made of the title's own words: `FAST_PAGED` of "fast paged attention".
    """
    spoken = set(re.split(r"[\W_]+", what.lower()))
    for file in item.files or ():
        gone: dict[tuple[str, str], str] = {}
        for line in patch_lines(file.patch, max_chars=_PATCH_READ):
            text = _MARKS.sub("", line.text[:_LONGEST_LINE]).strip()
            for found in _NAME.finditer(text) if line.sign != " " else ():
                name, frame = found.group(), (text[: found.start()], text[found.end() :])
                if line.sign == "-":
                    gone[frame] = name
                elif (old := gone.get(frame, name)) != name and "_" in name:
                    parts = set(name.lower().split("_"))
                    if len(parts) > 1 and parts <= spoken and old.isupper() == name.isupper():
                        shown = Evidence("diff", line.text.strip(), file.path, line.new, "+")
                        return old, name, (shown,)
    return None


_OF_TESTS = re.compile(r"\b(?:tests?|CI|benchmark\w*|bench|docs?|workflow|pytest)\b", re.IGNORECASE)


def _of_registries(item: Item) -> Iterator[Fact]:
    sides: dict[str, dict[str, tuple[str, str]]] = {"+": {}, "-": {}}
    for file in item.files or ():
        if not _REGISTRIES.search(file.path) or role(file.path) in UNREAD:
            continue
        for match in _REGISTRY.finditer((file.patch or "")[:_PATCH_READ]):
            sides[match[1]].setdefault(match[2], (file.path, match.group()[1:].strip()))
    new = {name: at for name, at in sides["+"].items() if name not in sides["-"]}
    gone = {name: at for name, at in sides["-"].items() if name not in sides["+"]}
    for change, found, side in (
        (FactChange.ADDED, new, "+"),
        (FactChange.REMOVED, gone, "-"),
    ):
        if found and _has_model_file(item.files or (), "added" if side == "+" else "removed"):
            names = tuple(found)
            path, quote = found[names[0]]
            yield Fact(
                kind=FactKind.SUPPORT,
                item=item.key,
                change=change,
                subject=Subject.MODEL,
                name=_as_titled(item) or names[0],
                names=names if len(names) > 1 else (),
                evidence=(Evidence("diff", quote, path=path, side="+" if side == "+" else "-"),),
                must_act=change is FactChange.REMOVED,
            )


def _as_titled(item: Item) -> str:
    match = MODEL.search(item.title[:TITLE_READ])
    return match.group().strip() if match else ""


def _has_model_file(files: tuple[FileChange, ...], status: str) -> bool:
    return any(file.status == status and _MODEL_FILE.search(file.path) for file in files)


def _of_title(item: Item, purpose: Purpose) -> Iterator[Fact]:
    title = item.title[:TITLE_READ]
    rest = bare(title)
    evidence = (Evidence("title", title),)
    if gone := _GONE.search(rest):
        if "deprecate" not in gone.group().lower() and " support" in gone.group().lower():
            yield from _named(item, rest, FactChange.REMOVED, evidence)
        return
    added_model = _has_model_file(item.files or (), "added")
    tagged = _MODEL_TAG.search(title) is not None and purpose is Purpose.FEATURE
    if added_model and MODEL.search(rest) and (tagged or _NEW.search(rest)):
        yield _fact(item, Subject.MODEL, MODEL, rest, FactChange.ADDED, evidence)
    elif _NEW.search(rest) and declared(title).purpose in (None, Purpose.FEATURE):
        yield from _named(item, rest, FactChange.ADDED, evidence)


def _named(
    item: Item, rest: str, change: FactChange, evidence: tuple[Evidence, ...]
) -> Iterator[Fact]:
    for subject, pattern in (
        (Subject.BACKEND, _BACKEND),
        (Subject.QUANTIZATION, _QUANTIZATION),
        (Subject.HARDWARE, NVIDIA),
        (Subject.HARDWARE, VENDOR),
    ):
        if pattern.search(rest):
            yield _fact(item, subject, pattern, rest, change, evidence)
            return


def _fact(
    item: Item,
    subject: Subject,
    pattern: re.Pattern[str],
    text: str,
    change: FactChange,
    evidence: tuple[Evidence, ...],
) -> Fact:
    found = pattern.search(text)
    models = tuple(match.group().strip() for match in MODEL.finditer(text))
    return Fact(
        kind=FactKind.SUPPORT,
        item=item.key,
        change=change,
        subject=subject,
        name=found.group().strip() if found else text,
        who=() if subject is Subject.MODEL else models[:3],
        evidence=evidence,
        inferred=subject is not Subject.MODEL,
        must_act=change is FactChange.REMOVED,
    )
