#!/usr/bin/env bash
# axe-core looks at every page of the app in Chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" axe-core@4.14.1 >&2
go test ./transport/web -count=1 -v -run TestPagesAreForEverybody -axe "$folder/node_modules/axe-core/axe.min.js"
