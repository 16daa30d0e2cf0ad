# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common parts of check.sh, check-all.sh, soak.sh and check-debug.sh: prove runs the tests,
# lib/Stream.pm makes one stream of `ok N - name` lines of them, and one last line counts.
# Sourced from the top of the tree.

# The jobs start makes of their own: those of a `make -j check` must not hear of
# its job server. Variables given to it are in the environment as well.
unset MAKEFLAGS MFLAGS MAKELEVEL

passed=0 failed=0 skipped=0

check_begin()
{
	log_dir=$PWD/build/$1
	rm -rf "$log_dir"
	mkdir -p "$log_dir"
	trap 'check_abort 130' INT
	trap 'check_abort 143' TERM HUP
}

# run COMMAND...: in such a way that an interrupted check can end it
running="" beside=""
run()
{
	local status=0

	"$@" </dev/null &
	running=$!
	wait "$running" || status=$?
	running=""
	return "$status"
}

check_abort()
{
	trap - INT TERM HUP
	# shellcheck disable=SC2086 # (none, one or two)
	kill $running $beside 2>/dev/null || true
	wait
	echo "interrupted" >&2
	exit "$1"
}

# verdict ok|not\ ok NAME: a test that is none of prove's
verdict()
{
	if [[ $1 == ok ]]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2" >>"$log_dir/failed"
	fi
	echo "$1 $((passed + failed + skipped)) - $2"
}

# count FILE TEST...: what the stream has noted of each program; one that it does not know of
# has failed, whatever has become of prove
count()
{
	local file=$1 name ok not skip seconds
	local -A noted=()

	shift
	if [[ -e $file ]]; then
		while read -r name ok not skip seconds; do
			noted[$name]=1
			echo "$seconds $name" >>"$log_dir/times"
			passed=$((passed + ok)) failed=$((failed + not)) skipped=$((skipped + skip))
		done <"$file"
	fi
	for name; do
		name=${name##*/}
		[[ -n ${noted[$name]:-} ]] || verdict "not ok" "$name: did not run to its end"
	done
}

# proves COUNTS JOBS SECONDS TEST...: prove, with what its tests and its formatter are told
proves()
{
	TORUS_COUNTS=$1 TORUS_LOGS=$log_dir CMOCKA_MESSAGE_OUTPUT=TAP PERL5LIB=scripts/lib \
		UBSAN_OPTIONS=print_stacktrace=1 exec ${nice:-} prove --norc --merge \
		--formatter Stream -j"$2" --exec "scripts/hang_timeout.py $3" "${@:4}"
}

# prove_tests JOBS SECONDS TEST...: programs that print TAP. SECONDS of silence end one.
prove_tests()
{
	local jobs=$1 silence=$2 counts=$log_dir/counts

	shift 2
	(($# > 0)) || return 0
	rm -f "$counts"
	TORUS_NUMBER=$((passed + failed + skipped)) run proves "$counts" "$jobs" "$silence" "$@" || true
	count "$counts" "$@"
}

# job_tests SECONDS SCRIPT...: these, and the unit tests, two at a time where there are two
# processors. By the sources, not by what lies in build/: a program that is gone must be missed.
job_tests()
{
	local -a units

	mapfile -t units < <(make -s print-tests)
	prove_tests $(($(nproc) < 2 ? 1 : 2)) "$1" "${@:2}" "${units[@]}"
}

# beside_begin SECONDS TEST...: run these one after the other, at the lowest priority, next to the
# tests that follow. beside_end waits for them and prints their results.
beside_begin()
{
	local silence=$1

	shift
	beside_tests=("$@")
	nice="nice -n 19" proves "$log_dir/beside.counts" 1 "$silence" "$@" \
		</dev/null >"$log_dir/beside" 2>&1 &
	beside=$!
}

beside_end()
{
	local line number=$((passed + failed + skipped))

	wait "$beside" || true
	beside=""
	while IFS= read -r line; do
		[[ ! $line =~ ^((not )?ok)\ [0-9]+(.*) ]] ||
			line="${BASH_REMATCH[1]} $((++number))${BASH_REMATCH[3]}"
		printf '%s\n' "$line"
	done <"$log_dir/beside"
	count "$log_dir/beside.counts" "${beside_tests[@]}"
}

# The selftests inside the VM; arguments are options of vm.sh.
vm_selftests()
{
	local results=$log_dir/vm status=0
	local -a tests

	mapfile -t tests < <(scripts/vm-selftests.sh --list)
	TORUS_NUMBER=$((passed + failed + skipped)) run scripts/vm.sh --bare --results "$results" "$@" -- \
		scripts/vm-selftests.sh || status=$?
	# the next run in the VM empties its results
	cat "$results/failed" >>"$log_dir/failed" 2>/dev/null || true
	count "$results/counts" "${tests[@]}"
	case $status in
	0) verdict ok "the kernel's log is clean" ;;
	124) verdict "not ok" "the VM hung" ;;
	125) verdict "not ok" "the guest crashed" ;;
	126) verdict "not ok" "the kernel log contains warnings" ;;
	*) verdict "not ok" "the VM's run (exit status $status)" ;;
	esac
}

# The seconds that each program took: those of at least two, the longest first
print_times()
{
	[[ -e $log_dir/times ]] || return 0
	sort -rn "$log_dir/times" | awk '
		{ all += $1 }
		$1 >= 2 { printf "%8.1f s  %s\n", $1, $2; next }
		{ rest += $1; n++ }
		END { printf "%8.1f s  %d others\n%8.1f s  sum; programs run side by side\n", rest, n, all }'
}

# add_totals NAME: add the results of the check that has ended in build/NAME
add_totals()
{
	local dir=$PWD/build/$1 ok=0 not=1 skip=0

	[[ ! -e $dir/totals ]] || read -r ok not skip <"$dir/totals"
	passed=$((passed + ok)) failed=$((failed + not)) skipped=$((skipped + skip))
	cat "$dir/failed" >>"$log_dir/failed" 2>/dev/null || true
	cat "$dir/times" >>"$log_dir/times" 2>/dev/null || true
}

# The names of what failed, for who sees only the end of the log; the one last line, and the
# exit status
check_end()
{
	sed 's/^/failed: /' "$log_dir/failed" 2>/dev/null || true
	echo "$passed $failed $skipped" >"$log_dir/totals"
	echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped")"
	exit $((failed > 0))
}
