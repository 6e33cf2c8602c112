# Every target creates and updates the virtual environment it needs: only Python 3.11+ and make have to be installed.
PYTHON ?= python3
VENV := .venv
BASE ?= /
BIN := $(VENV)/bin
COMPILED := build/compiled
COMPILED_TESTS := $(filter-out tests/arena tests/docs tests/packaging tests/server tests/web tests/__pycache__ %.py,$(wildcard tests/*)) $(wildcard tests/test_*.py) \
  $(addprefix tests/server/test_,views.py aids.py answers.py table.py clocks.py play.py bot_pool.py)
SOURCES := $(shell find src/granada -name '*.py' -o -name '*.csv' -o -name '*.svg' -o -name '*.bin' -o -name '*.gz' 2>/dev/null)
PAGE := src/granada/page/.stamp
PAGE_SOURCES := $(shell find web src/granada/locales -name node_modules -prune -o -path '*/locales/*.py*' -o -print 2>/dev/null)

.PHONY: play page site docs release test check format lint types browser unit compiled-unit bench train ladder golden api games screens page-figures lock clean help

help:
	@echo "make play   start the server on this machine and open it in a browser"
	@echo "make page   build the web client if its sources have changed (make play does this, too)"
	@echo "make site   write the game as a static site into dist/site (BASE=/name/ if it is not at the top of its host)"
	@echo "make docs   write the documentation site into dist/docs"
	@echo "make test   all checks: format, lint, types, tests interpreted and compiled, tests in a browser"
	@echo "make check  the same"
	@echo "make bench  measure speed as ratios against other environments in the same run"
	@echo "make train  retrain the evaluation of the strongest bot by self-play (minutes) and write its weights"
	@echo "make ladder play the standing tournaments of all bots (hours; resumes where it stopped) and write docs/ladder.md"
	@echo "make golden regenerate the golden games (review the diff before committing)"
	@echo "make api    regenerate the API documents and the types of the web client"
	@echo "make games         play whole games in a browser: every set-up with every input method"
	@echo "make screens       take screenshots of all screens into docs/screens"
	@echo "make page-figures  measure the web client and the static site: bytes, load time, time from click to paint, memory"
	@echo "make format format the sources"
	@echo "make release   check that this commit can be released, and list its components (dist/granada-VERSION.cdx.json)"

# With compiled rules the bots search ten times as many positions; without a C compiler the rules run interpreted.
play: $(VENV)/play.stamp $(PAGE)
	@$(MAKE) --no-print-directory $(COMPILED)/stamp || echo "The rules could not be compiled and will run interpreted."
	@PYTHONPATH=$$([ -s $(COMPILED)/stamp ] && echo $(COMPILED)) $(BIN)/granada serve

page: $(PAGE)

site: $(VENV)/play.stamp $(PAGE)
	@$(BIN)/python build_site.py
	@$(BIN)/granada site --out dist/site --base $(BASE)

# Without --strict, `.venv/bin/python -m mkdocs serve` shows the site while you write.
docs: $(VENV)/test.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict --clean

test: lint types unit compiled-unit

check: test

format: $(VENV)/test.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m tests.server.npm format

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.server.npm format:check

types: $(VENV)/test.stamp
	$(BIN)/mypy
	$(BIN)/python -m tests.server.npm check

# Chromium for the tests of the web client: installed if it is missing and we may; otherwise the error says what to install.
browser: $(VENV)/test.stamp
	@$(BIN)/python -m tests.web.browser install

unit: $(VENV)/test.stamp $(PAGE) browser
	@$(BIN)/python build_site.py
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

# The same tests with the rules compiled by mypyc, if there is a C compiler. Left out are the arena and most tests of the server:
# processes and databases do not depend on how the rules run.
compiled-unit: $(COMPILED)/stamp
	@if [ -s $(COMPILED)/stamp ]; then \
	  GRANADA_EXPECT=compiled PYTHONPATH=$(COMPILED) $(BIN)/python -m pytest -q -n 2 $(COMPILED_TESTS); \
	else echo "No C compiler found: the tests ran interpreted only."; fi

bench: $(VENV)/bench.stamp $(COMPILED)/stamp
	$(BIN)/python benchmarks/speed.py
	@if [ -s $(COMPILED)/stamp ]; then PYTHONPATH=$(COMPILED) $(BIN)/python benchmarks/speed.py; \
	else echo "No C compiler found: only the interpreted rules were measured."; fi
	@PYTHONPATH=$$([ -s $(COMPILED)/stamp ] && echo $(COMPILED)) $(BIN)/python benchmarks/learning.py

# TRAIN passes options: make train TRAIN="--games 100 --out /tmp/model.bin"
train: $(VENV)/test.stamp $(COMPILED)/stamp
	@PYTHONPATH=$$([ -s $(COMPILED)/stamp ] && echo $(COMPILED)) $(BIN)/python -m granada.engine.training --out src/granada/engine/model.bin $(TRAIN)

# LADDER passes options: make ladder LADDER="--only granada-doubling-0.2s --scale 0.1"
ladder: $(VENV)/test.stamp $(COMPILED)/stamp
	@if [ -s $(COMPILED)/stamp ]; then PYTHONPATH=$(COMPILED) $(BIN)/python benchmarks/ladder.py $(LADDER); \
	else echo "No C compiler found: the games are played interpreted."; $(BIN)/python benchmarks/ladder.py $(LADDER); fi

api: $(VENV)/test.stamp
	$(BIN)/python -m granada.server.http.openapi docs/api
	$(BIN)/python -m tests.server.npm types

# Every set-up with clicks, keys and the command line; make test plays a selection of them.
games: $(VENV)/test.stamp $(PAGE) browser
	GRANADA_ALL_GAMES=1 $(BIN)/python -m pytest -q -n 2 --dist worksteal tests/web/test_games.py

screens: $(VENV)/test.stamp $(PAGE) browser
	$(BIN)/python -m tests.web.screenshots docs/screens

page-figures: $(VENV)/test.stamp $(PAGE) browser
	$(BIN)/python -m benchmarks.page
	$(BIN)/python -m benchmarks.site

# Locks the newest versions that go together, for every platform and Python version; look at the difference before you commit it.
lock:
	$(PYTHON) -m venv build/lock && build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	cd requirements && for set in "server" "test server" "bench test server" "docs"; do \
	  name=$${set%% *}; { head -2 $$name.txt; ../build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	    --generate-hashes --no-header --no-annotate --no-emit-index-url $$(for one in $$set; do echo $$one.in; done) \
	    $$(if [ $$name = docs ]; then echo --constraint test.txt; fi); } > $$name.new \
	  && mv $$name.new $$name.txt || exit 1; \
	done
	cd requirements && { head -3 bench-others.txt; ../build/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	  --no-deps --generate-hashes --no-header --no-annotate --no-emit-index-url bench-others.in; } > bench-others.new && mv bench-others.new bench-others.txt

# Says in one sentence each what is left to do. The workflow of a release runs it first.
release: $(VENV)/test.stamp $(PAGE)
	@$(BIN)/python build_site.py
	@$(BIN)/python -m release

golden: $(VENV)/test.stamp
	$(BIN)/python -m tests.golden.make
	$(BIN)/python -m tests.cli.test_perft

clean:
	rm -rf $(VENV) build dist src/granada/page src/granada/site web/node_modules .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Granada needs Python 3.11 to 3.14, this is " + sys.version.split()[0]) if not (3, 11) <= sys.version_info[:2] <= (3, 14) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/play.stamp: $(VENV)/bin/python pyproject.toml hatch_build.py requirements/server.txt
	@echo "Installing Granada into $(VENV) and building the web client: a few minutes the first time…"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/server.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

# Installing the package builds the web client; this rebuilds it after changes.
$(PAGE): $(VENV)/play.stamp $(PAGE_SOURCES)
	@$(BIN)/python build_page.py
	@touch $@

$(VENV)/test.stamp: $(VENV)/play.stamp requirements/test.txt requirements/docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/test.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/docs.txt
	@touch $@

$(VENV)/bench.stamp: $(VENV)/test.stamp requirements/bench.txt requirements/bench-others.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements/bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements/bench-others.txt
	@touch $@

$(COMPILED)/stamp: $(SOURCES) pyproject.toml hatch_build.py $(VENV)/play.stamp | $(PAGE)
	@echo "Compiling the rules if there is a C compiler…"
	@rm -rf $(COMPILED) && mkdir -p $(COMPILED)
	@if $(BIN)/python -c 'import shutil, sys, sysconfig; sys.exit(not shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]))'; then \
	  GRANADA_COMPILE=1 GRANADA_SITE=0 $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(COMPILED) . && echo compiled > $@; \
	else touch $@; fi
