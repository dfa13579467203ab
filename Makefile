# Every target calls the `lab` command, or one tool. The environment makes itself, once.

PYTHON ?= python3
BIN := .venv/bin
LAB := $(BIN)/lab
YES := 1 true yes

unexport PYTHONHOME PYTHONPATH PYTHONSAFEPATH # with them Python would look elsewhere

.PHONY: help setup demo chat check verify record list doctor test lint types seams docs unit clean

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## */make \1\t/p' Makefile | expand -t 14

setup:  ## make the environment in .venv; the other targets do it by themselves
	@command -v $(PYTHON) >/dev/null 2>&1 || { \
		echo "lab: $(PYTHON) is not installed: install Python 3.11 or later, or say make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) shared/bootstrap.py

demo: setup  ## run a step's demo: make demo STEP=02
	@$(LAB) demo "$(STEP)"

chat: setup  ## talk with a step: make chat STEP=02
	@$(LAB) chat "$(STEP)"

check: setup  ## hold a folder to a step: make check STEP=02 DIR=~/my-agent
	@$(LAB) check "$(STEP)" $(if $(DIR),"$(DIR)")

verify: setup  ## every demo against its recorded output
	@$(LAB) verify

record: setup  ## show how a demo differs from its record; WRITE=1 records it
	@$(LAB) record "$(STEP)" $(if $(filter $(YES),$(WRITE)),--write)

list: setup  ## the steps, one line each
	@$(LAB) list

doctor: setup  ## look at Python, encoding, terminal, write access, line ends
	@$(LAB) doctor

test: lint types verify seams docs unit  ## everything that CI runs

lint: setup  ## ruff: lint and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: setup  ## mypy strict, one run per step
	@$(BIN)/python -m lab.typecheck

seams: setup  ## the steps against labs/contract.toml, byte for byte
	@$(LAB) seams

docs: setup  ## what the chapters show against what it was taken from
	@$(LAB) docs --check

unit: setup  ## the tests of the lab, the suite, the steps and the docs
	@$(BIN)/python -m pytest -n 4

clean:  ## remove the environment and all caches
	rm -rf .venv .cache
