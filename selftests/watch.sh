#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Watching packets: tracepoints count what the counters count, for each machine that takes programs
# and for the others; a capture tells packets that were sent again from those that were corrupted,
# says what it has lost, and is an administrator's.  Needs root; runs in the VM.
# shellcheck source=selftests/torusctl.bash
source "$(dirname "${BASH_SOURCE[0]}")/torusctl.bash"
# shellcheck source=scripts/lib/json.bash
. "$top/scripts/lib/json.bash"
tracing=/sys/kernel/tracing
events=$tracing/events/torus
capturing=""
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	[[ -z $capturing ]] || kill "$capturing" 2>/dev/null
	[[ ! -d $events ]] || echo 0 >"$events/enable"
	tidy
}

# add NAME WORD...: a fabric of its own
add()
{
	fabrics+=("$1")
	"$torusctl" fabric add "$@" || tap bad "fabric add $*"
}

# counter KIND KEY: what the counters were behind the last load
counter()
{
	value "$work/counters" "d['$1']['$2']"
}

# captured KEY: value of KEY in the summary of the last capture
captured()
{
	value "$work/told" "d['$1']"
}

# links NAME KEY: of all links of a fabric the sum
links()
{
	"$torusctl" -j -s link show "$1" >"$work/links"
	value "$work/links" "sum(link['$2'] for link in d)"
}

# load NAME: some traffic, whose counters are in $work/counters
load()
{
	"$torusctl" traffic "$1" --pattern uniform --packets 20 --size "${2:-256}" >/dev/null ||
		tap bad "traffic on $1"
	"$torusctl" -j counter show "$1" >"$work/counters"
}

# counted EVENT: how often a tracepoint was passed, by its histogram
counted()
{
	sed -n 's/.*hitcount: *\([0-9]*\)$/\1/p' "$events/torus_$1/hist" |
		awk '{ sum += $1 } END { print sum + 0 }'
}

# traced NAME SIZE: tracepoints of a run count what its counters do
traced()
{
	local event

	for event in inject hop resend error deliver; do
		echo 'hist:keys=common_pid' >"$events/torus_$event/trigger"
	done
	load "$@"
	is "$1: tracepoints hop as counter show" "$(counted hop)" \
		"$(counter hops total)"
	is "$1: tracepoints inject" "$(counted inject)" \
		"$(counter packets injected)"
	is "$1: tracepoints deliver" "$(counted deliver)" \
		"$(counter packets delivered)"
	is "$1: tracepoints resend" "$(counted resend)" "$(links "$1" resends)"
	for event in inject hop resend error deliver; do
		echo '!hist:keys=common_pid' >"$events/torus_$event/trigger"
	done
}

# bpftrace counts the hops of a run as the counters do
bpf()
{
	local try

	bpftrace -e 'tracepoint:torus:torus_hop { @hops = count(); }
		interval:ms:200 { printf("it counts\n"); }' >"$work/bpf" 2>&1 &
	capturing=$!
	for ((try = 0; try < 1200; try++)); do
		like "it counts" "$work/bpf" && break
		kill -0 $capturing 2>/dev/null || break
		sleep 0.1
	done
	"$torusctl" fabric reset bad
	load bad
	kill -INT "$capturing"
	wait "$capturing"
	capturing=""
	is "bpftrace: hops as counter show" "$(sed -n 's/^@hops: //p' "$work/bpf")" \
		"$(counter hops total)"
}

# begins FILE WORD...: a capture runs, and its file has begun
begins()
{
	local file=$1 try

	shift
	"$torusctl" -j capture "$@" -w "$file" >"$work/told" 2>"$work/err" &
	capturing=$!
	for ((try = 0; try < 300; try++)); do
		[[ ! -s $file ]] || return 0
		kill -0 $capturing 2>/dev/null || break
		sleep 0.1
	done
	tap bad "capture $*: $(cat "$work/err")"
}

# ends: it is interrupted, and has printed the number of packets
ends()
{
	kill -INT "$capturing"
	wait "$capturing" || tap bad "capture ended with $?: $(cat "$work/err")"
	capturing=""
}

# filtered FILE FILTER: number of packets of a capture that match tshark's filter
filtered()
{
	tshark -X lua_script:user/capture/torus.lua -r "$1" -Y "$2" 2>/dev/null | wc -l
}

cd "$top" || exit 1
add bad arch bgl shape 3x2x2 seed 5 ber 2e-5
add cube arch kncube shape 4x4
add tofu arch tofu shape 2x1x1
if [[ ! -d $tracing/events ]]; then
	tap ok "tracepoints # SKIP this kernel has none"
else
	tap "$([[ -d $events ]] && echo ok)" "tracepoints are there"
	if [[ -e $events/torus_hop/hist ]]; then
		traced bad
		traced cube
		traced tofu
	else
		tap ok "counts of tracepoints # SKIP this kernel makes no histograms of events"
	fi
	if ! type -p bpftrace >/dev/null; then
		tap ok "bpftrace # SKIP it is not installed"
	elif [[ ! -e /proc/sys/kernel/unprivileged_bpf_disabled ]]; then
		tap ok "bpftrace # SKIP this kernel has no BPF"
	else
		bpf
	fi
fi
"$torusctl" fabric reset bad
"$torusctl" fabric reset cube

# --- captures
begins "$work/bad.pcapng" bad
load bad
ends
hops=$(counter hops total)
resends=$(links bad resends)
is "capture: each packet on each link, and each that is sent again" \
	"$(captured packets)" $((hops + resends))
