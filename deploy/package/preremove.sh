#!/bin/sh
# Before a removal, the service stops. An upgrade calls this too (dpkg with "upgrade", rpm with "1"), and leaves it running.
set -e

case "${1-}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now boardwatch.service
	fi
	;;
esac
