#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Debian's packages: built, looked at by lintian, installed, booted with systemd in the VM,
# used by a member of the group, purged.
#
# They are installed in a system of its own: this machine's root file system with a RAM disk
# above it, in which dpkg and DKMS do all that they do, for the kernel that the VM boots. The
# VM then has that as its root. Inside the VM, where the processor is emulated, the compiler
# would take an hour.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

top=$PWD log=$PWD/build/deb/test.log
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
	# Both parts' lines get their numbers here.
	unshare --mount --propagation private --pid --fork --mount-proc "$0" inside |
		awk '/^(ok|not ok) / { n++; bad += /^not/; sub(/ok/, "ok " n) }
		     { print; fflush() }
		     END { print "1.." n; exit bad > 0 || n < 10 }'
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

# there COMMAND...: with the new system as the root
there()
{
	chroot "$system/root" /bin/bash -c 'cd "$0" && exec "$@"' "$top" "$@"
}

there scripts/deb-test.sh install || exit
status=0
there scripts/vm.sh --silence 3600 --results "$top/build/vm/deb" --systemd -- \
	true -- bash -c 'scripts/deb-test.sh booted >/results/deb.tap' >"$log" 2>&1 </dev/null ||
	status=$?
cat build/vm/deb/deb.tap
if ((status != 0)); then
	tail -n 40 "$log" | sed 's/^/# /'
	[[ -s build/vm/deb/deb.tap ]] || echo "not ok - the VM ended with status $status"
fi
