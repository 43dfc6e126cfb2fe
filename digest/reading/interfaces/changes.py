"""The differences of all files of one change, made into what changed for a user: once, rightly.

What left one file and came to another is no difference; a name that replaces another is a rename;
a flag and the field behind it are one thing; a name is public where its package says so.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from digest.facts import FactChange, Subject
from digest.grades import ChangeObject
from digest.models import FileChange
from digest.reading.interfaces.comparison import Compared, Difference
from digest.reading.interfaces.definition import (
    Definition,
    are_opposite,
    likeness,
    plain_name,
)
from digest.reading.interfaces.moves import Ancestry, after, renamed_in_place
from digest.reading.interfaces.place import Fronts, Place, place_of
from digest.reading.interfaces.python import is_literal
from digest.reading.paths import RUNTIME, role

_RANK = {
    Subject.FLAG: 0,
    Subject.ENV: 1,
    Subject.METRIC: 2,
    Subject.REQUEST_FIELD: 3,
    Subject.CONFIG_FIELD: 4,
    Subject.RESPONSE_FIELD: 5,
    Subject.ENDPOINT: 6,
    Subject.API_NAME: 7,
    Subject.API_ARGUMENT: 8,
}
_FIELDS = (Subject.REQUEST_FIELD, Subject.RESPONSE_FIELD, Subject.CONFIG_FIELD)
_SWITCHES = (Subject.FLAG, Subject.ENV)
_MEMBERS = (*_FIELDS, Subject.API_ARGUMENT)
_NAMED = (Subject.FLAG, Subject.METRIC, Subject.ENDPOINT, Subject.ENV, Subject.MODEL)
_MANY = 3
"""New fields of one class above which they are one statement."""

_FOREIGN = re.compile(
    r"^(?:CUDA|NCCL|LD|HF|HUGGINGFACE|TORCH|TORCHINDUCTOR|PYTORCH|TRITON|OMP|MKL|ROCM|ROCR|HIP|HSA|PATH"
    r"|PYTHON|HOME|USER|TMP|TEMP|TMPDIR|XDG|MASTER|RANK|WORLD|LOCAL|NODE|SLURM|RAY|KUBERNETES|POD|GITHUB"
    r"|CI|AWS|S3|NVSHMEM|UCX|GLOO|NVCC|NVTE|CC|CXX|CMAKE|MAX|NO|HTTP|HTTPS|OPENAI|ASCEND|HCCL|XPU|GPU|NVIDIA"
    r"|MOONCAKE|OTEL|PROMETHEUS|LOGNAME|HOSTNAME|HOST|PORT|DEBUG|TORCHELASTIC|OMPI|PMI|MPI|TOKENIZERS"
    r"|TRANSFORMERS|DISABLE|USE|ENABLE|FORCE)(?:_|$)"
)


@dataclass(slots=True)
class Known:
    """What is known beside one file: public names, own variables, the rest of its change."""

    fronts: Fronts = field(default_factory=lambda: Fronts({}))
    repository: str = ""
    others: Sequence[tuple[str, str]] = ()
    """All texts by path, in which a variable may be read that seems new."""
    title: str = ""
    """The change's own title, none of a refactor: what it names as code is no inner part."""
    files: Sequence[Compared] = ()
    patches: Sequence[FileChange] = ()
    """All files of the change: what was not compared can still show that a name stays."""


def settled_differences(known: Known) -> list[Difference]:
    """Return what one change changed for users, each thing once, in the order of the files."""
    differences = [one for file in known.files for one in _public(file, known)]
    differences = _without_moved(differences, known)
    differences = _renamed(_renamed_in_place(differences, known.patches), known.title)
    differences = _once(differences)
    return _grouped(differences)


def _public(file: Compared, known: Known) -> Iterable[Difference]:
    for one in file.differences:
        if one.subject in (Subject.API_NAME, Subject.API_ARGUMENT):
            yield from _public_name(one, file, known)
        elif one.subject is Subject.ENV:
            yield from _variable(one, file, known)
        elif one.subject is Subject.CONFIG_FIELD and not _is_settings(one, file, known):
            continue
        elif one.subject is Subject.CHOICE and _is_of_argument(one):
            if _is_public(one.definition, file, known):
                yield one
        elif one.subject is Subject.DEPENDENCY:
            yield one
        else:
            yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)


