#!/usr/bin/env bash
# go vet, and every test under the race detector. Installs what is missing if it may, and says at the end what was not
# there.
#
# The race detector watches everything but modernc.org, which is SQLite, translated from C by a program: watching it takes
# five times the processor time of the same tests, and what it would find there is not ours. `make check-long` watches it too.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=$(scripts/install-missing.sh)
race=-race
cgo=1
case $missing in *'No C compiler'*) race='' cgo=0 ;; esac
if [[ -n $missing ]]; then echo "$missing" >&2; fi

go vet -tags long,chaos ./...
status=0
CGO_ENABLED=$cgo scripts/with-postgres.sh go test $race ${race:+-gcflags=modernc.org/...=-race=false} -timeout 10m ./... || status=$?

if [[ -n $missing ]]; then
	printf '\nNot everything was tested:\n%s\n' "$missing" >&2
fi
exit $status
