"""The program as its users run it: a process with arguments, streams and an exit status."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.terminal.main import run

DEMO = Path(__file__).parents[3] / "adapters" / "terminal" / "demo" / "activity.json"
DAY = ("lumen", "2026-03-04", "--source", f"recorded:{DEMO}")
CODE = "from adapters.terminal.main import main; main()"


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "PYTHONPATH"} or name.startswith("COV")  # measured in processes too
    }
    return {
        **kept,
        "HOME": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'infra.sqlite3'}",
        "GITHUB_API_URL": "http://127.0.0.1:1",
        "INFRA_NOW": "2026-03-06T09:00:00Z",
        **more,
    }


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


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def test_a_digest_goes_to_standard_output_and_nothing_else_anywhere(tmp_path: Path) -> None:
    done = infra(tmp_path, *DAY)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("lumen-org/lumen · 2026-03-04\n")
    assert "\x1b" not in done.stdout
    assert "--prefill-chunk" in done.stdout


def test_options_may_stand_anywhere_on_the_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--lang", "zh", "--no-store", *DAY]) == 0
    first = capsys.readouterr().out
    assert run([*DAY, "--no-store", "--lang", "zh"]) == 0

    assert first == capsys.readouterr().out != ""
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

    assert run(words) == 0

    told = capsys.readouterr()
    assert told.err == ""
    assert "watch OWNER/NAME [as ALIAS]" in told.out


def test_help_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom adapters.terminal.main import run\nrun(['help'])\n"
        "heavy = {'httpx', 'sqlalchemy', 'pydantic_settings', 'alembic', 'jinja2'}\n"
        "heavy |= {'openai', 'httpx2'}\n"
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    for words in (("help",), DAY):
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, *words],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout
        assert process.stderr
        process.stdout.close()

        assert process.stderr.read() == b""
        assert process.wait() == 0
        process.stderr.close()


def test_a_full_disk_under_the_output_is_told_in_one_line(tmp_path: Path) -> None:
    for words in (("help",), DAY):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-c", CODE, *words],
                cwd=tmp_path,
                env=environment(tmp_path),
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )

        assert done.returncode == 1
        assert done.stderr == (
            "infra: the output cannot be written: No space left on device: "
            "make room and ask again\n"
        )


def test_output_that_the_shell_closed_stops_nothing(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -c "{CODE}" help >&- 2>&-'

    assert subprocess.call(["sh", "-c", command], cwd=tmp_path) == 0


def test_an_interrupt_while_options_are_read_ends_quietly_with_130(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("adapters.terminal.main.refuse_both", interrupted)

    assert run(["vllm"]) == 130
    assert capsys.readouterr() == ("", "")


def test_an_interrupt_ends_quietly_with_130(tmp_path: Path) -> None:
    code = (
        "import signal, os, sys, adapters.terminal.dispatch as dispatch\n"
        "from adapters.terminal.main import main\n"
        "def wait(*_, **__): os.kill(os.getpid(), signal.SIGINT); signal.pause()\n"
        "dispatch.answer = wait\nmain()"
    )
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
        "import adapters.terminal.dispatch as dispatch\n"
        "from adapters.terminal.main import main\n"
        "dispatch.answer = lambda *_, **__: 1 / 0\nmain()"
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


def test_an_encoding_that_lacks_a_letter_stops_nothing(tmp_path: Path) -> None:
    done = infra(tmp_path, *DAY, "--lang", "zh", PYTHONIOENCODING="ascii")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colour_unless_it_asks_for_none(
    tmp_path: Path, more: dict[str, str], coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, *DAY, "--brief"],
        cwd=tmp_path,
        env=environment(tmp_path, TERM="xterm", **more),
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
        ("serach foo", "there is no command serach: did you mean search flash attention?"),
        ("exprot markdown x", "there is no command exprot: did you mean export?"),
        (
            "sglang 2026-02-30",
            "2026-02-30 does not exist, February 2026 has 28 days: try 2026-02-28",
        ),
        (
            "sglang 2026-02-11..2026-02-09",
            "2026-02-11..2026-02-09 runs backwards: write 2026-02-09..2026-02-11",
        ),
        (
            "sglang 2026-12-24",
            "2026-12-24 is still to come, it is 2026-03-06 in UTC: try 2026-03-05",
        ),
        ("sglang --fromat json", "there is no option --fromat: did you mean --format?"),
        ("sglang --format jsn", "--format cannot be jsn: did you mean json?"),
        ("sglang --lang fr", "--lang cannot be fr: write --lang en|zh"),
        ("sglang --lang", "'--lang' requires an argument"),
        ("sglang --full --brief --lang zh", "--full 和 --brief 不能同时使用：请去掉一个"),
        ("sglang --full --brief", "--full and --brief cannot both be: leave one of them out"),
        (
            "sglang --tz Shanghia",
            "no time zone is called 'Shanghia': did you mean Asia/Shanghai?",
        ),
        (
            "sglang --source svn:x",
            "there is no source svn:x: write --source github, git:PATH_OR_URL or recorded:FILE",
        ),
        ("search kernel --no-store", "a search reads stored digests: ask again without --no-store"),
        (
            "watch a/b --no-store",
            "what is watched is stored: ask again without --no-store",
        ),
        (
            "unwatch b --no-store",
            "what is watched is stored: ask again without --no-store",
        ),
        (
            "help 42",
            "there is no help about 42: topics are repo, span, change, all, search, ask, repos, "
            "watch, "
            "unwatch, why, help, surface, upgrade, between, export, record, evaluate, check, db, "
            "demo, run, deliver, subscribe, followups, slack, discord, status, backfill, backup, "
            "restore, forget, options",
        ),
        ("help wach", "there is no help about wach: did you mean help watch?"),
        (
            "concern add nofile --channel slack:T1/C1",
            "there is no file nofile: check its path",
        ),
        (
            "concern add https://127.0.0.1/own.toml --channel slack:T1/C1",
            "127.0.0.1 is no public address: give a file that everybody can read, or upload it",
        ),
        ("check now", "check takes no more words: infra check"),
        ("check --format json", "check is not told as json: write --format text"),
        ("demo --format html", "demo is not told as html: write --format text"),
        ("demo now", "demo takes no more words: infra demo"),
        ("db", "the database can be upgraded: infra db upgrade"),
        ("export html x", "say what to write, and where: infra export markdown DIR"),
        (
            "record sglang file.json",
            "say what to record, and where: infra record sglang 2026-02-11 sglang.json",
        ),
    ],
)
def test_wrong_usage_is_one_line_that_says_what_to_do(
    here: Path, capsys: pytest.CaptureFixture[str], words: str, line: str
) -> None:
    status = run(words.split())

    told = capsys.readouterr()
    assert (status, told.out, told.err) == (2, "", f"infra: {line}\n")


def test_bytes_that_are_no_text_are_refused_in_one_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["\udcff\udcfe"]) == 2

    assert capsys.readouterr().err.startswith("infra: there is no repository called ��")


@pytest.mark.parametrize("words", ["sglang 2026-02-11", "all 2026-02-11"])
def test_without_network_the_status_is_1(
    here: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert run([*words.split(), "--no-store"]) == 1

    told = capsys.readouterr()
    assert "could not be reached" in told.out + told.err
    assert "Traceback" not in told.err


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
    assert run(["--version"]) == 0

    assert capsys.readouterr().out.startswith("infra-digest ")


@pytest.mark.parametrize(
    "words",
    [
        DAY,
        ("all", *DAY[1:]),
        ("lumen", "4096", *DAY[2:]),
        ("why", "lumen", "4096", *DAY[2:]),
        ("search", "prefill", *DAY[2:]),
        ("repos", *DAY[2:]),
        ("help",),
        ("unwatch", "torch"),
    ],
)
def test_json_is_one_document(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    run(["watch", "pytorch/pytorch", "as", "torch"])
    capsys.readouterr()

    assert run([*words, "--format", "json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == (2 if {"digests", "points"} & document.keys() else 1)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
@pytest.mark.parametrize("words", [DAY, ("all", *DAY[1:]), ("lumen", "4096", *DAY[2:]), ("repos",)])
def test_every_answer_is_drawn_in_every_format(
    here: Path, capsys: pytest.CaptureFixture[str], form: str, words: tuple[str, ...]
) -> None:
    assert run([*words, "--format", form]) == 0

    assert capsys.readouterr().out.endswith("\n")


def test_a_day_that_nobody_recorded_is_no_quiet_day(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["lumen", "2026-03-01", *DAY[2:]]) == 1

    assert "activity.json holds 2026-03-04 alone" in capsys.readouterr().out


def test_ctrl_c_while_it_still_begins_ends_it_without_a_traceback() -> None:
    early = (
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
    ended = subprocess.run([sys.executable, "-c", early], capture_output=True, text=True)

    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
