#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torusctl fabric replace and torusd apply --replace: a running fabric is changed to a file while
# another one runs a job, a fabric that is used is never deleted, and what is equal causes no event.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
fabrics=(t a b c x)
job="" monitor="" agent="" capture=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	local pid

	for pid in $job $monitor $agent $capture; do
		kill "$pid" 2>/dev/null
	done
	tidy
}
cd "$work" || exit 1

# ends NAME STATUS COMMAND...: it ends so; its output is in out, its messages are in err
ends()
{
	local name=$1 wanted=$2 status=0

	shift 2
	"$@" >out 2>err || status=$?
	tap "$( ((status == wanted)) && echo ok)" "$name"
	((status == wanted)) || sed "s/^/# status $status: /" out err | head -20
}

# remember FABRIC: print the configuration of the fabric, without remarks
remember() { "$torusctl" save "$1" | grep -v '^#'; }

# keeps NAME FABRIC: the configuration of the fabric is the one in $before
keeps()
{
	tap "$([[ $(remember "$2") == "$before" ]] && echo ok)" "$1"
}

# shellcheck disable=SC2317 # (called by ends)
replace() { "$torusctl" fabric replace "$@"; }
# shellcheck disable=SC2317 # (called by ends)
apply() { "$top/build/torusd" apply --replace "$1"; }

# ---------------------------------------------------------------- fabric replace

ends "replace creates a fabric" 0 replace t arch bgl shape 2x2x2
"$torusctl" node set t 3 uid 7
ends "the same again" 0 replace t arch bgl shape 2x2x2
tap "$(says "$(cat err)" "nothing to change" && echo ok)" "it says so: $(cat err)"
ends "a key that a running fabric accepts" 0 replace t arch bgl shape 2x2x2 ber 1e-5
tap "$("$torusctl" fabric show t | grep 'ber 1e-05' >/dev/null && "$torusctl" node show t 3 |
	grep 'uid 7' >/dev/null && echo ok)" "only that key was changed"
ends "a wrong value" 2 replace t arch bgl shape 2x2x2 ber 2

# used NAME KIND: the fabric t, which is used in this way, is not deleted
used()
{
	before=$(remember t)
	ends "$1: a key that requires a new fabric" 1 replace t arch bgl shape 4x4x4 seed 9 ber 0
	tap "$(blames "$(cat err)" "torusctl: fabric replace: fabric t shape seed use $2" && echo ok)" \
		"$1: $(cat err)"
	keeps "$1: the fabric is unchanged" t
}

"$torusctl" fabric pause t
used "a paused fabric" "paused"
"$torusctl" fabric resume t
"$torusctl" traffic t --pattern uniform --load 0.1 --cycles 1000000000 >/dev/null 2>&1 &
job=$!
# shellcheck disable=SC2317 # (called by waits)
busy() { "$torusctl" fabric show t | grep running >/dev/null; }
waits busy
used "a workload" "workload"
kill "$job"
wait "$job"
job=""
"$torusctl" fabric reset t
"$torusctl" capture t -w packets.pcapng >/dev/null 2>&1 &
capture=$!
# shellcheck disable=SC2317 # (called by waits)
captures() { [[ -s packets.pcapng ]]; }
waits captures
used "a capture" "captured"
kill -INT "$capture"
wait "$capture"
capture=""
"$top/build/torus-run" -f t -n 2 "$top/build/torus-pingpong" -s 1 -r 1000000 >/dev/null 2>&1 &
job=$!
# shellcheck disable=SC2317 # (called by waits)
attached() { "$torusctl" -d fabric show "$1" | grep "held by" >/dev/null; }
waits attached t
used "a job" "2 FIFO groups"
tap "$(kill -0 "$job" && echo ok)" "the job continues"
ends "a live key, while the job runs" 0 replace t arch bgl shape 2x2x2 ber 1e-6
kill "$job"
wait "$job"
job=""
# shellcheck disable=SC2317 # (called by waits)
free() { ! attached "$1"; }
waits free t
ends "an unused fabric is created again" 0 replace t arch bgl shape 4x4x4 seed 9
tap "$("$torusctl" fabric show t | grep 4x4x4 >/dev/null && echo ok)" "with its new shape"
"$torusctl" fabric del t

# ----------------------------------------------------------- torusd apply --replace

cat >conf <<'END'
fabric add a arch bgl shape 4x4x4 seed 7
reg write a 1,2,3 timeout_x 0x08000800
reg write a 0 arbitration.full 100
node set a 0-3,0,0 uid 1000 partition 2
node set a 1,1,1 state dead
link set a 0,0,0 y+ ber 1e-4 corrupt 3
link set a 3,0,0 x+ state down
fabric add b arch bgl shape 4x4x4
node set b 5 uid 0
END
ends "a first file" 0 apply conf
tap "$([[ $(sort out | paste -sd ' ') == "a: made b: made" ]] && echo ok)" "$(paste -sd ' ' out)"
"$torusctl" fabric add c arch bgl shape 2x2x2
"$top/build/torus-run" -f b -n 2 "$top/build/torus-pingpong" -s 1 -r 1000000 >/dev/null 2>&1 &
job=$!
waits attached b
timeout -k 5 300 "$torusctl" monitor >events 2>/dev/null &
monitor=$!
# shellcheck disable=SC2317 # (called by waits)
listens() { "$torusctl" counter reset c; grep -q counter-reset events; }
waits listens

