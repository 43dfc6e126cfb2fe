"""The settings of a channel as a form: every field as a person writes it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """What a form shows and gives back, in the words of `bot.setting_words`.

    `repos` are names or aliases; `at` is `09:00`, `days` `daily`, `weekdays`, `weekly` or
    `mon,wed`; `language` `en` or `zh`; `without` words of `LEFT_OUT`; `paths` globs and `topics`
    words, separated by commas or spaces; `quiet` `line` or `nothing`. `is_new` tells that the
    channel has no subscription yet, and `paused` why it gets nothing.
    """

    repos: tuple[str, ...]
    at: str
    tz: str
    days: str
    language: str
    without: tuple[str, ...] = ()
    paths: str = ""
    topics: str = ""
    quiet: str = "line"
    one_thread: bool = False
    is_new: bool = True
    paused: str = ""


FormFaults = Mapping[str, str]
"""One sentence for each field of `SettingsForm` that cannot be, by the field's name."""
