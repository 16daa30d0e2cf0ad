# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What check.sh, soak.sh and check-debug.sh share: jobs, two at a time, whose
# results are reported as one stream of `ok N - name` lines and one last line.
# Sourced from the top of the tree.

# The jobs start makes of their own: those of a `make -j check` must not hear of
# its job server. Variables given to it are in the environment as well.
unset MAKEFLAGS MFLAGS MAKELEVEL

passed=0 failed=0 skipped=0 number=0
job_limit=$(($(nproc) < 2 ? 1 : 2))
declare -A job_name=() job_kind=() job_log=()

check_begin()
{
	log_dir=$PWD/build/$1
	rm -rf "$log_dir"
	mkdir -p "$log_dir"
	# Every job is a process group of its own, so that what it has started
	# can be ended with it.
	set -m
	trap 'check_abort 130' INT
	trap 'check_abort 143' TERM HUP
	trap 'check_kill' EXIT
}

check_kill()
{
	local pid

	for pid in "${!job_name[@]}"; do
		kill -- "-$pid" 2>/dev/null || true
	done
	for pid in "${!job_name[@]}"; do
		wait "$pid" 2>/dev/null || true
	done
	job_name=()
}

check_abort()
{
	trap - EXIT INT TERM HUP
	check_kill
	echo "interrupted" >&2
	exit "$1"
}

# report ok|not\ ok|skip NAME [LOG]: one line, and what happened if it failed
report()
{
	number=$((number + 1))
	case $1 in
	ok) passed=$((passed + 1)) && echo "ok $number - $2" ;;
	skip) skipped=$((skipped + 1)) && echo "ok $number - $2 # SKIP" ;;
	*)
		failed=$((failed + 1))
		echo "not ok $number - $2"
		if [[ -n ${3:-} && -s ${3:-} ]]; then
			tail -n "${CHECK_LOG_LINES:-60}" "$3" | sed 's/^/  | /'
		fi
		;;
	esac
}

# Reads TAP of one program: a line `verdict<TAB>name` for each test, then one
# `plan<TAB>complete|reason`. Nested (indented) TAP belongs to its parent's line.
# Several plans add up: a cmocka program prints one for each of its groups.
tap_read()
{
	awk '
	function name(line) {
		sub(/^(not )?ok[ \t]*[0-9]*[ \t]*(-[ \t]*)?/, "", line)
		sub(/# *SKIP[ \t]*/, "", line)
		return line
	}
	/^1\.\.[0-9]+/ {
		plans++
		split($1, p, /\.\./)
		planned += p[2]
		if (p[2] == 0) { print "skip\t(all)" }
		next
	}
	/^(not )?ok([ \t]|$)/ {
		seen++
		if (toupper($0) ~ /# *SKIP/) print "skip\t" name($0)
		else if (/^ok/) print "ok\t" name($0)
		else print "not ok\t" name($0)
	}
	/^Bail out!/ { bail = $0 }
	END {
		if (bail) print "plan\t" bail
		else if (!plans) print "plan\tprints no TAP plan"
		else if (planned != seen + 0) print "plan\tplanned " planned " tests, ran " seen + 0
		else print "plan\tcomplete"
	}' "$1"
}

# report_tap NAME STATUS LOG: every test that the program's TAP tells of, and one
# more failure if the program itself did not end as it should
report_tap()
{
	local name=$1 status=$2 log=$3 verdict what plan='' failures=0

	while IFS=$'\t' read -r verdict what; do
		case $verdict in
		plan) plan=$what ;;
		'not ok')
			# The log only once, it is that of the whole program.
			report 'not ok' "$name: $what" \
				"$( ((failures > 0)) || echo "$log")"
			failures=$((failures + 1))
			;;
		*) report "$verdict" "$name: $what" ;;
		esac
	done < <(tr -d '\r' <"$log" | tap_read /dev/stdin)

	if ((status == 4 && failures == 0)) && [[ $plan != Bail* ]]; then
		# Kselftest's way to say that the whole program was skipped.
		[[ $plan == complete ]] || report skip "$name"
	elif [[ $plan != complete ]]; then
		report 'not ok' "$name: $plan (exit status $status)" "$log"
	elif ((status != 0 && failures == 0)); then
		report 'not ok' "$name: exit status $status" "$log"
	fi
}

# job step|tap NAME COMMAND...: starts it as soon as a processor is free
job()
{
	local kind=$1 name=$2 log

	shift 2
	while ((${#job_name[@]} >= job_limit)); do
		job_reap
	done
	log=$log_dir/${name//[^A-Za-z0-9._-]/_}.log
	"$@" >"$log" 2>&1 </dev/null &
	job_name[$!]=$name job_kind[$!]=$kind job_log[$!]=$log
}

# run_live COMMAND...: for the one job whose output is its progress
run_live()
{
	local pid status=0

	"$@" </dev/null &
	pid=$!
	job_name[$pid]=live
	wait "$pid" || status=$?
	unset "job_name[$pid]"
	return "$status"
}

job_reap()
{
	local pid status=0

	wait -n -p pid "${!job_name[@]}" || status=$?
	if [[ ${job_kind[$pid]} == tap ]]; then
		report_tap "${job_name[$pid]}" "$status" "${job_log[$pid]}"
	elif ((status == 0)); then
		report ok "${job_name[$pid]}"
	else
		report 'not ok' "${job_name[$pid]} (exit status $status)" \
			"${job_log[$pid]}"
	fi
	unset "job_name[$pid]" "job_kind[$pid]" "job_log[$pid]"
}

jobs_finish()
{
	while ((${#job_name[@]} > 0)); do
		job_reap
	done
}

# The core's unit tests; $1 is the time-out of one program in seconds, which is
# there for what hangs and not for what is slow.
job_unit_tests()
{
	local program

	for program in $(make -s print-tests); do
		job tap "${program##*/}" env CMOCKA_MESSAGE_OUTPUT=TAP \
			UBSAN_OPTIONS=print_stacktrace=1 \
			timeout -k 5 "$1" "$program"
	done
}

# Host-side tests: every script of a directory
job_scripts()
{
	local script

	for script in "$1"/*.sh; do
		[[ -e $script ]] || continue
		job tap "$(basename "$script" .sh)" timeout -k 5 "$2" bash "$script"
	done
}

# The selftests inside the VM; arguments are options of vm.sh.
vm_selftests()
{
	local results=$log_dir/vm status=0 name

	run_live scripts/vm.sh --results "$results" "$@" -- \
		scripts/vm-selftests.sh || status=$?
	for name in module $(scripts/vm-selftests.sh --list | xargs -rn 1 basename); do
		if [[ -s $results/$name.status ]]; then
			report_tap "$name" "$(<"$results/$name.status")" \
				"$results/$name.tap"
		elif [[ -e $results/$name.tap ]]; then
			report 'not ok' "$name: did not end" "$results/$name.tap"
		else
			report 'not ok' "$name: did not run"
		fi
	done
	case $status in
	0) report ok "the kernel's log is clean" ;;
	124) report 'not ok' "the VM timed out" ;;
	125) report 'not ok' "the guest died" ;;
	126) report 'not ok' "the kernel complained" ;;
	*) report 'not ok' "the VM's run (exit status $status)" ;;
	esac
}

# The one last line, and the exit status
check_end()
{
	jobs_finish
	echo "$passed passed, $failed failed$( ((skipped == 0)) || echo ", $skipped skipped")"
	exit $((failed > 0))
}
