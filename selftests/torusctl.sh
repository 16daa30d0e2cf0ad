#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl against the loaded module: what it refuses and why, what it shows as
# text and as JSON, workloads, events.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t0 t1 t2 big par faulty t7)
monitor="" workload=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $monitor ]] || kill "$monitor" 2>/dev/null
	[[ -z $workload ]] || kill "$workload" 2>/dev/null
	tidy
}
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"

ctl()
{
	"$torusctl" "$@"
}

# works WORD...: succeeds, and says nothing on the error output
works()
{
	local status=0

	ctl "$@" >"$work/out" 2>"$work/err" || status=$?
	if ((status == 0)) && [[ ! -s $work/err ]]; then
		tap ok "torusctl $*"
	else
		tap bad "torusctl $*"
		sed "s/^/# status $status: /" "$work/err"
	fi
}

# prints PATTERN WORD...: succeeds, and some line of the answer is like that
prints()
{
	local pattern=$1 status=0

	shift
	ctl "$@" >"$work/out" 2>"$work/err" || status=$?
	if ((status == 0)) && like "$pattern" "$work/out"; then
		tap ok "torusctl $*: $pattern"
	else
		tap bad "torusctl $*: $pattern"
		sed "s/^/# status $status: /" "$work/out" "$work/err" | head -20
	fi
}

# refused WORDS ARGUMENT...: the module or torusctl refuses with a message that contains WORDS
refused()
{
	local words=$1 status=0 said

	shift
	ctl "$@" >"$work/out" 2>"$work/err" || status=$?
	IFS= read -r said <"$work/err"
	if ((status == 1 || status == 2)) && [[ ! -s $work/out ]] && blames "$said" "torusctl: $words"; then
		tap ok "torusctl $*: $said"
	else
		tap bad "torusctl $*: should say $words"
		sed "s/^/# status $status: /" "$work/out" "$work/err" | head -20
	fi
}

# true_of EXPRESSION: the file out is one JSON document d of which that is true
true_of()
{
	verdict=$(value "$work/out" "bool($1)")
	[[ $verdict == True ]]
}

# json EXPRESSION WORD...: the answer is one JSON document d of which that is true
json()
{
	local expression=${1//$'\n'/} status=0

	shift
	ctl -j "$@" >"$work/out" 2>"$work/err" || status=$?
	if true_of "$expression"; then
		tap ok "torusctl -j $*: $expression"
	else
		tap bad "torusctl -j $*: $expression"
		echo "# $verdict"
		head -c 600 "$work/out" | sed "s/^/# status $status: /"
		echo
		tail -n 3 "$work/err" | sed 's/^/# /'
	fi
}

# What must be refused
refused 'arch mars' fabric add t0 arch mars shape 4x4x4
refused 'shape 0x4 x' fabric add t0 arch bgl shape 0x4
refused 'shape 4x4 3' fabric add t0 arch bgl shape 4x4
refused 'shape 5000x5000x5000' fabric add t0 arch bgl shape 5000x5000x5000
refused '4x4x300' fabric add t0 arch bgl shape 4x4x300
refused 'colour' fabric add t0 arch bgl shape 4x4x4 colour 3
refused 'domains 1 64' fabric add t0 arch bgl shape 4x4x4 domains 65
refused 'name' fabric add a/b arch bgl shape 4x4x4
refused 'routing sideways' fabric add t0 arch bgl shape 4x4x4 routing sideways
refused 't0' fabric show t0
refused 't0' link show t0
refused 't0' fabric del t0
works fabric show
json 'd == []' fabric show

works fabric add t0 arch bgl shape 4x4x4 mesh x seed 7 domains 2
refused 't0' fabric add t0 arch bgl shape 4x4x4
refused 'node 64' node show t0 64
refused 'node 64' reg read t0 64 0x0b
refused 'node 4,0,0 x t0 0 3' reg read t0 4,0,0 0x0b
refused 'node 1,2 2 t0 3' node show t0 1,2
refused 'direction a+ t0 3' link show t0 0 a+
refused 'link direction' link show t0 0,0,0 x-
refused 'link direction' counter show t0 0,0,0 x-
refused 'register warp' reg read t0 0 warp
refused '0x7f' reg read t0 0 0x7f
refused 'node_coordinate read-only' reg write t0 0 node_coordinate 1
refused 'colour' fabric set t0 colour 3
refused 'domains' fabric set t0 domains 3

# Without privileges: looking is allowed, changing is not.
unprivileged()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all -- "$torusctl" "$@"
}
for words in "fabric add t1 arch bgl shape 4x4x4" "fabric del t0" "fabric reset t0" \
	"fabric set t0 routing dynamic" "reg write t0 0 arbitration 1" \
	"link set t0 all all state down" "counter reset t0" \
	"node set t0 0 partition 1" "traffic t0 --pattern uniform --load 0.5"; do
	read -ra list <<<"$words"
	unprivileged "${list[@]}" >"$work/out" 2>"$work/err"
	tap "$([[ $? == 1 ]] && grep -q CAP_NET_ADMIN "$work/err" && echo ok)" \
		"unprivileged: torusctl $words: $(head -n 1 "$work/err")"
