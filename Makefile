# Each does all the setting up that it needs. PYTHON says with which Python: make test PYTHON=python3.13
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo quick test soak golden lock audit release deb
setup:
	@.ci/setup $(PYTHON)

demo: setup
	@$(BIN)/gm demo

# Style, types, contracts, the laws and every rule, in forty seconds: for after each change.
quick: setup
	@.ci/suites quick

test: setup
	@.ci/suites

# Long campaigns, for hours; and the laws of all tests with twenty times as many examples.
soak: setup
	$(BIN)/python .ci/test_groups.py --files tests -- --override-ini=timeout=7200 -m soak
	$(BIN)/python .ci/test_groups.py --files tests -- --override-ini=timeout=7200 -m "hypothesis and not soak" --hypothesis-profile=soak

# What tests compare with, written afresh. Look at what changed before you commit it.
golden: setup
	$(BIN)/pytest --write-golden --write-clauses

# The packages that containers install, by version and hash, after pyproject.toml has changed; all of them anew with
# UPGRADE=--upgrade.
lock: setup
	@.ci/lock

# Are holes known in those? Asks an advisory service.
audit: setup
	@.ci/audit

# The wheel of what is committed, what it is made of (CycloneDX) and their checksums, into dist/.
release: setup
	@.ci/release

# The Debian package of what is committed, for this release of Debian and this architecture, into dist/.
deb: setup
	@.ci/deb
