#!/usr/bin/env bash
# The tests that read recordings of real boards, which are not part of the repository.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ! -d ${BOARDWATCH_CORPUS-} ]]; then
	echo "BOARDWATCH_CORPUS must name the folder of the recordings" >&2
	exit 2
fi
BOARDWATCH_CORPUS=$(realpath "$BOARDWATCH_CORPUS")
export BOARDWATCH_CORPUS

# Only the tests that read the recordings: the others have been run by make test.
mapfile -t files < <(grep -rlE --include='*_test.go' 'BOARDWATCH_CORPUS|\<corpus(File)?\(' .)
if ((${#files[@]} == 0)); then
	echo "no test reads BOARDWATCH_CORPUS" >&2
	exit 1
fi
mapfile -t packages < <(dirname "${files[@]}" | sort -u)
tests=$(grep -hoP '^func \KTest\w+' "${files[@]}" | sort -u | paste -sd '|')
scripts/with-postgres.sh go test -count=1 -timeout 10m -run "^($tests)\$" "${packages[@]}"
