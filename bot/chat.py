"""The door for chat platforms: what people type, press and react with, and what is due.

Nothing here raises for what a person did wrong or for what could not be looked at: see `ChatReply`.
A listener acknowledges first, calls one of these methods in a task of its own, and draws what comes
back with its own `render_parts`, for the person alone. What everybody sees (threads, shared
answers, questions, the state of follow-ups) is posted from here through the platform's `Publisher`.
"""

from collections.abc import Mapping
from datetime import datetime

from bot.channels import Channel, Person
from bot.chat_reply import ChatReply
from bot.marks import ReactionKind
from bot.parts import ActionKind
from bot.settings_form import SettingsForm


class Chat:
    """What the bot does in channels, for any platform."""

    async def answer_text(self, text: str, channel: Channel, person: Person) -> ChatReply:
        """Answer what was typed after `/infra`; nothing at all is a call for help."""
        raise NotImplementedError

    async def answer_mention(
        self, text: str, channel: Channel, person: Person, *, thread: str, event_id: str
    ) -> ChatReply | None:
        """Answer a mention of the bot in a thread, there and for everybody.

        `text` is what stands after the mention, `thread` the reference of the thread's parent.
        What is given back, if anything, is for the person alone: what went wrong, or a form.
        """
        raise NotImplementedError

    async def react(
        self,
        kind: ReactionKind,
        channel: Channel,
        message: str,
        person: Person,
        *,
        added: bool,
        at: datetime,
        event_id: str,
        in_channel: bool = True,
    ) -> None:
        """Take in a reaction on a message that came or went.

        `at` is when it happened as the platform says. `in_channel` is false for a person who is
        not a member. Reactions on messages that are not the bot's own change nothing.
        """
        raise NotImplementedError

    async def flag(self, channel: Channel, message: str, person: Person, at: datetime) -> ChatReply:
        """Flag a message for follow-up by command: which item is asked of this person alone."""
        raise NotImplementedError

    async def press(
        self,
        kind: ActionKind,
        value: str,
        channel: Channel,
        message: str,
        person: Person,
        at: datetime,
    ) -> ChatReply | None:
        """Do what a button says; `message` is the reference of the message it stands on.

        None where everything there is to see is already posted or edited.
        """
        raise NotImplementedError

    async def settings(self, channel: Channel, person: Person) -> SettingsForm:
        """Give the settings of a channel as a form; a new one starts with the person's zone."""
        raise NotImplementedError

    async def settings_faults(
        self, form: SettingsForm, channel: Channel, person: Person
    ) -> Mapping[str, str]:
        """Give one sentence for each field that cannot be, by its name; quick, asks nobody."""
        raise NotImplementedError

    async def save_settings(
        self, form: SettingsForm, channel: Channel, person: Person
    ) -> ChatReply:
        """Set a channel as a form says: its repositories are those of the form, no others."""
        raise NotImplementedError

    async def repo_names(self, typed: str, channel: Channel) -> tuple[str, ...]:
        """Give the aliases and names that begin with or hold what was typed, likeliest first."""
        raise NotImplementedError

    async def is_new_event(self, channel: Channel, event_id: str) -> bool:
        """Tell whether an event was not seen before, and remember it.

        `answer_mention` and `react` ask by themselves.
        """
        raise NotImplementedError

    def tick(self, now: datetime) -> None:
        """Start whatever is due, without waiting; what is in work already is left alone."""
        raise NotImplementedError

    async def deliver_due(self, now: datetime) -> None:
        """Tell every channel what is due, and wait for all of them."""
        raise NotImplementedError

    async def settle(self) -> None:
        """Wait until nothing is in work any more."""
        raise NotImplementedError
