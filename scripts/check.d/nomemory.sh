#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each allocation of a call of torus-sim and torusctl fails in turn: the call says in words
# that there is no memory and ends with a status of its own, or it does without.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=scripts/lib/tap.bash
. scripts/lib/tap.bash

for tool in torusctl torus-sim; do
	[[ -x build/$tool ]] || skip_all "build/$tool is not built"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
top=$PWD
# shellcheck source=scripts/lib/nomemory.bash
. scripts/lib/nomemory.bash

echo "0 1" >"$work/pairs"
printf 'arch bgl\nshape 2x2x1\nall {\n\tisend (rank + 1) %% size 99 as a\n\tirecv (rank - 1) %% size
	waitall\n\talltoall 64\n\tbarrier\n}\n' >"$work/log"
machine=(--arch bgl --shape 2x2x2)
all torus-sim run "${machine[@]}" --pattern uniform --load 0.1 --cycles 100 --series 2 --domains 2 --apart
all torus-sim run "${machine[@]}" --pattern "file:$work/pairs" --packets 1 --links /dev/null \
	--fault "0 x+ state down at 5 for 9" --json
all torus-sim run "${machine[@]}" --pattern linefill --packets 1 --set crc=full --set ber=1e-6
all torus-sim run "${machine[@]}" --pattern uniform --load 0.1 --cycles 100 --statistics --histogram /dev/null
printf '{ "arch": "bgl", "shape": "2x2x2", "pattern": "uniform", "fault": ["0 x+ state down at 5 for 9"],
	"set": { "vc_bytes": 512 }, "cycles": 100 }' >"$work/config"
all torus-sim run --config "$work/config" --load 0.1
printf '{ "arch": "bgl", "shape": "2x2x2", "pattern": "uniform", "cycles": 100,
	"over": { "vc_bytes": [512, 1024] } }' >"$work/sweep"
all torus-sim sweep --config "$work/sweep" --over load=0.1,0.2 --threads 1 --write-config "$work/written"
all torus-sim run "${machine[@]}" --pattern uniform --load 1 --cycles 2000 --trace /dev/null --trace-links "all x+" \
	--trace-packets all --domains 2 --apart
all torus-sim run "${machine[@]}" --pattern uniform --load 0.1 --cycles 100 --series 2 --series-links /dev/null \
	--heatmap /dev/null
all torus-sim run --arch xt --shape 3x2x2 --pattern uniform --load 0.1 --cycles 50
all torus-sim run "${machine[@]}" --pattern hotspot --set hot=0 --set reply=32 --packets 1 --domains 2 --apart
mkdir "$work/bin"
printf '#!/bin/sh\ncat >/dev/null\necho "</svg>"\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
export PATH=$work/bin:$PATH
all torus-sim sweep "${machine[@]}" --pattern uniform --loads 0.1:0.2:0.1 --cycles 100 \
	--threads 1 --plot "$work/plot.svg"
all torus-sim sweep "${machine[@]}" --pattern uniform --over load=0.1,0.2 --replicate 2 --cycles 100 \
	--threads 1 --csv
all torus-sim replay "$work/log"
all torus-sim rerun "$top/user/vtime_replay/examples/bgl.record"
all torusctl route check arch xt shape 3x2x2
all torusctl route check arch kncube shape 3x2
all torusctl route explain arch xt shape 3x2x2 0 5
all torusctl route survey arch xt shape 2x1x1 cables 1
all torusctl route heat arch xt shape 3x2x2 svg "$work/heat.svg"
all torusctl route survey 3x2x2 faults 1
all torus-sim jobs --shape 2x2x1 --jobs 5
all torus-sim barrier --shape 1x1x1 --members 3 --times 2 --op sum
echo "1 0 -1 5 12 -1 -1 12 5 -1 1 1 1 1 -1 -1 -1 -1
2 9 -1 5 12 -1 -1 12 5 -1 1 1 1 1 -1 -1 -1 -1" >"$work/swf"
all torus-sim jobs --shape 2x2x1 --redundancy 0 --log "$work/swf"
for words in "paths arch tofu shape 2x1x1 0 5" "check arch tofu shape 1x1x1" \
	"survey arch tofu shape 1x1x1" "channels arch tofu shape 1x1x1" \
	"shapes 6x2x2 in 3x1x1 faulty 1 svg $work/rings.svg"; do
	# shellcheck disable=SC2086
	all torusctl route $words
done
build/torusctl route dump arch xt shape 3x2x2 >"$work/tables"
all torusctl route check arch xt shape 3x2x2 table "$work/tables"
tap_end
