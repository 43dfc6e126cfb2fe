"""What can be set, with defaults and checks; `adapters.wiring.assembly` says where it is read from.

The environment wins over `.env`, and both over `infra.toml`, where the same names stand (in either
case) and no secret may. An empty value is the default. Every fault is told at once, one line each,
and never the value of a secret.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
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

DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
LOG_FORMS = ("text", "json")
LAST_PORT = 65_535
LEAST_DAYS = 31
"""A month: what is told and flagged in one is worked with in the next."""
LONGEST_WAIT = 3_600
LONGEST_NAME = 200
OPENAI = "https://api.openai.com/v1"
ADDRESS = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
GATEWAY = re.compile(r"wss?://[^\s/?#@]+(/[^\s?#]*)?")
WEBHOOK = re.compile(r"https?://[^\s/?#@]+(/[^\s#]*)?")
CHANNEL_HOLDERS = re.compile(r"(slack|discord):[A-Za-z0-9]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ClockStart:
    """When a set clock starts, and how many of its seconds pass in one."""

    at: datetime
    speed: float = 1.0


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

    database_url: SecretStr = Field(default=SecretStr(""), validation_alias="DATABASE_URL")
    """SQLite or PostgreSQL, in SQLAlchemy's or Heroku's form; empty for a file of the user's."""

    github_token: SecretStr = Field(default=SecretStr(""), validation_alias="GITHUB_TOKEN")
    """Empty for none: 60 requests an hour, and less detail."""

    github_api_url: str = Field(default="https://api.github.com", validation_alias="GITHUB_API_URL")

    private_repos: Annotated[Mapping[Repo, frozenset[str]], NoDecode] = Field(
        default={}, validation_alias="INFRA_PRIVATE_REPOS"
    )
    """Private repositories that may be told, each with the `slack:T1`, `discord:2` it may go to."""

    may_subscribe: Annotated[Policy, NoDecode] = Field(
        default=Policy(), validation_alias="INFRA_MAY_SUBSCRIBE"
    )
    """Who may change what a channel gets: `members`, `admins`, or who may beside the admins."""

    may_follow_up: Annotated[Policy, NoDecode] = Field(
        default=Policy(), validation_alias="INFRA_MAY_FOLLOW_UP"
    )
    """Whose flags count: `members` (who may write in the channel), `admins`, or as above."""

    slack_bot_token: SecretStr = Field(default=SecretStr(""), validation_alias="SLACK_BOT_TOKEN")
    slack_app_token: SecretStr = Field(default=SecretStr(""), validation_alias="SLACK_APP_TOKEN")
    """With it, Slack is heard through a socket that this process opens."""

    slack_signing_secret: SecretStr = Field(
        default=SecretStr(""), validation_alias="SLACK_SIGNING_SECRET"
    )
    """Without the app token, Slack is heard through HTTP on `HOST` and `PORT`."""

    slack_api_url: str = Field(default="https://slack.com/api/", validation_alias="SLACK_API_URL")

    discord_token: SecretStr = Field(default=SecretStr(""), validation_alias="DISCORD_TOKEN")
    discord_api_url: str = Field(
        default="https://discord.com/api/v10", validation_alias="DISCORD_API_URL"
    )
    discord_gateway_url: str = Field(default="", validation_alias="DISCORD_GATEWAY_URL")
    """Empty for Discord's own."""

    guilds: Annotated[frozenset[str], NoDecode] = Field(
        default=frozenset(), validation_alias="INFRA_GUILDS"
    )
    """The Discord servers that are served; none for all that the bot is on."""

    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias="OPENAI_API_KEY")
    openai_base_url: str = Field(default=OPENAI, validation_alias="OPENAI_BASE_URL")
    model: str = Field(default="", validation_alias="INFRA_MODEL")
    """Empty for none. What is wrong with these three stops nothing: see `model_fault`."""

    model_check: str = Field(default="", validation_alias="INFRA_MODEL_CHECK")
    """A model of the same server that reads proven sentences a second time; empty for none."""

    tokens_a_day: int | None = Field(default=None, validation_alias="INFRA_MODEL_TOKENS_A_DAY")
    tokens_a_month: int | None = Field(default=None, validation_alias="INFRA_MODEL_TOKENS_A_MONTH")
    """Tokens that a model may cost by UTC day and month: None is no limit, 0 is none at all."""

    model_seconds: int = Field(default=60, validation_alias="INFRA_MODEL_SECONDS")
    """How long a digest waits for a model before it goes out without."""

    url: str = Field(default="", validation_alias="INFRA_URL")
    """The public address of the web process; without it no message links to a page."""

    webhook_url: SecretStr = Field(default=SecretStr(""), validation_alias="INFRA_WEBHOOK_URL")
    """Where each change of a follow-up is posted; such addresses often hold a secret themselves."""

    webhook_secret: SecretStr = Field(
        default=SecretStr(""), validation_alias="INFRA_WEBHOOK_SECRET", validate_default=True
    )
    """What the changes are signed with."""

    host: str = Field(default="127.0.0.1", validation_alias="HOST")
    port: int = Field(default=8321, validation_alias="PORT")

    ops_host: str = Field(default="127.0.0.1", validation_alias="INFRA_OPS_HOST")
    ops_port: int | None = Field(default=None, validation_alias="INFRA_OPS_PORT")
    """Where metrics and the details of readiness are served; None for nowhere."""

    tz: str = Field(default="UTC", validation_alias="INFRA_TZ")
    lang: Language = Field(default=Language.EN, validation_alias="INFRA_LANG")
    log: str = Field(default="", validation_alias="INFRA_LOG")
    """How a running bot logs to standard error: `text` or `json`; empty decides by terminal."""

    keep_days: int = Field(default=90, validation_alias="INFRA_KEEP_DAYS")
    """Days after which what can be asked again and old messages are thrown away; 0 for never."""

    now: ClockStart | None = Field(default=None, validation_alias="INFRA_NOW")

    @field_validator("database_url")
    @classmethod
    def _database_known(cls, value: SecretStr) -> SecretStr:
        url = value.get_secret_value()
        scheme = url.partition("://")[0].partition("+")[0]
        if url and (scheme not in DATABASE_SCHEMES or "://" not in url):
            raise ValueError(
                "only SQLite and PostgreSQL are known: write sqlite:////var/lib/infra.sqlite3 or "
                "postgresql://user:password@host/name"
            )
        return value

    @field_validator("may_subscribe", "may_follow_up", mode="before")
    @classmethod
    def _policy_known(cls, value: object) -> object:
        try:
            return read_policy(value) if isinstance(value, str) else value
        except UsageError as error:
            raise ValueError(str(error)) from error

    @field_validator("guilds", mode="before")
    @classmethod
    def _guilds_by_id(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        ids = [each for each in re.split(r"[,\s]+", value) if each]
        for each in ids:
            if not re.fullmatch(r"\d{1,20}", each, re.ASCII):
                raise ValueError(f"{shown(each)} is no server: write ids such as 1234,5678")
        return frozenset(ids)

    @field_validator("slack_api_url", "discord_api_url", "github_api_url")
    @classmethod
    def _api_is_an_address(cls, value: str, info: ValidationInfo) -> str:
        usual: str = cls.model_fields[info.field_name or ""].default
        if not ADDRESS.fullmatch(value):
            raise ValueError(f"not the address of an API: write {usual}")
        return value.rstrip("/") + ("/" if usual.endswith("/") else "")

    @field_validator("discord_gateway_url")
    @classmethod
    def _gateway_is_an_address(cls, value: str) -> str:
        if value and not GATEWAY.fullmatch(value):
            raise ValueError("not the address of a gateway: write wss://gateway.discord.gg/")
        return value

    @field_validator("host", "ops_host")
    @classmethod
    def _host_is_one(cls, value: str) -> str:
        if not re.fullmatch(r"[^\s/]+", value):
            raise ValueError("not an address of this machine: write 127.0.0.1 or 0.0.0.0")
        return value

    @field_validator("port", "ops_port", mode="before")
    @classmethod
    def _port_is_one(cls, value: object) -> int | None:
        if value is None:
            return None
        if not re.fullmatch(r"\d{1,5}", str(value), re.ASCII) or int(str(value)) > LAST_PORT:
            raise ValueError(f"not a port: write a number up to {LAST_PORT}")
        return int(str(value))

    @field_validator("model", "model_check")
    @classmethod
    def _model_stripped(cls, value: str) -> str:
        return value.strip()

    @field_validator("tokens_a_day", "tokens_a_month", mode="before")
    @classmethod
    def _tokens_counted(cls, value: object) -> object:
        if value is not None and not re.fullmatch(r"\d{1,15}", str(value), re.ASCII):
            raise ValueError("not a number of tokens: write 200000, or nothing for no limit")
        return value

    @field_validator("model_seconds", mode="before")
    @classmethod
    def _seconds_counted(cls, value: object) -> object:
        if not re.fullmatch(r"\d{1,5}", str(value), re.ASCII) or int(str(value)) > LONGEST_WAIT:
            raise ValueError(f"not a number of seconds: write one up to {LONGEST_WAIT}")
        return value

    @field_validator("keep_days", mode="before")
    @classmethod
    def _days_are_enough(cls, value: object) -> int:
        days = int(str(value)) if re.fullmatch(r"\d{1,5}", str(value), re.ASCII) else -1
        if days != 0 and days < LEAST_DAYS:
            raise ValueError(f"not a number of days: write {LEAST_DAYS} or more, or 0 for ever")
        return days

    @field_validator("url")
    @classmethod
    def _url_is_an_address(cls, value: str) -> str:
        if value and not ADDRESS.fullmatch(value):
            raise ValueError("not the address of a site: write https://infra.example.org")
        return value.rstrip("/")

    @field_validator(
        *("github_token", "slack_bot_token", "slack_app_token", "slack_signing_secret"),
        "discord_token",
    )
    @classmethod
    def _token_sendable(cls, value: SecretStr) -> SecretStr:
        token = value.get_secret_value().strip()
        if not _is_sendable(token):
            raise ValueError(_unsendable(token))
        return SecretStr(token)

    @field_validator("webhook_url")
    @classmethod
    def _webhook_is_an_address(cls, value: SecretStr) -> SecretStr:
        url = value.get_secret_value().strip()
        if url and not WEBHOOK.fullmatch(url):
            raise ValueError("not the address of a webhook: write https://example.org/hooks/1")
        return SecretStr(url)

    @field_validator("webhook_secret")
    @classmethod
    def _webhook_is_signed(cls, value: SecretStr, info: ValidationInfo) -> SecretStr:
        url = info.data.get("webhook_url")
        if url and url.get_secret_value() and not value.get_secret_value().strip():
            raise ValueError("set it too: what goes to INFRA_WEBHOOK_URL is signed with it")
        return SecretStr(value.get_secret_value().strip())

    @field_validator("private_repos", mode="before")
    @classmethod
    def _repos_by_name(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        entries = [entry for entry in re.split(r"[,\s]+", value) if entry]
        return dict(_private_repo(entry) for entry in entries)

    @field_validator("tz")
    @classmethod
    def _zone_known(cls, value: str) -> str:
        try:
            return zone_meant(value).key
        except BadWindow as error:
            raise ValueError(str(error)) from error

    @field_validator("log")
    @classmethod
    def _log_known(cls, value: str) -> str:
        if value and value.casefold() not in LOG_FORMS:
            raise ValueError(f"not a way to log: {' or '.join(LOG_FORMS)}")
        return value.casefold()

    @field_validator("lang", mode="before")
    @classmethod
    def _language_known(cls, value: object) -> Language:
        try:
            return Language(str(value).casefold())
        except ValueError:
            raise ValueError("not a language that digests are written in: en or zh") from None

    @field_validator("now", mode="before")
    @classmethod
    def _moment_and_speed(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        moment, _, speed = value.partition("*")
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


def model_fault(settings: Settings) -> str:
    """Give one sentence on why the model that is set cannot be asked, or nothing.

    It is not refused as the others are: the product runs on without a model, and `OPENAI_*` may
    be set for another program.
    """
    key = settings.openai_api_key.get_secret_value().strip()
    if not settings.model:
        return ""
    if not settings.model.isprintable() or len(settings.model) > LONGEST_NAME:
        return "INFRA_MODEL is not the name of a model: write it as its server lists it"
    if not settings.model_check.isprintable() or len(settings.model_check) > LONGEST_NAME:
        return "INFRA_MODEL_CHECK is not the name of a model: write it as its server lists it"
    if not ADDRESS.fullmatch(settings.openai_base_url) or not _has_a_port(settings.openai_base_url):
        return f"OPENAI_BASE_URL is not the address of a model server: write {OPENAI}"
    if not _is_sendable(key):
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


def _unsendable(token: str) -> str:
    """Say what is wrong with a token, and nothing of what it is."""
    scheme = re.match(r"(Bot|Bearer|token)\s", token, re.IGNORECASE)
    if scheme:
        return f"write the token alone, without the word {scheme[1].capitalize()} before it"
    if any(char.isspace() for char in token):
        return "a token has no space and no line break in it: copy it again, alone"
    return "a token has no letters but those of ASCII: copy it again"


def _is_sendable(token: str) -> bool:
    """Tell whether a token can stand in the header of a request."""
    return token.isascii() and all(char.isprintable() and not char.isspace() for char in token)


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
    return name != "DATABASE_URL" or urlsplit(str(value)).password is not None


def refuse(faults: tuple[str, ...]) -> None:
    """Raise one `ConfigurationError` with all faults, a line each, if there are any."""
    if faults:
        raise ConfigurationError("\n".join(faults))


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
