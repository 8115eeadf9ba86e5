#!/usr/bin/env bash
# Lets Stripe's libraries for Go and Node judge our signatures, beside our own verifier. Both are downloaded, in the versions
# that tools/judges/go.sum and scripts/judges/stripe/package-lock.json name.
set -euo pipefail
cd "$(dirname "$0")/../.."

judge=$PWD/.cache/judges/stripe
if command -v npm >/dev/null; then
	mkdir -p "$judge"
	cp scripts/judges/stripe/* "$judge/"
	npm ci --prefix "$judge" --no-audit --no-fund --ignore-scripts --loglevel=error
	export STRIPE_JUDGE=$judge/verify.mjs
else
	echo 'npm is not installed: Stripe'\''s library for Node judges nothing' >&2
fi
cd tools/judges
go test -count=1 "$@" ./...
