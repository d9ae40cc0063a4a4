# Preheat. `make` alone lists what can be made.

SHELL  := bash
.SHELLFLAGS := -o pipefail -c
SWIFT  ?= swift
PREFIX ?= /usr/local
DEPS   ?= yes   # "no" leaves the system's packages alone
RUNS   ?= 5     # of `make bench`
# Rows of `make bench-check`: those whose peers are programs of Debian.
CHECKED ?= originals,plan,plan-json,second,second-off,asked,verify,bundle
SECONDS ?= 60   # of `make fuzz`, for each target
TARGET ?=       # of `make fuzz`: only these
BUILD  ?= build # what `make demo` has to make first; empty where BIN is there already
REFERENCES ?=   # of `make pixels`: a folder of pictures that Apple's frameworks drew
FOLDER ?=       # of `make corpus`: a folder of image files
OLD    ?=       # of `make compare`: the other build's preheat
ALLOW  ?=       # of `make compare`: patterns for differences that are known
ARCH   ?=       # of `make archive`: arm64 is cross-compiled (as root)

# Ours are held to it; a package that depends on Preheat is not.
export PREHEAT_WARNINGS_AS_ERRORS ?= 1

BIN    := .build/release
# The Swift runtime goes into the programs: they run where there is no Swift, and start in half the time.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib
# So many tests at a time: all at once, those that watch a clock see a machine that never gets to them.
WIDTH  := --experimental-maximum-parallelization-width 8
# Rooms whose tests run by themselves.
ROOMS  := FetchingTests RenderingTests EndToEndTests
ALONE  := ^(FetchingTests|RenderingTests|EndToEndTests)\.
# Tests that start workers or other programs, which a sanitizer does not look into, and those with a limit of time that
# hundreds of thousands of lines only keep without one.
PROCESSES := ^(ImageProcessingTests|ImagePipelineTests|CacheToolsTests|CacheBundleInstallerTests)\.|AddedClientTests|CacheCommandTests|LongSessionTests
# A run of tests prints thousands of lines: what failed is said once more at its end.
tested  = $(SWIFT) test --skip-build $(WIDTH) $(1) 2>&1 | tee .build/tests.log \
  || { echo 'Failed:'; grep -A 3 -E '^✘ .*(recorded an issue|failed after)|Fatal error|error:' .build/tests.log; false; }
SHARE  := $(DESTDIR)$(PREFIX)/share

# Prerequisites are stages here: first what is needed, then the work.
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help deps swift old build demo test test-faults cluster threads addresses fuzz lint format docs library-docs bench bench-check \
  pixels corpus compare install deb archive image dist trydeb tryarchive tryarm64 trypackage clean

help: ## list the targets
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | column -t -s '|'

deps: ## install the Debian packages that are missing (scripts/packages.txt)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages build test demo
endif

build: swift deps ## build the release into .build/release
	@scripts/slim-icu $(SWIFT) .build/icu
	$(RELEASE) --product preheat
	$(RELEASE) --product preheat-render
	$(RELEASE) --product preheat-vips

demo: deps $(BUILD) ## draw sample pictures, serve them on loopback and warm a cache from them
	@scripts/demo $(BIN)/preheat

# End-to-end tests run what is shipped.
test: export PREHEAT_PROGRAMS = $(CURDIR)/$(BIN)
test: build ## build the release, build and run every test
	$(RELEASE) --product install-bundle
	$(SWIFT) build --build-tests
	# Those that watch a clock or start many processes have the machine to themselves.
	$(call tested,--skip '$(ALONE)')
	for room in $(ROOMS); do $(call tested,--filter "^$$room\.") || exit 1; done

test-faults: swift deps ## build and run the tests of docs/maintainers/reliability.md as often as it says (half an hour; PREHEAT_FAULTS=10 for 10 %)
	@scripts/test-faults $(SWIFT)

cluster: build ## try parts of a job on Slurm with two nodes, GNU parallel and Spark (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages cluster
endif
	@scripts/try-cluster $(BIN)/preheat

threads: swift deps ## run the unit tests under the thread sanitizer
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/threads
	$(SWIFT) test --skip-build $(WIDTH) --sanitize=thread --scratch-path .build/threads --skip '$(ALONE)|$(PROCESSES)'

addresses: swift deps ## run the unit tests under the address sanitizer, the C shims included
	$(SWIFT) build --build-tests --sanitize=address --scratch-path .build/addresses
	# The libraries of the system leave what they made once for the whole process; all else is looked at.
	ASAN_OPTIONS=detect_leaks=0 \
	  $(SWIFT) test --skip-build $(WIDTH) --sanitize=address --scratch-path .build/addresses --skip '$(ALONE)|$(PROCESSES)'

fuzz: swift deps ## try the parsers with made-up inputs, 60 s each (SECONDS=60, TARGET=chain)
	@scripts/fuzz $(SWIFT) $(strip $(SECONDS)) $(TARGET)

lint: swift deps ## check the format and the scripts
	@scripts/lint $(SWIFT)

format: swift ## rewrite the Swift sources in the house format
	$(SWIFT) format -i -r -p Sources Tests Benchmarks examples Package.swift Package@swift-6.0.swift

