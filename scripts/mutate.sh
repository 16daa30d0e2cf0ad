#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make mutate: compiles each rule TORUS_RULE(name) of the core, the machines, the library
# and the routes out in turn, and demands that the test which mutations.list names for it fails.
#
# A line of mutations.list: RULE TEST_PROGRAM [TEST_NAME_PATTERN]
#
# The Makefile has built everything unchanged (build/mutate/base), and passes its
# compiler and flags in MUTATE_CC.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

list=scripts/mutations.list
base=build/mutate/base
read -ra cc <<<"${MUTATE_CC:?run this by make mutate}"

# The guarded rules, without the macro's own definition
source_rules()
{
	grep -rhE 'TORUS_RULE\([a-z]' kmod user/lib user/route --include='*.[ch]' |
		grep -vE '^[[:space:]]*(# *define|/?\*)' |
		grep -oE 'TORUS_RULE\([a-z][a-z0-9_]*\)' |
		sed 's/.*(\(.*\))/\1/' | sort -u
}

list_lines()
{
	sed -e 's/#.*//' -e '/^[ \t]*$/d' "$list"
}

# Sources with the rule itself or in anything that they include
sources_with()
{
	local object
	local -a files

	mapfile -t files < <(grep -rlF "TORUS_RULE($1)" kmod user/lib user/route --include='*.[ch]')
	find "$base" -name '*.d' | while read -r object; do
		if tr -s ' \\\n' '\n' <"$object" | sed 's/:$//' |
			grep -qxF -f <(printf '%s\n' "${files[@]}"); then
			object=${object#"$base"/}
			echo "${object%.d}.c"
		fi
	done
}

# run_test PROGRAM PATTERN: a core that loops or eats memory fails as well
run_test()
{
	(
		ulimit -v 4000000 -c 0
		CMOCKA_MESSAGE_OUTPUT=TAP TORUS_TEST_FILTER=$2 \
			timeout -k 1 60 "$1" </dev/null
	)
}

# link_test OUTPUT TEST [MUTATED_DIRECTORY]
link_test()
{
	local output=$1 test=$2 dir=${3:-} object source room=kmod
	local -a objects=()

	# The library and the core are programs of their own; routes go with either.
	[[ ! -e user/lib/tests/$test.c ]] || room=user/lib
	while read -r source; do
		case $source in
		*/tests/test_*) [[ $source == */"$test".c ]] || continue ;;
		"$room"/* | scripts/*) ;;
		user/route/tests/*) [[ -e user/route/tests/$test.c ]] || continue ;;
		user/route/* | user/machine/*) ;;
		*) continue ;;
		esac
		object=${source%.c}.o
		if [[ -n $dir && -e $dir/$object ]]; then
			objects+=("$dir/$object")
		else
			objects+=("$base/$object")
		fi
	done < <(find "$base" -name '*.o' -printf '%P\n' | sed 's/\.o$/.c/' | sort |
		while read -r source; do [[ ! -e $source ]] || echo "$source"; done)
	"${cc[@]}" -pthread -o "$output" "${objects[@]}" -lcmocka -lm
}

# One rule; the verdict's line goes to the standard output.
mutate_one()
{
	local rule=$1 test=$2 pattern=${3:-} dir=build/mutate/$1 source output

	rm -rf "$dir"
	mkdir -p "$dir"
	if ! link_test "$dir/unmutated" "$test" >"$dir/log" 2>&1; then
		echo "not ok - $rule: $test does not link"
		return
	fi
	if ! output=$(run_test "$dir/unmutated" "$pattern" 2>&1); then
		echo "not ok - $rule: $test $pattern fails with the rule in"
		return
	fi
	# A pattern that matches nothing would prove nothing.
	if ! grep -q '^ok ' <<<"$output"; then
		echo "not ok - $rule: $test $pattern has no such test"
		return
	fi
	for source in $(sources_with "$rule"); do
		mkdir -p "$dir/$(dirname "$source")"
		# What only the rule used may be unused now.
		if ! "${cc[@]}" -Wno-error "-DTORUS_MUTATE_$rule" -c \
			-o "$dir/${source%.c}.o" "$source" >>"$dir/log" 2>&1; then
			echo "not ok - $rule: does not compile without it ($dir/log)"
			return
		fi
	done
	if ! link_test "$dir/mutated" "$test" "$dir" >>"$dir/log" 2>&1; then
		echo "not ok - $rule: does not link without it ($dir/log)"
		return
	fi
	if run_test "$dir/mutated" "$pattern" >>"$dir/log" 2>&1; then
		echo "not ok - $rule: $test $pattern passes without the rule"
	else
		echo "ok - $rule: $test $pattern"
		rm -rf "$dir"
	fi
}

if [[ ${1:-} == --one ]]; then
	shift
	mutate_one "$@"
	exit 0
fi

trap 'trap - INT TERM; kill 0' INT TERM
results=build/mutate/results
mkdir -p build/mutate
touch "$list"
{
	comm -23 <(source_rules) <(list_lines | awk '{ print $1 }' | sort -u) |
		sed "s|.*|not ok - &: not in $list|"
	comm -13 <(source_rules) <(list_lines | awk '{ print $1 }' | sort -u) |
		sed 's|.*|not ok - &: listed, but no source has it|'
	list_lines | awk '{ print $1 }' | sort | uniq -d |
		sed 's|.*|not ok - &: listed twice|'
	list_lines | while read -r rule rest; do
		if source_rules | grep -qxF "$rule"; then
			echo "$rule $rest"
		fi
	done | xargs -P 2 -L 1 -r "$0" --one
} | tee "$results"

passed=$(grep -c '^ok ' "$results" || true)
failed=$(grep -c '^not ok ' "$results" || true)
echo "$passed passed, $failed failed"
exit $((failed > 0))
