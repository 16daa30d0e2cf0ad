# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests of a machine share: the programs of user/examples on it and on Blue Gene/L, and
# what torusctl refuses. Sourced, in place of torusctl.bash.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
programs=$top/build/examples

# on FABRIC PROGRAM RANKS [WORD]: what its ranks say, sorted; on a slow host some ranks start late
on()
{
	timeout -k 5 200 "$top/build/torus-run" -f "$1" -n "$3" "$programs/$2" "${@:4}" 2>&1 |
		grep -v '^torus-run: waiting for ' | sort
}

# hash_of COMMAND...: its delivery hash; without one the answer is nobody else's
hash_of()
{
	"$@" 2>/dev/null | grep hash || echo "no hash of $1"
}

# alike FABRIC OTHER RANKS: the programs say the same on both, and it is theirs
alike()
{
	local program ranks said

	for program in ring alltoall message; do
		ranks=$3
		[[ $program != message ]] || ranks=2
		said=$(on "$1" "$program" "$ranks")
		is "$program, $ranks ranks: the same on both machines" "$said" \
			"$(on "$2" "$program" "$ranks")"
		tap "$([[ -n $said && $said != *torus-run:* ]] && echo ok)" \
			"$program, $ranks ranks: it has worked"
	done
}

# refuses REASON WORD...: torusctl fails and says so
refuses()
{
	local words=$1 said

	shift
	if said=$("$torusctl" "$@" 2>&1); then
		tap bad "$*: was not refused"
	elif says "$said" "$words"; then
		tap ok "$words"
	else
		tap bad "$*: $said"
	fi
}
