#!/usr/bin/env bash
# Packs the client for TypeScript and uses it from a fresh folder: its types are those that the OpenAPI description gives,
# a program in TypeScript compiles with them, and node runs it against a running service. Node and npm are needed.
set -euo pipefail
cd "$(dirname "$0")/../.."

. scripts/judges/judging.sh

if ! command -v npm >/dev/null; then
	echo 'npm is not installed: nobody uses the client for TypeScript' >&2
	exit 0
fi
sources=$PWD/clients/typescript judge=$PWD/.cache/judges/typescript
mkdir -p "$judge"
cp -r "$sources"/{package.json,tsconfig.json,README.md,src} "$judge/"
npm install --prefix "$judge" --no-audit --no-fund --ignore-scripts --no-package-lock --loglevel=error
bin=$judge/node_modules/.bin

echo '== the types are those of the description'
"$bin/openapi-typescript" transport/rest/openapi.json --output "$work/schema.ts" >/dev/null
diff "$sources/src/schema.ts" "$work/schema.ts" || {
	echo 'run npm run generate in clients/typescript' >&2
	exit 1
}

echo '== packed, and installed in a fresh folder'
(cd "$judge" && rm -rf dist && "$bin/tsc")
mkdir "$work/fresh"
(cd "$judge" && npm pack --silent --pack-destination "$work" >/dev/null)
(
	cd "$work/fresh"
	npm init --yes >/dev/null
	npm install --no-audit --no-fund --ignore-scripts --loglevel=error "$work"/boardwatch-client-*.tgz >/dev/null
	cp "$OLDPWD"/scripts/judges/typescript/{use.ts,client.test.mjs} .
	"$bin/tsc" --noEmit --strict --target es2022 --module nodenext --lib es2022,dom use.ts
)

echo '== node against a running service'
build
for name in first second; do
	"${boardwatch[@]}" account create --email "$name@northwind.example" --plan ultra --verified >/dev/null
	"${boardwatch[@]}" key create --account "$name@northwind.example" --name judge | grep -o 'bw_[A-Za-z0-9]*' >"$work/$name"
done
start env BOARDWATCH_DEV=true BOARDWATCH_PLANS_ULTRA_CADENCE=500ms BOARDWATCH_HTTP_PAUSE=0s "${boardwatch[@]}" serve --listen 127.0.0.1:0
cd "$work/fresh"
SERVICE=$url KEY=$(<"$work/first") OTHER_KEY=$(<"$work/second") node --test client.test.mjs
