#!/usr/bin/env bash
# Makes the files of a release beside the programs, in a folder that it empties: completions, manual pages, licences, and what only the
# packages for Linux contain. The program that writes them is given: release-files.sh FOLDER PROGRAM.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1 program=$2

rm -rf "$folder/completions" "$folder/man" "$folder/package"
mkdir -p "$folder/completions" "$folder/package/man"
for shell in bash zsh fish powershell; do
	"$program" completion "$shell" >"$folder/completions/boardwatch.$shell"
done
"$program" man "$folder/man"
scripts/licences.sh >"$folder/licences.txt"

# A package owns its user, and its programs are in /usr/bin.
sed -e 's|/usr/local/bin/|/usr/bin/|' -e 's|^DynamicUser=yes$|User=boardwatch\nGroup=boardwatch|' \
	deploy/boardwatch.service >"$folder/package/boardwatch.service"
# Commands that root gives without --data-dir are meant for the service.
"$program" config init "$folder/package/boardwatch.yaml" 2>/dev/null
sed -i 's|^# *data_dir:.*|data_dir: /var/lib/boardwatch|' "$folder/package/boardwatch.yaml"
for page in "$folder"/man/*; do
	gzip -nc "$page" >"$folder/package/man/${page##*/}.gz"
done
