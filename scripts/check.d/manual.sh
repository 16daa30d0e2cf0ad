#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The hardware manual: each example has the output that the manual shows, its tables follow from the
# headers, groff has no complaint, and the PDF has at most 25 pages. A changed number of an example
# and a changed bit of a register are found.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

[[ -x build/torus-sim ]] || skip_all "torus-sim is not built"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=doc/manual/manual.md
headers=(include/uapi/linux/torus.h include/uapi/linux/torus_port.h kmod/core/base/crc.h
	 kmod/arch/bgl/registers.c kmod/arch/bgl/registers.h kmod/arch/tests/test_port_examples.c
	 doc/manual/crc.py doc/manual/header.py)

# pdf: the manual by groff, without a warning
pdf()
{
	scripts/manual.py "$page" >"$work/ms" || return
	groff -Kutf8 -ww -t -ms -Tpdf "$work/ms" >"$work/pdf" 2>"$work/said" && [[ ! -s $work/said ]] && return
	cat "$work/said"
	return 1
}

# found WORDS SCRIPT: after sed has changed the manual by SCRIPT, the check of its examples fails at
# WORDS
found()
{
	local said

	sed "$2" "$page" >"$work/page.md"
	! cmp -s "$page" "$work/page.md" || return
	said=$(python3 scripts/teaching.py "$work/page.md") && return 1
	grep -q "^not ok .*$1" <<<"$said"
}

# changed FILE SCRIPT PATTERN: after sed has changed a header by SCRIPT, the manual has PATTERN
changed()
{
	rm -rf "$work/tree"
	mkdir "$work/tree"
	cp --parents "${headers[@]}" "$work/tree"
	sed -i "$2" "$work/tree/$1"
	! cmp -s "$1" "$work/tree/$1" || return
	scripts/manual.py --headers "$work/tree" "$page" >"$work/other" || return
	! cmp -s "$work/ms" "$work/other" && grep -qP "$3" "$work/other" && ! grep -qP "$3" "$work/ms"
}

# refused WORDS SCRIPT: after sed has changed the manual by SCRIPT, manual.py fails with WORDS
refused()
{
	sed "$2" "$page" >"$work/page.md"
	scripts/manual.py "$work/page.md" >/dev/null 2>"$work/said" && return 1
	says "$(<"$work/said")" "$1"
}

step "groff makes the manual without a warning" pdf
pages=$(grep -ac '/Type /Page$' "$work/pdf")
tap "$( ((pages >= 5 && pages <= 25)) && echo ok)" "the manual has $pages pages, at most 25"
python3 scripts/teaching.py "$page" >"$work/examples"
# The tests of the examples, numbered with those of this file
while read -r line; do
	case $line in
	"ok "*) tap ok "${line#*- }" ;;
	"not ok "*) tap bad "${line#*- }" ;;
	"#"*) echo "$line" ;;
	esac
done <"$work/examples"
tap "$(grep -q "^1\.\.[1-9]" "$work/examples" && echo ok)" "all examples were run"
step "a tick that differs is found" found corrupt '/resend/s/578/579/'
step "a CRC that differs is found" found crc.py 's/21cf02/21cf03/'
port=include/uapi/linux/torus_port.h
step "another bit of a register" changed $port 's/B(FAULT, WRITE, 1, 1/B(FAULT, WRITE, 2, 1/' \
	'^FAULT\t2\tWRITE\t'
step "another offset of a register" changed $port 's/R(LINKS, 0x10c0/R(LINKS, 0x10c4/' \
	'^0x10c4\tLINKS\t'
step "another register of Blue Gene/L" changed kmod/arch/bgl/registers.h \
	's/REG_CLEAR = 0x1e/REG_CLEAR = 0x1f/' '^1F\tclear\t'
step "another field of a header" changed include/uapi/linux/torus.h \
	's/16-18 chunks - 1, 19-20 for/16-19 chunks - 1, 20-20 for/' '^0\t16.*-19\t'
step "another polynomial" changed kmod/core/base/crc.h 's/0x864cfb/0x864cfd/' '0x864cfd'
step "a register that no table has" refused 'register LINKS' 's/^@registers 0x1000 0x10ff/@registers 0x1000 0x10bf/'
step "bits that no table has" refused 'register MODERATION bits' '/^@bits MODERATION/d'
step "a table that does not exist" refused '@warp' 's/^@crcs/@warp/'
tap_end
