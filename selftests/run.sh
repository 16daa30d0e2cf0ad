#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torus-run and torus-info against the loaded module: the environment of ranks, where they are
# placed, how jobs end, and that nothing is left however they end.  TORUS_RUN_KILLS=N: that
# many kills; TORUS_SOAK=1: the examples at 64 nodes.  Needs root; runs in the VM.
# shellcheck disable=SC2016 # (programs of ranks are for their own shell)
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
export PATH=$top/build:$PATH
fabrics=(rt rk)
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	# shellcheck disable=SC2046 # (pids)
	kill $(jobs -p) 2>/dev/null
	tidy
}

# tells NAME TEXT EXPECTED: as is, but that any pid is P
tells()
{
	# shellcheck disable=SC2001 # (any number of digits)
	is "$1" "$(sed 's/pid [0-9]*/pid P/g' <<<"$2")" "$3"
}

# reports NAME TEXT REASONS: the lines of the text, for blames_each
reports()
{
	blames_each "$2" "$3"
	tap $? "$1: ${2//$'\n'/; }"
}

# printed ARG...: what torus-run prints and its status, by lines
printed()
{
	local status=0

	timeout -k 5 250 torus-run "$@" 2>&1 </dev/null || status=$?
	echo "status $status"
}

# begin ARG...: a job in the background, as a shell with job control starts it; $job is its pid
begin()
{
	(trap - INT; exec torus-run "$@") >"$work/out" 2>&1 </dev/null &
	job=$!
}

started() { (($(grep -c up "$work/out") >= $1)); }
# shellcheck disable=SC2317 # (waits calls it)
all_free() { [[ $(torus-info -j rt) == *'"free":128'* ]]; }
# shellcheck disable=SC2317
no_process() { ! pgrep -f "marker[x]" >/dev/null; }

torusctl fabric add rt arch bgl shape 4x4x4 no_listener hold || skip_all "no fabric"

# The environment of a rank

tells "a rank's environment" \
	"$(printed -f rt -n 3 --tag sh -c \
		'env | grep -E "^TORUS_(FABRIC|NODE|GROUP|RANK|SIZE|MEMBERS)="' | sort)" \
	"0: TORUS_FABRIC=rt
0: TORUS_GROUP=0
0: TORUS_MEMBERS=0 1 2
0: TORUS_NODE=0,0,0
0: TORUS_RANK=0
0: TORUS_SIZE=3
1: TORUS_FABRIC=rt
1: TORUS_GROUP=0
1: TORUS_MEMBERS=0 1 2
1: TORUS_NODE=1,0,0
1: TORUS_RANK=1
1: TORUS_SIZE=3
2: TORUS_FABRIC=rt
2: TORUS_GROUP=0
2: TORUS_MEMBERS=0 1 2
2: TORUS_NODE=2,0,0
2: TORUS_RANK=2
2: TORUS_SIZE=3
status 0"
tells "the key is the job's, and another one the next time" \
	"$(for i in 1 2 3; do printed -f rt -n 4 sh -c 'echo $TORUS_KEY' | sort -u | grep -c '^0x'; done
	printed -f rt -n 2 sh -c 'echo $TORUS_KEY' >"$work/1"; printed -f rt -n 2 sh -c 'echo $TORUS_KEY' |
		sort -u - "$work/1" | grep -c '^0x')" "1
1
1
2"
tells "standard input is rank 0's" "$(echo hello | torus-run -f rt -n 3 --tag cat)" "0: hello"

# where ARG...: the places of the ranks
where()
{
	torus-run -f rt --print-env "$@" 2>&1 |
		sed 's/.* TORUS_NODE=\([^ ]*\) TORUS_GROUP=\([^ ]*\) .*/\1:\2/' | paste -sd ' '
}
tells "x is filled first" "$(where -n 5)" "0,0,0:0 1,0,0:0 2,0,0:0 3,0,0:0 0,1,0:0"
tells "or z" "$(where -n 5 --map zyx)" "0,0,0:0 0,0,1:0 0,0,2:0 0,0,3:0 0,1,0:0"
tells "or the groups of a node" "$(where -n 3 --map txyz)" "0,0,0:0 0,0,0:1 1,0,0:0"
tells "both groups" "$(where -n 66 --group both | cut -d ' ' -f 64-)" "3,3,3:0 0,0,0:1 1,0,0:1"
tells "a box that goes round the torus" "$(where --box 3,0,3+2x1x2)" \
	"3,0,3:0 0,0,3:0 3,0,0:0 0,0,0:0"
