# What the judges from npm have in common; source it from the root of the project.

# fetch NAME: sets judge to the folder where the judges of scripts/judges/NAME are installed. Ends the script well where
# there is no npm.
fetch() {
	if ! command -v npm >/dev/null; then
		echo "npm is not installed: nobody judges $1" >&2
		exit 0
	fi
	judge=$PWD/.cache/judges/$1
	mkdir -p "$judge"
	cp "scripts/judges/$1/"* "$judge/"
	npm install --prefix "$judge" --no-audit --no-fund --ignore-scripts --no-package-lock --loglevel=error
}

work=$(mktemp -d)
running=()
finish() {
	for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait
	rm -rf "$work"
}
trap finish EXIT

# build: makes the program, and sets boardwatch to the command that runs it on a database of its own.
build() {
	CGO_ENABLED=0 go build -o "$work/boardwatch" ./cmd/boardwatch
	boardwatch=(env HOME="$work" BOARDWATCH_DATABASE="sqlite:$work/boards.db" BOARDWATCH_DATA_DIR="$work" BOARDWATCH_LOG_LEVEL=error "$work/boardwatch")
}

# start COMMAND...: runs a server in the background until the end, and sets url to the address that it prints.
start() {
	local out=$work/out${#running[@]}
	"$@" >"$out" 2>"$out.err" &
	running+=($!)
	for _ in {1..300}; do
		url=$(grep -om1 'http://127\.0\.0\.1:[0-9]*' "$out" || true)
		if [[ -n $url ]]; then return; fi
		sleep 0.1
	done
	cat "$out" "$out.err" >&2
	return 1
}
