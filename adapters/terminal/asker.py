"""Who asks at a terminal: options over settings."""

from adapters.terminal.options import Options
from adapters.wiring.assembly import Running
from bot.answer.answers import Asker


def asker(infra: Running, options: Options) -> Asker:
    """Return zone and language, as asked for or else as set."""
    return Asker(options.tz or infra.settings.tz, options.language or infra.settings.lang)
