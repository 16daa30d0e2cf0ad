# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What check.sh, soak.sh and check-debug.sh share: prove runs the tests, lib/Stream.pm makes
# one stream of `ok N - name` lines of them, and one last line counts. Sourced from the top of
# the tree.

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
	# shellcheck disable=SC2086 # (two pids)
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
	fi
	echo "$1 $((passed + failed + skipped)) - $2"
}

# count FILE TEST...: what the stream has noted of each program; one that it does not know of
# has failed, whatever has become of prove
count()
{
	local file=$1 name ok not skip
	local -A noted=()

	shift
	if [[ -e $file ]]; then
		while read -r name ok not skip; do
			noted[$name]=1
			passed=$((passed + ok)) failed=$((failed + not)) skipped=$((skipped + skip))
		done <"$file"
	fi
	for name; do
		name=${name##*/}
		[[ -n ${noted[$name]:-} ]] || verdict "not ok" "$name: did not run to its end"
	done
}

# prove_tests JOBS SECONDS TEST...: programs that print TAP. SECONDS of silence end one.
prove_tests()
{
	local jobs=$1 silence=$2 counts=$log_dir/counts

	shift 2
	(($# > 0)) || return 0
	rm -f "$counts"
	TORUS_COUNTS=$counts TORUS_LOGS=$log_dir TORUS_NUMBER=$((passed + failed + skipped)) \
		CMOCKA_MESSAGE_OUTPUT=TAP UBSAN_OPTIONS=print_stacktrace=1 PERL5LIB=scripts/lib \
		run prove --norc --merge --formatter Stream -j"$jobs" --exec "scripts/silence.py $silence" "$@" ||
		true
	count "$counts" "$@"
}

# How many tests run at a time
jobs=$(($(nproc) < 2 ? 1 : 2))

# unit_tests SECONDS TEST...: these scripts, and the unit tests. By the sources, not by what
# lies in build/: a program that is gone must be missed.
unit_tests()
{
	local -a units

	mapfile -t units < <(make -s print-tests)
	prove_tests "$jobs" "$1" "${@:2}" "${units[@]}"
}

# vm_verdict STATUS: what the selftests inside the VM came to, and the VM itself
vm_verdict()
{
	local -a tests

	mapfile -t tests < <(scripts/vm-selftests.sh --list)
	count "$log_dir/vm/counts" "${tests[@]}"
	case $1 in
	0) verdict ok "the kernel's log is clean" ;;
	124) verdict "not ok" "the VM hung" ;;
	125) verdict "not ok" "the guest died" ;;
	126) verdict "not ok" "the kernel complained" ;;
	*) verdict "not ok" "the VM's run (exit status $1)" ;;
	esac
}

# vm_selftests OPTION...: the selftests inside the VM; the options are those of vm.sh
vm_selftests()
{
	local status=0

	TORUS_NUMBER=$((passed + failed + skipped)) run scripts/vm.sh --results "$log_dir/vm" \
		"$@" -- scripts/vm-selftests.sh || status=$?
	vm_verdict "$status"
}

# vm_begin OPTION...: the same beside what follows, until vm_end shows what came of it
vm_begin()
{
	scripts/vm.sh --results "$log_dir/vm" "$@" -- scripts/vm-selftests.sh \
		</dev/null >"$log_dir/vm.stream" 2>&1 &
	beside=$!
}

vm_end()
{
	local status=0 line number=$((passed + failed + skipped))

	wait "$beside" || status=$?
	beside=""
	# They are numbered on from what there is by now.
	while IFS= read -r line; do
		[[ ! $line =~ ^((not )?ok)\ [0-9]+(.*) ]] ||
			line="${BASH_REMATCH[1]} $((++number))${BASH_REMATCH[3]}"
		printf '%s\n' "$line"
	done <"$log_dir/vm.stream"
	vm_verdict "$status"
}

# The one last line, and the exit status
check_end()
{
	echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped")"
	exit $((failed > 0))
}
