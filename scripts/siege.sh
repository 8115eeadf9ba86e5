#!/usr/bin/env bash
# The built program with greedy accounts and hostile strangers beside honest ones, on SQLite and on PostgreSQL; see
# docs/siege.md. It is told by
#
#   SIEGE_MINUTES   how long each database takes (10)
#   SIEGE_RUN       which tests, as go test -run takes them (all)
#   SIEGE_BINARY    the program, when it is built already
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-missing.sh >&2

minutes=${SIEGE_MINUTES:-10}
arguments=(-minutes "$minutes")
if [[ -n ${SIEGE_BINARY-} ]]; then arguments+=(-binary "$(realpath "$SIEGE_BINARY")"); fi
# Both databases, and room for a slow machine.
timeout=$(awk -v m="$minutes" 'BEGIN { printf "%dm", 2 * m + 15 }')
scripts/with-postgres.sh go test -tags siege -count=1 -timeout "$timeout" -run "${SIEGE_RUN:-.}" -v ./siege "${arguments[@]}"
