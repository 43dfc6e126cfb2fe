"""What titles and registries state: support that came or went, defaults, deprecation, speed."""

import re
from collections.abc import Iterator, Sequence

from digest.facts import Evidence, Fact, FactChange, FactKind, Subject
from digest.grades import Purpose
from digest.models import FileChange, Item
from digest.reading.change import OPENING_TAGS, TURNS_OFF, bare, declared
from digest.reading.description import TITLE_READ
from digest.reading.passages import PassageKind, passages
from digest.reading.patch import MOST_READ
from digest.reading.paths import RUNTIME, UNREAD, role
from digest.reading.sentence import split_sentences
from digest.reading.symptoms import is_of_tests
from digest.reading.whom import MODEL, NVIDIA, SETTING, VENDOR

_NEW = re.compile(
    r"^(?:initial(?:ly)? |basic |experimental |day[- ]?0 )*(?:add(?:s|ed|ing)?|"
    r"support(?:s|ed|ing)?|enabl(?:e[sd]?|ing)|implement\w*|introduc\w*|new|port|upstream|integrate)\b|"
    r"\b(?:add|support|enable) (?:\S+ ){0,6}(?:support|model)\b|\bsupport(?: for)?$|"
    r"\bsupport(?:ed)? (?:for|on)\b|\bmodel:? support\b|\bnew model\b|\bday[- ]?0\b|支持|新增",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"^(?:remove|drop|delete|retire|end|stop)\b.{0,60}\bsupport\b|\bno longer support|"
    r"移除.{0,20}支持",
    re.IGNORECASE,
)
_GONE_WHOLE = re.compile(
    r"^(?:remov|drop|delet|retir|sunset)\w* (?!(?:unused|unneeded|unnecessary|useless|dead|"
    r"redundant|duplicated?|stale|incorrect|wrong|unsupported)\b)"
    r"(?P<what>.{3,60}? (?:support|models?|features?)(?: (?:for|in|of) .{3,80})?)$",
    re.IGNORECASE,
)
"""Titles of which all the rest is what went."""
_BACKEND = re.compile(
    r"(?<![\w-])(?!(?:add|the|for|to|a|an|new|support|enable|implement|of|in|on|with|initial|at|as|"
    r"introduce|us(?:e|es|ing)|via|into|from|by|per|and)(?![\w-]))[\w.+-]{2,30}"
    r"(?: (?!(?:for|to|in|on|and)\b)[\w-]{2,20})? (?:backend|connector|dispatcher)\b",
    re.IGNORECASE,
)
_IS_THERE = re.compile(
    r"\b(?:for|to|with|in|on|at|of|into|onto|via|us(?:e|es|ing)|by|from|against|as)"
    r"(?: (?:the|an?|its|our)\b)?(?: (?!backend\b)[\w.+/-]{1,24}){0,2} ?$",
    re.IGNORECASE,
)
"""What stands before a backend that something is added to: it was there before."""
_FIRST = re.compile(
    r"\b(?:basic|experimental|first|initial|new|preliminary) support (?:for|of) (?:the |an? )?$",
    re.IGNORECASE,
)
"""What stands before a backend that is supported from now on."""
_GOES_ON = re.compile(
    r"\s*(?:$|[(,;:+.&/!–—-]|(?:and|as an option|based|for|from|implementation|in|of|on|support|"
    r"to(?! work\b)|using|via|with)\b)",
    re.IGNORECASE,
)
"""What follows a backend that came itself, and none of its parts: `backend tracing`."""
_QUANTIZATION = re.compile(
    r"\b(?:nvfp4|mxfp[468]|mxint[48]|fp8|fp4|int[48]|w\d+a\d+\w*|awq|gptq|gguf|turboquant|bitnet|"
    r"modelopt|quark|compressed[-_]tensors|hqq|torchao)\b",
    re.IGNORECASE,
)
_NAMED = (
    (Subject.BACKEND, _BACKEND),
    (Subject.QUANTIZATION, _QUANTIZATION),
    (Subject.HARDWARE, NVIDIA),
    (Subject.HARDWARE, VENDOR),
)
_MODEL_FILE = re.compile(
    r"(?:^|/)models/(?:\w+/)*(?!__init__|registry|interfaces|(?:\w+_)?(?:utils?|common|configs?)\.)"
    r"\w+\.py$"
)
_REGISTRY = re.compile(
    r"^([+-])\s*[\"'](\w{3,60}For\w{3,40}|\w{3,60}(?:Model|Pipeline))[\"']\s*[:,]", re.MULTILINE
)
"""An entry of a table of model architectures, as Transformers names them."""
_ENTRY = re.compile(r"\n([+-])EntryClass = (?:\w+|\[[^\]]{1,600}\])")
"""By which a file of a model registers its classes with SGLang, without a table."""
_DRAFT = re.compile(r"\b(?:MTP|NextN|eagle\d?|drafts?|spec(?:ulative)? decod\w+)\b", re.IGNORECASE)
_ARCHITECTURE = re.compile(r"\b[A-Z]\w{2,59}For(?=[A-Z])(?!\w*(?:NextN|MTP|Eagle|Draft))\w{2,40}")
"""A model's class, and not that of a draft that guesses for it."""
_REGISTRIES = re.compile(r"(?:registry|models?|configs?|arch)\w*\.py$", re.IGNORECASE)
_TABLES = (".json", ".jsonl", ".csv", ".yaml", ".yml")
_TUNED = re.compile(r"(?:^|_)(?:auto)?tun(?:ed|ing)(?:_|$)")
_CONFIGS = re.compile(r"configs?$")
_DEPRECATES = re.compile(r"^(?:soft[- ])?deprecat(?:e[sd]?|ing|ion of)\b", re.IGNORECASE)
_CALLED = re.compile(r"`([A-Za-z_][\w.]{2,60})`|\b([A-Z]\w*\.[a-z]\w+)\b")
_WHAT_WHEN = r" (?P<what>.{3,80}?) by default\b(?P<when>.{0,60})$"
_DEFAULTS = tuple(
    (after, re.compile(pattern, re.IGNORECASE))
    for after, pattern in (
        ("on", rf"^(?:(?:re-?)?enabl(?:e[sd]?|ing)|turn(?:s|ed)? on){_WHAT_WHEN}"),
        ("off", rf"^(?:disabl(?:e[sd]?|ing)|turn(?:s|ed)? off){_WHAT_WHEN}"),
        (
            None,
            r"^(?:set(?:ting)?|mak(?:e|ing)|us(?:e|ing)|enabl(?:e|ing)|prefer|switch to)"
            r" (?P<what>.{3,80}?) (?:(?:as|to be|to) )?(?:the |a )?(?:new )?(?:by )?default"
            r"\b(?! (?:is|to|value|of|config\w*|arg\w*)\b)(?P<when>.{0,60})$",
        ),
        (None, r"^(?P<what>.{3,80}?) set (?:as )?default(?P<when>)$"),
        (
            None,
            r"^(?P<what>(?!(?:add|allow|fix|option|provide|support)\w* )(?:[\w./=`-]{2,40} ){0,2}"
            r"(?:launch|configur|run|choos|select|flip|enabl|pick)(?:s|e|es|ed|ing)? .{3,80}?) by"
            r" default\b(?P<when>.{0,60})$",
        ),
        (
            None,
            r"^(?:optimi[sz]e: |(?P<of>[\w./-]{1,30}(?: [\w./-]{1,30}){0,2}: ))?"
            r"defaults? to (?P<what>.{3,120})(?P<when>)$",
        ),
    )
)
"""Titles that tell what everybody gets who sets nothing, with what becomes of it."""
OF_TESTS = re.compile(
    r"\b(?:tests?|CI|benchmark\w*|bench|docs?|workflow|pytest|mypy)\b", re.IGNORECASE
)
"""Words of a title about what no user runs."""
_FIGURE = re.compile(
    r"(?<![\w.])[~+≈-]?\d{1,4}(?:\.\d{1,3})?(?:[-–~]\d{1,4}(?:\.\d+)?)?\s?(?:[x×](?!\w)|%|倍)"
)
_OF_SPEED = re.compile(
    r"\b(?:fast\w*|speed-?\w*|speed ?ups?|through-?put|latency|TTFT|TPOT|ITL|E2E|perf\w*|TFLOPS|"
    r"tokens?/s|bandwidth|memory|overhead|time|improv\w+|reduc\w+|gain|less|lower|higher)\b|"
    r"加速|提升|吞吐|延迟|降低|减少",
    re.IGNORECASE,
)
_OF_NO_GAIN = re.compile(
    r"\b(?:accuracy|gsm8k|mmlu|test|coverage|score|pass(?:es|ed)? rate|error|ci)\b|"
    r"\b(?:increas(?:es?|ed|ing)|inflat\w+|add(?:s|ed|ing)?) (?:an? |the )?(?:[\w-]+ ){0,2}"
    r"(?:latency|overhead|TTFT|TPOT|ITL|E2E|memory|time)\b|\b(?:regress|degrad)\w*|"
    r"\bunder-?(?:utili[sz]|us)ed\b|\bvalues? (?:above|below|over|under)\b|\bneutral\b",
    re.IGNORECASE,
)
"""Figures of quality, of what was too slow before, of how to read a table, or of no difference."""
_MEAN = re.compile(r"\b(?:average|avg|geo(?:metric)?[- ]?mean)\b", re.IGNORECASE)
_MEASURED_BY = re.compile(
    r"\b(?:against|baseline|before|compared|existing|from|main|over|relative|than|vs)\b|→|->",
    re.IGNORECASE,
)
"""What says of a figure what it is measured against."""
_BETTER = re.compile(
    r"\d\s?[x×](?!\w)|→|->|倍|加速|提升|降低|减少|"
    r"\b(?:fast\w*|speed\w*|improv\w+|reduc\w+|cut(?:s|ting)?|sav(?:es?|ed|ings?)|gain\w*|less|"
    r"fewer|lower\w*|higher|shorter|smaller|better|uplift|drop(?:s|ped)?|decreas\w+|boost\w*|"
    r"increas\w+|halv\w+|eliminat\w+|from|vs\.?)\b",
    re.IGNORECASE,
)
_SAID = (PassageKind.PROSE, PassageKind.ITEM)
_WORKSHOP = re.compile(
    r"\b(?:build|compile|compilation|tests?|ci|lint\w*|docker)(?: times?| duration)?\b",
    re.IGNORECASE,
)
_MISMEASURED = re.compile(
    r"\b(?:(?:under|over)-?(?:count|estimat|report|stat(?:e|ing))|mis-?(?:count|report|measur))\w*|"
    r"\boff by (?!default)|少算|多算|低估|高估|误算",
    re.IGNORECASE,
)
"""What belongs to a figure that was told wrong: by how much it was is no gain."""
_LONGEST_CLAUSE = 240


