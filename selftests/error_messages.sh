#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the module, torusctl, torus-run, torus-info and torus-pingpong refuse, beside what the
# other selftests try: a row is the exit status, the words, and the command line.  Needs root;
# runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH
fabrics=(t0 xt0 kn big)
holder="" workload=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $holder ]] || kill "$holder" 2>/dev/null
	[[ -z $workload ]] || kill "$workload" 2>/dev/null
	tidy
}

# row STATUS WORDS COMMAND...: the words are in what it prints on its error output
row()
{
	local wanted=$1 words=$2 said status=0 verdict=ok

	shift 2
	said=$("$@" 2>&1 >"$work/out" </dev/null) || status=$?
	[[ $status == "$wanted" ]] && { [[ -z $words$said ]] || says "$said" "$words"; } || verdict=bad
	tap $verdict "${*:1:6}: ${words:0:140}"
	[[ $verdict == ok ]] || printf '# status %d: %s\n' "$status" "${said:0:300}"
}

ctl() { row 1 "$1" torusctl "${@:2}"; }
run() { row 125 "$1" torus-run -f t0 "${@:2}" true; }

torusctl fabric add t0 arch bgl shape 4x4x4 || skip_all "no fabric"
torusctl fabric add kn arch kncube shape 4x4
torusctl fabric add xt0 arch xt shape 2x2x1

# ------------------------------------------------------------- requests by hand

while read -r verdict name; do
	tap "$verdict" "$name"
done < <(python3 "$top/selftests/refused_netlink.py" "$top/include/uapi/linux/torus.h" \
	t0 xt0)
torusctl fabric del xt0

# ------------------------------------------------------------------- torusctl

ctl "node 0-200000,0,0" node show t0 0-200000,0,0
ctl "node 0-4294967294 16777216" node set t0 0-4294967294 uid 0
ctl "register threshold_input field" reg read t0 0 threshold_input.q
ctl "kn kncube register" reg list kn
ctl "t0 bgl table" route dump t0
ctl "0 source destination node" route explain t0 0 0
torusctl node set t0 5 state dead
ctl "node 1,1,0 dead" route compute t0 5
torusctl node set t0 5 state alive
printf 'fabric add\n' >"$work/lines"
row 2 "$work/lines:1: name fabric missing" torusctl restore "$work/lines"
row 1 "4096 fault" bash -c "
	for ((i = 0; i < 4097; i++)); do
		echo 'link set t0 0 x+ corrupt 1 at 1000000000 for 1'
	done | torusctl -b -"
torusctl fabric reset t0
torusctl fabric add big arch bgl shape 4x4x4 escape_order direction
ctl "big escape_order direction dimension" route compute big
torusctl fabric del big
row 1 "ecc_resend CAP_NET_ADMIN" \
	setpriv --reuid 65534 --clear-groups torusctl reg read t0 0 ecc_resend

# A workload in the way, and programs in a workload's way
torusctl traffic t0 --pattern uniform --load 0.1 --cycles 100000000 >"$work/workload" 2>&1 &
workload=$!
until torusctl fabric show t0 | grep -q running; do
	kill -0 $workload 2>/dev/null || break
	sleep 0.1
done
run "t0 workload attach" -n 1
row 1 "t0 workload attach" env TORUS_FABRIC=t0 \
	TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=7 TORUS_MEMBERS="0 1" torus-pingpong
ctl "workload t0" traffic t0 --pattern uniform --packets 1
kill $workload
wait $workload 2>/dev/null
workload=""
torusctl fabric reset t0
torus-run -f t0 -n 2 torus-pingpong -s 1 -r 1000000 >/dev/null &
holder=$!
for ((i = 0; i < 100; i++)); do
	[[ $(torus-info -j t0) != *'"free":126'* ]] || break
	sleep 0.1
done
ctl "2 context t0" traffic t0 --pattern uniform --packets 1
run "held pid" --nodes 0
row 1 "group 0 use pid torus-pingpong" env TORUS_FABRIC=t0 \
	TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=7 TORUS_MEMBERS="0 1" torus-pingpong
run 'nodes 0-3,7 dimension "0-3 7"' --nodes 0-3,7
kill $holder
wait $holder 2>/dev/null
holder=""

# ------------------------------------------------------- torus-run, its places

