#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs commands as root in a virtual machine that has Debian's own kernel and
# sees this machine's files; without a command, a shell. KERNEL=6.12 in the
# environment selects the newest kernel of that series (kernel-version.sh).
#
#	scripts/vm.sh [OPTION]... [-- COMMAND [ARG]...]...
#
#	-m MIB            memory (1024)
#	--smp N           processors (2)
#	--silence SECONDS end the machine when it has said nothing for that long
#	                  (300; at a terminal no limit)
#	--append WORDS    more kernel parameters, e.g. 'slub_debug=FZPU page_poison=1'
#	--results DIR     writable from inside as /results; emptied first
#	                  (build/vm/results)
#	--kernel IMAGE    a kernel with everything built in, instead of Debian's
#	--count           emulated, with one processor, whose clock counts its
#	                  instructions: one a nanosecond, on a loaded host too
#	--bare            do not load the module: the commands do so themselves
#	--systemd         the first command prepares the system, then systemd
#	                  starts it, and the others run
#
# Inside, the whole file system is this machine's, read-only below and with a
# RAM disk above it: whatever is installed here runs there, and nothing that is
# written stays, except in /results. The commands run in the tree's directory,
# with the module loaded and the tools in PATH (unless --bare or --systemd),
# one after the other until one fails; a command that has a word -- of its own
# needs a shell around it (bash -c '...'). Variables whose names begin with
# TORUS_ are passed on; TORUS_KO names the module for the kernel. The kernel's
# messages go to build/vm/console.log; those of a guest that died are kept in
# build/vm/died-TIME.log.
#
# Standard input is the commands'. Where it and the output are terminals, the
# commands have a terminal of the same size: Ctrl-C is for the command, and
# Ctrl-] twice ends the machine.
#
# Exit status: 0 only if the command's was 0 and the kernel had nothing to
# complain about. Otherwise the command's, or
#	124  the guest hung
#	125  the guest died: panic, oops, warning (each is made a panic); or it
#	     ended without a result
#	126  the command passed, but the kernel's log has a complaint; or the log
#	     does not have its beginning
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname "$here")
# Accounts other than root often lack the sbin directories, which have modprobe.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

memory=1024 smp=2 silence="" append="" results=$top/build/vm/results kernel="" systemd=0 bare=0
count=0
usage()
{
	sed -n '/^#\t/s/^#\t//p' "${BASH_SOURCE[0]}" | sed '/^124/,$d'
}
# What the holder of the lock is called in the messages of those who wait for it
title="scripts/vm.sh${*:+ $*}"
while (($# > 0)); do
	case $1 in
	-m | --smp | -smp | --silence | --append | --results | --kernel)
		(($# > 1)) || { echo "vm: $1 requires a value" >&2 && exit 2; }
		;;
	esac
	case $1 in
	-m) memory=$2; shift ;;
	--smp | -smp) smp=$2; shift ;;
	--silence) silence=$2; shift ;;
	--append) append=$2; shift ;;
	--results) results=$2; shift ;;
	--kernel) kernel=$2; shift ;;
	--count) count=1 smp=1 ;;
	--bare) bare=1 ;;
	--systemd) systemd=1 bare=1 ;;
	--) break ;;
	-h | --help) usage && exit 0 ;;
	*)
		echo "vm: unknown argument '$1': a command must follow --" >&2
		usage >&2
		exit 2
		;;
	esac
	shift
done

# Each command's words, quoted; a word -- begins the next one.
commands=()
for word; do
	if [[ $word == -- ]]; then
		commands+=("")
	else
		commands[-1]+=" ${word@Q}"
	fi
done
for command in "${commands[@]}"; do
	[[ -n $command ]] || { echo "vm: no command between two --" >&2 && exit 2; }
