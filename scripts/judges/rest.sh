#!/usr/bin/env bash
# Lets judges from npm look at the REST API: Redocly at its description, Prism at every answer of the contract suite, and
# Specmatic at the answers to thousands of requests that it makes up from the description. Node is needed, and Java for
# Specmatic; what cannot judge is named. The versions are those of scripts/judges/rest/package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null; then
	echo 'npm is not installed: nobody judges the REST API' >&2
	exit 0
fi
judge=$PWD/.cache/judges/rest
mkdir -p "$judge"
cp scripts/judges/rest/* "$judge/"
npm install --prefix "$judge" --no-audit --no-fund --ignore-scripts --no-package-lock --loglevel=error
bin=$judge/node_modules/.bin
export REDOCLY_TELEMETRY=off

work=$(mktemp -d)
running=()
finish() {
	for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait
	rm -rf "$work"
}
trap finish EXIT

# start COMMAND...: runs a server in the background until the end, and sets url to the address that it prints.
start() {
	"$@" >"$work/out" 2>"$work/err" &
	running+=($!)
	for _ in {1..300}; do
		url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$work/out" || true)
		if [[ -n $url ]]; then return; fi
		sleep 0.1
	done
	cat "$work/out" "$work/err" >&2
	return 1
}

CGO_ENABLED=0 go build -o "$work/boardwatch" ./cmd/boardwatch
boardwatch=(env HOME="$work" BOARDWATCH_DATABASE="sqlite:$work/boards.db" BOARDWATCH_DATA_DIR="$work" BOARDWATCH_LOG_LEVEL=error "$work/boardwatch")
# Many accounts: each has a budget of 60 requests a minute.
for i in $(seq 100); do
	"${boardwatch[@]}" account create --email "person$i@northwind.example" --plan ultra --verified >/dev/null
	"${boardwatch[@]}" key create --account "person$i@northwind.example" --name judge | grep -o 'bw_[A-Za-z0-9]*' >>"$work/keys"
done
start "${boardwatch[@]}" serve --listen 127.0.0.1:0 --role api
service=$url
curl -sS "$service/openapi.json" >"$judge/openapi.json"

failed=0
echo '== redocly lint'
"$bin/redocly" lint "$judge/openapi.json" --config "$judge/redocly.yaml" || failed=1

echo '== specmatic'
if command -v java >/dev/null; then
	start node "$judge/lend.mjs" "$service" "$work/keys"
	(
		cd "$judge"
		rm -rf reports
		java -jar node_modules/specmatic/specmatic.jar test --testBaseURL="$url" --timeout=120 --junitReportDir=reports \
			--filter="PATH!='/mcp'" openapi.json >specmatic.log 2>&1 || true
		node verdict.mjs reports 5000
	) || failed=1
else
	echo 'Java is not installed: Specmatic judges nothing' >&2
fi

echo '== prism before the contract suite'
# Two cases cannot pass Node's parser: methods that somebody made up, and letters in an address that are not encoded.
CONTRACT_PROXY=$judge/prism.mjs scripts/with-postgres.sh go test -count=1 -run '^TestContract$' \
	-skip 'TestContract/.*/(errors|listJobs)/(a_method_that_is_no_endpoint|bounds_are_taken)' ./cmd/boardwatch || failed=1
exit $failed
