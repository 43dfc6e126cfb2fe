"""What a statement says of facts: everything that somebody has to act on, by its name."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digest.facts import Fact, FactChange, FactKind, Subject, Symptom
from digest.languages import Language
from digest.reading.known_facts import additions, demands, fact_note
from digest.writing.fact_phrases import fact_runs, named_as_new, novelty
from digest.writing.rules import plain

ITEM = "example-org/kiln:pull_request:1"
WORDS = st.sampled_from(["heat", "max_batch", "retries", "depth", "glaze", "KILN_HOME", "n"])
NAMES = st.one_of(
    WORDS.map(lambda word: f"--{word.replace('_', '-')}"),
    WORDS.map(lambda word: f"KILN_{word.upper()}"),
    st.tuples(st.sampled_from(["Oven", "PlateRequest"]), WORDS).map(".".join),
    st.tuples(WORDS, WORDS).map(lambda pair: f"{pair[0]}({pair[1]})"),
)
ACTED_ON = st.sampled_from(
    [
        FactChange.REMOVED,
        FactChange.RENAMED,
        FactChange.DEFAULT,
        FactChange.DEPRECATED,
        FactChange.CHANGED,
    ]
)
SUBJECTS = st.sampled_from(
    [
        Subject.FLAG,
        Subject.ENV,
        Subject.CONFIG_FIELD,
        Subject.REQUEST_FIELD,
        Subject.API_ARGUMENT,
        Subject.API_NAME,
    ]
)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    change = draw(ACTED_ON)
    # Only what went together is told of several names at once; all else has values of its own.
    most = 6 if change is FactChange.REMOVED else 1
    names = draw(st.lists(NAMES, min_size=1, max_size=most, unique=True))
    values = st.one_of(st.none(), st.sampled_from(["1", "0.92", "auto"]))
    return Fact(
        FactKind.INTERFACE,
        ITEM,
        change,
        draw(SUBJECTS),
        names[0],
        names=tuple(names) if len(names) > 1 else (),
        before=names[0] if change is FactChange.RENAMED else draw(values),
        after=draw(NAMES) if change is FactChange.RENAMED else draw(values),
        must_act=True,
    )


@pytest.mark.parametrize("language", Language)
@given(st.lists(facts(), min_size=1, max_size=8))
def test_every_name_that_somebody_has_to_act_on_is_said(
    language: Language, told: list[Fact]
) -> None:
    said = " ".join(plain(runs) for runs in fact_runs(told, language, whole=True))

    for fact in told:
        for name in fact.names or (fact.name,):
            for part in re.findall(r"-*[\w-]+", name):
                assert part in said


def gone(subject: Subject, *names: str, kind: FactKind = FactKind.INTERFACE) -> Fact:
    more = names if len(names) > 1 else ()
    return Fact(kind, ITEM, FactChange.REMOVED, subject, names[0], names=more)


@given(st.lists(st.lists(NAMES, min_size=1, max_size=9, unique=True), min_size=1, max_size=9))
def test_of_very_many_names_the_first_are_said_and_all_others_counted(
    lists: list[list[str]],
) -> None:
    told = [gone(Subject.FLAG, *names) for names in lists]
    (runs,) = fact_runs(told, Language.EN)
    names = plain(runs).removeprefix("flags ").removeprefix("flag ").removesuffix(" removed")
    shown, left = (*re.split(r" and (?=\d)|; (?=\d[\d,]* more$)", names), "")[:2]
    leaves = [part for part in re.split(r"[,;:] ", shown) if part]
    total = len({name for names in lists for name in names})
    owners = names.count(": ")
    assert len(leaves) - owners + int(left.split()[0] if left else 0) == total
    assert len(shown) <= 160


def test_what_left_modules_that_stay_is_one_statement_without_their_packages() -> None:
    facts = [
        gone(Subject.API_NAME, "kiln.inner.pump.Pump", kind=FactKind.MOVE),
        gone(Subject.API_NAME, "kiln.inner.tank.Tank.pin", "kiln.inner.tank.Tank.ttl",
             kind=FactKind.MOVE),
    ]  # fmt: skip
    (one,) = fact_runs(facts[:1], Language.EN)
    (both,) = fact_runs(facts, Language.EN)
    assert plain(one) == "public name kiln.inner.pump.Pump removed"
    assert plain(both) == "public names inner.pump.Pump; Tank: pin, ttl removed"


def test_names_that_are_only_counted_and_are_of_other_modules_are_not_told_as_of_the_last() -> None:
    kiln = gone(Subject.API_NAME, *(f"kiln.fire{n}" for n in range(9)))
    oven = gone(Subject.API_NAME, "oven.bake", "oven.roast")
    (of_one,) = fact_runs([kiln], Language.EN)
    (of_two,) = fact_runs([kiln, oven], Language.EN)
    assert re.search(r" and \d more removed$", plain(of_one))
    assert re.search(r"; \d more removed$", plain(of_two))


@pytest.mark.parametrize(
    ("after", "now"),
    [("kiln.inner.Pumps", "Pumps"), ("kiln.outer.Pumps", "kiln.outer.Pumps")],
)
def test_a_new_name_is_told_with_its_module_where_that_is_another(after: str, now: str) -> None:
    fact = gone(Subject.API_NAME, "kiln.inner.Pump", kind=FactKind.MOVE)
    (told,) = fact_runs([replace(fact, change=FactChange.RENAMED, after=after)], Language.EN)
    assert plain(told) == f"public name kiln.inner.Pump is now {now}"


def test_arguments_of_several_functions_are_renamed_within_each() -> None:
    facts = [
        replace(
            gone(Subject.API_ARGUMENT, f"{function}(scales)"),
            change=FactChange.RENAMED,
            before=f"{function}(scales)",
            after=f"{function}(factors)",
        )
        for function in ("decode", "Pump.run")
    ]
    (told,) = fact_runs(facts, Language.EN)
    assert plain(told) == (
        "arguments renamed: decode(scales → factors), Pump.run(scales → factors)"
    )


def test_what_takes_the_place_of_each_of_several_is_told_beside_it() -> None:
    whole = Fact(FactKind.INTERFACE, ITEM, FactChange.DEPRECATED, Subject.FLAG, "--heat")
    facts = [
        replace(whole, after="--warmth"),
        replace(whole, name="--glaze", after="--shine"),
        replace(whole, name="--n"),
    ]
    told = [plain(runs) for runs in fact_runs(facts, Language.EN)]
    assert told == [
        "flags deprecated: --heat → --warmth, --glaze → --shine",
        "flag --n deprecated",
    ]


def test_modules_of_two_packages_that_went_are_all_told() -> None:
    names = "kiln.parts.common", "kiln.base.address"
    (apart,) = fact_runs([gone(Subject.MODULE, *names, kind=FactKind.MOVE)], Language.EN)
    assert plain(apart) == "modules kiln.parts.common, kiln.base.address removed"
    near = gone(Subject.MODULE, "kiln.parts.a", "kiln.parts.b", kind=FactKind.MOVE)
    (together,) = fact_runs([replace(near, name="kiln.parts", before="kiln.parts")], Language.EN)
    assert plain(together) == "modules kiln.parts.{a, b} removed"


@pytest.mark.parametrize("longer", ["", "_of_the_outer_ring" * 6])
def test_a_class_that_lost_members_is_never_told_as_gone_itself(longer: str) -> None:
    owner = f"kiln.{'inner' * 20}.Pump"
    names = [f"{owner}.{name}{longer}" for name in ("drain", "fill", "stop")]
    lost = gone(Subject.API_NAME, *names, kind=FactKind.MOVE)
    (told,) = fact_runs([replace(lost, name=owner, before=owner)], Language.EN)
    assert plain(told).startswith(f"public names Pump.{{drain{longer}")
    (whole,) = fact_runs(
        [replace(lost, name=owner, before=owner, names=(owner, *names))], Language.EN
    )
    assert plain(whole) == f"public name {owner} removed"


@pytest.mark.parametrize(
    ("front", "shown"), [((), "kiln.parts.{p0, p1,"), (("kiln.parts",), "kiln.parts →")]
)
def test_of_many_modules_the_package_is_told_only_where_it_moved_with_them(
    front: tuple[str, ...], shown: str
) -> None:
    names = (*(f"kiln.parts.p{number}" for number in range(12)), *front)
    moved = Fact(FactKind.MOVE, ITEM, FactChange.MOVED, Subject.MODULE, "kiln.parts", names,
                 before="kiln.parts", after="kiln.made")  # fmt: skip
    (told,) = fact_runs([moved], Language.EN)
    assert shown in plain(told)


def test_behind_a_count_of_names_chinese_goes_on_without_a_space() -> None:
    """`另有 4 个 现在` has a space between two words of Chinese, which has none there."""
    names = [f"Oven.{name}" for name in ("heat", "depth", "door", "rack", "fan", "timer", "n", "m")]
    changes = (
        *((FactChange.ADDED, ""), (FactChange.REMOVED, ""), (FactChange.REMOVED, "Kiln.heat")),
        (FactChange.ADDED, "Kiln.heat"),
        *((FactChange.DEPRECATED, ""), (FactChange.DEPRECATED, "Kiln.heat")),
        *((FactChange.CHANGED, ""), (FactChange.CHANGED, "int")),
    )
    for change, after in changes:
        fact = replace(gone(Subject.API_NAME, *names), change=change, after=after or None)
        (said,) = fact_runs([fact], Language.ZH)
        assert "，另有 2 个" in plain(said)
        assert not re.search("[\u3400-\u9fff] [\u3400-\u9fff]", plain(said)), plain(said)


def test_names_that_came_deprecated_are_told_with_what_to_use_and_as_no_default() -> None:
    known = Fact(FactKind.INTERFACE, ITEM, FactChange.ADDED, Subject.API_NAME, "fire")
    heat = replace(known, after="burn")

    told = [plain(said) for said in fact_runs([heat, replace(known, name="bake")], Language.EN)]

    (old,) = (each for each in told if "fire" in each)
    assert "burn" in old
    assert old.count("burn") == 1
    assert "bake" not in old


def test_arguments_that_are_taken_by_keyword_alone_are_one_statement() -> None:
    def now(name: str, value: str) -> Fact:
        known = Fact(
            FactKind.INTERFACE, ITEM, FactChange.CHANGED, Subject.API_ARGUMENT, f"Oven.heat({name})"
        )
        return replace(known, before=f"{name}={value}", after=f"*, {name}={value}", must_act=True)

    (told,) = fact_runs([now("stop", "None"), now("depth", "1")], Language.EN)
    assert plain(told) == "arguments Oven.heat: stop, depth only by keyword now"
    many = [now(name, "1") for name in ("n", "stop", "seed", "depth", "door", "rack", "fan", "lid")]
    (told,) = fact_runs(many, Language.ZH)
    assert plain(told).endswith("，另有 2 个，现在仅支持关键字传参")


def test_versions_that_are_left_out_are_told_unless_there_are_very_many() -> None:
    excluded = ">=5.29.6,!=6.30.*,!=6.31.*,!=6.32.*,!=6.33.0.*,!=6.33.1.*,!=6.33.2.*,<8"
    needed = Fact(FactKind.REQUIREMENT, "k", FactChange.CHANGED, name="protobuf", after=excluded)
    many = replace(needed, after=f"{excluded}{',!=7.*' * 20}")
    assert [plain(run) for one in (needed, many) for run in fact_runs([one], Language.EN)] == [
        f"needs protobuf {excluded.replace(',', ', ')}",
        "needs protobuf >=5.29.6, <8, …",
    ]


def test_of_a_long_list_of_needs_the_first_ones_are_told_whole() -> None:
    listed = ", ".join(f"glaze-{number}==1.{number}.10" for number in range(20))
    needed = Fact(
        FactKind.REQUIREMENT, ITEM, FactChange.RAISED, Subject.DEPENDENCY, "extra kiln",
        after=listed,
    )  # fmt: skip
    (told,) = fact_runs([needed], Language.EN)
    start, _, end = plain(told).partition(" glaze-0")
    assert start == "needs extra kiln"
    assert f"glaze-0{end}".endswith(".10, …")
    assert listed.startswith(f"glaze-0{end}".removesuffix("…"))


def test_a_model_of_another_name_is_to_be_acted_on_and_one_that_seems_gone_is_not() -> None:
    gone = Fact(
        FactKind.SUPPORT, "1", FactChange.REMOVED, Subject.MODEL, "OldForCausalLM",
        must_act=True, inferred=True,
    )  # fmt: skip
    renamed = replace(gone, change=FactChange.RENAMED, after="NewForCausalLM")
    assert demands([gone, renamed]) == (renamed,)


def test_what_plugins_have_to_write_is_asked_of_them_and_no_news() -> None:
    method = Fact(
        FactKind.INTERFACE, "1", FactChange.ADDED, Subject.API_NAME, "Pump.drain", must_act=True
    )
    module = replace(method, kind=FactKind.MOVE, change=FactChange.REMOVED, must_act=False)
    assert demands([method, module]) == (method,)
    assert additions([method]) == ()
    for language, words in (
        (Language.EN, "subclasses have to write Pump.drain"),
        (Language.ZH, "子类须实现 Pump.drain"),
    ):
        assert [plain(runs) for runs in fact_runs([method], language)] == [words]


def test_a_default_that_a_title_states_is_told_with_what_it_stands_in_the_place_of() -> None:
    fact = Fact(
        FactKind.INTERFACE, ITEM, FactChange.DEFAULT, Subject.FEATURE, "backend for small cards",
        before="PAGED", after="FLAT", must_act=True,
    )  # fmt: skip
    assert [plain(runs) for runs in fact_runs([fact], Language.EN)] == [
        "default of backend for small cards: PAGED → FLAT"
    ]


@pytest.mark.parametrize(
    ("language", "where"),
    [(Language.EN, " where is_moon(), depth > 3"), (Language.ZH, "（条件：is_moon()、depth > 3）")],
)
@pytest.mark.parametrize("whom", [True, False])
def test_where_a_default_holds_is_said_whatever_else_is(
    language: Language, where: str, *, whom: bool
) -> None:
    fact = Fact(
        FactKind.INTERFACE, ITEM, FactChange.DEFAULT, Subject.FLAG, "--heat",
        before="1", after="64", conditions=("is_moon()", "depth > 3"), must_act=True,
    )  # fmt: skip
    switch = replace(fact, change=FactChange.ADDED, before=None, after="True")
    told = [*fact_runs([fact, switch], language, whom=whom), novelty([switch], language)]
    assert all(plain(runs).endswith(where) for runs in told)
    assert fact_note(fact) is None


@pytest.mark.parametrize(
    ("language", "where"),
    [
        (Language.EN, " where set_up() runs, depth > 3"),
        (Language.ZH, "（条件：执行 set_up()、depth > 3）"),
    ],
)
def test_a_function_in_which_a_default_holds_is_no_question(language: Language, where: str) -> None:
    fact = Fact(
        FactKind.INTERFACE, ITEM, FactChange.DEFAULT, Subject.FLAG, "--heat",
        before="1", after="64", conditions=("set_up()", "depth > 3"), must_act=True,
    )  # fmt: skip
    assert plain(fact_runs([fact], language)[0]).endswith(where)


@pytest.mark.parametrize(
    ("language", "place"), [(Language.EN, "before hot"), (Language.ZH, "hot 之前")]
)
def test_a_new_argument_that_shifts_others_tells_its_place(language: Language, place: str) -> None:
    new = [
        replace(
            gone(Subject.API_ARGUMENT, f"fill({name})"), change=FactChange.ADDED,
            conditions=(other,), must_act=True,
        )
        for name, other in (("dry", "hot"), ("wet", "cold"))
    ]  # fmt: skip
    for whom in (True, False):
        (runs,) = fact_runs(new, language, whom=whom)
        assert plain(runs).count(place) == 1
        assert "wet" in plain(runs)


def test_an_argument_that_several_functions_take_now_is_told_once_with_its_remark() -> None:
    def told(*names: str, places: tuple[str, ...] = ("hot", "hot", "hot")) -> tuple[str, str]:
        new = [
            replace(
                gone(Subject.API_ARGUMENT, name), change=FactChange.ADDED, must_act=bool(place),
                conditions=(place,) if place else (),
            )
            for name, place in zip(names, places, strict=True)
        ]  # fmt: skip
        (english,), (chinese,) = (fact_runs(new, language) for language in Language)
        return plain(english), plain(chinese)

    three = ("fill(dry)", "drain(dry)", "Kiln.wash(dry)")
    assert told(*three) == (
        "new argument dry (before hot) of fill, drain, Kiln.wash",
        "新增参数 dry（在 hot 之前），用于 fill、drain、Kiln.wash",
    )
    assert told(*three, places=("", "", ""))[0] == "new argument dry of fill, drain, Kiln.wash"
    assert told(*three, places=("hot", "hot", "cold"))[0].count("dry") == 3
    assert told("fill(dry)", "fill(wet)", places=("hot", "hot"))[0].count("before hot") == 2
    assert " of " not in told("fill(dry)", "drain(wet)", places=("", ""))[0]
    many = told(*(f"f{at}(dry)" for at in range(9)), places=("",) * 9)
    assert many[0] == "new argument dry of f0, f1, f2, f3, f4, f5 and 3 more"


def added(subject: Subject, name: str, *, inferred: bool = False) -> Fact:
    change = FactChange.ADDED
    return Fact(FactKind.INTERFACE, ITEM, change, subject, name, inferred=inferred)


def test_what_is_new_is_named_with_its_kind_and_its_mark_where_it_is_one_setting() -> None:
    room = added(Subject.ENV, "KILN_ROOM", inferred=True)
    assert plain(novelty([room], Language.EN)) == "environment variable KILN_ROOM (inferred)"
    assert plain(novelty([added(Subject.FLAG, "--heat")], Language.ZH)) == "参数 --heat"
    assert named_as_new([room]) == (room,)
    assert named_as_new([room, added(Subject.FLAG, "--heat")]) == ()


def test_of_a_variable_that_others_may_have_read_before_it_is_told_that_a_file_reads_it() -> None:
    room = replace(added(Subject.ENV, "KILN_ROOM", inferred=True), after="3")
    (english,), (chinese,) = (fact_runs([room], language) for language in Language)
    assert plain(english) == "a file now reads environment variable KILN_ROOM (default 3)"
    # What a model alone reads is told beside it under its own mark, whichever comes first.
    lid = replace(room, name="KILN_LID", after=None, by="glaze-7b")
    for both in ((room, lid), (lid, room)):
        told = sorted(plain(runs) for runs in fact_runs(both, Language.EN))
        assert told[0] == "a file now reads environment variable KILN_ROOM (default 3)"
        assert told[1].startswith("new environment variable KILN_LID (")
    assert plain(chinese) == "有文件开始读取环境变量 KILN_ROOM（默认 3）"
    (sure,) = fact_runs([replace(room, inferred=False)], Language.EN)
    assert plain(sure) == "new environment variable KILN_ROOM (default 3)"
    (guessed,) = fact_runs([replace(room, by="small-1")], Language.EN)
    assert plain(guessed).startswith("new environment variable KILN_ROOM (default 3)")


@pytest.mark.parametrize(
    ("subject", "name", "said"),
    [
        (Subject.ENV, "KILN_ROOM", "environment variable KILN_ROOM (default False)"),
        (Subject.CONFIG_FIELD, "kiln_config.room", "setting kiln_config.room (default False)"),
        (Subject.FLAG, "--room", "flag --room"),
        (Subject.API_ARGUMENT, "bake(room)", "argument bake(room)"),
    ],
)
def test_of_a_new_setting_it_is_told_that_it_is_off(subject: Subject, name: str, said: str) -> None:
    new = replace(added(subject, name), after="False")
    (alone,) = fact_runs([new], Language.EN)
    assert plain(alone) == f"new {said}"
    (both,) = fact_runs([new, replace(new, name=name.replace("room", "door"))], Language.EN)
    assert "False" not in plain(both).replace("KILN_ROOM (default False)", "")


LOOKED_UP = "_room_of('KILN_OVENS', read('KILN_ROOM'), 32768)"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (LOOKED_UP, ""),
        ('os.environ["KILN_OVENS"] or home()', ""),
        ("room_of(4)", "room_of(4)"),
        ('"warm it and call (0123) if it is cold"', '"warm it and call (0123) if it is cold"'),
        ("32768", "32768"),
        ("0.2", "0.2"),
        ("_default_hip", ""),
    ],
)
def test_a_default_that_has_to_be_worked_out_is_told_where_it_is_short(
    value: str, told: str
) -> None:
    new = replace(added(Subject.ENV, "KILN_ROOM"), after=value)
    said = f"new environment variable KILN_ROOM (default {told})"
    assert plain(fact_runs([new], Language.EN)[0]) == (
        said if told else said[: -len(" (default )")]
    )
    assert value in plain(fact_runs([new], Language.EN, whole=True)[0])


@pytest.mark.parametrize(
    ("before", "after", "english", "chinese"),
    [
        ("5", LOOKED_UP, "default of --heat changed", "默认值 --heat 有变"),
        (LOOKED_UP, "5", "default of --heat is now 5", "默认值 --heat 改为 5"),
    ],
)
def test_of_a_default_that_changed_no_expression_is_told(
    before: str, after: str, english: str, chinese: str
) -> None:
    fact = replace(added(Subject.FLAG, "--heat"), before=before, after=after)
    fact = replace(fact, change=FactChange.DEFAULT)
    assert plain(fact_runs([fact], Language.EN)[0]) == english
    assert plain(fact_runs([fact], Language.ZH)[0]) == chinese
    assert LOOKED_UP in plain(fact_runs([fact], Language.EN, whole=True)[0])


def test_a_new_argument_that_has_to_be_given_says_so() -> None:
    given, other = (
        Fact(
            FactKind.INTERFACE,
            ITEM,
            FactChange.ADDED,
            Subject.API_ARGUMENT,
            f"fill({name})",
            must_act=must_act,
        )
        for name, must_act in (("depth", True), ("width", False))
    )
    told = [plain(runs) for runs in fact_runs([given, other], Language.EN)]
    assert told == ["new argument fill(depth) (required)", "new argument fill(width)"]


def test_chinese_says_in_chinese_what_has_to_be_given_and_which_extra_needs_it() -> None:
    argument = Fact(
        FactKind.INTERFACE,
        ITEM,
        FactChange.CHANGED,
        Subject.API_ARGUMENT,
        "fill(depth)",
        before="1",
        after="required",
    )
    needs = Fact(
        FactKind.REQUIREMENT,
        ITEM,
        FactChange.RAISED,
        Subject.DEPENDENCY,
        "glaze",
        after=">=2",
        who=("oven: extra fast",),
    )
    told = [" ".join(map(plain, fact_runs([fact], Language.ZH))) for fact in (argument, needs)]
    assert not any(re.search("required|extra", each) for each in told)
    assert "required" in plain(fact_runs([argument], Language.EN)[0])
    assert "oven: extra fast" in plain(fact_runs([needs], Language.EN)[0])


@pytest.mark.parametrize("language", Language)
def test_a_long_environment_marker_is_told_in_words(language: Language) -> None:
    short = "fast; sys_platform == 'linux'"
    long = f"fast; sys_platform != 'linux' or {' and '.join(['platform_machine != `arm64`'] * 3)}"
    for condition, is_whole in ((short, True), (long, False)):
        needs = Fact(
            FactKind.REQUIREMENT, ITEM, FactChange.RAISED, Subject.DEPENDENCY, "glaze",
            after=">=2", conditions=(condition,),
        )  # fmt: skip
        told = plain(fact_runs([needs], language)[0])
        assert "fast; " in told
        assert ("sys_platform" in told) is is_whole


def test_an_extra_that_asks_for_nothing_any_more_is_not_needed() -> None:
    emptied = Fact(
        FactKind.REQUIREMENT, ITEM, FactChange.CHANGED, Subject.DEPENDENCY, "extra kiln",
        before="glaze>=1", after="",
    )  # fmt: skip
    (told,) = fact_runs([emptied], Language.EN)
    assert plain(told) == "extra kiln is empty now"
    came = replace(emptied, change=FactChange.ADDED, before=None, after="glaze>=1, lamp")
    (new,) = fact_runs([came], Language.EN)
    assert plain(new) == "new extra kiln: glaze>=1, lamp"
    (chinese,) = fact_runs([replace(came, conditions=("cpu",))], Language.ZH)
    assert plain(chinese) == "新增可选依赖 kiln：glaze>=1, lamp（cpu）"
    (loose,) = fact_runs([replace(emptied, name="glaze", after=None)], Language.EN)
    assert plain(loose) == "needs glaze"


def test_a_new_extra_is_told_beside_what_everybody_needs_from_now_on() -> None:
    came = [
        Fact(
            FactKind.REQUIREMENT, ITEM, FactChange.ADDED, Subject.DEPENDENCY, name, after=after
        )
        for name, after in (("extra kiln", "glaze>=1"), ("tongs", "==3"))
    ]  # fmt: skip
    assert [plain(runs) for runs in fact_runs(came, Language.EN)] == [
        "new extra kiln: glaze>=1",
        "needs tongs ==3",
    ]


def test_a_bite_says_which_change_brought_it() -> None:
    bite = Fact(FactKind.BITE, ITEM, FactChange.FIXED, symptom=Symptom.CRASH, name="#7")
    told = [plain(fact_runs([bite], language)[0]) for language in Language]
    assert told == ["crash · since #7", "崩溃 · 自 #7 起"]


def test_arguments_in_another_order_are_told_by_both_orders() -> None:
    fact = Fact(
        FactKind.INTERFACE, ITEM, FactChange.CHANGED, Subject.API_ARGUMENT, "Oven.heat",
        before="tray, stop", after="stop, tray", must_act=True,
    )  # fmt: skip
    (told,) = fact_runs([fact], Language.EN)
    assert plain(told) == "order of the arguments of Oven.heat: tray, stop → stop, tray"
    (told,) = fact_runs([fact], Language.ZH)
    assert plain(told) == "Oven.heat 的参数顺序：tray, stop → stop, tray"
