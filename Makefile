# The verbs of this house. Everything runs from .venv, which the first verb builds.
PYTHON ?= python3
BIN := .venv/bin
# One more than there are cores: a test with a browser waits as much as it works.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)))
WEB := src/fifteentwo/web
TSC := .venv/node_modules/.bin/tsc
NODE_REQUIRED := $(findstring node,$(FIFTEENTWO_REQUIRE))

.PHONY: play test check slow bench docs clean

.venv: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --constraint constraints.txt
	touch .venv

play: .venv
	$(BIN)/fifteentwo play

test: .venv
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not timed"
	$(BIN)/python -m pytest -m "timed and not slow"

check: .venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -x $(BIN)/pyright ]; then $(BIN)/pyright src; else echo "pyright is not installed: skipped"; fi
	@if [ -x $(TSC) ]; then $(TSC) -p $(WEB)/jsconfig.json && $(TSC) -p $(WEB)/worker.jsconfig.json; \
	else echo "tsc is not installed (make $(TSC))$(if $(NODE_REQUIRED), and is required,: skipped)"; $(if $(NODE_REQUIRED),false,true); fi

$(TSC): | .venv
	npm install --silent --no-save --no-package-lock --prefix .venv typescript@7.0.2

slow: .venv
	$(BIN)/python -m pytest -m "slow or hypothesis" --hypothesis-profile=any

bench: .venv
	$(BIN)/python -m bench

docs: .venv
	$(BIN)/python -m pytest tests/docs

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
