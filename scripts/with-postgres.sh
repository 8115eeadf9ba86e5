#!/usr/bin/env bash
# with-postgres.sh COMMAND...: runs the command with TEST_POSTGRES_URL naming a private cluster, and stops the cluster
# whatever happens. A TEST_POSTGRES_URL that is set already is used as it is. Without PostgreSQL the command runs all the
# same; its tests that need a server skip themselves.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

if [[ -z ${TEST_POSTGRES_URL-} ]]; then
	if "$here/postgres.sh" find >/dev/null; then
		dir=$(mktemp -d "${TMPDIR:-/tmp}/boardwatch-postgres.XXXXXX")
		finish() {
			"$here/postgres.sh" stop "$dir" || true
			rm -rf "$dir"
		}
		trap finish EXIT
		trap 'exit 129' HUP
		trap 'exit 130' INT
		trap 'exit 143' TERM
		TEST_POSTGRES_URL=$("$here/postgres.sh" start "$dir")
		export TEST_POSTGRES_URL
		echo "PostgreSQL: a private cluster in $dir" >&2
	else
		echo "PostgreSQL: not installed, tests that need it are skipped" >&2
	fi
fi
"$@"