_OF_A_MODEL = re.compile(
    r" (?:attention|chunked|context|cuda|data|[DTEPC]P|eagle\w*|expert|fp[48]|graphs?|lora|mtp|"
    r"nextn|overlap|parallel\w*|pipeline|prefix|quanti[sz]\w*|real-?time|reasoning|sequence|spec\w*|"
    r"streaming|tensor|tool)\b(?!.{0,40}\bmodels?\b)",
    re.IGNORECASE,
)
"""What follows a model whose part or feature is supported: ` DP attention and MTP`."""


def support_facts(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what a change begins or ceases to support, by its registry entries and its title."""
    files = item.files or ()
    if purpose in (Purpose.FIX, Purpose.REVERT, Purpose.RELEASE) or _runs_nothing(files):
        return ()
    if only_tuned(files) or is_of_tests(item.title):
        return ()
    unique: dict[tuple[Subject | None, FactChange], Fact] = {}
    registered = tuple(_of_registries(item))
    is_said = any(fact.change is FactChange.REMOVED for fact in registered)
    gone = () if is_said else tuple(_gone(item))
    for fact in (*registered, *(gone or _of_title(item, purpose))):
        unique.setdefault((fact.subject, fact.change), fact)
    return tuple(unique.values())


def only_tuned(files: Sequence[FileChange]) -> bool:
    """Tell whether all that runs of a change are values tuned for devices, by their paths.

    They make what is there faster; they support no hardware that was not supported, and a program
    without them takes its defaults.
    """
    run = [file.path for file in files if role(file.path) in RUNTIME]
    return bool(run) and all(map(_holds_tuned_values, run))


def deprecation(item: Item) -> tuple[Fact, ...]:
    """Return that a flag, variable or name is deprecated, where the title says so by its name."""
    title = item.title[:TITLE_READ]
    rest = bare(title)
    named, called = SETTING.search(rest), _CALLED.search(rest)
    if not _DEPRECATES.search(rest) or not (named or called):
        return ()
    name, subject = "", Subject.API_NAME
    if named is not None:
        name = named.group()
        subject = Subject.FLAG if name.startswith("--") else Subject.ENV
    elif called is not None:
        name = called[1] or called[2]
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


def stated_default(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return what the title says to be the default from now on: `after` is on, off or None.

    The name is the author's words, with the condition that follows them. A change that runs
    nothing changes nothing for users, and a revert has its own line.
    """
    title = item.title[:TITLE_READ]
    if purpose in (Purpose.REVERT, Purpose.RELEASE) or _runs_nothing(item.files or ()):
        return ()
    found = ((after, pattern.search(bare(title).strip())) for after, pattern in _DEFAULTS)
    after, said = next(((after, said) for after, said in found if said), (None, None))
    if said is None or OF_TESTS.search(title):
        return ()
    of = said.groupdict().get("of") or ""
    return (
        Fact(
            kind=FactKind.INTERFACE,
            item=item.key,
            change=FactChange.DEFAULT,
            subject=Subject.FEATURE,
            name=(name := " ".join(f"{of}{said['what']} {said['when'].strip(' .,;')}".split())),
            who=tuple(each for each in _platforms(title) if each.casefold() not in name.casefold()),
            after=after,
            evidence=(Evidence("title", title),),
            must_act=True,
        ),
    )


def _platforms(title: str) -> tuple[str, ...]:
    """Return the hardware that the opening tags of a title name: whom alone a change is for."""
    tags = OPENING_TAGS.match(title)
    return tuple(match.group() for match in VENDOR.finditer(tags.group() if tags else ""))


def speed_facts(item: Item, purpose: Purpose) -> tuple[Fact, ...]:
    """Return the figure that an author states for what became faster or smaller, verbatim."""
    if purpose not in (Purpose.PERFORMANCE, Purpose.FEATURE, Purpose.OTHER, Purpose.FIX):
        return ()
    title = bare(item.title)
    if _WORKSHOP.search(title):
        return ()
    if _is_gain(item.title[:TITLE_READ]):
        return (_speed(item, title, Evidence("title", title)),)
    clauses = _gains(item.body) if purpose is Purpose.PERFORMANCE else []
    means = [one for one in clauses if _MEAN.search(one) and not _MEASURED_BY.search(one)]
    # Of several means that say no baseline each is of a table of its own: none speaks for all.
    told = [one for one in clauses if one not in means or len(means) == 1]
    return tuple(_speed(item, one, Evidence("body", one)) for one in told[:1])


def _gains(body: str) -> list[str]:
    """Return the clauses of a description that tell a gain with its figure, in their order."""
    found = []
    for passage in passages(body):
        if passage.kind not in _SAID or not _FIGURE.search(passage.text):
            continue
        for clause in split_sentences(passage.text):
            is_told = len(clause) <= _LONGEST_CLAUSE and clause[-1] not in ":："
            is_better = _BETTER.search(clause) and not _OF_NO_GAIN.search(clause)
            if is_told and is_better and _is_gain(clause):
                found.append(clause)
    return found


def _runs_nothing(files: Sequence[FileChange]) -> bool:
    return bool(files) and all(role(file.path) in UNREAD for file in files)


def _holds_tuned_values(path: str) -> bool:
    """Tell whether a file is a table for a device that it names, in a folder of such tables."""
    *folders, name = path.lower().split("/")
    configs = [folder for folder in folders if _CONFIGS.search(folder)]
    if any(_TUNED.search(folder) for folder in configs):
        return True
    words = re.sub(r"\bsm (?=\d)", "sm", re.sub(r"[^A-Za-z0-9]+", " ", name))
    device = NVIDIA.search(words) or VENDOR.search(words)
    tuned = any(_TUNED.search(folder) for folder in folders)
    return name.endswith(_TABLES) and (tuned or bool(configs and device))


def _of_registries(item: Item) -> Iterator[Fact]:
    sides: dict[str, dict[str, tuple[str, str]]] = {"+": {}, "-": {}}
    for file in item.files or ():
        if not _REGISTRIES.search(file.path) or role(file.path) in UNREAD:
            continue
        for match in _REGISTRY.finditer((file.patch or "")[:MOST_READ]):
            sides[match[1]].setdefault(match[2], (file.path, match.group()[1:].strip()))
    for side, name, path, quote in _entries(item):
        sides[side].setdefault(name, (path, quote))
    for change, side, other, status in (
        (FactChange.ADDED, "+", "-", "added"),
        (FactChange.REMOVED, "-", "+", "removed"),
    ):
        names = [name for name in sides[side] if name not in sides[other]]
        if names and _has_model_file(item.files or (), status):
            path, quote = sides[side][names[0]]
            titled = MODEL.search(item.title[:TITLE_READ])
            yield Fact(
                kind=FactKind.SUPPORT,
                item=item.key,
                change=change,
                subject=Subject.MODEL,
                name=titled.group().strip() if titled else names[0],
                names=tuple(names) if len(names) > 1 else (),
                evidence=(Evidence("diff", quote, path=path, side="+" if side == "+" else "-"),),
                must_act=change is FactChange.REMOVED,
            )


def _entries(item: Item) -> Iterator[tuple[str, str, str, str]]:
    """Yield the classes that files of models register or register no more, none that moved.

    Each with its sign, the file, and the line that shows it.
    """
    found: dict[str, dict[str, tuple[str, str, bool]]] = {"+": {}, "-": {}}
    for file in item.files or ():
        is_model = _has_model_file([file], "added") and "/encoders/" not in file.path
        for entry in _ENTRY.finditer((file.patch or "")[:MOST_READ]):
            for line in entry.group()[1:].split("\n"):
                for name in _ARCHITECTURE.findall(line):
                    is_told = is_model or entry[1] == "-"
                    found[entry[1]].setdefault(name, (file.path, line[1:].strip(), is_told))
    is_draft = _DRAFT.search(item.title[:TITLE_READ]) is not None
    for sign, other in (("+", "-"), ("-", "+")):
        for name, (path, quote, is_told) in found[sign].items():
            if is_told and not is_draft and name not in found[other]:
                yield sign, name, path, quote


def _has_model_file(files: Sequence[FileChange], status: str) -> bool:
    return any(
        file.status == status and _MODEL_FILE.search(file.path) and role(file.path) in RUNTIME
        for file in files
    )


def _of_title(item: Item, purpose: Purpose) -> Iterator[Fact]:
    title = item.title[:TITLE_READ]
    rest = bare(title)
    change = FactChange.ADDED
    named: Sequence[tuple[Subject, re.Pattern[str]]] = _NAMED
    if _GONE.search(rest):
        change = FactChange.REMOVED
    elif (
        TURNS_OFF.match(rest)
        or not (_NEW.search(rest) or purpose is Purpose.FEATURE)
        or (declared(title).purpose not in (None, Purpose.FEATURE))
    ):
        return
    elif _has_model_file(item.files or (), "added") and MODEL.search(rest):
        named = ((Subject.MODEL, MODEL),)
    elif not _NEW.search(rest):
        return
    for subject, pattern in named:
        found = pattern.search(rest)
        if found and subject is Subject.BACKEND and change is FactChange.ADDED and _stands(found):
            return
        if found and subject is Subject.MODEL and _OF_A_MODEL.match(rest, found.end()):
            return
        if found and not OF_TESTS.match(rest, found.end() + 1):
            models = tuple(match.group().strip() for match in MODEL.finditer(rest))
            yield Fact(
                kind=FactKind.SUPPORT,
                item=item.key,
                change=change,
                subject=subject,
                name=found.group().strip(),
                who=() if subject is Subject.MODEL else models[:3],
                evidence=(Evidence("title", title),),
                inferred=subject is not Subject.MODEL,
                must_act=change is FactChange.REMOVED,
            )
            return


def _stands(backend: re.Match[str]) -> bool:
    """Tell whether a title only adds to a backend, or speaks of what one has."""
    before = backend.string[: backend.start()]
    is_named = _IS_THERE.search(before) and not _FIRST.search(before)
    return bool(is_named) or not _GOES_ON.match(backend.string, backend.end())


def _gone(item: Item) -> Iterator[Fact]:
    """Yield what a title says to have gone, where the change takes more away than it adds."""
    title = item.title[:TITLE_READ]
    said = _GONE_WHOLE.search(bare(title).strip(" ."))
    files = [file for file in item.files or () if role(file.path) in RUNTIME]
    is_less = sum(file.deletions - file.additions for file in files) > 0
    if said and is_less and not OF_TESTS.search(title):
        yield Fact(
            kind=FactKind.SUPPORT,
            item=item.key,
            change=FactChange.REMOVED,
            subject=Subject.FEATURE,
            name=said["what"],
            evidence=(Evidence("title", title),),
            must_act=True,
        )


def _is_gain(text: str) -> bool:
    """Tell whether a text has a figure of speed or memory, and not of an error in measuring it."""
    has_figure = _FIGURE.search(text) is not None and _OF_SPEED.search(text) is not None
    return has_figure and _MISMEASURED.search(text) is None


def _speed(item: Item, clause: str, evidence: Evidence) -> Fact:
    figure = _FIGURE.search(clause)
    return Fact(
        kind=FactKind.SPEED,
        item=item.key,
        change=FactChange.CHANGED,
        name=figure.group().strip() if figure else "",
        quote=clause,
        evidence=(evidence,),
    )
