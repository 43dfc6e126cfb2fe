"""What hosts run says what this program takes: Procfile, image, composition, settings."""

import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from adapters.terminal import bot_commands, check
from adapters.terminal.commands import understood as understood_words
from adapters.terminal.options import ParsedCommand, taken_apart
from bot.settings import NAMES, Settings

ROOT = Path(__file__).parent.parent
AROUND = ("exec", "env")


UPGRADE = (check.upgrade_database,)
"""`infra db upgrade`."""


def running(only: str = "") -> tuple[Any, ...]:
    """Give what `infra run` does."""
    return (bot_commands.run, only)


def understood(words: list[str]) -> tuple[Any, ...]:
    """Give what words make the program do, and how it was chosen."""
    call = taken_apart(words)
    assert isinstance(call, ParsedCommand)
    work = understood_words(call.words, call.options)
    assert isinstance(work, partial)
    return (work.func, *(each for each in work.args if isinstance(each, str)))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def procfile() -> dict[str, str]:
    lines = (line.partition(":") for line in text_of("Procfile").splitlines())
    return {name: line.strip() for name, _, line in lines}


def composed() -> dict[str, Any]:
    page: dict[str, Any] = yaml.safe_load(text_of("compose.yaml"))
    return page["services"]


def instructions(name: str) -> list[str]:
    joined = text_of("Dockerfile").replace("\\\n", " ")
    lines = (line.partition(" ") for line in joined.splitlines())
    return [rest.strip() for word, _, rest in lines if word == name]


def test_the_procfile_has_the_three_processes_of_a_host() -> None:
    commands = {}
    for name, line in procfile().items():
        words = [word for word in shlex.split(line) if word not in AROUND and "=" not in word]
        assert words[0] == "infra"
        commands[name] = understood(words[1:])

    assert commands == {
        "release": UPGRADE,
        "web": running("web"),
        "worker": running("worker"),
    }


def test_a_host_reaches_the_web_process() -> None:
    """Hosts set PORT and no HOST, and this machine's own address is not theirs."""
    assert " HOST=${HOST:-0.0.0.0} " in procfile()["web"]


def test_what_runs_on_gets_the_hosts_signal_itself() -> None:
    """A shell in between would end alone, and leave the process behind."""
    assert procfile()["web"].startswith("exec ")
    assert procfile()["worker"].startswith("exec ")


def test_the_composition_runs_what_the_procfile_runs() -> None:
    services = composed()

    own = {name: understood(each["command"]) for name, each in services.items() if name != "db"}
    assert own == {"release": UPGRADE, "web": running("web"), "worker": running("worker")}
    for name in ("web", "worker"):
        needs = services[name]["depends_on"]
        assert needs == {"release": {"condition": "service_completed_successfully"}}


def test_the_composition_sets_nothing_that_is_no_setting_and_what_it_sets_can_be() -> None:
    for name, service in composed().items():
        if name == "db":
            continue
        given = service["environment"]
        assert set(given) <= set(NAMES)
        Settings.model_validate(given)


def test_containers_have_longer_to_end_than_the_program_takes() -> None:
    services = composed()

    assert services["web"]["stop_grace_period"] == "15s"
    assert services["worker"]["stop_grace_period"] == "15s"


def test_the_image_runs_the_bot_without_rights_and_can_be_reached() -> None:
    users = instructions("USER")
    environment = dict(
        pair.split("=", 1) for line in instructions("ENV") for pair in shlex.split(line)
    )
    entry, command = instructions("ENTRYPOINT"), instructions("CMD")

    assert users == ["infra"]
    assert environment["HOST"] == "0.0.0.0"
    Settings.model_validate({name: environment[name] for name in environment if name in NAMES})
    assert yaml.safe_load(entry[0]) == ["infra"]
    assert understood(yaml.safe_load(command[-1])) == running()
    assert "/healthz" in instructions("HEALTHCHECK")[0]


def test_the_image_declares_no_volume_of_its_own() -> None:
    """A container would get a nameless one, lost with it, and the warning would not be given."""
    assert instructions("VOLUME") == []


def test_the_image_is_made_of_what_is_not_kept_from_it() -> None:
    ignored = text_of(".dockerignore").splitlines()
    copied = {
        part
        for line in instructions("COPY")
        if not line.startswith("--from")
        for part in line.split()[:-1]
    }

    assert ignored[0] == "*"
    assert {f"!{name}" for name in copied} == {line for line in ignored if line.startswith("!")}
    for name in copied:
        assert (ROOT / name).exists()


def test_the_image_installs_exactly_what_is_locked() -> None:
    installs = [line for line in instructions("RUN") if "pip install" in line]

    assert any("--require-hashes -r requirements.lock" in line for line in installs)
    assert all("--no-deps" in line or "--require-hashes" in line for line in installs)


def test_the_example_of_settings_names_nothing_else_and_sets_nothing() -> None:
    lines = [line for line in text_of(".env.example").splitlines() if line]
    named = {found.group(1) for line in lines if (found := re.match(r"#?([A-Z][A-Z0-9_]+)=", line))}

    assert named == set(NAMES)
    assert all(line.startswith("#") for line in lines)


def test_every_image_that_is_built_on_is_named_by_its_whole_version() -> None:
    bases = [line.split()[0] for line in instructions("FROM")]
    bases += [each["image"] for each in composed().values() if "build" not in each]

    assert len(bases) == 3
    for base in bases:
        assert re.fullmatch(r"(python|postgres):\d+\.\d+(\.\d+)?(-[a-z]+)+", base), base
        assert base.count(".") == (2 if base.startswith("python") else 1)
