#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make demo: loads the module and shows what it is for. Runs as root, inside the
# VM or, with HOST=1, on this machine.
#
#	scripts/demo.sh [OPTION]...	options of torus-demo, see its --help
#
# Sixty-four processes, one at every node of a 4x4x4 Blue Gene/L, exchange
# messages over links which flip one bit in 100000; then the counters tell how
# the links coped.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"
export PATH=$top/build:$PATH

# On a host somebody may have a fabric called "demo".
fabric=demo shape=4x4x4 ber=1e-5
[[ ! -d /sys/module/torus ]] || fabric=demo$$

loaded="" added=""
cleanup()
{
	trap - EXIT
	[[ -z $added ]] || torusctl fabric del "$fabric"
	# Only what we have loaded: on a host somebody may be using theirs.
	[[ -z $loaded ]] || rmmod torus
}

load()
{
	[[ ! -d /sys/module/torus ]] || return 0
	if ! insmod "${TORUS_KO:-build/torus.ko}"; then
		echo "demo: this kernel does not take ${TORUS_KO:-build/torus.ko};" \
			"'make demo' without HOST=1 uses a VM" >&2
		exit 1
	fi
	loaded=1
}

say()
{
	printf '\n--- %s\n' "$*"
}

# A number from a JSON document of torusctl on standard input.
json_number()
{
	sed -n "s/.*\"$1\": *\([0-9][0-9]*\).*/\1/p" | head -n 1
}

add()
{
	torusctl fabric add "$fabric" arch bgl shape "$shape" seed 1
	added=1
	torusctl link set "$fabric" all all ber "$ber"
	torusctl fabric show "$fabric"
}

# Every link at rest: no resend is under way when the counters are read.
settle()
{
	local try

	for ((try = 0; try < 100; try++)); do
		[[ $(torusctl -j counter show "$fabric" | json_number in_flight) != 0 ]] ||
			return 0
		sleep 0.1
	done
	echo "demo: packets are still in the network after 10 s" >&2
	return 1
}

check()
{
	local counters resends errors

	counters=$(torusctl -j counter show "$fabric")
	resends=$(json_number resends <<<"$counters")
	errors=$(json_number crc_errors <<<"$counters")
	echo "retransmissions $resends, CRC errors found $errors"
	if ((resends == 0 || errors == 0)); then
		echo "demo: links with a bit-error rate of $ber must have errors" >&2
		return 1
	fi
	torusctl link check "$fabric"
	torusctl link show "$fabric" | awk '
		{
			for (i = 1; i < NF; i++) {
				if ($i == "packets") packets = $(i + 1)
				if ($i == "crc") crc = $(i + 1)
			}
			used += packets > 0
			still += packets > 0 && crc == "00000000"
		}
		END {
			printf "%d links carried packets, %d of them with a CRC at its first value\n",
				used, still
			exit still > 0 || used == 0
		}'
}

trap cleanup EXIT
SECONDS=0
load

say "a $shape Blue Gene/L whose links flip one bit in 100000"
add

say "a process at every node: a ring, a halo exchange, an all-to-all"
build/demo/torus-demo --progress "$@" "$fabric"
settle

say "the links: what was sent again, and both ends' CRC of everything they carried"
check

say "latency by hops, and the ten busiest links"
torusctl counter show "$fabric" top 10 | grep -v '^ *D0 \|^ *stalls \|^ *busy_ticks '

cleanup
say "fabric deleted${loaded:+, module unloaded}; $SECONDS s"
