#!/usr/bin/env bash
# Lets real clients from npm use the MCP endpoint and the authorization server of the built binary, from the first 401 to
# refresh: both official TypeScript SDKs, mcp-remote and the command line of the MCP Inspector; the SDKs and the Inspector
# once more as agents on the same machine, which start the program themselves; two libraries that hold answers against the
# RFCs; and the official conformance suite. A person is played by requests that a browser would make. Arguments are names
# of judges, such as sdk2; otherwise all judge. The versions are those of scripts/judges/mcp/package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

. scripts/judges/judging.sh

fetch mcp
export PATH=$judge/node_modules/.bin:$PATH # Node 22 is among the packages

build
export PASSWORD='a sentence that only ada would say'
for name in sdk1 sdk2 stdio remote inspector oauth4webapi openid-client conformance; do
	"${boardwatch[@]}" account create --email "$name@northwind.example" --plan ultra --verified --password-stdin <<<"$PASSWORD" >/dev/null
done
serve=("${boardwatch[@]}" serve --dev --role api --listen 127.0.0.1:0)
start "${serve[@]}"
export SERVICE=$url
# Where tokens run out while a judge waits, and are told apart from copies soon.
start env BOARDWATCH_OAUTH_ACCESS_TTL=3s BOARDWATCH_OAUTH_REFRESH_GRACE=2s "${serve[@]}"
export HASTY=$url

export BOARDWATCH="${boardwatch[*]}" # for those who start it themselves

judges=("$@")
if ((${#judges[@]} == 0)); then judges=(sdk1 sdk2 stdio remote inspector oauth4webapi openid-client conformance); fi
cd "$judge"
node --version
node --test --test-reporter=spec "${judges[@]/%/.test.mjs}"
