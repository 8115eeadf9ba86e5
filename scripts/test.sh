#!/usr/bin/env bash
# go vet, and every test: under the race detector where there are goroutines. Installs what is missing if it may, and says
# at the end what was not there.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=$(scripts/install-missing.sh)
export race=-race CGO_ENABLED=1
case $missing in *'No C compiler'*) race='' CGO_ENABLED=0 ;; esac
if [[ -n $missing ]]; then echo "$missing" >&2; fi

tests() {
	local status=0 packages
	mapfile -t packages < <(scripts/goroutines.sh with)
	go test $race -timeout 10m "${packages[@]}" || status=$?
	mapfile -t packages < <(scripts/goroutines.sh without)
	go test -timeout 10m "${packages[@]}" || status=$?
	# Without the detector: the memory of large pages, of which it takes some of its own, and random tests at their full
	# size, of which it has seen a part.
	local full='TestNoPageTakesMoreThanItMay|TestAnySequenceOfReadingsKeepsThePromises|TestMergesLeaveNoRoleUntold'
	go test -timeout 5m -run "^($full)\$" ./scraper/page ./boardwatch ./boardwatch/watch || status=$?
	return $status
}
export -f tests

go vet -tags long,chaos,siege,simulate ./...
status=0
scripts/with-postgres.sh bash -c tests || status=$?

if [[ -n $missing ]]; then
	printf '\nNot everything was tested:\n%s\n' "$missing" >&2
fi
exit $status
