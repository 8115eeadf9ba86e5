#!/usr/bin/env bash
# Installs the .deb in a Debian that boots systemd in a container: the service starts; its operator makes the first account,
# invites a person by mail, who signs up and adds a board; it outlives signals and crashes, gives up when a setting is wrong,
# and root's commands use its database, on SQLite and on PostgreSQL. Root, debootstrap and
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

clean=$PWD/.cache/debian-services-$arch
if [[ ! -x $clean/usr/bin/dpkg ]]; then
	rm -rf "$clean"
	debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,postgresql,curl,opensmtpd bookworm "$clean" >/dev/null
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
inside tee -a /etc/boardwatch/boardwatch.yaml >/dev/null <<'YAML'
browser: {mode: never}
http: {allow_private: true}
mail: {smtp_url: "smtp://127.0.0.1:25", from: boardwatch@northwind.example}
YAML
fails 1 'there is no database at /var/lib/boardwatch/boardwatch.db' boardwatch board list
inside systemctl enable --now boardwatch 2>/dev/null # returns when the service has said that it serves
inside boardwatch health >/dev/null
fails 1 'boardwatch account create' boardwatch board list

echo '== a first day, in the app, by mail'
inside sh -c 'echo northwind.example >/etc/mailname && useradd --create-home gus && systemctl restart opensmtpd'
inside tee /usr/local/bin/careers >/dev/null <<'SH'
while read -r line && [ "${#line}" -gt 1 ]; do :; done
printf 'HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>Open positions</h1><ul>'
for title in Baker Engineer Accountant; do printf '<li><a href=/jobs/%s>%s</a> Porto</li>' "$title" "$title"; done
SH
inside tee /etc/systemd/system/careers.socket >/dev/null <<<$'[Socket]\nListenStream=127.0.0.1:8088\nAccept=yes'
inside tee /etc/systemd/system/careers@.service >/dev/null <<<$'[Service]\nExecStart=sh /usr/local/bin/careers\nStandardInput=socket'
inside systemctl start careers.socket
post() { # WHO PATH FIELD=VALUE...: what that person's browser sends
	local fields=()
	for field in "${@:3}"; do fields+=(--data-urlencode "$field"); done
	inside curl --silent --show-error --fail --output /dev/null --cookie "/root/$1" --cookie-jar "/root/$1" \
		--header 'Sec-Fetch-Site: same-origin' "${fields[@]}" "http://127.0.0.1:8080$2"
}
token() { sed -nE "s,.*$1\\?token=([A-Za-z0-9_-]+).*,\\1,p" | tail -n 1; } # the last one of links to that path
post ann /setup "token=$(inside journalctl --unit boardwatch --output cat | token /setup)" email=ann@northwind.example 'password=correct horse battery'
post ann /admin/signup mode=invite
post ann /admin/invitations email=gus@northwind.example plan=pro
invitation=
for _ in {1..150}; do
	invitation=$(inside sh -c 'perl -MMIME::QuotedPrint -0777 -ne "print decode_qp(\$_)" /home/gus/Maildir/new/* 2>/dev/null' | token /signup)
	if [[ -n $invitation ]]; then break; fi
	sleep 0.2
done
post gus /signup/accept "token=$invitation" 'password=staple battery horse'
post gus /boards url=http://127.0.0.1:8088/careers
for _ in {1..150}; do
	if inside boardwatch role list --account gus@northwind.example -o json | grep -q Accountant; then break; fi
	sleep 0.2
done
inside boardwatch role list --account gus@northwind.example -o json | grep -q Accountant
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
