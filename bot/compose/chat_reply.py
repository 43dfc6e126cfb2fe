"""What a person gets to see in chat: the one form that everything asked there is answered in."""

from dataclasses import dataclass
from typing import Self

from bot.model.parts import Part, PartKind
from bot.wording.settings_form import SettingsForm
from digest.languages import Language
from digest.phrase import Phrase
from digest.wording.saying import said
from digest.writing.document import Paragraph, Words


@dataclass(frozen=True, slots=True)
class ChatReply:
    """Parts for the person who asked, and for nobody else in the channel.

    What cannot be done (a wrong command, a repository that cannot be looked at, a lost database)
    is no exception here: it is a reply that `failed`, with one part of one sentence that says what
    to do. `form` is set where the person asked for the settings: a platform that has forms opens
    one with these values, any other shows the parts. `phrase` is what a reply of one sentence says,
    for a platform that shows the examples in it as commands of its own.
    """

    parts: tuple[Part, ...]
    language: Language
    failed: bool = False
    form: SettingsForm | None = None
    phrase: Phrase | None = None

    @classmethod
    def line(cls, text: str | Phrase, language: Language, *, failed: bool = False) -> Self:
        """Return a reply of one sentence."""
        phrase = text if isinstance(text, Phrase) and text.code else None
        line = said(text, language).partition("\n")[0] if isinstance(text, Phrase) else text
        part = Part(PartKind.NOTICE, (Paragraph((Words(line),)),), summary=line)
        return cls((part,), language, failed, phrase=phrase)
