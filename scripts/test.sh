#!/usr/bin/env bash
# go vet, and every test: under the race detector where there are goroutines. Installs what is missing if it may, and says
# at the end what was not there.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=$(scripts/install-missing.sh)
# SQLite itself is left alone by the detector: see docs/decisions.md.
export race='-race -gcflags=modernc.org/sqlite/lib=-race=false' CGO_ENABLED=1
export GOGC=400 GOMEMLIMIT=1GiB # tests keep little for long: the collector would take a fifth of the processors' time
case $missing in *'No C compiler'*) race='' CGO_ENABLED=0 ;; esac
if [[ -n $missing ]]; then echo "$missing" >&2; fi

tests() {
	local status=0 packages
	# What measures memory runs without the detector, which takes some of its own, and so do random tests at their full size,
	# of which it sees a part.
	local measured='TestNoPageTakesMoreThanItMay|FuzzLargePages' random='TestMergesLeaveNoRoleUntold'
	mapfile -t packages < <(scripts/goroutines.sh with)
	# shellcheck disable=SC2086 # two arguments, or none
	go test $race -skip "^($measured)\$" -timeout 10m "${packages[@]}" || status=$?
	mapfile -t packages < <(scripts/goroutines.sh without)
	go test -timeout 10m "${packages[@]}" || status=$?
	go test -timeout 5m -run "^($measured|$random)\$" ./scraper/page ./boardwatch/watch || status=$?
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