done
for words in "fabric show t0" "node show t0" "reg dump t0 0" "link show t0" "counter show t0"; do
	read -ra list <<<"$words"
	tap "$(unprivileged "${list[@]}" >/dev/null 2>"$work/err" && echo ok)" "unprivileged: torusctl $words"
done
unshare --user --map-root-user --net "$torusctl" fabric add t1 arch bgl shape 4x4x4 2>"$work/err"
tap "$([[ $? == 1 ]] && grep -q CAP_NET_ADMIN "$work/err" && echo ok)" \
	"root of another user namespace may not add a fabric"

# A fabric belongs to its network namespace.
tap "$(unshare --net "$torusctl" -j fabric show | grep -qx '\[\]' && echo ok)" \
	"another network namespace has no fabric"
tap "$(unshare --net bash -c "'$torusctl' fabric add t1 arch bgl shape 2x2x2 &&
	'$torusctl' -j fabric show" | grep -q '"name":"t1"' && echo ok)" \
	"another network namespace has its own"
refused 't1' fabric show t1

# What is shown
prints '^t0: arch bgl shape 4x4x4 mesh x nodes 64 state idle' fabric show t0
prints 'memory [0-9.]+ [KM]iB' fabric show t0
json 'len(d) == 1 and d[0]["name"] == "t0" and d[0]["arch"] == "bgl" and d[0]["shape"] == "4x4x4"
 and d[0]["dims"] == [4, 4, 4] and d[0]["mesh"] == ["x"] and d[0]["nodes"] == 64
 and d[0]["seed"] == 7 and d[0]["domains"] == 2 and d[0]["state"] == "idle"
 and d[0]["contexts"] == 0 and d[0]["in_flight"] == 0 and d[0]["memory_bytes"] > 100000
 and 5714285 <= d[0]["tick_fs"] <= 5714286 and d[0]["params"]["routing"] == "dynamic"' \
	fabric show t0
json 'len(d) == 64 and d[27]["node"] == 27 and d[27]["coords"] == [3, 2, 1]' node show t0
json 'd[0]["node"] == 27' node show t0 3,2,1
json 'len(d["registers"]) > 20
 and all(type(r["offset"]) is int and r["name"] for r in d["registers"])' reg list t0
json 'd["registers"][0]["value"] >= 0 and d["node"] == 27' reg dump t0 27
json 'd["name"] == "node_coordinate" and d["value"] == 0x030201' reg read t0 3,2,1 NODE_COORDINATE
json 'd["name"] == "node_coordinate" and d["value"] == 0x030201' reg read t0 27 0x02
# 64 nodes; x is a mesh: 2 x 48 links there, 2 x 64 in the others
json 'len(d) == 352 and all(l["crc_equal"] and l["state"] == "up" for l in d)' link show t0
json 'len(d) == 5' link show t0 0
json 'd[0]["peer"] == 1 and d[0]["dir"] == "x+" and d[0]["ber"] == 0' link show t0 0 x+
json 'd["links"] == 352 and d["packets"]["injected"] == 0 and d["by_hops"] == []' counter show t0
json 'set(d["latency"].values()) == {d["hops"]["mean"], d["hops"]["max"], None}' counter show t0
prints '^latency  mean - max -$' counter show t0
json 'len(d["link_counters"]) == 352' -s counter show t0
json 'len(d["link_counters"]) == 5' counter show t0 0
json 'len(d["link_counters"]) == 1 and d["link_counters"][0]["dir"] == "y-"' counter show t0 0 y-
json 'len(d["link_counters"]) == 3' counter show t0 top 3
json 'd["equal"] and d["links"] == 352 and d["differ"] == []' link check t0
prints '^352 links, all CRCs equal$' link check t0
prints '^t0 bgl 4x4x4 idle$' -br fabric show t0
prints '^0 0,0,0 alive 0$' -br node show t0 0
prints '^ +crc lazy ber 0 ' -d fabric show t0
json 'd[0]["changed"] == []' fabric show t0
prints '^routing +dynamic +dynamic\|deterministic$' fabric keys bgl
json 'any(k["key"] == "rx_stall" and k["live"] and k["unit"] == "ticks" and k["default"] == "0"
 for k in d) and all(k["help"] for k in d)' fabric keys bgl
