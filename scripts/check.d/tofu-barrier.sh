#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Barriers and reductions by the gates of Tofu's network interfaces (Ajima et al. (2009), figure
# 6), compared with software: no member leaves too early, every member has the right bits at any
# placement and division of the machine, and wrong options are rejected.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/sim.bash
. scripts/lib/sim.bash

# fine: what a run's document, as r, must say of each side, whoever works the chain
cat >"$work/fine.py" <<'END'
def chain(n):
    k = n.bit_length() - 1
    return k * 2 ** k + 2 * (n - 2 ** k)

def fine(r):
    sides = [r[by] for by in ("gates", "software") if by in r]
    return bool(sides) and all(
        s["outcome"] == "done" and s["ended"] == r["members"] and s["early"] == s["wrong"] == 0
        and s["packets"]["sent"] == s["packets"]["delivered"] == chain(r["members"]) * r["times"]
        and s["packets"]["dropped"] == 0 and all(s["selfcheck"].values())
        and s["latency_ticks"]["min"] > 0 for s in sides)
END

# barrier LABEL EXPRESSION WORD..: about fine() and d, the documents of runs whose words are those
# of each line on standard input behind WORD
barrier()
{
	local label=$1 expression=$2 line status=0

	shift 2
	: >"$work/answers"
	while read -r line; do
		# shellcheck disable=SC2086
		"$sim" barrier --json "$@" $line >>"$work/answers" 2>"$work/said" || status=$?
	done
	if said=$(python3 - "$work" "$expression" "$status" 2>&1 <<'END'
import json, sys
exec(open(sys.argv[1] + "/fine.py").read())
text, d, decoder = open(sys.argv[1] + "/answers").read().strip(), [], json.JSONDecoder()
while text:
    one, end = decoder.raw_decode(text)
    d.append(one)
    text = text[end:].strip()
if sys.argv[3] != "0" or not eval(f"({sys.argv[2]})"):
    sys.exit(f"status {sys.argv[3]}, {open(sys.argv[1] + '/said').read()} {json.dumps(d)[:2000]}")
END
	); then
		tap ok "$label"
	else
		tap bad "$label" "$said"
	fi
}

barrier "Figure 6: 16 nodes, four gates each, 64 packets" \
	"fine(d[0]) and d[0]['gates_each'] == {'min': 4, 'max': 4} and
d[0]['gates']['packets']['each'] == 64 and d[0]['speedup'] > 1" --shape 2x1x1 --members 16 <<<""

# Alone, each of the steps is a link of 125 ticks, a chunk of 8 and a gate of 25.
barrier "eight neighbours: the latency in closed form" \
	"all(fine(r) for r in d) and [r['gates']['latency_ticks']['min'] for r in d] ==
[2 * 502 + 158, 2 * 502 + 133 + 1000, 10 + 158] and
[r['software']['latency_ticks']['min'] for r in d] ==
[2 * 502 + 133, 2 * 502 + 133, 10 + 133]" --shape 1x1x1 --members 2 --times 1 <<END

--set gate_delay=1000
--set inject_packet=3 --set receive_packet=7
END

barrier "100 barriers at each of 20 sizes from 2 to 1000: no member leaves too early" \
	"len(d) == 20 and all(map(fine, d))" --shape 7x4x3 --placement random --by gates \
	--delay 300 <<END
$(printf -- '--members %d\n' 2 3 4 5 6 7 8 9 12 16 23 31 33 64 97 144 200 320 511 1000)
END

barrier "software's: likewise" "len(d) == 6 and all(map(fine, d))" --shape 7x4x3 \
	--placement random --by software --delay 300 --times 20 <<END
$(printf -- '--members %d\n' 2 3 9 16 33 200)
END

for op in band bor bxor max maxloc sum bfpsum; do
	barrier "$op: one result, wherever members stand and by whomever it is done" \
		"all(map(fine, d)) and len({r[by]['result_hash'] for r in d for by in
