#!/usr/bin/env bash
# Says which packages start goroutines. The suite for stores starts some in whatever package runs it.
#
#   goroutines.sh code      packages whose code does, or whose tests run the suite for stores
#   goroutines.sh tests     packages where only tests do
#   goroutines.sh none      all other packages
#   goroutines.sh watched   the names of those tests in packages of the second kind whose files start goroutines
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
code | tests | none | watched) ;;
*) echo "usage: goroutines.sh code | tests | none | watched" >&2 && exit 2 ;;
esac
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
	if [[ $kind == "$1" ]]; then echo "$package"; fi
done < <(go list -f '{{.Dir}}|{{.ImportPath}}|{{join .GoFiles " "}}|{{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}' ./...)

if [[ $1 == watched ]]; then
	grep -hoE '^func (Test|Fuzz|Example)[A-Za-z0-9_]*' "${watched[@]}" | sed 's/^func //' | sort -u
fi
