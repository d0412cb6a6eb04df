# `make demo` and `make test` are all a new user needs: each builds .venv first.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3.10 python3; do \
	"$$p" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo "$$p" && break; done)
BIN := .venv/bin

.PHONY: demo test lint types docs bench clean

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

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache

.venv/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "picspider needs Python 3.10 to 3.13, and none was found (Debian: apt install python3 python3-venv)"; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "No virtual environment could be made (Debian: apt install python3-venv)"; exit 1; }

# What was installed last is marked by an empty file, so that the second call starts at once.
.venv/core: .venv/pyvenv.cfg pyproject.toml setup.py
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/test .venv/dev: .venv/pyvenv.cfg pyproject.toml setup.py
	$(BIN)/python -m pip install --quiet --editable '.[$(notdir $@)]'
	@touch $@ .venv/core