json '{k["key"] for k in d} == {"inject", "injection", "source_fifos",
 "source_order", "link_delay", "processing", "buffers", "routing", "escape", "vcs", "vc_bytes",
 "latency", "credit_delay", "arbitration", "watch", "nice"}' fabric keys kncube
refused 'arch mars' fabric keys mars
refused 'events fish' monitor events fish

# Each answer is one document, numbers are numbers, and it can be pretty.
for words in "fabric show" "node show t0" "reg list t0" "reg dump t0 5" "link show t0" \
	"link check t0" "counter show t0" "-s counter show t0" "-p fabric show"; do
	read -ra list <<<"$words"
	json 'type(d) in (dict, list)' "${list[@]}"
done

# What is changed
works fabric set t0 rx_stall 12345 ber 2.5e-7
json 'd[0]["params"]["rx_stall"] == 12345 and d[0]["params"]["ber"] == 2.5e-7' fabric show t0
prints '^    ber 2.5e-07 rx_stall 12345$' fabric show t0
json 'd[0]["changed"] == ["ber", "rx_stall"]' fabric show t0
works fabric set t0 rx_stall 0 ber 0
refused 'ber 2 0 1' fabric set t0 ber 2
refused 'routing' fabric set t0 routing deterministic
# all of them, or none
refused 'ber 2 0 1' fabric set t0 rx_stall 12345 ber 2
json 'd[0]["params"]["rx_stall"] == 0' fabric show t0
refused 'node 0-99 64 0 63' node set t0 0-99 uid 1
json 'all(n["uid"] is None for n in d)' node show t0
refused 'node 60-64 64 0 63' reg write t0 60-64 watermarks_0 0x80000000
works job add t0 j nodes 2
refused "node 2 job j" node set t0 0-3 partition 5 uid 1
json '[n["uid"] for n in d] == [None] * 4 and d[0]["partition"] == d[1]["partition"] == 0' \
	node show t0 0-3
works job del t0 j
works node set t0 1,0,0 uid 65534 partition 2
json 'd[0]["uid"] == 65534 and d[0]["partition"] == 2' node show t0 1
json 'd[0]["fifos"] == []' node show t0 1
works reg write t0 2 watermarks_0 0x80000000
json 'len(d[0]["fifos"]) == 11 and [(x["kind"], x["fifo"]) for x in d[0]["fifos"] if
 x["watermark"]] == [("reception", i) for i in range(6)] and all(x["watermark"] in (0, 16) and
 x["packets"] == x["chunks"] == x["high_water"] == x["interrupts"] == 0 and ("checksum" in x) ==
 (x["kind"] == "injection") for x in d[0]["fifos"])' node show t0 2
prints 'group 0 reception 5: packets 0 chunks 0 high-water 0 watermark 16' node show t0 2
works reg write t0 2 watermarks_0 0
works node set t0 1,0,0 uid 0 partition 0
old=$(ctl reg read t0 0 arbitration)
works reg write t0 0 arbitration 0x02fd0000
prints '0x02fd0000' reg read t0 0 0x0b
refused 'arbitration 0x1234001f' reg write t0 0 arbitration 0x1234001f
works reg write t0 0 arbitration "$old"
works link set t0 all all ber 1e-5
json 'all(abs(l["ber"] / 1e-5 - 1) < 1e-6 for l in d)' link show t0
works link set t0 all all ber 0
works link set t0 3,2,1 y+ state down corrupt 3 delay 10us
json 'd[0]["state"] == "down" and d[0]["corrupt"] == 3 and d[0]["delay_ticks"] in (1750, 1751)' \
	link show t0 3,2,1 y+
