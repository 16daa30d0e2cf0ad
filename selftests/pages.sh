#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The examples of the manual pages: programs as they stand there, and lines as they are typed;
# those for torus-sim are tried without a module, by scripts/check.d/pages.sh, those for systemd
# by scripts/deb-test.sh.
# Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
programs=$top/build/man/examples
export PATH=$top/build:$PATH FI_PROVIDER_PATH=$top/build
fabrics=(demo demoxt t0 t keys owned)

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

# lines PAGE: what stands in the displays of its EXAMPLES, as typed; what would be installed is
# in the tree
lines()
{
	sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$1" | sed -n '/^\.nf/,/^\.fi/p' |
		grep -v '^\.' | sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s,/usr/libexec/torus/,$top/build/examples/,"
}

# typed PAGE PATTERN: the lines that begin like PATTERN, one after the other, in a directory of
# their own
typed()
{
	local line count=0

	cd "$work" || return
	while read -r line; do
		# A job ends as the rank of it that ends first.
		[[ $line != *"exit 3"* ]] || line="$line; ((\$? == 3))"
		# A host may lack debuggers.
		[[ $line != *--debugger* ]] || command -v gdb >/dev/null || continue
		[[ $line != *--valgrind* ]] || command -v valgrind >/dev/null || continue
		# A monitor goes on until it is interrupted.
		[[ $line != "torusctl monitor"* ]] ||
			line="timeout -s INT 3 $line; ((\$? == 124 || \$? == 130))"
		bash -c "$line" </dev/null >"$work/out" 2>&1 || {
			echo "$line"
			cat "$work/out"
			return 1
		}
		count=$((count + 1))
	done < <(lines "$1" | grep -E "^$2 ")
	echo "$count lines"
	((count > 0))
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
step "every program of the pages is run" every_program
# All but those for torus-sim; some make a fabric demo.
"$torusctl" fabric del demo
tools="torus(ctl|d|-[a-z]*[a-ln-z])"
for page in "$top"/user/man/*.[1-8]; do
	lines "$page" | grep -E "^$tools " >/dev/null || continue
	# torus-player needs no module, torus_net(4) needs drivers, which port_net.sh loads, and
	# torus.conf(5) a file in /etc, which scripts/deb-test.sh makes.
	[[ $page != */torus-player.1 && $page != */torus_net.4 && $page != */torus.conf.5 ]] ||
		continue
	# fi_torus(7) needs Open MPI and the provider.
	[[ $page != */fi_torus.7 || -e $top/build/torus-fi.so && -e $top/build/torus-sim-mpi.so ]] ||
		continue
	step "the lines of ${page##*/}" typed "$page" "$tools"
	# Several make a fabric of that name.
	"$torusctl" fabric del t 2>/dev/null
done
step "the line for /sys" typed "$top/user/man/torus.4" echo
read -r kind name option rest <"$top/user/man/examples/torus.conf"
[[ "$kind $name" == "options torus" && -e /sys/module/torus/parameters/${option%%=*} &&
	-e /sys/module/torus/parameters/${rest%%=*} ]]
tap $? "the options of modprobe.d are the module's"

tap_end
