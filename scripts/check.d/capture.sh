#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Captures as files: tshark, with the dissector, reads what user/capture writes; so does
# torusctl explain.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=$work/bad.pcapng

TORUS_CAPTURE_FILE=$file build/asan/tests/test_capture >/dev/null 2>&1
tap "$([[ -s $file ]] && echo ok)" "a capture is written"

is "explain: the way of a packet that was sent again" \
	"$(build/torusctl explain "$file" 1,0,0 0 | sed 's/  *$//')" \
"bgl packet 0 of 1,0,0 to 0,1,0, 36 bytes on each link
        1000  5.714 us    1,0,0 x+ VC 2, its CRC is wrong
        1700  9.714 us    1,0,0 x+ VC 2, sent again (2)
        1900  10.86 us    0,0,0 y+ VC 2 -> there
links 2, sent again 1, ticks from the first link to the last 900"
is "explain: as JSON, by the node's number" "$(build/torusctl -j explain "$file" 1 0 | python3 -c '
import json, sys
doc = json.load(sys.stdin)
print(doc["hops"], doc["resends"], doc["dst_coords"],
      *("%s %s %d %s" % (step["coords"], step["dir"], step["attempt"], step["verdict"])
        for step in doc["steps"]))')" "2 1 0,1,0 1,0,0 x+ 1 crc 1,0,0 x+ 2 ok 0,0,0 y+ 1 ok"
blames "$(build/torusctl explain "$file" 1,0,0 9 2>&1)" "torusctl: explain: $file: packet 9 node 1,0,0"
tap $? "explain: a packet that is not there"

# fields FILTER FIELD...: what tshark says of packets
fields()
{
	local filter=$1 field list=()

	shift
	for field; do
		list+=(-e "$field")
	done
	HOME=$work tshark -X lua_script:user/capture/torus.lua -r "$file" -Y "$filter" -T fields \
		"${list[@]}" 2>"$work/err" | tr '\t' ' '
}

if ! type -p tshark >/dev/null; then
	tap ok "tshark # SKIP it is not installed"
	tap_end
fi
is "tshark: all packets" "$(fields torus torus.tick | wc -l)" 40
is "tshark: one that was sent again" \
	"$(fields 'torus.attempt > 1' torus.link torus.src.coords torus.dst.coords torus.seq torus.verdict)" \
	"1,0,0 x+ 1,0,0 0,1,0 0 ok"
is "tshark: one that is corrupted" "$(fields 'torus.crc_error == 1' torus.link torus.attempt)" \
	"1,0,0 x+ 1"
is "tshark: pcapng's own flag for it" "$(fields 'frame.packet_flags_crc_error == 1' torus.tick)" 1000
is "tshark: header, CRC and valid byte" \
	"$(fields 'frame.number == 1' torus.header torus.crc torus.valid torus.arch torus.link_seq)" \
	"0001020304050607 202122 0x23 bgl 70"
is "tshark: how many were lost before a packet" "$(fields 'frame.drop_count > 0' frame.drop_count \
	torus.seq)" "12 7"
is "tshark: nanoseconds" "$(fields 'frame.number == 2' frame.time_epoch)" 0.000009714
is "tshark: it says nothing more" "$(grep -v 'Running as' "$work/err")" ""
tap_end
