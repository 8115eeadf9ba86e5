#!/usr/bin/env bash
# Installs what the tests need beside Go, where it is missing and the system's packages can be had: a C compiler for the
# race detector, PostgreSQL, PgBouncer, Chromium, promtool. What stays missing is named; that is no failure here. NO_INSTALL=1 only looks.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)

have_compiler() { command -v "${CC:-gcc}" >/dev/null && echo '#include <stdlib.h>' | "${CC:-gcc}" -E - >/dev/null 2>&1; }
have_postgres() { "$here/postgres.sh" find >/dev/null; }
have_chromium() {
	local name
	for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
		if command -v "$name" >/dev/null; then return 0; fi
	done
	return 1
}

# Prints the prefix that makes a command run as root, or fails.
as_root() {
	if ((EUID == 0)); then
		echo env
	elif sudo -n true 2>/dev/null; then
		echo "sudo -n env"
	else
		return 1
	fi
}

install() {
	local root
	command -v apt-get >/dev/null || return 1
	root=$(as_root) || return 1
	echo "installing $* with apt-get" >&2
	if [[ -z ${updated-} ]]; then
		$root DEBIAN_FRONTEND=noninteractive apt-get -q update >&2 || return 1
		updated=1
	fi
	$root DEBIAN_FRONTEND=noninteractive ${RUNLEVEL:+RUNLEVEL=$RUNLEVEL} apt-get -q install -y --no-install-recommends "$@" >&2
}

# The package would also start a server of its own, which nobody asked for: a file for the time of the installation says
# not to.
install_postgres() {
	local root note=/etc/postgresql-common/createcluster.d/boardwatch-tests.conf
	root=$(as_root) || return 1
	$root mkdir -p "${note%/*}"
	echo 'create_main_cluster = false' | $root tee "$note" >/dev/null
	install postgresql
	$root rm -f "$note"
}

have_pgbouncer() { command -v pgbouncer >/dev/null || [[ -x /usr/sbin/pgbouncer ]]; }

have_promtool() { command -v promtool >/dev/null; }

# These packages too would start servers of their own. Nothing is started in run level 1, but for what systemd starts.
install_without_server() {
	[[ ! -d /run/systemd/system ]] && RUNLEVEL=1 install "$@"
}

missing=()
need() { # need WHAT WITHOUT-IT COMMAND...
	local what=$1 without=$2
	shift 2
	if "have_$what"; then return; fi
	if [[ -z ${NO_INSTALL-} ]]; then "$@"; fi
	"have_$what" || missing+=("$without")
}

need compiler 'No C compiler (packages gcc, libc6-dev): tests run without the race detector.' install gcc libc6-dev
need postgres 'No PostgreSQL (package postgresql): tests that need it are skipped.' install_postgres
need pgbouncer 'No PgBouncer (package pgbouncer): tests that need it are skipped.' install_without_server pgbouncer
need chromium 'No Chromium (package chromium-headless-shell or chromium): tests that need it are skipped.' \
	eval 'install chromium-headless-shell || install chromium'
need promtool 'No promtool (package prometheus): the test of the alerts is skipped.' install_without_server prometheus

for m in "${missing[@]}"; do
	echo "$m"
done
