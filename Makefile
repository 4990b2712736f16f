# Every target works from a clean clone, alone or under `make -j`: whatever needs the virtual environment depends on it.
# Variables: PYTHON (the interpreter for .venv), ARGS (passed on to the command a target runs).

PYTHON ?= python3
ARGS ?=
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CODE := clients/python/src

NODE_BOT := clients/examples/node
NODE_PACKAGES := $(NODE_BOT)/node_modules/.package-lock.json

# what `digests` runs on; with REQUIRE=1 a version that is not found is a failure, not a remark
DIGEST_PYTHONS ?= 3.11 3.12 3.13
REQUIRE ?=


.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# --- environment -----------------------------------------------------------------------------------------------------

# Two steps, since pyproject.toml changes often (it also configures the tools) and the lock seldom.
# --clear: what is no longer locked must not linger.
$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and f"Python 3.11 or newer is needed and $(PYTHON) is {v}; name another, as in: make PYTHON=python3.12")'
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(INSTALLED): $(VENV)/.locked pyproject.toml clients/python/pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e clients/python -e .
	@touch $@

$(VENV)/.bench: bench.lock $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --require-hashes -r bench.lock
	@touch $@

$(VENV)/.browsers: browsers.lock $(INSTALLED)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r browsers.lock
	@touch $@

# --- running ---------------------------------------------------------------------------------------------------------

.PHONY: demo
demo: $(INSTALLED) ## Play a game in the terminal against a server started for it
	$(BIN)/finspan demo $(ARGS)

.PHONY: serve
serve: $(INSTALLED) ## Run the service
	$(BIN)/finspan serve $(ARGS)

.PHONY: proxy
proxy: $(VENV)/.browsers ## Let browsers in: gRPC-Web on port 8080 for the service on port 50051
	$(BIN)/envoy -c docs/envoy.yaml $(ARGS)

# --- checking --------------------------------------------------------------------------------------------------------

.PHONY: test
test: lint ## Everything that must pass before a change lands, within minutes
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)

.PHONY: test-long
test-long: $(INSTALLED) ## The tests that take longer
	$(BIN)/pytest -n auto --dist worksteal -m long --timeout 1800 $(ARGS)
	$(BIN)/python -m tests.fuzz

.PHONY: fuzz
fuzz: $(INSTALLED) ## Ask whatever nobody would ask, for nine minutes on all cores (ARGS='--seconds 60')
	$(BIN)/python -m tests.fuzz $(ARGS)

.PHONY: mutation
mutation: $(INSTALLED) ## Put faults into the engine and see which ones no test notices (ARGS='--sample 0 plays')
	$(BIN)/python -m tests.mutation $(ARGS)

.PHONY: lint
lint: proto-check breaking ## Style, types, the contract, and whether generated code is fresh
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

.PHONY: breaking
breaking: $(INSTALLED) ## Fail if the contract breaks a client that was built with an earlier one (tests/contract)
	@for earlier in tests/contract/*.binpb; do $(BIN)/buf breaking --against "$$earlier" || exit 1; done

# Printed by an interpreter of the version asked for: on PATH, else among pyenv's. A name on PATH proves nothing (pyenv
# puts one there for versions that it will not run), so each candidate must say its version.
define find_python
find_python() { \
	for python in "python$$1" "$$(pyenv root 2>/dev/null || echo ~/.pyenv)"/versions/$$1.*/bin/python; do \
		"$$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] != sys.argv[1])' "$$1" 2>/dev/null \
			&& echo "$$python" && return; \
	done; \
	return 1; \
}
endef

.PHONY: digests
digests: ## The same games to the bit on each Python found (REQUIRE=1: on all of them)
	@$(find_python); for version in $(DIGEST_PYTHONS); do \
		if python=$$(find_python $$version); then \
			echo "digests: Python $$version"; "$$python" -m tests.digests $(ARGS) || exit; \
		else \
			echo "digests: Python $$version not found$(if $(REQUIRE),, and left out)"; $(if $(REQUIRE),exit 1,:); \
		fi; \
	done

# In a copy, so that the tree stays plain: where a compiled module stands beside its source, Python takes that one.
COMPILED := build/compiled

.PHONY: compiled
compiled: $(INSTALLED) ## Compile the engine with mypyc and run its tests on that form
	rm -rf $(COMPILED) && mkdir -p $(COMPILED)
	git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory $(COMPILED)
	cd $(COMPILED) && FINSPAN_COMPILED=1 $(CURDIR)/$(BIN)/python setup.py --quiet build_ext --inplace
	cd $(COMPILED) && $(CURDIR)/$(BIN)/python -c 'from service.engine import rules; assert rules.__file__.endswith(".so")'
	cd $(COMPILED) && PYTHONPATH=.:$(CODE) $(CURDIR)/$(BIN)/python -m pytest -n auto --dist worksteal \
		tests/engine tests/golden tests/tree_counts tests/digests tests/vectors $(ARGS)

.PHONY: bench
bench: $(VENV)/.bench ## Measure the engine and the service beside their rivals
	$(BIN)/python -m tests.bench $(ARGS)

# An environment of its own for the tools of deploy.lock, which want other packages than ours.
DEPLOY := build/deploy

$(DEPLOY)/.installed: deploy.lock $(INSTALLED)
	$(BIN)/python -m venv --clear $(DEPLOY)/tools
	$(DEPLOY)/tools/bin/pip install --quiet --disable-pip-version-check --require-hashes -r deploy.lock
	@touch $@

