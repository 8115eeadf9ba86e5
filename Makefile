# Everything a contributor does, by name. `make help` lists it.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Go is taken from the PATH, or from where its own installer puts it.
export PATH := $(PATH):/usr/local/go/bin
GO = $(or $(shell PATH="$(PATH)" command -v go),$(error Go is not installed: see https://go.dev/doc/install))

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null)
DATE ?= $(shell TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null)
GOLANGCI_LINT = $(GO) tool -modfile=tools/golangci-lint/go.mod golangci-lint

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: build ## run the whole service on a dozen invented companies (ARGS="--listen 127.0.0.1:9090" to add flags)
	@exec bin/boardwatch serve --demo $(ARGS)

.PHONY: build
build: ## build bin/boardwatch, one static file
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.version=$(VERSION:v%=%) -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.commit=$(COMMIT) -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.date=$(DATE)' -o bin/boardwatch ./cmd/boardwatch

.PHONY: release
release: ## archives for six platforms, .deb, .rpm, SBOM and checksums in dist/ (PLATFORMS=linux/amd64, SIGNING_KEY=file of minisign)
	@SIGNING_KEY="$(SIGNING_KEY)" scripts/release.sh

.PHONY: images
images: ## the image and the one with Chromium for amd64 and arm64, built by docker and pushed (IMAGE=ghcr.io/boardwatch/boardwatch)
	@for target in plain chromium; do \
		docker buildx build --platform linux/amd64,linux/arm64 --target $$target --push \
			--build-arg VERSION=$(VERSION) --build-arg COMMIT=$(COMMIT) --build-arg DATE=$(DATE) \
			--tag "$(IMAGE):$(VERSION:v%=%)$$([[ $$target == plain ]] || echo -$$target)" .; \
	done

.PHONY: test
test: ## vet, and every test, on SQLite and a private PostgreSQL, under the race detector where there are goroutines
	@scripts/test.sh

.PHONY: quick
quick: ## the tests that start no PostgreSQL, no browser and no boardwatch, without the race detector
	@env -u TEST_POSTGRES_URL GOGC=400 $(GO) test -vet=off -p 4 -parallel 4 -short ./...

.PHONY: lint
lint: ## the pinned golangci-lint (tools/golangci-lint/go.mod), and the modules' checksums
	$(GO) mod verify
	$(GOLANGCI_LINT) config verify
	$(GOLANGCI_LINT) run --allow-parallel-runners

.PHONY: fmt
fmt: ## format the code the way lint wants it
	$(GOLANGCI_LINT) fmt

.PHONY: check-long
check-long: ## what is slow: kills, races, fuzzing (FUZZTIME=30s of each target)
	@scripts/check-long.sh

.PHONY: chaos
chaos: ## kills, crashes, a full disk and failing vendors, against a ledger (CHAOS_MINUTES=4, CHAOS_BOARDS=2000, CHAOS_SEED=n)
	@scripts/chaos.sh

.PHONY: siege
siege: ## greedy accounts and strangers beside honest ones, and what these notice of it (SIEGE_MINUTES=10, SIEGE_RUN=TestSQLite)
	@scripts/siege.sh

.PHONY: simulate
simulate: ## days of many boards in minutes, against a ledger (SIM_BOARDS=20000, SIM_DAYS=7, SIM_DB=sqlite|postgres, SIM_PROCESSES=1)
	@scripts/simulate.sh

.PHONY: bench
bench: ## benchmarks in the form benchstat reads (BENCH=regexp, COUNT=6)
	@scripts/bench.sh

.PHONY: corpus
corpus: ## tests on real recordings kept outside the repository (BOARDWATCH_CORPUS=/folder)
	@scripts/corpus.sh

.PHONY: screenshots
screenshots: ## pictures of every page of the app and of every mail, on a desk and a phone, light and dark, in docs/screenshots
	mkdir -p docs/screenshots
	$(GO) test -count=1 ./transport/web -run TestPagesFitTheirWindow -screenshots $(abspath docs/screenshots)
	$(GO) test -count=1 ./boardwatch/account ./boardwatch/digest ./transport/channel -run 'Fits?APhone' -screenshots $(abspath docs/screenshots)

.PHONY: live
live: ## read one real board of each hosted system, over the Internet (BOARDS=file of system:board)
	$(GO) test -count=1 -v -tags live -run TestLive ./ats $(if $(BOARDS),-boards $(abspath $(BOARDS)))

.PHONY: clean
clean: ## remove what the other targets built
	rm -rf bin dist .cache
