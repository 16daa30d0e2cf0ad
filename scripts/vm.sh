#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command as root in a virtual machine that has Debian's own kernel and
# sees this machine's files.
#
#	scripts/vm.sh [OPTION]... -- COMMAND [ARG]...
#
#	-m MIB            memory (1024)
#	--smp N           processors (2)
#	--timeout SECONDS end the machine after that (300)
#	--append WORDS    more kernel parameters, e.g. 'slub_debug=FZPU page_poison=1'
#	--results DIR     writable from inside as /results; emptied first
#	                  (build/vm/results)
#	--kernel IMAGE    a kernel with everything built in, instead of Debian's
#
# Inside, the whole file system is this machine's, read-only below and with a
# RAM disk above it: whatever is installed here runs there, and nothing that is
# written stays, except in /results. The command runs in the tree's directory;
# variables whose names begin with TORUS_ are passed on. Its output appears as it
# comes; the kernel's goes to build/vm/console.log.
#
# Exit status: 0 only if the command's was 0 and the kernel had nothing to
# complain about. Otherwise the command's, or
#	124  time-out
#	125  the guest died: panic, oops, warning (each is made a panic)
#	126  the command passed, but the kernel's log has a complaint
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname "$here")
# Accounts other than root often lack the sbin directories, which have modprobe.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

memory=1024 smp=2 timeout=300 append="" results=$top/build/vm/results kernel=""
usage()
{
	sed -n '/^#\t/s/^#\t//p' "${BASH_SOURCE[0]}" | head -n 11 >&2
	exit 2
}
while (($# > 0)); do
	case $1 in
	-m) memory=$2; shift ;;
	--smp | -smp) smp=$2; shift ;;
	--timeout) timeout=$2; shift ;;
	--append) append=$2; shift ;;
	--results) results=$2; shift ;;
	--kernel) kernel=$2; shift ;;
	--) shift; break ;;
	*) usage ;;
	esac
	shift
