#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Takes longer than the silence that it is allowed, and is never silent for so long.
echo "1..4"
for i in 1 2 3 4; do
	sleep 4
	echo "ok $i - after $((4 * i)) s"
done
