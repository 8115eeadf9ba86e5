#!/usr/bin/env bash
# go vet, and every test under the race detector. Installs what is missing if it may, and says at the end what was not
# there.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=$(scripts/install-missing.sh)
race=-race
cgo=1
case $missing in *'No C compiler'*) race='' cgo=0 ;; esac
if [[ -n $missing ]]; then echo "$missing" >&2; fi

go vet -tags long,chaos,siege,simulate ./...
status=0
CGO_ENABLED=$cgo scripts/with-postgres.sh go test $race -timeout 10m ./... || status=$?
# Without the detector: the memory of large pages, of which it takes some of its own, and random tests at their full size,
# of which it has seen a part.
full='TestNoPageTakesMoreThanItMay|TestAnySequenceOfReadingsKeepsThePromises|TestMergesLeaveNoRoleUntold'
CGO_ENABLED=$cgo scripts/with-postgres.sh go test -timeout 5m -run "^($full)\$" ./scraper/page ./boardwatch ./boardwatch/watch || status=$?

if [[ -n $missing ]]; then
	printf '\nNot everything was tested:\n%s\n' "$missing" >&2
fi
exit $status
