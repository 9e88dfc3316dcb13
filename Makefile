# setup, demo, test, soak, golden: nothing else. Each does all the setting up that it needs.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test soak golden
setup: .venv/.ready

.venv/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed: apt-get install python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "The Debian package python3-venv is missing: apt-get install python3-venv"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: setup
	$(BIN)/gm demo

test: setup
	@.ci/suites

soak: setup
	$(BIN)/pytest --override-ini=timeout=7200 -m soak -n 2 tests

golden: setup
	$(BIN)/pytest -q tests --write-golden --write-clauses -m "not soak"
