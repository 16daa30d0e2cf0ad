#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What torusctl, torus-info, torus-pingpong, torus-perf and torus-demo answer as JSON, the loaded
# module there, is as user/schema/torus.json says, every command on every machine; what answers nothing
# prints nothing.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
# shellcheck source=scripts/lib/schema.bash
. "$top/scripts/lib/schema.bash"
cd "$work" || exit 1
fabrics=(f g)

# shows OBJECT COMMAND WORD...: torusctl's answer; an object that is its own command ends in -
shows()
{
	local entry=torusctl-$1-$2

	if [[ $1 == *- ]]; then
		answers "torusctl-${1%-}" "$torusctl" -j "${1%-}" "${@:2}"
	else
		answers "$entry" "$torusctl" -j "$@"
	fi
}

# does OBJECT COMMAND WORD...: it answers nothing
does()
{
	quiet "torusctl-$1-$2" "$torusctl" -j "$@"
}

# stopped COMMAND...: until it has gone on for so long
# shellcheck disable=SC2317 # (called by answers)
stopped()
{
	timeout -s INT 3 "$@"
}

declare -A shapes=([bgl]=3x2x2 [xt]=3x2x2 [tofu]=1x1x1 [kncube]=4x2)
declare -A dirs=([bgl]=x+ [xt]=x+ [tofu]=b+ [kncube]=x+)

# whole ARCH: a fabric of that machine, and each command that any machine knows
whole()
{
	local load=(--pattern uniform --load 0.3 --cycles 2000 --warmup 500)

	does fabric add f arch "$1" shape "${shapes[$1]}"
	does fabric replace f arch "$1" shape "${shapes[$1]}" seed 2
	shows fabric keys "$1"
	shows fabric show
	# its links have no faults, and no readers stand behind them
	if [[ $1 != kncube ]]; then
		does fabric set f rx_stall 1000
		does link set f 0 "${dirs[$1]}" ber 1e-5
	fi
	shows traffic- f "${load[@]}"
	shows traffic- f --follow
	does fabric save-state f state
	does fabric load-state g state
	does fabric del g
	shows counter show f
	shows counter show f 0
	shows counter show f top 2
	shows health- f
	shows link show f
	answers torusctl-link-show "$torusctl" -j -s link show f 0 "${dirs[$1]}"
	shows link check f
	shows node show f
	shows node show f 0-1
	shows top- f -n 1
	shows save- f
	"$torusctl" save f >lines
	shows diff- lines f
	does counter reset f
	does fabric reset f
	answers torusctl-fabric-show "$torusctl" -j -d fabric show f
}

# watched: events, a capture of what programs send, and who they are
watched()
{
	timeout -s INT 40 "$torusctl" -j -t monitor f >events 2>/dev/null &
	monitor=$!
	timeout -s INT 60 "$torusctl" -j capture f count 20 -w f.pcapng >captured 2>/dev/null &
	capture=$!
	timeout -s INT 60 "$torusctl" -j record f -w f.jsonl >recorded 2>/dev/null &
	record=$!
	sleep 3
	does node set f 1 uid 0 partition 0
	does link set f 0 x+ corrupt 1 at 100 for 50
	does link set f 0 x+ state down
	does link set f 0 x+ state up
	answers torus-pingpong "$top/build/torus-run" -f f -n 2 "$top/build/torus-pingpong" -j -s 64 -r 3
	answers torus-perf "$top/build/torus-perf" lat -j -f f -r 2 -c 5 -s 64 --transports pipe,torus-message
	answers torus-demo "$top/build/demo/torus-demo" --json --laps 1 --iterations 1 --length 512 \
		--timeout 100 f
	wait "$capture"
	kill -INT "$monitor" "$record"
	wait "$monitor" "$record"
	answers torusctl-monitor cat events
	answers torusctl-record cat recorded
	answers torus-sim-trace head -n 1 f.jsonl
	answers torusctl-capture cat captured
	shows explain- f.pcapng 0 0
	does job add f j nodes 0 1
	shows job show f
	shows job show f j
	does job del f j
	answers torus-info "$top/build/torus-info" -j f
	answers torus-info "$top/build/torus-info" -j -n f
}

for arch in $("$torusctl" help fabric |
	sed -n 's/^torusctl fabric keys //p' | tr '|' ' '); do
	[[ -n ${shapes[$arch]:-} ]] || tap bad "no shape for a fabric of $arch here"
	whole "$arch"
	case $arch in
	bgl)
		shows reg list f
		shows reg read f 0 NODE_COORDINATE
		shows reg read f 0-1 NODE_COORDINATE
		shows reg read f 0 arbitration.full
		does reg write f 0 arbitration.full 100
		shows reg dump f 0
		shows reg dump f 0-1
		watched
		does node set f 5 state dead
		shows route compute f 0
		shows route check f
		shows route explain f 0 3
		shows route explain f 0 5
		does node set f 5 state alive
		;;
	xt)
		shows route compute f
		shows route check f
		shows route explain f 0 1
		shows route heat f from tables
		shows route heat f from counters
		shows route survey f
		shows route whatif f broken "0,0,0 x+"
		answers torusctl-route-dump "$torusctl" route dump f
		"$torusctl" route dump f >tables
		does route load f tables
		;;
	tofu)
		does unit out f 0,0,0,1
		shows unit show f
		does unit in f 0,0,0,1
		does unit fail f 0,0,0,1
		does unit in f 0,0,0,1
		answers torusctl-unit-show "$torusctl" -j -d unit show f
		does job add f j view 2x3x2
		shows job show f j
		does job del f j
		;;
	esac
	# in make check the first machine
	short_end
	does fabric del f
done
shows fabric show
printf '%s\n' "fabric add f arch bgl shape 2x2x2" >lines
quiet torusctl-restore "$torusctl" -j restore lines
shows diff- /dev/null
shows route paths arch tofu shape 1x1x1 0 5
shows route shapes 3x2x2 in 1x1x1
shows route channels arch tofu shape 1x1x1
answers torusctl-version "$torusctl" -j -V
# shellcheck disable=SC2016 # (of the inner shell)
answers torusctl-error bash -c '"$0" -j fabric add f arch bgl shape 2x2x2 2>&1' "$torusctl"
all_answered 'torusctl-*' torus-info torus-pingpong torus-perf torus-demo
tap_end
