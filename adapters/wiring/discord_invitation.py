"""The link by which an admin adds the bot to a server, asked of Discord itself."""

from adapters.discord.permissions import invitation
from adapters.discord.rest import DISCORD_API, Rest, point_at
from bot.model.ports import TokenRevoked
from digest.errors import BadToken


async def invited(token: str, api_url: str = DISCORD_API) -> str:
    """Give the link; raises `BadToken` for a token that Discord refuses, and `PublishError`."""
    point_at(api_url)
    rest = Rest(token)
    try:
        application = await rest.ask("GET", "/applications/@me")
    except TokenRevoked as error:
        raise BadToken(error.why) from error
    finally:
        await rest.close()
    return invitation(str(application["id"]))
