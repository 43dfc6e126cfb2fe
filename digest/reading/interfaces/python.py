"""What the statements of a Python file define for a user: flags, variables, fields, metrics …"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from digest.facts import Subject
from digest.reading.interfaces import grammar
from digest.reading.interfaces.definition import Definition, member_name, quoted
from digest.reading.interfaces.grammar import Block, Owner, Parsed
from digest.reading.interfaces.place import Place

UNREADABLE = "…"
"""A default that the source makes in a way that is not read."""

LATE = "late"
"""The shape of a default that is not where its setting is defined, but given to who sets none."""

CONSTANT = "constant"
"""The shape of a constant, which may be the default of settings of its file."""

REGISTRY, REGISTERED = "registry", "registered"
"""The shapes of a name in a table of implementations, and of one that a call gives."""

MEMBER = "member"
"""The shape of a member of an enum that is no setting's: callers of a public one name it."""

GIVEN = "given"
"""The shape of a default that a dict of defaults gives a setting."""

ENTRY = "entry"
"""The shape of what an answer holds in a dict, under a key that no class declares."""

QUERY = "query"
"""The shape of what a handler looks up in the query of a request."""

_IN_ANSWERS = ("meta_info",)
"""What dicts are called that are sent as they are within an answer."""
_ANSWERED = re.compile(rf"[\"'](?:{'|'.join(_IN_ANSWERS)})[\"'](?:\]\s*=|:)")
"""Where such a dict is put into an answer: other files may send it between processes."""

