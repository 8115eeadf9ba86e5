#!/usr/bin/env bash
# Lints the Helm chart, renders it for each file of deploy/chart/examples, and compares what comes out with the schemas of
# Kubernetes. deploy/kubernetes.yaml has to be the chart with the values of examples/small.yaml; UPDATE=yes writes it anew.
# Everything comes from the Go module proxy. python3 is needed.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v python3 >/dev/null; then
	echo 'python3 is not installed: nobody judges the chart' >&2
	exit 0
fi
kubernetes=v1.34.2
tools=$PWD/.cache/tools
mkdir -p "$tools"
[[ -x $tools/helm ]] || GOBIN=$tools go install helm.sh/helm/v3/cmd/helm@v3.22.0
[[ -x $tools/kubeconform ]] || GOBIN=$tools go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
schemas=$tools/kubernetes-$kubernetes
if [[ ! -e $schemas/definitions.json ]]; then
	module=$(cd / && go mod download -json "k8s.io/kubernetes@$kubernetes" | python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
	python3 scripts/judges/chart/schemas.py "$module/api/openapi-spec/swagger.json" "$schemas"
fi

chart=deploy/chart/boardwatch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for values in deploy/chart/examples/*.yaml; do
	name=$(basename "$values" .yaml)
	echo "== $name"
	"$tools/helm" lint --strict --quiet "$chart" --values "$values"
	"$tools/helm" template boardwatch "$chart" --values "$values" >"$work/$name.yaml"
	# The Prometheus operator publishes its resources itself.
	"$tools/kubeconform" -strict -summary -skip ServiceMonitor,PrometheusRule -schema-location "file://$schemas/{{.ResourceKind}}{{.KindSuffix}}.json" "$work/$name.yaml"
done

echo '== the rules are those of the file'
python3 - "$work/large.yaml" "$chart/alerts.yaml" <<'PYTHON'
import sys
rendered, rules = (open(name).read() for name in sys.argv[1:])
indented = "".join("  " + line if line.strip() else line for line in rules.splitlines(True))
assert indented in rendered, "the PrometheusRule is not alerts.yaml"
PYTHON

echo '== what cannot work is refused'
refused() { # WHY ARGUMENTS…
	local why=$1
	shift
	if "$tools/helm" template boardwatch "$chart" "$@" >/dev/null 2>"$work/told"; then
		echo "accepted: $*" >&2
		exit 1
	fi
	grep -q "$why" "$work/told" || { cat "$work/told" >&2 && exit 1; }
}
given=(--set baseUrl=https://boards.company.example --set secret.name=boardwatch)
refused baseUrl --set secret.name=boardwatch
refused secret.database --set baseUrl=https://boards.company.example
refused replicas "${given[@]}" --set api.replicas=0
refused BOARDWATCH_DATABASE "${given[@]}" --set settings.BOARDWATCH_DATABASE=postgres://elsewhere
refused host "${given[@]}" --set ingress.enabled=true
refused replica "${given[@]}" --set worker.replica=3

if [[ ${UPDATE-} ]]; then
	{
		echo '# boardwatch in Kubernetes, without Helm: the chart with the values of deploy/chart/examples/small.yaml. It needs a'
		echo '# Secret named boardwatch with the keys "database" and "key", and an address of your own in BOARDWATCH_BASE_URL.'
		"$tools/helm" template boardwatch "$chart" --values deploy/chart/examples/small.yaml
	} >deploy/kubernetes.yaml
fi
diff <(tail -n +3 deploy/kubernetes.yaml) "$work/small.yaml"
