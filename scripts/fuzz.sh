#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make fuzz: libFuzzer's inputs for what reads other people's bytes (user/fuzz), with ASan and
# UBSan, compiled by clang.
#
#	make fuzz [TIME=SECONDS] [RUNS=N] [CALLS=N] [ONLY="TARGET ..."] [SEED=N]
#
# Each target in turn for TIME seconds (default 60), or until it has had RUNS inputs.  It begins
# with the inputs that are kept (user/fuzz/inputs) and what it found before (build/fuzz/found),
# and prints how much of its code it has been through.  An input that a target cannot stand is
# left in build/fuzz/bad, and the call ends with 1; after Ctrl-C with 130.
#
# Of packets it prints how many calls of the core's interface each machine had.  CALLS: of packets
# alone, until each machine has had N calls; in build/fuzz/packets.calls are those until now.
#
# PLANTED=1: each bug of user/fuzz/planted.list instead, in a copy of the tree; the call ends with 1
# if one is not found within RUNS inputs (default 2000000).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

time=${TIME-60} runs=${RUNS-} calls=${CALLS-} seed=${SEED-1} only=${ONLY-}
known=$(cd user/fuzz && printf '%s\n' fuzz_*.c | sed 's/fuzz_\(.*\)\.c/\1/' | paste -sd ' ')
number='^[0-9]{1,12}$'
[[ $time =~ $number ]] || { echo "fuzz: TIME=$time: must be a number of seconds" >&2; exit 2; }
[[ -z $runs || $runs =~ $number ]] || {
	echo "fuzz: RUNS=$runs: must be a number of inputs" >&2
	exit 2
}
[[ -z $calls || $calls =~ $number ]] || {
	echo "fuzz: CALLS=$calls: must be a number of calls" >&2
	exit 2
}
[[ -z $calls || $only == packets ]] || {
	echo "fuzz: CALLS=$calls: requires ONLY=packets" >&2
	exit 2
}
[[ $seed =~ $number ]] || { echo "fuzz: SEED=$seed: must be a number" >&2; exit 2; }
for name in $only; do
	[[ " $known " == *" $name "* ]] || {
		echo "fuzz: ONLY=$name: must be one of $known" >&2
		exit 2
	}
done

dir=build/fuzz
mkdir -p "$dir"

# alone WHAT: for as long as this runs nobody else in this tree does the same
alone()
{
	local lock

	exec {lock}>"$dir/$1.lock"
	flock -n "$lock" || {
		echo "fuzz: $1: another make fuzz is running in this tree" >&2
		exit 2
	}
}

if [[ ${PLANTED-} ]]; then
	alone planted
else
	for name in ${only:-$known}; do
		alone "$name"
	done
fi

# Prefetches point to where a packet may be, and may not be.
sanitize="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=function,pointer-overflow"
sanitize+=" -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
# A call at each comparison takes a quarter to three fifths of the time; in runs as long with it and
# without, there were no fewer edges without.
sanitize+=" -fno-sanitize-coverage=trace-cmp"

# build TREE LOG: the targets of a tree, by clang; anew if these are no longer the flags
build()
{
	local objects=$1/build/fuzz/build
	local flags=$objects/flags

	if [[ ! -e $flags || $(<"$flags") != "$sanitize" ]]; then
		rm -rf "$objects"
		mkdir -p "$objects"
		echo "$sanitize" >"$flags"
	fi
	make -s -j2 -C "$1" B=build/fuzz/build CC=clang WERROR=0 SANITIZE="$sanitize" \
		FUZZ_MAIN= FUZZ_LINK=-fsanitize=fuzzer fuzz-targets >"$2" 2>&1 || {
		tail -n 20 "$2" >&2
		echo "fuzz: cannot build the targets" >&2
		return 1
	}
}

# options TARGET: those of libFuzzer.  What is typed is short, and long inputs are slow.  Of packets
# the weighing of inputs by how rare what they do is (entropic) would take a third of the time.
options()
{
	case $1 in
	words) echo -max_len=1024 ;;
	packets) echo -max_len=1024 -len_control=0 -entropic=0 ;;
	state) echo -max_len=128 ;;
	*) echo -max_len=4096 ;;
	esac
}

# What libFuzzer ends with: an input took too long; Ctrl-C
SLOW=70 INTERRUPTED=72

