"""The Slack face of a running bot: Socket Mode, or HTTP where Slack can reach it.

::

    face = SlackBot(publisher, chat, await introduced(publisher), app_token=token, clock=clock)
    async with face.listening():     Socket Mode; needs no public address
        …
    await face.on_request(request)   HTTP: what is posted to EVENTS_PATH; face.stop() at the end

https://docs.slack.dev/apis/events-api/using-socket-mode and
https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import structlog
from aiohttp import web
from slack_bolt import BoltResponse
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from adapters.operations.background import Background
from adapters.operations.retry import until_reached
from adapters.slack.api import Identity, People, answered, sdk_log, web_client
from adapters.slack.client import SlackPublisher
from adapters.slack.listeners import PATIENCE, Listeners, Responder
from adapters.web.http_server import refused
from bot.answer.chat import Chat
from bot.model.channels import Platform
from bot.model.policy import Policy
from bot.model.ports import NoPermission, OutcomeUnknown, PlatformDown, TokenRevoked
from bot.settings import Settings
from digest.errors import BadToken, ConfigurationError
from digest.languages import Language
from digest.phrase import Phrase
from digest.ports import Clock
from digest.wording.phrases import SAY
from digest.wording.saying import localized

EVENTS_PATH = "/slack/events"

SOCKETS = 2
"""Open sockets, so that one is there while the other is refreshed; Slack takes up to ten:
https://docs.slack.dev/apis/events-api/using-socket-mode#multiple"""

