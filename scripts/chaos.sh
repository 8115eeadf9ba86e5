#!/usr/bin/env bash
# The built program in a world where everything goes wrong, on SQLite and on PostgreSQL; see docs/chaos.md. It is told by
#
#   CHAOS_MINUTES   how long each database takes (4)
#   CHAOS_BOARDS    how many boards there are (2000)
#   CHAOS_SEED      repeats the plan of another run
#   CHAOS_RUN       which tests, as go test -run takes them (all)
#   CHAOS_KEEP      a folder that gets the SQLite database of a run that failed, and logs of processes that did not end
#   CHAOS_BINARY    the program, when it is built already
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-missing.sh >&2

minutes=${CHAOS_MINUTES:-4}
arguments=(-minutes "$minutes" -boards "${CHAOS_BOARDS:-2000}")
if [[ -n ${CHAOS_SEED-} ]]; then arguments+=(-seed "$CHAOS_SEED"); fi
if [[ -n ${CHAOS_BINARY-} ]]; then arguments+=(-binary "$(realpath "$CHAOS_BINARY")"); fi
if [[ -n ${CHAOS_KEEP-} ]]; then arguments+=(-keep "$(realpath "$CHAOS_KEEP")"); fi
# Both databases, their quiet ends, and room for a slow machine.
timeout=$(awk -v m="$minutes" 'BEGIN { printf "%dm", 3 * m + 25 }')
go test -tags chaos -count=1 -timeout "$timeout" -run "${CHAOS_RUN:-.}" -v ./chaos "${arguments[@]}"