tells "a list" "$(where --nodes "2-3,0,0 5 16-17" --group 1)" \
	"2,0,0:1 3,0,0:1 1,1,0:1 0,0,1:1 1,0,1:1"
printf '# a map\n1 2 3\n\n3 2 1 1\n' >"$work/map"
tells "a file" "$(where --map "$work/map")" "1,2,3:0 3,2,1:1"
printf '1 2 3\n4 0 0\n' >"$work/map"
reports "a file with an error" "$(where --map "$work/map")" \
	"torus-run: $work/map:2: x 4 rt 0 3"
tells "more members than the environment holds are in a file" \
	"$(torusctl fabric add rk arch bgl shape 32x32x20 && printed -f rk -n 20480 --print-env |
		sed -n "20480s/.*TORUS_MEMBERS=@\([^ ]*\).*/\1/p" | { read -r f; tail -c 12 "$f"; rm "$f"; }
	torusctl fabric del rk)" " 20478 20479"

# Refusals

reports "a fabric that does not exist" "$(printed -f nosuch true)" \
	"torus-run: fabric nosuch network namespace
status 125"
reports "too many ranks" "$(printed -f rt -n 65 true)" \
	"torus-run: rt 65 rank 64
status 125"
reports "a node beyond the edge" "$(printed -f rt --nodes 0-4,0,0 true)" \
	"torus-run: node 0-4,0,0 x rt 0 3
status 125"
reports "a group that does not exist" "$(printed -f rt --group 2 true)" \
	"torus-run: group 2 rt
status 125"
reports "a box that is too long" "$(printed -f rt --box 0,0,0+5x1x1 true)" \
	"torus-run: box 0,0,0+5x1x1 5 x 4
status 125"
torusctl fabric add rk arch kncube shape 4x4
reports "a machine without FIFOs" "$(printed -f rk true)" \
	"torus-run: rk kncube FIFO
status 125"
torusctl fabric del rk
torusctl node set rt 1,0,0 state dead
torusctl node set rt 2,0,0 uid 77
tells "a dead node is skipped" "$(where -n 2)" "0,0,0:0 2,0,0:0"
reports "ranks that cannot be placed, with the reasons" "$(printed -f rt --nodes 0-1,0,0 true)" \
	"torus-run: rt 2 rank 1 free
torus-run: node 1,0,0 group 0 dead
status 125"
if chmod 666 /dev/torus && setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
	reports "a node of another user" \
		"$(setpriv --reuid 65534 --clear-groups torus-run -f rt --nodes 2,0,0 true 2>&1)" \
		"torus-run: rt 1 rank 0 free
torus-run: node 2,0,0 group 0 user"
	tells "an ordinary user's job" "$(setpriv --reuid 65534 --clear-groups torus-run -f rt \
		--nodes 3,0,0 sh -c 'id -u; echo $TORUS_NODE')" "65534
3,0,0"
	reports "an ordinary user makes no fabric" "$(setpriv --reuid 65534 --clear-groups torus-run \
		--arch bgl --shape 2x2x2 -f mine true 2>&1)" \
		"torus-run: fabric mine CAP_NET_ADMIN user namespace"
fi
torusctl node set rt 1,0,0 state alive
torusctl node set rt 2,0,0 uid any

# How jobs end

# A start of a rank's program: goes on when each of the four ranks has made its file.
when_all_run=': >$0.$TORUS_RANK; until [ -e $0.0 ] && [ -e $0.1 ] && [ -e $0.2 ] && [ -e $0.3 ]
do sleep 0.1; done; '
tells "all well" "$(printed -f rt -n 4 true)" "status 0"
# A rank may end before all are started; the count is of those that run. So these two wait.
reports "one fails: the others are ended" \
	"$(printed -f rt -n 4 sh -c "$when_all_run"'[ $TORUS_RANK != 2 ] || exit 7; sleep 1000' "$work/a")" \
	"torus-run: rank 2 node 2,0,0 pid status 7 3
status 7"
reports "one crashes" \
	"$(printed -f rt -n 4 sh -c "$when_all_run"'[ $TORUS_RANK != 1 ] || kill -SEGV $$; sleep 1000' \
		"$work/b")" \
	"torus-run: rank 1 node 1,0,0 pid signal 11 Segmentation 3
