"""What marks a model's words as a model's, in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from digest.edited import RemarkKind
from digest.languages import Language


@dataclass(frozen=True, slots=True)
class EditingWords:
    """Templates of one language; `{model}` and `{original}` are filled by `phrasing.fill`."""

    written_by: str
    translated: str
    original: str
    read_by: str
    review: str
    judgement: str
    kinds: Mapping[RemarkKind, str]
    quote: str
    in_other: str


EDITING: Mapping[Language, EditingWords] = {
    Language.EN: EditingWords(
        written_by="Written by {model} from the items linked",
        translated="“{chinese}” (translated by {model}, {original})",
        original="original",
        read_by=" (as {model} reads it)",
        review="How {model} reads it",
        judgement="A judgement, to be checked: each sentence with the words that it rests on.",
        kinds={
            RemarkKind.LEAD: "",
            RemarkKind.INSIGHT: "Insight",
            RemarkKind.RISK: "Risk",
            RemarkKind.MISSING: "Missing",
        },
        quote="on: {quote}",
        in_other=" (in the other language alone)",
    ),
    Language.ZH: EditingWords(
        written_by="由 {model} 根据所链接的条目撰写",
        translated="“{chinese}”（{model} 译，{original}）",
        original="原文",
        read_by="（{model} 判断）",
        review="{model} 的解读",
        judgement="模型的判断，请自行核对：每句附其依据的原文。",
        kinds={
            RemarkKind.LEAD: "",
            RemarkKind.INSIGHT: "洞察",
            RemarkKind.RISK: "风险",
            RemarkKind.MISSING: "缺失",
        },
        quote="依据：{quote}",
        in_other="（仅有另一种语言）",
    ),
}
