#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands and example programs of the manual pages. Commands that need no module are typed
# by scripts/check.d/pages.sh, those that need systemd by scripts/service-test.sh.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
programs=$top/build/man/examples
export PATH=$top/build:$PATH FI_PROVIDER_PATH=$top/build
fabrics=(demo demoxt t0 t keys owned vt)

# prints NAME EXPECTED [ARGUMENT]...: what the program NAME prints
declare -A tried
prints()
{
	local name=$1 expected=$2 out

	tried[$name]=1
	out=$(timeout -k 5 150 "$programs/$name" "${@:3}" 2>&1)
	if [[ $out == "$expected" ]]; then
		tap ok "example $name"
	else
		tap bad "example $name"
		printf 'expected:\n%s\nbut got:\n%s\n' "$expected" "$out" | sed 's/^/# /'
	fi
}

every_program()
{
	local file

	for file in "$top"/user/man/examples/*.c; do
		file=${file##*/}
		[[ -n ${tried[${file%.c}]:-} ]] || { echo "no test runs $file" && return 1; }
	done
}

# prints_each NAME REASONS [ARGUMENT]...: the lines that the program NAME prints, for blames_each
prints_each()
{
	local name=$1 out

	tried[$name]=1
	out=$(timeout -k 5 150 "$programs/$name" "${@:3}" 2>&1)
	blames_each "$out" "$2"
	tap $? "example $name: ${out//$'\n'/; }"
}

# lines PAGE [SECTION]: the displayed lines of a page, or of one section, as they are typed. A
# file that would be installed is that of the tree.
lines()
{
	sed -n "/^\.SH ${2:-}/,/^\.SH /p" "$1" | sed -n '/^\.SH SYNOPSIS/,/^\.SH /!p' |
		sed -n '/^\.nf/,/^\.fi/p' | grep -v '^\.' |
		sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g; s,/usr/libexec/torus/,$top/build/examples/,"
}

# type_line LINE: run a line, and note that it was typed
type_line()
{
	echo "$1" >>"$work/typed"
	bash -c "${2:-$1}" </dev/null >"$work/out" 2>&1 || {
		echo "$1"
		cat "$work/out"
		return 1
	}
}

# typed PAGE PATTERN: the lines of EXAMPLES that begin like PATTERN, one after the other, in a
# directory of their own
typed()
{
	local line run count=0

	cd "$work" || return
	while read -r line; do
		run=$line
		# A job ends as the rank of it that ends first.
		[[ $line != *"exit 3"* ]] || run="$line; ((\$? == 3))"
		# A host may lack debuggers.
		[[ $line != *--debugger* ]] || command -v gdb >/dev/null || run=true
		[[ $line != *--valgrind* ]] || command -v valgrind >/dev/null || run=true
		# A monitor goes on until it is interrupted.
		[[ $line != "torusctl monitor"* ]] ||
			run="timeout -s INT 3 $line; ((\$? == 124 || \$? == 130))"
		type_line "$line" "$run" || return
		count=$((count + 1))
	done < <(lines "$1" EXAMPLES | grep -E "^$2 ")
	echo "$count lines"
	((count > 0))
}

# A job in virtual time is recorded, and gives the same hash when it runs again.
reruns()
{
	local line hash

	cd "$work" && cp "$top/build/examples/ring" . || return
	torusctl fabric add vt arch bgl shape 2x2x2 time virtual programs 8 || return
	while read -r line; do
		type_line "$line" || return
	done < <(lines "$top/user/man/torus-sim.1" RERUNS)
	hash=$(torusctl -j counter show vt | grep -o '"delivery_hash": *"[0-9a-f]*"' | tr -d ' ')
	echo "$hash"
	[[ -n $hash ]] && torus-sim rerun run.record --json | tr -d ' ' | grep -F "$hash"
}

# The debuggers of an MPI job. There is no terminal for xterm, and valgrind takes minutes under
# emulation: programs of these names start what they are given, without its options.
mpi_debuggers()
{
	local line

	mkdir "$work/bin" && cd "$work" || return
	cat >bin/xterm <<-'SCRIPT'
		#!/bin/sh
		while [ "$1" != ./program ]; do shift; done
		exec "$@"
	SCRIPT
	cat >program <<-'SCRIPT'
		#!/bin/sh
		exec torus-sim run --arch bgl --shape 4x4x4 --pattern uniform --load 0.5 --cycles 100 --warmup 0
	SCRIPT
	chmod +x bin/xterm program && cp bin/xterm bin/valgrind || return
	torusctl fabric add t arch bgl shape 2x2x2 || return
	while read -r line; do
		PATH=$work/bin:$PATH type_line "$line" || return
		grep -q '^hash ' "$work/out" || return
	done < <(lines "$top/user/man/torus-run.1" DEBUGGING)
	torusctl fabric del t
}

