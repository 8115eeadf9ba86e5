#!/usr/bin/env bash
# Lets people sign in to the built binary with a real OpenID Connect provider, oidc-provider from npm, on this machine. Their
# browser is played by requests. The provider is honest; where it cannot be anything else, a proxy before it alters the ID
# token and signs it with the provider's own key. The versions are those of scripts/judges/oidc/package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

. scripts/judges/judging.sh

fetch oidc
export PATH=$judge/node_modules/.bin:$PATH # Node 22 is among the packages

build
export PASSWORD='a sentence that only ada would say'
for name in ada bob; do
	"${boardwatch[@]}" account create --email "$name@northwind.example" --plan pro --verified --password-stdin <<<"$PASSWORD" >/dev/null
done
export BOARDWATCH="${boardwatch[*]}"
cd "$judge"
node --version
node --test --test-reporter=spec oidc.test.mjs
