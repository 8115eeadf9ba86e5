#!/usr/bin/env bash
# A private PostgreSQL cluster for tests: on a free port of the loopback address, in a directory of its own.
#
#   postgres.sh find        print the directory of PostgreSQL's programs, or fail
#   postgres.sh start DIR   make a cluster in DIR, start it and print its URL
#   postgres.sh restart DIR break it off, without a checkpoint, and start it again at the same URL
#   postgres.sh stop DIR    stop it; DIR stays
#
# PostgreSQL refuses to run as root, so root runs it as the user postgres (or nobody).
set -euo pipefail

usage() {
	echo "usage: postgres.sh find | start DIR | restart DIR | stop DIR" >&2
	exit 2
}

die() {
	echo "postgres.sh: $*" >&2
	exit 1
}

# The newest installation that has a server, not just the client.
find_bin() {
	local dir
	while read -r dir; do
		if [[ -x $dir/initdb && -x $dir/pg_ctl ]]; then
			echo "$dir"
			return
		fi
	done < <(
		compgen -G '/usr/lib/postgresql/*/bin' | sort -Vr || true
		compgen -G '/usr/pgsql-*/bin' | sort -Vr || true
		dirname "$(command -v initdb || echo /nowhere/initdb)"
	)
	return 1
}

# as_owner runs a command as the user who owns the cluster, from a directory that user may be in.
as_owner() (
	cd /
	if [[ -z $owner ]]; then
		"$@"
	elif command -v setpriv >/dev/null; then
		setpriv --reuid="$owner" --regid="$(id -g "$owner")" --clear-groups "$@"
	elif command -v runuser >/dev/null; then
		runuser -u "$owner" -- "$@"
	else
		su -s /bin/sh "$owner" -c 'exec "$@"' -- sh "$@"
	fi
)

free_port() {
	local port
	while :; do
		port=$((15000 + RANDOM % 16000)) # below the ports the kernel hands out
		if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			echo "$port"
			return
		fi
	done
}

init() {
	local locale
	for locale in C.UTF-8 C; do
		if as_owner "$bin/initdb" --pgdata="$dir/data" --username=postgres --auth=trust --encoding=UTF8 \
			--locale="$locale" --no-sync >"$dir/initdb.log" 2>&1; then
			return
		fi
		rm -rf "$dir/data"
	done
	cat "$dir/initdb.log" >&2
	die "initdb failed"
}

# What a commit promises stays on, because the tests are about that. The rest is for many short-lived databases.
configure() {
	local sockets="'$dir'"
	if ((${#dir} > 80)); then
		sockets="''" # the name of a socket is limited to about a hundred bytes
	fi
	cat >>"$dir/data/postgresql.conf" <<-CONF
		listen_addresses = '127.0.0.1'
		unix_socket_directories = $sockets
		max_connections = 200
		fsync = on
		synchronous_commit = on
		wal_level = minimal
		max_wal_senders = 0
		max_wal_size = 2GB
		checkpoint_timeout = 15min
		shared_buffers = 128MB
		log_min_messages = warning
		timezone = 'UTC'
	CONF
}

start() {
	bin=$(find_bin) || die "PostgreSQL's server is not installed"
	mkdir -p "$dir"
	if [[ -n $owner ]]; then
		chown "$owner" "$dir"
		as_owner test -x "$dir" || die "the user $owner cannot enter $dir"
	fi
	if [[ ! -d $dir/data ]]; then
		init
		configure
	fi
	local port try
	for try in 1 2 3 4 5; do
		port=$(free_port)
		if as_owner "$bin/pg_ctl" start --pgdata="$dir/data" --log="$dir/server.log" --wait --timeout=60 \
			--options="-p $port" >/dev/null 2>&1; then
			echo "postgres://postgres@127.0.0.1:$port/postgres?sslmode=disable"
			return
		fi
		grep -q 'could not bind\|could not create any TCP/IP sockets' "$dir/server.log" || break # else the port was taken
	done
	tail -n 20 "$dir/server.log" >&2 || true
	die "PostgreSQL did not start (try $try)"
}

restart() {
	bin=$(find_bin) || die "PostgreSQL's server is not installed"
	as_owner "$bin/pg_ctl" restart --pgdata="$dir/data" --mode=immediate --log="$dir/server.log" --wait --timeout=60 >/dev/null
}

stop() {
	bin=$(find_bin) || die "PostgreSQL's server is not installed"
	[[ -f $dir/data/postmaster.pid ]] || return 0
	as_owner "$bin/pg_ctl" stop --pgdata="$dir/data" --mode=fast --wait --timeout=30 >/dev/null 2>&1 ||
		as_owner "$bin/pg_ctl" stop --pgdata="$dir/data" --mode=immediate --wait --timeout=30 >/dev/null
}

owner=
if ((EUID == 0)); then
	for owner in postgres nobody; do
		if id "$owner" >/dev/null 2>&1; then break; fi
	done
fi

case "${1-}" in
find)
	find_bin
	;;
start | restart | stop)
	[[ $# -eq 2 && -n $2 ]] || usage
	dir=$(realpath -m -- "$2")
	"$1"
	;;
*) usage ;;
esac