# Two interfaces of torus_net, in two namespaces
interfaces()
{
	local ko=${module%/*} text

	"$torusctl" fabric del t 2>/dev/null
	insmod "$ko/torus_bus.ko" && insmod "$ko/torus_host.ko" && insmod "$ko/torus_net.ko" || return
	text=$(lines "$top/user/man/torus_net.4" EXAMPLES)
	echo "$text" >>"$work/typed"
	# ping does not end, and the module is not where modprobe looks.
	text=${text//modprobe torus_net/true}
	bash -ec "${text//ping /ping -c 3 }"
}

interfaces_end()
{
	ip netns del other
	"$torusctl" fabric del t
	rmmod torus_net torus_host torus_bus
}

# bpftrace counts the packets of runs until it is interrupted. How long it takes to begin is not
# known, so the runs are repeated.
tracepoints()
{
	local line runs

	line=$(lines "$top/user/man/torusctl.8" "OBSERVING PACKETS" | grep '^bpftrace')
	"$torusctl" fabric del t 2>/dev/null
	torusctl fabric add t arch bgl shape 2x2x2 || return
	while sleep 2; do
		torusctl traffic t --pattern uniform --packets 10 >/dev/null 2>&1
		torusctl fabric reset t
	done &
	runs=$!
	type_line "$line" "timeout -s INT 60 $line; ((\$? == 124))"
	kill "$runs"
	wait "$runs"
	cat "$work/out"
	grep -q '@hops\[t\]: [1-9]' "$work/out"
}

# Every command that a page displays was typed above, or is typed by scripts/check.d/pages.sh
# (torus-sim and torus-player, in EXAMPLES) or scripts/service-test.sh (systemd, /etc/torus.conf).
every_command()
{
	local page line status=0
	local commands='torus(ctl|d|-[a-z]+)|fi_[a-z]+|mpirun|bpftrace|ip|ping|modprobe|make'
	local elsewhere='((systemctl|journalctl) |torusd .*/etc/torus\.conf|'
	elsewhere+='(echo .* \| |mpirun -n 4 )?torus-(sim|player) )'

	for page in "$top"/user/man/*.[1-9]; do
		while read -r line; do
			grep -qxF -- "$line" "$work/typed" && continue
			echo "${page##*/}: nothing types: $line"
			status=1
		done < <(lines "$page" | grep -E "^([A-Z_]+=[^ ]* |echo .*)?($commands) " |
			grep -vxFf <(lines "$page" EXAMPLES | grep -E "^$elsewhere"))
	done
	return "$status"
}

"$torusctl" fabric add demo arch bgl shape 2x2x2 no_listener hold || skip_all "no fabric"

prints attach "node 1 of 8, bgl: 4 injection FIFOs behind rings of 1024 chunks of 32 bytes"
prints_each locate "demo bgl 8 1,1,0 3
refused: node 9,9,9 x 2"
prints packet "64 bytes, 8 of them the machine's header"
prints bgl "software's bits are 2, the hardware's sequence number is 1"
prints inject "8 packets sent and received, 0 refused"
prints receive "32 bytes in FIFO 2, read where they lie"
prints wait "nothing came in 50 ms
no interrupts"
prints job "all 2 ranks are there"
prints message "6 bytes from rank 1: hello"
prints match "tag 0x7ab from rank 1: hello"
prints collective "rank 0 said 42, the last rank says 42"
prints route "2 hops by hints 0x10"
prints_each error "a-name-that-no-fabric-has
hint
FIFO group"
"$torusctl" fabric add demoxt arch xt shape 2x2x2
prints xt "software's bits are 77, VC 2, 9 flits" demoxt
"$torusctl" fabric del demoxt
tried[libtorus]=1
sum=$(timeout -k 5 150 torus-run -f demo -n 8 "$programs/libtorus" 2>&1)
[[ $sum == "the sum is 28" ]]
tap $? "example libtorus: ${sum:-nothing}"
tried[split]=1
sums=$(timeout -k 5 150 torus-run -f demo -n 8 "$programs/split" 2>&1 | sort)
[[ $sums == "rank 6 is the first of 4 ranks, whose sum is 12
rank 7 is the first of 4 ranks, whose sum is 16" ]]
tap $? "example split: ${sums:-nothing}"
step "every program of the pages is run" every_program
# All but those for torus-sim; some make a fabric demo.
"$torusctl" fabric del demo
tools="(torus(ctl|d|-[a-z]*[a-ln-z])|fi_info)"
has_mpi=""
[[ ! -e $top/build/torus-fi.so || ! -e $top/build/torus-sim-mpi.so ]] || has_mpi=yes
for page in "$top"/user/man/*.[1-8]; do
	lines "$page" | grep -E "^$tools " >/dev/null || continue
	# torus-player needs no module, torus_net(4) has a script, and torus.conf(5) is for systemd.
	[[ $page != */torus-player.1 && $page != */torus_net.4 && $page != */torus.conf.5 ]] ||
		continue
	[[ $page != */fi_torus.7 || -n $has_mpi ]] || continue
	step "the lines of ${page##*/}" typed "$page" "$tools"
	# Several make a fabric of that name.
	"$torusctl" fabric del t 2>/dev/null
done
step "the line for /sys" typed "$top/user/man/torus.4" echo
step "the lines on reruns" reruns
if [[ -z ${TORUS_SHORT-} ]]; then
	[[ -z $has_mpi ]] || step "the lines on debuggers of MPI programs" mpi_debuggers
	step "the lines of torus_net(4)" interfaces
	step "its interfaces and modules go" interfaces_end
	step "the line on tracepoints" tracepoints
	[[ -z $has_mpi ]] || step "every command of the pages is typed by a test" every_command
fi
read -r kind name option rest <"$top/user/man/examples/torus.conf"
[[ "$kind $name" == "options torus" && -e /sys/module/torus/parameters/${option%%=*} &&
	-e /sys/module/torus/parameters/${rest%%=*} ]]
tap $? "the options of modprobe.d are the module's"

tap_end
