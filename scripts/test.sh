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

go vet -tags long,chaos,siege ./...
status=0
CGO_ENABLED=$cgo scripts/with-postgres.sh go test $race -timeout 10m ./... || status=$?
# The memory of large pages can be measured only without the detector, which takes some of its own.
CGO_ENABLED=$cgo go test -timeout 5m -run '^TestNoPageTakesMoreThanItMay$' ./scraper/page || status=$?

if [[ -n $missing ]]; then
	printf '\nNot everything was tested:\n%s\n' "$missing" >&2
fi
exit $status
