#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tofu's router in torus-sim: loads of channels as user/route counts them exactly, no deadlock at
# saturation with packets of every size, hashes that no division changes, memory of a large machine.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
# shellcheck source=scripts/lib/json.bash
. scripts/lib/json.bash

torusctl=${TORUSCTL:-build/torusctl} sim=${TORUS_SIM:-build/torus-sim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[[ -x $torusctl && -x $sim ]] || skip_all "the tools are not built"

# tofu SHAPE WORD...
tofu()
{
	"$sim" run --json --arch tofu --shape "$@" 2>"$work/said"
}

# Part of all hops that each axis and VC has, of the links' counters and of every pair by each
# path; and the hops of a packet.
cat >"$work/loads.py" <<'END'
import collections, csv, json, sys
counted, exact = collections.Counter(), {}
with open(sys.argv[1]) as file:
    for link in csv.DictReader(file):
        for vc in range(4):
            counted[link["dir"][0], vc] += int(link[f"packets_VC{vc}"])
for axis, loads in json.load(open(sys.argv[2]))["axes"].items():
    for vc in range(4):
        exact[axis, vc] = loads["vc"][str(vc)]["packets"]
hops, all_hops = sum(counted.values()), sum(exact.values())
for channel, load in exact.items():
    wanted, got = load / all_hops, counted[channel] / hops
    if abs(got - wanted) > 0.02 * wanted:
        sys.exit(f"axis {channel[0]}, VC {channel[1]}: {got:.5f} of all hops, exactly {wanted:.5f}")
if hops < 1e6:
    sys.exit(f"{hops} hops are too few to tell")
got, wanted = json.load(open(sys.argv[3]))["hops"]["mean"], json.load(open(sys.argv[2]))["hops_mean"]
if abs(got - wanted) > 0.02 * wanted:
    sys.exit(f"{got:.5f} hops a packet, exactly {wanted:.5f}")
END
for policy in fixed hash roundrobin; do
	tofu 4x2x3 --pattern uniform --load 0.3 --cycles 150000 --set path=$policy \
		--links "$work/links" >"$work/answer"
	"$torusctl" -j route channels arch tofu shape 4x2x3 policy $policy >"$work/exact"
	label="loads by axis and VC, and hops, within 2 % of the exact ones, path=$policy"
	if said=$(python3 "$work/loads.py" "$work/links" "$work/exact" "$work/answer" 2>&1); then
		tap ok "$label"
	else
		tap bad "$label" "$said"
	fi
done

# every source full, all twelve paths, both orders of the axes: a million packets
tofu 4x2x2 --pattern uniform --packets 5209 --size 32:2048 --set path=roundrobin >"$work/answer"
holds "a million packets of 32 to 2048 bytes arrive at saturation" "$work/answer" \
	"d['packets']['delivered'] == 192 * 5209 > 10 ** 6 and d['packets']['dropped'] == 0 and
d['selfcheck']['conservation'] and d['selfcheck']['tokens']"
holds "TNIs add up to what was injected and delivered" "$work/answer" \
	"len(d['tnis']) == 4 and [t['tni'] for t in d['tnis']] == [0, 1, 2, 3] and
sum(t['packets_sent'] for t in d['tnis']) == d['packets']['injected'] and
sum(t['packets_received'] for t in d['tnis']) == d['packets']['delivered'] and
sum(t['bytes_sent'] - t['bytes_received'] for t in d['tnis']) == 0 < d['tnis'][3]['bytes_sent']"
tofu 3x1x1 --pattern uniform --op get --length 5000 --packets 6 --set tnis=6 >"$work/answer"
holds "TNIs count operations on memory: a command each, its request and three packets of data" \
	"$work/answer" "len(d['tnis']) == 6 and
sum(t['commands'] for t in d['tnis']) == 36 * 6 and
sum(t['packets_sent'] for t in d['tnis']) == 36 * 6 * 4 and
sum(t['errors'] + t['refused'] for t in d['tnis']) == 0 < d['tnis'][5]['notices']"

# hashes LABEL WORD...: equal for 1, 2 and 5 domains
hashes()
{
	local label=$1 domains

	shift
	for domains in 1 2 5; do
		tofu 3x2x2 --pattern uniform --load 0.8 --cycles 2000 --warmup 500 --size 32:2048 "$@" \
			--domains $domains --apart
	done | python3 -c 'import json, sys
decoder, text, all = json.JSONDecoder(), sys.stdin.read().strip(), []
while text:
    one, end = decoder.raw_decode(text)
    all.append(one)
    text = text[end:].strip()
json.dump(all, sys.stdout)' >"$work/answer"
	holds "$label: one hash for 1, 2 and 5 domains" "$work/answer" \
		"len(d) == 3 and len({one['delivery_hash'] for one in d}) == 1"
}
hashes "all paths" --set path=roundrobin
hashes "bad links, six engines" --set path=hash --set ber=1e-6 --set tnis=6

tofu 24x18x17 --pattern uniform --packets 1 >"$work/answer"
holds "88,128 nodes: at most 4 KB each, a packet of each arrives" "$work/answer" \
	"d['packets']['delivered'] == 88128 and d['memory_bytes'] < 4096 * 88128"
tap_end
