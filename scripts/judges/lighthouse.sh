#!/usr/bin/env bash
# Lighthouse judges every page of the app in Chromium, with a full list of boards and 350 roles more: performance, accessibility, best practices
# and search engines, each of 100. LIGHTHOUSE_FORM=desktop judges them as on a desk; the usual is a slow phone.
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/judges/judging.sh

fetch lighthouse
go test ./transport/web -count=1 -v -timeout 40m -run TestPagesAreQuick -lighthouse "$judge/judge.mjs"