is "capture: nothing is lost" "$(captured lost)" 0
tap "$(((resends > 3)) && echo ok)" "$resends packets were sent again"
if type -p tshark >/dev/null; then
	is "tshark: packets that were sent again" "$(filtered "$work/bad.pcapng" 'torus.attempt > 1')" \
		"$resends"
	wrong=$(filtered "$work/bad.pcapng" 'torus.crc_error == 1 || torus.header_error == 1')
	found=$(($(links bad crc_header_errors) + $(links bad crc_packet_errors)))
	tap "$(((wrong >= found && found > 3)) && echo ok)" \
		"tshark: $wrong packets are wrong, $found of them were looked at"
	is "tshark: pcapng's own flag says the same" \
		"$(filtered "$work/bad.pcapng" 'frame.packet_flags_crc_error == 1')" "$wrong"
else
	tap ok "tshark # SKIP it is not installed"
fi

begins "$work/cube.pcapng" cube
load cube
ends
is "capture of a kncube" "$(captured packets)" \
	"$(counter hops total)"

short_end
# --- losses: a small buffer, and a run that ends before anybody reads
"$torusctl" fabric reset bad
begins "$work/full.pcapng" bad buffer 65536
kill -STOP "$capturing"
load bad
kill -CONT "$capturing"
ends
lost=$(captured lost)
tap "$(((lost > 0)) && echo ok)" "a full buffer: $lost packets are lost, and it is said"
is "a full buffer: none is missing" "$(($(captured packets) + lost))" \
	"$(($(counter hops total) + $(links bad resends)))"

# --- one link, one packet
"$torusctl" fabric reset bad
begins "$work/link.pcapng" bad 0,0,0 x+ bytes 16
load bad
ends
"$torusctl" -j link show bad 0,0,0 x+ >"$work/links"
is "capture of one link" "$(captured packets)" \
	"$(value "$work/links" 'sum(link["packets"] + link["resends"] for link in d)')"
if "$torusctl" explain "$work/bad.pcapng" 0,0,0 3 >"$work/way"; then
	tap ok "explain: $(head -n 1 "$work/way")"
else
	tap bad "explain"
fi
like ' -> there$' "$work/way" && tap ok "explain: it got there" || tap bad "explain: $(cat "$work/way")"

# --- the end of the fabric is the end of the capture
begins "$work/gone.pcapng" cube
"$torusctl" fabric del cube
if wait "$capturing"; then tap ok "the capture ends with its fabric"; else tap bad "it goes on"; fi
capturing=""

# --- what makes no sense
python3 - >"$work/asked" <<'END'
import ctypes, errno, fcntl, os, struct
ANY = 0xffffffff
CAPTURE = 3 << 30 | 96 << 16 | 0xb6 << 8 | 9
device = os.open("/dev/torus", os.O_RDWR)


def ask(what, name=b"bad", node=ANY, dir=ANY, src=ANY, dst=ANY, count=0, buffer=0, reserved=0):
    words = bytearray(struct.pack("32s6Ii9I", name, node, dir, src, dst, count, buffer, 0,
                                  reserved, *[0] * 8))
    try:
        fcntl.ioctl(device, CAPTURE, words)
        print(what, "taken")
        return struct.unpack_from("i", words, 56)[0]
    except OSError as error:
        print(what, errno.errorcode[error.errno])


ask("node", node=4000)
ask("source", src=4000)
ask("destination", dst=4000)
ask("direction", dir=6)
ask("buffer", buffer=3 << 16)
ask("small", buffer=4096)
ask("reserved", reserved=1)
ask("name", name=b"x" * 32)
ask("fabric", name=b"nobody")
fd = ask("good")
os.set_blocking(fd, False)
for what, size in ("empty", 4096),:
    try:
        print(what, os.read(fd, size))
    except OSError as error:
        print(what, errno.errorcode[error.errno])
libc = ctypes.CDLL(None, use_errno=True)
print("address", libc.ioctl(device, ctypes.c_ulong(CAPTURE), ctypes.c_void_p(8)),
      errno.errorcode[ctypes.get_errno()])
END
is "the ioctl refuses what makes no sense" "$(paste -sd ' ' "$work/asked")" "node EINVAL \
source EINVAL destination EINVAL direction EINVAL buffer EINVAL small EINVAL reserved EINVAL \
name EINVAL fabric ENOENT good taken empty EAGAIN address -1 EFAULT"
most=$(cat /sys/module/torus/parameters/max_bytes)
echo 200000000 >/sys/module/torus/parameters/max_bytes
if timeout 60 "$torusctl" capture bad buffer 268435456 -w /dev/null count 1 2>"$work/err"; then
	tap bad "a buffer of 256 MiB is taken"
elif like 'max_bytes' "$work/err"; then
	tap ok "$(cat "$work/err")"
else
	tap bad "a buffer of 256 MiB: $(cat "$work/err")"
fi
echo "$most" >/sys/module/torus/parameters/max_bytes

# --- who may
if setpriv --reuid 65534 --regid 65534 --clear-groups "$torusctl" capture bad -w /dev/null \
	2>"$work/err"; then
	tap bad "an unprivileged user may capture"
elif like CAP_NET_ADMIN "$work/err"; then
	tap ok "an unprivileged user may not capture: $(cat "$work/err")"
else
	tap bad "an unprivileged user gets a wrong error: $(cat "$work/err")"
fi
tap_end