status 139"
reports "all ranks hang and ignore SIGTERM" \
	"$(printed -f rt -n 2 --timeout 3 --grace 0.5 sh -c 'trap "" TERM; sleep 1000; sleep 1000')" \
	"torus-run: 3 s rank 0 node 0,0,0 pid 1 1,0,0
torus-run: 0.5 s SIGTERM rank 0 node 0,0,0 pid 1 1,0,0
status 124"
reports "a program that does not exist" "$(printed -f rt -n 2 nosuch)" \
	"torus-run: rank 0 nosuch No such file or directory
status 127"
reports "a file that is not executable" "$(printed -f rt -n 2 /etc/passwd)" \
	"torus-run: rank 0 /etc/passwd Permission denied
status 126"
reports "a process that outlives its rank is killed" \
	"$(printed -f rt -n 1 sh -c 'setsid sleep 1001 & sleep 0.3')" \
	"torus-run: 1 process killed
status 0"
tells "lines are whole and have their rank" "$(printed -f rt -n 2 --tag sh -c \
	'printf "one "; sleep 0.2; echo two; echo err >&2; printf "no end"' | sort)" \
	"0: err
0: no end
0: one two
1: err
1: no end
1: one two
status 0"

# Ranks that the others wait for.  Rank 0 opens a job with node 3, so that rank 1, which attaches and
# waits for a packet, gets none.
torusctl fabric add rk arch bgl shape 4x1x1
tells "a rank that does not open the job is reported" \
	"$(printed -f rk -n 2 --timeout 20 sh -c '[ $TORUS_RANK = 1 ] && exec "$0/packet" rk 1,0,0
		TORUS_MEMBERS="0 3" exec "$0/ring"' "$top/build/examples" | grep -v time-out)" \
	"torus-run: waiting for 1 of 2 ranks: rank 1 (node 1,0,0, pid P) has attached but has not opened the job
status 124"
tells "a rank that waits in torus_job_open() is reported" \
	"$(printed -f rk -n 1 --timeout 20 sh -c 'TORUS_SIZE=2 TORUS_MEMBERS="0 3" exec "$0/ring"' \
		"$top/build/examples" | grep -v time-out)" \
	"torus-run: waiting for 1 of 1 ranks: rank 0 (node 0,0,0, pid P) waits in torus_job_open()
status 124"
tells "ranks without a job are not" \
	"$(printed -f rk -n 2 --timeout 8 sh -c 'exec "$0/packet" rk $TORUS_NODE' \
		"$top/build/examples" | grep -v time-out; printed -f rk -n 2 sleep 5)" "status 124
status 0"
torusctl fabric del rk

begin -f rt -n 2 sh -c 'trap "echo got TERM; exit 0" TERM; echo up; sleep 1000 & wait'
waits started 2
kill -TERM "$job"
wait "$job"
tells "a signal is passed on" "$? $(sort "$work/out" | paste -sd ' ')" "0 got TERM got TERM up up"
begin -f rt -n 2 sh -c 'echo up; exec sleep 1000'
waits started 2
kill -INT "$job"
wait "$job"
tells "Ctrl-C ends the job" "$? $(sort "$work/out" | paste -sd ' ')" "130 up up"
begin -f rt -n 2 sh -c 'trap "" TERM; echo up; sleep 1000; sleep 1000'
waits started 2
kill -TERM "$job"
sleep 0.3
kill -TERM "$job"
wait "$job"
tells "the second SIGTERM kills" "$? $(sort "$work/out" | paste -sd ' ')" "143 up up"

# Debuggers and valgrind

tells "the rank with a debugger has standard input, and no tag" \
	"$(printf 'word\n' | timeout -k 5 250 torus-run -f rt -n 3 --tag --debugger "1:env X='a b'" \
		sh -c 'read -r w; echo "$X$w."' | sort)" "0: .
2: .
a bword."
cat >"$work/terminal.py" <<'END'
import os, pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(os.waitstatus_to_exitcode(status))
END
# The VM mounts no pseudo-terminals.
[[ -e /dev/pts/ptmx ]] || { mkdir -p /dev/pts && mount -t devpts devpts /dev/pts; }
is "and the terminal" \
	"$(timeout -k 5 250 /usr/bin/python3 "$work/terminal.py" torus-run -f rt -n 2 --debugger 1:env \
		sh -c 'read -r _ _ _ _ group _ _ foreground _ </proc/$$/stat
			[ $group != $foreground ] || [ ! -t 0 ] || echo rank $TORUS_RANK' </dev/null 2>&1 |
		tr -d '\r')" "rank 1"
