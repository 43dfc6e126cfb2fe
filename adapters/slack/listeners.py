"""What Slack tells the bot: every listener answers Slack at once and works on in the background.

Slack waits three seconds (https://docs.slack.dev/interactivity/handling-user-interaction), and
tells an event again that was not answered; the bot knows events by their id. A reaction, which has
nobody who waits for an answer, is acknowledged once it is kept: Slack keeps it until then.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from slack_bolt import BoltResponse
from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.operations.background import Background
from adapters.slack import views
from adapters.slack.markup import COMMAND
from adapters.slack.payloads import (
    ACTION,
    ButtonPress,
    Flagged,
    Place,
    Reacted,
    Typed,
    direct,
    flagged,
    mention,
    pressed,
    pressing,
    reacted,
    typed,
)
from adapters.slack.people import People
from adapters.slack.responder import OPEN_SETTINGS, Responder, Work
from adapters.slack.views import CHANNEL_CHOSEN, chosen_channel, home_refusal, home_view
from adapters.slack.web import Identity
from bot.answer.button_handler import MenuMessage, Press
from bot.answer.chat import Chat
from bot.answer.upgrade_handler import LatestStep
from bot.compose.chat_reply import ChatReply
from bot.model.channels import Channel, Person, Platform
from bot.model.parts import ActionKind
from digest.errors import BadAnswer, InfraError
from digest.languages import Language
from digest.wording.phrases import SAY, Slack
from digest.wording.saying import CATALOGUES

FLAG_SHORTCUT = "flag_for_followup"
SETTINGS_WORD = "settings"

CHECKED_WITHIN = 2.0
"""Seconds for looking at a form before it is closed; what is wrong then is said by message."""

STORED_WITHIN = 2.0
"""Seconds for keeping a reaction; one that takes longer is told again, and known by its id."""

NOT_STORED = 503
"""Answered, Slack tells an event again: https://docs.slack.dev/apis/events-api#retries"""

LANGUAGE_WITHIN = 0.5
"""Seconds for looking up which language a channel reads, to say in it that something takes long."""

log = structlog.get_logger()


