from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.wiring.assembly import database_url, read_settings
from bot.settings import NAMES, ClockStart, Settings, model_fault
from digest.errors import ConfigurationError
from digest.languages import Language
from digest.models import Repo
from digest.store.connections import file_of, parse_url

OF_A_SERVER = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
"""What is wrong with a model's server stops nothing."""


@pytest.fixture(autouse=True)
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def faults() -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        read_settings()
    return str(caught.value).splitlines()


def test_nothing_has_to_be_set() -> None:
    settings = read_settings()

    assert settings.github_api_url == "https://api.github.com"
    assert (settings.tz, settings.lang, settings.now) == ("UTC", Language.EN, None)
    assert settings.private_repos == {}
    assert (file_of(parse_url(database_url(settings))) or "").endswith("infra.sqlite3")


def test_an_empty_value_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")

    assert read_settings().tz == "UTC"


def test_what_is_set_is_checked_and_brought_into_one_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://user:secret@host/infra")
    monkeypatch.setenv("GITHUB_TOKEN", "token\n")
    monkeypatch.setenv("GITHUB_API_URL", "https://git.example.com/api/v3/")
    monkeypatch.setenv("INFRA_TZ", "asia/shanghai")
    monkeypatch.setenv("INFRA_LANG", "ZH")
    monkeypatch.setenv("INFRA_PRIVATE_REPOS", "a/b, c/d=slack:T1+discord:2")

    settings = read_settings()

    assert database_url(settings) == "postgres://user:secret@host/infra"
    assert settings.github_token.get_secret_value() == "token"
    assert settings.github_api_url == "https://git.example.com/api/v3"
    assert (settings.tz, settings.lang) == ("Asia/Shanghai", Language.ZH)
    assert settings.private_repos == {
        Repo("a", "b"): frozenset(),
        Repo("c", "d"): frozenset({"slack:T1", "discord:2"}),
    }


def test_the_environment_wins_over_env_file_and_that_over_toml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "infra.toml").write_text('infra_tz = "Asia/Tokyo"\nINFRA_LANG = "zh"\n')
    assert (read_settings().tz, read_settings().lang) == ("Asia/Tokyo", Language.ZH)

    (tmp_path / ".env").write_text("INFRA_TZ=Europe/Paris\nUNRELATED=1\n")
    assert (read_settings().tz, read_settings().lang) == ("Europe/Paris", Language.ZH)

    monkeypatch.setenv("INFRA_TZ", "Europe/Rome")
    assert read_settings().tz == "Europe/Rome"


def test_every_fault_is_told_at_once_and_no_secret_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://user:hunter2@host/x")
    monkeypatch.setenv("GITHUB_TOKEN", "hunter2 hunter2")
    monkeypatch.setenv("GITHUB_API_URL", "api.github.com")
    monkeypatch.setenv("INFRA_TZ", "Shanghia")
    monkeypatch.setenv("INFRA_LANG", "fr")
    monkeypatch.setenv("INFRA_NOW", "2026-02-12T09:00:00")
    monkeypatch.setenv("INFRA_PRIVATE_REPOS", "vllm")
    monkeypatch.setenv("INFRA_MAY_SUBSCRIBE", "boss")
    monkeypatch.setenv("INFRA_MAY_FOLLOW_UP", "boss")
    monkeypatch.setenv("INFRA_LOG", "loud")
    monkeypatch.setenv("INFRA_URL", "infra.example.org")
    monkeypatch.setenv("SLACK_API_URL", "slack.com")
    monkeypatch.setenv("INFRA_WEBHOOK_URL", "nowhere")
    monkeypatch.setenv("HOST", "my host")
    monkeypatch.setenv("PORT", "80a")
    monkeypatch.setenv("INFRA_OPS_HOST", "my host")
    monkeypatch.setenv("INFRA_OPS_PORT", "80a")
    monkeypatch.setenv("INFRA_KEEP_DAYS", "7")
    monkeypatch.setenv("DISCORD_API_URL", "discord.com")
    monkeypatch.setenv("INFRA_GUILDS", "my server")
    monkeypatch.setenv("DISCORD_GATEWAY_URL", "https://gateway.discord.gg")
    for name in ("TOKENS_A_DAY", "TOKENS_A_MONTH", "SECONDS"):
        monkeypatch.setenv(f"INFRA_MODEL_{name}", "much")
    slack = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET")
    for name in (*slack, "DISCORD_TOKEN"):
        monkeypatch.setenv(name, "hunter2 hunter2")
    (tmp_path / "infra.toml").write_text('infra_tzz = "UTC"\n')

    told = faults()

    without = ("INFRA_MODEL", "INFRA_MODEL_CHECK", "INFRA_WEBHOOK_SECRET", *OF_A_SERVER)
    stopping = [name for name in NAMES if name not in without]
    assert [line.partition(":")[0] for line in told] == ["infra.toml", *stopping]
    assert "INFRA_TZ: no time zone is called 'Shanghia': did you mean Asia/Shanghai?" in told
    assert "hunter2" not in "\n".join(told)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            'GITHUB_TOKEN = "x"',
            "infra.toml: GITHUB_TOKEN is a secret: put it into the environment or .env",
        ),
        (
            'database_url = "postgresql://user:pw@host/x"',
            "infra.toml: DATABASE_URL is a secret: put it into the environment or .env",
        ),
        (
            'database_url = "postgresql://[user:pw@host/x"',
            "infra.toml: DATABASE_URL is a secret: put it into the environment or .env",
        ),
        ('infra_tzz = "UTC"', "infra.toml: there is no setting infra_tzz: did you mean INFRA_TZ?"),
        ("INFRA_LANG = 3", 'infra.toml: INFRA_LANG is not text: write INFRA_LANG = "…"'),
        ("= 3", "infra.toml cannot be read: Invalid statement (at line 1, column 1)"),
    ],
)
def test_a_fault_of_the_settings_file_names_the_file(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "infra.toml").write_text(text)

    assert faults() == [fault]


