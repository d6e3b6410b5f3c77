# Two commands for everybody: `make demo`, `make test`. Each does all its own set-up (tools/setup).
BIN := .venv/bin
# tests start hundreds of programs: each would compile every module anew
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check types lint layers docs proof bench lock audit clean dist

help:
	@echo "make demo    the whole product on simulated hardware, in your browser (Ctrl-C ends it)"
	@echo "make test    all tests"
	@echo "make check   types, lint, import rules"
	@echo "make docs    the documentation as a site, in site/"
	@echo "make proof   the long proofs, all of them; leave it running"
	@echo "make bench   speed, memory and accuracy, measured on this machine"
	@echo "make lock    write requirements/ anew (needs uv)"

demo:
	@tools/setup run
	@$(BIN)/polartable demo

# three at a time, for many tests wait: for a browser, a port, a cable; those of one file share what they make
# (and each reckons in one thread, for threads of one would take the processor from the others)
test:
	@tools/setup dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 3 --dist loadfile

check: lint types layers

lint:
	@tools/setup dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	@tools/setup dev
	$(BIN)/mypy

layers:
	@tools/setup dev
	$(BIN)/lint-imports --no-cache

docs:
	@tools/setup dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

proof:
	@tools/setup dev
	POLARTABLE_PROOF=1 $(BIN)/python -m pytest -m proof

bench:
	@tools/setup bench
	for f in rules cubes ear ear_cost not_a_shake in_play ear_together gesture physics table fleet; do $(BIN)/python -m benchmarks.$$f || exit 1; done

lock:
	tools/lock

audit:
	tools/audit

dist:
	@tools/setup dev
	$(BIN)/python -m build --no-isolation

clean:
	rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis tests/npm/node_modules
