#!/usr/bin/env bash
# Prints the licences of everything that is compiled into the program: binaries have to bring them along.
set -euo pipefail
cd "$(dirname "$0")/.."

for os in linux darwin windows; do
	CGO_ENABLED=0 GOOS=$os go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/boardwatch
done | sort -u | while read -r module version dir; do
	printf '%s\n%s %s\n%s\n\n' "================" "$module" "$version" "================"
	find "$dir" -maxdepth 1 -type f \( -iname 'LICENSE*' -o -iname 'LICENCE*' -o -iname 'NOTICE*' -o -iname 'COPYING*' \) | sort | while read -r file; do
		cat "$file"
		echo
	done
done
printf '%s\n%s\n%s\n\n' "================" "The Go standard library and runtime" "================"
cat "$(go env GOROOT)/LICENSE"
printf '\n%s\n%s\n%s\n\n' "================" "The names of places" "================"
cat tools/gazetteer/LICENCES.txt
