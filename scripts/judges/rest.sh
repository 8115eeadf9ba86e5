#!/usr/bin/env bash
# Lets judges from npm look at the REST API: Redocly at its description, Prism at every answer of the contract suite, and
# Specmatic at the answers to thousands of requests that it makes up from the description. Node is needed, and Java for
# Specmatic; what cannot judge is named. The versions are those of scripts/judges/rest/package.json.
set -euo pipefail
cd "$(dirname "$0")/../.."

. scripts/judges/judging.sh

fetch rest
bin=$judge/node_modules/.bin
export REDOCLY_TELEMETRY=off

build
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
