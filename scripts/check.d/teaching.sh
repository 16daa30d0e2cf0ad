#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The demonstrations of doc/teaching: the output of each command, and each picture, is what the
# page shows. A changed number, a failing command and a changed picture are found.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

[[ -x build/torus-sim && -x build/torusctl ]] || skip_all "torus-sim and torusctl are not built"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# found WORDS SCRIPT: after sed has changed 2-resend.md by SCRIPT, the check fails at WORDS
found()
{
	local said

	sed "$2" doc/teaching/2-resend.md >"$work/page.md"
	! cmp -s doc/teaching/2-resend.md "$work/page.md" || return
	said=$(python3 scripts/teaching.py "$work/page.md") && return 1
	grep -q "^not ok .*$1" <<<"$said"
}

# picture: a page with another picture than the one that its command draws
picture()
{
	cp doc/teaching/6-hot-spot.md "$work"
	sed 's/8.10 %/8.11 %/' doc/teaching/hot-spot.svg >"$work/hot-spot.svg"
	python3 scripts/teaching.py "$work/6-hot-spot.md" >"$work/said" && return 1
	grep -q "^not ok .*picture" "$work/said"
}

pages=(doc/teaching/[0-9]*.md)
is "there are eight demonstrations" "${#pages[@]}" 8
for page in "${pages[@]}"; do
	tap "$(grep -q "(${page##*/})" doc/teaching/README.md && echo ok)" \
		"README.md has a link to ${page##*/}"
done
python3 scripts/teaching.py "${pages[@]}" >"$work/pages"
# The tests of the pages, numbered with those of this file
while read -r line; do
	case $line in
	"ok "*) tap ok "${line#*- }" ;;
	"not ok "*) tap bad "${line#*- }" ;;
	"#"*) echo "$line" ;;
	esac
done <"$work/pages"
tap "$(grep -q "^1\.\.[1-9]" "$work/pages" && echo ok)" "all commands were run"
step "a tick that differs is found" found "trace" '/resend/s/1186/1187/'
step "a missing line is found" found "timeout=400" '/^ *730 deliver/d'
step "a picture that differs is found" picture
tap_end