class Listeners:
    """Everything that the bot hears in one workspace."""

    def __init__(
        self,
        chat: Chat,
        people: People,
        responder: Responder,
        background: Background,
        identity: Identity,
    ) -> None:
        self._chat = chat
        self._people = people
        self._responder = responder
        self._background = background
        self._identity = identity

    def listen(self, app: AsyncApp) -> None:
        """Tell the app what to call; `manifest.yaml` names the same events and commands."""
        app.command(COMMAND)(self.on_command)
        app.event("app_mention")(self.on_mention)
        app.event("message")(self.on_direct)
        app.event("reaction_added")(self.on_reaction)
        app.event("reaction_removed")(self.on_reaction)
        app.message_shortcut(FLAG_SHORTCUT)(self.on_flag)
        app.action(ACTION)(self.on_press)
        app.action(OPEN_SETTINGS)(self.on_open_settings)
        app.options(views.TYPE_AHEAD)(self.on_options)
        app.view(views.CALLBACK)(self.on_submit)
        app.event("app_home_opened")(self.on_home)
        app.action(CHANNEL_CHOSEN)(self.on_channel_chosen)

    async def on_command(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Answer `/infra …`."""
        await ack()
        self._answer_command(typed(body), "command")

    async def on_mention(self, body: dict[str, Any]) -> None:
        """Answer `@Infra …`."""
        found = mention(body, self._identity.user)
        if found:
            self._start(partial(self._mentioned, found), found.place, "mention")

    async def on_direct(self, body: dict[str, Any]) -> None:
        """Answer what was written to the bot alone."""
        found = direct(body)
        if found:
            self._start(partial(self._directly, found), found.place, "direct message")

    async def on_reaction(self, body: dict[str, Any]) -> BoltResponse | None:
        """Handle a reaction; if it cannot be stored in time, Slack sends it again."""
        found = reacted(body, self._identity.user)
        if not found:
            return None
        is_stored = await self._background.finished(self._reacted(found), "reaction", STORED_WITHIN)
        return None if is_stored else BoltResponse(status=NOT_STORED, body="not kept yet")

    async def on_flag(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Flag the message that the shortcut was used on."""
        await ack()
        found = flagged(body)
        self._start(partial(self._flag, found), found.place, "flag")

    async def on_press(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Do what a button says; one that opens a page does so by itself."""
        await ack()
        found = pressed(body)
        if found and found.is_home:
            self._background.start(self._press_at_home(found), f"press {found.kind} at home")
        elif found and found.kind is not ActionKind.PAGE:
            answers = found.is_own and found.kind is ActionKind.CHOOSE
            work = partial(self._press, found)
            self._start(work, found.place, f"press {found.kind}", in_place=answers)

    async def on_open_settings(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Open the form from a button, which brings a new trigger."""
        await ack()
        self._answer_command(Typed(pressing(body), SETTINGS_WORD), "settings")

    async def on_options(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Offer repositories or zones while somebody types."""
        wanted = str(body.get("value") or "")
        if body.get("block_id") == "tz":
            await ack(views.zone_options(wanted))
            return
        who = pressing(body)
        try:
            channel = self._channel(views.origin_of(body).channel)
        except BadAnswer:
            await ack(views.repo_options(()))
            return
        await ack(views.repo_options(await self._names(wanted, channel, who)))

    async def on_submit(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Say what is wrong with a form, or close it and set the channel."""
        try:
            sent = views.submitted(body)
        except BadAnswer as error:
            person = pressing(body).person
            log.warning("form not read", person=person, reason=str(error))
            old = {"repos": SAY.settings.old_form}
            shown = views.shown_faults(old, self._people.language(person))
            await ack(response_action="errors", errors=shown)
            return
        place = Place(
            channel=sent.origin.channel,
            person=pressing(body).person,
            name=pressing(body).name,
            response_url=sent.origin.response_url,
        )
        faults = views.shown_faults(sent.faults, sent.origin.language) or await self._faults(
            sent, place
        )
        if faults:
            await ack(response_action="errors", errors=faults)
            return
        await ack()
        self._start(partial(self._save, sent, place), place, "save settings")

    async def on_home(self, body: dict[str, Any]) -> None:
        """Draw the Home tab of who opened it."""
        event = body.get("event") or {}
        if event.get("tab") == "home" and isinstance(event.get("user"), str):
            self._background.start(self._home(event["user"]), "home")

    async def on_channel_chosen(self, ack: AsyncAck, body: dict[str, Any]) -> None:
        """Open the form of a channel that was chosen on the Home tab."""
        await ack()
        place = replace(pressing(body), channel=chosen_channel(body))
        if place.channel:
            self._background.start(self._set_up(place), "set up")

    async def _home(self, user: str, notice: Callable[[Slack[str]], str] | None = None) -> None:
        own = self._channel(user)
        person = await self._people.person(user)
        try:
            page = await self._chat.home.page(own, person)
            say = CATALOGUES[page.language].slack
            view = home_view(page, notice(say) if notice else "")
        except InfraError as error:
            log.warning("home not looked up", person=user, reason=str(error))
            view = home_refusal(CATALOGUES[self._people.language(user)].slack.home_not_now)
        await self._responder.publish(user, view)

    async def _press_at_home(self, found: ButtonPress) -> None:
        """Do what a button of the Home tab says, and draw the tab anew."""
        user = found.place.person
        person = await self._people.person(user, found.place.name)
        own = self._channel(user)
        press = Press(found.kind, found.value, own, "", person, found.at)
        reply = await self._chat.press(press)
        summary = reply.parts[0].summary if reply and reply.parts else ""
        await self._home(user, (lambda say: summary) if summary else None)

    async def _set_up(self, place: Place) -> None:
        """Open the form where the person and the bot are members, so that both see what follows."""
        channel = self._channel(place.channel)
        for user in (place.person, self._identity.user):
            if not await self._is_in(user, channel):
                await self._home(place.person, lambda say: say.home_not_there)
                return
        self._answer_command(Typed(place, SETTINGS_WORD), "settings")

    async def _is_in(self, user: str, channel: Channel) -> bool:
        """Return whether a person is in a channel now."""
        return await self._people.is_member(user, channel.id, unless_known=False)

    async def _names(self, wanted: str, channel: Channel, who: Place) -> tuple[str, ...]:
        """Return names for a type-ahead; none where they cannot be looked up now."""
        try:
            async with asyncio.timeout(CHECKED_WITHIN):
                person = await self._person(who)
                return await self._chat.repo_names(wanted, channel, person)
        except (TimeoutError, InfraError) as error:
            log.warning("no names offered", channel=str(channel), reason=str(error))
            return ()

    async def _faults(self, sent: views.Submission, place: Place) -> dict[str, str]:
        try:
            async with asyncio.timeout(CHECKED_WITHIN):
                person = await self._person(place)
                channel = self._channel(place.channel)
                found = await self._chat.settings.faults(sent.form, channel, person)
        except (TimeoutError, InfraError):
            return {}  # what saving meets is told by message
        return views.shown_faults(found, sent.origin.language)

    def _answer_command(self, typed: Typed, name: str) -> None:
        steps = LatestStep()

        async def work() -> ChatReply:
            channel, person = await self._asker(typed.place)
            return await self._chat.answer_text(typed.text, channel, person, tell=steps.tell)

        self._start(work, typed.place, name, replaces=True, steps=steps)

    async def _mentioned(self, found: Typed) -> ChatReply | None:
        channel, person = await self._asker(found.place)
        return await self._chat.answer_mention(
            found.text, channel, person, thread=found.place.thread, event_id=found.event_id
        )

    async def _directly(self, found: Typed) -> ChatReply | None:
        channel, person = await self._asker(found.place)
        return await self._chat.answer_direct(found.text, channel, person, event_id=found.event_id)

    async def _reacted(self, found: Reacted) -> None:
        place = found.place
        await self._chat.react(
            found.kind,
            self._channel(place.channel),
            found.message,
            await self._people.person(place.person),
            added=found.added,
            at=found.at,
            event_id=found.event_id,
            in_channel=await self._people.is_member(place.person, place.channel),
        )

    async def _flag(self, found: Flagged) -> ChatReply | None:
        message = MenuMessage(found.message, found.text, found.place.thread or found.message)
        person = await self._writing(found.place)
        return await self._chat.flag(self._channel(found.place.channel), message, person, found.at)

    async def _press(self, found: ButtonPress) -> ChatReply | None:
        place = found.place
        person = await self._writing(place, unless_known=found.kind is not ActionKind.SHARE)
        channel = self._channel(place.channel)
        press = Press(found.kind, found.value, channel, found.message, person, found.at)
        return await self._chat.press(replace(press, thread=place.thread))

    async def _save(self, sent: views.Submission, place: Place) -> ChatReply | None:
        channel, person = await self._asker(place)
        reply = await self._chat.save_settings(sent.form, channel, person)
        for file in () if reply.failed else sent.files:
            read = partial(self._responder.read, file.url, file.name)
            given = await self._chat.give_file(file.name, read, channel, person)
            if given.failed:  # the other files may be as they should be
                before = () if reply.is_posted else reply.parts
                reply = replace(given, parts=(*before, *given.parts))
        return reply

    async def _asker(self, place: Place) -> tuple[Channel, Person]:
        return self._channel(place.channel), await self._person(place)

    async def _person(self, place: Place) -> Person:
        return await self._people.person(place.person, place.name)

    async def _writing(self, place: Place, *, unless_known: bool = True) -> Person:
        """Return a person with `may_write` looked up: members of the channel may."""
        person = await self._person(place)
        is_member = await self._people.is_member(
            place.person, place.channel, unless_known=unless_known
        )
        return replace(person, may_write=is_member)

    def _start(self, work: Work, place: Place, name: str, **shown: Any) -> None:
        """Work on beside what Slack hears, and show what comes of it as `Responder.give` does."""
        language = partial(self._language, place)
        self._background.start(self._responder.give(work, place, language, **shown), name)

    async def _language(self, place: Place) -> Language:
        """Return the language that a channel reads, else the person's as far as it is known."""
        chosen = None
        with contextlib.suppress(TimeoutError, InfraError):
            async with asyncio.timeout(LANGUAGE_WITHIN):
                chosen = await self._chat.channel_language(self._channel(place.channel))
        return chosen or self._people.language(place.person)

    def _channel(self, id: str) -> Channel:
        return Channel(Platform.SLACK, self._identity.team, id)
