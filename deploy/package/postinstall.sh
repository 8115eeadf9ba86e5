#!/bin/sh
# After an installation and after an upgrade: the user and the folder of the data are there, and a running service runs the
# new version.
set -e

if ! getent passwd boardwatch >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/boardwatch --no-create-home --shell /usr/sbin/nologin boardwatch
fi
install -d -m 0700 -o boardwatch -g boardwatch /var/lib/boardwatch

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart boardwatch.service
fi
