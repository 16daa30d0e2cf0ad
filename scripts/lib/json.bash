# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Python expressions about JSON documents. One Python answers all of them, because under
# emulation it is slow to start. Sourced, after tap.bash.
coproc JUDGE { exec python3 -u "$(dirname "${BASH_SOURCE[0]}")/json_eval.py"; }
# Copies, because $(..) does not inherit a coprocess's own.
exec {judge_ask}>&"${JUDGE[1]}" {judge_answer}<&"${JUDGE[0]}"

# value FILE EXPRESSION: of the document d
value()
{
	local said

	printf '%s\0%s\0' "$1" "$2" >&"$judge_ask"
	IFS= read -r -d '' said <&"$judge_answer"
	printf '%s\n' "$said"
}

# holds NAME FILE EXPRESSION: a test that passes when the expression is True
holds()
{
	local said

	said=$(value "$2" "bool($3)")
	if [[ $said == True ]]; then
		tap ok "$1"
	else
		tap bad "$1"
		printf '# %s: %s\n' "${3//$'\n'/ }" "${said//$'\n'/ }"
	fi
}

# fits NAME ENTRY FILE: a test that passes when all documents of the file are that entry of
# user/schema/torus.json
fits()
{
	local said

	said=$(value "$3" "fits $2")
	if [[ -z $said ]]; then
		tap ok "$1: $2"
	else
		tap bad "$1: $2"
		head -20 <<<"$said" | sed 's/^/# /'
	fi
}