def test_a_settings_file_that_is_no_file_or_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "infra.toml").mkdir()
    assert faults() == ["infra.toml cannot be read: Is a directory"]

    (tmp_path / "infra.toml").rmdir()
    (tmp_path / ".env").write_bytes(b"\xff=1")
    assert faults()[0].startswith(".env cannot be read: ")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("a/b=slack", "'slack' is not a workspace or server: slack:T1 or discord:2"),
        ("a/b=slack:T1+", "'' is not a workspace or server: slack:T1 or discord:2"),
        (
            "a/b c",
            "'c' is not of the form owner/name: write owner/name, or owner/name=slack:T1+discord:2",
        ),
    ],
)
def test_private_repositories_are_named_exactly(
    monkeypatch: pytest.MonkeyPatch, value: str, fault: str
) -> None:
    monkeypatch.setenv("INFRA_PRIVATE_REPOS", value)

    assert faults() == [f"INFRA_PRIVATE_REPOS: {fault}"]


@pytest.mark.parametrize(
    ("value", "start"),
    [
        ("2026-02-12T09:00:00Z", ClockStart(datetime(2026, 2, 12, 9, tzinfo=UTC))),
        ("2026-02-12T17:00:00+08:00*600", ClockStart(datetime(2026, 2, 12, 9, tzinfo=UTC), 600)),
    ],
)
def test_the_clock_can_start_elsewhere_and_run_faster(
    monkeypatch: pytest.MonkeyPatch, value: str, start: ClockStart
) -> None:
    monkeypatch.setenv("INFRA_NOW", value)

    assert read_settings().now == start


@pytest.mark.parametrize(
    "value",
    [
        "noon",
        "2026-02-12T09:00:00Z*0",
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_a_clock_that_cannot_run_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("INFRA_NOW", value)

    assert faults()[0].startswith("INFRA_NOW: not a moment with its zone")


def test_secrets_do_not_show_in_what_a_program_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "hunter2")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///hunter2")

    assert "hunter2" not in repr(read_settings())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": "sk 1"}, "OPENAI_API_KEY has characters"),
        ({"OPENAI_API_KEY": "sk-ключ"}, "OPENAI_API_KEY has characters"),
        ({"OPENAI_BASE_URL": "localhost:8000/v1"}, "OPENAI_BASE_URL is not the address"),
        ({"OPENAI_BASE_URL": "http://u:p@h/v1"}, "OPENAI_BASE_URL is not the address"),
        ({"OPENAI_BASE_URL": "http://h:99999/v1"}, "OPENAI_BASE_URL is not the address"),
        ({"INFRA_MODEL": "m\x07"}, "INFRA_MODEL is not the name"),
        ({"INFRA_MODEL": "m" * 201}, "INFRA_MODEL is not the name"),
        ({"INFRA_MODEL_CHECK": "m\x07"}, "INFRA_MODEL_CHECK is not the name"),
    ],
)
def test_what_is_wrong_with_a_model_is_told_and_stops_nothing(
    given: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFRA_MODEL", "m")
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    assert model_fault(read_settings()).startswith(said)


@pytest.mark.parametrize(
    "given",
    [
        {"OPENAI_BASE_URL": "not an address"},
        {"INFRA_MODEL": "m", "OPENAI_API_KEY": "sk-1\n"},
        {"INFRA_MODEL": "m", "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1"},
    ],
)
def test_a_model_is_without_fault_where_none_is_set_or_it_can_be_asked(
    given: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    assert model_fault(read_settings()) == ""
    assert model_fault(Settings.model_construct()) == ""


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("Bot abc.def", "write the token alone, without the word Bot before it"),
        ("bearer abc", "write the token alone, without the word Bearer before it"),
        ("abc def", "no space and no line break"),
        ("abc\u00e9", "ASCII"),
    ],
)
def test_what_is_wrong_with_a_token_is_told_and_not_the_token(
    monkeypatch: pytest.MonkeyPatch, token: str, said: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)

    (fault,) = faults()

    assert fault.startswith("DISCORD_TOKEN: ")
    assert said in fault
    assert "abc" not in fault


def test_a_webhook_needs_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INFRA_WEBHOOK_URL", "https://example.org/hooks/1?token=a")

    assert [line.partition(":")[0] for line in faults()] == ["INFRA_WEBHOOK_SECRET"]
