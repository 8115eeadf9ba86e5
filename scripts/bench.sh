#!/usr/bin/env bash
# Every benchmark, in the form benchstat reads: make bench >new.txt; benchstat old.txt new.txt
#
#   BENCH=regexp           some of them
#   COUNT=6                how many times each runs
#   BENCH_JOBS=1000000     the largest database whose roles are listed has so many; 100,000 if nothing is said
#   BENCH_BOARDS=10000     the largest database whose boards are checked has so many; 1,000 if nothing is said
#   BENCH_MANY=1000000     a database with so many boards, and one with a tenth, are asked what is asked most; none if nothing is said
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t packages < <(grep -rlE --include='*_test.go' '^func Benchmark' . | xargs -r dirname | sort -u)
if ((${#packages[@]} == 0)); then
	echo "there are no benchmarks" >&2
	exit 0
fi
export BENCH_JOBS=${BENCH_JOBS:-100000} BENCH_BOARDS=${BENCH_BOARDS:-1000}
# One package at a time: benchmarks that run side by side measure one another.
scripts/with-postgres.sh go test -p 1 -run '^$' -bench "${BENCH:-.}" -benchmem -count "${COUNT:-6}" -timeout 90m "${packages[@]}"
