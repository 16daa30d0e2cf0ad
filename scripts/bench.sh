#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make bench: runs the programs of bench.d, most of which print ratios against
# something else that they run. Nothing here passes or fails by a time.
#
#	make bench [BASE=COMMIT] [LIMIT=FILE.c] [ONLY="PART ..."] [REPEATS=N] [SHAPES="S ..."]
#
# Without ONLY the parts are core and scale, with BASE or LIMIT compare, domains,
# memory, flags and vm. BASE is a commit that is built below build/ and run in turns
# with this tree; LIMIT is a C program for one machine
# (usage: LIMIT K LOAD% WARMUP TICKS REPEATS, with a line "Mhops/cpu-s=R"), which may
# be given as BASE, too. REPEATS is how often each is run, SHAPES those wanted of the parts that
# compare.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PWD/build:$PATH

base=${BASE-} limit=${LIMIT-} only=${ONLY-}
dir=build/bench
mkdir -p "$dir"
# What is built for a comparison must not hear of this call's variables.
unset MAKEFLAGS MFLAGS MAKELEVEL BASE LIMIT ONLY

if [[ $base == *.c ]]; then
	limit=$base base=""
fi

if [[ $base ]]; then
	commit=$(git rev-parse --short=12 --verify --quiet "$base^{commit}") || {
		echo "bench: BASE=$base: no such commit exists" >&2
		exit 2
	}
	tree=$dir/$commit
	# Its files without a worktree of git's, which would outlive `make clean`.
	if [[ ! -e $tree/Makefile ]]; then
		rm -rf "$tree.new"
		mkdir -p "$tree.new"
		git archive "$commit" | tar -x -C "$tree.new"
		mv -T "$tree.new" "$tree"
	fi
	make -s -j2 -C "$tree" build/torus-sim >"$dir/base.log" 2>&1 || {
		tail -n 20 "$dir/base.log" >&2
		echo "bench: BASE=$base: cannot build this commit" >&2
		exit 1
	}
	export BENCH_BASE=$PWD/$tree/build/torus-sim BENCH_COMMIT=$commit
fi

if [[ $limit ]]; then
	[[ -r $limit ]] || {
		echo "bench: LIMIT=$limit: cannot read the file" >&2
		exit 2
	}
	# shellcheck disable=SC2086 # CC may be "ccache gcc"
	${CC:-cc} -O2 -w -DPREF=8 -DPREF2=1 -DHUGE=1 -DHDR=20 "$limit" -o "$dir/limit" -lpthread
	export BENCH_LIMIT=$PWD/$dir/limit
fi

# Parts by name: the file's without number and ending.
if [[ ! $only ]]; then
	only="core scale"
	[[ ! $base$limit ]] || only="compare domains memory flags vm"
fi
names=$(for program in scripts/bench.d/[0-9]*; do
	name=${program##*/[0-9]*-} && printf ' %s' "${name%.*}"
done)
for part in $only; do
	program=$(compgen -G "scripts/bench.d/[0-9]*-$part.*") || {
		echo "bench: ONLY=$part: must be one of$names" >&2
		exit 2
	}
	echo "== $part"
	case $program in
	*.py) python3 "$program" ;;
	*) bash "$program" ;;
	esac
done
