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

.PHONY: install demo test check bench dist profiles clean
.DELETE_ON_ERROR:

install: .venv/installed

# What crawling needs; half as much as all.
.venv/crawling: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Exonym needs Python 3.11 or newer: make PYTHON=python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing Exonym into .venv …"
	@$(PIP) -c requirements.lock -e .
	@touch $@

.venv/installed: .venv/crawling
	@echo "Installing what training and simulations need …"
	@$(PIP) -c requirements.lock -e ".[all]"
	@touch $@

.venv/developing: .venv/crawling
	@$(PIP) -c requirements.lock -e ".[dev]"
	@touch $@

.venv/benchmarking: .venv/crawling
	@$(PIP) -c requirements.lock -e ".[bench]"
	@touch $@

# Other people's WARC tools, apart from our own environment: some of their licences are not ours.
.venv-tools/installed: tests/tools-requirements.txt
	@test -x .venv-tools/bin/python || $(PYTHON) -m venv .venv-tools
	@echo "Installing other people's WARC tools into .venv-tools …"
	@.venv-tools/bin/python -m pip -qq --disable-pip-version-check install -r tests/tools-requirements.txt
	@touch $@

demo: .venv/crawling
	@$(BIN)/exonym demo

test: check .venv-tools/installed
	@$(PYTEST) -q -n auto --dist worksteal

check: .venv/developing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(PYTEST) -q tests/unit/test_layers.py

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
