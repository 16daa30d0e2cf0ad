#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The bash completion of torusctl, against a stand-in for the tool that knows one
# fabric and has the help of the tool.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

[[ -x build/torusctl ]] || skip_all "build/torusctl is not built"
# shellcheck source=user/completion/torusctl
. user/completion/torusctl

# shellcheck disable=SC2317 # (the completion calls it)
stand_in()
{
	case $* in
	"fabric show" | "fabric show t0")
		echo "t0: arch bgl shape 2x2 nodes 4 state idle"
		echo "    clock 0 ticks (0 ns) tick 5.71429 ns in flight 0"
		echo "    seed 1 domains 1 contexts 0 memory 1.0 MiB"
		echo "    routing dynamic ber 0"
		;;
	"fabric keys bgl")
		printf '%s\n' "routing            dynamic        dynamic|deterministic" \
			"ber                0              0 to below 1 live" \
			"rx_stall           0              0..281474976710656 ticks live" \
			"crc                lazy           lazy|full live"
		;;
	"-d reg list t0")
		printf '%s\n' "0x0b arbitration sender disable" "     disable_x+ b0 full b6-13" \
			"0x0c clock_ratio" "     ratio b0-2"
		;;
	help*) build/torusctl "$@" ;;
	"monitor events .") echo "(there are: program node link node-set link-set)" ;;
	"fabric help") echo "torusctl fabric add NAME arch bgl|xt|tofu|kncube shape 4x4x4 [mesh DIMS]" ;;
	"node show t0") printf '%s\n' "0: 0,0 uid 0" "1: 1,0 uid 0" "2: 0,1 uid 0" "3: 1,1 uid 0" ;;
	"reg list t0") printf '%s\n' "0x03 plus_neighbor" "0x0b arbitration" "0x32 receiver_crc_xp read-only" ;;
	esac
}

# completes WANTED WORD...: what the last word may become
completes()
{
	local wanted=$1

	shift
	COMP_WORDS=(stand_in "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_torusctl
	if [[ ${COMPREPLY[*]} == "$wanted" ]]; then
		tap ok "torusctl ${*:-}"
	else
		tap bad "torusctl ${*:-}"
		echo "# wanted: $wanted"
		echo "# got: ${COMPREPLY[*]}"
	fi
}

completes "fabric node unit job reg link traffic counter health monitor capture record explain top route save restore diff help -j -p -s -d -br -o -t -q -b -check -force -V" ""
completes "show add del help" job ""
completes "link" li
completes "add replace show set reset del keys pause resume step run save-state load-state help" fabric ""
completes "t0" fabric save-state ""
completes "" fabric load-state ""
completes "show set step save-state" -j fabric s
completes "t0" fabric show ""
completes "t0" fabric run ""
completes "until" fabric run t0 ""
completes "deliver drop" fabric run t0 until d
completes "receive receiver retry" fabric run t0 until interrupt re
completes "arbitration all" fabric run t0 until access a
completes "1,0 1,1" fabric run t0 until interrupt retry 1
completes "1,0 1,1" fabric run t0 until hop 1
completes "" fabric run t0 until 5000 ""
completes "arch shape mesh seed domains" fabric add t1 ""
completes "bgl" fabric add t1 arch b
completes "bgl xt tofu kncube" fabric add t1 arch ""
completes "arch shape mesh seed domains routing ber rx_stall crc" \
	fabric add t1 arch bgl shape 2x2 ""
completes "dynamic deterministic" fabric add t1 arch bgl routing ""
completes "" fabric add t1 arch bgl ber ""
completes "t0" fabric replace ""
completes "arch shape mesh seed domains routing ber rx_stall crc" \
	fabric replace t0 arch bgl shape 2x2 ""
completes "bgl xt tofu kncube" fabric keys ""
completes "ber rx_stall crc" fabric set t0 ""
completes "lazy full" fabric set t0 crc ""
completes "" fabric set t0 rx_stall ""
completes "0,0 0,1" node show t0 0
completes "all" node set t0 a
completes "arbitration.disable_x+ arbitration.full" reg write t0 0,0 arbitration.
completes "t0 tables" save ""
completes "t0" diff /dev/null ""
completes "scripts/check.d" restore scripts/check.d
completes "t0 events" monitor ""
completes "t0" capture ""
completes "all 0,0 1,0 0,1 1,1 from to buffer -w" record t0 ""
completes "0,0 1,0 0,1 1,1 from to count bytes buffer -w" capture t0 ""
completes "x+ x- y+ y- from to count bytes buffer -w" capture t0 1,0 ""
completes "0,0 1,0 0,1 1,1" capture t0 from ""
completes "every -n" top t0 ""
completes "node node-set" monitor t0 events node
completes "fabric" help f
completes "show set check help" help link ""
completes "plus_neighbor" reg read t0 0,0 p
completes "all x+ x- y+ y-" link show t0 0,0 ""
completes "all 0,0 1,0 0,1 1,1" link set t0 ""
completes "all x+ x- y+ y-" link set t0 all ""
completes "state" link set t0 all all st
completes "up down" link set t0 all all state ""
completes "top" counter show t0 t
completes "t0" traffic ""
completes "--pattern --packets --progress" traffic t0 --p
completes "tornado" traffic t0 --load 0.5 --pattern to
completes "compute check explain survey whatif heat paths shapes channels load dump help" route ""
completes "0,0 1,0 0,1 1,1" route explain t0 0,0 ""
completes "mesh faults samples seed colinear" route survey 4x4x4 ""
completes "yes no" route survey 4x4x4 colinear ""
completes "xt tofu kncube" route check arch ""
completes "shape mesh routing escape vcs" route check arch kncube ""
completes "dor adaptive valiant" route check arch kncube routing ""
completes xt route heat arch ""
completes tofu route paths arch ""
completes "shape mesh vcs" route check arch tofu ""
completes "shape mesh path order faulty units" route paths arch tofu ""
completes "fixed hash roundrobin" route channels arch tofu policy ""
completes "in mesh faulty at ranks svg" route shapes 12x12x6 ""
completes "shape mesh policy datelines planes ties broken absent table" route check arch xt ""
completes "shape mesh policy datelines planes ties broken absent cables samples seed" \
	route survey arch xt ""
completes "at force" route load t0 tables ""
completes "" route load t0 tables at ""
completes "initial v1 v2 v3 one" route whatif arch xt policy ""
completes "dead alive failed" node set t0 0,0 state ""
completes "any" node set t0 0,0 uid ""
completes "all 0,0 1,0 0,1 1,1 top --openmetrics" counter show t0 ""
completes "force timeout" unit out t0 0,0,0,1 ""
completes "view at shorter nodes" job add t0 j ""
completes "0,0 1,0 0,1 1,1" job add t0 j nodes ""
completes "tables counters" route heat t0 from ""
completes "broken" route whatif t0 ""
completes "on off dead" link set t0 0,0 x+ sender ""
completes "t0" -j monitor t
completes "events" monitor t0 ""

tap_end
