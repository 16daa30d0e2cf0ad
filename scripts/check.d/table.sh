#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The table of features in kmod/arch/README.md: every file, name and test program of a
# row is there, and every rule of a row is one that make mutate takes out, with a test
# program of that row to fail.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

page=kmod/arch/README.md
list=scripts/mutations.list
number=0 failed=0
tap()
{
	number=$((number + 1))
	[[ $1 == ok ]] || failed=1
	echo "$1 $number - ${*:2}"
}

# path FILE: as the page names it, from the top of the tree
path()
{
	local room

	for room in kmod/arch kmod scripts .; do
		if [[ -f $room/$1 ]]; then
			echo "$room/$1"
			return
		fi
	done
	return 1
}

trim()
{
	sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$1"
}

# Rules as make mutate runs them: rule -> test program; programs -> their sources
declare -A test_of source_of
while read -r rule program _; do
	[[ -z $rule || $rule == \#* ]] || test_of[$rule]=$program
done <"$list"
for source in kmod/*/tests/test_*.c user/*/tests/test_*.c; do
	source_of[$(basename "$source" .c)]=$source
done

# check_files CELL: "core/a.c, bgl/b.h `name`": a name stands in the file before it
check_files()
{
	local part file name found
	local -a parts

	IFS=, read -ra parts <<<"$1"
	for part in "${parts[@]}"; do
		read -r file name _ <<<"$part"
		if ! found=$(path "$file"); then
			wrong+=("no file $file")
		elif [[ -n $name ]] && ! grep -qF -- "${name//\`/}" "$found"; then
			wrong+=("$file has no ${name//\`/}")
		fi
	done
}

check_tests()
{
	local test
	local -a tests

	IFS=', ' read -ra tests <<<"$1"
	for test in "${tests[@]}"; do
		if [[ $test == */* ]]; then
			path "$test" >/dev/null || wrong+=("no test $test")
		elif [[ -z ${source_of[$test]:-} ]]; then
			wrong+=("no test program $test")
		else
			programs+=" $test "
		fi
	done
}

check_rules()
{
	local rule
	local -a rules

	IFS=', ' read -ra rules <<<"$1"
	((${#rules[@]})) || wrong+=("no rule")
	for rule in "${rules[@]}"; do
		if [[ -z ${test_of[$rule]:-} ]]; then
			wrong+=("rule $rule is not in $list")
		elif [[ $programs != *" ${test_of[$rule]} "* ]]; then
			wrong+=("rule $rule is held by ${test_of[$rule]}")
		fi
	done
}

rows=0 in_table=0
declare -A seen
while IFS= read -r line; do
	case $line in
	"| feature | paper 000 | file | test | rules |") in_table=1 && continue ;;
	"|---"*) continue ;;
	"|"*) ((in_table)) || continue ;;
	*) in_table=0 && continue ;;
	esac
	rows=$((rows + 1))
	wrong=() programs=""
	IFS='|' read -r _ feature section files tests rules rest <<<"$line"
	feature=$(trim "$feature")
	[[ -z $rest && -n $(trim "$section") && -n $feature ]] || wrong+=("not five cells")
	[[ -z ${seen[$feature]:-} ]] || wrong+=("stands twice")
	seen[$feature]=1
	check_files "$files"
	check_tests "$(trim "$tests")"
	check_rules "$(trim "$rules")"
	if ((${#wrong[@]})); then
		tap "not ok" "$feature"
		printf '# %s\n' "${wrong[@]}"
	else
		tap ok "$feature"
	fi
done <"$page"
if ((rows)); then
	tap ok "the table has rows"
else
	tap "not ok" "the table has rows"
fi
echo "1..$number"
exit "$failed"