('gates', 'software')}) == 1 and len({r['gates']['delivery_hash'] for r in d}) == len(d)" \
		--shape 3x2x2 --members 77 --times 10 --op "$op" <<END
--placement order
--placement random
--placement random --set path=roundrobin --set tnis=6 --set gate_delay=400
END
done
barrier "each count of values" "all(map(fine, d))" --shape 1x1x1 --members 12 --times 20 <<END
$(printf -- '--op sum --count %d\n' 1 2 3 4 5 6)
$(printf -- '--op maxloc --count %d\n' 2 4 6)
$(printf -- '--op bfpsum --count %d\n' 1 2 3)
END

barrier "one hash for 1, 2 and 5 domains" \
	"all(map(fine, d)) and len({json.dumps([r[by]['delivery_hash'] for by in ('gates',
'software')]) for r in d}) == 1" --shape 3x2x2 --members 100 --times 20 --delay 700 --op sum <<END
--domains 1
--domains 2
--domains 5 --threads 2
END
# Workers that leave a run too early keep the leader waiting for ever.
barrier "short runs on two threads come to their end" "len(d) == 30 and all(map(fine, d))" \
	--shape 1x1x1 --times 1 --threads 2 <<END
$(printf -- '--seed %d\n' {1..30})
END
barrier "bad links change no result" \
	"all(map(fine, d)) and len({r['gates']['result_hash'] for r in d}) == 1 and
len({r['gates']['delivery_hash'] for r in d}) == 3" --shape 3x2x2 --members 33 --op bfpsum <<END

--set ber=1e-5
--set ber=1e-5 --seed 1 --set timeout=2000
END

# Random delays of processors hit software at each step, gates at the call and the result.
barrier "random delays of processors cost software more" \
	"all(map(fine, d)) and d[0]['speedup'] > 1 and
d[1]['software']['latency_us']['mean'] - d[0]['software']['latency_us']['mean'] >
2 * (d[1]['gates']['latency_us']['mean'] - d[0]['gates']['latency_us']['mean'])" \
	--shape 3x2x2 --members 64 <<END

--delay 1us
END

# the table of the page
sed -n '/^16 members/,/^1,000 members/s/^| *\([0-9][0-9a-z]*\) |/\1 |/p' doc/benchmarks/barriers.md |
	tr -d '|' >"$work/page"
while read -r delay rest; do
	"$sim" barrier --shape 2x1x1 --members 16 --delay "$delay" --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
print("%.2f %.2f %.2f" % (d["gates"]["latency_us"]["mean"], d["software"]["latency_us"]["mean"],
                          d["speedup"]))' >"$work/run"
	read -r run <"$work/run"
	# shellcheck disable=SC2086
	[[ $run == "$(echo $rest)" ]] || echo "$delay: $run, and the page says $rest"
done <"$work/page" >"$work/differ"
if [[ $(wc -l <"$work/page") == 4 && ! -s $work/differ ]]; then
	tap ok "the page's table of 16 members"
else
	tap bad "the page's table of 16 members" "$(cat "$work/page" "$work/differ")"
fi

said=$("$sim" barrier --shape 1x1x1 --op sum --times 2 2>&1)
if [[ $said == "tofu 1x1x1, 12 members in order, sum of 6 values 2 times, seed 1"*"gates: done"*"software takes "* ]]; then
	tap ok "as text"
else
	tap bad "as text" "$said"
fi

# refused STATUS WORDS WORD...: by a message with these words
refused()
{
	local wanted=$1 text=$2 said status=0

	shift 2
	said=$("$sim" barrier "$@" 2>&1 >/dev/null) || status=$?
	if [[ $status == "$wanted" ]] && blames "$said" "torus-sim: barrier: $text"; then
		tap ok "refused: $text"
	else
		tap bad "refused: $text" "$status: $said"
	fi
}
refused 1 "gates: 2 of 2 members 2 dropped" \
	--shape 4x1x1 --members 2 --seed 5 --placement random --set hop_limit=1 --times 1 --by gates