# event_count: wait until all events so far are in the file, then print the number of those of others than c
event_count()
{
	"$torusctl" counter reset c
	sleep 0.3
	grep -cv '^c ' events
}

count=$(event_count)
ends "nothing differs" 0 apply conf
tap "$([[ $(cat out) == "nothing to change" && ! -s err ]] && echo ok)" "it says so: $(cat out)"
tap "$([[ $(event_count) == "$count" ]] && echo ok)" "it sends no event"

cat >conf2 <<'END'
fabric add a arch bgl shape 4x4x4 seed 7 ber 1e-6 rx_stall 5000
reg write a 0 arbitration.full 90
reg write a 3-5 timeout_y 0x01000100
node set a 0,0,0 uid 1001
node set a 9 partition 77
node set a 2,2,2 state dead
link set a 0,0,0 y+ corrupt 5 delay 12
link set a 2,2,0 x- sender off
job add a j nodes 20 21 22
fabric add b arch bgl shape 4x4x4
node set b 5 uid 0
fabric add x arch xt shape 4x4x4
END
before=$(remember b)
ends "torusctl diff: the files differ" 1 "$torusctl" diff conf2 a
ends "a changed file, while b runs a job" 0 apply conf2
tap "$(grep -qx 'a: changed' out && grep -qx 'x: made' out && ! grep -q '^b: ' out && echo ok)" \
	"only a was changed: $(grep ': ' out | paste -sd ' ')"
sed 's/^/# /' out err
ends "nothing of a differs any more" 0 "$torusctl" diff conf2 a
sed 's/^/# /' out
keeps "b is the same" b
tap "$(kill -0 "$job" && ! grep -q '^b ' events && echo ok)" "its job continues, and b has no event"
tap "$("$torusctl" fabric show c >/dev/null && echo ok)" "c, which the file does not name, stays"
event_count >/dev/null
tap "$([[ $(grep -c '^a .*fabric-\(add\|del\)' events) == 0 ]] && echo ok)" "a was not created again"
count=$(event_count)
ends "a second run" 0 apply conf2
tap "$([[ $(cat out) == "nothing to change" && ! -s err ]] && echo ok)" "it says so: $(cat out)"
tap "$([[ $(event_count) == "$count" ]] && echo ok)" "it sends no event"

# Keys that require a new fabric: a is created again, b, which is used, is not.
sed 's/seed 7/seed 8/; s/fabric add b arch bgl/& seed 3 ber 1e-7/' conf2 >conf3
before=$(remember b)
ends "torusd apply: differences, no change" 1 "$top/build/torusd" apply conf3
tap "$(grep -q '^+fabric add a .* seed 8' out && grep -q '^+fabric add b .* seed 3' out && echo ok)" \
	"torusd apply prints them"
ends "a fabric that is used and requires a new one" 1 apply conf3
tap "$(blames "$(cat err)" "torusd: fabric b seed use 2 FIFO groups" && ! grep -q ber err &&
	echo ok)" "$(cat err)"
keeps "nothing of b was changed" b
tap "$(kill -0 "$job" && echo ok)" "its job continues"
tap "$(grep -qx 'a: created again' out && echo ok)" "a was created again"
ends "nothing of a differs" 0 "$torusctl" diff conf3 a
kill "$job"
wait "$job"
job=""
waits free b
ends "after the job" 0 apply conf3
tap "$(grep -qx 'b: created again' out && echo ok)" "b was created again"

# Scheduled faults begin at tick 0 of a new fabric; a job that the file does not have is no key.
{ cat conf3; echo "link set b 0 x+ state down at 5000"; } >conf4
ends "a scheduled fault" 0 apply conf4
tap "$(grep -qx 'b: created again' out && echo ok)" "requires a new fabric"
ends "without it" 0 apply conf3
ends "again" 0 apply conf3
tap "$([[ $(cat out) == "nothing to change" ]] && echo ok)" "nothing to change"

# Routing tables
"$torusctl" route dump arch xt shape 4x4x4 policy v2 >tables
{ cat conf3; echo "route load x tables force"; } >conf5
ends "routing tables" 0 apply conf5
sed 's/^/# /' out err
ends "they are loaded" 0 "$torusctl" diff conf5 x
ends "those of a new fabric" 0 apply conf3
tap "$(grep -qx 'x: changed' out && echo ok)" "are loaded into the running one"
ends "nothing of x differs" 0 "$torusctl" diff conf3 x

# torusd run continues with a file that differs, at the start and after SIGHUP.
"$top/build/torusd" run conf2 >agent 2>&1 &
agent=$!
# shellcheck disable=SC2317 # (called by waits)
ready() { grep -q ready agent; }
waits ready
tap "$(grep -q '^-fabric add a .* seed 8' agent && grep -q '^+fabric add a .* seed 7' agent && echo ok)" \
	"torusd run prints what differs, and continues"
: >agent
kill -HUP "$agent"
# shellcheck disable=SC2317 # (called by waits)
reread() { grep -q '^+fabric add a .* seed 7' agent; }
tap "$(waits reread && kill -0 "$agent" && echo ok)" "after SIGHUP, too"
kill "$agent"
wait "$agent"
tap $? "torusd run ends with 0"
agent=""

tap_end
