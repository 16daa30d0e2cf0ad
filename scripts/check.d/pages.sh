#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages: they are good roff, they name what headers, help, completion, the YAML
# spec and the tables name, and man finds a page for each function.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

make -s user module >/dev/null || skip_all "nothing is built"

# good FILE: neither formatter has anything to say
good()
{
	local said

	said=$(groff -ww -man -Tutf8 "$1" 2>&1 >/dev/null) && [[ -z $said ]] || { echo "$said" && return 1; }
	! command -v mandoc >/dev/null || mandoc -T lint -W warning "$1"
}

all_good()
{
	local page status=0

	for page in build/man/man*/*; do
		grep -q '^\.so ' "$page" || good "$page" || status=1
	done
	return "$status"
}

# What a page that is not good would be told
bad_page()
{
	local work

	work=$(mktemp)
	printf '.TH X 3 2026-01-01 x\n.SH NAME\nx \\- y\n.nosuch\n' >"$work"
	! good "$work" >/dev/null
	set -- $?
	rm -f "$work"
	return "$1"
}

found()
{
	local name

	for name in torus_message_send torus_route_choose libtorus torus torus-parameters; do
		man -M build/man -w "$name" >/dev/null || return
	done
	# the whole page is read: who writes into a closed pipe fails
	[[ $(man -M build/man torus_message_send | col -b) == *'int torus_message_send('* ]]
}

# typed PAGE: the lines with torus-sim or torus-player in the displays of its EXAMPLES, as they are typed, in a
# directory that has the pages' files
typed()
(
	work=$(mktemp -d) count=0
	trap 'rm -rf "$work"' EXIT
	cp user/man/examples/*.torus "$work"
	PATH=$PWD/build:$PATH
	page=$PWD/user/man/$1
	cd "$work" || return
	# The line with mpirun simulates 65,536 nodes.
	mpirun="mpirun -n 4 "
	[[ -z ${TORUS_SHORT-} && -e $OLDPWD/build/torus-sim-mpi.so ]] || mpirun="none "
	while read -r line; do
		[[ $line != mpirun* ]] || line="mpirun --allow-run-as-root --oversubscribe ${line#mpirun }"
		bash -c "$line" </dev/null >out 2>&1 || { echo "$line" && cat out && return 1; }
		count=$((count + 1))
	done < <(sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$page" | sed -n '/^\.nf/,/^\.fi/p' |
		sed 's/\\-/-/g' | grep -E "^(echo .* \| |$mpirun)?torus-(sim|player) ")
	echo "$count lines"
	((count > 0))
)

step "groff -ww and mandoc have nothing to say of the pages" all_good
step "they would of a bad one" bad_page
if command -v man >/dev/null; then
	step "man finds the page of a function" found
fi
for page in torus-sim.1 torus-player.1 torus-parameters.7 torus-replay.5; do
	step "the lines of $page" typed "$page"
done
# A tool whose every option has a long form is completed with these.
export PAGES_TOOLS=""
for tool in $(make -s print-tools); do
	case $tool in
	torusctl) PAGES_TOOLS+=" $tool=short" ;;
	*) PAGES_TOOLS+=" $tool=long" ;;
	esac
done
PYTHONPATH=scripts python3 scripts/man_pages.py >build/pages.tap
status=$?
# One stream: the script's lines behind these
awk -v from="$number" '
	/^(ok|not ok) / { sub(/(ok|not ok) [0-9]+/, (/^not/ ? "not ok " : "ok ") ++from) }
	/^1\.\./ { next }
	{ print }
	END { exit }' build/pages.tap
number=$((number + $(grep -cE '^(ok|not ok) ' build/pages.tap)))
((status == 0)) || failed=$((failed + 1))
tap_end