refused 2 "--colour option" --colour red
refused 2 "--shape value missing" --shape
refused 2 "--shape missing" --members 2
refused 2 "more unexpected" --shape 1x1x1 more
refused 2 "arch bgl gates" --arch bgl --shape 4x4x4
refused 2 "arch vax" --arch vax
refused 2 "mesh b:" --shape 1x1x1 --mesh b
refused 2 "shape 1x1:" --shape 1x1
refused 2 "shape 1xx1:" --shape 1xx1
refused 2 "--set latency KEY=VALUE" --shape 1x1x1 --set latency
refused 2 "--set gate_delay=0:" --shape 1x1x1 --set gate_delay=0
# shellcheck disable=SC2046
refused 2 "--set latency=9 64" --shape 1x1x1 $(printf -- '--set latency=9 %.0s' {1..65})
refused 2 "--members 1: 2 to" --shape 1x1x1 --members 1
refused 2 "--members 0: 2 to" --shape 1x1x1 --members 0
refused 2 "--members 18446744073709551615: 2 to" --shape 1x1x1 --members 18446744073709551615
refused 2 "--members 13: 12" --shape 1x1x1 --members 13
refused 2 "times 0:" --shape 1x1x1 --times 0
refused 2 "times 1000000 134217728" \
	--shape 5x5x4 --times 1000000
refused 2 "op and bfpsum" --shape 1x1x1 --op and
refused 2 "count 1 no values" --shape 1x1x1 --count 1
refused 2 "count 3 2, 4 6" --shape 1x1x1 --op maxloc --count 3
refused 2 "count 4 bfpsum 1 to 3" --shape 1x1x1 --op bfpsum --count 4
refused 2 "count 0 1 to 6" --shape 1x1x1 --op sum --count 0
refused 2 "placement best random" --shape 1x1x1 --placement best
refused 2 "by hand software" --shape 1x1x1 --by hand
refused 2 "delay x:" --shape 1x1x1 --delay x
refused 2 "delay 2000000000000 2^40" --shape 1x1x1 --delay 2000000000000
refused 2 "threads 2 domains (1)" --shape 1x1x1 --threads 2 --domains 1
refused 2 "domains 13 12 nodes" --shape 1x1x1 --domains 13
status=0
said=$(bash -c 'ulimit -v 100000 && "$@"' - "$sim" barrier --shape 10x10x10 --times 2 2>&1) || status=$?
if [[ $status == 2 && $said == *"members 12000:"*" bytes"* ]]; then
	tap ok "refused: more members than memory holds"
else
	tap bad "refused: more members than memory holds" "$said"
fi
scripts/lib/interrupt.py "$sim" barrier --shape 7x4x3 --times 100000 --progress --json \
	>"$work/cut" 2>"$work/cut.err"
tap $? "an interrupted barrier ends with 130"
holds "the results so far are printed, none of software" "$work/cut" '
d["gates"]["outcome"] == d["software"]["outcome"] == "interrupted" and
d["gates"]["packets"]["delivered"] > 0 == d["software"]["clock"] and d["gates"]["ended"] == 0 and
all(d["gates"]["selfcheck"].values())'
grep -Eq '^torus-sim: [0-9.]+ %, run 1 of 2, tick [0-9]+, [0-9]+ packets in flight' "$work/cut.err"
tap $? "and how far it was"
grep -Eq '^torus-sim: barrier: gates: .*interrupted.* of 100000' \
	"$work/cut.err"
tap $? "and that it was interrupted"
"$sim" barrier --help >"$work/help"
if grep -q -- "--members N" "$work/help"; then
	tap ok "help"
else
	tap bad "help" "$(cat "$work/help")"
fi

tap_end