prints 'DOWN.*corrupt 3 delay 175[01]' link show t0 3,2,1 y+
json 'sum(l["state"] == "down" for l in d) == 1' link show t0
works link set t0 3,2,1 y+ state up corrupt 0 delay 0
refused 'link x-' link set t0 0 x- state down
works fabric reset t0

# Events
timeout -k 5 100 "$torusctl" -j -t monitor >"$work/events" 2>"$work/listen" &
monitor=$!
timeout -k 5 100 "$torusctl" -j monitor events link,node-set >"$work/few" 2>>"$work/listen" &
few=$!
# It has joined when it receives an event.
for ((i = 0; i < 100; i++)); do
	ctl fabric set t0 rx_stall 0
	sleep 0.1
	[[ ! -s $work/events ]] || break
done
works fabric add t1 arch bgl shape 2x2x2
works link set t1 0 x+ state down
works link set t1 all all ber 1e-5
works reg write t1 0 timeout_x 0x08000800
works node set t1 0 partition 1
works fabric reset t1
works fabric del t1
for ((i = 0; i < 50; i++)); do
	! grep -q fabric-del "$work/events" || break
	sleep 0.1
done
kill "$monitor" "$few" 2>/dev/null
wait "$monitor" "$few" 2>/dev/null
monitor=""
tap "$(grep '"event":"fabric-set"' "$work/events" | grep -q '"params":{"rx_stall":"0"}' && echo ok)" \
	"monitor: which parameter, and its value"
tap "$(grep '"event":"link-set"' "$work/events" | grep -q '"node":0,"coords":\[0,0,0\],"dir":"x+"' &&
	echo ok)" "monitor: where"
tap "$(grep '"event":"link-set"' "$work/events" | grep -q '"ber":1e-05' && echo ok)" \
	"monitor: the ber of all links"
tap "$(grep '"event":"reg-set"' "$work/events" | grep -q '"register":"timeout_x","value":134219776' &&
	echo ok)" "monitor: which register"
tap "$(! grep -v '"time":"20' "$work/events" && echo ok)" "monitor: the time of day"
tap "$(! grep -v '"event":"\(link\|node\)-set"' "$work/few" && [[ $(wc -l <"$work/few") == 3 ]] && echo ok)" \
	"monitor: of some kinds alone"
for event in reg-set fabric-set fabric-add link-set node-set fabric-reset fabric-del; do
	tap "$(grep -q "\"event\":\"$event\"" "$work/events" && echo ok)" "monitor: $event"
done
{ echo '['; sed '$!s/$/,/' "$work/events"; echo ']'; } >"$work/out"
tap "$(true_of 'len(d) > 5 and all(e["fabric"] in ("t0", "t1") for e in d)' && echo ok)" \
	"monitor: each line is a document"

# Workloads
load=(--pattern uniform --load 0.5 --cycles 20000 --warmup 2000)
works fabric add t2 arch bgl shape 4x4x4 seed 7 domains 1
json 'd["packets"]["delivered"] > 100 and d["selfcheck"]["conservation"]
 and d["selfcheck"]["tokens"] and d["selfcheck"]["little"] < 0.05 and not d["saturated"]
 and d["cycles"] == 20000 and d["load"] == 0.5 and d["seed"] == 7 and d["outcome"] == "done"
 and 40 < d["percent_of_peak"] < 60 and int(d["delivery_hash"], 16) > 0' \
	traffic t2 "${load[@]}" --seed 7
hash=$(sed 's/.*"delivery_hash":"\([0-9a-f]*\)".*/\1/' "$work/out")
works fabric reset t2
json "d['delivery_hash'] == '$hash'" traffic t2 "${load[@]}" --seed 7
works fabric add par arch bgl shape 4x4x4 seed 7 domains 2
json "d['delivery_hash'] == '$hash' and d['domains'] == 2" traffic par "${load[@]}" --seed 7
if [[ -x $top/build/torus-sim ]]; then
	"$top/build/torus-sim" run --arch bgl --shape 4x4x4 "${load[@]}" --seed 7 --json \
		>"$work/out" 2>"$work/err"
	tap "$(true_of "d['delivery_hash'] == '$hash'" && echo ok)" "torus-sim has the same hash"
	# With faults, and however the nodes are divided.
	"$top/build/torus-sim" run --arch bgl --shape 4x4x4 "${load[@]}" --seed 7 --json \
		--set ber=1e-5 >"$work/out" 2>"$work/err"
	bad=$(sed -n 's/.*"delivery_hash": *"\([0-9a-f]*\)".*/\1/p' "$work/out")
	for domains in 1 2 3 8; do
		works fabric add faulty arch bgl shape 4x4x4 seed 7 domains "$domains" ber 1e-5
		json "d['delivery_hash'] == '$bad' and d['packets']['retransmitted'] > 0" \
			traffic faulty "${load[@]}" --seed 7
		works fabric del faulty
	done
