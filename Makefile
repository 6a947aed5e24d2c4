# make demo     a first crawl, from nothing but Python
# make install  .venv/bin/exonym, with all that any command needs
# make test     format, lint, types, layers, then all tests
# make check    the first four of these, in a minute
# make bench    the benchmarks (minutes)
# make dist     a wheel and its sources, to be published, in dist

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check install
PYTEST := $(BIN)/python -m pytest

# Paths are relative throughout, so that the place may have spaces in its name.

# Else every process compiles what it imports again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: install demo test check format lint types layers compiled bench dist profiles clean
.DELETE_ON_ERROR:

install: .venv/installed

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Exonym needs Python 3.11 or newer: make PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@touch $@

# What crawling needs; half as much as all.
.venv/crawling: pyproject.toml requirements.lock | .venv/made
	@echo "Installing Exonym into .venv: 730 MB when unpacked, once. Allow some minutes …"
	@$(PIP) -c requirements.lock -e .
	@touch $@

.venv/installed: .venv/crawling
	@echo "Installing what training and simulations need: 550 MB more, some minutes …"
	@$(PIP) -c requirements.lock -e ".[all]"
	@touch $@

# All at once, and compiled when it is used: most of it never is.
.venv/developing: pyproject.toml requirements.lock | .venv/made
	@echo "Installing Exonym and what its tests need into .venv …"
	@$(PIP) --no-compile -c requirements.lock -e ".[dev]"
	@touch $@

.venv/benchmarking: .venv/crawling
	@$(PIP) -c requirements.lock -e ".[bench]"
	@touch $@

# Other people's WARC tools, apart from our own environment: some of their licences are not ours.
.venv-tools/installed: tests/tools-requirements.txt
	@test -x .venv-tools/bin/python || $(PYTHON) -m venv .venv-tools
	@echo "Installing other people's WARC tools into .venv-tools …"
	@.venv-tools/bin/python -m pip -qq --disable-pip-version-check install --no-compile -r tests/tools-requirements.txt
	@touch $@

# A real browser, in which tests look at web pages. Where it cannot be installed, these tests are skipped, but not in CI.
.venv/browser: | .venv/made
	@command -v chromium > /dev/null || { echo "Installing Chromium, for tests of web pages …"; \
		apt-get -qq update > /dev/null 2>&1 && DEBIAN_FRONTEND=noninteractive apt-get -qq -y install chromium > /dev/null 2>&1; } \
		|| echo "Chromium could not be installed. Install it yourself, as in: sudo apt install chromium"
	@! command -v chromium > /dev/null || touch $@

demo: .venv/crawling
	@$(BIN)/exonym demo
	@echo "Look at it: $(BIN)/exonym serve exonym-demo --open"

# Two things at a time where neither needs the other.
test:
	@$(MAKE) -s -j2 .venv/developing .venv-tools/installed .venv/browser
	@$(MAKE) -s -j2 check compiled
	@$(PYTEST) -q -n auto --dist worksteal

check: format lint types layers

format: .venv/developing
	@$(BIN)/ruff format --check .

lint: .venv/developing
	@$(BIN)/ruff check .

types: .venv/developing
	@$(BIN)/mypy

layers: .venv/developing
	@$(PYTEST) -q tests/unit/test_layers.py

# The simulator takes most of a minute to compile; workers that begin together would each do it.
compiled: .venv/developing
	@$(BIN)/python -c 'from exonym.simulation.engine.warm_up import warm_up; warm_up()'

bench: .venv/benchmarking
	@$(BIN)/python benchmarks/live.py
	@$(BIN)/python benchmarks/frontier.py

dist: .venv/developing
	@$(BIN)/python -m build --no-isolation --outdir dist

# The classic identifier's profiles, made again; a test compares some of them.
profiles: .venv/developing
	@$(BIN)/exonym model language train --from-packages -o src/exonym/language/profiles-1.json

clean:
	@rm -rf .venv .venv-tools dist .mypy_cache .ruff_cache .pytest_cache .hypothesis exonym-demo