def _is_for_others(name: str, path: str, place: Place, known: Known) -> bool:
    """Tell whether a function or class is public: a front has it, or the title names it."""
    if known.fronts.hands_on(name.partition(".")[0], path, place):
        return True
    is_code = re.search(r"\w[._]\w|[a-z][A-Z]", name) is not None
    named = rf"(?<![\w.]){re.escape(name)}(?![\w])"
    return is_code and name in known.title and re.search(named, known.title) is not None


def _is_settings(one: Difference, file: Compared, known: Known) -> bool:
    """Tell whether a class of settings is for users: by its place, or because a front has it.

    What is called parameters, or has a field without a default, is mostly handed from one part of
    a program to another: those that users make stand right below the package, or its front has
    them.
    """
    place, definition = file.place, one.definition
    if place.depth <= 2:
        return True
    inside = place.arguments or "/config/" in file.pair.path
    made_inside = _PARAMETERS.search(definition.owner) or (
        one.change is FactChange.ADDED and definition.required
    )
    if inside and not made_inside:
        return True
    return known.fronts.hands_on(definition.owner, definition.path, place)


_PARAMETERS = re.compile(r"Param(?:eter)?s$")


def _is_of_argument(one: Difference) -> bool:
    return one.definition.subject is Subject.API_ARGUMENT


def _variable(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    definition = one.definition
    if definition.table or one.change is FactChange.DEPRECATED:
        yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)
        return
    if not _is_own(one.name, known.repository):
        return
    # A switch that is read in many places is read without a default in each: one more or one
    # fewer says nothing, unless the documentation came or went with it.
    declared = file.place.environment or definition.shape == "native"
    bare = definition.value is None and not declared
    if bare and not _is_documented(one, known.patches):
        return
    word = one.name.removeprefix("*")
    pattern = re.compile(rf"(?<![A-Z0-9_]){re.escape(word)}(?![A-Z0-9_])")

    def reads(text: str | None) -> bool:
        return text is not None and word in text and pattern.search(text) is not None

    here = {other.pair.path for other in known.files}
    elsewhere = any(reads(text) for path, text in known.others if path not in here)
    if one.change is FactChange.ADDED:
        if not elsewhere and not any(reads(other.pair.before) for other in known.files):
            yield replace(one, inferred=True)
    elif one.change is FactChange.REMOVED:
        stays = elsewhere or any(reads(other.pair.after) for other in known.files)
        if file.pair.after is not None and not stays:
            yield replace(one, inferred=True, must_act=True)
    else:
        yield one


def _is_documented(one: Difference, patches: Sequence[FileChange]) -> bool:
    """Tell whether pages of the change name a thing on the side where it differs."""
    sign = "+" if one.change is FactChange.ADDED else "-"
    return any(
        re.search(rf"^\{sign}.*\b{re.escape(one.name)}\b", other.patch, re.M) is not None
        for other in patches
        if other.patch and one.name in other.patch and role(other.path) is ChangeObject.DOCS
    )


def _is_own(name: str, repository: str) -> bool:
    """Tell whether a variable is the project's own by its first word."""
    if name.startswith("*"):
        return True
    if _FOREIGN.match(name):
        return False
    first = name.partition("_")[0].lower()
    whole = re.sub(r"[^a-z0-9]", "", repository.lower())
    initials = "".join(re.findall(r"[A-Z0-9]", repository)).lower()
    words = [word for word in re.split(r"[^a-z0-9]+", repository.lower()) if word]
    own = {whole, *words, initials[:1] + initials[1:2]}
    near = len(first) >= 3 and (whole.startswith(first[:3]) or first.startswith(whole[:3]))
    return first in own or near


