#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl fabric step: the lines are those of torus-sim run --trace, and counted by kind they are
# what counter show counts. Text and JSON agree, and one and four domains print the same.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
fabrics=(t u)
ticks=1000
loader="" other=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $loader ]] || kill -KILL "$loader" 2>/dev/null
	[[ -z $other ]] || kill -KILL "$other" 2>/dev/null
	tidy
}

# paused MACHINE DOMAINS: a paused fabric t with a workload
paused()
{
	# shellcheck disable=SC2086
	"$torusctl" fabric add t arch $1 seed 5 domains "$2" || tap bad "fabric add t arch $1"
	"$torusctl" fabric pause t
	"$torusctl" traffic t "${load[@]}" >/dev/null 2>&1 &
	loader=$!
	until "$torusctl" fabric show t | grep -q 'state running'; do
		kill -0 $loader || break
	done
}

# gone: the end of that fabric
gone()
{
	"$torusctl" fabric del t
	wait "$loader"
	loader=""
}

# lines FILE: the lines of events in the output of torusctl, or of a trace before the last tick
lines()
{
	awk -v end=$ticks '!/^#/ && $1 < end' "$1"
}

# count EVENT: number of lines of that kind in the last output; without hops that wait for the link
count()
{
	awk -v event="$1" -v end=$ticks '$2 == event {
		wait = $(NF - 1) == "waits" ? $NF : 0
		n += $1 + wait < end
	} END { print n + 0 }' "$work/text"
}

cat >"$work/agree.py" <<'END'
import json, sys
# the text and the JSON lines have the same tick, event and number, line by line
text = [line.split() for line in open(sys.argv[1]) if not line.startswith("#")]
docs = [json.loads(line) for line in open(sys.argv[2])]
end = docs.pop()
rows = [(str(d["tick"]), d["event"], str(d["number"])) for d in docs]
same = [(t[0], t[1], t[4]) for t in text] == rows
print(len(text), "lines" if same else "lines differ", "end", end["tick"], end["why"])
END

while read -r name shape ber; do
	machine="$name shape $shape ${ber:+ber $ber}"
	load=(--pattern uniform --load .6 --warmup 500 --cycles 25000)
	options=(run --arch "$name" --shape "$shape" --seed 5 "${load[@]}" --stop-at $ticks
		 --trace "$work/trace")
	[[ -z $ber ]] || options+=(--set "ber=$ber")
	torus-sim "${options[@]}" >/dev/null 2>"$work/said" || sed 's/^/# /' "$work/said"
	lines "$work/trace" >"$work/wanted"

	paused "$machine" 1
	"$torusctl" fabric step t $ticks >"$work/text" 2>"$work/err" ||
		tap bad "$name: step: $(cat "$work/err")"
	"$torusctl" -j counter show t >"$work/counters"
	"$torusctl" -j -s link show t >"$work/links"
	gone
	tap "$([[ -s $work/wanted ]] && cmp -s <(lines "$work/text") "$work/wanted" && echo ok)" \
		"$name: $(wc -l <"$work/wanted") lines are those of torus-sim run --trace"
	is "$name: inject" "$(count inject)" "$(value "$work/counters" "d['packets']['injected']")"
	is "$name: deliver" "$(count deliver)" "$(value "$work/counters" "d['packets']['delivered']")"
	is "$name: hop" "$(count hop)" "$(value "$work/counters" "d['hops']['total']")"
	is "$name: resend" "$(count resend)" \
		"$(value "$work/links" "sum(link['resends'] for link in d)")"

	paused "$machine" 4
	for ((i = 0; i < 10; i++)); do
		echo "fabric step t $((ticks / 10))"
	done >"$work/batch"
	"$torusctl" -b "$work/batch" >"$work/four"
	gone
	tap "$(cmp -s <(lines "$work/text") <(lines "$work/four") && echo ok)" \
		"$name: ten steps in four domains print the same"
	is "$name: ten steps of a batch have one header" "$(grep -c '^# .* a tick is' "$work/four")" 1

	paused "$machine" 1
	"$torusctl" -j fabric run t until $ticks >"$work/json"
	is "$name: --quiet prints the tick" "$("$torusctl" --quiet fabric step t 5)" $((ticks + 5))
	gone
	is "$name: text and JSON" "$(python3 "$work/agree.py" "$work/text" "$work/json")" \
		"$(wc -l <"$work/wanted") lines end $ticks tick $ticks is reached"
	short_end
done <<'END'
bgl 4x4x2 4e-6
xt 3x3x2 4e-6
kncube 4x4
tofu 1x1x1
END

# a batch with two fabrics: a header each time that the lines are those of the other one
load=(--pattern uniform --load .6 --warmup 500 --cycles 25000)
paused "xt shape 3x3x2" 1
other=$loader
"$torusctl" fabric add u arch kncube shape 4x4
"$torusctl" fabric pause u
"$torusctl" traffic u "${load[@]}" >/dev/null 2>&1 &
loader=$!
until "$torusctl" fabric show u | grep -q 'state running'; do
	kill -0 $loader || break
done
printf 'fabric step %s 300\n' t t u t >"$work/batch"
"$torusctl" -b "$work/batch" >"$work/two"
is "a batch with two fabrics has three headers" \
	"$(awk '/ a tick is/ { printf "%s ", $2 }' "$work/two")" "xt kncube xt "
tap_end
