#!/usr/bin/env bash
# goroutines.sh with | without: prints the packages whose code or tests start goroutines, or those where neither does. The
# suite for stores starts some in whatever package runs it.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
with | without) ;;
*) echo "usage: goroutines.sh with | without" >&2 && exit 2 ;;
esac
marks='^[[:space:]]*go [a-z]|\.Go\(|\.AfterFunc\(|storagetest\.Exercise(Store)?\('
while IFS=$'\t' read -r dir package; do
	if grep -qE "$marks" "$dir"/*.go; then found=with; else found=without; fi
	if [[ $found == "$1" ]]; then echo "$package"; fi
done < <(go list -f '{{.Dir}}{{"\t"}}{{.ImportPath}}' ./...)
