# make            builds ./constructor, and ./watan, the same program under another name, and penguins/penguins,
#                 the other game
# make penguins   builds the other game alone
# make test       runs every test
# make install    installs the program, its manual page and its completions below PREFIX (and DESTDIR)
# make zip        packs constructor.zip: unpacked somewhere else, make builds it
# make bench      measures the program
# make clean      removes what make made

CARGO  ?= cargo
PREFIX ?= /usr/local

PACKED = Cargo.toml Cargo.lock rustfmt.toml clippy.toml Makefile README.md CHANGELOG.md LICENSE layout.txt \
	groundwork penguins src tests benches fuzz layouts saves assets docs .cargo .ci

.PHONY: all constructor penguins test install zip bench clean

# Where cargo puts what it builds.
BUILT = $$($(CARGO) metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release

all: constructor penguins

constructor:
	$(CARGO) build --release --locked --package constructor
	@cp -f "$(BUILT)/constructor" constructor
	@ln -sf constructor watan

# The package's folder has the program's name, so the program stands in it.
penguins:
	$(CARGO) build --release --locked --package penguins
	@cp -f "$(BUILT)/penguins" penguins/penguins

test:
	$(CARGO) test --locked --workspace

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 constructor "$(DESTDIR)$(PREFIX)/bin/constructor"
	ln -sf constructor "$(DESTDIR)$(PREFIX)/bin/watan"
	install -m 755 penguins/penguins "$(DESTDIR)$(PREFIX)/bin/penguins"
	for name in constructor watan; do \
		install -m 644 "assets/$$name.1" "$(DESTDIR)$(PREFIX)/share/man/man1/$$name.1" && \
		install -m 644 "assets/$$name.bash" "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/$$name" && \
		install -m 644 "assets/_$$name" "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_$$name" && \
		install -m 644 "assets/$$name.fish" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/$$name.fish" || exit 1; \
	done

zip:
	rm -f constructor.zip
	zip -qr constructor.zip $(PACKED) -x "fuzz/target/*" penguins/penguins

bench:
	$(CARGO) bench --locked --bench text_game
	RUSTFLAGS="$(RUSTFLAGS) -C target-cpu=native" $(CARGO) bench --locked --bench engine

clean:
	$(CARGO) clean
	rm -f constructor watan penguins/penguins constructor.zip
