"""Invented days with a model's proven sentences, for the tests of writing and drawing."""

from dataclasses import replace

from digest.claims import Claim, ClaimKind, ModelOutcome, ModelUse
from digest.grades import Importance, Purpose
from digest.languages import Language, Text
from digest.models import Digest, Origin, Reading
from tests.digest.writing import invented
from tests.digest.writing.invented import judged, pull, reading, written

MODEL = "glaze-7b"
EN, ZH = Language.EN, Language.ZH


def claim(
    key: str,
    en: str,
    zh: str = "",
    *,
    kind: ClaimKind = ClaimKind.WHAT,
    quote: str = "",
    quote_from: str = "body",
) -> Claim:
    said: dict[Language, str] = {EN: en, ZH: zh}
    text: Text = {language: words for language, words in said.items() if words}
    return Claim(kind, quote, quote_from, text, (key,))


def pull_key(number: int) -> str:
    return f"{invented.REPO}:pull_request:{number}"


def of_theme(name: str, cites: tuple[str, ...], en: str, zh: str) -> Claim:
    return Claim(ClaimKind.WHAT, "", "", {EN: en, ZH: zh}, cites, theme=name)


def use(outcome: ModelOutcome = ModelOutcome.COMPLETE, **more: int) -> ModelUse:
    return ModelUse(MODEL, outcome, **({"asked": 9} | more))


def told_by(day: Reading, claims: tuple[Claim, ...], made: ModelUse) -> Digest:
    origin = Origin.MODEL if claims else Origin.RULES
    return replace(written(day), claims=claims, model=made, origin=origin)


def day() -> Reading:
    """The busy day with two changes of one theme."""
    pair = [
        judged(
            pull(number, title),
            Importance.MEDIUM,
            purpose=Purpose.PERFORMANCE,
            theme="theme.moe",
        )
        for number, title in ((120, "Group experts by shelf"), (121, "Skip cold experts"))
    ]
    busy = invented.busy()
    both = reading((*busy.items, *pair))
    return replace(busy, items=both.items, counts=both.counts)


CLAIMS = (
    claim(
        pull_key(101),
        "The flag --heat is now called --temperature.",
        "参数 --heat 现在叫 --temperature。",
        quote="The old flag is gone without an alias.",
    ),
    claim(
        pull_key(101),
        "Commands that still use --heat stop with an error",
        "仍使用 --heat 的命令会报错退出",
        kind=ClaimKind.ACTION,
        quote="The old flag is gone without an alias.",
    ),
    claim(
        pull_key(102),
        "The door is opened without waiting for the fan",
        "开门时不再等待风扇",
        quote_from="h1",
    ),
    claim(pull_key(108), "KILN_TIMEOUT is read in milliseconds", quote_from="h1"),
    claim(pull_key(105), "Recipes are read from object storage.", "配方从对象存储读取。"),
    claim(pull_key(106), "Glaze maps are stored as fp8.", "釉图以 fp8 存储。"),
    claim(pull_key(120), "Experts of one shelf share a batch.", "同一层架的专家共用一个批次。"),
    claim(
        f"{invented.REPO}:issue:90",
        "The oven stays hot after an upgrade to 1.4.0.",
        "升级到 1.4.0 后炉子一直发热。",
    ),
    claim(
        f"{invented.REPO}:release:v1.5.0",
        "The release is hotter and faster.",
        "此版本更热、更快。",
    ),
    of_theme(
        "theme.moe",
        (pull_key(120), pull_key(121)),
        "Experts are grouped by shelf, and cold ones are skipped.",
        "专家按层架分组，并跳过冷的专家。",
    ),
)


def whole() -> Digest:
    return told_by(day(), CLAIMS, use(claims=len(CLAIMS)))


def partly() -> Digest:
    """Some sentences dropped, one in one language alone, some items unanswered."""
    made = use(ModelOutcome.PARTIAL, claims=4, dropped=3, unanswered=2)
    return told_by(day(), CLAIMS[:4], made)


def late() -> Digest:
    return told_by(day(), (), use(ModelOutcome.LATE, unanswered=9))


def over_budget() -> Digest:
    return told_by(day(), CLAIMS[:2], use(ModelOutcome.OVER_BUDGET, claims=2, unanswered=7))


def failed() -> Digest:
    return told_by(day(), (), use(ModelOutcome.FAILED, unanswered=9))


def hostile() -> Digest:
    """What no check would let through: renderers must not depend on any."""
    worst = "<!channel> @everyone [x](https://evil.example) `a` <b>b</b> **c** \u202e # d | e"
    claims = (
        claim(pull_key(101), worst, worst),
        claim(pull_key(106), worst, worst),
        of_theme("theme.moe", (pull_key(120), pull_key(121)), worst, worst),
    )
    made = ModelUse("<!here> @everyone/[m](https://evil.example)", ModelOutcome.COMPLETE, asked=3)
    return told_by(day(), claims, made)


DAYS = {
    "glossed": whole,
    "glossed-partly": partly,
    "glossed-late": late,
    "glossed-over-budget": over_budget,
    "glossed-failed": failed,
    "glossed-hostile": hostile,
}
