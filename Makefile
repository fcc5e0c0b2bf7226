# Two commands do everything: `make demo` and `make test`. Each makes its own environment.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint types unit bench clean

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

unit: $(VENV)/.installed-dev $(if $(TRAIN),$(VENV)/.installed-train)
	$(BIN)/python -m pytest
	@$(BIN)/python -c "import torch" 2>/dev/null || echo "Skipped: the tests of training," \
	  "which need torch. To run them too: make test TRAIN=1"

$(VENV)/.installed-bench: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $@

bench: $(VENV)/.installed-bench ## measure everything; needs DATA=path, and an hour of an idle machine
	@test -n "$(DATA)" || { echo "make bench needs DATA=path: see benchmarks/README.md"; exit 2; }
	$(BIN)/python benchmarks/shape.py $(DATA)/wiki/intros.jsonl.xz
	$(BIN)/python benchmarks/corpus.py --data $(DATA)
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/tables.py

clean: ## remove the environment and what the demo made
	rm -rf $(VENV) demo.corpus .mypy_cache .ruff_cache .pytest_cache
