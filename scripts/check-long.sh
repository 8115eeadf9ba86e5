#!/usr/bin/env bash
# What is too slow for every day: the tests behind the build tag `long` (kills, races), one package after the other, what
# other people's libraries say of our signatures, and each fuzz target for FUZZTIME.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-missing.sh >&2

failed=()
step() {
	echo "== $*"
	"$@" || failed+=("$*")
}

mapfile -t files < <(grep -rlE --include='*_test.go' '^//go:build .*\blong\b' . | sort)
mapfile -t packages < <(printf '%s\n' "${files[@]}" | xargs -n 1 dirname | sort -u)
for p in "${packages[@]}"; do
	# Those that stand in these files, and those that their comments name because they are larger with the tag.
	tests=$(printf '%s\n' "${files[@]}" | grep "^$p/[^/]*$" | xargs grep -hoE '^func Test[A-Za-z0-9_]+|^//.*' |
		grep -oE '\bTest[A-Z][A-Za-z0-9_]+' | sort -u | paste -sd '|') || true
	if [[ -z $tests ]]; then
		failed+=("$p: no file with the tag names the tests that it makes larger")
		continue
	fi
	race=-race
	# The detector would watch nothing in a compiler or in months of simulated time, and make twenty thousand polled roles many times slower.
	case $p in . | ./ats | ./boardwatch | ./boardwatch/client) race= ;; esac
	# shellcheck disable=SC2086 # an argument, or none
	step scripts/with-postgres.sh go test -tags long $race -count=1 -timeout 60m -run "^($tests)\$" "$p"
done

# Packages that make test does not run under the race detector, or only in part.
mapfile -t alone < <(scripts/goroutines.sh | sed -nE 's/^(tests|none) //p')
step scripts/with-postgres.sh go test -race -timeout 30m "${alone[@]}"

# The polling promise at its full size: with the race detector it is a smaller race.
step scripts/with-postgres.sh go test -tags long -count=1 -timeout 30m -run Polling ./boardwatch/watch

step scripts/judges/run.sh
step scripts/judges/rest.sh
step scripts/judges/mcp.sh
step scripts/judges/oidc.sh
step scripts/judges/axe.sh
step scripts/judges/typescript.sh
step scripts/judges/packages.sh
step scripts/judges/systemd.sh
step scripts/judges/chart.sh

while IFS=: read -r file name; do
	step go test -tags long -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-30s}" "$(dirname "$file")"
done < <(grep -roE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed 's/:func /:/')

if ((${#failed[@]} > 0)); then
	printf 'failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
