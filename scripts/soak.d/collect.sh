#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Collective operations in the VM, ten times: 8 ranks send 700 kB around, gather, exchange and
# broadcast it, with a memory_max of 1 MiB (collect.c). One rank is killed at a random time in the
# first half of a run. In half of the runs all waits are without a limit. Each other rank ends:
# right, or with an error that names a rank. TORUS_COLLECT_RUNS=N: number of runs; TORUS_SEED=N:
# seed of the times.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

ranks=8 rounds=${TORUS_COLLECT_ROUNDS:-4} runs=${TORUS_COLLECT_RUNS:-10}
work=/tmp/collect

# How long the ranks may take to end after one of them was killed, in seconds: 5 for each of
# those that wait for one another, and what the emulated processors need.
patience=120

# ended FILE VICTIM: is what a rank that lives has said right, or does it name a rank?
ended()
{
	grep -q ': right$' "$1" || { grep -qE 'rank [0-7]\b' "$1" && ! grep -q wrong: "$1"; }
}

# run NUMBER LIMIT [KILLED MS]: rank KILLED is killed after so many ms; errors on stdout
run()
{
	local number=$1 limit=$2 victim=${3:--} pause=${4:-0} node pids=()

	mkdir -p "$work"
	build/torusctl fabric add co arch bgl shape 2x2x2 || return
	for ((node = 0; node < ranks; node++)); do
		build/soak-collect co "$node" "$rounds" "$limit" >"$work/$node" 2>&1 &
		pids+=($!)
	done
	if [[ $victim != - ]]; then
		sleep "$((pause / 1000)).$(printf %03d $((pause % 1000)))"
		kill -KILL "${pids[victim]}" 2>/dev/null
	fi
	for ((node = 0; node < 10 * patience; node++)); do
		[[ -n $(jobs -pr) ]] || break
		sleep 0.1
	done
	for ((node = 0; node < ranks; node++)); do
		if kill -0 "${pids[node]}" 2>/dev/null; then
			echo "run $number: rank $node has not ended"
			kill -KILL "${pids[node]}"
		elif [[ $node != "$victim" ]] && ! ended "$work/$node"; then
			echo "run $number: rank $node: $(cat "$work/$node")"
		fi
	done
	wait
	cat "$work"/[0-7] >&2
	if [[ $victim == - ]] && (($(grep -c ': right$' <(cat "$work"/[0-7])) < ranks)); then
		echo "run $number: not all are right"
	elif [[ $victim != - ]] && ! grep -q "rank $victim\b\|: right\$" "$work"/[0-7]; then
		echo "run $number: no rank names $victim"
	fi
	build/torusctl fabric del co
}

if [[ ${1:-} == inside ]]; then
	RANDOM=${TORUS_SEED:-1}
	[[ -d /sys/module/torus ]] || insmod "${TORUS_KO:-build/torus.ko}" || exit 1
	begun=${EPOCHREALTIME/./}
	bad=$(run 0 -1 2>/dev/null)
	length=$(((${EPOCHREALTIME/./} - begun) / 1000))
	tap "$([[ -z $bad ]] && echo ok)" "nobody is killed, $length ms" "$bad"
	for ((i = 1; i <= runs; i++)); do
		victim=$((RANDOM % ranks)) limit=$((i % 2 ? -1 : 60000))
		pause=$((RANDOM * length / 65536))
		bad=$(run "$i" "$limit" "$victim" "$pause" 2>"$work.err")
		cat "$work.err" >>/results/collect.log
		if [[ -z $bad ]]; then
			tap ok "run $i: rank $victim is killed after $pause ms, limit $limit"
		else
			tap bad "run $i: rank $victim is killed after $pause ms, limit $limit" "$bad"
		fi
	done
	tap_end
fi

cc -O2 -Iinclude -Iinclude/uapi -o build/soak-collect scripts/soak.d/collect.c build/libtorus.a \
	-lz -lpthread || exit 1
mkdir -p build/vm
scripts/vm.sh --silence 3600 --results "$PWD/build/vm/collect" -- \
	bash -c 'scripts/soak.d/collect.sh inside >/results/collect.tap' \
	>build/vm/collect.console 2>&1 </dev/null
status=$?
cat build/vm/collect/collect.tap
if ! grep -q '^1\.\.' build/vm/collect/collect.tap; then
	sed 's/^/# /' build/vm/collect.console
	echo "Bail out! the VM ended with status $status"
fi
exit $status
