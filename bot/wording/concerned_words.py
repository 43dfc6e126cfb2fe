"""What concerns a channel, in the words of a message; one set for each language."""

from collections.abc import Mapping
from dataclasses import dataclass

from digest.languages import Language


@dataclass(frozen=True, slots=True)
class ConcernedWords:
    """`said` takes `word`; `pinned` takes `name` and `value`."""

    heading: str
    breaks: str
    said: str
    pinned: str


CONCERNED_WORDS: Mapping[Language, ConcernedWords] = {
    Language.EN: ConcernedWords("Concerns you", "breaks", "{word}: you said so",
                                "you pin {name} {value}"),
    Language.ZH: ConcernedWords("与你有关", "会出错", "{word}：你说过用到它",
                                "你固定的是 {name} {value}"),
}  # fmt: skip
