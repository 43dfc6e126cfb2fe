"""Each benchmark of `make bench` runs: small, and without holding its figures to their limits."""

import subprocess
import sys
from datetime import timedelta

import pytest

from benchmarks import __main__ as bench
from benchmarks import (
    fan_out,
    github_requests,
    hostile_text,
    memory_and_cpu,
    model_costs,
    speed,
)
from benchmarks.rows import Row


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "RUNS", 1)
    monkeypatch.setattr(memory_and_cpu, "SIZES", (memory_and_cpu.BUSY_DAY,))
    monkeypatch.setattr(model_costs, "ITEMS", 4)
    monkeypatch.setattr(model_costs, "ANSWER_SECONDS", 0.0)
    monkeypatch.setattr(speed, "FEW", 1)
    monkeypatch.setattr(speed, "MANY", 2)
    monkeypatch.setattr(speed, "LOOKS", 2)
    monkeypatch.setattr(speed, "FILES", 120)
    monkeypatch.setattr(github_requests, "FOLLOW_UPS", 4)
    monkeypatch.setattr(hostile_text, "SCALE", 0.002)
    monkeypatch.setattr(hostile_text, "RUNS", 1)
    monkeypatch.setattr(github_requests, "CHANNELS", 2)
    monkeypatch.setattr(github_requests, "TOLD", github_requests.TOLD[:2])
    monkeypatch.setattr(github_requests, "TOLD_DAYS", 1)
    monkeypatch.setattr(github_requests, "HOUR", 24)
    monkeypatch.setattr(github_requests, "TICK", timedelta(minutes=2.5))
    monkeypatch.setattr(fan_out, "IDLE_SECONDS", 0.0)
    monkeypatch.setattr(fan_out, "BEFORE_NINE", fan_out.NINE + timedelta(seconds=1))


@pytest.mark.parametrize(
    "module", [speed, memory_and_cpu, github_requests, hostile_text, model_costs]
)
def test_a_benchmark_gives_its_figures(module) -> None:
    rows = module.measure()

    assert rows
    assert all(isinstance(row, Row) and row.figure for row in rows)


def test_a_morning_of_two_channels_is_told_to_the_servers_of_the_benchmark() -> None:
    told = fan_out.tell(2)

    assert (told.channels, told.refused) == (2, 0)
    assert told.messages >= 2


PARENT = """
import os, time
if not os.fork():
    while time.process_time() < 0.2:
        pass
    os._exit(0)
os.wait()
print("waited", flush=True)
input()
"""


def test_the_cpu_of_a_server_has_that_of_what_it_started_and_what_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    looks = iter([[ended.pid], []])
    monkeypatch.setattr(fan_out, "_started_by", lambda _: next(looks))
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        assert server.stdin
        server.stdout.readline()
        cpu = fan_out._cpu_of_all(server.pid)
        alone = fan_out._cpu_seconds(server.pid)
        server.stdin.write("\n")

    assert cpu - alone >= 0.18
    assert fan_out._cpu_of_all(None) == 0.0


def test_the_table_names_what_there_is_and_refuses_the_rest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(model_costs, "measure", lambda: [Row("a day", "3 s", "2 s", False)])
    monkeypatch.setattr(sys, "argv", ["benchmarks", "model_costs"])
    assert bench.main() == 1
    assert "a day  3 s  2 s  OVER" in capsys.readouterr().out

    monkeypatch.setattr(sys, "argv", ["benchmarks", "nothing"])
    assert bench.main() == 2