def _public_name(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    definition = one.definition
    if one.subject is Subject.API_ARGUMENT:
        if _is_public(definition, file, known):
            yield from _argument(one, definition.owner, file, known.files)
        elif _is_for_others_to_write(definition, file) and one.change in _COMES_OR_GOES:
            yield replace(one, must_act=True, inferred=True)
    elif one.change is FactChange.DEPRECATED:
        warns = definition.owner == "deprecated"
        if warns and _is_for_others(one.name, definition.path, file.place, known):
            yield one
    elif definition.shape == "exported":
        yield from _exported(one, file, known)
    elif one.change is FactChange.ADDED:
        yield from _new_name(one, definition, file, known)
    else:
        yield from _gone_name(one, definition, file, known)


_COMES_OR_GOES = (FactChange.ADDED, FactChange.REMOVED)


def _new_name(
    one: Difference, definition: Definition, file: Compared, known: Known
) -> Iterable[Difference]:
    """Tell of a method that others have to write from now on, and of a bound name."""
    if definition.shape == "abstract":
        if file.pair.before and _had_class(file.pair.before, definition.owner):
            yield replace(one, must_act=True, inferred=True)
    elif definition.shape == "native" and known.fronts.has_name(one.name):
        yield one


def _gone_name(
    one: Difference, definition: Definition, file: Compared, known: Known
) -> Iterable[Difference]:
    """Tell of a function of the package's interface that went, and of a method of what stays."""
    if definition.shape == "api" and file.pair.before:
        yield replace(one, must_act=True)
    elif definition.shape == "method" and _stays(definition.owner, file):
        if _is_for_others(one.name, definition.path, file.place, known):
            yield replace(one, must_act=True)
        elif _is_base(definition.owner, file.pair.before or ""):
            yield replace(one, must_act=True, inferred=True)


def _exported(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    """Tell of a name that a front hands on, or no longer does."""
    added, path = one.change is FactChange.ADDED, one.definition.path
    place = file.place if path == file.pair.path else place_of(path)
    if (
        one.name.startswith("_")
        or place is None
        or not known.fronts.hands_on(one.name, path, place)
    ):
        return
    if added and (one.name.isupper() or _came_with(path, known.patches)):
        return
    if added or not _still_starred(one.name, file, known.patches):
        yield replace(one, name=_from_front(one.name, place), must_act=not added)


def _argument(
    one: Difference, function: str, file: Compared, files: Sequence[Compared]
) -> Iterable[Difference]:
    if not _defines(file.old, file.pair.before, function):
        return  # a new function brings its arguments
    if not _defines(file.new, file.pair.after, function):
        moved = [
            other
            for other in files
            if other is not file and _defines(other.new, other.pair.after, function)
        ]
        # A gone function takes its arguments with it; one that moved has them where it is now.
        if len(moved) != 1 or any(one.name == there.name for there in moved[0].new):
            return
    if one.change is FactChange.ADDED:
        required = one.new is not None and one.new.required
        shifted = "" if required else _shifted(one.new, file)
        breaks = required or bool(shifted)
        # Classes have many methods: what one of them can be given besides is no news by itself.
        if breaks or one.new is None or one.new.shape != "method":
            yield replace(one, must_act=breaks, conditions=(shifted,) if shifted else ())
    else:
        yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)


def _defines(side: Sequence[Definition], text: str | None, function: str) -> bool:
    """Tell whether a side of a file has a function or class, not only its name from elsewhere."""
    arguments = any(one.owner == function for one in side)
    named = any(one.name == function and one.shape != "exported" for one in side)
    return arguments or named or _had_class(text or "", function)


def _shifted(new: Definition | None, file: Compared) -> str:
    """Return the argument before which a new one stands by position, empty where none was there."""
    if new is None or new.position < 0:
        return ""
    before = {
        d.name for d in file.old if d.subject is Subject.API_ARGUMENT and d.owner == new.owner
    }
    behind = [
        d
        for d in file.new
        if d.subject is Subject.API_ARGUMENT
        and d.owner == new.owner
        and d.position > new.position
        and d.name in before
    ]
    first = min(behind, key=lambda d: d.position, default=None)
    return first.name.partition("(")[2].rstrip(")") if first else ""


def _had_class(text: str, owner: str) -> bool:
    return re.search(rf"^class {re.escape(owner)}\b", text, re.M) is not None


def _still_starred(name: str, file: Compared, patches: Sequence[FileChange]) -> bool:
    """Tell whether a name that a front no longer lists still comes with all of a module."""
    if "import *" not in (file.pair.after or ""):
        return False
    stands = re.compile(rf"^[+ ].*\b{re.escape(name)}\b", re.M)
    folder = file.pair.path.rpartition("/")[0] + "/"
    return any(
        other.path != file.pair.path
        and other.path.startswith(folder)
        and other.path.endswith(".py")
        and other.patch is not None
        and name in other.patch
        and stands.search(other.patch) is not None
        for other in patches
    )


def _came_with(path: str, patches: Sequence[FileChange]) -> bool:
    """Tell whether a front is part of a new package, which tells of it, or was a module before."""
    was_module = path.removesuffix("/__init__.py") + ".py"
    if any(was_module in (other.previous_path, other.path) for other in patches):
        return True
    new = {other.path for other in patches if other.status == "added"}
    above = path.rpartition("/")[0].rpartition("/")[0]
    return path in new and f"{above}/__init__.py" in new


def _from_front(name: str, place: Place) -> str:
    package = place.module if place.exports else place.module.rpartition(".")[0]
    return f"{package}.{name}" if package else name


def _stays(owner: str, file: Compared) -> bool:
    """Tell whether a class is there on both sides, with the same classes above it."""
    headers = [
        re.search(rf"^class {re.escape(owner)}\b[^:]*:", text or "", re.M)
        for text in (file.pair.before, file.pair.after)
    ]
    return headers[0] is not None and headers[1] is not None and headers[0][0] == headers[1][0]


def _is_base(owner: str, text: str) -> bool:
    """Tell whether a class is made for others to write their own from."""
    header = re.search(rf"^class {re.escape(owner)}\(([^:]*)\):", text, re.M)
    return header is not None and re.search(r"\bABC(?:Meta)?\b", header[1]) is not None


def _is_for_others_to_write(one: Definition, file: Compared) -> bool:
    """Tell whether an argument is of a method that was abstract and still is."""
    return one.shape == "method" and all(
        any(d.name == one.owner and d.shape == "abstract" for d in side)
        for side in (file.old, file.new)
    )


def _is_public(one: Definition, file: Compared, known: Known) -> bool:
    if one.owner.startswith("_"):
        return False
    if one.shape == "native":
        return known.fronts.has_name(one.owner)
    return one.shape == "api" or _is_for_others(one.owner, one.path, file.place, known)


def _without_moved(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Leave out what stands in another file, class or table of the change as it stood here."""
    files = known.files
    names = _defined(files)
    came = {_thing(one): one for one in differences if one.change is FactChange.ADDED}
    left = {_thing(one): one for one in differences if one.change is FactChange.REMOVED}
    whole_moved = {one.name for one in differences if one.change is FactChange.ADDED} & {
        one.name for one in differences if one.change is FactChange.REMOVED
    }
    before, after = _names(files, old=True), _names(files, old=False)
    inherited = _inherited(differences, known)
    found = []
    for one in differences:
        thing = _thing(one)
        moves = one.change in (FactChange.REMOVED, FactChange.ADDED)
        if moves and one.name in whole_moved and one.subject in _MEMBERS:
            continue
        stays = thing in came or thing in after
        if one.change is FactChange.REMOVED and (stays or one in inherited):
            continue
        if one.change is FactChange.REMOVED and thing[0] == "name" and thing[1] in names:
            definition = one.old
            if definition is not None and definition.shape == "api":
                continue
        if one.change is FactChange.ADDED and thing in before:
            continue
        if (
            one.change is FactChange.ADDED
            and thing in left
            # What an extra asked for, and everybody gets now, is new to everybody.
            and (one.subject is not Subject.DEPENDENCY or left[thing].conditions == one.conditions)
        ):
            continue
        found.append(one)
    return found


def _inherited(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Return what a class lost and has from a class above it now."""
    gone = [
        one
        for one in differences
        if one.change is FactChange.REMOVED
        and (one.subject in _FIELDS or one.definition.shape == "method")
    ]
    if not gone:
        return []
    whole = [file.pair.after for file in known.files if file.pair.after]
    patches = [one.patch for one in known.patches if one.patch and one.path.endswith(".py")]
    shown = map(after, patches)
    now = Ancestry([*whole, *shown])
    return [
        one
        for one in gone
        if now.inherits(one.definition.owner, re.split(r"[.(]", one.name.rstrip(")"))[-1])
    ]


def _defined(files: Sequence[Compared]) -> set[str]:
    """Return the functions and classes that files define after the change."""
    return {
        one.name
        for file in files
        for one in file.new
        if one.subject is Subject.API_NAME and one.shape in ("api", "function", "class")
    }


def _thing(one: Difference) -> tuple[str, ...]:
    if one.subject is Subject.CHOICE:
        return "choice", one.before or one.after or ""
    if one.subject is Subject.DEPENDENCY:
        return "dependency", one.name.lower().replace("_", "-")
    if one.subject is Subject.API_NAME:
        return "name", one.name.rpartition(".")[2]
    if one.subject in _FIELDS:
        definition = one.definition
        return "field", plain_name(one.name), definition.path
    return one.subject.value, one.name


def _names(files: Sequence[Compared], *, old: bool) -> set[tuple[str, ...]]:
    """Return the flags, metrics, routes and variables that files define on one side."""
    return {
        (one.subject.value, one.name)
        for file in files
        for one in (file.old if old else file.new)
        if one.subject in _NAMED and one.owner != "deprecated"
    }


def _renamed_in_place(
    differences: Sequence[Difference], patches: Sequence[FileChange]
) -> list[Difference]:
    """Tell a function, class or method that went as renamed where a patch shows its new name."""
    gone = [one for one in differences if _is_name(one, FactChange.REMOVED)]
    renames: dict[str, str] = {}
    for file in patches if gone else ():
        if file.path.endswith(".py") and role(file.path) in RUNTIME:
            renames |= renamed_in_place(file)
    names: dict[int, str] = {}
    for one in gone:
        owner, _, leaf = one.name.rpartition(".")
        whole = f"{one.old.owner}.{leaf}" if one.old and one.old.shape == "method" else leaf
        if now := renames.get(whole, "").rpartition(".")[2]:
            names[id(one)] = f"{owner}.{now}" if owner else now
    return [
        replace(
            one, change=FactChange.RENAMED, before=one.name, after=names[id(one)], inferred=True
        )
        if id(one) in names
        else one
        for one in differences
        if not (_is_name(one, FactChange.ADDED) and one.name in names.values())
    ]


def _is_name(one: Difference, change: FactChange) -> bool:
    return one.subject is Subject.API_NAME and one.change is change


BY_PLACE = 0.6
"""How alike two arguments are by their place alone."""

_NEAR = 5
"""Lines between a flag or variable that went and the one that came in its place, at most."""


def _renamed(differences: Sequence[Difference], title: str) -> list[Difference]:
    """Pair what went with what came in its place, surely where the title has both names."""
    gone = [one for one in differences if one.change is FactChange.REMOVED]
    came = [one for one in differences if one.change is FactChange.ADDED]
    pairs: list[tuple[float, Difference, Difference]] = []
    lost = Counter(_function(old) for old in gone)
    for old in gone:
        for new in came:
            alike = 1.0 if _is_said(old, new, title) else _likeness(old, new)
            # Of a signature that was written anew a place says nothing of what came in whose.
            if alike and not (alike == BY_PLACE and lost[_function(old)] > 1):
                pairs.append((alike, old, new))
    pairs.sort(key=lambda pair: -pair[0])
    taken: set[int] = set()
    renames: dict[int, Difference] = {}
    for alike, old, new in pairs:
        if id(old) in taken or id(new) in taken:
            continue
        taken |= {id(old), id(new)}
        renames[id(old)] = replace(
            new, change=FactChange.RENAMED, name=old.name, before=old.name, after=new.name,
            old=old.old, must_act=True, inferred=alike < 1,
        )  # fmt: skip
    found = []
    for one in differences:
        if id(one) in renames:
            found.append(renames[id(one)])
        elif id(one) not in taken:
            found.append(one)
    return found


def _is_said(old: Difference, new: Difference, title: str) -> bool:
    """Tell whether a title has the names of a flag or variable that went and of one that came."""
    both = old.subject is new.subject and old.subject in _SWITCHES
    return both and all(
        one.name in title and re.search(rf"(?<![\w.-]){re.escape(one.name)}(?![\w-])", title)
        for one in (old, new)
    )


def _likeness(old: Difference, new: Difference) -> float:
    """How surely one name replaces another: 0 where it does not."""
    if old.subject is not new.subject or old.subject in (
        Subject.CHOICE, Subject.DEPENDENCY, Subject.PLATFORM, Subject.API_NAME,
    ):  # fmt: skip
        return 0.0
    was, became = old.old, new.new
    if was is None or became is None or was.owner != became.owner:
        return 0.0
    if are_opposite(old.name, new.name):
        return 0.0
    if old.subject is Subject.MODEL:
        alike = SequenceMatcher(None, old.name, new.name).ratio()
        return alike if was.path == became.path and alike >= 0.9 else 0.0
    if was.value != became.value or was.shape != became.shape or was.choices != became.choices:
        return 0.0
    if was.shape == "method" and was.position == became.position > 0:
        return BY_PLACE
    # Many flags and variables have names of the same words, and a default that many have.
    if old.subject in _SWITCHES:
        near = was.path == became.path and abs(was.line - became.line) <= _NEAR
        return likeness(old.name, new.name) if near else 0.0
    return likeness(old.name, new.name)


def _function(one: Difference) -> str:
    return one.name.partition("(")[0]


def _once(differences: Sequence[Difference]) -> list[Difference]:
    """Tell two names of one thing once: the flag before the variable before the field."""
    best: dict[tuple[object, ...], Difference] = {}
    for one in differences:
        key = _statement(one)
        known = best.get(key)
        if known is None:
            best[key] = one
        elif _standing(one) < _standing(known):
            best[key] = _joined(one, known)
        else:
            best[key] = _joined(known, one)
    deprecated = {
        plain_name(one.name) for one in best.values() if one.change is FactChange.DEPRECATED
    }
    return [
        one
        for one in best.values()
        if one.change is not FactChange.ADDED
        or one.subject is Subject.CHOICE
        or plain_name(one.name) not in deprecated
        or one.subject is Subject.DEPENDENCY
    ]


def _standing(one: Difference) -> tuple[int, bool]:
    return _RANK.get(one.subject, 9), one.inferred


def _joined(one: Difference, other: Difference) -> Difference:
    conditions = tuple(dict.fromkeys((*one.conditions, *other.conditions)))
    if not one.conditions or not other.conditions:
        conditions = ()
    names = one.names
    if one.subject is Subject.CHOICE and one.name != other.name:
        both = dict.fromkeys((*(one.names or (one.name,)), *(other.names or (other.name,))))
        flags = [name for name in both if name.startswith("--")]
        names = tuple(flags or both)
        if flags:
            one = replace(one, name=flags[0])
        names = names if len(names) > 1 else ()
    return replace(
        one,
        conditions=conditions,
        names=names,
        before=_better(one.before, other.before),
        after=_better(one.after, other.after),
        must_act=one.must_act or other.must_act,
        inferred=one.inferred and other.inferred,
    )


def _better(one: str | None, other: str | None) -> str | None:
    """Return the value that stands for itself, of a flag and the field whose default it takes."""
    if one is None or (other is not None and not is_literal(one) and is_literal(other)):
        return other
    return one


def _statement(one: Difference) -> tuple[object, ...]:
    if one.subject in (Subject.DEPENDENCY, Subject.PLATFORM):
        return one.change, one.subject, one.name.lower(), one.before, one.after
    if one.subject is Subject.CHOICE:
        return one.change, one.subject, one.before, one.after
    if one.subject in (Subject.API_ARGUMENT, Subject.ENDPOINT, Subject.MODEL):
        return one.change, one.subject, one.name
    if one.subject is Subject.API_NAME:
        shape = one.definition.shape
        return one.change, one.subject, one.name if shape == "abstract" else plain_name(one.name)
    if one.change is FactChange.RENAMED:
        return one.change, plain_name(one.before or ""), plain_name(one.after or "")
    return one.change, "setting", plain_name(one.name)


def _grouped(differences: Sequence[Difference]) -> list[Difference]:
    """Make many new fields of one class, or arguments of one function, one statement."""
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for one in differences:
        groups.setdefault(_group(one), []).append(one)
    found = []
    for key, members in groups.items():
        if key[0] == "alone" or len(members) <= _MANY:
            found += members
        else:
            first = members[0]
            found.append(
                replace(
                    first,
                    names=tuple(one.name for one in members),
                    before=None,
                    after=None,
                    conditions=(),
                    must_act=any(one.must_act for one in members),
                    inferred=all(one.inferred for one in members),
                )
            )
    return found


def _group(one: Difference) -> tuple[object, ...]:
    definition = one.definition
    grouped = one.change in _COMES_OR_GOES and one.subject in (*_MEMBERS, Subject.API_NAME)
    if not grouped:
        return ("alone", id(one))
    owner = definition.owner if one.subject is not Subject.API_NAME else definition.path
    return one.change, one.subject, owner, definition.shape == "abstract"
