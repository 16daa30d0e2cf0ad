#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A node that torus_vfio hands to QEMU: the guest in user/examples/port answers a program, and
# exchanges packets with torus_edu by programmed I/O and by DMA. Needs root and QEMU; runs in the VM.
# shellcheck source=selftests/port.bash
source "$(dirname "${BASH_SOURCE[0]}")/port.bash"
fabrics=(pg)
guest=$top/build/examples/guest
[[ -x $guest ]] || skip_all "$guest is not built"
command -v qemu-system-x86_64 >/dev/null || skip_all "qemu-system-x86_64 is not installed"
processes=()
# shellcheck disable=SC2317 # (called by the trap)
cleanup()
{
	((${#processes[@]} == 0)) || kill -KILL "${processes[@]}" 2>/dev/null
	port_tidy
}

# said WORDS: the guest has printed them
# shellcheck disable=SC2317 # (called by waits)
said() { like "$1" "$work/serial"; }

vfio_load
"$torusctl" fabric add pg arch bgl shape 4x4x4
"$torusctl" node set pg 1-2 driver on
bind pg:1.0.0 torus_edu
tap "$(bind pg:2.0.0 torus_vfio && echo ok)" "torus_vfio is bound"

"$top/build/examples/packet" pg 3,0,0 >"$work/answer" 2>&1 &
program=$!
processes+=("$program")
touch "$work/serial"
timeout 200 qemu-system-x86_64 -accel tcg -M pc -m 64 -nodefaults -no-user-config -no-reboot \
	-display none -monitor none -serial "file:$work/serial" \
	-device isa-debug-exit,iobase=0xf4,iosize=1 -kernel "$guest" -append '1,0,0 3,0,0' \
	-device "vfio-pci,sysfsdev=$bus/devices/pg:2.0.0" >"$work/qemu" 2>&1 &
qemu=$!
processes+=("$qemu")
patience=1200
tap "$(waits said '^guest: ready' && echo ok)" "QEMU starts the guest: $(head -n 1 "$work/qemu")"
tap "$(said '^guest: node 2,0,0' && echo ok)" "the guest reads its coordinates"
rmmod torus_host 2>/dev/null
tap "$([[ -d /sys/module/torus_host ]] && echo ok)" "rmmod torus_host fails while a guest has a node"
timeout 60 "$top/build/examples/packet" pg 0,0,0 2,0,0 'hello guest' >/dev/null
wait "$qemu"
tap "$([[ $? == 33 ]] && echo ok)" "the guest ends with success: $(tail -n 1 "$work/serial")"
for words in 'programmed I/O: right, and an interrupt' 'DMA: right, and an interrupt'; do
	tap "$(said "$words" && echo ok)" "$words"
done
tap "$(waits like 'hello guest' "$work/answer" && echo ok)" \
	"a program has the guest's answer: $(cat "$work/answer")"
wait "$program"
processes=()
"$torusctl" fabric del pg
tap "$(waits absent pg:2.0.0 && echo ok)" "the device ends with its fabric"
tap_end
