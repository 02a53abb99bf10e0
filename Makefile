# Entry points for development, tests, the image and releases. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The pinned Node and every tool come from node_modules. The computer's own Node runs only npm.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

INSTALLED := node_modules/.package-lock.json
UI := ui/dist/index.html
VOICE := ui/voice/dist/id.json
VOICE_SOURCES := $(wildcard ui/voice/*.ts) $(shell find ui/src/text -name '*.ts' -not -name '*.test.ts')
# The bundled daemon, only for tests: it starts twice as fast as the sources. Its folder is as deep
# as the source folders, because the daemon finds other files by relative paths.
DAEMON := daemon/dist/built/kioskd.js
DAEMON_SOURCES := $(shell find daemon image/daemon.vite.ts -name '*.ts' -not -name '*.test.ts' -not -path '*/node_modules/*') daemon/src/journal/schema.sql
test test-deep bench bench-short: export KIOSK_BUILT := $(CURDIR)/daemon/dist/built
UI_SOURCES := $(shell find ui daemon/contract -type f -not -path 'ui/dist/*' -not -path 'ui/voice/*' -not -path '*/node_modules/*')

.PHONY: help
help: ## List the targets
	@echo 'Targets (KIOSK_PORT_OFFSET=100 moves every port of run, dev and bench):'
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done

$(INSTALLED): package-lock.json
	@tests/support/node.sh
	npm ci
	@touch $@

# If espeak-ng is missing, no speech is recorded, and each build prints a warning.
$(VOICE): $(INSTALLED) $(VOICE_SOURCES)
	@node ui/voice/record.ts

$(UI): $(INSTALLED) $(UI_SOURCES)
	vite build ui
	@touch $@

$(DAEMON): $(INSTALLED) $(DAEMON_SOURCES)
	vite build -c image/daemon.vite.ts --outDir $(CURDIR)/$(dir $@) --logLevel warn
	cp daemon/src/journal/schema.sql $(dir $@)
	@touch $@

.PHONY: build
build: $(UI) $(VOICE) ## Install dependencies and build the screens
	@node daemon/src/main.ts --version >/dev/null

.PHONY: run
run: build ## Run a complete kiosk on simulated devices; prints its addresses; Ctrl-C stops it
	@exec node tests/simulators/run.ts

.PHONY: dev
dev: $(INSTALLED) ## Like run, with hot reload of the screens
	@exec node tests/simulators/run.ts --dev

.PHONY: test
test: build $(DAEMON) ## Run all tests except deep and disk-image tests, in minutes, after the checks; print a total
	@tests/support/packages.sh
	@$(MAKE) $(VOICE)
	@$(MAKE) check
	vitest run --tags-filter '!deep'

.PHONY: test-deep
test-deep: build $(DAEMON) ## Run the tests that `make test` omits: more seeds, more faults, every browser journey; PART=1/3 runs a third of the files
	@tests/support/packages.sh
	@$(MAKE) $(VOICE)
	vitest run --tags-filter deep $(if $(PART),--shard $(PART))

.PHONY: test-releases
test-releases: $(INSTALLED) ## Open journals with this and earlier releases; KIOSK_JOURNALS=FOLDER: journals that tests have kept (KIOSK_KEEP_JOURNALS), default: samples
	vitest run tests/integration/releases

.PHONY: test-all
test-all: test test-deep ## Run make test and make test-deep

.PHONY: screenshots
screenshots: build ## Save pictures of most states, sizes and languages in screenshots/, with a contact sheet
	@tests/support/packages.sh
	@rm -rf screenshots && mkdir screenshots
	KIOSK_SHOTS=$(CURDIR)/screenshots vitest run tests/e2e
	@node tests/support/pictures/pictures.ts sheet screenshots

KEY_SCREENS = rm -rf screenshots/key && mkdir -p screenshots/key && \
	KIOSK_SHOTS=$(CURDIR)/screenshots/key KIOSK_KEY_SCREENS=1 vitest run tests/e2e/pictures.test.ts

.PHONY: screenshots-compare
screenshots-compare: build ## Take pictures of the twenty key screens and print the screens that differ from their references
	@tests/support/packages.sh
	@$(KEY_SCREENS)
	@node tests/support/pictures/pictures.ts compare screenshots/key

.PHONY: screenshots-accept
screenshots-accept: build ## Take pictures of the twenty key screens as new references
	@tests/support/packages.sh
	@$(KEY_SCREENS)
	@node tests/support/pictures/pictures.ts accept screenshots/key

SEEDS ?= 2000
FROM ?= 1
.PHONY: simulate
simulate: $(INSTALLED) ## Simulate customers and faults in virtual time: SEEDS=N from seed FROM=N; ADVERSE=1 adds hostile parties; STAFF=1 adds staff at the screen; TRACE=1 prints every step
	node tests/simulation/run.ts --from $(FROM) --seeds $(SEEDS) $(if $(ADVERSE),--adverse) $(if $(STAFF),--staff) $(if $(TRACE),--trace)

KIOSKS ?= 64
MINUTES ?= 10
.PHONY: soak
soak: build ## Run virtual kiosks and one real daemon to find leaks: KIOSKS=N for MINUTES=N from seed FROM=N
	@tests/support/packages.sh
	TMPDIR=$${TMPDIR:-/dev/shm} node tests/performance/soak/soak.ts --kiosks $(KIOSKS) --minutes $(MINUTES) --from $(FROM)

.PHONY: fuzz
fuzz: $(INSTALLED) ## Fuzz the parsers: MINUTES=N in total; TARGET=name, SEED=N
	node --expose-gc --max-old-space-size=256 tests/simulation/fuzz/run.ts --minutes $(MINUTES) $(if $(TARGET),--target $(TARGET)) --seed $(or $(SEED),1)

STRYKER := node_modules/.cache/stryker/node_modules

# Only `make mutation` needs Stryker, so package.json does not list it. Stryker is installed below
# node_modules, so that it finds the project's vitest in a parent folder.
$(STRYKER): $(INSTALLED)
	npm install --prefix node_modules/.cache/stryker --no-save --no-package-lock --ignore-scripts --legacy-peer-deps @stryker-mutator/core@10.1.1 @stryker-mutator/vitest-runner@10.1.1
	@touch $@

.PHONY: mutation
mutation: $(STRYKER) ## Mutation-test the money core with its unit tests (30 minutes); FILES=daemon/src/… limits the run
	TMPDIR=/dev/shm nice node $(STRYKER)/@stryker-mutator/core/bin/stryker.js run tests/simulation/mutants/stryker.json $(if $(FILES),--mutate $(FILES))

.PHONY: check
check: $(INSTALLED) ## Check types, lint, format, dead code, layers, comments and the specification matrix (seconds)
	tsc -p .
	tsc -p tests
	tsc -p ui
	biome check --error-on-warnings
	knip
	depcruise daemon/src daemon/contract ui/src --config .dependency-cruiser.cjs
	node tests/support/comment-width.ts
	node tests/support/specification/matrix.ts --check

.PHONY: format
format: $(INSTALLED) ## Apply the format that check requires
	biome check --write

.PHONY: bench
bench: build $(DAEMON) ## Measure speed and memory, and the lower bound of each figure in the same run
	@tests/support/packages.sh
	node tests/performance/bench/bench.ts

.PHONY: bench-short
bench-short: build $(DAEMON) ## Run every part of make bench with less data, in a few minutes; fails if a figure is more than a quarter worse than in committed.json
	@tests/support/packages.sh
	node tests/performance/bench/bench.ts --short

.PHONY: fleet-cost
fleet-cost: build ## Measure the cost of monitoring one kiosk: bytes, requests, CPU (root)
	@tests/support/packages.sh
	node tests/integration/fleet/fleet-cost.ts

.PHONY: image
image: $(INSTALLED) ## Build the appliance's disk image in image/out (root; installs the build tools)
	@image/build

.PHONY: image-again
image-again: $(INSTALLED) ## Build the image a second time and compare it byte for byte with the first
	@image/again

.PHONY: release
release: $(INSTALLED) ## Build an update from the tag vVERSION, for any static web server: VERSION=0.2.0 (root); PERCENT=N
	@image/release "$(VERSION)" $(foreach option,CHANNEL PERCENT MIN_VERSION FLOOR SEVERITY,$(if $($(option)),$(option)=$($(option))))

.PHONY: rollout
rollout: $(INSTALLED) ## Change a published update: FOLDER=… with PERCENT=N, HOLD=yes|no or FAILED=VERSION
	@node image/release.ts "$(FOLDER)" "$(or $(KIOSK_UPDATE_KEY),$(or $(KIOSK_KEYS),image/.keys)/update/active.key)" $(foreach option,CHANNEL PERCENT HOLD FAILED RETRY,$(if $($(option)),$(option)=$($(option))))

.PHONY: keys
keys: ## Create the keys that sign images and releases: make keys DIRECTORY=… (once; keep them safe)
	@image/keys "$(DIRECTORY)"

.PHONY: flash
flash: ## Write the image to a disk: make flash DEVICE=/dev/sdX
	@image/flash "$(DEVICE)"

.PHONY: boot
boot: $(INSTALLED) ## Boot the image in QEMU with simulated devices
	@tests/support/appliance-packages.sh
	@exec node tests/appliance/boot.ts

.PHONY: test-appliance
test-appliance: build ## Boot the image in QEMU and test payments and faults on it (minutes; run make image first); ONLY=kiosk, damage or limits
	@tests/support/packages.sh
	@tests/support/appliance-packages.sh
	vitest run --config tests/appliance/vitest.config.ts $(if $(ONLY),$(ONLY).appliance.ts)

.PHONY: test-installed
test-installed: $(INSTALLED) ## Test a technician's work on the image: flash, settings, Wi-Fi, reset (root; minutes; run make image first)
	@tests/support/packages.sh
	@tests/support/appliance-packages.sh
	KIOSK_APPLIANCE=$@ vitest run --config tests/appliance/vitest.config.ts

QUICK_good := && !broken
QUICK_broken := && !good
.PHONY: test-updates
test-updates: $(INSTALLED) ## Update the image in QEMU: good, broken and interrupted versions (root; run make image first); QUICK=1 runs only the main tests, QUICK=good or QUICK=broken one half
	@tests/support/packages.sh
	@tests/support/appliance-packages.sh
	KIOSK_APPLIANCE=$@ vitest run --config tests/appliance/vitest.config.ts $(if $(QUICK),--tags-filter '!deep $(QUICK_$(QUICK))')

.PHONY: test-encryption
test-encryption: $(INSTALLED) ## Build the image with encrypted data and test it with emulated TPMs (root)
	@tests/support/appliance-packages.sh swtpm
	KIOSK_ENCRYPT=tpm2 KIOSK_OUT=$(CURDIR)/image/.encrypted image/build
	KIOSK_APPLIANCE=$@ vitest run --config tests/appliance/vitest.config.ts

.PHONY: bench-appliance
bench-appliance: $(INSTALLED) ## Compare start-up and idle load of the image with plain Debian, Cage and Chromium (root; run make image first)
	@tests/support/appliance-packages.sh
	KIOSK_IMAGE_OF=reference KIOSK_OUT=$(CURDIR)/image/.reference image/build
	node tests/appliance/bench.ts

.PHONY: docs
docs: $(INSTALLED) ## Generate the parts of docs/ that come from the source, and the manuals as PDF
	node daemon/src/log/document.ts > docs/reference/log-events.md
	node daemon/src/log/document.ts catalogue > config/journal/kiosk.catalog
	node daemon/src/metrics/document.ts > docs/reference/metrics.md
	node tests/support/specification/matrix.ts > docs/developer/specification.md
	@$(MAKE) --no-print-directory manuals

.PHONY: manuals
manuals: $(INSTALLED) ## Print the Indonesian manuals as A4 pages: manuals/*.pdf
	@tests/support/packages.sh
	node tests/support/manuals.ts manuals

.PHONY: manual-pictures
manual-pictures: build ## Take the pictures of the manuals again, from the browser tests
	@tests/support/packages.sh
	@rm -rf screenshots && mkdir screenshots
	KIOSK_SHOTS=$(CURDIR)/screenshots vitest run tests/e2e/cashier-day.test.ts tests/e2e/{daftar-transaksi,staff-home,box-count}.test.ts tests/e2e/staff-names.test.ts -t landscape
	node tests/support/manual-pictures.ts screenshots

.PHONY: clean
clean: ## Remove everything that can be built again; keeps .run (journals of simulated kiosks)
	rm -rf node_modules ui/dist ui/voice/dist
