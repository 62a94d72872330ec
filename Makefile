# Two commands do everything: `make demo` and `make test`. Each needs python3 (3.11 or newer), python3-venv and make.

PYTHON ?= python3
# Test processes that run side by side: one more than two processors need, for those that wait for a server.
WORKERS ?= 3

SAMPLE := tests/vectors/logins-2018-11.csv --attacks tests/vectors/attacks-2018-11.csv

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# The demo and the attacks need less than the tests and the linters, and don't wait for the rest.
DEMO_INSTALLED := $(VENV)/.installed-demo
# The peers that we are measured against stay out of the environment that is tested.
VENV_BENCH := .venv-bench
BENCH_INSTALLED := $(VENV_BENCH)/.installed

# nginx lives in /usr/sbin, which a plain user's PATH lacks on Debian.
export PATH := $(PATH):/usr/sbin:/sbin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# Hundreds of processes import the demo or the tests: each would compile all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint wheel fuzz bench replay packages clean
.NOTPARALLEL:

help: ## Show what each target does
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(DEMO_INSTALLED) ## Attack the demo with and without each defense, and print what happened
	$(BIN)/python -m attacks

serve: $(DEMO_INSTALLED) ## Start the demo and leave it open for a browser
	$(BIN)/python -m demo_app

test: packages $(INSTALLED) ## Run all tests, on real servers and in a real browser
	@.ci/tests $(WORKERS)

lint: $(INSTALLED) ## Check style, types and layering
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

wheel: $(INSTALLED) ## Build the wheel and try it in an environment of its own
	@PYTHON=$(BIN)/python .ci/wheel

fuzz: $(INSTALLED) ## Try a million inputs against each key and each property test marked "fuzz" (long)
	$(BIN)/python -m tests.identity.fuzz --inputs 1000000
	$(BIN)/python -m tests.otp.fuzz --inputs 1000000
	$(BIN)/python -m pytest -m fuzz --hypothesis-profile=fuzz --timeout=0 -n $(WORKERS)

bench: $(BENCH_INSTALLED) ## Measure what a decision costs, beside others, and write docs/performance.md
	@.ci/packages redis-server
	$(VENV_BENCH)/bin/python -m benchmarks --json benchmarks.json --page docs/performance.md

replay: $(DEMO_INSTALLED) ## Replay a month of logins against the policies, or yours: make replay FILE=access.log
	$(BIN)/authguard replay $(if $(FILE),"$(FILE)" $(if $(ATTACKS),--attacks "$(ATTACKS)"),$(SAMPLE) --compare)

packages: ## Get the programs that the tests start
	@.ci/packages redis-server nginx chromium curl

clean: ## Remove the environment and everything that was built or cached
	rm -rf $(VENV) $(VENV_BENCH) benchmarks.json build dist instance .coverage .coverage.* htmlcov *.egg-info
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(DEMO_INSTALLED): pyproject.toml
	@$(call make_environment,$(VENV))
	@echo "==> Installing authguard and what the demo needs"
	$(BIN)/python -m pip install -e '.[demo]'
	@touch $@

$(INSTALLED): pyproject.toml
	@$(call make_environment,$(VENV))
	@echo "==> Installing authguard and what the demo, the tests and the linters need (a minute or two)"
	$(BIN)/python -m pip install -e '.[demo,test,lint]'
	@touch $(DEMO_INSTALLED) $@

$(BENCH_INSTALLED): pyproject.toml
	@$(call make_environment,$(VENV_BENCH))
	$(VENV_BENCH)/bin/python -m pip install -e '.[demo,bench]'
	@touch $@

define make_environment
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || { echo "authguard needs Python 3.11 or newer; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }; \
echo "==> Making the environment in $1"; \
$(PYTHON) -m venv $1 \
  || { echo "Python's venv module is missing; on Debian: sudo apt-get install python3-venv" >&2; exit 1; }
endef
