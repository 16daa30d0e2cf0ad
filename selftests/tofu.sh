#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tofu fabrics: the programs of user/examples as on Blue Gene/L, hashes as torus-sim's, what is
# saved and what is refused.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
programs=$top/build/examples
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	for name in tb tf; do
		"$torusctl" fabric del "$name" 2>/dev/null
	done
	rm -rf "$work"
}
trap cleanup EXIT

# on FABRIC PROGRAM RANKS [WORD]: what its ranks say, sorted
on()
{
	timeout -k 5 200 "$top/build/torus-run" -f "$1" -n "$3" "$programs/$2" "${@:4}" 2>&1 | sort
}

# refuses REASON WORD...: torusctl fails and says so
refuses()
{
	local reason=$1 said

	shift
	if said=$("$torusctl" "$@" 2>&1); then
		tap bad "$*: was not refused"
	elif [[ $said == *"$reason"* ]]; then
		tap ok "$reason"
	else
		tap bad "$*: $said"
	fi
}

# hashes WORD...: a workload of the fabric and of torus-sim, the words as for both
hashes()
{
	local key=$1 value=$2 load=(--pattern uniform --load 0.5 --cycles 3000 --warmup 1000 --seed 7
		--size 32:2048)

	"$torusctl" fabric add tf arch tofu shape 2x2x2 mesh z "$key" "$value"
	is "a workload has the hash of torus-sim, $key $value" \
		"$("$torusctl" traffic tf "${load[@]}" 2>/dev/null | grep hash)" \
		"$(build/torus-sim run --arch tofu --shape 2x2x2 --mesh z "${load[@]}" \
			--set "$key=$value" | grep hash)"
	"$torusctl" fabric del tf
}

"$torusctl" fabric add tb arch bgl shape 4x2x3 && "$torusctl" fabric add tf arch tofu shape 2x1x1 ||
	skip_all "no fabric"

for program in ring alltoall message; do
	ranks=24
	[[ $program != message ]] || ranks=2
	is "$program, $ranks ranks: the same on both machines" "$(on tf "$program" "$ranks")" \
		"$(on tb "$program" "$ranks")"
done
"$torusctl" link set tf all all ber 1e-6
is "ring over bad links" "$(on tf ring 24)" "$(on tb ring 24)"
"$torusctl" fabric del tf

hashes path fixed
hashes path roundrobin
hashes tnis 6
hashes ber 1e-6

"$torusctl" fabric add tf arch tofu shape 2x1x3 mesh x path hash
is "a fabric is shown by its groups" \
	"$("$torusctl" fabric show tf | grep -o "arch tofu shape 2x1x3 mesh xac nodes 72")" \
	"arch tofu shape 2x1x3 mesh xac nodes 72"
"$torusctl" save tf >"$work/saved"
"$torusctl" fabric del tf
"$torusctl" restore "$work/saved"
is "what is saved comes back" "$("$torusctl" save tf)" "$(<"$work/saved")"
is "nodes are numbered group by group" "$("$torusctl" -j node show tf 1,0,2,1,2,0 |
	python3 -c 'import json, sys
d = json.load(sys.stdin)
print((d[0] if isinstance(d, list) else d)["node"])')" "$(((1 + 2 * 2) * 12 + 1 + 2 * 2))"
refuses "mesh b: shape 2x2x2 has only 3 dimensions" fabric add no arch tofu shape 2x2x2 mesh b
refuses "shape 2x2: tofu has 3 dimensions, not 2" fabric add no arch tofu shape 2x2
refuses "tofu has no registers" reg list tf
refuses "tofu has no routing tables" route dump tf
echo "1..$number"
((!failed))
