# `make demo` and `make test` each make the environment that they need; so do all others.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# The versions that were tested. `make CONSTRAINTS=` takes the newest that pyproject.toml allows.
CONSTRAINTS ?= constraints.txt
INSTALL := -m pip install --quiet --disable-pip-version-check $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
PYTHON_CODE := src tests benchmarks tools

.DEFAULT_GOAL := help
.PHONY: help demo workbench test test-browser test-cluster test-recipes lint types unit coverage docs refresh-docs wheel sbom reproducible lock constraints bench torture clean

# The tests in a browser run if there is one; `make test-browser` installs it.
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The stamps are remade when the dependencies change, so the environment never lags behind.
$(VENV)/.installed: pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) --editable .
	@touch $@

# One stamp for each extra: .installed-dev, .installed-docs, .installed-train, .installed-browser, …
$(VENV)/.installed-%: $(VENV)/.installed
	$(BIN)/python $(INSTALL) --editable '.[$*]'
	@touch $@

demo: $(VENV)/.installed ## build the sample corpus and check a few claims against it
	$(BIN)/feverfew index --sample -o demo.corpus
	$(BIN)/feverfew info --corpus demo.corpus
	$(BIN)/feverfew check --corpus demo.corpus "Fritz Lang directed Metropolis." \
	  "Fritz Lang was born in 1975." "Fritz Lang owned a parrot." \
	  "Fritz Lang directed Metropolis. He was born in Vienna."

workbench: $(VENV)/.installed-workbench ## serve an annotation workbench over the sample at http://127.0.0.1:8770
	@test -d bench || $(BIN)/feverfew workbench init bench --demo
	$(BIN)/feverfew workbench serve bench

test: lint types unit ## linter, types and tests; TRAIN=1 RECIPES=1 includes those of training and recipes

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# Training needs torch, 750 MB that nothing else needs; without it, its tests are skipped.
unit: $(VENV)/.installed-dev $(if $(TRAIN),$(VENV)/.installed-train) \
    $(if $(RECIPES),$(VENV)/.installed-recipes $(VENV)/.installed-croissant) \
    $(if $(CLUSTER),$(VENV)/.installed-cluster) \
    $(if $(CHROMIUM),$(VENV)/.installed-browser)
	$(BIN)/python -m pytest
	@test -n "$(CHROMIUM)" || echo "Skipped: the browser tests, which need Chromium." \
	  "To run them: make test-browser"
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	  echo "Skipped: the tests on PostgreSQL. To run them: apt-get install postgresql"
	@$(BIN)/python -c "import torch" 2>/dev/null || echo "Skipped: the training tests," \
	  "which need torch. To run them: make test TRAIN=1"
	@$(BIN)/python -c "import llama_index.core, mlcroissant" 2>/dev/null || echo "Skipped: the recipes" \
	  "for other packages, and validation by mlcroissant. To run them: make test RECIPES=1"
	@test "$$FEVERFEW_CLUSTER" = full || echo "Skipped: tests on a Ray cluster: the long ones, and" \
	  "all if Ray is not installed. To run them: make test-cluster"
	@command -v strace >/dev/null || echo "Skipped: simulated power cuts, which need strace."

test-browser: $(VENV)/.installed-dev $(VENV)/.installed-browser ## test the web page in Chromium; installs it with apt-get
	@test -n "$(CHROMIUM)" || { apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium; } || \
	  { echo "Chromium is missing and could not be installed. Install it, then try again."; exit 2; }
	FEVERFEW_BROWSER=required $(BIN)/python -m pytest tests/browser

test-recipes: $(VENV)/.installed-dev $(VENV)/.installed-recipes ## test the recipes with LangChain, LlamaIndex, IPython and pre-commit
	$(BIN)/python -m pytest tests/integrations

test-cluster: $(VENV)/.installed-dev $(VENV)/.installed-cluster ## test on a Ray cluster of two nodes, on this machine
	FEVERFEW_CLUSTER=full $(BIN)/python -m pytest tests/cluster

coverage: $(VENV)/.installed-dev ## run the tests and report which lines and branches they miss
	$(BIN)/python -m pytest --cov --cov-report=term --cov-report=html:build/coverage

docs: $(VENV)/.installed-docs ## build the documentation into build/site; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Built build/site/index.html"

refresh-docs: $(VENV)/.installed-dev ## run every example in the docs and renew the output shown
	$(BIN)/python -m tools.refresh_docs

# The wheel must work by itself: in an empty environment, away from the source tree.
wheel: ## build a wheel, install it into an empty environment and check a claim with it
	rm -rf build/wheel && mkdir -p build/wheel
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --wheel-dir dist .
	build/wheel/venv/bin/python $(INSTALL) dist/feverfew-$$(sed -n 's/^version = "\(.*\)"/\1/p' \
	  pyproject.toml)-py3-none-any.whl
	cd build/wheel && HOME=$$PWD XDG_CACHE_HOME=$$PWD/cache ./venv/bin/feverfew check \
	  "Fritz Lang directed Metropolis." | tee checked.txt
	@grep -q "SUPPORTED" build/wheel/checked.txt

# Its own environment: the list must not name what only developers have.
sbom: ## write dist/feverfew.cdx.json: a CycloneDX list of what the package and its extras install
	rm -rf build/sbom && mkdir -p build dist
	$(PYTHON) -m venv build/sbom/of
	$(PYTHON) -m venv build/sbom/by
	build/sbom/of/bin/python $(INSTALL) '.[documents,client,web,mcp,sign]'
	build/sbom/by/bin/python -m pip install --quiet --disable-pip-version-check 'cyclonedx-bom==7.5.0'
	SOURCE_DATE_EPOCH=$$(git show -s --format=%ct) build/sbom/by/bin/cyclonedx-py environment \
	  --output-reproducible --mc-type library --pyproject pyproject.toml \
	  --output-file dist/feverfew.cdx.json build/sbom/of/bin/python

reproducible: $(VENV)/.installed ## build the wheel of the last commit twice, and compare the bytes
	$(BIN)/python tools/reproducible.py

lock: $(VENV)/.installed-dev ## renew requirements.lock: what is installed, with hashes
	$(BIN)/python tools/lock.py

constraints: ## renew constraints.txt: the newest versions of everything, in an empty environment
	rm -rf build/constraints && mkdir -p build
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --disable-pip-version-check \
	  '.[dev,docs,browser,cluster,recipes,train,papers,bench]'
	{ echo "# The versions that were tested; written by \`make constraints\`."; \
	  build/constraints/bin/python -m pip freeze --exclude feverfew | sed "s/+.*//"; } > constraints.txt

bench: $(VENV)/.installed-bench ## measure the corpus; needs DATA=path and an hour of an idle machine
	@test -n "$(DATA)" || { echo "make bench needs DATA=path: see benchmarks/README.md"; exit 2; }
	$(BIN)/python benchmarks/shape.py $(DATA)/wiki/intros.jsonl.xz
	$(BIN)/python benchmarks/corpus.py --data $(DATA)
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/write_docs.py

torture: $(VENV)/.installed-dev ## try to break it: kills, power cuts, bombs, damage, overload; an hour, or SHORT=1
	$(BIN)/python -m tools.torture $(if $(SHORT),--short)

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist demo.corpus .screenshots .mypy_cache .ruff_cache .pytest_cache .coverage*
