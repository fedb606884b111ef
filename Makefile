# Everything runs from .venv, which set_up.py builds: `play` with what playing needs, `whole` with all extras.
PYTHON ?= python3
UV ?= uv
BIN = .venv/bin
# One more worker than cores, because tests with a browser wait half of their time.
WORKERS ?= $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 1))
WEB = src/fifteentwo/web
NODE_TOOLS = $(abspath .venv/node_modules/.bin)
TSC = $(NODE_TOOLS)/tsc
BIOME = $(NODE_TOOLS)/biome
# Python stores compiled modules, so that workers and programs of the tests need not compile them again.
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
	$(BIN)/python -m lab prepare --no-solvers
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --durations=10

# Tests that take minutes: whole games in the browser, every state and size, kills, start-ups, outages and the solvers
# of the lab. CI runs them with every change.
long: .venv
	$(BIN)/python -m lab prepare
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "long and not slow and not timed"

# Limits in seconds, one test after another: run every night and before a release, on an idle machine.
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

# Installs the checkers and formatters of the page's scripts and styles, for developers only. Needs npm.
node-tools:
	npm install --silent --no-save --no-package-lock --prefix .venv typescript@7.0.2 @biomejs/biome@2.6.8

slow: .venv
	$(BIN)/python -m pytest -m "(slow or long or hypothesis) and not timed" --hypothesis-profile=any

bench: .venv
	$(BIN)/python -m lab bench

# Measures ratings, luck and reviews (docs/rating.md has the results); continues from .rating.
rating: .venv
	$(BIN)/fifteentwo prepare --all
	$(BIN)/python -m lab rating

# Attacks everything that a person types or pipes in: 5,000 command lines, programs under bad conditions, 70,000 Views
# to every level; then runs the compiled kernels with bounds checks.
edges: .venv
	$(BIN)/python -m tests.edges

# Kills, outages and full disks while games are played on a server; FAULTS="--kills 1000 --postgres-kills 300", for example.
faults: .venv
	$(BIN)/python -m tests.faults $(FAULTS)

# Measures the tables that one process can serve; LOAD="--tables 500 --seconds 60 --database postgres", for example.
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

# Writes the locks again with the pinned versions if possible; UPGRADE=--upgrade takes the newest. Needs uv.
constraints:
	$(LOCK) $(UPGRADE) --extra dev --group docs --group build --output-file constraints.txt
	$(LOCK) --constraint constraints.txt --extra table --output-file constraints-play.txt
	$(LOCK_GROUPS) --constraint constraints.txt --group docs --group build --output-file constraints-build.txt

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
