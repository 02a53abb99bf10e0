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
test: build ## Installs what the tests need, then runs all of them and prints a total
	@tests/setup/packages.sh
	@$(MAKE) check
	vitest run

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

.PHONY: mutants
mutants: $(INSTALLED) ## Puts known bugs into a copy of the code and shows which test or seed catches each (minutes)
	node tests/mutants/run.ts

.PHONY: check
check: $(INSTALLED) ## Types, lint, format, dead code: seconds
	tsc -p .
	tsc -p tests
	tsc -p ui
	biome check --error-on-warnings
	knip

.PHONY: format
format: $(INSTALLED) ## Writes the format that check wants
	biome check --write

.PHONY: bench
bench: build ## Measures speed and memory, each beside its floor from the same run
	@tests/setup/packages.sh
	node tests/bench/bench.ts

.PHONY: image
image: build ## The appliance as a disk image in image/out (root; brings its own tools)
	@image/build

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
	@tests/setup/appliance-packages.sh
	vitest run --config tests/appliance/vitest.config.ts

.PHONY: docs
docs: $(INSTALLED) ## Writes the parts of docs/ that are made from the source
	node daemon/src/log/document.ts > docs/log-events.md

.PHONY: clean
clean: ## Removes what can be built again; keeps .run (journals of simulated kiosks)
	rm -rf node_modules ui/dist
