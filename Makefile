# The verbs of this house. Everything runs from .venv, which the first verb builds.
PYTHON ?= python3
BIN := .venv/bin
# One more than there are cores: a test with a browser waits as much as it works.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1)))

.PHONY: play test check slow bench edges docs clean

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

slow: .venv
	$(BIN)/python -m pytest -m "slow or hypothesis" --hypothesis-profile=any

bench: .venv
	$(BIN)/python -m bench

# Everything a person types or pipes in, attacked: 5,000 command lines, programs under bad conditions, Views.
edges: .venv
	$(BIN)/python -m tests.edges

docs: .venv
	$(BIN)/python -m pytest tests/docs

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
