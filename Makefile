# make play       builds the game and starts it on the full screen; as text without a terminal, or with PLAY=... as options
# make table      opens a table over the network, and the browser at your seat; TABLE=... are options of serve
# make test       runs the tests
# make test-long  runs ten times as many random sessions and games, and long matches
# make            builds ./constructor, ./watan (the same program under its other name) and ./penguins
# make python     builds the Python package into python/.venv
# make test-python  runs its tests; EXTRAS=test,sb3 also those with PyTorch
# make test-page  tests the page of a table in Chromium
# make check      runs a fast subset of the tests: half a minute once built
# make install    installs the programs, manual pages and completions below PREFIX (and DESTDIR)
# make uninstall  removes them
# make dist       makes the release in dist/: programs for glibc 2.17 or later, wheel, packed crates, checksums
# make lab        builds ./constructor-lab, which trains and measures players
# make zip        packs constructor.zip, which builds with make wherever it is unpacked
# make bench      measures the speed
# make clean      removes what make made

CARGO  ?= cargo
PREFIX ?= /usr/local
PYTHON ?= python3
EXTRAS ?= test
TABLE  ?= -random-board -players human,normal,normal,normal
TEXT    = -extras -random-board -seed random -players human,greedy,normal,normal

PACKED = Cargo.toml Cargo.lock rust-toolchain.toml rustfmt.toml clippy.toml Makefile README.md CONTRIBUTING.md CHANGELOG.md LICENSE layout.txt \
	crates src tests examples python benches fuzz layouts saves assets docs packaging .cargo .ci

.PHONY: all programs constructor penguins lab play table test test-page check test-long python test-python install uninstall dist zip bench clean rust

# Cargo's directories of builds.
TARGET = $$($(CARGO) metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
BUILT  = $(TARGET)/release

# What the programs are built from, for constructor version.
# Not the commit of another repository that this folder lies in.
COMMIT = CONSTRUCTOR_COMMIT=$${CONSTRUCTOR_COMMIT:-$$([ -e .git ] && git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null)}

all: programs

# Stops with advice where cargo is missing or too old.
rust:
	@needed=$$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml); \
	found=$$($(CARGO) --version 2>/dev/null | cut -d ' ' -f 2); \
	if [ -z "$$found" ]; then \
		echo "make: cargo, the build tool of Rust, is not installed. Install Rust $$needed or later from https://rustup.rs" >&2; exit 1; \
	elif [ "$$(printf '%s\n' "$$needed" "$$found" | sort -V | head -n 1)" != "$$needed" ]; then \
		echo "make: cargo $$found is too old: Rust $$needed or later is needed. Try: rustup update, or see https://rustup.rs" >&2; exit 1; \
	fi

# One call, so that nothing is built twice.
programs: rust
	@$(COMMIT) $(CARGO) build --release --locked --package constructor --package penguins
	@cp -f "$(BUILT)/constructor" constructor
	@cp -f "$(BUILT)/penguins" penguins
	@ln -sf constructor watan

constructor penguins: rust
	@$(COMMIT) $(CARGO) build --release --locked --package $@
	@cp -f "$(BUILT)/$@" $@
	@[ $@ != constructor ] || ln -sf constructor watan

# A package of its own, so that what it needs of the library is never in the programs.
lab: rust
	$(CARGO) build --release --locked --manifest-path crates/lab/Cargo.toml
	@cp -f "$(BUILT)/constructor-lab" constructor-lab

play: constructor
	@if [ -n "$(PLAY)" ]; then ./constructor $(PLAY); \
	elif [ -t 0 ] && [ -t 1 ] && [ "$${TERM:-dumb}" != dumb ]; then ./constructor tui; \
	else ./constructor $(TEXT); fi

table: constructor
	./constructor serve -open $(TABLE)

test: rust
	$(CARGO) test --locked --workspace

# The page of a table, in Chromium; needs Node 20.
test-page: constructor
	cd tests/browser && npm ci --no-audit --no-fund && npm test

# Unit tests, golden cases and the quick integration tests. What make test has built is not built again.
check: rust
	$(CARGO) test --locked --workspace --lib
	$(CARGO) test --locked --workspace --test golden
	$(CARGO) test --locked --workspace --test it -- --skip library::example \
		architecture board documents editions library options rules session:: spec

# Ten times as much of what is random, and the matches between players.
test-long: rust
	TESTS=10 $(CARGO) test --locked --workspace -- --include-ignored

python: rust
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
		echo "make: Python 3.10 or later is needed; PYTHON=... names another" >&2; exit 1; }
	@test -x python/.venv/bin/pip || $(PYTHON) -m venv python/.venv
	python/.venv/bin/pip install --quiet --disable-pip-version-check --no-compile \
		--constraint python/constraints.txt --editable "python[$(EXTRAS)]"

# A folder of its own: only the installed package is imported.
test-python: programs python
	cd python/tests && ../.venv/bin/python -m pytest -n 2 --dist loadfile

install: all
	packaging/install "$(DESTDIR)$(PREFIX)"

uninstall:
	packaging/install -remove "$(DESTDIR)$(PREFIX)"

# PROFILE=quick builds in half the time, for tests.
dist: rust
	@CARGO="$(CARGO)" PYTHON="$(PYTHON)" PROFILE="$(PROFILE)" $(COMMIT) exec packaging/dist

zip:
	rm -f constructor.zip
	zip -qr constructor.zip $(PACKED) -x "fuzz/target/*" "crates/penguins/fuzz/target/*" \
		"python/.venv/*" "*.so" "*__pycache__*" "*/.*_cache/*" "*/.hypothesis/*" "*/node_modules/*"

bench:
	$(CARGO) bench --locked --bench text_game --bench full_screen
	$(CARGO) bench --locked --bench engine
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) bench --locked --bench engine

clean:
	$(CARGO) clean
	rm -rf constructor watan penguins constructor-lab constructor.zip dist python/.venv python/constructor_game/*.so tests/browser/node_modules
