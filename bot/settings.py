"""What can be set, with defaults and checks; `adapters.wiring.assembly` says where it is read from.

The environment wins over `.env`, and both over `infra.toml`, where the same names stand (in either
case) and no secret may. An empty value is the default. Every fault is told at once, one line each,
and never the value of a secret.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.model.commands import nearest, shown
from bot.model.policy import Policy, read_policy
from digest.errors import BadWindow, ConfigurationError, UsageError
from digest.languages import Language
from digest.models import Repo
from digest.times import zone_meant

LAST_PORT = 65_535
LEAST_DAYS = 31
"""A month: what is told and flagged in one is worked with in the next."""
LONGEST_WAIT = 3_600
LONGEST_NAME = 200
OPENAI = "https://api.openai.com/v1"
ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
GATEWAY = re.compile(r"wss?://[^\s/?#@]+(/[^\s?#]*)?")
WEBHOOK = re.compile(r"https?://[^\s/?#@]+(/[^\s#]*)?")
DATABASE = re.compile(r"(sqlite|postgres|postgresql)(\+[^:]*)?://.*")
HOST = re.compile(r"[^\s/]+")
LOG_FORM = re.compile(r"text|json", re.IGNORECASE)
CHANNEL_HOLDERS = re.compile(r"(slack|discord):[A-Za-z0-9]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ClockStart:
    """When a set clock starts, and how many of its seconds pass in one."""

    at: datetime
    speed: float = 1.0


Written = TypeVar("Written", str, SecretStr)


def _form(form: re.Pattern[str], advice: str, usual: str = "") -> AfterValidator:
    """Check that a text, where there is one, is of a form; nothing of a secret is said.

    An address ends with a slash where the usual one does, and nowhere else.
    """

    def check(value: Written) -> Written:
        text = (value.get_secret_value() if isinstance(value, SecretStr) else value).strip()
        if not form.fullmatch(text) and (text or usual):
            raise ValueError(f"{advice}{usual}")
        if form is ADDRESS and text:
            text = text.rstrip("/") + ("/" if usual.endswith("/") else "")
        return type(value)(text)

    return AfterValidator(check)


def _api(usual: str) -> AfterValidator:
    return _form(ADDRESS, "not the address of an API: write ", usual)


def _number(most: int, advice: str, least: int = 0) -> BeforeValidator:
    """Read a whole number written in digits; 0 is one, whatever the least other one is."""

    def check(value: object) -> object:
        if value is None:
            return None
        number = int(str(value)) if re.fullmatch(r"\d{1,15}", str(value), re.ASCII) else -1
        if number > most or (number < least and number != 0):
            raise ValueError(advice)
        return number

    return BeforeValidator(check)


def _read(read: Callable[[str], object]) -> BeforeValidator:
    """Make a value of a text; a default is none."""

    def check(value: object) -> object:
        try:
            return read(value) if isinstance(value, str) else value
        except (BadWindow, UsageError) as error:
            raise ValueError(str(error)) from error

    return BeforeValidator(check)


def _token_fault(token: str) -> str:
    """Say what keeps a token out of the header of a request, if anything, and nothing of it."""
    if token.isascii() and all(char.isprintable() and not char.isspace() for char in token):
        return ""
    scheme = re.match(r"(Bot|Bearer|token)\s", token, re.IGNORECASE)
    if scheme:
        return f"write the token alone, without the word {scheme[1].capitalize()} before it"
    if any(char.isspace() for char in token):
        return "a token has no space and no line break in it: copy it again, alone"
    return "a token has no letters but those of ASCII: copy it again"


def _sendable(value: SecretStr) -> SecretStr:
    token = value.get_secret_value().strip()
    if fault := _token_fault(token):
        raise ValueError(fault)
    return SecretStr(token)


def _private_repo(entry: str) -> tuple[Repo, frozenset[str]]:
    full_name, equals, holders = entry.partition("=")
    try:
        repo = Repo.parse(full_name)
    except ValueError as error:
        raise ValueError(f"{error}: write owner/name, or owner/name=slack:T1+discord:2") from error
    names = frozenset(holders.split("+")) if equals else frozenset()
    wrong = sorted(name for name in names if not CHANNEL_HOLDERS.fullmatch(name))
    if wrong:
        raise ValueError(f"{shown(wrong[0])!r} is not a workspace or server: slack:T1 or discord:2")
    return repo, names


def _private_repos(text: str) -> dict[Repo, frozenset[str]]:
    return dict(_private_repo(entry) for entry in re.split(r"[,\s]+", text) if entry)


def _guilds(text: str) -> frozenset[str]:
    ids = [each for each in re.split(r"[,\s]+", text) if each]
    for each in ids:
        if not re.fullmatch(r"\d{1,20}", each, re.ASCII):
            raise ValueError(f"{shown(each)} is no server: write ids such as 1234,5678")
    return frozenset(ids)


def _language(text: str) -> Language:
    try:
        return Language(text.casefold())
    except ValueError:
        raise ValueError("not a language that digests are written in: en or zh") from None


def _clock(text: str) -> ClockStart:
    moment, _, speed = text.partition("*")
    try:
        start = ClockStart(datetime.fromisoformat(moment), float(speed or 1))
    except ValueError:
        start = None
    if (
        start is None
        or start.at.tzinfo is None
        # A zone or a week must not lead out of the calendar.
        or not 1970 <= start.at.year < 9999
        or not 0 < start.speed < 1e6
    ):
        raise ValueError(
            "not a moment with its zone: 2026-02-12T09:00:00Z, or 2026-02-12T09:00:00Z*600"
        )
    return ClockStart(start.at.astimezone(UTC), start.speed)


_NO_DATABASE = (
    "only SQLite and PostgreSQL are known: write sqlite:////var/lib/infra.sqlite3 or "
    "postgresql://user:password@host/name"
)
Token: TypeAlias = Annotated[SecretStr, AfterValidator(_sendable)]
Name: TypeAlias = Annotated[str, AfterValidator(str.strip)]
Host: TypeAlias = Annotated[
    str, _form(HOST, "not an address of this machine: write 127.0.0.1 or 0.0.0.0")
]
Port: TypeAlias = Annotated[
    int, _number(LAST_PORT, f"not a port: write a number up to {LAST_PORT}")
]
Tokens: TypeAlias = Annotated[
    int, _number(10**15, "not a number of tokens: write 200000, or nothing for no limit")
]
Persons: TypeAlias = Annotated[Policy, NoDecode, _read(read_policy)]

NO_SECRET = SecretStr("")


def _set_by(name: str, default: Any, *, validate_default: bool = False) -> Any:
    """Return a setting of this name."""
    return Field(default=default, validation_alias=name, validate_default=validate_default)


class Settings(BaseSettings):
    """The settings of one process."""

    model_config = SettingsConfigDict(
        env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Rank the sources; what is passed to the constructor is what `infra.toml` says."""
        return env_settings, dotenv_settings, init_settings

    database_url: Annotated[SecretStr, _form(DATABASE, _NO_DATABASE)] = _set_by(
        "DATABASE_URL", NO_SECRET
    )
    """SQLite or PostgreSQL, in SQLAlchemy's or Heroku's form; empty for a file of the user's."""

    github_token: Token = _set_by("GITHUB_TOKEN", NO_SECRET)
    """Empty for none: 60 requests an hour, and less detail."""

    github_api_url: Annotated[str, _api("https://api.github.com")] = _set_by(
        "GITHUB_API_URL", "https://api.github.com"
    )

    private_repos: Annotated[Mapping[Repo, frozenset[str]], NoDecode, _read(_private_repos)] = (
        _set_by("INFRA_PRIVATE_REPOS", {})
    )
    """Private repositories that may be told, each with the `slack:T1`, `discord:2` it may go to."""

    may_subscribe: Persons = _set_by("INFRA_MAY_SUBSCRIBE", Policy())
    """Who may change what a channel gets: `members`, `admins`, or who may beside the admins."""

    may_follow_up: Persons = _set_by("INFRA_MAY_FOLLOW_UP", Policy())
    """Whose flags count: `members` (who may write in the channel), `admins`, or as above."""

    slack_bot_token: Token = _set_by("SLACK_BOT_TOKEN", NO_SECRET)
    slack_app_token: Token = _set_by("SLACK_APP_TOKEN", NO_SECRET)
    """With it, Slack is heard through a socket that this process opens."""

    slack_signing_secret: Token = _set_by("SLACK_SIGNING_SECRET", NO_SECRET)
    """Without the app token, Slack is heard through HTTP on `HOST` and `PORT`."""

    slack_api_url: Annotated[str, _api("https://slack.com/api/")] = _set_by(
        "SLACK_API_URL", "https://slack.com/api/"
    )

    discord_token: Token = _set_by("DISCORD_TOKEN", NO_SECRET)
    discord_api_url: Annotated[str, _api("https://discord.com/api/v10")] = _set_by(
        "DISCORD_API_URL", "https://discord.com/api/v10"
    )
    discord_gateway_url: Annotated[
        str, _form(GATEWAY, "not the address of a gateway: write wss://gateway.discord.gg/")
    ] = _set_by("DISCORD_GATEWAY_URL", "")
    """Empty for Discord's own."""

    guilds: Annotated[frozenset[str], NoDecode, _read(_guilds)] = _set_by(
        "INFRA_GUILDS", frozenset()
    )
    """The Discord servers that are served; none for all that the bot is on."""

    openai_api_key: SecretStr = _set_by("OPENAI_API_KEY", NO_SECRET)
    openai_base_url: str = _set_by("OPENAI_BASE_URL", OPENAI)
    model: Name = _set_by("INFRA_MODEL", "")
    """Empty for none. What is wrong with these three stops nothing: see `model_fault`."""

    model_check: Name = _set_by("INFRA_MODEL_CHECK", "")
    """A model of the same server that reads proven sentences a second time; empty for none."""

    tokens_a_day: Tokens | None = _set_by("INFRA_MODEL_TOKENS_A_DAY", None)
    tokens_a_month: Tokens | None = _set_by("INFRA_MODEL_TOKENS_A_MONTH", None)
    """Tokens that a model may cost by UTC day and month: None is no limit, 0 is none at all."""

    model_seconds: Annotated[
        int,
        _number(LONGEST_WAIT, f"not a number of seconds: write one up to {LONGEST_WAIT}"),
    ] = _set_by("INFRA_MODEL_SECONDS", 60)
    """How long a digest waits for a model before it goes out without."""

    url: Annotated[
        str,
        _form(ADDRESS, "not the address of a site: write https://infra.example.org"),
    ] = _set_by("INFRA_URL", "")
    """The public address of the web process; without it no message links to a page."""

    webhook_url: Annotated[
        SecretStr,
        _form(WEBHOOK, "not the address of a webhook: write https://example.org/hooks/1"),
    ] = _set_by("INFRA_WEBHOOK_URL", NO_SECRET)
    """Where each change of a follow-up is posted; such addresses often hold a secret themselves."""

    webhook_secret: SecretStr = _set_by("INFRA_WEBHOOK_SECRET", NO_SECRET, validate_default=True)
    """What the changes are signed with."""

    host: Host = _set_by("HOST", "127.0.0.1")
    port: Port = _set_by("PORT", 8321)

    ops_host: Host = _set_by("INFRA_OPS_HOST", "127.0.0.1")
    ops_port: Port | None = _set_by("INFRA_OPS_PORT", None)
    """Where metrics and the details of readiness are served; None for nowhere."""

    tz: Annotated[str, _read(lambda text: zone_meant(text).key)] = _set_by("INFRA_TZ", "UTC")
    lang: Annotated[Language, _read(_language)] = _set_by("INFRA_LANG", Language.EN)
    log: Annotated[
        str, _form(LOG_FORM, "not a way to log: text or json"), AfterValidator(str.casefold)
    ] = _set_by("INFRA_LOG", "")
    """How a running bot logs to standard error: `text` or `json`; empty decides by terminal."""

    keep_days: Annotated[
        int,
        _number(
            99_999, f"not a number of days: write {LEAST_DAYS} or more, or 0 for ever", LEAST_DAYS
        ),
    ] = _set_by("INFRA_KEEP_DAYS", 90)
    """Days after which what can be asked again and old messages are thrown away; 0 for never."""

    now: Annotated[ClockStart | None, _read(_clock)] = _set_by("INFRA_NOW", None)

    @field_validator("webhook_secret")
    @classmethod
    def _webhook_is_signed(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        url = info.data.get("webhook_url")
        if url and url.get_secret_value() and not value.get_secret_value().strip():
            raise ValueError("set it too: what goes to INFRA_WEBHOOK_URL is signed with it")
        return SecretStr(value.get_secret_value().strip())


def model_fault(settings: Settings) -> str:
    """Give one sentence on why the model that is set cannot be asked, or nothing.

    It is not refused as the others are: the product runs on without a model, and `OPENAI_*` may
    be set for another program.
    """
    key = settings.openai_api_key.get_secret_value().strip()
    if not settings.model:
        return ""
    names = {"INFRA_MODEL": settings.model, "INFRA_MODEL_CHECK": settings.model_check}
    for setting, name in names.items():
        if not name.isprintable() or len(name) > LONGEST_NAME:
            return f"{setting} is not the name of a model: write it as its server lists it"
    if not ADDRESS.fullmatch(settings.openai_base_url) or not _has_a_port(settings.openai_base_url):
        return f"OPENAI_BASE_URL is not the address of a model server: write {OPENAI}"
    if _token_fault(key):
        return "OPENAI_API_KEY has characters that no key has: copy it again"
    if not key and settings.openai_base_url.rstrip("/") == OPENAI:
        return "OPENAI_API_KEY is not set: set it, or OPENAI_BASE_URL for a server without keys"
    return ""


def _has_a_port(address: str) -> bool:
    """Tell whether the port of an address, if it names one, can be."""
    try:
        return urlsplit(address).port != 0
    except ValueError:
        return False


NAMES = tuple(str(field.validation_alias) for field in Settings.model_fields.values())
"""The names that users write."""

SECRET_NAMES = tuple(
    str(field.validation_alias)
    for field in Settings.model_fields.values()
    if field.annotation is SecretStr
)
"""Names whose values are never shown, nor read from `infra.toml` if they hold a password."""


def faults_of(error: ValidationError) -> tuple[str, ...]:
    """Give one sentence for each fault, beginning with the name of the setting."""
    fields = Settings.model_fields
    faults = error.errors(include_input=False, include_url=False)
    # A default that is refused goes by its field's own name.
    named = [str(fault["loc"][0]) for fault in faults]
    names = [str(fields[name].validation_alias) if name in fields else name for name in named]
    return tuple(
        f"{name}: {str(fault['msg']).removeprefix('Value error, ')}"
        for name, fault in zip(names, faults, strict=True)
    )


def check_file(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the faults of what `infra.toml` holds: secrets, unknown names, wrong kinds."""
    faults = []
    for name, value in values.items():
        known = name.upper()
        if known in SECRET_NAMES and _is_secret(known, value):
            faults.append(f"infra.toml: {known} is a secret: put it into the environment or .env")
        elif known not in NAMES:
            meant = nearest(known, NAMES)
            hint = f"did you mean {meant}?" if meant else f"names are {', '.join(NAMES)}"
            faults.append(f"infra.toml: there is no setting {shown(name)}: {hint}")
        elif not isinstance(value, str):
            faults.append(f'infra.toml: {known} is not text: write {known} = "…"')
    return tuple(faults)


def _is_secret(name: str, value: object) -> bool:
    try:
        return name != "DATABASE_URL" or urlsplit(str(value)).password is not None
    except ValueError:  # what cannot be read may hold one
        return True


def refuse(faults: tuple[str, ...]) -> None:
    """Raise one `ConfigurationError` with all faults, a line each, if there are any."""
    if faults:
        raise ConfigurationError("\n".join(faults))
