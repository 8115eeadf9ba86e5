#!/usr/bin/env bash
# Lets real clients from npm use the MCP endpoint and the authorization server of the built binary, from the first 401 to
# refresh: both official TypeScript SDKs, mcp-remote and the command line of the MCP Inspector; two libraries that hold
# answers against the RFCs; and the official conformance suite. A person is played by requests that a browser would make.
# Arguments are names of judges, such as sdk2; otherwise all judge. The versions are those of scripts/judges/mcp/package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null; then
	echo 'npm is not installed: nobody judges the MCP endpoint' >&2
	exit 0
fi
judge=$PWD/.cache/judges/mcp
mkdir -p "$judge"
cp scripts/judges/mcp/* "$judge/"
npm install --prefix "$judge" --no-audit --no-fund --ignore-scripts --no-package-lock --loglevel=error
export PATH=$judge/node_modules/.bin:$PATH # Node 22 is among the packages

work=$(mktemp -d)
running=()
finish() {
	for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait
	rm -rf "$work"
}
trap finish EXIT

CGO_ENABLED=0 go build -o "$work/boardwatch" ./cmd/boardwatch
boardwatch=(env HOME="$work" BOARDWATCH_DATABASE="sqlite:$work/boards.db" BOARDWATCH_DATA_DIR="$work" BOARDWATCH_LOG_LEVEL=error)

# start NAME SETTING...: serves until the end, and sets url to its address.
start() {
	local name=$1
	shift
	"${boardwatch[@]}" "$@" "$work/boardwatch" serve --dev --role api --listen 127.0.0.1:0 >"$work/$name" 2>"$work/$name.err" &
	running+=($!)
	for _ in {1..300}; do
		url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$work/$name" || true)
		if [[ -n $url ]]; then return; fi
		sleep 0.1
	done
	cat "$work/$name" "$work/$name.err" >&2
	return 1
}

export PASSWORD='a sentence that only ada would say'
for name in sdk1 sdk2 remote inspector oauth4webapi openid-client conformance; do
	"${boardwatch[@]}" "$work/boardwatch" account create --email "$name@northwind.example" --plan ultra --verified --password-stdin <<<"$PASSWORD" >/dev/null
done
start service
export SERVICE=$url
# Where tokens run out while a judge waits, and are told apart from copies soon.
start hasty BOARDWATCH_OAUTH_ACCESS_TTL=3s BOARDWATCH_OAUTH_REFRESH_GRACE=2s
export HASTY=$url

judges=("$@")
if ((${#judges[@]} == 0)); then judges=(sdk1 sdk2 remote inspector oauth4webapi openid-client conformance); fi
cd "$judge"
node --version
node --test --test-reporter=spec "${judges[@]/%/.test.mjs}"