# fuzz PROGRAM TARGET LOG ARGUMENT..: 0 if nothing was found, else libFuzzer's status
fuzz()
{
	local program=$1 target=$2 log=$3
	shift 3
	mkdir -p "$dir/found/$target" "$dir/bad/$target"
	# The target's own words go nowhere: each refusal would be some.
	# shellcheck disable=SC2046 # several options
	FUZZ_CALLS=$calls FUZZ_CALLS_FILE=${log%.log}.calls \
		"$program" -close_fd_mask=3 -seed="$seed" -timeout=60 -rss_limit_mb=2048 \
		$(options "$target") -print_final_stats=1 \
		-artifact_prefix="$dir/bad/$target/" "$@" >"$log" 2>&1
}

# stands_slow PROGRAM TARGET: does the last input that took too long take less when it is tried again?
# Then the fuzzer was stopped, or the machine; the input is no find and goes.
stands_slow()
{
	local input

	input=$(find "$dir/bad/$2" -name 'timeout-*' -printf '%T@ %p\n' | sort -n | tail -n 1)
	input=${input#* }
	[[ $input ]] && "$1" -close_fd_mask=3 -timeout=60 "$input" >/dev/null 2>&1 && rm "$input"
}

# summary TARGET LOG: a line of how far it came
summary()
{
	awk -v name="$1" '
		/inline 8-bit counters/ { match($0, /\(([0-9]+) inline/); edges = substr($0, RSTART + 1) + 0 }
		/ cov: / { match($0, /cov: [0-9]+/); cov = substr($0, RSTART + 5, RLENGTH - 5) }
		/stat::number_of_executed_units/ { n = $2 }
		/stat::average_exec_per_sec/ { rate = $2 }
		/stat::new_units_added/ { new = $2 }
		END { printf "%-8s %10d inputs %8d a second %6d of %6d edges %5.1f %% %6d new\n",
			name, n, rate, cov, edges, edges ? 100 * cov / edges : 0, new }' "$2"
	[[ ! -s ${2%.log}.calls ]] ||
		awk '{ printf "%s%s %d", (NR > 1 ? ", " : "         calls: "), $1, $2 }
			END { print "" }' "${2%.log}.calls"
}

# A copy of what the targets are made of, in which bugs are planted.
planted()
{
	local tree=$dir/planted name target log ended missed=0

	rm -rf "$tree"
	mkdir -p "$tree/scripts"
	cp -r Makefile mk include kmod user "$tree"
	cp scripts/kernel-version.sh "$tree/scripts"
	scripts/fuzz_planted.py list >"$dir/planted.bugs"
	while read -r name target; do
		[[ -z $only || " $only " == *" $target "* ]] || continue
		log=$dir/planted-$name.log
		scripts/fuzz_planted.py plant "$name" "$tree"
		build "$tree" "$log.build" || return 1
		rm -rf "$tree/new" "$tree/bad"
		mkdir "$tree/new" "$tree/bad"
		ended=0
		fuzz "$tree/$dir/build/asan/fuzz/fuzz_$target" "$target" "$log" \
			-artifact_prefix="$tree/bad/" -runs="${runs:-2000000}" \
			"$tree/new" "user/fuzz/inputs/$target" || ended=$?
		((ended != INTERRUPTED)) || return 130
		if ((ended == 0)); then
			echo "$name: not found in ${runs:-2000000} inputs of $target"
			missed=1
		elif [[ ! $(ls "$tree/bad") ]]; then
			echo "fuzz: $name: $target failed without a failing input, see $log" >&2
			return 1
		else
			echo "$name: found by $target, input $(awk '/number_of_executed_units/ { print $2 }' \
				"$log")"
		fi
	done <"$dir/planted.bugs"
	return "$missed"
}

if [[ ${PLANTED-} ]]; then
	planted
	exit
fi

status=0
# of two that have different targets, one builds what both need
exec 9>"$dir/build.lock"
flock 9
build . "$dir/build.log"
flock -u 9
limit=(-max_total_time="$time")
[[ -z $runs ]] || limit=(-runs="$runs")
[[ -z $calls ]] || limit=(-runs=-1)
for name in ${only:-$known}; do
	log=$dir/$name.log
	ended=0
	program=$dir/build/asan/fuzz/fuzz_$name
	fuzz "$program" "$name" "$log" "${limit[@]}" "$dir/found/$name" "user/fuzz/inputs/$name" ||
		ended=$?
	summary "$name" "$log"
	((ended != INTERRUPTED)) || exit 130
	((ended != 0)) || continue
	status=1
	if ((ended == SLOW)) && stands_slow "$program" "$name"; then
		echo "fuzz: $name: ended early: one input took 60 s, and less when tried again," \
			"as if the fuzzer had been stopped" >&2
	else
		echo "fuzz: $name: found a failing input, see $log and $dir/bad/$name" >&2
	fi
done
exit "$status"
