#!/usr/bin/env bash
# Builds the program for every platform into dist/: a static binary each, in an archive with the licence, the changelog,
# the manual pages and the completions; a .deb and an .rpm for Linux; the list of what they are made of (CycloneDX), and the
# SHA-256 of everything. The same commit gives the same bytes.
# PLATFORMS="linux/amd64 …" builds some of them only, ARCHIVES=no leaves the binaries as they are. SIGNING_KEY=FILE signs
# the checksums with a key of minisign, which asks for its password.
set -euo pipefail
cd "$(dirname "$0")/.."

nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.4
cyclonedx=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
minisign=aead.dev/minisign/cmd/minisign@v0.3.0

platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo dev)}
version=${version#v}
commit=$(git rev-parse HEAD 2>/dev/null || true)
date=$(TZ=UTC git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd 2>/dev/null || true)
date=${date:-$(date -u +%Y-%m-%dT%H:%M:%SZ)}
flags="-s -w -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.version=$version -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.commit=$commit -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.date=$date"

rm -rf dist
mkdir -p dist/files
echo "boardwatch $version of $date"
CGO_ENABLED=0 go build -trimpath -ldflags "$flags" -o dist/files/boardwatch ./cmd/boardwatch
scripts/release-files.sh dist/files dist/files/boardwatch

# One archive with nothing in it that depends on the day or the machine.
pack() { # FOLDER
	find "$1" -exec touch -d "$date" {} +
	tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" -C dist -cf - "${1#dist/}" | gzip -n >"$1.tar.gz"
	rm -r "$1"
}

# The version as packages compare it: a commit without a tag is older than every release, and newer than the commits before.
package_version() {
	case $version in
	[0-9]*.[0-9]*.[0-9]*-rc*) echo "${version/-rc/\~rc}" | tr - + ;;
	[0-9]*.[0-9]*.[0-9]*) echo "$version" | tr - + ;;
	*) echo "0.0.0~$(git rev-list --count HEAD 2>/dev/null || echo 0)+$version" | tr - + ;;
	esac
}

# The packages of a program for Linux, in which every moment is the commit's.
package() { # PROGRAM ARCH
	cp "$1" dist/files/boardwatch
	find dist/files -exec touch -d "$date" {} +
	for kind in deb rpm; do
		PACKAGE_ARCH=$2 PACKAGE_VERSION=$(package_version) SOURCE_DATE_EPOCH=$(date -d "$date" +%s) \
			go run "$nfpm" package --config deploy/package/nfpm.yaml --packager "$kind" \
			--target "dist/boardwatch_${version}_linux_$2.$kind"
	done
}

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/} name=boardwatch
	if [[ $os == windows ]]; then name=boardwatch.exe; fi
	folder=dist/boardwatch_${version}_${os}_${arch}
	mkdir "$folder"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -trimpath -ldflags "$flags" -o "$folder/$name" ./cmd/boardwatch
	printf '%-14s %4d MB\n' "$platform" $(($(stat -c %s "$folder/$name") / 1000000))
	if [[ ${ARCHIVES-} == no ]]; then continue; fi
	if [[ $os == linux ]]; then package "$folder/$name" "$arch"; fi
	cp LICENSE README.md CHANGELOG.md dist/files/licences.txt "$folder"
	cp -r dist/files/completions "$folder"
	case $os in
	linux) cp -r dist/files/man "$folder" && cp deploy/boardwatch.service "$folder" ;;
	darwin) cp -r dist/files/man "$folder" ;;
	esac
	pack "$folder"
done
if [[ ${ARCHIVES-} == no ]]; then
	rm -r dist/files
	exit
fi

go run "$cyclonedx" bin -json -std -licenses -noserial -notimestamp -version "v$version" \
	-output "dist/boardwatch_$version.cdx.json" dist/files/boardwatch 2>/dev/null
rm -r dist/files
cd dist
sha256sum -- boardwatch_* >checksums.txt
if [[ -n ${SIGNING_KEY-} ]]; then
	cd ..
	go run "$minisign" -S -s "$SIGNING_KEY" -t "boardwatch $version" -m dist/checksums.txt
fi