.PHONY: deploy-check
deploy-check: $(DEPLOY)/.installed ## Check the manifests of deploy/k8s, as rendered, and the Dockerfile
	$(BIN)/python -m tests.deploy.manifests $(DEPLOY)/rendered
	CI=1 $(BIN)/pytest tests/deploy $(ARGS)
	$(DEPLOY)/tools/bin/yamllint --strict -c deploy/yamllint.yaml deploy
	$(DEPLOY)/tools/bin/hadolint Dockerfile
	$(DEPLOY)/tools/bin/checkov --config-file deploy/checkov.yaml -f $(DEPLOY)/rendered/*.yaml Dockerfile

# --- the example in TypeScript ---------------------------------------------------------------------------------------

$(NODE_PACKAGES): $(addprefix $(NODE_BOT)/,package.json package-lock.json .npmrc)
	@command -v npm >/dev/null || { echo "Node.js 20 or newer is needed for this, with npm"; exit 1; }
	npm --prefix $(NODE_BOT) ci --no-audit --no-fund
	@touch $@

# A run of its own for each target, not a file: what is built depends on the contract and on all of src/.
.PHONY: node-build
node-build: $(NODE_PACKAGES)
	npm --prefix $(NODE_BOT) run --silent build

.PHONY: node-example
node-example: node-build $(INSTALLED) ## Let the bot in TypeScript play against a server started for it
	$(BIN)/python -m tests.examples.with_server node $(NODE_BOT)/dist/main.js $(ARGS)

.PHONY: node-test
node-test: node-build $(INSTALLED) ## Check and test the bot in TypeScript
	npm --prefix $(NODE_BOT) run --silent check
	FINSPAN_TEST_NODE=1 $(BIN)/pytest tests/examples/test_node.py $(ARGS)

.PHONY: page
page: node-build ## Serve the example page on port 5173; it needs `make serve` and `make proxy`
	npm --prefix $(NODE_BOT) run page

.PHONY: browser-test
browser-test: node-build $(VENV)/.browsers ## Play in Chromium through Envoy
	FINSPAN_TEST_BROWSERS=1 $(BIN)/pytest tests/examples/test_browsers.py tests/examples/test_page.py $(ARGS)

# --- making files that are committed ---------------------------------------------------------------------------------

# $(call generate,DIRECTORY): the contract is mapped to finspan/v1/, so that imports and descriptors bear that name.
generate = $(BIN)/python -m grpc_tools.protoc -Ifinspan/v1=proto \
	--plugin=protoc-gen-mypy=$(BIN)/protoc-gen-mypy --plugin=protoc-gen-mypy_grpc=$(BIN)/protoc-gen-mypy_grpc \
	--python_out=$(1) --grpc_python_out=$(1) --mypy_out=quiet:$(1) --mypy_grpc_out=quiet:$(1) \
	finspan/v1/finspan.proto

.PHONY: proto
proto: $(INSTALLED) ## Generate Python from proto/finspan.proto
	$(call generate,$(CODE))

.PHONY: proto-check
proto-check: $(INSTALLED) ## Fail if the generated code is stale
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && $(call generate,"$$fresh") && \
	if ! diff -r -x __init__.py -x __pycache__ $(CODE)/finspan/v1 "$$fresh/finspan/v1"; then \
		echo "proto-check: the generated code is stale; run: make proto"; exit 1; \
	fi

.PHONY: golden
golden: $(INSTALLED) ## Play the golden games again and rewrite their texts (review the diff)
	$(BIN)/python -m tests.golden.regenerate $(ARGS)

.PHONY: tree-counts
tree-counts: $(INSTALLED) ## Count the game trees again and rewrite their table (review the diff)
	$(BIN)/python -m tests.tree_counts.regenerate $(ARGS)

.PHONY: vectors
vectors: $(INSTALLED) ## Ask again for the vectors for other implementations and rewrite them (review the diff)
	$(BIN)/python -m tests.vectors.regenerate
	$(BIN)/python -m tests.vectors.conformance.regenerate

.PHONY: digest-table
digest-table: $(INSTALLED) ## Play the games of tests/digests again and rewrite their table (review the diff)
	$(BIN)/python -m tests.digests --write

.PHONY: docs
docs: $(INSTALLED) ## Rewrite the pages that are read off the code and the tests
	$(BIN)/python -m tests.coverage
	$(BIN)/python -m tests.rulings_page
	$(BIN)/python -m tests.settings_page

.PHONY: format
format: $(INSTALLED) ## Format code and contract, mend what lint can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/buf format --write

# No index URL and no header: the locks hold for every machine and name none. Our own distributions are no part of them.
lock = $(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-emit-package finspan $(ARGS)

.PHONY: lock
lock: $(INSTALLED) ## Renew the locks for changed dependencies (ARGS=--upgrade: newest versions of all)
	$(lock) --group dev --output-file requirements.lock pyproject.toml clients/python/pyproject.toml
	$(lock) --group build --constraints requirements.lock --output-file requirements-runtime.lock \
		pyproject.toml clients/python/pyproject.toml
	$(lock) --group deploy --output-file deploy.lock
	$(lock) --group bench --output-file bench.lock
	$(lock) --group browsers --output-file browsers.lock

.PHONY: clean
clean: ## Remove the environment and all that tools leave behind
	rm -rf $(VENV) build dist clients/python/build clients/python/dist
	rm -rf $(addprefix $(NODE_BOT)/,node_modules dist src/gen)
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path ./.git -prune -o \( -name __pycache__ -o -name '*.egg-info' \) -exec rm -rf {} +