done
interactive=$((${#commands[@]} == 0))
# vm-shell.sh loads the module, then runs the command, or is a shell.
if ((interactive)); then
	commands=(" scripts/vm-shell.sh")
elif ((!bare)); then
	commands=("${commands[@]/#/ scripts/vm-shell.sh}")
fi
if ((systemd && ${#commands[@]} < 2)); then
	echo "vm: --systemd requires two commands: the first one runs before systemd starts" >&2
	exit 2
fi
terminal=0
if [[ -t 0 && -t 1 ]]; then
	terminal=1
fi

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

# Two machines on two processors starve each other into time-outs. Nobody but
# this process has the lock: it goes when the process does.
exec 9>>"$cache/vm.lock"
if ! flock -n 9; then
	echo "vm: waiting for $(cat "$cache/vm.holder" 2>/dev/null || echo another machine)" >&2
	# Without a time limit: who waits longest is first in the kernel's queue.
	flock 9
fi
printf 'process %s (%s, in %s), since %s\n' "$$" "${title:0:200}" "$top" \
	"$(date '+%F %T')" >"$cache/vm.holder"

# What is started here dies with this process, however that ends.
start()
{
	exec 9>&-
	exec setpriv --pdeathsig TERM "$@"
}

qemu_pid="" helpers=() terminal_state=""
pipes=("$run/input" "$run/control")
cleanup()
{
	trap - EXIT INT TERM HUP
	if [[ -n $qemu_pid ]]; then
		kill "$qemu_pid" 2>/dev/null || true
		wait "$qemu_pid" 2>/dev/null || true
	fi
	((${#helpers[@]} == 0)) || kill "${helpers[@]}" 2>/dev/null || true
	[[ -z $terminal_state ]] || stty "$terminal_state" 2>/dev/null || true
	rm -f "${pipes[@]}" "$cache/vm.holder"
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
	# The module of a kernel that KERNEL= selects lies apart from the default kernel's.
	ko=$top/build${KERNEL:+/kernel-$release}/torus.ko
	export TORUS_KO=${TORUS_KO:-$ko}
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
# command_file COMMAND...
command_file()
{
	printf 'cd %q || exit\n' "$top"
	while IFS='=' read -r name; do
		printf 'export %s=%q\n' "$name" "${!name}"
	done < <(compgen -e TORUS_ || true)
	printf '%s || exit\n' "$@"
}
if ((systemd)); then
	command_file "${commands[0]}" >"$results/.vm/command"
	command_file "${commands[@]:1}" >"$results/.vm/booted"
else
	command_file "${commands[@]}" >"$results/.vm/command"
fi
if ((terminal)); then
	printf '%s %s\n' "$(stty size)" "${TERM:-dumb}" >"$results/.vm/terminal"
fi
if ((interactive)) && [[ -e $run/history ]]; then
	cp "$run/history" "$results/.vm/history"
fi

# KVM only where it serves ordinary guests: some hosts have a /dev/kvm that
# hangs them, and these do not show the processor's feature.
if ((count)); then
	accel=(-accel "tcg,thread=single" -icount "shift=0,sleep=off")
elif grep -qEw 'vmx|svm' /proc/cpuinfo && [[ -w /dev/kvm ]]; then
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
	# messages in it. It goes to a file: what a pipe cannot take at once,
	# QEMU would lose.
	-device virtio-serial-pci
	-device "virtconsole,chardev=console"
	-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
	-device "virtio-9p-pci,fsdev=root,mount_tag=root"
	-fsdev "local,id=results,path=$results,security_model=none"
	-device "virtio-9p-pci,fsdev=results,mount_tag=results"
)

if ((terminal)); then
	qemu+=(-chardev "stdio,id=console,signal=off"
		-chardev "pipe,id=control,path=$run/control"
		-device "virtserialport,chardev=control,name=torus.control")
else
	# A port, and not the console: its reader is told where the input ends.
	qemu+=(-chardev "file,id=console,path=$run/output"
		-chardev "stdio,id=input,signal=off"
		-device "virtserialport,chardev=input,name=torus.input")
fi

# May this process read the terminal?
foreground()
{
	local fields

	read -r -a fields <"/proc/$$/stat"
	[[ ${fields[4]} == "${fields[7]}" ]]
}

ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
rm -f "${pipes[@]}" "$run/console.log"
mkfifo "${pipes[@]}"
: >"$run/output"
: >"$run/console.log"
# Of itself, a background job reads /dev/null.
exec 8<&0
if ((terminal)); then
	terminal_state=$(stty -g)
	start python3 "$here/vm-terminal.py" "$$" "$run/input" "$run/control" <&8 8<&- &
elif [[ -t 0 ]] && ! foreground; then
	start cat </dev/null >"$run/input" 8<&- &
else
	start cat <&8 >"$run/input" 8<&- &
fi
helpers+=("$!")
exec 8<&-

((terminal)) || silence=${silence:-300}
# A guest speaks by its console, which QEMU writes to a file.
limit=(${silence:+"$here/hang_timeout.py" "$silence" --file "$run/output"})
start ${limit[@]+"${limit[@]}"} setpriv --pdeathsig KILL "${qemu[@]}" \
	<"$run/input" >>"$run/output" 2>"$run/qemu.log" &
qemu_pid=$!
# QEMU makes its files non-blocking, for everybody who shares them; so it has
# none that is the terminal's.
start tail -c +1 -f -s 0.2 --pid="$qemu_pid" "$run/output" &
reader_pid=$!
helpers+=("$reader_pid")

qemu_status=0
wait "$qemu_pid" || qemu_status=$?
qemu_pid=
wait "$reader_pid" || true
cleanup
if ((interactive)) && [[ -e $results/.vm/history ]]; then
	cp "$results/.vm/history" "$run/history"
fi

# --- the verdict -------------------------------------------------------------

# shellcheck source=scripts/lib/kernel-report.bash
. "$here/lib/kernel-report.bash"
complaint=$kernel_report
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
124)
	echo "vm: no output for $silence s; the end of the kernel's log:" >&2
	console_tail 20
	exit 124
	;;
*)
	echo "vm: the guest crashed (QEMU's status $qemu_status); the kernel's log:" >&2
	sed 's/^/  | /' "$run/qemu.log" >&2
	console_story
	kept=$run/died-$(date +%Y%m%d-%H%M%S).log
	tr -d '\r' <"$run/console.log" >"$kept"
	echo "vm: the whole log of the kernel is kept in $kept" >&2
	exit 125
	;;
esac

if [[ -z $status || ! -s $results/.vm/dmesg ]]; then
	echo "vm: the guest ended without a result" >&2
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
	echo "vm: the kernel's log contains warnings:" >&2
	sed -nE "/$complaint/,\$ s/^/  | /p" "$run/dmesg" | sed 60q >&2
	((status != 0)) || exit 126
fi
if ((qemu_status == 33 && status == 0)); then
	exit 0
fi
((interactive)) || echo "vm: the command failed with status $status" >&2
exit $((status != 0 ? status : 125))
