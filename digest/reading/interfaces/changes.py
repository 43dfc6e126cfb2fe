"""The differences of all files of one change, made into what changed for a user: once, rightly.

What left one file and came to another is no difference; a name that replaces another is a rename;
a flag and the field behind it are one thing; a name is public where its package says so.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import TypeAlias

from digest.facts import Evidence, FactChange, Subject
from digest.grades import ChangeObject
from digest.models import FileAt, FileChange
from digest.reading.interfaces.ancestry import Ancestry, after
from digest.reading.interfaces.by_itself import BY_ITSELF
from digest.reading.interfaces.definition import (
    CALLED,
    SETTING,
    Definition,
    are_opposite,
    has_variable,
    likeness,
    plain_name,
    spelling,
    stem,
    unit_of,
)
from digest.reading.interfaces.difference import Compared, Difference
from digest.reading.interfaces.place import PARSERS, Fronts, Place, place_of
from digest.reading.interfaces.presets import PRESET
from digest.reading.interfaces.python import (
    ADDS_FLAGS,
    ENTRY,
    MEMBER,
    OTHERS,
    has_commands,
    is_literal,
    successor,
)
from digest.reading.interfaces.renames import (
    NewName,
    instead,
    is_said_gone,
    near,
    renamed_over,
    said_new_name,
)
from digest.reading.interfaces.rust_flags import RUST, constant_in, may_have
from digest.reading.interfaces.settings import class_before, flags_of_fields, users_of
from digest.reading.patch import hunks
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


@dataclass(frozen=True, slots=True)
class Known:
    """One change with what is known around it: the repository's public names, its own variables.

    `files` are those that were compared, `patches` all of the change: what was not compared can
    still show that a name stays. `words` is what the author says of it, a statement in each line.
    """

    files: Sequence[Compared] = ()
    patches: Sequence[FileChange] = ()
    words: str = ""
    fronts: Fronts = field(default_factory=lambda: Fronts({}))
    repository: str = ""
    texts: Sequence[tuple[FileAt, str]] = ()
    """Texts of files, in which a type is used or a variable read that this change adds."""
    shas: Collection[str] = ()
    """The commits before and after the change; of two versions none, as all texts are of one."""
    title: str = ""
    """The change's own title, none of a refactor: what it names as code is no inner part."""
    steps: Sequence[FileChange] = ()
    """Of two versions the patches in between, in their order: each shows what it renamed itself."""


def known_around(contents: Mapping[FileAt, str | None], repository: str) -> Known:
    """Return what files that were read tell of a repository; None is one that was not there."""
    fronts = {
        at.path.rpartition("/")[0]: text
        for at, text in contents.items()
        if at.path.endswith("/__init__.py")
    }
    texts = [(at, text) for at, text in contents.items() if text]
    return Known(fronts=Fronts(fronts), repository=repository, texts=texts)


def settled_differences(known: Known) -> list[Difference]:
    """Return what one change changed for users, each thing once, in the order of the files."""
    public = (one for file in known.files for one in _public(file, known))
    differences = [
        one
        for one in public
        if not _was_deprecated(one, known) and not _was_given_elsewhere(one, known)
    ]
    differences = _without_moved(_of_what_was(differences), known)
    differences = _renamed(_renamed_in_place(differences, known), known)
    differences = _as_flags(_renamed_choices(differences, known), known)
    return _grouped(_once(_valued(one, known) for one in _told_apart(differences, known)))


def _was_given_elsewhere(one: Difference, known: Known) -> bool:
    """Tell whether a change took out another line that gave a setting what code gives it now."""
    if one.change is not FactChange.DEFAULT or one.definition.shape != BY_ITSELF:
        return False
    field = re.escape(plain_name(one.name))
    gave = re.compile(rf"^-.{{0,200}}(?:\.{field} ?=(?!=)|[\"']{field}[\"']:|\b{field}=)", re.M)
    return any(
        plain_name(one.name) in (file.patch or "") and gave.search(file.patch or "")
        for file in known.patches
    )


def _valued(one: Difference, known: Known) -> Difference:
    """Give a new flag of a program in Rust the default that a constant of the change has."""
    if one.definition.shape != RUST or one.change is not FactChange.ADDED or not one.after:
        return one
    return replace(one, after=constant_in(one.after, (file.patch or "" for file in known.patches)))


