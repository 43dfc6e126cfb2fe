# Everything below needs Python 3.11 or newer, git and make. The rest is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
# Two processes, each with a PostgreSQL of its own; the tests of a file share one.
TOGETHER := -n 3 --dist loadfile

.PHONY: setup demo pictures test test-all lint-check coverage lint bench crash faults replicas lock clean

setup: $(STAMP)

$(STAMP): requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: setup
	$(BIN)/infra demo

# The pictures of the README and the docs: made from the demo, without a network or a browser.
pictures: setup
	$(BIN)/infra demo >/dev/null
	$(BIN)/infra demo --lang zh >/dev/null
	cp demo-output/*.svg docs/pictures/

test: lint-check
	$(BIN)/pytest $(TOGETHER)

# All of it: more examples of each property, every benchmark, the long runs below. Takes hours.
test-all: lint-check
	$(BIN)/pytest $(TOGETHER) --hypothesis-profile=thorough
	$(MAKE) bench crash faults replicas

lint-check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

coverage: setup
	$(BIN)/pytest $(TOGETHER) --hypothesis-profile=thorough --cov --cov-report=term-missing

lint: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m benchmarks

# Kills a morning of ten channels at RUNS moments; ONLY=N runs one of them again.
RUNS ?= 200
SEED ?= 1
crash: setup
	$(BIN)/python -m tests.e2e.crash --runs $(RUNS) --seed $(SEED) $(if $(ONLY),--only $(ONLY))

# GitHub, the model, Slack and Discord fail together in RUNS mornings; ONLY=N runs one of them again.
faults: setup
	$(BIN)/python -m tests.e2e.faults --runs $(RUNS) --seed $(SEED) $(if $(ONLY),--only $(ONLY))

# A simulated week of three processes on PostgreSQL; takes some minutes.
replicas: setup
	$(BIN)/python -m tests.e2e.replicas --seed $(SEED)

# Needs uv. Index addresses are left out on purpose: each machine installs from the index it is set up for.
UVFLAGS := --quiet --universal --generate-hashes --no-strip-extras --no-emit-index-url --no-annotate --no-header
lock:
	uv pip compile $(UVFLAGS) --upgrade pyproject.toml -o requirements.lock
	uv pip compile $(UVFLAGS) --upgrade pyproject.toml --group dev -o requirements-dev.lock

clean:
	rm -rf .venv .coverage .mypy_cache .pytest_cache .ruff_cache demo-output
