#!/bin/sh
# After a removal the data stays, and so does its owner: the key in it opens the backups.
set -e

case "${1-}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl daemon-reload
	fi
	echo "boardwatch is removed. Its data is still in /var/lib/boardwatch."
	;;
esac
