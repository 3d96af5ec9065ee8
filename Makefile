# make            builds ./constructor
# make test       runs every test
# make install    installs the program, its manual page and its completions below PREFIX (and DESTDIR)
# make zip        packs constructor.zip: unpacked somewhere else, make builds it
# make bench      measures the program
# make clean      removes what make made

CARGO  ?= cargo
PREFIX ?= /usr/local

PACKED = Cargo.toml Cargo.lock rustfmt.toml clippy.toml Makefile README.md CHANGELOG.md LICENSE layout.txt \
	src tests benches layouts saves assets docs .ci

.PHONY: all test install zip bench clean

all:
	$(CARGO) build --release --locked
	@cp -f "$$($(CARGO) metadata --format-version 1 --no-deps --locked | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/constructor" constructor

test:
	$(CARGO) test --locked

install: all
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	install -m 755 constructor "$(DESTDIR)$(PREFIX)/bin/constructor"
	install -m 644 assets/constructor.1 "$(DESTDIR)$(PREFIX)/share/man/man1/constructor.1"
	install -m 644 assets/constructor.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/constructor"
	install -m 644 assets/_constructor "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_constructor"
	install -m 644 assets/constructor.fish "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/constructor.fish"

zip:
	rm -f constructor.zip
	zip -qr constructor.zip $(PACKED)

bench:
	$(CARGO) bench --locked

clean:
	$(CARGO) clean
	rm -f constructor constructor.zip
