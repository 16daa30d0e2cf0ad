#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tofu fabrics: the programs of user/examples as on Blue Gene/L, hashes as torus-sim's, what is
# saved and what is refused.  Needs root; runs in the VM.
# shellcheck source=selftests/machines.bash
source "$(dirname "${BASH_SOURCE[0]}")/machines.bash"
fabrics=(tb tf)

# hashes WORD...: a workload of the fabric and of torus-sim, the words as for both
hashes()
{
	local key=$1 value=$2 load=(--pattern uniform --load 0.5 --cycles 3000 --warmup 1000 --seed 7
		--size 32:2048)

	"$torusctl" fabric add tf arch tofu shape 2x2x2 mesh z "$key" "$value"
	is "a workload has the hash of torus-sim, $key $value" \
		"$(hash_of "$torusctl" traffic tf "${load[@]}")" \
		"$(hash_of build/torus-sim run --arch tofu --shape 2x2x2 --mesh z "${load[@]}" \
			--set "$key=$value")"
	"$torusctl" fabric del tf
}

"$torusctl" fabric add tb arch bgl shape 4x2x3 && "$torusctl" fabric add tf arch tofu shape 2x1x1 ||
	skip_all "no fabric"

alike tf tb 24

# tnis WORD...: their number, and whether what they count adds up to @WORD
tnis()
{
	"$torusctl" -j "$@" | python3 -c 'import json, sys
d = json.load(sys.stdin)
d = d[0] if isinstance(d, list) else d
lists = [d["tnis"]] if "tnis" in d else [n["tnis"] for n in d.get("tni_counters", [])]
tnis = [t for one in lists for t in one]
print(len(tnis), *(sum(t[key] for t in tnis) for key in ("packets_sent", "packets_received")))'
}
counted=$("$torusctl" -j counter show tf | python3 -c 'import json, sys
p = json.load(sys.stdin)["packets"]
print(p["injected"], p["delivered"])')
tap "$(((${counted% *} > 100)) && echo ok)" "the programs have sent some packets"
is "TNIs add up to the fabric's counters" "$(tnis counter show tf)" "4 $counted"
is "those of all nodes likewise" "$(tnis counter show tf 0-23)" "96 $counted"
is "a node shows its own, as counters do" "$(tnis node show tf 3)" "$(tnis counter show tf 3)"
tap "$("$torusctl" counter show tf 3 | grep '^  TNI 3: sent [0-9]* packets [0-9]* bytes' >/dev/null &&
	echo ok)" "and people read them"
is "a machine without TNIs shows none" "$(tnis counter show tb 3)" "0 0 0"
"$torusctl" counter reset tf
is "a reset of the counters" "$(tnis counter show tf)" "4 0 0"
"$torusctl" link set tf all all ber 1e-6
is "ring over bad links" "$(on tf ring 24)" "$(on tb ring 24)"
"$torusctl" fabric del tf

# pingpong WORD...: MB a second of a long message in simulated time, headers not counted
pingpong()
{
	timeout -k 5 200 build/torus-run -f tf --nodes "0 12" build/torus-pingpong -j -s 1m -r 3 "$@" \
		2>&1 | tee "$work/said" | python3 -c 'import json, sys
print(json.load(sys.stdin)["sizes"][0]["simulated_mb_per_s"])'
}
"$torusctl" fabric add tf arch tofu shape 2x1x1
all=$(pingpong)
"$torusctl" -j counter show tf 0 >"$work/counted"
tap "$(python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
tnis = [t["packets_sent"] for t in d["tni_counters"][0]["tnis"]]
busy = [l["busy_ticks"] for l in d["link_counters"]]
links = sum(6 * b > sum(busy) for b in busy)
print("ok" if 6 * min(tnis) > sum(tnis) > 1500 and links == 4 else (tnis, busy))
' "$work/counted")" "long messages leave evenly by all TNIs, and by as many links" "$(<"$work/said")"
# The program may be too slow to keep its rings full: test_tofu_router has the rate where they are.
one=$(pingpong --ordered)
tap "$(python3 -c 'import sys
print("ok" if float(sys.argv[2]) > 2 * float(sys.argv[1]) > 0 else "")' "$one" "$all")" \
	"in less than half of the simulated time that one path takes" \
	"$one MB/s by one path, $all by all; $(<"$work/said")"
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
refuses "mesh b 2x2x2 3" fabric add no arch tofu shape 2x2x2 mesh b
refuses "shape 2x2 tofu 3 2" fabric add no arch tofu shape 2x2
refuses "tofu register" reg list tf
refuses "tofu table" route dump tf
tap_end
