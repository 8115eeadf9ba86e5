#!/usr/bin/env bash
# Says which packages start goroutines, in lines of a kind and a name. The suite for stores starts some in whatever package
# runs it.
#
#   code PACKAGE    its code does, or its tests run the suite for stores
#   tests PACKAGE   only its tests do
#   none PACKAGE    any other
#   watched TEST    a test of the second kind of packages, in a file that starts goroutines
set -euo pipefail
cd "$(dirname "$0")/.."
marks='^[[:space:]]*go [a-z]|\.Go\(|\.AfterFunc\(' suite='storagetest\.Exercise(Store)?\('

marked() ( # marked PATTERN DIR FILE...: prints the files that match
	cd "$2"
	(($# == 2)) || grep -lE "$1" "${@:3}" | sed "s|^|$2/|"
)

watched=()
while IFS='|' read -r dir package code tests; do
	read -ra code <<<"$code"
	read -ra tests <<<"$tests"
	kind=none
	if [[ -n $(marked "$marks" "$dir" "${code[@]}") || -n $(marked "$suite" "$dir" "${tests[@]}") ]]; then
		kind=code
	else
		mapfile -t files < <(marked "$marks" "$dir" "${tests[@]}")
		if ((${#files[@]} > 0)); then
			kind=tests
			watched+=("${files[@]}")
		fi
	fi
	echo "$kind $package"
done < <(go list -f '{{.Dir}}|{{.ImportPath}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}' ./...)

if ((${#watched[@]} > 0)); then
	grep -hoE '^func (Test|Fuzz|Example)[A-Za-z0-9_]*' "${watched[@]}" | sort -u | sed 's/^func /watched /'
fi