done
(($# > 0)) || usage

# The guest has its own of these.
case $top/ in
/dev/* | /proc/* | /run/* | /sys/* | /results/*)
	echo "vm: the guest cannot see a tree in $top; move it elsewhere" >&2
	exit 2
	;;
esac

cache=$("$here"/cache-dir.sh)
run=$top/build/vm
mkdir -p "$run"

# Two machines on two processors starve each other into time-outs.
exec 9>>"$cache/vm.lock"
if ! flock -n 9; then
	echo "vm: another one runs, waiting for it" >&2
	flock 9
fi

qemu_pid="" reader_pid=""
cleanup()
{
	trap - EXIT INT TERM HUP
	if [[ -n $qemu_pid ]]; then
		kill "$qemu_pid" 2>/dev/null || true
	fi
	if [[ -n $reader_pid ]]; then
		kill "$reader_pid" 2>/dev/null || true
	fi
	rm -f "$run/output"
}
trap cleanup EXIT
trap 'cleanup; exit 130' INT
trap 'cleanup; exit 143' TERM HUP

# --- what to boot ------------------------------------------------------------

guest_modules=(virtio_pci 9pnet_virtio 9p overlay virtio_console)
if [[ -n $kernel ]]; then
	release="" guest_modules=()
else
	release=$("$here"/kernel-version.sh)
	image=/boot/vmlinuz-$release
	# The uncompressed kernel boots by PVH in half the time.
	kernel=$cache/vmlinux-$release
	if [[ ! -s $kernel || $image -nt $kernel ]]; then
		source=$("$here"/linux-source.sh)
		bash "$source/scripts/extract-vmlinux" "$image" >"$kernel.new"
		mv "$kernel.new" "$kernel"
	fi
fi

make_initramfs()
{
	local dir=$run/initramfs module file

	rm -rf "$dir"
	mkdir -p "$dir"/{bin,modules,lower,rw,new,proc,sys,dev}
	cp "$(command -v busybox)" "$dir/bin/busybox"
	cp "$here/vm-init.sh" "$dir/init"
	chmod 755 "$dir/init"
	: >"$dir/modules/order"
	for module in "${guest_modules[@]}"; do
		# -C: the host's modprobe configuration is not the guest's.
		modprobe -C /dev/null -S "$release" --show-depends "$module" |
			sed -n 's/^insmod //p'
	done | awk '!seen[$1]++ { print $1 }' | while read -r file; do
		# Newer Debian compresses modules, busybox does not care to know.
		case $file in
		*.xz) xz -dc "$file" >"$dir/modules/$(basename "$file" .xz)" ;;
		*) cp "$file" "$dir/modules/" ;;
		esac
		basename "$file" .xz >>"$dir/modules/order"
	done
	(cd "$dir" && find . -print0 | cpio --null --quiet -o -H newc) \
		>"$run/initramfs.cpio"
	rm -rf "$dir"
}
make_initramfs

# --- what to run -------------------------------------------------------------

rm -rf "$results"
mkdir -p "$results/.vm"
{
	printf 'cd %q || exit\n' "$top"
	while IFS='=' read -r name; do
		printf 'export %s=%q\n' "$name" "${!name}"
	done < <(compgen -e TORUS_ || true)
	printf 'exec'
	printf ' %q' "$@"
	printf '\n'
} >"$results/.vm/command"

# KVM only where it serves ordinary guests: some hosts have a /dev/kvm that
# hangs them, and these do not show the processor's feature.
if grep -qEw 'vmx|svm' /proc/cpuinfo && [[ -w /dev/kvm ]]; then
	accel=(-accel kvm)
else
	accel=(-accel "tcg,thread=multi")
fi

# no_timer_check: on a busy host the IO-APIC's timer check fails, and panics.
parameters="console=ttyS0 quiet panic=-1 oops=panic panic_on_warn=1"
parameters+=" no_timer_check rcupdate.rcu_cpu_stall_timeout=120"
parameters+=" log_buf_len=4M${append:+ $append}"

qemu=(
	qemu-system-x86_64 "${accel[@]}" -machine q35 -cpu max -smp "$smp"
	-m "$memory" -nodefaults -no-user-config -no-reboot -display none
	-monitor none -kernel "$kernel" -initrd "$run/initramfs.cpio"
	-append "$parameters"
	-serial "file:$run/console.log"
	-device "isa-debug-exit,iobase=0xf4,iosize=1"
	# A virtual console is faster than a serial line, and has no kernel
	# messages in it.
	-device virtio-serial-pci -chardev "stdio,id=out,signal=off"
	-device "virtconsole,chardev=out"
	-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
	-device "virtio-9p-pci,fsdev=root,mount_tag=root"
	-fsdev "local,id=results,path=$results,security_model=none"
	-device "virtio-9p-pci,fsdev=results,mount_tag=results"
)

ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
rm -f "$run/output" "$run/console.log"
mkfifo "$run/output"
# QEMU makes its standard output non-blocking, for everybody who shares it; the
# reader in between keeps that from the terminal.
cat "$run/output" &
reader_pid=$!
timeout -k 5 "$timeout" "${qemu[@]}" </dev/null >"$run/output" 2>"$run/qemu.log" &
qemu_pid=$!
qemu_status=0
wait "$qemu_pid" || qemu_status=$?
qemu_pid=
wait "$reader_pid" || true
reader_pid=

# --- the verdict -------------------------------------------------------------

complaint='BUG:|WARNING|Oops|UBSAN|possible'
console_tail()
{
	tr -d '\r' <"$run/console.log" | tail -n "$1" | sed 's/^/  | /' >&2
}
# From the first complaint on, which tells more than the panic that ends it
console_story()
{
	local first

	first=$(grep -nEm 1 "$complaint|Kernel panic" "$run/console.log" |
		cut -d: -f1 || true)
	if [[ -n $first ]]; then
		tr -d '\r' <"$run/console.log" | tail -n "+$((first > 3 ? first - 3 : 1))" |
			sed -n '1,60s/^/  | /p' >&2
	else
		console_tail 60
	fi
}

status=""
[[ ! -r $results/.vm/status ]] || status=$(<"$results/.vm/status")
case $qemu_status in
33 | 35) ;;
124 | 137)
	echo "vm: timed out after $timeout s; the end of the kernel's log:" >&2
	console_tail 20
	exit 124
	;;
*)
	echo "vm: the guest died (QEMU's status $qemu_status); the kernel's log:" >&2
	sed 's/^/  | /' "$run/qemu.log" >&2
	console_story
	exit 125
	;;
esac

if [[ -z $status || ! -s $results/.vm/dmesg ]]; then
	echo "vm: the guest ended without a verdict" >&2
	console_tail 40
	exit 125
fi
# What the kernel said before the command began is not about the module.
if ! grep -q 'torus-vm: begin' "$results/.vm/dmesg"; then
	echo "vm: the kernel's log overflowed; see $run/console.log" >&2
	exit 126
fi
sed '1,/torus-vm: begin/d' "$results/.vm/dmesg" >"$run/dmesg"
if grep -qE "$complaint" "$run/dmesg"; then
	echo "vm: the kernel complained:" >&2
	sed -nE "/$complaint/,\$ s/^/  | /p" "$run/dmesg" | sed 60q >&2
	((status != 0)) || exit 126
fi
if ((qemu_status == 33 && status == 0)); then
	exit 0
fi
echo "vm: the command failed with status $status" >&2
exit $((status != 0 ? status : 125))