reports "a rank that does not exist" "$(printed -f rt -n 2 --debugger 2:env true)" \
	"torus-run: --debugger 2 0 1
status 125"
if command -v valgrind >/dev/null; then
	is "both ranks run under valgrind" \
		"$(printed -f rt -n 2 --tag --valgrind "$top/build/examples/ring" |
			sed -n 's/==[0-9]*==/P/; /token\|ERROR SUMMARY\|status/p' | sort)" \
		"0: P ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)
0: the token went round 2 ranks: 1
1: P ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)
status 0"
else
	tap ok "both ranks run under valgrind # SKIP no valgrind"
fi

short_end
# However it ends, nothing is left

cat >"$work/holder.py" <<'END'
import sys, time
sys.path.insert(0, sys.argv[1])
import torus, os
context = torus.attach(os.environ["TORUS_FABRIC"], os.environ["TORUS_NODE"],
                       int(os.environ["TORUS_GROUP"]))
print("up", flush=True)
time.sleep(1000)
END
export TORUS_LIBRARY=$top/build/libtorus.so PYTHONDONTWRITEBYTECODE=1
rounds=${TORUS_RUN_KILLS:-4}
left="" how=""
for ((round = 0; round < rounds; round++)); do
	begin -f rt -n 2 /usr/bin/python3 "$work/holder.py" "$top/user/python" markerx
	# Some are killed before they are there, most when they hold their groups.
	((round % 4 == 3)) || waits started 2 || left+=" start-$round"
	keeper=$(pgrep -P "$job")
	case $((round % 4)) in
	0) how=$job ;;
	1) how=$keeper ;;
	2) how="$job $keeper" ;;
	3) how=$job ;;
	esac
	# shellcheck disable=SC2086 # (one or two pids)
	kill -KILL $how
	wait "$job" 2>/dev/null
	waits no_process || left+=" process-$round"
	waits all_free || left+=" group-$round"
done
tells "$rounds starts, and kills of torus-run, its keeper or both: no process and no group is left" \
	"$left" ""

# A fabric for the time of the job

tells "a fabric of the job's own" "$(printed --arch bgl --shape 2x2x2 --ber 1e-6 -f mine --tag -n 2 \
	sh -c 'torus-info -l | paste -sd " "' | sort)" "0: rt mine
1: rt mine
status 0"
tells "the fabric ends with the job" "$(torus-info -l)" "rt"
reports "a parameter that the machine lacks is rejected" \
	"$(printed --arch bgl --shape 2x2x2 --set berr=1 -f mine true)" \
	"torus-run: fabric mine berr bgl
status 125"
reports "an existing name is rejected" "$(printed --arch bgl --shape 2x2x2 -f rt true)" \
	"torus-run: fabric rt exists
status 125"
gone() { [[ $(torus-info -l) == rt ]]; }
left=""
for which in torus-run keeper both; do
	begin --arch bgl --shape 2x2x2 -f mine -n 2 sh -c 'echo up; sleep 1000'
	waits started 2 || left+=" start-$which"
	keeper=$(pgrep -P "$job")
	case $which in
	torus-run) kill -KILL "$job" ;;
	keeper) kill -KILL "$keeper" ;;
	both) kill -KILL "$job" "$keeper" ;;
	esac
	wait "$job" 2>/dev/null
	waits gone || left+=" $which"
done
tells "and however it is killed" "$left" ""

# By hand

torus-run -f rt -n 2 --print-env sh -c 'echo $TORUS_RANK of $TORUS_SIZE' >"$work/lines"
tells "the lines of --print-env start the ranks" "$(sh "$work/lines" | paste -sd ' ')" "0 of 2 1 of 2"
tells "without a program they prepare a shell" \
	"$(sh -c "$(torus-run -f rt -n 2 --print-env | tail -n 1); echo \$TORUS_NODE \$TORUS_SIZE")" \
	"1,0,0 2"

# torus-info

tells "torus-info names what there is" "$(torus-info | head -n 1)" \
	"rt: bgl 4x4x4 (Blue Gene/L), 64 nodes, idle"
tells "in JSON" "$(torus-info -j rt | python3 -c 'import json, sys
one, = json.load(sys.stdin)
print(one["name"], one["dims"], one["groups"], one["nodes_free"], one["packet_chunks_max"])')" \
	"rt [4, 4, 4] {'free': 128, 'yours': 0, 'held': 0, 'forbidden': 0, 'dead': 0} 64 8"
