#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make player-check: pages of torus-player in Chromium. Screenshots are left in build/player.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

out=build/player
mkdir -p "$out"
sim=(build/torus-sim run --pattern uniform --warmup 0)
"${sim[@]}" --arch bgl --shape 4x4x4 --load 0.9 --cycles 3000 --set ber=5e-6 --trace "$out/errors.txt" >/dev/null &&
	"${sim[@]}" --arch kncube --shape 16x16 --load 0.5 --cycles 4000 --set buffers=finite --trace "$out/plane.txt" >/dev/null &&
	"${sim[@]}" --arch tofu --shape 3x2x2 --load 0.5 --cycles 1000 --trace "$out/tofu.txt" >/dev/null &&
	"${sim[@]}" --arch bgl --shape 8x8x8 --load 0.9 --cycles 6000 --trace "$out/large.txt" \
		--trace-limit 100000 >/dev/null &&
	"${sim[@]}" --arch bgl --shape 4x1x1 --load 0.8 --cycles 3000 --set hop_limit=1 \
		--trace "$out/lost.txt" >/dev/null || exit 1
cp "$out/errors.txt" "$out/acks.txt"
# Kinds that no run writes yet: torus-player accepts them
printf '%s\n' "         99999 ack     0,0,0        0,0,0                 0 1,0,0        x+" \
	"         99999 interrupt 3,3,3      0,0,0                 0 1,0,0" >>"$out/acks.txt"
for name in errors plane tofu large lost acks; do
	build/torus-player "$out/$name.txt" -o "$out/$name.html" --title "fabric </script><b>$name" || exit 1
done
# Debian's Python has Debian's selenium.
PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 scripts/player_check.py "$out"
