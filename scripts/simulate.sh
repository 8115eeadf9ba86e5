#!/usr/bin/env bash
# Days of many boards in minutes, on simulated time and vendors; see docs/scaling.md. It is told by
#
#   SIM_BOARDS      how many boards there are (20000)
#   SIM_DAYS        how many days pass (7)
#   SIM_DB          sqlite or postgres (sqlite)
#   SIM_PROCESSES   how many processes watch (1); several need PostgreSQL
#   SIM_MINUTES     after how many minutes on the wall the days end early (60)
#   SIM_SEED        number that the world is made from (1)
#   SIM_RUN         which tests, as go test -run takes them (all)
set -euo pipefail
cd "$(dirname "$0")/.."

export GOGC=${GOGC:-400} # memory for speed: a large world is a few hundred megabytes
minutes=${SIM_MINUTES:-60}
arguments=(-boards "${SIM_BOARDS:-20000}" -days "${SIM_DAYS:-7}" -db "${SIM_DB:-sqlite}" -processes "${SIM_PROCESSES:-1}"
	-minutes "$minutes" -seed "${SIM_SEED:-1}")
run=()
if [[ ${SIM_DB:-sqlite} == postgres ]]; then
	scripts/install-missing.sh >&2
	run=(scripts/with-postgres.sh)
fi
# The boards are made before the days begin, and judged after them.
timeout=$(awk -v m="$minutes" 'BEGIN { printf "%dm", 2 * m + 30 }')
"${run[@]}" go test -tags simulate -count=1 -timeout "$timeout" -run "${SIM_RUN:-.}" -v ./simulate "${arguments[@]}"
