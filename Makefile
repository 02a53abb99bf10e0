# Everything a person does with this project. `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The pinned Node and every tool come from node_modules; the machine's own Node only has to run npm.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

INSTALLED := node_modules/.package-lock.json
UI := ui/dist/index.html
# The daemon in one piece, for tests alone: it starts in half the time. As deep as the files that find others by a relative address.
DAEMON := daemon/dist/built/kioskd.js
DAEMON_SOURCES := $(shell find daemon image/daemon.vite.ts -name '*.ts' -not -name '*.test.ts' -not -path '*/node_modules/*') daemon/src/journal/schema.sql
test test-deep: export KIOSK_BUILT := $(CURDIR)/daemon/dist/built
UI_SOURCES := $(shell find ui daemon/contract -type f -not -path 'ui/dist/*' -not -path '*/node_modules/*')

.PHONY: help
help: ## Lists the targets
	@echo 'Targets (KIOSK_PORT_OFFSET=100 moves every port of run, dev and bench):'
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name text; do printf '  %-12s %s\n' "$$name" "$$text"; done

$(INSTALLED): package-lock.json
	@tests/setup/node.sh
	npm ci
	@touch $@

$(UI): $(INSTALLED) $(UI_SOURCES)
	vite build ui
	@touch $@

$(DAEMON): $(INSTALLED) $(DAEMON_SOURCES)
	vite build -c image/daemon.vite.ts --outDir $(CURDIR)/$(dir $@) --logLevel warn
	cp daemon/src/journal/schema.sql $(dir $@)
	@touch $@

.PHONY: build
build: $(UI) ## Installs what is missing and builds the screens
	@node daemon/src/main.ts --version >/dev/null

.PHONY: run
run: build ## A whole kiosk on simulated devices; prints its addresses; Ctrl-C stops it
	@exec node tests/simulators/run.ts

.PHONY: dev
dev: $(INSTALLED) ## The same with hot reload of the screens
	@exec node tests/simulators/run.ts --dev

.PHONY: test
test: build $(DAEMON) ## Every kind of test, in minutes: installs what they need, checks the code and prints a total
	@tests/setup/packages.sh
	@$(MAKE) check
	vitest run --tags-filter '!deep'

.PHONY: test-deep
test-deep: build $(DAEMON) ## The tests that `make test` leaves out: more seeds, more faults, every browser journey
	@tests/setup/packages.sh
	vitest run --tags-filter deep

.PHONY: test-all
test-all: test test-deep ## make test and make test-deep

.PHONY: screenshots
screenshots: build ## Walks every screen and state in a browser and leaves a picture of each in screenshots/
	@tests/setup/packages.sh
	@rm -rf screenshots && mkdir screenshots
	KIOSK_SHOTS=$(CURDIR)/screenshots vitest run tests/e2e
	@echo "$$(ls screenshots | wc -l) pictures in screenshots/"

SEEDS ?= 2000
FROM ?= 1
.PHONY: simulate
simulate: $(INSTALLED) ## Customers and faults on simulated time: SEEDS=N from FROM=N; TRACE=1 prints what happened
	node tests/simulation/run.ts --from $(FROM) --seeds $(SEEDS) $(if $(TRACE),--trace)

KIOSKS ?= 64
MINUTES ?= 10
.PHONY: soak
soak: build ## Virtual kiosks beside one real daemon, and what they hold: KIOSKS=N for MINUTES=N from FROM=N
	@tests/setup/packages.sh
	TMPDIR=$${TMPDIR:-/dev/shm} node tests/load/soak.ts --kiosks $(KIOSKS) --minutes $(MINUTES) --from $(FROM)

.PHONY: fuzz
fuzz: $(INSTALLED) ## Bytes that nobody sends, at everything that reads them: MINUTES=N in all; TARGET=name, SEED=N
	node --expose-gc --max-old-space-size=256 tests/fuzz/run.ts --minutes $(MINUTES) $(if $(TARGET),--target $(TARGET)) --seed $(or $(SEED),1)

.PHONY: mutants
mutants: $(INSTALLED) ## Puts known bugs into a copy of the code and shows which test or seed catches each (minutes)
	node tests/mutants/run.ts