def _told_apart(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Name arguments of a class by its module, where two modules of a change have such a class."""
    found = []
    for one in differences:
        owner = one.definition.owner.partition(".")[0]
        is_called = one.subject is Subject.API_ARGUMENT and owner[:1].isupper()
        if is_called and one.definition.shape in CALLED and _has_namesake(owner, known):
            name, before, after = (
                _within_module(each, one.definition) for each in (one.name, one.before, one.after)
            )
            one = replace(one, name=name or one.name, before=before, after=after)
        found.append(one)
    return found


def _within_module(name: str | None, where: Definition) -> str | None:
    """Return the name of an argument with the module of its class; what is none as it is."""
    place = place_of(where.path)
    is_argument = name is not None and re.match(rf"{re.escape(where.owner)}\(", name)
    return f"{place.module}.{name}" if place and place.module and is_argument else name


def _has_namesake(owner: str, known: Known) -> bool:
    texts = (file.pair.after or file.pair.before or "" for file in known.files)
    return sum(f"class {owner}" in text and bool(_head(owner, text)) for text in texts) > 1


_STAYS = (FactChange.DEFAULT, FactChange.CHANGED)


def _as_flags(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Name fields of settings that stay by the flags that a parser makes of them, where it does.

    A flag is what most type; the line of the class tells who gives or reads the field.
    """
    fields = [
        one
        for one in differences
        if (one.subject is Subject.CONFIG_FIELD and one.change in _STAYS)
        or (one.subject is Subject.CHOICE and "." in one.name)
    ]
    if not fields:
        return list(differences)
    flags: dict[str, str] = {}
    for at, text in known.texts:
        if at.path.endswith(PARSERS):
            flags = {**flags_of_fields(text), **flags}
    found = []
    for one in differences:
        flag = flags.get(one.name) if any(one is field for field in fields) else None
        if flag and one.subject is Subject.CHOICE:
            names = tuple(dict.fromkeys(flags.get(name, name) for name in one.names))
            one = replace(one, name=flag, names=names if len(names) > 1 else ())
        elif flag:
            within = _class_line(one.definition, known)
            one = replace(one, subject=Subject.FLAG, name=flag, within=within)
        found.append(one)
    return found


def _class_line(field: Definition, known: Known) -> Evidence | None:
    """Return the line that begins the class of a field, None where only hunks are known."""
    for file in known.files:
        if file.pair.path == field.path and file.pair.after:
            lines = file.pair.after.split("\n")[: field.line]
            for number, line in enumerate(lines, 1):
                if re.match(rf"class {re.escape(field.owner)}\b", line):
                    return Evidence("diff", line, field.path, number, "+")
    return None


def _renamed_choices(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Say what to choose now, where a title renames, of one value that went while one came."""
    found = list(differences)
    if "renam" not in known.title.lower():
        return found
    for place, one in enumerate(found):
        if one.subject is Subject.CHOICE and one.change is FactChange.REMOVED:
            same = [each for each in found if (each.subject, each.name) == (one.subject, one.name)]
            came = [each.after for each in same if each.change is FactChange.ADDED]
            if len(same) == 2 and came:
                found[place] = replace(one, after=came[0])
    return found


def _of_what_was(differences: Sequence[Difference]) -> list[Difference]:
    """Leave out defaults that are others only where a setting holds that is new itself."""
    new = {plain_name(one.name) for one in differences if one.change is FactChange.ADDED}
    return [
        one
        for one in differences
        if one.change is not FactChange.DEFAULT
        or new.isdisjoint(word for each in one.conditions for word in re.findall(r"\w+", each))
    ]


def _public(file: Compared, known: Known) -> Iterable[Difference]:
    for one in file.differences:
        if one.subject in (Subject.API_NAME, Subject.API_ARGUMENT):
            yield from _public_name(one, file, known)
        elif one.subject is Subject.ENV:
            yield from _variable(one, file, known)
        elif (one.subject is Subject.FLAG and _is_script(file)) or (
            one.subject is Subject.CONFIG_FIELD and not _is_settings(one, file, known)
        ):
            continue
        elif one.subject is Subject.CHOICE and _is_of_argument(one):
            yield from _argument_choice(one, file, known)
        elif one.subject is Subject.CHOICE and one.definition.shape == MEMBER:
            if _is_for_others(one.name, one.definition.path, file.place, known):
                yield one
        elif one.subject is Subject.CHOICE and one.inferred:
            yield _of_users(one, known)
        elif one.subject is Subject.DEPENDENCY:
            yield one
        elif _is_in_another(one, known) or _is_still_read(one, known) or _was_taken(one, known):
            continue
        elif one.change is FactChange.RENAMED and _warns_of(one.name, known):
            yield replace(one, change=FactChange.DEPRECATED, must_act=False, inferred=False)
        else:
            yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)


def _is_still_read(one: Difference, known: Known) -> bool:
    """Tell whether a patch has code that reads another name of a flag from what is typed."""
    is_other = one.definition.shape.startswith("--") and one.change is FactChange.REMOVED
    return is_other and _shows(known, one.name, rf"^[+ ].*[\"']{re.escape(one.name)}(?![\w-])")


def _was_taken(one: Difference, known: Known) -> bool:
    """Tell whether a choice beside others that are not read stood among these, as lines show."""
    is_new = one.subject is Subject.CHOICE and one.change is FactChange.ADDED
    if not (is_new and any(each.startswith(OTHERS) for each in one.definition.choices or ())):
        return False
    value = re.escape(one.after or "")
    written = rf"^-.*[\"']{value}[\"']|^-\s+{value.upper()}\s*="
    return any(
        _shows(known, word, written) for word in {one.after or "", (one.after or "").upper()}
    )


def _was_deprecated(one: Difference, known: Known) -> bool:
    """Tell whether a message that calls a name deprecated stood in another file before."""
    said = one.change is FactChange.DEPRECATED and one.definition.owner == "deprecated"
    return said and any(
        was.owner == "deprecated" and (was.subject, was.name) == (one.subject, one.name)
        for other in known.files
        for was in other.old
    )


def _is_in_another(one: Difference, known: Known) -> bool:
    """Tell whether a file has on the other side what a dict of an answer lost or got.

    It may be filled, read or copied there: the dict had the key, or still has it.
    """
    if one.definition.shape != ENTRY:
        return False
    dict_name, _, key = one.name.rpartition(".")
    came = one.change is FactChange.ADDED
    texts = (other.pair.before if came else other.pair.after for other in known.files)
    written = rf"[\"']{re.escape(key)}[\"']"
    is_there = any(text and dict_name in text and re.search(written, text) for text in texts)
    return is_there or _shows(known, key, rf"^{'-' if came else '[+]'}.*{written}")


def _is_for_others(name: str, path: str, place: Place, known: Known) -> bool:
    """Tell whether a function or class is public: a front has it, or the title names it."""
    if known.fronts.is_public(name.partition(".")[0], path, place):
        return True
    is_code = re.search(r"\w[._]\w|[a-z][A-Z]", name) is not None
    named = rf"(?<![\w.]){re.escape(name)}(?![\w])"
    return is_code and name in known.title and re.search(named, known.title) is not None


def _shows(
    known: Known,
    word: str,
    pattern: str,
    *,
    among: Collection[ChangeObject] = RUNTIME,
    besides: Collection[str] = (),
) -> bool:
    """Tell whether a patch of the change has lines of a pattern, as `_showing` finds them."""
    return any(_showing(known, word, pattern, among=among, besides=besides))


def _showing(
    known: Known,
    word: str,
    pattern: str,
    *,
    among: Collection[ChangeObject] = RUNTIME,
    within: str = "",
    besides: Collection[str] = (),
) -> Iterator[FileChange]:
    """Yield the files whose patches have lines of a pattern, which hold a word.

    Of the files of some roles, within a folder, besides some. Between two versions these are the
    files of the changes in between.
    """
    lines = re.compile(pattern, re.M)
    return (
        other
        for other in (known.patches or known.steps)
        if other.patch
        and word in other.patch
        and role(other.path) in among
        and other.path.startswith(within)
        and other.path not in besides
        and lines.search(f"{other.patch}\n") is not None
    )


def _warns_of(name: str, known: Known) -> bool:
    """Tell whether the change adds a line that calls the old name of a setting deprecated."""
    leaf = name.rpartition(".")[2]
    word = rf"\b{re.escape(leaf)}\b"
    return _shows(known, leaf, rf"(?i)^\+.*(?:{word}.*deprecat|deprecat.*{word})")


def _is_settings(one: Difference, file: Compared, known: Known) -> bool:
    """Tell whether a class of settings is for users: by its place, or because a front has it.

    What is called parameters, or has a field without a default, is mostly handed from one part of
    a program to another: those that users make stand right below the package, or its front has
    them.
    """
    place, definition = file.place, one.definition
    if place.depth <= 2 or definition.shape == PRESET:
        return True
    inside = place.arguments or "/config/" in file.pair.path
    made_inside = _PARAMETERS.search(definition.owner) or (
        one.change is FactChange.ADDED and definition.required
    )
    if inside and not made_inside:
        return True
    return known.fronts.is_public(definition.owner, definition.path, place)


_PARAMETERS = re.compile(r"Param(?:eter)?s$")


def _is_of_argument(one: Difference) -> bool:
    return one.definition.subject is Subject.API_ARGUMENT


def _argument_choice(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    """Tell of the values of an argument that is public, or of a part of a request.

    Nothing holds a caller to what an annotation lists: what it lists no more may still be taken.
    """
    definition = one.definition
    if definition.shape not in ("function", "api", "native") and file.place.requests:
        yield replace(one, name=definition.name.replace("(", ".").rstrip(")"))
    elif one.change is FactChange.ADDED and _is_public(definition, file, known):
        yield one


def _of_users(one: Difference, known: Known) -> Difference:
    """Name a choice by the settings that take it, where another file tells them."""
    definition = one.definition
    owner = definition.owner
    for at, text in known.texts:
        place = place_of(at.path) if owner in text else None
        if place and (place.config or place.arguments) and (names := users_of(text, owner)):
            more = tuple(names) if len(names) > 1 else ()
            return replace(one, name=names[0], names=more, inferred=False)
    return one


def _is_script(file: Compared) -> bool:
    """A parser that a file makes and runs by itself is that script's own.

    A server's is the program's, unless it comes as a whole: then its flags are not this program's.
    What gives flags to a parser of whoever calls it may be one more that gives it the same ones,
    if it comes or goes as a whole.
    """
    text = file.pair.after or file.pair.before or ""
    if not file.place.flags and None in (file.pair.before, file.pair.after) and ADDS_FLAGS in text:
        return True
    return (
        not file.place.arguments
        and (not file.place.server or file.pair.before is None)
        and "__main__" in text
        and ("ArgumentParser(" in text or has_commands(text))
    )


def _variable(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    definition = one.definition
    if one.change is FactChange.DEPRECATED and _is_warned_of_alone(one.name, known):
        yield replace(one, change=FactChange.REMOVED, must_act=True)
        return
    if one.change is FactChange.DEPRECATED and not _was_there(one.name, file, known):
        return
    if definition.table or one.change is FactChange.DEPRECATED:
        yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)
        return
    if not _is_own(one.name, known.repository):
        return
    # A switch that is read in many places is read without a default in each: one more or one
    # fewer says nothing, unless the documentation came or went with it.
    declared = file.place.environment or definition.shape == "native"
    bare = definition.value is None and not declared
    if bare and not _is_documented(one, known):
        return
    if one.change not in _COMES_OR_GOES:
        yield one
    elif not _is_read_elsewhere(one, known) and (
        one.change is FactChange.ADDED or file.pair.after is not None
    ):
        yield replace(one, inferred=True, must_act=one.change is FactChange.REMOVED)


def _is_read_elsewhere(one: Difference, known: Known) -> bool:
    """Tell whether a program has a variable on the other side of what came or went, as is known."""
    word = one.name.removeprefix("*")
    came = one.change is FactChange.ADDED

    def reads(text: str | None, path: str) -> bool:
        if text is None:
            return False
        return has_variable(text, word, path) or (
            "}_" in text and word.endswith(_put_together(text))
        )

    here = {other.pair.path for other in known.files}
    # What another change of the window did later says nothing of before this one.
    own = (each for each in known.texts if not known.shas or each[0].sha in known.shas)
    files = (
        (each.pair.before, each.pair.old_path) if came else (each.pair.after, each.pair.path)
        for each in known.files
    )
    return (
        any(reads(text, at.path) for at, text in own if at.path not in here)
        or any(reads(*each) for each in files)
        or _shows(
            known,
            word,
            rf"^[{'-' if came else '+'} ].*(?<![A-Z0-9_]){re.escape(word)}(?![A-Z0-9_])",
            besides=here,
        )
    )


_PUT_TOGETHER = re.compile(
    r"(?:environ\b(?:\.\w+\(|\[)|\b\w*(?:getenv|env_var\w*)\()"
    r"\s*f[\"']\{[\w.]+\}(_[A-Z][A-Z0-9_]*)[\"']"
)
"""What variables end with whose names are put together to be read: `getenv(f"{prefix}_LIBS")`."""


@lru_cache(maxsize=512)
def _put_together(text: str) -> tuple[str, ...]:
    """Return what variables of a text end with: each variable of a change asks for it."""
    return tuple(set(_PUT_TOGETHER.findall(text)))


def _was_there(name: str, file: Compared, known: Known) -> bool:
    """Tell whether a variable that is deprecated was read before: else it may never have been.

    The file that warns of it had its name, or a table of variables, or a line that went.
    """
    here = {other.pair.path for other in known.files}
    texts = [file.pair.before]
    texts += [other.pair.before for other in known.files if other.place.environment]
    texts += [
        text
        for at, text in known.texts
        if at.path not in here and (place := place_of(at.path)) and place.environment
    ]
    had = any(text and name in text for text in texts)
    return had or _shows(known, name, rf"^-.*(?<![A-Z0-9_]){name}(?![A-Z0-9_])")


def _is_warned_of_alone(name: str, known: Known) -> bool:
    """Tell whether a variable lost its definition, and all that is left of it is a warning."""
    sides = [(file.old, file.new) for file in known.files]
    had, has = (
        any(one.table and one.name == name for side in sides for one in side[place])
        for place in (0, 1)
    )
    texts = [text for file in known.files if (text := file.pair.after) and name in text]
    warned = rf"warn\w*\(\s*[\"']{name}[\"']"
    return (
        had
        and not has
        and bool(texts)
        and all(len(re.findall(warned, text)) == text.count(name) for text in texts)
    )


def _is_documented(one: Difference, known: Known) -> bool:
    """Tell whether pages or comments of the change name a thing on the side where it differs."""
    sign = "+" if one.change is FactChange.ADDED else "-"
    name = rf"\b{re.escape(one.name)}\b"
    return _shows(known, one.name, rf"^\{sign}.*{name}", among=(ChangeObject.DOCS,)) or _shows(
        known, one.name, rf"^\{sign}\s*(?:#|//).*{name}"
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
            yield from _argument(one, definition.owner, file, known)
        elif _is_for_others_to_write(definition, file) and one.change in _COMES_OR_GOES:
            yield replace(one, must_act=True, inferred=True)
    elif one.change is FactChange.DEPRECATED:
        warns = definition.owner == "deprecated"
        if warns and _is_for_others(one.name, definition.path, file.place, known):
            # An old name that works again hits nobody, and helps who uses it still.
            again = _came_deprecated(one, file, known)
            if again and one.after:
                one = replace(one, change=FactChange.ADDED)
            yield replace(one, must_act=False) if again else one
    elif definition.shape == "exported":
        yield from _exported(one, file, known)
    elif one.change is FactChange.ADDED:
        yield from _new_name(one, file, known)
    else:
        yield from _gone_name(one, file, known)


_COMES_OR_GOES = (FactChange.ADDED, FactChange.REMOVED)


def _came_deprecated(one: Difference, file: Compared, known: Known) -> bool:
    """Tell whether a function or class that is deprecated was not there before the change."""
    name = re.escape(one.name.rpartition(".")[2])
    defined = re.compile(rf"^[ \t]*(?:(?:async )?def|class) {name}\b", re.M)
    before = (text for other in known.files if (text := other.pair.before))
    changes = replace(known, patches=known.patches or known.steps)
    return (
        defined.search(file.pair.after or "") is not None
        and not any(re.search(rf"\b{name}\b", text) for text in before)
        and not _shows(changes, name, rf"^[- ].*\b{name}\b")
    )


def _new_name(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    """Tell of a method that others have to write from now on, and of a bound name."""
    definition = one.definition
    if definition.shape == "abstract":
        had = file.pair.before and _had_class(file.pair.before, definition.owner)
        if had and _has_to_be_whole(definition.owner, file.pair.after or ""):
            yield replace(one, must_act=True, inferred=True)
    elif definition.shape == "native" and known.fronts.has_name(one.name):
        yield one


def _gone_name(one: Difference, file: Compared, known: Known) -> Iterable[Difference]:
    """Tell of a function of the package's interface that went, and of a method of what stays."""
    definition = one.definition
    if definition.shape == "api" and file.pair.before:
        yield replace(one, must_act=True)
    elif definition.shape == "method" and _stays(definition.owner, file):
        if _is_looked_up(one.name, file.pair.after or ""):
            yield replace(one, change=FactChange.DEPRECATED, inferred=True)
        elif _is_for_others(one.name, definition.path, file.place, known):
            yield replace(one, must_act=True)
        elif _is_base(definition.owner, file.pair.before or ""):
            yield replace(one, must_act=True, inferred=True)


def _is_looked_up(name: str, text: str) -> bool:
    """Tell whether a method that a class lost is still called where a subclass has it."""
    leaf = name.rpartition(".")[2]
    if f'"{leaf}"' not in text and f"'{leaf}'" not in text:
        return False
    pattern = rf"\b(?:get|has)attr\(\s*\w+,\s*[\"']{re.escape(leaf)}[\"']"
    return re.search(pattern, text) is not None


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
    if not place.exports and one.name in _names_of_front(path, known):
        return  # the front names it itself, from wherever: its own lines tell that
    if one.definition.is_module and not _is_with_its_module(one, known):
        return  # `import package.module` works with and without the front
    if _may_be_there(one, file, known):
        return
    after = one.after if added else _came_to(one, known) or _said_instead(one, known)
    yield replace(one, name=_from_front(one.name, place), after=after, must_act=not added)


def _is_with_its_module(one: Difference, known: Known) -> bool:
    """Tell whether the module that a front imports itself comes or goes with the line that does."""
    folder = one.definition.path.rpartition("/")[0]
    paths = (f"{folder}/{one.name}.py", f"{folder}/{one.name}/__init__.py")
    came = one.change is FactChange.ADDED
    return any(
        file.path in paths
        if came and file.status in ("added", "renamed")
        else not came and (file.path if file.status == "removed" else file.previous_path) in paths
        for file in known.patches or known.steps
    )


_ALL_OF_ANOTHER = re.compile(r"\.__all__\b|\b__all__ as ")
"""The list of another module's names within a module: of these nothing is known."""


def _may_be_there(one: Difference, file: Compared, known: Known) -> bool:
    """Tell whether a module may hand on a name that it does not write out: all of another one's.

    Before the change of a name that came, after it of one that went. What another module defines
    is known only where the change shows that the definition came or went.
    """
    came = one.change is FactChange.ADDED
    text = (file.pair.before if came else file.pair.after) or ""
    if not file.place.exports:
        return _ALL_OF_ANOTHER.search(text) is not None
    if not _may_come_with_all(one, file.pair.path, text, known):
        return False
    module = re.compile(rf"(?:^|/){re.escape(one.name)}(?:/__init__)?\.py")
    status = "added" if came else "removed"
    if any(each.status == status and module.search(each.path) for each in known.patches):
        return False
    name = re.escape(one.name)
    defined = rf"(?:(?:class|(?:async )?def) {name}\b|{name}\s*[:=]|.*\bm\.def\(\"{name}\")"
    if not _shows(known, one.name, rf"^{'[+]' if came else '-'}{defined}"):
        return True
    folders = file.pair.path.split("/")[:-1]
    package = "/".join(folders[: len(folders) - file.place.depth + 1])
    # A method, a member and a comment of that name are something else.
    used = rf"(?!\s+(?:async )?def |\s*#)(?:.*[^.\w])?{name}\b"
    stands = rf"^-{defined}" if came else rf"^[+ ]{used}"
    shown = _showing(known, one.name, stands, within=f"{package}/", besides=(file.pair.path,))
    if came or known.patches:
        return any(shown)
    return _is_left_in(shown, re.compile(rf"^{used}", re.M), known)


def _is_left_in(shown: Iterable[FileChange], used: re.Pattern[str], known: Known) -> bool:
    """Tell whether one of some files still has a line at the end of several changes.

    Of a file that was not read at the end nothing is known: it may.
    """
    ends = {at.path: text for at, text in known.texts}
    ends |= {file.pair.path: file.pair.after or "" for file in known.files}
    ends |= {file.pair.old_path: "" for file in known.files if file.pair.after is None}
    return any(file.path not in ends or used.search(ends[file.path]) for file in shown)


_ALL_OF = re.compile(r"^[ \t]*from (\.*)([\w.]*) import \*", re.M)
_MOST_HOPS = 20
"""Modules of which each hands on all of another one that are looked at."""


def _may_come_with_all(one: Difference, path: str, text: str, known: Known) -> bool:
    """Tell whether modules of which a front hands on all have a name, or are not known.

    In: the front, and its text on the side where the name is looked for.
    """
    came = one.change is FactChange.ADDED
    texts = {at.path: text for at, text in known.texts}
    for file in known.patches:
        texts.pop(file.path, None)
    for each in known.files:
        side = (each.pair.old_path, each.pair.before) if came else (each.pair.path, each.pair.after)
        texts[side[0]] = side[1] or ""
    left, seen = [(path, text)], {path}
    while left:
        path, text = left.pop()
        for dots, module in _ALL_OF.findall(text):
            folders = path.split("/")[: -len(dots)] if dots else []
            inner = "/".join([*folders, *filter(None, module.split("."))])
            ends = (f"{inner}.py", f"{inner}/__init__.py")
            found = next((at for at in texts if at in ends or (not dots and at.endswith(ends))), "")
            whole = texts.get(found)
            if whole is None or re.search(rf"\b{re.escape(one.name)}\b", whole):
                return True
            if found not in seen and len(seen) < _MOST_HOPS:
                seen.add(found)
                left.append((found, whole))
    return False


def _is_of_method(one: Difference) -> bool:
    return one.new is not None and one.new.shape == "method"


def _is_of_callers(function: str, one: Difference, file: Compared, known: Known) -> bool:
    """Tell whether a front hands on the class of a method, for callers and not as a base.

    Classes have many methods: what one of another class can be given besides is no news.
    """
    owner = function.partition(".")[0]
    is_base = owner.startswith("Base")
    return not is_base and known.fronts.is_public(owner, one.definition.path, file.place)


def _argument(one: Difference, function: str, file: Compared, known: Known) -> Iterable[Difference]:
    if not _defines(file.old, file.pair.before, function):
        return  # a new function brings its arguments
    if one.definition.shape == "native" and not all(
        any(d.owner == function for d in side) for side in (file.old, file.new)
    ):
        return  # bound without names of its arguments, it had and has them all the same
    if not _defines(file.new, file.pair.after, function):
        moved = [
            other
            for other in known.files
            if other is not file and _defines(other.new, other.pair.after, function)
        ]
        # A gone function takes its arguments with it; one that moved has them where it is now.
        if len(moved) != 1 or any(one.name == there.name for there in moved[0].new):
            return
    before, after = file.pair.before or "", file.pair.after or ""
    others, own = (before, after) if one.change is FactChange.ADDED else (after, before)
    if one.change in _COMES_OR_GOES and _takes_any(others, function) > _takes_any(own, function):
        return  # it is one of those that are handed on
    if one.change in _COMES_OR_GOES and (renamed := _stated_rename(one, file, known)):
        old, now = renamed
        if one.name == old:
            yield replace(one, change=FactChange.RENAMED, before=old, after=now, must_act=True)
    elif one.change is FactChange.ADDED:
        required = one.new is not None and one.new.required
        shifted = "" if required else _shifted(one.new, file)
        breaks = required or bool(shifted)
        if breaks or not _is_of_method(one) or _is_of_callers(function, one, file, known):
            yield replace(one, must_act=breaks, conditions=(shifted,) if shifted else ())
    else:
        yield replace(one, must_act=one.must_act or one.change is FactChange.REMOVED)


_MOST_OF_HEAD = 8_000
"""Characters of a function's parameters, or of a class's head, that are looked at."""


@lru_cache(maxsize=64)
def _takes_any(text: str, function: str) -> bool:
    """Tell whether a function of a text, or what makes a class, takes any argument by its name.

    Of several of a name, as overloads are, whether one of them does.
    """
    owner, _, name = function.rpartition(".")
    if _had_class(text, function):
        owner, name = function, "__init__"
    for match in re.finditer(rf"^[ \t]*(?:async )?def {re.escape(name)}\(", text, re.M):
        head = text[match.end() : match.end() + _MOST_OF_HEAD]
        end = re.search(r"^[ \t]*\)|\) ?(?:->[^\n]*)?:[ \t]*(?:#.*)?$", head, re.M)
        takes_any = end is not None and "**" in head[: end.start()]
        if takes_any and (not owner or class_before(text, match.start()) == owner):
            return True
    return False


def _stated_rename(one: Difference, file: Compared, known: Known) -> tuple[str, str] | None:
    """Return the old and the new name of an argument, where the author says that it is renamed."""
    function = one.name.partition("(")[0]
    was, became = ({d.name for d in side if d.owner == function} for side in (file.old, file.new))
    for old in was - became:
        now = said_new_name(old.partition("(")[2].rstrip(")"), known.words)
        if f"{function}({now})" in became and one.name in (old, f"{function}({now})"):
            return old, f"{function}({now})"
    return None


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


def _came_to(one: Difference, known: Known) -> str | None:
    """Return where what left a front stands now, if one module of the change came to define it.

    A function that takes nothing of what the one that went took is another one of its name.
    """
    heads: dict[str, list[tuple[FileChange, str]]] = {"+": [], "-": []}
    for file in known.patches:
        for sign, side in heads.items():
            if found := re.search(_HEAD.format(re.escape(sign), one.name), file.patch or "", re.M):
                side.append((file, found["takes"] or ""))
    came = [
        (place.module, _ARGUMENTS.findall(takes))
        for file, takes in heads["+"]
        if (place := place_of(file.path)) and place.module
    ]
    if len(came) != 1 or not heads["-"]:
        return None
    (module, takes), took = came[0], _ARGUMENTS.findall(heads["-"][0][1])
    return None if (takes or took) and not {*takes} & {*took} else f"{module}.{one.name}"


_HEAD = r"^{0}(?:class {1}\b|(?:async )?def {1}\((?P<takes>[^()]{{0,2000}}))"
"""The first line of a class, or of a function with the first of what it takes."""
_ARGUMENTS = re.compile(r"(?:^|,)\s*[+-]?\s*\**(\w+)")


def _said_instead(one: Difference, known: Known) -> str | None:
    """Return what the definition of what left a front said to use in its place."""
    head = re.compile(rf"^-(?:class|(?:async )?def) {re.escape(one.name)}\b", re.M)
    for file in known.patches:
        if file.patch and one.name in file.patch and (found := head.search(file.patch)):
            return instead(file.patch, found.start(), one.name)
    return None


def _names_of_front(path: str, known: Known) -> frozenset[str]:
    """Return the names that the front beside a module hands on after the change."""
    front = known.fronts.front(path.rpartition("/")[0])
    return frozenset() if front is None else front.names


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
    before, after = (_head(owner, text or "") for text in (file.pair.before, file.pair.after))
    return before != "" and before == after


def _head(owner: str, text: str) -> str:
    """Return the head of a class in a text, empty where it has none."""
    return _heads(text).get(owner, "")


@lru_cache(maxsize=8)
def _heads(text: str) -> Mapping[str, str]:
    """Return the heads of the classes of a text by name, the first of each: methods ask for it."""
    heads: dict[str, str] = {}
    for found in re.finditer(r"^class (\w+)", text, re.M):
        end = text.find(":", found.end(), found.end() + _MOST_OF_HEAD)
        heads.setdefault(found[1], text[found.start() : end + 1] if end >= 0 else "")
    return heads


def _is_base(owner: str, text: str) -> bool:
    """Tell whether a class is made for others to write their own from."""
    above = _head(owner, text).partition("(")[2]
    return re.search(r"\bABC(?:Meta)?\b", above) is not None


def _is_for_others_to_write(one: Definition, file: Compared) -> bool:
    """Tell whether an argument is of a method that was abstract and still is."""
    is_abstract = one.shape == "method" and all(
        any(d.name == one.owner and d.shape == "abstract" for d in side)
        for side in (file.old, file.new)
    )
    owner = one.owner.partition(".")[0]
    return is_abstract and _has_to_be_whole(owner, file.pair.after or "")


_ENFORCES = re.compile(r"\b(?:ABC(?:Meta)?|Protocol)\b")
_PLAIN = frozenset(("type", "object", "Generic"))
"""Bases that ask for nothing of who derives a class."""


def _has_to_be_whole(owner: str, text: str) -> bool:
    """Tell whether nobody can make a class without its abstract methods, by the classes above it.

    A class from another file may be such a one; a plain class, or one of classes, is not.
    """
    left, seen = [owner], {owner, *_PLAIN}
    while left:
        one = left.pop()
        if one not in _heads(text):
            return True
        above = re.sub(r"\[[^\[\]]*\]", "", _head(one, text).partition("(")[2])
        if _ENFORCES.search(above):
            return True
        bases = set(re.findall(r"(?:^|,)\s*(?:metaclass=)?(?:\w+\.)*(\w+)", above))
        left += bases - seen
        seen |= bases
    return False


def _is_public(one: Definition, file: Compared, known: Known) -> bool:
    """Tell whether others call what takes an argument: a function, a method, or a class itself."""
    if one.owner.startswith("_"):
        return False
    if one.shape == "native":
        return known.fronts.has_name(one.owner)
    if one.shape == "api":
        return True
    if one.owner[:1].isupper() and "." not in one.owner:
        # Most classes are made by the program alone, also those that a title names.
        return known.fronts.is_public(one.owner, one.path, file.place)
    return _is_for_others(one.owner, one.path, file.place, known)


def _without_moved(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Leave out what stands in another file, class or table of the change as it stood here."""
    names = _defined(known.files)
    came = {_thing(one): one for one in differences if one.change is FactChange.ADDED}
    left = {_thing(one): one for one in differences if one.change is FactChange.REMOVED}
    whole_moved = {one.name for one in differences if one.change is FactChange.ADDED} & {
        one.name for one in differences if one.change is FactChange.REMOVED
    }
    before, after = _names(known.files, old=True), _names(known.files, old=False)
    inherited = _inherited(differences, known)
    merged = _merged(known.files)
    found = []
    for one in differences:
        thing = _thing(one)
        moves = one.change in (FactChange.REMOVED, FactChange.ADDED)
        if moves and one.definition.shape == RUST and _is_in_other_rust(one, known):
            continue
        if moves and one.name in whole_moved and one.subject in _MEMBERS:
            continue
        notice = _notice(one, known.files) if one.change is FactChange.REMOVED else ""
        stays = thing in after or (thing in came and not _is_left_to_some(one, came[thing]))
        if one.change is FactChange.REMOVED and stays and not notice:
            continue
        if notice and one.after is None:
            said = re.sub(r"[\"']\s*\n\s*f?[\"']", "", notice)
            one = replace(one, after=successor(said, one.name) or None)
        if one in inherited or (one.change is FactChange.REMOVED and _class_of(one) in merged):
            continue
        if one.change is FactChange.REMOVED and (
            _is_elsewhere(one, known) or _is_anothers(one, known)
        ):
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


def _is_left_to_some(gone: Difference, came: Difference) -> bool:
    """Tell whether an extra alone asks from now on for what everybody got."""
    is_needed = gone.subject is Subject.DEPENDENCY
    return is_needed and not gone.conditions and bool(came.conditions)


def _is_elsewhere(one: Difference, known: Known) -> bool:
    """Tell whether a field's class came with it to another file, of whatever kind that is.

    Members of an enum, which are choices, come and go with it too.
    """
    was = one.old
    if was is not None and one.subject is Subject.CHOICE:
        return _shows(known, one.name, rf"^\+class {re.escape(one.name)}\(", besides=(was.path,))
    if was is None or not was.owner or one.subject not in _FIELDS:
        return False
    owner, name = was.owner.rpartition(".")[2], re.escape(one.name.rpartition(".")[2])
    head = rf"^\+class {re.escape(owner)}\b[^\n]*\n"
    member = rf"(?:[+ ](?!class )[^\n]*\n)*?\+\s+{name}\s*[:=]"
    return _shows(known, owner, head + member, besides=(was.path,))


def _is_in_other_rust(one: Difference, known: Known) -> bool:
    """Tell whether another file of Rust has a flag that went, or lost one that came.

    Such a file may be new, or called as it likes: it is not compared.
    """
    signs = "+ " if one.change is FactChange.REMOVED else "-"
    return any(
        may_have(_side(other.patch, signs), one.name)
        for other in known.patches
        if other.patch and other.path.endswith(".rs") and other.path != one.definition.path
    )


@lru_cache(maxsize=8)
def _side(patch: str, signs: str) -> str:
    """Return the lines of a patch that have one of some signs, without it."""
    return "\n".join(line[1:] for line in patch.split("\n") if line[:1] and line[0] in signs)


def _is_anothers(one: Difference, known: Known) -> bool:
    """Tell whether an argument went with one of two callables of a name, and the other takes it."""
    was = one.old
    if was is None or one.subject is not Subject.API_ARGUMENT:
        return False
    top = re.escape(was.owner.partition(".")[0])
    stands = re.compile(rf"^(?:class|(?:async )?def) {top}\b", re.M)
    argument = re.compile(rf"\b{re.escape(was.name.rstrip(')').rpartition('(')[2])}\b")
    left, others = "", []
    for file in known.files:
        if file.pair.old_path == was.path:
            left = file.pair.after or ""
        else:
            others.append(file.pair.after or "")
    return not stands.search(left) and any(
        (found := stands.search(text)) and argument.search(text, found.end()) for text in others
    )


_SENT = (Subject.REQUEST_FIELD, Subject.RESPONSE_FIELD)


def _class_of(one: Difference) -> tuple[str, str]:
    """Return the file and the class of a field of what is sent, empty for all else."""
    definition = one.definition
    return (definition.path, definition.owner) if one.subject in _SENT else ("", "")


def _merged(files: Sequence[Compared]) -> set[tuple[str, str]]:
    """Return the classes of what is sent that went while others came to have all their fields.

    What is sent has the names of fields, and not that of the class that reads it: any class of the
    file, or one of the same name in another one, where it may have stood all along.
    """
    lost: dict[str, dict[str, set[str]]] = {}
    for file in files:
        for one in file.old:
            is_field = one.subject in _SENT and one.shape != ENTRY
            if is_field and not _had_class(file.pair.after or "", one.owner):
                fields = lost.setdefault(file.pair.old_path, {}).setdefault(one.owner, set())
                fields.add(one.name.rpartition(".")[2])
    if not lost:
        return set()
    elsewhere = Ancestry(file.pair.after for file in files if file.pair.after)
    found: set[tuple[str, str]] = set()
    for file in files:
        had = lost.get(file.pair.old_path, {})
        left = Ancestry([file.pair.after or ""] if had else [])
        found |= {
            (file.pair.old_path, owner)
            for owner, fields in had.items()
            if left.have(fields)
            or elsewhere.has(owner, fields)
            or _names_several(file.pair.after or "", owner, fields)
        }
    return found


def _names_several(text: str, owner: str, fields: set[str]) -> bool:
    """Tell whether what was a class is the name of other types now, which have all its fields."""
    is_named = re.search(rf"^{re.escape(owner)}\b[^\n=]{{0,80}}=", text, re.M) is not None
    return is_named and fields <= set(re.findall(r"^    (\w+)[ \t]*:", text, re.M))


_RETIRED = (
    r"\b{}\b[^\n]{{0,80}}\b(?:removed|retired|ignored|obsolete|no longer|no effect)\b"
    r"(?:[^\n]*\n?){{0,3}}"
)
"""What says that a name is gone, and what follows it: what to use instead may stand there."""


def _notice(one: Difference, files: Sequence[Compared]) -> str:
    """Return what says of a name that lost its definition that it is gone, where it lives on so."""
    if one.old is None or not one.old.table:
        return ""
    name = one.name.removeprefix("--")
    texts = [text for file in files if (text := file.pair.after or "") and name in text]
    found = (re.search(_RETIRED.format(re.escape(name)), text) for text in texts)
    return next((match[0] for match in found if match), "")


def _inherited(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Return what a class lost and has from a class above it, and got and had from there."""

    def members(change: FactChange) -> list[Difference]:
        return [
            one
            for one in differences
            if one.change is change and (one.subject in _FIELDS or one.definition.shape == "method")
        ]

    found: list[Difference] = []
    if gone := members(FactChange.REMOVED):
        whole = [file.pair.after for file in known.files if file.pair.after]
        shown = [
            after(file.patch) for file in known.patches if file.patch and file.path.endswith(".py")
        ]
        now = Ancestry([*whole, *shown])
        found += [one for one in gone if now.inherits(one.definition.owner, _leaf(one))]
    if came := members(FactChange.ADDED):
        before = [file.pair.before for file in known.files if file.pair.before]
        was = Ancestry(before)
        found += [one for one in came if was.inherits(one.definition.owner, _leaf(one))]
        # What others lost that a new class has is what they have from it now.
        lost = {_leaf(one) for one in gone if one.subject in _FIELDS}
        found += [
            one
            for one in came
            if one.subject in _FIELDS
            and _leaf(one) in lost
            and not any(_had_class(text, one.definition.owner) for text in before)
        ]
    return found


def _leaf(one: Difference) -> str:
    return plain_name(one.name) if one.subject in _FIELDS else one.name.rpartition(".")[2]


def _defined(files: Sequence[Compared]) -> set[str]:
    """Return the functions and classes that files define after the change."""
    return {
        one.name
        for file in files
        for one in file.new
        if one.subject is Subject.API_NAME and one.shape in ("api", "function", "class")
    }


def _thing(one: Difference) -> tuple[str, ...]:
    if one.definition.shape == RUST:
        return RUST, one.subject.value, one.name, one.before or one.after or ""
    if one.subject is Subject.CHOICE:
        return "choice", one.before or one.after or ""
    if one.subject is Subject.DEPENDENCY:
        return "dependency", one.name.lower().replace("_", "-")
    if one.subject is Subject.API_NAME:
        return "name", one.name.rpartition(".")[2]
    if one.subject in _FIELDS:
        definition = one.definition
        name = one.name if definition.shape == SETTING else plain_name(one.name)
        return "field", name, definition.path
    return one.subject.value, one.name


def _names(files: Sequence[Compared], *, old: bool) -> set[tuple[str, ...]]:
    """Return the flags, metrics, routes and variables that files define on one side."""
    return {
        (one.subject.value, one.name)
        for file in files
        for one in (file.old if old else file.new)
        if one.subject in _NAMED and one.owner != "deprecated" and one.shape != RUST
    }


def _renamed_in_place(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Tell a function, class or method that went as renamed where a patch shows its new name.

    So is one of which the author says what it is called now, where a patch defines that.
    """
    gone = {id(one): _within(one) for one in differences if _is_name(one, FactChange.REMOVED)}
    runtime = (
        file
        for file in known.patches or known.steps
        if file.path.endswith(".py") and role(file.path) in RUNTIME
    )
    renames = renamed_over(runtime, set(gone.values())) if gone else {}
    names: dict[int, tuple[str, bool]] = {}
    for one in differences:
        found = renames.get(gone.get(id(one), "")) or _said_name(gone.get(id(one), ""), known)
        if found is None or is_said_gone(_within(one), found, known.words):
            continue
        now = found.name.rpartition(".")[2]
        if one.old and one.old.shape == "exported" and not _is_handed_on(now, one.old, known):
            continue
        owner = one.name.rpartition(".")[0]
        names[id(one)] = f"{owner}.{now}" if owner else now, not found.is_same
    came = {name for name, _ in names.values()}
    return [
        one if id(one) not in names else _as_renamed(one, *names[id(one)])
        for one in differences
        if not (_is_name(one, FactChange.ADDED) and one.name in came)
    ]


def _said_name(went: str, known: Known) -> NewName | None:
    """Return the name that an author says a function, class or method has, which came with it."""
    leaf = went.rpartition(".")[2]
    now = said_new_name(leaf, known.words) if leaf else ""
    came = (
        now
        and _is_said(leaf, now, known.words)
        and _shows(known, now, rf"^\+\s*(?:class|(?:async )?def) {now}\b")
    )
    return NewName(now, is_same=True) if came else None


def _within(one: Difference) -> str:
    """Return the name of a function or class as its file has it, of a method with its class."""
    leaf = one.name.rpartition(".")[2]
    return f"{one.old.owner}.{leaf}" if one.old and one.old.shape == "method" else leaf


def _is_handed_on(name: str, was: Definition, known: Known) -> bool:
    """Tell whether the front that handed on one name hands on another one, as far as is known."""
    front = known.fronts.front(was.path.rpartition("/")[0])
    return front is None or name in front.names


def _as_renamed(one: Difference, name: str, inferred: bool) -> Difference:
    return replace(one, change=FactChange.RENAMED, before=one.name, after=name, inferred=inferred)


def _is_name(one: Difference, change: FactChange) -> bool:
    return one.subject is Subject.API_NAME and one.change is change


BY_PLACE, BY_NEARNESS = 0.6, 0.61
"""How alike two arguments are by their place alone, and two settings by the same lines."""


_NEAREST = 100
"""Names of one sort that came which each that went is compared with."""


def _renamed(differences: Sequence[Difference], known: Known) -> list[Difference]:
    """Pair what went with what came in its place.

    A flag or variable came in the place of one that went in the same hunk, or where the author
    says so: many have names of the same words, and a default that many have.
    """
    gone = [one for one in differences if one.change is FactChange.REMOVED]
    came = [one for one in differences if one.change is FactChange.ADDED]
    pairs: list[tuple[float, Difference, Difference]] = []
    hunks_of = _hunks_of_lines({old.old.path for old in gone if old.old}, known.patches)
    for old, new in near(gone, came, lambda one: one.subject, _NEAREST):
        alike = 1.0 if _is_stated(old, new, known.words) else _likeness(old, new, known)
        if 0 < alike < 1 and old.subject in _SWITCHES and not _in_one_hunk(old, new, hunks_of):
            continue
        if alike:
            pairs.append((alike, old, new))
    pairs.sort(key=lambda pair: -pair[0])
    taken: set[int] = set()
    renames: dict[int, Difference] = {}
    for alike, old, new in pairs:
        if id(old) in taken or id(new) in taken or (alike < 1 and _is_nearer(old, new, came)):
            continue
        taken |= {id(old), id(new)}
        renames[id(old)] = replace(
            new, change=FactChange.RENAMED, name=old.name, before=old.name, after=new.name,
            old=old.old, must_act=True, inferred=alike < 1, conditions=_defaults(old, new),
        )  # fmt: skip
    found = []
    for one in differences:
        if id(one) in renames:
            found.append(renames[id(one)])
        elif id(one) not in taken:
            found.append(one)
    return found


def _is_nearer(old: Difference, new: Difference, came: Sequence[Difference]) -> bool:
    """Tell whether another setting came beside a new one, with more of the old one's name.

    Of `rates`, a list, and `length`, each may be what became of `rate`: it is told as gone.
    """
    if old.subject not in (*_SWITCHES, *_FIELDS):
        return False
    alike = likeness(old.name, new.name)
    beside = (one for one in came if one is not new and _sort(one) == _sort(new))
    return any(likeness(old.name, one.name) > alike for one in islice(beside, _MOST_BESIDE))


_MOST_BESIDE = 12
"""Settings that came beside one of which each is asked: more came with a rewritten file."""


def _sort(one: Difference) -> tuple[Subject, str, str]:
    return one.subject, one.definition.path, one.definition.owner


_HunksOfLines: TypeAlias = Mapping[str, tuple[Mapping[int, int], Mapping[int, int]]]
"""By path the hunk of each line before, and of each line after."""


def _hunks_of_lines(paths: Collection[str], patches: Sequence[FileChange]) -> _HunksOfLines:
    """Number the hunks of those of some files whose patch is known, by their lines."""
    found: dict[str, tuple[dict[int, int], dict[int, int]]] = {}
    for file in patches:
        if file.path not in paths or file.patch is None or file.path in found:
            continue
        old: dict[int, int] = {}
        new: dict[int, int] = {}
        for number, hunk in enumerate(hunks(file.patch)):
            for line in hunk.lines:
                if line.old is not None:
                    old[line.old] = number
                if line.new is not None:
                    new[line.new] = number
        found[file.path] = old, new
    return found


def _in_one_hunk(old: Difference, new: Difference, hunks_of: _HunksOfLines) -> bool:
    """Tell whether a name came near where another one went; of an unknown patch the file has to do.

    In: differences of one subject, the first of what went, the second of what came.
    """
    was, became = old.old, new.new
    if was is None or became is None or was.path != became.path:
        return False
    if became.path not in hunks_of:
        return True
    before, after = hunks_of[became.path]
    hunk = before.get(was.line) if was.line is not None else None
    return hunk is not None and became.line is not None and after.get(became.line) == hunk


def _defaults(old: Difference, new: Difference) -> tuple[str, ...]:
    """Return the defaults of both names where the new one is in another unit: `4 → 4096`."""
    if unit_of(old.name) == unit_of(new.name) or old.before == new.after:
        return ()
    return (f"{old.before} → {new.after}",) if old.before and new.after else ()


_RENAMING = re.compile(
    r"\brenam|\bin place of\b|\binstead of\b|\bis now\b|\bbecomes?\b|\breplac|"
    r"\b(?:takes?|took) its place\b|->|→|⇒|\bto\b|改名|重命名|改为|替换",
    re.IGNORECASE,
)


_BECOMES = r"\W{0,4}(?:to|->|=>|→|⇒|is now|becomes?|改为|重命名为)\W{0,4}"


_ARGUMENT = re.compile(r"\b(?:argument|parameter)|参数", re.IGNORECASE)
_CLAUSE = 120
"""Characters before a name in which an author says whose argument it is."""


def _is_stated(old: Difference, new: Difference, words: str) -> bool:
    """Tell whether one line of the author's has both names and a word for a rename.

    Names of a package are words like others, and arguments have them too: of them one has to
    follow the other.
    """
    if _are_exported(old, new):
        return _is_said(_leaf(old), _leaf(new), words)
    if old.subject not in _SWITCHES:
        return False
    if old.name not in words or new.name not in words or are_opposite(old.name, new.name):
        return False
    before, after = (
        re.compile(rf"(?<![\w.-]){re.escape(one.name)}(?![\w-])") for one in (old, new)
    )
    return any(
        _RENAMING.search(line) and before.search(line) and after.search(line)
        for line in words.split("\n")
    )


def _is_said(was: str, became: str, words: str) -> bool:
    """Tell whether an author says that one name follows another one, which is no argument's."""
    stated = re.compile(rf"(?<![\w.-]){was}{_BECOMES}{became}(?![\w-])")
    return (
        was in words
        and became in words
        and any(
            _ARGUMENT.search(words, max(0, match.start() - _CLAUSE), match.start()) is None
            for match in stated.finditer(words)
        )
    )


def _likeness(old: Difference, new: Difference, known: Known) -> float:
    """How surely one name replaces another: 0 where it does not."""
    if _are_exported(old, new):
        return spelling(_leaf(old), _leaf(new))
    if old.subject in (
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
    if old.subject in _SWITCHES and stem(old.name) == stem(new.name) and unit_of(new.name):
        return 0.95  # the same in another unit, whatever the figures
    if _are_alone(was, became, known):
        return BY_PLACE
    if _is_in_slot(was, became, known):
        alike = likeness(old.name, new.name)
        is_same = was.value == became.value and was.annotation == became.annotation
        if alike:
            return 1.0 if is_same else alike
        # Who derives a class has to follow; of what is bound an argument is little but its name.
        is_given = was.required and became.required and was.shape in ("method", "native")
        return BY_PLACE if is_given else 0.0
    if was.value != became.value or was.shape != became.shape or was.choices != became.choices:
        return 0.0
    near = old.subject in _SWITCHES and was.path == became.path and _shares_word(old, new)
    replaces = near and abs(was.line - became.line) <= 2
    return likeness(old.name, new.name) or (BY_NEARNESS if replaces else 0.0)


def _are_alone(was: Definition, became: Definition, known: Known) -> bool:
    """Tell whether each is all that a callable has to be given by its place, on its side."""
    if was.shape not in CALLED or was.path != became.path:
        return False
    if not (was.required and became.required and was.position == became.position >= 0):
        return False
    given = (
        {
            one.name
            for file in known.files
            for one in (file.old if at is was else file.new)
            if one.subject is Subject.API_ARGUMENT
            and (one.path, one.owner) == (at.path, at.owner)
            and one.position >= 0
        }
        for at in (was, became)
    )
    return all(len(names) == 1 for names in given)


def _is_in_slot(was: Definition, became: Definition, known: Known) -> bool:
    """Tell whether an argument stands where another one stood, and what stays where it did.

    Something that stays stands behind it, or as many came as went.
    """
    if was.shape not in CALLED or not was.position == became.position >= 0:
        return False
    before, after = (
        {
            one.name: one.position
            for file in known.files
            for one in (file.old if at is was else file.new)
            if one.subject is Subject.API_ARGUMENT and (one.path, one.owner) == (at.path, at.owner)
        }
        for at in (was, became)
    )
    stays = before.keys() & after.keys()
    is_held = any(before[name] > was.position for name in stays) or len(before) == len(after)
    return is_held and all(before[name] == after[name] for name in stays)


def _are_exported(old: Difference, new: Difference) -> bool:
    """Tell whether a front handed on one name, and hands on the other."""
    was, became = old.old, new.new
    if was is None or became is None or was.path != became.path:
        return False
    return was.shape == became.shape == "exported"


def _shares_word(old: Difference, new: Difference) -> bool:
    """Tell whether two names share a word that is not the one all variables begin with."""
    first = 1 if old.subject is Subject.ENV else 0
    words, others = (plain_name(one.name).split("_")[first:] for one in (old, new))
    return bool(set(words) & set(others))


def _once(differences: Iterable[Difference]) -> list[Difference]:
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
    elif one.subject is other.subject and one.subject in _FIELDS:
        both = dict.fromkeys((*(one.names or (one.name,)), *(other.names or (other.name,))))
        names = tuple(both) if len(both) > 1 else ()
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
        # Modules of several packages are called alike; a function that two hand on is one.
        is_own = shape in ("abstract", "method") or one.definition.is_module
        return one.change, one.subject, one.name if is_own else plain_name(one.name)
    if one.change is FactChange.RENAMED:
        return one.change, plain_name(one.before or ""), plain_name(one.after or "")
    if one.definition.shape in (SETTING, PRESET):
        return one.change, one.definition.shape, one.name
    # Under other conditions it is another default.
    conditions = one.conditions if one.change is FactChange.DEFAULT else ()
    return one.change, "setting", plain_name(one.name), conditions


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
                    names=tuple(name for one in members for name in one.names or (one.name,)),
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
    if one.subject is Subject.API_ARGUMENT and one.conditions:
        return ("alone", id(one))  # it says which one it shifts
    owner = definition.owner if one.subject is not Subject.API_NAME else definition.path
    breaks = one.subject is Subject.API_ARGUMENT and one.must_act
    return one.change, one.subject, owner, definition.shape == "abstract", breaks
