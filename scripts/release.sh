#!/usr/bin/env bash
# Builds the program for every platform into dist/: a static binary each, in an archive with the licence, the changelog,
# the manual pages and the completions, and the SHA-256 of all archives. The same commit gives the same binaries.
# PLATFORMS="linux/amd64 …" builds some of them only, ARCHIVES=no leaves the binaries as they are.
set -euo pipefail
cd "$(dirname "$0")/.."

platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo dev)}
version=${version#v}
commit=$(git rev-parse HEAD 2>/dev/null || true)
date=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null || true)
date=${date:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}
flags="-s -w -X main.version=$version -X main.commit=$commit -X main.date=$date"

rm -rf dist
mkdir -p dist/extras/completions
echo "boardwatch $version of $date"
CGO_ENABLED=0 go build -trimpath -ldflags "$flags" -o dist/extras/boardwatch ./cmd/boardwatch
for shell in bash zsh fish powershell; do
	dist/extras/boardwatch completion "$shell" >"dist/extras/completions/boardwatch.$shell"
done
dist/extras/boardwatch man dist/extras/man
scripts/licences.sh >dist/extras/licences.txt
rm dist/extras/boardwatch

# One archive with nothing in it that depends on the day or the machine.
pack() { # FOLDER
	find "$1" -exec touch -d "$date" {} +
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -C dist -cf - "${1#dist/}" | gzip -n >"$1.tar.gz"
	rm -r "$1"
}

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/} name=boardwatch
	if [[ $os == windows ]]; then name=boardwatch.exe; fi
	folder=dist/boardwatch_${version}_${os}_${arch}
	mkdir "$folder"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "$flags" -o "$folder/$name" ./cmd/boardwatch
	printf '%-14s %4d MB\n' "$platform" $(($(stat -c %s "$folder/$name") / 1000000))
	if [[ ${ARCHIVES-} == no ]]; then continue; fi
	cp LICENSE README.md CHANGELOG.md dist/extras/licences.txt "$folder"
	cp -r dist/extras/completions "$folder"
	case $os in
	linux) cp -r dist/extras/man "$folder" && cp deploy/boardwatch.service "$folder" ;;
	darwin) cp -r dist/extras/man "$folder" ;;
	esac
	pack "$folder"
done
rm -r dist/extras
if [[ ${ARCHIVES-} != no ]]; then (cd dist && sha256sum -- *.tar.gz >checksums.txt); fi
