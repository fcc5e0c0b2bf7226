# Two commands do everything: `make demo` and `make test`. Each makes its own environment.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-browser lint types unit bench clean

# The tests in a browser run where there is one; `make test-browser` brings it.
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The stamp is remade when the dependencies change, so the environment never lags behind.
$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.installed ## build the sample corpus and check a few claims against it
	$(BIN)/feverfew index --sample -o demo.corpus
	$(BIN)/feverfew info --corpus demo.corpus
	$(BIN)/feverfew check --corpus demo.corpus "Fritz Lang directed Metropolis." \
	  "Fritz Lang was born in 1975." "Fritz Lang owned a parrot." \
	  "Fritz Lang directed Metropolis. He was born in Vienna."

test: lint types unit ## linter, types and tests; TRAIN=1 for those of training too

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# Training needs torch, 750 MB that nothing else here needs: without it, its tests are skipped.
$(VENV)/.installed-train: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	@touch $@

$(VENV)/.installed-browser: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,browser]'
	@touch $@

test-browser: $(VENV)/.installed-browser ## the page in a real Chromium; installs it where that is allowed
	@test -n "$(CHROMIUM)" || { apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium; } || \
	  { echo "No Chromium here, and none could be installed: install it, then try again."; exit 2; }
	FEVERFEW_BROWSER=required $(BIN)/python -m pytest tests/browser

unit: $(VENV)/.installed-dev $(if $(TRAIN),$(VENV)/.installed-train) \
    $(if $(CHROMIUM),$(VENV)/.installed-browser)
	$(BIN)/python -m pytest
	@test -n "$(CHROMIUM)" || echo "Skipped: the tests in a browser, which need Chromium." \
	  "To run them too: make test-browser"
	@$(BIN)/python -c "import torch" 2>/dev/null || echo "Skipped: the tests of training," \
	  "which need torch. To run them too: make test TRAIN=1"

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

bench: $(VENV)/.installed-bench ## measure the corpus; needs DATA=path, and an hour of an idle machine
	@test -n "$(DATA)" || { echo "make bench needs DATA=path: see benchmarks/README.md"; exit 2; }
	$(BIN)/python benchmarks/shape.py $(DATA)/wiki/intros.jsonl.xz
	$(BIN)/python benchmarks/corpus.py --data $(DATA)
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/tables.py

clean: ## remove the environment and what the demo made
	rm -rf $(VENV) demo.corpus .screenshots .mypy_cache .ruff_cache .pytest_cache
