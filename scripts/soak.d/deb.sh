#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages: built, looked at by lintian, installed, booted with systemd in the VM,
# used by a member of the group, restored after a restart, purged.
#
# They are installed in a system of its own: this machine's root file system with a RAM disk
# above it, in which dpkg and DKMS do all that they do, for the kernel that the VM boots. The
# VM then has that as its root. Inside the VM, where the processor is emulated, the compiler
# would take an hour. Each part that needs a running system has a VM of its own, in which
# nothing that is written stays but in /results.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

top=$PWD run=$PWD/build/vm/deb
if [[ ${1:-} != inside ]]; then
	if ((EUID != 0)); then
		echo "1..0 # SKIP installing packages needs root"
		exit 0
	fi
	if ! said=$(scripts/deb.sh 2>&1); then
		printf '%s\n' "$said" | sed 's/^/# /'
		printf '%s\n' "1..1" "not ok 1 - make deb, and lintian's verdict"
		exit 1
	fi
	# All parts' lines get their numbers here, as they come.
	number=0 bad=0
	while IFS= read -r line; do
		if [[ $line =~ ^(not\ )?ok\ (.*) ]]; then
			number=$((number + 1))
			[[ -z ${BASH_REMATCH[1]} ]] || bad=$((bad + 1))
			line="${BASH_REMATCH[1]}ok $number ${BASH_REMATCH[2]}"
		fi
		printf '%s\n' "$line"
	done < <(echo "ok - make deb, and lintian's verdict"
		exec unshare --mount --propagation private --pid --fork --mount-proc "$0" inside)
	echo "1..$number"
	((bad == 0 && number >= 38))
	exit
fi

cache=$(scripts/cache-dir.sh)
# Made where it must be there already: the system's root has it.
system=$(mktemp -d)
mount -t tmpfs tmpfs "$system" || exit
mkdir "$system"/{upper,work,root}
mount -t overlay overlay "$system/root" \
	-o "lowerdir=/,upperdir=$system/upper,workdir=$system/work" || exit
# The tree and the cache with the VM's lock are the real ones.
for dir in "$top" "$cache"; do
	mount --bind "$dir" "$system/root$dir" || exit
done
mount -t proc proc "$system/root/proc"
mount --rbind /dev "$system/root/dev"
mount --rbind /sys "$system/root/sys"
mount -t tmpfs tmpfs "$system/root/run"
# The VM's depmod would take minutes for the modules of hardware that it does not have.
find "$system/root/lib/modules/$(scripts/kernel-version.sh)/kernel"/{drivers,net,sound} \
	-name '*.ko*' ! -path '*/9p/*' ! -path '*/char/*' ! -path '*/virtio/*' -delete

# there COMMAND...: with the new system as the root, and its own compiler
there()
{
	PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		chroot "$system/root" /bin/bash -c 'cd "$0" && exec "$@"' "$top" "$@"
}

# boot PART PREPARATION: a part in a VM with systemd, before which the shell's command
# prepares the system. What its steps print is seen at once; all else is a remark.
boot()
{
	there scripts/vm.sh --silence 900 --results "$run/$1" --systemd -- \
		bash -c "$2" -- scripts/deb-test.sh "$1" 2>&1 </dev/null |
		sed -u -E '/^((not )?ok |#)/!s/^/# /'
	if ((PIPESTATUS[0] == 0)); then
		echo "ok - $1: the VM ends well, the kernel has no complaint"
	else
		echo "not ok - $1: the VM ends well, the kernel has no complaint"
	fi
}

# What is in the new system and mentions the project, beyond what the old one has. What runs
# here writes logs and caches, and keeps its files' last versions; DKMS makes itself a key.
left()
{
	local file

	(cd "$system/upper" && find . -mindepth 1 ! -path "./${top#/}*" ! -path "./${cache#/}*" \
		! -path './tmp/*' ! -path './home/*' ! -path './root/*' ! -path './var/log/*' \
		! -path './var/cache/*' ! -path './var/lib/dkms/mok.*' \
		! -name '*-old' ! -name '*-' ! -type c -print) |
	while read -r file; do
		file=${file#.}
		if [[ ! -e $file && ! -L $file ]]; then
			echo "$file was not there"
		elif [[ -f $file ]] && grep -q torus "$system/upper$file" && ! grep -q torus "$file"; then
			echo "$file has the word torus"
		fi
	done
}

mkdir -p "$run"
there scripts/deb-test.sh install || exit
boot device true
boot programs true
cp "$run/programs/torus.conf" "$system/root/etc/torus.conf" || exit
# Of what this machine starts, the unit alone; it is started as any system starts it.
boot restart '
	find /{etc,lib}/systemd/system/multi-user.target.wants -mindepth 1 \
		! -name torus.service -delete
	mkdir -p /run/systemd/system/torus-vm.{target,service}.d
	cd /run/systemd/system
	printf "[Unit]\nWants=multi-user.target\n" >torus-vm.target.d/all.conf
	printf "[Unit]\nAfter=multi-user.target\n" >torus-vm.service.d/all.conf'
there scripts/deb-test.sh purge
rest=$(left)
if [[ -z $rest ]]; then
	echo "ok - nothing is left in the system of what was installed"
else
	echo "not ok - nothing is left in the system of what was installed"
	printf '%s\n' "$rest" | sed 40q | sed 's/^/# /'
fi
