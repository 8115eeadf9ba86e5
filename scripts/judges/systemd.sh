#!/usr/bin/env bash
# Installs the .deb in a Debian that boots systemd in a container: the service starts, outlives signals and crashes, gives up
# when a setting is wrong, and root's commands use its database, on SQLite and on PostgreSQL. Root, debootstrap and
# systemd-nspawn (package systemd-container) are needed; DEB=FILE takes a package that is there already.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in debootstrap systemd-nspawn nsenter; do
	if ((EUID != 0)) || ! command -v "$tool" >/dev/null; then
		echo "root, debootstrap and systemd-nspawn are needed to boot a container: nobody judges the service" >&2
		exit 0
	fi
done
. scripts/judges/judging.sh
arch=$(go env GOARCH)
if [[ -z ${DEB-} ]]; then
	PLATFORMS=linux/$arch scripts/release.sh
	DEB=$(echo dist/*.deb)
fi

clean=$PWD/.cache/debian-systemd-$arch
if [[ ! -x $clean/usr/bin/dpkg ]]; then
	rm -rf "$clean"
	debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,postgresql bookworm "$clean" >/dev/null
fi
root=$work/root
cp -a "$clean" "$root"
cp "$DEB" "$root/boardwatch.deb"

# A network of its own, in which only loopback is there. systemd-nspawn wants to own its folder below /run.
unshare --mount sh -c 'mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && exec "$@"' sh \
	systemd-nspawn --quiet --directory "$root" --boot --private-network --register=no --keep-unit --machine=boardwatch-judge \
	--notify-ready=no --console=pipe </dev/null >"$work/boot" 2>&1 &
running+=($!)
init=
inside() { nsenter --target "$init" --all env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "$@"; }
for _ in {1..300}; do
	init=$(pgrep --parent "${running[-1]}" || true)
	if [[ -n $init ]] && inside systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded'; then break; fi
	sleep 0.2
done
inside systemctl is-active postgresql@15-main >/dev/null || { cat "$work/boot" >&2 && exit 1; }

is() { # PROPERTY VALUE: waits until the service has it
	for _ in {1..150}; do
		if [[ $(inside systemctl show boardwatch --property "$1" --value) == "$2" ]]; then return; fi
		sleep 0.2
	done
	inside journalctl --unit boardwatch --no-pager --lines 20 >&2
	echo "$1 is not $2" >&2
	return 1
}
fails() { # CODE WORDS COMMAND...
	local code=0
	inside "${@:3}" >"$work/said" 2>&1 || code=$?
	[[ $code == "$1" ]] && grep -q "$2" "$work/said" || { cat "$work/said" >&2 && return 1; }
}

echo '== installed and started'
inside dpkg --install /boardwatch.deb >/dev/null
inside sh -c 'echo "browser: {mode: never}" >>/etc/boardwatch/boardwatch.yaml'
fails 1 'there is no database at /var/lib/boardwatch/boardwatch.db' boardwatch board list
inside systemctl enable --now boardwatch 2>/dev/null # returns when the service has said that it serves
inside boardwatch health >/dev/null
fails 1 'boardwatch account create' boardwatch board list
inside boardwatch account create --email ann@northwind.example --plan ultra --verified >/dev/null
[[ $(inside sh -c 'stat -c %U /var/lib/boardwatch/*' | sort -u) == boardwatch ]]

echo '== signals and crashes'
first=$(inside systemctl show boardwatch --property MainPID --value)
inside systemctl kill --signal HUP boardwatch
inside systemctl kill --signal KILL boardwatch
is NRestarts 1 && is SubState running
[[ $(inside systemctl show boardwatch --property MainPID --value) != "$first" ]]
inside systemctl kill --signal QUIT boardwatch # ends as a panic does
is NRestarts 2 && is SubState running
inside sh -c 'kill -TERM $(systemctl show boardwatch --property MainPID --value)'
is NRestarts 3 && is SubState running

echo '== a wrong setting'
inside sh -c 'echo BOARDWATCH_MAIL_FORM=x >>/etc/boardwatch/secrets.env'
fails 1 '' systemctl restart boardwatch
is ActiveState failed && is ExecMainStatus 2 && is NRestarts 0

echo '== on PostgreSQL'
inside su postgres -c "psql -q -c \"CREATE ROLE boardwatch LOGIN PASSWORD 'sesame'\" -c 'CREATE DATABASE boardwatch OWNER boardwatch'"
inside sh -c "echo \"BOARDWATCH_DATABASE='postgres://boardwatch:sesame@127.0.0.1/boardwatch'\" >/etc/boardwatch/secrets.env"
fails 1 'there is no database at postgres://boardwatch:xxxxx@127.0.0.1/boardwatch' boardwatch backup /root/backup.gz
inside systemctl start boardwatch
inside boardwatch account create --email pia@northwind.example --plan ultra --verified >/dev/null
inside boardwatch backup /root/backup.gz >/dev/null 2>&1
inside zgrep -q pia@northwind.example /root/backup.gz
inside boardwatch rotate-key >/dev/null
[[ $(inside stat -c %U /var/lib/boardwatch/secret.key) == boardwatch ]]
inside systemctl restart boardwatch
inside boardwatch doctor >/dev/null
inside systemctl stop boardwatch
