#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What a hop costs from 64 nodes to a million, with two threads, with the kernel's flags.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
make build/kernel-like/torus-sim >/dev/null || exit 1
exec python3 scripts/scale.py "$@"
