#!/usr/bin/env bash
# mutants.sh [-n] [-f LIST] [WORD...]: breaks the program on purpose, one mutant at a time, and says whether a test notices.
# The mutants stand in scripts/mutants.txt, which also describes its format. Only a copy of the tree is ever changed.
#
# With words, only the mutants are tried whose name or file contains one of them. -n only checks that every mutant still
# fits the code, and runs nothing. A mutant died when its tests failed, or never ended. The exit code is 1 when a mutant
# survived that is not marked as equal, and when one could not be tried.
set -euo pipefail
cd "$(dirname "$0")/.."

list=scripts/mutants.txt dry=''
while getopts nf: option; do
	case $option in
	n) dry=1 ;;
	f) list=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

if [[ -z $dry && -z ${TEST_POSTGRES_URL-} && -z ${MUTANTS_INSIDE-} ]]; then
	MUTANTS_INSIDE=1 exec scripts/with-postgres.sh scripts/mutants.sh -f "$list" "$@"
fi

copy=''
if [[ -z $dry ]]; then
	room=$(mktemp -d "${TMPDIR:-/tmp}/boardwatch-mutants.XXXXXX")
	trap 'chmod -R u+w "$room"; rm -rf "$room"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	copy=$room/tree
	mkdir "$copy"
	# The files as they are now, those not committed yet included, and the samples that some tests look for beside the tree.
	git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' f; do
		if [[ -f $f ]]; then printf '%s\0' "$f"; fi
	done | xargs -0 cp --parents -t "$copy"
	if [[ -d ../shared ]]; then ln -s "$(cd ../shared && pwd)" "$room/shared"; fi
fi

died=() survived=() equal=() broken=()
declare -A sound=() # packages and filters whose tests pass on the code as it is

# tests runs the tests of the mutant in hand in the copy, and leaves what they said in $said.
tests() {
	local flags=(-vet=off -timeout "${MUTANTS_TIMEOUT:-5m}")
	if [[ -n $run ]]; then flags+=(-run "$run"); fi
	if [[ -n $tags ]]; then flags+=(-tags "$tags"); fi
	# shellcheck disable=SC2086 # a mutant may name several packages
	said=$(cd "$copy" && go test "${flags[@]}" $packages 2>&1)
}

report() { printf '%-9s %s (%s)%s\n' "$1" "$name" "$file" "${2:+: $2}"; }

refuse() {
	broken+=("$name")
	report BROKEN "$1"
}

try() {
	local word wanted='' text rest said
	for word in "$@"; do
		if [[ $name == *"$word"* || $file == *"$word"* ]]; then wanted=1; fi
	done
	if (($# > 0)) && [[ -z $wanted ]]; then return; fi

	if [[ -z $file || -z $packages || -z $old || ! -f $file ]]; then
		refuse "it needs a file that exists, a package and an old text"
		return
	fi
	text=$(cat "$file" && printf x) # the x keeps the line ends that $() would cut off
	text=${text%x}
	rest=${text#*"$old"}
	if [[ $rest == "$text" ]]; then
		refuse "the file has no such text any more"
		return
	elif [[ $rest == *"$old"* ]]; then
		refuse "the text stands in the file more than once"
		return
	fi
	if [[ -n $dry ]]; then return; fi

	local key="$packages $run $tags"
	if [[ -z ${sound[$key]-} ]]; then
		if ! tests; then
			refuse "its tests fail without it"
			printf '%s\n' "$said" | tail -n 20
			return
		elif [[ $said == *'[no tests to run]'* ]]; then
			refuse "there are no such tests"
			return
		fi
		sound[$key]=1
	fi

	printf '%s' "${text%"$old$rest"}$new$rest" >"$copy/$file"
	local status=0
	tests || status=$?
	printf '%s' "$text" >"$copy/$file"
	if [[ $said == *'[build failed]'* || $said == *'[setup failed]'* ]]; then
		refuse "it does not compile"
		printf '%s\n' "$said" | tail -n 20
	elif ((status != 0)); then
		died+=("$name")
		report died
	elif [[ -n $same ]]; then
		equal+=("$name")
		report equal "$same"
	else
		survived+=("$name")
		report SURVIVED
	fi
}

name='' file='' packages='' run='' tags='' same='' old='' new='' part=''
while IFS= read -r line <&3 || [[ -n $line ]]; do
	case $line in
	'=== end')
		old=${old%$'\n'} new=${new%$'\n'}
		try "$@"
		name=''
		;;
	'=== '*)
		if [[ -n $name ]]; then refuse "its block has no end"; fi
		name=${line#=== } file='' packages='' run='' tags='' same='' old='' new='' part=head
		;;
	'--- old') part=old ;;
	'--- new') part=new ;;
	*)
		if [[ -z $name ]]; then continue; fi
		case $part in
		old) old+=$line$'\n' ;;
		new) new+=$line$'\n' ;;
		*)
			case $line in
			'file: '*) file=${line#file: } ;;
			'package: '*) packages=${line#package: } ;;
			'run: '*) run=${line#run: } ;;
			'tags: '*) tags=${line#tags: } ;;
			'equal: '*) same=${line#equal: } ;;
			*) refuse "a line of its head means nothing: $line" ;;
			esac
			;;
		esac
		;;
	esac
done 3<"$list"

if [[ -z $dry ]]; then
	printf '\n%d died, %d survived, %d are equal, %d could not be tried\n' \
		"${#died[@]}" "${#survived[@]}" "${#equal[@]}" "${#broken[@]}"
fi
if ((${#survived[@]} + ${#broken[@]} > 0)); then exit 1; fi