fi
short_end
# kncube with finite buffers, each routing with an escape, as torus-sim has it.
for words in "3x4 routing dor escape dateline" "4x3x2 routing adaptive escape bubble" \
	"2x2x2x2x2x2x2x2 routing valiant escape bubble"; do
	read -r shape _ routing _ escape <<<"$words"
	works fabric add kf arch kncube shape "$shape" buffers finite routing "$routing" \
		escape "$escape" domains 2
	json 'd["selfcheck"]["conservation"] and d["selfcheck"]["tokens"]
 and d["packets"]["delivered"] > 100 and d["outcome"] == "done"' traffic kf "${load[@]}" --seed 7
	hash_kf=$(sed 's/.*"delivery_hash":"\([0-9a-f]*\)".*/\1/' "$work/out")
	works fabric del kf
	[[ -x $top/build/torus-sim ]] || continue
	"$top/build/torus-sim" run --arch kncube --shape "$shape" "${load[@]}" --seed 7 --json \
		--set buffers=finite --set routing="$routing" --set escape="$escape" \
		>"$work/out" 2>"$work/err"
	tap "$(true_of "d['delivery_hash'] == '$hash_kf'" && echo ok)" \
		"torus-sim has the same hash: kncube $words"
done
refused 'vcs 1 valiant bubble 2' \
	fabric add kf arch kncube shape 4x4 buffers finite routing valiant vcs 1
works fabric reset t2
json "d['delivery_hash'] != '$hash'" traffic t2 "${load[@]}" --seed 8
works fabric reset t2
json 'd["packets"]["delivered"] == 64 * 63 * 2 and d["in_flight"] == 0 and d["load"] == 0' \
	traffic t2 --pattern alltoall --packets 2 --size 32:256
json 'sum(h["packets"] for h in d["by_hops"]) == 64 * 63 * 2' counter show t2
prints '^hash +[0-9a-f]{16}$' counter show t2
prints '^384 links, the CRCs of 384 not computed \(crc lazy\)$' link check t2
json 'd["equal"] is None and d["not_computed"] == 384' link check t2
works counter reset t2
json 'd["packets"]["delivered"] == 0' counter show t2

# Tables of pairs, in more than one message, and the same hash as torus-sim
for i in {0..1023}; do
	echo "$((i % 64)) $(((i % 64 + 1 + i / 64) % 64)) $((1 + i % 5))"
done >"$work/pairs"
for how in "file:$work/pairs --packets 3" "linefill --packets 100" "planefill --packets 100" \
	"file:$work/pairs --load 0.6 --cycles 20000 --warmup 1000" \
	"alltoall --packets 2 --set pacing=0.8" \
	"uniform --load 0.7 --cycles 5000 --warmup 1000 --set reply=96 --set outstanding=3" \
	"hotspot --packets 20 --set hot=5 --set share=0.3 --set reply=64"; do
	read -ra list <<<"--pattern $how --seed 5"
	works fabric reset t2
	json "d['outcome'] == 'done' and d['selfcheck']['conservation']" traffic t2 "${list[@]}"
	hash=$(sed 's/.*"delivery_hash":"\([0-9a-f]*\)".*/\1/' "$work/out")
	if [[ -x $top/build/torus-sim ]]; then
		"$top/build/torus-sim" run --arch bgl --shape 4x4x4 "${list[@]}" --json \
			>"$work/out" 2>"$work/err"
		tap "$(true_of "d['delivery_hash'] == '$hash'" && echo ok)" \
			"torus-sim has the same hash: ${how/$work\/}"
	fi
done
echo "0 64" >"$work/bad"
output=$(ctl traffic t2 --pattern "file:$work/bad" --packets 1 2>&1)
tap "$([[ $? == 2 ]] && says "$output" "$work/bad:1:3: node 64 0 63" && echo ok)" \
	"traffic: a bad file is reported: $output"
