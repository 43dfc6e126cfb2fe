"""The program as its users run it: a process with arguments, streams and an exit status."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters.terminal.main import run
from adapters.terminal.output import progress
from tests.adapters.terminal.command_line import DAY, SOURCE, environment, told
from tests.conftest import PATIENCE
from tests.digest.sources.git.workshop import Workshop

CHANGE = ("lumen", "4096", *SOURCE)
CODE = "from adapters.terminal.main import main; main()"


def infra(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CODE, *words],
        cwd=folder,
        env=environment(folder, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_digest_goes_to_standard_output_and_nothing_else_anywhere(tmp_path: Path) -> None:
    done = infra(tmp_path, *DAY)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("lumen-org/lumen · 2026-03-04\n")
    assert "\x1b" not in done.stdout
    assert "--prefill-chunk" in done.stdout


def test_options_of_all_commands_may_stand_anywhere_on_the_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "infra.sqlite3").unlink()
    first = told(capsys, "--lang", "zh", "--no-store", *DAY)

    assert first == told(capsys, *DAY, "--no-store", "--lang", "zh") != ""
    assert not (here / "infra.sqlite3").exists()


@pytest.mark.parametrize("words", [["--help"], ["help"], [], ["--help", "watch"], ["-h"]])
def test_help_needs_no_configuration(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.setenv("INFRA_TZ", "nowhere")
    monkeypatch.setenv("DATABASE_URL", "nonsense")

    assert "watch OWNER/NAME [as ALIAS]" in told(capsys, *words)


def test_help_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom adapters.terminal.main import run\nrun(['help'])\n"
        "heavy = {'httpx', 'sqlalchemy', 'pydantic_settings', 'alembic', 'jinja2'}\n"
        "heavy |= {'openai', 'httpx2', 'digest.writing.pages', 'digest.writing.analysis_page'}\n"
        "heavy |= {'digest.reading.interfaces.changes'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [("help",), DAY])
def test_a_reader_that_leaves_early_is_no_error(here: Path, words: tuple[str, ...]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *words],
        cwd=here,
        env=environment(here),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()

    assert process.stderr.read() == b""
    assert process.wait() == 0
    process.stderr.close()


@pytest.mark.parametrize("words", [("help",), DAY])
def test_a_full_disk_under_the_output_is_told_in_one_line(
    here: Path, words: tuple[str, ...]
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-c", CODE, *words],
            cwd=here,
            env=environment(here),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == (
        "infra: the output cannot be written: No space left on device: make room and ask again\n"
    )


def test_output_that_the_shell_closed_stops_nothing(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -c "{CODE}" help >&- 2>&-'

    assert subprocess.call(["sh", "-c", command], cwd=tmp_path) == 0


WAITS = (
    "import signal, os, sys, adapters.terminal.commands as commands\n"
    "from adapters.terminal.main import main\n"
    "def wait(*_, **__): os.kill(os.getpid(), signal.SIGINT); signal.pause()\n"
    "commands.answer = wait\nmain()"
)
BEGINS = (
    "import builtins\n"
    "real = builtins.__import__\n"
    "def interrupted(name, *more):\n"
    "    if name == 'typer':\n"
    "        raise KeyboardInterrupt\n"
    "    return real(name, *more)\n"
    "builtins.__import__ = interrupted\n"
    "from adapters.terminal.start import main\n"
    "main()\n"
)


@pytest.mark.parametrize("code", [WAITS, BEGINS], ids=["works", "begins"])
def test_an_interrupt_ends_quietly_with_130(tmp_path: Path, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code, "sglang"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_fault_of_the_program_is_told_without_a_traceback(tmp_path: Path) -> None:
    code = (
        "import adapters.terminal.commands as commands\n"
        "from adapters.terminal.main import main\n"
        "commands.answer = lambda *_, **__: 1 / 0\nmain()"
    )
    words = [sys.executable, "-c", code, "sglang"]
    quiet = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    loud = subprocess.run(
        [*words, "--debug"], capture_output=True, text=True, cwd=tmp_path, check=False
    )

    assert quiet.returncode == loud.returncode == 1
    assert quiet.stderr == (
        "infra: a fault of this program (ZeroDivisionError): run it again with --debug and report "
        "what it prints\n"
    )
    assert "Traceback" in loud.stderr


def test_an_encoding_that_lacks_a_letter_stops_nothing(here: Path) -> None:
    done = infra(here, *DAY, "--lang", "zh", PYTHONIOENCODING="ascii")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colour_unless_it_asks_for_none(
    here: Path, more: dict[str, str], coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *DAY, "--brief"],
        cwd=here,
        env=environment(here, TERM="xterm", **more),
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the terminal is gone when its last user is
            break
        if not part:
            break
        shown += part
    _, errors = process.communicate()
    os.close(ours)

    assert (process.returncode, errors) == (0, b"")
    assert (b"\x1b[" in shown) is coloured


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("sglnag", "there is no repository called sglnag: did you mean sglang?"),
        ("upgade vllm v1.0..v1.1", "there is no command upgade: did you mean upgrade?"),
        ("exprot markdown x", "there is no command exprot: did you mean export?"),
        ("sglang 2026-02-11..2026-02-09", "runs backwards: write 2026-02-09..2026-02-11"),
        ("sglang 2026-12-24", "2026-12-24 is still to come"),
        ("sglang --fromat json", "there is no option --fromat: did you mean --format?"),
        ("sglang --format jsn", "--format cannot be jsn: did you mean json?"),
        ("sglang --lang fr", "--lang cannot be fr: write --lang en|zh"),
        ("sglang --lang", "--lang needs a value: write --lang en|zh"),
        ("sglang --lang zh --tz", "--tz 需要一个值：请写 --tz ZONE"),
        ("deliver --at", "--at needs a value: write --at TIME"),
        ("sglang --full=3", "--full takes no value: write --full alone"),
        ("--bogus --lang=zh", "没有选项 --bogus"),
        ("sglang --full --brief --lang zh", "--full 和 --brief 不能同时使用：请去掉一个"),
        ("sglang --full --brief", "--full and --brief cannot both be: leave one of them out"),
        ("sglang --tz Shanghia", "did you mean Asia/Shanghai?"),
        ("sglang --source svn:x", "write --source github, git:PATH_OR_URL or recorded:FILE"),
        ("sglang --format toml", "write --format text|markdown|json|html"),
        ("watch a/b --no-store", "this is about what is stored: ask again without --no-store"),
        *((f"{words} --analysis", "--analysis is for a change or a day") for words in (
            "all", "check"
        )),
        ("concern add nofile --channel slack:T1/C1", "there is no file nofile: check its path"),
        ("concern add https://127.0.0.1/x --channel slack:T1/C1", "127.0.0.1 is no public address"),
        ("check now", "write infra check"),
        ("check --format json", "check is not told as json: write --format text"),
        ("db", "write infra db upgrade"),
        ("export html x", "write infra export markdown DIR"),
        ("export markdown /dev/null", "is a file: name a folder"),
        ("record sglang file.json", "write infra record REPO WHEN FILE"),
        ("record sglang week /dev/null", "/dev/null exists: name another file"),
        ("record sglang week none/x", "there is no folder none: make it first"),
        ("upgrade vllm", "write infra upgrade REPO [FROM..TO] --for SURFACE"),
        ("between v1", "write infra between [REPO] GOOD BAD"),
        ("run --only slak", "write infra run [--only slack|discord|worker|web]"),
        ("deliver --at soon", "--at 2026-02-12T09:00"),
        ("deliver --al 2026-02-12", "did you mean --at?"),
        ("subscribe vllm", "--channel slack:TEAM/CHANNEL"),
        ("subscribe vllm --channel teams:1/2", "slack:TEAM/CHANNEL"),
        *((f"followups {word}", "write infra followups [open|done|all]") for word in (
            "mine", "wat"
        )),
        *((f"{words} --source git:.", "takes no --source: leave it out") for words in (
            "deliver --at 2026-02-12", "why vllm 1 --channel slack:T1/C1", "check"
        )),
        ("vllm --channel slack:T1/C1", "infra help subscribe"),
        ("vllm --send", "infra help deliver"),
        ("--only slack run", "infra help run"),
        ("status --only slack", "infra help run"),
        ("vllm --at x", "infra help surface, infra help deliver"),
        ("backfill sglang monday", "infra backfill sglang 2026-01-01"),
        ("restore nofile", "there is no file nofile: check its path"),
        *((f"forget {words}".strip(), "write infra forget slack:TEAM|discord:GUILD") for words in (
            "", "slack:", "teams:T1", "slack:%"
        )),
        ("\udcff\udcfe", "there is no repository called ��"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line_that_says_what_to_do(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, line: str
) -> None:
    said = told(capsys, *words.split(), status=2)

    assert said.startswith("infra: ")
    assert line in said


def test_a_clone_is_told_by_the_name_of_its_remote_alone(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shop = Workshop(here / "clone")
    shop.change(1)
    shop("remote", "add", "mine", "/srv/copies/pump.git")
    assert told(capsys, "nope/nope", "2026-02-01", "--source", "git:clone").startswith("nope/nope")
    shop("remote", "add", "upstream", "https://github.com/acme/sglang.git")

    for words in ("nope/nope 2026-02-01", "sglang 2026-02-01", "between nope/nope v1 v2"):
        said = told(capsys, *words.split(), "--source", "git:clone", status=2)
        assert "this source holds acme/sglang alone" in said
        assert said.endswith(": write acme/sglang\n")
    assert "acme/sglang" in told(capsys, "all", "2026-02-01", "--source", "git:clone")


def test_what_is_no_clone_no_recording_or_no_surface_says_so(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "x.md").write_text('{"repo": 1}')
    for words, line in (
        (". today --source git:x.md", "x.md is a file: name the folder of a clone"),
        (". today --source recorded:x.md", "x.md is no recording, or a damaged one"),
        ("upgrade vllm --for x.md", "x.md is a file: name the folder of a codebase"),
    ):
        assert run(words.split()) == 1
        said = capsys.readouterr().err
        assert line in said
        assert said.count("\n") == 1


def test_what_is_found_nowhere_says_that_a_source_is_named(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "door"]) == 0

    assert "--source git:PATH" in capsys.readouterr().err
    assert run(["search", "door", *SOURCE]) == 0
    assert capsys.readouterr().err == ""
    assert run(["what", "broke", "in", "turbine", "on", "2026-03-04"]) == 0
    assert "--source git:PATH" in capsys.readouterr().err


def test_a_day_that_a_recording_lacks_is_not_called_stored(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*["what", "broke", "from", "2026-03-02", "to", "2026-03-04"], *SOURCE]) == 0

    told = capsys.readouterr().out
    assert "Not stored, so not looked at: lumen (2–3 Mar)" in told
    assert "in part" not in told


def test_chinese_words_of_chat_are_understood(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, "帮助") == told(capsys, "help")
    assert told(capsys, "帮助", "订阅") == told(capsys, "help", "subscribe")
    assert "vllm-project/vllm" in told(capsys, "订阅", "vllm", "--channel", "slack:T1/C1")
    assert run(["今天", *SOURCE]) == 1, "nothing of that day is recorded"


@pytest.mark.parametrize("word", ["subscribe", "concern"])
def test_help_about_a_word_of_channels_is_its_own(
    here: Path, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    (command,) = json.loads(told(capsys, "help", word, "--format", "json"))["commands"]

    assert command["form"].startswith(f"{word} ")
    assert command["form"].endswith(" --channel CHANNEL")
    assert "unsubscribe" not in command["form"]


def test_what_stands_behind_two_dashes_is_no_option(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told(capsys, "search", "--", "--max-num-seqs", "--format")

    assert "--max-num-seqs --format" in said


@pytest.mark.parametrize("words", ["sglang 2026-02-11", "all 2026-02-11"])
def test_without_network_the_status_is_1(
    here: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert run([*words.split(), "--no-store"]) == 1

    said = capsys.readouterr()
    assert "could not be reached" in said.out + said.err
    assert "Traceback" not in said.err


def test_wrong_settings_are_told_all_at_once_with_status_78(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFRA_TZ", "Shanghia")
    monkeypatch.setenv("INFRA_LANG", "fr")

    assert run(["sglang"]) == 78

    assert capsys.readouterr().err.splitlines() == [
        "infra: INFRA_TZ: no time zone is called 'Shanghia': did you mean Asia/Shanghai?",
        "infra: INFRA_LANG: not a language that digests are written in: en or zh",
    ]


def test_a_file_that_is_no_database_is_told_with_status_78(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "infra.sqlite3").write_text("hello " * 500)

    assert run(list(DAY)) == 78

    assert "is not a SQLite database" in capsys.readouterr().err


def test_debug_shows_where_a_failure_came_from(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sglang", "--debug", "--no-store"], debug=True) == 1

    assert "Traceback" in capsys.readouterr().err


def test_the_version_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "--version").startswith("infra-digest ")


@pytest.mark.parametrize(
    "words",
    [
        DAY,
        ("all", *DAY[1:]),
        CHANGE,
        ("why", "lumen", "4096", *SOURCE),
        ("search", "prefill", *SOURCE),
        ("repos", *SOURCE),
        ("help",),
        ("unwatch", "torch"),
    ],
)
def test_json_is_one_document(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    run(["watch", "pytorch/pytorch", "as", "torch"])

    document = json.loads(told(capsys, *words, "--format", "json"))

    assert document["schema"] == (2 if {"digests", "points"} & document.keys() else 1)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
@pytest.mark.parametrize("words", [DAY, ("all", *DAY[1:]), CHANGE, ("repos",)])
def test_every_answer_is_drawn_in_every_format(
    here: Path, capsys: pytest.CaptureFixture[str], form: str, words: tuple[str, ...]
) -> None:
    plain = told(capsys, *words, "--format", form)

    assert plain.endswith("\n")
    if words in (DAY, CHANGE):
        assert len(told(capsys, *words, "--format", form, "--analysis")) >= len(plain)


def test_a_day_has_its_table_of_commits_and_contents(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = told(capsys, *DAY, "--analysis", "--format", "markdown")
    assert "| Time (UTC) | Author | Title | Change |" in page
    text = told(capsys, *DAY, "--analysis")
    assert "Time (UTC)" not in text, "a table that is wider than people read is told in lines"
    assert "## Contents\n\n- [Commits · " in page
    assert "#### " in page, "a high change is told whole"

    document = json.loads(told(capsys, *DAY, "--analysis", "--format", "json"))
    assert (document["schema"], document["kind"]) == (1, "analysis")
    high = [item["key"] for item in document["digest"]["items"] if item["importance"] == "high"]
    assert [each["item"]["key"] for each in document["changes"]] == [
        key for key in high if ":issue:" not in key and ":release:" not in key
    ]
    assert all(each["analysis"]["hunks_total"] >= 1 for each in document["changes"])
    assert document["not_whole"] == []


def test_one_change_as_json_has_the_bytes_of_its_hunks(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(told(capsys, *CHANGE, "--format", "json"))

    patches = {file["path"]: file["patch"] for file in document["item"]["files"]}
    hunks = document["analysis"]["hunks"]
    assert hunks
    assert all(hunk["text"] in patches[hunk["path"]] for hunk in hunks)


def test_a_day_that_nobody_recorded_is_no_quiet_day(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told(capsys, "lumen", "2026-03-01", *SOURCE, status=1)

    assert "activity.json holds 2026-03-04 alone" in said


def test_what_was_recorded_tells_the_same_digest_and_what_was_not_is_said(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(capsys, "record", *DAY[:2], "again.json", *SOURCE).startswith("again.json: ")
    first = told(capsys, *DAY)

    again = told(capsys, *DAY[:2], "--source", "recorded:again.json")

    assert again.partition("Window:")[0] == first.partition("Window:")[0] != ""
    assert run(["record", "lumen", "2026-03-03..2026-03-04", "two.json", *SOURCE]) == 0
    said = capsys.readouterr().err
    assert said.startswith("infra: not recorded: a part of this time: ")
    assert "activity.json holds 2026-03-04 alone" in said


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_progress_is_for_a_terminal_and_a_slow_step_alone(stream: io.StringIO) -> None:
    with progress(stream) as tell:
        tell("collecting")

    assert "collecting" not in stream.getvalue()


def test_a_slow_step_shows_after_a_second_and_cannot_disturb_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with progress(terminal) as tell:
        tell("collecting [red]\x1b[2Jsglang")
        ends = time.monotonic() + PATIENCE
        while "sglang" not in terminal.getvalue() and time.monotonic() < ends:
            time.sleep(0.02)

    assert "collecting [red]�[2Jsglang" in terminal.getvalue()


def test_a_folder_as_a_source_is_told_with_the_word_that_it_lacks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = f"/{'clones/' * 9}vllm"
    said = told(capsys, "vllm", "2026-02-01", "--source", folder, status=2)
    assert said.rstrip().endswith(f"--source git:{folder}")
    assert "git:PATH_OR_URL" in told(capsys, "vllm", "--source", "gitt:clone", status=2)


def test_labels_that_are_not_there_and_a_folder_without_any_are_told_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked = ("--clones", str(tmp_path))
    missing = told(capsys, "evaluate", str(tmp_path / "nowhere"), *asked, status=2)
    empty = told(capsys, "evaluate", str(tmp_path), *asked, status=2)
    assert "nowhere" in missing
    assert missing.replace(str(tmp_path / "nowhere"), "") != empty.replace(str(tmp_path), "")
