#!/usr/bin/env bash
# Every benchmark, in the form benchstat reads: make bench >new.txt; benchstat old.txt new.txt
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t packages < <(grep -rlE --include='*_test.go' '^func Benchmark' . | xargs -r dirname | sort -u)
if ((${#packages[@]} == 0)); then
	echo "there are no benchmarks" >&2
	exit 0
fi
export BENCH_JOBS=${BENCH_JOBS:-1000000} # of the largest database whose jobs are listed
# One package at a time: benchmarks that run side by side measure one another.
scripts/with-postgres.sh go test -p 1 -run '^$' -bench "${BENCH:-.}" -benchmem -count "${COUNT:-6}" -timeout 60m "${packages[@]}"