works fabric reset t2
refused 'planefill packet' traffic t2 --pattern planefill --load 0.5
refused 'size 33' traffic t2 --pattern uniform --load 0.5 --size 33
refused 'colour' traffic t2 --pattern uniform --load 0.5 --set colour=3
prints '^checks +conservation ok, tokens ok' traffic t2 --pattern tornado --load 0.3 \
	--cycles 200us --set ber=1e-6

# Interrupted from the keyboard, it stops the workload and tells what it has.
works fabric reset t2
timeout -s INT 5 "$torusctl" -j traffic t2 --pattern uniform --load 0.9 --cycles 100000000000 \
	>"$work/out" 2>"$work/err"
tap "$(says "$(<"$work/err")" "stopped tick" && true_of 'd["packets"]["injected"] > 0' && echo ok)" \
	"traffic: SIGINT stops it: $(head -n 1 "$work/err")"
works fabric reset t2
# SIGINT also stops a closed loop, on a new fabric.
works fabric add t7 arch bgl shape 8x8x8
timeout -s INT -k 60 5 "$torusctl" -j traffic t7 --pattern alltoall --packets 100000 \
	>"$work/out" 2>"$work/err"
tap "$(says "$(<"$work/err")" "stopped tick" && true_of 'd["packets"]["delivered"] > 0' && echo ok)" \
	"traffic: SIGINT stops a closed loop: $(head -n 1 "$work/err")"
works fabric del t7
# Parts of a measurement that were short do not make the next workload's pieces long: only between
# two of them can it be stopped.  A million windows, the longest piece, are some four million ticks.
works fabric add t7 arch bgl shape 16x8x8
for i in 1 2; do
	works traffic t7 --pattern neighbor --load 0.001 --cycles 1600
done
timeout -s INT -k 600 5 "$torusctl" traffic t7 --pattern uniform --load 0.9 \
	--cycles 100000000000 >"$work/out" 2>"$work/err"
tick=$(sed -n 's/.*tick \([0-9]*\).*/\1/p' "$work/err")
tap "$([[ $tick && $tick -lt 2000000 ]] && echo ok)" \
	"traffic: it is stopped between two short pieces, at tick $tick"
works fabric del t7

# An error that CRC-24 misses makes exactly its link differ.  A fresh fabric keeps
# the faults that its workload is to meet.
works fabric reset t2
works link set t2 0 y+ escape 1
works traffic t2 --pattern uniform --packets 400
status=0
ctl -j link check t2 >"$work/out" 2>"$work/err" || status=$?
tap "$( ((status == 1)) && true_of '[(l["node"], l["dir"]) for l in d["differ"]] == [(0, "y+")]' &&
	echo ok)" "link check: an escape is found, and ends with 1"
prints '^0,0,0 y\+ .* DIFFER' link show t2 0

# Who cannot be attached ends no workload that has run: a kncube has no packets of programs.
works fabric add k1 arch kncube shape 4x4
works traffic k1 --pattern uniform --load 0.1 --cycles 2000
"$top/build/examples/packet" k1 0 >"$work/out" 2>&1
json 'd["outcome"] == "done"' traffic k1 --follow
# Nor does a workload that is refused.
refused 'class 1 kncube' traffic k1 --pattern uniform --load 0.1 --cycles 2000 --set class=1
json 'd["outcome"] == "done"' traffic k1 --follow
works fabric del k1

# A large one, and lists while fabrics come and go
works fabric add big arch bgl shape 16x16x16
json 'len(d) == 4096 and d[4095]["coords"] == [15, 15, 15]
 and [n["node"] for n in d] == list(range(4096))' node show big
json 'len(d) == 24576 and len({(l["node"], l["dir"]) for l in d}) == 24576' link show big
json 'len(d["link_counters"]) == 24576' -s counter show big
json 'd["links"] == 24576' link check big
works fabric del big

(
	for ((i = 0; i < 25; i++)); do
		"$torusctl" fabric add t1 arch bgl shape 2x2x2
		"$torusctl" fabric del t1
	done
) 2>/dev/null &
churn=$!
good=ok
while kill -0 $churn 2>/dev/null; do
	ctl -j fabric show >"$work/out" 2>"$work/err" || good=bad
	true_of 'len({f["name"] for f in d}) == len(d)
 and {"t0", "t2"} <= {f["name"] for f in d}' || good=bad
done
wait $churn
tap $good "fabric show while fabrics come and go"

works fabric del t0
works fabric del t2
works fabric del par
json 'd == []' fabric show

tap_end
