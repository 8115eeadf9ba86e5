#!/usr/bin/env bash
# Installs the .deb in a clean Debian: doctor is content, a board is read, the package of an earlier commit (EARLIER=HEAD~1)
# is upgraded with its data and its settings, and a removal keeps the data. The .rpm is unpacked by rpm. Two builds of the
# release give the same bytes, and its signature, checksums and list of parts hold. Root and debootstrap are needed.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in debootstrap python3; do
	if ((EUID != 0)) || ! command -v "$tool" >/dev/null; then
		echo "root, debootstrap and python3 are needed to install packages: nobody judges them" >&2
		exit 0
	fi
done
. scripts/judges/judging.sh
arch=$(go env GOARCH)
export PLATFORMS=linux/$arch

echo '== two builds are the same'
go run aead.dev/minisign/cmd/minisign@v0.3.0 -G -W -p "$work/key.pub" -s "$work/key" >/dev/null
scripts/release.sh
mv dist "$work/first"
SIGNING_KEY=$work/key scripts/release.sh >/dev/null </dev/null
diff "$work/first/checksums.txt" dist/checksums.txt
go run aead.dev/minisign/cmd/minisign@v0.3.0 -V -p "$work/key.pub" -m dist/checksums.txt
(cd dist && sha256sum --check --quiet checksums.txt)
python3 - dist/*.cdx.json <<'PYTHON'
import json, sys
parts = json.load(open(sys.argv[1]))
assert parts["bomFormat"] == "CycloneDX"
names = {c["name"] for c in parts["components"]}
assert {"std", "modernc.org/sqlite", "github.com/jackc/pgx/v5"} <= names, names
print("made of", len(names), "modules")
PYTHON

echo "== a package of ${EARLIER:=HEAD~1}"
git worktree add --quiet --detach "$work/earlier" "$EARLIER"
drop_earlier() { git worktree remove --force "$work/earlier"; }
trap 'drop_earlier; finish' EXIT
(cd "$work/earlier" && scripts/release.sh)

clean=$PWD/.cache/debian-$arch
if [[ ! -x $clean/usr/bin/dpkg ]]; then
	rm -rf "$clean"
	debootstrap --variant=minbase --include=ca-certificates bookworm "$clean" >/dev/null
fi
root=$work/root
cp -a "$clean" "$root"
cp "$work"/earlier/dist/*.deb "$root/earlier.deb"
cp dist/*.deb "$root/newer.deb"

mkdir "$work/site"
cat >"$work/site/careers.html" <<'HTML'
<!doctype html><html lang="en"><head><title>Careers at Northwind Optics</title></head><body><h1>Open positions</h1>
<ul><li><a href="/jobs/1">Optical Engineer</a> Bergen</li><li><a href="/jobs/2">Lens Polisher</a> Bergen</li>
<li><a href="/jobs/3">Accountant</a> Oslo</li></ul></body></html>
HTML
start python3 -u -c 'import http.server as h,functools as f,sys
s=h.HTTPServer(("127.0.0.1",0),f.partial(h.SimpleHTTPRequestHandler,directory=sys.argv[1]))
print("http://127.0.0.1:%d"%s.server_port);s.serve_forever()' "$work/site"
page=$url/careers.html

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin BOARDWATCH_DEV=true BOARDWATCH_LISTEN=127.0.0.1:0 BOARDWATCH_BROWSER_MODE=never "$@"; }
# Runs the service as its unit does, until its board has three roles.
serve_until_read() {
	: >"$work/served"
	inside setpriv --reuid boardwatch --regid boardwatch --clear-groups \
		sh -c 'echo $$ >/var/lib/boardwatch/pid; exec boardwatch serve' >"$work/served" 2>&1 &
	local job=$!
	for _ in {1..100}; do
		if grep -q 'http://127' "$work/served" && inside boardwatch board list --account ann@northwind.example --output json | grep -q '"openJobs": *3'; then
			kill "$(<"$root/var/lib/boardwatch/pid")"
			wait "$job"
			return
		fi
		sleep 0.2
	done
	cat "$work/served" >&2
	kill "$(<"$root/var/lib/boardwatch/pid")" 2>/dev/null || true
	return 1
}

echo '== installed'
inside dpkg --install earlier.deb
inside boardwatch version
[[ $(inside stat -c '%U %a' /var/lib/boardwatch) == 'boardwatch 700' ]]
[[ $(inside stat -c '%U %a' /etc/boardwatch/secrets.env) == 'root 600' ]]
grep -q '^ExecStart=/usr/bin/boardwatch serve$' "$root/usr/lib/systemd/system/boardwatch.service"
for file in man/man1/boardwatch.1.gz bash-completion/completions/boardwatch zsh/vendor-completions/_boardwatch doc/boardwatch/licences.txt; do
	[[ -s $root/usr/share/$file ]]
done
inside boardwatch account create --email ann@northwind.example --plan ultra --verified >/dev/null
inside boardwatch board add --account ann@northwind.example "$page"
serve_until_read
inside boardwatch doctor

echo '== upgraded'
echo 'mail: {digest_hour: 9}' >>"$root/etc/boardwatch/boardwatch.yaml"
inside dpkg --install newer.deb
grep -q 'digest_hour: 9' "$root/etc/boardwatch/boardwatch.yaml"
serve_until_read
inside boardwatch doctor

echo '== removed, and installed again'
inside dpkg --remove boardwatch
[[ ! -e $root/usr/bin/boardwatch && -s $root/var/lib/boardwatch/boardwatch.db ]]
inside dpkg --install newer.deb >/dev/null
serve_until_read
inside dpkg --purge boardwatch
[[ ! -e $root/etc/boardwatch/secrets.env && -s $root/var/lib/boardwatch/boardwatch.db ]]

echo '== the .rpm'
if command -v rpm >/dev/null; then
	mkdir "$work/rpm"
	rpm --root "$work/rpm" --install --nodeps --noscripts dist/*.rpm
	rpm --root "$work/rpm" --verify --nodeps --nouser --nogroup boardwatch
	"$work/rpm/usr/bin/boardwatch" version
else
	echo 'rpm is not installed: nobody judges the .rpm' >&2
fi