PAUSES = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds between tries to reach Slack at the start; the last stays."""

NOT_INSTALLED = "\n".join(localized(SAY.slack.not_installed, each) for each in Language)
"""In every language: nothing is known of who asks from a workspace without a token."""
ODD_SHAPE = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
"""What reading JSON of another shape than is expected ends in."""
NOT_OF_SLACK = "not a request of Slack's"

Got = TypeVar("Got")

log = structlog.get_logger()


class SlackBot:
    """Hears one workspace and answers it."""

    def __init__(
        self,
        publisher: SlackPublisher,
        chat: Chat,
        identity: Identity,
        *,
        app_token: str = "",
        signing_secret: str = "",
        clock: Clock,
        patience: float = PATIENCE,
        policies: tuple[Policy, ...] = (),
    ) -> None:
        """Hear by Socket Mode with an app-level token, else by HTTP with a signing secret.

        `policies` are those whose user groups are to be known of people. Raises
        `ConfigurationError` where there is neither.
        """
        if not app_token and not signing_secret:
            raise ConfigurationError(SAY.slack.no_way_to_hear)
        self._app_token = app_token
        self._signing_secret = signing_secret
        self._api_url = publisher.web.base_url
        self._identity = identity
        self._background = Background()
        self._sockets: list[AsyncSocketModeHandler] = []
        self._app = _App(
            name="infra",
            logger=sdk_log(),
            client=web_client(api_url=self._api_url),
            signing_secret=signing_secret,
            authorize=_authorizing(publisher.web.token, identity),  # type: ignore[arg-type] # None is Bolt's "not installed"
            user_facing_authorize_error_message=NOT_INSTALLED,
            # A listener does nothing but answer Slack: its answer is waited for, not looked for.
            process_before_response=True,
        )
        self._app.error(_refused)
        groups = frozenset().union(*(each.user_groups(identity.team) for each in policies))
        people = People(publisher.web, identity, clock, groups)
        responder = Responder(publisher.web, patience)
        Listeners(chat, people, responder, self._background, identity).listen(self._app)
        back = chat.delivering.unreachable.workspace_back(Platform.SLACK, identity.team)
        self._background.start(back, "slack token taken")

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Hear Slack by Socket Mode; raises `BadToken` for an app-level token that it refuses."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._background.stop)
            for _ in range(SOCKETS):
                socket = await self._socket()
                stack.push_async_callback(socket.close_async)
                self._sockets.append(socket)
            log.info("slack listens", by="socket", team=self._identity.team)
            yield

    async def on_request(self, request: web.Request) -> web.Response:
        """Answer one signed request of Slack's; what is not signed gets 401, broken bodies 400.

        Nothing of a body is looked at, not even its form, before its signature was.
        """
        body = await request.read()
        if not _is_signed(self._signing_secret, request, body):
            return refused(request, 401, "not signed by Slack within the last five minutes")
        try:
            # The signature is of UTF-8, whatever charset is named.
            asking = AsyncBoltRequest(
                body=body.decode(),
                query=request.query_string,
                headers=dict(request.headers),
            )
        except ODD_SHAPE:
            return refused(request, 400, NOT_OF_SLACK)
        return await to_aiohttp_response(await self._app.async_dispatch(asking))

    async def unheard(self) -> str:
        """Say why Slack is not heard, or nothing where it is; by HTTP it is Slack that comes."""
        sockets = [await socket.client.is_connected() for socket in self._sockets]
        return "" if any(sockets) or not self._app_token else "no socket is open"

    async def settle(self) -> None:
        """Wait until nothing is in work any more."""
        await self._background.settle()

    async def stop(self) -> None:
        """Let what is in work come to its end, but not for long."""
        await self._background.stop()

    async def _socket(self) -> AsyncSocketModeHandler:
        """Open a socket; from then on the SDK keeps it open, and opens new ones.

        Its address is asked for here: left to itself the SDK logs a traceback of each try, and
        tries for ever with a refused token. Raises `BadToken`.
        """
        token, client = self._app_token, web_client(api_url=self._api_url)
        handler = AsyncSocketModeHandler(self._app, token, logger=sdk_log(), web_client=client)
        try:
            ask = _patiently(lambda: answered(client.apps_connections_open(app_token=token)))
            handler.client.wss_uri = str((await _with_app_token(ask)).get("url"))
            await handler.connect_async()  # type: ignore[no-untyped-call] # it has no hints
        except BaseException:
            await handler.close_async()  # type: ignore[no-untyped-call] # it has no hints
            raise
        return handler


def _is_signed(secret: str, request: web.Request, body: bytes) -> bool:
    """Return whether Slack signed a body within five minutes."""
    # https://docs.slack.dev/authentication/verifying-requests-from-slack
    stamp = request.headers.get("X-Slack-Request-Timestamp")
    signature = request.headers.get("X-Slack-Signature")
    try:
        return SignatureVerifier(secret).is_valid(body, stamp, signature)
    except (ValueError, TypeError):  # no number, no UTF-8, or no ASCII
        return False


class _App(AsyncApp):
    """Bolt, which stumbles once more over some requests while it says that it stumbled."""

    async def async_dispatch(self, req: AsyncBoltRequest) -> BoltResponse:
        try:
            return await super().async_dispatch(req)
        except ODD_SHAPE as error:
            return await _refused(error)


async def _refused(error: Exception) -> BoltResponse:
    """Answer a request that Bolt or a listener stumbled over: 400 and one log line.

    A listener only reads what came, and works on in the background: what is raised before that is
    of a shape that Slack does not send.
    """
    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {at.name}, line {at.lineno}"
    log.warning("request refused", status=400, reason=NOT_OF_SLACK, where=where)
    return BoltResponse(status=400, body=f"{NOT_OF_SLACK}\n")


def _authorizing(
    bot_token: str | None, own: Identity
) -> Callable[[str | None], Awaitable[AuthorizeResult | None]]:
    """Return what tells Bolt whose a request is: none but of the one workspace of the token.

    A function and no method, because Bolt passes arguments by their names, `self` among them.
    """

    async def authorize(team_id: str | None) -> AuthorizeResult | None:
        if team_id and team_id != own.team:
            return None
        return AuthorizeResult(
            enterprise_id=None,
            team_id=own.team,
            bot_user_id=own.user,
            bot_id=own.bot,
            bot_token=bot_token,
        )

    return authorize


async def tried(settings: Settings) -> Phrase:
    """Say whose the tokens are and how Slack is heard; nothing is posted, no socket is opened.

    Raises `BadToken`, `PublishError`, and `ConfigurationError` where Slack could not be heard.
    """
    token, api_url = settings.slack_bot_token.get_secret_value(), settings.slack_api_url
    try:
        team = (await SlackPublisher(token, api_url=api_url).identity()).team
    except TokenRevoked as error:
        raise BadToken(error.why) from error
    if app_token := settings.slack_app_token.get_secret_value():
        client = web_client(api_url=api_url)
        await _with_app_token(answered(client.apps_connections_open(app_token=app_token)))
        return SAY.checks.slack_by_socket(team)
    if not settings.slack_signing_secret.get_secret_value():
        raise ConfigurationError(SAY.slack.no_way_to_hear)
    return SAY.checks.slack_by_http(team)


async def introduced(publisher: SlackPublisher) -> Identity:
    """Return who the bot is; waits while Slack cannot be reached.

    Raises `BadToken` for a bot token that Slack refuses.
    """
    try:
        return await _patiently(publisher.identity)
    except TokenRevoked as error:
        raise BadToken(error.why) from error


async def _with_app_token(answer: Awaitable[Got]) -> Got:
    """Await what needs an app-level token: https://docs.slack.dev/reference/methods/apps.connections.open."""
    try:
        return await answer
    except (TokenRevoked, NoPermission) as error:
        raise BadToken(SAY.slack.bad_app_token) from error


async def _patiently(ask: Callable[[], Awaitable[Got]]) -> Got:
    """Ask until Slack answers; raises what no waiting mends."""
    return await until_reached(ask, Platform.SLACK, PAUSES, (PlatformDown, OutcomeUnknown))