STRYKER := node_modules/.cache/stryker/node_modules

# Beside the lock file, so that what only this needs is in nobody's installation; it finds vitest in the folders above it.
$(STRYKER): $(INSTALLED)
	npm install --prefix node_modules/.cache/stryker --no-save --no-package-lock --ignore-scripts --legacy-peer-deps @stryker-mutator/core@10.1.1 @stryker-mutator/vitest-runner@10.1.1
	@touch $@

.PHONY: mutation
mutation: $(STRYKER) ## Changes the money core in every place in turn and counts what the unit tests notice: half an hour; FILES=daemon/src/… for some of it
	TMPDIR=/dev/shm nice node $(STRYKER)/@stryker-mutator/core/bin/stryker.js run tests/mutants/stryker.json $(if $(FILES),--mutate $(FILES))

.PHONY: check
check: $(INSTALLED) ## Types, lint, format, dead code, specification: seconds
	tsc -p .
	tsc -p tests
	tsc -p ui
	biome check --error-on-warnings
	knip
	node tests/specification/matrix.ts --check

.PHONY: format
format: $(INSTALLED) ## Writes the format that check wants
	biome check --write

.PHONY: bench
bench: build ## Measures speed and memory, each beside its floor from the same run
	@tests/setup/packages.sh
	node tests/bench/bench.ts

.PHONY: fleet-cost
fleet-cost: build ## Measures what one kiosk costs an owner of many: bytes, requests, processor (root)
	@tests/setup/packages.sh
	node tests/observation/fleet-cost.ts

.PHONY: image
image: $(INSTALLED) ## The appliance as a disk image in image/out (root; brings its own tools)
	@image/build

.PHONY: image-again
image-again: $(INSTALLED) ## Builds the image a second time and compares every byte with the first
	@image/again

.PHONY: keys
keys: ## Makes the key that signs images: make keys DIRECTORY=… (once; keep it safe)
	@image/keys "$(DIRECTORY)"

.PHONY: flash
flash: ## Writes the image to a disk: make flash DEVICE=/dev/sdX
	@image/flash "$(DEVICE)"

.PHONY: boot
boot: $(INSTALLED) ## Boots the image in QEMU with simulated devices
	@tests/setup/appliance-packages.sh
	@exec node tests/appliance/boot.ts

.PHONY: test-appliance
test-appliance: $(INSTALLED) ## Boots the image in QEMU and pays on it (minutes; wants make image before)
	@tests/setup/packages.sh
	@tests/setup/appliance-packages.sh
	vitest run --config tests/appliance/vitest.config.ts

.PHONY: test-installed
test-installed: $(INSTALLED) ## Tries what a technician does with the image: flash, settings, Wi-Fi, reset (root; minutes; wants make image before)
	@tests/setup/packages.sh
	@tests/setup/appliance-packages.sh
	KIOSK_APPLIANCE=$@ vitest run --config tests/appliance/vitest.config.ts

.PHONY: test-encryption
test-encryption: $(INSTALLED) ## Builds the image with encrypted data and tries it with emulated TPMs (root)
	@tests/setup/appliance-packages.sh swtpm
	KIOSK_ENCRYPT=tpm2 KIOSK_OUT=$(CURDIR)/image/.encrypted image/build
	KIOSK_APPLIANCE=$@ vitest run --config tests/appliance/vitest.config.ts

.PHONY: bench-appliance
bench-appliance: $(INSTALLED) ## Compares the image's start with a plain Debian, Cage and Chromium (root; wants make image before)
	@tests/setup/appliance-packages.sh
	KIOSK_IMAGE_OF=reference KIOSK_OUT=$(CURDIR)/image/.reference image/build
	node tests/appliance/bench.ts

.PHONY: docs
docs: $(INSTALLED) ## Writes the parts of docs/ that are made from the source
	node daemon/src/log/document.ts > docs/reference/log-events.md
	node daemon/src/log/document.ts catalogue > config/journal/kiosk.catalog
	node tests/specification/matrix.ts > docs/developer/specification.md

.PHONY: clean
clean: ## Removes what can be built again; keeps .run (journals of simulated kiosks)
	rm -rf node_modules ui/dist
