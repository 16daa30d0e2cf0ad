#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each function that kmod/order.lds names is one of the sources (ctags sees it, or it is another
# name that #define gives a function), and those that the module has stand in it before all others:
# a name that has changed would fall out of the order unseen.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
module=${TORUS_KO:-build/torus.ko}

# The pattern for each function is "*(.text.NAME .text.NAME.*)", or that of one file.
names()
{
	sed -nE 's/.*\(\.text\.([a-z][a-z0-9_]*) .*\.\*\)$/\1/p' kmod/order.lds
}

# Names of the functions in .text, as they stand: "NAME", or "NAME.isra.0" of one that was changed
in_order()
{
	objdump -t -j .text "$module" | awk '$3 == "F" { print $1, $NF }' | sort | cut -d ' ' -f 2
}

functions=$(
	mapfile -t sources < <(git ls-files 'kmod/*.[ch]')
	ctags -x --languages=C --langmap=C:+.h --c-kinds=f "${sources[@]}" | cut -d ' ' -f 1
	sed -nE 's/^#define [a-z_]+[[:space:]]+([a-z][a-z0-9_]*)$/\1/p' "${sources[@]}"
)
count=$(names | wc -l)
tap "$( ((count > 0)) && echo ok)" "kmod/order.lds names $count functions"
is "each once" "$(names | sort | uniq -d)" ""
is "each is a function of the sources" "$(names | while read -r name; do
	grep -qx "$name" <<<"$functions" || echo "$name"
done)" ""

before=$(in_order | awk 'NR == FNR { wanted[$1] = 1; next }
	{ name = $1; sub(/\..*/, "", name); if (!(name in wanted)) exit; n++ } END { print n + 0 }' \
	<(names) -)
there=$(in_order | sed 's/\..*//' | sort -u | grep -cxFf <(names))
tap "$( ((there > count / 2)) && echo ok)" "the module has $there of them"
tap "$( ((before >= there)) && echo ok)" "they stand before the others"
echo "# $before in the order of the list"
tap_end
