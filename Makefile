# Everything runs from .venv. set_up.py builds it: what playing needs, or whole.
PYTHON ?= python3
UV ?= uv
BIN = .venv/bin
# One more than there are cores: a test with a browser waits as much as it works.
WORKERS ?= $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))
WEB = src/fifteentwo/web
NODE_TOOLS = $(abspath .venv/node_modules/.bin)
TSC = $(NODE_TOOLS)/tsc
BIOME = $(NODE_TOOLS)/biome
# Each module is compiled once, not by every worker and every program of the tests.
unexport PYTHONDONTWRITEBYTECODE
LOCK_GROUPS = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make constraints"
LOCK = $(LOCK_GROUPS) pyproject.toml

.PHONY: play .venv .venv-play test long measured check node-tools slow bench rating edges faults load docs wheel man constraints \
	clean

play: .venv-play
	$(BIN)/fifteentwo play

.venv-play:
	@$(PYTHON) set_up.py play

.venv:
	@$(PYTHON) set_up.py whole

test: .venv
	$(BIN)/python -m lab prepare
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=10

# Whole games by clicking, every state and size, kills, start-ups and outages: what takes minutes. CI runs it with every
# change.
long: .venv
	$(BIN)/fifteentwo prepare
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long and not slow and not timed"

# Bounds in seconds, one test after another: every night and before a release, on a machine that does nothing else.
measured: .venv
	$(BIN)/python -m lab prepare
	$(BIN)/python -m pytest -m timed

check: .venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if [ -x $(BIN)/pyright ]; then $(BIN)/pyright src; else echo "pyright is not installed: skipped"; fi
	@if [ -x $(TSC) ] && [ -x $(BIOME) ]; then \
	$(TSC) -p $(WEB)/jsconfig.json && $(TSC) -p $(WEB)/worker.jsconfig.json && \
	$(BIOME) ci --error-on-warnings .; \
	else case "$$FIFTEENTWO_REQUIRE" in \
	*node*) echo "TypeScript and Biome are not installed (make node-tools), and are required"; exit 1;; \
	*) echo "TypeScript and Biome are not installed (make node-tools): skipped";; esac; fi

# What checks, lints and formats the page's scripts and styles; nothing of it ships. Needs npm.
node-tools:
	npm install --silent --no-save --no-package-lock --prefix .venv typescript@7.0.2 @biomejs/biome@2.6.8

slow: .venv
	$(BIN)/python -m pytest -m "(slow or long or hypothesis) and not timed" --hypothesis-profile=any

bench: .venv
	$(BIN)/python -m lab bench

# How good ratings, luck and reviews are (docs/rating.md holds the print); goes on from .rating.
rating: .venv
	$(BIN)/fifteentwo prepare --all
	$(BIN)/python -m lab rating

# Everything a person types or pipes in, attacked: 5,000 command lines, programs under bad conditions, 70,000 Views
# to every level; then the compiled kernels again, checking bounds.
edges: .venv
	$(BIN)/python -m tests.edges

# Kills, outages and full disks against a server that is played on; FAULTS="--kills 1000 --postgres-kills 300" and so on.
faults: .venv
	$(BIN)/python -m tests.faults $(FAULTS)

# How many tables one process carries; LOAD="--tables 500 --tables 1000 --seconds 60 --database postgres" and so on.
load: .venv
	$(BIN)/python -m lab load $(LOAD)

# A wheel in dist that contains the manual.
wheel: .venv
	$(BIN)/python docs/site/manual.py
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

# Builds the manual, which the server shows at /manual, and checks all pages, the built ones too.
docs: .venv
	$(BIN)/python docs/site/manual.py
	$(BIN)/python -m pytest -m "not slow and not timed" tests/docs

# Manual pages of every command, in both languages: man -M build/man fifteentwo-score
man: .venv
	$(BIN)/python -c 'import pathlib; from fifteentwo.cli import main, shells; shells.write_manual_pages(main, pathlib.Path("build/man"))'

# Writes the locks again, keeping what is pinned where it can; UPGRADE=--upgrade takes the newest. Needs uv.
constraints:
	$(LOCK) $(UPGRADE) --extra dev --group docs --group build --output-file constraints.txt
	$(LOCK) --constraint constraints.txt --extra table --output-file constraints-play.txt
	$(LOCK_GROUPS) --constraint constraints.txt --group docs --group build --output-file constraints-build.txt

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
