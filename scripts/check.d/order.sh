#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each function that kmod/order.lds or user/lib/order.lds names is one of the sources (ctags sees it,
# or it is another name that #define gives a function), and those that the module or the library
# has stand where the list puts them: a name that has changed would fall out of the order unseen.
# Likewise the constants that the module's list names.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash
module=${TORUS_KO:-build/torus.ko}

# names LIST: the pattern for each function is "*(.text.NAME .text.NAME.*)", or that of one file
names()
{
	sed -nE 's/.*\(\.text\.([a-z][a-z0-9_]*) .*\.\*\)$/\1/p' "$1"
}

# in_order FILE SECTION: names of the functions there, as they stand: "NAME", or "NAME.isra.0" of one
# that was changed. A kernel that pads functions names each padding __pfx_NAME.
in_order()
{
	objdump -t -j "$2" "$1" | awk '$3 == "F" && $NF !~ /^__pfx_/ { print $1, $NF }' | sort | cut -d ' ' -f 2
}

# listed LIST WHERE: each of its names is a function of the sources there, and stands there once
listed()
{
	local -a sources
	local functions

	mapfile -t sources < <(git ls-files "$2/*.[ch]")
	functions=$(
		ctags -x --languages=C --langmap=C:+.h --c-kinds=f "${sources[@]}" |
			cut -d ' ' -f 1
		sed -nE 's/^#define [a-z_]+[[:space:]]+([a-z][a-z0-9_]*)$/\1/p' "${sources[@]}"
	)
	count=$(names "$1" | wc -l)
	tap "$( ((count > 0)) && echo ok)" "$1 names $count functions"
	is "each once" "$(names "$1" | sort | uniq -d)" ""
	is "each is a function of the sources" "$(names "$1" | while read -r name; do
		grep -qx "$name" <<<"$functions" || echo "$name"
	done)" ""
}

# stand FILE SECTION LIST: how many of its functions that are first there are on the list
stand()
{
	in_order "$1" "$2" | awk 'NR == FNR { wanted[$1] = 1; next }
		{ name = $1; sub(/\..*/, "", name); if (!(name in wanted)) exit
		  if (!(name in seen)) n++; seen[name] = 1 } END { print n + 0 }' <(names "$3") -
}

listed kmod/order.lds kmod
there=$(in_order "$module" .text | sed 's/\..*//' | sort -u | grep -cxFf <(names kmod/order.lds))
tap "$( ((there > count / 2)) && echo ok)" "the module has $there of them"
is "they stand before the others" "$(stand "$module" .text kmod/order.lds)" "$there"

# constants LIST: the pattern for each is "*(.rodata.NAME)"
constants()
{
	sed -nE 's/^\t*\*\(\.rodata\.([a-z][a-z0-9_]*)\)$/\1/p' "$1"
}

count=$(constants kmod/order.lds | wc -l)
tap "$( ((count > 0)) && echo ok)" "kmod/order.lds names $count constants"
is "these, too, stand before the others" "$(objdump -t -j .rodata "$module" |
	awk '$3 == "O" { print $1, $NF }' | sort | cut -d ' ' -f 2 | head -n "$count")" \
	"$(constants kmod/order.lds)"

listed user/lib/order.lds user
there=$(in_order build/libtorus.o .text.hot | sed 's/\..*//' | sort -u | wc -l)
tap "$( ((there > count / 2)) && echo ok)" "the library has $there of them"
# the cold part of one stands with what only an error runs
is "and none elsewhere" "$(objdump -t build/libtorus.o |
	awk '$3 == "F" && $4 != ".text.hot" && $NF !~ /\.cold/ { sub(/\..*/, "", $NF); print $NF }' |
	sort -u | grep -xFf <(names user/lib/order.lds))" ""
tap_end