docs: build ## write the tables of docs/job-file.md and versions.md anew from the code
	$(BIN)/preheat help settings --markdown | sed -i -e '/^<!-- settings:/,/^<!-- end of settings/{//!d}' \
	  -e '/^<!-- settings:/r /dev/stdin' docs/job-file.md
	$(BIN)/preheat help versions --markdown | sed -i -e '/^<!-- versions:/,/^<!-- end of versions/{//!d}' \
	  -e '/^<!-- versions:/r /dev/stdin' docs/versions.md
	scripts/make-vectors

library-docs: swift deps ## build the reference of the libraries with DocC into .build/library-docs; refuse warnings of it
	$(SWIFT) build
	@scripts/doc-library $(SWIFT)

bench: build ## time Preheat against curl, aria2c, wget2, vipsthumbnail, Pillow, OpenCV and exiftool at every size (RUNS=5)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages bench
endif
	@$(RELEASE) --product fetch-bench
	@$(RELEASE) --product thumbnail-bench
	@scripts/bench --runs $(strip $(RUNS)) $(BIN)/preheat
	@$(SWIFT) run -c release --static-swift-stdlib cache-bench

bench-check: build ## fail where a row is slower beside its peers than in the table of docs/maintainers/benchmarks (RUNS=5)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages bench
endif
	@scripts/bench --runs $(strip $(RUNS)) --rows $(CHECKED) --check docs/maintainers/benchmarks/rows.json $(BIN)/preheat

pixels: build ## compare drawn pictures with those of Apple's frameworks (REFERENCES=DIR, else with the goldens of the tests)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages pixels
endif
	@scripts/pixels $(if $(strip $(REFERENCES)),--references '$(strip $(REFERENCES))') $(BIN)/preheat

corpus: build ## draw every file of a folder once and compare it with what Pillow draws (FOLDER=DIR, else the fixtures of the tests)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages test
endif
	@scripts/corpus $(BIN)/preheat $(if $(strip $(FOLDER)),'$(strip $(FOLDER))')

compare: old build ## prove that another build makes the same caches and bundles (OLD=path/to/old/preheat)
	@$(RELEASE) --product install-bundle
	@scripts/compare-builds $(foreach name,$(ALLOW),--allow '$(name)') $(strip $(OLD)) $(BIN)/preheat

install: ## install the command, its man pages, completions and docs (PREFIX, DESTDIR)
	@test -x $(BIN)/preheat -a -x $(BIN)/preheat-render -a -e $(BIN)/libpreheat-vips.so || $(MAKE) build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/libexec/preheat
	install -m 755 $(BIN)/preheat $(DESTDIR)$(PREFIX)/bin/preheat
	install -m 755 $(BIN)/preheat-render $(DESTDIR)$(PREFIX)/libexec/preheat/preheat-render
	install -m 644 $(BIN)/libpreheat-vips.so $(DESTDIR)$(PREFIX)/libexec/preheat/libpreheat-vips.so
	install -d $(SHARE)/man $(SHARE)/bash-completion/completions
	install -d $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	$(BIN)/preheat help --man-pages $(SHARE)/man
	$(BIN)/preheat help --completions bash > $(SHARE)/bash-completion/completions/preheat
	$(BIN)/preheat help --completions zsh > $(SHARE)/zsh/site-functions/_preheat
	$(BIN)/preheat help --completions fish > $(SHARE)/fish/vendor_completions.d/preheat.fish
	scripts/install-docs $(SHARE)/doc/preheat
	$(BIN)/preheat help --markdown > $(SHARE)/doc/preheat/docs/command.md
	$(BIN)/preheat help schema > $(SHARE)/doc/preheat/docs/preheat.schema.json

deb: build ## build a Debian package into dist/
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages deb
endif
	@scripts/make-deb dist

archive: build ## build the archive for every Linux into dist/, with its libraries (ARCH=arm64: cross-compiled, as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages archive $(strip $(ARCH))
endif
	@ARCH='$(strip $(ARCH))' SWIFT='$(SWIFT)' scripts/make-archive dist

image: ## make a container image of the archives in dist/, as an OCI archive, and start it (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages image
endif
	@scripts/make-image dist

dist: build ## build what a release consists of into dist/: package, archive, installer, sums
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages deb archive
endif
	@scripts/make-dist dist

trydeb: ## install the package of dist/ in a bare Debian, use it and remove it (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages trydeb
endif
	@scripts/try-deb dist/preheat_*.deb

tryarchive: ## install the archive of dist/ and use it in a bare Debian 12 and 13 without rights (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages tryarchive
endif
	@scripts/try-archive dist

tryarm64: ## compare the archive for arm64 of dist/ with that for x86-64 under qemu-user, and use it in an emulated machine (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages tryarm64
endif
	@scripts/try-arm64 dist/preheat-*-linux-aarch64.tar.zst

trypackage: swift ## build packages that depend on the libraries for apps in a bare Debian without anything else (as root)
ifeq ($(strip $(DEPS)),yes)
	@scripts/install-packages trypackage
endif
	@scripts/try-package $(SWIFT)

clean: ## remove what was built and what the demo made
	rm -rf .build demo demo.preheat dist

# Not in the list of targets: checked before anything else by those that need it.
swift:
	@scripts/require-swift $(SWIFT)

old:
	@test -n '$(strip $(OLD))' || { echo "usage: make compare OLD=path/to/old/preheat [ALLOW='PATTERN...']" >&2; exit 2; }
