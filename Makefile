# Every target makes and updates its own virtual environment: nothing has to be installed before but Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := build/compiled
COMPILED_TESTS := $(filter-out tests/server tests/__pycache__ %.py,$(wildcard tests/*)) $(wildcard tests/test_*.py) \
  $(addprefix tests/server/test_,viewing.py aids.py answers.py table.py clocks.py play.py bot_pool.py)
SOURCES := $(shell find src/granada -name '*.py' -o -name '*.csv' -o -name '*.svg' -o -path '*/page/*' 2>/dev/null)

.PHONY: play test check format lint types unit compiled-unit bench golden api clean help

help:
	@echo "make play   start the table server on this machine and open its page"
	@echo "make test   everything that must pass: format, lint, types, tests interpreted and compiled"
	@echo "make check  the same"
	@echo "make bench  speed, as ratios against OpenSpiel's backgammon in the same run"
	@echo "make golden write the golden games anew (look at the difference before you commit it)"
	@echo "make api    write the documents of the API and the types of the web client anew"
	@echo "make format put the sources into their one format"

play: $(VENV)/play.stamp
	@$(BIN)/granada serve

test: lint types unit compiled-unit

check: test

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/test.stamp
	$(BIN)/mypy

unit: $(VENV)/test.stamp
	$(BIN)/python -m pytest -q -n 2

# The same tests once more with the rules compiled by mypyc; without a C compiler the interpreted run above is all there is.
# Of the server's, only those that ask the rules much: processes, databases and documents are the same either way.
compiled-unit: $(COMPILED)/stamp
	@if [ -s $(COMPILED)/stamp ]; then \
	  GRANADA_EXPECT=compiled PYTHONPATH=$(COMPILED) $(BIN)/python -m pytest -q -n 2 $(COMPILED_TESTS); \
	else echo "no C compiler found: the tests ran interpreted only"; fi

bench: $(VENV)/bench.stamp $(COMPILED)/stamp
	$(BIN)/python benchmarks/speed.py
	@if [ -s $(COMPILED)/stamp ]; then PYTHONPATH=$(COMPILED) $(BIN)/python benchmarks/speed.py; \
	else echo "no C compiler found: only the interpreted rules were measured"; fi

# The documents of the API and the types of the web client, written anew.
api: $(VENV)/test.stamp
	$(BIN)/python -m granada.server.write_documents docs/api
	$(BIN)/python -m tests.server.npm types

golden: $(VENV)/test.stamp
	$(BIN)/python -m tests.golden.make
	$(BIN)/python -m tests.cli.test_perft

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Granada needs Python 3.11 to 3.14, this is " + sys.version.split()[0]) if not (3, 11) <= sys.version_info[:2] <= (3, 14) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/play.stamp: $(VENV)/bin/python pyproject.toml hatch_build.py requirements/server.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/server.txt --editable .
	@touch $@

$(VENV)/test.stamp: $(VENV)/play.stamp requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/test.txt
	@touch $@

$(VENV)/bench.stamp: $(VENV)/test.stamp requirements/bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/bench.txt
	@touch $@

$(COMPILED)/stamp: $(SOURCES) pyproject.toml hatch_build.py $(VENV)/test.stamp
	@rm -rf $(COMPILED) && mkdir -p $(COMPILED)
	@if $(BIN)/python -c 'import shutil, sys, sysconfig; sys.exit(not shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]))'; then \
	  GRANADA_COMPILE=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(COMPILED) . && echo compiled > $@; \
	else touch $@; fi
