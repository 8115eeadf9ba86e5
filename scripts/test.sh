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
	local status=0 known watched code tests none
	known=$(scripts/goroutines.sh) || return
	of() { sed -n "s/^$1 //p" <<<"$known"; }
	# What measures memory or work on large pages runs without the detector, which takes memory of its own and seven times as
	# long, and with no other tests in its process.
	local measured='TestNoPageTakesMoreThanItMay|FuzzLargePages|TestWorkGrowsNoFasterThanThePage|TestDataBesideAPageHasToFit'
	watched=$(of watched | grep -vxE "$measured" | paste -sd '|')
	# The longest first, so that none of them is still at work when all others are done.
	local longest='/(cmd/boardwatch|storage(/sqlite|/postgres)?|transport/web)$'
	mapfile -t code < <(of code | grep -E "$longest"; of code | grep -vE "$longest")
	mapfile -t tests < <(of tests)
	mapfile -t none < <(of none)
	# Many tests wait, so more of them run at a time than there are processors.
	go() { command go test -vet=off -timeout 10m -parallel 4 "$@"; }
	# shellcheck disable=SC2086 # two arguments, or none
	set -m # as a job, or it would not end with this script
	go $race -skip "^($measured)\$" "${code[@]}" &
	local most=$!
	set +m
	trap 'kill -INT -- -'"$most" EXIT
	trap 'exit 130' INT # go test ends without saying by what
	# shellcheck disable=SC2086
	go -p 1 $race -run "^($watched)\$" "${tests[@]}" || status=$?
	go -p 1 -skip "^($watched|$measured)\$" "${tests[@]}" "${none[@]}" || status=$?
	wait "$most" || status=$?
	trap - EXIT INT
	go -run "^($measured)\$" ./scraper ./scraper/page || status=$?
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
