#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The bash completion of torus-sim.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

sim=${TORUS_SIM:-build/torus-sim}

[[ -x $sim ]] || skip_all "$sim is not built"
# shellcheck source=user/completion/torus-sim
. user/completion/torus-sim

# completes WANTED LINE: what the last word of the line may become; words are
# divided as bash does, at spaces and at "="
completes()
{
	local wanted=$1 verdict=ok

	COMP_LINE="$sim $2"
	COMP_POINT=${#COMP_LINE}
	# shellcheck disable=SC2206 # words are wanted
	COMP_WORDS=($sim ${2//=/ = })
	[[ $2 != *" " && $2 != *= && -n $2 ]] || COMP_WORDS+=("")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_torus
	[[ " ${COMPREPLY[*]} " == *" $wanted "* ]] || verdict=bad
	tap $verdict "torus-sim $2: $wanted"
	[[ $verdict == ok ]] || echo "# got: ${COMPREPLY[*]}"
}

completes "run sweep replay paper jobs barrier rerun keys --help --version" ""
completes "sweep" s
completes "--arch --shape --mesh --pattern --load --packets" "run "
completes "--load --loads" "sweep --lo"
completes "--warmup" "run --arch bgl --w"
completes "bgl" "run --arch "
completes "transpose" "run --arch bgl --pattern tr"
completes "routing=dynamic routing=deterministic" "run --arch bgl --set rout"
completes "dynamic deterministic" "run --arch bgl --set routing="
completes "deterministic" "run --arch bgl --set routing=de"
completes "arrivals=poisson arrivals=bernoulli" "run --set arr"
completes "ber=" "run --arch bgl --set be"
completes "--json" "run --arch bgl --set ber=1e-5 --js"
completes "at --arch" "run --table t "
completes "--json" "run --table t at 100 --js"
completes "--config --write-config" "run "
completes "Makefile" "sweep --config Makef"
completes "Makefile" "run --write-config Makef"
completes "Makefile" "run --checkpoint Makef"
completes "--checkpoint" "run --checkp"
completes "Makefile" "run --restore Makef"
completes "hotregion" "paper hot"
completes "fig4" "paper fi"
completes "--full --nodes" "paper fig4 --"

tap_end
