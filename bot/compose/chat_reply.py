"""What a person gets to see in chat: the one form that everything asked there is answered in."""

from dataclasses import dataclass, replace
from typing import Self

from bot.model.parts import Action, Part, PartKind
from bot.model.settings_form import SettingsForm
from digest.languages import Language
from digest.phrase import Example, Phrase
from digest.wording.saying import CATALOGUES, pieces
from digest.writing.document import Block, Paragraph, Runs, Typed, Words
from digest.writing.rules import plain

ENDS = (".", "?", "!", "…", "。", "？", "！", ":", "：")
"""What a sentence ends with."""

TYPED = ("commands.", "subscribing.", "concerns.", "settings.", "windows.", "discord.")
"""Sentences that begin with what somebody typed; in others it is a name."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file beside an answer: its name, and the HTML page that it is."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """Parts for the person who asked, and for nobody else in the channel.

    What cannot be done (a wrong command, a repository that cannot be looked at, a lost database)
    is no exception here: it is a reply that `failed`, with one part of one sentence that says what
    to do. `form` is set where the person asked for the settings: a platform that has forms opens
    one with these values, any other shows the parts. `is_posted` tells that everybody saw it in
    the channel, so that the person need not be told again; `is_personal` that nobody else may see
    it, however it was asked for. `file` holds what does not fit into messages.
    """

    parts: tuple[Part, ...]
    language: Language
    failed: bool = False
    form: SettingsForm | None = None
    is_posted: bool = False
    is_personal: bool = False
    file: Attachment | None = None

    @classmethod
    def line(cls, text: str | Phrase | Runs, language: Language, *, failed: bool = False) -> Self:
        """Return a reply of one sentence."""
        text = (Words(text),) if isinstance(text, str) else text
        runs = sentence(text, language) if isinstance(text, Phrase) else text
        part = Part(PartKind.NOTICE, (Paragraph(runs),), summary=plain(runs))
        return cls((part,), language, failed)

    def below(self, *blocks: Block) -> Self:
        """Return a reply of one part with more below what it says."""
        (part,) = self.parts
        return replace(self, parts=(replace(part, blocks=(*part.blocks, *blocks)),))

    def offering(self, *actions: Action) -> Self:
        """Return a reply of one part with these buttons."""
        (part,) = self.parts
        return replace(self, parts=(replace(part, actions=actions),))


def sentence(why: Phrase, language: Language) -> Runs:
    """Say a phrase as people read it: its first line, from a capital to a full stop.

    Commands in it are runs of their own, which each platform shows as they are typed there. What
    begins with somebody's own words has them in quotation marks.
    """
    runs: list[Words | Typed] = []
    for piece in pieces(why, language):
        if isinstance(piece, Example):
            runs.append(Typed(piece))
            continue
        line, broken, _ = piece.partition("\n")
        runs.append(Words(line))
        if broken:
            break
    first, last = runs[0], runs[-1]
    if isinstance(first, Words):
        runs[0] = Words(_begun(first.text, why, language))
    if isinstance(last, Typed) or not last.text.rstrip().endswith(ENDS):
        runs.append(Words(CATALOGUES[language].stop))
    return tuple(run for run in runs if run.text)


def _begun(text: str, why: Phrase, language: Language) -> str:
    """Begin a sentence with a capital; a word that somebody wrote stays as it is, in quotes.

    Chinese has no capitals: what begins there in Latin letters is a command or a name.
    """
    for value in why.values:
        if isinstance(value, str) and value.strip() and text.startswith((f"{value} ", f"{value}:")):
            is_typed = why.code.startswith(TYPED)
            bare = value.strip("'")  # where its sentence quotes it already
            return f"“{bare}”{text[len(value) :]}" if is_typed else text
    return text if language is Language.ZH else f"{text[:1].upper()}{text[1:]}"
