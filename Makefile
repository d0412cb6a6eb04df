# `make demo` and `make test` are all a new user needs: each builds .venv first.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.10 python3; do \
	"$$p" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo "$$p" && break; done)
BIN := .venv/bin

.PHONY: demo test lint types docs bench coverage versions lowest clean

demo: .venv/core
	$(BIN)/picspider demo

test: .venv/test
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/dev
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict

bench: .venv/dev
	$(BIN)/python benchmarks/learner.py

# The commands that the tests start are measured too; so it takes half as long again.
coverage: .venv/dev
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --numprocesses auto --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# All tests on every release of Python that is promised, then with every dependency at its lowest bound; both need uv.
versions: test-3.10 test-3.11 test-3.12 test-3.13

lowest: RESOLUTION := lowest-direct
lowest: test-3.10

test-%:
	uv venv --quiet --seed --clear --python $* .venvs/$*
	uv pip install --quiet --python .venvs/$*/bin/python --resolution $(or $(RESOLUTION),highest) --editable '.[test]'
	.venvs/$*/bin/python -m pytest --numprocesses auto --dist worksteal

clean:
	rm -rf .venv .venvs .coverage* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

.venv/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "picspider needs Python 3.10 to 3.13, and none was found (Debian: apt install python3 python3-venv)"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "No virtual environment could be made (Debian: apt install python3-venv)"; exit 1; }

# What was installed last is marked by an empty file, so that the second call starts at once.
.venv/core: .venv/pyvenv.cfg pyproject.toml setup.py
	@echo "Installing picspider and what it needs into .venv, about a minute …"
	@$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/test .venv/dev: .venv/pyvenv.cfg pyproject.toml setup.py
	@echo "Installing picspider and what its tests and checks need into .venv, a few minutes …"
	@$(BIN)/python -m pip install --quiet --editable '.[$(notdir $@)]'
	@touch $@ .venv/core