_MAX_VALUE = 120
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_ENV_READ = re.compile(
    r"(?:\w+\.)?getenv|(?:\w+\.)?environ\.get|(?:\w+\.)*\w*env_var\w*"
    r"|(?:\w+\.)*_?(?:get_)?env(?:_\w+)?|(?:\w+\.)*Env[A-Z]\w*"
)
_ENVIRON = re.compile(r"(?:\w+\.)?environ")
_ENV_FIELD = re.compile(r"(?:\w+\.)*Env[A-Z]\w*")
_METRIC_CALL = re.compile(
    r"(?:Gauge|Counter|Histogram|Summary|(?:gauge|counter|histogram)(?:_cls)?)$"
)
_METRIC_NAME = re.compile(r"[a-z]\w*:[a-z]\w*|[a-z]\w*_[a-z]\w*")
_ADDS_ROUTE = re.compile(r"(?:\w+\.)*(?:router\.add_|web\.)(?:get|post|put|delete|patch)")
"""What is called to give a path to a handler, where no decorator does: of aiohttp."""
_ROUTE = re.compile(
    r"(?:\w+\.)*(?:router|app|api|\w+_router|\w+_app)\.(get|post|put|delete|patch|api_route|websocket|route)"
)
_ENUM = re.compile(r"\b(?:Str|Int)?(?:Enum|Flag)\b|\w+Enum\b")
_MODEL = re.compile(
    r"\bBaseModel\b|\w*Base(?:Model|Request|Response)\b|\bStruct\b|\w+(?:Model|Request|Response|Mixin)\b"
)
_RECORD = re.compile(r"^[ \t]*@(?:\w+\.)*(?:dataclass|config|attrs|define|attr\.s)\b", re.M)
_REQUEST = re.compile(r"^(?!\w*(?:Metrics|Timing))\w*(?:Request|ReqInput|Payload)")
_MOMENT = re.compile(r"_(?:time|ts|timestamp)$")
"""When a request came or was read: its server notes that, nobody sends it."""
_RESPONSE = re.compile(r"(?:Response|ResponseChoice|Usage|UsageInfo)\w*$|Metrics$")
_ARGS = re.compile(r"Args$|Arguments$")
_CONFIG = re.compile(r"Config(?:uration)?$|Settings$|Params$|Options$|Args$")
_REGISTERS = re.compile(
    r"(?:\w+\.)*[A-Z]\w+(?:Factory|Manager|Registry)\.register_\w+|"
    r"(?:\w+\.)*register_(?:\w+_)?(?:adapter|backend|connector|engine|parser|tag|"
    r"quantization_config)"
)
"""Calls by which an implementation gets the name that users choose it by."""
_DEPRECATED_ACTION = re.compile(r"Deprecated")
_DEPRECATED_HELP = re.compile(r"^\s*+\W{0,3}(?:note: .{0,60} is )?deprecated\b", re.IGNORECASE)
_DEPRECATED_TEXT = re.compile(
    r"(?<![\w-])(?P<name>--[a-z][\w-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|"
    r"(?<=[`'\"])/[a-z][\w/]*)(?:=\S+)?[`'\"]*"
    r" (?:\([^()]{1,30}\) )?(?:environment variable |flag |option |argument )?"
    r"(?:is|are|has been|will be) (?:now )?deprecated"
)
_SETTING_NAME = re.compile(r"--[a-z][\w-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.BinOp)
_CALLS = (
    "env", "Env", "add_argument", "option(", "Option(", "add_api_route", "add_route", "router.add_",
    "web.", "deprecat", "DEPRECAT",
    "gauge", "Gauge", "counter", "Counter", "histogram", "Histogram", "Summary", *_IN_ANSWERS,
)  # fmt: skip
"""Words without which a statement calls, or fills, nothing that is a part of an interface."""


_DEFINES_INSIDE = (*_CALLS, "@", "class ", "import ", "warn")


def can_define(block: Block) -> bool:
    """Tell whether a statement may define a part of an interface: one of a function, by a word."""
    inside = any(owner.kind == "def" for owner in block.owners)
    return not inside or any(word in block.text for word in _DEFINES_INSIDE)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The file and class in which a statement stands."""

    place: Place
    path: str
    lines: Sequence[str]
    offset: int
    owner: Owner | None
    function: str
    calls: bool = True
    text: str = ""
    answers: bool = False

    def define(self, subject: Subject, name: str, node: ast.AST, **more: object) -> Definition:
        line = getattr(node, "lineno", 1) + self.offset
        quote = quoted(self.lines, line)
        return Definition(subject, name, self.path, line, quote, **more)  # type: ignore[arg-type] # the fields of one dataclass


def python_definitions(
    parsed: Sequence[Parsed], path: str, text: str, place: Place
) -> list[Definition]:
    """Return what parsed blocks of the file `path`, whose whole text is `text`, define."""
    if not parsed:
        return []
    lines, answers = grammar.lines_of(text), _fills_answers(text, path, place)
    found: list[Definition] = []
    for part in parsed:
        classes = [owner for owner in part.block.owners if owner.kind == "class"]
        functions = [owner for owner in part.block.owners if owner.kind == "def"]
        scope = _Scope(
            place,
            path,
            lines,
            part.offset,
            classes[-1] if classes else None,
            functions[-1].name if functions else "",
            any(word in part.block.text for word in _CALLS),
            text,
            answers,
        )
        for statement in part.body:
            found.extend(_statement(statement, scope, part.block.header))
    return found


def _statement(node: ast.stmt, scope: _Scope, header: bool = False) -> Iterator[Definition]:
    if isinstance(node, ast.ClassDef):
        yield from _class(node, scope, header)
        return
    if isinstance(node, grammar.Function):
        yield from _function(node, scope)
    elif isinstance(node, ast.AnnAssign | ast.Assign) and not scope.function:
        yield from _assigned(node, scope)
    elif isinstance(node, ast.ImportFrom) and scope.place.exports and scope.owner is None:
        yield from _imported(node, scope)
    elif isinstance(node, ast.If | ast.Try | ast.With) and not scope.function:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.stmt):
                yield from _statement(inner, scope)
        return
    if isinstance(node, ast.Expr):
        yield from _documented(node, scope)
        yield from _of_cut_function(node, scope)
        if not scope.function:
            yield from _registered(node.value, scope)
    yield from _called(node, scope)


def _registered(call: ast.expr, scope: _Scope) -> Iterator[Definition]:
    """Read what is registered under a name that users choose it by.

    `KVConnectorFactory.register_connector("name", …)`, `@register_attention_backend("name")`.
    """
    if not isinstance(call, ast.Call) or not call.args:
        return
    given, registry = call.args[0], dotted(call.func)
    if _REGISTERS.fullmatch(registry) is None:
        return
    for name in given.elts if isinstance(given, ast.List) else (given,):
        if isinstance(name, ast.Constant) and isinstance(name.value, str) and _is_word(name.value):
            yield scope.define(
                Subject.CHOICE, registry, name, owner=registry, value=name.value,
                shape=REGISTERED,
            )  # fmt: skip


def _class(node: ast.ClassDef, scope: _Scope, header: bool) -> Iterator[Definition]:
    for decorator in node.decorator_list:
        yield from _registered(decorator, scope)
    if not node.name.startswith("_") and scope.owner is None:
        yield scope.define(Subject.API_NAME, node.name, node, shape="class")
    if header:
        return
    text = "\n".join([*(f"@{ast.unparse(one)}" for one in node.decorator_list), _class_line(node)])
    inner = replace(scope, owner=Owner("class", node.name, text, node.col_offset))
    for statement in node.body:
        yield from _statement(statement, inner)


def _class_line(node: ast.ClassDef) -> str:
    bases = [ast.unparse(base) for base in node.bases]
    return f"class {node.name}({', '.join(bases)}):"


def _function(node: grammar.Function, scope: _Scope) -> Iterator[Definition]:
    decorators = [
        dotted(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list
    ]
    if any(
        written == "triton.jit" or written.rpartition(".")[2] == "overload"
        for written in decorators
    ):
        return  # a kernel, which is launched on a grid, or one way of calls for a type checker
    for decorator, written in zip(node.decorator_list, decorators, strict=True):
        if scope.owner is None and not scope.function:
            yield from _registered(decorator, scope)
        if isinstance(decorator, ast.Call) and _ROUTE.fullmatch(dotted(decorator.func)):
            yield from _handled(node, decorator, scope)
        elif (
            written.rpartition(".")[2] == "abstractmethod"
            and scope.owner is not None
            and not node.name.startswith("_")
        ):
            name = f"{scope.owner.name}.{node.name}"
            yield scope.define(
                Subject.API_NAME, name, node, owner=scope.owner.name, shape="abstract"
            )
    public = not node.name.startswith("_") or node.name == "__init__"
    if not public or scope.function:
        return
    name, shape = node.name, "function"
    if scope.owner is None:
        if any(_is_api(one, scope.place.module) for one in decorators):
            shape = "api"
        yield scope.define(Subject.API_NAME, name, node, shape=shape)
    elif scope.owner.name.startswith("_"):
        return
    elif name == "__init__":
        name = scope.owner.name
    else:
        name, shape = f"{scope.owner.name}.{name}", "method"
        if any(written.rpartition(".")[2] in _DERIVED for written in decorators):
            return
        yield scope.define(Subject.API_NAME, name, node, owner=scope.owner.name, shape=shape)
    yield from _arguments(node, scope, name, shape)
    yield from _deprecated_function(node, scope, name)


_DERIVED = ("property", "cached_property", "setter", "getter", "validator", "field_validator",
            "model_validator")  # fmt: skip
"""What makes a method something else than one that people call."""


def _deprecated_function(node: grammar.Function, scope: _Scope, name: str) -> Iterator[Definition]:
    """Tell of a function that is decorated as deprecated, or warns of it whenever it is called."""
    for decorator in node.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if dotted(call).rpartition(".")[2] == "deprecated":
            yield _retired(scope, name, decorator)
            return
    for statement in node.body:
        if isinstance(statement, ast.Expr) and _warns_of_deprecation(statement.value):
            yield _retired(scope, name, statement)
            return


def _of_cut_function(node: ast.Expr, scope: _Scope) -> Iterator[Definition]:
    """Tell of a long function, of which this is a statement, that it warns of itself."""
    if scope.function and _warns_of_deprecation(node.value):
        name = scope.function
        if scope.owner is not None:
            name = scope.owner.name if name == "__init__" else f"{scope.owner.name}.{name}"
        yield _retired(scope, name, node)


def _warns_of_deprecation(node: ast.expr) -> bool:
    """Tell whether a call warns by category that what makes it is deprecated, of nothing named."""
    if not isinstance(node, ast.Call) or dotted(node.func).rpartition(".")[2] != "warn":
        return False
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if not any(dotted(one).endswith(("DeprecationWarning", "FutureWarning")) for one in given):
        return False
    return _DEPRECATED_TEXT.search(_text_of(node)) is None


def _retired(scope: _Scope, name: str, node: ast.AST) -> Definition:
    return scope.define(
        Subject.API_NAME, name, node, owner="deprecated", deprecated=True, table=False,
        instead=successor(_text_of(node), name),
    )  # fmt: skip


def _text_of(node: ast.AST) -> str:
    """Return the strings within an expression, joined as they stand."""
    return " ".join(
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


_FLAG = r"--[a-z](?:[\w-]|\{[\w,-]+\}|\.(?=\w))*(?<=[\w}])(?![\w{-])"
"""A flag, one of its parts, or several as a shell writes them: `--spin.in`, `--spin-{in,out}`."""
_NAMED = rf"[`'\"]{{0,2}}(?P<name>{_FLAG}|[A-Za-z_][\w.]*\w|(?<=[`'\"])/[a-z][\w/]*)(?:\(\))?"
_SUCCESSOR = re.compile(
    r"(?:\buse|\bfavou?r of|\breplaced (?:by|with)|\brenamed to|\bmigrate to|\bswitch to|\bset"
    r"|\balias (?:for|of)|(?P<using>\busing))"
    rf"(?: the)?(?: new)? {_NAMED}(?(using)(?=(?:=\S+)?[`'\"]{{0,2}} instead\b))",
    re.IGNORECASE,
)
_CODE = re.compile(r"[._]|^--|[a-z][A-Z]")


def successor(text: str, name: str) -> str:
    """Return what the message of a deprecation says to use in place of `name`, empty without."""
    for found in _SUCCESSOR.finditer(text):
        successor_name = found["name"]
        quoted_at = text[found.start("name") - 1] in "`'\""
        is_name = successor_name != name and (quoted_at or _CODE.search(successor_name))
        if is_name and not _says_the_contrary(name, successor_name):
            return successor_name
    return ""


def _says_the_contrary(name: str, other: str) -> bool:
    """Tell whether one of two switches turns on what the other one turns off."""
    off = ["disable" in each.lower() or "no-" in each.lower() for each in (name, other)]
    on = ["enable" in each.lower() for each in (name, other)]
    return off != [False, False] and on != [False, False] and off[0] != off[1]


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` of an expression that is a plain name, empty for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def _is_api(decorator: str, module: str) -> bool:
    """Tell whether a decorator says that a function is the package's interface."""
    name = decorator.rpartition(".")[2]
    return name in {f"{module.partition('.')[0]}_api", "public", "public_api", "export"}


def _arguments(
    node: grammar.Function, scope: _Scope, name: str, shape: str
) -> Iterator[Definition]:
    for position, one in enumerate(grammar.arguments_of(node)):
        argument, by_place = one.node, one.kind == "positional"
        if one.kind not in ("positional", "keyword") or argument.arg[0] == "_":
            continue
        annotation = "" if argument.annotation is None else ast.unparse(argument.annotation)
        compiled = "constexpr" in annotation
        if not by_place or (argument.arg not in ("self", "cls") and not compiled):
            place = position if by_place else -1
            yield _argument(argument, annotation, one.default, scope, name, shape, place)


def _argument(
    argument: ast.arg,
    annotation: str,
    default: ast.expr | None,
    scope: _Scope,
    name: str,
    shape: str,
    position: int,
) -> Definition:
    return scope.define(
        Subject.API_ARGUMENT,
        f"{name}({argument.arg})",
        argument,
        owner=name,
        value=None if default is None else _value(default),
        required=default is None,
        choices=_literal(argument.annotation, scope.text),
        shape=shape,
        position=position,
        annotation=annotation,
    )


def _assigned(node: ast.AnnAssign | ast.Assign, scope: _Scope) -> Iterator[Definition]:
    if isinstance(node, ast.Assign):
        if len(node.targets) != 1:
            return
        target: ast.expr = node.targets[0]
    else:
        target = node.target
    if not isinstance(target, ast.Name):
        return
    if scope.owner is not None:
        yield from _member(node, target.id, scope)
    elif node.value is not None:
        yield from _constant(node, target.id, node.value, scope)


def _member(node: ast.AnnAssign | ast.Assign, name: str, scope: _Scope) -> Iterator[Definition]:
    owner = scope.owner
    assert owner is not None  # asked for by the caller
    value = node.value
    if isinstance(value, ast.Call) and _ENV_NAME.fullmatch(name):
        written = dotted(value.func)
        if _ENV_FIELD.fullmatch(written) and "env" in owner.name.lower():
            variable, default = _env_field(name, value)
            yield scope.define(
                Subject.ENV, variable, node, value=None if default is None else _unquoted(default),
                worked_out=_is_given_by_name(default),
            )  # fmt: skip
            for keyword in value.keywords:
                old = keyword.value if keyword.arg in _OLD_NAMES else None
                if isinstance(old, ast.Constant) and _ENV_NAME.fullmatch(str(old.value)):
                    yield scope.define(
                        Subject.ENV, str(old.value), node,
                        owner="deprecated", deprecated=True, table=False, instead=variable,
                    )  # fmt: skip
            return
    if isinstance(value, ast.Dict) and scope.place.registry:
        yield from _table(name, value, scope)
        return
    if isinstance(node, ast.Assign):
        if _is_enum(owner) and not name.startswith("_"):
            constant = value.value if isinstance(value, ast.Constant) else None
            is_word = isinstance(constant, str) and _is_word(constant)
            set_by_word = scope.place.settings and is_word
            yield scope.define(
                Subject.CHOICE, owner.name, node, owner=owner.name,
                value=str(constant) if set_by_word else name,
                shape="enum" if scope.place.settings else MEMBER,
            )  # fmt: skip
        elif _CONFIG.search(owner.name) and isinstance(value, _LITERALS) and not _is_fixed(name):
            yield scope.define(
                Subject.CONFIG_FIELD, member_name(owner.name, name), node,
                owner=owner.name, value=_value(value), shape=LATE,
            )  # fmt: skip
        return
    if name.startswith("_") or "ClassVar" in ast.unparse(node.annotation):
        return
    subject = _field_subject(owner, scope.place, scope.text)
    is_noted = subject is Subject.REQUEST_FIELD and (
        _MOMENT.search(name) or _is_called_internal(node.lineno + scope.offset, scope.lines)
    )
    if subject is None or is_noted or _is_worked_out(value):
        return
    yield _field(node, name, subject, scope)


def _is_fixed(name: str) -> bool:
    """Tell whether a name is private, or written as constants are: nobody sets it."""
    return name.startswith("_") or name.isupper()


_INTERNAL = re.compile(
    r"#\W*internal(?:\)|\s*:|\W*$|(?: \w+)? only\b| (?:fields?|parameters?|use)\b)", re.IGNORECASE
)
_MOST_ABOVE = 200
"""Lines above a field in which the comment is looked for that heads it."""


def _is_called_internal(line: int, lines: Sequence[str]) -> bool:
    """Tell whether the comment above a field calls it internal, or the fields that it heads."""
    is_next = True
    for above in reversed(lines[max(0, line - 1 - _MOST_ABOVE) : max(0, line - 1)]):
        text = above.strip()
        if not text:
            break
        if _INTERNAL.match(text):
            return is_next or re.search(r"\bfields\b", text) is not None
        is_next = is_next and text.startswith("#")
    return False


_OLD_NAMES = ("deprecated_name", "old_name")
"""What is given to a variable that is read under another name, too."""
_NEW_NAMES = ("new_flag", "new_name", "new_option", "replacement")
"""What is given to the action of a flag that stands for another one now."""


def _new_name(given: Mapping[str, ast.expr]) -> str:
    """Return the flag that a deprecated one stands for, empty where its action is given none."""
    names = (_unquoted(given[each]) for each in _NEW_NAMES if each in given)
    return next((name for name in names if name and name.startswith("--")), "")


def _is_worked_out(value: ast.expr | None) -> bool:
    """Tell whether a field is one that nobody can give: `field(init=False)`."""
    return isinstance(value, ast.Call) and any(
        keyword.arg == "init" and _is_false(keyword.value) for keyword in value.keywords
    )


def _is_word(text: str) -> bool:
    return re.fullmatch(r"[\w.+-]{1,60}", text) is not None


def _is_enum(owner: Owner) -> bool:
    bases = owner.header.partition("(")[2] if "(" in owner.header else ""
    return _ENUM.search(bases.rpartition("class")[2] or bases) is not None


def _field_subject(owner: Owner, place: Place, text: str) -> Subject | None:
    """Tell what the fields of a class are to a user, None where they are the program's own."""
    name = owner.name
    if name.startswith("_"):
        return None
    is_record = _RECORD.search(owner.header) is not None
    is_model = _MODEL.search(owner.header.rpartition("class ")[2].partition("(")[2]) is not None
    if place.requests and (is_model or is_record) and not _is_between_processes(owner, place):
        if _REQUEST.search(name):
            return Subject.REQUEST_FIELD
        # What is a part of both may be sent, whatever it is called: `ResponseTool`.
        if is_model and name in _parts_of(_REQUEST, text):
            return Subject.REQUEST_FIELD
        if _RESPONSE.search(name) or (is_model and name in _parts_of(_RESPONSE, text)):
            return Subject.RESPONSE_FIELD
    if place.arguments and _ARGS.search(name) and "Config" not in name:
        return Subject.FLAG
    if place.config and _CONFIG.search(name) and (is_record or is_model or place.arguments):
        return Subject.CONFIG_FIELD
    if is_record or is_model:
        return Subject.API_ARGUMENT
    return None


@lru_cache(maxsize=16)
def _parts_of(named: re.Pattern[str], text: str) -> frozenset[str]:
    """Return the classes of a file that answers, or requests, hold in a field, however deep."""
    holds: dict[str, set[str]] = {}
    owner = ""
    for line in text.split("\n"):
        if opened := re.match(r"class (\w+)", line):
            owner = opened[1]
        elif field := re.match(r"    [a-z]\w*: ([^=#]+)", line):
            holds.setdefault(owner, set()).update(re.findall(r"[A-Z]\w+", field[1]))
    found: set[str] = set()
    left = [one for one in holds if named.search(one)]
    while left:
        inner = holds.get(left.pop(), set()) - found
        found |= inner
        left += inner
    return frozenset(found)


def _is_between_processes(owner: Owner, place: Place) -> bool:
    """Tell whether a record is a message of one part of a program to another: no user sends it.

    By its name it is made of a request that was read already, it is packed without names, or it is
    a plain record in a file that is called after requests: what is sent has to be checked.
    """
    plain = _MODEL.search(owner.header.rpartition("class ")[2].partition("(")[2]) is None
    packed = "array_like=True" in owner.header or owner.name.startswith(_READ_ALREADY)
    return packed or (plain and re.search(r"/(?:request|response)s?\.py$", place.path) is not None)


_READ_ALREADY = ("Tokenized", "BatchTokenized")


def _written(node: ast.AnnAssign, name: str, owner: str, subject: Subject) -> str:
    """Return the name of a field as a user writes it."""
    match subject:
        case Subject.FLAG:
            return _flag_of(name, node.annotation)
        case Subject.API_ARGUMENT:
            return f"{owner}({name})"
        case Subject.REQUEST_FIELD:
            return f"{owner}.{name}"  # as a part of a request a `Config` is none of settings
    return member_name(owner, name)


def _field(node: ast.AnnAssign, name: str, subject: Subject, scope: _Scope) -> Definition:
    owner = scope.owner
    assert owner is not None  # asked for by the caller
    default, required = _field_default(node.value)
    choices = _literal(node.annotation, scope.text)
    message = _help_of(node.annotation)
    deprecated = _DEPRECATED_HELP.match(message) is not None
    for call in _metadata(node.annotation):
        for keyword in call.keywords:
            if keyword.arg == "choices":
                choices = _choices(keyword.value)
            elif keyword.arg == "no_cli" and subject is Subject.FLAG:
                subject = Subject.CONFIG_FIELD
            elif keyword.arg == "help":
                deprecated = _is_deprecated_help(keyword.value)
                message = _text_of(keyword.value)
    if isinstance(node.value, ast.Call):
        for keyword in node.value.keywords:
            if keyword.arg == "deprecated":
                deprecated = not _is_false(keyword.value)
                message = _text_of(keyword.value)
    if subject is Subject.FLAG and required and not list(_metadata(node.annotation)):
        subject = Subject.API_ARGUMENT  # what a program fills in by itself, as ports
    written = _written(node, name, owner.name, subject)
    return scope.define(
        subject,
        written,
        node,
        owner="" if subject is Subject.FLAG else owner.name,
        value=default,
        required=required,
        choices=choices,
        shape=_shortened(ast.unparse(node.annotation).partition("[")[0]),
        position=-1 if _is_by_keyword(owner) else 0,
        deprecated=deprecated,
        instead=successor(message, written) if deprecated else "",
    )


def _flag_of(name: str, annotation: ast.expr) -> str:
    """Return the flag of a field: what its metadata calls it, else its own name."""
    keywords = (keyword for call in _metadata(annotation) for keyword in call.keywords)
    named = (_text_of(keyword.value) for keyword in keywords if keyword.arg == "cli_name")
    return next(filter(None, named), "--" + name.replace("_", "-"))


_KEYWORDS_ONLY = re.compile(r"\bkw_only\s*=\s*True\b|\bBaseModel\b")


def _is_by_keyword(owner: Owner) -> bool:
    """Tell whether the fields of a record are given by name alone, as far as its head says."""
    return _KEYWORDS_ONLY.search(owner.header) is not None


def _help_of(annotation: ast.expr) -> str:
    """Return what an annotation says of its field in plain words: `A[bool, "Burn slowly."]`."""
    match annotation:
        case ast.Subscript(value=given, slice=ast.Tuple(elts=[_, *parts])):
            if not dotted(given).endswith("Literal"):
                texts = (one.value for one in parts if isinstance(one, ast.Constant))
                return next((text for text in texts if isinstance(text, str)), "")
    return ""


def _metadata(annotation: ast.expr) -> Iterator[ast.Call]:
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        for part in annotation.slice.elts[1:]:
            if isinstance(part, ast.Call):
                yield part


_FIELD = re.compile(r"([a-z]\w*)[ \t]*:(?: .*)?")


def _documented(node: ast.Expr, scope: _Scope) -> Iterator[Definition]:
    """Tell of a field whose own documentation, the text below it, begins by calling it deprecated.

    Only of a field that stands in one line.
    """
    owner = scope.owner
    if owner is None or scope.function:
        return
    above = quoted(scope.lines, node.lineno + scope.offset - 1)
    found = _FIELD.fullmatch(above) if _is_deprecated_help(node.value) else None
    subject = _field_subject(owner, scope.place, scope.text) if found else None
    if found is None or subject is None or subject is Subject.API_ARGUMENT:
        return
    is_flag = subject is Subject.FLAG
    name = "--" + found[1].replace("_", "-") if is_flag else member_name(owner.name, found[1])
    yield scope.define(
        subject, name, node, owner="" if is_flag else owner.name, deprecated=True, table=False,
        instead=successor(_text_of(node.value), name),
    )  # fmt: skip


def _is_deprecated_help(node: ast.expr) -> bool:
    first = node
    while isinstance(first, ast.BinOp):
        first = first.left
    return (
        isinstance(first, ast.Constant)
        and isinstance(first.value, str)
        and _DEPRECATED_HELP.match(first.value) is not None
    )


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (False, None)


def _field_default(value: ast.expr | None) -> tuple[str | None, bool]:
    """Return the default of a field and whether it has none: of `Field(…)` what it holds."""
    if value is None:
        return None, True
    if not isinstance(value, ast.Call):
        return _value(value), False
    called = dotted(value.func).rpartition(".")[2]
    if called not in ("field", "Field"):
        return _value(value), False
    given: ast.expr | None = value.args[0] if value.args else None
    for keyword in value.keywords:
        if keyword.arg == "default":
            given = keyword.value
        elif keyword.arg == "default_factory":
            made = ast.unparse(keyword.value)
            return {"list": "[]", "dict": "{}", "set": "set()", "tuple": "()"}.get(
                made, _shortened(made.removeprefix("lambda: "))
            ), False
    if given is None:
        return (None, True) if not value.args else (None, False)
    if isinstance(given, ast.Constant) and given.value is ...:
        return None, True
    return _value(given), False


def _literal(
    annotation: ast.expr | None, text: str, named: frozenset[str] | set[str] = frozenset()
) -> tuple[str, ...] | None:
    """Return the strings of the `Literal[…]` in an annotation, None where there is none.

    Also those of one that it names, by the text of the file; None where that is not there. What is
    `named` is read already.
    """
    if annotation is None:
        return None
    found: list[str] = []
    named = set(named) if isinstance(named, frozenset) else named
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and dotted(node.value).endswith("Literal"):
            for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                if isinstance(part, ast.Constant):
                    found += [str(part.value)] if isinstance(part.value, str | int) else []
                    continue
                values = _named_literal(part, text, named)
                if values is None:
                    return None
                found += values
    return tuple(found) or None


_MOST_NAMED_LITERALS = 8


def _named_literal(part: ast.expr, text: str, named: set[str]) -> tuple[str, ...] | None:
    """Return the strings of a `Literal[…]` that a file gives a name, None where it does not."""
    if not isinstance(part, ast.Name):
        return None
    if part.id in named:
        return ()
    named.add(part.id)
    if len(named) > _MOST_NAMED_LITERALS:
        return None
    given = re.search(rf"^{part.id}\b[^=\n]*= ((?:\w+\.)?Literal\[[^\]]*\])", text, re.M)
    try:
        return None if given is None else _literal(grammar.expression(given[1]).body, text, named)
    except SyntaxError:  # a bracket in a comment or string of it
        return None


def _choices(node: ast.expr) -> tuple[str, ...] | None:
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        values = [one.value for one in node.elts if isinstance(one, ast.Constant)]
        return tuple(str(one) for one in values) if len(values) == len(node.elts) else None
    return None


_MOST_PARTS = 8
"""Lists that are added up to the choices of one flag."""
OTHERS = "\0"
"""What a choice begins with that stands for all those of another list, which is not read."""


def _listed(node: ast.expr, text: str) -> tuple[str, ...] | None:
    """Return the choices of a flag: those that it writes out, and what stands for the others.

    `["any"] + fuels`, `[*fuels, "any"]`; a name by what the file gives it, where that is one line.
    """
    found: list[str] = []
    left = [node]
    for _ in range(_MOST_PARTS):
        if not left:
            return tuple(dict.fromkeys(found))
        match left.pop(0):
            case ast.BinOp(op=ast.Add(), left=one, right=other):
                left = [one, other, *left]
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                written = [one for one in parts if isinstance(one, ast.Constant)]
                more = [one.value for one in parts if isinstance(one, ast.Starred)]
                if len(written) + len(more) < len(parts):
                    return None
                found += [str(one.value) for one in written]
                left = [*more, *left]
            case other:
                found.append(OTHERS + _said_once(other, text))
    return None


def _said_once(node: ast.expr, text: str) -> str:
    """Return the list that an expression is, as it is written: of a name what it is given."""
    written = ast.unparse(node)
    if isinstance(node, ast.Name):
        given = re.findall(rf"^[ \t]*{re.escape(node.id)} = (\S.*)$", text, re.M)
        written = given[0] if len(given) == 1 else written
    return re.sub(r"^(?:list|sorted)\((.*)\)$", r"\1", written).removesuffix(".keys()")


def _value(node: ast.expr) -> str:
    return _shortened(ast.unparse(node))


def _unquoted(node: ast.expr) -> str:
    """Return the default of a variable: what a person would write into the environment."""
    if isinstance(node, ast.Call) and dotted(node.func) == "str" and len(node.args) == 1:
        node = node.args[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _shortened(node.value)
    return _value(node)


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_VALUE else text[: _MAX_VALUE - 1] + UNREADABLE


def is_literal(value: str) -> bool:
    """Tell whether a default stands for itself, and not for what another name holds."""
    if value.endswith(UNREADABLE):
        return False
    try:
        tree = grammar.expression(value).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return stands_for_itself(tree)


def stands_for_itself(node: ast.expr) -> bool:
    """Tell whether an expression is made of literals alone."""
    return isinstance(node, _LITERALS) and not any(
        isinstance(one, ast.Name | ast.Call | ast.Attribute) for one in ast.walk(node)
    )


def _constant(node: ast.stmt, name: str, value: ast.expr, scope: _Scope) -> Iterator[Definition]:
    if name == "__all__" and isinstance(value, ast.List | ast.Tuple):
        for one in value.elts:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield scope.define(Subject.API_NAME, one.value, one, shape="exported")
        return
    if isinstance(value, ast.Dict):
        yield from _table(name, value, scope)
        yield from _given(name, value, scope)
        return
    if not scope.place.settings:
        yield from _called(node, scope)
        return
    literal = _literal(value, scope.text)
    if literal is not None:
        for choice in literal:
            yield scope.define(
                Subject.CHOICE, name, _node_of(value, choice), owner=name, value=choice,
                shape="literal",
            )  # fmt: skip
    elif re.fullmatch(r"[A-Z][A-Z0-9_]*", name) and (choices := _choices(value)):
        if all(_is_word(choice) for choice in choices) and not name.startswith("_"):
            for choice in choices:
                yield scope.define(
                    Subject.CHOICE, name, _node_of(value, choice), owner=name, value=choice,
                    shape="list",
                )  # fmt: skip
    else:
        if _ENV_NAME.fullmatch(name) and isinstance(value, _LITERALS):
            yield scope.define(
                Subject.CONFIG_FIELD, name, node, value=_value(value), shape=CONSTANT
            )
        yield from _called(node, scope)


def _node_of(value: ast.expr, choice: str) -> ast.AST:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and str(node.value) == choice:
            return node
    return value


def _table(name: str, value: ast.Dict, scope: _Scope) -> Iterator[Definition]:
    """Read a dict: a table of variables, or a registry of names."""
    for key, item in zip(value.keys, value.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            continue
        entry = key.value
        reads = [call for call in _env_calls(ast.walk(item), scope.text) if call[0] == entry]
        if _ENV_NAME.fullmatch(entry) and reads:
            yield scope.define(
                Subject.ENV, entry, key, value=reads[0][1], choices=_env_choices(item),
                worked_out=_is_given_by_name(_env_default(reads[0][2])),
            )  # fmt: skip
        elif _ENV_NAME.fullmatch(entry) and "environ" in ast.unparse(item):
            yield scope.define(Subject.ENV, entry, key)
        elif not scope.place.registry or not _is_word(entry) or not _registers(item):
            continue
        elif "MODEL" in name.upper():
            # Draft models of speculative decoding are found by the program, not named by users.
            if "SPECULATIVE" not in name.upper():
                yield scope.define(Subject.MODEL, entry, key, shape=name, value=_value(item))
        else:
            yield scope.define(Subject.CHOICE, name, key, owner=name, value=entry, shape=REGISTRY)


def _given(name: str, value: ast.Dict, scope: _Scope, within: str = "") -> Iterator[Definition]:
    """Read what a constant dict gives settings: each by the dict, the key above it, its own."""
    if not scope.place.config or not _ENV_NAME.fullmatch(name):
        return
    for key, item in zip(value.keys, value.values, strict=True):
        if not isinstance(key, ast.Constant) or not str(key.value).isidentifier():
            continue
        entry = str(key.value)
        if isinstance(item, ast.Dict):
            yield from _given(name, item, scope, f"{entry}.")
        elif isinstance(item, ast.Constant | ast.Name | ast.Attribute):
            yield scope.define(
                Subject.CONFIG_FIELD, f"{name}.{within}{entry}", key, owner=name,
                value=_value(item), shape=GIVEN,
            )  # fmt: skip


def _registers(item: ast.expr) -> bool:
    if isinstance(item, ast.Tuple):
        return all(isinstance(one, ast.Constant) for one in item.elts) and bool(item.elts)
    if isinstance(item, ast.Name | ast.Attribute):
        return ast.unparse(item).rpartition(".")[2][:1].isupper()
    return False


def _env_choices(item: ast.expr) -> tuple[str, ...] | None:
    for node in ast.walk(item):
        if isinstance(node, ast.Call) and "choices" in dotted(node.func):
            for argument in node.args[2:]:
                if (choices := _choices(argument)) is not None:
                    return choices
    return None


_HELPER = re.compile(r"\ndef (\w+)\(\s*(\w+)\b(?:\s*:\s*[\w.]+)?(?:,\s*(\w+))?")

_NEXT = re.compile(r"\n[^\s)]")


@lru_cache(maxsize=16)
def _helpers_of(text: str) -> Mapping[str, bool]:
    """Return the functions of a file that read the variable whose name they are given.

    With whether what they are given next is its default, by what they call that.
    """
    found: dict[str, bool] = {}
    text = f"\n{text}"
    for match in _HELPER.finditer(text) if "environ" in text or "getenv" in text else ():
        name, end = match[2], _NEXT.search(text, match.end())
        body = text[match.end() : end.start() if end else len(text)]
        reads = "getenv" in body or "environ" in body
        if reads and re.search(
            rf"\b(?:getenv|environ\.get)\(\s*{name}\b|\benviron\[{name}\]", body
        ):
            found[match[1]] = match[3] in ("default", "default_value", "fallback")
    return found


def _env_calls(nodes: Iterable[ast.AST], text: str) -> Iterator[tuple[str, str | None, ast.AST]]:
    """Yield the variables that an expression reads: name, default, node.

    In: the nodes of the expression in the order of `ast.walk`, and the whole file, which may have
    functions of its own that read them.
    """
    chosen: set[str] = set()
    helpers = _helpers_of(text)
    for inner in nodes:
        if isinstance(inner, ast.IfExp) and (name := _if_set(inner)):
            chosen.add(name)
            yield name, _unquoted(inner.orelse), inner
        elif isinstance(inner, ast.BoolOp) and (name := _if_empty(inner)):
            chosen.add(name)
            yield name, _unquoted(inner.values[-1]), inner
        elif isinstance(inner, ast.Call):
            called = dotted(inner.func)
            if not inner.args or not (called in helpers or _ENV_READ.fullmatch(called)):
                continue
            name = _variable(inner.args[0])
            if name and name not in chosen:
                given = _env_default(inner) if helpers.get(called, True) else None
                yield name, None if given is None else _unquoted(given), inner
        elif isinstance(inner, ast.Subscript) and isinstance(inner.ctx, ast.Load):
            if not _ENVIRON.fullmatch(dotted(inner.value)):
                continue
            name = _variable(inner.slice)
            if name and name not in chosen:
                yield name, None, inner


def _if_set(node: ast.IfExp) -> str:
    """Return the variable without which an expression comes to something that is written out.

    `int(os.environ["X"]) if "X" in os.environ else 4`; "" for any other expression.
    """
    match node.test:
        case ast.Compare(left=ast.Constant(value=str(name)), ops=[ast.In()], comparators=[where]):
            is_read = _ENVIRON.fullmatch(dotted(where)) is not None
            return name if is_read and isinstance(node.orelse, ast.Constant) else ""
    return ""


def _if_empty(node: ast.BoolOp) -> str:
    """Return the variable without which an `or` comes to something that is written out.

    `os.getenv("X", "").lower() or "12.9"`; "" for any other expression.
    """
    if not (isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.Constant)):
        return ""
    read = node.values[0]
    while isinstance(read, ast.Call) and not _ENV_READ.fullmatch(dotted(read.func)):
        # A method of what was read: `.lower()`, `.strip()`.
        read = read.func.value if isinstance(read.func, ast.Attribute) and not read.args else node
    if not isinstance(read, ast.Call) or not read.args or len(node.values) > 2:
        return ""
    given = _env_default(read)
    is_empty = given is None or (isinstance(given, ast.Constant) and not given.value)
    return _variable(read.args[0]) if is_empty else ""


def _env_default(node: ast.AST) -> ast.expr | None:
    """Return what a call that reads a variable gives where it is not set, None without it."""
    if not isinstance(node, ast.Call):
        return None
    named = [keyword.value for keyword in node.keywords if keyword.arg == "default"]
    return named[-1] if named else node.args[1] if len(node.args) > 1 else None


def _env_field(name: str, call: ast.Call) -> tuple[str, ast.expr | None]:
    """Return the variable that a field of a class of these stands for, and its default.

    `ROCKET_FUEL = EnvVar("ROCKET_TANK", "0")` reads ROCKET_TANK; `EnvInt(4)` is given the default
    alone, as is `EnvStr("OXYGEN_ONLY")`: what is no name of the same program is a value.
    """
    default = call.args[0] if call.args else None
    written = default.value if isinstance(default, ast.Constant) else None
    if not isinstance(written, str) or not _ENV_NAME.fullmatch(written):
        return name, default
    program = name.partition("_")[0]
    if "_" not in written or written.partition("_")[0] != program:
        return name, default
    return written, _env_default(call)


def _is_given_by_name(default: ast.expr | None) -> bool:
    """Tell whether a default is what an expression comes to: a name, a call."""
    if isinstance(default, ast.Call) and dotted(default.func) == "str" and len(default.args) == 1:
        default = default.args[0]
    return default is not None and not stands_for_itself(default)


def _variable(node: ast.expr) -> str:
    """Return the name of a variable; one that begins with what only runs know begins with `*`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value if _ENV_NAME.fullmatch(node.value) else ""
    if isinstance(node, ast.JoinedStr) and len(node.values) == 2:
        last = node.values[1]
        text = last.value if isinstance(last, ast.Constant) else None
        if isinstance(text, str) and re.fullmatch(r"_[A-Z][A-Z0-9_]*", text):
            return f"*{text}"
    return ""


def _called(node: ast.AST, scope: _Scope) -> Iterator[Definition]:
    """Read what calls within a statement define: flags, metrics, routes, variables."""
    if not scope.calls:
        return
    nodes = list(ast.walk(node))
    function = node.name if isinstance(node, grammar.Function) else scope.function
    yield from _entries(nodes, scope)
    for name, value, where in _env_calls(nodes, scope.text):
        yield scope.define(
            Subject.ENV, name, where, value=value, table=False,
            worked_out=_is_given_by_name(_env_default(where)),
        )  # fmt: skip
    for inner in nodes:
        if not isinstance(inner, ast.Call):
            if isinstance(inner, ast.Assign | ast.AnnAssign):
                yield from _deprecated_by_table(inner, scope)
            continue
        yield from _deprecated_by_call(inner, scope)
        called = inner.func
        written = called.attr if isinstance(called, ast.Attribute) else ""
        if isinstance(called, ast.Name):
            written = called.id
        if _adds_flag(written, function, scope):
            yield from _flag(inner, scope)
        elif _adds_route(written, dotted(called), scope):
            yield from _route(inner, scope)
        elif written in _WARNS:
            yield from _deprecation(inner, scope)
        elif _METRIC_CALL.search(written):
            yield from _metric(inner, written, scope)


def _fills_answers(text: str, path: str, place: Place) -> bool:
    """Tell whether a file may put anything into a dict that is sent within an answer."""
    if not any(name in text for name in _IN_ANSWERS):
        return False
    return place.server or "/entrypoints/" in path or _ANSWERED.search(text) is not None


def _entries(nodes: Iterable[ast.AST], scope: _Scope) -> Iterator[Definition]:
    """Read what a statement puts into a dict of an answer, by the keys that it writes out."""
    for inner in nodes if scope.answers else ():
        filled: list[tuple[ast.expr, ast.expr]] = []
        match inner:
            case ast.Assign(targets=[ast.Subscript(value=answer, slice=key)]):
                filled.append((answer, key))
            case (
                ast.Assign(targets=[answer], value=ast.Dict(keys=keys))
                | ast.AnnAssign(target=answer, value=ast.Dict(keys=keys))
            ):
                filled += [(answer, key) for key in keys if key is not None]
            case ast.Call(
                func=ast.Attribute(value=answer, attr="update"), args=[ast.Dict(keys=keys)]
            ):
                filled += [(answer, key) for key in keys if key is not None]
        for answer, key in filled:
            name = dotted(answer).rpartition(".")[2]
            if name not in _IN_ANSWERS or not isinstance(key, ast.Constant):
                continue
            if isinstance(key.value, str) and _is_word(key.value):
                yield scope.define(
                    Subject.RESPONSE_FIELD, f"{name}.{key.value}", key,
                    owner=name, shape=ENTRY, table=False,
                )  # fmt: skip


_OF_COMMANDS = re.compile(r"^(?:import|from) (?:click|typer)\b", re.M)


ADDS_FLAGS = "add_cli_args"
"""A function that gives flags to a parser of the program, whatever its file is called."""


def _adds_flag(written: str, function: str, scope: _Scope) -> bool:
    """Tell whether what is called so within a function adds a flag of the program."""
    if written == "add_argument":
        return scope.place.flags or function == ADDS_FLAGS
    is_option = written in ("Option", "option")
    return is_option and (scope.place.flags or has_commands(scope.text))


def _adds_route(written: str, called: str, scope: _Scope) -> bool:
    """Tell whether what is called so gives a path to a handler.

    With aiohttp the parts of a program also ask each other: what is no server's is theirs.
    """
    if written in ("add_api_route", "add_route"):
        return True
    is_server = scope.place.server or "/entrypoints/" in scope.path
    return is_server and _ADDS_ROUTE.fullmatch(called) is not None


def has_commands(text: str) -> bool:
    """Tell whether functions of a file are commands, by what it imports."""
    return _OF_COMMANDS.search(text) is not None


def _flag(call: ast.Call, scope: _Scope) -> Iterator[Definition]:
    names = [
        name.partition("/")[0]  # click: `--shout/--no-shout`
        for one in call.args
        if (name := _flag_written(one, scope.text))
    ]
    long = [name for name in names if name.startswith("--")] or [
        name for name in names if name.startswith("-")
    ]
    if not long:
        return
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    action = ast.unparse(given["action"]) if "action" in given else ""
    if dotted(call.func).endswith("Option") and not _is_flag(call.args[0]):
        # The default comes first: https://typer.tiangolo.com/tutorial/options/name/
        given.setdefault("default", call.args[0])
    value = _value(given["default"]) if "default" in given else None
    if value is None and "store_true" in action:
        value = "False"
    elif value is None and "store_false" in action:
        value = "True"
    deprecated = bool(_DEPRECATED_ACTION.search(action)) or (
        "help" in given and _is_deprecated_help(given["help"])
    )
    if "deprecated" in given:
        deprecated = not _is_false(given["deprecated"])
    inherited = any(keyword.arg is None for keyword in call.keywords)
    taken = given.get("type")
    choices = _listed(given["choices"], scope.text) if "choices" in given else None
    if isinstance(taken, ast.Call) and dotted(taken.func).endswith("Choice") and taken.args:
        choices = _choices(taken.args[0])
    for name in names:
        if name not in long and name.startswith("-"):
            yield scope.define(Subject.FLAG, name, call, shape=long[0], inherited=True)
    for name in long:
        place = call.args[names.index(name)] if len(names) == len(call.args) else call
        yield scope.define(
            Subject.FLAG,
            name,
            place,
            value=value,
            choices=choices,
            shape=long[0] if name != long[0] else "",
            deprecated=deprecated,
            inherited=inherited or value is None,
            instead=_new_name(given) or successor(_text_of(call), name) if deprecated else "",
        )  # fmt: skip


def _flag_written(node: ast.expr, text: str) -> str:
    """Return what a string says a flag is called.

    `--spin.in` of `f"--{prefix}.in"` where the file gives `prefix` the default `spin` and no other
    one, `--<prefix>.in` where it gives it none.
    """
    if not isinstance(node, ast.JoinedStr):
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    match node.values:
        case [
            ast.Constant(value="--"),
            ast.FormattedValue(value=ast.Name(id=word), conversion=-1, format_spec=None),
            ast.Constant(value=str(end)),
        ] if end[:1] in (".", "-"):
            given = set(re.findall(rf"\b{word}(?:: str)? ?= ?[\"']([a-z][\w-]*)[\"']", text))
            return f"--{given.pop() if len(given) == 1 else f'<{word}>'}{end}"
    return ""


def _is_flag(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).startswith("-")


def _metric(call: ast.Call, written: str, scope: _Scope) -> Iterator[Definition]:
    name: ast.expr | None = call.args[0] if call.args else None
    labels = buckets = ""
    for keyword in call.keywords:
        if keyword.arg == "name":
            name = keyword.value
        elif keyword.arg == "buckets":
            buckets = _value(keyword.value)
        elif keyword.arg in ("labelnames", "labels"):
            labels = " " + _value(keyword.value)
    if (
        isinstance(name, ast.Constant)
        and isinstance(name.value, str)
        and _METRIC_NAME.fullmatch(name.value)
        and (len(call.args) > 1 or call.keywords)
    ):
        kind = written.lower().strip("_").removesuffix("_cls")
        yield scope.define(
            Subject.METRIC, name.value, name, value=buckets or None, shape=kind + labels
        )


_PREFIXED = re.compile(
    r"^(\w+) = (?:\w+\.)*APIRouter\([^()]*?\bprefix=[\"'](/[^\"'\n]*)[\"']", re.M
)
"""A router, and what the paths of all that is asked of it begin with."""


def _route(call: ast.Call, scope: _Scope) -> Iterator[Definition]:
    path = call.args[0] if call.args else None
    if isinstance(path, ast.Constant) and isinstance(path.value, str) and path.value[:1] == "/":
        router = dotted(call.func).rpartition(".")[0]
        prefix = dict(_PREFIXED.findall(scope.text)).get(router, "") if router else ""
        yield scope.define(Subject.ENDPOINT, f"{prefix}{path.value}", path, owner=prefix)


def _handled(node: grammar.Function, route: ast.Call, scope: _Scope) -> Iterator[Definition]:
    """Read what a path is that a function handles, and what that looks up in its query."""
    for one in _route(route, scope):
        yield one
        yield from _queried(node, one.name, scope)


def _queried(node: grammar.Function, route: str, scope: _Scope) -> Iterator[Definition]:
    """Read what a handler looks up in the query of a request: `/bake?shelf=`, with its default."""
    for inner in ast.walk(node) if "query_params" in scope.text else ():
        match inner:
            case ast.Call(
                func=ast.Attribute(value=asked, attr="get" | "getlist"),
                args=[ast.Constant(value=str(name)), *given],
            ) if dotted(asked).endswith("query_params") and _is_word(name):
                yield scope.define(
                    Subject.REQUEST_FIELD, f"{route}?{name}=", inner, owner=route, shape=QUERY,
                    value=_value(given[0]) if given else None,
                )  # fmt: skip


def _deprecation(call: ast.Call, scope: _Scope) -> Iterator[Definition]:
    if not call.args:
        return
    first = call.args[0]
    text = _text_of(first) if isinstance(first, ast.Constant | ast.JoinedStr) else ""
    if "deprecat" not in text.lower():
        return
    match = _DEPRECATED_TEXT.search(text)
    if match is None:
        return
    name = match["name"]
    subject = Subject.FLAG if name.startswith("--") else Subject.ENV
    if name.startswith("/"):
        subject = Subject.ENDPOINT
    line = next(
        (
            node.lineno
            for node in ast.walk(first)
            if isinstance(node, ast.Constant)
        ),
        call.lineno,
    ) + scope.offset  # fmt: skip
    for number in range(line, line + text.count("\n") + 6):
        if name in quoted(scope.lines, number):
            line = number
            break
    yield Definition(
        subject, name, scope.path, line, quoted(scope.lines, line),
        owner="deprecated", deprecated=True, table=False, instead=successor(text, name),
    )  # fmt: skip


_WARNS = ("warn", "warning", "warning_once")
"""What is called to warn."""
_TELLS = ("warn", "print", "log")
"""Of what a call does that has `deprecated` in its name, and names the variable or flag."""


def _is_setting(node: ast.expr) -> bool:
    """Tell whether an expression is the name of a flag or variable."""
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and _SETTING_NAME.fullmatch(value) is not None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _deprecated_by_call(call: ast.Call, scope: _Scope) -> Iterator[Definition]:
    """Tell of a call that calls something deprecated by name, in the words of what is called.

    Where that stands in another file, its own name has to say so.
    """
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not any(map(_is_setting, given)) or "deprecat" not in scope.text:
        return
    called = call.func
    written = called.attr if isinstance(called, ast.Attribute) else dotted(called)
    # With keywords, a call on a variable may as well give another name to the first one.
    tells = _TELLS if call.keywords else (*_TELLS, "env")
    if "deprecat" in written and any(verb in written for verb in tells):
        yield from _deprecated_by_name(call, scope)


_GONE_NAMES = re.compile(r"(?:^|_)deprecat", re.IGNORECASE)
"""What a table of names that go is called."""


def _deprecated_by_table(node: ast.AST, scope: _Scope) -> Iterator[Definition]:
    """Tell of variables that a dict gives new names, `_deprecated = {"ROCKET_V2": "ROCKET_V3"}`."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=called)], value=ast.Dict(keys=keys, values=values))
            | ast.AnnAssign(target=ast.Name(id=called), value=ast.Dict(keys=keys, values=values))
        ):
            pairs = zip(keys, values, strict=True) if _GONE_NAMES.search(called) else ()
        case _:
            return
    for old, new in pairs:
        name, instead = (_variable(one) if one is not None else "" for one in (old, new))
        # The new one is named once more, where it is read.
        if old is not None and name and instead and scope.text.count(instead) > 1:
            yield scope.define(
                Subject.ENV, name, old,
                owner="deprecated", deprecated=True, table=False, instead=instead,
            )  # fmt: skip


def _deprecated_by_name(call: ast.Call, scope: _Scope) -> Iterator[Definition]:
    """Tell of a call `warn_deprecated_env("ROCKET_V2", …)`, whose first argument goes.

    What it is set on may come before it. Of two names of a kind nothing tells which one goes.
    """
    arguments = call.args[1:] if call.args and not _is_text(call.args[0]) else call.args
    first = arguments[0] if arguments else None
    if not isinstance(first, ast.Constant) or not _is_setting(first):
        return
    name = str(first.value)
    others = [*arguments[1:], *(keyword.value for keyword in call.keywords)]
    settings = [
        str(one.value) for one in others if isinstance(one, ast.Constant) and _is_setting(one)
    ]
    if any(one.startswith("--") == name.startswith("--") for one in settings):
        return
    yield scope.define(
        Subject.FLAG if name.startswith("--") else Subject.ENV, name, first,
        owner="deprecated", deprecated=True, table=False,
        instead=settings[0] if settings else successor(_text_of(call), name),
    )  # fmt: skip


def _imported(node: ast.ImportFrom, scope: _Scope) -> Iterator[Definition]:
    for alias in node.names:
        name = alias.asname or alias.name
        if name == "*" or name.startswith("_"):
            continue
        within = scope.place.module + "."
        if node.level > 1 or (node.level == 0 and not (node.module or "").startswith(within)):
            continue
        of_front = node.level == 1 and not node.module and alias.name == name
        yield scope.define(Subject.API_NAME, name, alias, shape="exported", is_module=of_front)


_CALLED = r"add_argument\(\s*(?:[\"']-\w[\"'],\s*)?[\"']{}[\"']"
_BEFORE_CALL = re.compile(r"[ \t]*[\w.]*")
_CALLED_FOR = (
    r"add_argument\(\s*(?:[\"']-\w[\"'],\s*)?[\"'](--[\w-]{{1,80}})[\"'][^()]{{0,400}}?"
    r"\b(?:default=\w{{1,80}}\.{0}\b|dest=[\"']{0}[\"'])"
)
"""A flag of another name than the field that it sets, or that its default is taken from."""
_LONGEST = 40
"""Lines of a call after which it is read no further."""


def as_called(definitions: Iterable[Definition], text: str) -> tuple[Definition, ...]:
    """Return definitions of a file with each flag as its parser calls it, whatever its field is.

    In: the definitions and the whole file.
    """
    if "add_argument" not in text:
        return tuple(definitions)
    found = []
    called = {name for _, name in _calls(r"--[\w-]+", text)}
    for one in definitions:
        if one.subject is Subject.FLAG and one.name not in called:
            field = one.name.removeprefix("--").replace("-", "_")
            other = re.search(_CALLED_FOR.format(re.escape(field)), text)
            one = replace(one, name=other[1]) if other else one
        found.append(one)
    return tuple(found)


def _calls(flag: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield where lines begin with a call that adds a flag, and the flag; in: its pattern."""
    for found in re.finditer(_CALLED.format(f"({flag})"), text):
        start = text.rfind("\n", 0, found.start()) + 1
        if _BEFORE_CALL.fullmatch(text, start, found.start()):
            yield start, found[1]


def as_parsed(one: Definition, text: str, place: Place) -> Definition:
    """Return a flag with the default and the choices that a parser of its file gives it.

    In: the flag as a field defines it, and the whole file. A default of the parser's own counts
    for everybody who uses the flag, whatever the field is; one that it takes from the field, or
    does not give, is the field's.
    """
    if one.subject is not Subject.FLAG or "add_argument" not in text:
        return one
    called = next(_calls(re.escape(one.name), text), None)
    if called is None:
        return one
    given = _read(text, called[0], one, place)
    if given is None:
        return one
    written = given.choices if has_written(given.choices) else None
    choices = written or one.choices or given.choices
    if given.inherited or not is_literal(given.value or ""):
        return replace(one, choices=choices)
    return replace(given, choices=choices, shape=one.shape)


def has_written(choices: Sequence[str] | None) -> bool:
    """Tell whether any of some choices is written out, and not of a list that is not read."""
    return any(not one.startswith(OTHERS) for one in choices or ())


def _read(text: str, at: int, one: Definition, place: Place) -> Definition | None:
    """Read the call that begins at a place of a text, None where it does not parse."""
    lines = text[at:].split("\n", _LONGEST)
    lines[0] = lines[0].lstrip()
    for end in range(1, min(len(lines), _LONGEST) + 1):
        if not lines[end - 1].rstrip().endswith(")"):
            continue
        call = "\n".join(lines[:end])
        try:
            body = grammar.module(call).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        before = text.count("\n", 0, at)
        parsed = Parsed(Block((), call, before + 1), body, before)
        defined = python_definitions([parsed], one.path, text, place)
        return next((flag for flag in defined if flag.name == one.name), None)
    return None
