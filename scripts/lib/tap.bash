# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What tests in shell begin with: lines of TAP, a plan at the end. Sourced.
number=0 failed=0

# tap VERDICT NAME...: one test's line; good verdicts are "ok" and a status of 0
tap()
{
	number=$((number + 1))
	if [[ $1 == ok || $1 == 0 ]]; then
		echo "ok $number - ${*:2}"
	else
		failed=$((failed + 1))
		echo "not ok $number - ${*:2}"
	fi
}

# is NAME TEXT EXPECTED: a test that passes when the two texts are equal
is()
{
	if [[ $2 == "$3" ]]; then
		tap ok "$1"
	else
		tap bad "$1"
		printf 'expected:\n%s\nbut got:\n%s\n' "$3" "$2" | sed 's/^/# /'
	fi
}

# says TEXT WORDS: check whether the message TEXT contains each of the blank-separated WORDS, as a
# word of its own or in the plural, so that a test does not depend on the wording
says()
{
	local word words before after

	read -r -d '' -a words <<<"$2"
	((${#words[@]})) || return
	for word in "${words[@]}"; do
		before='' after=''
		[[ $word != [[:alnum:]_]* ]] || before='(^|[^[:alnum:]_])'
		[[ $word != *[[:alnum:]_] ]] || after='(e?s)?([^[:alnum:]_]|$)'
		[[ $1 =~ $before"$word"$after ]] || return
	done
}

# blames LINE REASON: check a line that a program prints.  REASON is WORDS, or where the error is and
# WORDS, like "torusctl: fabric add: shape 0x4"; LINE begins with all up to the last ": ", and what
# follows says WORDS.
blames()
{
	local where=''

	[[ $2 != *": "* ]] || where=${2%": "*}': '
	[[ $1 == "$where"* ]] && says "${1#"$where"}" "${2##*": "}"
}

# blames_each TEXT REASONS: check that a text has as many lines as there are reasons, each for blames
blames_each()
{
	local lines reasons i

	mapfile -t lines <<<"$1"
	mapfile -t reasons <<<"$2"
	((${#lines[@]} == ${#reasons[@]})) || return
	for i in "${!reasons[@]}"; do
		[[ -z ${lines[i]}${reasons[i]} ]] || blames "${lines[i]}" "${reasons[i]}" || return
	done
}

# step NAME COMMAND...: a test that passes when the command does, which runs in a subshell;
# what it says is a remark
step()
{
	local name=$1 status

	shift
	"$@" 2>&1 </dev/null | sed -u 's/^/# /'
	status=${PIPESTATUS[0]}
	tap "$status" "$name"
}

# skip_all REASON...: nothing of this can be tested here
skip_all()
{
	echo "1..0 # SKIP $*"
	exit 0
}

# In `make check' the test ends here; `make check-all' runs the rest, too, which takes longer
# and seldom fails alone. So does the script by itself.
short_end()
{
	[[ -z ${TORUS_SHORT-} ]] || tap_end
}

# The plan; ends the test
tap_end()
{
	echo "1..$number"
	exit $((failed > 0))
}
