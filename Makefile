# Every target sets up what it needs: python3 with venv and pip is enough.
#
#   PYTHON       the interpreter to make .venv with
#   PYTEST_ARGS  arguments of pytest in make test and make stories, as in: make test PYTEST_ARGS="-x -k archive"
#   BENCH_ARGS   further arguments of the benchmarks
#   FAULTS_ARGS  further arguments of make faults, as in: make faults FAULTS_ARGS="--rounds 5 --seed 7"
#   REPLAY_FAULTS_ARGS  the same for replays of a track
#   SITE_FAULTS_ARGS    the same for a site at the deadline
#   FUZZ_ARGS    further arguments of make fuzz, as in: make fuzz FUZZ_ARGS="--minutes 60 --seed 7"
#   MUTANTS_ARGS  further arguments of make mutants, as in: make mutants MUTANTS_ARGS="--only primad.qra.precision"
#   EVIDENCE_ARGS  further arguments of make evidence, as in: make evidence EVIDENCE_ARGS=--stale
#   UPGRADE      make lock UPGRADE=1 moves every pin to its newest version

PYTHON ?= python3
PYTEST_ARGS ?= --numprocesses auto
BENCH_ARGS ?=
FAULTS_ARGS ?= --rounds 50
REPLAY_FAULTS_ARGS ?= --rounds 20
SITE_FAULTS_ARGS ?= --rounds 10
FUZZ_ARGS ?= --inputs 1000000
MUTANTS_ARGS ?=
EVIDENCE_ARGS ?=
UPGRADE ?=

# Tests start hundreds of processes: each would compile all of primad anew where the environment forbids to keep that.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-input

# Two stamps, each written only after its step succeeded: a changed lock makes the environment anew,
# a changed pyproject.toml installs only the package again.
LOCKED := $(VENV)/.locked
INSTALLED := $(VENV)/.installed

# The tests run other tools themselves, which need other packages than primad does: an environment for each lock in
# tests/peers, inside ours, so that whatever clears ours (a changed lock, a moved checkout, make clean) clears these too.
PEERS := $(patsubst tests/peers/%.in,%,$(wildcard tests/peers/*.in))
PEERS_LOCKED := $(PEERS:%=$(VENV)/peers/%/.locked)

# An environment does not survive a move of the checkout: its programs and its link to src name the old place.
ifneq ($(CURDIR),$(shell cat $(VENV)/.place 2>/dev/null))
$(shell rm -f $(LOCKED) $(INSTALLED))
endif

.DEFAULT_GOAL := help
.PHONY: help demo test stories coverage check bench faults fuzz mutants evidence docs migrations dist lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

demo: $(INSTALLED) ## show what primad does, on its own data
	@$(BIN)/primad demo

test: $(INSTALLED) $(PEERS_LOCKED) ## run all tests but the slow stories
	@$(BIN)/pytest -m "not slow" $(PYTEST_ARGS)

stories: $(INSTALLED) $(PEERS_LOCKED) ## run the slow stories: browsers, clusters, kills, pages, demonstrations
	@$(BIN)/pytest -m slow $(PYTEST_ARGS)

coverage: $(INSTALLED) $(PEERS_LOCKED) ## run what make test does in an order of chance, and tell how many branches of the code that takes
	@$(BIN)/pytest -m "not slow" $(PYTEST_ARGS) --random-order --cov --cov-report=
	@$(BIN)/coverage report --skip-covered --sort=cover

check: $(INSTALLED) ## lint, format, types, architecture
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_architecture.py

bench: $(INSTALLED) $(VENV)/peers/repro_eval/.locked ## run the benchmarks
	@$(BIN)/python -m bench $(BENCH_ARGS)
	@$(BIN)/python -m tests.docs.making

faults: $(INSTALLED) ## kill an archive at work, replays and a site, many times, and look what is left
	@$(BIN)/python -m tests.archive.faults $(FAULTS_ARGS)
	@$(BIN)/python -m tests.track.faults $(REPLAY_FAULTS_ARGS)
	@$(BIN)/python -m tests.web.faults $(SITE_FAULTS_ARGS)

fuzz: $(INSTALLED) ## give everything that reads a million broken inputs, and look for errors that are not ours
	@$(BIN)/python -m tests.fuzz $(FUZZ_ARGS)

mutants: $(INSTALLED) ## put small faults into what computes numbers, and look which ones the tests do not notice
	@$(BIN)/python -m tests.mutants $(MUTANTS_ARGS)

evidence: $(INSTALLED) $(PEERS_LOCKED) ## measure what the pages claim, where something changed, and write EVIDENCE.md
	@$(BIN)/python -m evidence $(EVIDENCE_ARGS)

dist: $(INSTALLED) ## build the wheel and the sdist into dist/
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist

migrations: $(INSTALLED) ## write what changed in the models as steps of the database
	@$(BIN)/python -c "from primad.web.settings import Site, configure; configure(Site()); \
	    from django.core.management import call_command; call_command('makemigrations', 'store', 'accounts', 'archive', 'track', 'web')"

docs: $(INSTALLED) ## write the pages that are made from the code, and build the site into site/
	@$(BIN)/python -m tests.docs.making
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@NO_COLOR=1 SITE_DIR=site/zensical $(BIN)/zensical build --clean --strict

# uv does not read pip's configuration, so the index pip uses is handed to it, by the environment only.
lock: $(INSTALLED) ## write requirements.lock and the locks in tests/peers
	@set -e; \
	index=$$($(BIN)/python -m pip config list | sed -n "s/^[^=]*\.index-url='\(.*\)'$$/\1/p" | head -n 1); \
	if [ -n "$$index" ]; then export UV_DEFAULT_INDEX="$$index"; fi; \
	renew() { \
	    lock=$$1; shift; \
	    echo "Resolving the packages of $$1 into $$lock."; \
	    cat $$lock > $(VENV)/new.lock 2> /dev/null || true; \
	    $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url \
	        --python-version 3.11 $(if $(UPGRADE),--upgrade) --output-file $(VENV)/new.lock "$$@"; \
	    if grep -n '://' $(VENV)/new.lock; then echo "$$lock must not contain an address" >&2; exit 1; fi; \
	    cmp -s $(VENV)/new.lock $$lock || cp $(VENV)/new.lock $$lock; \
	}; \
	renew requirements.lock pyproject.toml --all-extras; \
	for peer in $(PEERS); do renew tests/peers/$$peer.lock tests/peers/$$peer.in; done

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist site fuzz-faults .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(LOCKED): requirements.lock
	@command -v $(PYTHON) >/dev/null || { \
	    echo "primad needs Python 3.11 or newer, and there is no $(PYTHON); name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit( \
	    "primad needs Python 3.11 or newer, and $(PYTHON) is %d.%d; name another: make PYTHON=/path/to/python3" \
	    % sys.version_info[:2])'
	@echo "Creating the environment $(VENV)."
	@$(PYTHON) -m venv --clear $(VENV)
	@echo "Installing the packages of requirements.lock (a minute or two)."
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@printf '%s\n' "$(CURDIR)" > $(VENV)/.place
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml
	@echo "Installing primad itself."
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# pip works from our environment on that one, and leaves the compiling to the imports: both save time.
$(VENV)/peers/%/.locked: tests/peers/%.lock $(LOCKED)
	@echo "Installing the packages of $< for the tests (seconds)."
	@$(BIN)/python -m venv --clear --without-pip $(@D)
	@PIP_PYTHON=$(@D) $(PIP_INSTALL) --no-compile --require-hashes -r $<
	@touch $@
