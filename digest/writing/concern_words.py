"""The words for what a change does to a codebase that uses it, with the places of both sides."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from digest.concern.matching import Ground, Match, Strength
from digest.concern.surface import Place, Use, UseKind
from digest.languages import Language
from digest.models import Item
from digest.writing.document import Code, Link, Run, Runs, Words

_Forms: TypeAlias = Mapping[Language, Mapping[Ground, str]]

_DONE: _Forms = {
    Language.EN: {
        Ground.GONE: "{name} is gone",
        Ground.MOVED: "{name} moved to {after}",
        Ground.ABSTRACT: "{name} has to be implemented now",
        Ground.LOST_ARGUMENT: "{name} no longer takes {names}",
        Ground.NEW_ARGUMENT: "{name} now takes {names}",
        Ground.ORDER: "the arguments of {name} changed places",
        Ground.KIND: "{name} is called otherwise now",
        Ground.RETURNS: "{name} returns something else",
        Ground.BASES: "{name} derives from others now",
        Ground.DEFAULT: "a default of {name} changed",
        Ground.MEMBER: "{name} changed",
        Ground.BODY: "{name} works otherwise inside",
        Ground.NEW: "{name} is new",
        Ground.MODULE: "{name} changed, in a module that you import",
    },
    Language.ZH: {
        Ground.GONE: "{name} 已移除",
        Ground.MOVED: "{name} 移到了 {after}",
        Ground.ABSTRACT: "{name} 现在必须实现",
        Ground.LOST_ARGUMENT: "{name} 不再接受 {names}",
        Ground.NEW_ARGUMENT: "{name} 现在接受 {names}",
        Ground.ORDER: "{name} 的参数顺序变了",
        Ground.KIND: "{name} 的调用方式变了",
        Ground.RETURNS: "{name} 的返回值变了",
        Ground.BASES: "{name} 的基类变了",
        Ground.DEFAULT: "{name} 的默认值变了",
        Ground.MEMBER: "{name} 有改动",
        Ground.BODY: "{name} 的内部实现变了",
        Ground.NEW: "{name} 是新增的",
        Ground.MODULE: "{name} 有改动，所在模块被你导入",
    },
}
_YOU: Mapping[Language, Mapping[UseKind, str]] = {
    Language.EN: {
        UseKind.MODULE: "you import it",
        UseKind.NAME: "you import it",
        UseKind.SUBCLASS: "you subclass {name}",
        UseKind.OVERRIDE: "you override it",
        UseKind.PATCHED: "you patch it",
        UseKind.CONSTRUCTED: "you construct {name}",
        UseKind.CALLED: "you call it",
        UseKind.MEMBER: "you read it",
        UseKind.FLAG: "you set it",
        UseKind.VARIABLE: "you set it",
        UseKind.PIN: "you pin it",
    },
    Language.ZH: {
        UseKind.MODULE: "你导入了它",
        UseKind.NAME: "你导入了它",
        UseKind.SUBCLASS: "你继承了 {name}",
        UseKind.OVERRIDE: "你重写了它",
        UseKind.PATCHED: "你替换了它",
        UseKind.CONSTRUCTED: "你构造了 {name}",
        UseKind.CALLED: "你调用了它",
        UseKind.MEMBER: "你读取了它",
        UseKind.FLAG: "你设置了它",
        UseKind.VARIABLE: "你设置了它",
        UseKind.PIN: "你固定了它",
    },
}


@dataclass(frozen=True, slots=True)
class ConcernedWords:
    """What of a day concerns a reader; `said` takes `word`, `pinned` `name` and `value`.

    `too` heads the lines after the first, `nothing` is told where there is none, `opening` heads
    what a page else begins with.
    """

    heading: str
    too: str
    nothing: str
    opening: str
    breaks: str
    said: str
    pinned: str


CONCERNED_WORDS: Mapping[Language, ConcernedWords] = {
    Language.EN: ConcernedWords(
        "Concerns you",
        "Concerns you too",
        "nothing, by what is known of these changes",
        "All changes",
        "breaks",
        "{word}: you said so",
        "you pin {name} {value}",
    ),
    Language.ZH: ConcernedWords(
        "与你有关",
        "同样与你有关",
        "就这些变更的已知内容而言，没有",
        "全部变更",
        "会出错",
        "{word}：你说过用到它",
        "你固定的是 {name} {value}",
    ),
}


def match_runs(match: Match, item: Item, language: Language) -> Runs:
    """Return one match as a line: what was done, how it was and is, and where you use it."""
    one = match.altered
    done = _filled(
        _DONE[language][match.ground],
        {"name": one.name or one.path, "after": one.after, "names": ", ".join(match.names)},
    )
    runs: list[Run] = [*done]
    shown = match.ground not in (Ground.GONE, Ground.MOVED, Ground.BODY, Ground.NEW)
    if shown and one.before and one.after and match.strength is Strength.BREAKS:
        runs += [Words(": "), Code(one.before), Words(" → "), Code(one.after)]
    runs += [Words(" ("), place_of(one.path, one.line, item, gone=match.ground is Ground.GONE)]
    short = match.use.name.rpartition(".")[2]
    runs += [
        Words(") · "),
        *_filled(you(match.use.kind if one.name else UseKind.MODULE, language), {"name": short}),
    ]
    if match.use.place.path:
        runs += [Words(" ("), Code(str(match.use.place)), Words(")")]
    return tuple(runs)


def you_runs(use: Use, language: Language) -> Runs:
    """Return how the codebase uses a thing, with its name."""
    short = use.name.rpartition(".")[2] if not use.name.startswith("-") else use.name
    form = you(use.kind, language)
    if "{name}" not in form:
        form = "{name}: " + form
    return _filled(form, {"name": short})


def you(kind: UseKind, language: Language) -> str:
    """Return how the codebase uses a thing, with `{name}` where the thing itself is to be told."""
    return _YOU[language][kind]


def place_of(path: str, line: int, item: Item, *, gone: bool = False) -> Link:
    """Return the line of a file, which leads to it as the change left it, or as it found it."""
    base, found, _ = item.url.rpartition("/commit/")
    sha = item.parents[0] if gone and item.parents else (item.commits or ("",))[-1]
    place = Place(path, line)
    if not found or not sha:
        return Link(str(place), "")
    return Link(str(place), f"{base}/blob/{sha}/{path}" + (f"#L{line}" if line else ""))


def change_link(item: Item) -> Link:
    """Return the pull request of a commit where it is known, else the commit."""
    base, found, _ = item.url.rpartition("/commit/")
    if item.pull_request is None:
        return Link(item.ref, item.url)
    url = item.url if not found or base.endswith("/-") else f"{base}/pull/{item.pull_request}"
    return Link(f"#{item.pull_request}", url)


def _filled(form: str, values: Mapping[str, str]) -> Runs:
    runs: list[Run] = []
    for piece in form.replace("}", "{").split("{"):
        if piece in values:
            runs.append(Code(values[piece]))
        elif piece:
            runs.append(Words(piece))
    return tuple(runs)