run 'nodes "" node' --nodes ""
run "node 0-x number range all" --nodes 0-x
run "node 64 0 63" --nodes 64
run "0,0 2 coordinate" --nodes 0,0
run "0,0,0,0,0,0,0,0,0,0,0,0 10" --nodes 0,0,0,0,0,0,0,0,0,0,0,0
run "node" --nodes "$(printf '0%.0s' {1..300})"
run "box 0,0 AT+SHAPE" --box 0,0
run "box 0,0+2x2 2 3" --box 0,0+2x2
run "map xy xyzt file" --map xy
run "map $work Is a directory" --map "$work"
: >"$work/map"
run "map $work/map place" --map "$work/map"
echo "0 0" >"$work/map"
run "$work/map:1: 3 coordinate group" --map "$work/map"
echo "4 0 0" >"$work/map"
run "$work/map:1: x 4 t0 0 3" --map "$work/map"
echo "0 0 0 2" >"$work/map"
run "$work/map:1: group 2 t0" --map "$work/map"
torusctl fabric add big arch bgl shape 4x4x4 mesh x
row 125 "box 2,0,0+3x1x1 x mesh" \
	torus-run -f big --box 2,0,0+3x1x1 true
torusctl fabric del big
torusctl node set t0 0-63 uid 0
row 125 "node user" \
	setpriv --reuid 65534 --clear-groups torus-run -f t0 -n 1 true
torusctl node set t0 0-63 uid any
torusctl node set t0 0-31 state dead
run "16 more" -n 64
torusctl node set t0 0-31 state alive
row 0 "" bash -c "ulimit -n 64; exec torus-run -f t0 -n 40 --tag true"
row 125 "--tag 144 40 rank 64 Operation not permitted" \
	bash -c "ulimit -n 64; exec setpriv --reuid 65534 --clear-groups torus-run -f t0 -n 40 \
	--tag true"
row 125 "torus-run: No space left on device" \
	bash -c "exec torus-run -f t0 -n 1 --print-env >/dev/full"
mapfile -t many < <(printf -- '--set=k%d=1\n' {1..65})
row 125 "64 parameter" torus-run --arch bgl --shape 2x2x2 "${many[@]}" true
row 125 "ber value 1" torus-run --arch bgl --shape 2x2x2 --set ber= true
row 125 "arch abcdefghijklmnopqrst" \
	torus-run --arch abcdefghijklmnopqrst --shape 2x2x2 true

# --------------------------------------------------- torus-info, torus-pingpong

row 1 "torus-info: fabric nosuch" torus-info nosuch
row 1 "torus-info: No space left on device" \
	bash -c 'exec torus-info >/dev/full'
row 1 "torus-pingpong: No space left on device" \
	bash -c 'exec torus-run -f t0 -n 2 torus-pingpong -s 1 -r 1 >/dev/full'
row 2 "torus-pingpong: job rank two" torus-run -f t0 -n 1 torus-pingpong
row 2 "torus-pingpong: partner 7 rank 0 1" \
	torus-run -f t0 -n 2 torus-pingpong -p 7
# A place that is not the job's: TORUS_NODE, TORUS_RANK, TORUS_SIZE and more
# place WORDS VARIABLE...
place()
{
	row 1 "$1" env TORUS_FABRIC=t0 TORUS_GROUP=0 TORUS_KEY=7 TORUS_TIMEOUT=1 "${@:2}" \
		torus-pingpong
}

place "TORUS_NODE 1 TORUS_GROUP 0 TORUS_MEMBERS rank node" \
	TORUS_NODE=1 TORUS_RANK=0 TORUS_SIZE=2 TORUS_MEMBERS="0 1"
place "TORUS_SIZE 2 TORUS_MEMBERS 64" \
	TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=2
place "TORUS_RANK 0 TORUS_MEMBERS node 1 rank" \
	TORUS_NODE=1 TORUS_RANK=0 TORUS_SIZE=64
place "fabric nosuch" TORUS_FABRIC=nosuch TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=1 \
	TORUS_MEMBERS=0
torusctl node set t0 0 uid 0
row 1 "node 0 t0" setpriv --reuid 65534 --clear-groups env TORUS_FABRIC=t0 \
	TORUS_NODE=0 TORUS_RANK=0 TORUS_SIZE=2 TORUS_KEY=7 TORUS_MEMBERS="0 1" torus-pingpong
torusctl node set t0 0 uid any

# ------------------------------------------- no memory, at each allocation in turn

# shellcheck source=scripts/lib/nomemory.bash
. "$top/scripts/lib/nomemory.bash"
torusctl fabric add big arch bgl shape 2x2x1
all torusctl -j fabric show big
all torusctl node show big 0-1
all torusctl counter show big 0
all torusctl reg dump big 0
all torusctl save big
all torusctl route check big
all torusctl route explain big 0 1
all torus-info -n big
all torus-run -f big --map xyzt --print-env
torusctl fabric del big
tap_end
