"""All that one language says."""

import re
from collections.abc import Iterator, Sequence

from digest.grades import Purpose
from digest.phrase import AS_WRITTEN, Example, Phrase, Value
from digest.wording.area import says
from digest.wording.chat import ChatAreas
from digest.wording.pages import PageAreas
from digest.wording.phrases import CODES, Phrases

_COMMAND = re.compile("\x00([0-9]+)\x00")
"""The place of a command in a sentence, while it is said; no text holds a NUL."""


class Catalogue(Phrases[str], PageAreas, ChatAreas):
    """Sentences that also go as a code with values (`Phrases`), and the words of pages and chats.

    `own_name` is what its readers call the language, `html_tag` what HTML does (BCP 47), and
    `discord_locale` what Discord does: https://discord.com/developers/docs/reference#locales

    `comma` stands between words of a list, `pause` between parts of a sentence, `gap` between
    sentences, `last_joint` before the last of several names.
    """

    own_name: str = says("English")
    html_tag: str = says("en")
    discord_locale: str = says("en-US")
    pause: str = says(", ")
    semicolon: str = says("; ")
    colon: str = says(": ")
    stop: str = says(".")
    gap: str = says(" ")
    last_joint: str = says(" and ")

    def reason(self, key: str) -> str:
        """Name a reason of importance in words; the base of a score is named for the purpose."""
        named: str = self.names.reasons.get(key, "") or getattr(self.symptoms, key, "")
        if named:
            return named
        base = next((purpose for purpose in Purpose if purpose.value == key), None)
        return key.replace("_", " ") if base is None else self.names.purposes[base]

    def listed(self, names: Sequence[str]) -> str:
        """Join names as in running text."""
        return self.last_joint.join(filter(None, (self.comma.join(names[:-1]), *names[-1:])))

    def localized(self, why: Phrase) -> str:
        """Return it as a sentence without a full stop, commands as they are typed."""
        return "".join(self.pieces(why))

    def sentence(self, why: Phrase) -> str:
        """Return it with its full stop."""
        return self.localized(why) + self.stop

    def in_a_row(self, sentences: Sequence[str]) -> str:
        """Return facts in a row; of those that are whole sentences only the last keeps its stop."""
        *first, last = sentences or ("",)
        return self.semicolon.join((*(each.removesuffix(self.stop) for each in first), last))

    def pieces(self, why: Phrase) -> Iterator[str | Example]:
        """Yield a sentence piece by piece, its commands by themselves."""
        commands: list[Example] = []
        text = str(self._text_of(why, commands))
        for index, piece in enumerate(_COMMAND.split(text)):
            yield commands[int(piece)] if index % 2 else piece

    def _text_of(self, value: Value, commands: list[Example]) -> str | int:
        match value:
            case Example():
                commands.append(value)
                return f"\x00{len(commands) - 1}\x00"
            case str():
                return value.replace("\x00", "")
            case tuple():
                return self.comma.join(str(self._text_of(each, commands)) for each in value)
            case Phrase():
                values = [self._text_of(each, commands) for each in value.values]
                if value.code == AS_WRITTEN:
                    return values[0]
                if value.code not in CODES:  # stored by a version that has other ones
                    return self.unknown(value.code)
                area, _, name = value.code.partition(".")
                sentence = getattr(getattr(self, area), name)
                try:
                    return str(sentence(*values) if callable(sentence) else sentence)
                except TypeError:  # stored by a version that gives it other values
                    return self.unknown(value.code)
        return value