begin -f rt -n 2 /usr/bin/python3 "$work/holder.py" "$top/user/python"
waits started 2
torusctl node set rt 3,0,0 state dead
tells "nodes and their groups" "$(torus-info -n rt | grep -A 3 ' 0: ')" \
	"    0: 0,0,0 yours free
    1: 1,0,0 yours free
    2: 2,0,0 free free
    3: 3,0,0 dead dead"
tells "a group that is in use is skipped" "$(where -n 2)" "2,0,0:0 0,1,0:0"
reports "the program that holds a group is named" "$(printed -f rt --nodes 1,0,0 true)" \
	"torus-run: rt 1 rank 0 free
torus-run: node 1,0,0 group 0 held pid python3
status 125"
kill "$job"
wait "$job" 2>/dev/null
torusctl node set rt 3,0,0 state alive
reports "no such fabric" "$(torus-info nosuch 2>&1; echo $?)" \
	"torus-info: fabric nosuch network namespace
1"

# torus-pingpong

pingpong() { timeout -k 5 250 torus-run -f rt "$@" 2>&1; }
tells "torus-pingpong: more bytes and more hops take more ticks" \
	"$(for at in 1,0,0 2,2,2; do
		pingpong --nodes "0 $at" torus-pingpong -j -s 0,64,200 -r 5
	done | python3 -c 'import json, sys
near, far = [json.loads(line) for line in sys.stdin]
ticks = [[row["simulated_ticks_min"] for row in way["sizes"]] for way in (near, far)]
print(near["hops"], far["hops"], [row["bytes"] for row in near["sizes"]],
      all(a < b for way in ticks for a, b in zip(way, way[1:])),
      all(a < b for a, b in zip(*ticks)), min(min(way) for way in ticks) > 0,
      all(row["wall_ns_mean"] > 0 for row in near["sizes"]))')" \
	"1 6 [0, 64, 200] True True True True"
reports "torus-pingpong alone" "$(pingpong -n 1 torus-pingpong; echo $?)" \
	"torus-pingpong: job rank two
torus-run: rank 0 node 0,0,0 pid status 2
2"

if [[ -n ${TORUS_SOAK:-} ]]; then
	programs=$top/build/examples
	tells "ring at 64 nodes" "$(printed -f rt -n 64 "$programs/ring")" \
		"the token went round 64 ranks: 2016
status 0"
	tells "halo at 64 nodes: no heat is lost" "$(printed -f rt -n 64 "$programs/halo" 20 | awk '
		/^rank [0-9]+: [0-9.]+$/ { ranks++; sum += $3 }
		/^status/ { printf "%d %.3f %s\n", ranks, sum, $0 }')" "64 100.000 status 0"
	tells "allreduce at 64 nodes" \
		"$(printed -f rt -n 64 "$programs/allreduce" | sed 's/^rank [0-9]* /rank R /' | sort |
			uniq -c | awk '{ $1 = $1; print }' | paste -sd ';')" \
		"64 rank R of 64: 3.141592;1 status 0"
	# Ranks that are ended leave half lines, which are not to stand before torus-run's.
	reports "one of 64 crashes in the midst of its job" "$(printed -f rt -n 64 sh -c \
		'[ $TORUS_RANK = 41 ] && (sleep 20; kill -SEGV $$) &
		exec '"$programs"'/halo 100000000 >/dev/null 2>&1')" \
		"torus-run: rank 41 node 1,2,2 pid signal 11 63
status 139"
	reports "64 hang" "$(printed -f rt -n 64 --timeout 20 sh -c \
		'exec '"$programs"'/halo 100000000 >/dev/null 2>&1' | sed 's/ (node.*//')" \
		"torus-run: 20 s rank 0
status 124"
	begin -f rt -n 64 "$programs/halo" 100000000
	sleep 20
	kill -KILL "$(pgrep -f "$programs/halo" | tail -n 1)"
	wait "$job"
	reports "one of 64 is killed" "$? $(grep -o "torus-run: .*" "$work/out" | sed 's/rank [0-9]* ([^)]*)/rank R/')" \
		"137 torus-run: rank R signal 9 63"
	tells "no rank is left" "$(waits no_process; waits all_free; pgrep -c halo)" "0"
fi
tells "nothing was dropped" \
	"$(torusctl -j counter show rt | grep -o '"hop_limit": *[0-9]*' | tr -d ' ')" '"hop_limit":0'

echo "1..$number"
((!failed))
